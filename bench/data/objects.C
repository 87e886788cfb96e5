// Writes objects.root; ACLiC compiles it, because the classes need dictionaries.
#include "columns.h"
#include "objects_bench.h"
#include <TClonesArray.h>
#include <TLorentzVector.h>
#ifdef __CLING__
// clang-format off
#pragma link C++ struct BenchHit+;
#pragma link C++ struct BenchTrack+;
#pragma link C++ class BenchEvent+;
#pragma link C++ class std::vector<BenchHit>+;
#pragma link C++ class std::vector<BenchTrack>+;
#pragma link C++ class std::vector<std::vector<float>>+;
#pragma link C++ class std::map<int,float>+;
// clang-format on
#endif

static void fillHit(BenchHit &hit, bench::Random &random) {
    hit.x = bench::rounded(random.normal(), 12);
    hit.y = bench::rounded(random.normal(), 12);
    hit.z = bench::rounded(10 * random.normal(), 12);
    hit.id = (int)(random.next() % 5000);
    hit.q = (short)random.exponential(30);
    hit.t = random.exponential(3);
}

void objects(const char *out, const char *sumFile, long long entries, int compression) {
    using bench::rounded;
    TFile file(out, "RECREATE", "", compression);
    auto tree = new TTree("T", "objects");
    std::vector<float> vf;
    std::vector<int> vi;
    std::vector<std::vector<float>> vvf;
    std::vector<BenchHit> hits;
    std::vector<BenchTrack> trk;
    auto ev = new BenchEvent;
    auto p4 = new TClonesArray("TLorentzVector");
    std::string str;
    tree->Branch("vf", &vf);
    tree->Branch("vi", &vi);
    tree->Branch("vvf", &vvf);
    tree->Branch("hits", &hits, 32000, 99);
    tree->Branch("trk", &trk, 32000, 99);
    tree->Branch("ev", &ev, 32000, 0);
    tree->Branch("evs.", &ev, 32000, 99);
    tree->Branch("p4", &p4, 32000, 99);
    tree->Branch("str", &str);
    bench::Sums sums(
        "vf vi vvf hits.x hits.id hits.t trk.pt trk.chi2 ev.w ev.hits.x p4.fE p4.fP.fX str");
    std::map<std::string, bench::Sum *> named;
    for (auto &one : sums.list)
        named[one.name] = &one;
    bench::Sum &sumOfVf = *named["vf"], &sumOfVi = *named["vi"], &sumOfVvf = *named["vvf"];
    bench::Sum &sumOfX = *named["hits.x"], &sumOfId = *named["hits.id"], &sumOfT = *named["hits.t"];
    bench::Sum &sumOfPt = *named["trk.pt"], &sumOfChi2 = *named["trk.chi2"];
    bench::Sum &sumOfW = *named["ev.w"], &sumOfEventX = *named["ev.hits.x"];
    bench::Sum &sumOfE = *named["p4.fE"], &sumOfPx = *named["p4.fP.fX"], &sumOfStr = *named["str"];
    bench::Random random("objects");
    for (long long entry = 0; entry < entries; ++entry) {
        vf.clear();
        for (int i = random.poisson(8); i > 0; --i) {
            vf.push_back(rounded(random.exponential(20), 12));
            sumOfVf.add(vf.back());
        }
        vi.clear();
        for (int i = random.poisson(5); i > 0; --i) {
            vi.push_back((int)random.exponential(50));
            sumOfVi.add(vi.back());
        }
        vvf.resize(random.poisson(4));
        for (auto &list : vvf) {
            list.clear();
            for (int i = random.poisson(4); i > 0; --i) {
                list.push_back(rounded(random.normal(), 12));
                sumOfVvf.add(list.back());
            }
        }
        hits.resize(random.poisson(10));
        for (auto &hit : hits) {
            fillHit(hit, random);
            sumOfX.add(hit.x);
            sumOfId.add(hit.id);
            sumOfT.add(hit.t);
        }
        trk.resize(random.poisson(3));
        for (auto &track : trk) {
            track.pt = rounded(random.exponential(10), 12);
            sumOfPt.add(track.pt);
            track.eta = rounded(random.normal(), 12);
            track.phi = rounded(6.28 * random.uniform(), 12);
            track.charge = random.next() & 1 ? 1 : -1;
            track.chi2.clear();
            for (int i = random.poisson(3); i > 0; --i) {
                track.chi2.push_back(rounded(random.exponential(1), 12));
                sumOfChi2.add(track.chi2.back());
            }
            fillHit(track.first, random);
        }
        ev->run = 1 + entry / 10000;
        ev->event = 7 * entry;
        ev->weight = rounded(random.uniform(), 12);
        for (auto &one : ev->cov)
            one = random.normal();
        ev->label = "event " + std::to_string(entry % 97);
        ev->w.clear();
        for (int i = random.poisson(4); i > 0; --i) {
            ev->w.push_back(rounded(random.uniform(), 12));
            sumOfW.add(ev->w.back());
        }
        ev->hits.resize(random.poisson(3));
        for (auto &hit : ev->hits) {
            fillHit(hit, random);
            sumOfEventX.add(hit.x);
        }
        ev->scale.clear();
        for (int i = random.poisson(2); i > 0; --i) {
            float scale = rounded(random.uniform(), 12);
            ev->scale[random.next() % 20] = scale;
        }
        fillHit(ev->vertex, random);
        p4->Clear();
        for (int i = 0, count = random.poisson(4); i < count; ++i) {
            double x = random.normal() * 10, y = random.normal() * 10, z = random.normal() * 30;
            double e = std::sqrt(x * x + y * y + z * z + .02);
            new ((*p4)[i]) TLorentzVector(x, y, z, e);
            sumOfE.add(e);
            sumOfPx.add(x);
        }
        char letter = (char)('a' + random.next() % 26);
        size_t length = random.poisson(9);
        str.assign(length, letter);
        sumOfStr.add((double)length);
        tree->Fill();
    }
    file.cd();
    tree->Write("", TObject::kOverwrite);
    file.Close();
    sums.write(sumFile);
}
