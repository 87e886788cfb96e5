import type { ErrorRecord } from '../base/errors';
import type { ExactSums } from '../core/sums/exact-sums';
import type { ExpressionRules, PartialNote, TreeExpressions } from './api';

export interface Frequencies {
  kind: 'frequencies';
  title: string;
  /**
   * Number of strings, and number of different ones (a lower limit: counting stops at 100,000 different
   * ones).
   */
  values: number;
  distinct: number;
  entries: number;
  /** Most frequent first, at most 100; `count` is the sum of weights when a cut weights. */
  top: { value: string; count: number }[];
  partial?: PartialNote | undefined;
}

/** How a histogram is filled, as TTree::Draw does: with `expr` or `branch`. */
export interface DrawnTogether extends Pick<ExpressionRules, 'cut'> {
  /**
   * One to three expressions, "y:x" is y over x, and after ">>" a histogram: "pt>>h(50,0,100)". With
   * nothing but ">>name" the entries that pass are listed.
   */
  expr?: string | undefined;
  /** In place of an expression one branch: its index in TreeInfo.branches, or its path. */
  branch?: number | string | undefined;
  /** "prof" averages y in bins of x; "norm" divides by the sum of weights. Others are ignored. */
  option?: string | undefined;
  /** The axes, x first, where the expression does not say them. Default: see `AxisRequest`. */
  axes?: AxisRequest[] | undefined;
  /** Short for `axes: [{ bins, range }]`. Throws ARGUMENT beside `axes`. */
  bins?: AxisRequest['bins'];
  range?: AxisRequest['range'];
  /**
   * Returns also sums that do not depend on the order in which files and entries are read: see `Histogram.exact`.
   * Throws ARGUMENT without bins and ends for each axis, UNSUPPORTED for strings, lists of entries, and what depends on
   * the place of a file in a chain (Entry$, Entries$, random numbers).
   * @internal
   */
  exact?: boolean | undefined;
}

/** A request to fill a histogram. */
export interface DrawRequest extends DrawnTogether, TreeExpressions {
  /**
   * One expression of strings gives a histogram with a bin for each text, as TTree::Draw makes it, at most 1000. Default
   * false: the most frequent texts.
   */
  labels?: boolean | undefined;
}

/** A request to fill any number of histograms of one tree: see `drawAll`. */
export interface DrawAllRequest extends Omit<TreeExpressions, 'cut'> {
  draws: readonly DrawnTogether[];
  /** All have the axes of the first; ends that are not given are found from the values of all. Default false. */
  sameAxes?: boolean | undefined;
}

/** One axis, where the expression does not say it. */
export interface AxisRequest {
  /** Number of bins, 1 to 1,000,000. Default 100 with one axis, 40 with two, 20 with three. */
  bins?: number | undefined;
  /** The ends, [low, high): values outside are counted as under- and overflow. Default: found from the values. */
  range?: [low: number, high: number] | undefined;
  /** How ends are found. Default "root". */
  rule?: AxisRule | undefined;
}

/**
 * How ends that are not given are found: "root" as TTree::Draw chooses them, with the room that its histograms
 * leave; "tight" close around the values.
 */
export type AxisRule = 'root' | 'tight';

/**
 * The version of ROOT whose rules expressions follow: `sqrt` of a negative number is NaN since 6.42, and the
 * square root of its magnitude with "6.40". Default "6.42".
 */
export type RulesOfRoot = '6.40' | '6.42';

/**
 * Meaning of a profile's errors, by the letters of TProfile's error option: "" of the mean, "s" the spread of
 * the values, "i" of the mean with 1/sqrt(12) when all values are the same whole number, "g" one over the
 * square root of the sum of weights.
 */
export type ProfileErrors = '' | 's' | 'i' | 'g';

/** A histogram of one to three axes, filled as TH1 fills, or a profile. */
export interface Histogram {
  kind: 'histogram';
  title: string;
  /** The seed, if the expressions or the cut have `rndm`. */
  seed?: number | undefined;
  /** Name after ">>"; "htemp" by default. */
  name: string;
  profile: boolean;
  /** The axes with bins, x first. */
  axes: {
    title: string;
    bins: number;
    low: number;
    high: number;
    /** The ends of all bins where their widths differ, as in some stored histograms: ascending, `bins` + 1 of them. */
    edges?: Float64Array | undefined;
    /** For an axis of strings: the text of each bin, in the order in which they occur in the tree. */
    labels?: string[] | undefined;
    /** Bins that a stored axis shows (TAxis::SetRange), of which the statistics are; 0 and `bins` + 1 are under- and overflow. */
    shown?: [first: number, last: number] | undefined;
    /**
     * Whether a stored axis of strings takes new ones when it is filled (TAxis::CanExtend): then their places mean nothing.
     * @internal
     */
    grows?: boolean | undefined;
    /**
     * For a stored axis of times its format (TAxis::GetTimeFormat), with the origin after "%F".
     * @internal
     */
    time?: string | undefined;
  }[];
  /** For a profile the averaged expression, for a stored histogram the title of the axis of contents. */
  valueTitle?: string | undefined;
  /**
   * Sums of weights of each cell with under- and overflow (cell 0 and bins+1 of each axis), x running
   * fastest; in a profile, of weight times value.
   */
  sums: Float64Array;
  /** Sums of squared weights; in a profile, of weight times squared value. */
  squares: Float64Array;
  /** For a profile: sums of weights, and of their squares. */
  weights?: Float64Array | undefined;
  weights2?: Float64Array | undefined;
  /** For a profile: the meaning of its errors, and mean and error of each cell. */
  errorOption?: ProfileErrors | undefined;
  means?: Float64Array | undefined;
  errors?: Float64Array | undefined;
  /** Number of fills, in whichever cell (TH1::GetEntries). */
  fills: number;
  /** Number of tree entries that were asked for. */
  entries: number;
  /** Fills with a NaN among the coordinates; they are in the overflow, too. */
  nan: number;
  /**
   * For values in the range of all axes: sum of weights, effective entries, mean and standard deviation by
   * coordinate.
   */
  weight: number;
  effective: number;
  mean: number[];
  stdDev: number[];
  /** Ends of the finite values by coordinate, also of those outside the range. NaN when there are none. */
  min: number[];
  max: number[];
  /** By coordinate: all values are whole numbers by their type, so that ROOT gives them bins of whole numbers. */
  integer: boolean[];
  /** Covariance of the first two coordinates; 0 with one. */
  covariance: number;
  /**
   * Sums as ROOT adds them while filling: of w, w^2, w*x, w*x^2, then w*y, w*y^2, w*x*y, then w*z, w*z^2, w*x*z, w*y*z (of a
   * drawing NaN for these two); of a profile then w*v, w*v^2 of the averaged values v.
   */
  stats?: number[] | undefined;
  /**
   * For a stored histogram: its class, whether it keeps sums of squared weights (TH1::Sumw2), whether its contents are
   * averages (TH1::kIsAverage), and whether bins below and above its axes count in statistics (TH1::StatOverflows).
   * @internal
   */
  stored?: { className: string; weighted: boolean; average: boolean; overflows: boolean } | undefined;
  /**
   * If requested: the sums of all cells without rounding: `sums`, `squares` and for a profile `weights` and `weights2`,
   * one after the other, and 9 sums from which the statistics follow. The rounded ones above were made of them.
   * @internal
   */
  exact?: ExactSums | undefined;
  partial?: PartialNote | undefined;
}

/** Entries that pass a cut, in order. */
export interface EntryNumbers {
  kind: 'entries';
  name: string;
  numbers: Float64Array;
  /** Number of entries that were evaluated. */
  entries: number;
  partial?: PartialNote | undefined;
}

export type DrawResult = Histogram | Frequencies | EntryNumbers;

/** A histogram of several, or why it could not be filled. */
export type DrawOutcome = DrawResult | { kind: 'error'; error: ErrorRecord };
