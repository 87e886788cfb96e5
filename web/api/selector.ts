import type { PartialNote, TreeExpressions } from './api';

/** A request to run a selector. */
export interface ProcessRequest extends Omit<TreeExpressions, 'cut' | 'seed'> {
  /** Address of the module of the selector. */
  module: string;
  /** Values of the selector's `job.set`. */
  set?: Readonly<Record<string, string>> | undefined;
  /** Time limit for a part of the entries, in ms. Default: 60,000. Without workers there is no limit. */
  limitMs?: number | undefined;
  /** The sample that the file belongs to. */
  sample?: SampleOfFile | undefined;
  /**
   * SHA-256 of each file that the code may read, by path. Reading another file, or other content, is an error (only in
   * Node).
   */
  files?: Readonly<Record<string, string>> | undefined;
  /**
   * Folder for rows of tables, which then do not stay in memory: the result names the files in which they are (only in Node). The
   * caller removes it.
   */
  spool?: string | undefined;
}

/** The properties of a sample that a file of it is read with. */
export type SampleOfFile = Pick<Sample, 'name' | 'weight' | 'set' | 'branches' | 'vary'>;

/**
 * Properties of a sample of files that are combined. It does not list the files, so that results of some of them can be
 * added.
 */
export interface Sample {
  name: string;
  /** Undefined for data. */
  crossSection?: number;
  /** An expression for the weight of each entry. */
  weight?: string;
  /**
   * The number by which the cross section is divided. Default: the sum of the weights of the entries that were read.
   */
  sumOfWeights?: number | { tree: string; expr: string };
  /** Values of `job.set` for this sample, over those of the call. */
  set?: Record<string, string>;
  /** Expressions that are read in place of those that the selector has under these names. */
  branches?: Record<string, string>;
  /** Whether the variations of the selector are filled. Default: whether it has a cross section. */
  vary?: boolean;
}

/**
 * A member of a selector's state as plain data, which can be sent between threads and added. Its content is described
 * in the file of its kind in web/features/selectors/work/kinds.
 */
export interface Gathered {
  readonly kind: string;
}

/** The members of a selector's state by name. */
export type GatheredState = Record<string, Gathered>;

export interface ProcessResult {
  state: GatheredState;
  /** Number of entries that were read, and of entries that passed the cut. */
  entries: number;
  passed: number;
  /** By the names of optional branches: numbers of files that have them, and that lack them. */
  optional?: Record<string, [there: number, missing: number]> | undefined;
  partial?: PartialNote | undefined;
}
