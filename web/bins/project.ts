import type { Histogram, PlainObject } from '../api/api';
import { corrupt, overBudget, unsupported } from '../base/data-errors';
import { argumentError, type XylemError } from '../base/errors';
import { number, numbers, record, text } from '../model/plain-members';
import type { BinAxis } from './bin-axes';
import { profileCells } from './profile';
import { momentsOfSums, sumNames, sumsOf } from './statistics';
import { histogramClass, storedAxis } from './stored-axes';
import { histogramOfObject } from './stored-histogram';

/** Maximum number of cells of a projection, and of filled bins of the projected histogram. */
const MAX_CELLS = 4_000_000;
const MAX_BINS = 50_000_000;

/** An axis of the projected histogram, with its name in the text of a projection. */
export interface ProjectedAxis {
  name: string;
  title: string;
  bins: number;
  axis: BinAxis;
}

/** The axes of a projection, the horizontal one first. `slices` has ranges of bins on other axes, counted from 1. */
export interface Projection {
  axes: number[];
  slices: Map<number, [from: number, to: number]>;
}

const isThn = (className: string): boolean => /^THn(Sparse)?T<.*>$/.test(className);

/**
 * Returns the axes of a histogram. For a TH1, TH2, TH3 or profile they are named x, y and z; for a THn they have their
 * own names, or numbers.
 */
export function axesOfMany(object: PlainObject): ProjectedAxis[] | undefined {
  const list = record(object.fAxes)?.arr;
  const many = isThn(object._typename);
  const { dimensions = 3 } = histogramClass(object._typename) ?? {};
  const stored = many
    ? Array.isArray(list)
      ? list.slice(0, 100)
      : []
    : [object.fXaxis, object.fYaxis, object.fZaxis].slice(0, dimensions);
  const axes = stored.flatMap((one, i): ProjectedAxis[] => {
    const axis = storedAxis(one);
    const name = many ? text(record(one)?.fName) : ('xyz'[i] ?? '');
    return axis ? [{ name, title: axis.title || name, bins: axis.bins, axis }] : [];
  });
  if (axes.length === 0 || axes.length < stored.length) return undefined;
  const isClear = new Set(axes.map(({ name }) => name)).size === axes.length;
  return axes.map((one, i) => ({
    ...one,
    name: isClear && /^[^,;:=]+$/.test(one.name) ? one.name : String(i),
  }));
}

/**
 * Parses a projection: "x,y" is a map of y against x, "z" a one-dimensional histogram, and "x,y;z=2:5" includes only
 * the bins 2 to 5 of z (counted from 1). An empty text means the first two axes. Throws ARGUMENT.
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

/** A histogram to be projected: its bins and its properties. */
interface Source {
  name: string;
  title: string;
  axes: readonly ProjectedAxis[];
  className: string;
  entries: number;
  /** Undefined for a THn. */
  histogram: Histogram | undefined;
  /**
   * Calls `add` for all bins with their indices along all axes, where 0 is the underflow. Returns false if the members
   * are inconsistent.
   */
  each(add: AddBin): boolean;
}

/**
 * Projects a stored histogram, profile, THn or THnSparse to one or two of its axes. The bins of all other axes are
 * summed; their under- and overflow is excluded only if there is a slice or a range in the file. Errors are those of
 * TH2::ProjectionX, TH3::Project3D and THnBase::Projection with the option "e". The projection of a profile is a
 * profile (TProfile2D::ProfileX, TProfile3D::Project3DProfile). Throws ARGUMENT for an invalid projection, and
 * UNSUPPORTED for an object of another class.
 */
export function projected(object: PlainObject, how: string): Histogram {
  const source = sourceOf(object);
  return projectionOf(source, parseProjection(how, source.axes));
}

/** As `projected`, of a histogram or profile that is not an object of a file. */
export function projectedHistogram(histogram: Histogram, projection: Projection): Histogram {
  const { name, title, axes, fills, stored, profile } = histogram;
  const className = stored?.className ?? (profile ? 'TProfile' : 'TH1D');
  return projectionOf(
    {
      ...{ name, title, className, entries: fills, histogram },
      axes: axes.map((axis, i) => {
        const letter = 'xyz'[i] ?? '';
        return { name: letter, title: axis.title || letter, bins: axis.bins, axis };
      }),
      each: (add) => eachCell(histogram, add),
    },
    projection,
  );
}

function projectionOf(source: Source, projection: Projection): Histogram {
  const { name, title, axes, className, entries, histogram, each } = source;
  const chosen = projection.axes.flatMap((i) => axes[i]?.axis ?? []);
  const sizes = chosen.map(({ bins }) => bins + 2);
  const cells = sizes.reduce((product, size) => product * size, 1);
  if (cells > MAX_CELLS)
    throw overBudget(
      `This projection has ${cells} cells; at most ${MAX_CELLS} are drawn.`,
      'Project to one axis.',
    );
  const profile = histogram?.profile === true;
  const empty = () => new Float64Array(cells);
  const all = { sums: empty(), squares: empty(), ...(profile && { weights: empty(), weights2: empty() }) };
  const lists: Float64Array[] = Object.values(all);
  // A range in the file is a slice, as set by TAxis::SetRange.
  const slices = axes.map(({ axis }, i) =>
    projection.axes.includes(i) ? undefined : (projection.slices.get(i) ?? axis.shown),
  );
  const [across = 0, up] = projection.axes;
  let skipped = false;
  const add: AddBin = (bins, values) => {
    for (let i = 0; i < slices.length; i++) {
      const slice = slices[i];
      if (slice === undefined) continue;
      if ((bins[i] ?? 0) < slice[0] || (bins[i] ?? 0) > slice[1]) {
        skipped = true;
        return;
      }
    }
    const cell = (bins[across] ?? 0) + (up === undefined ? 0 : (bins[up] ?? 0) * (sizes[0] ?? 0));
    for (let k = 0; k < lists.length; k++) {
      const list = lists[k] as Float64Array;
      list[cell] = (list[cell] ?? 0) + (values[k] ?? 0);
    }
  };
  if (!each(add)) throw corrupt(`The members of the ${className} "${name}" do not fit together.`);
  const counted = { contents: all.sums, squares: all.squares, weights: all.weights, weights2: all.weights2 };
  const overBins = (ofAxes: readonly BinAxis[], overflows = false) =>
    sumsOf({
      ...{ axes: ofAxes, profile, entries: 1, overflows, cells: counted },
      sums: sumNames(ofAxes.length, profile).map(() => 0),
    });
  const inside = overBins(chosen.map((axis) => ({ ...axis, shown: undefined })));
  const isKept = histogram && keepsSums(histogram, slices, all.sums);
  // As TH1::GetStats: over the bins of a range, and including under- and overflow if these count in statistics.
  const isCut = slices.some((slice, i) => slice && (axes.length > 2 || axes[i]?.axis.shown));
  const cut = () => overBins(chosen, histogram?.stored?.overflows);
  const kept = isKept ? (isCut ? cut() : sumsAlong(histogram.stats ?? [], projection.axes)) : undefined;
  const shown = chosen.some((axis) => axis.shown) ? overBins(chosen) : (kept ?? inside);
  const moments = momentsOfSums(shown, chosen.length, profile);
  const isWhole = slices.every((slice) => slice === undefined);
  const counts = histogram ? kept !== undefined && isWhole : !skipped;
  const fills = counts ? entries : moments.effective;
  const sliced = [...projection.slices].map(([i, [from, to]]) => `${axes[i]?.name} ${from}–${to}`);
  const errorOption = histogram?.errorOption;
  return {
    kind: 'histogram',
    name,
    title: sliced.length === 0 ? title : `${title}, ${sliced.join(', ')}`,
    profile,
    axes: chosen,
    valueTitle: profile ? histogram?.valueTitle : '',
    ...all,
    ...(all.weights &&
      all.weights2 && {
        ...{ errorOption: errorOption ?? '' },
        ...profileCells({ ...all, weights: all.weights, weights2: all.weights2 }, errorOption ?? ''),
      }),
    ...{ fills, entries: fills, nan: 0 },
    ...moments,
    stats: kept ?? inside,
    stored: { className: classOf(chosen.length, profile), weighted: true, average: false, overflows: false },
  };
}

function classOf(axes: number, profile: boolean): string {
  if (profile) return axes === 1 ? 'TProfile' : 'TProfile2D';
  return axes === 1 ? 'TH1D' : 'TH2D';
}

/**
 * Indices, in the stored sums of a histogram, of the sum over each coordinate and of the sums over products of two
 * coordinates.
 */
const FIRSTS = [2, 4, 7];
const PRODUCTS = new Map([
  ['0,1', 6],
  ['0,2', 9],
  ['1,2', 10],
]);

/**
 * Whether ROOT copies the stored sums: if the projection includes everything that they count, and nothing outside; or
 * for a TH2, if all bins of the other axis and no under- or overflow are included.
 */
function keepsSums(
  { profile, axes, stats, stored }: Histogram,
  slices: readonly (readonly number[] | undefined)[],
  sums: Float64Array,
): boolean {
  // For a profile, ROOT always computes the sums from the centres of bins.
  const [weight = 0] = stats ?? [];
  if (profile || weight === 0) return false;
  if (axes.length === 1) return true;
  const bins = (i: number): number => axes[i]?.bins ?? 0;
  const takesAll = slices.some((slice, i) => slice?.[0] === 1 && slice[1] === bins(i));
  if (axes.length === 2 && !stored?.overflows && takesAll) return true;
  const total = sums.reduce((sum, value) => sum + value, 0);
  // A TH2F stores contents with 24 bits.
  const precision = stored?.className.endsWith('F') ? 1e-6 : 1e-12;
  return Math.abs(weight - total) < Math.abs(weight) * precision;
}

/** Returns the sums of a histogram for some of its axes. */
function sumsAlong(stats: readonly number[], axes: readonly number[]): number[] {
  const at = (place: number): number => stats[place] ?? 0;
  const product = PRODUCTS.get([...axes].sort().join()) ?? 0;
  return [
    ...[at(0), at(1)],
    ...axes.flatMap((i) => [at(FIRSTS[i] ?? 0), at((FIRSTS[i] ?? 0) + 1)]),
    ...(axes.length > 1 ? [at(product)] : []),
  ];
}

function sourceOf(object: PlainObject): Source {
  const className = object._typename;
  const name = text(object.fName);
  const many = isThn(className);
  if (!many && !histogramClass(className))
    throw unsupported(`"${name}" is a ${className}, which has no projections.`, 'Leave out the projection.');
  const histogram = many ? undefined : histogramOfObject(object);
  const axes = axesOfMany(object)?.map((one, i) => ({ ...one, axis: histogram?.axes[i] ?? one.axis }));
  if (axes === undefined) throw corrupt(`The axes of the ${className} "${name}" have no bins.`);
  // Bins that were chosen for the values of a buffer may differ from the stored ones.
  for (const one of axes) one.bins = one.axis.bins;
  const [title = ''] = text(object.fTitle).split(';');
  return {
    ...{ name, title, axes, className, entries: number(object.fEntries), histogram },
    ...(histogram && { entries: histogram.fills }),
    each: (add) =>
      histogram
        ? eachCell(histogram, add)
        : className.startsWith('THnSparse')
          ? eachFilledBin(object, axes, add)
          : eachBin(object, axes, add),
  };
}

/** Values of a bin: content and squared error; for a profile also the sums of weights and of squared weights. */
type AddBin = (bins: ArrayLike<number>, values: ArrayLike<number>) => void;

/** Moves to the next bin. The axes in `order` vary fastest first. */
function goOn(bins: Int32Array, sizes: readonly number[], order: readonly number[]): void {
  for (const i of order) {
    bins[i] = (bins[i] ?? 0) + 1;
    if ((bins[i] ?? 0) < (sizes[i] ?? 0)) return;
    bins[i] = 0;
  }
}

function eachCell({ axes, sums, squares, weights, weights2 }: Histogram, add: AddBin): boolean {
  const bins = new Int32Array(axes.length);
  const sizes = axes.map((axis) => axis.bins + 2);
  const order = [...axes.keys()];
  const values = new Float64Array(4);
  for (let cell = 0; cell < sums.length; cell++) {
    values[0] = sums[cell] ?? 0;
    values[1] = squares[cell] ?? 0;
    values[2] = weights?.[cell] ?? 0;
    values[3] = weights2?.[cell] ?? 0;
    if (values[0] !== 0 || values[1] !== 0 || values[2] !== 0 || values[3] !== 0) add(bins, values);
    goOn(bins, sizes, order);
  }
  return true;
}

/** Calls `add` for all bins of a THn, whose last axis varies fastest. */
function eachBin(object: PlainObject, axes: readonly ProjectedAxis[], add: AddBin): boolean {
  const contents = numbers(record(object.fArray)?.fData);
  const squares = numbers(record(object.fSumw2)?.fData);
  const sizes = axes.map(({ bins }) => bins + 2);
  const count = sizes.reduce((product, size) => product * size, 1);
  if (contents === undefined || contents.length !== count || count > MAX_BINS) return false;
  const bins = new Int32Array(sizes.length);
  const order = [...sizes.keys()].reverse();
  for (let cell = 0; cell < count; cell++) {
    const value = contents[cell] ?? 0;
    const square = squares?.length === count ? (squares[cell] ?? 0) : Math.abs(value);
    if (value !== 0 || square !== 0) add(bins, [value, square]);
    goOn(bins, sizes, order);
  }
  return true;
}

/** Calls `add` for the filled bins of a THnSparse. They are stored in chunks, each with packed indices. */
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
      add(bins, [value, squares === undefined || squares.length === 0 ? Math.abs(value) : (squares[i] ?? 0)]);
    }
    left -= count;
  }
  return left === 0;
}
