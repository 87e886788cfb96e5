"""Draws generated expressions with ROOT and with xylem, and sorts them by outcome: see docs/testing.md.

    python3 tests/query/recorders/generated.py SEED [--cases 2000] [--minutes 30] [--only TEXT] [FOLDER_OF_REAL_FILES]

Expressions are made from the leaves that ROOT finds in the files. No dictionaries are loaded, because a class of ours
with the name of a class in a file would take its place. Each file has a process of its own, and so has each drawing.
The pairs are kept in build/generated/SEED.json, which generated.mjs compares with xylem.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import time
import warnings
from collections import Counter

warnings.filterwarnings("ignore")
import ROOT  # noqa: E402

import expressions  # noqa: E402
import recorder  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT_FOLDER = HERE.parents[2]
PLACES = {"fixtures": ROOT_FOLDER / "tests/fixtures/files", "query": HERE.parent / "files"}
# Files that ROOT reads otherwise than xylem, or not at all, by their purpose.
SKIPPED = {"damaged", "hostile", "edges"}
LARGEST_FILE = 20_000_000
MOST_ENTRIES = 3000
TREES_OF_A_FILE = 6
SECONDS_FOR_A_DRAWING = 20
SECONDS_FOR_A_FILE = 240
# Files of which ROOT is known to draw other values: see docs/conformance.md.
FILES = {
    "corpus/skhep/uproot-issue-750.root": "empty basket", "corpus/skhep/uproot-small-dy-nooffsets.root": "offsets", "fixtures/no_offsets.root": "offsets",
    "corpus/skhep/uproot-issue413.root": "no entries", "corpus/skhep/uproot-issue407.root": "frames",
    "corpus/roottest/io__evolution__CMS.root": "emulated", "corpus/roottest/io__evolution__v5names__qualifiedName_v5.root": "emulated",
    "corpus/roottest/treeformula__array__rawpixel_witharray.root": "emulated", "corpus/roottest/io__issue-7754__mwe__pluto_newpers.root": "emulated",
    "corpus/roottest/io__issue-7754__mwe__pluto_oldpers.root": "emulated", "corpus/roottest/treeformula__stl__AthenaCrossSection.root": "lists",
}
OUTCOMES = {
    "agree": "agree", "known": "a known error of ROOT", "both": "both refuse", "ours": "only xylem answers", "theirs": "only xylem refuses",
    "axes": "differ in axes only", "differ": "differ", "fault": "fault of xylem",
}


def trees_of(folder, path="", depth=0):
    """Paths of the trees of a file, each once."""
    found = []
    for key in folder.GetListOfKeys():
        kind = ROOT.TClass.GetClass(key.GetClassName(), True, True)
        name = f"{path}{key.GetName()}"
        if not kind or name in found:
            continue
        if kind.InheritsFrom("TDirectory") and depth < 4:
            inner = folder.Get(key.GetName())
            found += trees_of(inner, f"{name}/", depth + 1) if inner else []
        elif kind.InheritsFrom("TTree"):
            found.append(name)
    return found


def record_file(path, name, seed, count):
    """The pairs of one file: about `count` of each of its trees."""
    file = ROOT.TFile.Open(str(path))
    begin = time.time()
    pairs = []
    trees = trees_of(file)
    for tree_name in trees[:TREES_OF_A_FILE]:
        choice = random.Random(f"{seed} {name} {tree_name}")
        tree = file.Get(tree_name)
        if not tree or not isinstance(tree, ROOT.TTree) or tree.GetEntries() == 0:
            continue
        names = expressions.Names(choice, tree)
        recorder.opened[(str(path), tree_name)] = tree
        made = set()
        for _ in range(min(count, 2 + 2 * names.count) if names.count else 0):
            pair = names.pair()
            key = json.dumps(pair)
            if key in made or time.time() - begin > SECONDS_FOR_A_FILE:
                continue
            made.add(key)
            if tree.GetEntries() > MOST_ENTRIES and "scan" not in pair:
                pair["entries"] = [0, MOST_ENTRIES]
            figures = recorder.apart(lambda: recorder.figures([str(path)], tree_name, pair, False), SECONDS_FOR_A_DRAWING)
            result = figures or {"error": True, "crash": True}
            pairs.append({"file": name, "tree": tree_name, "expr": "", "cut": "", "section": "", **pair, **result})
    return pairs


def all_files(real):
    places = {**PLACES, **({"corpus": real} if real else {})}
    for place, folder in places.items():
        for path in sorted(folder.rglob("*.root")):
            if path.stat().st_size <= LARGEST_FILE and not SKIPPED & set(path.parts):
                yield path, f"{place}/{path.relative_to(folder)}"


def judge(pairs, out, real):
    """The outcome of each pair in xylem, with what differs."""
    lines = [json.dumps(pair, ensure_ascii=False, separators=(",", ":")) for pair in pairs]
    out.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8", errors="surrogateescape")
    environment = {**os.environ, **({"XYLEM_CORPUS": str(real)} if real else {})}
    subprocess.run(["node", HERE / "generated.mjs", out], env=environment, check=True, stdout=sys.stderr)
    outcomes = json.loads(out.with_suffix(".outcomes.json").read_text())
    return [{**pair, **outcome} for pair, outcome in zip(pairs, outcomes)]


def single(pair):
    """True where no array has exactly one element: ROOT goes on beyond it, with NaN."""
    return "&&".join(f"Length$({name})!=1" for name in pair["arrays"])


def infinite(pair):
    """True where no value is infinite: ROOT gives up on an axis where there are any."""
    return "&&".join(f"Min$(TMath::Finite({one}))" for one in recorder.split_colons(pair["expr"])) if pair["expr"] else ""


def in_entries(path, pair, rule):
    """The pair in the entries for which a rule is true, and ROOT's figures of it."""
    kept = ("kind", "expr", "cut", "option", "scan", "limit", "list", "file", "tree", "section", "arrays", "marks")
    made = {name: pair[name] for name in kept if name in pair}
    tree = recorder.open_tree([path], pair["tree"])
    ROOT.gROOT.cd()
    span = pair.get("entries", [0, tree.GetEntries()])
    tree.Draw(">>kept", rule, "entrylist", span[1] - span[0], span[0])
    kept_entries = ROOT.gDirectory.Get("kept")
    tree.SetEntryList(kept_entries)
    figures = recorder.figures([path], pair["tree"], made, False)
    entries = [kept_entries.GetEntry(i) for i in range(kept_entries.GetN())]
    return {**made, "entries": [[entry, entry + 1] for entry in entries], **figures}


def explain(judged, paths, out, real):
    """Says of pairs that differ whether a known error of ROOT is the reason: it is when they agree without it."""
    for reason, rule in (("single", single), ("infinite", infinite)):
        left = [pair for pair in judged if pair["outcome"] in ("differ", "axes") and rule(pair) and "scan" not in pair]
        changed = []
        for pair in left:
            path = str(paths[pair["file"]])
            result = recorder.apart(lambda: in_entries(path, pair, rule(pair)), 2 * SECONDS_FOR_A_DRAWING)
            changed.append(result or {**pair, "error": True, "crash": True})
        for pair, again in zip(left, judge(changed, out.with_suffix(f".{reason}.json"), real)):
            # Nothing agrees with nothing.
            if again["outcome"] == "agree" and (again.get("fills") or again.get("numbers")):
                pair.update(outcome="known", reason=reason)
    for pair in judged:
        # ROOT prints an error, too, but goes on with NaN.
        if pair["outcome"] == "theirs" and "outside of the array" in pair["findings"][0]:
            pair["outcome"] = "both"
        if pair["outcome"] == "axes" and "long" in pair["marks"]:
            pair.update(outcome="known", reason="long")
        marks = [*(mark for mark in pair["marks"] if mark != "long"), *([FILES[pair["file"]]] if pair["file"] in FILES else [])]
        if pair["outcome"] in ("differ", "axes") and marks:
            pair.update(outcome="known", reason=marks[0])


def report(judged, out):
    """Prints the table, and writes all that does not agree."""
    count = Counter((pair["kind"], pair["outcome"]) for pair in judged)
    total = Counter(pair["outcome"] for pair in judged)
    print("\t".join(["kind", "cases", *OUTCOMES]))
    for kind in sorted({pair["kind"] for pair in judged}):
        row = [count[kind, outcome] for outcome in OUTCOMES]
        print("\t".join(map(str, [kind, sum(row), *row])))
    print(f"\n{len(judged)} cases")
    for outcome, name in OUTCOMES.items():
        print(f"{name}: {total[outcome]} ({100 * total[outcome] / max(1, len(judged)):.2f} %)")
    print("known errors of ROOT:", dict(Counter(pair["reason"] for pair in judged if "reason" in pair)))
    print("that agree without any fill:", sum(pair["outcome"] == "agree" and pair.get("fills") == 0 for pair in judged))
    with open(out.with_suffix(".txt"), "w", encoding="utf-8", errors="replace") as file:
        for pair in judged:
            if pair["outcome"] == "agree":
                continue
            asked = " | ".join([f"scan {pair['scan']}" if "scan" in pair else pair["expr"], pair["cut"], pair.get("option", "")])
            findings = "; ".join(pair["findings"][:3])[:300]
            file.write("\t".join([pair["outcome"], pair.get("reason", ""), pair["kind"], pair["file"], pair["tree"], asked, findings]) + "\n")
    print(out.with_suffix(".txt"), "lists what does not agree")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", type=int)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--only", default="", help="only files with this text in their names")
    parser.add_argument("--again", action="store_true", help="take ROOT's figures of the last run with this seed")
    parser.add_argument("real", nargs="?", type=lambda path: pathlib.Path(path).resolve())
    asked = parser.parse_args()
    ROOT.gROOT.SetBatch(True)
    ROOT.gErrorIgnoreLevel = ROOT.kFatal
    ROOT.gSystem.ResetSignals()
    # Automatic histograms have floats otherwise.
    for dims in ("1D", "2D", "3D"):
        ROOT.gEnv.SetValue(f"Hist.Precision.{dims}", "double")
    recorder.warm_up(str(PLACES["query"] / "arrays.root"))
    files = [file for file in all_files(asked.real) if asked.only in file[1]]
    paths = {name: path for path, name in files}
    out = ROOT_FOLDER / "build/generated" / f"{asked.seed}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    pairs = json.loads(out.read_text(errors="surrogateescape")) if asked.again else record(files, asked)
    judged = judge(pairs, out, asked.real)
    explain(judged, paths, out, asked.real)
    report(judged, out)


def record(files, asked):
    """The pairs of files in an order that the seed gives."""
    random.Random(asked.seed).shuffle(files)
    # Many files have no tree, or one of few branches.
    count = max(4, round(2 * asked.cases / max(1, len(files))))
    end = time.time() + 60 * asked.minutes
    pairs = []
    for path, name in files:
        if len(pairs) >= asked.cases or time.time() > end:
            break
        found = recorder.apart(lambda: record_file(path, name, asked.seed, count), SECONDS_FOR_A_FILE + 60)
        pairs += found or []
        print(name, "ROOT cannot read it" if found is None else len(found), file=sys.stderr, flush=True)
    return pairs


if __name__ == "__main__":
    main()
