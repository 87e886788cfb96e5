#!/usr/bin/env python3
"""Prints, as JSON, what ROOT finds in stored histograms and graphs: tests/library/stored-values.json.

    python3 record_stored.py ../fixtures/files/histograms.root ../fixtures/files/graphs.root > stored-values.json
"""
import json
import sys

import ROOT

ROOT.gErrorIgnoreLevel = ROOT.kWarning


def histogram(h):
    axes = [h.GetXaxis(), h.GetYaxis(), h.GetZaxis()][: h.GetDimension()]
    cells = range(h.GetNcells())
    return {
        "class": h.ClassName(),
        "title": h.GetTitle(),
        "edges": [[a.GetBinLowEdge(i + 1) for i in range(a.GetNbins() + 1)] for a in axes],
        "labels": [a.GetBinLabel(i + 1) for a in axes[:1] for i in range(a.GetNbins()) if a.GetLabels()],
        "contents": [h.GetBinContent(i) for i in cells],
        "errors": [h.GetBinError(i) for i in cells],
        "entries": h.GetEntries(),
        "effective": h.GetEffectiveEntries(),
        "means": [h.GetMean(i + 1) for i in range(h.GetDimension())],
        "deviations": [h.GetStdDev(i + 1) for i in range(h.GetDimension())],
    }


def graph(g):
    n = range(g.GetN())
    sides = [g.GetErrorXlow, g.GetErrorXhigh, g.GetErrorYlow, g.GetErrorYhigh]
    return {
        "class": g.ClassName(),
        "title": g.GetTitle(),
        "x": [g.GetPointX(i) for i in n],
        "y": [g.GetPointY(i) for i in n],
        "errors": [[side(i) for i in n] for side in sides] if "Errors" in g.ClassName() else None,
    }


def walk(directory, path, found):
    for key in directory.GetListOfKeys():
        one = key.ReadObj()
        name = path + key.GetName()
        if one.InheritsFrom("TDirectory"):
            walk(one, name + "/", found)
        else:
            found[name] = graph(one) if one.InheritsFrom("TGraph") else histogram(one)


found = {}
for path in sys.argv[1:]:
    file = ROOT.TFile(path)
    walk(file, "", found)
print(json.dumps(found, indent=1).replace("\n   ", " ").replace("\n  ]", " ]"))
