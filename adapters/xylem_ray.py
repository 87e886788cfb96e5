"""Draws histograms of thousands of ROOT files on a Ray cluster, or runs a selector. Workers need Node and xylem only.

    import ray, xylem_ray
    ray.init(address)
    result = xylem_ray.draw("@files.txt", "Events", "Muon_pt", "nMuon==2", hist="50,0,100")
    values, edges = result.to_numpy()
    made = xylem_ray.process("zpeak.mjs", "@files.txt", "Events", settings={"low": 60})

xylem_tasks.py must lie beside this file; its result has the same bits. `result.failed` lists inputs that could not be read.
"""

import ray

import xylem_tasks
from xylem_tasks import Work, draw_job, process_job

# Workers get these functions with the task.
ray.cloudpickle.register_pickle_by_value(xylem_tasks)


def draw(files, tree, expr, cut="", hist=None, options=(), **more):
    """Draws `expr` with `cut` over `files` on the workers, and returns a Result: see xylem_dask.draw."""
    return work(draw_job(expr, cut, hist, options), files, tree, **more)


def process(selector, files, tree, settings=None, options=(), samples=None, tables=None, **more):
    """Runs a selector over `files` on the workers, and returns a Result: see xylem_dask.process."""
    return work(process_job(selector, settings, options, samples, tables), files, tree, **more)


def work(job, files, tree, branches=None, tasks=None, retries=2, timeout=None, max_requests=None, xylem=("xylem",)):
    """A task whose worker is lost runs again `retries` times, and its files are failed ones then. Raises RayTaskError for other
    failures."""
    slots = max(1, int(ray.cluster_resources().get("CPU", 1)))
    with Work(xylem, files, tree, tasks or 4 * slots, branches, job, max_requests, slots) as state:
        task = ray.remote(max_retries=retries)(xylem_tasks.read)
        sent = ray.put(job)
        waiting = {task.remote(list(xylem), inputs, tree, sent, timeout): inputs for inputs in state.todo}
        while waiting:
            [done], _ = ray.wait(list(waiting), num_returns=1)
            inputs = waiting.pop(done)
            try:
                state.done(ray.get(done))
            except ray.exceptions.WorkerCrashedError as lost:
                state.lost(inputs, f"its worker was lost too often: {lost}")
            del done
        return state.result()
