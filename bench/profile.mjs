// Where the time of a case goes: npm run bench sums -- --profile
//
// The case runs as it always does, with V8's sampling profiler on in all threads and a core that still has
// the names of its functions. Samples are sorted by the innermost function that is known to be of one kind.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Classes of samples with the names of their functions; the first that fits counts. */
const KINDS = [
  {
    name: 'decompress',
    test: /^(libdeflate_|inflate$|build_decode_table|ZSTD_|HUF_|FSE_|LZ4_|lzma_|lz_|block_decode|stream_decode|xy_adler32|xy_unpack|xy_codec|xy_method)/,
  },
  { name: 'checksum', test: /^(XXH3?_|xy_.*xxh|xy_xxh|xy_checksum)/ },
  { name: 'fill', test: /^(summarize_block|xy_summar|xy_fill|widen|xy_sketch|xy_query_fill)/ },
  { name: 'read', test: /^(read|readSync|readInto|readAt|fstat|fstatSync|open|openSync)$/ },
  { name: 'transfer', test: /^(postMessage|receiveMessageOnPort|emitMessage|structuredClone|slice)$/ },
  { name: 'gc', test: /^\(garbage collector\)$/ },
  { name: 'idle', test: /^\(idle\)$/ },
  { name: 'other', test: /^\(program\)$/ },
];
/** Other functions of the core, and functions of JavaScript. */
export const columns = [...KINDS.map(({ name }) => name), 'decode', 'JavaScript', 'all', 'without idle'];

/** @typedef {{ id: number, callFrame: { functionName: string, url: string }, children?: number[] }} Node */

/** @param {string} file @returns {Map<string, number>} ms by kind */
function readProfile(file) {
  /** @type {{ nodes: Node[], samples: number[], timeDeltas: number[] }} */
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** @type {Map<string, number>} */
  const sums = new Map();
  samples.forEach((id, i) => {
    const kind = kindOf(byId.get(id));
    // A sample lasts until the next one.
    sums.set(kind, (sums.get(kind) ?? 0) + (timeDeltas[i + 1] ?? 0) / 1000);
  });
  return sums;
}

/** @param {Node | undefined} node */
function kindOf(node) {
  const { functionName = '', url = '' } = node?.callFrame ?? {};
  const known = KINDS.find(({ test }) => test.test(functionName));
  if (known) return known.name;
  return url.startsWith('wasm:') ? 'decode' : 'JavaScript';
}

/**
 * @param {string} root of the project
 * @param {string} folder for what is written
 * @param {string[]} args of sums-read.mjs
 * @returns {number[]} ms by the columns
 */
export function profileCase(root, folder, args) {
  const dist = named(root);
  const profiles = mkdtempSync(join(folder, 'profile-'));
  const node = ['--cpu-prof', '--cpu-prof-interval', '500', `--cpu-prof-dir=${profiles}`];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...node, join(root, 'bench/sums-read.mjs'), ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, XYLEM_BENCH_DIST: pathToFileURL(join(dist, 'node.js')).href },
    },
  );
  if (status !== 0) throw new Error(stderr.slice(-400));
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const file of readdirSync(profiles)) {
    for (const [kind, ms] of readProfile(join(profiles, file))) sums.set(kind, (sums.get(kind) ?? 0) + ms);
  }
  const all = [...sums.values()].reduce((sum, ms) => sum + ms, 0);
  sums.set('all', all).set('without idle', all - (sums.get('idle') ?? 0));
  return columns.map((name) => sums.get(name) ?? 0);
}

/** @param {string} root @returns {string} the folder of a library whose core has names */
function named(root) {
  const made = spawnSync('make', ['-s', '-C', join(root, 'wasm'), 'profiling'], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  const folder = join(root, 'build/profiling');
  mkdirSync(folder, { recursive: true });
  const dist = join(root, 'dist');
  for (const name of readdirSync(dist)) {
    if (name.endsWith('.js') && existsSync(join(dist, name)))
      copyFileSync(join(dist, name), join(folder, name));
  }
  // Names of an earlier build would stay.
  rmSync(join(folder, 'chunks'), { recursive: true, force: true });
  cpSync(join(dist, 'chunks'), join(folder, 'chunks'), { recursive: true });
  return folder;
}
