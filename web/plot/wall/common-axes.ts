import type { AnyPlot, LogAxes, Range } from '../model';
import { type PlotWindow, shownRanges } from '../ranges';

/** The axes that plots of a wall share: those of curves and bins, and those of maps with the range of their colours. */
export interface CommonAxes {
  lines?: PlotWindow | undefined;
  maps?: (PlotWindow & { limits: { low: number; high: number } }) | undefined;
}

/** Axes with room for all plots. */
export function commonAxes(models: readonly AnyPlot[], log: LogAxes): CommonAxes {
  let lines: { x: Range; y: Range } | undefined;
  let maps: { x: Range; y: Range } | undefined;
  let [low, high] = [0, Number.NEGATIVE_INFINITY];
  for (const model of models) {
    const ranges = shownRanges(model, log);
    if (model.kind !== 'map') {
      lines = around(lines, ranges);
      continue;
    }
    maps = around(maps, ranges);
    for (const value of model.values) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return {
    lines,
    maps: maps && { ...maps, limits: { low, high: high > low ? high : low + 1 } },
  };
}

function around(known: { x: Range; y: Range } | undefined, more: { x: Range; y: Range }) {
  if (!known) return more;
  return { x: hull(known.x, more.x), y: hull(known.y, more.y) };
}

function hull(one: Range, other: Range): Range {
  return [Math.min(one[0], other[0]), Math.max(one[1], other[1])];
}

/** A plot with the axes of all: the model, and the part that is shown. */
export function onCommonAxes(
  model: AnyPlot,
  { lines, maps }: CommonAxes,
  log: LogAxes,
): { model: AnyPlot; window?: PlotWindow | undefined } {
  if (model.kind !== 'map') return { model, window: lines };
  if (!maps) return { model };
  // On a logarithmic scale of colours 0 has no place.
  const limits = log.y && maps.limits.low <= 0 ? { high: maps.limits.high } : maps.limits;
  return { model: { ...model, limits }, window: { x: maps.x, y: maps.y } };
}
