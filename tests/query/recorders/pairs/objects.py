"""Objects in every form: split and not, alone, in collections of ROOT and of the standard library, behind pointers."""
import atexit
import pathlib
import shutil
import tempfile

import ROOT

HERE = pathlib.Path(__file__).resolve().parent.parent


def load_classes():
    if ROOT.TClass.GetClass("ObEvent", True, True):
        return
    folder = pathlib.Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, True)
    shutil.copy(HERE / "objects.h", folder)
    ROOT.gErrorIgnoreLevel, level = ROOT.kWarning, ROOT.gErrorIgnoreLevel
    ROOT.gROOT.ProcessLine(f".L {folder}/objects.h+")
    ROOT.gErrorIgnoreLevel = level


load_classes()


def write(folder):
    """objects.root: a tree of events at three split levels, and collections and objects on their own at two."""
    ROOT.gInterpreter.Declare(r"""
void ob_events(int split) {
    ObEvent ev, *p = &ev;
    TTree t(TString::Format("e%d", split), "events");
    t.Branch(split == 1 ? "ev." : "ev", &p, 16000, split);
    for (int e = 0; e < 16; e++) ev.Set(e), t.Fill();
    t.Write();
}
void ob_alone(int split) {
    ObEvent ev;
    TClonesArray *clones = &ev.clones;
    TLorentzVector *lor = &ev.lor;
    ObTrack *best = &ev.best;
    TObjArray *array = &ev.array;
    TList *list = &ev.list;
    TTree t(TString::Format("c%d", split), "collections and objects on their own");
    t.Branch("clones", &clones, 8000, split);
    t.Branch("dclones.", &clones, 8000, split);
    t.Branch("lor", &lor, 8000, split);
    t.Branch("dlor.", &lor, 8000, split);
    t.Branch("best", &best, 8000, split);
    t.Branch("dbest.", &best, 8000, split);
    t.Branch("tracks", &ev.tracks, 8000, split);
    t.Branch("ptracks", &ev.ptracks, 8000, split);
    t.Branch("points", &ev.points, 8000, split);
    t.Branch("lpoints", &ev.lpoints, 8000, split);
    t.Branch("mpoints", &ev.mpoints, 8000, split);
    t.Branch("weights", &ev.weights, 8000, split);
    t.Branch("vlor", &ev.vlor, 8000, split);
    t.Branch("v3s", &ev.v3s, 8000, split);
    t.Branch("vvpoints", &ev.vvpoints, 8000, split);
    t.Branch("vvi", &ev.vvi, 8000, split);
    t.Branch("head", &ev.head, 8000, split);
    if (split == 0) {
        t.Branch("array", &array, 8000, 0);
        t.Branch("list", "TList", &list, 8000, 0);
    }
    for (int e = 0; e < 16; e++) ev.Set(e), t.Fill();
    t.Write();
}
void ob_references() {
    ObPair pair, *p = &pair;
    TTree t("r0", "pointers to one object");
    t.Branch("pair", &p, 8000, 0);
    for (int e = 0; e < 8; e++) {
        pair.a = ob_make(e, 1, false);
        pair.b = e % 2 ? pair.a : ob_make(e, 2, false);
        pair.list = {pair.b, ob_make(e, 3, false), pair.a};
        t.Fill();
    }
    t.Write();
}
void ob_write(const char *path) {
    std::unique_ptr<TFile> f(TFile::Open(TString(path) + "?reproducible=objects.root", "recreate", "", 109));
    for (int split : {0, 1, 99}) ob_events(split);
    for (int split : {0, 99}) ob_alone(split);
    ob_references();
}
""")
    ROOT.ob_write(str(pathlib.Path(folder) / "objects.root"))


MEMBERS = [
    "fId", "fPos", "fPos[1]", "fMid", "fInner.x", "fPx", "fGrid", "fGrid[1]", "fGrid[][1]", "fN", "fCov", "fCov[0]",
    "fHits", "fHits[1]", "fSteps.x", "fSteps[0].x", "fSteps.k[1]", "fP4.fE", "fP4.fP.fX", "fP4.Pt()", "fVertex.fX",
    "fVertex.Mag()", "fUniqueID", "ObMiddle.fMid",
]
ARRAYS = ("fPos", "fGrid", "fGrid[1]", "fGrid[][1]")
PLAIN = [
    "x", "run", "event", "head.x", "head.run", "head.event", "head.ObPoint.x", "lor.fE", "lor.fP.fX", "lor.Pt()",
    "plor.fE", "plor.fP.fY", "points.x", "points[1].x", "points.k", "ppoints.x", "ppoints.k[0]", "lpoints.x",
    "mpoints.first", "mpoints.second.x", "weights.second", "vvpoints.x", "vvpoints[1].x", "vlor.fE", "v3s.fX",
    "apoints.x", "apoints[1].x", "vvi", "vvi[0]", "vvi[][1]", "@points.size()", "Sum$(points.x)", "points.x:vlor.fE",
    ("points.x", "points.k>0"), ("x", "x>3"),
]
BEHIND_POINTER = "Of a fixed array behind a pointer ROOT takes the first element only; in an object that is embedded it takes all"
ALONE = [name for name in PLAIN if not name[0].startswith(("plor", "apoints", "ppoints")) and "plor" not in name
         and "apoints" not in name and "ppoints" not in name and not isinstance(name, tuple)]


def members(objects, also=()):
    found = []
    for one in objects:
        for member in (*MEMBERS, *also):
            deviation = BEHIND_POINTER if one.endswith("other") and member in ARRAYS else ""
            found.append((f"{one}.{member}", "", "", deviation))
    return found


def loops(collections):
    forms = [
        "{0}[0].fPx", "{0}[1].fPos", "{0}[1].fPos[2]", "{0}.fPos[][2]", "{0}[].fPos[2]", "@{0}.size()", "{0}@.size()",
        "{0}.@fHits.size()", "Sum$({0}.fPx)", "{0}.fPx:{0}.fId", "{0}.fCov[][0]", "{0}.fHits[][0]", "Length$({0}.fHits)",
        "Max$({0}.fHits)", "{0}.fPx+{0}.fMid",
    ]
    found = [form.format(one) for one in collections for form in forms]
    return found + [(f"{one}.fPx", f"{one}.fPx>-3") for one in collections]


FILE = "query/objects.root"
SIZES = "ROOT takes the size of a vector for a whole number where it is a member of an object of split level 1"
AXES = {(FILE, "e1", form.format(one), ""): SIZES for one in ("ptracks", "points") for form in ("@{0}.size()", "{0}@.size()")}
PAIRS = [
    (FILE, "e0", members(["best", "other", "clones", "pclones", "tracks", "ptracks"]) + loops(["clones", "tracks", "ptracks"])
     + PLAIN + ["ev.best.fId", "ev.tracks.fPx", "ev.clones.fHits", "ev.other.fMid", "ev.fPx", "ev.fE", "fPx", "fHits"],
     {"section": "Objects that are not split"}),
    (FILE, "e1", members(["best", "other", "clones", "ptracks"]) + loops(["pclones", "ptracks"]) + PLAIN
     + ["ev.best.fId", "ev.tracks.fPx", "ev.clones.fHits", "ev.other.fMid", "ev.x", "ev.fPx", "fPx", "fHits", "ev.ObHeader.run"],
     {"section": "Objects whose members are branches"}),
    (FILE, "e99", members(["best", "other", "clones", "ptracks"]) + loops(["clones", "tracks", "ptracks"]) + PLAIN
     + ["ev.best.fId", "ev.tracks.fPx", "ev.clones.fHits", "ev.other.fMid", "ev.x", "fPx", "fHits", "ev.head.ObPoint.x"],
     {"section": "Objects that are split as far as they can be"}),
    (FILE, "c0", members(["clones", "dclones", "best", "dbest", "tracks", "ptracks"])
     + loops(["clones", "ptracks"]) + ALONE + ["dclones..fId", "dbest..fPos", "dlor..fE", "dlor.Pt()", "dlor.fP.fX", "lor.fE"],
     {"section": "Collections and objects on their own, not split"}),
    (FILE, "c99", members(["clones", "dclones", "best", "dbest", "tracks", "ptracks"])
     + loops(["clones", "dclones", "ptracks"]) + ALONE
     + ["dclones..fId", "dbest..fPos", "dlor..fE", "fInner.x", "fSteps.k", "fId", "k", "x", "ObBase.fId"],
     {"section": "Collections and objects on their own, split"}),
]
