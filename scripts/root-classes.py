#!/usr/bin/env python3
"""Writes web/features/writer/work/new/root-classes.ts: a small file of ROOT with one empty object of each class that
xylem writes, and the streamer infos of these classes. New files are made of copies of these objects.

    python3 scripts/root-classes.py        needs ROOT 6.40
"""
import base64
import os
import tempfile
import textwrap
from array import array

import ROOT

ROOT.gErrorIgnoreLevel = ROOT.kError
HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "web", "features", "writer", "work", "new", "root-classes.ts")


def histograms():
    x, xy, xyz = (1, 0.0, 1.0), (1, 0.0, 1.0) * 2, (1, 0.0, 1.0) * 3
    kinds = {"TH1D": x, "TH2D": xy, "TH3D": xyz, "TProfile": x, "TProfile2D": xy}
    for name, axes in kinds.items():
        histogram = getattr(ROOT, name)(name, "", *axes)
        if name == "TH1D":
            histogram.GetXaxis().SetBinLabel(1, "label")
        histogram.Write()


def sparse():
    """An axis and a filled bin, of which others are made, in a chunk of one bin."""
    histogram = ROOT.THnSparseD("sparse", "", 1, array("i", [1]), array("d", [0]), array("d", [1]), 1)
    histogram.Sumw2()
    histogram.Fill(array("d", [0.5]))
    histogram.Write()


def tree():
    """A branch for each type of leaf, an array with its counter, and objects that are not split."""
    new = ROOT.TTree("TTree", "")
    room = array("d", [0])
    for leaf in "BSILFDObsil":
        new.Branch(leaf, room, f"{leaf}/{leaf}")
    new.Branch("counter", room, "counter/I")
    new.Branch("array", room, "array[counter]/D")
    string, vector = ROOT.std.string(), ROOT.std.vector("float")()
    new.Branch("string", string)
    new.Branch("vector", vector)
    new.Write()


# Classes that the records of trees have besides: a file that lost its streamer infos is read by these (salvage).
IN_TREES = """TBranchClones TBranchObject TBranchRef TRefTable TLeafD32 TLeafElement TLeafF16 TLeafG TLeafL
    TLeafObject TFriendElement TEventList TEntryList TObjString TMap TProcessID
    TParameter<bool> TParameter<double> TParameter<float> TParameter<int> TParameter<Long64_t>""".split()


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the file has its own name within
        file = ROOT.TFile("classes.root?reproducible=classes", "RECREATE", "", 509)
        histograms()
        sparse()
        tree()
        # The anchor of an RNTuple is made without a template.
        for name in ["ROOT::RNTuple", *IN_TREES]:
            ROOT.TClass.GetClass(name).GetStreamerInfo().ForceWriteInfo(file)
        file.Close()
        with open("classes.root", "rb") as made:
            content = base64.b64encode(made.read()).decode()
    version = ROOT.gROOT.GetVersion()
    lines = "\n".join(f"  '{line}'," for line in textwrap.wrap(content, 104))
    with open(OUT, "w") as out:
        out.write(f"// Written by scripts/root-classes.py with ROOT {version}.\n\n")
        about = "empty objects of the classes that new files support, and their streamer infos"
        out.write(f"/** A ROOT file in base64: {about}. */\n")
        out.write(f"export const ROOT_CLASSES = [\n{lines}\n].join('');\n")


main()
