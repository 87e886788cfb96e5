/* Objects of all classes that have Merge() in ROOT, and of some that have not, for files that are merged.
 *
 * zoo::write(path, part, seed) writes the objects of one of several files: numbers differ from file to file, and names of
 * bins, limits of axes and weights as the name of an object says. zoo::fragile writes those whose Merge() makes hadd crash.
 */
#include <TCanvas.h>
#include <TChain.h>
#include <TClonesArray.h>
#include <TCurlyArc.h>
#include <TCurlyLine.h>
#include <TCutG.h>
#include <TEfficiency.h>
#include <TEntryList.h>
#include <TEntryListArray.h>
#include <TEventList.h>
#include <TF1.h>
#include <TFile.h>
#include <TFileCollection.h>
#include <TFileInfo.h>
#include <TFolder.h>
#include <TGraph2DErrors.h>
#include <TGraphAsymmErrors.h>
#include <TGraphBentErrors.h>
#include <TGraphMultiErrors.h>
#include <TGraphPolar.h>
#include <TGraphQQ.h>
#include <TH1.h>
#include <TH2.h>
#include <TH2Poly.h>
#include <TH3.h>
#include <THStack.h>
#include <THashList.h>
#include <THelix.h>
#include <THn.h>
#include <THnSparse.h>
#include <TLinearFitter.h>
#include <TMap.h>
#include <TMatrixD.h>
#include <TMultiGraph.h>
#include <TOrdCollection.h>
#include <TParameter.h>
#include <TPolyLine.h>
#include <TPolyLine3D.h>
#include <TPolyMarker.h>
#include <TPolyMarker3D.h>
#include <TProfile.h>
#include <TProfile2D.h>
#include <TProfile2Poly.h>
#include <TProfile3D.h>
#include <TRandom3.h>
#include <TRefArray.h>
#include <TSelectorScalar.h>
#include <TSortedList.h>
#include <TStatistic.h>
#include <TVectorD.h>

namespace zoo {

struct Part {
   TRandom3 r;
   int k;
   double gaus() { return r.Gaus(0, .5); }
};

template <class H> void keep(H &h, const char *name)
{
   h.SetName(name);
   h.Write(name);
}

// ---- histograms that are filled: the same axes ----

template <class H> void one(Part &p, const char *name, int times, bool weights)
{
   H h(name, name, 20, -1, 1);
   if (weights) h.Sumw2();
   for (int i = 0; i < times; i++) h.Fill(p.gaus(), weights ? p.r.Rndm() : 1);
   h.Write();
}

template <class H> void two(Part &p, const char *name, bool weights)
{
   H h(name, name, 6, -1, 1, 5, 0, 2);
   if (weights) h.Sumw2();
   for (int i = 0; i < 300; i++) h.Fill(p.gaus(), p.r.Gaus(1, .5), weights ? p.r.Rndm() : 1);
   h.Write();
}

template <class H> void three(Part &p, const char *name, bool weights)
{
   H h(name, name, 4, -1, 1, 3, 0, 2, 2, 0, 1);
   if (weights) h.Sumw2();
   for (int i = 0; i < 300; i++) h.Fill(p.gaus(), p.r.Gaus(1, .5), p.r.Rndm(), weights ? p.r.Rndm() : 1);
   h.Write();
}

void plain(Part &p)
{
   one<TH1C>(p, "h1c", 2000, false);
   one<TH1S>(p, "h1s", 300, false);
   one<TH1I>(p, "h1i", 300, false);
   one<TH1L>(p, "h1l", 300, false);
   one<TH1F>(p, "h1f", 300, false);
   one<TH1D>(p, "h1d", 300, false);
   one<TH1F>(p, "weighted", 300, true);
   one<TH1D>(p, "weighted_later", 300, p.k > 0);
   one<TH1D>(p, "weighted_first", 300, p.k == 0);
   one<TH1D>(p, "empty_first", p.k == 0 ? 0 : 100, false);
   one<TH1D>(p, "empty_later", p.k == 1 ? 0 : 100, false);
   one<TH1D>(p, "empty_all", 0, false);
   two<TH2C>(p, "h2c", false);
   two<TH2S>(p, "h2s", false);
   two<TH2I>(p, "h2i", false);
   two<TH2L>(p, "h2l", false);
   two<TH2F>(p, "h2f", true);
   two<TH2D>(p, "h2d", false);
   three<TH3C>(p, "h3c", false);
   three<TH3S>(p, "h3s", false);
   three<TH3I>(p, "h3i", false);
   three<TH3L>(p, "h3l", false);
   three<TH3F>(p, "h3f", false);
   three<TH3D>(p, "h3d", true);
}

// ---- statistics ----

void statistics(Part &p)
{
   TH1D set("set", "contents that were set", 10, 0, 1);
   for (int i = 0; i < 12; i++) set.SetBinContent(i, p.r.Integer(100));
   set.Write();
   TH1D negative("set_negative", "negative contents that were set, no squares of weights", 10, 0, 1);
   for (int i = 0; i < 12; i++) negative.SetBinContent(i, p.r.Integer(100) - 80.);
   negative.Write();
   TH2D set2("set2", "contents that were set", 3, 0, 1, 4, 0, 2);
   for (int i = 0; i < 30; i++) set2.SetBinContent(i, p.r.Integer(100));
   set2.Write();
   TH3F set3("set3", "contents that were set", 3, 0, 1, 2, 0, 2, 2, 0, 1);
   for (int i = 0; i < 80; i++) set3.SetBinContent(i, p.r.Integer(100));
   set3.Write();
   for (bool squares : {false, true}) {
      TH1D zero(squares ? "zero_sum_squares" : "zero_sum", "sums of weights that are exactly 0", 10, -100, 100);
      if (squares) zero.Sumw2();
      for (int i = 0; i < 100; i++) zero.Fill(i % 2 ? 90 - p.k : -30.5, i % 2 ? 1 : -1);
      zero.Write();
   }
   TH1D cancels("cancels", "the sum so far is exactly 0 after the second file", 10, -100, 100);
   for (int i = 0; i < 100; i++) cancels.Fill(i - 50 - p.k, p.k == 1 ? -1 : 1);
   cancels.Write();
   TH2D cancels2("cancels2", "the sum so far is exactly 0 after the second file", 10, -100, 100, 4, 0, 1);
   for (int i = 0; i < 100; i++) cancels2.Fill(i - 50 - p.k, p.r.Rndm(), p.k == 1 ? -1 : 1);
   cancels2.Write();
   TH1D ranged("ranged", "a chosen range", 10, 0, 1);
   TH1D other("ranged_otherwise", "another range in each file", 10, 0, 1);
   TH1D first("ranged_first", "a range in the first file", 10, 0, 1);
   TH2D ranged2("ranged2", "a chosen range of y", 4, 0, 1, 4, 0, 1);
   for (int first = 0; first < 3; first++)
      for (int later = 0; later < 3; later++) {
         const TH1::EStatOverflows kinds[] = {TH1::kIgnore, TH1::kConsider, TH1::kNeutral};
         TH1F over(Form("stat_overflows_%d%d", first, later), "whether overflows count in statistics", 10, 0, 1);
         over.SetStatOverflows(kinds[p.k ? later : first]);
         for (int i = 0; i < 100; i++) over.Fill(p.r.Uniform(-.2, 1.2));
         over.Write();
      }
   TH1F overset("stat_overflows_set", "overflows count in statistics, contents are set", 10, 0, 1);
   overset.SetStatOverflows(TH1::kConsider);
   for (int i = 0; i < 12; i++) overset.SetBinContent(i, i + p.k);
   for (int i = 0; i < 100; i++) {
      ranged.Fill(p.r.Rndm());
      other.Fill(p.r.Rndm());
      first.Fill(p.r.Rndm());
      ranged2.Fill(p.r.Rndm(), p.r.Rndm());
   }
   ranged.GetXaxis()->SetRange(3, 7);
   other.GetXaxis()->SetRange(2 + p.k, 8 + p.k);
   if (p.k == 0) first.GetXaxis()->SetRange(2, 5);
   ranged2.GetYaxis()->SetRange(2, 3);
   for (TH1 *h : std::initializer_list<TH1 *>{&ranged, &other, &first, &ranged2, &overset})
      h->Write();
   TH1D entries("set_entries", "a number of entries that was set", 5, 0, 1);
   entries.Fill(.5);
   entries.SetEntries(1000 + p.k);
   entries.Write();
   TH1D poisson("poisson", "errors of Poisson", 5, 0, 1);
   poisson.SetBinErrorOption(TH1::kPoisson);
   for (int i = 0; i < 50; i++) poisson.Fill(p.r.Rndm());
   poisson.Write();
   TH1D infinite("infinite", "a content that is infinite", 5, 0, 1);
   infinite.Fill(.1, p.k ? 1 : HUGE_VAL);
   infinite.Write();
   TH1D fitted("fitted", "with a function, a maximum, a norm factor and contours", 20, -1, 1);
   for (int i = 0; i < 200; i++) fitted.Fill(p.gaus());
   fitted.GetListOfFunctions()->Add(new TF1(Form("f%d", p.k), "gaus", -1, 1));
   fitted.SetMaximum(50 + p.k);
   fitted.SetNormFactor(1 + p.k);
   fitted.Write();
   TH2F contours("contours", "levels of contours", 4, 0, 1, 4, 0, 1);
   for (int i = 0; i < 200; i++) contours.Fill(p.r.Rndm(), p.r.Rndm());
   contours.SetContour(3 + p.k);
   contours.Write();
}

// ---- axes ----

void axes(Part &p)
{
   const int k = p.k;
   const double edges[] = {0, .1, .3, 1}, others[] = {0, .2, .5, 1}, outer[] = {0, .1, .3, 2};
   TH1F variable("variable", "bins of different widths", 3, edges);
   TH1F inner("other_edges", "other borders within the same limits", 3, k ? others : edges);
   TH1F limits("other_limits", "bins of different widths, other limits", 3, k ? outer : edges);
   TH1D moved("moved", "other limits", 10 + k, 0, 1 + .1 * k);
   TH1D coarse("coarse", "wider bins", k == 1 ? 5 : 10, 0, 1);
   TH1D between("between", "bins that do not lie on each other", 10, k * .05, 1 + k * .05);
   TH1D apart("apart", "limits that do not touch", 10, 3. * k, 3. * k + 1);
   TH1D outside("moved_outside", "other limits, and values below them", 10, k, 10 + k);
   TH1D above("moved_above", "wider limits in the last file, and values above them", 10 + 2 * k, 0, 10 + 2 * k);
   TH1F empty0("empty_first_other_axis", "other limits, the first is empty", k ? 10 : 20, 0, k ? 1 : 2);
   TH1F empty1("empty_later_other_axis", "other limits, the second is empty", k == 1 ? 20 : 10, 0, k == 1 ? 2 : 1);
   TH1F empty2("empty_later_between", "bins that do not lie on each other, the second is empty", k == 1 ? 7 : 10, 0, 1);
   TH1D aranged("moved_ranged", "other limits and a range", 10, k, 10 + k);
   for (int i = 0; i < 100; i++) {
      for (TH1 *h : std::initializer_list<TH1 *>{&variable, &inner, &limits}) h->Fill(p.r.Rndm());
      moved.Fill(p.r.Uniform(0, 1 + .1 * k));
      coarse.Fill(p.r.Rndm());
      between.Fill(p.r.Uniform(k * .05, 1 + k * .05));
      apart.Fill(p.r.Uniform(3. * k, 3. * k + 1));
      outside.Fill(p.r.Uniform(-1, 11));
      above.Fill(p.r.Uniform(0, 13 + 2 * k));
      aranged.Fill(p.r.Uniform(k, 10 + k));
      if (k > 0) empty0.Fill(p.r.Rndm());
      if (k != 1) empty1.Fill(p.r.Rndm()), empty2.Fill(p.r.Rndm());
   }
   aranged.GetXaxis()->SetRange(2, 6);
   for (TH1 *h : std::initializer_list<TH1 *>{&variable, &inner, &limits, &moved, &coarse, &between, &apart, &outside, &above,
                                              &empty0, &empty1, &empty2, &aranged})
      h->Write();
   TH2D moved2("moved2", "other limits", 4, k, 4 + k, 3, 0, 3);
   TH2D coarse2("coarse2", "wider bins of y", 4, 0, 1, k ? 3 : 6, 0, 3);
   TH3D moved3("moved3", "other limits of z", 2, 0, 1, 3, 0, 3, 2, 2. * k, 2. * k + 2);
   moved2.Sumw2();
   for (int i = 0; i < 100; i++) {
      moved2.Fill(p.r.Uniform(k, 4 + k), p.r.Uniform(0, 3), p.r.Rndm());
      coarse2.Fill(p.r.Rndm(), p.r.Uniform(0, 3));
      moved3.Fill(p.r.Rndm(), p.r.Uniform(0, 3), p.r.Uniform(2. * k, 2. * k + 2));
   }
   moved2.Write();
   coarse2.Write();
   moved3.Write();
   TH1D extended("extended", "an axis that was doubled", 10, 0, 1);
   extended.SetCanExtend(TH1::kXaxis);
   for (int i = 0; i < 100; i++) extended.Fill(p.r.Uniform(0, 1 + 6. * k));
   extended.Write();
   TH2D extended2("extended2", "axes that were doubled", 4, 0, 1, 4, 0, 1);
   extended2.SetCanExtend(TH1::kAllAxes);
   for (int i = 0; i < 100; i++) extended2.Fill(p.r.Uniform(0, 1 + 3. * k), p.r.Uniform(-k, 1));
   extended2.Write();
   TH1D mixed("average", "averages", 4, 0, 1);
   TH1D some("average_later", "an average in later files", 4, 0, 1);
   mixed.SetBit(TH1::kIsAverage);
   if (k) some.SetBit(TH1::kIsAverage);
   for (TH1D *h : {&mixed, &some}) {
      h->Sumw2();
      for (int i = 0; i < 50; i++) h->Fill(p.r.Rndm(), 1 + k);
      h->Write();
   }
}

// ---- buffers: bins that are chosen when there are enough values ----

void buffers(Part &p)
{
   const int k = p.k;
   TH1D fixed("buffer_fixed", "chosen bins, values in a buffer", 10, 0, 1);
   fixed.SetBuffer(1000);
   TH1D open("buffer_open", "no bins yet", 10, 0, 0);
   open.SetBuffer(1000);
   TH1D later("buffer_later", "no bins yet in later files", 10, 0, k ? 0 : 1);
   if (k) later.SetBuffer(1000);
   TH1D first("buffer_first", "no bins yet in the first file", 10, 0, k ? 1 : 0);
   if (!k) first.SetBuffer(1000);
   TH2D open2("buffer_open2", "no bins yet", 4, 0, 0, 4, 0, 0);
   open2.SetBuffer(1000);
   TH2D fixed2("buffer_fixed2", "chosen bins, values in a buffer", 4, 0, 1, 4, 0, 1);
   fixed2.SetBuffer(1000);
   TH3D fixed3("buffer_fixed3", "chosen bins, values in a buffer", 4, 0, 1, 2, 0, 1, 2, 0, 1);
   fixed3.SetBuffer(1000);
   TH1D power("power", "bins of powers of two, chosen", 50, 0, 0);
   power.SetBit(TH1::kAutoBinPTwo);
   TH1D power1("power_buffer", "bins of powers of two, not chosen yet", 50, 0, 0);
   power1.SetBit(TH1::kAutoBinPTwo);
   power.SetBuffer(100);
   power1.SetBuffer(1000);
   TProfile prof("buffer_profile", "chosen bins, values in a buffer", 5, 0, 1);
   prof.SetBuffer(1000);
   TProfile2D prof2("buffer_profile2", "chosen bins, values in a buffer", 5, 0, 1, 2, 0, 1);
   prof2.SetBuffer(1000);
   for (int i = 0; i < 40; i++) {
      const double x = p.r.Rndm(), y = p.r.Rndm(), z = p.r.Rndm();
      for (TH1 *h : {&fixed, &open, &later, &first, &power1}) h->Fill(x, i % 3 ? 1 : .5);
      for (TH2 *h : {&open2, &fixed2}) h->Fill(x, y);
      fixed3.Fill(x, y, z, .5);
      prof.Fill(x, y, z);
      prof2.Fill(x, y, z);
   }
   for (int i = 0; i < 400; i++) power.Fill(p.r.Gaus(k, 1));
   power.BufferEmpty(1);
   for (TH1 *h : std::initializer_list<TH1 *>{&fixed, &open, &later, &first, &open2, &fixed2, &fixed3, &power, &power1, &prof, &prof2})
      h->Write();
}

// ---- names of bins ----

using Labels = std::vector<std::string>;

void names(const char *name, Labels labels, double weight, bool options = false)
{
   TH1D h(name, name, 2, 0, 2);
   h.SetCanExtend(TH1::kAllAxes);
   for (size_t i = 0; i < labels.size(); i++) h.Fill(labels[i].c_str(), weight + i);
   if (options) h.LabelsOption("a");
   h.Write();
}

void labels(Part &p)
{
   const int k = p.k;
   const std::string own = std::to_string(k);
   names("names", {"a", "b"}, 1);
   names("names_order", k % 2 ? Labels{"b", "a"} : Labels{"a", "b"}, 3);
   names("names_more", {"x" + own, "all", "y" + own, "z"}, 2);
   names("names_many", {"q" + own, "r" + own, "s" + own, "t" + own, "u" + own}, 2);
   names("names_sorted", {"c", "b", "a" + own}, 2, true);
   TH1D deflated("names_deflated", "as many bins as names", 2, 0, 2);
   deflated.SetCanExtend(TH1::kAllAxes);
   for (const auto &name : Labels{"a", "b" + own, "c"}) deflated.Fill(name.c_str(), 1);
   deflated.LabelsDeflate();
   deflated.Write();
   TH1D fixed("fixed", "names that stay", 2, 0, 2), swapped("fixed_swapped", "names that stay, in another order", 2, 0, 2);
   TH1D some("fixed_first", "names in the first file only", 2, 0, 2), later("fixed_later", "names in later files only", 2, 0, 2);
   for (TH1D *h : {&fixed, &swapped, &some, &later}) {
      if (!(h == &some && k) && !(h == &later && !k)) {
         const bool turn = h == &swapped && k == 1;
         h->GetXaxis()->SetBinLabel(turn ? 2 : 1, "one");
         h->GetXaxis()->SetBinLabel(turn ? 1 : 2, "two");
      }
      h->Fill(.5, 3 + k);
      h->Fill(1.5);
      h->Write();
   }
   TH1D empty("names_empty_first", "names, the first is empty", 2, 0, 2);
   if (k) {
      empty.SetCanExtend(TH1::kAllAxes);
      empty.Fill("a", 2);
      empty.Fill(("b" + own).c_str(), 3);
   }
   empty.Write();
   for (int which = 0; which < 4; which++) {
      const char *name[] = {"names2", "names2_x", "names2_y", "names2_same"};
      TH2D h(name[which], "names on axes of a TH2", 3, 0, 3, 3, 0, 3);
      h.SetCanExtend(which == 1 ? TH1::kXaxis : which == 2 ? TH1::kYaxis : TH1::kAllAxes);
      for (int i = 0; i < 4; i++) {
         const std::string x = which == 3 ? std::string(1, char('a' + i)) : "x" + std::to_string((i + k) % 5), y = "y" + std::to_string((2 * i + k) % 5);
         if (which == 1) h.Fill(x.c_str(), i + .5 > 3 ? 2.5 : i + .5, 1 + i);
         else if (which == 2) h.Fill(i + .5 > 3 ? 2.5 : i + .5, y.c_str(), 1 + i);
         else h.Fill(x.c_str(), (which == 3 ? x : y).c_str(), 1 + i);
      }
      h.Write();
   }
   TProfile prof("names_profile", "names on the axis of a profile", 3, 0, 3);
   prof.SetCanExtend(TH1::kAllAxes);
   for (int i = 0; i < 6; i++) prof.Fill(("n" + std::to_string(i % 3)).c_str(), p.r.Rndm());
   prof.Write();
   TProfile profo("names_profile_other", "other names on the axis of a profile", 3, 0, 3);
   profo.SetCanExtend(TH1::kAllAxes);
   for (int i = 0; i < 6; i++) profo.Fill(("n" + std::to_string((i + k) % 4)).c_str(), p.r.Rndm());
   profo.Write();
}

// ---- profiles ----

void profiles(Part &p)
{
   const int k = p.k;
   TProfile one("p1", "p1", 5, 0, 1), spread("p1_spread", "limits of y, and spreads", 5, 0, 1, -1, 1, "s");
   TProfile later("p1_weighted_later", "weights from the second file on", 5, 0, 1), all("p1_weighted", "weights", 5, 0, 1);
   TProfile moved("p1_moved", "other limits", 5, k, 5 + k), out("p1_outside", "other limits, and values outside", 5, k, 5 + k);
   TProfile ranged("p1_ranged", "a chosen range", 5, 0, 1), empty("p1_empty_first", "the first is empty", 5, 0, 1);
   TProfile approximated("p1_approximated", "the range of the axis of the first is empty", k ? 5 : 10, 0, k ? 1 : 2);
   TProfile2D two("p2", "p2", 3, 0, 1, 2, 0, 1), moved2("p2_moved", "other limits", 3, 0, 3, 2, 2. * k, 2. * k + 2);
   TProfile3D three("p3", "p3", 2, 0, 1, 2, 0, 1, 2, 0, 1);
   all.Sumw2();
   if (k > 0) later.Sumw2();
   for (int i = 0; i < 200; i++) {
      const double x = p.r.Rndm(), y = p.r.Rndm(), z = p.r.Rndm(), t = p.r.Gaus();
      one.Fill(x, t);
      spread.Fill(x, t);
      later.Fill(x, t, k > 0 ? y : 1);
      all.Fill(x, t, y);
      moved.Fill(k + 5 * x, t);
      out.Fill(k + 7 * x, t);
      ranged.Fill(x, t);
      if (k) empty.Fill(x, t), approximated.Fill(x, t);
      two.Fill(x, y, t);
      moved2.Fill(3 * x, 2. * k + 2 * y, t);
      three.Fill(x, y, z, t);
   }
   ranged.GetXaxis()->SetRange(2, 4);
   for (TH1 *h : std::initializer_list<TH1 *>{&one, &spread, &later, &all, &moved, &out, &ranged, &empty, &approximated, &two, &moved2, &three})
      h->Write();
}

} // namespace zoo
