import { linkSignals, onAbort } from '../../base/abort';
import { abortError, argumentError, toXylemError, XylemError } from '../../base/errors';
import { oneTurn, setImmediateOfNode } from '../../base/messages';
import { plainAddress, protocolOf } from '../schemes';
import type { Range, ServerTrouble } from '../source';
import { Brake, type Pass } from './brake';
import { type Host, hostOf } from './host';
import type { BodyRead } from './http-body';
import { errorOf, timeoutError } from './http-errors';
import {
  explainNetworkError,
  networkError,
  networkRetries,
  noteAnswer,
  requestCode,
  SLOW_HEAD,
} from './network-errors';
import { shownAddress, shownUrl } from './shown-url';

/** The part of a Response that is used. */
export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly type: ResponseType;
  readonly url: string;
  readonly body: AnswerBody | null;
}

export interface AnswerBody {
  getReader(): AnswerReader;
  cancel(): Promise<void>;
}

export interface AnswerReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Sends a request, by default GET. Rejects as fetch does. */
export type Send = (
  url: string,
  init: { method?: 'OPTIONS'; headers: Record<string, string>; signal: AbortSignal } & Pick<
    RequestInit,
    'cache' | 'credentials'
  >,
) => Promise<Answer>;

/** A request: for ranges of bytes, for the whole file if there are none, or an OPTIONS request. */
interface Asked {
  ranges: readonly AskedRange[];
  /** Set for the first request of several ranges, which has a shorter time limit. */
  isTrial?: boolean;
  /** An OPTIONS request with these headers only. */
  options?: Record<string, string>;
}

export interface HttpOptions {
  /** Headers of each request. Most of them make a browser ask the server for permission first (preflight). */
  headers?: Record<string, string> | undefined;
  credentials?: RequestCredentials | undefined;
  /** Replaces the URL in messages. */
  shown?: string | undefined;
  /** Replaces the global fetch: for tokens, signed URLs, tests. A XylemError that it throws is final. */
  fetch?: typeof fetch | undefined;
  /** Sends requests if `fetch` is not given. Default: the global fetch. */
  send?: Send | undefined;
  /** Maximum number of simultaneous requests. Default: 6; in a page 5, because browsers allow six over HTTP/1.1. */
  concurrency?: number | undefined;
  /**
   * If set, requests are for whole blocks of this many bytes, which caches on the way can share between readers.
   * Default: any ranges.
   */
  align?: number | undefined;
  /** Time limit in ms without a byte; up to 3.4 times as long at a slow host. Default: 12,000. */
  timeoutMs?: number | undefined;
  /** Number of retries after temporary failures. Default: 3. */
  retries?: number | undefined;
  /** Maximum wait before the first retry in ms; doubles each time. Default: 400. */
  backoffMs?: number | undefined;
}

export type AskedRange = Range | { last: number };

/** A failure that may be temporary, and how often it is worth retrying. */
export interface Failure {
  error: XylemError;
  retries: number;
  waitMs?: number | undefined;
  /** Finds out more about the failure if it is not retried. */
  explain?: ((signal: AbortSignal | undefined) => Promise<XylemError>) | undefined;
  /** Set for a time-out of a file whose host answers otherwise. */
  ofFile?: boolean;
  /** The brake that decides how to continue, and the pass of the request. */
  held?: { brake: Brake; pass: Pass } | undefined;
}

export function isFailure<T>(result: T | Failure): result is Failure {
  return typeof result === 'object' && result !== null && 'retries' in result;
}

/**
 * Number of bytes that count as progress. Without a minimum, a server sending single bytes could keep a request alive
 * for hours.
 */
const MIN_PROGRESS = 1024;

/** An answer whose body has not been read. */
export interface Exchange {
  response: Answer;
  /** Called when bytes arrive, with those of the body so far. After enough of them the time-out starts again. */
  touch(bytes: Uint8Array, got: number): void;
  /** Called if nothing more is expected from this request. Stops the time-out. */
  end(): void;
  /**
   * Returns the reason why a body was cut off: the caller's abort (thrown), the time-out, or the result of
   * `otherwise`.
   */
  broken(body: BodyRead, otherwise: (found: string, cause: unknown) => Failure): Failure;
}

/** Sends GET requests for one URL. The time-out starts again whenever bytes arrive. */
export class HttpClient {
  /** The URL for messages, without secrets. */
  readonly shown: string;
  readonly url: URL;
  readonly #given: string;
  readonly #target: string;
  readonly #headers: Record<string, string>;
  readonly #credentials: RequestCredentials | undefined;
  readonly #fetch: Send;
  readonly #isOwnFetch: boolean;
  readonly #timeoutMs: number;
  readonly #host: Host;
  /** For answers that are wrong or refuse the request. */
  readonly #brake = new Brake();
  /** Start of the last call. */
  #began = performance.now();
  #answered = false;

  /** Throws ARGUMENT when it is not an http(s) URL. */
  constructor(address: string, options: HttpOptions) {
    const given = plainAddress(address);
    this.url = parseUrl(given);
    this.shown = options.shown ?? shownUrl(this.url);
    this.#given = given;
    const { target, headers } = withoutUser(given, this.url, options.headers ?? {});
    this.#target = target;
    this.#headers = headers;
    this.#credentials = options.credentials;
    this.#fetch = options.fetch ?? options.send ?? ownFetch;
    this.#isOwnFetch = !options.fetch && !options.send;
    this.#timeoutMs = options.timeoutMs ?? 12_000;
    this.#host = hostOf(this.url, this.#fetch);
  }

  /** See ByteSource. */
  begin(): void {
    this.#began = performance.now();
  }

  /** See ByteSource. */
  trouble(): ServerTrouble | undefined {
    return this.#host.trouble(this.#brake);
  }

  /**
   * Sends a request for ranges, or for the whole file if there are none, and returns the result of `handle`. A range
   * `{ last }` means the last `last` bytes. `isTrial`: it has several ranges, and the server may never answer such
   * requests, so the time limit is shorter.
   */
  get<T>(
    ranges: readonly AskedRange[],
    signal: AbortSignal | undefined,
    handle: (exchange: Exchange) => Promise<T>,
    isTrial = false,
  ): Promise<T | Failure> {
    return this.#request({ ranges, isTrial }, signal, handle);
  }

  /** Sends an OPTIONS request with these headers, without those of the caller, as a browser's preflight. */
  options<T>(
    options: Record<string, string>,
    signal: AbortSignal | undefined,
    handle: (exchange: Exchange) => Promise<T>,
  ): Promise<T | Failure> {
    return this.#request({ ranges: [], options }, signal, handle);
  }

  async #request<T>(
    asked: Asked,
    signal: AbortSignal | undefined,
    handle: (exchange: Exchange) => Promise<T>,
  ): Promise<T | Failure> {
    const turn = await this.#enter(signal);
    try {
      const result = await this.#exchange(asked, signal, handle, turn);
      turn.end(isFailure(result) ? result : undefined);
      return result;
    } catch (thrown) {
      turn.fail(toXylemError(thrown));
      throw thrown;
    }
  }

  /** Waits until a request may be sent. Throws the error of requests that were given up, and ABORTED. */
  async #enter(signal: AbortSignal | undefined): Promise<Turn> {
    const brakes = [this.#brake, this.#host.brake];
    const passes: Pass[] = [];
    const leave = () => {
      for (const [i, pass] of passes.entries()) brakes[i]?.leave(pass);
    };
    try {
      for (const brake of brakes) passes.push(await brake.enter(this.#began, signal, this));
      const disconnect = await this.#host.connect(signal);
      return new Turn(this.#host, this.#brake, passes as [Pass, Pass], disconnect);
    } catch (thrown) {
      leave();
      // The request that was given up may have been for another file of the host.
      throw thrown instanceof XylemError ? errorOf(thrown, this.shown) : thrown;
    }
  }

  async #exchange<T>(
    asked: Asked,
    signal: AbortSignal | undefined,
    handle: (exchange: Exchange) => Promise<T>,
    turn: Turn,
  ): Promise<T | Failure> {
    const link = linkSignals(signal);
    let timedOut = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { isTrial = false, ranges } = asked;
    let patience = isTrial
      ? this.#host.patienceForParts(this.#timeoutMs)
      : this.#host.patience(this.#timeoutMs);
    const stop = () => {
      clearTimeout(timer);
      this.#host.ended(turn);
    };
    const wait = () => {
      clearTimeout(timer);
      this.#host.heard(turn);
      timer = setTimeout(() => {
        timedOut = true;
        if (!isTrial) this.#host.silent();
        link.abort();
      }, patience);
    };
    let counted = 0;
    const touch = (_: Uint8Array, got: number) => {
      if (got < counted + MIN_PROGRESS) return;
      counted = got;
      wait();
    };
    const end = () => {
      stop();
      turn.end();
    };
    const failure = (thrown: unknown, otherwise: () => Failure): Failure => {
      if (signal?.aborted) throw abortError(signal.reason);
      if (!timedOut) return otherwise();
      const inHead = requestCode(thrown) === SLOW_HEAD;
      const late = this.#timedOut(patience, ranges, inHead);
      return { ...late, ofFile: inHead || this.#host.answeredSince(sent) };
    };
    const sent = performance.now();
    try {
      wait();
      let response: Answer;
      try {
        response = await endedBy(this.#send(asked, link.signal), link.signal);
      } catch (thrown) {
        return failure(thrown, () => {
          if (thrown instanceof XylemError) throw thrown;
          return this.#unanswered(thrown);
        });
      }
      this.#answered = true;
      noteAnswer(this.url);
      this.#host.answered(performance.now() - sent, this.#timeoutMs);
      turn.answered();
      patience = this.#host.patience(this.#timeoutMs);
      wait();
      const broken: Exchange['broken'] = (body, otherwise) =>
        failure(body.cause, () => otherwise(`the connection broke after ${body.bytes.length}`, body.cause));
      try {
        const result = await endedBy(handle({ response, touch, end, broken }), link.signal);
        await connectionIsFree();
        return result;
      } catch (thrown) {
        const otherwise = (): never => {
          throw thrown;
        };
        return isAborted(thrown) ? failure(thrown, otherwise) : otherwise();
      }
    } finally {
      stop();
      link.dispose();
    }
  }

  #timedOut(ms: number, ranges: readonly AskedRange[], inHead: boolean): Failure {
    const mayBeOnTape = !this.#answered && ranges.length === 1;
    return {
      error: timeoutError(this.shown, { ms, range: placeOf(ranges[0]), inHead, mayBeOnTape }),
      // A server that sends its head byte by byte would do so again.
      retries: inHead ? 1 : Number.POSITIVE_INFINITY,
      waitMs: 0,
    };
  }

  #send({ ranges, options }: Asked, signal: AbortSignal): Promise<Answer> {
    const spans = ranges.map((range) =>
      'last' in range ? `-${range.last}` : `${range.offset}-${range.offset + range.length - 1}`,
    );
    const asked = spans.length > 0 && { Range: `bytes=${spans.join(',')}` };
    return this.#fetch(this.#target, {
      headers: options ?? { ...this.#headers, ...asked },
      ...(options && { method: 'OPTIONS' as const }),
      cache: 'no-store',
      signal,
      ...(this.#credentials && { credentials: this.#credentials }),
    });
  }

  #unanswered(thrown: unknown): Failure {
    const failed = {
      url: this.url,
      given: this.#given,
      thrown,
      answeredBefore: this.#answered,
      credentials: this.#credentials === 'include',
      headers: Object.keys(this.#headers),
    };
    return {
      error: networkError(failed),
      retries: networkRetries(failed),
      // A caller's own fetch may send requests to other addresses.
      ...(this.#isOwnFetch && { explain: (signal) => explainNetworkError(failed, signal) }),
    };
  }
}

/** A single function, because hosts are identified by it. */
const ownFetch: Send = (input, init) => fetch(input, init);

/** A request permitted by the brakes. Its outcome is reported to them. */
class Turn {
  #over = false;

  constructor(
    readonly host: Host,
    readonly brake: Brake,
    readonly passes: [ofFile: Pass, ofHost: Pass],
    readonly disconnect: () => void,
  ) {}

  /** Notes that the host answers. */
  answered(): void {
    this.host.brake.succeeded(this.passes[1], true);
  }

  /** Reports that the request succeeded, or failed temporarily. */
  end(failure?: Failure): void {
    if (this.#over) return;
    this.#over = true;
    this.disconnect();
    const [ofFile, ofHost] = this.passes;
    if (!failure) {
      this.brake.succeeded(ofFile, false);
      return;
    }
    const { code } = failure.error;
    const isHost = code === 'NETWORK' || (code === 'TIMEOUT' && failure.ofFile !== true);
    if (isHost) this.brake.leave(ofFile);
    else this.host.brake.leave(ofHost);
    failure.held = isHost ? { brake: this.host.brake, pass: ofHost } : { brake: this.brake, pass: ofFile };
  }

  /** Reports that the request failed permanently, or was cancelled. */
  fail(error: XylemError): void {
    if (this.#over) return;
    this.#over = true;
    this.disconnect();
    const [ofFile, ofHost] = this.passes;
    this.host.brake.leave(ofHost);
    if (error.code === 'HTTP_STATUS' || error.code === 'NOT_ROOT') this.brake.giveUp(ofFile, error);
    else this.brake.leave(ofFile);
  }
}

/** Time in ms after which an aborted request that does not settle is abandoned. */
const LEFT_MS = 500;

/**
 * Returns the outcome of a promise; ABORTED if it does not settle soon after the signal fired, because not every
 * sender and body obeys its signal.
 */
function endedBy<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onAbort(signal, () => {
      timer = setTimeout(() => reject(abortError(signal.reason)), LEFT_MS);
    });
    promise.then(resolve, reject).finally(() => {
      stop();
      clearTimeout(timer);
    });
  });
}

function isAborted(thrown: unknown): boolean {
  return thrown instanceof XylemError && thrown.code === 'ABORTED';
}

function placeOf(range: AskedRange | undefined): Range | undefined {
  return range && 'offset' in range ? range : undefined;
}

/**
 * Waits until Node's fetch can reuse the connection, shortly after the end of the body. A request sent at once would
 * open another connection and wait a round trip longer.
 */
function connectionIsFree(): Promise<void> | undefined {
  return setImmediateOfNode && oneTurn();
}

/** Parses an http(s) URL, in a page relative to it. Throws ARGUMENT. */
export function parseUrl(given: string): URL {
  let url: URL;
  try {
    url = new URL(given, typeof location === 'object' ? location.href : undefined);
  } catch {
    const shown = shownAddress(given);
    throw argumentError(
      `"${shown}" is not a complete address.`,
      'Write it as https://HOST/PATH; the port is a number from 0 to 65535.',
      { url: shown },
    );
  }
  if (protocolOf(url.href) === 'http') return url;
  const isXrootd = protocolOf(url.href) === 'xrootd';
  throw argumentError(
    `URLs that start with ${url.protocol} cannot be read, only https: and http:.`,
    isXrootd
      ? 'Most XRootD servers have an https door too: ask for the https address of the file.'
      : 'Give an https:// address, or download the file and open it from disk.',
  );
}

/** Moves user and password of a URL to a header, because fetch refuses them in the URL. */
function withoutUser(given: string, url: URL, headers: Record<string, string>) {
  if (!url.username && !url.password) return { target: given, headers };
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (hasOwn) return { target: bare.href, headers };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const binary = String.fromCharCode(...new TextEncoder().encode(pair));
  return { target: bare.href, headers: { ...headers, Authorization: `Basic ${btoa(binary)}` } };
}
