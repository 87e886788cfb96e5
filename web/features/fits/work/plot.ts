import type { FitResult } from '../../../api/fit';
import { type Colour, lineInk, type Shape, short } from '../../../plot/drawing/drawing';
import type { PlotFrame } from '../../../plot/drawing/frame';
import { panelsWith } from '../../../plot/layers/below-panels';
import { overMap } from '../../../plot/layers/over-map';
import {
  type AnyPlot,
  binAt,
  type Curve,
  type FunctionNote,
  type GraphModel,
  type MapModel,
  type PlotModel,
  type Series,
  statNumber,
  uniformEdges,
} from '../../../plot/model';
import { curveInks } from '../../../plot/panels';
import type { BelowFit } from './below';
import type { Fit } from './fit';
import { METHOD } from './fit-core';
import { valueText } from './report';

const STEPS = 400;
/** Places along each axis at which a function of two coordinates is drawn. */
const GRID = 80;

/** The numbers of a fit that a plot shows: plain data, which cross threads. */
export interface DrawnFit {
  result: FitResult;
  /** Places along x, values of the function there, and half widths of its band. */
  x: Float64Array;
  y: Float64Array;
  band: Float64Array;
  /** Values of a function of two coordinates in the middles of GRID by GRID cells of the range; x varies fastest. */
  surface: Float64Array | undefined;
  /** Middles of the bins, or points, by their coordinates; their contents, and the values of the function. */
  at: readonly Float64Array[];
  content: Float64Array | undefined;
  expected: Float64Array;
  /** Errors, those of points that lie below the function, and half lengths of the errors of x. */
  error: Float64Array | undefined;
  above: Float64Array | undefined;
  half: Float64Array | undefined;
}

/** Returns the numbers of a fit that a plot shows. */
export function drawnFit({ result, points, expected, curve, at }: Fit): DrawnFit {
  const [ends, upward] = result.range;
  const { x: places, half: [half] = [], y: content, error, above } = points.data;
  const is1D = places.length === 1 && ends !== undefined;
  const x = is1D ? between(ends, STEPS + 1, (i) => i / STEPS) : none;
  const { y, band } = is1D ? curve(x) : { y: none, band: none };
  const isUnbinned = result.method === 'unbinned';
  return {
    ...{ result, x, y, band, expected: isUnbinned ? none : expected, at: isUnbinned ? [none] : places },
    surface: places.length === 2 && ends && upward ? at(grid(ends, upward)) : undefined,
    ...{ content: isUnbinned ? undefined : content, error, above },
    ...{ half: points.method === METHOD.effective ? half : undefined },
  };
}

const none = new Float64Array(0);

const between = ([low, high]: readonly [number, number], count: number, share: (i: number) => number) =>
  Float64Array.from({ length: count }, (_, i) => low + share(i) * (high - low));

function grid(x: readonly [number, number], y: readonly [number, number]): Float64Array[] {
  const cells = GRID * GRID;
  return [
    between(x, cells, (i) => ((i % GRID) + 0.5) / GRID),
    between(y, cells, (i) => (Math.floor(i / GRID) + 0.5) / GRID),
  ];
}

/**
 * Adds the function, its band and a panel of pulls to the plot of what was fitted. On a map the function is lines of
 * equal height, and pulls or differences replace the cells. A panel that the plot has stays.
 */
export function withFit(model: AnyPlot, made: DrawnFit, below: BelowFit): AnyPlot {
  const { result, x, y, band } = made;
  const note: FunctionNote = { title: result.function, lines: linesOf(result) };
  const functions = [note, ...(model.functions ?? [])];
  if (model.kind === 'map') return { ...mapWithFit(model, made, below), functions };
  if (x.length === 0) return { ...model, functions };
  const scale = model.kind === 'bins' ? unitsOf(model, made) : 1;
  const line: Curve = { title: result.function, x, y: y.map((one) => one * scale) };
  const hasBand = band.some((one) => one > 0) && band.every(Number.isFinite);
  const curves = [line, ...(model.curves ?? [])];
  const [ink = lineInk(1)] = curveInks({ ...model, curves });
  const bands = hasBand ? [bandOf(x, line.y, band, scale, ink)] : [];
  const lower = below === 'none' || model.below ? undefined : lowerModel(model, made, below);
  const panel = lower && {
    below: {
      kind: 'difference' as const,
      model: lower,
      panels: panelsWith(lower, 0, { range: lowerRange(lower) }),
    },
  };
  if (model.kind === 'graph')
    return { ...model, ...panel, curves, functions, overlays: [...(model.overlays ?? []), ...bands] };
  return { ...model, ...panel, curves, functions, points: [...(model.points ?? []), ...bands] };
}

/** A part of a simultaneous fit, and the layer that it belongs to. */
export interface LayerFit {
  /** The name of the layer in the legend. */
  label: string;
  made: DrawnFit;
}

/** Adds the functions of a simultaneous fit to the layers, in the colours of these, with their bands and a panel of pulls below. */
export function withFits(model: AnyPlot, parts: readonly LayerFit[], below: BelowFit): AnyPlot {
  const notes = parts.map(
    ({ label, made: { result } }): FunctionNote => ({
      title: `${label}: ${result.function}`,
      lines: linesOf(result),
    }),
  );
  const functions = [...notes, ...(model.functions ?? [])];
  if (model.kind === 'map') return { ...model, functions };
  const looks = parts.map(({ label }, i) => lookOf(model, label, i));
  const lines = parts.flatMap(({ made: { x, y, band } }, i): Series[] => {
    const { ink, scale } = looks[i] ?? { ink: lineInk(i), scale: 1 };
    const scaled = y.map((one) => one * scale);
    const hasBand = band.some((one) => one > 0) && band.every(Number.isFinite);
    // Without a name, a line belongs to the layer of its colour.
    const line: Series = { title: '', x, y: scaled, dots: false, ink };
    return [...(hasBand ? [bandOf(x, scaled, band, scale, ink)] : []), line];
  });
  const series =
    model.kind === 'graph'
      ? { overlays: [...(model.overlays ?? []), ...lines] }
      : { points: [...(model.points ?? []), ...lines] };
  const panel = below === 'none' || model.below ? undefined : lowerOfAll(model, parts, looks, below);
  return { ...model, functions, ...series, ...panel } as AnyPlot;
}

interface LayerLook {
  ink: Colour;
  scale: number;
}

/** The colour and the scale of a layer. */
function lookOf(model: PlotModel | GraphModel, label: string, i: number): LayerLook {
  const points = model.kind === 'graph' ? [] : (model.points ?? []);
  const layer = [...(model.overlays ?? []), ...points].find(({ title }) => title === label);
  const own = i === 0 || layer === undefined ? model : layer;
  return { ink: own.ink ?? lineInk(i), scale: ('scale' in own && own.scale) || 1 };
}

/** The panel below several functions: pulls or differences of each layer as points of its colour. */
function lowerOfAll(
  model: PlotModel | GraphModel,
  parts: readonly LayerFit[],
  looks: readonly LayerLook[],
  below: 'pulls' | 'difference',
): Pick<PlotModel, 'below'> | undefined {
  const { title, axis } = TITLES[below];
  const points = parts.flatMap(({ label, made }, i): Series[] => {
    const { ink, scale } = looks[i] ?? { ink: lineInk(i), scale: 1 };
    const at = made.at[0] ?? none;
    const factor = below === 'difference' ? scale : 1;
    const all = Array.from(at, (_, k) => awayOf(made, k, below));
    const zero = new Float64Array(at.length);
    const length = Float64Array.from(all, ({ error }) => (error || 0) * factor);
    const y = Float64Array.from(all, ({ value }) => value * factor);
    const errors = { left: zero, right: zero, down: length, up: length };
    return at.length === 0 ? [] : [{ title: label, x: at, y, joined: false, ink, errors }];
  });
  if (points.length === 0) return undefined;
  const ends = parts[0]?.made.result.range[0] ?? [0, 1];
  const lower: PlotModel = {
    ...{ kind: 'bins', title, xTitle: model.xTitle, yTitle: axis, mark: 'points', stats: [] },
    edges: model.kind === 'bins' ? model.edges : Float64Array.of(...ends),
    values: new Float64Array(model.kind === 'bins' ? model.values.length : 1).fill(Number.NaN),
    points,
  };
  return {
    below: { kind: 'difference', model: lower, panels: panelsWith(lower, 0, { range: lowerRange(lower) }) },
  };
}

/** Ends of the axis of pulls or differences, with 0 in the middle. */
function lowerRange({ values, errors, points = [] }: PlotModel): [low: number, high: number] {
  const all = [{ y: values, up: errors }, ...points.map((one) => ({ y: one.y, up: one.errors?.up }))];
  const ends = all.flatMap(({ y, up }) =>
    [...y].map((value, i) => (Number.isFinite(value) ? Math.abs(value) + (up?.[i] ?? 0) : 0)),
  );
  const most = ends.reduce((one, other) => Math.max(one, other), 0) * 1.08 || 1;
  return [-most, most];
}

function mapWithFit(model: MapModel, made: DrawnFit, below: BelowFit): MapModel {
  const { result, surface } = made;
  const [x, y] = result.range;
  if (surface === undefined || !x || !y) return model;
  const axes = { xEdges: uniformEdges(GRID, ...x), yEdges: uniformEdges(GRID, ...y) };
  const lines = overMap({ ...model, ...axes, values: surface }, 'contours', result.function, {
    ink: lineInk(1),
  });
  if (below !== 'none') {
    const values = new Float64Array(model.values.length).fill(Number.NaN);
    const nx = model.xEdges.length - 1;
    const [across = none, up = none] = made.at;
    across.forEach((at, i) => {
      const [column, row] = [binAt(model.xEdges, at), binAt(model.yEdges, up[i] ?? Number.NaN)];
      if (column >= 0 && row >= 0) values[row * nx + column] = awayOf(made, i, below).value;
    });
    const most = values.reduce((high, value) => Math.max(high, Math.abs(value) || 0), 0) || 1;
    const zTitle = TITLES[below].axis;
    return {
      ...model,
      values,
      zTitle,
      zeros: true,
      limits: { low: -most, high: most },
      stats: [],
      overlays: [],
    };
  }
  return { ...model, overlays: [...(model.overlays ?? []), lines] };
}

/** The band of one standard deviation around a function, as a filled shape. */
function bandOf(x: Float64Array, y: Float64Array, band: Float64Array, scale: number, ink: Colour): Series {
  const shapes = (_: Series, own: Colour, { x: along, y: up }: PlotFrame): Shape[] => {
    const side = (sign: number) =>
      Array.from(x, (at, i) => {
        const value = (y[i] ?? 0) + sign * (band[i] ?? 0) * scale;
        return `${short(along.toPixel(at))} ${short(up.toPixel(value))}`;
      });
    const ends = [...side(1), ...side(-1).reverse()].filter((point) => !/NaN|Infinity/.test(point));
    return [{ kind: 'path', d: `M${ends.join('L')}Z`, fill: own, fillOpacity: 0.3 }];
  };
  return { title: '', x: none, y: none, dots: false, ink, shapes };
}

/** The factor between the function and the bins that are drawn: an unbinned fit is per unit of x, and layers may be scaled. */
function unitsOf({ edges, scale = 1 }: PlotModel, { result }: DrawnFit): number {
  if (result.method !== 'unbinned') return scale;
  return (scale * ((edges.at(-1) ?? 1) - (edges[0] ?? 0))) / (edges.length - 1);
}

function linesOf({ parameters, chi2, ndf, probability }: FitResult): FunctionNote['lines'] {
  return [
    ...(Number.isFinite(chi2) ? [{ label: 'χ² / ndf', value: `${statNumber(chi2)} / ${ndf}` }] : []),
    ...(Number.isFinite(probability) ? [{ label: 'p-value', value: statNumber(probability) }] : []),
    ...parameters.map((one) => ({ label: one.name, value: valueText(one) })),
  ];
}

const TITLES = {
  pulls: { title: 'Pulls', axis: 'Pull' },
  difference: { title: 'Data − function', axis: 'Difference' },
} as const;

/** The difference of a bin or point to the function, or its pull, with its error; NaN without an error. */
function awayOf(made: DrawnFit, i: number, below: 'pulls' | 'difference'): { value: number; error: number } {
  const { content, error, above, half, expected, result, x, y } = made;
  const function_ = expected[i] ?? Number.NaN;
  const away = (content?.[i] ?? Number.NaN) - function_;
  // The error that the fit uses: of a likelihood or of Pearson's chi-square that of the expected content.
  const own = above && away < 0 ? above[i] : error?.[i];
  let sigma = (result.method === 'chi2' ? own : Math.sqrt(Math.max(0, function_))) ?? Number.NaN;
  if (half && x.length > 2) {
    const [low = 0, high = 1] = result.range[0] ?? [];
    const place = Math.round((((made.at[0]?.[i] ?? low) - low) / (high - low)) * STEPS);
    const [from, to] = [Math.max(0, place - 1), Math.min(STEPS, place + 1)];
    const slope = ((y[to] ?? 0) - (y[from] ?? 0)) / ((x[to] ?? 1) - (x[from] ?? 0));
    sigma = Math.hypot(sigma, slope * (half[i] ?? 0));
  }
  if (below === 'difference') return { value: away, error: sigma };
  return { value: sigma > 0 ? away / sigma : Number.NaN, error: 1 };
}

/** Pulls or differences of the bins or points that were fitted, over those of the plot. */
function lowerModel(
  model: PlotModel | GraphModel,
  made: DrawnFit,
  below: 'pulls' | 'difference',
): PlotModel | undefined {
  const {
    at: [at = none],
    content,
    error,
    result,
  } = made;
  if (!content || !error || result.method === 'unbinned') return undefined;
  const { title, axis } = TITLES[below];
  const common = {
    ...{
      kind: 'bins' as const,
      title,
      xTitle: model.xTitle,
      yTitle: axis,
      mark: 'points' as const,
      stats: [],
    },
  };
  const all = Array.from(at, (_, i) => awayOf(made, i, below));
  if (model.kind === 'graph') {
    const zero = new Float64Array(at.length);
    const length = Float64Array.from(all, (one) => one.error || 0);
    const points: Series = {
      ...{ title, x: at, y: Float64Array.from(all, ({ value }) => value), joined: false, ink: model.ink },
      errors: { left: zero, right: zero, down: length, up: length },
    };
    const edges = Float64Array.of(...(result.range[0] ?? [0, 1]));
    return { ...common, edges, values: Float64Array.of(Number.NaN), points: [points] };
  }
  const scale = below === 'difference' ? (model.scale ?? 1) : 1;
  const values = new Float64Array(model.values.length).fill(Number.NaN);
  const errors = new Float64Array(values.length);
  let bin = 0;
  at.forEach((middle, i) => {
    while (bin < values.length && (model.edges[bin + 1] ?? Number.NaN) <= middle) bin += 1;
    if (bin >= values.length) return;
    values[bin] = (all[i]?.value ?? Number.NaN) * scale;
    errors[bin] = (all[i]?.error ?? 0) * scale;
  });
  return { ...common, edges: model.edges, values, errors, xLabels: model.xLabels };
}
