import type { CorrectionTools } from '../../../api/corrections';
import type { ModelTools } from '../../../api/models';
import type { BranchText } from './branches';
import type { SelectorJob } from './kinds/kinds';
import type { SelectorFiles } from './selector-files';

/** The values of an expression that has lists. Entry i has `values` from `offsets[i]` to `offsets[i + 1]`. */
export interface ListColumn<V = Float64Array> {
  values: V;
  /** Its length is the number of entries plus one. */
  offsets: Int32Array;
  /** Returns the values of an entry, counted from 0 in this part. Numbers are a view of `values`. */
  of(entry: number): V;
}

/** Values of one expression: one for each entry, or lists. 64-bit integers are a bigint array. */
export type SelectorColumn =
  | Float64Array
  | BigInt64Array
  | BigUint64Array
  | string[]
  | ListColumn
  | ListColumn<BigInt64Array>
  | ListColumn<BigUint64Array>
  | ListColumn<string[]>;

/** Functions that other features give to selectors. */
export type FeatureTools = CorrectionTools & ModelTools;

/** The part of a tree that is processed, with helper functions. */
export interface SelectorTask extends FeatureTools {
  /** Name of the file, as it was opened. */
  file: string;
  tree: string;
  /** The sample of the file, and the weight that the sample gives to each entry. The weight is 1 without samples. */
  sample: string;
  /** The variation that the code runs for; "nominal" for what is not varied. */
  variation: string;
  weights: Float64Array;
  /** The values of `--set`, with those of the sample. */
  set: Readonly<Record<string, string>>;
  /** The files that the selector declares. */
  files: SelectorFiles;
  /** The weight of the entry that `entry` was called for. */
  weight: number;
  /** Number of entries that passed the cut in this part. */
  count: number;
  /** Indices of these entries in the tree of the file. */
  entries: Float64Array;
  /** The number of the entry that `entry` was called for. */
  entry: number;
  /** All pairs [i, j] with i < j < count, in order; `triples` likewise. */
  pairs(count: number): [number, number][];
  triples(count: number): [number, number, number][];
  /** All choices of `size` of `count` objects, as ascending indices, in order. */
  combinations(count: number, size: number): number[][];
  /** All pairs [i, j] of one of `count` objects and one of `others` objects. */
  cross(count: number, others: number): [number, number][];
  /** The indices of values, the largest first; equal ones in their order, and NaN last. */
  order(values: ArrayLike<number>): number[];
  /** Returns a four-vector from transverse momentum, pseudorapidity, azimuth and mass. */
  p4(pt: number, eta: number, phi: number, mass: number): FourVector;
  /** The difference of two azimuths, from -pi to pi. */
  deltaPhi(a: number, b: number): number;
  /**
   * Returns the distance of two directions: the square root of the sum of the squared differences of pseudorapidity
   * and azimuth.
   */
  deltaR(eta1: number, phi1: number, eta2: number, phi2: number): number;
}

/** A four-vector, in the units of its components. */
export interface FourVector {
  readonly px: number;
  readonly py: number;
  readonly pz: number;
  readonly e: number;
  readonly pt: number;
  readonly eta: number;
  readonly phi: number;
  readonly mass: number;
  readonly rapidity: number;
  plus(other: FourVector): FourVector;
  minus(other: FourVector): FourVector;
  /** See SelectorTask.deltaR. */
  deltaR(other: FourVector): number;
}

/**
 * Code that runs over the entries of a tree: the default export of a module. `begin` runs before each part of the
 * entries and creates the result objects. Then either `process` or `entry` runs. Result objects of the parts are
 * added automatically; other members of the state need `merge`.
 */
export interface Selector<
  Columns extends Record<string, SelectorColumn> = Record<string, SelectorColumn>,
  State extends object = object,
> {
  /**
   * Files that the code uses, such as scale factors, by name: paths relative to the module. They belong to the code: they travel
   * with it, and results are compared by their contents.
   */
  files?: Readonly<Record<string, string>> | undefined;
  /** The branches and expressions to read, in the language of TTree::Draw, under the names that the code uses. */
  branches: { readonly [Name in keyof Columns]: BranchText };
  /**
   * Only entries for which this expression is true are processed. If it has lists, one true value is enough. It may use the names
   * of `branches`.
   */
  where?: string | undefined;
  begin(job: SelectorJob): State;
  /** Processes a part of the entries, column by column. */
  process?(columns: Columns, state: State, task: SelectorTask): void;
  /** Processes one entry: numbers and texts, and lists of them. */
  entry?(
    values: { readonly [Name in keyof Columns]: EntryOf<Columns[Name]> },
    state: State,
    task: SelectorTask,
  ): void;
  /** Merges two states: only members that `begin` did not create with its job, as plain data. */
  merge?(one: Partial<State>, other: Partial<State>): Partial<State>;
}

/** The values of one entry of a column. */
export type EntryOf<C> = C extends ListColumn<infer V> ? V : C extends ArrayLike<infer V> ? V : never;
