import type { PlainValue } from '../api/api';
import type { TapeValue } from '../core/tape';
import { number, numbers, record, text } from '../model/plain-members';
import type { BinAxis, Bins } from './bin-axes';
import { arrayOf, type Members, numberOf, objectOf, unaddable } from './object-values';

/** TAxis::kCanExtend in fBits2. */
export const CAN_EXTEND = 2;
/** TAxis::kAxisRange in fBits: only the bins fFirst to fLast are shown. */
export const AXIS_RANGE = 1 << 11;

export interface HistogramKind {
  dimensions: number;
  profile: boolean;
}

/** Returns the kind of histogram for a class name; undefined for other classes. */
export function histogramClass(name: string): HistogramKind | undefined {
  const plain = /^TH([123])[CSILFD]$/.exec(name);
  if (plain) return { dimensions: Number(plain[1]), profile: false };
  const profile = /^TProfile(?:([23])D)?$/.exec(name);
  return profile ? { dimensions: Number(profile[1] ?? 1), profile: true } : undefined;
}

/** Returns the stored axes of a histogram. */
export function axesOf(histogram: Members, dimensions: number): Members[] {
  return ['fXaxis', 'fYaxis', 'fZaxis'].slice(0, dimensions).map((member) => objectOf(histogram, member));
}

export function binsOf(axis: Members): number {
  return numberOf(axis, 'fNbins');
}

/** Returns the bin width of an axis, or the mean width if the bins differ. */
export function widthOf(axis: Members): number {
  return (numberOf(axis, 'fXmax') - numberOf(axis, 'fXmin')) / binsOf(axis);
}

/**
 * Returns the centre of a bin, counted from 1, as TAxis::GetBinCenter does. Bins 0 and `bins + 1` have the mean bin
 * width.
 */
export function binCentre({ bins, low, high, edges }: Bins, bin: number): number {
  if (!edges || bin < 1 || bin > bins) return low + ((bin - 0.5) * (high - low)) / bins;
  const [from = 0, to = 0] = [edges[bin - 1], edges[bin]];
  return from + 0.5 * (to - from);
}

/** As `binCentre`, for a stored axis. */
export function centreOf(axis: Members, bin: number): number {
  const edges = arrayOf(axis, 'fXbins') as Float64Array;
  const [low, high] = [numberOf(axis, 'fXmin'), numberOf(axis, 'fXmax')];
  return binCentre({ bins: binsOf(axis), low, high, edges: edges.length > 0 ? edges : undefined }, bin);
}

/**
 * Returns the bin of a value, as TAxis::FindFixBin does since ROOT 6.38: 0 below the axis, number of bins + 1 above it.
 * The bin always contains the value.
 */
export function binOf(axis: Members, value: number): number {
  const bins = binsOf(axis);
  const [low, high] = [numberOf(axis, 'fXmin'), numberOf(axis, 'fXmax')];
  if (value < low) return 0;
  if (!(value < high)) return bins + 1;
  const edges = arrayOf(axis, 'fXbins');
  if (edges.length === 0) {
    const found = 1 + Math.trunc((bins * (value - low)) / (high - low));
    const width = (high - low) / bins;
    if (value < low + (found - 1) * width) return found - 1;
    return found < bins && value >= low + found * width ? found + 1 : found;
  }
  // Finds the first bin whose upper edge is above the value.
  let [bin, last] = [1, bins];
  while (bin < last) {
    const middle = (bin + last) >> 1;
    if (Number(edges[middle]) <= value) bin = middle + 1;
    else last = middle;
  }
  return bin;
}

/** Returns the labels of bins by bin number; undefined if there are none. */
export function labelsOf(axis: Members): Map<number, string> | undefined {
  const list = axis.fLabels;
  if (list === null || list === undefined) return undefined;
  const items = objectOf(axis, 'fLabels').arr;
  if (!Array.isArray(items)) throw unaddable('The names of bins are not a list.');
  return new Map(items.map((item) => [numberOf(item as Members, 'fUniqueID'), textOf(item)]));
}

function textOf(item: TapeValue): string {
  return String((item as Members).fString ?? '');
}

/**
 * Whether an axis accepts new labels while it is filled (TAxis::CanExtend). The order of its bins then has no meaning.
 */
export function growsByLabels(axis: Members): boolean {
  return (numberOf(axis, 'fBits2') & CAN_EXTEND) !== 0;
}

/** Maximum number of bins of an axis. */
const MAX_BINS = 2 ** 28;

/** Returns a stored TAxis; undefined if it has no bins, or more than `MAX_BINS`. */
export function storedAxis(value: PlainValue | undefined): BinAxis | undefined {
  const members = record(value);
  const bins = number(members?.fNbins);
  if (members === undefined || !Number.isInteger(bins) || bins < 1 || bins > MAX_BINS) return undefined;
  const edges = numbers(members.fXbins);
  const labels = namesOf(members.fLabels, bins);
  const shown = shownOf(members, bins);
  return {
    title: text(members.fTitle),
    bins,
    low: number(members.fXmin),
    high: number(members.fXmax),
    ...(edges?.length === bins + 1 && { edges: edges.slice() }),
    ...(labels && { labels, grows: (number(members.fBits2) & CAN_EXTEND) !== 0 }),
    ...(shown && { shown }),
    ...(members.fTimeDisplay === true && { time: text(members.fTimeFormat) }),
  };
}

/** Returns TAxis::GetFirst and GetLast, which may include under- and overflow; undefined if all bins are shown. */
function shownOf(axis: { [member: string]: PlainValue }, bins: number): [number, number] | undefined {
  if ((number(axis.fBits) & AXIS_RANGE) === 0) return undefined;
  const [first, last] = [number(axis.fFirst), number(axis.fLast)];
  return first >= 0 && last >= first ? [first, Math.min(bins + 1, last)] : undefined;
}

/** Returns the labels of bins. The unique ID of a label is its bin number, counted from 1 (TAxis::SetBinLabel). */
function namesOf(list: PlainValue | undefined, bins: number): string[] | undefined {
  const items = record(list)?.arr;
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const labels = new Array<string>(bins).fill('');
  for (const item of items) {
    const bin = number(record(item)?.fUniqueID);
    if (bin >= 1 && bin <= bins) labels[bin - 1] = text(record(item)?.fString);
  }
  return labels;
}
