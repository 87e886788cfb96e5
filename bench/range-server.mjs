// A folder over HTTP, behind a link of a chosen round trip and bandwidth, with faults that can be chosen.
import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, normalize, resolve, sep } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

const help = `node bench/range-server.mjs FOLDER [--NAME VALUE …]      prints its address

Every request waits one round trip before its first byte, the first one of a connection two; all bodies share the bandwidth.
GET /__set?NAME=VALUE changes these while it runs. GET /__stats has requests, ranges, bytes of bodies, connections and the
most requests at once as JSON; /__stats?reset also sets them to 0. Headers do not count. GET /__log has the ranges of the file
that each answer since then had, [[first, last], …].

  rtt-ms, mbps       a round trip in ms, and the bandwidth in Mb/s; 0, the default: none, and without limit
  fail-rate          share of the requests that are answered with 500
  drop-rate          share of the bodies after a part of which the connection breaks
  no-range           1: the whole file for each request
  no-multirange      "whole" or "first": the answer to a request of several ranges
  no-etag            1: answers have neither ETag nor Last-Modified
  change-after       after this many requests each file is another one: other bytes, ETag and Last-Modified
  seed               of the faults; default 1`;

/** Options of numbers, and `no-multirange`. @type {Record<string, number | string>} */
const chosen = {
  ...{ 'rtt-ms': 0, mbps: 0, 'fail-rate': 0, 'drop-rate': 0, 'no-range': 0, 'no-multirange': '' },
  ...{ 'no-etag': 0, 'change-after': 0, seed: 1 },
};
const number = (/** @type {string} */ name) => Number(chosen[name]);

/** @param {string} name @param {string} value */
function set(name, value) {
  if (!Object.hasOwn(chosen, name)) throw new RangeError(`There is no option "${name}".`);
  const isNumber = typeof chosen[name] === 'number';
  if (isNumber && !Number.isFinite(Number(value))) throw new RangeError(`${name} needs a number.`);
  chosen[name] = isNumber ? Number(value) : value;
}

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || folder === '--help') {
  console.log(help);
  process.exit(folder === undefined ? 2 : 0);
}
const root = resolve(folder);
for (let i = 0; i < rest.length; i += 2) set((rest[i] ?? '').replace(/^--/, ''), rest[i + 1] ?? '');

const fresh = () => ({ requests: 0, ranges: 0, bytes: 0, connections: 0, mostAtOnce: 0 });
let stats = fresh();
/** The ranges that each answer had; none of an answer without ranges. @type {[first: number, last: number][][]} */
let log = [];
let active = 0;
let served = 0;

/** mulberry32: the same seed gives the same faults. */
let state = number('seed');
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

/** Timers count whole ms: what is shorter is waited for by turns of the event loop. @param {number} ms */
async function wait(ms) {
  const end = performance.now() + ms;
  if (ms > 2) await sleep(Math.floor(ms - 1));
  while (performance.now() < end) await turn();
}

let free = 0;
/** Waits until the link has carried these bytes; what it did not carry for 2 ms is lost. @param {number} bytes */
async function carry(bytes) {
  if (number('mbps') <= 0) return;
  const now = performance.now();
  free = Math.max(free, now - 2) + (bytes * 8) / (number('mbps') * 1000);
  if (free > now) await wait(free - now);
}

/** @param {string | undefined} header @param {number} size @returns {[first: number, last: number][] | undefined} */
function rangesOf(header, size) {
  const list = /^bytes=([\d\s,-]+)$/.exec(header ?? '')?.[1];
  return list
    ?.split(',')
    .map((text) => text.trim().split('-'))
    .map(
      ([from = '', to = '']) =>
        /** @type {[number, number]} */ (
          from === ''
            ? [Math.max(0, size - Number(to)), size - 1]
            : [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)]
        ),
    )
    .filter(([first, last]) => first <= last);
}

/** @param {import('node:http').ServerResponse} response @returns {Promise<void>} */
const writable = (response) =>
  new Promise((done) => {
    const on = () => {
      response.off('drain', on).off('close', on);
      done();
    };
    response.on('drain', on).on('close', on);
  });

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response @param {string} pathname */
async function answer(request, response, pathname) {
  if (random() < number('fail-rate')) return void response.writeHead(500).end();
  const path = join(root, normalize(decodeURIComponent(pathname)));
  const info = path.startsWith(root + sep) ? await stat(path).catch(() => undefined) : undefined;
  if (!info?.isFile()) return void response.writeHead(404).end();
  const { size, mtimeMs } = info;
  const isChanged = number('change-after') > 0 && served > number('change-after');
  const etag = `"${size}-${Math.round(mtimeMs)}${isChanged ? '-changed' : ''}"`;
  if (!number('no-etag')) {
    response.setHeader('ETag', etag);
    response.setHeader('Last-Modified', new Date(mtimeMs + (isChanged ? 3_600_000 : 0)).toUTCString());
  }
  const condition = String(request.headers['if-range'] ?? '');
  const isOther = condition.startsWith('"') && condition !== etag;
  let ranges = number('no-range') || isOther ? undefined : rangesOf(request.headers.range, size);
  if (ranges && ranges.length > 1 && chosen['no-multirange'] === 'whole') ranges = undefined;
  if (ranges && chosen['no-multirange'] === 'first') ranges = ranges.slice(0, 1);
  if (ranges?.length === 0) return void response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
  if (request.method !== 'HEAD') log.push(ranges ?? []);
  /** Texts, and ranges of the file. @type {(string | [first: number, last: number])[]} */
  let pieces = ranges ?? [[0, size - 1]];
  if (ranges) {
    stats.ranges += ranges.length;
    response.statusCode = 206;
    const range = (/** @type {[number, number]} */ [first, last]) => `bytes ${first}-${last}/${size}`;
    const [only] = ranges;
    if (only && ranges.length === 1) response.setHeader('Content-Range', range(only));
    else {
      const boundary = randomBytes(8).toString('hex');
      response.setHeader('Content-Type', `multipart/byteranges; boundary=${boundary}`);
      pieces = ranges.flatMap((one) => [`\r\n--${boundary}\r\nContent-Range: ${range(one)}\r\n\r\n`, one]);
      pieces.push(`\r\n--${boundary}--\r\n`);
    }
  }
  const total = pieces.reduce(
    (sum, one) => sum + (typeof one === 'string' ? one.length : one[1] + 1 - one[0]),
    0,
  );
  response.setHeader('Content-Length', total);
  if (request.method === 'HEAD') return void response.end();
  response.flushHeaders();
  const stop = random() < number('drop-rate') ? Math.floor(total * random()) : Number.POSITIVE_INFINITY;
  // Small enough that connections share a slow link: about 5 ms of it.
  const most = number('mbps') > 0 ? Math.min(1 << 18, Math.max(4096, number('mbps') * 625)) : 1 << 18;
  const file = await open(path);
  let sent = 0;
  try {
    for (const piece of pieces) {
      const [first, last] = typeof piece === 'string' ? [0, piece.length - 1] : piece;
      for (let at = first; at <= last; ) {
        const length = Math.min(Math.floor(most), last + 1 - at);
        const bytes =
          typeof piece === 'string'
            ? Buffer.from(piece)
            : (await file.read(Buffer.allocUnsafe(length), 0, length, at)).buffer;
        if (isChanged && typeof piece !== 'string')
          bytes.forEach((byte, i) => {
            bytes[i] = byte ^ 0x5a;
          });
        await carry(bytes.length);
        if (sent + bytes.length > stop) return void response.destroy();
        if (response.destroyed) return;
        if (!response.write(bytes)) await writable(response);
        at += bytes.length;
        sent += bytes.length;
        stats.bytes += bytes.length;
      }
    }
    response.end();
  } finally {
    await file.close();
  }
}

const used = new WeakSet();
const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Headers', 'Range, If-Range');
  response.setHeader('Access-Control-Expose-Headers', 'Content-Range, Content-Length, Accept-Ranges, ETag');
  if (pathname === '/__set') {
    try {
      for (const [name, value] of searchParams) set(name, value);
      response.end();
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  } else if (pathname === '/__stats') {
    response.end(JSON.stringify(stats));
    if (searchParams.has('reset')) {
      stats = fresh();
      log = [];
    }
  } else if (pathname === '/__log') response.end(JSON.stringify(log));
  else if (request.method === 'OPTIONS') response.end();
  else {
    stats.requests++;
    served++;
    stats.mostAtOnce = Math.max(stats.mostAtOnce, ++active);
    const isFirst = !used.has(request.socket);
    used.add(request.socket);
    if (isFirst) stats.connections++;
    try {
      await wait(number('rtt-ms') * (isFirst ? 2 : 1));
      await answer(request, response, pathname);
    } catch {
      response.destroy();
    } finally {
      active--;
    }
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}/`);
});
