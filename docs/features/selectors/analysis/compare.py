"""Compares all histograms and cutflows of two analyses: the JSON of `xylem process --out` and that of coffea_analysis.py.

    python compare.py made.json coffea.json
"""
import json
import sys

import numpy as np


def difference(one, other):
    """Returns the relative difference of each number, 0 where both are 0."""
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if one.shape != other.shape:
        raise ValueError(f"{one.shape} and {other.shape} numbers")
    largest = np.maximum(abs(one), abs(other))
    return np.divide(abs(one - other), largest, out=np.zeros_like(largest), where=largest > 0)


def compare(made, coffea):
    """Returns the number of histograms, that of bins with sums of weights and of squared weights, and the largest difference."""
    histograms, bins, most = 0, 0, 0.0
    for sample, theirs in coffea.items():
        ours = made["samples"][sample]["results"]
        if set(ours) != {"cuts", *theirs["shapes"]}:
            raise ValueError(f"{sample} has other results: {set(ours) ^ {'cuts', *theirs['shapes']}}")
        for name, shape in theirs["shapes"].items():
            for member in ("sums", "squares"):
                most = max(most, difference(ours[name][member], shape[member]).max())
            histograms, bins = histograms + 1, bins + len(shape["sums"])
        sums = [ours["cuts"][cut] for cut in theirs["cuts"]]
        most = max(most, difference(sums, [one[0] for one in theirs["cuts"].values()]).max())
    return histograms, bins, float(most)


if __name__ == "__main__":
    found = compare(*(json.load(open(path)) for path in sys.argv[1:3]))
    print("{} histograms with {:,} bins, largest relative difference {:.1e}".format(*found))
