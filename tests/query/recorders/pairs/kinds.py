"""Leaves of all types with their extreme values, arrays, collections, strings, objects, lists of leaves, names with dots, aliases."""
import os
import tempfile

import ROOT


def write(folder):
    """kinds.root: 60 entries; no array of variable size has exactly one element, because ROOT goes on beyond those."""
    with tempfile.TemporaryDirectory() as made:
        before = os.getcwd()
        os.chdir(made)
        ROOT.gInterpreter.GenerateDictionary("vector<vector<int>>", "vector")
        os.chdir(before)
    ROOT.gInterpreter.Declare(r"""
void write_kinds(const char *path) {
    TFile f(path, "recreate");
    TTree t("t", "kinds");
    Char_t c; UChar_t uc; Short_t s; UShort_t us; Int_t i; UInt_t u; Long64_t l; ULong64_t ul; Float_t fl; Double_t d, w; Bool_t b; Long_t g;
    Int_t n, n2, m[6], row2[6][2]; Float_t v[6]; Double_t grid[2][3]; Bool_t vb[6]; Char_t cs[24], cv[6];
    std::string st; std::vector<std::string> vs; std::vector<float> vf; std::vector<std::vector<int>> vvi; std::vector<TLorentzVector> vlv;
    TLorentzVector lor; TClonesArray clones("TLorentzVector", 10), *pclones = &clones;
    struct { Int_t a; Float_t x; Double_t y; } list;
    t.Branch("c", &c, "c/B"); t.Branch("uc", &uc, "uc/b"); t.Branch("s", &s, "s/S"); t.Branch("us", &us, "us/s");
    t.Branch("i", &i, "i/I"); t.Branch("u", &u, "u/i"); t.Branch("l", &l, "l/L"); t.Branch("ul", &ul, "ul/l");
    t.Branch("fl", &fl, "fl/F"); t.Branch("d", &d, "d/D"); t.Branch("w", &w, "w/D"); t.Branch("b", &b, "b/O"); t.Branch("g", &g, "g/G");
    t.Branch("n", &n, "n/I"); t.Branch("n2", &n2, "n2/I"); t.Branch("m", m, "m[n]/I"); t.Branch("row2", row2, "row2[n][2]/I");
    t.Branch("v", v, "v[n]/F"); t.Branch("grid", grid, "grid[2][3]/D"); t.Branch("vb", vb, "vb[n]/O"); t.Branch("cv", cv, "cv[n]/B");
    t.Branch("cs", cs, "cs/C"); t.Branch("st", &st); t.Branch("vs", &vs); t.Branch("vf", &vf); t.Branch("vvi", &vvi);
    t.Branch("lor", &lor); t.Branch("vlv", &vlv); t.Branch("clones", &pclones); t.Branch("whole.", &pclones, 32000, 0);
    t.Branch("list", &list, "a/I:x/F:y/D"); t.Branch("dot.x", &d, "x/D");
    const char *names[] = {"alpha", "beta", "gamma delta", "a\"b", "alpha2", "z,z"};
    const int sizes[] = {0, 2, 3, 4, 5, 6};
    TRandom3 r(4711);
    for (int e = 0; e < 60; e++) {
        c = e % 7 == 0 ? -128 : e % 7 == 1 ? 127 : e - 30; uc = e % 5 ? e : 255; s = e % 9 ? (e - 30) * 7 : -32768; us = e % 8 ? e * 300 : 65535;
        i = e % 11 ? (e - 30) * 12345 : INT_MIN; u = e % 6 ? e * 20000000u : 4294967295u; l = (e - 30) * 1234567890123LL; ul = e * 98765432101ULL;
        fl = e % 20 == 7 ? NAN : e % 20 == 8 ? INFINITY : r.Gaus(0, 3); d = r.Exp(10); w = r.Gaus(); b = e % 3 == 0; g = e * e;
        n = sizes[e % 6]; n2 = (e * 3) % 5;
        for (int k = 0; k < 6; k++) {
            m[k] = (e * 17 + k * 31) % 23 - 11; v[k] = r.Gaus(k, 1 + k); vb[k] = (e + k) % 2; cv[k] = 65 + (e + k) % 20;
            row2[k][0] = k * e % 13; row2[k][1] = -k;
        }
        for (int a = 0; a < 2; a++) for (int q = 0; q < 3; q++) grid[a][q] = r.Uniform(-1, 1) * (a + 1) + q;
        strcpy(cs, names[e % 6]); st = names[(e / 2) % 6];
        vs.clear(); vf.clear(); vvi.clear(); vlv.clear(); clones.Clear();
        for (int k = 0; k < (e % 4 == 1 ? 2 : e % 4); k++) {
            vs.push_back(names[(e + k) % 6]);
            TLorentzVector p;
            p.SetPtEtaPhiM(r.Exp(15) + 1, r.Gaus(), r.Uniform(-3, 3), 0.105);
            vlv.push_back(p);
            new (clones[k]) TLorentzVector(p);
        }
        for (int k = 0; k < ((e * 5) % 6 == 1 ? 2 : (e * 5) % 6); k++) vf.push_back(r.Gaus(2, 2));
        for (int k = 0; k < (e % 4 == 1 ? 2 : e % 4); k++) {
            vvi.push_back({});
            for (int q = 0; q < ((e + k) % 5 == 1 ? 2 : (e + k) % 5); q++) vvi.back().push_back(e * 10 + k * 3 - q);
        }
        lor.SetPtEtaPhiM(r.Exp(20) + 1, r.Gaus(0, 1.5), r.Uniform(-3, 3), 0.1 * (e % 5 + 1));
        list.a = e; list.x = e * .5f; list.y = e * e;
        t.Fill();
    }
    t.SetAlias("twice", "2*d"); t.SetAlias("nest", "twice+Sum$(v)"); t.SetAlias("jet", "v"); t.SetAlias("sel", "n>2&&b");
    t.Write();
}
""")
    ROOT.write_kinds(str(folder / "kinds.root"))


ADDRESS = "ROOT takes the address of a std::string for a number"
UNSPLIT = "ROOT counts a TClonesArray that is not split as one object"
ONCE = "ROOT takes the first value only of an index that is an array of variable size, where the indexed array has dimensions of fixed size or is a vector of vectors, or it reads beyond the array"
BESIDE = "ROOT reads the element before or after where an index of an inner dimension has none"
NESTED = "ROOT takes the last list where the index of a vector of vectors is too large"

CHARACTERS = "ROOT takes an array of 8-bit integers for a string; xylem takes numbers"
NOTHING = "ROOT draws nothing of a collection of objects by its name; xylem draws how many there are"
INFINITE = "ROOT gives up on the range where a value is infinite; xylem takes that of the finite ones"
AXES = {("query/kinds.root", expr, ""): INFINITE for expr in ("fl", "min(fl,1)", "max(fl,1)", "min(1,fl)", "TMath::Min(fl,1)", "TMath::Max(1,fl)")}

PICKED = "[x for r, ks in zip({0}, a.m) for k in ks for x in (r[int(np.fmod(k, 2))] if 0 <= int(np.fmod(k, 2)) < len(r) else {1})]"

LENGTHS = [
    "Length$(vlv)", "Length$(clones)", "Length$(vs)", "Length$(vf)", "Length$(vvi)", "Length$(vlv.fE)", "Length$(clones.fE)", "Length$(lor)",
    "Length$(st)", "Length$(cs)", "Length$(m)", "Length$(grid)", "Length$(row2)", "Length$(d)", "Length$(vlv)+Length$(clones)",
    "Length$(vlv)*n", ("d", "Length$(clones)>2"), ("d", "Length$(vlv)==2"), ("vlv.Pt()", "Length$(vlv)>1"), ("v", "Length$(vlv)"),
    ("v", "Length$(vlv)>2&&v>0"), "Sum$(Length$(vlv))", "Length$(vvi[0])", "Length$(vlv):Length$(m)", "@vlv.size()", "@clones.size()",
    {"expr": "Length$(whole.)", "deviation": UNSPLIT, "truth": "ak.num(a.vs)"},
    {"scan": "Length$(vlv):Length$(clones):Length$(vs):@vf.size()"},
]
INDICES = [
    "row2[m%2]", "row2[m>0]", "row2[n2]", "row2[][n2%2]", "grid[n2%2]", "grid[][n2%3]", "grid[n2%2][n2%3]", "vvi[0]", "vvi[1]", "vvi[][0]", "v[m%2]", "v[m>0]",
    "v[n-1]", "vf[n2]", "m[n]", "m[-1]", "Alt$(m[3],-5)", "Alt$(vf[4],-1)", "Sum$(row2[m>0])", ("row2[m%2]", "v>0"), "n[0]", "d[0]+v", "(m)[0]", "list.x[0]",
    {"expr": "grid[m%2]", "deviation": ONCE, "truth": PICKED.format("a.grid", "[np.nan] * 3")},
    {"expr": "vvi[n2]", "deviation": NESTED, "truth": "[x for r, k in zip(a.vvi, a.n2) if k < len(r) for x in r[k]]"},
    {"expr": "vvi[n]", "deviation": NESTED, "truth": "[x for r, k in zip(a.vvi, a.n) if k < len(r) for x in r[k]]"},
]
METHODS = [
    "vlv.Pt()", "vlv.Pt()[0]", "vlv.Pt()[1]", "clones.Pt()[0]", "vlv[0].Pt()", "clones[1].Pt()", ("vlv.Pt()[0]", "v>0"), "vlv.Pt()[0]+v", "Sum$(vlv.Pt()[0])",
    "vlv.Pt()[5]", "lor.Rho()", "lor.Vect().Mag()", "lor.BoostVector().X()", "lor.Et2()", "lor.Plus()", "lor.Minus()", "lor.Gamma()", "lor.Beta()", "lor.Rapidity()",
    "lor.fP.fX", "lor.Px()", "vlv.fP.fX", "whole.fE", "whole.Pt()", "lor.Vect().Eta()", "vlv.Phi():vlv.Eta()", ("vlv.E()", "vlv.Pt()>10"), "TMath::ASin(w)", "TMath::ACos(w)", "TMath::ACosH(w)",
    {"expr": "clones", "deviation": NOTHING},
]
OPERATORS = [
    "n>>1>>h(10,0,10)", "n<<1>>h(20,0,20)", "-n<<1", "-8>>1", "min(fl,1)", "max(fl,1)", "min(1,fl)", "TMath::Min(fl,1)", "TMath::Max(1,fl)", "fl", "isnan(fl)", "TMath::Finite(fl)",
    "0.3+0*n>>h(100,0,10)", "n/10.>>h(100,0,10)", "n2*0.1+4>>h(30,3,6)", "m/2>>h(50,-5,5)", "n:m>>h(40,-4,4)", "n:m>>h(5,0,50,7)", "n>>h(10,,100)", "n>>h(10,7,0)",
]
WEIGHTS = [
    ("d", "w"), ("v", "w"), ("d:v", "w"), ("i%7", "w"), ("n", "w*(v>0)"), ("d", "-1"), ("d", "n-2"), ("v:n", "n-2"), ("d:n", "w", "prof"), ("v:n", "n-2", "prof"),
    ("n:m:v", "w"), ("d", "w*1e6"), ("d", "w>0"), ("d", "d"), ("vlv.Pt()", "w"), ("d", "b-0.5"), ("n", "0.1"), ("m", "vb"), ("m", "m"), ("v", "v"),
]
LEAVES = [
    "c", "uc", "s", "us", "i", "u", "l", "ul", "d", "b", "g", "l%1000", "us%7", "u/2", "b+n", "vb", "g%9", "Entry$", "Entries$", "Iteration$", "m:Iteration$", "a", "x", "y", "list.y:list.a", "list",
    "dot.x", "jet", "jet[0]", "twice", "twice[0]", "nest", "jet+v", ("d", "sel"), "jet[1]:jet", "n2:n", "v:m:n", "y:x",
    {"scan": "c:uc:s:us:i:u"}, {"scan": "l:ul:d:fl"}, {"scan": "m", "cut": "m>0"}, {"scan": "m[1]"}, {"scan": "vf:v"}, {"scan": "n:m:row2"}, {"scan": "list"},
    {"expr": "cv", "deviation": CHARACTERS, "truth": "a.cv"},
    {"list": True, "cut": "v>3"}, {"list": True, "cut": "cs==\"beta\""}, {"list": True, "cut": "Length$(vlv)>2"},
]
PAIRS = [
    ("query/kinds.root", "t", LENGTHS, {"section": "Length$ and sizes"}),
    ("query/kinds.root", "t", INDICES, {"section": "Indices"}),
    ("query/kinds.root", "t", METHODS, {"section": "Methods and members"}),
    ("query/kinds.root", "t", OPERATORS, {"section": "Operators, NaN, values on edges"}),
    ("query/kinds.root", "t", WEIGHTS, {"section": "Weights of both signs"}),
    ("query/kinds.root", "t", LEAVES, {"section": "Leaves of all types, aliases, lists of leaves"}),
]
