import { linkSignals, onAbort } from '../../base/abort';
import { abortError, argumentError, toXylemError, XylemError } from '../../base/errors';
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

/** Sends a request, by default GET; rejects as fetch does. */
export type Send = (
  url: string,
  init: { method?: 'OPTIONS'; headers: Record<string, string>; signal: AbortSignal } & Pick<
    RequestInit,
    'cache' | 'credentials'
  >,
) => Promise<Answer>;

/** A request for ranges of bytes, or for the whole file when there are none, or what it sends in their place. */
interface Asked {
  ranges: readonly AskedRange[];
  /** The first answer to several ranges is not waited for as long as others. */
  isTrial?: boolean;
  /** An OPTIONS request with these headers only. */
  options?: Record<string, string>;
}

export interface HttpOptions {
  /** Sent with each request; most of them make a browser ask the server first (preflight). */
  headers?: Record<string, string> | undefined;
  credentials?: RequestCredentials | undefined;
  /** Shown to people in place of the URL. */
  shown?: string | undefined;
  /**
   * Used in place of the global fetch: for tokens, signed URLs, tests. A XylemError that it throws is final.
   */
  fetch?: typeof fetch | undefined;
  /** Sends requests when `fetch` is not given; default is the global fetch. */
  send?: Send | undefined;
  /** Requests that may be under way at once. Default 6, and 5 in a page, where browsers allow six over HTTP/1.1. */
  concurrency?: number | undefined;
  /** Requests are for whole blocks of this many bytes, which caches on the way hold for all readers. Default: any ranges. */
  align?: number | undefined;
  /** A request fails when no byte arrives for this many ms, or for up to 3.4 times as many where a host is slow. Default 12,000. */
  timeoutMs?: number | undefined;
  /** How often a request is tried again after failures that may pass. Default 3. */
  retries?: number | undefined;
  /** Longest wait before the first retry in ms; doubles each time. Default 400. */
  backoffMs?: number | undefined;
}

export type AskedRange = Range | { last: number };

/** A failure that may pass, and how often it is worth another try. */
export interface Failure {
  error: XylemError;
  retries: number;
  waitMs?: number | undefined;
  /** Finds out more about the failure when it is not tried again. */
  explain?: ((signal: AbortSignal | undefined) => Promise<XylemError>) | undefined;
  /** A time-out that says nothing of the host, because that answers. */
  ofFile?: boolean;
  /** The brake that decides how it goes on, and the pass of the request. */
  held?: { brake: Brake; pass: Pass } | undefined;
}

export function isFailure<T>(result: T | Failure): result is Failure {
  return typeof result === 'object' && result !== null && 'retries' in result;
}

/** Bytes that count as progress: a server that sends them one by one keeps nobody waiting for hours. */
const MIN_PROGRESS = 1024;

/** An answer whose body has not been read. */
export interface Exchange {
  response: Answer;
  /** Called when bytes arrive, with those of the body so far: after enough of them the time-out starts again. */
  touch(bytes: Uint8Array, got: number): void;
  /** Called when nothing more is expected of this request: the time-out ends. */
  end(): void;
  /**
   * The reason why a body broke off: the caller's abort (thrown), the time-out, or the result of `otherwise`.
   */
  broken(body: BodyRead, otherwise: (found: string, cause: unknown) => Failure): Failure;
}

/** Sends GET requests for one URL, with a time-out that starts again while bytes come. */
export class HttpClient {
  /** The URL as it may be shown to people and in errors. */
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
  /** For answers that are wrong or refuse. */
  readonly #brake = new Brake();
  /** When the last call began. */
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
   * Sends a request for ranges, or for the whole file when there are none, and returns the result of
   * `handle`. A range `{ last }` is the last `last` bytes. `isTrial`: they are several, and it is not known whether the
   * server answers such a request at all, so that it is given up earlier.
   */
  get<T>(
    ranges: readonly AskedRange[],
    signal: AbortSignal | undefined,
    handle: (exchange: Exchange) => Promise<T>,
    isTrial = false,
  ): Promise<T | Failure> {
    return this.#request({ ranges, isTrial }, signal, handle);
  }

  /** Sends an OPTIONS request with these headers, and none of the caller's, as a browser does before another request. */
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

  /** Waits until a request may be sent. Throws the error of those that were given up, and ABORTED. */
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
      // Who sends headers byte by byte goes on with that.
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
      // A caller's own fetch may send requests to other addresses than this one.
      ...(this.#isOwnFetch && { explain: (signal) => explainNetworkError(failed, signal) }),
    };
  }
}

/** One for all, because hosts are known by it. */
const ownFetch: Send = (input, init) => fetch(input, init);

/** A request that the brakes let go, until its outcome is told to them. */
class Turn {
  #over = false;

  constructor(
    readonly host: Host,
    readonly brake: Brake,
    readonly passes: [ofFile: Pass, ofHost: Pass],
    readonly disconnect: () => void,
  ) {}

  /** The host is there, whatever it answers. */
  answered(): void {
    this.host.brake.succeeded(this.passes[1], true);
  }

  /** The request succeeded, or has a failure that may pass. */
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

  /** The request has a failure that does not pass, or was cancelled. */
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

/** A request that was ended, and does not settle, is left after this many ms. */
const LEFT_MS = 500;

/**
 * The outcome of a promise; ABORTED when it does not settle soon after the signal has fired. Not every sender and every
 * body ends with its signal.
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
 * Node's fetch takes a connection back a little after the end of the body was read; a request sent at once
 * would open another connection, and wait a round trip longer.
 */
function connectionIsFree(): Promise<void> | undefined {
  if (typeof setImmediate !== 'function') return undefined;
  return new Promise((go) => {
    setImmediate(go);
  });
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

/** fetch refuses a URL with user and password, so they are sent as a header, and the rest stays as it is. */
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
