/** A value of an input of a correction. An input of type "int" also takes a bigint, or a boolean as 0 and 1. */
export type CorrectionInput = number | bigint | string | boolean;

/** Values of an input, one for each evaluation. */
export type CorrectionInputs = ArrayLike<number> | ArrayLike<bigint> | readonly CorrectionInput[];

/** An input or the output of a correction. */
export interface CorrectionVariable {
  readonly name: string;
  readonly type: 'string' | 'int' | 'real';
  /** Empty if there is none. */
  readonly description: string;
}

/** One correction of a set, as correctionlib evaluates it. */
export interface Correction {
  readonly name: string;
  /** A "compound" applies other corrections of the set in turn. */
  readonly kind: 'correction' | 'compound';
  readonly description: string;
  /** Undefined for a compound. */
  readonly version: number | undefined;
  readonly inputs: readonly CorrectionVariable[];
  readonly output: CorrectionVariable;
  /**
   * Returns the correction for one value of each input, in the order of `inputs`. Throws ARGUMENT for a wrong number or type of
   * inputs, and for a value that the correction does not accept.
   */
  evaluate(...inputs: readonly CorrectionInput[]): number;
  /**
   * Returns the correction for each element, if one or more inputs are lists. All lists have the same length; single values are
   * used for all elements. Throws ARGUMENT as for single values, and names the element.
   */
  evaluate(...inputs: readonly (CorrectionInput | CorrectionInputs)[]): Float64Array;
}

/** The corrections of a file in correctionlib's format, schema version 2. */
export interface CorrectionSet {
  readonly description: string;
  /** All corrections in the order of the file, compound ones last. */
  readonly corrections: readonly Correction[];
  /** Returns a correction, or a compound correction. Throws NOT_FOUND with similar names. */
  get(name: string): Correction;
  /** Returns a compound correction, also if another correction has the same name. Throws NOT_FOUND. */
  compound(name: string): Correction;
  has(name: string): boolean;
}

/** Runs and the luminosity blocks of each that are good for analysis. */
export interface GoodRuns {
  /** Whether the block of the run is in the list. */
  good(run: number | bigint, block: number | bigint): boolean;
  /** Runs in ascending order, with ranges of blocks: first and last, both included; the ranges neither touch nor overlap. */
  readonly runs: readonly { readonly run: number; readonly blocks: readonly (readonly [number, number])[] }[];
  /** Number of blocks in the list. */
  readonly blocks: number;
  /** The blocks that are in both lists. */
  and(other: GoodRuns): GoodRuns;
  /** The blocks that are in one of the lists. */
  or(other: GoodRuns): GoodRuns;
  /** The blocks of this list that are not in the other one. */
  without(other: GoodRuns): GoodRuns;
  /** The text of a list in the JSON of CMS. */
  json(): string;
}

/** Events that were chosen by run, luminosity block and number. */
export interface EventList {
  has(run: number | bigint, block: number | bigint, event: number | bigint): boolean;
  readonly count: number;
}

/** Contents of equal or variable bins for `pileup`. */
export interface PileupCounts {
  /** Edges of the bins, one more than counts. Default: bins of width 1 from 0. */
  edges?: ArrayLike<number> | undefined;
  counts: ArrayLike<number>;
}

/** Distributions of the number of interactions in data, with its variations, and in simulation. */
export interface PileupChoice {
  data: PileupCounts | ArrayLike<number>;
  simulation: PileupCounts | ArrayLike<number>;
  up?: PileupCounts | ArrayLike<number> | undefined;
  down?: PileupCounts | ArrayLike<number> | undefined;
  /** Largest weight; larger ones are this one. Default: no limit. */
  max?: number | undefined;
}

/** Weights that give the simulation the distribution of data. */
export interface PileupWeights {
  /** The weight for a number of interactions; 0 outside the bins. Throws ARGUMENT without this variation. */
  weight(interactions: number, variation?: 'nominal' | 'up' | 'down'): number;
  readonly edges: Float64Array;
  readonly nominal: Float64Array;
  readonly up: Float64Array | undefined;
  readonly down: Float64Array | undefined;
}

/** Functions of selectors for the corrections and lists of an analysis. `file` is a file that the selector declares, by its name or path. */
export interface CorrectionTools {
  /** The corrections of a file of correctionlib. */
  corrections(file: string): CorrectionSet;
  /** A list of good runs: JSON of CMS, or XML of ATLAS. */
  goodRuns(file: string): GoodRuns;
  /** A list of events: a line "run:block:event" for each. */
  eventList(file: string): EventList;
  /** Weights that give simulation the distribution of the number of interactions in data. */
  pileup(choice: PileupChoice): PileupWeights;
}

/** Reads files of corrections for the library. `name` is for messages. */
export interface CorrectionsLibrary {
  maxBytes: number;
  corrections(bytes: Uint8Array, name: string): Promise<CorrectionSet>;
  goodRuns(bytes: Uint8Array, name: string): Promise<GoodRuns>;
  eventList(bytes: Uint8Array, name: string): Promise<EventList>;
  pileup(choice: PileupChoice): PileupWeights;
}
