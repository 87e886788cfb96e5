import type { Rows } from '../../web/api/rows';
import type { GatheredState } from '../../web/api/selector';
import type { Selected, SelectTask } from '../../web/measure/selector/run';

/** A selector, and the core, which fills its histograms. */
export interface BoxLoad {
  /** The address of a module, or its text if the worker has no network. */
  selector: { module: string } | { text: string };
  core: WebAssembly.Module | ArrayBuffer;
  set: Readonly<Record<string, string>>;
}

/** Facts that a selector states about itself. */
export interface BoxFacts {
  branches: Record<string, string>;
  where: string | undefined;
  merges: boolean;
  /** Objects before anything was filled into them. */
  empty: GatheredState;
}

export interface BoxOptions {
  /** Gets each line that the code writes to the console. It may be anything. */
  onProgress?: ((line: unknown) => void) | undefined;
}

/** Calls of the worker that runs a selector. Because the code is foreign, it may answer anything. */
export interface BoxApi {
  load(given: BoxLoad, options?: BoxOptions): Promise<BoxFacts>;
  run(
    task: Omit<SelectTask, 'module' | 'set' | 'limitMs'>,
    rows: Rows,
    options?: BoxOptions,
  ): Promise<Selected>;
  merge(one: object, other: object): Promise<object>;
}

/** The name of a text in messages. */
export const SELECTOR_NAME = 'selector.js';
