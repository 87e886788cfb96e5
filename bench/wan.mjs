// The table "TTreeCache with LANs and WANs" for this reader: npm run bench wan -- --help
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './figures.mjs';
import { peersHere } from './peers/peers.mjs';
import { run } from './program.mjs';
import { needFiles, root, settings } from './settings.mjs';
import { httpLinks, rootLinks } from './wan-links.mjs';

const help = `npm run bench wan -- [--data FOLDER] [--files a,b] [--profiles A,B] [--runs N] [--json OUT]

Reads the query of the table (8 branches of h42) from each file over each link, at least three times,
and prints medians. Other readers run in the same rounds: --peers, see bench/peers/peers.mjs.
A peer that takes more than three times as long as this reader runs once: its figure is marked with *.

  --data FOLDER      h1like.root, h1like-small.root, h1like-flushed.root; default build/bench. Made by
                     bench/data/make.py
  --over root        over root:// by an XRootD server (xrootd, or XYLEM_XROOTD) and a TCP proxy; default http
  --window KIB       with --over root: the most bytes that are on their way in one connection; default 4096
  --second           second visits: from a cache that a first one filled, against the local file
  --peers a,b        uproot, JSROOT, ROOT, groot
  --limit SECONDS    a peer that takes longer is ended; default 60`;

const given = settings(help, {
  files: 'h1like,h1like-small,h1like-flushed',
  profiles: 'A,B,C,D,E,F,G',
  runs: '3',
  json: join(root, 'build/bench-wan.json'),
  over: 'http',
  window: '4096',
  second: false,
  peers: '',
  limit: '60',
});

/** ms of a round trip, Mb/s. @type {Record<string, [number, number]>} */
const LINKS = {
  A: [0, 0],
  B: [0.3, 100],
  C: [2, 10],
  D: [11, 100],
  E: [22, 100],
  F: [72, 8],
  G: [240, 10_000],
};
const QUERY = ['md0_d', 'dm_d', 'ptds_d', 'etads_d', 'ptd0_d', 'rpd0_t', 'ik', 'njets'];

const files = given.files.split(',');
const profiles = given.profiles.split(',');
const runs = Math.max(1, Number(given.runs));
needFiles(given.data, files, help);
const links = await (given.over === 'root' ? rootLinks(given.data, given.window) : httpLinks(given.data));

const peerLimit = 1000 * Math.max(1, Number(given.limit));
const folder = mkdtempSync(join(tmpdir(), 'xylem-bench-'));
writeFileSync(join(folder, 'query'), `${QUERY.join('\n')}\n`);

const peers = peersHere(given.peers).filter(({ ofLinks }) => ofLinks);

/** @param {number} seconds @param {number} count */
const cellOf = (seconds, count) =>
  `${Number.isFinite(seconds) ? seconds.toFixed(2) : `> ${given.limit}`}${count < runs ? '*' : ''}`;

/** @param {string} target @param {string} name @param {string[]} [more] */
async function readOnce(target, name, more = []) {
  const result = JSON.parse(await run(process.execPath, [join(root, 'bench/wan-read.mjs'), target, ...more]));
  const truth = JSON.parse(readFileSync(join(given.data, `${name}.sums.json`), 'utf8'));
  for (const branch of QUERY) {
    const expected = (truth[branch] ?? truth.branches?.[branch])?.[1];
    const off = Math.abs(result.sums[branch] - expected);
    if (!(off <= 1e-6 * Math.max(1, Math.abs(expected))))
      throw new Error(`${name} ${branch}: sum ${result.sums[branch]}, not ${expected}`);
  }
  return result;
}

/**
 * Returns the seconds of a peer; infinity if it was ended or failed.
 * @param {import('./peers/peers.mjs').Peer} peer @param {string} url
 */
async function secondsOf({ name, command, env }, url) {
  try {
    const [program = '', ...args] = command(url, 'h42', join(folder, 'query'));
    const text = await run(program, args, { timeout: peerLimit, env });
    return Number(JSON.parse(text.split('\n').findLast((line) => line.startsWith('{')) ?? '{}').wall_s);
  } catch (thrown) {
    console.error(`${name}: ${thrown instanceof Error ? thrown.message.slice(-200) : thrown}`);
    return Number.POSITIVE_INFINITY;
  }
}

const rows = [];
const columns = [
  'file',
  'link',
  'time s',
  'requests',
  'depth',
  'MB',
  'over-read',
  'limit s',
  'decode s',
  'ratio',
  given.second ? 'CPU s, local, ratio' : 'with tree',
];
console.log(`Server ${links.name}; medians of ${runs}.`);
console.log(
  given.second
    ? 'decode: the query from the local file; limit: connect + 1 round trip; ratio: (time - limit) / decode.\n'
    : `limit: connect + 3 round trips + bytes of the baskets over bandwidth; ratio: (time - decode) / limit;
"with tree": the same with the bytes of the tree's own record, which must be read too.\n`,
);
console.log([...columns, ...peers.map(({ name }) => `${name} s`)].join('\t'));
try {
  for (const name of files) {
    const decodes = [];
    for (let i = 0; i < runs; i++)
      decodes.push((await readOnce(join(given.data, `${name}.root`), name)).seconds);
    const before = median(decodes);
    for (const profile of profiles) {
      const [rtt = 0, mbps = 0] = LINKS[profile] ?? [];
      const url = `${await links.use(rtt, mbps)}${name}.root`;
      const more = given.second ? [join(folder, `cache-${name}`)] : [];
      if (given.second) await readOnce(url, name, more);
      const own = [];
      /** The local file in the same rounds. @type {Awaited<ReturnType<typeof readOnce>>[]} */
      const local = [];
      /** @type {number[][]} */
      const others = peers.map(() => []);
      for (let i = 0; i < runs; i++) {
        if (given.second) local.push(await readOnce(join(given.data, `${name}.root`), name));
        own.push(await readOnce(url, name, more));
        for (const [at, peer] of peers.entries()) {
          const times = others[at] ?? [];
          if ((times[0] ?? 0) > 3 * (own[0]?.seconds ?? 0)) continue;
          times.push(await secondsOf(peer, url));
        }
      }
      const decode = given.second ? median(local.map(({ seconds }) => seconds)) : before;
      const cpu = median(own.map((one) => one.cpu));
      const localCpu = median(local.map((one) => one.cpu));
      const time = median(own.map(({ seconds }) => seconds));
      const [any] = own;
      const wanted = any.baskets + any.others;
      const perSecond = mbps > 0 ? mbps * 125_000 : Number.POSITIVE_INFINITY;
      // A second visit connects, and asks whether the file is the same.
      const limit = given.second ? (2 * rtt) / 1000 : (4 * rtt) / 1000 + any.baskets / perSecond;
      const whole = limit + any.others / perSecond;
      const row = {
        file: name,
        profile,
        time,
        cpu,
        decode,
        limit,
        requests: median(own.map(({ requests }) => requests)),
        depth: median(own.map(({ roundTrips }) => roundTrips)),
        bytes: median(own.map(({ bytes }) => bytes)),
        storedBytes: median(own.map(({ storedBytes }) => storedBytes)),
        overread: median(own.map(({ bytes, storedBytes }) => (bytes + storedBytes) / wanted - 1)),
        ratio: given.second ? (time - limit) / decode : limit > 0 ? (time - decode) / limit : undefined,
        withTree: whole > 0 && !given.second ? (time - decode) / whole : undefined,
        peers: Object.fromEntries(peers.map((peer, at) => [peer.name, median(others[at] ?? [])])),
      };
      rows.push(row);
      const cells = [
        name,
        profile,
        time.toFixed(2),
        row.requests,
        row.depth,
        (row.bytes / 1e6).toFixed(2),
        `${(100 * row.overread).toFixed(1)} %`,
        limit.toFixed(2),
        decode.toFixed(2),
        row.ratio?.toFixed(2) ?? '-',
        given.second
          ? `${cpu.toFixed(2)}, ${localCpu.toFixed(2)}, ${(cpu / localCpu).toFixed(2)}`
          : (row.withTree?.toFixed(2) ?? '-'),
        ...Object.values(row.peers).map((value, at) => cellOf(value, others[at]?.length ?? 0)),
      ];
      console.log(cells.join('\t'));
    }
  }
  writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
  console.log(`\nwritten: ${given.json}`);
} finally {
  links.stop();
  rmSync(folder, { recursive: true, force: true });
}
