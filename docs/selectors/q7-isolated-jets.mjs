// Sum of the transverse momenta of jets above 30 GeV that are not within 0.4 of a lepton above 10 GeV.
const members = (name) => ({ pt: `${name}_pt`, eta: `${name}_eta`, phi: `${name}_phi` });
const jet = members('Jet');
const muon = members('Muon');
const electron = members('Electron');

export default {
  branches: {
    ...{ pt: jet.pt, eta: jet.eta, phi: jet.phi },
    ...{ muonPt: muon.pt, muonEta: muon.eta, muonPhi: muon.phi },
    ...{ electronPt: electron.pt, electronEta: electron.eta, electronPhi: electron.phi },
  },
  begin: (job) => ({ sum: job.hist([100, 0, 800]) }),
  entry({ pt, eta, phi, muonPt, muonEta, muonPhi, electronPt, electronEta, electronPhi }, out, { deltaPhi }) {
    const isNear = (jet, leptonPt, leptonEta, leptonPhi) =>
      leptonPt.some(
        (own, k) => own > 10 && Math.hypot(eta[jet] - leptonEta[k], deltaPhi(phi[jet], leptonPhi[k])) < 0.4,
      );
    let sum = 0;
    for (let i = 0; i < pt.length; i++) {
      if (!(pt[i] > 30)) continue;
      if (isNear(i, muonPt, muonEta, muonPhi) || isNear(i, electronPt, electronEta, electronPhi)) continue;
      sum += pt[i];
    }
    out.sum.fill(sum);
  },
};
