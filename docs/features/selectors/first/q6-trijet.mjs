export default {
  branches: { pt: 'Jet_pt', eta: 'Jet_eta', phi: 'Jet_phi', mass: 'Jet_mass', btag: 'Jet_btag' },
  where: 'nJet >= 3',
  begin: (job) => ({ pt: job.hist([100, 0, 400]), btag: job.hist([50, 0, 1]) }),
  entry({ pt, eta, phi, mass, btag }, out, { p4, triples }) {
    const jets = Array.from(pt, (_, i) => p4(pt[i], eta[i], phi[i], mass[i]));
    let best;
    let least = Infinity;
    for (const [i, j, k] of triples(jets.length)) {
      const top = jets[i].plus(jets[j]).plus(jets[k]);
      const away = Math.abs(top.mass - 172.5);
      if (away < least) {
        least = away;
        best = { pt: top.pt, btag: Math.max(btag[i], btag[j], btag[k]) };
      }
    }
    out.pt.fill(best.pt);
    out.btag.fill(best.btag);
  },
};
