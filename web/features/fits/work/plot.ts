import type { FitResult } from '../../../api/fit';
import { type Colour, lineInk, type Shape, short } from '../../../plot/drawing/drawing';
import type { PlotFrame } from '../../../plot/drawing/frame';
import { panelsWith } from '../../../plot/layers/below-panels';
import {
  type AnyPlot,
  type Curve,
  type FunctionNote,
  type PlotModel,
  type Series,
  statNumber,
} from '../../../plot/model';
import type { Fit } from './fit';
import { valueText } from './report';

/** Contents of the panel below a fit. */
export type BelowFit = 'pulls' | 'difference' | 'none';

export const isBelow = (text: string): text is BelowFit => /^(pulls|difference|none)$/.test(text);

const STEPS = 400;

/** The numbers of a fit that a plot shows: plain data, which cross threads. */
export interface DrawnFit {
  result: FitResult;
  /** Places along x, values of the function there, and half widths of its band. */
  x: Float64Array;
  y: Float64Array;
  band: Float64Array;
  /** Middles of the bins, their contents and errors, and the values of the function. */
  at: Float64Array;
  content: Float64Array | undefined;
  error: Float64Array | undefined;
  expected: Float64Array;
}

/** Returns the numbers of a fit that a plot shows. */
export function drawnFit({ result, points, expected, curve }: Fit): DrawnFit {
  const [ends] = result.range;
  const is1D = points.data.x.length === 1 && ends !== undefined;
  const [low, high] = ends ?? [0, 0];
  const x = Float64Array.from({ length: is1D ? STEPS + 1 : 0 }, (_, i) => low + (i / STEPS) * (high - low));
  const none = new Float64Array(0);
  const { y, band } = is1D ? curve(x) : { y: none, band: none };
  const isUnbinned = result.method === 'unbinned';
  return {
    ...{ result, x, y, band, expected: isUnbinned ? none : expected },
    at: (isUnbinned ? undefined : points.data.x[0]) ?? none,
    ...{ content: points.data.y, error: points.data.error },
  };
}

/** Adds the function, its band and a panel of pulls to the plot of what was fitted. */
export function withFit(model: AnyPlot, made: DrawnFit, below: BelowFit): AnyPlot {
  const { result, x, y, band } = made;
  const note: FunctionNote = { title: result.function, lines: linesOf(result) };
  const functions = [note, ...(model.functions ?? [])];
  if (model.kind === 'map' || x.length === 0) return { ...model, functions };
  const scale = model.kind === 'bins' ? unitsOf(model, made) : 1;
  const line: Curve = { title: result.function, x, y: y.map((one) => one * scale) };
  const hasBand = band.some((one) => one > 0) && band.every(Number.isFinite);
  const bands = hasBand ? [bandOf(x, line.y, band, scale)] : [];
  const curves = [line, ...(model.curves ?? [])];
  if (model.kind === 'graph')
    return { ...model, curves, functions, overlays: [...(model.overlays ?? []), ...bands] };
  const shown: PlotModel = { ...model, curves, functions, points: [...(model.points ?? []), ...bands] };
  const lower = below === 'none' ? undefined : lowerModel(model, made, below);
  return lower
    ? { ...shown, below: { kind: 'difference', model: lower, panels: panelsWith(lower, 0) } }
    : shown;
}

/** The band of one standard deviation around a function, as a filled shape. */
function bandOf(x: Float64Array, y: Float64Array, band: Float64Array, scale: number): Series {
  const shapes = (_: Series, ink: Colour, { x: along, y: up }: PlotFrame): Shape[] => {
    const side = (sign: number) =>
      Array.from(x, (at, i) => {
        const value = (y[i] ?? 0) + sign * (band[i] ?? 0) * scale;
        return `${short(along.toPixel(at))} ${short(up.toPixel(value))}`;
      });
    const ends = [...side(1), ...side(-1).reverse()].filter((point) => !/NaN|Infinity/.test(point));
    return [{ kind: 'path', d: `M${ends.join('L')}Z`, fill: ink, fillOpacity: 0.3 }];
  };
  return { title: '', x, y, dots: false, ink: lineInk(1), shapes };
}

/** The factor between the function and bins: an unbinned fit is per unit of x. */
function unitsOf({ edges }: PlotModel, { result }: DrawnFit): number {
  if (result.method !== 'unbinned') return 1;
  return ((edges.at(-1) ?? 1) - (edges[0] ?? 0)) / (edges.length - 1);
}

function linesOf({ parameters, chi2, ndf, probability }: FitResult): FunctionNote['lines'] {
  return [
    ...(Number.isFinite(chi2) ? [{ label: 'χ² / ndf', value: `${statNumber(chi2)} / ${ndf}` }] : []),
    ...(Number.isFinite(probability) ? [{ label: 'p-value', value: statNumber(probability) }] : []),
    ...parameters.map((one) => ({ label: one.name, value: valueText(one) })),
  ];
}

/** Pulls or differences of the bins that were fitted, over the bins of the plot. */
function lowerModel(model: PlotModel, made: DrawnFit, below: 'pulls' | 'difference'): PlotModel | undefined {
  const { at, content: y, error, expected, result } = made;
  if (!y || !error || result.method === 'unbinned') return undefined;
  const values = new Float64Array(model.values.length).fill(Number.NaN);
  const errors = new Float64Array(values.length);
  let bin = 0;
  at.forEach((middle, i) => {
    while (bin < values.length && (model.edges[bin + 1] ?? Number.NaN) <= middle) bin += 1;
    if (bin >= values.length) return;
    const away = (y[i] ?? 0) - (expected[i] ?? 0);
    // The error that the fit uses: of a likelihood or of Pearson's chi-square that of the expected content.
    const expects = result.method === 'chi2' ? error[i] : Math.sqrt(Math.max(0, expected[i] ?? 0));
    const sigma = expects || 1;
    values[bin] = below === 'pulls' ? away / sigma : away;
    errors[bin] = below === 'pulls' ? 1 : sigma;
  });
  return {
    kind: 'bins',
    title: below === 'pulls' ? 'Pulls' : 'Data − function',
    ...{ xTitle: model.xTitle, yTitle: below === 'pulls' ? 'Pull' : 'Difference' },
    ...{ edges: model.edges, values, errors, xLabels: model.xLabels, mark: 'points', stats: [] },
  };
}
