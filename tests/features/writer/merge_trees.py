#!/usr/bin/env python3
"""Trees in several files, and what ROOT reads of the file that they were merged into.

    python3 merge_trees.py make FOLDER            writes part0.root to part9.root
    python3 merge_trees.py compare OUT PART…      reads OUT beside the chain of the parts, and merges OUT again by hadd:
                                                  prints what differs, as a list
    python3 merge_trees.py values OUT TREE        prints values of all branches, warnings of ROOT, and entries after OUT was
                                                  merged with itself by hadd

All numbers are random with a fixed seed.
"""
import json
import os
import subprocess
import sys

import ROOT
import uproot

ROOT.gErrorIgnoreLevel = ROOT.kError
ROOT.gInterpreter.Declare(r"""
#include <TChain.h>
#include <TError.h>
#include <TFile.h>
#include <TLorentzVector.h>
#include <TNtuple.h>
#include <TRandom3.h>
#include <TTree.h>
#include <iostream>
#include <string>
#include <vector>

void part(const char *name, int k)
{
  TFile f(name, "RECREATE", "", k % 2 ? 505 : 101);
  TRandom3 r(k + 1);
  f.mkdir("deep")->mkdir("er")->cd();
  TTree t("t", "many kinds");
  t.SetAutoFlush(k % 3 ? 700 : 1000);
  int n;
  float x, array[50];
  bool flag;
  std::vector<float> values;
  std::string text;
  TLorentzVector whole, *split = new TLorentzVector;
  t.Branch("x", &x);
  t.Branch("flag", &flag);
  t.Branch("n", &n);
  t.Branch("array", array, "array[n]/F");
  t.Branch("values", &values);
  t.Branch("text", &text);
  t.Branch("whole.", &whole, 32000, 0);
  t.Branch("split.", &split, 32000, 99);
  for (int e = 0; e < 2550 + 10 * k; e++) {
    x = r.Gaus();
    flag = r.Rndm() < .3;
    n = r.Integer(5 + 4 * k);
    for (int i = 0; i < n; i++) array[i] = r.Rndm();
    values.assign(r.Integer(5), x);
    text = std::string(r.Integer(20), 'a' + e % 26);
    whole.SetPxPyPzE(x, 1, 2, e);
    *split = whole;
    t.Fill();
  }
  t.SetAlias("twice", "2*x");
  t.Write();
  f.cd();
  TNtuple pairs("pairs", "two numbers", "a:b");
  pairs.SetDirectory(nullptr);  // its baskets stay in its record
  for (int e = 0; e < 100 + k; e++) pairs.Fill(e, r.Rndm());
  f.WriteTObject(&pairs);
}

int errors = 0;
void counted(int level, Bool_t, const char *place, const char *text)
{
  if (level < kWarning) return;
  errors++;
  std::cerr << place << ": " << text << std::endl;
}
void watch() { SetErrorHandler(counted); }
void unwatch() { SetErrorHandler(DefaultErrorHandler); }

// Bytes that TTree::GetEntry reads of each entry.
std::vector<int> contents(TTree &t)
{
  std::vector<int> found;
  for (Long64_t e = 0, n = t.GetEntries(); e < n; e++) found.push_back(t.GetEntry(e));
  return found;
}
""")


def compare(out, parts):
    wrong = []
    ROOT.watch()
    file = ROOT.TFile(out)
    if file.TestBit(ROOT.TFile.kRecovered):
        wrong.append("the file was recovered")
    for name in ("deep/er/t", "pairs"):
        tree = file.Get(name)
        chain = ROOT.TChain(name)
        for part in parts:
            chain.Add(part)
        if tree.GetEntries() != chain.GetEntries():
            wrong.append(f"{name}: {tree.GetEntries()} entries of {chain.GetEntries()}")
        if list(ROOT.contents(tree)) != list(ROOT.contents(chain)):
            wrong.append(f"{name}: entries have other bytes")
        merged = uproot.open(out)[name]
        alone = [uproot.open(part)[name] for part in parts]
        for branch in merged.keys():
            values = [tree[branch].array().tolist() for tree in (merged, *alone)]
            if values[0] != sum(values[1:], []):
                wrong.append(f"{name}/{branch}: uproot reads other values")
        starts = {}
        for branch in tree.GetListOfBranches():
            firsts = branch.GetBasketEntry()
            own = [firsts[i] for i in range(branch.GetWriteBasket())]
            if own != sorted(set(own)):
                wrong.append(f"{name}/{branch.GetName()}: baskets do not ascend")
            if own:
                starts[branch.GetName()] = set(own)
        clusters = tree.GetClusterIterator(0)
        start = clusters()
        while start < tree.GetEntries():
            for branch, own in starts.items():
                if start not in own:
                    wrong.append(f"{name}: cluster {start} begins within a basket of {branch}")
            start = clusters()
    counter = file.Get("deep/er/t").GetLeaf("n")
    if counter.GetMaximum() < 40:
        wrong.append(f"the counter n has the maximum {counter.GetMaximum()}")
    if not file.Get("deep/er/t").GetAlias("twice"):
        wrong.append("the alias is missing")
    again = out + ".again"
    hadd = os.path.join(str(ROOT.TROOT.GetBinDir()), "hadd")
    done = subprocess.run([hadd, "-fk", again, out, parts[0]], capture_output=True, text=True)
    if done.returncode != 0 or "Error" in done.stderr:
        wrong.append(f"hadd: {done.stderr[-300:]}")
    else:
        product = ROOT.TFile(again)
        more = product.Get("deep/er/t").GetEntries()
        if more != file.Get("deep/er/t").GetEntries() + 2550:
            wrong.append(f"hadd made {more} entries")
    frame = ROOT.RDataFrame("deep/er/t", out)
    if frame.Count().GetValue() != file.Get("deep/er/t").GetEntries():
        wrong.append("RDataFrame counts others")
    ROOT.unwatch()
    if ROOT.errors:
        wrong.append(f"ROOT printed {ROOT.errors} errors")
    return wrong


def plain(value):
    """A value of an entry as JSON has it."""
    if isinstance(value, (int, float, str)):
        return value
    if hasattr(value, "item"):
        return value.item()
    return str(value) if type(value).__name__ == "string" else [plain(item) for item in value]


def values_of(out, path):
    ROOT.watch()
    file = ROOT.TFile(out)
    tree = file.Get(path)
    names = [branch.GetName() for branch in tree.GetListOfBranches()]
    values = {name: [] for name in names}
    for entry in tree:
        for name in names:
            values[name].append(plain(getattr(entry, name)))
    again = out + ".again"
    hadd = os.path.join(str(ROOT.TROOT.GetBinDir()), "hadd")
    subprocess.run([hadd, "-fk", again, out, out], check=True, capture_output=True)
    ROOT.unwatch()
    product = ROOT.TFile(again)
    return {"warnings": ROOT.errors, "again": product.Get(path).GetEntries(), "values": values}


if sys.argv[1] == "make":
    for k in range(10):
        ROOT.part(os.path.join(sys.argv[2], f"part{k}.root"), k)
elif sys.argv[1] == "values":
    print(json.dumps(values_of(*sys.argv[2:])))
else:
    print(json.dumps(compare(sys.argv[2], sys.argv[3:])))
