import type { EntryChoice } from '../../../reads/basket-layout';
import type { Block } from './simulate-blocks';

export interface ReadChoice {
  /** Indices of branches in the order in which they are read for an entry: the tree's order, depth first. */
  branches: readonly number[];
  entries: EntryChoice;
}

/** Reads of the file that are requested together. */
export interface ProgramRead {
  /** The entry that needs them. */
  entry: number;
  blocks: readonly Block[];
}
