import { createReadStream } from 'node:fs';
import { access, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { XylemError } from '../base/errors';
import { isOwnName } from './own-name';

export interface FileServerOptions {
  /** A folder, or one file: then no other file in its folder is served. */
  path: string;
  /** 0: a free port. */
  port: number;
  host: string;
  /** Origin of pages that may read the files; undefined: only the server's own page. */
  origin: string | undefined;
}

export interface FileServer {
  /** Address of the page; ends with "/". */
  url: string;
  folder: string;
  /** The .root files in the folder and its subfolders, to a limited depth, with links that open them. */
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

/** Address path of the folder's files. */
const FILES = '/files/';
const LIST_DEPTH = 4;
const LIST_MOST = 1000;

/** Serves the built page at "/" and a folder, or one file, below "/files/". Throws IO. */
export async function startFileServer(options: FileServerOptions): Promise<FileServer> {
  const { port, host } = options;
  const page = await pageFolder();
  const policies = await policiesOf(page, options.origin);
  const shared = await realpath(options.path).catch((cause: unknown) => {
    throw new XylemError({ code: 'IO', message: `There is no file or folder "${options.path}".`, cause });
  });
  const only = (await stat(shared)).isDirectory() ? undefined : basename(shared);
  const folder = only === undefined ? shared : dirname(shared);
  const loopback = /^(127\.|::1$|localhost$)/.test(host);
  const server = createServer((request, response) => {
    serveRequest(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'it is taken' : cause.message;
      reject(
        new XylemError({
          code: 'IO',
          message: `Port ${port} of ${host} cannot be served: ${why}.`,
          fix: 'Choose another with --port, or 0 for a free one.',
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

  async function serveRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page of another site whose host name leads to this machine must not read its files.
    if (!(await isOwnName(request.headers.host, host))) {
      return refuse(response, 403, 'This machine is not known by that name; open it by its address.');
    }
    await answer(request, response, { page, policies }, { folder, only }, options.origin);
  }

  function linkOf(path: string): string {
    const address = `${FILES.slice(1)}${path.split('/').map(encodeURIComponent).join('/')}`;
    return `${url}?url=${encodeURIComponent(address)}`;
  }
}

/** The built page is in a folder next to the command line's. */
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

interface Policies {
  page: string;
  /** The policy of JSROOT's frame, which the frame's document has itself. */
  frame: string;
}

/**
 * The content security policies of the page's files: those of the page itself, and who may show it in a
 * frame.
 */
async function policiesOf(page: string, origin: string | undefined): Promise<Policies> {
  const html = await readFile(join(page, 'index.html'), 'utf8');
  const [, after = ''] = html.split('<meta http-equiv="Content-Security-Policy" content="');
  const policy = (after.split('"')[0] ?? '').replaceAll('&#39;', "'");
  const around = `frame-ancestors ${origin === '*' ? '*' : `'self' ${origin ?? ''}`.trimEnd()}`;
  const both = `base-uri 'none'; form-action 'none'; ${around}`;
  return { page: policy === '' ? both : `${policy}; ${around}`, frame: both };
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end(`${text}\n`);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { page, policies }: { page: string; policies: Policies },
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
  if (!shared) {
    const ofFrame = relative(page, path).startsWith('jsroot');
    response.setHeader('Content-Security-Policy', ofFrame ? policies.frame : policies.page);
    response.setHeader('Referrer-Policy', 'no-referrer');
  }
  // Files of the folder are served as data, whatever their name.
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
  // Also closes the file when the client leaves early; other errors are ignored.
  await pipeline(createReadStream(path, { start: first, end: last }), response).catch(() => {});
}

/**
 * The file that an address path names below a folder; undefined when it is hidden, lies outside of the folder
 * (itself, or the target of a symbolic link), does not exist, or is not the only file that is served.
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
  if (real === undefined || !real.startsWith(base)) return undefined;
  const hidden = real
    .slice(base.length)
    .split(sep)
    .some((part) => part.startsWith('.'));
  return hidden && only === undefined ? undefined : real;
}

/** The one range of a Range header; the whole file for several ranges, and for other units. */
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
