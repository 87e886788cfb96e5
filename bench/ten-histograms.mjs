// Ten histograms of lists under a cut, as bench/selectors.mjs measures them.
export const NAMES = [
  ...['Muon_pt', 'Muon_eta', 'Muon_phi', 'Jet_pt', 'Jet_eta', 'Jet_phi', 'Jet_mass'],
  ...['Electron_pt', 'Electron_eta', 'Electron_phi'],
];
/** The ends are such that no value lies at the edge of a bin, where boost-histogram rounds otherwise than ROOT. */
const MOMENTA = /** @type {[number, number]} */ ([0, 201]);
export const CUT = 'nMuon >= 1';

/** @param {string} name @returns {[low: number, high: number]} */
export const rangeOf = (name) => (/eta|phi/.test(name) ? [-4, 4] : MOMENTA);

export default {
  branches: Object.fromEntries(NAMES.map((name) => [name, name])),
  where: CUT,
  begin: (/** @type {any} */ job) =>
    Object.fromEntries(NAMES.map((name) => [name, job.hist([100, ...rangeOf(name)])])),
  process(/** @type {any} */ columns, /** @type {any} */ out) {
    for (const name of NAMES) out[name]?.fill(columns[name]?.values);
  },
};
