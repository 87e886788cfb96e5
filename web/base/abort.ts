import { abortError } from './errors';

export { throwIfAborted } from './errors';

/**
 * Calls `listener` once when the signal aborts, or immediately if it is already aborted. Returns a function that
 * removes the listener.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const listeners = listening.get(signal) ?? new Listeners(signal);
  return listeners.add(listener);
}

/** Shares one event listener per signal among all listeners, because Node warns of a leak above ten. */
class Listeners {
  readonly #all = new Set<() => void>();
  readonly #fire = (): void => {
    listening.delete(this.signal);
    for (const listener of this.#all) listener();
  };

  constructor(readonly signal: AbortSignal) {
    signal.addEventListener('abort', this.#fire, { once: true });
    listening.set(signal, this);
  }

  add(listener: () => void): () => void {
    const own = (): void => listener();
    this.#all.add(own);
    return () => {
      if (!this.#all.delete(own) || this.#all.size > 0) return;
      this.signal.removeEventListener('abort', this.#fire);
      listening.delete(this.signal);
    };
  }
}

const listening = new WeakMap<AbortSignal, Listeners>();

/**
 * Returns the outcome of the promise, or rejects with ABORTED if the signal aborts first. The work of the promise
 * continues; if it fails later, this is not reported as unhandled.
 */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const stop = onAbort(signal, () => reject(abortError(signal.reason)));
    promise.then(resolve, reject).finally(stop);
  });
}

/** A signal that aborts with the first of several, with its reason. `dispose` stops listening to them. */
export interface LinkedSignal {
  signal: AbortSignal;
  abort(): void;
  dispose(): void;
}

export function linkSignals(...signals: (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const stops = signals.map((signal) => onAbort(signal, () => controller.abort(signal?.reason)));
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    dispose: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Resolves after `ms`. Rejects with ABORTED as soon as the signal aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, ms);
    const stop = onAbort(signal, () => {
      clearTimeout(timer);
      reject(abortError(signal?.reason));
    });
  });
}

/** The outcome of a promise. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** Returns a promise that always fulfils with the outcome of the given one. */
export function settle<T>(promise: Promise<T>): Promise<Outcome<T>> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  );
}

/**
 * Shares one piece of work among several callers, each with its own signal. A caller that aborts gets ABORTED
 * immediately, and the others continue to wait. When the last caller has aborted, the signal of the work aborts.
 */
export class SharedWork<T> {
  readonly #promise: Promise<T>;
  readonly #controller = new AbortController();
  #waiters = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#promise = work(this.#controller.signal);
    // A failure after all callers have aborted is ignored.
    this.#promise.catch(() => {});
  }

  /** Whether all callers have cancelled. A new caller would get ABORTED. */
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
