"""Draws histograms of thousands of ROOT files on a Spark cluster, or runs a selector. Workers need Node and xylem only.

    from pyspark.sql import SparkSession
    import xylem_spark

    spark = SparkSession.builder.getOrCreate()
    result = xylem_spark.draw(spark.sparkContext, "@files.txt", "Events", "Muon_pt", "nMuon==2", hist="50,0,100")
    values, edges = result.to_numpy()
    made = xylem_spark.process(spark.sparkContext, "zpeak.mjs", "@files.txt", "Events", settings={"low": 60})

xylem_tasks.py must lie beside this file; its result has the same bits. `result.failed` lists inputs that could not be read.
"""

import xylem_tasks
from xylem_tasks import Work, draw_job, process_job


def draw(context, files, tree, expr, cut="", hist=None, options=(), **more):
    """Draws `expr` with `cut` over `files` on the executors of a SparkContext, and returns a Result: see xylem_dask.draw."""
    return work(context, draw_job(expr, cut, hist, options), files, tree, **more)


def process(context, selector, files, tree, settings=None, options=(), samples=None, tables=None, **more):
    """Runs a selector over `files` on the executors, and returns a Result: see xylem_dask.process."""
    return work(context, process_job(selector, settings, options, samples, tables), files, tree, **more)


def work(context, job, files, tree, branches=None, tasks=None, timeout=None, xylem=("xylem",)):
    """A task that fails runs again as often as spark.task.maxFailures says, and so does one whose executor is lost.
    Raises Py4JJavaError when it still fails.
    """
    program = list(xylem)
    with Work(xylem, files, tree, tasks or 4 * context.defaultParallelism, branches, job) as state:
        context.addPyFile(xylem_tasks.__file__)
        todo = context.parallelize(state.todo, len(state.todo))
        # The driver has the answers of one partition at a time.
        answers = todo.map(lambda inputs: xylem_tasks.read(program, inputs, tree, job, timeout)).cache()
        answers.count()
        for answer in answers.toLocalIterator():
            state.done(answer)
        answers.unpersist()
        return state.result()
