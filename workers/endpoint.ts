import { WorkerLost, XylemError } from '../web/base/errors';
import { onEnd } from './alive';

/** One end of a channel to another thread. */
export interface Endpoint {
  /** Throws the errors of structured cloning. */
  post(message: unknown, transfer: Transferable[]): void;
  /** Returns a function that stops listening. */
  onMessage(listener: (message: unknown) => void): () => void;
  /** Calls `listener` once if the other side is lost: its script does not load, it crashes or exits. */
  onFailure(listener: (error: XylemError) => void): () => void;
}

/** An endpoint that owns its thread. */
export interface WorkerLike extends Endpoint {
  terminate(): void;
}

/** Common members of a page's Worker, a MessagePort and a worker's global scope. */
interface WebPort {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
  start?(): void;
}

/** Common members of Node's Worker, parentPort and MessagePort. */
interface NodePort {
  postMessage(message: unknown, transfer: never[]): void;
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
}

/** The endpoint of a MessagePort in a page. */
export function webEndpoint(port: WebPort): Endpoint {
  const listen = (type: string, listener: (event: Event) => void) => {
    port.addEventListener(type, listener);
    return () => port.removeEventListener(type, listener);
  };
  return {
    post: (message, transfer) => port.postMessage(message, transfer),
    onMessage: (listener) => {
      const stop = listen('message', (event) => listener((event as MessageEvent<unknown>).data));
      port.start?.();
      return stop;
    },
    onFailure: (listener) => {
      const stops = [
        listen('error', (event) => {
          // Otherwise the browser reports it as an error of this thread too, and its page would drop all its workers.
          event.preventDefault();
          listener(died(errorText(event)));
        }),
        listen('messageerror', () => listener(died('a message could not be read'))),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Returns the endpoint inside a worker of a page. */
export function scopeEndpoint(): Endpoint {
  // The DOM types describe the global scope of a window.
  return webEndpoint(globalThis as unknown as WebPort);
}

/** The endpoint of a page's Worker. */
export function webWorker(worker: Worker): WorkerLike {
  const endpoint = webEndpoint(worker);
  return {
    ...endpoint,
    onFailure: (listener) => {
      const stops = [endpoint.onFailure(listener)];
      stops.push(
        endpoint.onMessage((message) => stops.push(onEnd(message, () => listener(died('it ended'))))),
      );
      return () => {
        for (const stop of stops) stop();
      };
    },
    terminate: () => worker.terminate(),
  };
}

/** Returns the endpoint of a new worker of a page. If the page may not start one, it counts as lost. */
export function startWorker(spawn: () => Worker): WorkerLike {
  try {
    return webWorker(spawn());
  } catch (cause) {
    return neverStarted(cause);
  }
}

function neverStarted(cause: unknown): WorkerLike {
  const error = new XylemError({
    code: 'INTERNAL',
    message: 'The content security policy of this page does not allow the workers that read files.',
    fix: "It needs worker-src blob: for the element, worker-src 'self' for the page and the library, and under require-trusted-types-for: trusted-types xylem.",
    cause,
  });
  return {
    post: () => {},
    onMessage: () => () => {},
    onFailure: (listener) => {
      let told = false;
      queueMicrotask(() => {
        if (!told) listener(error);
      });
      return () => {
        told = true;
      };
    },
    terminate: () => {},
  };
}

/** The endpoint of a MessagePort or of `parentPort` in Node. */
export function nodeEndpoint(port: NodePort): Endpoint {
  const listen = (event: string, listener: (value: unknown) => void) => {
    port.on(event, listener);
    return () => {
      port.off(event, listener);
    };
  };
  return {
    post: (message, transfer) => port.postMessage(message, transfer as never[]),
    onMessage: (listener) => listen('message', listener),
    onFailure: (listener) => {
      const stops = [
        listen('error', (error: unknown) =>
          listener(died(error instanceof Error ? error.message : '', error)),
        ),
        listen('messageerror', () => listener(died('a message could not be read'))),
        listen('exit', (code: unknown) => listener(died(`it ended with exit code ${String(code)}`))),
        listen('close', () => listener(died('its port was closed'))),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** The endpoint of a Worker of Node's worker_threads. */
export function nodeWorker(worker: NodePort & { terminate(): Promise<number> }): WorkerLike {
  // Node ends the process for an 'error' event without a listener, even after the client has closed its end.
  worker.on('error', () => {});
  return { ...nodeEndpoint(worker), terminate: () => void worker.terminate() };
}

/** Returns the error for the calls of a lost worker. */
export function died(what: string, cause?: unknown): WorkerLost {
  return new WorkerLost({
    code: 'INTERNAL',
    message: `A worker of xylem was lost: ${what || 'it could not be started, or crashed'}.`,
    fix: 'Try again: another one takes its place. If it fails again, its script or xylem.wasm may be missing, or a content security policy may forbid it.',
    cause,
  });
}

function errorText(event: Event): string {
  return 'message' in event && typeof event.message === 'string' ? event.message : '';
}
