import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CODES } from '../../../base/codes';
import { unsupported } from '../../../base/data-errors';
import { argumentError, toXylemError, type XylemError } from '../../../base/errors';
import { GATEWAY_PATH, parseGatewayPath } from '../../../io/http/gateway-path';
import { parseXrootdUrl, shownAddress, type XrootdAddress } from '../../../io/schemes';
import type { Range, ServedFile } from '../../../io/source';
import { startParts } from './http-parts';
import { rangesOf } from './http-ranges';

/** Files that are kept open, and for how long in ms after their last use. */
const MAX_OPEN = 64;
const IDLE_MS = 120_000;
/** For this long in ms a file counts as unchanged since it was last compared with its server. */
const TRUST_MS = 2000;
/** Longest first read in bytes that goes with the opening of the file. */
const MAX_FIRST = 128 * 1024;
/** Bytes that are read ahead of a slow client. */
const PIECE = 8 * 1024 * 1024;
/** Most bytes of an answer of several ranges. */
const MAX_PARTS = 64 * 1024 * 1024;

/** Reads files of XRootD servers for the page that this machine serves. */
export interface Gateway {
  /** "HOST:PORT" of each server that may be read from. */
  readonly hosts: readonly string[];
  /** Part of the link that lets a browser use it. */
  readonly key: string;
  /** Whether a text is the key: that of the link, and later of the header KEY_HEADER of each request. */
  isKey(text: string): boolean;
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** A file that is kept open between requests. */
interface Held {
  file: ServedFile;
  /** Requests that read from it now. */
  users: number;
  used: number;
  /** When it was last compared with its server, in ms. */
  checked: number;
}

/** Reads "HOST[:PORT]", separated by commas or spaces. Throws ARGUMENT. */
export function parseGatewayHosts(text: string): string[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0 || names.some((name) => /[/?#@]/.test(name))) {
    throw argumentError(
      `--gateway takes the hosts that may be read from, such as "a.example.org,b.example.org:1095", not "${text}".`,
    );
  }
  return [...new Set(names.map((name) => placeOf(parseXrootdUrl(`root://${name}/`, true))))];
}

function placeOf({ host, port }: XrootdAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`.toLowerCase();
}

/** Returns a gateway, which opens files by `openFile`. */
export function createGateway(hosts: readonly string[], openFile: (url: string) => ServedFile): Gateway {
  const key = randomBytes(24).toString('base64url');
  const files = new Map<string, Held>();
  const timer = setInterval(() => drop(IDLE_MS, 0), IDLE_MS / 4);
  timer.unref();

  /** Closes files that nobody reads and that were not used for so long, down to a number of files. */
  function drop(idleMs: number, down: number): void {
    const now = performance.now();
    for (const [url, { file, users, used }] of files) {
      if (files.size <= down) return;
      if (users > 0 || now - used < idleMs) continue;
      files.delete(url);
      void file.close?.();
    }
  }

  function hold(url: string): Held {
    const held = files.get(url) ?? { file: openFile(url), users: 0, used: 0, checked: 0 };
    // The one that was used last is the last of the list.
    files.delete(url);
    files.set(url, held);
    held.users += 1;
    drop(0, MAX_OPEN);
    return held;
  }

  function release(url: string, held: Held): void {
    held.users -= 1;
    held.used = performance.now();
    // It was replaced by another one meanwhile.
    if (files.get(url) !== held && held.users === 0) void held.file.close?.();
  }

  /** Runs something with the file that lies at an address now. */
  async function withFile<T>(
    url: string,
    signal: AbortSignal,
    run: (file: ServedFile) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const held = hold(url);
      try {
        const { file } = held;
        const asked = performance.now();
        const isNew = file.info().size === undefined;
        const trusted = isNew || asked - held.checked < TRUST_MS;
        const [replaced, result] = await Promise.allSettled([
          trusted ? false : file.isReplaced(signal),
          run(file),
        ]);
        if (replaced.status === 'rejected') throw replaced.reason;
        if (!replaced.value) {
          if (!trusted || isNew) held.checked = asked;
          if (result.status === 'rejected') throw result.reason;
          return result.value;
        }
        files.delete(url);
      } catch (thrown) {
        // A file that failed is opened anew by the next request.
        if (!signal.aborted && files.get(url) === held) files.delete(url);
        throw thrown;
      } finally {
        release(url, held);
      }
    }
  }

  async function give(
    address: XrootdAddress,
    url: string,
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const header = request.headers.range;
    const first = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? '');
    const length = first ? Number(first[2]) - Number(first[1]) + 1 : 0;
    const found = await withFile(url, signal, async (file) => {
      let ahead: { offset: number; bytes: Uint8Array } | undefined;
      if (file.info().size === undefined && request.method === 'GET' && length > 0 && length <= MAX_FIRST) {
        const offset = Number(first?.[1]);
        ahead = await file
          .read(offset, length, signal)
          .then((bytes) => ({ offset, bytes }))
          .catch((thrown: unknown) => {
            // A range past the end is answered below.
            if (file.info().size === undefined) throw thrown;
            return undefined;
          });
      } else await file.open(signal);
      const { size = 0, validator = '' } = file.info();
      const changed = /-?\d+/.exec(validator)?.[0] ?? '0';
      const etag = `"${size.toString(16)}-${Number(changed).toString(16)}"`;
      const condition = request.headers['if-range'];
      const ranges = condition === undefined || condition === etag ? rangesOf(header, size) : undefined;
      const few = ranges && ranges !== 'unsatisfiable' && request.method === 'GET' ? ranges : [];
      const total = few.reduce((sum, range) => sum + range.length, 0);
      const [only] = few;
      let parts: Uint8Array[] | undefined;
      if (ahead && few.length === 1 && only?.offset === ahead.offset && only.length === ahead.bytes.length) {
        parts = [ahead.bytes];
      } else if (few.length > 0 && total <= (few.length > 1 ? MAX_PARTS : PIECE)) {
        parts = await readAll(file, few, signal);
      }
      return { size, changed, etag, ranges, parts };
    });
    const { size, changed, etag, ranges, parts } = found;
    response.setHeader('Accept-Ranges', 'bytes');
    response.setHeader('ETag', etag);
    response.setHeader('Last-Modified', new Date(Number(changed) * 1000).toUTCString());
    response.setHeader('Content-Type', 'application/octet-stream');
    if (ranges === 'unsatisfiable') {
      response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
      return;
    }
    const [only = { offset: 0, length: size }, second] = ranges ?? [];
    if (second && ranges) {
      if (!parts && request.method === 'GET') {
        throw argumentError(
          `${shownAddress(address)}: the ranges have more than ${MAX_PARTS} bytes together.`,
        );
      }
      return sendParts(response, ranges, parts, size);
    }
    response.writeHead(ranges ? 206 : 200, {
      'Content-Length': only.length,
      ...(ranges && { 'Content-Range': `bytes ${only.offset}-${only.offset + only.length - 1}/${size}` }),
    });
    if (request.method === 'HEAD' || parts) {
      response.end(parts?.[0]);
      return;
    }
    const end = only.offset + only.length;
    for (let at = only.offset; at < end; at += PIECE) {
      const length = Math.min(PIECE, end - at);
      const bytes = await withFile(url, signal, async (file) => {
        const { size: now, validator } = file.info();
        // Nothing tells the client of another content any more but an answer that breaks off.
        if (now !== size || validator !== `mtime ${changed}`) throw new Error('the file was replaced');
        return await file.read(at, length, signal);
      });
      if (!response.write(bytes)) await drained(response, signal);
    }
    response.end();
  }

  return {
    hosts,
    key,
    isKey: (text) => isSame(text, key),
    async answer(request, response) {
      const leaving = new AbortController();
      response.once('close', () => leaving.abort());
      try {
        const target = request.url ?? '/';
        if (target === GATEWAY_PATH) {
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify({ gateway: 'xylem', hosts }));
          return;
        }
        const url = parseGatewayPath(target);
        const address = parseXrootdUrl(url);
        // Servers that ask for nothing but a name would take the one that the page chooses.
        if (address.user !== undefined) throw noUser(address);
        if (!hosts.includes(placeOf(address))) throw notOnList(address);
        await give(address, url, request, response, leaving.signal);
      } catch (thrown) {
        if (response.headersSent || leaving.signal.aborted) response.destroy();
        else refuseWith(response, thrown);
      }
    },
    async close() {
      clearInterval(timer);
      const all = [...files.values()];
      files.clear();
      await Promise.all(all.map(({ file }) => file.close?.()));
    },
  };
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function noUser(address: XrootdAddress): XylemError {
  const url = shownAddress(address);
  return argumentError(
    `${url}: the gateway logs in by the name of its own user only.`,
    `Leave out "${address.user}@" in the address.`,
    { url },
  );
}

function notOnList(address: XrootdAddress): XylemError {
  const url = shownAddress(address);
  return unsupported(
    `${url}: the gateway may not read from ${placeOf(address)}.`,
    `Start it with this host in its list: xylem serve --gateway ${placeOf(address)}`,
    { url },
  );
}

/** Answers with a status and the typed error. */
export function refuseWith(response: ServerResponse, thrown: unknown, status?: number): void {
  const error = toXylemError(thrown);
  response.writeHead(status ?? CODES[error.code].http ?? 502, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(error.toRecord()));
}

/** Reads all ranges. Several ranges are vectors of reads. */
async function readAll(
  file: ServedFile,
  ranges: readonly Range[],
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  const take = (index: number, bytes: Uint8Array) => {
    parts[index] = bytes;
  };
  const together = ranges.length > 1 && (await file.readParts?.(ranges, take, signal));
  if (together) return parts;
  return await Promise.all(ranges.map(({ offset, length }) => file.read(offset, length, signal)));
}

function sendParts(
  response: ServerResponse,
  ranges: readonly Range[],
  parts: readonly Uint8Array[] | undefined,
  size: number,
): void {
  const { heads, tail } = startParts(response, ranges, size);
  if (parts) {
    for (const [i, head] of heads.entries()) {
      response.write(head);
      response.write(parts[i] as Uint8Array);
    }
    response.write(tail);
  }
  response.end();
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((go) => {
    if (signal.aborted) return go();
    response.once('drain', go);
    signal.addEventListener('abort', () => go(), { once: true });
  });
}
