import { onAbort } from '../../base/abort';
import { abortError, type XylemError } from '../../base/errors';

/** Time in ms after a failure during which other requests of the same call fail at once. */
const TOGETHER_MS = 1000;

/** Permission of a brake to send a request. */
export interface Pass {
  /** Attempt number since the server last worked, from 1. */
  readonly tried: number;
  /** Object that the request is for. For the brake of a host, it is one of the host's files. */
  readonly of: object | undefined;
}

/** A failure that may be temporary. */
export interface Passing {
  /** Number of attempts of this request, and maximum number. */
  tried: number;
  tries: number;
  /** Time in ms until the next attempt, and whether the server asked to wait. */
  waitMs: number;
  asksToWait: boolean;
}

/**
 * How to continue after a failure. `alone`: the request decides itself. `wait`: the brake decides. `over`: no more
 * attempts.
 */
export type Verdict = 'alone' | 'wait' | 'over';

/** The problem for which requests wait. */
export interface Trouble {
  /** Number of failed attempts, and maximum number of attempts. */
  failed: number;
  tries: number;
  /** Time of the next attempt, in ms of `performance.now`. */
  next: number;
}

/**
 * Holds back requests to a server that refuses or does not answer. After two failures in a row, or one that asks to
 * wait, nothing is sent until the wait is over. Then a single request is sent, and the others follow if it succeeds.
 * If several files wait, it is for a file that has not failed. After too many attempts, all waiting requests are
 * rejected.
 */
export class Brake {
  #closed = false;
  #until = 0;
  #tries = 1;
  #failed = 0;
  #inRow = 0;
  #probe: Pass | undefined;
  #gaveUp: { error: XylemError; at: number } | undefined;
  readonly #waiting = new Set<() => void>();
  /** Objects of the requests that have no pass yet. */
  readonly #asking = new Map<symbol, object | undefined>();
  /** Objects that failed since the server last worked. */
  readonly #failedOf = new Set<object | undefined>();

  /** Returns the problem; undefined if there is none. */
  get trouble(): Trouble | undefined {
    if (!this.#closed || this.#gaveUp) return undefined;
    return { failed: this.#failed, tries: this.#tries, next: this.#until };
  }

  /** Number of failed attempts since the server last worked. */
  get failures(): number {
    return this.#failed;
  }

  /**
   * Waits until a request may be sent. `began` is the start time of its call. Throws the error of earlier requests,
   * and ABORTED.
   */
  async enter(began: number, signal: AbortSignal | undefined, of?: object): Promise<Pass> {
    const key = Symbol();
    this.#asking.set(key, of);
    try {
      for (;;) {
        if (signal?.aborted) throw abortError(signal.reason);
        const now = performance.now();
        const over = this.#gaveUp;
        if (over && began < over.at && now < over.at + TOGETHER_MS) throw over.error;
        if (!this.#closed) return { tried: 1, of };
        const waits = now < this.#until;
        if (!this.#probe && !waits && !this.#isAfterOthers(of)) {
          this.#probe = { tried: this.#failed + 1, of };
          return this.#probe;
        }
        await this.#change(!this.#probe && waits ? this.#until - now : undefined, signal);
      }
    } finally {
      this.#asking.delete(key);
      // Those that let it go first need not wait for it when it has ended.
      if (!this.#probe && this.#closed) this.#wake();
    }
  }

  /** Whether the object has failed, while one that has not failed waits, too. */
  #isAfterOthers(of: object | undefined): boolean {
    return this.#failedOf.has(of) && [...this.#asking.values()].some((other) => !this.#failedOf.has(other));
  }

  /**
   * Reports success of a request. If it was sent before the problem, it shows that the problem is over only if `any`
   * is set.
   */
  succeeded(pass: Pass, any: boolean): void {
    this.#inRow = 0;
    if (!this.#closed || (pass !== this.#probe && !any)) return;
    this.#closed = false;
    this.#failed = 0;
    this.#gaveUp = undefined;
    this.#probe = undefined;
    this.#failedOf.clear();
    this.#wake();
  }

  failed(pass: Pass, { tried, tries, waitMs, asksToWait }: Passing): Verdict {
    const now = performance.now();
    this.#inRow++;
    this.#failedOf.add(pass.of);
    if (this.#closed && pass !== this.#probe) {
      // It was sent before the trouble was known.
      if (asksToWait) this.#until = Math.max(this.#until, now + waitMs);
      return 'wait';
    }
    if (!this.#closed && this.#inRow < 2 && !asksToWait && tries > 1) return 'alone';
    this.#failed = this.#closed ? this.#failed + 1 : tried;
    this.#closed = true;
    this.#tries = tries;
    this.#until = now + waitMs;
    if (this.#failed >= tries) return 'over';
    this.leave(pass);
    return 'wait';
  }

  /** Rejects all waiting requests, and those that follow immediately. */
  giveUp(pass: Pass, error: XylemError): void {
    this.#closed = true;
    this.#until = 0;
    this.#gaveUp = { error, at: performance.now() };
    this.leave(pass);
    this.#wake();
  }

  /** Reports the end of a request that says nothing about the server. */
  leave(pass: Pass): void {
    if (this.#probe !== pass) return;
    this.#probe = undefined;
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves after a time, or when something has changed. */
  #change(waitMs: number | undefined, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        stop();
        this.#waiting.delete(go);
        resolve();
      };
      const timer = waitMs === undefined ? undefined : setTimeout(go, waitMs);
      this.#waiting.add(go);
      const stop = onAbort(signal, go);
    });
  }
}
