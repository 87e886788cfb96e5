// One file as many files of a server, which counts their requests.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { root } from '../scripts/run.mjs';

/** @param {Map<string, number>} counts @param {string} name */
const countOne = (counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1);

/**
 * Serves the file as /0.root, /1.root, … and their list as /files.txt; every answer is counted.
 * @param {string} path @param {string} tree @param {number} count
 */
export async function serveMany(path, tree, count) {
  const bytes = await readFile(path);
  const { openRoot } = await import(join(root, 'dist/node.js'));
  const file = await openRoot(path);
  const uuid = Buffer.from(file.info.uuid.replaceAll('-', ''), 'hex');
  const keys = await file.keys();
  const record = keys.find((/** @type {{ path: string }} */ key) => key.path === tree)?.offset ?? 0;
  await file.close();
  // The header of a file and the record of its directory both have it.
  const uuidsAt = [bytes.indexOf(uuid), bytes.indexOf(uuid, bytes.indexOf(uuid) + 1)];
  /** @type {Map<string, number>} */
  const requests = new Map();
  /** Those that begin with the file, or reach into the record of the tree, which ROOT writes after its baskets. @type {Map<string, number>} */
  const metadata = new Map();
  const state = { last: performance.now(), bytes: 0 };
  const list = Array.from({ length: count }, (_, i) => `${i}.root`).join('\n');
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    countOne(requests, name);
    state.last = performance.now();
    response.setHeader('Access-Control-Allow-Origin', '*');
    // Without it a reader asks again whether the file changed meanwhile.
    response.setHeader('Last-Modified', 'Sat, 01 Jan 2022 00:00:00 GMT');
    if (name === 'files.txt') {
      response.end(list);
      return;
    }
    const [, from, to] = /^bytes=(\d*)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from);
    const end = from === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1);
    if (!(start <= end)) {
      response.writeHead(416).end();
      return;
    }
    if (start === 0 || end >= record) countOne(metadata, name);
    state.bytes += end + 1 - start;
    const part = Buffer.from(bytes.subarray(start, end + 1));
    for (const uuidAt of uuidsAt) {
      const at = uuidAt - start;
      if (uuidAt >= 0 && at >= 0 && at + 4 <= part.length) part.writeUInt32BE(Number.parseInt(name, 10), at);
    }
    const range = `bytes ${start}-${end}/${bytes.length}`;
    response.writeHead(206, { 'Content-Range': range, 'Content-Length': part.length }).end(part);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  /** @param {Map<string, number>} counts */
  const perFile = (counts) => {
    const numbers = [...counts].flatMap(([name, n]) => (name.endsWith('.root') ? [n] : []));
    const mean = numbers.reduce((sum, n) => sum + n, 0) / count;
    return { mean, most: Math.max(...numbers), withTwo: numbers.filter((n) => n <= 2).length };
  };
  const figures = () => ({ all: perFile(requests), metadata: perFile(metadata), mb: state.bytes / 1e6 });
  return { url: `http://127.0.0.1:${port}/files.txt`, requests, state, figures, close };
}
