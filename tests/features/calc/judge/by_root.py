"""Writes what ROOT makes of stored histograms by each operation of "xylem calc", a line of JSON for each.

usage: by_root.py OUT FILE...            OUT is written anew; "-" is stdout
       by_root.py OUT FILE.root:h,g...   only these histograms

Each line has the file, the paths of the operands (h, and g where there are two), the expression of xylem, and the
result: a histogram with its cells, errors, sums of TH1::GetStats and entries, or a number with its error, or the
intervals of an efficiency. Contents are copied to doubles first, as results of xylem have them.
"""

import array
import ctypes
import itertools
import json
import os
import sys

import ROOT

ROOT.gErrorIgnoreLevel = ROOT.kFatal
ROOT.gROOT.SetBatch(True)
ROOT.TH1.AddDirectory(False)


def load_spectrum():
    """Whether there is a TSpectrum. Wheels of ROOT have none; ROOT_TSPECTRUM names a folder with its source."""
    if ROOT.gSystem.Load("libSpectrum") >= 0:
        return True
    folder = os.environ.get("ROOT_TSPECTRUM")
    if not folder:
        return False
    ROOT.gInterpreter.AddIncludePath(folder)
    ROOT.gInterpreter.LoadMacro(f"{folder}/TSpectrum.cxx")
    return hasattr(ROOT, "TSpectrum")


HAS_SPECTRUM = load_spectrum()

# More cells than this take too long for the operations of each pair.
MOST_CELLS = 200_000


def histograms(folder, path=""):
    """Yields the path and the object of the newest cycle of each histogram."""
    seen = set()
    for key in folder.GetListOfKeys():
        name = key.GetName()
        of = ROOT.TClass.GetClass(key.GetClassName())
        if not of or name in seen:
            continue
        seen.add(name)
        if of.InheritsFrom("TDirectory"):
            yield from histograms(key.ReadObj(), f"{path}{name}/")
        elif of.InheritsFrom("TH1") and not of.InheritsFrom("TH2Poly") and not of.InheritsFrom("TProfile3D"):
            found = key.ReadObj()
            if found:
                yield path + name, found


def doubles(h):
    """A copy whose contents are doubles; a profile as it is."""
    h.BufferEmpty(1)
    if h.InheritsFrom("TProfile") or h.InheritsFrom("TProfile2D"):
        return kept(h)
    copy = [ROOT.TH1D, ROOT.TH2D, ROOT.TH3D][h.GetDimension() - 1]()
    h.Copy(copy)
    # A copy of ROOT forgets this.
    copy.SetStatOverflows(h.GetStatOverflows())
    return copy


def is_profile(h):
    return h.InheritsFrom("TProfile") or h.InheritsFrom("TProfile2D")


def axes(h):
    return [h.GetXaxis(), h.GetYaxis(), h.GetZaxis()][: h.GetDimension()]


def shows_flow(h):
    """Whether the range of an axis has its under- or overflow, of which ROOT makes other bins of projections."""
    return any(axis.GetFirst() < 1 or axis.GetLast() > axis.GetNbins() for axis in axes(h))


def is_negative(h):
    """Whether there are no squared errors, and contents of which ROOT makes none."""
    if h.GetSumw2N() > 0:
        return False
    contents = [h.GetBinContent(i) for i in range(h.GetNcells())]
    return any(c < 0 for c in contents) or (h.GetEntries() <= 0 and any(contents))


def labels(axis):
    return [axis.GetBinLabel(i) for i in range(1, axis.GetNbins() + 1)] if axis.GetLabels() else []


def edges(axis):
    return [axis.GetBinLowEdge(i) for i in range(1, axis.GetNbins() + 2)]


def shape(h):
    return [is_profile(h)] + [(edges(axis), labels(axis)) for axis in axes(h)]


def number(value):
    return value if value == value and abs(value) != float("inf") else str(value)


def written(h):
    """A result as JSON."""
    cells = h.GetNcells()
    content, error = h.GetBinContent, h.GetBinError
    stats = ROOT.std.vector("double")(ROOT.TH1.kNstat)
    h.GetStats(stats.data())
    count = {True: [6, 9, 13], False: [4, 7, 11]}[is_profile(h)][h.GetDimension() - 1]
    filled = [(i, content(i), error(i)) for i in range(cells)]
    return {
        "class": h.ClassName(),
        "edges": [[axis.GetNbins(), axis.GetXmin(), axis.GetXmax(), *list(axis.GetXbins())] for axis in axes(h)],
        "cells": cells,
        "filled": [[i, number(c), number(e)] for i, c, e in filled if c != 0 or e != 0],
        "entries": number(h.GetEntries()),
        "stats": [number(stats[i]) for i in range(count)],
        "means": [number(h.GetMean(i + 1)) for i in range(h.GetDimension())],
        "deviations": [number(h.GetStdDev(i + 1)) for i in range(h.GetDimension())],
    }


NAMES = itertools.count()


def unique():
    """A new name: ROOT fills a histogram of the same name again."""
    return f"r{next(NAMES)}"


def kept(h):
    r = h.Clone(unique())
    r.SetDirectory(ROOT.nullptr)
    r.SetStatOverflows(h.GetStatOverflows())
    return r


def after(h, change):
    """A copy after a change in place."""
    r = kept(h)
    change(r)
    return r


def constant(h, value):
    """h plus a number in each bin."""
    ends = [end for axis in axes(h) for end in (axis.GetXmin(), axis.GetXmax())]
    function = [ROOT.TF1, ROOT.TF2, ROOT.TF3][h.GetDimension() - 1]("c", f"{value}+0*x", *ends)

    def change(r):
        if r.GetSumw2N() == 0:
            r.Sumw2()
        r.Add(function)

    return after(h, change)


def in_range(h, spans):
    def change(r):
        for axis, (low, high) in zip(axes(r), spans):
            axis.SetRangeUser(low, high)

    return after(h, change)


def spans_of(h):
    """A range of values of each axis, whose ends are no edges."""
    found = []
    for axis in axes(h):
        low, high = axis.GetXmin(), axis.GetXmax()
        found.append((low + 0.213 * (high - low), low + 0.791 * (high - low)))
    return found


def text(spans):
    return ", ".join(f"{low!r}:{high!r}" for low, high in spans)


def integral(h, option=""):
    error = ctypes.c_double(0)
    bins = [bound for axis in axes(h) for bound in (axis.GetFirst(), axis.GetLast())]
    value = h.IntegralAndError(*bins, error, option)
    return {"number": number(value), "error": number(error.value)}


OPTIONS = {"cp": 0, "normal": 1, "wilson": 2, "ac": 3, "fc": 4, "midp": 8, "jeffreys": 5, "uniform": 6}


def efficiency(passed, total, name, level=None):
    e = ROOT.TEfficiency(passed, total)
    e.SetStatisticOption(OPTIONS[name])
    if level:
        e.SetConfidenceLevel(level)
    cells = total.GetNcells()
    return {
        "efficiencies": [
            [i, number(e.GetEfficiency(i)), number(e.GetEfficiencyErrorLow(i)), number(e.GetEfficiencyErrorUp(i))]
            for i in range(cells)
            # ROOT has numbers that are not defined where there is nothing.
            if total.GetBinContent(i) != 0
        ]
    }


def snip(h, iterations, option=""):
    s = ROOT.TSpectrum()
    return s.Background(h, iterations, option)


def plain_pairs(h, g):
    yield "h + g", after(h, lambda r: r.Add(g))
    yield "h - g", after(h, lambda r: r.Add(g, -1))
    yield "h * g", after(h, lambda r: r.Multiply(g))
    yield "h / g", after(h, lambda r: r.Divide(g))
    yield 'divide(h, g, "B")', after(h, lambda r: r.Divide(h, g, 1, 1, "B"))
    if g.Integral() != 0 and h.Integral() != 0:
        yield "scale(h, to=g)", after(h, lambda r: r.Scale(g.Integral() / h.Integral()))


def plain_single(h):
    yield "h + 1.5", constant(h, 1.5)
    yield "2.5 * h", after(h, lambda r: r.Scale(2.5))
    yield "h / 3", after(h, lambda r: r.Scale(1 / 3))
    yield "-h", after(h, lambda r: r.Scale(-1))
    yield "3 - h", constant(after(h, lambda r: r.Scale(-1)), 3)
    if h.Integral() != 0:
        yield "scale(h, area=1)", after(h, lambda r: r.Scale(1 / h.Integral()))
    yield "scale(h, width)", after(h, lambda r: r.Scale(1, "width"))
    yield "cumulative(h)", h.GetCumulative()
    yield "cumulative(h, backward)", h.GetCumulative(False)
    yield "integral(h, width)", integral(h, "width")
    yield "scale(h, lumi=59.8, xsec=6077, events=1e6)", after(h, lambda r: r.Scale(59.8 * 6077 / 1e6))


def one_axis(h):
    bins = h.GetNbinsX()
    # ROOT doubles the bins of an axis of times or names when it sets the overflow.
    if h.GetXaxis().GetTimeDisplay() or labels(h.GetXaxis()):
        return
    for group in (2, 3):
        if bins >= group:
            yield f"rebin(h, {group})", after(h, lambda r: r.Rebin(group))
    if bins >= 6:
        found = edges(h.GetXaxis())
        chosen = [found[1], *found[2:-2:3], found[-2]]
        chosen = sorted(set(chosen))
        if len(chosen) >= 2:
            yield f"rebin(h, [{', '.join(map(repr, chosen))}])", h.Rebin(
                len(chosen) - 1, "r", array.array("d", chosen)
            )


def smooth_and_snip(h):
    bins = h.GetXaxis().GetLast() - h.GetXaxis().GetFirst() + 1
    if h.GetNbinsX() >= 3:
        yield "smooth(h)", after(h, lambda r: r.Smooth(1))
        yield "smooth(h, 3)", after(h, lambda r: r.Smooth(3))
        low, high = spans_of(h)[0]
        ranged = in_range(h, [(low, high)])
        if ranged.GetXaxis().GetLast() - ranged.GetXaxis().GetFirst() >= 2:
            yield f"smooth(range(h, {text([(low, high)])}), R)", after(ranged, lambda r: r.Smooth(1, "R"))
    most = (bins - 1) // 2
    if most < 1 or not HAS_SPECTRUM:
        return
    n = min(20, most)
    few = min(8, most)
    yield f"snip(h, {n})", snip(h, n)
    for order in (4, 6, 8):
        yield f"snip(h, {few}, order={order})", snip(h, few, f"BackOrder{order}")
        yield f"snip(h, {few}, order={order}, smoothing=0)", snip(h, few, f"BackOrder{order} nosmoothing")
    yield f"snip(h, {few}, smoothing=0)", snip(h, few, "nosmoothing")
    yield f"snip(h, {few}, smoothing=7)", snip(h, few, "BackSmoothing7")
    yield f"snip(h, {few}, increasing)", snip(h, few, "BackIncreasingWindow")
    yield f"snip(h, {few}, increasing, smoothing=0, order=4)", snip(h, few, "BackIncreasingWindow nosmoothing BackOrder4")
    yield f"snip(h, {few}, compton)", snip(h, few, "Compton")


def ranges(h):
    spans = spans_of(h)
    ranged = in_range(h, spans)
    yield f"range(h, {text(spans)})", ranged
    if not is_profile(h):
        yield f"integral(h, {text(spans)})", integral(ranged)
        yield "integral(h)", integral(h)
        yield f"2 * range(h, {text(spans)})", after(ranged, lambda r: r.Scale(2))
        yield f"cumulative(range(h, {text(spans)}))", ranged.GetCumulative()


def of_map(h):
    # ROOT doubles the bins of an axis of names when it is projected.
    if any(labels(axis) for axis in axes(h)):
        return
    nx, ny = h.GetNbinsX(), h.GetNbinsY()
    to_x, to_y = ("ProfileX", "ProfileY") if is_profile(h) else ("ProjectionX", "ProjectionY")
    option = "" if is_profile(h) else "e"

    def gated(other, method, first, last):
        # With a range on the other axis, ROOT takes the statistics of that range and the bins of the gate.
        r = kept(h)
        {"x": r.GetXaxis(), "y": r.GetYaxis()}[other].SetRange(0, 0)
        return getattr(r, method)(unique(), first, last, option)

    yield "project(h, x)", getattr(h, to_x)(unique(), 0, -1, option)
    yield "project(h, y)", getattr(h, to_y)(unique(), 0, -1, option)
    first, last = max(1, ny // 4), max(1, ny // 2)
    yield f"project(h, x, y={first}:{last})", gated("y", to_x, first, last)
    left, right = max(1, nx // 4), max(1, nx // 2)
    yield f"project(h, y, x={left}:{right})", gated("x", to_y, left, right)
    yield f"project(h, x, y=0:{ny + 1})", gated("y", to_x, 0, ny + 1)
    if is_profile(h):
        return
    low, high = spans_of(h)[1]
    ranged = kept(h)
    ranged.GetYaxis().SetRangeUser(low, high)
    bins = ranged.GetYaxis().GetFirst(), ranged.GetYaxis().GetLast()
    yield f"gate(h, x, {low!r}:{high!r})", gated("y", to_x, *bins)
    yield "profile(h, x)", h.ProfileX(unique())
    yield "profile(h, y)", h.ProfileY(unique())
    for errors in "sig":
        yield f'profile(h, x, "{errors}")', h.ProfileX(unique(), 1, -1, errors)
    yield f"profile(h, x, y={first}:{last})", h.ProfileX(unique(), first, last)
    yield f"profile(h, y, x={left}:{right})", h.ProfileY(unique(), left, right)
    for x, y in ((2, 1), (1, 2), (3, 2)):
        if nx >= x and ny >= y:
            yield f"rebin(h, {x}, {y})", after(h, lambda r: r.Rebin2D(x, y))


def of_cube(h):
    if any(labels(axis) for axis in axes(h)):
        return

    def ranged(**spans):
        r = kept(h)
        for name, (first, last) in spans.items():
            {"x": r.GetXaxis(), "y": r.GetYaxis(), "z": r.GetZaxis()}[name].SetRange(first, last)
        return r

    for axis in "xyz":
        yield f"project(h, {axis})", h.Project3D(f"{axis}e")
    yield "project(h, x, y)", h.Project3D("yxe")
    yield "project(h, z, x)", h.Project3D("xze")
    n = [axis.GetNbins() for axis in axes(h)]
    y = (max(1, n[1] // 3), max(1, n[1] // 2))
    z = (max(1, n[2] // 3), max(1, n[2] // 2))
    yield f"project(h, x, y={y[0]}:{y[1]})", ranged(y=y).Project3D("xe")
    yield f"project(h, x, y={y[0]}:{y[1]}, z={z[0]}:{z[1]})", ranged(y=y, z=z).Project3D("xe")
    yield f"project(h, x, y, z={z[0]}:{z[1]})", ranged(z=z).Project3D("yxe")
    # With bins that are left over, TH3::Rebin3D counts some twice.
    groups = [next((g for g in (2, 3, 5) if count % g == 0), 1) for count in n]
    yield f"rebin(h, {', '.join(map(str, groups))})", after(h, lambda r: r.Rebin3D(*groups))


def of_profile(h, g):
    yield "h + g", after(h, lambda r: r.Add(g))
    yield "h - g", after(h, lambda r: r.Add(g, -1))
    yield "2.5 * h", after(h, lambda r: r.Scale(2.5))
    if h.GetDimension() == 1:
        yield "means(h)", h.ProjectionX(unique(), "e")
        # TProfile::Rebin reads beyond its arrays if a range is set.
        if not h.GetXaxis().TestBit(ROOT.TAxis.kAxisRange):
            yield from one_axis(h)
    else:
        yield "means(h)", h.ProjectionXY(unique(), "e")
        yield "rebin(h, 2, 3)", after(h, lambda r: r.Rebin2D(2, 3))


def efficiencies(h):
    contents = [h.GetBinContent(i) for i in range(h.GetNcells())]
    if h.GetDimension() > 2 or any(c < 0 or c != c for c in contents) or sum(contents) == 0 or len(contents) > 3000:
        return
    total = after(h, lambda r: r.Add(h))
    for name in OPTIONS:
        # The search of ROOT for this interval fails with many events.
        if name == "midp" and max(contents) > 1e5:
            continue
        # Feldman and Cousins need integers, and take long with many events.
        if name == "fc" and (any(c != int(c) for c in contents) or max(contents) > 300 or len(contents) > 60):
            continue
        yield f'efficiency(h, h + h, "{name}")', efficiency(h, total, name)
    yield 'efficiency(h, h + h, "cp", level=0.95)', efficiency(h, total, "cp", 0.95)


def cases(h, g):
    yield "recount(h)", after(h, lambda r: r.ResetStats())
    yield from ranges(h)
    if is_profile(h):
        yield from of_profile(h, g)
        # ROOT crashes on a range on the axis of a profile that is projected.
        if h.GetDimension() == 2 and not any(axis.TestBit(ROOT.TAxis.kAxisRange) for axis in axes(h)):
            yield from of_map(h)
        return
    yield from plain_pairs(h, g)
    yield from plain_single(h)
    if h.GetDimension() == 1:
        yield from one_axis(h)
        yield from smooth_and_snip(h)
    elif h.GetDimension() == 2:
        yield from of_map(h)
    else:
        yield from of_cube(h)
    yield from efficiencies(h)


def main():
    out = sys.stdout if sys.argv[1] == "-" else open(sys.argv[1], "w")
    for argument in sys.argv[2:]:
        name, _, only = argument.partition(".root:")
        name += ".root" if only else ""
        try:
            file = ROOT.TFile.Open(name)
        except OSError:
            continue
        if not file or file.IsZombie():
            continue
        found = [(path, doubles(h)) for path, h in histograms(file) if h.GetXaxis().GetXmin() < h.GetXaxis().GetXmax()]
        found = [(path, h) for path, h in found if not only or path in only.split(",")]
        found = [(path, h) for path, h in found if h.GetNcells() <= MOST_CELLS and not shows_flow(h)]
        negative = [is_negative(h) for _, h in found]
        shapes = [shape(h) for _, h in found]
        for i, (path, h) in enumerate(found):
            like = [k for k, other in enumerate(shapes) if other == shapes[i] and k != i]
            # The next one with the same bins, so that each is once the first and once the second.
            other = next((k for k in like if k > i), like[0] if like else i)
            for expression, result in cases(h, found[other][1]):
                # ROOT returns nothing if it refuses.
                if not result:
                    continue
                made = result if isinstance(result, dict) else written(result)
                if negative[i] or negative[other]:
                    made["negative"] = True
                line = {"file": os.path.basename(name) if only else name, "h": path, "g": found[other][0], "expression": expression, **made}
                out.write(json.dumps(line) + "\n")
        file.Close()


main()
