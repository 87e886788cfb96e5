import { arrayOf, type Members, numberOf, objectOf, unaddable } from '../../../../../bins/object-values';
import { AXIS_RANGE, binsOf, centreOf, labelsOf, widthOf } from '../../../../../bins/stored-axes';

/** Two bin edges are equal if they differ by less than this fraction of a bin. */
const SAME = 1e-10;
/** Tolerance for numbers of bins to be whole. */
const WHOLE = 1e-8;
/** Maximum number of bins of an axis joined from two. */
const MAX_BINS = 0x7fffff;

/** Whether two axes have the same bins. */
export function sameBins(one: Members, other: Members): boolean {
  const bins = binsOf(one);
  if (bins !== binsOf(other)) return false;
  const near = (a: number, b: number) => Math.abs(a - b) <= SAME * Math.abs(widthOf(one));
  if (!near(numberOf(one, 'fXmin'), numberOf(other, 'fXmin'))) return false;
  if (!near(numberOf(one, 'fXmax'), numberOf(other, 'fXmax'))) return false;
  // Bins of equal width are the same if their limits are.
  const edges = [one, other].some((axis) => arrayOf(axis, 'fXbins').length > 0);
  for (let bin = 1; edges && bin <= bins; bin++)
    if (!near(centreOf(one, bin), centreOf(other, bin))) return false;
  return true;
}

/** The axis with the bins of two axes, and the new index of each bin of either. */
export interface JoinedAxis {
  bins: number;
  low: number;
  high: number;
  /** fLast of the axis. It is not used while no range is set. Undefined does not change it. */
  last: number | undefined;
  ofOne: Int32Array;
  ofOther: Int32Array;
  /** Labels that the first axis does not have, and their bins. */
  names?: [label: string, bin: number][];
}

/**
 * Joins two axes of equal bin width with different ranges that match where they overlap. The wider bins are used if
 * they are a whole number of the narrower ones. Both ends become bin edges. Throws UNSUPPORTED if there are no such
 * bins.
 */
export function joinAxes(one: Members, other: Members): JoinedAxis {
  if (arrayOf(one, 'fXbins').length > 0 || arrayOf(other, 'fXbins').length > 0)
    throw unaddable(`The axes ${limits(one)} and ${limits(other)} have bins of different widths.`);
  if (labelsOf(one) || labelsOf(other))
    throw unaddable('Only one of the histograms has names of bins, and it has another number of them.');
  const width = Math.max(widthOf(one), widthOf(other));
  const begin = numberOf(width === widthOf(one) ? one : other, 'fXmin');
  const steps = (from: number, to: number) => upToWhole((to - from) / width);
  const low = begin - width * steps(Math.min(numberOf(one, 'fXmin'), numberOf(other, 'fXmin')), begin);
  const bins = steps(low, Math.max(numberOf(one, 'fXmax'), numberOf(other, 'fXmax')));
  const fits = [one, other].every((axis) => {
    const own = widthOf(axis);
    return isWhole(width / own) && isWhole((numberOf(axis, 'fXmin') - low) / own);
  });
  if (!(width > 0) || !fits || !(bins <= MAX_BINS))
    throw unaddable(`The bins of the axes ${limits(one)} and ${limits(other)} do not lie on each other.`);
  const placesOf = (axis: Members) =>
    Int32Array.from({ length: binsOf(axis) + 2 }, (_, bin) =>
      bin === 0 ? 0 : bin > binsOf(axis) ? bins + 1 : 1 + Math.floor((centreOf(axis, bin) - low) / width),
    );
  const high = low + width * bins;
  return { bins, low, high, last: binsOf(one), ofOne: placesOf(one), ofOther: placesOf(other) };
}

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) <= WHOLE;
/** Rounds up; a value within the tolerance of a whole number is rounded to it. */
const upToWhole = (value: number): number => (isWhole(value) ? Math.round(value) : Math.ceil(value));

function limits(axis: Members): string {
  return `${binsOf(axis)} bins from ${numberOf(axis, 'fXmin')} to ${numberOf(axis, 'fXmax')}`;
}

/**
 * Joins two axes with labels: bins with the same label become one, and new labels follow the known ones. As in ROOT,
 * the number of bins and the range are doubled until they are sufficient. An axis without labels counts as one with
 * none yet. Throws UNSUPPORTED for an axis without bins, and if there are too many.
 */
export function joinLabels(one: Members, other: Members): JoinedAxis {
  const known = labelsOf(one) ?? new Map<number, string>();
  const named = labelsOf(other) ?? new Map<number, string>();
  const binOf = new Map([...known].map(([bin, label]) => [label, bin]));
  const names: [string, number][] = [];
  let bins = binsOf(one);
  if (!(bins > 0)) throw unaddable('An axis with names has no bins.');
  let last = bins === binsOf(other) ? undefined : bins;
  let highest = 0;
  for (const bin of known.keys()) highest = Math.max(highest, bin);
  let high = numberOf(one, 'fXmax');
  const low = numberOf(one, 'fXmin');
  const ofOther = new Int32Array(binsOf(other) + 2).fill(-1);
  ofOther[0] = 0;
  for (const [bin, label] of [...named].sort(([a], [b]) => a - b)) {
    let place = binOf.get(label);
    if (place === undefined) {
      place = ++highest;
      binOf.set(label, place);
      names.push([label, place]);
    }
    if (place > MAX_BINS) throw unaddable(`The axes have more than ${MAX_BINS} bins together.`);
    while (place > bins) {
      last = bins;
      bins *= 2;
      high = low + 2 * (high - low);
    }
    if (bin > 0 && bin < ofOther.length) ofOther[bin] = place;
  }
  ofOther[binsOf(other) + 1] = bins + 1;
  const ofOne = Int32Array.from({ length: binsOf(one) + 2 }, (_, bin) =>
    bin > binsOf(one) ? bins + 1 : bin,
  );
  return { bins, low, high, last, ofOne, ofOther, names };
}

function addLabel(items: Members, label: string, bin: number): void {
  if (!Array.isArray(items.arr)) throw unaddable('The names of bins are not a list.');
  items.arr.push({ _typename: 'TObjString', fUniqueID: bin, fBits: 0, fString: label });
  if (Array.isArray(items.opt)) items.opt.push('');
}

/** Throws UNSUPPORTED if bins with the same index have different labels. */
export function checkLabels(one: Members, other: Members): void {
  const known = labelsOf(one);
  for (const [bin, label] of labelsOf(other) ?? []) {
    const own = known?.get(bin);
    if (own !== undefined && own !== label)
      throw unaddable(`Bin ${bin} is called "${own}" in one histogram and "${label}" in the other.`);
  }
}

/** Sets new bins of an axis, and resets it to its whole range. */
export function setAxis(axis: Members, { bins, low, high, last, names = [] }: JoinedAxis): void {
  for (const [label, bin] of names) addLabel(objectOf(axis, 'fLabels'), label, bin);
  axis.fNbins = bins;
  axis.fXmin = low;
  axis.fXmax = high;
  if (last === undefined) return;
  axis.fFirst = 1;
  axis.fLast = last;
  axis.fBits = numberOf(axis, 'fBits') & ~AXIS_RANGE;
}

/** Converts an axis without labels to one with labels, like another axis. */
export function takeNames(axis: Members, other: Members): void {
  axis.fBits2 = numberOf(other, 'fBits2');
  axis.fLabels = { ...objectOf(other, 'fLabels'), arr: [], opt: [] };
}
