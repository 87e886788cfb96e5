import { ratioModel } from '../compare';
import { readableLatex } from '../drawing/latex';
import { type TimeAxis, timeText } from '../drawing/time-axis';
import { type AnyPlot, type MapModel, type PlotModel, type Series, statNumber } from '../model';
import type { Layer } from '../panels';

/** The things at the crosshair. */
export interface Hit {
  /** The bins, points and functions, by the index of their layer. */
  hits: { layer: number; index: number }[];
  /** The bins of x and of y of a map. */
  cell: { index: number; row: number } | undefined;
}

/** The contents at the crosshair, a line for each. */
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
  if (model.kind === 'bins')
    return [...(isFunction ? [] : binReadout(model, first.index)), ...functions].join('\n');
  const series = first.layer === 0 ? model : model.overlays?.[first.layer - 1];
  if (isFunction || series === undefined) return functions.join('\n');
  if (series.note) return series.note(first.index);
  const name = own > 1 ? [readableLatex(layers[first.layer]?.title ?? '')] : [];
  return [...name, ...pointReadout(series, first.index, model), ...functions].join('\n');
}

/** A value of an axis: a number, or a time. */
function axisText(value: number, time: TimeAxis | undefined): string {
  return time === undefined ? statNumber(value) : timeText(value, time);
}

function span(edges: Float64Array, index: number, time: TimeAxis | undefined): string {
  const [low, high] = [0, 1].map((more) => axisText(edges[index + more] ?? Number.NaN, time));
  return `[${low}, ${high})`;
}

function binReadout(model: PlotModel, index: number): string[] {
  const overlays = model.overlays ?? [];
  const contents = [{ ...model, title: model.label ?? model.title }, ...overlays].map(
    ({ title, values, errors }) => {
      const value = statNumber(values[index] ?? Number.NaN);
      const said = errors === undefined ? value : `${value} ± ${statNumber(errors[index] ?? Number.NaN)}`;
      return overlays.length > 0 ? `${readableLatex(title)} ${said}` : said;
    },
  );
  const name = readableLatex(model.xLabels?.[index] ?? '');
  const ratio = ratioModel(model);
  const quotient = ratio?.values[index] ?? Number.NaN;
  const error = statNumber(ratio?.errors?.[index] ?? Number.NaN);
  const last = Number.isFinite(quotient) ? [`ratio ${statNumber(quotient)} ± ${error}`] : [];
  return [name || span(model.edges, index, model.xTime), ...contents, ...last];
}

function pointReadout(
  { x, y, errors }: Series,
  index: number,
  { xTime, yTime }: Pick<AnyPlot, 'xTime' | 'yTime'>,
): string[] {
  const part = (name: string, value: string, down = 0, up = 0) => {
    const error =
      down === up ? (up > 0 ? ` ± ${statNumber(up)}` : '') : ` −${statNumber(down)} +${statNumber(up)}`;
    return `${name} ${value}${error}`;
  };
  return [
    part('x', axisText(x[index] ?? Number.NaN, xTime), errors?.left[index], errors?.right[index]),
    part('y', axisText(y[index] ?? Number.NaN, yTime), errors?.down[index], errors?.up[index]),
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
  return [`x ${at[0]}`, `y ${at[1]}`, statNumber(value)].join('\n');
}
