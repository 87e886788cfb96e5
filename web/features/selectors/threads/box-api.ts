import type { Rows } from '../../../api/rows';
import type { GatheredState } from '../../../api/selector';
import type { BranchText } from '../work/branches';
import type { BoxTask } from '../work/partial/process-rows';
import type { Selected } from '../work/run';

/** A selector, and the core that fills its histograms. */
export interface BoxLoad {
  /** The address of a module; or its text, if the worker has no network access. */
  selector: { module: string } | { text: string };
  core: WebAssembly.Module | ArrayBuffer;
  set: Readonly<Record<string, string>>;
}

/** Facts that a selector reports about itself. */
export interface BoxFacts {
  branches: Record<string, BranchText>;
  where: string | undefined;
  merges: boolean;
  /** Its result objects before anything is filled. */
  empty: GatheredState;
}

export interface BoxOptions {
  /** Receives each line that the code writes to the console. It may be any value. */
  onProgress?: ((line: unknown) => void) | undefined;
}

/** Calls of the worker that runs a selector. It runs foreign code, so its answers may be any value. */
export interface BoxApi {
  load(given: BoxLoad, options?: BoxOptions): Promise<BoxFacts>;
  run(task: BoxTask, rows: Rows, options?: BoxOptions): Promise<Selected>;
  merge(one: object, other: object): Promise<object>;
}

/** Name in messages for a selector given as text. */
export const SELECTOR_NAME = 'selector.js';
