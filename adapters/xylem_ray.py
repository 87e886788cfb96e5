"""Draws histograms of thousands of ROOT files on a Ray cluster. Workers need Node and xylem only.

    import ray, xylem_ray
    ray.init(address)
    result = xylem_ray.draw("@files.txt", "Events", "Muon_pt", "nMuon==2", hist="50,0,100")
    values, edges = result.to_numpy()

xylem_dask.py must lie beside this file; its result has the same bits. `result.failed` lists inputs that could not be read.
"""

import json

import ray

import xylem_dask
from xylem_dask import Result, read, run

# Workers get these functions with the task.
ray.cloudpickle.register_pickle_by_value(xylem_dask)


def draw(files, tree, expr, cut="", hist=None, options=(), branches=None, tasks=None, retries=2, xylem=("xylem",)):
    """Draws `expr` with `cut` over `files` on the workers, and returns a Result: see xylem_dask.draw.

    A task whose worker is lost, or that raises, runs again `retries` times. Raises RayTaskError when it fails.
    """
    count = tasks or 4 * max(1, int(ray.cluster_resources().get("CPU", 1)))
    more = [] if branches is None else ["--branches", branches]
    plan = json.loads(run(xylem, ["plan", "--tasks", str(count), "--json", *more, "--", files, tree], statuses=(0, 1)))
    if not plan["tasks"]:
        raise RuntimeError(f"No file can be read: {plan['failed'][:3]}")
    query = [expr, cut] if cut else [expr]
    options = [*(["--hist", hist] if hist else []), *options]
    task = ray.remote(max_retries=retries, retry_exceptions=True)(read)
    waiting = [task.remote(list(xylem), one["inputs"], tree, query, options) for one in plan["tasks"]]
    whole = []
    while waiting:
        # Starting a process costs more than adding, so several results are added at once.
        done, waiting = ray.wait(waiting, num_returns=min(32, len(waiting)))
        texts = whole + ray.get(done)
        whole = [run(xylem, ["combine", "-", "--partial", "-"], "\n".join(texts), (0, 1))]
    return Result(xylem, whole[0], plan["failed"])
