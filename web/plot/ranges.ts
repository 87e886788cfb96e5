import { windowOf } from './map-cells';
import {
  type AnyPlot,
  type Curve,
  edgeRange,
  type GraphModel,
  type LogAxes,
  type PlotModel,
  pointRange,
  type Range,
  type Series,
  valueRange,
} from './model';

/** The visible part of a plot that was zoomed. */
export interface PlotWindow {
  x?: Range | undefined;
  /** Undefined for a y axis that depends on the visible part of x; for a map, the whole axis. */
  y?: Range | undefined;
}

export interface PlotRanges {
  x: Range;
  y: Range;
}

/** Returns the x range of all contents. */
export function wholeRange(model: AnyPlot, log: boolean): Range {
  if (model.kind === 'bins')
    return hull([model, ...(model.overlays ?? [])].map(({ edges = model.edges }) => edgeRange(edges, log)));
  if (model.kind === 'map') return edgeRange(model.xEdges, false);
  const series = [model, ...(model.overlays ?? [])].filter(({ x }) => x.length > 0);
  const ranges = series.map(({ x, errors, dots }) => {
    // A line alone fills its axis from end to end.
    if (dots === false && x.length > 1) return lineRange(x, log);
    return pointRange(x, errors?.left, errors?.right, log);
  });
  return hull(ranges.length > 0 ? ranges : (model.curves ?? []).map((curve) => lineRange(curve.x, log)));
}

/**
 * Returns the visible ranges: those of the window, otherwise those that the object specifies, otherwise everything. A
 * window with `free` may extend beyond the contents.
 */
export function shownRanges(model: AnyPlot, log: LogAxes, window: PlotWindow = {}, free = false): PlotRanges {
  const isMap = model.kind === 'map';
  const part = (range: Range | undefined, whole: Range, isLog: boolean) =>
    free && range !== undefined && !(isLog && range[0] <= 0) ? range : within(range, whole, isLog);
  const x = part(window.x ?? model.xRange, wholeRange(model, log.x), log.x && !isMap);
  if (isMap) return { x, y: part(window.y ?? model.yRange, edgeRange(model.yEdges, false), false) };
  if (window.y !== undefined && !(log.y && window.y[0] <= 0)) return { x, y: window.y };
  return { x, y: finite(model.kind === 'bins' ? binsRange(model, x, log.y) : graphRange(model, x, log.y)) };
}

/** Limits the room around the largest numbers to finite numbers. */
function finite([low, high]: Range): Range {
  return [Math.max(low, -Number.MAX_VALUE), Math.min(high, Number.MAX_VALUE)];
}

/**
 * Returns the part of a map with contents, in whole bins; undefined if that is all of it or nothing. Axes that
 * TTree::Draw chooses for two dimensions may be twice as long.
 */
export function filledWindow(model: AnyPlot): PlotWindow | undefined {
  if (model.kind !== 'map') return undefined;
  const { values, xEdges, yEdges } = model;
  const width = xEdges.length - 1;
  const columns: [number, number] = [width, -1];
  const rows: [number, number] = [yEdges.length - 1, -1];
  values.forEach((value, i) => {
    if (value === 0 || !Number.isFinite(value)) return;
    const place = [i % width, Math.floor(i / width)] as const;
    for (const [axis, ends] of [columns, rows].entries()) {
      ends[0] = Math.min(ends[0] ?? 0, place[axis] ?? 0);
      ends[1] = Math.max(ends[1] ?? 0, place[axis] ?? 0);
    }
  });
  if (columns[1] < 0) return undefined;
  const part = (edges: Float64Array, [first, last]: [number, number]): Range | undefined =>
    first === 0 && last === edges.length - 2 ? undefined : [edges[first] ?? 0, edges[last + 1] ?? 1];
  const [x, y] = [part(xEdges, columns), part(yEdges, rows)];
  return x === undefined && y === undefined ? undefined : { x, y };
}

/** Returns the part of a map that has contents, as a separate map: see `filledWindow`. Other plots are returned unchanged. */
export function filledPart(model: AnyPlot): AnyPlot {
  const window = filledWindow(model);
  if (model.kind !== 'map' || window === undefined) return model;
  const bins = (edges: Float64Array, range: Range | undefined): [number, number] =>
    range === undefined ? [0, edges.length - 1] : shownBins(edges, range);
  return windowOf(model, { x: bins(model.xEdges, window.x), y: bins(model.yEdges, window.y) });
}

/** Returns the bins that an axis shows: [from, to). */
export function shownBins(edges: Float64Array, [low, high]: Range): [from: number, to: number] {
  const bins = edges.length - 1;
  let from = 0;
  let to = bins;
  if (low >= (edges[bins] ?? 0) || high <= (edges[0] ?? 0)) return [0, 0];
  while (from < bins - 1 && (edges[from + 1] ?? 0) <= low) from++;
  while (to > from + 1 && (edges[to - 1] ?? 0) >= high) to--;
  return [from, to];
}

/** Limits a range to the contents; returns all of them if nothing would be left. */
function within(range: Range | undefined, [low, high]: Range, log: boolean): Range {
  if (range === undefined) return [low, high];
  const cut: Range = [Math.max(low, range[0]), Math.min(high, range[1])];
  return cut[1] > cut[0] && !(log && cut[0] <= 0) ? cut : [low, high];
}

function binsRange(model: PlotModel, x: Range, log: boolean): Range {
  const { overlays = [] } = model;
  const alike = overlays.filter(({ edges }) => edges === undefined);
  const parts = [{ ...model, overlays: alike }];
  for (const { edges, values, errors, hidesErrors } of overlays)
    if (edges) parts.push({ ...model, edges, values, errors, hidesErrors, overlays: [] });
  const range = hull([
    ...parts.map((part) => valueRange(part, log, ...shownBins(part.edges, x))),
    ...seriesRanges(model.points ?? [], x, log),
  ]);
  return limited(withCurves(range, model.curves, x, log), model, log);
}

function graphRange(model: GraphModel, x: Range, log: boolean): Range {
  const ranges = seriesRanges(
    [{ ...model, stats: undefined }, ...(model.overlays ?? [])].filter(({ onRight }) => !onRight),
    x,
    log,
  );
  return limited(withCurves(ranges.length > 0 ? hull(ranges) : undefined, model.curves, x, log), model, log);
}

function seriesRanges(series: readonly Series[], [low, high]: Range, log: boolean): Range[] {
  return series.flatMap(({ x, y, errors, more }) => {
    const seen = y.map((value, i) => ((x[i] ?? 0) >= low && (x[i] ?? 0) <= high ? value : Number.NaN));
    if (!seen.some(Number.isFinite)) return [];
    const bars = [...(errors ? [errors] : []), ...(more ?? [])];
    return [undefined, ...bars].map((bar) => pointRange(seen, bar?.down, bar?.up, log));
  });
}

/** Extends a range to include curves, but by at most half. A curve that goes far beyond is cut off. */
function withCurves(
  range: Range | undefined,
  curves: readonly Curve[] | undefined,
  [low, high]: Range,
  log: boolean,
): Range {
  const values = (curves ?? []).flatMap(({ x, y }) => [
    ...y.filter((value, i) => (x[i] ?? 0) >= low && (x[i] ?? 0) <= high && (!log || value > 0)),
  ]);
  const own = pointRange(Float64Array.from(values), undefined, undefined, log);
  if (range === undefined) return own;
  if (values.length === 0 || log) return range;
  const spare = (range[1] - range[0]) / 2;
  return [
    Math.min(range[0], Math.max(own[0], range[0] - spare)),
    Math.max(range[1], Math.min(own[1], range[1] + spare)),
  ];
}

/** Applies the limits that the object itself sets (SetMinimum, SetMaximum). */
function limited(range: Range, { limits }: AnyPlot, log: boolean): Range {
  const low = limits?.low !== undefined && !(log && limits.low <= 0) ? limits.low : range[0];
  const high = limits?.high ?? range[1];
  return high > low ? [low, high] : range;
}

function lineRange(x: Float64Array, log: boolean): Range {
  const positive = log ? x.filter((value) => value > 0) : x;
  const low = positive[0] ?? 0;
  const high = positive.at(-1) ?? 1;
  return high > low ? [low, high] : [low, low + 1];
}

function hull(ranges: readonly Range[]): Range {
  if (ranges.length === 0) return [0, 1];
  return [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
}
