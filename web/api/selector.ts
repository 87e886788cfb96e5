import type { PartialNote, TreeExpressions } from './api';

/** A question to `process`. */
export interface ProcessRequest extends Omit<TreeExpressions, 'cut' | 'seed'> {
  /** Address of the module of a selector. */
  module: string;
  /** Values of the selector's `job.set`. */
  set?: Readonly<Record<string, string>> | undefined;
  /** Time limit for a part of the entries, in ms. Default 60,000. Without workers there is none. */
  limitMs?: number | undefined;
  /** The sample that the file belongs to; `weight` is an expression, the weight of each entry. */
  sample?: { name: string; weight?: string | undefined } | undefined;
  /** The SHA-256 of each file that the code may read, by its path. Other files and other contents are an error then, in Node. */
  files?: Readonly<Record<string, string>> | undefined;
}

/** A sample of files that count together. Its files are no part of it, so that results of some of them add up. */
export interface Sample {
  name: string;
  /** Data have none. */
  crossSection?: number;
  /** The weight of each entry, an expression. */
  weight?: string;
  /** Divides the cross section; without it the sum of the weights of the entries that were read does. */
  sumOfWeights?: number | { tree: string; expr: string };
}

/**
 * A member of a selector's state as plain data, which crosses threads and adds up. The file of its kind in
 * web/features/selectors/work/kinds says what it holds.
 */
export interface Gathered {
  readonly kind: string;
}

/** The members of a selector's state, by their names. */
export type GatheredState = Record<string, Gathered>;

export interface ProcessResult {
  state: GatheredState;
  /** Number of entries that were read, and of those that passed the cut. */
  entries: number;
  passed: number;
  partial?: PartialNote | undefined;
}
