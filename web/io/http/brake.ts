import { onAbort } from '../../base/abort';
import { abortError, type XylemError } from '../../base/errors';

/** Requests of the same call fail at once for this many ms after others were given up. */
const TOGETHER_MS = 1000;

/** A request that a brake let go. */
export interface Pass {
  /** Number of this try since the server was well, from 1. */
  readonly tried: number;
  /** Thing that it is of: of a host, one of its files. */
  readonly of: object | undefined;
}

/** A failure that may pass. */
export interface Passing {
  /** How often this request was tried, and how often it may be. */
  tried: number;
  tries: number;
  /** ms until the next try, and whether the server asks to wait. */
  waitMs: number;
  asksToWait: boolean;
}

/** How a failure goes on: `alone` is for the request itself to decide; `wait` for the brake; `over`: no more tries. */
export type Verdict = 'alone' | 'wait' | 'over';

/** The trouble that requests wait for. */
export interface Trouble {
  /** Number of tries that failed, and of tries in all. */
  failed: number;
  tries: number;
  /** Time of the next try, as `performance.now` counts. */
  next: number;
}

/**
 * Holds requests back from a server that refuses or does not answer. After two failures in a row, or one that asks to
 * wait, nothing is sent until the wait is over; then one request goes alone, and the others follow when it succeeds.
 * Where several files wait, it is one of a file that has not failed. When it was tried often enough, all that wait are
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
  /** Things of which are the requests that have no pass yet. */
  readonly #asking = new Map<symbol, object | undefined>();
  /** Things that failed since the server was well. */
  readonly #failedOf = new Set<object | undefined>();

  /** Undefined while all is well. */
  get trouble(): Trouble | undefined {
    if (!this.#closed || this.#gaveUp) return undefined;
    return { failed: this.#failed, tries: this.#tries, next: this.#until };
  }

  /** Number of tries that failed since the server was well. */
  get failures(): number {
    return this.#failed;
  }

  /** Waits for the turn of a request of a call that began at a time. Throws the error of those before, and ABORTED. */
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

  /** Whether it has failed, and something that has not failed waits, too. */
  #isAfterOthers(of: object | undefined): boolean {
    return this.#failedOf.has(of) && [...this.#asking.values()].some((other) => !this.#failedOf.has(other));
  }

  /** A request succeeded. One that was sent before the trouble shows that it is over only when `any` does. */
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

  /** Rejects all that wait, and those that come at once. */
  giveUp(pass: Pass, error: XylemError): void {
    this.#closed = true;
    this.#until = 0;
    this.#gaveUp = { error, at: performance.now() };
    this.leave(pass);
    this.#wake();
  }

  /** A request ended without showing how the server is. */
  leave(pass: Pass): void {
    if (this.#probe !== pass) return;
    this.#probe = undefined;
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves after a time, or when something changed. */
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
