import { abortError, toXylemError, XylemError } from '../base/errors';
import { contentLength, contentRange, encodingOf, headersReadable } from '../io/http-headers';
import { boundaryOf, partReader } from '../io/multipart';
import { judge, type ProbeFacts, type ProbeReport } from './probe-report';

export interface ProbeOptions {
  headers?: Record<string, string> | undefined;
  /** The origin of a page that would read the file. Sent as a header where that is possible: not in a page. */
  origin?: string | undefined;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
  /** What the connection speaks, where the host can tell: "http/1.1", "h2". */
  protocol?: (() => Promise<string | undefined>) | undefined;
  /** Told what is being tried. */
  onStep?: ((label: string) => void) | undefined;
}

const HEAD_BYTES = 65_536;
/** Requests of one byte, of which the fastest and the median are told. */
const LATENCY_TRIES = 5;
/** Read at most to measure the throughput, in so many requests at once. */
const BULK_BYTES = 8_000_000;
const BULK_REQUESTS = 6;

interface Answer {
  response: Response;
  bytes: Uint8Array;
  /** ms until the first of the answer, and until all of it. */
  first: number;
  whole: number;
}

/**
 * Asks a server for parts of a file in the ways in which xylem, or another reader in a page, would, and
 * says what works, what is missing and how to mend it. Reads about 9 MB at most. Throws what keeps it
 * from asking at all: NETWORK, HTTP_STATUS, ABORTED.
 */
export async function probeServer(url: string, options: ProbeOptions = {}): Promise<ProbeReport> {
  const prober = new Prober(url, options);
  return judge(await prober.facts());
}

class Prober {
  readonly #send: typeof fetch;

  constructor(
    readonly url: string,
    readonly options: ProbeOptions,
  ) {
    this.#send = options.fetch ?? ((input, init) => fetch(input, init));
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
        where: { url: this.url },
        fix: 'Check the address, and what the server wants to know of who asks (--header).',
      });
    }
    const range = contentRange(response);
    const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
    const facts: ProbeFacts = {
      url: this.url,
      finalUrl: response.url || this.url,
      redirected: response.redirected,
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
      oneConnection: undefined,
      manyConnections: undefined,
    };
    if (facts.partial) {
      await this.#latency(facts);
      facts.manyRanges = await this.#manyRanges(head.bytes);
      await this.#throughput(facts, head.bytes.length);
    }
    facts.preflight = await this.#preflight();
    facts.protocol = (await options.protocol?.()) ?? this.#seenProtocol(facts.finalUrl);
    return facts;
  }

  /** Whether a page stands between: then headers are readable only where the server exposes them. */
  #isCrossOrigin(response: Response): boolean {
    return typeof location === 'object' ? response.type === 'cors' : this.options.origin !== undefined;
  }

  async #get(range: string | undefined, most: number): Promise<Answer> {
    const { options } = this;
    const since = performance.now();
    let response: Response;
    try {
      response = await this.#send(this.url, {
        cache: 'no-store',
        headers: {
          ...options.headers,
          ...(range !== undefined && { Range: range }),
          ...(options.origin !== undefined && typeof location !== 'object' && { Origin: options.origin }),
        },
        ...(options.signal && { signal: options.signal }),
      });
    } catch (cause) {
      throw this.#unanswered(cause);
    }
    const first = performance.now() - since;
    try {
      return { response, bytes: await takeAtMost(response, most), first, whole: performance.now() - since };
    } catch (cause) {
      throw this.#unanswered(cause);
    }
  }

  #unanswered(cause: unknown): XylemError {
    if (this.options.signal?.aborted) return abortError();
    if (cause instanceof XylemError) return cause;
    return new XylemError({
      code: 'NETWORK',
      message: 'The server gave no answer that may be read.',
      where: { url: this.url },
      fix:
        typeof location === 'object'
          ? 'A page cannot tell a server that is down from one that does not allow other origins: "xylem probe" in a terminal can.'
          : 'Check the address and the network.',
      cause: toXylemError(cause),
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

  /** Two ranges in one request, compared with the bytes that are known. */
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

  /** What a browser would be told before a request with headers of its own. Pages cannot ask this themselves. */
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
      if (this.options.signal?.aborted) throw abortError();
      return { status: 0, allowOrigin: undefined, allowHeaders: undefined, error: String(thrown) };
    }
  }

  /** A page knows of its requests what they spoke; of other origins only with Timing-Allow-Origin. */
  #seenProtocol(url: string): string | undefined {
    if (typeof location !== 'object') return undefined;
    const [entry] = performance.getEntriesByName(url, 'resource').slice(-1);
    const spoken = entry !== undefined && 'nextHopProtocol' in entry ? String(entry.nextHopProtocol) : '';
    return spoken === '' ? undefined : spoken;
  }
}

/** The body, or its first part: a server without ranges would send the whole file. */
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
