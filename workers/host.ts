import type { EngineHost } from '../web/engine/engine';
import type { Sink } from '../web/write/file/sink';

/**
 * A place where xylem runs, and the work that each does in its own way: a page, the element, Node, a test. Code that needs
 * some of it asks for a part (`Pick<Host, …>`), and a new place is one object of this type.
 */
export interface Host extends EngineHost {
  /** Compiles the core. */
  core(): Promise<WebAssembly.Module>;
  /** Starts the worker of the engine and its decoders, and loads what starts the worker of insight and writer. */
  spawn: { reading: () => Worker; insight: () => Promise<() => Worker> };
  /** The type of the script of the reading worker, which it starts again for its decoders. */
  workerType: WorkerType;
  /** Loads again what did not start: called before another worker is started. */
  repair?: (() => Promise<void>) | undefined;
  /** Where a new file is saved. Rejects with AbortError when a person chooses none, and with IO. */
  sink(name: string): Promise<Sink>;
  /** The key of the gateway that serves this place: see `serve --gateway`. */
  gatewayKey?: string | undefined;
  /** Keeps choices between visits; undefined where that is refused or not wanted. */
  storage: Storage | undefined;
}
