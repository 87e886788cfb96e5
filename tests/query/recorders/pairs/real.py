"""Real files of experiments and of tests, of the corpus: leaves of all kinds, sizes, cuts, profiles and scans."""

RANGED = "ROOT takes an array of Double32_t or Float16_t with a range for one number, because it reads the range as dimensions"
FLAGS = "ROOT shows the bits that an object has in memory, not those in the file"
OFFSETS = "ROOT loses the entries' places in baskets without offsets"
EMPTY = "ROOT reads a wrong value behind a basket without entries"
NONE = "ROOT draws nothing of a tree with fMaxEntryLoop 0"
SKIPPED = "ROOT does not read the branch that a condition skips for the first instance of an entry"
STRIDE = "ROOT mixes up the dimensions behind a computed index of an array of four dimensions"
COUNTED = "ROOT counts a vector of objects that is not split as one object"
UNLOOPED = "ROOT draws nothing where an index is computed and the cut is an array"
EMULATED = "ROOT without the code of a class reads 0 or what was in memory for members of such collections"
LISTS = "ROOT loses elements of a vector of vectors"
FLOATS = "ROOT computes methods of vectors of floats in floats, which differ from those in doubles in the eighth digit"
LATER = "ROOT draws the first string in place of the one that is asked for"
PAIRS = [
    ("corpus/gohep/root_numpy_struct.root", "test", [
        ("branch1.floatleaf", "branch2.floatleaf>0"), ("branch1.floatleaf", "branch2.floatleaf"), "branch1.floatleaf:branch2.floatleaf",
        ("branch1.floatleaf:branch2.floatleaf", "", "prof"), {"scan": "branch1.floatleaf:branch2.floatleaf", "limit": 8}, "branch1.intleaf",
        "branch1.intleaf*2+1", "branch1.floatleaf",
    ]),
    ("corpus/unroot/TNtupleD.root", "n1", [
        ("y", "x>0"), ("y", "x"), "y:x", ("y:x", "", "prof"), {"scan": "y:x", "limit": 8}, "x", "x*2+1", "y",
    ]),
    ("corpus/gohep/padding.root", "tree", [
        ("nop.x1", "pad.x2>0"), ("nop.x1", "pad.x2"), "nop.x1:pad.x2", ("nop.x1:pad.x2", "", "prof"), {"scan": "nop.x1:pad.x2", "limit": 8}, "pad.x1",
        "pad.x1*2+1", "pad.x2",
    ]),
    ("corpus/unroot/issue165.root", "arrays", [
        "carr[0]", "Sum$(carr)", "Length$(carr)", ("carr", "cstr.el>0"), ("carr", "cstr.el"), "carr:cstr.el", ("carr:cstr.el", "", "prof"),
        {"scan": "carr:cstr.el", "limit": 8}, "n",
    ]),
    ("corpus/gohep/tntuple.root", "ntup", [
        ("y", "x>0"), ("y", "x"), "y:x", ("y:x", "", "prof"), {"scan": "y:x", "limit": 8}, "x", "x*2+1", "y",
    ]),
    ("corpus/gohep/tntupled.root", "ntup", [
        ("y", "x>0"), ("y", "x"), "y:x", ("y:x", "", "prof"), {"scan": "y:x", "limit": 8}, "x", "x*2+1", "y",
    ]),
    ("corpus/unroot/tree_with_doubly_jagged.root", "t1", [
        "bi[0]", "Sum$(bi)", "Length$(bi)", ("bi", "bf>0"), ("bi", "bf"), "bi:bf", ("bi:bf", "", "prof"), {"scan": "bi:bf", "limit": 8}, "bi",
    ]),
    ("corpus/roottest/tree__selectorreader__trees__TreeVector.root", "TreeVector", [
        "vpx[0]", "Sum$(vpx)", "Length$(vpx)", ("vb", "vpx>0"), ("vb", "vpx"), "vb:vpx", ("vb:vpx", "", "prof"), {"scan": "vb:vpx", "limit": 8}, "vpx",
    ]),
    ("corpus/unroot/ttreeindex.root", "t", [
        ("major", "val>0"), ("major", "val"), "major:val", ("major:val", "", "prof"), {"scan": "major:val", "limit": 8}, "major", "major*2+1", "minor",
    ]),
    ("corpus/unroot/TNtuple.root", "n1", [
        ("y", "z>0"), ("y", "z"), "y:z", ("y:z", "", "prof"), {"scan": "y:z", "limit": 8}, "x", "x*2+1", "y",
    ]),
    ("corpus/unroot/issue165_multiple_baskets.root", "arrays", [
        "carr[0]", "Sum$(carr)", "Length$(carr)", ("carr", "n>0"), ("carr", "n"), "carr:n", ("carr:n", "", "prof"), {"scan": "carr:n", "limit": 8},
        "n",
    ]),
    ("corpus/roottest/treeproxy__longtree1.root", "longtree", [
        ("p", "ts>0"), ("p", "ts"), "p:ts", ("p:ts", "", "prof"), {"scan": "p:ts", "limit": 8}, "ev", "ev*2+1", "ts",
    ]),
    ("corpus/skhep/uproot-double32-float16.root", "tree", [
        "array_30[0]", "array_30[1]", ("float16_3", "double32_5>0"), ("float16_3", "double32_5"), "float16_3:double32_5",
        ("float16_3:double32_5", "", "prof"), {"scan": "float16_3:double32_5", "limit": 8}, "float16_5", "float16_5*2+1",
    ]),
    ("corpus/roottest/io__evolution__issue-8083__stringarray.old.root", "t", [
        "Length$(cont.obj.fOutputNames)", "obj.fOutputNames[0]", "obj.fOutputNames[1]", "obj.fOutputInstance",
    ]),
    ("corpus/roottest/treeproxy__btagobjs.root", "btagging", [
        "jets.label[0]", "Sum$(jets.label)", "Length$(jets.label)", "jets.label", "label", "jets.fBits",
    ]),
    ("corpus/gohep/ndim-slice.root", "tree", [
        "SliU16[0]", "Sum$(SliU16)", "Length$(SliU16)", "SliU16", "SliI64", "SliF32",
    ]),
    ("corpus/gohep/no-streamer-string.root", "sumWeights", [
        "names_mc_generator_weights[0]", "Length$(names_mc_generator_weights)", "totalEventsWeighted_mc_generator_weights[0]",
        ("names_mc_generator_weights", "totalEventsWeighted>0"), ("names_mc_generator_weights", "totalEventsWeighted"),
        {"scan": "names_mc_generator_weights:totalEventsWeighted", "limit": 8}, "dsid", "dsid*2+1", "AMITag",
    ]),
    ("corpus/gohep/ndim.root", "tree", [
        "ArrD32[0]", "ArrI64[0]", "Sum$(ArrI64)", "ArrI64", "ArrBs", "ArrU16",
    ]),
    ("corpus/gohep/chain.flat.1.root", "tree", [
        "ArrU8[0]", "Sum$(ArrU8)", "Length$(ArrU8)", ("ArrU8", "ArrI8"), "ArrU8", "I64", "I64*2+1",
    ]),
    ("corpus/gohep/x-flat-tree.root", "tree", [
        "SliD16[0]", "SliD16[1]", "ArrD32[0]", ("I32", "U64>0"), ("I32", "U64"), "I32:U64", ("I32:U64", "", "prof"), {"scan": "I32:U64", "limit": 8},
        "U64",
    ]),
    ("corpus/gohep/leaves.root", "tree", [
        "SliI32[0]", "Sum$(SliI32)", "Length$(SliI32)", "SliI32", "SliU16", "D16",
    ]),
    ("corpus/skhep/uproot-stl_containers.root", "tree", [
        "Length$(map_int32_vector_int16)", "vector_vector_tstring[0]", "vector_string[0]", "vector_string", "vector_int32",
    ]),
    ("corpus/gohep/std-containers-split00.root", "tree", [
        "vec_set_i32[0]", "Sum$(vec_set_i32)", "Length$(vec_set_i32)", "vec_set_i32", "vec_vec_u32", "vec_i32",
    ]),
    ("corpus/skhep/uproot-small-dy-nooffsets.root", "tree", [
        "Length$(Muon_charge)", "Length$(Muon_pt)", "Jet_jetId[0]", ("nMuon", "event>0"), ("nMuon", "event"), "nMuon:event",
        ("nMuon:event", "", "prof"), {"scan": "nMuon:event", "limit": 8}, "nJet",
    ]),
    ("corpus/roottest/treeformula__array__orange.root", "h1", [
        "Vnt_fmckin_id[0]", "Sum$(Vnt_fmckin_id)", "Length$(Vnt_fmckin_id)", "Vnt_kin_n:two", ("Vnt_kin_n:two", "", "prof"),
        {"scan": "Vnt_kin_n:two", "limit": 8}, "Vnt_fmckin_id", "Vnt_fmckin_n", "Vnt_fmckin_n*2+1",
    ]),
    ("corpus/skhep/uproot-small-dy-withoffsets.root", "tree", [
        "Jet_pt[0]", "Sum$(Jet_pt)", "Length$(Jet_pt)", ("event", "nJet>0"), ("event", "nJet"), "event:nJet", ("event:nJet", "", "prof"),
        {"scan": "event:nJet", "limit": 8}, "nJet",
    ]),
    ("corpus/roottest/io__evolution__skim.root", "rootTree", [
        "Sum$(MCbc.mu2chi2)", "Length$(MCbc.mu2chi2)", "Sum$(Bvx.yb)", "ntrk", "Muo.sctimeB", "sctimeB",
    ]),
    ("corpus/roottest/treeformula__scan__missingString.root", "t", [
        "Sum$(fSambaSubRecs.fSambaEventNumber)", "Length$(fSambaSubRecs.fSambaEventNumber)", "fSingleBoloSubRecs.fEnergyIon[0]",
        ("fDataCleaningWord.fUniqueID", "fTriggerType>0"), ("fDataCleaningWord.fUniqueID", "fTriggerType"), "fDataCleaningWord.fUniqueID:fTriggerType",
        ("fDataCleaningWord.fUniqueID:fTriggerType", "", "prof"), {"scan": "fDataCleaningWord.fUniqueID:fTriggerType", "limit": 8},
        "fEdwHLAMuonVetoSysRecord.fPcTimeMuSec",
    ]),
    ("corpus/skhep/uproot-nesteddirs.root", "one/two/tree", [
        "SliceInt64[0]", "Sum$(SliceInt64)", "Length$(SliceInt64)", ("SliceInt64", "Float32>0"), ("SliceInt64", "Float32"), "SliceInt64:Float32",
        ("SliceInt64:Float32", "", "prof"), {"scan": "SliceInt64:Float32", "limit": 8}, "SliceInt64",
    ]),
    ("corpus/skhep/uproot-nesteddirs.root", "one/tree", [
        "three[0]", "Sum$(three)", "Length$(three)", ("two", "three>0"), ("two", "three"), {"scan": "two:three", "limit": 8}, "one", "one*2+1", "two",
    ]),
    ("corpus/unroot/km3net_dst_v5.1_10events.root", "E", [
        "trks.rec_stages[0]", "Sum$(trks.rec_stages)", "Length$(trks.rec_stages)", ("trks.pos.x", "frame_index>0"), ("trks.pos.x", "frame_index"),
        "trks.pos.x:frame_index", ("trks.pos.x:frame_index", "", "prof"), {"scan": "trks.pos.x:frame_index", "limit": 8}, "frame_index",
    ]),
    ("corpus/unroot/km3net_dst_v5.1_10events.root", "T", [
        "Sum$(tmuon.hit_ids)", "Length$(tmuon.hit_ids)", "Length$(sum_mc_hits)", ("tmuon.id", "Etot>0"), ("tmuon.id", "Etot"), "tmuon.id:Etot",
        ("tmuon.id:Etot", "", "prof"), {"scan": "tmuon.id:Etot", "limit": 8}, "Etot",
    ]),
    ("corpus/unroot/triply_jagged_via_custom_class.root", "E", [
        "trks.comment[0]", "trks.comment[1]", "Sum$(hits.pattern_flags)", {"scan": "mc_trks.E:mc_trks.fBits", "limit": 8}, "fBits", "E",
        "trks.rec_type",
    ]),
    ("corpus/unroot/cms_ntuple_wjet.root", "variable", [
        "good_jets_btag_score[0]", "Sum$(good_jets_btag_score)", "Length$(good_jets_btag_score)", ("fCoordinates.fPt", "run>0"),
        ("fCoordinates.fPt", "run"), "fCoordinates.fPt:run", ("fCoordinates.fPt:run", "", "prof"), {"scan": "fCoordinates.fPt:run", "limit": 8},
        "fCoordinates.fPhi",
    ]),
    ("corpus/gohep/x-flat-tree.root", "tree", [
        {"expr": "SliD16", "deviation": RANGED},
        {"expr": "Length$(SliD16)", "deviation": RANGED, "truth": "ak.num(a.SliD16)"},
    ]),
    ("corpus/skhep/uproot-issue-1502.root", "tree", [{"expr": "fBits", "deviation": FLAGS, "truth": "a['fBits']"}]),
    ("corpus/skhep/uproot-small-dy-nooffsets.root", "tree", [
        {"expr": "Muon_charge", "deviation": OFFSETS, "truth": "a.Muon_charge"}, {"expr": "Sum$(Muon_pt)", "deviation": OFFSETS, "truth": "ak.sum(ak.values_astype(a.Muon_pt, 'f8'), axis=1)"},
    ]),
    ("corpus/gohep/tbase.root", "tree", ["d2.I32", "d2.D32", "d1.I32", "d2.I32:d1.D32", ("d1.D32", "d2.I32>3"), {"scan": "d1.I32:d2.I32"}]),
    ("corpus/skhep/uproot-issue-513.root", "TrkAnaNeg/trkana", [
        ("demcent._mom.X()", "demcent._mom.R()>100"), ("demcent._mom.fCoordinates.fX", "demcxit._pos.Theta()>1"), "demc._opos.Z()",
        ("demc._opos.Theta()", "", "", FLOATS), ("demcmid._pos.R()", "", "", FLOATS), ("demcxit._pos.Eta()", "", "", FLOATS),
    ]),
    ("corpus/roottest/meta__evolution__cscdstarmb.root", "CSCData", ["@tracks.size()", ("@tracks.size()", "@tracks.size()>2")]),
    ("corpus/roottest/treeformula__stl__RefTest.root", "Events", ["EventAux.id_", "Provenance.data_.product.module.pass", "Provenance.data_.cid"]),
    ("corpus/roottest/treeformula__clones__nesting3.root", "outTTree", ["Entry$", "Entry$+event", "Iteration$", ("run", "Entry$<20")]),
    ("fixtures/clusters.root", "t", [
        "s[Length$(s)-1]", ("s[0]", "s>0"), {"expr": "s[Length$(s)-1]", "cut": "s>0", "deviation": UNLOOPED, "truth": "[x[-1] for x in a.s for y in x if y > 0]"},
    ]),
    ("corpus/roottest/treeformula__array__rawpixel_witharray.root", "pixel", [{"expr": "plane.hits_.station", "deviation": EMULATED}]),
    ("corpus/roottest/io__evolution__v5names__qualifiedName_v5.root", "t", [{"expr": "fEvent.fTracks.fValue", "deviation": EMULATED}]),
    ("corpus/roottest/io__evolution__CMS.root", "test", [{"expr": "Coll_test.collection.s", "deviation": EMULATED}]),
    ("corpus/roottest/treeformula__stl__AthenaCrossSection.root", "CollectionTree", [{"expr": "reco_ee_charge", "deviation": LISTS, "truth": "a.reco_ee_charge"}]),
    ("corpus/skhep/uproot-issue-750.root", "tout", [{"expr": "leading_lepton_pt", "deviation": EMPTY, "truth": "a.leading_lepton_pt"}]),
    ("corpus/skhep/uproot-issue413.root", "mytree", [{"expr": "F64", "deviation": NONE, "truth": "a.F64"}]),
    ("corpus/skhep/uproot-HZZ.root", "events", [
        {"expr": "Photon_Pz>10?Photon_Pz:Photon_Py", "deviation": SKIPPED, "truth": "ak.where(a.Photon_Pz > 10, a.Photon_Pz, a.Photon_Py)"},
    ]),
    ("corpus/gohep/ndim.root", "tree", [{"expr": "ArrI32[Entry$%2]", "deviation": STRIDE, "truth": "[x[i % 2] for i, x in enumerate(np.array(a.ArrI32))]"}]),
    ("corpus/skhep/uproot-issue404.root", "Model", [{"expr": "Length$(Model.midRefPos)", "deviation": COUNTED, "truth": "ak.num(a['Model./Model.midRefPos'])"}]),
    ("corpus/skhep/uproot-stl_containers.root", "tree", [{"expr": "vector_vector_string", "deviation": LATER, "truth": "a.vector_vector_string"}]),
    ("corpus/gohep/no-streamer-string.root", "sumWeights", [{"expr": "names_mc_generator_weights[1]", "deviation": LATER, "truth": "a.names_mc_generator_weights[:, 1]"}]),
]
