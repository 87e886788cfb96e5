import { delay } from '../../../base/abort';
import { toXylemError } from '../../../base/errors';
import { readBody } from '../../../io/http/http-body';
import {
  type AskedRange,
  type Exchange,
  type Failure,
  HttpClient,
  isFailure,
  type Answer as Response,
  type Send,
} from '../../../io/http/http-client';
import { lengthError, statusError } from '../../../io/http/http-errors';
import { contentLength, contentRange, encodingOf, headersReadable } from '../../../io/http/http-headers';
import { boundaryOf, partReader } from '../../../io/http/multipart';
import { shownUrl } from '../../../io/http/shown-url';
import { type CacheFacts, cacheAnswer, cacheHeaders, cacheName } from './probe-cache';
import { judge, type ProbeFacts, type ProbeReport } from './probe-report';

export interface ProbeOptions {
  headers?: Record<string, string> | undefined;
  /** Origin of a page that would read the file. Sent as a header if possible; not in a page. */
  origin?: string | undefined;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
  /** Sends requests if `fetch` is not given. Default: the global fetch. */
  send?: Send | undefined;
  /** Time limit in ms without a byte, after which a request fails: see `HttpOptions`. */
  timeoutMs?: number | undefined;
  /** Returns the protocol of the connection, if the host knows it: "http/1.1", "h2". */
  protocol?: (() => Promise<string | undefined>) | undefined;
  /** Called with a description of each step. */
  onStep?: ((label: string) => void) | undefined;
}

const HEAD_BYTES = 65_536;
/** Number of one-byte requests. The fastest and the median are reported. */
const LATENCY_TRIES = 5;
/** Maximum number of bytes that are read to measure the throughput. */
const BULK_BYTES = 8_000_000;
const BULK_REQUESTS = 6;

/** Maximum length of the body of an answer to OPTIONS. */
const PREFLIGHT_BYTES = 65_536;

/** Caches keep blocks of this many bytes, or of a multiple. */
const CACHE_BLOCK = 65_536;
/** Waits in ms before a range is requested again. A cache has it only after it has fetched the whole block. */
const CACHE_WAITS = [0, 200, 800];

interface Answer {
  response: Response;
  bytes: Uint8Array;
  /** Time in ms until the first byte of the answer, and until its end. */
  first: number;
  whole: number;
}

/**
 * Requests parts of a file as xylem or another reader in a page would, and reports which kinds of requests work,
 * which do not, and how to repair that. Reads at most about 9 MB. Throws if nothing can be requested: ARGUMENT,
 * NETWORK, TIMEOUT, HTTP_STATUS, HTTP_LENGTH, ABORTED.
 */
export async function probeServer(url: string, options: ProbeOptions = {}): Promise<ProbeReport> {
  const prober = new Prober(url, options);
  return judge(await prober.facts());
}

/** Returns the number of bytes of the file in an answer; 0 for an error. */
const partBytes = ({ response, bytes }: Answer): number => (response.status === 206 ? bytes.length : 0);

/** Returns the headers that a browser sends, which a page cannot set itself. */
function asBrowsers(origin: string | undefined): Record<string, string> {
  if (typeof location === 'object') return {};
  return { 'Accept-Encoding': 'gzip, deflate, br', ...(origin !== undefined && { Origin: origin }) };
}

class Prober {
  readonly #client: HttpClient;
  /** The address without its query, which may contain a signature. */
  readonly #shown: string;

  constructor(
    url: string,
    readonly options: ProbeOptions,
  ) {
    const { headers, origin, fetch, send, timeoutMs } = options;
    this.#client = new HttpClient(url, {
      headers: { ...headers, ...asBrowsers(origin) },
      fetch,
      send,
      timeoutMs,
    });
    this.#shown = this.#client.shown;
  }

  async facts(): Promise<ProbeFacts> {
    const { options } = this;
    options.onStep?.('Range of bytes');
    const head = await this.#get([{ offset: 0, length: HEAD_BYTES }], HEAD_BYTES);
    const { response } = head;
    if (response.status < 200 || response.status >= 400) throw statusError(this.#shown, response.status);
    const finalUrl = response.url ? shownUrl(new URL(response.url)) : this.#shown;
    const range = contentRange(response);
    const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
    const facts: ProbeFacts = {
      url: this.#shown,
      finalUrl,
      redirected: this.#isRedirected(response),
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
    facts.protocol =
      (await options.protocol?.()) ?? this.#seenProtocol(response.url || this.#client.url.href);
    return facts;
  }

  /** Whether the reading page has another origin. Headers are then readable only if the server exposes them. */
  #isCrossOrigin(response: Response): boolean {
    return typeof location === 'object' ? response.type === 'cors' : this.options.origin !== undefined;
  }

  #isRedirected({ url }: Response): boolean {
    if (!url) return false;
    const asked = new URL(this.#client.url);
    asked.username = '';
    asked.password = '';
    asked.hash = '';
    return url !== asked.href;
  }

  /** Reads an answer, and stops one byte after `most`. */
  async #get(ranges: readonly AskedRange[], most: number): Promise<Answer> {
    const since = performance.now();
    const [first] = ranges;
    const offset = first && 'offset' in first ? first.offset : 0;
    return this.#result(
      await this.#client.get(ranges, this.options.signal, (exchange) =>
        this.#take(exchange, since, most, offset),
      ),
    );
  }

  async #take(exchange: Exchange, since: number, most: number, offset = 0): Promise<Answer | Failure> {
    const { response, touch } = exchange;
    const first = performance.now() - since;
    const body = await readBody(response, most + 1, 'start', touch);
    if (body.how !== 'broken')
      return { response, bytes: body.bytes, first, whole: performance.now() - since };
    return exchange.broken(body, (found, cause) => ({
      error: lengthError(this.#shown, offset, most, found, cause),
      retries: 0,
    }));
  }

  async #result(result: Answer | Failure): Promise<Answer> {
    if (!isFailure(result)) return result;
    const { error, explain, held } = result;
    held?.brake.leave(held.pass);
    throw (await explain?.(this.options.signal)) ?? error;
  }

  async #latency(facts: ProbeFacts): Promise<void> {
    this.options.onStep?.('Latency');
    const times: number[] = [];
    for (let i = 0; i < LATENCY_TRIES; i++)
      times.push((await this.#get([{ offset: 0, length: 1 }], 1)).first);
    times.sort((a, b) => a - b);
    facts.latencyMs = times[0];
    facts.medianMs = times[times.length >> 1];
  }

  /** Requests a range that probably nobody has requested, if headers reveal a cache. */
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
      const { response } = await this.#get([{ offset, length }], length);
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
    let answer: Answer;
    try {
      answer = await this.#get(asked, HEAD_BYTES);
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
    const span = (i: number, parts: number) => [{ offset: from + i * share, length: parts * share }];
    const one = await this.#get(span(0, 2), 2 * share);
    // A page may not know the size, and the file may have ended.
    if (partBytes(one) < 2 * share) return;
    const since = performance.now();
    const many = await Promise.all(
      Array.from({ length: BULK_REQUESTS }, (_, i) => this.#get(span(2 + i, 1), share)),
    );
    const ms = performance.now() - since;
    const bytes = many.reduce((sum, answer) => sum + partBytes(answer), 0);
    if (bytes < BULK_REQUESTS * share) return;
    facts.oneConnection = { bytes: partBytes(one), ms: one.whole };
    facts.manyConnections = { bytes, ms };
  }

  /**
   * Sends the request that a browser sends before one with custom headers. Pages cannot send it themselves.
   */
  async #preflight(): Promise<ProbeFacts['preflight']> {
    const { origin } = this.options;
    if (typeof location === 'object' || origin === undefined) return undefined;
    this.options.onStep?.('Preflight');
    const asked = {
      Origin: origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'range',
    };
    try {
      const since = performance.now();
      const take = (exchange: Exchange) => this.#take(exchange, since, PREFLIGHT_BYTES);
      const { response } = await this.#result(await this.#client.options(asked, this.options.signal, take));
      return {
        status: response.status,
        allowOrigin: response.headers.get('access-control-allow-origin') ?? undefined,
        allowHeaders: response.headers.get('access-control-allow-headers') ?? undefined,
      };
    } catch (thrown) {
      if (this.options.signal?.aborted) throw thrown;
      const error = toXylemError(thrown).message;
      return { status: 0, allowOrigin: undefined, allowHeaders: undefined, error };
    }
  }

  /** Returns the protocol of a request, which a page knows; for other origins only with Timing-Allow-Origin. */
  #seenProtocol(url: string): string | undefined {
    if (typeof location !== 'object') return undefined;
    const [entry] = performance.getEntriesByName(url, 'resource').slice(-1);
    const spoken = entry !== undefined && 'nextHopProtocol' in entry ? String(entry.nextHopProtocol) : '';
    return spoken === '' ? undefined : spoken;
  }
}
