import type { ExactSums } from '../core/sums/exact-sums';
import type { PartialNote, TreeExpressions } from './api';

/** The values of an expression that has lists: those of entry i are `values` from `offsets[i]` to `offsets[i + 1]`. */
export interface ListColumn<V = Float64Array> {
  values: V;
  /** One more than there are entries. */
  offsets: Int32Array;
  /** The values of an entry, counted from 0 in this part; a view where they are numbers. */
  of(entry: number): V;
}

/** Values of one expression: one for each entry, or lists. Whole numbers of 64 bits stay whole. */
export type SelectorColumn =
  | Float64Array
  | BigInt64Array
  | BigUint64Array
  | string[]
  | ListColumn
  | ListColumn<BigInt64Array>
  | ListColumn<BigUint64Array>
  | ListColumn<string[]>;

/** An axis of equal bins. */
export type SelectorAxis = readonly [bins: number, low: number, high: number];

export interface SelectorTitles {
  title?: string;
  /** Titles of the axes, x first. */
  axes?: readonly string[];
}

type Numbers = number | bigint | ArrayLike<number | bigint>;

/** A histogram that a selector fills. A weight of 0 counts as a fill, as in TH1::Fill. */
export interface SelectorHistogram {
  /**
   * Fills one value, or many: `fill(x)`, `fill(x, weight)`; with two axes `fill(x, y, weight)`, and so on. Lists have equal
   * lengths; a number beside them goes with each of their values. undefined, and weights that are NaN or infinite, are errors.
   */
  fill(...values: readonly (Numbers | undefined)[]): void;
}

/** A sum without rounding. */
export interface SelectorCounter {
  /** Adds a number; 1 when it is left out. */
  add(amount?: number): void;
}

/** Sums by names, such as those of triggers. */
export interface SelectorLabels {
  add(label: string, amount?: number): void;
}

/** Rows of values, in the order of the entries. */
export interface SelectorTable {
  row(values: Readonly<Record<string, number | bigint | string>>): void;
}

/** The kind of values that a column of a table has: doubles, whole numbers of 64 bits, those from 0 to 2^64 - 1, or texts. */
export type TableColumnType = 'number' | 'whole' | 'unsigned' | 'text';

/** Makes what a selector fills, and tells what it was called with. */
export interface SelectorJob {
  /** A histogram of one to three axes. */
  hist(...axes: readonly (SelectorAxis | SelectorTitles)[]): SelectorHistogram;
  /** The mean of y in bins of x: `fill(x, y, weight)`. */
  profile(axis: SelectorAxis, titles?: SelectorTitles): SelectorHistogram;
  counter(): SelectorCounter;
  labels(): SelectorLabels;
  table(columns: Readonly<Record<string, TableColumnType>>): SelectorTable;
  /** The values of `--set name=value`. */
  set: Readonly<Record<string, string>>;
}

/** The part of a tree that is being processed, and help with its values. */
export interface SelectorTask {
  /** Name of the file, as it was opened. */
  file: string;
  tree: string;
  /** The sample that the file belongs to, and the weight that the sample gives each entry: 1 without samples. */
  sample: string;
  weights: Float64Array;
  /** The weight of the entry that `entry` was called for. */
  weight: number;
  /** Number of entries that passed the cut in this part. */
  count: number;
  /** Their numbers in the tree of the file. */
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
  /** A four-vector of transverse momentum, pseudorapidity, azimuth and mass. */
  p4(pt: number, eta: number, phi: number, mass: number): FourVector;
  /** The difference of two azimuths, from -pi to pi. */
  deltaPhi(a: number, b: number): number;
  /** The distance of two directions: of the differences of pseudorapidity and azimuth, the root of the sum of squares. */
  deltaR(eta1: number, phi1: number, eta2: number, phi2: number): number;
}

/** A four-vector. Units are those of its components. */
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
 * A user's own code over the entries of a tree: the default export of a module. `begin` runs before each part of the entries,
 * and makes what is filled; one of `process` and `entry` runs then. Parts add up by themselves; other members of the state
 * need `merge`.
 */
export interface Selector<
  Columns extends Record<string, SelectorColumn> = Record<string, SelectorColumn>,
  State extends object = object,
> {
  /** The branches and expressions that are read, in the language of TTree::Draw, by the names that the code has for them. */
  branches: { readonly [Name in keyof Columns]: string };
  /** Only entries for which this is true are processed; where it has lists, for which one of its values is. */
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
  /** Adds two states: only members that `begin` did not make with its job, as plain data. */
  merge?(one: Partial<State>, other: Partial<State>): Partial<State>;
}

/** The values of one entry of a column. */
export type EntryOf<C> = C extends ListColumn<infer V> ? V : C extends ArrayLike<infer V> ? V : never;

/** A question to `process`. */
export interface ProcessRequest extends Omit<TreeExpressions, 'cut' | 'seed'> {
  /** Address of the module of a selector. */
  module: string;
  /** Values of the selector's `job.set`. */
  set?: Readonly<Record<string, string>> | undefined;
  /** A part of the entries that takes more ms stops. Default 60,000. It holds where there are workers. */
  limitMs?: number | undefined;
  sample?: ProcessSample | undefined;
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

/** The sample that a file belongs to. */
export interface ProcessSample {
  name: string;
  /** An expression, the weight of each entry. */
  weight?: string | undefined;
}

/** A histogram that parts of the entries filled, as plain data that adds up. */
export interface GatheredHistogram {
  kind: 'histogram';
  title: string;
  axes: { bins: number; low: number; high: number; title: string }[];
  /** Title of the contents; in a profile that of the averaged coordinate. */
  valueTitle: string | undefined;
  profile: boolean;
  fills: number;
  nan: number;
  /** Ends of the finite values by coordinate; NaN without values. */
  min: number[];
  max: number[];
  exact: ExactSums;
}

export interface GatheredCounter {
  kind: 'counter';
  sum: ExactSums;
}

export interface GatheredLabels {
  kind: 'labels';
  sums: Map<string, ExactSums>;
}

export type TableValues = Float64Array | BigInt64Array | BigUint64Array | string[];

/** Rows of a part of the entries of a file. */
export interface TablePart {
  file: string;
  tree: string;
  /** The first entry of the part. */
  from: number;
  values: TableValues[];
}

export interface GatheredTable {
  kind: 'table';
  columns: { name: string; type: TableColumnType }[];
  parts: TablePart[];
}

/** A part of a state that the selector itself merges. */
export interface GatheredOwn {
  kind: 'own';
  value: unknown;
}

export type Gathered = GatheredHistogram | GatheredCounter | GatheredLabels | GatheredTable | GatheredOwn;

/** The members of a selector's state, by their names. */
export type GatheredState = Record<string, Gathered>;

export interface ProcessResult {
  state: GatheredState;
  /** Number of entries that were read, and of those that passed the cut. */
  entries: number;
  passed: number;
  partial?: PartialNote | undefined;
}
