// Sum of the transverse momenta of jets above 30 GeV that are not within 0.4 of a lepton above 10 GeV.
export default {
  branches: {
    ...{ pt: 'Jet_pt', eta: 'Jet_eta', phi: 'Jet_phi' },
    ...{ muonPt: 'Muon_pt', muonEta: 'Muon_eta', muonPhi: 'Muon_phi' },
    ...{ electronPt: 'Electron_pt', electronEta: 'Electron_eta', electronPhi: 'Electron_phi' },
  },
  begin: (job) => ({ sum: job.hist([100, 0, 800]) }),
  entry({ pt, eta, phi, muonPt, muonEta, muonPhi, electronPt, electronEta, electronPhi }, out, { deltaR }) {
    const isNear = (i, leptonPt, leptonEta, leptonPhi) =>
      leptonPt.some((own, k) => own > 10 && deltaR(eta[i], phi[i], leptonEta[k], leptonPhi[k]) < 0.4);
    let sum = 0;
    for (let i = 0; i < pt.length; i++) {
      if (!(pt[i] > 30)) continue;
      if (isNear(i, muonPt, muonEta, muonPhi) || isNear(i, electronPt, electronEta, electronPhi)) continue;
      sum += pt[i];
    }
    out.sum.fill(sum);
  },
};
