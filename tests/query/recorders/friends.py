"""Trees with friends by number and by index, for conformance.py and friends.test.ts.

Writes friends.root (the tree "t", that names the others), friends_number.root ("extra", with the same
number of entries) and friends_index.root ("indexed" with a TTreeIndex, in another order and with more
entries; "few", with an index that lacks entries). Baskets are small and end at different entries.
"""
import ROOT

ROOT.gInterpreter.Declare("""
namespace friends_of_trees {
TFile *make(const char *folder, const char *name) {
    return TFile::Open(TString::Format("%s/%s?reproducible=%s", folder, name, name), "recreate", "", 101);
}
int run_of(int i) { return 3 + i / 60; }
Long64_t event_of(int i) { return (Long64_t(1) << 33) + (i * 37) % 60; }

void number(const char *folder) {
    std::unique_ptr<TFile> f(make(folder, "friends_number.root"));
    TTree t("extra", "a friend by number");
    double z = 0, x = 0;
    int m = 0;
    float more[8];
    std::vector<float> vec;
    std::string word;
    TLorentzVector p4;
    t.Branch("z", &z, "z/D", 400);
    t.Branch("x", &x, "x/D", 700);
    t.Branch("m", &m, "m/I", 300);
    t.Branch("more", more, "more[m]/F", 600);
    t.Branch("vec", &vec, 900, 99);
    t.Branch("word", &word, 500, 99);
    t.Branch("p4.", &p4, 900, 99);
    for (int e = 0; e < 240; e++) {
        z = e * 0.25 - 11;
        x = -1000 - e;
        m = (e * 5) % 7;
        for (int q = 0; q < 8; q++) more[q] = q * 2.5f - e % 9;
        vec.assign(e % 4, 0);
        for (int q = 0; q < e % 4; q++) vec[q] = e + q * 0.5f;
        word = e % 3 ? "thirds" : "whole";
        p4.SetPxPyPzE(1 + e % 5, 2, e % 3 - 1, 20 + e % 7);
        t.Fill();
    }
    t.Write();
}

void indexed(const char *folder) {
    std::unique_ptr<TFile> f(make(folder, "friends_index.root"));
    for (int few = 0; few < 2; few++) {
        TTree t(few ? "few" : "indexed", "a friend by index");
        int run = 0;
        Long64_t event = 0;
        double w = 0;
        std::vector<int> hits;
        t.Branch("run", &run, "run/I", 350);
        t.Branch("event", &event, "event/L", 800);
        t.Branch("w", &w, "w/D", 450);
        t.Branch("hits", &hits, 500, 99);
        for (int e = 0; e < 300; e++) {
            int i = (e * 77) % 300;
            if (few && i % 4 == 0) continue;
            run = run_of(i);
            event = event_of(i);
            w = i * 0.5;
            hits.assign(i % 3, i);
            t.Fill();
        }
        t.BuildIndex("run", "event");
        t.Write();
    }
}

void tree(const char *folder) {
    std::unique_ptr<TFile> f(make(folder, "friends.root"));
    TTree t("t", "a tree with friends");
    int run = 0, n = 0;
    Long64_t event = 0;
    double x = 0;
    float a[8];
    t.Branch("run", &run, "run/I", 600);
    t.Branch("event", &event, "event/L", 600);
    t.Branch("x", &x, "x/D", 500);
    t.Branch("n", &n, "n/I", 500);
    t.Branch("a", a, "a[n]/F", 700);
    TTree beside("beside", "a friend in the same file");
    double b = 0;
    beside.Branch("b", &b, "b/D", 300);
    for (int e = 0; e < 240; e++) {
        run = run_of(e);
        event = event_of(e);
        x = e - 100.5;
        n = 2 + e % 5;
        for (int q = 0; q < 8; q++) a[q] = e % 11 + q;
        b = e * e;
        t.Fill();
        beside.Fill();
    }
    beside.Write();
    t.AddFriend("f=extra", TString(folder) + "/friends_number.root");
    t.AddFriend("ix=indexed", TString(folder) + "/friends_index.root");
    t.AddFriend("few", TString(folder) + "/friends_index.root");
    t.AddFriend("beside", "");
    t.SetAlias("both", "x+f.z");
    for (auto *one : ROOT::RangeStaticCast<TFriendElement *>(*t.GetListOfFriends()))
        if (TString(one->GetTitle()).Length()) one->SetTitle(gSystem->BaseName(one->GetTitle()));
    t.Write();
}

void write(const char *folder) {
    number(folder);
    indexed(folder);
    tree(folder);
}
}  // namespace friends_of_trees
""")


def write(folder):
    ROOT.friends_of_trees.write(str(folder))
