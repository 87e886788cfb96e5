"""Draws histograms of thousands of ROOT files with an executor of concurrent.futures, or runs a selector.

    from concurrent.futures import ThreadPoolExecutor
    import xylem_futures

    with ThreadPoolExecutor(8) as executor:
        result = xylem_futures.draw(executor, "@files.txt", "Events", "Muon_pt", "nMuon==2", hist="50,0,100")
        made = xylem_futures.process(executor, "zpeak.mjs", "@files.txt", "Events", settings={"low": 60})

The work is done in processes of xylem, so that threads are enough on one machine. Executors of the same interface serve as well
where their workers can import xylem_tasks.py, which must lie beside this file: those of Python, loky, mpi4py.futures, Parsl and
TaskVine (ndcctools.taskvine.futures.FuturesExecutor).
"""

from concurrent.futures import FIRST_COMPLETED, wait

import xylem_tasks
from xylem_tasks import Work, draw_job, process_job


def draw(executor, files, tree, expr, cut="", hist=None, options=(), **more):
    """Draws `expr` with `cut` over `files` by the executor, and returns a Result: see xylem_dask.draw."""
    return work(executor, draw_job(expr, cut, hist, options), files, tree, **more)


def process(executor, selector, files, tree, settings=None, options=(), samples=None, tables=None, **more):
    """Runs a selector over `files` by the executor, and returns a Result: see xylem_dask.process."""
    return work(executor, process_job(selector, settings, options, samples, tables), files, tree, **more)


def work(executor, job, files, tree, branches=None, tasks=None, retries=2, progress=None, timeout=None, xylem=("xylem",)):
    """Does a job over `files`, in 40 tasks by default: see xylem_dask.work. Raises what the executor raises when it is lost."""
    with Work(xylem, files, tree, tasks or 40, branches, job) as state:
        todo = state.todo
        for _ in range(retries + 1):
            waiting = {executor.submit(xylem_tasks.read, list(xylem), inputs, tree, job, timeout) for inputs in todo}
            count = 0
            try:
                while waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        state.done(future.result())
                        count += 1
                        if progress:
                            progress(count, len(todo), len(state.failed) + len(state.given_up))
            except BaseException:
                for future in waiting:
                    future.cancel()
                raise
            todo = state.again()
            if not todo:
                break
        return state.result()
