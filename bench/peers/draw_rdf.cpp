// The draws of bench/cases.mjs by RDataFrame on one thread: draw_rdf FILE TREE lists|scalars LIST sums=OUT
// LIST is a file with a branch a line. The expressions are compiled; they are those of the cases, which the sums show.
// bench/peers/build.sh builds it.
#include <ROOT/RDataFrame.hxx>
#include <ROOT/RVec.hxx>
#include <TH1D.h>

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

using ROOT::RVec;

int main(int argc, char **argv) {
    if (argc < 6) return 2;
    std::ifstream list(argv[4]);
    std::string a, b, c;
    if (!(list >> a >> b >> c)) return 2;
    auto wall = std::chrono::steady_clock::now();
    std::clock_t cpu = std::clock();
    ROOT::RDataFrame frame(argv[2], argv[1]);
    auto lists = [](const RVec<float> &pt, const RVec<float> &eta, const RVec<float> &phi) {
        RVec<double> out;
        for (std::size_t i = 0; i < pt.size(); i++)
            if (pt[i] > 5) out.push_back(double(pt[i]) * std::sinh(double(eta[i])) + std::cos(double(phi[i])));
        return out;
    };
    auto scalars = [](float x, float y, float z) { return double(x) * std::abs(double(y)) + double(z); };
    auto passes = [](float z) { return z > 0.5; };
    auto h = std::strcmp(argv[3], "lists") == 0
                 ? frame.Define("v", lists, {a, b, c})
                       .Histo1D<RVec<double>>({"h", "", 100, -200., 200.}, "v")
                 : frame.Filter(passes, {c})
                       .Define("v", scalars, {a, b, c})
                       .Histo1D<double>({"h", "", 100, -2e6, 2e6}, "v");
    double entries = h->GetEntries();
    double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    double cpu_s = double(std::clock() - cpu) / CLOCKS_PER_SEC;
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    std::FILE *out = std::fopen(argv[5] + std::strlen("sums="), "w");
    if (!out) return 1;
    std::fprintf(out, "{\"mean\": [%.17g, %.17g], \"deviation\": [%.17g, %.17g]}\n", entries, h->GetMean(), entries,
                 h->GetStdDev());
    std::fclose(out);
    std::printf("{\"wall_s\": %.4f, \"cpu_s\": %.4f, \"rss_mb\": %.1f}\n", wall_s, cpu_s, double(used.ru_maxrss) / 1024);
}
