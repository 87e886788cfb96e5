"""CPU time of reading branches with ROOT or uproot, for "xylem calibrate" and its tests.

    python cpu.py        a job on each line of stdin, as JSON; the answer of each on a line of stdout

{"program": "root" or "uproot", "file", "tree", "branches": [names] or null, "ranges": [from, to, from, to, …]} reads these
entries, and answers {"version", "cpu", "wall"}: seconds of reading, after the file and the tree were opened. ROOT reads each entry by
TTree::GetEntry, uproot all from the first to the last by TTree.arrays. "cache" is the size of ROOT's TTreeCache in bytes; by default
that of ROOT. {"program": "root", "write": path} writes a tree of
objects. The answer is {"missing": why} if the program cannot be imported, and {"failed": why} if a job fails.
"""
import json
import sys
import time

READ = r"""
#include <sys/resource.h>
namespace xylem_cpu {
double seconds() {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1e-6 * (used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}
double read(TTree &tree, const std::vector<Long64_t> &ranges) {
    double before = seconds();
    for (size_t i = 0; i + 1 < ranges.size(); i += 2)
        for (Long64_t entry = ranges[i]; entry < ranges[i + 1]; entry++)
            if (tree.GetEntry(entry) < 0) return -1;
    return seconds() - before;
}
}
"""

# Classes without a compiled dictionary, as those of a file whose library is not there.
WRITE = r"""
#include <TClonesArray.h>
#include <TLorentzVector.h>
struct XylemHit { float x, y, z; int id; short q; double t; };
struct XylemBlock { double d0, d1; float f0, f1; int n0, n1; short s0; std::vector<float> v0, v1; std::vector<int> w0; };
struct XylemEvent { int version; XylemBlock a, b, c, d; };
struct XylemObject { int run; float w[6]; std::string label; std::vector<float> v; std::vector<XylemHit> hits; };
namespace xylem_cpu {
unsigned state = 1;
double uniform() { state = state * 1664525u + 1013904223u; return state / 4294967296.0; }
float rounded(double value) {
    float single = (float)value;
    unsigned bits;
    memcpy(&bits, &single, 4);
    bits &= 0xfffff800u;
    memcpy(&single, &bits, 4);
    return single;
}
double exponential(double mean) { return -mean * std::log(1 - 0.999999 * uniform()); }
int few(double mean) { return (int)exponential(mean + 0.5); }
void fill(XylemHit &hit) {
    hit.x = rounded(uniform()); hit.y = rounded(uniform()); hit.z = rounded(10 * uniform());
    hit.id = (int)(uniform() * 5000); hit.q = (short)exponential(30); hit.t = exponential(3);
}
void fill(std::vector<float> &list, double mean) {
    list.resize(few(mean));
    for (auto &value : list) value = rounded(exponential(20));
}
void fill(std::vector<XylemHit> &list, double mean) {
    list.resize(few(mean));
    for (auto &hit : list) fill(hit);
}
void fill(XylemBlock &block) {
    block.d0 = rounded(uniform()); block.d1 = rounded(exponential(20)); block.f0 = rounded(uniform());
    block.f1 = rounded(exponential(5)); block.n0 = few(9); block.n1 = few(200); block.s0 = few(3);
    fill(block.v0, 6); fill(block.v1, 6);
    block.w0.resize(few(6));
    for (auto &value : block.w0) value = few(50);
}
void writeEvents(const char *name, size_t count, int entries, int flush) {
    TTree tree(name, name);
    tree.SetAutoFlush(flush);
    std::vector<XylemEvent> events(count);
    for (size_t i = 0; i < count; i++)
        tree.Branch(Form("e%zu.", i), &events[i], 4000, 99);
    for (int entry = 0; entry < entries; entry++) {
        for (auto &event : events) {
            event.version = 2;
            fill(event.a); fill(event.b); fill(event.c); fill(event.d);
        }
        tree.Fill();
    }
    tree.Write();
}
void write(const char *path) {
    TFile file(path, "RECREATE", "", 101);
    writeEvents("events", 12, 1500, 500);
    writeEvents("many", 240, 60, 20);
    TTree tree("objects", "objects");
    std::vector<float> numbers, longer;
    std::vector<std::vector<float>> nested;
    XylemObject object;
    std::string text;
    auto clones = new TClonesArray("TLorentzVector");
    tree.Branch("numbers", &numbers);
    tree.Branch("long", &longer);
    tree.Branch("nested", &nested);
    tree.Branch("object", &object, 32000, 0);
    tree.Branch("split.", &object, 32000, 99);
    tree.Branch("text", &text);
    tree.Branch("clones", &clones, 32000, 99);
    for (int entry = 0; entry < 20000; entry++) {
        fill(numbers, 8);
        fill(longer, 50);
        nested.resize(few(4));
        for (auto &list : nested) fill(list, 4);
        object.run = entry / 1000;
        for (auto &value : object.w) value = rounded(uniform());
        object.label = "label " + std::to_string(entry % 97);
        fill(object.v, 4);
        fill(object.hits, 8);
        text = std::string(few(12), 'a' + entry % 26);
        clones->Clear();
        for (int i = 0, count = few(5); i < count; i++)
            new ((*clones)[i]) TLorentzVector(uniform(), uniform(), exponential(20), exponential(30));
        tree.Fill();
    }
    tree.Write();
}
}
"""


class Root:
    def __init__(self):
        import ROOT

        ROOT.gROOT.SetBatch(True)
        ROOT.gErrorIgnoreLevel = ROOT.kError
        ROOT.gInterpreter.Declare(READ)
        self.root = ROOT
        self.version = ROOT.gROOT.GetVersion()

    def write(self, path):
        self.root.gInterpreter.Declare(WRITE)
        self.root.xylem_cpu.write(path)
        return {}

    def open(self, path):
        if not path.startswith("http"):
            return self.root.TFile.Open(path)
        # ROOT of pip does not find the class for http by itself.
        return (getattr(self.root, "TWebFile", None) or self.root.ROOT.Deprecated.TWebFile)(path)

    def read(self, job):
        file = self.open(job["file"])
        tree = file.Get(job["tree"])
        if "cache" in job:
            tree.SetCacheSize(job["cache"])
        if job["branches"] is not None:
            tree.SetBranchStatus("*", False)
            for name in job["branches"]:
                tree.SetBranchStatus(name, True)
        ranges = self.root.std.vector("Long64_t")(job["ranges"])
        wall = time.perf_counter()
        cpu = self.root.xylem_cpu.read(tree, ranges)
        wall = time.perf_counter() - wall
        file.Close()
        if cpu < 0:
            raise OSError("TTree::GetEntry failed")
        return {"cpu": cpu, "wall": wall}


class Uproot:
    def __init__(self):
        import awkward  # noqa: F401
        import uproot

        self.uproot = uproot
        self.version = uproot.__version__

    def read(self, job):
        options = {"handler": self.uproot.source.http.HTTPSource} if job["file"].startswith("http") else {}
        with self.uproot.open(job["file"], object_cache=None, array_cache=None, **options) as file:
            tree = file[job["tree"]]
            names = tree.keys() if job["branches"] is None else job["branches"]
            start, stop = job["ranges"][0], job["ranges"][-1]
            wall, cpu = time.perf_counter(), time.process_time()
            arrays = tree.arrays(names, entry_start=start, entry_stop=stop)
            found = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
            del arrays
            return found


KINDS = {"root": Root, "uproot": Uproot}
programs = {}
for line in sys.stdin:
    job = json.loads(line)
    name = job["program"]
    try:
        if name not in programs:
            programs[name] = KINDS[name]()
        one = programs[name]
        found = one.write(job["write"]) if "write" in job else one.read(job)
        answer = {"version": one.version, **found}
    except ImportError as error:
        answer = {"missing": str(error)}
    except Exception as error:  # the answer says why, and other jobs go on
        answer = {"failed": f"{type(error).__name__}: {error}"[:500]}
    print(json.dumps(answer), flush=True)
