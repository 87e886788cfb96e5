"""Reads files on a Dask cluster of processes, one of which is killed, and prints what came of it as JSON.

    python3 dask_cluster.py FILES.txt XYLEM.js OUT.json TASKS [SELECTOR]

Draws x with the weight w, or runs a selector that makes a histogram "h".
"""

import json, os, signal, sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../adapters"))
import xylem_dask
from distributed import Client, LocalCluster

if __name__ == "__main__":
    files, program, out, tasks, *selector = sys.argv[1:]
    os.environ["PYTHONPATH"] = sys.path[0]
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            pids = list(client.run(os.getpid).values())
            calls = []

            def progress(done, tasks, failed):
                calls.append([done, tasks, failed])
                if len(calls) == 2:
                    os.kill(pids[0], signal.SIGKILL)

            more = {"tasks": int(tasks), "retries": 1, "progress": progress, "xylem": ("node", program)}
            if selector:
                result = xylem_dask.process(client, selector[0], "@" + files, "manysmall", {"a": 1}, **more)
            else:
                result = xylem_dask.draw(client, "@" + files, "manysmall", "x", "w", hist="40,-10,15", **more)
            after = list(client.run(os.getpid).values())
    name = "h" if selector else None
    values, edges = result.to_numpy(name)
    histogram = result.to_boost(name)
    with open(out, "w") as file:
        file.write(result.text)
    print(json.dumps({
        "failed": len(result.failed), "inputs": len(result.partial["inputs"]), "calls": calls,
        "killed": pids[0] not in after, "values": list(values), "edges": list(edges),
        "sum": float(histogram.sum(flow=True).value),
        **({"results": result.results()} if selector else {}),
    }))
