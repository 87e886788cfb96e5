import type { PrimitiveArray } from '../../../core/dtypes';
import { arrayOf, type Members, numberOf, unaddable } from '../object-values';
import { axesOf, binOf, binsOf, growsByLabels } from './axes';
import { CONSIDER_OVERFLOWS, sumNames } from './statistics';

/** TH1::kIsNotW in fBits: weights of 1 in any case. */
const NOT_WEIGHTED = 1 << 19;

/** A value of a buffer: its weight, its place on each axis, and what a profile averages. */
type Filled = { weight: number; at: number[]; averaged: number };

/** Numbers of a buffer for one value. */
function strideOf(dimensions: number, profile: boolean): number {
  return 1 + dimensions + (profile ? 1 : 0);
}

/** The values that a histogram was filled with, but that are not in its bins yet: TH1::fBuffer. */
export function bufferedIn(histogram: Members, dimensions: number, profile: boolean): Filled[] {
  const buffer = arrayOf(histogram, 'fBuffer');
  // A negative number says that they are in the bins, too.
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

/** Whether bins are chosen when the buffer is full: an axis has no limits. */
export function isOpen(histogram: Members, dimensions: number): boolean {
  return axesOf(histogram, dimensions).some((axis) => !(numberOf(axis, 'fXmin') < numberOf(axis, 'fXmax')));
}

/** Appends the values of a buffer to those of another, of a histogram that has no bins either. */
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

/** Puts the values of a buffer into the bins of a histogram, as TH1::Fill does. */
export function fillBins(into: Members, values: readonly Filled[], profile: boolean): void {
  const dimensions = values[0]?.at.length ?? 0;
  const axes = axesOf(into, dimensions);
  if (values.length > 0 && axes.some(growsByLabels))
    throw unaddable('Its bins are not chosen yet, and its axis can be extended.');
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

/** Least and largest value that a profile averages; the same where there is no limit. */
function rangeOf(profile: Members, dimensions: number): [number, number] {
  const axis = ['fY', 'fZ', 'fT'][dimensions - 1] ?? '';
  return [numberOf(profile, `${axis}min`), numberOf(profile, `${axis}max`)];
}

/** Adds to a cell; integers stop at the largest number of their type. */
function addAt(cells: PrimitiveArray, at: number, value: number): void {
  if (cells instanceof BigInt64Array || cells instanceof BigUint64Array) {
    cells[at] = (cells[at] ?? 0n) + BigInt(Math.trunc(value));
    return;
  }
  const real = cells instanceof Float32Array || cells instanceof Float64Array;
  const most = real ? Number.POSITIVE_INFINITY : 2 ** (8 * cells.BYTES_PER_ELEMENT - 1) - 1;
  const sum = (cells[at] ?? 0) + (real ? value : Math.trunc(value));
  cells[at] = Math.min(most, Math.max(-most, sum));
}

/** Makes the axes of a histogram that has no bins yet those of another one, with empty bins. */
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

/** Drops the buffer of a histogram, whose values are in its bins. */
export function dropBuffer(histogram: Members): void {
  if (histogram.fBuffer !== undefined) histogram.fBuffer = new Float64Array(0);
  if (histogram.fBufferSize !== undefined) histogram.fBufferSize = 0;
}
