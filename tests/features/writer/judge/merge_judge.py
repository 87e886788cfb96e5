#!/usr/bin/env python3
"""Merges files of all kinds of objects by hadd and by xylem, and compares what ROOT reads of the two.

    python3 tests/features/writer/judge/merge_judge.py OUT [--seed 1] [--parts 3] [--short] [--table] [--only TEXT]

merge_zoo.h and merge_zoo_more.h make the objects, random with a seed. Files and products lie in OUT. Each product is read
by ROOT in a process of its own, and all members of all objects are compared: sums of histograms within rounding. Needs a
Python with ROOT, and dist/ (npm run build); XYLEM names another command.

Prints each difference that EXPECTED does not name, and each object that is not added, though hadd adds it, without a line
of xylem; --table prints all. Exit status 1 where there are any.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
import ROOT

HERE = os.path.dirname(os.path.abspath(__file__))
XYLEM = shlex.split(os.environ.get("XYLEM", f"node {os.path.normpath(os.path.join(HERE, '../../../dist/cli/xylem.js'))}"))
HADD = os.path.join(str(ROOT.TROOT.GetBinDir()), "hadd")
# Objects that are kept as cycles with a line, though hadd adds them or drops all but the first, and why.
BROKEN = "hadd says an error and drops what comes later, or leaves a part of the sum"
KEPT = {
    "average": "the sum of averages is no average",
    "average_later": "the sum of averages is no average",
    "between": BROKEN,
    "other_limits": BROKEN,
    "moved_above": BROKEN,
    "moved_outside": BROKEN,
    "p1_outside": BROKEN,
    "poly_more": BROKEN,
    "eff_bins": BROKEN,
    "thn_other_bins": BROKEN,
    "sparse_other_bins": BROKEN,
    "list_unlike": BROKEN,
    "list_empty_first": "hadd drops all objects of later files",
    "list_uneven": "hadd drops the objects that only later files have",
    "stack_more": "hadd drops the histograms that only later files have",
    "other_edges": "hadd adds bins by their numbers, though they lie elsewhere",
    "thn_other_limits": "hadd adds bins by their numbers, though they lie elsewhere",
    "sparse_other_limits": "hadd adds bins by their numbers, though they lie elsewhere",
    "int_sum": "the sum does not fit into an int",
    "int_times": "the product does not fit into an int",
    "long_times": "the product does not fit into a long",
    "long64_times": "the product does not fit into a Long64_t",
    "poly_line": "hadd puts the points of later files in the place of the first",
    "curly_line": "hadd puts the points of later files in the place of the first",
    "curly_arc": "hadd puts the points of later files in the place of the first",
    "cut": "the outlines of two cuts in a row are the outline of none",
    "graph_qq": "the quantiles of hadd's product are those of the first file",
    "helix": "not added",
    "files": "not added",
    "entries_array": "not added",
    "fitter": "not added",
    "clones": "not added",
    "power": "with values outside of its bins",
}
# Members of objects that differ from what hadd makes, and why.
EXPECTED = {
    "array_holes": (r"", "hadd adds objects of different places where an array has holes"),
    "buffer_fixed": (r"^\.fBuffer", "values that were filled into bins do not stay in the buffer"),
    "buffer_fixed2": (r"^\.fBuffer", "values that were filled into bins do not stay in the buffer"),
    "buffer_fixed3": (r"^\.fBuffer", "values that were filled into bins do not stay in the buffer"),
    "buffer_profile": (r"^\.fBuffer", "values that were filled into bins do not stay in the buffer"),
    "buffer_profile2": (r"^\.fBuffer", "values that were filled into bins do not stay in the buffer"),
    "cancels": (r"^\.fTsum", "hadd takes statistics from bins where the sum of weights so far is 0"),
    "cancels2": (r"^\.fTsum", "hadd takes statistics from bins where the sum of weights so far is 0"),
    "entries_blocks": (r"^\.fN: ", "fN counts the entries that are there; in files of ROOT it may count fewer"),
    "p1_weighted_later": (r"^\.fBinSumw2: ", "hadd drops the squares of weights"),
    "power": (r"", "hadd keeps the bins that all files have, and counts the statistics of the first twice"),
    "power_buffer": (r"", "bins are chosen when the buffer is full"),
    "sparse_weighted_first": (r"^\.fTsumw2: ", "hadd adds -1 for each file without squares of weights"),
}


def make(folder, parts, seed, short):
    ROOT.gErrorIgnoreLevel = ROOT.kFatal
    ROOT.gROOT.SetBatch(True)
    ROOT.gInterpreter.AddIncludePath(HERE)
    if not ROOT.gInterpreter.Declare('#include "merge_zoo_more.h"'):
        sys.exit("the objects cannot be compiled")
    os.makedirs(folder, exist_ok=True)
    paths = [[os.path.join(folder, f"all_{k}.root") for k in range(parts)]]
    for k, path in enumerate(paths[0]):
        ROOT.zoo.write(path, k, seed)
    while not short:
        own = [os.path.join(folder, f"single{len(paths)}_{k}.root") for k in range(parts)]
        if not all([ROOT.zoo.fragile(path, len(paths) - 1, k, seed) for k, path in enumerate(own)]):
            break
        paths.append(own)
    return paths


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, (done.stderr or done.stdout).strip().splitlines()


def read(path):
    if not os.path.exists(path):
        return None
    done = subprocess.run([sys.executable, "-W", "ignore", os.path.join(HERE, "read_objects.py"), path], capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 and done.stdout else None


def differences(found, expected, at=""):
    """Members that differ, each as a text."""
    if isinstance(found, bool) or isinstance(expected, bool) or found is None or expected is None or isinstance(found, str) or isinstance(expected, str):
        return [] if found == expected else [f"{at}: {found!r}, not {expected!r}"]
    if isinstance(found, (int, float)) and isinstance(expected, (int, float)):
        same = found == expected or abs(found - expected) <= 1e-12 * max(1, abs(expected)) or (found != found and expected != expected)
        return [] if same else [f"{at}: {found!r}, not {expected!r}"]
    if isinstance(found, list) and isinstance(expected, list):
        if len(found) != len(expected):
            return [f"{at}: {len(found)} values, not {len(expected)}"]
        return [line for i, (a, b) in enumerate(zip(found, expected)) for line in differences(a, b, f"{at}[{i}]")]
    if isinstance(found, dict) and isinstance(expected, dict):
        names = list(expected) + [name for name in found if name not in expected]
        return [line for name in names for line in differences(found.get(name), expected.get(name), f"{at}.{name}" if at else name)]
    return [f"{at}: {type(found).__name__}, not {type(expected).__name__}"]


def cycles(objects):
    found = {}
    for key, value in (objects or {}).items():
        found.setdefault(key.rsplit(";", 1)[0], []).append(value)
    return found


def compare(name, ours, theirs, lines):
    """What became of one object: a word, and texts that say more."""
    said = [line for line in lines if re.search(rf"(^|\s|\"){re.escape(name)}[\s;:,\"]", line)]
    if not ours:
        return "missing" if theirs else "none", said
    if not theirs:
        return "only here", said
    if len(ours) != len(theirs):
        return ("kept" if said else "KEPT SILENTLY"), said or [f"{len(ours)} cycles, and {len(theirs)} by hadd"]
    found = [line for i, (own, other) in enumerate(zip(ours, theirs)) for line in differences(own, other, f";{i + 1}" if len(ours) > 1 else "")]
    if not found:
        return "same", []
    return "differs", [line.replace("[1].", ".", 1) for line in found] + said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", type=int, default=3)
    parser.add_argument("--short", action="store_true", help="without the objects that make hadd crash")
    parser.add_argument("--table", action="store_true", help="a line for each object")
    parser.add_argument("--only", default="", help="only objects whose path holds this text")
    options = parser.parse_args()
    count = {}
    faults = []
    for i, inputs in enumerate(make(options.out, options.parts, options.seed, options.short)):
        products = [os.path.join(options.out, f"{by}{i}.root") for by in ("hadd", "xylem")]
        for product in products:
            if os.path.exists(product):
                os.remove(product)
        status, _ = run([HADD, "-f", products[0], *inputs])
        theirs = cycles(read(products[0])) if status == 0 else {}
        own_status, lines = run([*XYLEM, "merge", products[1], *inputs])
        ours = cycles(read(products[1]))
        if not ours:
            faults.append(f"{inputs[0]}: {lines[-1:]}")
        for name in sorted(set(ours) | set(theirs)):
            if options.only not in name:
                continue
            what, more = compare(name, ours.get(name), theirs.get(name), lines)
            if status != 0:
                what = f"hadd fails, {'added' if len(ours.get(name, [])) == 1 else 'kept'}"
            pattern, _ = EXPECTED.get(name, (None, ""))
            if what == "differs" and pattern is not None and all(re.search(pattern, line) for line in more):
                what = "as said"
            elif what == "kept" and name in KEPT:
                what = "kept, as said"
            elif what != "same" and status == 0:
                faults.append(f"{name}: {what}: " + "; ".join(more[:3]) + (f"; {len(more) - 3} more" if len(more) > 3 else ""))
            count[what] = count.get(what, 0) + 1
            if options.table:
                kind = (ours.get(name) or theirs.get(name))[0][0]
                print(f"{name:28} {kind:22} {len(theirs.get(name, []))} {len(ours.get(name, []))} {what:18} {'; '.join(more)[:90]}")
        said = any(line.startswith("left out:") for line in lines)
        if own_status != (1 if said else 0):
            faults.append(f"{products[1]}: exit status {own_status}")
    for fault in faults:
        print(fault)
    print(", ".join(f"{number} {what}" for what, number in sorted(count.items(), key=lambda item: -item[1])), f"; {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
