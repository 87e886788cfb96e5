import type { PlainObject, PlainValue } from '../api/api';
import { XylemError } from '../base/errors';
import { number, numbers, record } from '../model/plain-members';

/** An axis of a stored histogram. */
export interface StoredAxis {
  title: string;
  bins: number;
  /** Length: bins + 1, ascending. */
  edges: Float64Array;
  /** Names of the bins (TAxis::SetBinLabel), "" where one has none; missing where none has. */
  labels?: string[] | undefined;
}

/** A stored histogram or profile as plain numbers. */
export interface StoredHistogram {
  name: string;
  title: string;
  className: string;
  /** Whether it is a profile, in which each bin has an average. */
  profile: boolean;
  /** x first. */
  axes: StoredAxis[];
  /**
   * TH1::GetBinContent of each cell with under- and overflow: bins + 2 of each axis, x running fastest. Of a
   * profile the means; 0 where nothing was filled.
   */
  contents: Float64Array;
  /** TH1::GetBinError, likewise. */
  errors: Float64Array;
  /** TH1::GetEntries. */
  entries: number;
}

const HISTOGRAM = /^(TH[123][CSILFD]|TProfile([23]D)?)$/;
const MAX_CELLS = 2 ** 28;

/**
 * The edges, contents and errors of a TH1, TH2, TH3 or TProfile (1 to 3 dimensions), as `object` of a reader
 * gives it. Throws UNSUPPORTED for an object of another class, and CORRUPT where its members do not fit together.
 */
export function storedHistogram(object: PlainObject): StoredHistogram {
  const className = object._typename;
  const name = text(object.fName);
  if (!HISTOGRAM.test(className)) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `"${name}" is a ${className}: only TH1, TH2, TH3 and TProfile have bins.`,
      fix: 'Its members are in the object itself.',
    });
  }
  const profile = className.startsWith('TProfile');
  const dimensions = Number(/[123]/.exec(className)?.[0] ?? 1);
  const axes = [object.fXaxis, object.fYaxis, object.fZaxis].slice(0, dimensions).map(axisOf);
  const cells = axes.reduce((product, axis) => product * ((axis?.bins ?? 0) + 2), 1);
  const sums = numbers(object.fArray);
  const whole = axes.filter((axis) => axis !== undefined);
  if (whole.length < axes.length || cells > MAX_CELLS || sums?.length !== cells) {
    throw corrupt(name, className);
  }
  const found = {
    name,
    title: text(object.fTitle),
    className,
    profile,
    axes: whole,
    entries: number(object.fEntries),
  };
  const squares = numbers(object.fSumw2);
  if (!profile) {
    const errors =
      squares?.length === cells ? squares.map(root) : sums.map((sum) => Math.sqrt(Math.abs(sum)));
    return { ...found, contents: sums.slice(), errors };
  }
  const weights = numbers(object.fBinEntries);
  if (weights?.length !== cells || squares?.length !== cells) throw corrupt(name, className);
  const weights2 = numbers(object.fBinSumw2);
  const mode = number(object.fErrorMode);
  const contents = sums.map((sum, i) => (weights[i] ? sum / weights[i] : 0));
  const errors = contents.map((mean, i) =>
    profileError(mean, weights[i] ?? 0, squares[i] ?? 0, weights2?.[i] ?? 0, mode),
  );
  return { ...found, contents, errors };
}

/** TProfile::GetBinError: `mode` is fErrorMode (0 mean, 1 spread, 2 integers, 3 weights as 1/variance). */
function profileError(mean: number, weight: number, square: number, weight2: number, mode: number): number {
  if (weight === 0) return 0;
  if (mode === 3) return 1 / Math.sqrt(weight);
  const spread = Math.sqrt(Math.abs(square / weight - mean * mean));
  if (mode === 1) return spread;
  const effective = weight2 > 0 ? (weight * weight) / weight2 : weight;
  if (mode === 2 && spread === 0) return 1 / Math.sqrt(12 * effective);
  return spread / Math.sqrt(effective);
}

function axisOf(value: PlainValue | undefined): StoredAxis | undefined {
  const members = record(value);
  const bins = number(members?.fNbins);
  if (members === undefined || !Number.isInteger(bins) || bins < 1 || bins > MAX_CELLS) return undefined;
  const [low, high] = [number(members.fXmin), number(members.fXmax)];
  const given = numbers(members.fXbins);
  const edges =
    given?.length === bins + 1
      ? given.slice()
      : Float64Array.from({ length: bins + 1 }, (_, i) =>
          i === bins ? high : low + i * ((high - low) / bins),
        );
  const labels = labelsOf(members.fLabels, bins);
  return { title: text(members.fTitle), bins, edges, ...(labels && { labels }) };
}

/** A label's unique ID is the number of its bin, the first being 1. */
function labelsOf(list: PlainValue | undefined, bins: number): string[] | undefined {
  const items = record(list)?.arr;
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const labels = new Array<string>(bins).fill('');
  for (const item of items) {
    const bin = number(record(item)?.fUniqueID);
    if (bin >= 1 && bin <= bins) labels[bin - 1] = text(record(item)?.fString);
  }
  return labels;
}

function root(square: number): number {
  return Math.sqrt(Math.max(0, square));
}

function text(value: PlainValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function corrupt(name: string, className: string): XylemError {
  return new XylemError({
    code: 'CORRUPT',
    message: `The members of the ${className} "${name}" do not fit together: it has no bins, or other numbers of them than contents.`,
  });
}
