"""What ROOT's TTree::Draw and TTree::Scan give for many expressions and cuts, for tests/query/conformance.test.ts.

    python3 tests/query/recorders/conformance.py [--set NAME ...] [--only FILE] [--write] [FOLDER_OF_REAL_FILES]

Each set of pairs is a module of tests/query/recorders/pairs/ and a file of the same name in tests/query/recorded/. A module holds
PAIRS, a list of (file, tree, pairs) or (file, tree, pairs, {"section": …, "twin": …}):

  file     "fixtures/…", "query/…", "public/…" or "corpus/…"; several with " + " between them are a chain
  section  a heading in docs/conformance.md; by default the file
  twin     the file in which ROOT draws, where "file" holds the same entries as an RNTuple

A pair is an expression, a tuple (expression, cut, option, deviation), or a dictionary with

  expr, cut, option   what Draw takes; with ">>h(…)" in the expression only that histogram is compared
  scan                the columns of TTree::Scan, in place of expr; "limit" entries, 12 by default
  list                True: expr is empty, and the entries that pass are listed (">>list")
  entries             [from, to), which Draw is given
  deviation           why ROOT's figures are not compared: ROOT is wrong, or leaves it undefined
  truth               the proof of a deviation: Python with `a` (a.NAME: an awkward array of that branch, by uproot),
                      `ak` and `np`, that gives the values which are filled (with `weights`: pairs are (values, weights))
  axesDeviation       why the automatic axes are not compared, although all else is
  rdf                 C++ that RDataFrame defines a column with, where the tree is an RNTuple; "rdfCut" filters

A module may have AXES {(file, expr, cut): reason} or {(file, tree, expr, cut): reason}, write(folder), which writes the files of the set (with --write), and ODD_EDGES = True,
which lays the ends of axes beside round values in place of on them.

A recorded pair has the number of fills, statistics, and every bin that is not empty, for axes chosen from the values
that pass, and then for those that Draw chooses itself. Real files are those of the corpus (docs/testing.md); their pairs
are kept as they are when the folder is not given, and those of all other files with --only.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).resolve().parent
QUERY = HERE.parent
FILES = QUERY / "files"
FIXTURES = QUERY.parent / "fixtures"
sys.path.insert(1, str(FIXTURES))
import ROOT  # noqa: E402

import classes  # noqa: E402
import recorder  # noqa: E402

ROOT.gROOT.SetBatch(True)
ROOT.gErrorIgnoreLevel = ROOT.kFatal
ROOT.gSystem.ResetSignals()
classes.load_classes()


def as_dictionary(pair):
    if isinstance(pair, str):
        return {"expr": pair}
    if isinstance(pair, tuple):
        return {name: value for name, value in zip(("expr", "cut", "option", "deviation"), pair) if value}
    return dict(pair)


def key_of(pair):
    return "\t".join(str(pair.get(name, "")) for name in ("file", "tree", "expr", "cut", "option", "scan", "entries"))


def record(name, real, only, write):
    spec = importlib.util.spec_from_file_location(name, HERE / "pairs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    axes = getattr(module, "AXES", {})
    out = QUERY / "recorded" / f"{name}.json"
    before = {key_of(pair): pair for pair in json.loads(out.read_text())} if out.exists() else {}
    if write and hasattr(module, "write"):
        module.write(FILES)
    # Friends' files are named without a folder.
    os.chdir(FILES)
    results = []
    seen = set()
    for file, tree_name, pairs, *more in module.PAIRS:
        options = more[0] if more else {}
        places = {"fixtures": FIXTURES / "files", "query": FILES, "public": QUERY.parent.parent / "public", "corpus": real}
        if (file.startswith("corpus") and real is None) or (only and not any(text in file for text in only)):
            kept = [pair for pair in before.values() if pair["file"] == file and pair["tree"] == tree_name and key_of(pair) not in seen]
            seen.update(map(key_of, kept))
            results += kept
            continue
        paths = []
        for one in options.get("twin", file).split(" + "):
            place, _, rest = one.partition("/")
            paths.append(str(places[place] / rest))
        recorder.open_tree(paths, tree_name)
        for pair in map(as_dictionary, pairs):
            entry = {"file": file, "tree": tree_name, "expr": "", "cut": "", "section": options.get("section", file), **pair}
            if key_of(entry) in seen:
                continue
            seen.add(key_of(entry))
            odd = getattr(module, "ODD_EDGES", False)
            # RDataFrame does not crash, and each process would compile it anew.
            run = (lambda what: what()) if "rdf" in pair else recorder.apart
            result = run(lambda: recorder.figures(paths, tree_name, pair, odd)) or {"error": True, "crash": True}
            if "error" in result and "deviation" not in pair:
                print("refused:", file, entry.get("scan", entry["expr"]), "|", entry["cut"], "crash" if "crash" in result else "")
            what = (entry["expr"], entry["cut"])
            reason = axes.get((file, tree_name, *what)) or axes.get((file, *what))
            if reason:
                entry["axesDeviation"] = reason
            entry.update(result)
            results.append(entry)
        print(file, len(results), flush=True)
    lines = [json.dumps(result, ensure_ascii=False, separators=(",", ":")) for result in results]
    out.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    print(name, len(results), "pairs", os.path.getsize(out), "bytes")


if __name__ == "__main__":
    sets = sorted(path.stem for path in (HERE / "pairs").glob("[a-z]*.py"))
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", action="append", choices=sets)
    parser.add_argument("--only", action="append", help="only the pairs of this file")
    parser.add_argument("--write", action="store_true", help="write the files of the set first")
    parser.add_argument("real", nargs="?", type=lambda path: pathlib.Path(path).resolve())
    choice = parser.parse_args()
    recorder.warm_up(str(FILES / "arrays.root"))
    for name in choice.set or sets:
        record(name, choice.real, choice.only, choice.write)
