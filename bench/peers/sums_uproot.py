"""Sums of branches by uproot and awkward with two threads: sums_uproot.py FILE_OR_URL TREE LIST [sums=OUT]

LIST is a file with a branch a line; OUT gets {"branch": [values, sum]}. Prints a line of seconds and MB as JSON. By HTTP
it has six connections.
"""
import json
import resource
import sys
import time

import awkward
import numpy
import uproot

path, tree, names = sys.argv[1:4]
out = next((word[5:] for word in sys.argv[4:] if word.startswith("sums=")), None)
with open(names) as lines:
    names = [line.strip() for line in lines if line.strip()]
options = {"handler": uproot.source.http.HTTPSource, "num_workers": 6} if path.startswith("http") else {}


def flat(array):
    """The values of all entries in one row; the length of each text."""
    if "string" in str(array.type):
        return awkward.to_numpy(awkward.num(array))
    return awkward.to_numpy(awkward.flatten(array, axis=None) if array.ndim > 1 else array)


wall, cpu = time.perf_counter(), time.process_time()
with uproot.open({path: None}, **options) as file:
    threads = uproot.ThreadPoolExecutor(max_workers=2)
    arrays = file[tree].arrays(names, decompression_executor=threads, interpretation_executor=threads)
    sums = {}
    for name in names:
        values = flat(arrays[name])
        sums[name] = [int(values.size), float(values.sum(dtype=numpy.float64))]
figures = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
if out:
    with open(out, "w") as file:
        json.dump(sums, file)
print(json.dumps({**figures, "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
