"""Prints as JSON what TTree::OptimizeBaskets of real ROOT says and does, for each tree of files that are only read.

    python3 optimize_baskets.py [--memory BYTES] [--least FACTOR] [--update] FILE...

With --update a copy of each file is opened for writing: then ROOT first writes the baskets that are kept in the record of a
tree. Each tree: [file, tree, memory, minComp, sums, branches], with sums [oldMemsize, newMemsize, oldBaskets, newBaskets],
null where ROOT printed nothing, and for each branch, depth first, [path, fBasketSize before, after, split level, fType,
fStreamerType, whether its compression is switched off].
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile

import ROOT

ROOT.gErrorIgnoreLevel = ROOT.kInfo


def trees_of(folder, prefix=""):
    seen = set()
    for key in folder.GetListOfKeys():
        name = key.GetName()
        if name in seen:
            continue
        seen.add(name)
        cls = ROOT.TClass.GetClass(key.GetClassName())
        if cls and cls.InheritsFrom("TDirectory"):
            yield from trees_of(key.ReadObj(), f"{prefix}{name}/")
        elif cls and cls.InheritsFrom("TTree"):
            yield f"{prefix}{name}", folder.Get(name)


def branches_of(parent, prefix=""):
    for branch in parent.GetListOfBranches():
        path = f"{prefix}{branch.GetName()}"
        yield path, branch
        yield from branches_of(branch, f"{path}/")


def said_by(call):
    """Returns what a call writes to stderr."""
    with tempfile.TemporaryFile() as place:
        sys.stderr.flush()
        kept = os.dup(2)
        os.dup2(place.fileno(), 2)
        try:
            call()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        place.seek(0)
        return place.read().decode("utf-8", "replace")


def judged(name, tree, memory, least):
    listed = list(branches_of(tree))
    before = [(branch.GetBasketSize(), branch.GetCompressionSettings()) for _, branch in listed]
    said = said_by(lambda: tree.OptimizeBaskets(memory, least, "d"))
    sums = re.search(
        r"oldMemsize = (-?\d+),\s+newMemsize = (-?\d+).*oldBaskets = (-?\d+),\s+newBaskets = (-?\d+)", said, re.S
    )
    rows = []
    for (path, branch), (size, settings) in zip(listed, before):
        element = branch.InheritsFrom("TBranchElement")
        rows.append(
            [
                path,
                size,
                branch.GetBasketSize(),
                branch.GetSplitLevel(),
                branch.GetType() if element else None,
                branch.GetStreamerType() if element else None,
                # Several branches may have the name, so that the text alone does not tell which one it was.
                f"compression for branch : {branch.GetName()}\n" in said
                and (settings != 0 and branch.GetCompressionSettings() == 0),
            ]
        )
    return [name, memory, least, [int(n) for n in sums.groups()] if sums else None, rows]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory", type=int, default=10_000_000)
    parser.add_argument("--least", type=float, default=1.1)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("files", nargs="+")
    asked = parser.parse_args()
    found = []
    for name in asked.files:
        with tempfile.TemporaryDirectory() as folder:
            path = name
            if asked.update:
                path = shutil.copy(name, folder)
            file = ROOT.TFile.Open(path, "UPDATE" if asked.update else "READ")
            if not file or file.IsZombie():
                continue
            for tree_name, tree in trees_of(file):
                found.append([name, *judged(tree_name, tree, asked.memory, asked.least)])
            if asked.update:
                file.ReOpen("READ")
            file.Close()
    print("[\n" + ",\n".join(json.dumps(one) for one in found) + "\n]")


main()
