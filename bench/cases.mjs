// Cases of `npm run bench`: trees of the files that make_bench_data.py writes, and which branches.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} file without ".root"
 * @property {string} tree
 * @property {'all' | 'scalars' | string[]} branches scalars: those with one value an entry
 * @property {'summary' | 'columns' | 'draw'} how summed up by the decode workers, or read into columns; or a draw
 * @property {Record<string, string[]>} [members] of columns of objects: what is summed up, by the name of its sum
 * @property {{ kind: string, expr: string, cut: string }} [draw]
 */

const QUERY = ['md0_d', 'dm_d', 'ptds_d', 'etads_d', 'ptd0_d', 'rpd0_t', 'ik', 'njets'];

/** @type {Record<string, { branches: string[], members?: Record<string, string[]> }>} */
const OBJECTS = {
  vf: { branches: ['vf'] },
  vi: { branches: ['vi'] },
  vvf: { branches: ['vvf'] },
  hits: { branches: ['hits.x', 'hits.id', 'hits.t'] },
  trk: { branches: ['trk.pt', 'trk.chi2'] },
  p4: { branches: ['p4.fE'] },
  ev: { branches: ['ev'], members: { 'ev.w': ['w'], 'ev.hits.x': ['hits', 'x'] } },
  str: { branches: ['str'], members: { str: [] } },
};

/** Draws of three branches. JSROOT has no cuts on lists. */
const DRAWS = {
  'nano-lists': {
    file: 'nano-zlib',
    tree: 'Events',
    branches: ['Muon_pt', 'Muon_eta', 'Muon_phi'],
    kind: 'lists',
    expr: 'Muon_pt*TMath::SinH(Muon_eta)+cos(Muon_phi)>>h(100,-200,200)',
    cut: 'Muon_pt>5',
  },
  'nano-scalars': {
    file: 'nano-zlib',
    tree: 'Events',
    branches: ['MET_s000', 'PuppiMET_s001', 'RawMET_s002'],
    kind: 'scalars',
    expr: 'MET_s000*TMath::Abs(PuppiMET_s001)+RawMET_s002>>h(100,-2000,2000)',
    cut: 'RawMET_s002>0.5',
  },
  'scalars-720k': {
    file: 'scalars-720k',
    tree: 'mini',
    branches: ['v00', 'v01', 'v02'],
    kind: 'scalars',
    expr: 'v00*TMath::Abs(v01)+v02>>h(100,-2e6,2e6)',
    cut: 'v02>0.5',
  },
};

/** @returns {Case[]} */
export function allCases() {
  /** @type {Case[]} */
  const cases = [];
  /** @param {string} file @param {string} tree @param {Case['branches']} branches @param {string} what */
  const add = (file, tree, branches, what) =>
    cases.push({ name: `${file}/${what}`, file, tree, branches, how: 'summary' });
  for (const codec of ['zlib', 'lz4', 'zstd', 'lzma']) add(`nano-${codec}`, 'Events', 'all', 'all');
  add('nano-zlib', 'Events', 'scalars', 'scalars');
  add('nano-rntuple', 'Events', 'all', 'all');
  add('scalars-720k', 'mini', 'all', 'all');
  for (const file of ['h1like', 'h1like-small', 'h1like-flushed']) add(file, 'h42', QUERY, 'query');
  add('aodlike-flushed', 'CollectionTree', 'all', 'all');
  for (const [kind, { branches, members }] of Object.entries(OBJECTS)) {
    const how = members ? 'columns' : 'summary';
    cases.push({
      name: `objects/${kind}`,
      file: 'objects',
      tree: 'T',
      branches,
      how,
      ...(members && { members }),
    });
  }
  for (const [name, { file, tree, branches, ...draw }] of Object.entries(DRAWS)) {
    cases.push({ name: `draw/${name}`, file, tree, branches, how: 'draw', draw });
  }
  return cases;
}

/**
 * @param {string} data folder
 * @param {Case} one
 * @returns {{ sums: Record<string, [number, number]>, branches: string[] }} of each branch the number of values
 *   and their sum, as they were given to ROOT
 */
export function truthOf(data, one) {
  /** @type {Record<string, [number, number]>} */
  const sums = JSON.parse(readFileSync(join(data, `${one.file}.sums.json`), 'utf8'));
  const { entries } = JSON.parse(readFileSync(join(data, `${one.file}.meta.json`), 'utf8'));
  if (Array.isArray(one.branches)) return { sums, branches: one.branches };
  const all = Object.keys(sums);
  return { sums, branches: one.branches === 'all' ? all : all.filter((name) => sums[name]?.[0] === entries) };
}
