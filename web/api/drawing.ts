import type { ErrorRecord } from '../base/errors';
import type { ExactSums } from '../core/sums/exact-sums';
import type { ExpressionRules, PartialNote, TreeExpressions } from './api';

export interface Frequencies {
  kind: 'frequencies';
  title: string;
  /**
   * Number of strings, and number of different ones. The latter is a lower limit, because counting stops at 100,000.
   */
  values: number;
  distinct: number;
  entries: number;
  /**
   * The most frequent strings, at most 100, most frequent first. With a cut that is a weight, `count` is the sum of
   * weights.
   */
  top: { value: string; count: number }[];
  partial?: PartialNote | undefined;
}

/** Describes a histogram as for TTree::Draw. Either `expr` or `branch` must be given. */
export interface DrawnTogether extends Pick<ExpressionRules, 'cut'> {
  /**
   * One to three expressions: "y:x" is y over x. A histogram can follow after ">>": "pt>>h(50,0,100)". With only
   * ">>name", the entries that pass are listed.
   */
  expr?: string | undefined;
  /** One branch instead of an expression: its index in TreeInfo.branches, or its path. */
  branch?: number | string | undefined;
  /**
   * Words of TTree::Draw's option: "prof", "profs", "profi" or "profg" averages y in bins of x (see `ProfileErrors`),
   * "norm" divides by the sum of weights, "entrylist" lists the entries that pass. "goff", "hist" and "colz" change
   * nothing. Throws ARGUMENT for other words.
   */
  option?: string | undefined;
  /** The axes, x first, if the expression does not give them. Default: see `AxisRequest`. */
  axes?: AxisRequest[] | undefined;
  /** Short for `axes: [{ bins, range }]`. Throws ARGUMENT together with `axes`. */
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
   * Whether an expression with string values gives a histogram with one bin per string, at most 1000, as TTree::Draw
   * does. Default: false, which gives the most frequent strings.
   */
  labels?: boolean | undefined;
}

/** A request to fill any number of histograms of one tree: see `drawAll`. */
export interface DrawAllRequest extends Omit<TreeExpressions, 'cut'> {
  draws: readonly DrawnTogether[];
  /**
   * Whether all histograms have the axes of the first. A range that is not given covers the values of all. Default:
   * false.
   */
  sameAxes?: boolean | undefined;
}

/** One axis, if the expression does not give it. */
export interface AxisRequest {
  /** Number of bins, 1 to 1,000,000. Default: 100 for one axis, 40 for two, 20 for three. */
  bins?: number | undefined;
  /** Range [low, high). Values outside are counted as under- and overflow. Default: found from the values. */
  range?: [low: number, high: number] | undefined;
  /** How a range is found that is not given. Default: "root". */
  rule?: AxisRule | undefined;
}

/**
 * How a range is found that is not given: "root" as TTree::Draw chooses it, with the margin of its histograms; "tight"
 * close to the values.
 */
export type AxisRule = 'root' | 'tight';

/**
 * The ROOT version whose rules expressions follow. The square root of a negative number is NaN since 6.42; with "6.40"
 * it is the square root of the absolute value. Default: "6.42".
 */
export type RulesOfRoot = '6.40' | '6.42';

/**
 * Meaning of the errors of a profile, as in TProfile's error option: "" the error of the mean; "s" the spread of the
 * values; "i" the error of the mean, with 1/sqrt(12) if all values are the same integer; "g" one over the square root
 * of the sum of weights.
 */
export type ProfileErrors = '' | 's' | 'i' | 'g';

/** A histogram with one to three axes, filled as by TH1, or a profile. */
export interface Histogram {
  kind: 'histogram';
  title: string;
  /** The seed, if the expressions or the cut have `rndm`. */
  seed?: number | undefined;
  /** Sentences about the drawing, for example that it pairs lists of different lengths by index. */
  notes?: string[] | undefined;
  /** The name after ">>". Default: "htemp". */
  name: string;
  profile: boolean;
  /** The axes with bins, x first. */
  axes: {
    title: string;
    /** The unit of the values, if the expression is only a branch whose documentation ends with one. */
    unit?: string | undefined;
    bins: number;
    low: number;
    high: number;
    /** The edges of all bins if their widths differ, as in some stored histograms: ascending, `bins` + 1 numbers. */
    edges?: Float64Array | undefined;
    /** For an axis of strings: the label of each bin, in the order in which the strings occur in the tree. */
    labels?: string[] | undefined;
    /** For an axis of categories that a selector filled: the type of its values. */
    category?: 'text' | 'whole' | 'boolean' | undefined;
    /**
     * Bins that a stored axis shows (TAxis::SetRange), over which the statistics are computed. 0 and `bins` + 1 are
     * under- and overflow.
     */
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
  /** For a profile the averaged expression; for a stored histogram the title of the axis of contents. */
  valueTitle?: string | undefined;
  /**
   * Sums of weights of each cell, including under- and overflow (cells 0 and bins+1 of each axis); x varies fastest. In
   * a profile, sums of weight times value.
   */
  sums: Float64Array;
  /** Sums of squared weights. In a profile, sums of weight times squared value. */
  squares: Float64Array;
  /** For a profile: sums of weights, and of squared weights. */
  weights?: Float64Array | undefined;
  weights2?: Float64Array | undefined;
  /** For a profile: the meaning of its errors, and the mean and error of each cell. */
  errorOption?: ProfileErrors | undefined;
  means?: Float64Array | undefined;
  errors?: Float64Array | undefined;
  /** Number of fills in all cells (TH1::GetEntries). */
  fills: number;
  /** Number of requested tree entries. */
  entries: number;
  /** Number of fills with a NaN coordinate. They are also counted as overflow. */
  nan: number;
  /**
   * For values in the range of all axes: sum of weights, effective entries, and mean and standard deviation of each
   * coordinate.
   */
  weight: number;
  effective: number;
  mean: number[];
  stdDev: number[];
  /** Minimum and maximum of the finite values of each coordinate, also outside the range. NaN if there are none. */
  min: number[];
  max: number[];
  /** For each coordinate: whether all values are integers by their type, so that ROOT chooses bins for integers. */
  integer: boolean[];
  /** Covariance of the first two coordinates; 0 if there is only one. */
  covariance: number;
  /**
   * Sums as ROOT accumulates them while filling: of w, w^2, w*x, w*x^2, then w*y, w*y^2, w*x*y, then w*z, w*z^2, w*x*z,
   * w*y*z (NaN for the last two in a drawing). For a profile, followed by w*v, w*v^2 of the averaged values v.
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
  /** Number of evaluated entries. */
  entries: number;
  partial?: PartialNote | undefined;
}

export type DrawResult = Histogram | Frequencies | EntryNumbers;

/** One of several results, or the error why it could not be filled. */
export type DrawOutcome = DrawResult | { kind: 'error'; error: ErrorRecord };
