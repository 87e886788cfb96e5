"""Writes a file like NanoAOD into the working directory: collections with counters, indices into others, flags.

Also the same lists as vectors (tree "Vectors"), fixed arrays and the same as an RNTuple ("Fields").
"""

import awkward as ak
import numpy as np
import ROOT
import uproot

random = np.random.default_rng(50)
EVENTS = 700


def lists(counts, make):
    return ak.unflatten(make(int(np.sum(counts))), counts)


muons = random.integers(0, 5, EVENTS)
jets = random.integers(0, 7, EVENTS)
muon = ak.zip(
    {
        "pt": lists(muons, lambda n: random.exponential(30, n).astype(np.float32)),
        "eta": lists(muons, lambda n: random.normal(0, 1.5, n).astype(np.float32)),
        "phi": lists(muons, lambda n: random.uniform(-np.pi, np.pi, n).astype(np.float32)),
        "charge": lists(muons, lambda n: random.choice([-1, 1], n).astype(np.int32)),
        "tightId": lists(muons, lambda n: random.random(n) < 0.6),
        "highPtId": lists(muons, lambda n: random.integers(0, 3, n).astype(np.uint8)),
    }
)
jet = ak.zip(
    {
        "pt": lists(jets, lambda n: random.exponential(50, n).astype(np.float32)),
        "eta": lists(jets, lambda n: random.normal(0, 2, n).astype(np.float32)),
        "jetId": lists(jets, lambda n: random.integers(0, 8, n).astype(np.int32)),
        "muonIdx1": lists(jets, lambda n: random.integers(-1, 5, n).astype(np.int16)),
    }
)
single = {
    "run": np.full(EVENTS, 316239, np.uint32),
    "event": np.arange(EVENTS, dtype=np.uint64) * 1000003,
    "MET_pt": random.exponential(40, EVENTS).astype(np.float32),
    "MET_phi": random.uniform(-np.pi, np.pi, EVENTS).astype(np.float32),
    "PV_npvs": random.integers(0, 60, EVENTS).astype(np.int32),
    "genWeight": random.choice([-0.5, 0.25, 1.0, 1.5], EVENTS).astype(np.float32),
    "HLT_IsoMu24": random.random(EVENTS) < 0.4,
}
single["MET_pt"][3] = np.nan
with uproot.recreate("nano.root") as file:
    data = {**single, "Muon": muon, "Jet": jet, "LHEPdfWeight": random.normal(1, 0.1, (EVENTS, 5))}
    types = {name: ak.type(one) if isinstance(one, ak.Array) else (one.dtype, one.shape[1:]) for name, one in data.items()}
    file.mktree("Events", {name: one.content if isinstance(one, ak.types.ArrayType) else one for name, one in types.items()})
    file["Events"].extend(data)

# uproot writes no vectors.
kept = ROOT.TFile("vectors_nano.root", "RECREATE")
tree = ROOT.TTree("Vectors", "")
columns = {"jet_pt": jet["pt"], "jet_eta": jet["eta"], "muon_pt": muon["pt"]}
vectors = {name: ROOT.std.vector("float")() for name in columns}
for name, vector in vectors.items():
    tree.Branch(name, vector)
for entry in range(EVENTS):
    for name, vector in vectors.items():
        vector.clear()
        for value in columns[name][entry]:
            vector.push_back(float(value))
    tree.Fill()
tree.SetAlias("hard", "jet_pt > 40")
tree.Write()
kept.Close()
frame = ROOT.RDataFrame("Events", "nano.root")
names = ["MET_pt", "nMuon", "Muon_pt", "Muon_eta", "Jet_pt", "HLT_IsoMu24"]
options = ROOT.RDF.RSnapshotOptions()
options.fOutputFormat = ROOT.RDF.ESnapshotOutputFormat.kRNTuple
frame.Snapshot("Fields", "fields.root", names, options)
