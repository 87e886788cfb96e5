// A search for a heavy resonance of two muons beside b jets, over Z/gamma* and ttbar.
const CUTS = ['all', 'good runs', 'trigger', 'two muons', 'opposite charge', 'mass above 60', 'tagged'];
const SIGNAL = [110, 160, 220, 300, 380, 420, 500, 800];
const CONTROL = [60, 80, 88, 94, 102, 120, 180, 400];

const members = (name, ...all) => Object.fromEntries(all.map((one) => [`${name}_${one}`, `${name}_${one}`]));

/** The jets with their energy scale moved by `sign` times its uncertainty. */
const jes =
  (sign) =>
  ({ Jet_pt, Jet_eta }, task) => {
    const scale = task.corrections('corrections').get('jes_uncertainty');
    return { Jet_pt: Jet_pt.map((pt, i) => pt * (1 + sign * scale.evaluate(Math.abs(Jet_eta[i]), pt))) };
  };
const muonScale =
  (factor) =>
  ({ Muon_pt }) => ({ Muon_pt: Muon_pt.map((pt) => pt * factor) });

/** The name of a correction's systematic in this variation. */
const way = ({ variation }, name, nominal, up, down) =>
  variation === `${name}Up` ? up : variation === `${name}Down` ? down : nominal;

export default {
  files: { corrections: 'corrections.json.gz', goodRuns: 'GoodRuns.json' },
  branches: {
    run: 'run',
    block: 'luminosityBlock',
    fired: 'HLT_IsoMu24',
    vertices: 'PV_npvs',
    met: 'MET_pt',
    ...members('Muon', 'pt', 'eta', 'phi', 'mass', 'charge', 'pfRelIso04_all', 'tightId'),
    ...members('Jet', 'pt', 'eta', 'phi', 'btagDeepFlavB'),
    // Only simulation has these.
    flavour: { expr: 'Jet_hadronFlavour', missing: undefined },
    interactions: { expr: 'Pileup_nTrueInt', missing: undefined },
  },
  begin(job) {
    const all = job.vary({
      // The code below looks at the name of a variation without changes.
      ...{ muonSfUp: {}, muonSfDown: {}, pileupUp: {}, pileupDown: {}, btagUp: {}, btagDown: {} },
      ...{ jesUp: jes(1), jesDown: jes(-1), muonScaleUp: muonScale(1.004), muonScaleDown: muonScale(0.996) },
    });
    const plot = (title, ...axis) => all.hist(axis, { title, axes: [title, 'Events'] });
    const masses = (edges, title) => all.hist({ edges }, { title, axes: ['m_{#mu#mu} [GeV]', 'Events'] });
    return {
      cuts: job.labels(CUTS),
      muon1: {
        pt: plot('p_{T} of the first muon [GeV]', 50, 0, 250),
        eta: plot('#eta of the first muon', 25, -2.5, 2.5),
        phi: plot('#phi of the first muon', 32, -3.2, 3.2),
        isolation: plot('Isolation of the first muon', 30, 0, 0.15),
      },
      muon2: {
        pt: plot('p_{T} of the second muon [GeV]', 50, 0, 250),
        eta: plot('#eta of the second muon', 25, -2.5, 2.5),
      },
      pair: {
        mass: plot('m_{#mu#mu} [GeV]', 60, 60, 120),
        pt: plot('p_{T} of the pair [GeV]', 50, 0, 250),
        rapidity: plot('Rapidity of the pair', 25, -2.5, 2.5),
        deltaPhi: plot('|#Delta#phi| of the muons', 32, 0, 3.2),
        deltaR: plot('#DeltaR of the muons', 50, 0, 5),
      },
      jets: {
        number: plot('Number of jets', 10, -0.5, 9.5),
        tagged: plot('Number of tagged jets', 6, -0.5, 5.5),
        pt1: plot('p_{T} of the first jet [GeV]', 50, 0, 250),
        eta1: plot('#eta of the first jet', 25, -2.5, 2.5),
        pt2: plot('p_{T} of the second jet [GeV]', 50, 0, 250),
        score: plot('Largest b-tag', 25, 0, 1),
        ht: plot('H_{T} [GeV]', 50, 0, 500),
      },
      met: plot('Missing momentum [GeV]', 50, 0, 200),
      vertices: plot('Number of vertices', 60, -0.5, 59.5),
      signal: masses(SIGNAL, 'With a tagged jet'),
      control: masses(CONTROL, 'Without a tagged jet'),
    };
  },
  entry(event, out, task) {
    const {
      Muon_pt,
      Muon_eta,
      Muon_phi,
      Muon_mass,
      Muon_charge,
      Jet_pt,
      Jet_eta,
      Jet_phi,
      Jet_btagDeepFlavB,
    } = event;
    const isData = event.flavour === undefined;
    const corrections = task.corrections('corrections');
    let { weight } = task;
    const pass = (cut) => out.cuts.add(cut, weight);

    pass('all');
    if (isData && !task.goodRuns('goodRuns').good(event.run, event.block)) return;
    pass('good runs');
    if (!event.fired) return;
    pass('trigger');
    const isGood = (i) =>
      Muon_pt[i] > 15 &&
      Math.abs(Muon_eta[i]) < 2.4 &&
      event.Muon_tightId[i] &&
      event.Muon_pfRelIso04_all[i] < 0.15;
    const muons = task.order(Muon_pt).filter(isGood).slice(0, 2);
    if (muons.length < 2 || !(Muon_pt[muons[0]] > 26)) return;
    if (!isData) {
      const scale = corrections.get('muon_sf');
      const systematic = way(task, 'muonSf', 'nominal', 'systup', 'systdown');
      for (const i of muons) weight *= scale.evaluate(Math.abs(Muon_eta[i]), Muon_pt[i], systematic);
      weight *= corrections
        .get('pileup')
        .evaluate(event.interactions, way(task, 'pileup', 'nominal', 'up', 'down'));
    }
    pass('two muons');
    if (Muon_charge[muons[0]] === Muon_charge[muons[1]]) return;
    pass('opposite charge');
    const [one, two] = muons.map((i) => task.p4(Muon_pt[i], Muon_eta[i], Muon_phi[i], Muon_mass[i]));
    const pair = one.plus(two);
    if (!(pair.mass > 60)) return;
    pass('mass above 60');

    const isAway = (i) =>
      muons.every((k) => task.deltaR(Jet_eta[i], Jet_phi[i], Muon_eta[k], Muon_phi[k]) >= 0.4);
    const jets = task.order(Jet_pt).filter((i) => Jet_pt[i] > 30 && Math.abs(Jet_eta[i]) < 2.4 && isAway(i));
    const isTagged = (i) => Jet_btagDeepFlavB[i] > 0.7;
    const tagged = jets.filter(isTagged).length;
    if (!isData) {
      const [scale, efficiency] = ['btag_sf', 'btag_efficiency'].map((name) => corrections.get(name));
      const systematic = way(task, 'btag', 'central', 'up', 'down');
      for (const i of jets) {
        const [factor, share] = [
          scale.evaluate(systematic, event.flavour[i], Jet_pt[i]),
          efficiency.evaluate(event.flavour[i]),
        ];
        weight *= isTagged(i) ? factor : (1 - factor * share) / (1 - share);
      }
    }
    if (tagged > 0) pass('tagged');

    const [i, k] = muons;
    out.muon1.pt.fill(Muon_pt[i], weight);
    out.muon1.eta.fill(Muon_eta[i], weight);
    out.muon1.phi.fill(Muon_phi[i], weight);
    out.muon1.isolation.fill(event.Muon_pfRelIso04_all[i], weight);
    out.muon2.pt.fill(Muon_pt[k], weight);
    out.muon2.eta.fill(Muon_eta[k], weight);
    out.pair.mass.fill(pair.mass, weight);
    out.pair.pt.fill(pair.pt, weight);
    out.pair.rapidity.fill(pair.rapidity, weight);
    out.pair.deltaPhi.fill(Math.abs(task.deltaPhi(Muon_phi[i], Muon_phi[k])), weight);
    out.pair.deltaR.fill(one.deltaR(two), weight);
    out.jets.number.fill(jets.length, weight);
    out.jets.tagged.fill(tagged, weight);
    out.met.fill(event.met, weight);
    out.vertices.fill(event.vertices, weight);
    (tagged > 0 ? out.signal : out.control).fill(pair.mass, weight);
    if (jets.length > 0) {
      out.jets.pt1.fill(Jet_pt[jets[0]], weight);
      out.jets.eta1.fill(Jet_eta[jets[0]], weight);
      out.jets.score.fill(Math.max(...jets.map((one) => Jet_btagDeepFlavB[one])), weight);
    }
    if (jets.length > 1) out.jets.pt2.fill(Jet_pt[jets[1]], weight);
    out.jets.ht.fill(
      jets.reduce((sum, one) => sum + Jet_pt[one], 0),
      weight,
    );
  },
};
