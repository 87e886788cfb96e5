"""Writes the inputs of the benchmarks of small files and of histograms with ROOT.

    pip install --pre root==0.1a12
    python bench/data/small.py FOLDER [FILES] [HISTOGRAMS]

FOLDER/small/ gets 2,000 files of 110 kB with a tree "t" of 12 branches, FOLDER/small.root the same entries in one tree (by hadd), and
FOLDER/histograms/ two files of 20,000 TH1F of 100 bins. The values are the same on every machine.
"""

import os
import subprocess
import sys

import ROOT

SOURCE = r"""
#include <TFile.h>
#include <TH1F.h>
#include <TRandom3.h>
#include <TTree.h>

void small_file(const char *path, int seed) {
  TRandom3 random(seed);
  TFile file(path, "recreate", "", 101);
  TTree tree("t", "small");
  float x[8];
  int n[4];
  for (int i = 0; i < 8; i++) tree.Branch(TString::Format("x%d", i), x + i, TString::Format("x%d/F", i));
  for (int i = 0; i < 4; i++) tree.Branch(TString::Format("n%d", i), n + i, TString::Format("n%d/I", i));
  for (int entry = 0; entry < 3000; entry++) {
    for (int i = 0; i < 8; i++) x[i] = random.Gaus(i, 1 + i);
    for (int i = 0; i < 4; i++) n[i] = random.Poisson(3 + i);
    tree.Fill();
  }
  tree.Write();
}

void histograms_file(const char *path, int seed, int count) {
  TRandom3 random(seed);
  TFile file(path, "recreate", "", 101);
  for (int i = 0; i < count; i++) {
    TH1F h(TString::Format("h%05d", i), "bench", 100, -5, 5);
    for (int fill = 0; fill < 200; fill++) h.Fill(random.Gaus());
    h.Write();
  }
}
"""


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    files = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    histograms = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
    for name in ("small", "histograms"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    ROOT.gInterpreter.Declare(SOURCE)
    paths = [os.path.join(folder, "small", f"{i:04}.root") for i in range(files)]
    for seed, path in enumerate(paths, 1):
        ROOT.small_file(path, seed)
    for seed, name in enumerate(("a", "b"), 1):
        ROOT.histograms_file(os.path.join(folder, "histograms", f"{name}.root"), seed, histograms)
    hadd = os.path.join(os.path.dirname(ROOT.__file__), "bin", "hadd")
    if not os.path.exists(hadd):
        hadd = "hadd"
    subprocess.run([hadd, "-v", "0", "-f101", os.path.join(folder, "small.root"), *paths], check=True)


main()
