#!/usr/bin/env python3
"""Files of histograms, profiles and graphs, and what hadd makes of them.

    python3 merge_parts.py FOLDER     writes part0.root, part1.root, part2.root, and merged.root by ROOT's hadd

All numbers are random with a fixed seed.
"""
import os
import subprocess
import sys

import ROOT

ROOT.gErrorIgnoreLevel = ROOT.kError
ROOT.gInterpreter.Declare(r"""
#include <TFile.h>
#include <TGraphAsymmErrors.h>
#include <TGraphBentErrors.h>
#include <TH1.h>
#include <TH2.h>
#include <TH3.h>
#include <TProfile.h>
#include <TProfile2D.h>
#include <TProfile3D.h>
#include <TRandom3.h>

template <class H> void one(TRandom3 &r, const char *name, int times, bool weights)
{
  H h(name, name, 20, -1, 1);
  if (weights) h.Sumw2();
  for (int i = 0; i < times; i++) h.Fill(r.Gaus(0, .5), weights ? r.Rndm() : 1);
  h.Write();
}

template <class H> void two(TRandom3 &r, const char *name, bool weights)
{
  H h(name, name, 6, -1, 1, 5, 0, 2);
  if (weights) h.Sumw2();
  for (int i = 0; i < 300; i++) h.Fill(r.Gaus(0, .5), r.Gaus(1, .5), weights ? r.Rndm() : 1);
  h.Write();
}

template <class H> void three(TRandom3 &r, const char *name, bool weights)
{
  H h(name, name, 4, -1, 1, 3, 0, 2, 2, 0, 1);
  if (weights) h.Sumw2();
  for (int i = 0; i < 300; i++) h.Fill(r.Gaus(0, .5), r.Gaus(1, .5), r.Rndm(), weights ? r.Rndm() : 1);
  h.Write();
}

void names(const char *name, std::vector<std::string> labels, double weight)
{
  TH1D h(name, name, 2, 0, 2);
  h.SetCanExtend(TH1::kAllAxes);
  for (size_t i = 0; i < labels.size(); i++) h.Fill(labels[i].c_str(), weight + i);
  h.Write();
}

void part(const char *name, int k)
{
  TFile f(name, "RECREATE");
  TRandom3 r(k + 1);
  one<TH1C>(r, "h1c", 2000, false);
  one<TH1S>(r, "h1s", 300, false);
  one<TH1I>(r, "h1i", 300, false);
  one<TH1L>(r, "h1l", 300, false);
  one<TH1F>(r, "h1f", 300, false);
  one<TH1D>(r, "h1d", 300, false);
  one<TH1F>(r, "weighted", 300, true);
  one<TH1D>(r, "weighted_later", 300, k > 0);
  one<TH1D>(r, "weighted_first", 300, k == 0);
  one<TH1D>(r, "empty_first", k == 0 ? 0 : 100, false);
  one<TH1D>(r, "empty_later", k == 1 ? 0 : 100, false);
  two<TH2C>(r, "h2c", false);
  two<TH2F>(r, "h2f", true);
  two<TH2I>(r, "h2i", false);
  three<TH3S>(r, "h3s", false);
  three<TH3D>(r, "h3d", true);

  TH1D set("set", "contents that were set", 10, 0, 1);
  for (int i = 0; i < 12; i++) set.SetBinContent(i, r.Integer(100));
  set.Write();
  TH2D set2("set2", "contents that were set", 3, 0, 1, 4, 0, 2);
  for (int i = 0; i < 30; i++) set2.SetBinContent(i, r.Integer(100));
  set2.Write();
  TH1D ranged("ranged", "a chosen range", 10, 0, 1);
  for (int i = 0; i < 100; i++) ranged.Fill(r.Rndm());
  ranged.GetXaxis()->SetRange(3, 7);
  ranged.Write();
  const double edges[] = {0, .1, .3, 1};
  TH1F variable("variable", "bins of different widths", 3, edges);
  for (int i = 0; i < 100; i++) variable.Fill(r.Rndm());
  variable.Write();

  TH1D moved("moved", "other limits", 10 + k, 0, 1 + .1 * k);
  for (int i = 0; i < 100; i++) moved.Fill(r.Uniform(0, 1 + .1 * k));
  moved.Write();
  TH1D coarse("coarse", "wider bins", k == 1 ? 5 : 10, 0, 1);
  for (int i = 0; i < 100; i++) coarse.Fill(r.Rndm());
  coarse.Write();
  TH2D moved2("moved2", "other limits", 4, k, 4 + k, 3, 0, 3);
  moved2.Sumw2();
  for (int i = 0; i < 100; i++) moved2.Fill(r.Uniform(k, 4 + k), r.Uniform(0, 3), r.Rndm());
  moved2.Write();

  names("names", {"a", "b"}, 1);
  names("names_order", k % 2 ? std::vector<std::string>{"b", "a"} : std::vector<std::string>{"a", "b"}, 3);
  names("names_more", {"x" + std::to_string(k), "all", "y" + std::to_string(k), "z"}, 2);
  TH1D fixed("fixed", "names that stay", 2, 0, 2);
  fixed.GetXaxis()->SetBinLabel(1, "one");
  fixed.GetXaxis()->SetBinLabel(2, "two");
  fixed.Fill(.5, 3 + k);
  fixed.Fill(1.5);
  fixed.Write();

  TProfile p("p", "p", 5, 0, 1);
  TProfile pw("pw", "weights from the second file on", 5, 0, 1, "s");
  TProfile2D p2("p2", "p2", 3, 0, 1, 2, 0, 1);
  TProfile3D p3("p3", "p3", 2, 0, 1, 2, 0, 1, 2, 0, 1);
  TProfile pm("pm", "other limits", 5, k, 5 + k);
  if (k > 0) pw.Sumw2();
  for (int i = 0; i < 200; i++) {
    const double x = r.Rndm(), y = r.Rndm(), z = r.Rndm(), t = r.Gaus();
    p.Fill(x, t);
    pw.Fill(x, t, k > 0 ? y : 1);
    p2.Fill(x, y, t);
    p3.Fill(x, y, z, t);
    pm.Fill(k + 5 * x, t);
  }
  p.Write();
  pw.Write();
  p2.Write();
  p3.Write();
  pm.Write();

  const int n = 3 + k;
  std::vector<double> v(n);
  for (auto &value : v) value = r.Rndm();
  TGraph g(n, v.data(), v.data());
  if (k == 0) g.GetHistogram();
  g.Write("g");
  TGraphErrors(n, v.data(), v.data(), v.data(), v.data()).Write("ge");
  TGraphAsymmErrors(n, v.data(), v.data(), v.data(), v.data(), v.data(), v.data()).Write("ga");
  TGraphBentErrors(n, v.data(), v.data(), v.data(), v.data(), v.data(), v.data(), v.data(), v.data(), v.data(), v.data()).Write("gb");
}
""")

folder = sys.argv[1]
parts = [os.path.join(folder, f"part{k}.root") for k in range(3)]
for k, path in enumerate(parts):
    ROOT.part(path, k)
hadd = os.path.join(str(ROOT.TROOT.GetBinDir()), "hadd")
done = subprocess.run([hadd, "-f", os.path.join(folder, "merged.root"), *parts], capture_output=True, text=True)
print(done.stdout, done.stderr)
sys.exit(done.returncode)
