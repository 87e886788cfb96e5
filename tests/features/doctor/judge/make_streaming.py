"""Writes object_wise.root and member_wise.root into the folder that is named: the same unsplit collections of objects, stored
by ROOT in the two orders."""

import os
import sys

import ROOT

ROOT.gInterpreter.Declare(
    """
    #include <vector>
    struct LayoutPoint { int n = 0; float x = 0; };
    #ifdef __CLING__
    #pragma link C++ struct LayoutPoint+;
    #pragma link C++ class std::vector<LayoutPoint>+;
    #endif
    """
)
ROOT.gInterpreter.GenerateDictionary("vector<LayoutPoint>", "")


def write(path, is_member_wise):
    ROOT.TVirtualStreamerInfo.SetStreamMemberWise(is_member_wise)
    file = ROOT.TFile.Open(path, "RECREATE")
    tree = ROOT.TTree("t", "unsplit collections")
    points = ROOT.std.vector("LayoutPoint")()
    numbers = ROOT.std.vector("float")()
    tree.Branch("points", points, 32000, 0)
    tree.Branch("numbers", numbers)
    for i in range(20):
        points.clear()
        numbers.clear()
        for k in range(i % 4):
            point = ROOT.LayoutPoint()
            point.n = k
            point.x = i + 0.5
            points.push_back(point)
            numbers.push_back(k)
        tree.Fill()
    tree.Write()
    file.Close()


write(os.path.join(sys.argv[1], "object_wise.root"), False)
write(os.path.join(sys.argv[1], "member_wise.root"), True)
