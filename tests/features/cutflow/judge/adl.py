"""Counts the selections of the Analysis Description Benchmarks with RDataFrame: python adl.py [FILE].

Without FILE it writes adl.root into the working directory, which has branches like NanoAOD. Prints a JSON object: for each query the entries that
are left after each filter, as Report() has them. Filters are those of the queries as far as they select events by cuts that the language of
TTree::Draw has; see docs/features/cutflow.md.
"""

import json
import sys

import ROOT

ROOT.gErrorIgnoreLevel = ROOT.kError
path = sys.argv[1] if len(sys.argv) > 1 else "adl.root"
if len(sys.argv) == 1:
    ROOT.gRandom.SetSeed(51)
    ROOT.gInterpreter.Declare(
        """
    ROOT::RVecF many(int n, double mean) { ROOT::RVecF all(n); for (auto &one : all) one = gRandom->Exp(mean); return all; }
    ROOT::RVecF wide(int n, double width) { ROOT::RVecF all(n); for (auto &one : all) one = gRandom->Gaus(0, width); return all; }
    ROOT::RVecF around(int n) { ROOT::RVecF all(n); for (auto &one : all) one = gRandom->Uniform(-M_PI, M_PI); return all; }
    ROOT::RVecI signs(int n) { ROOT::RVecI all(n); for (auto &one : all) one = gRandom->Rndm() < 0.5 ? -1 : 1; return all; }
    """
    )
    frame = ROOT.RDataFrame(3000).Define("MET_pt", "float(gRandom->Exp(40))").Define("MET_phi", "float(gRandom->Uniform(-M_PI, M_PI))")
    columns = ["MET_pt", "MET_phi"]
    for name, mean, pt in [("Muon", 1.5, 40), ("Electron", 0.8, 30), ("Jet", 3, 45)]:
        frame = frame.Define(f"n{name}", f"int(gRandom->Poisson({mean}))")
        frame = frame.Define(f"{name}_pt", f"many(n{name}, {pt})").Define(f"{name}_eta", f"wide(n{name}, 1.6)")
        frame = frame.Define(f"{name}_phi", f"around(n{name})").Define(f"{name}_charge", f"signs(n{name})")
        columns += [f"n{name}", *(f"{name}_{one}" for one in ("pt", "eta", "phi", "charge"))]
    frame.Snapshot("Events", path, columns)

MASS = (
    "std::sqrt(2. * Muon_pt[0] * Muon_pt[1] * (std::cosh(double(Muon_eta[0]) - Muon_eta[1]) - std::cos(double(Muon_phi[0]) - Muon_phi[1])))"
)
QUERIES = {
    "Q1": [],
    "Q2": [],
    "Q3": ["Any(abs(Jet_eta) < 1)"],
    "Q4": ["Sum(Jet_pt > 40) >= 2"],
    "Q5": ["nMuon >= 2"],
    "Q5, two muons": ["nMuon == 2", "Muon_charge[0] * Muon_charge[1] < 0", f"{MASS} > 60 && {MASS} < 120"],
    "Q6": ["nJet >= 3"],
    "Q7": ["Sum(Jet_pt > 30) >= 1"],
    "Q8": ["nMuon + nElectron >= 3"],
}
frame = ROOT.RDataFrame("Events", path)
names = {str(name) for name in frame.GetColumnNames()}
reports = {}
total = frame.Count()
for query, filters in QUERIES.items():
    if "nElectron" in "".join(filters) and "nElectron" not in names:
        continue
    node = frame
    for i, one in enumerate(filters):
        node = node.Filter(one, f"cut{i + 1}")
    if filters:
        reports[query] = (node, node.Report(), node.Count())
found = {query: [total.GetValue()] for query in QUERIES}
for query, (_, report, _) in reports.items():
    found[query] += [int(report.At(f"cut{i + 1}").GetPass()) for i in range(len(QUERIES[query]))]
print(json.dumps(found))
