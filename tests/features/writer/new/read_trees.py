#!/usr/bin/env python3
"""Prints, as JSON, what ROOT and uproot find in trees: python3 read_trees.py FILE TREE [FILE TREE ...]"""
import json
import sys

import awkward
import ROOT
import uproot

ROOT.gErrorIgnoreLevel = ROOT.kWarning
ROOT.gROOT.SetBatch(True)


def by_root(path, name):
    file = ROOT.TFile(path)
    tree = file.Get(name)
    clusters = [0]
    following = tree.GetClusterIterator(0)
    while following() < tree.GetEntries():
        clusters.append(following.GetNextEntry())
    failed = [entry for entry in range(tree.GetEntries()) if tree.GetEntry(entry) <= 0]
    facts = {
        "entries": tree.GetEntries(),
        "failed": failed,
        "recovered": bool(file.TestBit(ROOT.TFile.kRecovered)),
        "clusters": [min(entry, tree.GetEntries()) for entry in clusters],
        "leaves": {b.GetName(): [b.GetTitle(), b.GetListOfLeaves()[0].GetTypeName()] for b in tree.GetListOfBranches()},
    }
    file.Close()
    return facts


def by_frame(path, name):
    """The sum of each branch of numbers, by RDataFrame with threads."""
    frame = ROOT.RDataFrame(name, path)
    sums = {}
    for column in map(str, frame.GetColumnNames()):
        kind = frame.GetColumnType(column)
        if "string" in kind or "vector" in kind or "array" in kind:
            continue
        if "RVec" in kind:
            sums[column] = frame.Define("all_", f"Sum(ROOT::RVec<double>(_this.begin(), _this.end()))".replace("_this", column)).Sum("all_")
        else:
            sums[column] = frame.Define("one_", f"double({column})").Sum("one_")
    return {column: total.GetValue() for column, total in sums.items()}


def by_uproot(path, name):
    with uproot.open(path) as file:
        return {b.name: awkward.to_list(b.array()) for b in file[name].branches}


def free_of_overlap(path):
    """The records of TFile::Map cover the file from its first record to its end."""
    file = ROOT.TFile(path)
    at = file.GetBEGIN() if hasattr(file, "GetBEGIN") else 100
    for record in file.WalkTKeys():
        if record.fAddr != at:
            return False
        at += record.fLen
    return at == file.GetEND()


ROOT.EnableImplicitMT(2)
found = []
for path, name in zip(sys.argv[1::2], sys.argv[2::2]):
    found.append({"root": by_root(path, name), "sums": by_frame(path, name), "uproot": by_uproot(path, name),
                  "whole": free_of_overlap(path)})
print(json.dumps(found, allow_nan=True))
