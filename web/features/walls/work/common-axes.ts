import type { AnyPlot, LogAxes, Range } from '../../../plot/model';
import { type PlotRanges, type PlotWindow, shownRanges } from '../../../plot/ranges';

/** The shared axes of the plots of a wall: one set for curves and bins, one for maps and their colour scale. */
export interface CommonAxes {
  lines?: PlotWindow | undefined;
  maps?: (PlotWindow & { limits: { low: number; high: number } }) | undefined;
}

export interface OwnAxes extends PlotRanges {
  /** Range of the contents of a map, extended to 0. */
  contents?: Range | undefined;
}

export function ownAxes(model: AnyPlot, log: LogAxes): OwnAxes {
  const ranges = shownRanges(model, log);
  if (model.kind !== 'map') return ranges;
  const contents: Range = [0, 0];
  for (const value of model.values) {
    if (!Number.isFinite(value)) continue;
    contents[0] = Math.min(contents[0], value);
    contents[1] = Math.max(contents[1], value);
  }
  return { ...ranges, contents };
}

/** Returns axes that include the ranges of all plots. */
export function commonAxes(all: Iterable<OwnAxes>): CommonAxes {
  let lines: OwnAxes | undefined;
  let maps: OwnAxes | undefined;
  for (const axes of all) {
    if (axes.contents) maps = around(maps, axes);
    else lines = around(lines, axes);
  }
  const [low, high] = maps?.contents ?? [0, 1];
  return {
    lines,
    maps: maps && { x: maps.x, y: maps.y, limits: { low, high: high > low ? high : low + 1 } },
  };
}

function around(known: OwnAxes | undefined, more: OwnAxes): OwnAxes {
  if (!known) return more;
  const contents = known.contents && more.contents && hull(known.contents, more.contents);
  return { x: hull(known.x, more.x), y: hull(known.y, more.y), contents };
}

function hull(one: Range, other: Range): Range {
  return [Math.min(one[0], other[0]), Math.max(one[1], other[1])];
}

/** Returns a plot on the shared axes: the model and the visible part. */
export function onCommonAxes(
  model: AnyPlot,
  { lines, maps }: CommonAxes,
  log: LogAxes,
): { model: AnyPlot; window?: PlotWindow | undefined } {
  if (model.kind !== 'map') return { model, window: lines };
  if (!maps) return { model };
  // A logarithmic colour scale cannot contain 0.
  const limits = log.y && maps.limits.low <= 0 ? { high: maps.limits.high } : maps.limits;
  return { model: { ...model, limits }, window: { x: maps.x, y: maps.y } };
}
