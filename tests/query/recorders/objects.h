// The classes of objects.root: base classes in several levels, and members of every kind that may lie behind a pointer
// or hold objects of several classes.
#include <list>
#include <map>
#include <string>
#include <vector>

#include "TClonesArray.h"
#include "TList.h"
#include "TLorentzVector.h"
#include "TNamed.h"
#include "TObjArray.h"
#include "TVector3.h"

struct ObPoint {
    double x = 0;
    float y = 0;
    short k = 0;
    ClassDefNV(ObPoint, 1)
};

class ObBase : public TObject {
  public:
    int fId = 0;
    float fPos[3] = {0, 0, 0};
    ClassDefOverride(ObBase, 1)
};

class ObMiddle : public ObBase {
  public:
    double fMid = 0;
    std::string fLabel;
    ObPoint fInner;
    ClassDefOverride(ObMiddle, 2)
};

class ObTrack : public ObMiddle {
  public:
    float fPx = 0;
    double fGrid[2][3] = {{0, 0, 0}, {0, 0, 0}};
    int fN = 0;
    double *fCov = nullptr;  //[fN]
    std::vector<short> fHits;
    std::vector<ObPoint> fSteps;
    TLorentzVector fP4;
    TVector3 *fVertex = nullptr;  // null in some
    ObTrack() {}
    ObTrack(const ObTrack &other);
    ObTrack &operator=(const ObTrack &other);
    ~ObTrack() override;
    void Set(int e, int k);
    void Clear(Option_t * = "") override;
    float Px() const { return fPx; }
    int GetN() const { return fN; }
    double Twice() const { return 2 * fMid; }
    ClassDefOverride(ObTrack, 3)
};

class ObShower : public ObTrack {
  public:
    double fEnergy = 0;
    ClassDefOverride(ObShower, 1)
};

class ObHeader : public TNamed, public ObPoint {
  public:
    int run = 0;
    Long64_t event = 0;
    ClassDefOverride(ObHeader, 1)
};

/// Two pointers that may show to one object.
struct ObPair {
    ObTrack *a = nullptr;
    ObTrack *b = nullptr;
    std::vector<ObTrack *> list;
    ClassDefNV(ObPair, 1)
};

class ObEvent : public ObHeader {
  public:
    ObHeader head;
    TLorentzVector lor;
    TLorentzVector *plor = nullptr;  // null in some
    ObTrack best;
    ObTrack *other = nullptr;  // null in some, an ObShower in some
    TObject *any = nullptr;    // an ObTrack, an ObShower or null
    TClonesArray clones{"ObTrack"};
    TClonesArray *pclones = new TClonesArray("ObTrack");
    TObjArray array;
    TList list;
    std::vector<ObTrack> tracks;
    std::vector<ObTrack *> ptracks;  // null and ObShower in some
    std::vector<ObPoint> points;
    std::vector<ObPoint> *ppoints = new std::vector<ObPoint>;
    std::list<ObPoint> lpoints;
    std::map<int, ObPoint> mpoints;
    std::map<std::string, double> weights;
    std::vector<std::vector<ObPoint>> vvpoints;
    std::vector<TLorentzVector> vlor;
    std::vector<TVector3> v3s;
    ObPoint apoints[2];
    std::vector<std::vector<int>> vvi;
    ~ObEvent() override;
    void Set(int e);
    ClassDefOverride(ObEvent, 1)
};

inline void ObTrack::Clear(Option_t *) {
    delete[] fCov;
    fCov = nullptr;
    delete fVertex;
    fVertex = nullptr;
    fN = 0;
    fHits.clear();
    fSteps.clear();
}
inline ObTrack::~ObTrack() { Clear(); }
inline ObTrack::ObTrack(const ObTrack &o) : ObMiddle(o) { *this = o; }
inline ObTrack &ObTrack::operator=(const ObTrack &o) {
    if (this == &o) return *this;
    Clear();
    ObMiddle::operator=(o);
    fPx = o.fPx;
    memcpy(fGrid, o.fGrid, sizeof fGrid);
    fN = o.fN;
    fCov = fN ? new double[fN] : nullptr;
    for (int i = 0; i < fN; i++) fCov[i] = o.fCov[i];
    fHits = o.fHits;
    fSteps = o.fSteps;
    fP4 = o.fP4;
    fVertex = o.fVertex ? new TVector3(*o.fVertex) : nullptr;
    return *this;
}
inline void ObTrack::Set(int e, int k) {
    Clear();
    SetUniqueID(100 + e);
    fId = e * 10 + k;
    for (int i = 0; i < 3; i++) fPos[i] = e + 0.25f * i - k;
    fMid = e * 0.5 - k;
    fLabel = (e + k) % 3 ? "other" : "third";
    fInner.x = e + 0.125;
    fInner.y = k - 0.5f;
    fInner.k = (e + k) % 7;
    fPx = k * 1.5f - e;
    for (int i = 0; i < 6; i++) fGrid[i / 3][i % 3] = e + 10 * i + k;
    fN = (e + k) % 4;
    if (fN == 1) fN = 2;
    fCov = fN ? new double[fN] : nullptr;
    for (int i = 0; i < fN; i++) fCov[i] = e - i * 0.5;
    for (int i = 0; i < (e + 2 * k) % 4; i++) fHits.push_back(100 * k + i);
    for (int i = 0; i < (2 * e + k) % 3; i++) {
        fSteps.push_back(ObPoint());
        fSteps.back().x = i + e;
        fSteps.back().y = i - k;
        fSteps.back().k = i;
    }
    fP4.SetPxPyPzE(k + 1, 0.5 * e, e - k, 100 + e);
    if ((e + k) % 3) fVertex = new TVector3(e, k, e * k);
}
inline ObEvent::~ObEvent() {
    delete plor;
    delete other;
    delete any;
    delete pclones;
    delete ppoints;
    for (ObTrack *t : ptracks) delete t;
    array.Delete();
    list.Delete();
}
inline ObTrack *ob_make(int e, int k, bool shower) {
    ObTrack *t = shower ? new ObShower : new ObTrack;
    t->Set(e, k);
    if (shower) static_cast<ObShower *>(t)->fEnergy = 1000 + e;
    return t;
}
inline void ob_points(std::vector<ObPoint> &v, int n, int e) {
    v.clear();
    for (int i = 0; i < n; i++) {
        v.push_back(ObPoint());
        v.back().x = e + i * 0.5;
        v.back().y = e - i;
        v.back().k = i;
    }
}
inline void ObEvent::Set(int e) {
    SetName(e % 2 ? "odd" : "even");
    SetTitle("an event");
    run = 7 + e / 8;
    event = (Long64_t(1) << 40) + e;
    ObPoint::x = e * 0.75;
    ObPoint::y = -e;
    ObPoint::k = e % 5;
    head.SetName("head");
    head.run = 700 + e;
    head.event = e * 3;
    head.x = e + 0.5;
    head.y = e - 0.5f;
    head.k = -e;
    lor.SetPxPyPzE(e + 1, 2, 0.5 * e, 50 + e);
    delete plor;
    plor = e % 3 ? new TLorentzVector(e, e + 1, -e, 40 + e) : nullptr;
    best.Set(e, 1);
    delete other;
    other = e % 4 == 0 ? nullptr : ob_make(e, 2, e % 4 == 2);
    delete any;
    any = e % 3 == 0 ? nullptr : ob_make(e, 3, e % 3 == 2);
    int n = e % 4 == 1 ? 2 : e % 4, m = (e * 3) % 5 == 1 ? 2 : (e * 3) % 5;
    clones.Clear("C");
    pclones->Clear("C");
    for (int k = 0; k < n; k++) static_cast<ObTrack *>(clones.ConstructedAt(k))->Set(e, k);
    for (int k = 0; k < m; k++) static_cast<ObTrack *>(pclones->ConstructedAt(k))->Set(e, 2 * k);
    array.Delete();
    list.Delete();
    for (int k = 0; k < n; k++) array.Add(ob_make(e, k, k == 1));
    for (int k = 0; k < m; k++) list.Add(ob_make(e, k, k == 0));
    tracks.clear();
    tracks.resize(m);
    for (int k = 0; k < m; k++) tracks[k].Set(e, k);
    for (ObTrack *t : ptracks) delete t;
    ptracks.clear();
    for (int k = 0; k < n; k++) ptracks.push_back(k == 2 ? nullptr : ob_make(e, k, k == 1));
    ob_points(points, n, e);
    ob_points(*ppoints, m, e + 1);
    lpoints.clear();
    mpoints.clear();
    weights.clear();
    for (int i = 0; i < n; i++) {
        lpoints.push_back(points[i]);
        mpoints[e + i] = points[i];
        weights[i ? "b" : "a"] = e + i;
    }
    vvpoints.assign(m, {});
    vvi.assign(m, {});
    for (int i = 0; i < m; i++) {
        int q = (e + i) % 3 == 1 ? 2 : (e + i) % 3;
        ob_points(vvpoints[i], q, i);
        for (int z = 0; z < q + 1; z++) vvi[i].push_back(e * 10 + i - z);
    }
    vlor.clear();
    v3s.clear();
    for (int i = 0; i < m; i++) {
        vlor.emplace_back(i + 1, e, -i, 30 + e);
        v3s.emplace_back(e, i, e - i);
    }
    for (int i = 0; i < 2; i++) {
        apoints[i].x = e + i;
        apoints[i].y = i;
        apoints[i].k = e % 3;
    }
}

#ifdef __CLING__
#pragma link C++ class ObPoint + ;
#pragma link C++ class ObBase + ;
#pragma link C++ class ObMiddle + ;
#pragma link C++ class ObTrack + ;
#pragma link C++ class ObShower + ;
#pragma link C++ class ObHeader + ;
#pragma link C++ class ObPair + ;
#pragma link C++ class ObEvent + ;
#pragma link C++ class std::vector < ObPoint> + ;
#pragma link C++ class std::list < ObPoint> + ;
#pragma link C++ class std::map < int, ObPoint> + ;
#pragma link C++ class std::pair < int, ObPoint> + ;
#pragma link C++ class std::map < std::string, double> + ;
#pragma link C++ class std::vector < std::vector < ObPoint>> + ;
#pragma link C++ class std::vector < ObTrack> + ;
#pragma link C++ class std::vector < ObTrack *> + ;
#pragma link C++ class std::vector < TLorentzVector> + ;
#pragma link C++ class std::vector < TVector3> + ;
#pragma link C++ class std::vector < std::vector < int>> + ;
#endif
