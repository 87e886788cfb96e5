import { once } from 'node:events';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { overBudget, unsupported } from '../../../base/data-errors';
import { XylemError } from '../../../base/errors';
import { formatBytes } from '../../../base/format';
import { callOf } from '../../../cli/calls';
import { isGatewayPath, KEY_HEADER } from '../../../io/http/gateway-path';
import { createGateway, type Gateway, refuseWith } from './gateway';
import { partsOf, startParts } from './http-parts';
import { rangesOf } from './http-ranges';
import { listenAt } from './listen';
import { isOwnName } from './own-name';
import { ownPage, pageFolder } from './own-page';
import { type ServedFolder, servedFolder } from './served-folder';
import { siteName } from './site-name';

export interface FileServerOptions {
  /** A folder, or one file: then no other file in its folder is served, but those that a session names. */
  path: string;
  /** 0: a free port. */
  port: number;
  host: string;
  /** Origin of pages that may read the files; undefined: only the server's own page. */
  origin: string | undefined;
  /** "HOST:PORT" of XRootD servers that the page may read from; undefined: none. */
  gateway?: readonly string[] | undefined;
}

export interface FileServer {
  /** Address of the page; ends with "/". */
  url: string;
  /** Opens the page; with a gateway, it lets the browser use it. */
  link: string;
  folder: string;
  /** The .root files and the sessions in the folder and its subfolders, to a limited depth, with links that open them. */
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

/** Address path of the folder's files, and of the list of them that the start page shows. */
const FILES = '/files/';
const LIST = '/files.json';
/** End of the names of sessions, and their maximum size in bytes. */
const SESSION = '.xylem.json';
const MAX_SESSION = 4_000_000;
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
  const only = (await stat(shared)).isDirectory() ? undefined : await servedWith(shared);
  const folder = only === undefined ? shared : dirname(shared);
  const ownFiles = ownPage(page);
  const sharedFiles = servedFolder(folder, only);
  const gateway =
    options.gateway &&
    createGateway(options.gateway, await callOf('openServed', 'reads from no XRootD servers'));
  const site = gateway && siteName();
  const { port: actual, close } = await listenAt(addressesOf(host, gateway), port, (request, response) => {
    serveRequest(request, response).catch(() => response.destroy());
  });
  const name = site ?? (LOOPBACK.includes(host) ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host);
  const url = `http://${name}:${actual}/`;
  const link = gateway ? `${url}?key=${gateway.key}` : url;
  return {
    url,
    link,
    folder,
    list: async () => (await namedFiles()).map((path) => ({ path, link: linkOf(path) })),
    close: async () => {
      await close();
      await gateway?.close();
    },
  };

  async function serveRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page of another site whose host name leads to this machine must not read its files.
    const { host: asked = '' } = request.headers;
    const isSite = asked.toLowerCase() === new URL(url).host;
    if (!isSite && !(await isOwnName(asked, host))) {
      return refuse(response, 403, 'This machine is not known by that name; open it by its address.');
    }
    if (gateway && isGatewayPath(request.url ?? '')) {
      return await throughGateway(isSite ? gateway : undefined, request, response);
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (gateway && isSite && pathname === '/' && gateway.isKey(searchParams.get('key') ?? '')) {
      // The page takes the key out of its address, which is no part of requests. A cookie would go to other ports, too.
      searchParams.delete('key');
      const rest = searchParams.size === 0 ? '' : `?${searchParams}`;
      response.writeHead(303, { Location: `/${rest}#key=${gateway.key}`, 'Cache-Control': 'no-store' });
      response.end();
      return;
    }
    if (pathname === LIST && request.method === 'GET') return sendList(response, await namedFiles());
    await answer(request, response, { page: ownFiles, policies }, sharedFiles, options.origin);
  }

  async function namedFiles(): Promise<string[]> {
    return only ?? (await rootFiles(folder));
  }

  function linkOf(path: string): string {
    const parameter = path.endsWith(SESSION) ? 'session' : 'url';
    return `${link}${gateway ? '&' : '?'}${parameter}=${encodeURIComponent(addressIn(path))}`;
  }

  async function sendList(response: ServerResponse, paths: readonly string[]): Promise<void> {
    const files = await Promise.all(
      paths.map(async (name) => {
        const info = await stat(join(folder, name)).catch(() => undefined);
        return { url: addressIn(name), name, ...(info && { bytes: info.size }) };
      }),
    );
    response.writeHead(200, {
      ...{ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    response.end(JSON.stringify({ files }));
  }
}

/** Returns the names of the files that are served for one file: itself, and those beside it that a session names. */
async function servedWith(path: string): Promise<string[]> {
  const name = basename(path);
  if (!name.endsWith(SESSION)) return [name];
  const filesOf = await callOf('filesOfSession', 'opens no sessions');
  const { size } = await stat(path);
  if (size > MAX_SESSION) throw overBudget(`"${name}" is larger than ${formatBytes(MAX_SESSION)}.`);
  const named = filesOf(await readFile(path, 'utf8'));
  const isThere = await Promise.all(
    named.map((one) =>
      stat(join(dirname(path), one)).then(
        (info) => info.isFile(),
        () => false,
      ),
    ),
  );
  return [name, ...named.filter((_, i) => isThere[i])];
}

/** The address of a file of the folder, relative to the page. */
function addressIn(path: string): string {
  return `${FILES.slice(1)}${path.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * Answers the own page in a browser that opened it by the link with the key, and nobody else: undefined for a page that was
 * opened under another name.
 */
async function throughGateway(
  gateway: Gateway | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers, method } = request;
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  const isOwn = headers.origin === undefined || headers.origin === `http://${headers.host}`;
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-cache');
  if (!isOwn || !/^(same-origin|none)$/.test(site)) {
    return refuse(response, 403, 'The gateway is for the page of this server only.');
  }
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Method not allowed');
  if (gateway?.isKey(String(headers[KEY_HEADER] ?? ''))) return await gateway.answer(request, response);
  const error = unsupported(
    'The gateway reads for browsers only that opened the page by the link with its key.',
    'Open the link that "xylem serve" printed when it started.',
  );
  refuseWith(response, error, 401);
}

/** The addresses of this machine that "localhost" may mean. */
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/**
 * The addresses to serve at. A browser tries both that a local name has, and another user's server at the second one would
 * get what is meant for this one.
 */
function addressesOf(host: string, gateway: Gateway | undefined): string[] {
  const [four = '', six = ''] = LOOPBACK;
  if (host === '::') return [host];
  if (host === '0.0.0.0') return [host, six];
  if (LOOPBACK.includes(host)) return host === six ? [six, four] : [four, six];
  return gateway ? [host, four, six] : [host];
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
  { page, policies }: { page: ServedFolder; policies: Policies },
  folder: ServedFolder,
  origin: string | undefined,
): Promise<void> {
  const target = (request.url ?? '/').split('?')[0] ?? '/';
  const isBelow = target.startsWith(FILES);
  const own = isBelow ? undefined : await page.find(target === '/' ? 'index.html' : target.slice(1));
  // Who knows the folder leaves "files" out of an address.
  const shared = isBelow || (own === undefined && target.endsWith('.root'));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // Pages of other origins may not even show them, as pictures or scripts, unless they may read them.
  if (shared && origin === undefined) response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  if (shared && origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', 'Content-Range, Content-Length, ETag, Last-Modified');
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Headers', 'Range, If-Range, If-None-Match');
      response.writeHead(204).end();
      return;
    }
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Method not allowed');
  const file = own ?? (shared ? await folder.find(target.slice(isBelow ? FILES.length : 1)) : undefined);
  if (!file) return refuse(response, 404, 'Not found');
  const { path, info } = file;
  const etag = `"${info.size.toString(16)}-${Math.round(info.mtimeMs).toString(16)}"`;
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('ETag', etag);
  response.setHeader('Last-Modified', info.mtime.toUTCString());
  if (!shared) {
    const ofFrame = /^\/(jsroot|selector)\//.test(target);
    response.setHeader('Content-Security-Policy', ofFrame ? policies.frame : policies.page);
    response.setHeader('Referrer-Policy', 'no-referrer');
  }
  // Files of the folder are served as data, whatever their name.
  const type = shared ? 'application/octet-stream' : (TYPES[extname(path)] ?? 'application/octet-stream');
  response.setHeader('Content-Type', type);
  if (isKept(request.headers['if-none-match'], etag)) {
    response.writeHead(304).end();
    return;
  }
  const condition = request.headers['if-range'];
  const asked =
    condition === etag || condition === undefined ? rangesOf(request.headers.range, info.size) : undefined;
  if (asked === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${info.size}` }).end();
    return;
  }
  if (asked && asked.length > 1) {
    const texts = startParts(response, asked, info.size);
    await sendBody(response, request.method === 'GET' && partsOf(file, asked, texts));
    return;
  }
  const [one] = asked ?? [];
  const { offset, length } = one ?? { offset: 0, length: info.size };
  response.writeHead(one ? 206 : 200, {
    'Content-Length': length,
    ...(one && { 'Content-Range': `bytes ${offset}-${offset + length - 1}/${info.size}` }),
  });
  const hasBody = request.method === 'GET' && length > 0;
  await sendBody(response, hasBody && partsOf(file, [{ offset, length }]));
}

/**
 * A client that leaves early closes the file, too; the connection ends when the file cannot be read on. A client may send many
 * requests before it takes an answer: the file of each is opened when it is its turn.
 */
async function sendBody(response: ServerResponse, body: AsyncIterable<Buffer> | false): Promise<void> {
  if (body && response.socket === null) {
    // Waiting bytes let the server stop reading requests.
    response.flushHeaders();
    await once(response, 'socket');
  }
  if (body) await pipeline(body, response).catch(() => {});
  else response.end();
}

/** Whether an If-None-Match header names the content that the client would get. */
function isKept(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags?.some((tag) => tag === etag || tag === '*') === true;
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
        else if (entry.isFile() && /\.root$|\.xylem\.json$/.test(entry.name)) found.push(prefix + entry.name);
      }
    }
    level = next;
  }
  return found;
}
