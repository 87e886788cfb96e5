"""Writes cutflows of public/sample.root as ROOT counts them: python cutflows.py SAMPLE OUT.

Entries come from the report of RDataFrame's filters, those of a cut alone also from TTree::GetEntries, intervals from TEfficiency.
"""

import json
import sys

import ROOT

ROOT.gROOT.SetBatch(True)
sample, out = sys.argv[1:3]
file = ROOT.TFile.Open(sample)
tree = file.Get("Events")

# Cuts as TTree::Draw takes them, and as a filter of RDataFrame that keeps an entry if any element passes.
CUTS = {
    "nMuon==2": "nMuon==2",
    "Muon_pt[0]>25": "Muon_pt.size()>0 && Muon_pt[0]>25",
    "Muon_pt>25": "Any(Muon_pt>25)",
    "abs(Muon_eta)<1": "Any(abs(Muon_eta)<1)",
    "Muon_pt>20 && abs(Muon_eta)<1.5": "Any(Muon_pt>20 && abs(Muon_eta)<1.5)",
    "Jet_pt>30": "Any(Jet_pt>30)",
    "Sum$(Jet_pt)>100": "Sum(Jet_pt)>100",
    "Muon_charge[0]!=Muon_charge[1]": "Muon_charge.size()>1 && Muon_charge[0]!=Muon_charge[1]",
    "Dimuon_mass>80 && Dimuon_mass<100": "Dimuon_mass>80 && Dimuon_mass<100",
    "MET_pt<25": "MET_pt<25",
    "PV_npvs%3": "PV_npvs%3 != 0",
}
FLOWS = [
    (["nMuon==2", "Muon_pt[0]>25", "abs(Muon_eta)<1", "Jet_pt>30"], ""),
    (["Muon_pt>25", "Muon_pt>20 && abs(Muon_eta)<1.5", "Sum$(Jet_pt)>100"], ""),
    (["Dimuon_mass>80 && Dimuon_mass<100", "MET_pt<25", "PV_npvs%3"], "MET_pt/40"),
    (["nMuon==2", "Muon_charge[0]!=Muon_charge[1]", "Jet_pt>30", "MET_pt<25"], "PV_npvs-10"),
    (["Jet_pt>30"], "Dimuon_mass*0.01"),
    (list(CUTS), ""),
]
# Weights in C++, where a number of type float stays one.
WEIGHTS = {"MET_pt/40": "MET_pt/40.0"}
LEVEL = 0.682689492137


def counts(filters, weight):
    """Entries, sum of weights and of squared weights of the entries that pass all filters."""
    frame = ROOT.RDataFrame(tree)
    for one in filters:
        frame = frame.Filter(CUTS[one], one)
    frame = frame.Define("w_", f"(double)({WEIGHTS.get(weight, weight) or '1'})").Define("w2_", "w_*w_")
    number, total, squares = frame.Count(), frame.Sum("w_"), frame.Sum("w2_")
    return [number.GetValue(), total.GetValue(), squares.GetValue()]


def interval(passed, everything, weighted):
    if everything[1] <= 0:
        return None
    ROOT.TH1.AddDirectory(False)
    total, some = ROOT.TH1D("t", "", 1, 0, 1), ROOT.TH1D("p", "", 1, 0, 1)
    for histogram, (number, weight, squares) in ((total, everything), (some, passed)):
        if weighted:
            histogram.Sumw2()
            histogram.SetBinContent(1, weight)
            histogram.SetBinError(1, squares**0.5)
        else:
            histogram.SetBinContent(1, number)
        histogram.SetEntries(number)
    if weighted and not ROOT.TEfficiency.CheckConsistency(some, total):
        return None
    efficiency = ROOT.TEfficiency(some, total)
    efficiency.SetConfidenceLevel(LEVEL)
    if weighted:
        efficiency.SetUseWeightedEvents()
        efficiency.SetStatisticOption(ROOT.TEfficiency.kFNormal)
    value = efficiency.GetEfficiency(1)
    return [value, value - efficiency.GetEfficiencyErrorLow(1), value + efficiency.GetEfficiencyErrorUp(1)]


flows = []
for cuts, weight in FLOWS:
    before = everything = counts([], weight)
    end = counts(cuts, weight)
    steps = []
    for i, cut in enumerate(cuts):
        left = counts(cuts[: i + 1], weight)
        others = counts([one for one in cuts if one != cut], weight)
        kept = interval(end, others, weight != "")
        alone = counts([cut], weight)
        assert alone[0] == tree.GetEntries(cut), (cut, alone, tree.GetEntries(cut))
        steps.append(
            {
                "cut": cut,
                "left": left,
                "alone": alone,
                "others": others,
                "ofBefore": interval(left, before, weight != ""),
                "ofAll": interval(left, everything, weight != ""),
                "removes": kept and [1 - kept[0], 1 - kept[2], 1 - kept[1]],
            }
        )
        before = left
    flows.append({"cuts": cuts, "weight": weight, "all": everything, "steps": steps})
with open(out, "w") as text:
    json.dump({"root": ROOT.gROOT.GetVersion(), "flows": flows}, text, indent=1)
    text.write("\n")
