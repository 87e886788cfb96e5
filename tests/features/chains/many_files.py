"""Writes many small ROOT files, damaged and missing ones among them, and what RDataFrame says of the sound ones.

    python3 many_files.py FOLDER COUNT FIXTURES

FOLDER/files.txt lists COUNT files, FOLDER/truth.json has the contents of the histograms.
"""

import json, os, shutil, sys

import numpy as np
import ROOT
import uproot

folder, count, fixtures = sys.argv[1], int(sys.argv[2]), sys.argv[3]
random = np.random.default_rng(20)
others = sorted(name for name in os.listdir(fixtures) if name.endswith(".root"))
names, sound = [], []
for i in range(count):
    path = os.path.join(folder, f"{i}.root")
    names.append(path)
    kind = i % 20
    if kind == 17:  # a missing file
        continue
    if i % 40 == 38:  # an empty file
        open(path, "w").close()
        continue
    if kind == 18:  # a file without the tree
        shutil.copy(os.path.join(fixtures, others[i % len(others)]), path)
        continue
    entries = int(random.integers(100 if kind == 19 else 0, 400))
    with uproot.recreate(path) as file:
        file.mktree("manysmall", {"x": "float64", "w": "float64", "n": "int32"})
        if entries:
            w = random.normal(1, 2, entries) * 10.0 ** random.integers(-9, 9, entries)
            x = random.normal(3, 4, entries)
            file["manysmall"].extend({"x": x, "w": w, "n": random.integers(0, 9, entries, dtype="int32")})
    if kind == 19:  # a damaged file
        size = os.path.getsize(path)
        with open(path, "r+b") as file:
            file.truncate(size // 2)
    else:
        sound.append(path)
with open(os.path.join(folder, "files.txt"), "w") as file:
    file.write("\n".join(names))

frame = ROOT.RDataFrame("manysmall", sound)
axis = ("h", "h", 40, -10.0, 15.0)
counts, weighted = frame.Histo1D(axis, "x"), frame.Histo1D(axis, "x", "w")
total = frame.Count()
# What the selector of dask.test.ts makes.
passing = frame.Filter("n != 3")
selected, passed, rows = passing.Histo1D(axis, "x", "w"), passing.Count(), passing.Filter("x > 9").Count()
cells = range(42)
# The sum of the magnitudes is what rounding is measured by, because weights have both signs.
sizes = frame.Define("size", "std::abs(w)").Histo1D(axis, "x", "size")
truth = {
    "sound": len(sound),
    "entries": total.GetValue(),
    "counts": [counts.GetBinContent(i) for i in cells],
    "passed": passed.GetValue(),
    "passing": [selected.GetBinContent(i) for i in cells],
    "rows": rows.GetValue(),
    "weighted": [weighted.GetBinContent(i) for i in cells],
    "sizes": [sizes.GetBinContent(i) for i in cells],
}
with open(os.path.join(folder, "truth.json"), "w") as file:
    json.dump(truth, file)
