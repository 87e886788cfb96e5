import { onAbort } from '../web/base/abort';
import { abortError, type ErrorRecord, fromRecord, toXylemError, XylemError } from '../web/base/errors';
import { methodsBy } from '../web/base/forward';
import type { Endpoint } from './endpoint';
import { isMessage, type Message, type OptionsMark, transferList } from './protocol';

/** An interface whose methods all return promises. */
export type Remote<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? T[K] : never;
};

/** The server side: running calls are aborted when it is closed. */
export interface Exposed {
  close(): void;
}

/** The options of calls. Callbacks become messages; other members are cloned. */
interface Options {
  signal?: AbortSignal | undefined;
  onProgress?: ((value: unknown) => void) | undefined;
}

/**
 * Answers calls from the other side with the methods of `api`. Results marked by `transferable` are moved. All errors
 * arrive as XylemError.
 */
export function expose<T extends object>(endpoint: Endpoint, api: T): Exposed {
  const running = new Map<number, AbortController>();
  const post = (message: Message, transfer: Transferable[] = []) => endpoint.post(message, transfer);

  async function answer({ id, method, args, options }: Message & { xylem: 'call' }): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const call = methodOf(api, method);
      if (!Array.isArray(args)) throw malformed('its arguments are not a list');
      if (options) {
        const bag = { ...(args[options.at] as object) };
        args[options.at] = Object.assign(bag, {
          ...(options.signal && { signal: controller.signal }),
          ...(options.progress && {
            onProgress: (value: unknown) => {
              if (running.has(id)) post({ xylem: 'progress', id, value });
            },
          }),
        });
      }
      const value = await call.apply(api, args);
      post({ xylem: 'result', id, value }, transferList(value));
    } catch (thrown) {
      // Reached also if a result cannot be cloned.
      post({ xylem: 'error', id, error: toXylemError(thrown).toRecord() });
    } finally {
      running.delete(id);
    }
  }

  const stop = endpoint.onMessage((message) => {
    if (!isMessage(message)) return;
    if (message.xylem === 'call') void answer(message);
    if (message.xylem === 'abort') running.get(message.id)?.abort();
    if (message.xylem === 'ping') post({ xylem: 'result', id: message.id, value: undefined });
  });
  return {
    close: () => {
      stop();
      for (const controller of running.values()) controller.abort();
    },
  };
}

function methodOf(api: object, name: string): (...args: unknown[]) => unknown {
  const method: unknown = name in Object.prototype ? undefined : Reflect.get(api, name);
  if (typeof method === 'function') return method as (...args: unknown[]) => unknown;
  throw malformed(`there is no method "${name}"`);
}

function errorOf(record: unknown): XylemError {
  const { code, message } = Object(record) as Partial<ErrorRecord>;
  if (typeof code === 'string' && typeof message === 'string') return fromRecord(record as ErrorRecord);
  return malformed('an error says neither code nor message');
}

function malformed(what: string): XylemError {
  return new XylemError({
    code: 'CORRUPT',
    message: `A message of the other side cannot be understood: ${what}.`,
    fix: 'Both sides need the same version of xylem, and what lies between has to hand on messages as they are.',
  });
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: XylemError): void;
  onProgress?: ((value: unknown) => void) | undefined;
  settled(): void;
}

/** One call: its value, which rejects with ABORTED at once on abort, and the end of the work on the other side. */
export interface Call {
  value: Promise<unknown>;
  /** Resolves when an answer has arrived, or the connection has ended. */
  settled: Promise<void>;
}

/** The client side. */
export interface Connection {
  call(method: string, args: unknown[]): Call;
  /** Resolves when the other side answers, or the connection is closed. */
  ping(): Promise<void>;
  /** Rejects pending calls, and every later call, with `error` (default: ABORTED). */
  close(error?: XylemError): void;
}

/**
 * Opens the client side. If the other side is lost, pending and later calls reject. `onCancel` is called after a call
 * was cancelled.
 */
export function connect(endpoint: Endpoint, onCancel?: () => void): Connection {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let ended: XylemError | undefined;

  function close(error = abortError()): void {
    if (ended) return;
    ended = error;
    stopMessages();
    stopFailure();
    for (const call of pending.values()) {
      call.reject(error);
      call.settled();
    }
    pending.clear();
  }

  const stopMessages = endpoint.onMessage((message) => {
    if (!isMessage(message)) return;
    const call = pending.get(message.id);
    if (!call) return;
    if (message.xylem === 'progress') {
      call.onProgress?.(message.value);
      return;
    }
    if (message.xylem === 'result') call.resolve(message.value);
    else if (message.xylem === 'error') call.reject(errorOf(message.error));
    else return;
    pending.delete(message.id);
    call.settled();
  });
  const stopFailure = endpoint.onFailure(close);

  function call(method: string, args: unknown[]): Call {
    const { sent, mark, options } = takeOptions(args);
    if (ended) return failed(ended);
    if (options.signal?.aborted) return failed(abortError(options.signal.reason));
    const id = ++lastId;
    let settled = () => {};
    const done = new Promise<void>((resolve) => {
      settled = resolve;
    });
    const value = new Promise<unknown>((resolve, reject) => {
      const entry: Pending = { resolve, reject, onProgress: options.onProgress, settled };
      pending.set(id, entry);
      try {
        const transfer = args.flatMap(transferList);
        endpoint.post({ xylem: 'call', id, method, args: sent, options: mark } satisfies Message, transfer);
      } catch (thrown) {
        pending.delete(id);
        settled();
        reject(notSendable(method, thrown));
        return;
      }
      const stop = onAbort(options.signal, () => {
        entry.onProgress = undefined;
        endpoint.post({ xylem: 'abort', id } satisfies Message, []);
        reject(abortError(options.signal?.reason));
        onCancel?.();
      });
      void done.then(stop);
    });
    return { value, settled: done };
  }

  function ping(): Promise<void> {
    if (ended) return Promise.resolve();
    const id = ++lastId;
    return new Promise((resolve) => {
      pending.set(id, { resolve: () => {}, reject: () => {}, settled: resolve });
      endpoint.post({ xylem: 'ping', id } satisfies Message, []);
    });
  }

  return { call, ping, close };
}

/** A client of the API on the other side, and functions to end it. */
export interface Wrapped<T> extends Pick<Connection, 'ping' | 'close'> {
  api: Remote<T>;
}

/**
 * Returns an object whose methods run on the other side, where `expose` was called. The last argument with `signal`
 * or `onProgress` is treated as options. All methods reject with XylemError.
 */
export function wrap<T extends object>(endpoint: Endpoint, onCancel?: () => void): Wrapped<T> {
  const connection = connect(endpoint, onCancel);
  const api = methodsBy<Remote<T>>(
    (method) =>
      (...args) =>
        connection.call(method, args).value,
  );
  return { ...connection, api };
}

function failed(error: XylemError): Call {
  return { value: Promise.reject(error), settled: Promise.resolve() };
}

/** Separates the callbacks from the options, which are the last argument with any. */
function takeOptions(args: unknown[]): { sent: unknown[]; mark?: OptionsMark; options: Options } {
  for (let at = args.length - 1; at >= 0; at--) {
    const bag = args[at];
    if (typeof bag !== 'object' || bag === null || Array.isArray(bag)) continue;
    const { signal, onProgress } = bag as Record<string, unknown>;
    const hasSignal = signal instanceof AbortSignal;
    const hasProgress = typeof onProgress === 'function';
    if (!hasSignal && !hasProgress) continue;
    // Only options are searched, because bytes have millions of members.
    const { signal: _signal, onProgress: _onProgress, ...rest } = bag as Record<string, unknown>;
    const options: Options = {
      ...(hasSignal && { signal }),
      ...(hasProgress && { onProgress: (value) => void onProgress(value) }),
    };
    const mark = { at, signal: hasSignal, progress: hasProgress };
    return { sent: args.with(at, rest), mark, options };
  }
  return { sent: args, options: {} };
}

function notSendable(method: string, thrown: unknown): XylemError {
  return new XylemError({
    code: 'ARGUMENT',
    message: `The arguments of ${method}() cannot be sent to a worker.`,
    fix: 'Pass plain data, Blobs and buffers only; an own byte source works where the engine runs in-process.',
    cause: thrown,
  });
}
