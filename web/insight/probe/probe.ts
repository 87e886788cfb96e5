import { delay } from '../../base/abort';
import { abortError, XylemError } from '../../base/errors';
import { parseUrl } from '../../io/http/http-client';
import { contentLength, contentRange, encodingOf, headersReadable } from '../../io/http/http-headers';
import { boundaryOf, partReader } from '../../io/http/multipart';
import { shownUrl, withoutSecrets } from '../../io/http/shown-url';
import { type CacheFacts, cacheAnswer, cacheHeaders, cacheName } from './probe-cache';
import { judge, type ProbeFacts, type ProbeReport } from './probe-report';

export interface ProbeOptions {
  headers?: Record<string, string> | undefined;
  /** The origin of a page that would read the file. Sent as a header when that is possible: not in a page. */
  origin?: string | undefined;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
  /** The protocol of the connection, when the host knows it: "http/1.1", "h2". */
  protocol?: (() => Promise<string | undefined>) | undefined;
  /** Called with a description of each step. */
  onStep?: ((label: string) => void) | undefined;
}

const HEAD_BYTES = 65_536;
/** Number of requests of one byte, of which the fastest and the median are reported. */
const LATENCY_TRIES = 5;
/** Maximum number of bytes that are read to measure the throughput. */
const BULK_BYTES = 8_000_000;
const BULK_REQUESTS = 6;

const MAX_REDIRECTS = 20;

/** Caches keep blocks of this many bytes, or a multiple. */
const CACHE_BLOCK = 65_536;
/** Waits in ms before a range is requested again: a cache has it only after it has fetched all that it keeps. */
const CACHE_WAITS = [0, 200, 800];

interface Answer {
  response: Response;
  redirected: boolean;
  bytes: Uint8Array;
  /** ms until the first byte of the answer, and until all of it. */
  first: number;
  whole: number;
}

/**
 * Requests parts of a file from a server in the ways in which xylem, or another reader in a page, would, and
 * reports which of them work, which are missing and how to repair that. Reads at most about 9 MB. Throws when
 * nothing can be requested: ARGUMENT, NETWORK, HTTP_STATUS, ABORTED.
 */
export async function probeServer(url: string, options: ProbeOptions = {}): Promise<ProbeReport> {
  const prober = new Prober(url, options);
  return judge(await prober.facts());
}

class Prober {
  readonly #send: typeof fetch;
  readonly #parsed: URL;
  /** The address without its query, which may hold a signature. */
  readonly #shown: string;

  constructor(
    readonly url: string,
    readonly options: ProbeOptions,
  ) {
    this.#send = options.fetch ?? ((input, init) => fetch(input, init));
    this.#parsed = parseUrl(url);
    this.#shown = shownUrl(this.#parsed);
  }

  async facts(): Promise<ProbeFacts> {
    const { options } = this;
    options.onStep?.('Range of bytes');
    const head = await this.#get(`bytes=0-${HEAD_BYTES - 1}`, HEAD_BYTES);
    const { response } = head;
    if (response.status >= 400) {
      throw new XylemError({
        code: 'HTTP_STATUS',
        message: `The server answered ${response.status}${response.statusText && ` ${response.statusText}`}.`,
        where: { url: this.#shown },
        fix: 'Check the address, and whether the server wants a token or another header (--header).',
      });
    }
    const range = contentRange(response);
    const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
    const facts: ProbeFacts = {
      url: this.#shown,
      finalUrl: response.url ? shownUrl(new URL(response.url)) : this.#shown,
      redirected: response.redirected || head.redirected,
      server: header('server'),
      status: response.status,
      partial: response.status === 206 && !encodingOf(response) && head.bytes.length <= HEAD_BYTES,
      size: range?.size ?? (response.status === 200 ? contentLength(response) : undefined),
      encoding: encodingOf(response),
      headersReadable: headersReadable(response),
      crossOrigin: this.#isCrossOrigin(response),
      origin: options.origin,
      allowOrigin: header('access-control-allow-origin'),
      exposeHeaders: header('access-control-expose-headers'),
      contentRange: header('content-range'),
      acceptRanges: header('accept-ranges'),
      etag: header('etag'),
      lastModified: header('last-modified'),
      contentType: header('content-type'),
      firstAnswerMs: head.first,
      latencyMs: undefined,
      medianMs: undefined,
      manyRanges: 'unknown',
      preflight: undefined,
      protocol: undefined,
      cache: undefined,
      oneConnection: undefined,
      manyConnections: undefined,
    };
    if (facts.partial) {
      await this.#latency(facts);
      facts.cache = await this.#cache(head.response, facts);
      facts.manyRanges = await this.#manyRanges(head.bytes);
      await this.#throughput(facts, head.bytes.length);
    }
    facts.preflight = await this.#preflight();
    facts.protocol = (await options.protocol?.()) ?? this.#seenProtocol(response.url || this.url);
    return facts;
  }

  /**
   * Whether a page of another origin reads the file: then headers are readable only when the server exposes
   * them.
   */
  #isCrossOrigin(response: Response): boolean {
    return typeof location === 'object' ? response.type === 'cors' : this.options.origin !== undefined;
  }

  async #get(range: string | undefined, most: number): Promise<Answer> {
    const { options } = this;
    const since = performance.now();
    const { origin } = options;
    const own = {
      ...(range !== undefined && { Range: range }),
      ...(origin !== undefined && typeof location !== 'object' && { Origin: origin }),
    };
    let response: Response;
    let redirected: boolean;
    try {
      ({ response, redirected } = await this.#follow(own));
    } catch (cause) {
      throw this.#unanswered(cause);
    }
    const first = performance.now() - since;
    try {
      const bytes = await takeAtMost(response, most);
      return { response, redirected, bytes, first, whole: performance.now() - since };
    } catch (cause) {
      throw this.#unanswered(cause);
    }
  }

  /**
   * Sends a request, and follows redirects. The caller's headers may be tokens: outside of a page, where the
   * browser takes care of that, they are sent to the origin of the address only.
   */
  async #follow(own: Record<string, string>): Promise<{ response: Response; redirected: boolean }> {
    const { headers, signal } = this.options;
    const inPage = typeof location === 'object';
    let url = this.url;
    for (let hops = 0; ; hops++) {
      const sameOrigin = hops === 0 || new URL(url).origin === this.#parsed.origin;
      const response = await this.#send(url, {
        cache: 'no-store',
        headers: { ...(sameOrigin && headers), ...own },
        ...(!inPage && { redirect: 'manual' }),
        ...(signal && { signal }),
      });
      const place = inPage || response.status >= 400 ? null : response.headers.get('location');
      if (response.status < 300 || place === null) return { response, redirected: hops > 0 };
      await response.body?.cancel();
      if (hops === MAX_REDIRECTS) throw new Error('The server redirects without end.');
      url = new URL(place, url).href;
    }
  }

  #unanswered(cause: unknown): XylemError {
    if (this.options.signal?.aborted) return abortError(this.options.signal.reason);
    if (cause instanceof XylemError) return cause;
    return new XylemError({
      code: 'NETWORK',
      message: 'The server gave no answer that this page may read.',
      where: { url: this.#shown },
      fix:
        typeof location === 'object'
          ? 'A page cannot tell a server that is down from one that does not allow other origins: "xylem probe" in a terminal can.'
          : 'Check the address and the network.',
      cause: withoutSecrets(cause, this.#parsed, this.url),
    });
  }

  async #latency(facts: ProbeFacts): Promise<void> {
    this.options.onStep?.('Latency');
    const times: number[] = [];
    for (let i = 0; i < LATENCY_TRIES; i++) times.push((await this.#get('bytes=0-0', 1)).first);
    times.sort((a, b) => a - b);
    facts.latencyMs = times[0];
    facts.medianMs = times[times.length >> 1];
  }

  /** Tries a range that hardly anybody has requested, where headers show that there is a cache. */
  async #cache({ headers }: Response, { size = 0, server }: ProbeFacts): Promise<CacheFacts | undefined> {
    const seen = cacheHeaders(headers);
    if (seen === undefined) return undefined;
    this.options.onStep?.('Cache');
    const facts: CacheFacts = { headers: seen, name: cacheName(seen, server) };
    const blocks = Math.floor(size / CACHE_BLOCK);
    if (blocks < 3) return facts;
    const start = CACHE_BLOCK * (1 + Math.floor(Math.random() * (blocks - 2)));
    const from = start + Math.floor(Math.random() * 9999);
    const length = 20 + Math.floor(Math.random() * 200);
    const ask = async (offset: number) => {
      const { response } = await this.#get(`bytes=${offset}-${offset + length - 1}`, length);
      return cacheAnswer(cacheHeaders(response.headers) ?? {});
    };
    facts.first = await ask(from);
    if (facts.first !== 'miss') return facts;
    for (const wait of CACHE_WAITS) {
      await delay(wait, this.options.signal);
      facts.again = await ask(from);
      if (facts.again === 'hit') break;
    }
    if (facts.again === 'hit') facts.near = await ask(start + CACHE_BLOCK / 2);
    return facts;
  }

  /** Requests two ranges at once, and compares them with known bytes. */
  async #manyRanges(head: Uint8Array): Promise<ProbeFacts['manyRanges']> {
    this.options.onStep?.('Several ranges');
    if (head.length < 2048) return 'unknown';
    const asked = [
      { offset: 10, length: 90 },
      { offset: 1500, length: 100 },
    ];
    const spans = asked.map(({ offset, length }) => `${offset}-${offset + length - 1}`).join(',');
    let answer: Answer;
    try {
      answer = await this.#get(`bytes=${spans}`, HEAD_BYTES);
    } catch (thrown) {
      if (this.options.signal?.aborted) throw thrown;
      return 'refused';
    }
    const { status } = answer.response;
    if (status === 200) return 'whole file';
    if (status !== 206) return 'refused';
    const boundary = boundaryOf(answer.response.headers.get('content-type'));
    if (boundary === undefined) return 'first only';
    const right = asked.map(() => false);
    const read = partReader(boundary);
    for (const part of read(answer.bytes)) {
      const at = asked.findIndex(({ offset }) => offset === part.offset);
      const want = asked[at];
      if (want === undefined || part.bytes.length !== want.length) continue;
      right[at] = part.bytes.every((byte, i) => byte === head[want.offset + i]);
    }
    return right.every(Boolean) ? 'yes' : 'wrong';
  }

  async #throughput(facts: ProbeFacts, headBytes: number): Promise<void> {
    this.options.onStep?.('Throughput');
    const from = headBytes;
    const size = facts.size ?? headBytes + BULK_BYTES;
    const share = Math.floor(Math.min(BULK_BYTES, size - from) / (BULK_REQUESTS + 2));
    if (share < 16_384) return;
    const span = (i: number, parts: number) => `bytes=${from + i * share}-${from + (i + parts) * share - 1}`;
    const one = await this.#get(span(0, 2), 2 * share);
    facts.oneConnection = { bytes: one.bytes.length, ms: one.whole };
    const since = performance.now();
    const many = await Promise.all(
      Array.from({ length: BULK_REQUESTS }, (_, i) => this.#get(span(2 + i, 1), share)),
    );
    facts.manyConnections = {
      bytes: many.reduce((sum, { bytes }) => sum + bytes.length, 0),
      ms: performance.now() - since,
    };
  }

  /**
   * Sends the request that a browser sends before one with custom headers. Pages cannot send it themselves.
   */
  async #preflight(): Promise<ProbeFacts['preflight']> {
    const { origin } = this.options;
    if (typeof location === 'object' || origin === undefined) return undefined;
    this.options.onStep?.('Preflight');
    try {
      const response = await this.#send(this.url, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'range',
        },
        ...(this.options.signal && { signal: this.options.signal }),
      });
      await takeAtMost(response, 65_536);
      return {
        status: response.status,
        allowOrigin: response.headers.get('access-control-allow-origin') ?? undefined,
        allowHeaders: response.headers.get('access-control-allow-headers') ?? undefined,
      };
    } catch (thrown) {
      if (this.options.signal?.aborted) throw abortError(this.options.signal.reason);
      return {
        status: 0,
        allowOrigin: undefined,
        allowHeaders: undefined,
        error: withoutSecrets(thrown, this.#parsed, this.url).message,
      };
    }
  }

  /** The protocol of a request, which a page knows; for other origins only with Timing-Allow-Origin. */
  #seenProtocol(url: string): string | undefined {
    if (typeof location !== 'object') return undefined;
    const [entry] = performance.getEntriesByName(url, 'resource').slice(-1);
    const spoken = entry !== undefined && 'nextHopProtocol' in entry ? String(entry.nextHopProtocol) : '';
    return spoken === '' ? undefined : spoken;
  }
}

/** The body, or its first part, because a server without ranges would send the whole file. */
async function takeAtMost(response: Response, most: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      break;
    }
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
