// The histograms of bench/selectors.mjs by compiled RDataFrame on one thread: selectors_rdf QUERY LIST OUT
// LIST is a file with the path of a file a line; OUT gets the bins as JSON. Prints a line of seconds and MB as JSON.
// bench/peers/build.sh builds it.
#include "../../tests/fixtures/adl_queries.h"

#include <ROOT/RDataFrame.hxx>
#include <TH1D.h>

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <string>

using ROOT::RDataFrame;
using Histogram = ROOT::RDF::RResultPtr<TH1D>;
using Histograms = std::map<std::string, Histogram>;
using Names = std::vector<std::string>;

static const Names MUONS = {"Muon_pt", "Muon_eta", "Muon_phi", "Muon_mass", "Muon_charge"};
static const Names ELECTRONS = {"Electron_pt", "Electron_eta", "Electron_phi", "Electron_mass", "Electron_charge"};

static Names joined(Names one, const Names &other) {
    one.insert(one.end(), other.begin(), other.end());
    return one;
}

static const std::map<std::string, std::function<Histograms(RDataFrame &)>> QUERIES = {
    // ten
    {"ten", [](RDataFrame &f) {
        auto events = f.Filter([](unsigned n) { return n >= 1; }, {"nMuon"});
        Histograms all;
        for (std::string name : {"Muon_pt", "Muon_eta", "Muon_phi", "Jet_pt", "Jet_eta", "Jet_phi", "Jet_mass", "Electron_pt", "Electron_eta", "Electron_phi"}) {
            bool angle = name.find("eta") != name.npos || name.find("phi") != name.npos;
            all[name] = events.Histo1D<V>({"", "", 100, angle ? -4. : 0., angle ? 4. : 201.}, name);
        }
        return all;
    }},
    // q1-met
    {"q1-met", [](RDataFrame &f) {
        return Histograms{{"met", f.Histo1D<float>({"", "", 100, 0, 200}, "MET_pt")}};
    }},
    // q2-jets
    {"q2-jets", [](RDataFrame &f) {
        return Histograms{{"pt", f.Histo1D<V>({"", "", 100, 15, 215}, "Jet_pt")}};
    }},
    // q3-central-jets
    {"q3-central-jets", [](RDataFrame &f) {
        auto central = [](const V &pt, const V &eta) { return V(pt[abs(eta) < 1]); };
        auto jets = f.Define("v", central, {"Jet_pt", "Jet_eta"});
        return Histograms{{"pt", jets.Histo1D<V>({"", "", 100, 15, 215}, "v")}};
    }},
    // q4-two-jets
    {"q4-two-jets", [](RDataFrame &f) {
        auto events = f.Filter([](const V &pt) { return Sum(pt > 40) >= 2; }, {"Jet_pt"});
        return Histograms{{"met", events.Histo1D<float>({"", "", 100, 0, 200}, "MET_pt")}};
    }},
    // q5-z-window
    {"q5-z-window", [](RDataFrame &f) {
        return Histograms{{"met", f.Filter(zpair, MUONS).Histo1D<float>({"", "", 100, 0, 200}, "MET_pt")}};
    }},
    // q6-trijet
    {"q6-trijet", [](RDataFrame &f) {
        auto events = f.Filter([](unsigned n) { return n >= 3; }, {"nJet"});
        auto found = events.Define("tri", trijet, {"Jet_pt", "Jet_eta", "Jet_phi", "Jet_mass", "Jet_btag"});
        auto member = [](int i) { return [i](const ROOT::RVec<double> &tri) { return tri[i]; }; };
        auto pt = found.Define("v", member(0), {"tri"}).Histo1D<double>({"", "", 100, 0, 400}, "v");
        auto btag = found.Define("v", member(1), {"tri"}).Histo1D<double>({"", "", 50, 0, 1}, "v");
        return Histograms{{"pt", pt}, {"btag", btag}};
    }},
    // q7-isolated-jets
    {"q7-isolated-jets", [](RDataFrame &f) {
        auto sums = f.Define("v", away, {"Jet_pt", "Jet_eta", "Jet_phi", "Muon_pt", "Muon_eta", "Muon_phi", "Electron_pt", "Electron_eta", "Electron_phi"});
        return Histograms{{"sum", sums.Histo1D<double>({"", "", 100, 0, 800}, "v")}};
    }},
    // q8-beside-z
    {"q8-beside-z", [](RDataFrame &f) {
        auto found = f.Define("v", beside, joined(joined(MUONS, ELECTRONS), {"MET_pt", "MET_phi"}));
        auto events = found.Filter([](double v) { return v >= 0; }, {"v"});
        return Histograms{{"mt", events.Histo1D<double>({"", "", 100, 0, 250}, "v")}};
    }},
    // end
};

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    std::ifstream list(argv[2]);
    Names files;
    for (std::string line; std::getline(list, line);) files.push_back(line);
    auto wall = std::chrono::steady_clock::now();
    std::clock_t cpu = std::clock();
    RDataFrame frame("Events", files);
    Histograms all = QUERIES.at(argv[1])(frame);
    for (auto &[name, histogram] : all) histogram.GetValue();
    double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    double cpu_s = double(std::clock() - cpu) / CLOCKS_PER_SEC;
    std::FILE *out = std::fopen(argv[3], "w");
    if (!out) return 1;
    const char *between = "{";
    for (auto &[name, histogram] : all) {
        std::fprintf(out, "%s\"%s\": [%.17g", between, name.c_str(), histogram->GetBinContent(0));
        for (int i = 1; i < histogram->GetNbinsX() + 2; i++) std::fprintf(out, ", %.17g", histogram->GetBinContent(i));
        std::fputs("]", out);
        between = ", ";
    }
    std::fputs("}\n", out);
    std::fclose(out);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    std::printf("{\"wall_s\": %.4f, \"cpu_s\": %.4f, \"rss_mb\": %.1f}\n", wall_s, cpu_s, double(used.ru_maxrss) / 1024);
}
