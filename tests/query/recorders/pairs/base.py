"""Expressions and cuts over files of all kinds: (file, tree, [expression or (expression, cut, option, deviation)])."""
import ROOT

import friends

ODD_EDGES = True

# Where ROOT does something else than its documentation says, or than any reader would expect.
SHORT_ARRAY = "ROOT takes an array of one element for a number: the loop goes on beyond it, with NaN"
REPEATED = "ROOT evaluates Alt$ once an entry where the expression has no other loop"
CHAINED = "Comparisons in a row: ROOT groups them from the right, xylem refuses them"
ACROSS = "ROOT runs over the end of a row where arrays of different numbers of dimensions line up; xylem pairs their first dimensions"
OUTSIDE = "ROOT reads memory that belongs to no element where an inner index has none; xylem leaves the entry out"
LEADING = "ROOT takes the other value of Alt$ from the second iteration on where the first names one element, in some expressions; xylem takes the element"
# The bins agree; of the axes that Draw chooses itself ROOT's are not taken over.
INFINITE = "ROOT gives up on the range where a value is infinite; xylem takes that of the finite ones"
INTEGERS = "ROOT loses the ends of 64-bit integers"
AXES = {
    ("fixtures/leaves.root", "leaf_L", ""): INTEGERS, ("fixtures/leaves.root", "leaf_ul", ""): INTEGERS,
    ("fixtures/leaves.root", "leaf_F", ""): INFINITE, ("fixtures/leaves.root", "leaf_I+leaf_F", ""): INFINITE,
    ("fixtures/leaves.root", "leaf_D", "leaf_O"): INFINITE, ("fixtures/leaves.root", "leaf_F", "leaf_F"): INFINITE,
    ("fixtures/leaflists.root", "u", ""): INTEGERS,
}
CLAMPED = "ROOT takes the last element where the index of an inner dimension is too large"

ARITHMETIC = [
    "x", "i", "n+m", "1-2-3+x", "8/4*2*x", "7%4*2+i", "2*7%4+i", "10-7%4", "100%7%4+x", "i%4", "i%3*2", "2^3^2*x",
    "2**3+x", "-2^2+x", "-x^2", "2*-x", "2^-1*x", "!i", "!i+1", "!x>0", "!!i", "x-(-x)", "(1<<2+1)*x", "(1<<2*3)+i",
    "(7%4<<1)+i", "(1<<7%4)+i", "1|2==2", "i&3", "i|4", "3&1|4+i", "x>0", "x>=0.5", "i==2", "i!=2", "i<=-1",
    "x>0&&i>0", "x>0||i>0", "1||0&&0", "x/0", "0/0+x", "i/2", "x/(i+1)", "x>0?x:-x", "x>0?1:x<-1?2:3",
    "Entry$%2?x:-x", "1e3*x", "1.5e-2*x", "0x10+i", ".5*x", "sqrt(x)", "log(x)", "log(abs(x))", "log10(x+10)", "exp(x)",
    "exp(x*100)", "sin(x)", "cos(x)", "tan(x)", "asin(x)", "acos(x/20)", "atan(x)", "atan2(x,i)", "sinh(x/4)",
    "cosh(x/4)", "tanh(x)", "asinh(x)", "acosh(x)", "atanh(x/10)", "hypot(x,i)", "min(x,i)", "max(x,i)", "floor(x)",
    "ceil(x)", "round(x)", "int(x)", "sign(x)", "abs(i)", "fabs(x)", "pow(x,2)", "pow(2,x)", "fmod(x,3)", "sq(x)",
    "TMath::Sqrt(x*x)", "TMath::Abs(x)", "TMath::Power(x,3)", "TMath::Max(x,1.)", "TMath::Min(x,1.)",
    "TMath::ATan2(x,2)", "TMath::Hypot(x,3)", "TMath::Exp(x/5)", "TMath::Log(x*x+1)", "TMath::Log10(x*x+1)",
    "TMath::Log2(x*x+1)", "TMath::Cos(x)", "TMath::Sin(x)", "TMath::Tan(x)", "TMath::ACos(x/20)", "TMath::ASin(x/20)",
    "TMath::Nint(x)", "TMath::Floor(x)", "TMath::Ceil(x)", "TMath::Sign(2,x)", "TMath::Sq(x)", "TMath::Odd(i)",
    "TMath::Even(i)", "TMath::Range(-1,1,x)", "TMath::Freq(x)", "TMath::Erf(x)", "TMath::Erfc(x)", "TMath::Gaus(x,1,2)",
    "TMath::Gaus(x,1,2,1)", "TMath::BreitWigner(x,1,2)", "TMath::Poisson(n,2.5)", "TMath::Gamma(n+1)",
    "TMath::LnGamma(n+1.5)", "TMath::Pi()*x", "TMath::DegToRad()*x", "TMath::TwoPi()-x", "TVector2::Phi_mpi_pi(x)",
    "pi*x", "l", "l-1099511627776", "u", "u-4e9", "k", "k+1", "c", "c==97", "twice", "twice+1", "ratio",
    "cbrt(x)", "trunc(x)", "log2(x*x+1)", "log1p(x*x)", "expm1(x/5)", "exp2(x)", "erf(x)", "isnan(x)", "Entry$", "Entries$",
]
ARRAYS = [
    "a", "a+x", "a*i", "a[0]", "a[1]", "a[1]+x", "a[n-1]", "a+b", "a:b", "b:a", "a[0]*b", "a*b[0]", "a[0]:b", "x:a", "a:x",
    "mat", "mat[1]", "mat[1][]", "mat[][1]", "mat[1][1]", "mat[][]", "mat+v3", "v3+mat", "mat-res",
    "mat[][2]-res[][1]", "mat[][2]-res[3][]", "mat[2][1]-res[4][1]", "mat*0+a", "vm", "vm[][1]", "vm[1]", "vm[1][]",
    "vm+a", "vm+v3", "y", "y[1]", "y[][1]", "y[][][1]", "y[1][][1]+v3", ("y-mat", "", "", ACROSS), "vf", "vf[0]", "vf[2]", "vf[n]",
    "@vf.size()", "Length$(vf)", "Length$", "Length$(a)", "Length$(x)", "Length$(mat)", "Sum$(a)", "Sum$(a*b)",
    "Sum$(a>10)", "Min$(a)", "Max$(a)", "Min$(vf)", "Max$(vf+x)", "MinIf$(a,a>10)", "MaxIf$(a,a<30)",
    "MinIf$(a,Iteration$>0)", "Alt$(a[1],-1)", "Alt$(a,-1)", "a-Alt$(b,0)", "b-Alt$(a,0)", "Alt$(a,0)-Alt$(b,0)",
    "Alt$(a[0],-1)+x", "b:Alt$(a[1],-7)", "Iteration$", "Iteration$*(a>-1e9)", "a*0+Iteration$", "mat*0+Iteration$",
    "a[m]", "a[i]", "a[Iteration$]", "mat[i][1]", "mat[n%3]", "a[-1]", "a[9]", "Sum$(a)>20", "Sum$(a[0])", "Max$(a)-Min$(a)",
    "a/Sum$(a)", "Sum$(Sum$(a))", "Sum$(a/(Sum$(abs(a))+1))", "a>10?a:-1", "x>0?a:b", "a^2", "sqrt(a)", "!a", "-a", "Min$(b)+a",
    "Length$*(a>-1e9)", "Length$:a", "Sum$(Iteration$*(a>-1e9))", "Sum$(1)", "Sum$(Alt$(a,3))", "min(a,2)", "max(a,b[0])", " a [ 0 ] ",
    "y:x:i", "a:x:n", "mat:v3", "n:i", "a:vf", "sin(a):cos(a)", "Sum$(mat[][1])", "Max$(mat[1])", "mat[2]", "Entry$:a",
]
CUTS = [
    ("x", "x>0"), ("x", "i"), ("x", "x*(x>0)"), ("x", "0.5"), ("x", "n>1&&m>1"), ("x", "a>0"), ("x", "a[0]>0"),
    ("x", "a[1]>0"), ("x", "!(a>0)"), ("x", "Sum$(a)>20"), ("x", "Length$(a)==2"), ("x", "Max$(a)"), ("x", "b[0]"),
    ("x", "s==\"odd\""), ("x", "s!=\"odd\""), ("x", "cs==\"yes\""), ("x", "strstr(s,\"v\")"), ("x", "\"even\"==s"), ("x", "s==cs"),
    ("x", "s==\"odd\"&&cs==\"yes\"||i>3"), ("a", "a>20"), ("a", "x>0"), ("a", "b>5"), ("a", "a*2"), ("a", "Sum$(b)>20"),
    ("a", "Iteration$==1"), ("a", "Iteration$<Length$-1"), ("a", "a==Max$(a)"), ("a", "b"), ("a:b", "a>b"), ("b:a", "x>0&&a>20"),
    ("a:b", "a*b"), ("mat", "v3>2"), ("mat", "mat>10&&v3"), ("vm", "a>0"), ("a", "vm[][1]>3"), ("n", "Length$(a)==2"), ("x", "k"),
    ("x", "1"), ("x", "0"), ("x", "twice>3"), ("ratio", "ratio>0"), ("vf", "vf>3"), ("vf", "@vf.size()>2"), ("x", "Alt$(a[2],0)>10"),
    ("x:i", "x>0"), ("y:x:i", "x>0"), ("x", "Entry$<10"), ("x:i", "", "prof"), ("a:n", "a>0", "prof"),
    ("a:x", "b[0]", "prof"), ("x:i:n", "", "prof"), ("vf:x", "vf", "prof"), ("log(x)", "x<1"), ("1/x", "x!=0"), ("x/x", ""),
]
DEVIATIONS = [
    ("x>0?1:0", "1<x<3", "", CHAINED), ("5==5==5", "", "", CHAINED), ("k==x>0", "", "", CHAINED),
    ("mat[][n]", "", "", CLAMPED), ("a:Alt$(b,-7)", "", "", REPEATED), ("Alt$(a,5)", "b>=-1e9", "", REPEATED),
]
SAMPLE = [
    "Muon_pt", "Muon_pt[0]", "Muon_pt[1]+Muon_pt[0]", "Muon_eta:Muon_phi", "Dimuon_mass", "log10(Dimuon_mass)", "nMuon", "event",
    "Jet_pt", "Jet_pt[0]", "Sum$(Jet_pt)", "@Jet_pt.size()", "Max$(Jet_pt)", "Muon_pt*cosh(Muon_eta)", "PV_npvs", "Muon_charge",
    "Muon_charge[0]+Muon_charge[1]", "Muon_tightId", "Sum$(Muon_tightId)",
    ("Muon_pt", "Muon_tightId"), ("Muon_pt", "abs(Muon_eta)<1.2 && Muon_pfRelIso<0.15"), ("Dimuon_mass", "Sum$(Muon_charge)==0"),
    ("Dimuon_mass", "nMuon==2 && Muon_charge[0]!=Muon_charge[1]"), ("MET_pt", "Sum$(Jet_pt>30)>=2"), ("MET_pt", "Jet_pt>30"),
    ("MET_pt:MET_phi", "Dimuon_mass>60&&Dimuon_mass<120"), ("Dimuon_mass", "trigger==\"HLT_IsoMu24\""),
    ("Dimuon_mass", "strstr(trigger,\"Mu17\")"), ("Muon_pt", "MET_pt/100"), ("Muon_pt:Muon_eta", "", "prof"),
    ("sqrt(2*Muon_pt[0]*Muon_pt[1]*(cosh(Muon_eta[0]-Muon_eta[1])-cos(Muon_phi[0]-Muon_phi[1])))", "nMuon>=2"),
    ("MET_pt:Dimuon_mass:PV_npvs", "MET_pt<60"), ("Muon_pt/Jet_pt[0]", "nMuon==2"), ("MaxIf$(Muon_pt,abs(Muon_eta)<1)", ""),
    ("Alt$(Jet_pt[1],0)", "MET_pt>20"), ("Muon_pt", "Muon_pt==Max$(Muon_pt)"), ("Muon_pt", "Iteration$==0"), ("Entry$", "Dimuon_mass>80"),
]
HZZ = [
    "NJet", "Jet_Px", "sqrt(Jet_Px^2+Jet_Py^2)", "Muon_E", "MET_px:MET_py", "sqrt(MET_px*MET_px+MET_py*MET_py)", "Muon_Iso",
    "Sum$(Muon_E)", "Max$(Jet_E)", "Muon_Px[0]+Muon_Px[1]", "Jet_ID", "triggerIsoMu24", "EventWeight", "Muon_Charge",
    ("Muon_E", "Muon_Charge>0"), ("Muon_E", "EventWeight"), ("NJet", "EventWeight*(NMuon>=2)"), ("Jet_E", "Jet_btag>2"),
    ("sqrt((Muon_E[0]+Muon_E[1])^2-(Muon_Px[0]+Muon_Px[1])^2-(Muon_Py[0]+Muon_Py[1])^2-(Muon_Pz[0]+Muon_Pz[1])^2)",
     "NMuon==2&&Muon_Charge[0]*Muon_Charge[1]<0"),
    ("Muon_Py:Muon_Px", "Muon_Iso<5"), ("Jet_E:NJet", "", "prof"), ("NJet:NMuon", "triggerIsoMu24"), ("Length$(Jet_E)", "Jet_E[0]>50"),
    ("Jet_Px-Alt$(Muon_Px[0],0)", "NJet>2", "", LEADING), ("MCleptonPDGid", "abs(MCleptonPDGid)==13"),
]
ZMUMU = ["M", "pt1", "pt1:pt2", "eta1-eta2", "Q1*Q2", "sqrt(px1^2+py1^2)", ("M", "Q1!=Q2"), ("M", "pt1>30&&pt2>30"),
         ("pt1", "Type==\"GG\""), ("pt1", "Type!=\"GT\"&&abs(eta1)<1"), ("E1/E2", "E2>0"), ("M:eta1", "", "prof"), ("Run", ""), ("Event", "Event%2")]
HZZ_OBJECTS = ["muonp4.Pt()", "muonp4.Eta()", "muonp4.Phi()", "muonp4.M()", "muonp4.E()", "muonp4.P()", "muonp4[0].Pt()", "MET.Mod()",
               "MET.X()", ("muonp4.Pt()", "muonq>0"), ("jetp4.Pt()", "jetbtag>2"), "muonp4.fE", "muonp4.fP.fX", "MET.fX", "@muonp4.size()",
               "Length$(muonp4.fE)", "muonp4.Px():muonp4.Py()", "muonp4.Rapidity()", "muonp4.Theta()", "Sum$(jetp4.Pt())"]
OBJECTS = [
    "event.run", "run", "number", "good", "weight", "matrix", "matrix[1]", "matrix[][2]", "matrix[1][2]", "values", "values*weight", "values[0]",
    "vertex.x", "vertex.x+vertex.y", "momentum.X()", "momentum.Pt()", "momentum.Mag()", "momentum.Eta()", "momentum.Phi()", "momentum.fX", "samples", "samples[1]",
    "@samples.size()", "hits.energy", "hits.id", "hits.energy[0]", "hits.pos", "hits.pos[][1]", "hits.pos[0]", "hits.pos[0][2]", "@hits.size()", "Sum$(hits.energy)",
    "Length$(hits.id)", "dotted.x", "scalars.i", "scalars.f*2", "packed.dRange", "weights.second", "Max$(hits.energy)", ("hits.energy", "hits.id>2"),
    ("weight", "good"), ("values", "vertex.n>1"), ("hits.pos[][0]", "hits.energy>1"), ("vertex.x", "label==\"label 3\""), ("vertex.x", "comment!=\"\""),
    ("weight", "hits.name==\"hit 1\""), "nValues-Length$(values)", "number%7", "hits[0].energy" , "hits.energy:hits.id",
]
VECTORS = ["v_bool", "v_char", "v_short", "v_unsigned_short", "v_int", "v_unsigned_int", "v_long_long", "v_float", "v_double", "v_Double32_t", "v_float[0]",
           "v_float+v_double", "Sum$(v_int)", "@v_int.size()", "Length$(v_string)", "vv_short", "vv_short[0]", "vv_short[][0]", "vv_short[][1]", "vv_short[1][]", ("vv_short[1][1]", "", "", OUTSIDE),
           "Length$(vv_short)", "Sum$(vv_short)", "@vv_short.size()", "Max$(vv_short[0])", ("v_float", "v_string==\"a\""), ("v_float", "v_int>0"), ("v_short", "v_float>2"), "vv_short+v_int",
           ("v_int", "Length$(v_int)>2"), "v_double:v_float"]
FIXED = ["fixed_I", "fixed_I[1]", "fixed_F-fixed_D", "counted_F", "counted_F/fixed_D", "counted_I[2]", "grid", "grid[1]", "grid[][1]", "grid[1][2]", "cube", "cube[1][0]", "cube[][][1]",
         "pairs", "pairs[][2]", "pairs[0]", "counted_O", "Sum$(counted_S)", "nb*counted_D", "counted_us:counted_I", ("counted_F", "counted_O"), ("fixed_D", "grid[0][]>0"), "pairs[][0]-pairs[][1]",
         "grid-fixed_I", "one", "one[0]", "one*n", ("n", "one>0"), "tagged", "Max$(pairs[][1])", "counted_ul%5", "counted_L", ("cube-grid", "", "", ACROSS)]
LEAFLISTS = ["plain.a", "plain.b", "a", "b*2", "c", "small.x", "small.y", "small.y[1]", "y[0]+x", "wide.grid", "wide.grid[1]", "wide.grid[][0]", "wide.w", "u", "small.flag", ("plain.c", "small.flag"), "text.id", ("plain.a", "text.label==\"label 3\"")]
LEAVES = ["leaf_B", "leaf_ub", "leaf_S", "leaf_us", "leaf_I", "leaf_ui", "leaf_L", "leaf_ul", "leaf_F", "leaf_D", "leaf_uf", "leaf_ud", "leaf_O", "leaf_I+leaf_F", ("leaf_D", "leaf_O"), ("leaf_F", "leaf_F"), "leaf_us%7", "leaf_ub&15", "leaf_us|1"]
COLLECTIONS = ["hits.energy", "hits.id", "hits.pos[][1]", "@hits.size()", ("hits.energy", "hits.id>1"), "lvs.Pt()", "lvs.fE", "clones.fE", "Sum$(hits.energy)"]

FRIENDS = [
    "z", "f.z", "extra.z", "f.x", "x-f.x", "x:f.z", "f.z:x", "more", "f.more[1]", ("f.more+a", "", "", SHORT_ARRAY), "a:more", "vec", "f.vec[0]", "f.vec+x", "Sum$(vec)", "Sum$(f.more)+Sum$(a)",
    "@vec.size()", "Length$(f.vec)", "f.m*n", "Max$(f.vec)", "Alt$(f.vec[2],-1)", "Entry$+z", "both", "both*2", "p4.Pt()", "f.p4.E()", "p4.Phi():x", "f.p4.fE",
    ("x", "f.z>0"), ("x", "word==\"whole\""), ("f.z", "x>0"), ("a", "vec>20", "", SHORT_ARRAY), ("vec", "a>3"), ("f.vec", "f.vec*0.5"), ("z", "x<0&&f.m>2"), ("f.z:x", "", "prof"), ("x", "strstr(f.word,\"third\")"),
    "ix.w", "w", "indexed.w", "ix.w-x", "ix.run-run", "ix.event-event", "hits", "ix.hits+x", "Sum$(ix.hits)", "ix.w:x", "x:ix.w", "a:hits", "ix.hits[0]", "Length$(hits)", "w+z",
    ("x", "ix.w>40"), ("w", "hits"), ("x", "Sum$(hits)>100"), ("ix.w:x", "f.z>0", "prof"), "few.w", "few.w-x", ("few.w", "few.w>10"), ("few.hits", "x>0"), ("few.w:ix.w", ""),
    "beside.b", "b", "b/(x*x+1)", ("x", "b>1000"), "beside.b+f.z+ix.w", "t.x", "t.x+f.x",
]

PAIRS = [
    ("query/arrays.root", "t", ARITHMETIC + ARRAYS + CUTS + DEVIATIONS),
    ("public/sample.root", "Events", SAMPLE),
    ("fixtures/arrays.root", "t", FIXED),
    ("fixtures/vectors.root", "t", VECTORS),
    ("fixtures/leaves.root", "t", LEAVES),
    ("fixtures/leaflists.root", "t", LEAFLISTS),
    ("fixtures/objects_split99.root", "t", OBJECTS),
    ("fixtures/objects_split0.root", "t", ["event.weight", "event.number", "event.vertex.x", "event.matrix[1]", "event.hits.energy"]),
    ("fixtures/collections_split99.root", "t", COLLECTIONS),
    ("query/friends.root", "t", FRIENDS),
    ("corpus/skhep/uproot-HZZ.root", "events", HZZ),
    ("corpus/skhep/uproot-Zmumu.root", "events", ZMUMU),
    ("corpus/skhep/uproot-HZZ-objects.root", "events", HZZ_OBJECTS),
]


ARRAYS_ROOT = """
struct ArraysOfAllShapes {
    int n = 0, m = 0, i = 0;
    float a[10], b[10], mat[3][3], res[5][2], v3[3], vm[10][3], y[2][2][2];
    std::vector<float> vf;
    double x = 0;
    unsigned u = 0;
    long long l = 0;
    bool k = false;
    char c = 0;
    std::string s;
    char cs[20];
};
void write_arrays(const char *path) {
    std::unique_ptr<TFile> f(TFile::Open(TString(path) + "?reproducible=arrays.root", "recreate", "", 101));
    TTree t("t", "arrays of all shapes");
    ArraysOfAllShapes p;
    t.Branch("n", &p.n, "n/I");
    t.Branch("a", p.a, "a[n]/F");
    t.Branch("m", &p.m, "m/I");
    t.Branch("b", p.b, "b[m]/F");
    t.Branch("mat", p.mat, "mat[3][3]/F");
    t.Branch("res", p.res, "res[5][2]/F");
    t.Branch("v3", p.v3, "v3[3]/F");
    t.Branch("vm", p.vm, "vm[n][3]/F");
    t.Branch("y", p.y, "y[2][2][2]/F");
    t.Branch("vf", &p.vf);
    t.Branch("x", &p.x, "x/D");
    t.Branch("i", &p.i, "i/I");
    t.Branch("u", &p.u, "u/i");
    t.Branch("l", &p.l, "l/L");
    t.Branch("k", &p.k, "k/O");
    t.Branch("c", &p.c, "c/B");
    t.Branch("s", &p.s);
    t.Branch("cs", p.cs, "cs/C");
    // Never a single element in one array and more in another: see "deviations".
    const int ns[] = {0, 2, 3, 2, 5, 0, 4, 3}, ms[] = {2, 0, 4, 2, 3, 3, 2, 5};
    for (int e = 0; e < 64; e++) {
        p.n = ns[e % 8];
        p.m = ms[(e / 3) % 8];
        for (int q = 0; q < 10; q++) p.a[q] = e + 10 * q * (q % 2 ? 1 : -1), p.b[q] = e * 0.25f - q;
        for (int q = 0; q < 9; q++) (&p.mat[0][0])[q] = q + e * 0.5f;
        for (int q = 0; q < 10; q++) (&p.res[0][0])[q] = 0.25f * q;
        for (int q = 0; q < 3; q++) p.v3[q] = q * 3;
        for (int q = 0; q < 30; q++) (&p.vm[0][0])[q] = q - e % 5;
        for (int q = 0; q < 8; q++) (&p.y[0][0][0])[q] = q * q - e % 7;
        p.vf.clear();
        for (int q = 0; q < (e * 7) % 6; q++) p.vf.push_back(e % 10 + q * 0.5);
        p.x = (e - 20.5) / 4;
        p.i = e % 13 - 6;
        p.u = 4000000000u + e;
        p.l = (1ll << 40) + e * e;
        p.k = e % 3 == 1;
        p.c = 'a' + e % 26;
        p.s = e % 2 ? "odd" : e % 4 ? "even" : "four";
        strcpy(p.cs, e % 3 ? "yes" : "nope");
        t.Fill();
    }
    t.SetAlias("twice", "2*x");
    t.SetAlias("ratio", "twice/(n+1)");
    t.Write();
}
"""


def write(folder):
    ROOT.gInterpreter.Declare(ARRAYS_ROOT)
    ROOT.write_arrays(str(folder / "arrays.root"))
    friends.write(str(folder))
