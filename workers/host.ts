import type { Sink } from '../web/api/sink';
import type { EngineHost } from '../web/engine/engine';

/** Name under which a page keeps `gatewayKey`. */
export const GATEWAY_KEY = 'xylem.gateway-key';

/**
 * A place where xylem runs, such as a page, the element, Node or a test, with everything that differs between them.
 * Code that needs a part of it takes `Pick<Host, …>`. A new place is one object of this type.
 */
export interface Host extends EngineHost {
  /** Compiles the core. */
  core(): Promise<WebAssembly.Module>;
  /**
   * Starts the worker of the engine and its decoders, and loads the code that starts the worker of insight and
   * writer.
   */
  spawn: { reading: () => Worker; insight: () => Promise<() => Worker> };
  /** Type of the script of the reading worker, which starts its decoders from the same script. */
  workerType: WorkerType;
  /** Reloads scripts that did not start. Called before another worker is started. */
  repair?: (() => Promise<void>) | undefined;
  /** Returns a sink for a new file. Rejects with AbortError if the user cancels, and with IO. */
  sink(name: string): Promise<Sink>;
  /** Key of the gateway that serves this page: see `serve --gateway`. */
  gatewayKey?: string | undefined;
  /** Keeps settings between visits; undefined if that is not allowed or not wanted. */
  storage: Storage | undefined;
}
