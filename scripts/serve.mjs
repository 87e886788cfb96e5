// Serves the built page on localhost, with byte ranges, and one local file beside it when asked.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, extname, join, normalize, sep } from 'node:path';
import { root, runMain } from './run.mjs';

const page = join(root, 'dist', 'page');

/** @type {Record<string, string>} */
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
};

const headers = {
  'Cache-Control': 'no-store',
  'Accept-Ranges': 'bytes',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    'connect-src *',
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
  ].join('; '),
};

/**
 * The one range of a Range header, as [first, last] byte.
 * @param {string | undefined} header
 * @param {number} size
 * @returns {[number, number] | 'unsatisfiable' | undefined} undefined: send everything
 */
export function parseRange(header, size) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const [, from = '', to = ''] = match;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return undefined;
  return first >= size ? 'unsatisfiable' : [first, last];
}

/**
 * The file for a request's path: of the page, or the one local file under /files/.
 * @param {string} pathname
 * @param {string | undefined} file
 */
function locate(pathname, file) {
  let name;
  try {
    name = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (name.includes('\0')) return undefined;
  if (file !== undefined && name === `/files/${basename(file)}`) return file;
  const path = normalize(join(page, name.endsWith('/') ? `${name}index.html` : name));
  return path.startsWith(page + sep) ? path : undefined;
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {string | undefined} file
 */
async function answer(request, response, file) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405, headers).end();
  const path = locate((request.url ?? '/').split('?')[0] ?? '/', file);
  const info = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || !info?.isFile()) return response.writeHead(404, headers).end('Not found\n');

  const range = parseRange(request.headers.range, info.size);
  if (range === 'unsatisfiable') {
    return response.writeHead(416, { ...headers, 'Content-Range': `bytes */${info.size}` }).end();
  }
  const [first, last] = range ?? [0, info.size - 1];
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'Content-Type': types[extname(path)] ?? 'application/octet-stream',
    'Content-Length': last - first + 1,
    ...(range ? { 'Content-Range': `bytes ${first}-${last}/${info.size}` } : {}),
  });
  if (request.method === 'HEAD' || info.size === 0) return response.end();
  createReadStream(path, { start: first, end: last })
    .on('error', () => response.destroy())
    .pipe(response);
}

/**
 * Serves dist/page on localhost, and `file` under /files/.
 * @param {{ port: number, file?: string | undefined }} options port 0: any that is free
 * @returns {Promise<{ url: string, close: () => void }>} url ends with "/"; rejects when the port is taken
 */
export function serve({ port, file }) {
  const server = createServer((request, response) => {
    answer(request, response, file).catch((error) => response.destroy(error));
  });
  return new Promise((settle, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string')
        return reject(new Error('The server has no port.'));
      settle({ url: `http://localhost:${address.port}/`, close: () => server.close() });
    });
  });
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    const { url } = await serve({ port: Number(process.argv[2] ?? 0) });
    process.stdout.write(`${url}\n`);
  });
}
