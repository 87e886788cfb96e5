import { readableLatex } from '../drawing/latex';
import { type TimeAxis, timeText } from '../drawing/time-axis';
import { type AnyPlot, type MapModel, middleOf, type PlotModel, type Series, statNumber } from '../model';
import type { Layer } from '../panels';
import { contentWithError, contentWithErrors } from '../stored/content-with-error';

/** The contents at the crosshair. */
export interface Hit {
  /** The bins, points and functions, by the index of their layer. */
  hits: { layer: number; index: number }[];
  /** The bins of x and of y of a map. */
  cell: { index: number; row: number } | undefined;
}

/** Returns the contents at the crosshair as text, one line each. */
export function readoutOf(model: AnyPlot, layers: readonly Layer[], { hits, cell }: Hit): string {
  if (model.kind === 'map') return cell === undefined ? '' : mapReadout(model, cell.index, cell.row);
  const [first] = hits;
  if (first === undefined) return '';
  const own = layers.length - (model.curves?.length ?? 0);
  const functions = hits
    .filter(({ layer }) => layer >= own)
    .map(
      ({ layer, index }) =>
        `${readableLatex(layers[layer]?.title ?? '')} ${statNumber(layers[layer]?.y[index] ?? 0)}`,
    );
  const isFunction = first.layer >= own;
  if (model.kind === 'bins') return [...(isFunction ? [] : binReadout(model, hits)), ...functions].join('\n');
  const series = first.layer === 0 ? model : model.overlays?.[first.layer - 1];
  if (isFunction || series === undefined) return functions.join('\n');
  if (series.note) return series.note(first.index);
  const name = own > 1 ? [readableLatex(layers[first.layer]?.title ?? '')] : [];
  return [...name, ...pointReadout(series, first.index, model), ...functions].join('\n');
}

/** Formats a value of an axis: a number, or a time. */
function axisText(value: number, time: TimeAxis | undefined): string {
  return time === undefined ? statNumber(value) : timeText(value, time);
}

function span(edges: Float64Array, index: number, time: TimeAxis | undefined): string {
  const ends = [0, 1].map((more) => edges[index + more] ?? Number.NaN) as [number, number];
  // Adding up steps may give a tiny number instead of 0.
  const least = 1e-9 * (ends[1] - ends[0]);
  const [low, high] = ends.map((end) => axisText(Math.abs(end) < least ? 0 : end, time));
  return `[${low}, ${high})`;
}

function binReadout(model: PlotModel, hits: Hit['hits']): string[] {
  const { overlays = [], below } = model;
  const parts = [{ ...model, title: model.label ?? model.title }, ...overlays];
  const place = (edges: Float64Array, index: number) => span(edges, index, model.xTime);
  const said = parts.flatMap(({ title, values, errors, edges }, i) => {
    const index = hits.find(({ layer }) => layer === i)?.index;
    if (index === undefined) return [];
    const value = contentText(values[index], errors?.[index]);
    const name = overlays.length > 0 ? `${readableLatex(title)} ` : '';
    // Other layers may have other bins.
    return [`${name}${value}${i > 0 && edges !== undefined ? ` in ${place(edges, index)}` : ''}`];
  });
  const [first] = hits;
  const index = hits.find(({ layer }) => layer === 0)?.index;
  const at = first?.layer === 0 ? model.edges : (overlays[(first?.layer ?? 1) - 1]?.edges ?? model.edges);
  const name = readableLatex(model.xLabels?.[first?.index ?? 0] ?? '');
  return [
    name || place(at, first?.index ?? 0),
    ...said,
    ...(index === undefined ? [] : belowReadout(below?.model, index)),
  ];
}

/** Returns the ratios or differences in a bin as text. */
function belowReadout(below: PlotModel | undefined, index: number): string[] {
  if (below === undefined) return [];
  const { overlays = [] } = below;
  const what = below.yTitle.toLowerCase();
  return [{ ...below, title: below.label ?? '' }, ...overlays].flatMap(({ title, values, errors }) => {
    if (!Number.isFinite(values[index])) return [];
    const of = overlays.length > 0 ? ` of ${readableLatex(title)}` : '';
    return [`${what}${of} ${contentText(values[index], errors?.[index])}`];
  });
}

function contentText(value = Number.NaN, error: number | undefined): string {
  if (Number.isNaN(value)) return 'no value (NaN)';
  return error === undefined ? statNumber(value) : contentWithError(value, error);
}

function pointReadout(
  { x, y, errors }: Series,
  index: number,
  { xTime, yTime }: Pick<AnyPlot, 'xTime' | 'yTime'>,
): string[] {
  const part = (name: string, value = Number.NaN, time: TimeAxis | undefined, down = 0, up = 0) =>
    `${name} ${time === undefined && (down > 0 || up > 0) ? contentWithErrors(value, down, up) : axisText(value, time)}`;
  return [
    part('x', x[index], xTime, errors?.left[index], errors?.right[index]),
    part('y', y[index], yTime, errors?.down[index], errors?.up[index]),
  ];
}

function mapReadout(model: MapModel, x: number, y: number): string {
  const value = model.values[y * (model.xEdges.length - 1) + x] ?? Number.NaN;
  const place = (labels: string[] | undefined, edges: Float64Array, at: number, time: TimeAxis | undefined) =>
    readableLatex(labels?.[at] ?? '') || span(edges, at, time);
  const at = [
    place(model.xLabels, model.xEdges, x, model.xTime),
    place(model.yLabels, model.yEdges, y, model.yTime),
  ];
  const { overlays = [], label = '' } = model;
  const name = overlays.length > 0 ? `${readableLatex(label)} ` : '';
  const others = overlays.map(
    (one) =>
      `${readableLatex(one.title)} ${statNumber(one.at(middleOf(model.xEdges, x), middleOf(model.yEdges, y)))}`,
  );
  return [`x ${at[0]}`, `y ${at[1]}`, name + statNumber(value), ...others].join('\n');
}
