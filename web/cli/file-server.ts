import { createReadStream } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { basename, dirname, extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { XylemError } from '../base/errors';

export interface FileServerOptions {
  /** A folder, or one file: then nothing beside it is given out. */
  path: string;
  /** 0: any that is free. */
  port: number;
  host: string;
  /** Of pages that may read the files; undefined: only the server's own page. */
  origin: string | undefined;
}

export interface FileServer {
  /** Of the page; ends with "/". */
  url: string;
  folder: string;
  /** The .root files in the folder and in those below, to a depth, with links that open them. */
  list(): Promise<{ path: string; link: string }[]>;
  close(): Promise<void>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  'connect-src *',
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
].join('; ');

/** Where the files of the folder are. */
const FILES = '/files/';
const LIST_DEPTH = 4;
const LIST_MOST = 1000;

/** Serves the built page at "/" and a folder, or one file, below "/files/". Throws IO. */
export async function startFileServer(options: FileServerOptions): Promise<FileServer> {
  const { port, host } = options;
  const page = await pageFolder();
  const shared = await realpath(options.path).catch((cause: unknown) => {
    throw new XylemError({ code: 'IO', message: `There is no file or folder "${options.path}".`, cause });
  });
  const only = (await stat(shared)).isDirectory() ? undefined : basename(shared);
  const folder = only === undefined ? shared : dirname(shared);
  const loopback = /^(127\.|::1$|localhost$)/.test(host);
  const server = createServer((request, response) => {
    // A page of another site whose name leads to this machine must not read what lies here.
    if (loopback && !isLocalName(request.headers.host)) return refuse(response, 403, 'Forbidden');
    answer(request, response, page, { folder, only }, options.origin).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'it is taken' : cause.message;
      reject(
        new XylemError({
          code: 'IO',
          message: `Port ${port} of ${host} cannot be served: ${why}.`,
          fix: 'Choose another with --port, or 0 for any that is free.',
          cause,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  const name = loopback && isIP(host) === 4 ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  const url = `http://${name}:${actual}/`;
  return {
    url,
    folder,
    list: async () =>
      (only === undefined ? await rootFiles(folder) : [only]).map((path) => ({ path, link: linkOf(path) })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function linkOf(path: string): string {
    const address = `${FILES.slice(1)}${path.split('/').map(encodeURIComponent).join('/')}`;
    return `${url}?url=${encodeURIComponent(address)}`;
  }
}

/** The built page lies beside the command line. */
async function pageFolder(): Promise<string> {
  for (const place of ['./page', '../../dist/page']) {
    const folder = fileURLToPath(new URL(place, import.meta.url));
    const found = await access(join(folder, 'index.html')).then(
      () => true,
      () => false,
    );
    if (found) return realpath(folder);
  }
  throw new XylemError({
    code: 'IO',
    message: 'The page is not built.',
    fix: 'Run "npm run build" first.',
  });
}

function isLocalName(host: string | undefined): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host ?? '');
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end(`${text}\n`);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  page: string,
  { folder, only }: { folder: string; only: string | undefined },
  origin: string | undefined,
): Promise<void> {
  const target = (request.url ?? '/').split('?')[0] ?? '/';
  const shared = target.startsWith(FILES);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (shared && origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', 'Content-Range, Content-Length, ETag, Last-Modified');
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Headers', 'Range, If-Range');
      response.writeHead(204).end();
      return;
    }
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Method not allowed');
  const path = shared
    ? await within(folder, target.slice(FILES.length), only)
    : await within(page, target === '/' ? 'index.html' : target.slice(1));
  const info = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || !info?.isFile()) return refuse(response, 404, 'Not found');
  const etag = `"${info.size.toString(16)}-${Math.round(info.mtimeMs).toString(16)}"`;
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('ETag', etag);
  response.setHeader('Last-Modified', info.mtime.toUTCString());
  if (!shared) response.setHeader('Content-Security-Policy', PAGE_POLICY);
  // What lies in the folder is data, whatever it is called.
  const type = shared ? 'application/octet-stream' : (TYPES[extname(path)] ?? 'application/octet-stream');
  response.setHeader('Content-Type', type);
  const range = request.headers['if-range'] === etag || request.headers['if-range'] === undefined;
  const asked = range ? oneRange(request.headers.range, info.size) : undefined;
  if (asked === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${info.size}` }).end();
    return;
  }
  const [first, last] = asked ?? [0, info.size - 1];
  response.writeHead(asked ? 206 : 200, {
    'Content-Length': last - first + 1,
    ...(asked && { 'Content-Range': `bytes ${first}-${last}/${info.size}` }),
  });
  if (request.method === 'HEAD' || last < first) {
    response.end();
    return;
  }
  createReadStream(path, { start: first, end: last })
    .on('error', () => response.destroy())
    .pipe(response);
}

/**
 * The file that an address path names below a folder; undefined for what is hidden, lies outside of
 * it (also by a symbolic link), is not there, or is not the only one that is given out.
 */
export async function within(folder: string, path: string, only?: string): Promise<string | undefined> {
  let parts: string[];
  try {
    parts = path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const bad = (part: string): boolean => part === '' || part.startsWith('.') || /[/\\\0]/.test(part);
  if (only === undefined ? parts.some(bad) : parts.join('/') !== only) return undefined;
  const real = await realpath(join(folder, ...parts)).catch(() => undefined);
  const base = folder.endsWith(sep) ? folder : folder + sep;
  return real?.startsWith(base) ? real : undefined;
}

/** The one range of a Range header; several, and what is no range of bytes, are everything. */
export function oneRange(
  header: string | undefined,
  size: number,
): [first: number, last: number] | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '')
    return Number(to) > 0 && size > 0 ? [Math.max(0, size - Number(to)), size - 1] : 'unsatisfiable';
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < first) return undefined;
  return first >= size ? 'unsatisfiable' : [first, last];
}

/** Paths of .root files, with "/", shallow ones first. */
async function rootFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  let level = [''];
  for (let depth = 0; depth < LIST_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const prefix of level) {
      const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch(() => []);
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (entry.name.startsWith('.') || found.length >= LIST_MOST) continue;
        if (entry.isDirectory() && entry.name !== 'node_modules') next.push(`${prefix}${entry.name}/`);
        else if (entry.isFile() && entry.name.endsWith('.root')) found.push(prefix + entry.name);
      }
    }
    level = next;
  }
  return found;
}
