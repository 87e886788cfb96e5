import type { Axis } from '../core/fill';

/**
 * Returns the axis that TTree::Draw chooses for values from `min` to `max` if none is given, by the rules of
 * THLimitsFinder. A tenth of the width is added at both ends, without crossing zero, and the ends are rounded to a nice
 * step. If all values are integers, the width of a bin is an integer and the number of bins may change.
 */
export function automaticLimits(bins: number, min: number, max: number, integer: boolean): Axis {
  const [low, high] = min < max ? [min, max] : [min - 1, max + 1];
  const margin = integer ? (5 * (high - low)) / bins : 0.1 * (high - low);
  const from = low - margin < 0 && low >= 0 ? 0 : low - margin;
  const to = high + margin > 0 && high <= 0 ? 0 : high + margin;
  const nice = niceEnds(from, to, bins);
  const least = 0.01 * (high - low);
  const ends: [number, number] = nice
    ? [Math.min(nice[0], low - least), Math.max(nice[1], high + least)]
    : [-1, 1];
  return integer ? wholeBins(bins, ends, from, to) : { bins, low: ends[0], high: ends[1] };
}

/**
 * Returns the axis after one doubling: twice the range, extended upwards, with the same number of bins, as for a ROOT
 * histogram with several axes.
 */
export function doubled({ bins, low, high }: Axis): Axis {
  return { bins, low, high: high + (high - low) };
}

/**
 * Returns the axis after doubling it until it contains the value, as TH1::ExtendAxis does. Calls `onDouble` for each
 * doubling with its direction.
 */
export function extended(axis: Axis, value: number, onDouble?: (downwards: boolean) => void): Axis {
  let { low, high } = axis;
  let range = high - low;
  const sides: boolean[] = [];
  for (let times = 0; times <= 64 && (value < low || value >= high); times++) {
    sides.push(value < low);
    if (value < low) low -= range;
    else high += range;
    range *= 2;
  }
  if (!(value >= low && value < high)) return axis;
  if (onDouble) for (const downwards of sides) onDouble(downwards);
  return { ...axis, low, high };
}

/**
 * Rounds both ends to multiples of a step (1, 2 or 5 times a power of ten), moved inwards by at most one
 * step.
 */
function niceEnds(from: number, end: number, bins: number): [number, number] | undefined {
  for (let wanted = Math.max(bins, 2); ; wanted++) {
    const width = (end - from) / wanted;
    if (!(width > 0) || width > 3.4e38) return undefined;
    const log = Math.trunc(Math.log10(width));
    if (Math.abs(log) > 200) return [0, 1];
    const step = niceStep(width, log);
    if (Math.abs(from / step) > 1e9) return [from, end];
    const first = Math.trunc(from / step) - (from / step < 0 ? 1 : 0);
    const beyond = end / step + 1.00001;
    const last = Math.trunc(beyond) - (beyond < 0 ? 1 : 0);
    if (bins > 5 && 2 * (last - first) === bins) continue;
    const ends: [number, number] = [step * first, step * last];
    // A single bin that would need several steps moves by two of them.
    const move = bins === 1 && last - first !== 1 ? 2 * step : step;
    const inner: [number, number] = [...ends];
    if (from - inner[0] >= move * 0.0001) inner[0] += move;
    if (inner[1] - end >= move * 0.0001) inner[1] -= move;
    return inner[0] >= inner[1] ? ends : inner;
  }
}

function niceStep(width: number, log: number): number {
  const power = width <= 1 ? log - 1 : log;
  const mantissa = width * powerOfTen(-power) - 1e-10;
  const rounded = [1, 2, 5].find((one) => mantissa <= one);
  return rounded === undefined ? powerOfTen(power + 1) : rounded * powerOfTen(power);
}

/** Returns the double nearest to a power of ten; `10 ** n` may be a neighbouring one. */
function powerOfTen(n: number): number {
  return Number(`1e${n}`);
}

function wholeBins(wanted: number, ends: [number, number], from: number, to: number): Axis {
  let low = Math.floor(ends[0]);
  let high = ends[1] > 0 ? Math.ceil(ends[1]) : ends[1] === 0 ? 1 : Math.trunc(ends[1]);
  const width = Math.max(1, Math.trunc((high - low) / wanted));
  let bins = Math.trunc((high - low) / width);
  if (low + bins * width < to) {
    bins += 1;
    high = low + bins * width;
  }
  if (low > from) {
    bins += 1;
    low = high - bins * width;
  }
  return { bins, low, high };
}
