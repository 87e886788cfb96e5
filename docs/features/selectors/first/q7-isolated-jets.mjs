export default {
  branches: {
    jetPt: 'Jet_pt',
    jetEta: 'Jet_eta',
    jetPhi: 'Jet_phi',
    muonPt: 'Muon_pt',
    muonEta: 'Muon_eta',
    muonPhi: 'Muon_phi',
    electronPt: 'Electron_pt',
    electronEta: 'Electron_eta',
    electronPhi: 'Electron_phi',
  },
  begin: (job) => ({ sum: job.hist([100, 0, 800]) }),
  entry(
    { jetPt, jetEta, jetPhi, muonPt, muonEta, muonPhi, electronPt, electronEta, electronPhi },
    out,
    { deltaR },
  ) {
    const near = (i, pt, eta, phi) =>
      pt.some((one, k) => one > 10 && deltaR(jetEta[i], jetPhi[i], eta[k], phi[k]) < 0.4);
    let sum = 0;
    jetPt.forEach((pt, i) => {
      if (pt > 30 && !near(i, muonPt, muonEta, muonPhi) && !near(i, electronPt, electronEta, electronPhi))
        sum += pt;
    });
    out.sum.fill(sum);
  },
};
