"""The columns of the flat files: name, type, counter, kind of values, and three numbers of that kind.

The type is the letter of a leaf of ROOT. The counter is the column that has the length of the list, or "-". The kinds of
values are those of Column::value in columns.h.
"""

import random

PI = 3.14159


def h1_columns():
    """152 columns: numbers of an event, and lists with their counters. Names are those of the ntuple of H1's D* analysis."""
    columns = [
        ("nrun", "I", "-", "lumi", 2000, 270000, 0),
        ("nevent", "I", "-", "seq", 3, 1, 0),
        ("nentry", "I", "-", "pois", 2, 0, 0),
        ("md0_d", "F", "-", "gaus", 1.86, 0.08, 0),
        ("dm_d", "F", "-", "exp", 0.02, 0, 0),
        ("ptds_d", "F", "-", "exp", 2.5, 0, 0),
        ("etads_d", "F", "-", "uni", -1.5, 1.5, 0),
        ("ptd0_d", "F", "-", "exp", 2.2, 0, 0),
        ("rpd0_t", "F", "-", "exp", 0.03, 0, 0),
        *((name, "I", "-", "int", 1, 12, 0) for name in ("ik", "ipi", "ipis")),
        ("njets", "I", "-", "pois", 1.4, 0, 0),
    ]

    def add(names, type, counter, kinds):
        for i, name in enumerate(names):
            columns.append((name, type, counter) + kinds(i)[i % len(kinds(i))])

    numbers = """E33 de33 x33 dx33 y33 dy33 E44 de44 x44 dx44 y44 dy44 Ept dept xpt dxpt ypt dypt pelec xelec xvtx yvtx zvtx
        expt eypt ezpt q2e xe ye w2e thetae phie sumpz sumet empz etag ytag t0_cj bsx bsy gammap mass2"""
    add(numbers.split(), "F", "-", lambda i: [("exp", 5 + i, 0, 0), ("gaus", i, 3, 0), ("uni", 0, 100, 14)])
    flags = "runtype trigl1 trigl4 l5class nvtx chtype dtrack isfwd eltype vtxt qual stat"
    add(flags.split(), "I", "-", lambda i: [("geom", 0.3 + 0.05 * i, 0, 0)])
    columns.append(("ntracks", "I", "-", "pois", 4.4, 0, 0))
    columns.append(("nclus", "I", "-", "pois", 2.4, 0, 0))
    tracks = """pt kappa phi theta dtheta z0 dca dz0 rstart rend trlen nlhk nlhpi dedx chi2 ptot px py pz eta curv edca ephi
        ecurv etheta ez0"""
    of_tracks = [("exp", 2, 0, 0), ("uni", -PI, PI, 0), ("gaus", 0, 5, 16), ("uni", 0, 1, 12)]
    add([f"{name}_t" for name in tracks.split()], "F", "ntracks", lambda _: of_tracks)
    whole = "nhitrp prodcode qtrack vtxid nmatch tqual lcode nhcj nhpl"
    add([f"{name}_t" for name in whole.split()], "I", "ntracks", lambda _: [("geom", 0.15, 0, 0)])
    clusters = "e et x y z rad emfrac width len eta phi e1 e2 e3 time tail core conv"
    of_clusters = [("exp", 3, 0, 0), ("uni", -PI, PI, 0), ("uni", 0, 1, 13)]
    add([f"clu_{name}" for name in clusters.split()], "F", "nclus", lambda _: of_clusters)
    add(["clu_n", "clu_typ", "clu_mod"], "I", "nclus", lambda _: [("geom", 0.2, 0, 0)])
    jets = "pt_j eta_j phi_j m_j e_j emf_j wid_j dr_j qj zj tau_j"
    add(jets.split(), "F", "njets", lambda _: [("exp", 6, 0, 0), ("uni", -2.5, 2.5, 0), ("uni", 0, 1, 13)])
    columns.append(("nmu", "I", "-", "pois", 0.5, 0, 0))
    of_muons = [("I", "geom", 0.2, 0, 0), ("F", "exp", 4, 0, 0), ("F", "uni", -3, 3, 0)]
    for i in range(152 - len(columns)):
        type, *values = of_muons[i % 3]
        columns.append((f"mu_{i:02d}", type, "nmu", *values))
    return columns


# Members of the objects of nano_columns after pt, eta, phi and mass; the number of the member is added to the name.
MEMBERS = [
    ("btagDisc", "F", "disc", 0, 0, 10),
    ("charge", "I", "pm", 0, 0, 0),
    ("iso", "F", "exp", 0.2, 0, 10),
    ("cutBased", "b", "geom", 0.4, 0, 0),
    ("id", "O", "bool", 0.8, 0, 0),
    ("dxy", "F", "gaus", 0, 0.02, 10),
    ("nConst", "b", "pois", 12, 0, 0),
    ("pdgId", "I", "pdg", 0, 0, 0),
    ("Idx", "I", "int", -1, 6, 0),
    ("energyFrac", "F", "uni", 0, 1, 8),
]
# Kinds of objects: name, mean number in an event, number of members.
OBJECTS = [
    *[("Jet", 5.5, 38), ("FatJet", 0.9, 36), ("Muon", 1.1, 34), ("Electron", 1.2, 36), ("Tau", 1.0, 28)],
    *[("Photon", 1.4, 26), ("GenPart", 22, 10), ("GenJet", 5, 8), ("SubJet", 1.8, 14), ("SV", 1.6, 14)],
    *[("TrigObj", 12, 9), ("IsoTrack", 1.2, 16), ("SoftActivityJet", 4, 3), ("LHEPart", 5, 8), ("LHEPdfWeight", 30, 1)],
]
SCALARS = """MET PuppiMET RawMET TkMET CaloMET PV BeamSpot Pileup Generator fixedGridRho L1 Flag SoftActivity LHE
    btagWeight""".split()
OF_SCALARS = [
    ("F", "-", "exp", 30, 0, 10),
    ("F", "-", "uni", -PI, PI, 12),
    ("F", "-", "gaus", 0, 10, 12),
    ("I", "-", "pois", 30, 0, 0),
    ("O", "-", "bool", 0.97, 0, 0),
    ("F", "-", "exp", 400, 0, 0),
    ("b", "-", "geom", 0.3, 0, 0),
]


def nano_columns():
    """981 columns as NanoAOD has them: 300 numbers, 281 lists and 400 bits of the trigger."""
    random_numbers = random.Random(20240601)
    head = [
        ("run", "i", "-", "lumi", 50000, 316000, 0),
        ("luminosityBlock", "i", "-", "lumi", 250, 1, 0),
        ("event", "l", "-", "seq", 7, 100000, 0),
    ]
    counters = [(f"n{name}", "i", "-", "pois", mean, 0, 0) for name, mean, _ in OBJECTS]
    lists = []
    for name, _, count in OBJECTS:
        if count == 1:
            lists.append((name, "F", f"n{name}", "gaus", 1, 0.05, 12))
            continue
        members = [
            ("pt", "F", "spt", 25, 0, 10),
            ("eta", "F", "uni", -2.5, 2.5, 12),
            ("phi", "F", "uni", -PI, PI, 12),
            ("mass", "F", "exp", 8, 0, 10),
        ]
        for k in range(count - 4):
            member, *values = MEMBERS[k % 10]
            members.append((f"{member}{k}", *values))
        lists += [(f"{name}_{member}", type, f"n{name}", *values) for member, type, *values in members[:count]]
    scalars = [(f"{SCALARS[i % 15]}_s{i:03d}", *OF_SCALARS[i % 7]) for i in range(300 - len(head) - len(counters))]
    bits = []
    for i in range(400):
        name = f"HLT_Path{i:03d}_v{random_numbers.randint(1, 19)}"
        bits.append((name, "O", "-", "bool", round(10 ** random_numbers.uniform(-4, -0.7), 6), 0, 0))
    half = len(scalars) // 2
    return head + counters + scalars[:half] + lists + scalars[half:] + bits


def scalar_columns():
    """30 numbers an entry, as a flat ntuple of ATLAS has them."""
    values = [
        ("F", "-", "exp", 40000, 0, 0),
        ("F", "-", "uni", -2.5, 2.5, 0),
        ("F", "-", "uni", -PI, PI, 0),
        ("I", "-", "pois", 4, 0, 0),
        ("D", "-", "exp", 91000, 0, 0),
        ("O", "-", "bool", 0.3, 0, 0),
        ("F", "-", "gaus", 0, 1, 12),
        ("S", "-", "geom", 0.1, 0, 0),
        ("i", "-", "int", 0, 1 << 20, 0),
    ]
    return [
        ("runNumber", "I", "-", "lumi", 100000, 284500, 0),
        ("eventNumber", "L", "-", "seq", 5, 1, 0),
        ("mcWeight", "D", "-", "gaus", 1, 0.1, 0),
        *((f"v{i:02d}", *values[i % 9]) for i in range(27)),
    ]
