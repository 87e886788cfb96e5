import type { PlainObject } from '../api/api';
import { unsupported } from '../base/data-errors';
import { toXylemError } from '../base/errors';
import type { PrimitiveArray } from '../core/dtypes';
import { text } from '../model/plain-members';
import { automaticLimits, extended } from './auto-axis';
import { arrayOf, type Members, numberOf, unaddable } from './object-values';
import { CONSIDER_OVERFLOWS, sumNames } from './statistics';
import { axesOf, binOf, binsOf, growsByLabels, type HistogramKind, histogramClass } from './stored-axes';

/** TH1::kAutoBinPTwo in fBits: bins that ROOT chooses have widths that are powers of two. */
export const AUTO_BINS = 1 << 20;
/** TAxis::kIsInteger in fBits: ROOT chooses bins for integers. */
const WHOLE_NUMBERS = 1 << 22;
/** TH1::kIsNotW in fBits: all weights count as 1. */
const NOT_WEIGHTED = 1 << 19;

/** A value in a buffer: its weight, its coordinates, and the value that a profile averages. */
type Filled = { weight: number; at: number[]; averaged: number };

/** Returns how many numbers of a buffer describe one value. */
function strideOf(dimensions: number, profile: boolean): number {
  return 1 + dimensions + (profile ? 1 : 0);
}

/**
 * Returns the values of TH1::fBuffer that have not been filled into bins. Throws UNSUPPORTED if their number is wrong.
 */
export function bufferedIn(histogram: Members, dimensions: number, profile: boolean): Filled[] {
  const buffer = arrayOf(histogram, 'fBuffer');
  // A negative number means that the values have also been filled into bins.
  const count = Math.max(0, Number(buffer[0] ?? 0));
  const stride = strideOf(dimensions, profile);
  if (!(count * stride + 1 <= Math.max(1, buffer.length)))
    throw unaddable(`Its buffer says ${count} values, and has ${buffer.length} numbers.`);
  return Array.from({ length: count }, (_, i) => {
    const [weight = 0, ...values] = Array.from({ length: stride }, (_, k) =>
      Number(buffer[1 + i * stride + k]),
    );
    return { weight, at: values.slice(0, dimensions), averaged: values[dimensions] ?? 0 };
  });
}

/** Whether an axis has no limits, so that ROOT chooses the bins when the buffer is full. */
export function isOpen(histogram: Members, dimensions: number): boolean {
  return axesOf(histogram, dimensions).some((axis) => !(numberOf(axis, 'fXmin') < numberOf(axis, 'fXmax')));
}

/** Appends the values of a buffer to the buffer of another histogram without bins. */
export function appendBuffer(
  into: Members,
  other: Members,
  { dimensions, profile }: { dimensions: number; profile: boolean },
): void {
  const stride = strideOf(dimensions, profile);
  const [own, more] = [into, other].map((one) => bufferedIn(one, dimensions, profile));
  const all = [...(own ?? []), ...(more ?? [])];
  const buffer = arrayOf(into, 'fBuffer').slice() as Float64Array;
  if (all.length * stride >= buffer.length)
    throw unaddable(`Its bins are not chosen yet, and ${all.length} values do not fit into its buffer.`);
  buffer[0] = all.length;
  for (const [i, { weight, at, averaged }] of all.entries())
    buffer.set([weight, ...at, ...(profile ? [averaged] : [])], 1 + i * stride);
  into.fBuffer = buffer;
}

/** Fills the values of a buffer into the bins of a histogram, as TH1::Fill does. */
export function fillBins(into: Members, values: readonly Filled[], profile: boolean): void {
  const dimensions = values[0]?.at.length ?? 0;
  const axes = axesOf(into, dimensions);
  if (values.some(({ at }) => axes.some((axis, i) => growsByLabels(axis) && isBeyond(axis, at[i]))))
    throw unaddable('A value in its buffer lies beyond its axis, which can be extended.');
  const [least, most] = rangeOf(into, dimensions);
  const sums = sumNames(dimensions, profile);
  const cells = arrayOf(into, 'fArray');
  for (const { weight, at, averaged } of values) {
    if (profile && least !== most && !(averaged >= least && averaged <= most)) continue;
    let cell = 0;
    let stride = 1;
    let outside = false;
    for (const [i, axis] of axes.entries()) {
      const bin = binOf(axis, at[i] ?? 0);
      outside ||= bin < 1 || bin > binsOf(axis);
      cell += bin * stride;
      stride *= binsOf(axis) + 2;
    }
    into.fEntries = numberOf(into, 'fEntries') + 1;
    const member = profile ? 'fBinSumw2' : 'fSumw2';
    const weighs = weight !== 1 && (numberOf(into, 'fBits') & NOT_WEIGHTED) === 0;
    if (weighs && arrayOf(into, member).length === 0) {
      const known = profile ? arrayOf(into, 'fBinEntries') : cells;
      into[member] = Float64Array.from({ length: cells.length }, (_, i) => Math.abs(Number(known[i])));
    }
    if (arrayOf(into, member).length > 0) addAt(arrayOf(into, member), cell, weight * weight);
    if (profile) {
      addAt(arrayOf(into, 'fSumw2'), cell, weight * averaged * averaged);
      addAt(arrayOf(into, 'fBinEntries'), cell, weight);
    }
    addAt(cells, cell, profile ? weight * averaged : weight);
    if (outside && numberOf(into, 'fStatOverflows') !== CONSIDER_OVERFLOWS) continue;
    const [x = 0, y = 0, z = 0] = at;
    const w = weight;
    const more = [
      ...[w, w * w, w * x, w * x * x],
      ...(dimensions > 1 ? [w * y, w * y * y, w * x * y] : []),
      ...(dimensions > 2 ? [w * z, w * z * z, w * x * z, w * y * z] : []),
      ...(profile ? [w * averaged, w * averaged * averaged] : []),
    ];
    for (const [i, name] of sums.entries())
      if (into[name] !== undefined) into[name] = numberOf(into, name) + (more[i] ?? 0);
  }
}

function isBeyond(axis: Members, value = Number.NaN): boolean {
  return Number.isFinite(value) && !(value >= numberOf(axis, 'fXmin') && value < numberOf(axis, 'fXmax'));
}

/** Returns the smallest and the largest value that a profile averages. Both are equal if there is no limit. */
function rangeOf(profile: Members, dimensions: number): [number, number] {
  const axis = ['fY', 'fZ', 'fT'][dimensions - 1] ?? '';
  return [numberOf(profile, `${axis}min`), numberOf(profile, `${axis}max`)];
}

/** Adds to a cell. Integers are limited to the range of their type. */
function addAt(cells: PrimitiveArray, at: number, value: number): void {
  if (cells instanceof BigInt64Array || cells instanceof BigUint64Array) {
    cells[at] = (cells[at] ?? 0n) + BigInt(Math.trunc(value));
    return;
  }
  const real = cells instanceof Float32Array || cells instanceof Float64Array;
  const most = real ? Number.POSITIVE_INFINITY : 2 ** (8 * cells.BYTES_PER_ELEMENT - 1) - 1;
  // A TH1F rounds a value before adding it.
  const more = cells instanceof Float32Array ? Math.fround(value) : real ? value : Math.trunc(value);
  const sum = (cells[at] ?? 0) + more;
  cells[at] = Math.min(most, Math.max(-most, sum));
}

/** Copies the axes of another histogram to one without bins, and makes its bins empty. */
export function takeAxes(
  into: Members,
  other: Members,
  { dimensions, profile }: { dimensions: number; profile: boolean },
): void {
  const { length } = arrayOf(other, 'fArray');
  for (const [i, axis] of axesOf(into, dimensions).entries()) {
    const given = axesOf(other, dimensions)[i] as Members;
    axis.fFirst = 1;
    axis.fLast = binsOf(axis);
    for (const name of ['fNbins', 'fXmin', 'fXmax']) axis[name] = numberOf(given, name);
    axis.fXbins = arrayOf(given, 'fXbins').slice();
  }
  const cells = arrayOf(into, 'fArray');
  into.fArray = new (cells.constructor as new (length: number) => PrimitiveArray)(length);
  into.fN = length;
  into.fNcells = length;
  for (const name of profile ? ['fSumw2', 'fBinEntries', 'fBinSumw2'] : ['fSumw2'])
    if (arrayOf(into, name).length > 0) into[name] = new Float64Array(length);
}

/** Removes the buffer of a histogram whose values are in its bins. */
export function dropBuffer(histogram: Members): void {
  if (histogram.fBuffer !== undefined) histogram.fBuffer = new Float64Array(0);
  if (histogram.fBufferSize !== undefined) histogram.fBufferSize = 0;
}

/**
 * Returns a stored histogram with the values of its buffer filled into its bins, as TH1::BufferEmpty does. An object
 * without such values, or of another class, is returned unchanged. Throws UNSUPPORTED if the bins are not chosen and
 * cannot be chosen here.
 */
export function emptied(object: PlainObject): PlainObject {
  const kind = histogramClass(object._typename);
  // A negative number means that the values have also been filled into bins.
  if (!kind || !(Number(firstOf(object.fBuffer)) > 0)) return object;
  try {
    return withoutBuffer(object, kind);
  } catch (thrown) {
    const { code, message } = toXylemError(thrown);
    if (code !== 'UNSUPPORTED') throw thrown;
    throw unsupported(
      `Values of the ${object._typename} "${text(object.fName)}" are still in its buffer, and cannot be put into bins. ${message}`,
      'Read it with ROOT, and write it again after a call of BufferEmpty.',
    );
  }
}

/** As `emptied`, but returns the stored object if its bins cannot be chosen here. */
export function emptiedIfPossible(object: PlainObject): PlainObject {
  try {
    return emptied(object);
  } catch {
    return object;
  }
}

function firstOf(list: PlainObject[string] | undefined): unknown {
  return ArrayBuffer.isView(list) || Array.isArray(list) ? (list as ArrayLike<unknown>)[0] : undefined;
}

/** Members that filling changes. */
const CELLS = ['fArray', 'fSumw2', 'fBinEntries', 'fBinSumw2'];

function withoutBuffer(object: PlainObject, { dimensions, profile }: HistogramKind): PlainObject {
  const copy: Members = { ...object };
  for (const name of CELLS) if (copy[name] !== undefined) copy[name] = arrayOf(copy, name).slice();
  const axes = axesOf(copy, dimensions).map((axis): Members => ({ ...axis }));
  for (const [i, axis] of axes.entries()) copy[['fXaxis', 'fYaxis', 'fZaxis'][i] ?? ''] = axis;
  const cells = axes.reduce((product, axis) => product * (binsOf(axis) + 2), 1);
  if (!axes.every((axis) => binsOf(axis) >= 1) || arrayOf(copy, 'fArray').length !== cells)
    throw unaddable('It has other numbers of bins than contents.');
  for (const name of CELLS.slice(1))
    if (![0, cells].includes(arrayOf(copy, name).length))
      throw unaddable(`${name} has another number of them.`);
  const values = bufferedIn(copy, dimensions, profile);
  chooseBins(copy, axes, values, profile);
  fillBins(copy, values, profile);
  dropBuffer(copy);
  return { ...copy, _typename: object._typename };
}

/**
 * Chooses the limits of axes that have none, as THLimitsFinder does for the values of the buffer. Extends axes that can
 * be extended until they contain these values, as TH1::BufferEmpty does.
 */
function chooseBins(
  histogram: Members,
  axes: readonly Members[],
  values: readonly Filled[],
  profile: boolean,
): void {
  const open = isOpen(histogram, axes.length);
  if (!open && !axes.every(growsByLabels)) return;
  if (open && (numberOf(histogram, 'fBits') & AUTO_BINS) !== 0)
    throw unaddable('Its bins will have widths of powers of two, which only ROOT chooses.');
  const chosen = axes.map((axis, i) => {
    const known = { bins: binsOf(axis), low: numberOf(axis, 'fXmin'), high: numberOf(axis, 'fXmax') };
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { at } of values) {
      const value = at[i] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (!(least <= most)) throw unaddable('None of them is a number within limits.');
    // If one axis of a profile has no limits, all of them are chosen.
    if (open && known.low < known.high && !profile) return known;
    if (!open) return extended(extended(known, least), most);
    return automaticLimits(known.bins, least, most, (numberOf(axis, 'fBits') & WHOLE_NUMBERS) !== 0);
  });
  const isSame = chosen.every(
    ({ bins, low, high }, i) =>
      bins === binsOf(axes[i] as Members) &&
      low === numberOf(axes[i] as Members, 'fXmin') &&
      high === numberOf(axes[i] as Members, 'fXmax'),
  );
  if (isSame) return;
  for (const name of CELLS)
    for (const content of arrayOf(histogram, name))
      if (Number(content) !== 0)
        throw unaddable('Its axis has to be extended, and its bins have contents already.');
  for (const [i, { bins, low, high }] of chosen.entries())
    Object.assign(axes[i] as Members, { fNbins: bins, fXmin: low, fXmax: high, fXbins: new Float64Array(0) });
  const count = chosen.reduce((product, { bins }) => product * (bins + 2), 1);
  for (const name of CELLS) {
    const cells = arrayOf(histogram, name);
    if (cells.length > 0)
      histogram[name] = new (cells.constructor as new (n: number) => PrimitiveArray)(count);
  }
  histogram.fNcells = count;
  if (histogram.fN !== undefined) histogram.fN = count;
}
