"""What ROOT's TTree::Draw fills for many expressions and cuts, for tests/query/conformance.test.ts.

    oracle/bin/python tests/query/conformance.py [FOLDER_OF_REAL_FILES | --only FILE]

Writes tests/query/arrays.root (a tree with arrays of all shapes), tests/query/friends*.root (trees that
are friends) and tests/query/conformance.json: for
each pair the number of fills, the sums that TH1::GetStats gives and every bin that is not empty. Bins are
chosen from the values that pass. Real files are those of the corpus (see README.md); their pairs are kept
as they are when the folder is not given, and those of all other files with --only.
"""
import json
import math
import os
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures"
sys.path.insert(1, str(FIXTURES))
import ROOT  # noqa: E402

import classes  # noqa: E402
import friends  # noqa: E402
from pairs import AXES, PAIRS  # noqa: E402

ROOT.gROOT.SetBatch(True)
ROOT.gErrorIgnoreLevel = ROOT.kFatal
ROOT.gSystem.ResetSignals()
classes.load_classes()
ROOT.gInterpreter.Declare("""
struct ArraysOfAllShapes {
    int n = 0, m = 0, i = 0;
    float a[10], b[10], mat[3][3], res[5][2], v3[3], vm[10][3], y[2][2][2];
    std::vector<float> vf;
    double x = 0;
    unsigned u = 0;
    long long l = 0;
    bool k = false;
    char c = 0;
    std::string s;
    char cs[20];
};
void write_arrays(const char *path) {
    std::unique_ptr<TFile> f(TFile::Open(TString(path) + "?reproducible=arrays.root", "recreate", "", 101));
    TTree t("t", "arrays of all shapes");
    ArraysOfAllShapes p;
    t.Branch("n", &p.n, "n/I");
    t.Branch("a", p.a, "a[n]/F");
    t.Branch("m", &p.m, "m/I");
    t.Branch("b", p.b, "b[m]/F");
    t.Branch("mat", p.mat, "mat[3][3]/F");
    t.Branch("res", p.res, "res[5][2]/F");
    t.Branch("v3", p.v3, "v3[3]/F");
    t.Branch("vm", p.vm, "vm[n][3]/F");
    t.Branch("y", p.y, "y[2][2][2]/F");
    t.Branch("vf", &p.vf);
    t.Branch("x", &p.x, "x/D");
    t.Branch("i", &p.i, "i/I");
    t.Branch("u", &p.u, "u/i");
    t.Branch("l", &p.l, "l/L");
    t.Branch("k", &p.k, "k/O");
    t.Branch("c", &p.c, "c/B");
    t.Branch("s", &p.s);
    t.Branch("cs", p.cs, "cs/C");
    // Never a single element in one array and more in another: see "deviations".
    const int ns[] = {0, 2, 3, 2, 5, 0, 4, 3}, ms[] = {2, 0, 4, 2, 3, 3, 2, 5};
    for (int e = 0; e < 64; e++) {
        p.n = ns[e % 8];
        p.m = ms[(e / 3) % 8];
        for (int q = 0; q < 10; q++) p.a[q] = e + 10 * q * (q % 2 ? 1 : -1), p.b[q] = e * 0.25f - q;
        for (int q = 0; q < 9; q++) (&p.mat[0][0])[q] = q + e * 0.5f;
        for (int q = 0; q < 10; q++) (&p.res[0][0])[q] = 0.25f * q;
        for (int q = 0; q < 3; q++) p.v3[q] = q * 3;
        for (int q = 0; q < 30; q++) (&p.vm[0][0])[q] = q - e % 5;
        for (int q = 0; q < 8; q++) (&p.y[0][0][0])[q] = q * q - e % 7;
        p.vf.clear();
        for (int q = 0; q < (e * 7) % 6; q++) p.vf.push_back(e % 10 + q * 0.5);
        p.x = (e - 20.5) / 4;
        p.i = e % 13 - 6;
        p.u = 4000000000u + e;
        p.l = (1ll << 40) + e * e;
        p.k = e % 3 == 1;
        p.c = 'a' + e % 26;
        p.s = e % 2 ? "odd" : e % 4 ? "even" : "four";
        strcpy(p.cs, e % 3 ? "yes" : "nope");
        t.Fill();
    }
    t.SetAlias("twice", "2*x");
    t.SetAlias("ratio", "twice/(n+1)");
    t.Write();
}
""")


def number(x):
    return x if math.isfinite(x) else "nan" if math.isnan(x) else "inf" if x > 0 else "-inf"


def values(tree, count, dims):
    vectors = [tree.GetV1(), tree.GetV2(), tree.GetV3()]
    return [[vectors[d][i] for i in range(count)] for d in range(dims)]


def limits(xs):
    """Ends that leave some values out, so that under- and overflow are tested, too."""
    xs = sorted(x for x in xs if math.isfinite(x))
    if not xs:
        return 0.0, 1.0
    low, high = xs[len(xs) // 20], xs[-1 - len(xs) // 30]
    if low >= high:
        width = max(1.0, abs(low) * 1e-3)
        return low - 0.75 * width, low + 1.25 * width
    width = high - low
    # Edges with few digits, not on values such as whole numbers.
    step = 10.0 ** math.floor(math.log10(width) - 2)
    return math.floor(low / step) * step - 0.37 * step, math.ceil(high / step) * step + 0.41 * step


def run(tree, expr, cut, option):
    dims = 1 + count_colons(expr)
    tree.SetEstimate(10000000)
    count = tree.Draw(expr, cut, "goff")
    if count < 0:
        return {"error": True}
    columns = values(tree, count, dims)[::-1]  # x first
    profile = "prof" in option
    bins = [20, 12, 6][: dims - (1 if profile else 0)]
    axes = [[b, *limits(xs)] for b, xs in zip(bins, columns)]
    ROOT.gROOT.cd()
    flat = [v for axis in axes for v in axis]
    kinds = {1: ROOT.TH1D, 2: ROOT.TH2D, 3: ROOT.TH3D}
    kind = (ROOT.TProfile if dims == 2 else ROOT.TProfile2D) if profile else kinds[dims]
    h = kind("h", "", *flat)
    if profile:
        h.SetErrorOption("")
    h.Sumw2() if not profile else None
    tree.Draw(expr + ">>h", cut, ("prof " if profile else "") + "goff")
    stats = ROOT.std.vector("double")(13)
    h.GetStats(stats.data())
    cells = {}
    for cell in range(h.GetNcells()):
        content = h.GetBinContent(cell)
        weight = h.GetBinEntries(cell) if profile else 0
        if content != 0 or weight != 0 or (not profile and h.GetSumw2()[cell] != 0):
            more = [weight, h.GetBinError(cell)] if profile else [h.GetSumw2()[cell]]
            cells[cell] = [number(v) for v in [content, *more]]
    result = {
        "axes": axes,
        "selected": count,
        "fills": number(h.GetEntries()),
        "stats": [number(v) for v in list(stats)[: 4 if dims == 1 else 6 if profile and dims == 2 else 7 if dims == 2 else 11]],
        "cells": cells,
    }
    h.SetDirectory(ROOT.nullptr)
    return result


def automatic(tree, expr, cut):
    """The axes that Draw chooses itself."""
    dims = 1 + count_colons(expr)
    count = tree.Draw(expr + ">>auto", cut, "goff")
    h = ROOT.gDirectory.Get("auto")
    if count <= 0 or not h:
        return None
    axes = [h.GetXaxis(), h.GetYaxis(), h.GetZaxis()][:dims]
    found = [[a.GetNbins(), a.GetXmin(), a.GetXmax()] for a in axes]
    del h
    ROOT.gDirectory.Delete("auto;*")
    return found


def both(tree, expr, cut, option, wanted):
    result = run(tree, expr, cut, option)
    if wanted and "error" not in result:
        result["automatic"] = automatic(tree, expr, cut)
    return result


def apart(what):
    """In a process of its own: some expressions crash ROOT."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
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


def count_colons(expr):
    depth = count = questions = 0
    text = expr.replace("::", "..")
    for c in text:
        depth += (c in "([") - (c in ")]")
        if depth == 0 and c == "?":
            questions += 1
        if depth == 0 and c == ":":
            count, questions = (count, questions - 1) if questions else (count + 1, questions)
    return count


def main(real, only=None):
    out = HERE / "conformance.json"
    before = {(p["file"], p["expr"], p["cut"], p.get("option", "")): p for p in json.loads(out.read_text())} if out.exists() else {}
    ROOT.write_arrays(str(HERE / "arrays.root"))
    friends.write(str(HERE))
    # Friends' files are named without a folder.
    os.chdir(HERE)
    results = []
    opened = {}
    for file, tree_name, pairs in PAIRS:
        places = {"fixtures": FIXTURES / "files", "query": HERE, "public": HERE.parent.parent / "public"}
        place, _, rest = file.partition("/")
        if (place == "corpus" and real is None) or (only and only not in file):
            results += [p for p in before.values() if p["file"] == file]
            continue
        path = (real if place == "corpus" else places[place]) / rest
        f = opened.setdefault(str(path), ROOT.TFile.Open(str(path)))
        tree = f.Get(tree_name)
        for pair in pairs:
            expr, cut, option, deviation = (*pair, "", "", "")[:4] if isinstance(pair, tuple) else (pair, "", "", "")
            wanted = not option and not deviation
            result = apart(lambda: both(tree, expr, cut, option, wanted)) or {"error": True, "crash": True}
            if "error" in result and not deviation:
                print("refused:", file, expr, "|", cut, "crash" if "crash" in result else "")
            entry = {"file": file, "tree": tree_name, "expr": expr, "cut": cut}
            if option:
                entry["option"] = option
            if deviation:
                entry["deviation"] = deviation
            if (file, expr, cut) in AXES:
                entry["axesDeviation"] = AXES[file, expr, cut]
            entry.update(result)
            results.append(entry)
        print(file, len(results), flush=True)
    lines = [json.dumps(r, ensure_ascii=False, separators=(",", ":")) for r in results]
    out.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    print(len(results), "pairs", os.path.getsize(out), "bytes")


if sys.argv[1:2] == ["--only"]:
    main(None, sys.argv[2])
else:
    main(pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None)
