"""What pyarrow and numpy read in files: read_back.py FILE...

Prints a JSON object of {FILE: {COLUMN: [value of each entry]}}. Numbers that are not finite are texts; lists
of an NPZ, which are two arrays, are put together.
"""

import json
import math
import sys

import numpy
import pyarrow
import pyarrow.parquet


def plain(value):
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value


def read(path):
    if path.endswith(".npy"):
        array = numpy.load(path)
        names = array.dtype.names
        return {name: array[name].tolist() for name in names} if names else {"": array.tolist()}
    if path.endswith(".npz"):
        arrays = numpy.load(path)
        columns = {}
        for name in arrays.files:
            if name.endswith("_offsets"):
                continue
            short = name.removesuffix("_content")
            if short != name and f"{short}_offsets" in arrays.files:
                pieces = numpy.split(arrays[name], arrays[f"{short}_offsets"][1:-1])
                entries = len(arrays[f"{short}_offsets"]) - 1
                columns[short] = [piece.tolist() for piece in pieces[:entries]]
            else:
                columns[name] = arrays[name].tolist()
        return columns
    if path.endswith(".parquet"):
        table = pyarrow.parquet.read_table(path)
    elif path.endswith(".arrows"):
        table = pyarrow.ipc.open_stream(path).read_all()
    else:
        table = pyarrow.ipc.open_file(path).read_all()
    table.validate(full=True)
    return {name: table.column(i).to_pylist() for i, name in enumerate(table.column_names)}


json.dump({path: plain(read(path)) for path in sys.argv[1:]}, sys.stdout)
