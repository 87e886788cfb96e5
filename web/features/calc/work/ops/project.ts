import type { ProfileErrors } from '../../../../api/api';
import { unsupported } from '../../../../base/data-errors';
import { argumentError } from '../../../../base/errors';
import { edgeOf } from '../../../../bins/bin-axes';
import { projectedHistogram } from '../../../../bins/project';
import { binCentre } from '../../../../bins/stored-axes';
import { added, scaled } from './arithmetic';
import { copied, type Held, heldOf, histogramOfHeld, noStats, resetStats, statsOf } from './held';
import { takenBins } from './shapes';

/** A range along an axis: of values, or of bins counted from 1. */
export interface Range {
  from: number;
  to: number;
  bins?: boolean | undefined;
}

/** Ranges by axis: 0 is x. */
export type Ranges = ReadonlyMap<number, Range>;

const LETTERS = 'xyz';

/** Returns the index of an axis that a histogram has. Throws ARGUMENT. */
export function axisOf({ name, axes }: Held, letter: string): number {
  const index = LETTERS.indexOf(letter.toLowerCase());
  if (letter.length === 1 && index >= 0 && index < axes.length) return index;
  throw argumentError(
    `"${name}" has no axis ${letter}.`,
    `Its axes are ${[...LETTERS.slice(0, axes.length)].join(', ')}.`,
  );
}

/**
 * Returns the bins of a range: for values as TAxis::SetRangeUser chooses them, which are all bins that the range enters.
 * Bins are counted from 1; 0 and the number of bins + 1 are under- and overflow. Throws ARGUMENT for an empty range.
 */
export function binsOf(
  held: Held,
  index: number,
  { from, to, bins: isBins }: Range,
): [first: number, last: number] {
  const axis = held.axes[index];
  if (axis === undefined) throw argumentError(`"${held.name}" has no axis ${LETTERS[index]}.`);
  const empty = (why: string) =>
    argumentError(`The range ${from}:${to} of ${LETTERS[index]} of "${held.name}" is empty: ${why}.`);
  if (!(from <= to)) throw empty('its end is below its beginning');
  if (isBins) {
    const isWhole = Number.isInteger(from) && Number.isInteger(to);
    if (!isWhole || from < 0 || to > axis.bins + 1)
      throw argumentError(
        `${from}:${to} are not bins of ${LETTERS[index]} of "${held.name}".`,
        `It has the bins 1 to ${axis.bins}, with 0 and ${axis.bins + 1} for under- and overflow.`,
      );
    return [from, to];
  }
  const [at, end] = [findBin(axis, from), findBin(axis, to)];
  const first = at > 0 && at <= axis.bins && edgeOf(axis, at) <= from ? at + 1 : at;
  const last = end > 0 && edgeOf(axis, end - 1) >= to ? end - 1 : end;
  if (last < first || (first === 0 && last === 0) || first > axis.bins)
    throw empty(`the axis goes from ${axis.low} to ${axis.high}`);
  return [first, last];
}

/** Returns the bin of a value: 0 below the axis, the number of bins + 1 above it. */
function findBin(axis: Held['axes'][number], value: number): number {
  if (value < axis.low) return 0;
  if (!(value < axis.high)) return axis.bins + 1;
  let [below, above] = [0, axis.bins];
  while (above - below > 1) {
    const middle = (below + above) >> 1;
    if (edgeOf(axis, middle) <= value) below = middle;
    else above = middle;
  }
  return below + 1;
}

/** Returns a histogram whose axes show ranges, over which its statistics are computed: see TAxis::SetRangeUser. */
export function inRange(a: Held, ranges: Ranges): Held {
  const result = copied(a);
  for (const [index, range] of ranges) {
    const shown = binsOf(a, index, range);
    const axis = result.axes[index];
    if (axis) axis.shown = shown;
  }
  return result;
}

/**
 * Returns the projection to one or two axes, within ranges of the others, as TH2::ProjectionX, TH3::Project3D and
 * TProfile2D::ProfileX with the option "e": the result keeps squared errors. Throws ARGUMENT and UNSUPPORTED.
 */
export function projection(a: Held, axes: readonly number[], ranges: Ranges): Held {
  if (a.axes.length < 2) throw argumentError(`"${a.name}" has one axis, which needs no projection.`);
  if (axes.length === 0 || axes.length > 2 || new Set(axes).size !== axes.length)
    throw argumentError('A projection has one axis, or two different ones.');
  const drawn = axes.find((index) => ranges.has(index));
  if (drawn !== undefined)
    throw argumentError(
      `${LETTERS[drawn]} is what "${a.name}" is projected to, and has no range here.`,
      `Write range(…) around it to show a part.`,
    );
  const slices = new Map([...ranges].map(([index, range]) => [index, binsOf(a, index, range)]));
  const isNone = ([index, [first, last]]: [number, [number, number]]) =>
    first === 0 && last === (a.axes[index]?.bins ?? 0) + 1;
  const source = {
    ...a,
    axes: a.axes.map((axis, i) => (slices.has(i) ? { ...axis, shown: undefined } : axis)),
  };
  const whole = heldOf(
    projectedHistogram(histogramOfHeld(source), {
      axes: [...axes],
      // Everything along an axis is no slice of it.
      slices: new Map([...slices].filter((one) => !isNone(one))),
    }),
  );
  const [other] = a.axes.length === 2 ? [0, 1].filter((index) => !axes.includes(index)) : [];
  const slice = other === undefined ? undefined : slices.get(other);
  const isAll = other !== undefined && slice?.[0] === 1 && slice[1] === a.axes[other]?.bins;
  if (whole.entries === 0 && !isAll) whole.stats = noStats(whole);
  if (!axes.some((index) => a.axes[index]?.shown)) return whole;
  // As in ROOT, the result has only the bins that the axes show.
  const part = cutTo(whole);
  const [weight = 0] = a.stats;
  const total = part.sums.reduce((sum, value) => sum + value, 0);
  const isSame = weight !== 0 && Math.abs(weight - total) < Math.abs(weight) * 1e-12;
  const isReused = !a.profile && other !== undefined && ((isAll && !a.overflows) || isSame);
  const own = statsOf(source);
  const at = axes[0] === 0 ? 2 : 4;
  part.stats = isReused ? [own[0] ?? 0, own[1] ?? 0, own[at] ?? 0, own[at + 1] ?? 0] : noStats(part);
  const isWhole =
    slice === undefined ||
    (slice[0] === 0 && other !== undefined && slice[1] === (a.axes[other]?.bins ?? 0) + 1);
  part.entries = isReused && isWhole ? a.entries : effectiveOf(part);
  return part;
}

/** TH1::GetEffectiveEntries. */
function effectiveOf(held: Held): number {
  const [weight = 0, weight2 = 0] = statsOf({ ...held, entries: 1 });
  return weight2 > 0 ? (weight * weight) / weight2 : Math.abs(weight);
}

/**
 * Returns the projection of a map to one axis within a gate on the other one, minus that in a gate of background beside
 * it, scaled to the width of the gate.
 */
export function gated(a: Held, to: number, gate: Range, background?: Range): Held {
  if (a.axes.length !== 2)
    throw argumentError(`"${a.name}" has ${a.axes.length} axes, and a gate is for two.`);
  if (a.profile) throw unsupported(`"${a.name}" is a profile, which has no gates.`);
  const other = 1 - to;
  const inside = projection(a, [to], new Map([[other, gate]]));
  if (background === undefined) return inside;
  const size = (range: Range): number => {
    const [first, last] = binsOf(a, other, range);
    const axis = a.axes[other];
    return axis ? edgeOf(axis, Math.min(axis.bins, last)) - edgeOf(axis, Math.max(0, first - 1)) : 1;
  };
  const beside = projection(a, [to], new Map([[other, background]]));
  return added(inside, scaled(beside, size(gate) / size(background)), -1);
}

/**
 * Returns the profile of a histogram of two axes along x (0) or y (1), as TH2::ProfileX: the mean of the other axis in
 * each bin, with the centres of bins as values. Statistics are those of the bins, and the entries the effective ones.
 */
export function profiled(a: Held, along: number, ranges: Ranges, errorOption: ProfileErrors = ''): Held {
  if (a.axes.length !== 2 || a.profile)
    throw unsupported(
      `"${a.name}" has no profile of this kind: it is made of a histogram of two axes.`,
      a.profile ? 'project(h, x) averages a profile along its other axis.' : undefined,
    );
  const across = 1 - along;
  const [out, inner] = [a.axes[along], a.axes[across]];
  if (out === undefined || inner === undefined)
    throw argumentError(`"${a.name}" has no axis ${LETTERS[along]}.`);
  const range = ranges.get(across);
  const [first, last] = range ? binsOf(a, across, range) : takenBins(inner);
  const [from, to] = takenBins(out);
  const isPart = out.shown !== undefined;
  const bins = out.bins + 2;
  const cells = {
    sums: new Float64Array(bins),
    squares: new Float64Array(bins),
    weights: new Float64Array(bins),
    weights2: new Float64Array(bins),
  };
  const row = (a.axes[0]?.bins ?? 0) + 2;
  for (let bin = isPart ? from : 0; bin <= (isPart ? to : out.bins + 1); bin++)
    for (let other = first; other <= last; other++) {
      const cell = along === 0 ? other * row + bin : bin * row + other;
      const weight = a.sums[cell] ?? 0;
      if (weight === 0) continue;
      const value = binCentre(inner, other);
      cells.sums[bin] = (cells.sums[bin] ?? 0) + weight * value;
      cells.squares[bin] = (cells.squares[bin] ?? 0) + weight * value * value;
      cells.weights[bin] = (cells.weights[bin] ?? 0) + weight;
      cells.weights2[bin] = (cells.weights2[bin] ?? 0) + (a.weighted ? (a.squares[cell] ?? 0) : weight);
    }
  const result: Held = {
    ...copied(a),
    ...cells,
    axes: [out],
    valueTitle: inner.title,
    profile: true,
    errorOption,
    weighted: true,
    stats: [0, 0, 0, 0, 0, 0],
    overflows: false,
    average: false,
  };
  const part = isPart ? cutTo(result) : result;
  resetStats(part);
  part.entries = effectiveOf(part);
  return part;
}

/** Returns a histogram with only the inner bins that its axes show. An axis that shows all keeps its under- and overflow. */
function cutTo(a: Held): Held {
  const spans = a.axes.map(({ bins, shown }) =>
    shown ? ([Math.max(1, shown[0]), Math.min(bins, shown[1])] as const) : undefined,
  );
  const axes = a.axes.map((axis, i) => {
    const span = spans[i];
    if (span === undefined) return axis;
    const [first, last] = span;
    const { edges, labels, shown: _shown, ...rest } = axis;
    return {
      ...rest,
      bins: last - first + 1,
      low: edgeOf(axis, first - 1),
      high: edgeOf(axis, last),
      ...(edges && { edges: edges.slice(first - 1, last + 1) }),
      ...(labels && { labels: labels.slice(first - 1, last) }),
    };
  });
  const length = axes.reduce((product, { bins }) => product * (bins + 2), 1);
  const places = Int32Array.from({ length }, (_, cell) => {
    let [rest, stride, from] = [cell, 1, 0];
    for (const [i, { bins }] of axes.entries()) {
      const bin = rest % (bins + 2);
      rest = Math.floor(rest / (bins + 2));
      const span = spans[i];
      if (span && (bin === 0 || bin > bins)) return -1;
      from += (span ? bin + span[0] - 1 : bin) * stride;
      stride *= (a.axes[i]?.bins ?? 0) + 2;
    }
    return from;
  });
  const cut = (list: Float64Array): Float64Array =>
    Float64Array.from(places, (from) => (from < 0 ? 0 : (list[from] ?? 0)));
  return {
    ...a,
    axes,
    sums: cut(a.sums),
    squares: cut(a.squares),
    weights: a.weights && cut(a.weights),
    weights2: a.weights2 && cut(a.weights2),
  };
}

/**
 * Returns the means of a profile with their errors as a histogram, as TProfile::ProjectionX and TProfile2D::ProjectionXY.
 * Its statistics are those of the bins.
 */
export function means(a: Held): Held {
  if (!a.profile) throw argumentError(`"${a.name}" is not a profile.`, 'Leave out means(…).');
  const { means: contents, errors } = histogramOfHeld(a);
  const result = copied(a);
  const { length } = a.axes;
  return {
    ...result,
    axes: result.axes.map((axis) => (length === 1 ? { ...axis, shown: undefined } : axis)),
    profile: false,
    errorOption: '',
    sums: contents ?? result.sums,
    squares: (errors ?? result.squares).map((error) => error * error),
    weights: undefined,
    weights2: undefined,
    stats: new Array<number>([0, 4, 7, 11][length] ?? 4).fill(0),
    overflows: false,
    average: false,
  };
}
