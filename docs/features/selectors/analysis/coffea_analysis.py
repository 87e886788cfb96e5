"""The analysis of selector.mjs by coffea, correctionlib and hist. Writes histograms as `xylem process --shapes` does, and a JSON file
with all of them and the cutflow.

    python coffea_analysis.py samples.json LUMINOSITY OUT.root OUT.json
"""
import glob
import gzip
import json
import sys

import awkward as ak
import correctionlib
import hist
import numpy as np
import uproot
from coffea import processor
from coffea.lumi_tools import LumiMask
from coffea.nanoevents import NanoAODSchema

NanoAODSchema.warn_missing_crossrefs = False
CUTS = ["all", "good runs", "trigger", "two muons", "opposite charge", "mass above 60", "tagged"]
SIGNAL = [110, 160, 220, 300, 380, 420, 500, 800]
CONTROL = [60, 80, 88, 94, 102, 120, 180, 400]
AXES = {
    "muon1/pt": (50, 0, 250),
    "muon1/eta": (25, -2.5, 2.5),
    "muon1/phi": (32, -3.2, 3.2),
    "muon1/isolation": (30, 0, 0.15),
    "muon2/pt": (50, 0, 250),
    "muon2/eta": (25, -2.5, 2.5),
    "pair/mass": (60, 60, 120),
    "pair/pt": (50, 0, 250),
    "pair/rapidity": (25, -2.5, 2.5),
    "pair/deltaPhi": (32, 0, 3.2),
    "pair/deltaR": (50, 0, 5),
    "jets/number": (10, -0.5, 9.5),
    "jets/tagged": (6, -0.5, 5.5),
    "jets/pt1": (50, 0, 250),
    "jets/eta1": (25, -2.5, 2.5),
    "jets/pt2": (50, 0, 250),
    "jets/score": (25, 0, 1),
    "jets/ht": (50, 0, 500),
    "met": (50, 0, 200),
    "vertices": (60, -0.5, 59.5),
    "signal": SIGNAL,
    "control": CONTROL,
}
VARIATIONS = ["muonSf", "pileup", "btag", "jes", "muonScale"]


def axis(edges):
    if isinstance(edges, list):
        return hist.axis.Variable(edges, name="x")
    return hist.axis.Regular(*edges, name="x")


class Analysis(processor.ProcessorABC):
    def __init__(self):
        with gzip.open("corrections.json.gz", "rt") as file:
            self.corrections = correctionlib.CorrectionSet.from_string(file.read())
        self.good = LumiMask("GoodRuns.json")

    def per_object(self, name, array, *inputs):
        """Evaluates a correction for each object of each event."""
        counts = ak.num(array)
        flat = [one if isinstance(one, str) else np.asarray(ak.flatten(one)) for one in inputs]
        return ak.unflatten(self.corrections[name].evaluate(*flat), counts)

    def process(self, events):
        out = {
            "shapes": {
                key: hist.Hist(hist.axis.StrCategory([], name="variation", growth=True), axis(edges), storage="weight")
                for key, edges in AXES.items()
            },
            "cuts": {cut: np.zeros(3) for cut in CUTS},
            "weights": 0.0,
        }
        simulated = "genWeight" in events.fields
        if simulated:
            weight = ak.to_numpy(events.genWeight).astype(float)
            out["weights"] = float(np.sum(weight))
        else:
            weight = np.ones(len(events))
        self.count(out, "all", weight)
        if not simulated:
            keep = self.good(events.run, events.luminosityBlock)
            events, weight = events[keep], weight[keep]
        self.count(out, "good runs", weight)
        keep = ak.to_numpy(events.HLT.IsoMu24)
        events, weight = events[keep], weight[keep]
        self.count(out, "trigger", weight)
        self.select(out, events, weight, "nominal", simulated)
        if simulated:
            for name in VARIATIONS:
                for way in ("Up", "Down"):
                    self.select(out, events, weight, name + way, simulated)
        return {events.metadata["dataset"]: out}

    def count(self, out, cut, weight):
        out["cuts"][cut] = out["cuts"][cut] + [np.sum(weight), np.sum(weight**2), len(weight)]

    def select(self, out, events, weight, variation, simulated):
        def way(name, nominal, up, down):
            return {f"{name}Up": up, f"{name}Down": down}.get(variation, nominal)

        def count(cut, weight):
            if variation == "nominal":
                self.count(out, cut, weight)

        def wide(array):
            return ak.values_astype(array, "float64")

        muons, jets = events.Muon, events.Jet
        for name in ("pt", "eta", "phi", "mass"):
            muons[name] = wide(muons[name])
            jets[name] = wide(jets[name])
        muons["pt"] = muons.pt * way("muonScale", 1, 1.004, 0.996)
        sign = way("jes", 0, 1, -1)
        if sign != 0:
            jets["pt"] = jets.pt * (1 + sign * self.per_object("jes_uncertainty", jets.pt, abs(jets.eta), jets.pt))
        muons = muons[(muons.pt > 15) & (abs(muons.eta) < 2.4) & muons.tightId & (wide(muons.pfRelIso04_all) < 0.15)]
        muons = muons[ak.argsort(muons.pt, ascending=False, stable=True)]
        keep = (ak.num(muons) >= 2) & (ak.max(muons.pt, axis=1) > 26)
        keep = ak.to_numpy(ak.fill_none(keep, False))
        muons, jets, events, weight = muons[keep][:, :2], jets[keep], events[keep], weight[keep]
        if simulated:
            factors = self.per_object("muon_sf", muons.pt, abs(muons.eta), muons.pt, way("muonSf", "nominal", "systup", "systdown"))
            true = ak.to_numpy(events.Pileup.nTrueInt).astype(float)
            piled = self.corrections["pileup"].evaluate(true, way("pileup", "nominal", "up", "down"))
            weight = weight * ak.to_numpy(ak.prod(factors, axis=1)) * piled
        count("two muons", weight)
        keep = ak.to_numpy(muons.charge[:, 0] != muons.charge[:, 1])
        muons, jets, events, weight = muons[keep], jets[keep], events[keep], weight[keep]
        count("opposite charge", weight)
        pair = muons[:, 0] + muons[:, 1]
        keep = ak.to_numpy(pair.mass > 60)
        muons, jets, events, weight, pair = muons[keep], jets[keep], events[keep], weight[keep], pair[keep]
        count("mass above 60", weight)

        jets = jets[(jets.pt > 30) & (abs(jets.eta) < 2.4)]
        near = jets.metric_table(muons) < 0.4
        jets = jets[~ak.any(near, axis=2)]
        tagged = wide(jets.btagDeepFlavB) > 0.7
        if simulated:
            flavour = ak.values_astype(jets.hadronFlavour, "int64")
            factor = self.per_object("btag_sf", jets.pt, way("btag", "central", "up", "down"), flavour, jets.pt)
            efficiency = self.per_object("btag_efficiency", jets.pt, flavour)
            weight = weight * ak.to_numpy(ak.prod(ak.where(tagged, factor, (1 - factor * efficiency) / (1 - efficiency)), axis=1))
        number = ak.to_numpy(ak.sum(tagged, axis=1))
        count("tagged", weight[number > 0])

        def fill(name, values, chosen=None):
            values = ak.to_numpy(values)
            some = slice(None) if chosen is None else ak.to_numpy(chosen)
            out["shapes"][name].fill(variation=variation, x=values[some], weight=weight[some])

        one, two = muons[:, 0], muons[:, 1]
        fill("muon1/pt", one.pt)
        fill("muon1/eta", one.eta)
        fill("muon1/phi", one.phi)
        fill("muon1/isolation", wide(one.pfRelIso04_all))
        fill("muon2/pt", two.pt)
        fill("muon2/eta", two.eta)
        fill("pair/mass", pair.mass)
        fill("pair/pt", pair.pt)
        fill("pair/rapidity", np.log((pair.energy + pair.pz) / (pair.energy - pair.pz)) / 2)
        fill("pair/deltaPhi", abs(one.delta_phi(two)))
        fill("pair/deltaR", one.delta_r(two))
        fill("jets/number", ak.num(jets))
        fill("jets/tagged", number)
        fill("met", wide(events.MET.pt))
        fill("vertices", events.PV.npvs)
        fill("signal", pair.mass, number > 0)
        fill("control", pair.mass, number == 0)
        jets = jets[ak.argsort(jets.pt, ascending=False, stable=True)]
        first = ak.firsts(jets)
        has = ~ak.is_none(first)
        fill("jets/pt1", ak.fill_none(first.pt, 0), has)
        fill("jets/eta1", ak.fill_none(first.eta, 0), has)
        fill("jets/score", ak.fill_none(ak.max(wide(jets.btagDeepFlavB), axis=1), 0), has)
        second = ak.firsts(jets[:, 1:])
        fill("jets/pt2", ak.fill_none(second.pt, 0), ~ak.is_none(second))
        fill("jets/ht", ak.sum(jets.pt, axis=1))

    def postprocess(self, accumulator):
        return accumulator


def main(path, luminosity, root, text):
    samples = json.load(open(path))["samples"]
    files = {one["name"]: {"treename": "Events", "files": sorted(sum(map(glob.glob, one["files"]), []))} for one in samples}
    run = processor.Runner(processor.IterativeExecutor(status=False), schema=NanoAODSchema, savemetrics=False)
    made = run(files, processor_instance=Analysis())
    everything = {}
    with uproot.recreate(root) as target:
        for one in samples:
            name, section = one["name"], one.get("crossSection")
            got = made[name]
            scale = 1.0 if section is None else section * luminosity / got["weights"]
            shown = {"cuts": {cut: [scale * s, scale**2 * q, n] for cut, (s, q, n) in got["cuts"].items()}, "shapes": {}}
            for key, all_of in got["shapes"].items():
                for variation in all_of.axes["variation"]:
                    h = all_of[{"variation": variation}]
                    h = hist.Hist(*h.axes, storage="weight", data=np.stack([h.values(True) * scale, h.variances(True) * scale**2], axis=-1))
                    suffix = "" if variation == "nominal" else f"_{variation}"
                    target[f"{key}/{'data_obs' if section is None else name}{suffix}"] = h
                    shown["shapes"][key + suffix] = {"sums": h.values(True).tolist(), "squares": h.variances(True).tolist()}
            everything[name] = shown
    json.dump(everything, open(text, "w"))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4])
