// Shared caches and what they save, with a real nginx: npm run bench caches -- --help
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { needFiles, root, settings } from './settings.mjs';
import { freePort } from './wan-links.mjs';

const help = `npm run bench caches -- [--data FOLDER] [--files a,b] [--users N] [--link RTT,MBIT] [--json OUT]

Users draw branches of a file, each another one chosen at random, through an nginx cache whose origin is at the other end of a link.
Each user has a reader of their own that keeps nothing, and knows nothing of the server. Prints requests and bytes at the
cache and at the origin for the first, second, tenth and hundredth user, and seconds of the first ones.

  --data FOLDER   h1like-small.root, nano-zlib.root; default build/bench
  --link          between cache and origin: ms of a round trip, Mb/s; default 11,100
  --ways          which of "${['1m', '1m+1MiB', '128k', '128k+128KiB', 'range', 'range+1MiB'].join(',')}" (the default): slice of nginx, or "range" for a cache by exact
                  ranges; after + the size for --align
nginx: apt install nginx-light, or XYLEM_NGINX names its program.`;

const given = settings(help, {
  files: 'h1like-small,nano-zlib',
  users: '100',
  link: '11,100',
  ways: '1m,1m+1MiB,128k,128k+128KiB,range,range+1MiB',
  json: undefined,
});
const nginx = process.env.XYLEM_NGINX ?? '/usr/sbin/nginx';
const files = given.files.split(',');
needFiles(given.data, files, help);
if (!existsSync(nginx)) throw new Error(`There is no ${nginx}.`);

/** @type {Record<string, string>} */
const TREES = { 'h1like-small': 'h42', 'nano-zlib': 'Events' };
const SHOWN = [1, 2, 10, 100];

/** @type {typeof import('../web/node')} */
const { openRoot } = await import(new URL('../dist/node.js', import.meta.url).href);

/**
 * Starts nginx as origin and cache, with the link between them.
 * @param {string} slice the size of blocks, or "range"
 */
async function startCache(slice) {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-caches-'));
  mkdirSync(join(folder, 'files'));
  for (const name of files)
    symlinkSync(resolve(given.data, `${name}.root`), join(folder, 'files', `${name}.root`));
  const [port, origin] = [await freePort(), await freePort()];
  const link = spawn(
    process.execPath,
    [join(root, 'bench/link-proxy.mjs'), '127.0.0.1', String(origin), ...given.link.split(',')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  /** @type {string} */
  const far = await new Promise((done) => link.stdout.once('data', (text) => done(String(text).trim())));
  const key = slice === 'range' ? '$http_range' : '$slice_range';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'settings'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; worker_rlimit_nofile 4096;
    events { worker_connections 2048; }
    http {
      ${temporary.join(' ')}
      log_format sent '$body_bytes_sent';
      proxy_cache_path ${folder}/kept levels=1:2 keys_zone=root:20m max_size=4g use_temp_path=off;
      server { listen 127.0.0.1:${origin}; root ${folder}/files; access_log ${folder}/origin sent; max_ranges 1024; }
      server { listen ${port}; access_log ${folder}/cache sent;
        location / {
          ${slice === 'range' ? '' : `slice ${slice};`}
          proxy_pass http://127.0.0.1:${far}; proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_cache root; proxy_cache_key $uri${key}; proxy_set_header Range ${key};
          proxy_cache_valid 200 206 1d; proxy_cache_lock on; proxy_cache_lock_age 60s; proxy_cache_lock_timeout 60s;
        } } }`,
  );
  const server = spawn(nginx, ['-c', join(folder, 'settings'), '-e', join(folder, 'log')], {
    stdio: 'inherit',
  });
  const ended = new Promise((done) => server.once('exit', done));
  // Also after a failure.
  process.once('exit', () => {
    server.kill('SIGTERM');
    link.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  for (let tries = 0; !existsSync(join(folder, 'cache')) && tries < 100; tries++) await sleep(20);
  await sleep(100);
  /** Requests and bytes since the start. @param {'origin' | 'cache'} log */
  const count = (log) => {
    const lines = readFileSync(join(folder, log), 'utf8').trim().split('\n').filter(Boolean);
    return { requests: lines.length, bytes: lines.reduce((sum, line) => sum + Number(line), 0) };
  };
  const stop = async () => {
    server.kill('SIGTERM');
    link.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, count, stop };
}

/** The branches that users draw: numbers, one of them or many an entry. @param {string} name */
async function branchesOf(name) {
  const file = await openRoot(join(given.data, `${name}.root`));
  const { info } = await file.tree(TREES[name] ?? 'Events');
  await file.close();
  return info.branches
    .filter(({ typeName }) => /^(float|double|u?int\d+_t)(\[\])?$/.test(typeName))
    .map(({ path }) => path);
}

/** @typedef {{ requests: number, bytes: number }} Sum */

/** The same choice in all ways. @param {readonly string[]} list @param {number} user */
const chosen = (list, user) => list[((user * 2654435761) >>> 0) % list.length] ?? '';

/** @param {Sum} after @param {Sum} before */
const since = (after, before) => ({
  requests: after.requests - before.requests,
  bytes: after.bytes - before.bytes,
});
/** @param {Sum} sum */
const shown = ({ requests, bytes }) =>
  `${requests} / ${bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`}`;

const rows = [];
const columns = SHOWN.filter((user) => user <= Number(given.users));
console.log(`| file | nginx | --align | | ${columns.map((user) => `user ${user}`).join(' | ')} | all |`);
console.log(`|---|---|---|---|${'---|'.repeat(columns.length + 1)}`);
for (const name of files) {
  const branches = await branchesOf(name);
  for (const way of given.ways.split(',')) {
    const [slice = '', blocks] = way.split('+');
    const bytes = blocks && Number.parseInt(blocks, 10) * (blocks.endsWith('KiB') ? 1024 : 1024 ** 2);
    const cache = await startCache(slice);
    /** @type {{ user: number, seconds: number, cache: Sum, origin: Sum }[]} */
    const users = [];
    for (let user = 1; user <= Number(given.users); user++) {
      const before = { cache: cache.count('cache'), origin: cache.count('origin') };
      const start = performance.now();
      // An address of its own for each user: what a reader learns of a server, it keeps for the address.
      const url = `http://127.0.${user >> 8}.${(user & 255) + 1}:${cache.port}/${name}.root`;
      const file = await openRoot({ kind: 'url', url, cache: 'none' }, { align: bytes || undefined });
      await (await file.tree(TREES[name] ?? 'Events')).draw(chosen(branches, user));
      const seconds = (performance.now() - start) / 1000;
      await file.close();
      // Answers that the reader broke off are logged when nginx notices.
      await sleep(150);
      const sums = {
        cache: since(cache.count('cache'), before.cache),
        origin: since(cache.count('origin'), before.origin),
      };
      users.push({ user, seconds, ...sums });
    }
    const all = { cache: cache.count('cache'), origin: cache.count('origin') };
    await cache.stop();
    rows.push({ name, slice, align: blocks, users, all });
    const at = columns.map((user) => users[user - 1]);
    for (const place of /** @type {const} */ (['cache', 'origin'])) {
      const cells = at.map((one) => (one ? shown(one[place]) : ''));
      console.log(
        `| ${name} | ${slice} | ${blocks ?? '–'} | ${place} | ${cells.join(' | ')} | ${shown(all[place])} |`,
      );
    }
    const times = at.map((one) => `${one?.seconds.toFixed(1)} s`);
    console.log(`| ${name} | ${slice} | ${blocks ?? '–'} | time | ${times.join(' | ')} | |`);
  }
}
if (given.json) writeFileSync(given.json, JSON.stringify(rows));
