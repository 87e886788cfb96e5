// Of events with at least three jets: the three whose mass is nearest to 172.5 GeV, their momentum and their largest b-tag.
export default {
  branches: { pt: 'Jet_pt', eta: 'Jet_eta', phi: 'Jet_phi', mass: 'Jet_mass', btag: 'Jet_btag' },
  where: 'nJet >= 3',
  begin: (job) => ({ pt: job.hist([100, 0, 400]), btag: job.hist([50, 0, 1]) }),
  entry({ pt, eta, phi, mass, btag }, out, { p4, triples }) {
    const jets = Array.from(pt, (_, i) => p4(pt[i], eta[i], phi[i], mass[i]));
    let best = { away: Infinity };
    for (const [i, j, k] of triples(jets.length)) {
      const sum = jets[i].plus(jets[j]).plus(jets[k]);
      const away = Math.abs(sum.mass - 172.5);
      if (away < best.away) best = { away, sum, tag: Math.max(btag[i], btag[j], btag[k]) };
    }
    out.pt.fill(best.sum.pt);
    out.btag.fill(best.tag);
  },
};
