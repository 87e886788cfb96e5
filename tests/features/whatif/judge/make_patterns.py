"""Files of many layouts, for record_patterns.py: each a tree "t" that ROOT wrote."""
import ROOT

ROOT.gInterpreter.Declare(r"""
#include <TFile.h>
#include <TTree.h>
#include <TClonesArray.h>
#include <TLorentzVector.h>
#include <TParameter.h>
#include <TRandom3.h>
#include <TFileMerger.h>
#include <string>
#include <vector>

struct Patterns {
   static void columns(TTree &t, std::vector<std::vector<float>> &v, int branches, int size, const std::vector<int> &buffers) {
      v.assign(branches, std::vector<float>(size));
      for (int b = 0; b < branches; ++b)
         t.Branch(Form("x%02d", b), v[b].data(), Form("x%02d[%d]/F", b, size), buffers[b % buffers.size()]);
   }
   static void fill(TTree &t, std::vector<std::vector<float>> &v, int entries, TRandom3 &chance) {
      for (int i = 0; i < entries; ++i) {
         for (auto &one : v) for (auto &x : one) x = chance.Rndm();
         t.Fill();
      }
   }
   /** Baskets of many sizes, in the order in which they became full. */
   static void scattered(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""); TRandom3 chance(1);
      t.SetAutoFlush(0);
      std::vector<std::vector<float>> v;
      columns(t, v, 20, 12, {32000, 16000, 8000, 64000, 100000});
      fill(t, v, 20000, chance);
      t.Write();
   }
   static void flushed(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""); TRandom3 chance(2);
      t.SetAutoFlush(1000);
      std::vector<std::vector<float>> v;
      columns(t, v, 16, 20, {32000, 128000});
      fill(t, v, 20000, chance);
      t.Write();
   }
   /** Clusters by bytes, as ROOT makes them by default: larger than a cache of 10 MB. */
   static void bytes(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""); TRandom3 chance(3);
      t.SetAutoFlush(-14000000);
      std::vector<std::vector<float>> v;
      columns(t, v, 10, 40, {32000});
      fill(t, v, 30000, chance);
      t.Write();
   }
   /** Wide branches between narrow ones, so that gaps are shorter and longer than the read-ahead. */
   static void joins(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""); TRandom3 chance(4);
      t.SetAutoFlush(2500);
      std::vector<std::vector<float>> v(9);
      for (int b = 0; b < 9; ++b) {
         int size = b % 3 == 0 ? 2 : b < 4 ? 9 : 60;
         v[b].resize(size);
         t.Branch(Form("%c%d", b % 3 == 0 ? 'x' : 'w', b), v[b].data(), Form("x[%d]/F", size), 64000);
      }
      fill(t, v, 25000, chance);
      t.Write();
   }
   /** Friends of one tree lie in other trees: here two trees whose baskets lie among each other. */
   static void twotrees(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""), other("other", ""); TRandom3 chance(5);
      t.SetAutoFlush(700); other.SetAutoFlush(1100);
      std::vector<std::vector<float>> v, w;
      columns(t, v, 8, 6, {16000, 4000});
      columns(other, w, 8, 9, {16000});
      for (int i = 0; i < 15000; ++i) {
         for (auto &one : v) for (auto &x : one) x = chance.Rndm();
         for (auto &one : w) for (auto &x : one) x = chance.Rndm();
         t.Fill(); other.Fill();
      }
      t.Write(); other.Write();
   }
   /** Arrays, vectors and texts whose sizes vary from entry to entry. */
   static void variable(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""); TRandom3 chance(6);
      t.SetAutoFlush(3000);
      int n = 0; float pt[100]; std::vector<double> v; std::vector<std::string> w; std::string s;
      t.Branch("n", &n, "n/I", 4000);
      t.Branch("pt", pt, "pt[n]/F", 16000);
      t.Branch("v", &v, 32000);
      t.Branch("w", &w, 8000);
      t.Branch("s", &s, 6000);
      for (int i = 0; i < 20000; ++i) {
         n = i % 997 == 0 ? 100 : chance.Poisson(6);
         for (int k = 0; k < n; ++k) pt[k] = chance.Rndm();
         v.assign(chance.Poisson(2 + (i / 2500) % 5 * 6), chance.Rndm());
         for (auto &x : v) x = chance.Rndm();
         w.assign(chance.Integer(4), {});
         for (auto &one : w) { one.resize(chance.Integer(9)); for (auto &x : one) x = 'a' + chance.Integer(26); }
         s.assign(chance.Integer(40), char('a' + i % 26));
         for (auto &c : s) c = 'a' + chance.Integer(26);
         t.Fill();
      }
      t.Write();
   }
   static void clones(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""); TRandom3 chance(8);
      t.SetAutoFlush(2000);
      TClonesArray tracks("TLorentzVector", 50), *p = &tracks, whole("TLorentzVector", 50), *q = &whole;
      TLorentzVector one, *o = &one;
      t.Branch("tracks", &p, 8000, 99);
      t.Branch("whole", &q, 32000, 0);
      t.Branch("one", &o, 4000, 99);
      t.Branch("one0", &o, 4000, 0);
      for (int i = 0; i < 12000; ++i) {
         tracks.Clear("C"); whole.Clear("C");
         int n = chance.Poisson(5);
         for (int k = 0; k < n; ++k) {
            new (tracks[k]) TLorentzVector(chance.Gaus(), chance.Gaus(), chance.Gaus(), 5);
            new (whole[k]) TLorentzVector(chance.Gaus(), chance.Gaus(), chance.Gaus(), 5);
         }
         one.SetXYZT(chance.Gaus(), chance.Gaus(), chance.Gaus(), i);
         t.Fill();
      }
      t.Write();
   }
   /** A branch without a value in most entries, one that begins late, one that ends early, and one of zero length. */
   static void gaps(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""); TRandom3 chance(9);
      t.SetAutoFlush(1500);
      float x = 0, y[8]; int none = 0, rare = 0; double late = 0, z[50];
      t.Branch("x", &x, "x/F", 8000);
      t.Branch("none", &none, "none/I", 8000);
      t.Branch("nothing", z, "nothing[none]/D", 8000);
      t.Branch("rare", &rare, "rare/I", 8000);
      t.Branch("z", z, "z[rare]/D", 8000);
      t.Branch("y", y, "y[8]/F", 32000);
      for (int i = 0; i < 20000; ++i) {
         if (i == 9000) {
            auto *branch = t.Branch("late", &late, "late/D", 4000);
            for (int k = 0; k < i; ++k) branch->BackFill();
         }
         x = chance.Rndm(); late = chance.Rndm();
         rare = i % 50 == 0 ? 50 : 0;
         for (auto &v : z) v = chance.Rndm();
         for (auto &v : y) v = chance.Rndm();
         t.Fill();
      }
      t.Write();
   }
   /** Leaf lists, and large baskets: some do not fit into a cache of 100 kB. */
   static void leaflist(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""); TRandom3 chance(10);
      t.SetAutoFlush(0);
      struct { float x; double y; int i; } a; struct { double m[20]; } big; short s[3];
      t.Branch("a", &a, "x/F:y/D:i/I", 16000);
      t.Branch("big", &big, "m[20]/D", 400000);
      t.Branch("s", s, "s[3]/S", 2000);
      for (int i = 0; i < 15000; ++i) {
         a = {float(chance.Rndm()), chance.Rndm(), i};
         for (auto &v : big.m) v = chance.Rndm();
         for (auto &v : s) v = chance.Integer(30000);
         t.Fill();
      }
      t.Write();
   }
   /** Files with clusters of several sizes, merged as hadd does: the tree has ranges of clusters. */
   static void ranges(const char *path) {
      TFileMerger merger(false);
      merger.OutputFile(path, "RECREATE");
      std::vector<std::string> parts;
      for (int part = 0; part < 4; ++part) {
         parts.push_back(Form("%s.part%d", path, part));
         TFile f(parts.back().c_str(), "RECREATE"); TTree t("t", ""); TRandom3 chance(20 + part);
         t.SetAutoFlush(part == 2 ? 4000 : 500 + 900 * part);
         std::vector<std::vector<float>> v;
         columns(t, v, 12, 8, {16000, 3000});
         fill(t, v, 4000 + 777 * part, chance);
         t.Write(); f.Close();
      }
      for (auto &part : parts) merger.AddFile(part.c_str());
      merger.Merge();
      for (auto &part : parts) gSystem->Unlink(part.c_str());
   }
   /** Baskets smaller than clusters, with a branch whose baskets cross the ends of clusters of other branches. */
   static void crossing(const char *path) {
      TFile f(path, "RECREATE"); TTree t("t", ""); TRandom3 chance(30);
      t.SetAutoFlush(0);
      std::vector<std::vector<float>> v;
      columns(t, v, 10, 5, {2000, 5000, 30000});
      fill(t, v, 4000, chance);
      t.SetAutoFlush(1700);
      fill(t, v, 16000, chance);
      t.Write();
   }
};
""")

# Names of the branches that are read; None for all.
FILES = {
    "scattered": None,
    "scattered-few": ["x02", "x07", "x13", "x19"],
    "flushed": None,
    "flushed-few": ["x01", "x02", "x09"],
    "bytes": None,
    "joins": ["x0", "x3", "x6"],
    "twotrees": None,
    "variable": None,
    "clones": None,
    "gaps": None,
    "leaflist": None,
    "ranges": None,
    "crossing": None,
}


def make(name, path):
    getattr(ROOT.Patterns, name.split("-")[0])(path)
