"""Columns and exports by uproot: columns_uproot.py PATH TREE LIST_OF_BRANCHES HOW

HOW is arrays, parquet or arrow. Prints a line of JSON as bench/columns-read.mjs does. Parquet is written as
awkward does by default (zstd), entry by entry range of clusters, so that both hold no more than a part at once.
"""

import json
import os
import resource
import sys
import tempfile
import time

import awkward
import pyarrow
import pyarrow.parquet
import uproot

path, name, listed, how = sys.argv[1:]
with open(listed) as lines:
    branches = lines.read().split()
start, cpu = time.perf_counter(), time.process_time()
size = 0
with uproot.open(path) as file:
    tree = file[name]
    entries = tree.num_entries
    if how == "arrays":
        tree.arrays(branches, library="ak")
    else:
        with tempfile.NamedTemporaryFile(suffix="." + how) as out:
            writer = None
            for part in tree.iterate(branches, library="ak", step_size="64 MB"):
                table = awkward.to_arrow_table(part, extensionarray=False)
                if writer is None:
                    make = pyarrow.parquet.ParquetWriter if how == "parquet" else pyarrow.ipc.new_file
                    options = {"compression": "zstd"} if how == "parquet" else {}
                    writer = make(out.name, table.schema, **options)
                writer.write_table(table)
            if writer is not None:
                writer.close()
            size = os.path.getsize(out.name)
print(
    json.dumps(
        {
            "wall_s": time.perf_counter() - start,
            "cpu_s": time.process_time() - cpu,
            "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "entries": entries,
            "out_mb": size / 1e6,
        }
    )
)
