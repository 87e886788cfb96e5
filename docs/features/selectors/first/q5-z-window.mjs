export default {
  branches: {
    met: 'MET_pt',
    pt: 'Muon_pt',
    eta: 'Muon_eta',
    phi: 'Muon_phi',
    mass: 'Muon_mass',
    charge: 'Muon_charge',
  },
  where: 'nMuon >= 2',
  begin: (job) => ({ met: job.hist([100, 0, 200]) }),
  entry({ met, pt, eta, phi, mass, charge }, out, { p4, pairs }) {
    const muon = (i) => p4(pt[i], eta[i], phi[i], mass[i]);
    const hasZ = pairs(pt.length).some(([i, j]) => {
      if (charge[i] === charge[j]) return false;
      const both = muon(i).plus(muon(j)).mass;
      return both > 60 && both < 120;
    });
    if (hasZ) out.met.fill(met);
  },
};
