#!/usr/bin/env python3
"""Read calls of ROOT of a tree, with TTreeCaches of several sizes.

    python3 bench/peers/readcalls.py [--tree NAME] [--caches 0,10,30,200] [--branches PATTERN] FILE…

Each reading is a process of its own. Prints a table: for each size of the cache in MB, what TTreePerfStats counts of
each file: read calls, MB that were read, seconds of these reads, and the CPU time of all. Needs a Python with ROOT.
"""
import argparse
import json
import os
import subprocess
import sys


# Loads each basket when TTree::GetEntry would, but decodes one entry of it only.
LOOP = """
/** Without counters for each basket, which are found by a search that takes minutes for a tree of 10,000 branches. */
struct Stats : TTreePerfStats {
  using TTreePerfStats::TTreePerfStats;
  void SetLoaded(TBranch *, size_t) override {}
  void SetLoaded(size_t, size_t) override {}
  void SetLoadedMiss(TBranch *, size_t) override {}
  void SetLoadedMiss(size_t, size_t) override {}
  void SetMissed(TBranch *, size_t) override {}
  void SetMissed(size_t, size_t) override {}
  void SetUsed(TBranch *, size_t) override {}
  void SetUsed(size_t, size_t) override {}
};

void branchesOf(TObjArray *list, std::vector<TBranch *> &all)
{
  for (auto *object : *list) {
    auto *branch = (TBranch *)object;
    if (branch->GetWriteBasket() > 0) all.push_back(branch);
    branchesOf(branch->GetListOfBranches(), all);
  }
}

bool loadAll(TTree *tree)
{
  std::vector<TBranch *> branches;
  branchesOf(tree->GetListOfBranches(), branches);
  branches.erase(std::remove_if(branches.begin(), branches.end(), [](TBranch *b) { return b->TestBit(kDoNotProcess); }), branches.end());
  std::vector<int> next(branches.size(), 0);
  for (Long64_t entry = 0; entry < tree->GetEntries(); entry++) {
    tree->LoadTree(entry);
    for (size_t b = 0; b < branches.size(); b++) {
      if (next[b] >= branches[b]->GetWriteBasket() || branches[b]->GetBasketEntry()[next[b]] != entry) continue;
      next[b]++;
      if (branches[b]->GetEntry(entry, 1) <= 0) return false;
    }
  }
  return true;
}
"""


def read(path, name, megabytes, branches):
    """Loads all baskets of some branches of a tree; prints what it took as JSON."""
    import ROOT

    ROOT.gErrorIgnoreLevel = ROOT.kFatal
    ROOT.gInterpreter.Declare(LOOP)
    file = ROOT.TFile.Open(path)
    tree = file.Get(name)
    if branches != "*":
        tree.SetBranchStatus("*", False)
        tree.SetBranchStatus(branches, True)
    tree.SetCacheSize(megabytes * 1000 * 1000)
    if megabytes:
        tree.AddBranchToCache(branches, True)
        tree.StopCacheLearningPhase()
    stats = ROOT.Stats("stats", tree)
    if not ROOT.loadAll(tree):
        sys.exit(f"{path} cannot be read")
    stats.Finish()
    print(json.dumps({"calls": stats.GetReadCalls(), "bytes": stats.GetBytesRead(), "disk": stats.GetDiskTime(), "cpu": stats.GetCpuTime()}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--tree", default="CollectionTree")
    parser.add_argument("--caches", default="0,10,30,200")
    parser.add_argument("--branches", default="*", help="as for TTree::SetBranchStatus")
    options = parser.parse_args()
    print("| cache | file | read calls | MB read | s of reads | CPU s |\n|---|---|---|---|---|---|")
    for megabytes in options.caches.split(","):
        for path in options.files:
            words = [sys.executable, __file__, "--one", path, options.tree, megabytes, options.branches]
            one = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
            name = os.path.basename(path).removesuffix(".root")
            print(f"| {megabytes} MB | {name} | {one['calls']:,} | {one['bytes'] / 1e6:.1f} | {one['disk']:.2f} | {one['cpu']:.1f} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        read(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5])
    else:
        main()
