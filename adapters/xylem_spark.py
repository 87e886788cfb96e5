"""Draws histograms of thousands of ROOT files on a Spark cluster. Workers need Node and xylem only.

    from pyspark.sql import SparkSession
    import xylem_spark

    spark = SparkSession.builder.getOrCreate()
    result = xylem_spark.draw(spark.sparkContext, "@files.txt", "Events", "Muon_pt", "nMuon==2", hist="50,0,100")
    values, edges = result.to_numpy()

xylem_dask.py must lie beside this file; its result has the same bits. `result.failed` lists inputs that could not be read.
"""

import json

import xylem_dask
from xylem_dask import Result, read, run


def draw(context, files, tree, expr, cut="", hist=None, options=(), branches=None, tasks=None, xylem=("xylem",)):
    """Draws `expr` with `cut` over `files` on the executors of a SparkContext, and returns a Result: see xylem_dask.draw.

    A task that fails runs again as often as spark.task.maxFailures says, and so does one whose executor is lost. Raises
    Py4JJavaError when it still fails.
    """
    program = list(xylem)
    count = tasks or 4 * context.defaultParallelism
    more = [] if branches is None else ["--branches", branches]
    plan = json.loads(run(program, ["plan", "--tasks", str(count), "--json", *more, "--", files, tree], statuses=(0, 1)))
    if not plan["tasks"]:
        raise RuntimeError(f"No file can be read: {plan['failed'][:3]}")
    query = [expr, cut] if cut else [expr]
    options = [*(["--hist", hist] if hist else []), *options]
    context.addPyFile(xylem_dask.__file__)
    todo = context.parallelize([task["inputs"] for task in plan["tasks"]], len(plan["tasks"]))
    texts = todo.map(lambda inputs: read(program, inputs, tree, query, options)).collect()
    return Result(program, run(program, ["combine", "-", "--partial", "-"], "\n".join(texts), (0, 1)), plan["failed"])
