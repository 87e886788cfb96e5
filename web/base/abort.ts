import { abortError } from './errors';

/** Throws ABORTED when the signal has been aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError();
}

/** Calls `listener` once on abort (at once when that has happened); the result stops listening. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/**
 * The promise's outcome, or ABORTED as soon as the signal fires, whichever is first. The work
 * behind the promise goes on; a later failure of it is not reported as unhandled.
 */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const stop = onAbort(signal, () => reject(abortError()));
    promise.then(resolve, reject).finally(stop);
  });
}

/** A signal that fires with the first of several; `dispose` stops listening to them. */
export interface LinkedSignal {
  signal: AbortSignal;
  abort(): void;
  dispose(): void;
}

export function linkSignals(...signals: (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const stops = signals.map((signal) => onAbort(signal, abort));
  return {
    signal: controller.signal,
    abort,
    dispose: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Resolves after `ms`; rejects with ABORTED as soon as the signal fires. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, ms);
    const stop = onAbort(signal, () => {
      clearTimeout(timer);
      reject(abortError());
    });
  });
}

/** What a promise came to; never a rejection. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** A promise that always fulfils, with what the given one came to. */
export function settle<T>(promise: Promise<T>): Promise<Outcome<T>> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  );
}

/**
 * One piece of work for several waiters, each with its own signal. A waiter that aborts gets
 * ABORTED at once and the others keep the work; when the last has left, the work's signal fires.
 */
export class SharedWork<T> {
  readonly #promise: Promise<T>;
  readonly #controller = new AbortController();
  #waiters = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#promise = work(this.#controller.signal);
    // A failure after the last waiter has left concerns nobody.
    this.#promise.catch(() => {});
  }

  /** True when nobody waits any more; joining then would give ABORTED. */
  get abandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  async join(signal?: AbortSignal): Promise<T> {
    this.#waiters++;
    try {
      return await raceAbort(this.#promise, signal);
    } finally {
      if (--this.#waiters === 0) this.#controller.abort();
    }
  }
}
