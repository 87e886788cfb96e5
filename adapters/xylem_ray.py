"""Draws histograms of thousands of ROOT files on a Ray cluster, or runs a selector. Workers need Node and xylem only.

    import ray, xylem_ray
    ray.init(address)
    result = xylem_ray.draw("@files.txt", "Events", "Muon_pt", "nMuon==2", hist="50,0,100")
    values, edges = result.to_numpy()
    made = xylem_ray.process("zpeak.mjs", "@files.txt", "Events", settings={"low": 60})

xylem_dask.py must lie beside this file; its result has the same bits. `result.failed` lists inputs that could not be read.
"""

import ray

import xylem_dask
from xylem_dask import Result, combine, draw_job, plan, process_job, read

# Workers get these functions with the task.
ray.cloudpickle.register_pickle_by_value(xylem_dask)


def draw(files, tree, expr, cut="", hist=None, options=(), **more):
    """Draws `expr` with `cut` over `files` on the workers, and returns a Result: see xylem_dask.draw."""
    return work(draw_job(expr, cut, hist, options), files, tree, **more)


def process(selector, files, tree, settings=None, options=(), samples=None, **more):
    """Runs a selector over `files` on the workers, and returns a Result: see xylem_dask.process."""
    return work(process_job(selector, settings, options, samples), files, tree, **more)


def work(job, files, tree, branches=None, tasks=None, retries=2, xylem=("xylem",)):
    """A task whose worker is lost, or that raises, runs again `retries` times. Raises RayTaskError when it fails."""
    planned = plan(xylem, files, tree, tasks or 4 * max(1, int(ray.cluster_resources().get("CPU", 1))), branches, job)
    task = ray.remote(max_retries=retries, retry_exceptions=True)(read)
    waiting = [task.remote(list(xylem), one["inputs"], tree, job) for one in planned["tasks"]]
    whole = []
    while waiting:
        # Starting a process costs more than adding, so several results are added at once.
        done, waiting = ray.wait(waiting, num_returns=min(32, len(waiting)))
        whole = [combine(xylem, whole + ray.get(done))]
    return Result(xylem, whole[0], planned["failed"])
