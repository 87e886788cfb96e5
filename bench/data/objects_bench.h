// Classes of objects.root.
#pragma once
#include <TObject.h>
#include <map>
#include <string>
#include <vector>

struct BenchHit {
    float x, y, z;
    int id;
    short q;
    double t;
};
struct BenchTrack {
    float pt, eta, phi;
    int charge;
    std::vector<float> chi2;
    BenchHit first;
};
class BenchEvent : public TObject {
  public:
    int run = 0;
    long long event = 0;
    float weight = 0;
    double cov[6] = {};
    std::string label;
    std::vector<float> w;
    std::vector<BenchHit> hits;
    std::map<int, float> scale;
    BenchHit vertex;
    ClassDef(BenchEvent, 2)
};
