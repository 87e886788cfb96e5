"""Fills the plots of stacks of brushes by ROOT: python stacks.py SAMPLE STACKS OUT.

STACKS is what stacks.test.ts writes: for each stack the cut for entries, and the cut of each plot. A line of OUT has a hash of
these texts, the number of entries that pass the first (TTree::GetEntries), and for each plot its fills and a checksum of all its cells.
"""

import json
import sys

import ROOT

ROOT.gROOT.SetBatch(True)
sample, stacks, out = sys.argv[1:4]
file = ROOT.TFile.Open(sample)
asked = json.load(open(stacks))
tree = file.Get(asked["tree"])


def fnv(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return f"{value:x}"


def filled(plot, cut):
    axes = [value for axis in plot["axes"] for value in (axis["bins"], axis["low"], axis["high"])]
    histogram = (ROOT.TH1D if len(axes) == 3 else ROOT.TH2D)("h", "", *axes)
    tree.Draw(f"{plot['expr']}>>h", cut, "goff")
    cells = histogram.GetArray()
    total = sum(cells[i] * (1 + i % 97) for i in range(histogram.GetSize()))
    fills = int(histogram.GetEntries())
    histogram.Delete()
    return [str(fills), repr(total)]


with open(out, "w") as lines:
    for number, texts in enumerate(asked["texts"]):
        first, *cuts = texts
        figures = [str(tree.GetEntries(first))]
        for plot, cut in zip(asked["plots"], cuts):
            weight = asked["weight"] if number % 5 == 4 else ""
            text = cut if not weight else f"({weight})*({cut})" if cut else weight
            figures += filled(plot, text)
        lines.write(" ".join([fnv("\n".join(texts)), *figures]) + "\n")
