"""Records the axes that ROOT chooses and extends: python3 tests/query/recorders/limits.py

Writes values/limits.json: `chosen` has [bins, min, max, integers, bins of the axis, its low, its high] by
THLimitsFinder::FindGoodLimits, as TTree::Draw calls it; `extended` has [low, high, value, new low, new high] by
TH1::ExtendAxis."""
import json
import math
import pathlib
import random

import ROOT

ROOT.gErrorIgnoreLevel = 10000
random.seed(640)
OUT = pathlib.Path(__file__).resolve().parent.parent / "values" / "limits.json"
BINS = [1, 2, 3, 5, 6, 7, 10, 40, 100, 101, 200]


def chosen(bins, low, high, integer):
    h = ROOT.TH1D("h", "", bins, 0, 0)
    h.SetDirectory(ROOT.nullptr)
    if integer:
        h.GetXaxis().SetBit(ROOT.TAxis.kIsInteger)
    ROOT.THLimitsFinder.GetLimitsFinder().FindGoodLimits(h, low, high)
    x = h.GetXaxis()
    return [bins, low, high, integer, x.GetNbins(), x.GetXmin(), x.GetXmax()]


def extended(low, high, value):
    h = ROOT.TH1D("h", "", 10, low, high)
    h.SetDirectory(ROOT.nullptr)
    h.SetCanExtend(ROOT.TH1.kAllAxes)
    h.ExtendAxis(value, h.GetXaxis())
    x = h.GetXaxis()
    return [low, high, value, x.GetXmin(), x.GetXmax()]


def cases():
    edges = [0.0, 1.0, -1.0, 0.5, 3.0, 10.0, -10.0, 99.0, 100.0, 1e-3, -7.25, 1e6, 1e9, 2.5e9, -1e12]
    for bins in (1, 6, 100):
        for low in edges:
            for high in edges:
                if low <= high:
                    yield bins, low, high
    for exponent in range(-12, 13, 2):
        for bins in BINS:
            for _ in range(2):
                a, b = sorted(round(random.uniform(-1, 1), 3) * 10.0**exponent for _ in range(2))
                yield bins, a, b
    # Few digits of a large number, extreme doubles, and widths at the limits of a step.
    for bins in (1, 2, 100):
        for low, high in [(1e9, 1e9 + 1), (1e10, 1e10 + 1), (-1e11, -1e11 + 3), (1e15, 1e15 + 2), (1e300, 2e300), (-1e300, 1e300), (1e-300, 2e-300),
                          (-1e-310, 1e-310), (0.0, 5e-324), (0.0, 1e38), (0.0, 1e41), (1e-205, 3e-205), (-3.4e38, 3.4e38)]:
            yield bins, low, high


def whole_cases():
    for bins in BINS:
        for width in (0, 1, 2, 9, 10, 50, 99, 100, 150, 1000, 12345):
            for low in (0, 1, -1, -width, 7, -1000):
                yield bins, float(low), float(low + width)


seen = set()
rows = []
for integer, source in ((False, cases()), (True, whole_cases())):
    for case in source:
        if (case, integer) not in seen:
            seen.add((case, integer))
            rows.append(chosen(*case, integer))
more = []
for low, high in [(0.0, 1.0), (-3.0, 5.0), (10.0, 20.0), (-1e-3, 1e-3), (0.1, 0.7)]:
    for value in [low, high, low - 0.1, high + 0.1, 2 * high - low, 2 * low - high, 0.0, 33.3, -33.3, 1e6, -1e6, 1e18, 1e19, -1e19, 3e19, -3e19, 4e19, 1e20,
                  1e25, math.nextafter(high, math.inf), math.nextafter(low, -math.inf), math.nextafter(high, -math.inf)]:
        more.append(extended(low, high, value))
rows = [r for r in rows if all(map(math.isfinite, r))]
if len(rows) > 1100:
    rows = [r for i, r in enumerate(rows) if i % 3 == 0 or i > len(rows) - 900]
OUT.write_text("{\n\"chosen\": [\n" + ",\n".join(map(json.dumps, rows)) + "\n],\n\"extended\": [\n" + ",\n".join(map(json.dumps, more)) + "\n]\n}\n")
print(len(rows), len(more), OUT.stat().st_size)
