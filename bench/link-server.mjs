// Serves a folder with single and multiple ranges over a link of a chosen round trip and bandwidth:
// each request waits one round trip, the first of a connection two, and all share the bandwidth.
//   node bench/link-server.mjs FOLDER      prints its address; /__set?rtt-ms=X&mbps=Y changes the link
// /__stats gives requests and bytes as JSON, and /__stats?reset sets them to 0.
import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, normalize, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = resolve(process.argv[2] ?? '.');
const link = { rtt: 0, mbps: 0, free: 0 };
const used = new WeakSet();
const stats = { requests: 0, bytes: 0 };

/** @param {number} bytes */
async function pass(bytes) {
  if (link.mbps <= 0) return;
  const now = performance.now();
  link.free = Math.max(link.free, now - 2) + (bytes * 8) / (link.mbps * 1000);
  if (link.free > now + 1) await sleep(link.free - now);
}

/** @param {string} header @param {number} size */
function parse(header, size) {
  return header
    .replace(/^bytes=/, '')
    .split(',')
    .map((text) => text.trim().split('-'))
    .map(([from = '', to = '']) =>
      from === ''
        ? { first: Math.max(0, size - Number(to)), last: size - 1 }
        : { first: Number(from), last: Math.min(Number(to), size - 1) },
    )
    .filter(({ first }) => first < size);
}

/** @param {import('node:http').ServerResponse} response */
function writable(response) {
  return new Promise((go) => {
    const on = () => {
      response.off('drain', on).off('close', on);
      go(undefined);
    };
    response.on('drain', on).on('close', on);
  });
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/__set') {
    link.rtt = Number(url.searchParams.get('rtt-ms') ?? 0);
    link.mbps = Number(url.searchParams.get('mbps') ?? 0);
    response.end();
    return;
  }
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Headers', 'Range, If-Range');
  response.setHeader('Access-Control-Expose-Headers', 'Content-Range, Content-Length, ETag');
  if (url.pathname === '/__stats') {
    response.end(JSON.stringify(stats));
    if (url.searchParams.has('reset')) Object.assign(stats, { requests: 0, bytes: 0 });
    return;
  }
  if (request.method === 'OPTIONS') {
    response.end();
    return;
  }
  stats.requests++;
  const trips = used.has(request.socket) ? 1 : 2;
  used.add(request.socket);
  await sleep(link.rtt * trips);
  const path = join(root, normalize(decodeURIComponent(url.pathname)));
  const info = path.startsWith(root) ? await stat(path).catch(() => undefined) : undefined;
  if (!info?.isFile()) {
    response.writeHead(404).end();
    return;
  }
  const ranges = request.headers.range ? parse(request.headers.range, info.size) : [];
  const [only] = ranges;
  if (!only) {
    response.writeHead(416, { 'Content-Range': `bytes */${info.size}` }).end();
    return;
  }
  const boundary = 'link-server-part';
  const headers = { ETag: `"${info.size}-${info.mtimeMs}"` };
  if (ranges.length > 1)
    response.writeHead(206, { ...headers, 'Content-Type': `multipart/byteranges; boundary=${boundary}` });
  else
    response.writeHead(206, {
      ...headers,
      'Content-Range': `bytes ${only.first}-${only.last}/${info.size}`,
      'Content-Length': only.last - only.first + 1,
    });
  response.flushHeaders();
  const file = await open(path);
  try {
    for (const { first, last } of ranges) {
      if (ranges.length > 1)
        response.write(`\r\n--${boundary}\r\nContent-Range: bytes ${first}-${last}/${info.size}\r\n\r\n`);
      for (let at = first; at <= last && !response.destroyed; ) {
        const length = Math.min(32_768, last + 1 - at);
        const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
        await pass(length);
        stats.bytes += length;
        if (!response.write(buffer)) await writable(response);
        at += length;
      }
    }
    response.end(ranges.length > 1 ? `\r\n--${boundary}--\r\n` : undefined);
  } finally {
    await file.close();
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}/`);
});
