import { onAbort } from '../../base/abort';
import { abortError } from '../../base/errors';
import { type ServerTrouble, TOLD_MS } from '../source';
import { Brake } from './brake';
import type { Send } from './http-client';
import { requestLimit } from './server-limits';

/**
 * Maximum number of simultaneous requests of a page to an http host. Browsers allow six; one is left for other tabs.
 */
const PLACES = 5;
/** Factor for the time limit at a host that was slow before. */
const PATIENCE = 1.5;
const MAX_SLOWNESS = 3;
/**
 * Fraction of the time limit for the first answer to several ranges, and multiple of the duration of the last answer.
 */
const PARTS_SHARE = 1 / 3;
const PARTS_TIMES = 4;
const MAX_HOSTS = 1000;

/** State of a host that the requests for all its files share. */
export class Host {
  /** For connections: requests without an answer. */
  readonly brake = new Brake();
  readonly #url: URL;
  #taken = 0;
  readonly #queue: (() => void)[] = [];
  /** Times at which running requests were sent or last received a byte. */
  readonly #heard = new Map<object, number>();
  #slowness = 0;
  /** Time in ms until the first byte of the last answer, and when it arrived. */
  #tookMs = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(url: URL) {
    this.#url = url;
  }

  /** The number of requests at once: a process that lives on may get another limit with its next command line. */
  get #places(): number {
    // Over https a connection may carry all requests.
    const isOne = this.#url.protocol === 'http:' && typeof location === 'object';
    return requestLimit(this.#url) ?? (isOne ? PLACES : Number.POSITIVE_INFINITY);
  }

  /** Waits for one of the connections of a page, or of those that the user allows. Returns a function that releases it. Throws ABORTED. */
  async connect(signal: AbortSignal | undefined): Promise<() => void> {
    if (this.#taken < this.#places) this.#taken++;
    else await this.#turn(signal);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#taken--;
      while (this.#taken < this.#places) {
        const next = this.#queue.shift();
        if (!next) break;
        this.#taken++;
        next();
      }
    };
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        stop();
        resolve();
      };
      this.#queue.push(go);
      const stop = onAbort(signal, () => {
        const at = this.#queue.indexOf(go);
        if (at < 0) return;
        this.#queue.splice(at, 1);
        reject(abortError(signal?.reason));
      });
    });
  }

  /** Returns the time limit without a byte, in ms, for a request with the limit `ms` at a normal host. */
  patience(ms: number): number {
    return ms * PATIENCE ** this.#slowness;
  }

  /** Returns the time limit for the first request of several ranges, which some servers never answer. */
  patienceForParts(ms: number): number {
    return Math.min(this.patience(ms), Math.max(ms * PARTS_SHARE, this.#tookMs * PARTS_TIMES));
  }

  /** Notes that a request was sent or received a byte. */
  heard(request: object): void {
    this.#heard.set(request, performance.now());
  }

  ended(request: object): void {
    this.#heard.delete(request);
  }

  /** Notes that the first byte of an answer arrived after `tookMs`. The limit of the request was `ms`. */
  answered(tookMs: number, ms: number): void {
    this.#slowness = 0;
    this.#tookMs = tookMs;
    this.#answeredAt = performance.now();
    while (this.#slowness < MAX_SLOWNESS && this.patience(ms) < 2 * tookMs) this.#slowness++;
  }

  /** Whether an answer arrived after a time. The host then works, even if one of its files fails. */
  answeredSince(time: number): boolean {
    return this.#answeredAt > time;
  }

  silent(): void {
    this.#slowness = Math.min(MAX_SLOWNESS, this.#slowness + 1);
  }

  /** Returns the problem of the host, or of one of its files; undefined while bytes arrive. */
  trouble(file: Brake): ServerTrouble | undefined {
    const now = performance.now();
    const known = this.brake.trouble ?? file.trouble;
    // All running requests are silent.
    const last = Math.max(...this.#heard.values());
    const silentMs = this.#heard.size > 0 ? now - last : 0;
    if (!known) return silentMs < TOLD_MS ? undefined : { silentMs, tried: 1, tries: 1, nextMs: 0 };
    const { failed, tries, next } = known;
    const nextMs = Math.max(0, next - now);
    return { silentMs, tried: Math.min(tries, failed + 1), tries, nextMs };
  }
}

const hosts = new WeakMap<Send, Map<string, Host>>();

/** Returns the host of an address. It is shared by all code that sends requests in the same way. */
export function hostOf(url: URL, send: Send): Host {
  const known = hosts.get(send) ?? new Map<string, Host>();
  hosts.set(send, known);
  const host = known.get(url.origin) ?? new Host(url);
  known.delete(url.origin);
  known.set(url.origin, host);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_HOSTS) break;
    known.delete(oldest);
  }
  return host;
}
