#!/usr/bin/env python3
"""Files with what the doctor finds, and what ROOT measures of files.

    python3 ill_files.py make FOLDER             writes the files
    python3 ill_files.py measure JOBS            JOBS: [{"file", "tree", "branches", "cache"}, …] as JSON; prints what ROOT
                                                 counts in each: a list of objects

All numbers are random with a fixed seed, so that every run gives the same files but for their dates.
"""
import json
import os
import subprocess
import sys
import tempfile

import ROOT

ROOT.gErrorIgnoreLevel = ROOT.kError
PROGRAM = r"""
#include <ROOT/RNTupleModel.hxx>
#include <ROOT/RNTupleReader.hxx>
#include <ROOT/RNTupleWriter.hxx>
#include <TBranch.h>
#include <TFile.h>
#include <TH1D.h>
#include <TNamed.h>
#include <TRandom3.h>
#include <TTree.h>
#include <string>
#include <vector>

// Many branches of different sizes, as an analysis has them.
void fillMany(TTree &t, int branches, int entries, int buffer, int save = 0)
{
  TRandom3 random(7);
  std::vector<std::vector<float>> lists(branches);
  std::vector<int> numbers(branches);
  for (int i = 0; i < branches; i++) {
    if (i % 3 == 0) t.Branch(Form("list%d", i), &lists[i], buffer);
    else t.Branch(Form("number%d", i), &numbers[i], Form("number%d/I", i), buffer);
  }
  for (int e = 0; e < entries; e++) {
    for (int i = 0; i < branches; i++) {
      if (i % 3 == 0) {
        lists[i].clear();
        for (int j = random.Integer(2 + i / 3); j >= 0; j--) lists[i].push_back(i + random.Integer(1 << 20));
      } else numbers[i] = random.Integer(1 << (4 + i % 12));
    }
    t.Fill();
    if (save && e % save == save - 1) t.Write();
  }
}

// What has to be there after repairing, too.
void company(TFile &f)
{
  auto *folder = f.mkdir("folder", "with more");
  folder->cd();
  TH1D h("h", "a histogram", 10, 0, 1);
  h.SetDirectory(nullptr);
  h.Fill(0.5);
  h.Write();
  h.Fill(0.7);
  h.Write();  // a second cycle
  TNamed("about", "this file").Write();
  TTree other("other", "another tree");
  float x;
  other.Branch("x", &x);
  for (int i = 0; i < 1000; i++) { x = i; other.Fill(); }
  other.SetAlias("twice", "2*x");
  other.Write();
  f.cd();
}

// Without clusters, twice the size of one: what ROOT wrote before it had them.
void scattered(const char *name)
{
  TFile f(name, "RECREATE", "", 404);
  company(f);
  TTree t("t", "scattered");
  t.SetAutoFlush(0);
  t.SetAutoSave(0);
  fillMany(t, 40, 130000, 256000);
  t.SetAlias("sum", "number1+number2");
  t.Write();
}

void tiny(const char *name)
{
  TFile f(name, "RECREATE", "", 101);
  TTree t("t", "tiny baskets");
  t.SetAutoFlush(0);
  t.SetAutoSave(0);
  fillMany(t, 40, 40000, 2000);
  t.Write();
}

void smallClusters(const char *name)
{
  TFile f(name, "RECREATE", "", 101);
  TTree t("t", "clusters of 100 entries");
  t.SetAutoFlush(100);
  t.SetAutoSave(0);
  fillMany(t, 30, 30000, 32000);
  t.Write();
}

void misaligned(const char *name)
{
  TFile f(name, "RECREATE", "", 101);
  TTree t("t", "its clusters are a claim: nothing is flushed at their borders");
  t.SetAutoFlush(0);
  t.SetAutoSave(0);
  fillMany(t, 30, 60000, 32000);
  t.SetAutoFlush(7001);
  t.Write();
}

// One of the files that are merged: its last cluster is short.
void part(const char *name, int seed)
{
  TFile f(name, "RECREATE", "", 505);
  TTree t("t", "part of a merged file");
  t.SetAutoFlush(10000);
  t.SetAutoSave(0);
  TRandom3 random(seed);
  float values[12];
  for (int i = 0; i < 12; i++) t.Branch(Form("x%d", i), &values[i]);
  for (int e = 0; e < 25500; e++) {
    for (auto &value : values) value = random.Rndm();
    t.Fill();
  }
  t.Write();
}

void largeClusters(const char *name, int settings)
{
  TFile f(name, "RECREATE", "", settings);
  TTree t("t", "one cluster of 110 MB");
  t.SetAutoFlush(10000000);
  t.SetAutoSave(0);
  TRandom3 random(3);
  std::vector<float> values(10000);
  t.Branch("values", &values, 1000000);
  for (int e = 0; e < 2800; e++) {
    random.RndmArray(values.size(), values.data());
    t.Fill();
  }
  t.Write();
}

// A tree that was kept in memory, and is written with its baskets in it.
void embedded(const char *name)
{
  TFile f(name, "RECREATE", "", 101);
  TTree t("t", "in memory");
  t.SetDirectory(nullptr);
  fillMany(t, 60, 6000, 4000000);
  f.WriteTObject(&t, "t");
}

void codec(const char *name, int settings)
{
  TFile f(name, "RECREATE", "", settings);
  TTree t("t", "compressed");
  fillMany(t, 30, 60000, 32000);
  t.Write();
}

// Parts of a tree that was saved on the way, and the room of what was deleted.
void unkempt(const char *name)
{
  TFile f(name, "RECREATE", "", 101);
  TTree t("t", "saved on the way");
  t.SetAutoSave(0);
  TH1D junk("junk", "", 200000, 0, 1);
  junk.SetDirectory(nullptr);
  TRandom3 random(5);
  for (int i = 0; i < 200000; i++) junk.SetBinContent(i, random.Rndm());
  junk.Write();
  fillMany(t, 40, 20000, 8000, 5000);
  t.Write();
  f.Delete("junk;*");
}

// Branches that the doctor finds and leaves alone.
void left(const char *name)
{
  TFile f(name, "RECREATE", "", 101);
  TTree t("t", "branches that hold little of their own");
  t.SetAutoFlush(4000);
  TRandom3 random(9);
  float noise, walk = 0, copy, other;
  int same = 7;
  std::vector<std::vector<float>> empty(12);
  t.Branch("noise", &noise);
  t.Branch("walk", &walk);
  t.Branch("copy", &copy);
  t.Branch("other", &other);
  t.Branch("same", &same);
  for (int e = 0; e < 40000; e++) {
    noise = random.Rndm();
    other = int(random.Gaus(0, 30));
    copy = walk = int(walk + random.Gaus(0, 30));
    t.Fill();
  }
  t.Write();
  int none;
  for (int i = 0; i < 12; i++) t.Branch(Form("none%d", i), &none, Form("none%d/I", i));
  t.Write("", TObject::kOverwrite);
}

void ntuple(const char *name, const char *kind)
{
  const std::string what = kind;
  auto model = ROOT::RNTupleModel::Create();
  TRandom3 random(11);
  std::vector<std::shared_ptr<float>> reals;
  std::vector<std::shared_ptr<std::int64_t>> numbers;
  for (int i = 0; i < 20; i++) {
    reals.push_back(model->MakeField<float>("real" + std::to_string(i)));
    numbers.push_back(model->MakeField<std::int64_t>("number" + std::to_string(i)));
    if (what == "plain")
      model->GetMutableField("number" + std::to_string(i)).SetColumnRepresentatives({{ROOT::ENTupleColumnType::kInt64}});
  }
  ROOT::RNTupleWriteOptions options;
  options.SetCompression(what == "plain" ? 505 : 404);
  if (what == "small") options.SetApproxZippedClusterSize(20000);
  TFile f(name, "RECREATE");
  auto writer = ROOT::RNTupleWriter::Append(std::move(model), "n", f, options);
  for (int e = 0; e < 40000; e++) {
    for (auto &real : reals) *real = int(random.Rndm() * 1000);
    for (auto &number : numbers) *number = e * 100 + int(random.Rndm() * 100);
    writer->Fill();
  }
}

void largeNtuple(const char *name)
{
  auto model = ROOT::RNTupleModel::Create();
  TRandom3 random(13);
  auto values = model->MakeField<std::vector<float>>("values");
  values->resize(100000);
  random.RndmArray(values->size(), values->data());
  ROOT::RNTupleWriteOptions options;
  options.SetCompression(404);
  options.SetMaxUnzippedClusterSize(1000000000);
  options.SetApproxZippedClusterSize(600000000);
  TFile f(name, "RECREATE");
  auto writer = ROOT::RNTupleWriter::Append(std::move(model), "n", f, options);
  for (int e = 0; e < 800; e++) writer->Fill();
}
"""


def merged(path):
    """Eight files, merged by hadd as it does it for files of one codec: baskets are copied as they are."""
    with tempfile.TemporaryDirectory() as folder:
        parts = [os.path.join(folder, f"part{i}.root") for i in range(8)]
        for i, part in enumerate(parts):
            ROOT.part(part, i + 1)
        hadd = os.path.join(str(ROOT.TROOT.GetBinDir()), "hadd")
        subprocess.run([hadd, "-fk", path, *parts], check=True, capture_output=True)


MAKERS = {
    "scattered": lambda path: ROOT.scattered(path),
    "tiny": lambda path: ROOT.tiny(path),
    "small-clusters": lambda path: ROOT.smallClusters(path),
    "misaligned": lambda path: ROOT.misaligned(path),
    "merged": merged,
    "large-clusters": lambda path: ROOT.largeClusters(path, 404),
    "embedded": lambda path: ROOT.embedded(path),
    "uncompressed": lambda path: ROOT.codec(path, 0),
    "lzma": lambda path: ROOT.codec(path, 207),
    "unkempt": lambda path: ROOT.unkempt(path),
    "left": lambda path: ROOT.left(path),
    "ntuple-small": lambda path: ROOT.ntuple(path, "small"),
    "ntuple-plain": lambda path: ROOT.ntuple(path, "plain"),
    "ntuple-large": lambda path: ROOT.largeNtuple(path),
}


def branches_of(tree):
    found = []

    def walk(branch):
        found.append(branch)
        for below in branch.GetListOfBranches():
            walk(below)

    for branch in tree.GetListOfBranches():
        walk(branch)
    return found


def lies(path, name):
    """What ROOT says of a tree: clusters, baskets, those in two clusters, and its record."""
    file = ROOT.TFile.Open(path)
    cycles = sum(key.GetName() == name for key in file.GetListOfKeys())
    size = os.path.getsize(path)
    key = file.GetKey(name)
    if key.GetClassName() == "ROOT::RNTuple":
        reader = ROOT.RNTupleReader.Open(name, path)
        descriptor = reader.GetDescriptor()
        pages = 0
        for cluster in descriptor.GetClusterIterable():
            for column in cluster.GetColumnRangeIterable():
                pages += cluster.GetPageRange(column.GetPhysicalColumnId()).GetPageInfos().size()
        return {"clusters": descriptor.GetNClusters(), "pages": pages, "bytes of the file": size, "cycles": cycles}
    tree = file.Get(name)
    borders, clusters = [], tree.GetClusterIterator(0)
    start = clusters()
    while start < tree.GetEntries():
        borders.append(start)
        start = clusters()
    baskets = crossing = 0
    for branch in branches_of(tree):
        firsts = branch.GetBasketEntry()
        for i in range(branch.GetWriteBasket()):
            baskets += 1
            last = (firsts[i + 1] if i + 1 < branch.GetWriteBasket() else branch.GetEntries()) - 1
            crossing += any(firsts[i] < border <= last for border in borders)
    return {"clusters": len(borders), "baskets": baskets, "baskets in two clusters": crossing, "cycles": cycles,
            "bytes of the record": key.GetNbytes(), "bytes of the file": size}


def read(path, name, branches, cache):
    """Calls and CPU time of reading branches with TTree::GetEntry, as TTreePerfStats counts them."""
    file = ROOT.TFile.Open(path)
    tree = file.Get(name)
    tree.SetCacheSize(cache)
    if branches is not None:
        tree.SetBranchStatus("*", 0)
        for branch in branches:
            tree.SetBranchStatus(branch, 1)
    stats = ROOT.TTreePerfStats("stats", tree)
    ROOT.gInterpreter.ProcessLine(
        f"{{ auto t = (TTree *){ROOT.addressof(tree)}; for (Long64_t i = 0, n = t->GetEntries(); i < n; i++) t->GetEntry(i); }}")
    stats.Finish()
    return {"calls": stats.GetReadCalls(), "cpu": stats.GetCpuTime()}


if sys.argv[1] == "make":
    ROOT.gInterpreter.Declare(PROGRAM)
    for name, make in MAKERS.items():
        make(os.path.join(sys.argv[2], f"{name}.root"))
else:
    answers = []
    for job in json.loads(sys.argv[2]):
        answer = lies(job["file"], job["tree"])
        if "cache" in job:
            answer.update(read(job["file"], job["tree"], job.get("branches"), job["cache"]))
        answers.append(answer)
    print(json.dumps(answers))
