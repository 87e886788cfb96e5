import { toXylemError } from '../../../../../base/errors';
import {
  AUTO_BINS,
  appendBuffer,
  bufferedIn,
  dropBuffer,
  fillBins,
  isOpen,
  takeAxes,
} from '../../../../../bins/buffers';
import { arrayOf, type Members, numberOf, unaddable } from '../../../../../bins/object-values';
import { statisticsOf, sumNames } from '../../../../../bins/statistics';
import { axesOf, binsOf, growsByLabels, histogramClass, labelsOf } from '../../../../../bins/stored-axes';
import { IS_AVERAGE } from '../../../../../bins/stored-histogram';
import type { PrimitiveArray } from '../../../../../core/dtypes';
import { checkLabels, type JoinedAxis, joinAxes, joinLabels, sameBins, setAxis, takeNames } from './axes';

/** Maximum number of bins of a histogram joined from two. */
const MAX_CELLS = 1 << 27;

/**
 * Adds a histogram or profile to another of the same class, as TH1::Merge and TProfile::Merge do: contents, squares
 * of weights, sums over the filled values, and the number of entries. Axes with labels are joined by label, axes of
 * equal bin width with other ranges by position. Values in buffers are filled. `summed`: the first is already a sum.
 * Throws UNSUPPORTED if they cannot be added, for example averages, or bins that do not match. The first then keeps
 * its bins and contents, with its buffer filled.
 */
export function addHistogram(into: Members, other: Members, summed = false): void {
  const kind = histogramClass(String(into._typename));
  if (!kind || into._typename !== other._typename)
    throw unaddable(`A ${String(other._typename)} cannot be added to a ${String(into._typename)}.`);
  const { dimensions, profile } = kind;
  for (const one of [into, other]) checkOne(one);
  const [ownOpen, otherOpen] = [isOpen(into, dimensions), isOpen(other, dimensions)];
  if (ownOpen && otherOpen) {
    appendBuffer(into, other, kind);
    return;
  }
  const isPower = [into, other].map((one) => (numberOf(one, 'fBits') & AUTO_BINS) !== 0);
  if ((ownOpen || otherOpen) && isPower.includes(true))
    throw unaddable('Its bins are not chosen yet, and will have widths of powers of two.');
  const [own, more] = [into, other].map((one) => bufferedIn(one, dimensions, profile));
  if (ownOpen) takeAxes(into, other, kind);
  fillBins(into, own ?? [], profile);
  dropBuffer(into);
  fillBins(otherOpen ? into : other, more ?? [], profile);
  if (!otherOpen) addBins(into, other, kind, summed);
}

function addBins(
  into: Members,
  other: Members,
  { dimensions, profile }: { dimensions: number; profile: boolean },
  summed: boolean,
): void {
  // Both are computed before axes change, because they depend on the positions of bins.
  const sums = statisticsOf(into, dimensions, profile, summed);
  const more = statisticsOf(other, dimensions, profile);
  if (isEmpty(other)) {
    widen(into, other, dimensions);
    return;
  }
  const places = joinAll(into, other, dimensions);
  if (profile) addProfileCells(into, other, places);
  else addCells(into, other, places);
  // Old versions have fewer sums.
  for (const [i, name] of sumNames(dimensions, profile).entries())
    if (into[name] !== undefined) into[name] = (sums[i] ?? 0) + (more[i] ?? 0);
  into.fEntries = numberOf(into, 'fEntries') + numberOf(other, 'fEntries');
}

/** Extends the axes to include those of an empty histogram, if the bins of both match. */
function widen(into: Members, other: Members, dimensions: number): void {
  const named = [into, other].some((one) => axesOf(one, dimensions).some(labelsOf));
  if (named) return;
  try {
    joinAll(into, other, dimensions);
  } catch (thrown) {
    if (toXylemError(thrown).code !== 'UNSUPPORTED') throw thrown;
  }
}

function checkOne(histogram: Members): void {
  const bits = numberOf(histogram, 'fBits');
  if ((bits & IS_AVERAGE) !== 0)
    throw unaddable('It is an average (TH1::kIsAverage), and averages do not add.');
  const cells = arrayOf(histogram, 'fArray').length;
  const kind = histogramClass(String(histogram._typename));
  const axes = axesOf(histogram, kind?.dimensions ?? 1);
  if (!axes.every((axis) => binsOf(axis) >= 1)) throw unaddable('An axis has no bins.');
  const wanted = axes.reduce((product, axis) => product * (binsOf(axis) + 2), 1);
  if (cells !== wanted) throw unaddable(`It has ${cells} bins, and its axes say ${wanted}.`);
  for (const member of ['fSumw2', ...(kind?.profile ? ['fBinEntries', 'fBinSumw2'] : [])]) {
    const { length } = arrayOf(histogram, member);
    if (length !== 0 && length !== cells)
      throw unaddable(`${member} has ${length} values for ${cells} bins.`);
  }
}

/** Whether a histogram has nothing to add, as TH1::IsEmpty. */
function isEmpty(histogram: Members): boolean {
  if (numberOf(histogram, 'fTsumw') !== 0 || numberOf(histogram, 'fEntries') !== 0) return false;
  for (const value of arrayOf(histogram, 'fArray')) if (Number(value) !== 0) return false;
  return true;
}

/**
 * Gives the first histogram the bins of both, and returns the new cell of each cell of the second; undefined if the
 * bins are the same.
 */
function joinAll(into: Members, other: Members, dimensions: number): Int32Array | undefined {
  const own = axesOf(into, dimensions);
  const given = axesOf(other, dimensions);
  const pairs = own.map((axis, i) => [axis, given[i] as Members] as const);
  const isNew = isEmpty(into);
  const byName = pairs.map(
    ([axis, more]) =>
      labelsOf(more) !== undefined && growsByLabels(more) && (labelsOf(axis) ? growsByLabels(axis) : isNew),
  );
  const joined = pairs.map(([axis, more], i): JoinedAxis | undefined => {
    if (byName[i]) return joinLabels(axis, more);
    checkLabels(axis, more);
    return sameBins(axis, more) ? undefined : joinAxes(axis, more);
  });
  if (joined.every((axis) => axis === undefined)) return undefined;
  const sizes = joined.map((axis, i) => (axis?.bins ?? binsOf(own[i] as Members)) + 2);
  const ofOwn = cellsOf(
    joined.map((axis) => axis?.ofOne),
    own.map(binsOf),
    sizes,
  );
  const ofGiven = cellsOf(
    joined.map((axis) => axis?.ofOther),
    given.map(binsOf),
    sizes,
  );
  checkOutside(
    into,
    other,
    joined.map((axis, i) => (byName[i] ? undefined : axis)),
  );
  checkNamed(other, ofGiven);
  const count = sizes.reduce((product, size) => product * size, 1);
  if (count > MAX_CELLS) throw unaddable(`The axes have more than ${MAX_CELLS} bins together.`);
  for (const member of ['fArray', 'fSumw2', 'fBinEntries', 'fBinSumw2'])
    moveCells(into, member, ofOwn, count);
  into.fNcells = count;
  into.fN = count;
  for (const [i, [axis, more]] of pairs.entries()) {
    if (byName[i] && !labelsOf(axis)) takeNames(axis, more);
    const bins = joined[i];
    if (bins) setAxis(axis, bins);
  }
  return ofGiven;
}

/** Returns the new cell of each cell, from the new bin of each bin of the axes; -1 if a bin has none. */
function cellsOf(
  places: readonly (Int32Array | undefined)[],
  bins: readonly number[],
  sizes: readonly number[],
): Int32Array {
  const cells = new Int32Array(bins.reduce((product, count) => product * (count + 2), 1));
  for (let cell = 0; cell < cells.length; cell++) {
    let rest = cell;
    let stride = 1;
    let place = 0;
    for (const [axis, count] of bins.entries()) {
      const bin = rest % (count + 2);
      const next = places[axis]?.[bin] ?? bin;
      place = place < 0 || next < 0 ? -1 : place + next * stride;
      rest = Math.floor(rest / (count + 2));
      stride *= sizes[axis] ?? 1;
    }
    cells[cell] = place;
  }
  return cells;
}

/**
 * Throws UNSUPPORTED if values below or above one range may be within the other, because their bin is then unknown.
 */
function checkOutside(into: Members, other: Members, joined: readonly (JoinedAxis | undefined)[]): void {
  for (const histogram of [into, other]) {
    const axes = axesOf(histogram, joined.length);
    const cells = arrayOf(histogram, 'fArray');
    let stride = 1;
    for (const [i, axis] of axes.entries()) {
      const count = binsOf(axis) + 2;
      const to = joined[i];
      const below = to !== undefined && to.low < numberOf(axis, 'fXmin');
      const above = to !== undefined && to.high > numberOf(axis, 'fXmax');
      for (let cell = 0; (below || above) && cell < cells.length; cell++) {
        const bin = Math.floor(cell / stride) % count;
        if (Number(cells[cell]) === 0 || !((below && bin === 0) || (above && bin === count - 1))) continue;
        throw unaddable('The axes have different limits, and there are values below or above one of them.');
      }
      stride *= count;
    }
  }
}

function checkNamed(other: Members, places: Int32Array): void {
  const cells = arrayOf(other, 'fArray');
  if (places.some((place, cell) => place < 0 && Number(cells[cell]) !== 0))
    throw unaddable('A bin with values has no name, though others have one.');
}

/** Moves the cells of a member. Several cells may be joined to one. */
function moveCells(into: Members, member: string, places: Int32Array, count: number): void {
  const old = arrayOf(into, member);
  if (old.length === 0) return;
  const moved = new (old.constructor as new (length: number) => PrimitiveArray)(count);
  into[member] = moved;
  addTo(moved, old, places);
}

function addCells(into: Members, other: Members, places: Int32Array | undefined): void {
  const cells = arrayOf(into, 'fArray');
  const more = arrayOf(other, 'fArray');
  const squares = arrayOf(other, 'fSumw2');
  if (squares.length > 0 && arrayOf(into, 'fSumw2').length === 0)
    into.fSumw2 = Float64Array.from(cells, (value: number | bigint) => Math.abs(Number(value)));
  if (arrayOf(into, 'fSumw2').length > 0)
    // Without sums of squares each value has the weight 1.
    addTo(arrayOf(into, 'fSumw2'), squares.length > 0 ? squares : more, places);
  addTo(cells, more, places);
}

function addProfileCells(into: Members, other: Members, places: Int32Array | undefined): void {
  const entries = arrayOf(other, 'fBinEntries');
  const squares = arrayOf(other, 'fBinSumw2');
  if (squares.length > 0 && arrayOf(into, 'fBinSumw2').length === 0)
    into.fBinSumw2 = Float64Array.from(arrayOf(into, 'fBinEntries'), Number);
  if (arrayOf(into, 'fBinSumw2').length > 0)
    addTo(arrayOf(into, 'fBinSumw2'), squares.length > 0 ? squares : entries, places);
  for (const member of ['fArray', 'fSumw2', 'fBinEntries'])
    addTo(arrayOf(into, member), arrayOf(other, member), places);
}

/** Adds cells. Integers stop at the largest number of their type, as in TH1C::AddBinContent and similar functions. */
function addTo(cells: PrimitiveArray, more: PrimitiveArray, places: Int32Array | undefined): void {
  if (cells instanceof BigInt64Array || cells instanceof BigUint64Array) {
    const most = (1n << 63n) - 1n;
    for (let i = 0; i < more.length; i++) {
      const to = places?.[i] ?? i;
      const sum = (cells[to] ?? 0n) + BigInt(Math.trunc(Number(more[i] ?? 0)));
      cells[to] = sum > most ? most : sum < -most ? -most : sum;
    }
    return;
  }
  const real = cells instanceof Float32Array || cells instanceof Float64Array;
  const most = real ? Number.POSITIVE_INFINITY : 2 ** (8 * cells.BYTES_PER_ELEMENT - 1) - 1;
  // A TH1F rounds the added value before adding it.
  const rounded = cells instanceof Float32Array ? Math.fround : real ? Number : Math.trunc;
  for (let i = 0; i < more.length; i++) {
    const to = places?.[i] ?? i;
    const sum = (cells[to] ?? 0) + rounded(Number(more[i] ?? 0));
    cells[to] = Math.min(most, Math.max(-most, sum));
  }
}
