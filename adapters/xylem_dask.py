"""Draws histograms of thousands of ROOT files on a Dask cluster, or runs a selector. Workers need Node and xylem only.

    from distributed import Client
    import xylem_dask

    result = xylem_dask.draw(Client(address), "@files.txt", "Events", "Muon_pt", "nMuon==2", hist="50,0,100")
    print(result.failed)               # inputs that could not be read, with their errors
    result.write_failed("again.txt")   # the list of them, for files="@again.txt"
    values, edges = result.to_numpy()
    h = result.to_boost()              # a boost_histogram.Histogram; hist.Hist(h) is one of hist

    made = xylem_dask.process(Client(address), "zpeak.mjs", "@files.txt", "Events", settings={"low": 60})
    mass = made.to_boost("mass")       # the result of this name
    made.results()                     # all, as "xylem process --json" prints them

The result has the same bits whichever worker read which file, and in whichever order. xylem_tasks.py must lie beside this file.
"""

import xylem_tasks
from xylem_tasks import TaskError, Work, draw_job, process_job


def draw(client, files, tree, expr, cut="", hist=None, options=(), **more):
    """Draws `expr` with `cut` over `files` on the workers of a client, and returns a Result.

    `files`, `tree`, `expr`, `cut` and `hist` are those of "xylem draw"; `options` are further ones. `more` is that of `work`.
    """
    return work(client, draw_job(expr, cut, hist, options), files, tree, **more)


def process(client, selector, files, tree, settings=None, options=(), samples=None, tables=None, **more):
    """Runs the selector in the file `selector` over `files` on the workers of a client, and returns a Result.

    `settings` are those of --set; `options` are further ones of "xylem process"; `samples` is the path of a list of samples,
    and `files` may be None then. `tables` is a folder that all workers see, for the rows of large tables; without it rows
    are in the result. What the selector imports and reads goes to the workers with it. `more` is that of `work`.
    """
    return work(client, process_job(selector, settings, options, samples, tables), files, tree, **more)


def work(client, job, files, tree, branches=None, tasks=None, retries=2, progress=None, timeout=None, max_requests=None,
         xylem=("xylem",)):
    """Does a job over `files` on the workers of a client, and returns a Result.

    `branches` are those whose bytes make tasks equal. `progress(done, tasks, failed)` is called when a task has ended. A task
    whose worker is lost runs on another one, and a file that fails is read again `retries` times. A file that ends the process
    which reads it twice, or takes longer than `timeout` seconds, is a failed one. A task that Dask gives up, because too many
    workers were lost with it, is one of failed files, too. `max_requests` limits the requests that servers get at once from all workers
    together: "se.example.org=64". Raises TaskError when a task fails in another way.
    """
    # Here, because adapters for other engines use the rest.
    from distributed import KilledWorker, as_completed

    # Workers that start later get it, too.
    client.upload_file(xylem_tasks.__file__)
    slots = max(1, sum(client.nthreads().values()))
    with Work(xylem, files, tree, tasks or 4 * slots, branches, job, max_requests, slots) as state:
        # A large selector, such as one with scale factors, goes to each worker once.
        if sum(map(len, job.get("package", {}).values())) > 1_000_000:
            job = client.scatter(job, broadcast=True)
        todo = state.todo
        for _ in range(retries + 1):
            inputs_of = {
                client.submit(xylem_tasks.read, list(xylem), inputs, tree, job, timeout, retries=retries, pure=False): inputs
                for inputs in todo
            }
            # Results that were added are forgotten, so that the memory of the cluster stays free.
            for done, future in enumerate(as_completed(list(inputs_of)), 1):
                inputs = inputs_of.pop(future)
                try:
                    state.done(future.result())
                except KilledWorker as lost:
                    state.lost(inputs, f"its worker was lost too often: {lost}")
                except TaskError:
                    client.cancel(list(inputs_of))
                    raise
                future.release()
                if progress:
                    progress(done, len(todo), len(state.failed) + len(state.given_up))
            todo = state.again()
            if not todo:
                break
        return state.result()
