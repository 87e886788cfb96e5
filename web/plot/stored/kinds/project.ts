import type { PlainObject, PlainValue } from '../../../api/api';
import { overBudget } from '../../../base/data-errors';
import { argumentError, type XylemError } from '../../../base/errors';
import { hasManyAxes } from '../classes';
import { label, number, numbers, record } from '../members';
import { axis } from '../stored-axis';

/** Cells of one projection, and filled bins of what is projected. */
const MAX_CELLS = 4_000_000;
const MAX_BINS = 50_000_000;

/** An axis of an object that has many, with the name by which a projection asks for it. */
export interface ProjectedAxis {
  name: string;
  title: string;
  bins: number;
  members: PlainValue;
}

/** Which axes a projection has, the horizontal one first, and of others which bins are taken, the first being 1. */
export interface Projection {
  axes: number[];
  slices: Map<number, [from: number, to: number]>;
}

/** The axes of a TH3 are x, y and z; those of a THn have their own names, or numbers. */
export function axesOfMany(object: PlainObject): ProjectedAxis[] | undefined {
  const list = record(object.fAxes)?.arr;
  const stored = object._typename.startsWith('THn')
    ? Array.isArray(list)
      ? list.slice(0, 100)
      : []
    : [object.fXaxis, object.fYaxis, object.fZaxis];
  const axes = stored.map((one, i) => {
    const found = axis(one);
    const own = label(record(one)?.fName);
    const name = object._typename.startsWith('THn') ? own : ('xyz'[i] ?? '');
    return { name, title: found?.title || name, bins: found?.bins ?? 0, members: one ?? null };
  });
  if (axes.length === 0 || axes.some(({ bins }) => bins < 1)) return undefined;
  const isClear = new Set(axes.map(({ name }) => name)).size === axes.length;
  return axes.map((one, i) => ({
    ...one,
    name: isClear && /^[^,;:=]+$/.test(one.name) ? one.name : String(i),
  }));
}

/**
 * A projection as people write it: "x,y" is a map of y against x, "z" a histogram; "x,y;z=2:5" takes of z only the bins
 * 2 to 5, the first being 1. Empty is that of the first two axes. Throws ARGUMENT.
 */
export function parseProjection(text: string, axes: readonly ProjectedAxis[]): Projection {
  const wrong = (message: string): XylemError =>
    argumentError(
      message,
      `The axes are ${axes.map(({ name, bins }) => `${name} (${bins} bins)`).join(', ')}; for example "${axes
        .slice(0, 2)
        .map(({ name }) => name)
        .join(',')}" or "${axes[0]?.name};${axes.at(-1)?.name}=1:2".`,
    );
  const indexOf = (name: string): number => {
    const index = axes.findIndex((one) => one.name === name.trim());
    if (index < 0) throw wrong(`"${name.trim()}" is no axis of this histogram.`);
    return index;
  };
  const [names = '', ...parts] = text.split(';');
  const chosen =
    names.trim() === '' ? axes.slice(0, 2).map((_, i) => i) : names.split(',').map((name) => indexOf(name));
  if (chosen.length > 2 || new Set(chosen).size !== chosen.length)
    throw wrong('A projection has one axis, or two different ones.');
  const slices = new Map<number, [number, number]>();
  for (const part of parts) {
    const [, name = '', from = '', to = from] = /^([^=]+)=(\d{1,9})(?::(\d{1,9}))?$/.exec(part.trim()) ?? [];
    if (name === '') throw wrong(`"${part.trim()}" is no slice: write AXIS=FIRST:LAST, in bins.`);
    const index = indexOf(name);
    const [first, last] = [Number(from), Number(to)];
    if (chosen.includes(index)) throw wrong(`"${name}" is drawn, and cannot be cut to a slice.`);
    if (!(first >= 1 && last >= first && last <= (axes[index]?.bins ?? 0)))
      throw wrong(`${name} has no bins ${from} to ${to}.`);
    slices.set(index, [first, last]);
  }
  return { axes: chosen, slices };
}

/**
 * The projection of an object of many axes as a TH1D or TH2D: sums over the bins of all others, their under- and overflow
 * left out only where a slice is taken, as ROOT's Project3D and THnSparse::Projection do it.
 */
export function projected(object: PlainObject, how: string): PlainObject | undefined {
  const axes = hasManyAxes(object._typename) ? axesOfMany(object) : undefined;
  if (axes === undefined) return undefined;
  const projection = parseProjection(how, axes);
  const sizes = projection.axes.map((i) => (axes[i]?.bins ?? 0) + 2);
  const cells = sizes.reduce((product, size) => product * size, 1);
  if (cells > MAX_CELLS)
    throw overBudget(
      `This projection has ${cells} cells; at most ${MAX_CELLS} are drawn.`,
      'Project to one axis.',
    );
  const sums = new Float64Array(cells);
  const squares = new Float64Array(cells);
  // A range that the file says is a slice, as TAxis::SetRange makes it.
  const slices = axes.map(({ members }, i) => projection.slices.get(i) ?? rangeOf(members));
  const [across = 0, up] = projection.axes;
  const add = (bins: ArrayLike<number>, value: number, square: number): void => {
    for (let i = 0; i < slices.length; i++) {
      const slice = slices[i];
      if (
        slice !== undefined &&
        !projection.axes.includes(i) &&
        ((bins[i] ?? 0) < slice[0] || (bins[i] ?? 0) > slice[1])
      )
        return;
    }
    const cell = (bins[across] ?? 0) + (up === undefined ? 0 : (bins[up] ?? 0) * (sizes[0] ?? 0));
    sums[cell] = (sums[cell] ?? 0) + value;
    squares[cell] = (squares[cell] ?? 0) + square;
  };
  if (!eachBin(object, axes, add)) return undefined;
  const isThn = object._typename.startsWith('THn');
  const isWhole = slices.every((slice, i) => slice === undefined || projection.axes.includes(i));
  const [title = ''] = label(object.fTitle).split(';');
  const sliced = [...projection.slices].map(([i, [from, to]]) => `${axes[i]?.name} ${from}–${to}`);
  const member = (i: number | undefined): PlainValue => (i === undefined ? null : (axes[i]?.members ?? null));
  return {
    _typename: up === undefined ? 'TH1D' : 'TH2D',
    fName: object.fName ?? '',
    fTitle: sliced.length === 0 ? title : `${title}, ${sliced.join(', ')}`,
    fXaxis: member(across),
    fYaxis: up === undefined ? { _typename: 'TAxis', fTitle: '' } : member(up),
    fZaxis: { _typename: 'TAxis', fTitle: '' },
    fArray: sums,
    fSumw2: squares,
    fEntries: isThn
      ? isWhole
        ? (object.fEntries ?? Number.NaN)
        : Number.NaN
      : effectiveEntries(sums, squares, sizes),
    fFunctions: null,
    // Without sums of its own its moments are those of the middles of its bins, as in ROOT.
    fTsumw: 0,
  };
}

/** The entries of a projection of a TH3 as ROOT counts them: effective ones, from the bins within its axes. */
function effectiveEntries(sums: Float64Array, squares: Float64Array, sizes: readonly number[]): number {
  const [wide = 0, tall] = sizes;
  let [sum, square] = [0, 0];
  sums.forEach((value, cell) => {
    const [i, j] = [cell % wide, Math.floor(cell / wide)];
    if (i === 0 || i === wide - 1 || (tall !== undefined && (j === 0 || j === tall - 1))) return;
    sum += value;
    square += squares[cell] ?? 0;
  });
  return square > 0 ? (sum * sum) / square : 0;
}

function rangeOf(members: PlainValue): [number, number] | undefined {
  const found = axis(members);
  return found?.range && [found.shown[0] + 1, found.shown[1]];
}

type AddBin = (bins: ArrayLike<number>, value: number, square: number) => void;

/** Tells all bins with their indices along all axes, 0 being the underflow; false where members do not fit together. */
function eachBin(object: PlainObject, axes: readonly ProjectedAxis[], add: AddBin): boolean {
  if (object._typename.startsWith('THnSparse')) return eachFilledBin(object, axes, add);
  const isTh3 = !object._typename.startsWith('THn');
  const contents = numbers(isTh3 ? object.fArray : record(object.fArray)?.fData);
  const squares = numbers(isTh3 ? object.fSumw2 : record(object.fSumw2)?.fData);
  const sizes = axes.map(({ bins }) => bins + 2);
  const count = sizes.reduce((product, size) => product * size, 1);
  if (contents === undefined || contents.length !== count || count > MAX_BINS) return false;
  const counted = number(object.fEntries) > 0 || !isTh3;
  const bins = new Int32Array(sizes.length);
  // The first axis of a TH3 runs fastest, of a THn the last one.
  const order = sizes.map((_, i) => (isTh3 ? i : sizes.length - 1 - i));
  const means = object._typename === 'TProfile3D' ? numbers(object.fBinEntries) : undefined;
  for (let cell = 0; cell < count; cell++) {
    const value = (contents[cell] ?? 0) / (means?.[cell] || 1);
    if (value !== 0 || (squares?.[cell] ?? 0) !== 0) {
      add(bins, value, squares?.length === count ? (squares[cell] ?? 0) : counted ? Math.abs(value) : 0);
    }
    for (const i of order) {
      bins[i] = (bins[i] ?? 0) + 1;
      if ((bins[i] ?? 0) < (sizes[i] ?? 0)) break;
      bins[i] = 0;
    }
  }
  return true;
}

/** The chunks of a sparse histogram: bins, each with the packed bits of its indices. */
function eachFilledBin(object: PlainObject, axes: readonly ProjectedAxis[], add: AddBin): boolean {
  const chunks = record(object.fBinContent)?.arr;
  const filled = number(object.fFilledBins);
  if (!Array.isArray(chunks) || !(filled >= 0) || filled > MAX_BINS) return false;
  const widths = axes.map(({ bins }) => Math.floor(Math.log2(bins + 2)) + 1);
  const bins = new Int32Array(axes.length);
  let left = filled;
  for (const one of chunks) {
    const chunk = record(one);
    const bytes = numbers(chunk?.fCoordinates);
    const contents = numbers(chunk?.fContent);
    const squares = numbers(chunk?.fSumw2 ?? undefined);
    const size = number(chunk?.fSingleCoordinateSize);
    if (bytes === undefined || contents === undefined || size * 8 < widths.reduce((a, b) => a + b, 0))
      return false;
    const count = Math.min(left, contents.length, Math.floor(bytes.length / size));
    for (let i = 0; i < count; i++) {
      let bit = i * size * 8;
      widths.forEach((width, k) => {
        let index = 0;
        for (let b = 0; b < width; b++, bit++) if (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) index += 2 ** b;
        bins[k] = index;
      });
      const value = contents[i] ?? 0;
      add(bins, value, squares === undefined || squares.length === 0 ? Math.abs(value) : (squares[i] ?? 0));
    }
    left -= count;
  }
  return left === 0;
}
