"""Methods of vectors: of all classes, at the borders of their domains, alone, in arrays and one behind another."""
import atexit
import pathlib
import shutil
import tempfile

import ROOT

VECTORS_ROOT = """
#include <TClonesArray.h>
#include <TFile.h>
#include <TTree.h>
#include <TLorentzVector.h>
#include <TVector2.h>
#include <Math/Vector2D.h>
#include <Math/Vector3D.h>
#include <Math/Point2D.h>
#include <Math/Point3D.h>
#include <Math/Vector4D.h>
#ifdef __CLING__
#pragma link C++ class std::vector<ROOT::Math::PtEtaPhiMVector>+;
#pragma link C++ class std::vector<TLorentzVector>+;
#endif
void write_vectors(const char *path) {
    using namespace ROOT::Math;
    std::unique_ptr<TFile> f(TFile::Open(TString(path) + "?reproducible=vectors.root", "recreate", "", 505));
    TTree t("vectors", "vectors at the borders of their domains");
    TLorentzVector lv, *plv = &lv; TVector3 v3, *pv3 = &v3; TVector2 v2, *pv2 = &v2;
    PxPyPzEVector pe; PxPyPzMVector pm; PtEtaPhiEVector ee; PtEtaPhiMVector em;
    LorentzVector<PtEtaPhiM4D<float>> fm; LorentzVector<PxPyPzE4D<float>> fe;
    XYZVector xyz; XYZPoint point; Polar3DVector polar; RhoZPhiVector cyl; RhoEtaPhiVector cyleta;
    DisplacementVector3D<Cartesian3D<float>> fxyz; XYVector xy; Polar2DVector polar2; XYPoint point2;
    std::vector<PtEtaPhiMVector> ems; std::vector<TLorentzVector> lvs; TClonesArray clones("TLorentzVector"), *pclones = &clones;
    t.Branch("lv", &plv); t.Branch("v3", &pv3); t.Branch("v2", &pv2);
    t.Branch("pe", &pe); t.Branch("pm", &pm); t.Branch("ee", &ee); t.Branch("em", &em); t.Branch("fm", &fm); t.Branch("fe", &fe);
    t.Branch("xyz", &xyz); t.Branch("point", &point); t.Branch("polar", &polar); t.Branch("cyl", &cyl); t.Branch("cyleta", &cyleta);
    t.Branch("fxyz", &fxyz); t.Branch("xy", &xy); t.Branch("polar2", &polar2); t.Branch("point2", &point2);
    t.Branch("ems", &ems); t.Branch("lvs", &lvs); t.Branch("clones", &pclones);
    // x, y, z, t; then pt, eta, phi, energy or mass
    const double cases[][8] = {
        {1, 2, 3, 10, 5, 1, 2, 10}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 5, 5, 0, 2, 0, 1}, {0, 0, -5, 5, 0, -2, 1, 1}, {0, 0, 5, 0, 0, 30000, 0, 1},
        {3, 4, 0, 5, 0, -30000, 0, 0}, {3, 4, 12, 1, 5, 1, 2, -1}, {1e-16, 0, 1, 2, 5, 10, 3, 0.1}, {1e-10, 0, -1, 2, 1, 0, 0, 0}, {-1, -2, -3, 4, 2, -1, -3, -100},
        {-1, 0, 0, 2, 1, 2, 3.5, 4}, {0, -1, 0, 2, 7, -0.5, -3.1, 5}, {0, 1, 0, 0, 40, 2.5, 1.1, 0.10566}, {1, 1, 1, -10, 12, 0.3, -1, 91.2}, {1000, 2000, -1e5, 2e5, 1e-3, 5, 0.2, 1e3},
        {5, 0, 0, 5, 33, 1.5, 2.2, 33 * cosh(1.5)}, {1e-3, 1e-3, 700, 701, 100, -4.9, 3.14159, 0.000511}, {0.25, -0.5, 2.75, 3.5, 25.5, -1.25, 0.75, 5}, {12, -7, 3, 20, 8, 0.0625, -2.5, 1.5},
        {-8, 9, -50, 80, 17, 3, -0.5, 4},
    };
    int n = 0;
    for (auto &c : cases) {
        lv.SetPxPyPzE(c[0], c[1], c[2], c[3]); v3.SetXYZ(c[0], c[1], c[2]); v2.Set(c[0], c[1]);
        pe.SetCoordinates(c[0], c[1], c[2], c[3]); pm.SetCoordinates(c[0], c[1], c[2], c[7]);
        ee.SetCoordinates(c[4], c[5], c[6], c[7]); em.SetCoordinates(c[4], c[5], c[6], c[7]);
        fm.SetCoordinates(c[4], c[5], c[6], c[7]); fe.SetCoordinates(c[0], c[1], c[2], c[3]);
        xyz.SetXYZ(c[0], c[1], c[2]); point.SetXYZ(c[0], c[1], c[2]); fxyz.SetXYZ(c[0], c[1], c[2]);
        polar.SetCoordinates(c[4], fabs(c[6]), c[6]); cyl.SetCoordinates(c[4], c[2], c[6]); cyleta.SetCoordinates(c[4], c[5], c[6]);
        xy.SetXY(c[0], c[1]); point2.SetXY(c[0], c[1]); polar2.SetCoordinates(c[4], c[6]);
        ems.clear(); lvs.clear(); clones.Clear();
        for (int i = 0; i < (n * 7) % 4; i++) {
            auto &d = cases[(n * 3 + i * 5) % 20];
            ems.emplace_back(d[4], d[5], d[6], d[7]);
            lvs.emplace_back(d[0], d[1], d[2], d[3]);
            new (clones[i]) TLorentzVector(d[0], d[1], d[2], d[3]);
        }
        n++;
        t.Fill();
    }
    t.Write();
}
"""

TLORENTZ = """Beta CosTheta E Energy Et Et2 Eta Gamma M M2 Mag Mag2 Minus Mt Mt2 P Perp Perp2 Phi Plus PseudoRapidity Pt Px Py Pz Rapidity Rho T Theta X Y Z""".split()
TVECTOR3 = "CosTheta Eta Mag Mag2 Perp Perp2 Phi PseudoRapidity Pt Px Py Pz Theta X Y Z x y z".split()
TVECTOR2 = "Mod Mod2 Phi Px Py X Y".split()
GEN4 = """Beta ColinearRapidity E Et Et2 Eta Gamma M M2 Mt Mt2 P P2 Perp2 Phi Pt Px Py Pz R Rapidity Rho T Theta X Y Z e energy eta mag mag2 mass mass2 mt mt2 perp2 phi pt px py pz r rho t theta
x y z isTimelike isSpacelike isLightlike Dimension""".split()
GEN3 = "Eta Mag2 Perp2 Phi R Rho Theta X Y Z eta mag2 perp2 phi r rho theta x y z".split()
GEN2 = "Mag2 Phi R X Y mag2 phi r x y".split()
METHODS = {
    "lv": TLORENTZ, "v3": TVECTOR3, "v2": TVECTOR2, "pe": GEN4, "pm": GEN4, "ee": GEN4, "em": GEN4, "fm": GEN4, "fe": GEN4, "xyz": GEN3, "point": GEN3, "polar": GEN3, "cyl": GEN3,
    "cyleta": GEN3, "fxyz": GEN3, "xy": GEN2, "polar2": GEN2, "point2": GEN2,
}
CHAINS = """lv.Vect().Mag() lv.Vect().X() lv.Vect().Unit().Z() lv.BoostVector().X() lv.BoostVector().Mag() lv.Vect().Orthogonal().Y() lv.Vect().XYvector().Phi() lv.Vect().EtaPhiVector().X() v3.Unit().X()
v3.Unit().Mag() v3.Orthogonal().X() v3.Orthogonal().Z() v3.XYvector().Mod() v3.EtaPhiVector().Y() v2.Unit().X() v2.Ort().Y() v2.Rotate(0.5).X() v2.Rotate(1).Phi() pe.Vect().R() pe.Vect().Eta()
pe.BoostToCM().X() pe.BoostToCM().R() em.Vect().Z() em.Vect().Unit().X() em.BoostToCM().Phi() ee.Vect().Rho() pm.Vect().Theta() xyz.Unit().Y() polar.Unit().X() xyz.unit().Z() xy.Unit().X()
pe.isLightlike(0.1) fm.Vect().X() lv.Vect().fX pe.Coordinates().Pt2() em.Coordinates().E2() v3.size() @clones.GetEntries() @clones.GetEntriesFast() @clones.GetLast()
Sum$(clones.Pt()>2) lv.Vect().Mag()+v3.Mag()""".split()
LISTS = """ems.Pt() ems.E() ems.Eta() ems.Rapidity() ems.M() ems.Mt() ems.Vect().X() lvs.Pt() lvs.Eta() lvs.M() lvs.Rapidity() lvs.Vect().Mag() clones.Pt() clones.Eta() clones.M() clones.Vect().Perp()
clones.BoostVector().Z()""".split()

#: Compared value by value: see functions.py.
CALLS = [f"{name}.{method}()" for name, methods in METHODS.items() for method in methods] + CHAINS + LISTS

PAIRS = [("query/vectors.root", "vectors", [])]


def write(folder):
    temporary = pathlib.Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, temporary, True)
    # Compiled, because vectors of objects need a dictionary.
    (temporary / "vectors.C").write_text(VECTORS_ROOT)
    ROOT.gROOT.ProcessLine(f".L {temporary}/vectors.C+")
    ROOT.write_vectors(str(folder / "vectors.root"))
