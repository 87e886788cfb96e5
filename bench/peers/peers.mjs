// Other readers that read the same as a benchmark. `sh bench/peers/build.sh` builds those in C++ and Go in build/peers;
// ORACLE_PYTHON is a Python with ROOT, uproot, awkward and hist, and for coffea with that; default python3. JSROOT is a package
// of this project. To read by HTTP it needs xhr2, which is installed beside another one: then JSROOT is the folder of that.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.mjs';

/**
 * @typedef {object} Peer
 * @property {string} name
 * @property {Record<string, string>} [env]
 * @property {(file: string, tree: string, list: string) => string[]} command sums up the branches of which the file `list`
 *   has one a line; with sums=OUT after it the program writes {BRANCH: [values, sum]}. Prints a line of JSON: wall_s,
 *   cpu_s, rss_mb.
 * @property {(file: string, tree: string, list: string, draw: { kind: string, expr: string, cut: string }) => string[] | undefined} [draw]
 *   the same for a histogram; undefined if it cannot draw it
 * @property {boolean} [limit] whether it decompresses only, so that there are no sums to check
 * @property {boolean} [ofLinks] whether it reads by HTTP
 */

const here = (/** @type {string} */ name) => join(import.meta.dirname, name);
const built = (/** @type {string} */ name) => join(root, 'build/peers', name);
const python = [process.env.ORACLE_PYTHON ?? 'python3', '-W', 'ignore'];
const env = { JSROOT: process.env.JSROOT ?? join(root, 'node_modules/jsroot') };

/** @type {Peer[]} */
const PEERS = [
  {
    name: 'ROOT',
    command: (...asked) => [built('sums_root'), ...asked],
    draw: (file, tree, list, { kind }) => [built('draw_rdf'), file, tree, kind, list],
    ofLinks: true,
  },
  { name: 'uproot', command: (...asked) => [...python, here('sums_uproot.py'), ...asked], ofLinks: true },
  {
    name: 'JSROOT',
    env,
    command: (...asked) => [process.execPath, here('sums_jsroot.mjs'), ...asked],
    // It has no cuts on lists.
    draw: (file, tree, _, { kind, expr, cut }) =>
      kind === 'scalars' ? [process.execPath, here('draw_jsroot.mjs'), file, tree, expr, cut] : undefined,
    ofLinks: process.env.JSROOT !== undefined,
  },
  { name: 'groot', command: (...asked) => [built('groot'), 'sums', ...asked], ofLinks: true },
  { name: 'inflate', command: (file) => [built('inflate'), file], limit: true },
];

/** Programs that make the histograms of a query of selectors.mjs; LIST and OUT follow. @type {{ name: string, env?: Record<string, string>, command: (query: string) => string[] }[]} */
const SELECTORS = [
  { name: 'RDataFrame', command: (query) => [built('selectors_rdf'), query] },
  { name: 'awkward', command: (query) => [...python, here('selectors_awkward.py'), 'uproot', query] },
  { name: 'coffea', command: (query) => [...python, here('selectors_awkward.py'), 'coffea', query] },
  { name: 'groot', command: (query) => [built('groot'), query] },
];

/**
 * @template {{ name: string }} One
 * @param {One[]} all @param {string} names with commas between them
 */
function chosen(all, names) {
  const wanted = names.split(',').filter(Boolean);
  const unknown = wanted.find((name) => !all.some((one) => one.name === name));
  if (unknown)
    throw new Error(`There is no "${unknown}"; there are ${all.map(({ name }) => name).join(', ')}.`);
  return all.filter(({ name }) => wanted.includes(name));
}

/** @param {string} names @returns {Peer[]} */
export function peersHere(names) {
  const peers = chosen(PEERS, names);
  const missing = peers.some(
    ({ command }) =>
      command('', '', '')[0]?.startsWith(built('')) && !existsSync(command('', '', '')[0] ?? ''),
  );
  if (missing) throw new Error('Run "sh bench/peers/build.sh" first.');
  return peers;
}

/** @param {string} names */
export const selectorPeers = (names) => chosen(SELECTORS, names);
