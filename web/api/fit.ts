import type { Histogram } from './drawing';

/** How a parameter begins. */
export interface ParameterSetting {
  start?: number | undefined;
  low?: number | undefined;
  high?: number | undefined;
  fixed?: boolean | undefined;
}

/** Options of a fit. */
export interface FitOptions {
  /** Ends of x, or of x and y. Bins with at least half of them within it count. Default: all bins. */
  range?:
    | readonly [low: number, high: number]
    | readonly (readonly [low: number, high: number])[]
    | undefined;
  /** Letters of ROOT, as "LE": see docs/features/fits.md. Default: chi-square, with the bins that have errors. */
  options?: string | undefined;
  /** Start values and limits, by name or number of the parameter. A number is a start value. */
  parameters?: { readonly [name: string]: number | ParameterSetting } | undefined;
  /** Pairs of parameters whose contours are computed, 1 standard deviation from the minimum. */
  contours?: readonly (readonly [first: string, second: string])[] | undefined;
  /** Strategy of Minuit, 0 to 2. Default: 1. */
  strategy?: 0 | 1 | 2 | undefined;
  /** Tolerance of Minuit. Default: 0.01, as ROOT. */
  tolerance?: number | undefined;
  /** Maximum number of calls of the function. Default: the limit of Minuit, which grows with the parameters. */
  maxCalls?: number | undefined;
  /** The fit is given up after this time, in ms. Default: 60000. */
  limitMs?: number | undefined;
}

export interface FittedParameter {
  name: string;
  value: number;
  /** 0 for a fixed parameter. */
  error: number;
  start: number;
  low?: number | undefined;
  high?: number | undefined;
  fixed: boolean;
  /** Errors by MINOS; `low` is negative. `valid` is false if they are those of the covariance matrix instead. */
  minos?: { low: number; high: number; valid: boolean } | undefined;
}

/** Objectives: chi-square, that with the errors that the function expects, and likelihoods. */
export type FitMethod = 'chi2' | 'pearson' | 'likelihood' | 'weighted' | 'unbinned';

/** Result of a fit. */
export interface FitResult {
  kind: 'fit';
  function: string;
  /** The objective that was minimized. */
  method: FitMethod;
  options: string;
  parameters: FittedParameter[];
  /** Rows of all parameters. */
  covariance: number[][];
  correlation: number[][];
  /** As ROOT's: 0 if all went well. */
  status: number;
  /** Whether a minimum was found. */
  valid: boolean;
  /** A sentence about a status that is not 0. */
  why?: string | undefined;
  minimizer: 'Minuit2' | 'linear';
  /** Value of what was minimized, estimated distance to the minimum, and calls of the function. */
  fcn: number;
  edm: number;
  calls: number;
  covarianceStatus: number;
  /** chi-square, for a likelihood twice its value (Baker and Cousins); NaN for values without bins. */
  chi2: number;
  ndf: number;
  probability: number;
  /** Number of bins, points or values. */
  points: number;
  /** Whether they are values with weights. */
  weighted?: true | undefined;
  range: [low: number, high: number][];
  contours?: { first: string; second: string; points: [x: number, y: number][] }[] | undefined;
  /** Sentences about the fit. */
  notes: string[];
}

/** Options of a simultaneous fit. Names of parameters that are not shared end with the number of their data: "Constant_2". */
export interface TogetherOptions extends FitOptions {
  /** Names of parameters that are the same in all functions that have them. */
  shared: readonly string[];
}

/** Result of a simultaneous fit. */
export interface TogetherResult extends Omit<FitResult, 'kind' | 'range'> {
  kind: 'fits';
  /** The functions, each once, with " | " between. */
  function: string;
  shared: string[];
  /** The parts with their parameters, chi-square and number of points. `ndf` and `fcn` are those of the part; `probability` is NaN. */
  parts: FitResult[];
}

/** Data that `fitHistogram` takes: a result of `draw`, a stored histogram or graph, contents of bins, or values. */
export type FitInput =
  | Histogram
  | FitBins
  | FitPointList
  | { kind: 'values'; x: Float64Array; weights?: Float64Array | undefined };

/** Points of a graph. */
export interface FitPointList {
  kind: 'graph';
  x: Float64Array;
  y: Float64Array;
  className?: string | undefined;
  errors?: Record<'left' | 'right' | 'down' | 'up', Float64Array> | undefined;
}

/** Contents and edges of bins, with errors if they are not the square roots. */
export interface FitBins {
  counts: ArrayLike<number>;
  edges: ArrayLike<number> | readonly ArrayLike<number>[];
  errors?: ArrayLike<number> | undefined;
}
