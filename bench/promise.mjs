// Promises of `xylem whatif` beside the counts of servers and disks: npm run bench promise -- --help
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './program.mjs';
import { needFiles, root, settings } from './settings.mjs';
import { httpLinks, rootLinks } from './wan-links.mjs';

/**
 * ms of a round trip, Mb/s, and the kind of source as --source of whatif names it.
 * @type {Record<string, { rtt: number, mbps: number, kind: string }>}
 */
const LINKS = {
  country: { rtt: 20, mbps: 200, kind: 'parts' },
  far: { rtt: 240, mbps: 10_000, kind: 'parts' },
  'country-single': { rtt: 20, mbps: 200, kind: 'ranges' },
  'ocean-single': { rtt: 150, mbps: 500, kind: 'ranges' },
  root: { rtt: 20, mbps: 1000, kind: 'root' },
  local: { rtt: 5, mbps: 1200, kind: 'local' },
};
/** The tree of each file, and the branches of readings of a few. @type {Record<string, { tree: string, few: string }>} */
const FILES = {
  h1like: { tree: 'h42', few: 'md0_d,dm_d,ptds_d,etads_d,ptd0_d,rpd0_t,ik,njets' },
  'h1like-flushed': { tree: 'h42', few: 'md0_d,dm_d,ptds_d,etads_d,ptd0_d,rpd0_t,ik,njets' },
  'nano-zstd': { tree: 'Events', few: 'nMuon,nJet,MET_s000,PV_s005,Pileup_s007' },
  'nano-rntuple': { tree: 'Events', few: 'event,MET_s000,PuppiMET_s001' },
  'scalars-720k': { tree: 'mini', few: 'eventNumber,mcWeight,v00,v04' },
};
/** Options of the readings of a file. @type {Record<string, (few: string, list: string) => string[]>} */
const READINGS = {
  dense: () => [],
  sparse: (few) => ['--branches', few],
  sampled: (few) => ['--branches', few, '--sample', '0.0002'],
  listed: (few, list) => ['--branches', few, '--entry-list', list],
};

const help = `npm run bench promise -- [--data FOLDER] [--files a,b] [--links a,b] [--readings a,b] [--json OUT]

Reads branches of each file over each link with "xylem summary", and counts requests and bytes in the log of the server; on the
disk by strace. Beside them stands what "xylem whatif" says of the same reading of the local file. Bytes are those of the file,
without headings of parts. What is read to open the file and the tree does not count. Ends with status 1 if one of them differs
by more than 2 %, where one request more or less counts as the same.

  --data FOLDER     default build/bench. Made by bench/data/make.py
  --files a,b       of ${Object.keys(FILES).join(', ')}
  --links a,b       of ${Object.keys(LINKS).join(', ')}; root needs xrootd, local needs strace
  --readings a,b    of ${Object.keys(READINGS).join(', ')}
  --measured        promises for the link as each reading measured it when it opened the file: on a busy machine it is another
                    one, and a reader plans by what it measured`;

const given = settings(help, {
  files: Object.keys(FILES).join(),
  links: Object.keys(LINKS).join(),
  readings: Object.keys(READINGS).join(),
  measured: false,
  json: join(root, 'build/bench-promise.json'),
});
const files = given.files.split(',');
needFiles(given.data, files, help);

const MOST = 0.02;
const cli = join(root, 'dist/cli/xylem.js');
const folder = mkdtempSync(join(tmpdir(), 'xylem-promise-'));
const list = join(folder, 'entries.txt');
// A few entries here and there, as an event display asks for them.
writeFileSync(
  list,
  Array.from({ length: 12 }, (_, i) => (i * i * 613 + 17 * i) % 95_000)
    .sort((a, b) => a - b)
    .join('\n'),
);
const env = { XDG_CACHE_HOME: folder };

/** @typedef {{ requests: number, bytes: number }} Counts */
/** @typedef {[first: number, last: number][]} Ranges */
/** @typedef {{ rtt: number, mbps: number }} Link */
/** @typedef {{ origin: string, purpose: string, offset: number, got: number, started: number, answered: number, done: number }} Read */

/** Reads, and returns the reads of metadata as "offset length", and the link that they measured. @param {string} target @param {string} tree @param {string[]} options */
async function opened(target, tree, options, command = [process.execPath]) {
  const out = join(folder, 'trace.json');
  const [program = '', ...before] = command;
  await run(
    program,
    [...before, cli, 'summary', target, tree, ...options, '--no-cache', '--json', '--trace', out],
    { env },
  );
  /** @type {{ reads: Read[] }} */
  const { reads } = JSON.parse(readFileSync(out, 'utf8'));
  const data = new Set(reads.filter(({ origin }) => origin === 'decode').map(({ purpose }) => purpose));
  const metadata = reads.filter(({ purpose }) => !data.has(purpose));
  return {
    places: new Set(metadata.map(({ offset, got }) => `${offset} ${got}`)),
    link: measuredBy(metadata.filter(({ origin }) => origin === 'network')),
  };
}

/** The link by the requests that opened a file. @param {Read[]} requests @returns {Link | undefined} */
function measuredBy([head, tail, ...others]) {
  if (!head || !tail) return undefined;
  const all = [head, tail, ...others];
  const waited = all.reduce(
    (least, { started, answered }) => Math.min(least, answered - started),
    Number.POSITIVE_INFINITY,
  );
  // Requests at the same time have a connection each, which takes a round trip.
  const together = tail.started < head.done;
  const bodies = all.filter(({ got }) => got >= 128 * 1024);
  const bytes = bodies.reduce((sum, { got }) => sum + got, 0);
  const ms = bodies.reduce((sum, { answered, done }) => sum + done - answered, 0);
  return { rtt: together ? waited / 2 : waited, mbps: ms > 0 ? bytes / ms / 125 : 10_000 };
}

/** Counts the answers that hold other ranges than metadata. @param {Ranges[]} log @param {Set<string>} metadata @returns {Counts} */
function counted(log, metadata) {
  const keyOf = (/** @type {[number, number]} */ [first, last]) => `${first} ${last + 1 - first}`;
  const data = log.filter(
    (ranges) => ranges.length !== 1 || !metadata.has(keyOf(/** @type {any} */ (ranges[0]))),
  );
  const bytes = data.flat().reduce((sum, [first, last]) => sum + last + 1 - first, 0);
  return { requests: data.length, bytes };
}

/** Counts, by strace, the reads of a file by all threads. @param {string} path @param {string} tree @param {string[]} options */
async function ofDisk(path, tree, options) {
  const out = join(folder, 'strace');
  const metadata = await opened(path, tree, options, [
    'strace',
    '-f',
    '-y',
    '-o',
    out,
    '-e',
    'trace=pread64,preadv',
    process.execPath,
  ]);
  /** @type {Ranges[]} */
  const log = [];
  for (const line of readFileSync(out, 'utf8').split('\n')) {
    if (!line.includes(`<${path}>`) && !line.includes('resumed')) continue;
    const found = /, (\d+)\)? += (\d+)$/.exec(line);
    if (found) log.push([[Number(found[1]), Number(found[1]) + Number(found[2]) - 1]]);
  }
  return { ...counted(log, metadata.places), link: undefined };
}

/** @param {string} name @param {string} link @param {string} reading @param {Link | undefined} as @returns {Promise<Counts>} */
async function promised(name, link, reading, as) {
  const { tree, few } = FILES[name] ?? { tree: '', few: '' };
  const { rtt, mbps, kind } = { ...(LINKS[link] ?? { rtt: 0, mbps: 0, kind: '' }), ...as };
  const options = READINGS[reading]?.(few, list) ?? [];
  const more = [
    '--source',
    kind,
    '--latency',
    String(rtt),
    '--bandwidth',
    String(mbps),
    '--caches',
    '10',
    '--json',
  ];
  const text = await run(process.execPath, [
    cli,
    'whatif',
    join(given.data, `${name}.root`),
    tree,
    ...options,
    ...more,
  ]);
  const { calls, bytes } = JSON.parse(text).outcomes.at(-1);
  return { requests: calls, bytes };
}

const http = await httpLinks(given.data);
/** @type {Awaited<ReturnType<typeof rootLinks>> | undefined} */
let xrootd;

/** @param {string} name @param {string} link @param {string} reading @returns {Promise<Counts & { link: Link | undefined }>} */
async function counts(name, link, reading) {
  const { tree, few } = FILES[name] ?? { tree: '', few: '' };
  const { rtt, mbps, kind } = LINKS[link] ?? { rtt: 0, mbps: 0, kind: '' };
  const options = READINGS[reading]?.(few, list) ?? [];
  if (kind === 'local') return ofDisk(join(given.data, `${name}.root`), tree, options);
  if (kind === 'root') {
    xrootd ??= await rootLinks(given.data, '4096', true);
    const base = await xrootd.use(rtt, mbps);
    xrootd.log();
    const metadata = await opened(`${base}${name}.root`, tree, options);
    return { ...counted(xrootd.log(), metadata.places), link: metadata.link };
  }
  const base = await http.use(rtt, mbps);
  await fetch(`${base}__set?no-multirange=${kind === 'ranges' ? 'whole' : ''}`);
  await fetch(`${base}__stats?reset`);
  const metadata = await opened(`${base}${name}.root`, tree, options);
  return { ...counted(await (await fetch(`${base}__log`)).json(), metadata.places), link: metadata.link };
}

/** @param {number} a @param {number} b */
const off = (a, b) => (a - b) / Math.max(1, b);
const rows = [];
let wrong = 0;
console.log(
  'file             link           reading   requests: promised, counted       bytes: promised, counted',
);
try {
  for (const name of files) {
    for (const link of given.links.split(',')) {
      for (const reading of given.readings.split(',')) {
        const fact = await counts(name, link, reading);
        const promise = await promised(name, link, reading, given.measured ? fact.link : undefined);
        const requests = off(promise.requests, fact.requests);
        const bytes = off(promise.bytes, fact.bytes);
        const isWrong =
          (Math.abs(requests) > MOST && Math.abs(promise.requests - fact.requests) > 1) ||
          Math.abs(bytes) > MOST;
        wrong += Number(isWrong);
        rows.push({ name, link, reading, promise, fact });
        const part = (/** @type {number} */ one) => `${one >= 0 ? '+' : ''}${(100 * one).toFixed(1)} %`;
        console.log(
          `${name.padEnd(16)} ${link.padEnd(14)} ${reading.padEnd(9)}` +
            `${String(promise.requests).padStart(8)}${String(fact.requests).padStart(8)} ${part(requests).padStart(8)}` +
            `${String(promise.bytes).padStart(13)}${String(fact.bytes).padStart(13)} ${part(bytes).padStart(8)}${isWrong ? '  *' : ''}`,
        );
      }
    }
  }
} finally {
  http.stop();
  xrootd?.stop();
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(given.json, `${JSON.stringify(rows, null, 1)}\n`);
const pairs = files.length * given.links.split(',').length;
console.log(`${rows.length} readings of ${pairs} pairs of file and link, ${wrong} of them wrong`);
process.exitCode = wrong > 0 ? 1 : 0;
