import type { Rows } from '../../../api/rows';
import type { GatheredState } from '../../../api/selector';
import type { Selected, SelectTask } from '../../../pass/selector/run';

/** The text of a selector, and the bytes of the core, which fills its histograms. */
export interface BoxLoad {
  text: string;
  core: ArrayBuffer;
  set: Readonly<Record<string, string>>;
}

/** Facts that a selector states of itself. */
export interface BoxFacts {
  branches: Record<string, string>;
  where: string | undefined;
  merges: boolean;
  /** Objects before anything was filled into them. */
  empty: GatheredState;
}

/** Calls of the worker that runs the code of a user; it may answer anything. */
export interface BoxApi {
  load(given: BoxLoad): Promise<BoxFacts>;
  run(task: Pick<SelectTask, 'names' | 'lists' | 'file' | 'tree'>, rows: Rows): Promise<Selected>;
  merge(one: object, other: object): Promise<object>;
}

/** The name of the user's text in messages. */
export const SELECTOR_NAME = 'selector.js';
