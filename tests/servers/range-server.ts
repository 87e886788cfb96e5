import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** Faults of the server. `times`: the faults apply only to this number of first requests. */
export interface Faults {
  /** Ignores Range: 200 with everything. */
  noRanges: boolean;
  /** With `noRanges`: no Content-Length. */
  chunked: boolean;
  /** Answers with this status and no file. */
  status: number;
  retryAfter: string;
  /** Answers 200 with this web page, as for signing in. */
  webPage: string;
  /** Answers 206 with this number of bytes less than requested (negative: more), with correct headers. */
  lessBytes: number;
  /** Answers 206 with bytes that start this number of bytes too late. */
  shift: number;
  /** Announces the full length and cuts the connection half way. */
  truncate: boolean;
  /** Cuts the connection before any answer. */
  reset: boolean;
  /** Sends half of the body and then nothing more. */
  stall: boolean;
  /** Sends the body byte by byte, with this number of ms between them. */
  drip: number;
  /** Never answers. */
  hang: boolean;
  /** Ranges of a gzip-compressed copy. */
  gzip: boolean;
  /** A range that reaches past the end is refused with 416, not shortened. */
  strict: boolean;
  /** A range that reaches past the end is announced as asked, and then breaks off, as XRootD does. */
  pastEnd: boolean;
  etag: string;
  lastModified: string;
  hideContentRange: boolean;
  /** The text of Content-Range, in place of the right one. */
  rangeTold: string;
  /** Size of the file as answers give it. */
  sizeTold: number;
  /** Size of the file as the parts of an answer to several ranges give it. */
  partsTold: number;
  /** Answers give the length of the part in place of the size of the file. */
  partAsSize: boolean;
  /** Changes the body of an answer of a range that begins at an offset; its length stays. */
  alter: (body: Uint8Array, offset: number) => Uint8Array;
  /** A request for a suffix (the last n bytes) is refused with 416, or the range is ignored. */
  suffix: 'refuse' | 'ignore';
  /**
   * Answers to a request for several ranges. `parts` (default): as the standard says; `reversed`: in
   * reverse order, and in one part where they are close; `joined`: one answer from the first to the last
   * range; `first`: only the first range; `whole`: the whole file; `refuse`: 416; `wrong`: each part has
   * the bytes of the one before it; `cut`: the connection breaks in the third part; `last`: it breaks in
   * the last part; `hang`: never; `reset`: the connection breaks; a number: with this status.
   */
  multi:
    | 'parts'
    | 'reversed'
    | 'joined'
    | 'first'
    | 'whole'
    | 'refuse'
    | 'wrong'
    | 'cut'
    | 'last'
    | 'hang'
    | 'reset'
    | number;
  /** Access-Control-Allow-Origin; the default is no CORS. */
  cors: string;
  /** More ranges than this in one request are refused with 416. */
  maxRanges: number;
  /** ms before each answer. */
  latencyMs: number;
  /** Each request is sent on to another path first, by 302. */
  redirect: boolean;
  /** Each connection is closed after its answer. */
  noKeepAlive: boolean;
  /** Requests that are answered at once; others wait. */
  atOnce: number;
  /** After this number of requests the server has another file, with other validators if it sends any. */
  change: { after: number; bytes: Uint8Array };
  /** Shares of all requests, chosen at random, that get 503, a truncated answer, or no answer. */
  rates: { fail?: number; truncate?: number; drop?: number };
  times: number;
  /** The faults apply only to these addresses. */
  only: RegExp;
}

export interface SeenRequest {
  method: string;
  url: string;
  range: string | undefined;
  headers: IncomingMessage['headers'];
  /** Number of answers that were under way when it came, itself included. */
  open: number;
  /** Status of the answer; undefined until it is sent. */
  status?: number;
}

export interface RangeServer {
  /** URL of the file. */
  url: string;
  requests: SeenRequest[];
  /** Answers that were begun and not ended. */
  readonly open: number;
  faults: Partial<Faults>;
  /** The file; may be replaced between requests. */
  bytes: Uint8Array;
  /** Other files, by path and query. */
  files: Map<string, Uint8Array>;
  close(): Promise<void>;
}

/** A server of one file on 127.0.0.1 with a port of its own; for tests. */
export async function startRangeServer(
  bytes: Uint8Array,
  faults: Partial<Faults> = {},
): Promise<RangeServer> {
  let open = 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  let seed = 1;
  /** Mulberry32: the same faults each time. */
  const random = (): number => {
    seed = (seed + 0x6d2b79f5) >>> 0;
    let t = seed;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const byChance = (rates: Faults['rates'] = {}): Partial<Faults> => ({
    ...(random() < (rates.fail ?? 0) && { status: 503 }),
    ...(random() < (rates.truncate ?? 0) && { truncate: true }),
    ...(random() < (rates.drop ?? 0) && { reset: true }),
  });
  const server = createServer((request, response) => {
    open++;
    response.on('close', () => open--);
    const { method = '', url = '', headers } = request;
    const seen: SeenRequest = { method, url, range: headers.range, headers, open };
    state.requests.push(seen);
    response.on('finish', () => {
      seen.status = response.statusCode;
    });
    const left = state.faults.times;
    const well = left === 0 || state.faults.only?.test(url) === false;
    const active: Partial<Faults> = well ? {} : { ...state.faults, ...byChance(state.faults.rates) };
    if (!well && left !== undefined && left > 0) state.faults.times = left - 1;
    const { change, redirect, latencyMs, atOnce = Number.POSITIVE_INFINITY } = active;
    if (redirect && !url.startsWith('/moved')) {
      response.writeHead(302, { Location: `/moved${url}` }).end();
      return;
    }
    const changed = change && state.requests.length > change.after;
    const respond = () => {
      if (changed) answer(request, response, change.bytes, otherContent(active));
      else answer(request, response, state.files.get(url) ?? state.bytes, active);
    };
    const begin = () => {
      running++;
      response.on('close', () => {
        running--;
        waiting.shift()?.();
      });
      if (latencyMs) setTimeout(respond, latencyMs);
      else respond();
    };
    if (running < atOnce) begin();
    else waiting.push(begin);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const state: RangeServer = {
    url: `http://127.0.0.1:${port}/data/file.root`,
    requests: [],
    get open() {
      return open;
    },
    faults,
    bytes,
    files: new Map(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return state;
}

function otherContent({ etag, lastModified, ...faults }: Partial<Faults>): Partial<Faults> {
  return {
    ...faults,
    ...(etag && { etag: etag.replace(/"$/, ' of another"') }),
    ...(lastModified && { lastModified: new Date(Date.parse(lastModified) + 3_600_000).toUTCString() }),
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  file: Uint8Array,
  faults: Partial<Faults>,
) {
  if (faults.reset) {
    request.socket.resetAndDestroy();
    return;
  }
  if (faults.hang) return;
  if (faults.noKeepAlive) response.setHeader('Connection', 'close');
  if (faults.cors) response.setHeader('Access-Control-Allow-Origin', faults.cors);
  if (faults.etag) response.setHeader('ETag', faults.etag);
  if (faults.lastModified) response.setHeader('Last-Modified', faults.lastModified);
  if (request.method !== 'GET') {
    response.writeHead(405).end();
    return;
  }
  if (faults.status) {
    if (faults.retryAfter) response.setHeader('Retry-After', faults.retryAfter);
    response.writeHead(faults.status).end('no file here');
    return;
  }
  if (faults.webPage) {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(faults.webPage);
    return;
  }
  const bytes = faults.gzip ? gzipSync(file) : file;
  const several = request.headers.range?.includes(',') === true;
  const multi = faults.multi ?? 'parts';
  if (several && multi === 'hang') return;
  if (several && multi === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  if (several && typeof multi === 'number') {
    response.writeHead(multi).end('not so');
    return;
  }
  if (several && !faults.noRanges && multi !== 'whole' && multi !== 'first' && multi !== 'joined') {
    sendParts(request, response, file, faults, multi);
    return;
  }
  const { range = '' } = request.headers;
  const header = !several
    ? request.headers.range
    : multi === 'first'
      ? range.replace(/,.*/, '')
      : multi === 'joined'
        ? range.replace(/-.*-/, '-')
        : range;
  const suffix = /^bytes=-(\d+)$/.exec(header ?? '');
  if (suffix && faults.suffix === 'refuse') {
    response.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
    return;
  }
  const asked =
    suffix && faults.suffix !== 'ignore'
      ? `bytes=${Math.max(0, bytes.length - Number(suffix[1]))}-${bytes.length - 1}`
      : header;
  const match = asked?.match(/^bytes=(\d+)-(\d+)$/);
  if (!match || faults.noRanges) {
    send(response, 200, bytes, faults);
    return;
  }
  const first = Number(match[1]) + (faults.shift ?? 0);
  const wantedLast = Number(match[2]) + (faults.shift ?? 0);
  if (first >= bytes.length || (faults.strict && wantedLast >= bytes.length)) {
    if (!faults.hideContentRange) response.setHeader('Content-Range', `bytes */${bytes.length}`);
    response.writeHead(416).end();
    return;
  }
  if (faults.pastEnd && wantedLast >= bytes.length) {
    const headers = { 'Content-Range': `bytes ${first}-${wantedLast}/${bytes.length}` };
    response.writeHead(206, { ...headers, 'Content-Length': wantedLast + 1 - first });
    response.write(bytes.subarray(first), () => response.socket?.destroy());
    return;
  }
  const last = Math.min(bytes.length - 1, wantedLast);
  if (faults.gzip) response.setHeader('Content-Encoding', 'gzip');
  if (!faults.hideContentRange)
    response.setHeader(
      'Content-Range',
      faults.rangeTold ??
        `bytes ${first}-${last}/${faults.partAsSize ? last - first + 1 : (faults.sizeTold ?? bytes.length)}`,
    );
  const body = bytes.subarray(first, last + 1 - (faults.lessBytes ?? 0));
  send(response, 206, faults.alter?.(body, first) ?? body, faults);
}

function send(response: ServerResponse, status: number, body: Uint8Array, faults: Partial<Faults>) {
  if (!faults.chunked) response.setHeader('Content-Length', body.length);
  response.writeHead(status);
  if (faults.drip) {
    let at = 0;
    const timer = setInterval(() => response.write(body.subarray(at, ++at)), faults.drip);
    response.on('close', () => clearInterval(timer));
    return;
  }
  if (!faults.truncate && !faults.stall) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, body.length >> 1), () => {
    if (faults.truncate) response.socket?.destroy();
  });
}

function sendParts(
  request: IncomingMessage,
  response: ServerResponse,
  file: Uint8Array,
  faults: Partial<Faults>,
  multi: Faults['multi'],
): void {
  const asked = (request.headers.range ?? '').slice('bytes='.length).split(',');
  let ranges = asked.map((text) => text.split('-').map(Number) as [number, number]);
  if (multi === 'refuse' || ranges.length > (faults.maxRanges ?? Number.POSITIVE_INFINITY)) {
    response.writeHead(416, { 'Content-Range': `bytes */${file.length}` }).end();
    return;
  }
  if (multi === 'reversed') {
    const joined: [number, number][] = [];
    for (const [first, last] of ranges) {
      const before = joined.at(-1);
      if (before && first - before[1] < 2000) before[1] = last;
      else joined.push([first, last]);
    }
    ranges = joined.reverse();
  }
  const boundary = 'a (strange) boundary';
  response.setHeader('Content-Type', `multipart/byteranges; boundary="${boundary}"`);
  const pieces = ranges.flatMap(([first, last], index) => {
    const shift = multi === 'wrong' ? Math.min(first, 1) : 0;
    return [
      Buffer.from(
        `${index > 0 ? '\r\n' : ''}--${boundary}\r\ncontent-type: application/octet-stream\r\nContent-range: bytes ${first}-${last}/${faults.partsTold ?? file.length}\r\n\r\n`,
      ),
      Buffer.from(
        faults.alter?.(file.subarray(first, last + 1), first) ??
          file.subarray(first - shift, last + 1 - shift),
      ),
    ];
  });
  const body = Buffer.concat([...pieces, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  if (multi !== 'cut' && multi !== 'last') {
    send(response, 206, body, faults);
    return;
  }
  const whole = multi === 'cut' ? 5 : pieces.length - 1;
  response.writeHead(206, { 'Content-Length': body.length });
  response.write(body.subarray(0, Buffer.concat(pieces.slice(0, whole)).length + 10), () =>
    response.socket?.destroy(),
  );
}
