import type { Histogram } from '../file/api';
import {
  type AnyPlot,
  edgeRange,
  type GraphModel,
  type LogAxes,
  modelOfHistogram,
  type Overlay,
  type PlotModel,
  pointRange,
  valueRange,
} from './model';
import { outlinePath, stepOutline } from './steps';
import { type Frame, frameOf, n, statsBox, svgDocument, text } from './svg-frame';
import { mapSvg } from './svg-map';

export interface SvgOptions {
  /** Size of the picture in CSS pixels. Default 720 by 480. */
  width?: number;
  height?: number;
  /** Logarithmic axes; of a map, `y` is the scale of colours. */
  log?: Partial<LogAxes>;
  /** Instead of the model's own. */
  title?: string;
  xTitle?: string;
  yTitle?: string;
  /** Draw the statistics box. Default true; maps have none. */
  stats?: boolean;
}

/** Colours of what is drawn, the plot's own first. Told apart also by those who see few colours. */
export const seriesColours = ['#1f7a5c', '#b2481f', '#3b5bb5', '#8a6d00', '#7d3f98', '#00808f'];

/**
 * A plot as a self-contained SVG document: title, axes with labels, content, error bars and a
 * statistics box. Pure text, no DOM; all text is escaped.
 */
export function plotSvg(plot: Histogram | AnyPlot, options: SvgOptions = {}): string {
  const made = plot.kind === 'histogram' ? modelOfHistogram(plot) : plot;
  const model = {
    ...made,
    title: options.title ?? made.title,
    xTitle: options.xTitle ?? made.xTitle,
    yTitle: options.yTitle ?? made.yTitle,
  };
  const size = { width: options.width ?? 720, height: options.height ?? 480 };
  const log: LogAxes = { x: options.log?.x ?? false, y: options.log?.y ?? false };
  if (model.kind === 'map') return mapSvg(model, size, log.y);
  const frame = model.kind === 'graph' ? graphFrame(model, size, log) : binsFrame(model, size, log);
  const content = model.kind === 'graph' ? [points(model, frame)] : [bins(model, frame, log.y)];
  if (options.stats !== false) content.push(statsBox(model.stats, frame));
  if (model.kind === 'bins') content.push(legend(model, frame));
  return svgDocument(size, model.title, frame, content);
}

type Size = { width: number; height: number };

function binsFrame(model: PlotModel, { width, height }: Size, log: LogAxes): Frame {
  const names = model.xLabels && { edges: model.edges, labels: model.xLabels };
  return frameOf(
    width,
    height,
    { range: edgeRange(model.edges, log.x), log: log.x, title: model.xTitle, names },
    { range: valueRange(model, log.y), log: log.y, title: model.yTitle },
  );
}

function graphFrame(model: GraphModel, { width, height }: Size, log: LogAxes): Frame {
  const { x, y, errors } = model;
  return frameOf(
    width,
    height,
    { range: pointRange(x, errors?.left, errors?.right, log.x), log: log.x, title: model.xTitle },
    { range: pointRange(y, errors?.down, errors?.up, log.y), log: log.y, title: model.yTitle },
  );
}

function bins(model: PlotModel, frame: Frame, logY: boolean): string {
  const [low] = frame.y.spec.range;
  const baseline = frame.y.scale(logY ? low : Math.max(low, 0));
  const all: Overlay[] = [model, ...(model.overlays ?? [])];
  return all
    .map((one, i) => {
      const colour = seriesColours[i % seriesColours.length] ?? '';
      const outline =
        model.mark === 'steps' ? steps(model.edges, one.values, frame, baseline, colour, i === 0) : '';
      return `${outline}${marks(model, one, frame, colour)}`;
    })
    .join('\n');
}

function steps(
  edges: Float64Array,
  values: Float64Array,
  { x, y }: Frame,
  baseline: number,
  colour: string,
  filled: boolean,
): string {
  const path = outlinePath(stepOutline(edges, values, x.scale, y.scale), baseline);
  const fill = filled ? `<path d="${path}" fill="${colour}" fill-opacity="0.16"/>\n` : '';
  return `${fill}<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.3" stroke-linejoin="round"/>\n`;
}

function marks(model: PlotModel, { values, errors }: Overlay, { x, y }: Frame, colour: string): string {
  if (errors === undefined && model.mark === 'steps') return '';
  const bars: string[] = [];
  const dots: string[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    const error = errors?.[i] ?? 0;
    if (!Number.isFinite(value) || (value === 0 && error === 0)) continue;
    const left = x.scale(model.edges[i] ?? 0);
    const right = x.scale(model.edges[i + 1] ?? 0);
    const middle = n((left + right) / 2);
    if (error > 0) bars.push(`M${middle} ${n(y.scale(value - error))}V${n(y.scale(value + error))}`);
    if (model.mark === 'points') {
      dots.push(`<circle cx="${middle}" cy="${n(y.scale(value))}" r="2.4"/>`);
      bars.push(`M${n(left)} ${n(y.scale(value))}H${n(right)}`);
    }
  }
  const lines = bars.length > 0 ? `<path d="${bars.join('')}" stroke="${colour}" fill="none"/>` : '';
  return dots.length > 0 ? `${lines}<g fill="${colour}">${dots.join('')}</g>` : lines;
}

/** A line through the points in their order, the points themselves, and their error bars. */
function points({ x, y, errors }: GraphModel, frame: Frame): string {
  const colour = seriesColours[0] ?? '';
  const line: string[] = [];
  const bars: string[] = [];
  const dots: string[] = [];
  const toX = frame.x.scale;
  const toY = frame.y.scale;
  for (let i = 0; i < x.length; i++) {
    const px = x[i] ?? Number.NaN;
    const py = y[i] ?? Number.NaN;
    if (!Number.isFinite(px) || !Number.isFinite(py)) continue;
    line.push(`${line.length === 0 ? 'M' : 'L'}${n(toX(px))} ${n(toY(py))}`);
    if (x.length <= 5000) dots.push(`<circle cx="${n(toX(px))}" cy="${n(toY(py))}" r="2.4"/>`);
    if (errors === undefined) continue;
    const { left, right, down, up } = errors;
    bars.push(`M${n(toX(px - (left[i] || 0)))} ${n(toY(py))}H${n(toX(px + (right[i] || 0)))}`);
    bars.push(`M${n(toX(px))} ${n(toY(py - (down[i] || 0)))}V${n(toY(py + (up[i] || 0)))}`);
  }
  return [
    `<path d="${line.join('')}" fill="none" stroke="${colour}" stroke-opacity="0.5"/>`,
    bars.length > 0 ? `<path d="${bars.join('')}" fill="none" stroke="${colour}"/>` : '',
    `<g fill="${colour}">${dots.join('')}</g>`,
  ].join('\n');
}

/** Names the colours where several contents are drawn over each other. */
function legend(model: PlotModel, frame: Frame): string {
  if (model.overlays === undefined || model.overlays.length === 0) return '';
  const rows = [model, ...model.overlays].map((one, i) => {
    const y = frame.top + 16 + i * 18;
    const colour = seriesColours[i % seriesColours.length] ?? '';
    const mark = `<path d="M${n(frame.left + 12)} ${y - 4}h18" stroke="${colour}" stroke-width="3"/>`;
    return `${mark}${text(frame.left + 36, y, one.title, 'font-size="12"')}`;
  });
  return rows.join('\n');
}
