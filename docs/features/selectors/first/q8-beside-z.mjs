export default {
  branches: {
    met: 'MET_pt',
    metPhi: 'MET_phi',
    muonPt: 'Muon_pt',
    muonEta: 'Muon_eta',
    muonPhi: 'Muon_phi',
    muonMass: 'Muon_mass',
    muonCharge: 'Muon_charge',
    electronPt: 'Electron_pt',
    electronEta: 'Electron_eta',
    electronPhi: 'Electron_phi',
    electronMass: 'Electron_mass',
    electronCharge: 'Electron_charge',
  },
  where: 'nMuon + nElectron >= 3',
  begin: (job) => ({ mt: job.hist([100, 0, 250]) }),
  entry(v, out, { p4, pairs, deltaPhi }) {
    const leptons = [];
    v.muonPt.forEach((pt, i) => {
      leptons.push({
        flavour: 13,
        charge: v.muonCharge[i],
        pt,
        phi: v.muonPhi[i],
        p: p4(pt, v.muonEta[i], v.muonPhi[i], v.muonMass[i]),
      });
    });
    v.electronPt.forEach((pt, i) => {
      leptons.push({
        flavour: 11,
        charge: v.electronCharge[i],
        pt,
        phi: v.electronPhi[i],
        p: p4(pt, v.electronEta[i], v.electronPhi[i], v.electronMass[i]),
      });
    });
    let best;
    let least = Infinity;
    for (const [i, j] of pairs(leptons.length)) {
      const [a, b] = [leptons[i], leptons[j]];
      if (a.flavour !== b.flavour || a.charge === b.charge) continue;
      const away = Math.abs(a.p.plus(b.p).mass - 91.2);
      if (away < least) {
        least = away;
        best = [i, j];
      }
    }
    if (!best) return;
    const rest = leptons.filter((_, i) => !best.includes(i));
    const hard = rest.reduce((most, one) => (one.pt > most.pt ? one : most));
    out.mt.fill(Math.sqrt(2 * hard.pt * v.met * (1 - Math.cos(deltaPhi(v.metPhi, hard.phi)))));
  },
};
