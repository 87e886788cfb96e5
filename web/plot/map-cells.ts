import { shareOf } from './drawing/axes';
import type { MapModel } from './model';

/** A map with as many cells as a picture can show. */
export interface Cells {
  xEdges: Float64Array;
  yEdges: Float64Array;
  values: Float64Array;
}

/** Half-open ranges of bins along both axes. */
export interface Window {
  x: [from: number, to: number];
  y: [from: number, to: number];
}

/** Returns the part of a map within a window, as a separate map. */
export function windowOf(model: MapModel, { x, y }: Window): MapModel {
  const nx = model.xEdges.length - 1;
  const wide = x[1] - x[0];
  const values = new Float64Array(wide * (y[1] - y[0]));
  for (let row = y[0]; row < y[1]; row++) {
    values.set(model.values.subarray(row * nx + x[0], row * nx + x[1]), (row - y[0]) * wide);
  }
  return {
    ...model,
    values,
    xEdges: model.xEdges.subarray(x[0], x[1] + 1),
    yEdges: model.yEdges.subarray(y[0], y[1] + 1),
    xLabels: model.xLabels?.slice(x[0], x[1]),
    yLabels: model.yLabels?.slice(y[0], y[1]),
  };
}

/**
 * Returns at most `limit` cells along x and `tall` along y. A cell of several bins shows the content with the largest
 * magnitude.
 */
export function cellsOf(model: MapModel, limit: number, tall = limit): Cells {
  const nx = model.xEdges.length - 1;
  const ny = model.yEdges.length - 1;
  const fx = Math.ceil(nx / limit);
  const fy = Math.ceil(ny / tall);
  if (fx === 1 && fy === 1) return model;
  const cx = Math.ceil(nx / fx);
  const cy = Math.ceil(ny / fy);
  const values = new Float64Array(cx * cy).fill(Number.NaN);
  for (let y = 0; y < ny; y++) {
    const row = Math.floor(y / fy) * cx;
    for (let x = 0; x < nx; x++) {
      const cell = row + Math.floor(x / fx);
      const value = model.values[y * nx + x] ?? 0;
      if (!(Math.abs(value) <= Math.abs(values[cell] ?? 0)) && !Number.isNaN(value)) values[cell] = value;
    }
  }
  return { xEdges: every(model.xEdges, fx, cx), yEdges: every(model.yEdges, fy, cy), values };
}

function every(edges: Float64Array, factor: number, cells: number): Float64Array {
  const last = edges.length - 1;
  return Float64Array.from({ length: cells + 1 }, (_, i) => edges[Math.min(i * factor, last)] ?? 0);
}

/**
 * Returns the range of the colour scale: from zero or the smallest content; if logarithmic, from the smallest
 * positive one.
 */
export function contentRange(values: Float64Array, log: boolean): [low: number, high: number] {
  let low = log ? Number.POSITIVE_INFINITY : 0;
  let high = 0;
  for (const value of values) {
    if (!Number.isFinite(value) || (log && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(high > low)) return log ? [Math.min(high, 1) * 0.5 || 0.5, Math.max(high, 1)] : [low, low + 1];
  return [low, high];
}

/**
 * Returns an index from 0 to 255 in a colour scale; -1 for cells without colour: NaN, contents below the scale, and
 * 0, which means an empty bin unless there are negative contents (as in ROOT) or `zeros` is set.
 */
export function colourIndex(value: number, low: number, high: number, log: boolean, zeros = false): number {
  if (value === 0 && low >= 0 && !zeros) return -1;
  const share = log && !(value > 0) ? -1 : shareOf(value, low, high, log);
  return share >= 0 ? Math.min(255, Math.round(share * 255)) : -1;
}
