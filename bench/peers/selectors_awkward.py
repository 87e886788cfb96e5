"""The histograms of bench/selectors.mjs by awkward: selectors_awkward.py HOW QUERY LIST OUT

HOW is uproot, which reads file by file, or coffea, whose processor runs on one thread. LIST is a file with the path of a file
a line; OUT gets the bins as JSON. Prints a line of seconds and MB as JSON.
"""

import json
import resource
import sys
import time

import awkward as ak
import hist
import numpy as np
import uproot


def make(bins, low, high):
    return hist.Hist.new.Reg(bins, low, high).Double()


def p4(events, name):
    """Momenta and energies in double precision, with what else there is."""
    pt, eta, phi, mass = (ak.values_astype(events[f"{name}_{member}"], "float64") for member in ("pt", "eta", "phi", "mass"))
    pz = pt * np.sinh(eta)
    one = {"px": pt * np.cos(phi), "py": pt * np.sin(phi), "pz": pz, "e": np.sqrt(pt**2 + pz**2 + mass**2)}
    return ak.zip({**one, "pt": pt, "phi": phi})


def mass_of(*parts):
    e, px, py, pz = (sum(part[name] for part in parts) for name in ("e", "px", "py", "pz"))
    return np.sqrt(np.maximum(e**2 - px**2 - py**2 - pz**2, 0))


def delta_phi(a, b):
    return (a - b + np.pi) % (2 * np.pi) - np.pi


# ten
TEN = "Muon_pt Muon_eta Muon_phi Jet_pt Jet_eta Jet_phi Jet_mass Electron_pt Electron_eta Electron_phi".split()


def ten(events):
    muons = events[events.nMuon >= 1]
    axes = {name: (-4, 4) if name.endswith(("eta", "phi")) else (0, 201) for name in TEN}
    return {name: make(100, *axis).fill(ak.flatten(muons[name])) for name, axis in axes.items()}


# q1-met
def q1_met(events):
    return {"met": make(100, 0, 200).fill(events.MET_pt)}


# q2-jets
def q2_jets(events):
    return {"pt": make(100, 15, 215).fill(ak.flatten(events.Jet_pt))}


# q3-central-jets
def q3_central_jets(events):
    return {"pt": make(100, 15, 215).fill(ak.flatten(events.Jet_pt[abs(events.Jet_eta) < 1]))}


# q4-two-jets
def q4_two_jets(events):
    return {"met": make(100, 0, 200).fill(events.MET_pt[ak.sum(events.Jet_pt > 40, axis=1) >= 2])}


# q5-z-window
def q5_z_window(events):
    muons = p4(events, "Muon")
    muons["charge"] = events.Muon_charge
    a, b = ak.unzip(ak.combinations(muons, 2))
    mass = mass_of(a, b)
    found = ak.any((a.charge != b.charge) & (mass > 60) & (mass < 120), axis=1)
    return {"met": make(100, 0, 200).fill(events.MET_pt[found])}


# q6-trijet
def q6_trijet(events):
    jets = p4(events, "Jet")
    jets["btag"] = events.Jet_btag
    jets = jets[ak.num(jets) >= 3]
    triples = ak.combinations(jets, 3)
    a, b, c = ak.unzip(triples)
    best = ak.argmin(abs(mass_of(a, b, c) - 172.5), axis=1, keepdims=True)
    a, b, c = ak.unzip(ak.flatten(triples[best]))
    pt = np.hypot(a.px + b.px + c.px, a.py + b.py + c.py)
    tag = np.maximum(a.btag, np.maximum(b.btag, c.btag))
    return {"pt": make(100, 0, 400).fill(pt), "btag": make(50, 0, 1).fill(tag)}


# q7-isolated-jets
def q7_isolated_jets(events):
    def members(name, least):
        names = ("pt", "eta", "phi")
        all = ak.zip({member: ak.values_astype(events[f"{name}_{member}"], "float64") for member in names})
        return all[all.pt > least]

    jets = members("Jet", 30)
    for lepton in (members("Muon", 10), members("Electron", 10)):
        jet, other = ak.unzip(ak.cartesian([jets, lepton], nested=True))
        distance = np.sqrt((jet.eta - other.eta) ** 2 + delta_phi(jet.phi, other.phi) ** 2)
        jets = jets[~ak.any(distance < 0.4, axis=2)]
    return {"sum": make(100, 0, 800).fill(ak.sum(jets.pt, axis=1))}


# q8-beside-z
def q8_beside_z(events):
    def leptons(name, flavour):
        all = p4(events, name)
        all["charge"] = events[f"{name}_charge"]
        all["flavour"] = flavour
        return all

    all = ak.concatenate([leptons("Muon", 0), leptons("Electron", 1)], axis=1)
    enough = ak.num(all) >= 3
    all, met, met_phi = all[enough], events.MET_pt[enough], events.MET_phi[enough]
    all["index"] = ak.local_index(all)
    pairs = ak.combinations(all, 2, fields=["a", "b"])
    pairs = pairs[(pairs.a.flavour == pairs.b.flavour) & (pairs.a.charge != pairs.b.charge)]
    found = ak.num(pairs) >= 1
    pairs, all, met, met_phi = pairs[found], all[found], met[found], met_phi[found]
    best = ak.firsts(pairs[ak.argmin(abs(mass_of(pairs.a, pairs.b) - 91.2), axis=1, keepdims=True)])
    others = all[(all["index"] != best.a["index"]) & (all["index"] != best.b["index"])]
    top = ak.firsts(others[ak.argmax(others.pt, axis=1, keepdims=True)])
    met, met_phi = ak.values_astype(met, "float64"), ak.values_astype(met_phi, "float64")
    return {"mt": make(100, 0, 250).fill(np.sqrt(2 * met * top.pt * (1 - np.cos(met_phi - top.phi))))}


# end
def by_uproot(query, branches, files):
    total = None
    for file in files:
        with uproot.open(file) as opened:
            more = query(opened["Events"].arrays(branches))
        total = more if total is None else {name: total[name] + one for name, one in more.items()}
    return total


def by_coffea(query, _branches, files):
    from coffea import processor
    from coffea.nanoevents import BaseSchema

    run = processor.Runner(executor=processor.IterativeExecutor(status=False), schema=BaseSchema)
    return run({"all": files}, query, treename="Events")


def branches_of(query):
    """The branches of a query, which coffea finds out by itself."""
    met, jets = ["MET_pt", "MET_phi"], [f"Jet_{name}" for name in ("pt", "eta", "phi", "mass", "btag")]
    muons, electrons = ([f"{one}_{name}" for name in ("pt", "eta", "phi", "mass", "charge")] for one in ("Muon", "Electron"))
    return {
        "ten": [*TEN, "nMuon"],
        "q1-met": met[:1],
        "q2-jets": jets[:1],
        "q3-central-jets": jets[:2],
        "q4-two-jets": [*met[:1], *jets[:1]],
        "q5-z-window": [*met[:1], *muons],
        "q6-trijet": jets,
        "q7-isolated-jets": [*jets[:3], *muons[:3], *electrons[:3]],
        "q8-beside-z": [*met, *muons, *electrons],
    }[query]


if __name__ == "__main__":
    how, name, listed, out = sys.argv[1:]
    with open(listed) as lines:
        files = lines.read().split("\n")
    if how == "coffea":
        import coffea.nanoevents
        import coffea.processor
    query = globals()[name.replace("-", "_")]
    start, cpu = time.perf_counter(), time.process_time()
    result = (by_coffea if how == "coffea" else by_uproot)(query, branches_of(name), files)
    wall_s, cpu_s = time.perf_counter() - start, time.process_time() - cpu
    with open(out, "w") as file:
        json.dump({key: one.values(flow=True).tolist() for key, one in result.items()}, file)
    print(json.dumps({"wall_s": wall_s, "cpu_s": cpu_s, "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
