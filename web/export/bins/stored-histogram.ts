import type { Histogram, PlainObject, PlainValue, ProfileErrors } from '../../api/api';
import { corrupt, unsupported } from '../../base/data-errors';
import type { XylemError } from '../../base/errors';
import { profileCells } from '../../measure/profile';
import { number, numbers, record, text } from '../../model/plain-members';
import { type BinAxis, type Moments, momentsOfBins } from './bin-axes';

const HISTOGRAM = /^(TH[123][CSILFD]|TProfile([23]D)?)$/;
const MAX_CELLS = 2 ** 28;
/** By fErrorMode. */
const ERROR_OPTIONS: readonly ProfileErrors[] = ['', 's', 'i', 'g'];

/** The first histogram of a stored THStack, whose bins all of them have; another object itself. */
export function binned(object: PlainObject): PlainObject {
  const list = record(object.fHists)?.arr;
  return (object._typename === 'THStack' && Array.isArray(list) && (list[0] as PlainObject)) || object;
}

/**
 * A stored TH1, TH2, TH3 or TProfile (1 to 3 dimensions), as `object` of a reader gives it, in the form of a drawn one.
 * Its entries are its fills, and it does not know the smallest and the largest value. Throws UNSUPPORTED for an object of
 * another class, and CORRUPT where its members do not fit together.
 */
export function histogramOfObject(object: PlainObject): Histogram {
  const className = object._typename;
  const name = text(object.fName);
  if (!HISTOGRAM.test(className)) {
    throw unsupported(
      `"${name}" is a ${className}: only TH1, TH2, TH3 and TProfile have bins.`,
      'Its members are in the object itself.',
    );
  }
  const profile = className.startsWith('TProfile');
  const dimensions = Number(/[123]/.exec(className)?.[0] ?? 1);
  const all = [object.fXaxis, object.fYaxis, object.fZaxis];
  const axes = all.slice(0, dimensions).flatMap((axis) => axisOf(axis) ?? []);
  const cells = axes.reduce((product, { bins }) => product * (bins + 2), 1);
  const sums = numbers(object.fArray)?.slice();
  if (axes.length < dimensions || cells > MAX_CELLS || sums?.length !== cells) throw misfit(name, className);
  const sumw2 = numbers(object.fSumw2);
  const squares = sumw2?.length === cells ? sumw2.slice() : sums.map(Math.abs);
  const parts = profile ? profileParts(object, { sums, squares }, sumw2) : undefined;
  if (profile && !parts) throw misfit(name, className);
  const entries = number(object.fEntries);
  return {
    kind: 'histogram',
    title: text(object.fTitle),
    name,
    profile,
    axes,
    valueTitle: text(record(all[dimensions])?.fTitle),
    sums,
    squares,
    ...parts,
    fills: entries,
    entries,
    nan: 0,
    ...momentsOf(
      object,
      dimensions + (profile ? 1 : 0),
      axes,
      parts?.weights ?? sums,
      parts?.weights2 ?? squares,
    ),
  };
}

/** TAxis::kAxisRange: the axis shows a part of its bins. */
const AXIS_RANGE = 1 << 11;

/** The bins that the axes of a stored histogram show, x first; the first bin is 1, underflow 0. */
export function shownBinsOf(object: PlainObject): [first: number, last: number][] {
  const dimensions = Number(/[123]/.exec(object._typename)?.[0] ?? 1);
  return [object.fXaxis, object.fYaxis, object.fZaxis].slice(0, dimensions).map((value) => {
    const axis = record(value);
    const all: [number, number] = [1, number(axis?.fNbins)];
    if ((number(axis?.fBits) & AXIS_RANGE) === 0) return all;
    const [first, last] = [number(axis?.fFirst), number(axis?.fLast)];
    // As TAxis::GetFirst and GetLast: under- and overflow may be among them.
    return first >= 0 && last >= first ? [first, Math.min(all[1] + 1, last)] : all;
  });
}

function profileParts(
  object: PlainObject,
  { sums, squares }: Pick<Histogram, 'sums' | 'squares'>,
  sumw2: Float64Array | undefined,
) {
  const weights = numbers(object.fBinEntries)?.slice();
  if (weights?.length !== sums.length || sumw2?.length !== sums.length) return undefined;
  const stored = numbers(object.fBinSumw2);
  const weights2 = stored?.length === sums.length ? stored.slice() : weights.slice();
  const errorOption = ERROR_OPTIONS[number(object.fErrorMode)] ?? '';
  const cells = profileCells({ sums, squares, weights, weights2 }, errorOption);
  return { weights, weights2, errorOption, ...cells };
}

/** As TH1::GetStats: from the stored sums, and from the centres of the bins where these were never filled. */
function momentsOf(
  object: PlainObject,
  dims: number,
  axes: readonly BinAxis[],
  contents: Float64Array,
  squares: Float64Array,
): Moments {
  const weight = number(object.fTsumw);
  if (Number.isNaN(weight) || weight === 0) return momentsOfBins(axes, dims, contents, squares);
  const mean: number[] = [];
  const stdDev: number[] = [];
  for (const axis of ['x', 'y', 'z', 't'].slice(0, dims)) {
    const first = number(object[`fTsumw${axis}`]) / weight;
    mean.push(first);
    stdDev.push(Math.sqrt(Math.max(0, number(object[`fTsumw${axis}2`]) / weight - first * first)));
  }
  const weight2 = number(object.fTsumw2);
  const product = dims > 1 ? number(object.fTsumwxy) / weight : Number.NaN;
  return {
    weight,
    effective: weight2 > 0 ? weight ** 2 / weight2 : 0,
    mean,
    stdDev,
    min: mean.map(() => Number.NaN),
    max: mean.map(() => Number.NaN),
    integer: mean.map(() => false),
    covariance: Number.isFinite(product) ? product - (mean[0] ?? 0) * (mean[1] ?? 0) : 0,
  };
}

function axisOf(value: PlainValue | undefined): BinAxis | undefined {
  const members = record(value);
  const bins = number(members?.fNbins);
  if (members === undefined || !Number.isInteger(bins) || bins < 1 || bins > MAX_CELLS) return undefined;
  const edges = numbers(members.fXbins);
  const labels = labelsOf(members.fLabels, bins);
  return {
    title: text(members.fTitle),
    bins,
    low: number(members.fXmin),
    high: number(members.fXmax),
    ...(edges?.length === bins + 1 && { edges: edges.slice() }),
    ...(labels && { labels }),
  };
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

function misfit(name: string, className: string): XylemError {
  return corrupt(
    `The members of the ${className} "${name}" do not fit together: it has no bins, or other numbers of them than contents.`,
  );
}
