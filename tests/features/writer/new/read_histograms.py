#!/usr/bin/env python3
"""Prints, as JSON, what ROOT, uproot and hadd find in a file of histograms, and what TTree::Draw fills.

    python3 read_histograms.py FILE SOURCE TREE DRAWINGS     DRAWINGS: JSON {name: [expression, cut, option]}
"""
import json
import os
import subprocess
import sys

import ROOT
import uproot

ROOT.gErrorIgnoreLevel = ROOT.kWarning
ROOT.gROOT.SetBatch(True)
path, source, tree, drawings = sys.argv[1:]


def facts(h):
    cells = range(h.GetNcells())
    axes = [h.GetXaxis(), h.GetYaxis(), h.GetZaxis()][: h.GetDimension()]
    return {
        "class": h.ClassName(),
        "cells": [h.GetBinContent(i) for i in cells],
        "errors": [h.GetBinError(i) for i in cells],
        "integral": h.Integral(),
        "entries": h.GetEntries(),
        "effective": h.GetEffectiveEntries(),
        "means": [h.GetMean(i + 1) for i in range(h.GetDimension())],
        "deviations": [h.GetStdDev(i + 1) for i in range(h.GetDimension())],
        "edges": [[a.GetNbins(), a.GetXmin(), a.GetXmax()] for a in axes],
        "labels": [[a.GetBinLabel(i + 1) for i in range(a.GetNbins())] for a in axes],
    }


def by_root(path):
    file = ROOT.TFile(path)
    assert not file.TestBit(ROOT.TFile.kRecovered)
    return {name: facts(file.Get(name)) for name in json.loads(drawings)}


found = by_root(path)
events = ROOT.TFile(source)
drawn = {}
for name, (expression, cut, option) in json.loads(drawings).items():
    events.Get(tree).Draw(expression, cut, option + " goff")
    drawn[name] = facts(ROOT.gDirectory.Get(name.split("/")[-1]))
with uproot.open(path) as file:
    others = {name: file[name].values(flow=True).tolist() for name in found}
    titles = {name: file[name].title for name in found}
    axis_titles = {name: file[name].member("fXaxis").member("fTitle") for name in found}
twice = path.replace(".root", "-twice.root")
subprocess.run([os.path.join(str(ROOT.TROOT.GetBinDir()), "hadd"), "-v", "0", twice, path, path], check=True)
print(json.dumps({"root": found, "drawn": drawn, "uproot": others, "titles": titles,
                  "xTitles": axis_titles, "hadd": by_root(twice)}))
