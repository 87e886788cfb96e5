"""RNTuples: against the same entries in a TTree, drawn by TTree::Draw, and real ones against RDataFrame."""
SHORT_ARRAY = "ROOT takes an array of one element for a number: the loop goes on beyond it, with NaN"
TWINS = [
    "Dimuon_mass", "Muon_pt", "Muon_pt[0]", "Muon_pt[1]", "Muon_pt[0]+Muon_pt[1]", "Muon_eta:Muon_phi", "nMuon", "event", "event%7", "Jet_pt", "Jet_pt[0]", "Sum$(Jet_pt)", "Max$(Jet_pt)",
    "Length$(Muon_pt)", "Length$(Jet_pt)", "@Jet_pt.size()", "PV_npvs", "Muon_charge", "Muon_tightId", "Sum$(Muon_charge)", "Muon_pt*cosh(Muon_eta)", "log10(Dimuon_mass)", "Alt$(Jet_pt[1],0)", "run", "MET_pt:MET_phi",
    "trigger", ("trigger", "MET_pt>20"), ("trigger", "MET_pt"), "trigger:nMuon", "MET_pt:trigger", ("MET_pt:trigger", "", "prof"), "Entry$", "Iteration$", "MinIf$(Muon_pt,Muon_charge>0)", "sqrt(MET_pt)",
    ("Muon_pt", "Muon_tightId"), ("Muon_pt", "Muon_pt>10&&Muon_eta<1"), ("Dimuon_mass", "nMuon==2"), ("Dimuon_mass", "Sum$(Muon_charge)==0"), ("MET_pt", "Jet_pt>30"), ("Jet_pt", "MET_pt"), ("Muon_pt", "Jet_pt>30", "", SHORT_ARRAY),
    ("Muon_pt:Muon_eta", "", "prof"), ("Muon_pt:Muon_eta", "", "profs"), ("Muon_pt:Muon_eta:nMuon", "", "prof"), ("Muon_pt", "Muon_pt==Max$(Muon_pt)"), ("MET_pt", "trigger==\"HLT_IsoMu24\""), ("Muon_pt:nMuon", "Muon_charge"),
    ("Dimuon_mass", "MET_pt-20"), "Muon_pt>>h(50,0,100)", "Muon_eta>>h(20,-2,2)", "PV_npvs>>h(60,0,60)", {"expr": "Muon_pt", "entries": [10, 60]}, {"list": True, "cut": "Muon_pt>40"},
    {"scan": "nMuon:Muon_pt:Muon_charge"}, {"scan": "Dimuon_mass:trigger"}, {"scan": "Jet_pt", "cut": "Jet_pt>20"},
]


def rdf(*names, cut=""):
    """Branches as they are, of all entries or of those that pass a cut of entries."""
    more = {"cut": cut, "rdfCut": cut} if cut else {}
    return [{"expr": name, "rdf": f"ROOT::VecOps::RVec<double>({name}.begin(), {name}.end())" if kind else name, **more} for name, kind in names]


LIST, NUMBER = True, False
PAIRS = [
    ("query/twins_ntuple.root", "Events", TWINS, {"twin": "query/twins_tree.root", "section": "The entries of query/twins_tree.root"}),
    ("corpus/unroot/RNTuple__Run2012BC_DoubleMuParked_Muons_rntuple_1000evts.root", "Events", [
        *rdf(("nMuon", NUMBER), ("Muon_pt", LIST), ("Muon_eta", LIST), ("Muon_charge", LIST)),
        *rdf(("Muon_pt", LIST), cut="nMuon==2"),
        {"expr": "Length$(Muon_pt)", "rdf": "(double)Muon_pt.size()"}, {"expr": "Max$(Muon_pt)", "cut": "nMuon>0", "rdf": "(double)Max(Muon_pt)", "rdfCut": "nMuon>0"},
    ]),
    ("corpus/skhep/ntpl001_staff_rntuple_v1-0-0-0.root", "Staff", [
        *rdf(("Age", NUMBER), ("Cost", NUMBER)), *rdf(("Cost", NUMBER), cut="Grade>10"),
        {"expr": "Cost/Age", "rdf": "double(Cost)/Age"}, {"expr": "Age", "cut": "Nation==\"CH\"", "rdf": "Age", "rdfCut": "Nation==\"CH\""},
    ]),
    ("corpus/skhep/cmsopendata2015_ttbar_19980_NANOAOD_RNTupleImporter_rntuple_v1-0-0-1.root", "Events", rdf(("CaloMET_phi", NUMBER), ("CaloMET_pt", NUMBER), ("ChsMET_sumEt", NUMBER))),
    ("corpus/skhep/test_1jag_int_float_rntuple_v1-0-0-0.root", "ntuple", rdf(("one_v_integers", LIST), ("two_v_floats", LIST))),
    ("corpus/skhep/test_multiple_cluster_groups_rntuple_v1-0-0-0.root", "ntuple", rdf(("one", NUMBER), ("int_vector", LIST))),
    ("corpus/skhep/test_float_types_rntuple_v1-0-0-0.root", "ntuple", rdf(("quant8", NUMBER), ("trunc10", NUMBER), ("trunc24", NUMBER))),
]
