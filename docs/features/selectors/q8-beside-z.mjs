// Of events with three leptons or more: the pair of one flavour and opposite charge nearest to the Z, and the transverse
// mass of the missing momentum with the hardest of the other leptons.
const lepton = (name) =>
  Object.fromEntries(
    ['pt', 'eta', 'phi', 'mass', 'charge'].map((member) => [`${name}_${member}`, `${name}_${member}`]),
  );

export default {
  branches: { met: 'MET_pt', metPhi: 'MET_phi', ...lepton('Muon'), ...lepton('Electron') },
  where: 'nMuon + nElectron >= 3',
  begin: (job) => ({ mt: job.hist([100, 0, 250]) }),
  entry(event, out, { p4, pairs }) {
    const leptons = [];
    const add = (flavour, pt, eta, phi, mass, charge) => {
      for (let i = 0; i < pt.length; i++) {
        const p = p4(pt[i], eta[i], phi[i], mass[i]);
        leptons.push({ flavour, pt: pt[i], phi: phi[i], charge: charge[i], p });
      }
    };
    const { Muon_pt, Muon_eta, Muon_phi, Muon_mass, Muon_charge } = event;
    add('muon', Muon_pt, Muon_eta, Muon_phi, Muon_mass, Muon_charge);
    const { Electron_pt, Electron_eta, Electron_phi, Electron_mass, Electron_charge } = event;
    add('electron', Electron_pt, Electron_eta, Electron_phi, Electron_mass, Electron_charge);
    let best = { away: Infinity };
    for (const [i, j] of pairs(leptons.length)) {
      const [a, b] = [leptons[i], leptons[j]];
      if (a.flavour !== b.flavour || a.charge === b.charge) continue;
      const away = Math.abs(a.p.plus(b.p).mass - 91.2);
      if (away < best.away) best = { away, a, b };
    }
    if (best.away === Infinity) return;
    const others = leptons.filter((one) => one !== best.a && one !== best.b);
    const top = others.reduce((most, one) => (one.pt > most.pt ? one : most));
    out.mt.fill(Math.sqrt(2 * event.met * top.pt * (1 - Math.cos(event.metPhi - top.phi))));
  },
};
