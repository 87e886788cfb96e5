"""The figures of one pair: see conformance.py."""
import json
import math
import os
import re
import signal
import tempfile

import numpy as np
import ROOT

SCAN_WIDTH = 60


def warm_up(path):
    """Makes Python's bindings once, for all processes that are forked from this one."""
    for expr, option in (("x", ""), ("s", ""), ("y:x", ""), ("y:x:i", ""), ("y:x", "prof"), ("y:x:i", "prof")):
        figures([path], "t", {"expr": expr, "option": option}, True)
        ROOT.gROOT.GetList().Clear("nodelete")
    figures([path], "t", {"list": True, "cut": "x>0"}, True)
    ROOT.gROOT.GetList().Clear("nodelete")


opened = {}


def apart(what, seconds=0):
    """In a process of its own: some expressions crash ROOT. None after a crash, or when the seconds are over."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        try:
            with os.fdopen(theirs, "w") as f:
                json.dump(what(), f)
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as f:
        text = f.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def figures(paths, tree_name, pair, odd):
    tree = opened.get((*paths, tree_name)) or open_tree(paths, tree_name)
    expr, cut, option = (pair.get(name, "") for name in ("expr", "cut", "option"))
    first, end = pair.get("entries", [0, tree.GetEntries()]) if tree else (0, 0)
    span = (end - first, first)
    if "rdf" in pair:
        result = by_data_frame(paths[0], tree_name, pair, odd)
    elif "scan" in pair:
        return scan(tree, pair["scan"], cut, pair.get("limit", 12))
    elif pair.get("list"):
        return entry_list(tree, cut, span)
    elif ">>" in expr:
        result = as_it_is(tree, expr, cut, option, span)
    else:
        result = run(tree, expr, cut, option, span, odd)
        if "error" not in result and "labels" not in result and "deviation" not in pair:
            result["automatic"] = automatic(tree, expr, cut, option, span)
    if "truth" in pair:
        result["proof"] = proof(paths, tree_name, pair["truth"])
    if "deviation" in pair:
        # Only what shows the difference.
        return {name: result[name] for name in ("error", "fills", "mean", "labels", "proof") if name in result}
    return result


def open_tree(paths, tree_name):
    """A tree or a chain, kept open; None for an RNTuple."""
    if len(paths) > 1:
        tree = ROOT.TChain(tree_name)
        for path in paths:
            tree.Add(path)
    else:
        file = opened.setdefault(paths[0], ROOT.TFile.Open(paths[0]))
        found = file.Get(tree_name)
        tree = found if isinstance(found, ROOT.TTree) else None
    opened[(*paths, tree_name)] = tree
    return tree


def number(x):
    """Twelve digits: figures are compared to 1e-9."""
    x = float(x)
    if not math.isfinite(x):
        return "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"
    return int(x) if x == int(x) and abs(x) < 2**53 else float(f"{x:.12g}")


def runs(values, empty):
    """Values that are not empty, as [index of the first, value, value …]."""
    found, before = [], None
    for i in np.flatnonzero(~empty):
        if before is None or i != before + 1:
            found.append([int(i)])
        found[-1].append(number(values[i]))
        before = i
    return found


def split_colons(expr):
    depth = questions = 0
    parts, text = [0], expr.replace("::", "..")
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and c == "?":
            questions += 1
        if depth == 0 and c == ":":
            if questions:
                questions -= 1
            else:
                parts.append(i + 1)
    return [expr[a : b - 1] for a, b in zip(parts, parts[1:] + [len(expr) + 1])]


def count_colons(expr):
    return len(split_colons(expr)) - 1


def limits(xs, odd, bins):
    """A number of bins and ends that leave some values out, so that under- and overflow are tested, too."""
    xs = np.sort(xs[np.isfinite(xs)])
    if len(xs) == 0:
        return bins, 0.0, 1.0
    low, high = xs[len(xs) // 20], xs[-1 - len(xs) // 30]
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        width = max(1.0, abs(low) * 1e-3)
        return bins, low - 0.75 * width, low + 1.25 * width
    width = high - low
    if odd:
        # Edges with few digits, not on values such as whole numbers.
        step = 10.0 ** math.floor(math.log10(width) - 2)
        return bins, math.floor(low / step) * step - 0.37 * step, math.ceil(high / step) * step + 0.41 * step
    # Edges on round numbers, as people choose them.
    power = 10.0 ** math.floor(math.log10(width / bins))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= width / bins * 0.999)
    first, last = math.floor(low / step), math.ceil(high / step)
    return max(1, last - first), float(f"{first * step:.12g}"), float(f"{last * step:.12g}")


def summary(h, dims, profile):
    """What a histogram says of itself."""
    stats = ROOT.std.vector("double")(13)
    h.GetStats(stats.data())
    axes = range(1, dims + 1 - (1 if profile else 0))
    return {
        "fills": number(h.GetEntries()),
        "stats": [number(stats[0]), number(stats[1])],
        "mean": [number(h.GetMean(k)) for k in axes],
        "std": [number(h.GetStdDev(k)) for k in axes],
    }


def contents(h, profile, chosen=None):
    """Bins of a histogram or profile: contents and sums of squared weights, or means, weights and errors."""
    n = range(h.GetNcells()) if chosen is None else [int(i) for i in chosen]
    content = np.array([h.GetBinContent(i) for i in n])
    if profile:
        weight = np.array([h.GetBinEntries(i) for i in n])
        empty = (weight == 0) & (content == 0)
        errors = np.array([h.GetBinError(i) for i in n])
        return {"cells": runs(content, empty), "weights": runs(weight, empty), "errors": runs(errors, empty)}
    squares = np.array([h.GetSumw2()[i] for i in n]) if h.GetSumw2N() else content
    empty = (content == 0) & (squares == 0)
    found = {"cells": runs(content, empty)}
    if not np.array_equal(content, squares, equal_nan=True):
        found["squares"] = runs(squares, empty)
    return found


def run(tree, expr, cut, option, span, odd):
    """For axes that are given: first where the values lie, then the bins."""
    dims = 1 + count_colons(expr)
    tree.SetEstimate(10_000_000)
    count = tree.Draw(expr, cut, "goff" if dims < 5 else "goff para", *span)
    if count < 0:
        return {"error": True}
    formula = tree.GetPlayer().GetVar1()
    if dims == 1 and formula and formula.IsString():
        return labels(tree, expr, cut, span)
    columns = [np.array([v[i] for i in range(count)]) for v in (tree.GetVal(d) for d in range(dims))][::-1]  # x first
    profile = "prof" in option
    bins = [20, 12, 6][: dims - (1 if profile else 0)]
    axes = [limits(xs, odd, b) for b, xs in zip(bins, columns)]
    texts = [d for d in range(len(axes)) if tree.GetVar(dims - 1 - d).IsString()]  # x first
    if texts:
        return with_texts(tree, expr, cut, option, span, axes, texts)
    ROOT.gROOT.cd()
    flat = [v for axis in axes for v in axis]
    kinds = {1: ROOT.TH1D, 2: ROOT.TH2D, 3: ROOT.TH3D}
    kind = (ROOT.TProfile if dims == 2 else ROOT.TProfile2D) if profile else kinds[dims]
    h = kind("h", "", *flat)
    if profile:
        h.SetErrorOption(error_option(option))
    else:
        h.Sumw2()
    tree.Draw(expr + ">>h", cut, f"{option} goff", *span)
    return {"axes": axes, "selected": count, **summary(h, dims, profile), **contents(h, profile)}


def error_option(option):
    return next((word for word in "sig" if "prof" + word in option), "")


def with_texts(tree, expr, cut, option, span, axes, texts):
    """Of axes of strings: the text of each bin, in the order in which ROOT gives them out."""
    profile = "prof" in option
    ROOT.gROOT.cd()
    wide = [(100, 0.0, 100.0) if d in texts else axis for d, axis in enumerate(axes)]
    kinds = {1: ROOT.TH1D, 2: ROOT.TH2D, 3: ROOT.TH3D}
    kind = (ROOT.TProfile if len(axes) == 1 else ROOT.TProfile2D) if profile else kinds[len(axes)]
    h = kind("h", "", *[v for axis in wide for v in axis])
    if profile:
        h.SetErrorOption(error_option(option))
    else:
        h.Sumw2()
    count = tree.Draw(expr + ">>h", cut, f"{option} goff", *span)
    drawn_axes = [h.GetXaxis(), h.GetYaxis(), h.GetZaxis()][: len(axes)]
    found = {}
    for d in texts:
        names = drawn_axes[d].GetLabels()
        size = names.GetSize() if names else 0
        found[str(d)] = [str(drawn_axes[d].GetBinLabel(i)) for i in range(1, size + 1)]
    shape = [axis.GetNbins() + 2 for axis in reversed(drawn_axes)]
    kept = []
    for d, axis in enumerate(drawn_axes):
        size = len(found[str(d)]) if str(d) in found else axis.GetNbins()
        kept.append(list(range(size + 1)) + [axis.GetNbins() + 1])
        axes[d] = (size, 0.0, float(size)) if str(d) in found else axes[d]
    chosen = np.arange(h.GetNcells()).reshape(shape)[np.ix_(*reversed(kept))].ravel()
    return {"axes": axes, "texts": found, "selected": count, **summary(h, len(axes) + (1 if profile else 0), profile), **contents(h, profile, chosen)}


def labels(tree, expr, cut, span):
    """How often each string was filled. Without room for them at the axis' begin ROOT shifts labels by one bin."""
    ROOT.gROOT.cd()
    h = ROOT.TH1D("h", "", 5000, 0, 5000)
    tree.Draw(expr + ">>h", cut, "goff", *span)
    axis = h.GetXaxis()
    count = axis.GetLabels().GetSize() if axis.GetLabels() else 0
    found = [[str(axis.GetBinLabel(i)), number(h.GetBinContent(i))] for i in range(1, count + 1)]
    return {"fills": number(h.GetEntries()), "labels": found}


def drawn(h, dims, profile):
    """Axes that Draw made, and what lies in each bin of each of them."""
    binned = dims - (1 if profile else 0)
    axes = [h.GetXaxis(), h.GetYaxis(), h.GetZaxis()][:binned]
    shape = [axis.GetNbins() + 2 for axis in reversed(axes)]
    cells = np.array([h.GetBinContent(i) * (h.GetBinEntries(i) if profile else 1) for i in range(h.GetNcells())]).reshape(shape)
    found = {"axes": [[a.GetNbins(), a.GetXmin(), a.GetXmax()] for a in axes], "along": []}
    for k in range(binned):
        sums = cells.sum(axis=tuple(d for d in range(binned) if d != binned - 1 - k))
        found["along"].append(runs(sums, sums == 0))
    return found


def automatic(tree, expr, cut, option, span):
    """The axes that Draw chooses itself, and what they count."""
    dims, profile = 1 + count_colons(expr), "prof" in option
    tree.SetEstimate(1_000_000)
    ROOT.gROOT.cd()
    count = tree.Draw(expr + ">>auto", cut, f"{option} goff", *span)
    h = ROOT.gDirectory.Get("auto")
    return drawn(h, dims, profile) if count > 0 and h else None


def as_it_is(tree, expr, cut, option, span):
    """A histogram that the expression describes."""
    text, _, target = expr.rpartition(">>")
    name = re.sub(r"\(.*", "", target).strip().lstrip("+").strip() or "htemp"
    dims, profile = 1 + count_colons(text), "prof" in option
    ROOT.gROOT.cd()
    count = tree.Draw(expr, cut, f"{option} goff", *span)
    h = ROOT.gDirectory.Get(name)
    if count < 0 or not h:
        return {"error": True}
    return {"selected": count, **summary(h, dims, profile), "automatic": drawn(h, dims, profile) if count else None}


def entry_list(tree, cut, span):
    ROOT.gROOT.cd()
    count = tree.Draw(">>found", cut, "goff", *span)
    found = ROOT.gDirectory.Get("found")
    return {"error": True} if count < 0 else {"numbers": [found.GetEntry(i) for i in range(found.GetN())]}


def scan(tree, columns, cut, limit):
    """Rows of text: the entry, the instance where there are several, and the columns; "" where there is none."""
    # A column that is no formula stays empty.
    if not all(ROOT.TTreeFormula("column", name, tree).GetNdim() for name in split_colons(columns)):
        return {"error": True}
    tree.SetScanField(0)
    player = tree.GetPlayer()
    player.SetScanRedirect(True)
    with tempfile.NamedTemporaryFile() as out:
        player.SetScanFileName(out.name)
        if tree.Scan(columns, cut, f"colsize={SCAN_WIDTH} precision=17", limit) < 0:
            return {"error": True}
        lines = open(out.name, encoding="utf-8", errors="surrogateescape").read().split("\n")
    count = 1 + count_colons(columns)
    instances = len(lines) > 1 and lines[1].startswith("*    Row   * Instance *")
    rows = []
    for line in lines[3:]:
        if not line.startswith("* "):
            continue
        head = 22 if instances else 11
        cells = [line[:head][2:10], *([line[13:21]] if instances else [])]
        for k in range(count):
            at = head + (SCAN_WIDTH + 3) * k + 2
            cells.append(line[at : at + SCAN_WIDTH].strip())
        rows.append([cell.strip() for cell in cells])
    return {"instances": instances, "rows": rows}


def by_data_frame(path, name, pair, odd):
    """Of an RNTuple, which TTree::Draw does not read."""
    frame = ROOT.RDataFrame(name, path)
    if "rdfCut" in pair:
        frame = frame.Filter(pair["rdfCut"])
    column = frame.Define("xylem_value", f"ROOT::VecOps::RVec<double>({pair['rdf']})" if pair.get("list_of") else pair["rdf"])
    values = column.AsNumpy(["xylem_value"])["xylem_value"]
    flat = np.concatenate([np.atleast_1d(np.asarray(v, dtype=float)) for v in values] or [np.zeros(0)])
    axis = limits(flat, odd, 20)
    h = ROOT.TH1D("h", "", *axis)
    h.Sumw2()
    for value in flat:
        h.Fill(value)
    return {"axes": [axis], "selected": len(flat), **summary(h, 1, False), **contents(h, False)}


class Arrays:
    """Branches of a tree by uproot, as they are named."""

    def __init__(self, paths, tree_name):
        self.trees = [f"{path}:{tree_name}" for path in paths]

    def __getattr__(self, name):
        return self[name]

    def __getitem__(self, name):
        import awkward as ak
        import uproot

        return ak.concatenate([uproot.open(tree)[name].array() for tree in self.trees])


def proof(paths, tree_name, truth):
    """The values of a pair by uproot and numpy: how many, the ends of the finite ones, and their sum."""
    import awkward as ak

    found = eval(truth, {"a": Arrays(paths, tree_name), "ak": ak, "np": np})  # noqa: S307
    values, weights = found if isinstance(found, tuple) else (found, None)
    flat = ak.to_numpy(ak.flatten(values, axis=None)) if isinstance(values, ak.Array) else np.asarray(values).ravel()
    if flat.dtype.kind in "UO":
        names, counts = np.unique([str(v) for v in flat], return_counts=True)
        return {"values": len(flat), "labels": [[str(n), int(c)] for n, c in zip(names, counts)]}
    flat = flat.astype(float)
    weights = np.ones(len(flat)) if weights is None else ak.to_numpy(ak.flatten(weights, axis=None)).astype(float)
    finite = np.isfinite(flat)
    if not finite.any():
        return {"values": len(flat), "sum": 0, "axis": [1, 0, 1]}
    low, high = flat[finite].min(), flat[finite].max()
    margin = max(1.0, high - low, abs(low), abs(high)) * 0.01
    return {
        "values": len(flat),
        "sum": number((flat * weights)[finite].sum()),
        "axis": [1, number(low - margin), number(high + margin)],
    }
