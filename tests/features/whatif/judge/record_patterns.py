#!/usr/bin/env python3
"""Records each read that ROOT's TTreePerfStats sees: its entry, its offset, its length.

    python record_patterns.py WORK [NAME…]

Makes the files of make_patterns.py in the folder WORK where they are missing, reads them and some fixtures with each of
STRATEGIES and of the shares of entries, and writes tests/fixtures/reads/patterns.gz: the places of the baskets of the
files that are not fixtures, and the reads of each run. Its form: for each file a line of JSON, then columns of unsigned
LEB128 numbers, whose counts the line has. `tests/features/whatif/patterns.test.ts` reads it.
"""
import gzip, json, os, pathlib, random, sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT_OF_REPO = HERE.parents[3]
sys.path.insert(0, str(HERE))
import ROOT
import make_patterns

FIXTURES = {
    "sample": ("public/sample.root", "Events"),
    "clusters": ("tests/fixtures/files/clusters.root", None),
    "merged": ("tests/fixtures/files/merged.root", None),
    "embedded": ("tests/fixtures/files/embedded.root", "large"),
    "leaflists": ("tests/fixtures/files/leaflists.root", None),
    "unwell": ("tests/fixtures/reads/unwell.root", None),
}
# Bytes of the TTreeCache, and TFile::SetReadaheadSize.
STRATEGIES = [(0, 256000), (100_000, 256000), (1_000_000, 256000), (10_000_000, 256000), (30_000_000, 256000), (10_000_000, 2_000_000),
              (10_000_000, 0)]

ROOT.gInterpreter.Declare("""
#include <TTree.h>
#include <TTreePerfStats.h>
#include <TGraphErrors.h>
struct Pattern : TTreePerfStats {
   using TTreePerfStats::TTreePerfStats;
   std::vector<Long64_t> reads() {
      std::vector<Long64_t> all;
      for (int i = 0; i < fGraphIO->GetN(); ++i) {
         all.push_back(fGraphIO->GetX()[i]);
         // The file's position and the number of bytes are stored as 1e-6 and 1e-9 of them.
         all.push_back(llround(fGraphIO->GetY()[i] * 1e6));
         all.push_back(llround(fGraphIO->GetEY()[i] * 1e9));
      }
      return all;
   }
};
std::vector<Long64_t> readPattern(TTree *tree, const std::vector<Long64_t> &entries) {
   Pattern stats("ioperf", tree);
   for (auto entry : entries) tree->GetEntry(entry);
   auto all = stats.reads();
   tree->SetPerfStats(nullptr);
   return all;
}
""")


def open_tree(path, name):
    file = ROOT.TFile.Open(str(path))
    if name is None:
        name = next(k.GetName() for k in file.GetListOfKeys() if k.GetClassName().startswith(("TTree", "TNtuple")))
    return file, file.Get(name)


def branches_of(tree):
    """All branches depth first, as ROOT reads them, each with the name of its top-level branch."""
    found = []

    def walk(branch, top):
        found.append((branch, top))
        for below in branch.GetListOfBranches():
            walk(below, top)

    for branch in tree.GetListOfBranches():
        walk(branch, branch.GetName())
    return found


def shares(entries):
    """The entries of each share: all, every tenth and hundredth, random lists, and a range in the middle."""
    if entries == 0:
        return []
    chance = random.Random(7)
    tenth = sorted(chance.sample(range(entries), max(2, entries // 10)))
    hundredth = sorted(chance.sample(range(entries), max(2, entries // 100)))
    return [{"step": 1}, {"step": 10}, {"step": 100}, {"list": tenth}, {"list": hundredth},
            {"range": [entries // 3, entries // 3 + max(1, entries // 10)]}]


def entries_of(share, entries):
    if "list" in share:
        return share["list"]
    first, last = share.get("range", (0, entries))
    return range(first, last, share.get("step", 1))


def run(path, name, tops, share, cache, ahead):
    file, tree = open_tree(path, name)
    ROOT.TFile.SetReadaheadSize(ahead)
    tree.SetCacheSize(cache)
    if tops is not None:
        tree.SetBranchStatus("*", 0)
        for top in tops:
            tree.SetBranchStatus(top, 1)
            if tree.GetBranch(top).GetListOfBranches().GetEntries():
                tree.SetBranchStatus(top.rstrip(".") + ".*", 1)
    if "range" in share and cache:
        tree.SetCacheEntryRange(*share["range"])
    chosen = ROOT.std.vector("Long64_t")(list(entries_of(share, tree.GetEntries())))
    reads = list(ROOT.readPattern(tree, chosen))
    file.Close()
    return list(zip(reads[0::3], reads[1::3], reads[2::3]))


def leb(values):
    out = bytearray()
    for value in values:
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
    return bytes(out)


zigzag = lambda n: 2 * n if n >= 0 else -2 * n - 1


def deltas(values):
    return [zigzag(b - a) for a, b in zip([0, *values], values)]


def layout(path, name):
    """The baskets of a tree in the order of branches and entries: counts, then columns."""
    file, tree = open_tree(path, name)
    counts, seeks, sizes, firsts, ends = [], [], [], [], []
    names, tops = [], []
    for branch, top in branches_of(tree):
        names.append(branch.GetName())
        tops.append(top)
        count = branch.GetWriteBasket()
        first, size = branch.GetBasketEntry(), branch.GetBasketBytes()
        # The basket that was not written when the tree was lies in the record of the branch.
        has_last = count < branch.GetMaxBaskets() and first[count] < branch.GetEntries()
        counts.append(count + has_last)
        for i in range(count + has_last):
            seeks.append(branch.GetBasketSeek(i) if i < count else 0)
            sizes.append(size[i] if i < count else 0)
            firsts.append(first[i])
            ends.append(first[i + 1] if i + 1 <= count and i + 1 < branch.GetMaxBaskets() and i < count else branch.GetEntries())
    starts, at = [], tree.GetClusterIterator(0)
    start = at()
    while tree.GetAutoFlush() > 0 and start < tree.GetEntries():
        starts.append(start)
        start = at()
    head = {"tree": tree.GetName(), "entries": tree.GetEntries(), "storedBytes": tree.GetZipBytes(),
            "autoFlush": tree.GetAutoFlush(), "branches": names, "tops": tops, "counts": counts, "clusterStarts": starts}
    file.Close()
    return head, [deltas(seeks), deltas(sizes), deltas(firsts), [b - a for a, b in zip(firsts, ends)]]


def main():
    work, *names = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    target = ROOT_OF_REPO / "tests/fixtures/reads/patterns.gz"
    files = {name: (work / f"{name}.root", "t", tops) for name, tops in make_patterns.FILES.items()}
    files |= {name: (ROOT_OF_REPO / path, tree, None) for name, (path, tree) in FIXTURES.items()}
    out = b""
    for name, (path, tree, tops) in files.items():
        if names and name not in names:
            continue
        if name in make_patterns.FILES and not path.exists():
            make_patterns.make(name, str(path))
        head, columns = layout(path, tree)
        is_fixture = name in FIXTURES
        head |= {"name": name, "root": str(ROOT.gROOT.GetVersion()), "chosen": tops, "runs": []}
        if is_fixture:
            head |= {"path": FIXTURES[name][0]}
            for key in ("branches", "tops", "counts", "clusterStarts"):
                del head[key]
            columns = []
        for share in shares(head["entries"]):
            told = share
            for cache, ahead in STRATEGIES:
                reads = run(path, tree, tops, share, cache, ahead)
                head["runs"].append({**told, "cache": cache, "ahead": ahead, "reads": len(reads)})
                told = {"as": True}
                columns += [deltas([r[i] for r in reads]) if i != 2 else [r[2] for r in reads] for i in range(3)]
        print(name, head["entries"], "entries", [r["reads"] for r in head["runs"]], flush=True)
        out += json.dumps(head, separators=(",", ":")).encode() + b"\n"
        body = b"".join(leb(column) for column in columns)
        out += len(body).to_bytes(4, "little") + body
    if not names:
        with open(target, "wb") as written, gzip.GzipFile("", "wb", 9, written, 0) as packed:
            packed.write(out)
    print("bytes", len(gzip.compress(out, 9)))


main()
