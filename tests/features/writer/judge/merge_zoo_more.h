/* The second half of merge_zoo.h: objects that are no histograms of one, two or three axes. */
#include "merge_zoo.h"

namespace zoo {

void polygons(Part &p)
{
   TH2Poly poly("poly", "bins that are polygons", 0, 4, 0, 2);
   TProfile2Poly prof("profile_poly", "a profile of polygons", 0, 4, 0, 2);
   TH2Poly more("poly_more", "more bins in later files", 0, 4, 0, 2);
   for (int i = 0; i < 4; i++) {
      poly.AddBin(i, 0, i + 1, 1);
      prof.AddBin(i, 0, i + 1, 1);
      more.AddBin(i, 0, i + 1, 1);
   }
   if (p.k) more.AddBin(0, 1, 1, 2);
   double x[] = {0, 1, .5}, y[] = {1, 1, 2};
   poly.AddBin(3, x, y);
   for (int i = 0; i < 300; i++) {
      const double a = p.r.Uniform(-.5, 4.5), b = p.r.Uniform(-.5, 2.5);
      poly.Fill(a, b, i % 2 ? 1 : .5);
      more.Fill(a, b);
      prof.Fill(a, b, p.r.Rndm());
   }
   poly.Write();
   more.Write();
   prof.Write();
   TH2Poly comb("poly_comb", "a honeycomb without weights", 0, 4, 0, 2);
   comb.Honeycomb(0, 0, .5, 3, 3);
   for (int i = 0; i < 100; i++) comb.Fill(p.r.Uniform(0, 4), p.r.Uniform(0, 2));
   comb.Write();
}

template <class H> void manyAxes(Part &p, const char *name, bool weights, int what = 0)
{
   const int k = p.k;
   int bins[] = {4, what == 2 && k ? 5 : 3, 2};
   double low[] = {0, 0, -1}, high[] = {1, what == 1 && k ? 4. : 3., 1};
   H h(name, name, 3, bins, low, high);
   if (weights) h.Sumw2();
   for (int i = 0; i < 60; i++) {
      double x[] = {p.r.Uniform(-.2, 1.2), p.r.Uniform(0, 3), p.r.Gaus()};
      h.Fill(x, weights ? p.r.Rndm() : 1);
   }
   h.Write(name);
}

void dimensions(Part &p)
{
   manyAxes<THnC>(p, "thn_c", false);
   manyAxes<THnS>(p, "thn_s", false);
   manyAxes<THnI>(p, "thn_i", false);
   manyAxes<THnL>(p, "thn_l", false);
   manyAxes<THnF>(p, "thn_f", false);
   manyAxes<THnD>(p, "thn_d", true);
   manyAxes<THnD>(p, "thn_weighted_later", p.k > 0);
   manyAxes<THnF>(p, "thn_other_limits", false, 1);
   manyAxes<THnF>(p, "thn_other_bins", false, 2);
   manyAxes<THnSparseC>(p, "sparse_c", false);
   manyAxes<THnSparseS>(p, "sparse_s", false);
   manyAxes<THnSparseI>(p, "sparse_i", false);
   manyAxes<THnSparseL>(p, "sparse_l", false);
   manyAxes<THnSparseF>(p, "sparse_f", false);
   manyAxes<THnSparseD>(p, "sparse_d", true);
   manyAxes<THnSparseD>(p, "sparse_weighted_later", p.k > 0);
   manyAxes<THnSparseD>(p, "sparse_weighted_first", p.k == 0);
   manyAxes<THnSparseD>(p, "sparse_other_limits", false, 1);
   manyAxes<THnSparseD>(p, "sparse_other_bins", false, 2);
   int bins[] = {100, 50, 8};
   double low[] = {0, 0, 0}, high[] = {1, 1, 1};
   THnSparseF chunks("sparse_chunks", "several chunks", 3, bins, low, high, 16);
   for (int i = 0; i < 200; i++) {
      double x[] = {p.r.Rndm(), p.r.Rndm(), p.r.Rndm()};
      chunks.Fill(x);
   }
   chunks.Write();
   THnSparseD empty("sparse_empty_first", "the first is empty", 3, bins, low, high);
   for (int i = 0; p.k && i < 10; i++) {
      double x[] = {p.r.Rndm(), p.r.Rndm(), p.r.Rndm()};
      empty.Fill(x);
   }
   empty.Write();
   THnSparseD equal("sparse_equal", "the same in all files", 3, bins, low, high);
   double x[] = {.5, .5, .5};
   for (int i = 0; i < 500; i++) equal.Fill(x);
   equal.Write();
   int wide[] = {1000000, 1000000, 1000000};
   THnSparseD coordinates("sparse_wide", "coordinates of more than 32 bits", 3, wide, low, high);
   for (int i = 0; i < 20; i++) {
      double x[] = {p.r.Rndm() * .01, .5, .5};
      coordinates.Fill(x);
   }
   coordinates.Write();
}

void efficiencies(Part &p)
{
   TEfficiency one("eff", "an efficiency", 5, 0, 1), weighted("eff_weighted", "with weights", 5, 0, 1);
   TEfficiency bayes("eff_bayes", "with a prior", 5, 0, 1), bins("eff_bins", "with other bins", p.k ? 4 : 5, 0, 1);
   TEfficiency scale("eff_scale", "files of different weights", 5, 0, 1);
   TEfficiency two("eff2", "two axes", 3, 0, 1, 2, 0, 1), three("eff3", "three axes", 2, 0, 1, 2, 0, 1, 2, 0, 1);
   TEfficiency equal("eff_equal", "the same in all files", 2, 0, 1), name("eff_names", "names of bins", 2, 0, 2);
   bayes.SetStatisticOption(TEfficiency::kBBayesian);
   bayes.SetBetaAlpha(2);
   scale.SetWeight(1 + .5 * p.k);
   weighted.SetUseWeightedEvents();
   for (int i = 0; i < 100; i++) {
      const double x = p.r.Rndm(), y = p.r.Rndm(), z = p.r.Rndm(), w = p.r.Rndm();
      const bool passed = p.r.Rndm() > .4;
      for (TEfficiency *e : {&one, &bayes, &bins, &scale}) e->Fill(passed, x);
      weighted.FillWeighted(passed, w, x);
      two.Fill(passed, x, y);
      three.Fill(passed, x, y, z);
      equal.Fill(i % 3, .01 * i);
   }
   for (TEfficiency *e : {&one, &weighted, &bayes, &bins, &scale, &two, &three, &equal}) e->Write();
}

template <class T> void parameter(Part &p, const char *name, T value, T step, bool equal = false)
{
   for (const char *mode = "+*Mmfl"; *mode; mode++) {
      const std::string full = std::string(name) + (equal ? "_equal_" : "_") + (*mode == '+' ? "sum" : *mode == '*' ? "times" : *mode == 'M' ? "most" : *mode == 'm' ? "least" : *mode == 'f' ? "first" : "last");
      TParameter<T> t(full.c_str(), equal ? value : T(value + T(p.k == 1 ? 2 : -p.k) * step), *mode);
      t.Write();
   }
}

void numbers(Part &p)
{
   parameter<double>(p, "double", 1000.25, .5);
   parameter<float>(p, "float", 3.1f, .7f);
   parameter<int>(p, "int", 2000000000, 5);
   parameter<long>(p, "long", 3000000000000000000, 7);
   parameter<Long64_t>(p, "long64", 3000000000000000001, 7);
   parameter<bool>(p, "bool", true, false);
   parameter<double>(p, "double", 500, 0, true);
   TParameter<bool>("bool_some", p.k == 1).Write();
   TParameter<bool>("bool_some_times", p.k == 1, '*').Write();
   TParameter<double>("mode_differs", 3 + p.k, p.k ? '*' : '+').Write();
   TStatistic s("statistic");
   for (int i = 0; i < 20; i++) s.Fill(p.r.Gaus(p.k, 1), p.r.Rndm());
   s.Write();
   TStatistic empty("statistic_empty_first");
   for (int i = 0; p.k && i < 20; i++) empty.Fill(p.r.Gaus());
   empty.Write();
   TSelectorScalar scalar("scalar", 10 + p.k);
   scalar.Write();
}

void lists(Part &p)
{
   const int k = p.k;
   TEventList events("events", "numbers of events");
   for (int i = 0; i < 20; i++) events.Enter(p.r.Integer(50));
   events.Write();
   TEventList sorted("events_empty_first", "the first is empty");
   for (int i = 0; k && i < 5; i++) sorted.Enter(3 * i + k);
   sorted.Write();
   TEntryList same("entries", "of one tree", "t", "a.root"), other("entries_files", "of trees of several files", "t", Form("a%d.root", k));
   TEntryList dense("entries_dense", "bits and lists in blocks", "t", "a.root"), blocks("entries_blocks", "several blocks", "t", "a.root");
   TEntryList empty("entries_empty_first", "the first is empty", "t", "a.root"), parent("entries_lists", "with lists"), pattern("entries_shape", "blocks that are lists, and bits", "t", "a.root");
   for (int i = 0; i < 40; i++) {
      same.Enter(p.r.Integer(1000));
      other.Enter(p.r.Integer(1000));
      blocks.Enter(p.r.Integer(300000));
      pattern.Enter(k == 1 ? 7 * i : i);
      if (k) empty.Enter(i * k);
   }
   for (int i = 0; i < 64000; i++)
      if (p.r.Rndm() < .9) dense.Enter(i);
   for (int which = 0; which < 2; which++) {
      TEntryList part("", "", "t", Form("a%d.root", k + which));
      for (int i = 0; i < 10; i++) part.Enter(p.r.Integer(100));
      parent.Add(&part);
   }
   same.Write();
   other.Write();
   blocks.Write();
   dense.Write();
   empty.Write();
   pattern.Write();
   parent.Write("entries_lists");
   TEntryListArray array("entries_array", "of elements of arrays", "t", "a.root");
   for (int i = 0; i < 10; i++) array.Enter(i + k);
   array.Write("entries_array");
}

TH1F *histogram(Part &p, const char *name, int bins = 5)
{
   auto h = new TH1F(name, name, bins, -1, 1);
   for (int i = 0; i < 50; i++) h->Fill(p.gaus());
   return h;
}

template <class C> void collection(Part &p, const char *name)
{
   C c;
   c.Add(histogram(p, "first"));
   c.Add(histogram(p, "second", 7));
   c.Write(name, TObject::kSingleKey);
}

void collections(Part &p)
{
   const int k = p.k;
   collection<TList>(p, "list");
   collection<THashList>(p, "hash_list");
   collection<TObjArray>(p, "array");
   collection<TOrdCollection>(p, "ordered");
   collection<TSortedList>(p, "sorted");
   collection<THashTable>(p, "hash_table");
   TList strings, mixed, nested, inner, uneven, unlike, empty;
   strings.Add(new TObjString(Form("text %d", k)));
   strings.Add(new TObjString("text"));
   strings.Write("list_strings", TObject::kSingleKey);
   mixed.Add(histogram(p, "h"));
   mixed.Add(new TNamed("named", Form("title %d", k)));
   mixed.Add(new TParameter<double>("parameter", 2 + k), "with an option");
   mixed.Write("list_mixed", TObject::kSingleKey);
   inner.Add(histogram(p, "deep"));
   inner.Add(new TParameter<int>("count", 7 + k));
   inner.SetName("inner");
   nested.Add(&inner);
   nested.Add(histogram(p, "h"));
   nested.Write("list_nested", TObject::kSingleKey);
   for (int i = 0; i <= (k == 1 ? 2 : 1); i++) uneven.Add(histogram(p, Form("h%d", i)));
   uneven.Write("list_uneven", TObject::kSingleKey);
   unlike.Add(k == 1 ? (TObject *)new TNamed("x", "x") : histogram(p, "x"));
   unlike.Write("list_unlike", TObject::kSingleKey);
   if (k) empty.Add(histogram(p, "h"));
   empty.Write("list_empty_first", TObject::kSingleKey);
   TObjArray holes(4);
   holes.AddAt(histogram(p, "h"), 1);
   holes.AddAt(histogram(p, "g"), 3);
   holes.Write("array_holes", TObject::kSingleKey);
   TMap map;
   map.Add(new TObjString("key"), new TObjString(Form("value %d", k)));
   map.Write("map", TObject::kSingleKey);
   THStack stack("stack", "a stack");
   stack.Add(histogram(p, "s1"));
   stack.Add(histogram(p, "s2"));
   stack.Write();
   THStack stackMore("stack_more", "more histograms in later files");
   for (int i = 0; i < 1 + k; i++) stackMore.Add(histogram(p, Form("s%d", i)));
   stackMore.Write();
   TFolder folder("folder", "a folder");
   folder.Add(histogram(p, "f1"));
   folder.Write();
   TFileCollection files("files", "names of files");
   files.Add(new TFileInfo(Form("root://host//file%d.root", k)));
   files.Write();
}

void graphs(Part &p)
{
   const int k = p.k, n = 3 + k;
   std::vector<double> v(n);
   for (auto &value : v) value = p.r.Rndm();
   double *d = v.data();
   TGraph g(n, d, d), fit(n, d, d), drawn(n, d, d), none(k ? n : 0);
   if (k == 0) g.GetHistogram();
   keep(g, "graph");
   fit.GetListOfFunctions()->Add(new TF1("line", "pol1", 0, 1));
   fit.SetMaximum(3 + k);
   keep(fit, "graph_function");
   if (k) drawn.GetHistogram();
   keep(drawn, "graph_drawn_later");
   keep(none, "graph_empty_first");
   TGraph same(3);
   for (int i = 0; i < 3; i++) same.SetPoint(i, i, i);
   keep(same, "graph_equal");
   TGraph sorted(n, d, d);
   sorted.SetBit(TGraph::kIsSortedX);
   keep(sorted, "graph_sorted");
   TGraphErrors errors(n, d, d, d, d);
   keep(errors, "graph_errors");
   TGraphAsymmErrors sides(n, d, d, d, d, d, d);
   keep(sides, "graph_sides");
   TGraphBentErrors bent(n, d, d, d, d, d, d, d, d, d, d);
   keep(bent, "graph_bent");
   TGraphPolar polar(n, d, d, d, d);
   keep(polar, "graph_polar");
   TGraphQQ qq(n, d);
   keep(qq, "graph_qq");
   TCutG cut("cut", n, d, d);
   cut.Write();
   TGraph2D plane(n, d, d, d);
   keep(plane, "graph2d");
   TGraph2DErrors planeErrors(n, d, d, d, d, d, d);
   keep(planeErrors, "graph2d_errors");
   TMultiGraph multi("multi_graph", "several graphs");
   multi.Add(new TGraph(n, d, d));
   multi.Write();
   TPolyLine line(n, d, d);
   line.Write("poly_line");
   THelix helix(0, 0, 0, 1, 1, 1, 2 + k);
   helix.Write("helix");
   TCurlyLine curly(.1, .1, .8, .8 - .1 * k);
   curly.Write("curly_line");
   TCurlyArc arc(.5, .5, .2 + .1 * k, 0, 90);
   arc.Write("curly_arc");
}

void others(Part &p)
{
   const int k = p.k;
   TObjString text(Form("text %d", k)), same("the same");
   text.Write("text");
   same.Write("text_equal");
   TNamed first("named", Form("first of %d", k)), second("named", Form("second of %d", k));
   first.Write();
   second.Write();
   TF1 function("function", "[0]*x", 0, 1 + k);
   function.Write();
   TMatrixD matrix(2, 2);
   matrix(0, 1) = k;
   matrix.Write("matrix");
   TVectorD vector(2 + k);
   vector.Write("vector");
   std::string word = "word " + std::to_string(k);
   std::vector<double> values{1. * k, 2};
   gDirectory->WriteObject(&word, "std_string");
   gDirectory->WriteObject(&values, "std_vector");
   TCanvas canvas("canvas", Form("canvas %d", k));
   canvas.Write();
   TDirectory *here = gDirectory, *folder = here->mkdir("folder_of_objects"), *deep = folder->mkdir("deep");
   folder->cd();
   one<TH1F>(p, "h1f", 50, false);
   TParameter<double>("p", 1 + k).Write();
   deep->cd();
   collection<TList>(p, "list");
   TObjString("deep").Write("text");
   here->cd();
   TH1F cycles("cycles", "older cycles", 3, 0, 1);
   cycles.Fill(.1);
   cycles.Write();
   cycles.Fill(.5);
   cycles.Write();
   if (k == 0) one<TH1F>(p, "only_first", 50, false);
   if (k == 1) one<TH1F>(p, "only_second", 50, false);
   if (k == 1) TParameter<double>("parameter_only_second", 5).Write();
}

/* TLinearFitter, TChain and a subclass need more than their own members to be merged. */
void special(Part &p)
{
   TLinearFitter fitter(2, "1++x");
   for (int i = 0; i < 5; i++) {
      double x[] = {p.r.Rndm(), p.r.Rndm()};
      fitter.AddPoint(x, p.r.Rndm());
   }
   fitter.Write("fitter");
}

void write(const char *path, int part, int seed)
{
   TH1::AddDirectory(false);
   TFile f(path, "RECREATE");
   Part p{TRandom3(1000 * seed + part + 1), part};
   for (auto make : {plain, statistics, axes, buffers, labels, profiles, polygons, dimensions, efficiencies, numbers, lists, collections, graphs, others})
      make(p);
   f.Close();
}

/* Writes one object; false when there are no more. */
bool fragile(const char *path, int which, int part, int seed)
{
   TH1::AddDirectory(false);
   TFile f(path, "RECREATE");
   Part p{TRandom3(1000 * seed + part + 500), part};
   const int n = 3 + part;
   std::vector<double> v(n);
   for (auto &value : v) value = p.r.Rndm();
   double *d = v.data();
   TGraphMultiErrors multi(n, d, d, d, d, d, d);
   TH1F single("types", "a TH1F and a TH1D", 5, 0, 1);
   TH1D twice("types", "a TH1F and a TH1D", 5, 0, 1);
   std::vector<float> points(3 * n);
   for (auto &value : points) value = p.r.Rndm();
   TList list;
   TClonesArray clones("TParameter<double>", 2);
   auto shared = histogram(p, "shared");
   switch (which) {
   case 0: keep(multi, "graph_multi"); break;
   case 1: (part ? (TH1 *)&twice : &single)->Write(); break;
   case 2:
      list.Add(shared);
      list.Add(shared);
      list.Write("list_shared", TObject::kSingleKey);
      break;
   case 3: special(p); break;
   case 4:
      new (clones[0]) TParameter<double>("a", 1 + part);
      new (clones[1]) TParameter<double>("b", 10 + part);
      clones.Write("clones", TObject::kSingleKey);
      break;
   case 5: TPolyLine3D(n, points.data()).Write("poly_line3"); break;
   case 6: TPolyMarker3D(n, points.data(), 2).Write("poly_marker3"); break;
   case 7: TPolyMarker(n, d, d).Write("poly_marker"); break;
   default: return false;
   }
   f.Close();
   return true;
}

} // namespace zoo
