// The draw of bench/draw.mjs by RDataFrame on one thread: draw_rdf FILE TREE
// Prints a line of JSON: seconds, and the number, mean and standard deviation of what was filled.
//   g++ -O3 -march=native -std=c++17 draw_rdf.cpp -o draw_rdf $(root-config --cflags --libs) -lROOTDataFrame
#include <ROOT/RDataFrame.hxx>
#include <ROOT/RVec.hxx>
#include <TH1D.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

using ROOT::RVec;

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    auto wall = std::chrono::steady_clock::now();
    std::clock_t cpu = std::clock();
    ROOT::RDataFrame frame(argv[2], argv[1]);
    auto pz = [](const RVec<float> &pt, const RVec<float> &eta, const RVec<float> &phi) {
        RVec<double> out;
        for (std::size_t i = 0; i < pt.size(); i++)
            if (pt[i] > 5) out.push_back(double(pt[i]) * std::sinh(double(eta[i])) + std::cos(double(phi[i])));
        return out;
    };
    auto h = frame.Define("v", pz, {"Muon_pt", "Muon_eta", "Muon_phi"}).Histo1D<RVec<double>>({"h", "", 100, -200., 200.}, "v");
    double entries = h->GetEntries(), mean = h->GetMean(), dev = h->GetStdDev();
    double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    std::printf("{\"wall_s\": %.4f, \"cpu_s\": %.4f, \"fills\": %.17g, \"mean\": %.17g, \"stdDev\": %.17g}\n", wall_s,
                double(std::clock() - cpu) / CLOCKS_PER_SEC, entries, mean, dev);
}
