"""Makes million.root, a tree of 1,200,000 entries with branches of odd names, and prints ROOT's axis of Entry$."""
import array
import pathlib

import ROOT

place = pathlib.Path(__file__).parent.parent / "files/million.root"
file = ROOT.TFile(str(place) + "?reproducible=million.root", "recreate", "", 505)
tree = ROOT.TTree("t", "more entries than TTree::GetEstimate")
value = array.array("b", [1])
tree.Branch("bTags#0", value, "i/B")
tree.Branch("2x3mat", value, "i/B")
for entry in range(1_200_000):
    value[0] = entry // 400_000
    tree.Fill()
tree.Write()
tree.Draw("Entry$", "", "goff")
axis = ROOT.gDirectory.Get("htemp").GetXaxis()
print(axis.GetNbins(), axis.GetXmin(), axis.GetXmax())
for name in "bTags#0", "2x3mat":
    print(name, tree.Draw(f"{name}>>h(3,0,3)", "", "goff"), [ROOT.gDirectory.Get("h").GetBinContent(i) for i in range(5)])
file.Close()
