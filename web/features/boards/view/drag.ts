import type { PlotFrame } from '../../../plot/drawing/frame';
import type { BoardAxis } from '../work/board';
import type { DragPlace } from '../work/tables';
import type { DragPath } from '../work/toggles';
import type { ChipRange } from './board-params';

/*
 * A drag in a plot with one axis moves over a grid of round numbers, so that the text of a cut is short, and so that what each place
 * selects is known before: see tables.ts. In a map a rectangle is dragged over the same numbers.
 */

/** Number of places of a grid, at most. */
const PLACES = 500;
/** Distance from an end of a brush in which the pointer takes it, in CSS pixels: of a mouse, and of a finger. */
const GRIP = { mouse: 6, touch: 18 };
/** A drag up to this length is a click. */
export const CLICK = 4;

/** Returns the round numbers of an axis; of texts the borders of their bins. */
export function gridOf({ bins, low, high }: BoardAxis, isText: boolean): Float64Array {
  if (isText) return Float64Array.from({ length: bins + 1 }, (_, i) => low + i);
  const step = niceStep((high - low) / PLACES);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  // Divided by a whole number where there is one: 3 * 0.1 is not 0.3.
  const per = step < 1 ? Math.round(1 / step) : undefined;
  return Float64Array.from({ length: Math.max(2, count) }, (_, i) =>
    per === undefined || !Number.isSafeInteger(per)
      ? Number(((first + i) * step).toPrecision(12))
      : (first + i) / per,
  );
}

/** Returns the smallest of 1, 2 and 5 times a power of ten that is not below a number. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const times = [1, 2, 5].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return Number((times * power).toPrecision(1));
}

/** Returns a grid that also has further numbers. */
export function withNumbers(grid: Float64Array, numbers: readonly number[]): Float64Array {
  const missing = numbers.filter((number) => Number.isFinite(number) && !grid.includes(number));
  return missing.length === 0 ? grid : Float64Array.from([...grid, ...missing]).sort();
}

/** Returns the place of the number of a grid that is nearest to a value. */
export function nearest(grid: Float64Array, value: number): number {
  let [low, high] = [0, grid.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((grid[middle] as number) <= value) low = middle;
    else high = middle;
  }
  return Math.abs((grid[high] as number) - value) < Math.abs(value - (grid[low] as number)) ? high : low;
}

/** The place of an end in a grid; -1 and the number of places for ends that are infinite. */
export function placeOf(grid: Float64Array, end: number): number {
  if (end === Number.NEGATIVE_INFINITY) return -1;
  return end === Number.POSITIVE_INFINITY ? grid.length : nearest(grid, end);
}

/** A drag that begins at a place of a plot with one axis. */
export interface Hold {
  grid: Float64Array;
  path: DragPath;
  /** `new`: another brush; `end`: an end of the brush; `move`: the whole brush. */
  kind: 'new' | 'end' | 'move';
  /** Returns the place of the drag when the pointer is at a pixel. */
  at(x: number): DragPlace;
}

/** Returns the range of a place of a drag. */
export function rangeAt({ grid }: Hold, { from, to }: DragPlace): ChipRange {
  return {
    low: from < 0 ? Number.NEGATIVE_INFINITY : (grid[from] as number),
    high: to >= grid.length ? Number.POSITIVE_INFINITY : (grid[to] as number),
  };
}

/** The number at a pixel of an axis. */
export interface Scales {
  toPixel(value: number): number;
  toValue(pixel: number): number;
}

export function holdAt(
  x: number,
  scale: Scales,
  base: Float64Array,
  own: ChipRange | undefined,
  pointer: 'mouse' | 'touch',
  isText: boolean,
): Hold {
  const valueAt = (pixel: number) => scale.toValue(pixel);
  if (own) {
    const [a, b] = [own.low, own.high].map((end) => scale.toPixel(end));
    const distances = [Math.abs(x - (a ?? Number.NaN)), Math.abs(x - (b ?? Number.NaN))];
    const near = distances.map((distance) => distance <= GRIP[pointer]);
    const end =
      near[0] && near[1] ? ((distances[0] ?? 0) <= (distances[1] ?? 0) ? 0 : 1) : near.indexOf(true);
    if (end >= 0) {
      const other = end === 0 ? own.high : own.low;
      const grid = withNumbers(base, [own.low, own.high]);
      const fixed = placeOf(grid, other);
      return {
        grid,
        path: { fixed },
        kind: 'end',
        at: (pixel) => between(fixed, nearest(grid, valueAt(pixel))),
      };
    }
    if (
      (own.low === -Infinity || x > (a ?? x)) &&
      (own.high === Infinity || x < (b ?? x)) &&
      Number.isFinite(own.high - own.low)
    ) {
      const [from, to] = [nearest(base, own.low), nearest(base, own.high)];
      const width = Math.max(1, to - from);
      const start = valueAt(x);
      return {
        grid: base,
        path: { width },
        kind: 'move',
        at: (pixel) => {
          const wanted = nearest(base, (base[from] as number) + valueAt(pixel) - start);
          const place = Math.max(0, Math.min(base.length - 1 - width, wanted));
          return { from: place, to: place + width, at: place };
        },
      };
    }
  }
  const fixed = isText ? Math.floor(valueAt(x)) : nearest(base, valueAt(x));
  return {
    grid: base,
    path: { fixed },
    kind: 'new',
    at: (pixel) => {
      const value = valueAt(pixel);
      if (!isText) return between(fixed, nearest(base, value));
      // Whole bins: the one at which the drag began is among them.
      const last = base.length - 1;
      const from = Math.max(0, Math.min(fixed, Math.floor(value)));
      const to = Math.min(last, Math.max(fixed + 1, Math.ceil(value)));
      return { from, to, at: value < fixed ? from : to };
    },
  };
}

const between = (fixed: number, at: number): DragPlace => ({
  from: Math.min(fixed, at),
  to: Math.max(fixed, at),
  at,
});

/** A rectangle that is dragged on a map: its ranges, x first; undefined for a click. */
export type MapDrag = (to: readonly [number, number]) => readonly ChipRange[] | undefined;

export function mapDragAt(
  from: readonly [number, number],
  { box, x, y }: PlotFrame,
  grids: readonly Float64Array[],
  own: readonly ChipRange[] | undefined,
): MapDrag {
  const scales = [x, y];
  const limits = [
    [box.left, box.right],
    [box.top, box.bottom],
  ] as const;
  const snapped = (axis: number, pixel: number): number => {
    const [least, most] = limits[axis] ?? [pixel, pixel];
    const grid = grids[axis] ?? new Float64Array(1);
    const value = scales[axis]?.toValue(Math.min(most, Math.max(least, pixel))) ?? 0;
    return grid[nearest(grid, value)] as number;
  };
  const pixels = own?.map(({ low, high }, axis) =>
    [scales[axis]?.toPixel(low) ?? 0, scales[axis]?.toPixel(high) ?? 0].sort((a, b) => a - b),
  );
  const isInside = pixels?.every(([a = 0, b = 0], axis) => a <= (from[axis] ?? 0) && (from[axis] ?? 0) <= b);
  const rangeOf = (axis: number, a: number, b: number): ChipRange => {
    const ends = [snapped(axis, a), snapped(axis, b)];
    return { low: Math.min(...ends), high: Math.max(...ends) };
  };
  // An edge, or a corner, of the rectangle moves by itself.
  const edges = isInside
    ? pixels?.map(([a = 0, b = 0], axis) => {
        const at = from[axis] ?? 0;
        return Math.abs(at - a) <= GRIP.mouse ? 0 : Math.abs(at - b) <= GRIP.mouse ? 1 : undefined;
      })
    : undefined;
  const isEdge = edges?.some((edge) => edge !== undefined) === true;
  return (to) => {
    if (Math.hypot(to[0] - from[0], to[1] - from[1]) < CLICK) return undefined;
    return [0, 1].map((axis) => {
      const [start, end] = [from[axis] ?? 0, to[axis] ?? 0];
      const [a = 0, b = 0] = pixels?.[axis] ?? [];
      const edge = edges?.[axis];
      if (isEdge && edge === undefined) return own?.[axis] ?? rangeOf(axis, a, b);
      if (edge !== undefined) return rangeOf(axis, edge === 0 ? b : a, end);
      return isInside ? rangeOf(axis, a + end - start, b + end - start) : rangeOf(axis, start, end);
    });
  };
}
