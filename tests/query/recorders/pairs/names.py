"""Names of branches that look like parts of the language."""
import array

import ROOT

NAMES = ["ns::x", "map<int>", "a.b::c", "2nd", "p#q", "v<a,b>::y", "3x3mat", "9T.f"]
EXPRESSIONS = ["{}", "{}*2", "1+{}", "sqrt({})", "{}>30", "-{}"]
PAIRS = [
    (
        "query/names.root",
        "t",
        [expression.format(name) for name in NAMES for expression in EXPRESSIONS]
        + [("2nd", f"{name}>10") for name in NAMES]
        + ["pair", "pair+1", "pair.second", "a.b::c:ns::x"],
    )
]


def write(folder):
    file = ROOT.TFile(str(folder / "names.root"), "RECREATE")
    tree = ROOT.TTree("t", "branches with odd names")
    values = [array.array("d", [0.0]) for _ in NAMES]
    for name, value in zip(NAMES, values):
        tree.Branch(name, value, "leaf/D")
    pair = array.array("f", [0.0, 0.0])
    tree.Branch("pair", pair, "first/F:second")
    for entry in range(40):
        for i, value in enumerate(values):
            value[0] = entry * (i + 1) / 4
        pair[0], pair[1] = entry / 2, -entry
        tree.Fill()
    tree.Write()
    file.Close()
