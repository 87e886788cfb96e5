// Missing transverse momentum of events with a pair of muons of opposite charge and a mass from 60 to 120 GeV.
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
    const muons = Array.from(pt, (_, i) => p4(pt[i], eta[i], phi[i], mass[i]));
    const isZ = ([i, j]) => {
      if (charge[i] === charge[j]) return false;
      const { mass: both } = muons[i].plus(muons[j]);
      return both > 60 && both < 120;
    };
    if (pairs(muons.length).some(isZ)) out.met.fill(met);
  },
};
