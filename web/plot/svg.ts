import type { Histogram } from '../file/api';
import { modelOfHistogram, type PlotModel, valueRange } from './model';
import { outlinePath, stepOutline } from './steps';
import { linearTicks, logTicks, type Ticks } from './ticks';

export interface SvgOptions {
  /** Size of the picture in CSS pixels. Default 720 by 480. */
  width?: number;
  height?: number;
  logY?: boolean;
  /** Instead of the histogram's own. */
  title?: string;
  xTitle?: string;
  yTitle?: string;
  /** Draw the statistics box. Default true. */
  stats?: boolean;
}

const margin = { top: 44, right: 20, bottom: 56, left: 76 };
const font = 'ui-sans-serif, system-ui, sans-serif';

/**
 * A histogram as a self-contained SVG document: title, axes with labels, bins, error bars and a
 * statistics box. Pure text, no DOM; all text is escaped.
 */
export function histogramSvg(histogram: Histogram | PlotModel, options: SvgOptions = {}): string {
  const model = histogram.kind === 'histogram' ? modelOfHistogram(histogram) : histogram;
  const width = options.width ?? 720;
  const height = options.height ?? 480;
  const logY = options.logY ?? false;
  const left = margin.left;
  const right = width - margin.right;
  const top = margin.top;
  const bottom = height - margin.bottom;
  const xLow = model.edges[0] ?? 0;
  const xHigh = model.edges[model.edges.length - 1] ?? 1;
  const [yLow, yHigh] = valueRange(model, logY);
  const toX = (x: number) => left + ((x - xLow) / (xHigh - xLow)) * (right - left);
  const toY = (y: number) => {
    const share = logY
      ? Math.log(Math.max(y, yLow) / yLow) / Math.log(yHigh / yLow)
      : (y - yLow) / (yHigh - yLow);
    return bottom - share * (bottom - top);
  };
  const xTicks = linearTicks(xLow, xHigh, Math.max(2, Math.round((right - left) / 90)));
  const yCount = Math.max(2, Math.round((bottom - top) / 55));
  const yTicks = logY ? logTicks(yLow, yHigh, yCount) : linearTicks(yLow, yHigh, yCount);
  const title = options.title ?? model.title;
  const xTitle = options.xTitle ?? model.xTitle;
  const yTitle = options.yTitle ?? model.yTitle;

  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${font}" font-size="13" fill="#1c2621" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    grid(xTicks, yTicks, toX, toY, { left, right, top, bottom }),
    model.mark === 'steps' ? steps(model, toX, toY, toY(logY ? yLow : Math.max(yLow, 0))) : '',
    marks(model, toX, toY),
    `<path d="M${left} ${top}V${bottom}H${right}" fill="none" stroke="#1c2621"/>`,
    labels(xTicks, yTicks, toX, toY, left, bottom),
    text(left, 26, title, 'font-size="16" font-weight="600"'),
    text(right, height - 14, xTitle, 'text-anchor="end"'),
    text(0, 0, yTitle, `text-anchor="end" transform="translate(20 ${top}) rotate(-90)"`),
    options.stats === false ? '' : statsBox(model, right),
    '</svg>',
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

/** Text made safe for SVG content and attributes; characters that XML forbids become U+FFFD. */
export function escapeXml(value: string): string {
  return value
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

type Scale = (value: number) => number;

function text(x: number, y: number, content: string, attributes: string): string {
  return content === '' ? '' : `<text x="${n(x)}" y="${n(y)}" ${attributes}>${escapeXml(content)}</text>`;
}

function grid(
  xTicks: Ticks,
  yTicks: Ticks,
  toX: Scale,
  toY: Scale,
  box: { left: number; right: number; top: number; bottom: number },
): string {
  const lines: string[] = [];
  xTicks.values.forEach((value, i) => {
    if (xTicks.labels[i] !== '') lines.push(`M${n(toX(value))} ${box.top}V${box.bottom}`);
  });
  yTicks.values.forEach((value, i) => {
    if (yTicks.labels[i] !== '') lines.push(`M${box.left} ${n(toY(value))}H${box.right}`);
  });
  return `<path d="${lines.join('')}" stroke="#e4e8e2"/>`;
}

function steps(model: PlotModel, toX: Scale, toY: Scale, baseline: number): string {
  const outline = stepOutline(model.edges, model.values, toX, toY);
  return [
    `<path d="${outlinePath(outline, baseline)}" fill="#1f7a5c" fill-opacity="0.16"/>`,
    `<path d="${outlinePath(outline, baseline)}" fill="none" stroke="#1f7a5c" stroke-width="1.3" stroke-linejoin="round"/>`,
  ].join('\n');
}

function marks(model: PlotModel, toX: Scale, toY: Scale): string {
  const { edges, values, errors } = model;
  if (errors === undefined && model.mark === 'steps') return '';
  const bars: string[] = [];
  const dots: string[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    const error = errors?.[i] ?? 0;
    if (!Number.isFinite(value) || (value === 0 && error === 0)) continue;
    const x = n((toX(edges[i] ?? 0) + toX(edges[i + 1] ?? 0)) / 2);
    if (error > 0) bars.push(`M${x} ${n(toY(value - error))}V${n(toY(value + error))}`);
    if (model.mark === 'points') {
      dots.push(`<circle cx="${x}" cy="${n(toY(value))}" r="2.4"/>`);
      bars.push(`M${n(toX(edges[i] ?? 0))} ${n(toY(value))}H${n(toX(edges[i + 1] ?? 0))}`);
    }
  }
  const lines = bars.length > 0 ? `<path d="${bars.join('')}" stroke="#1f7a5c" fill="none"/>` : '';
  return dots.length > 0 ? `${lines}<g fill="#1f7a5c">${dots.join('')}</g>` : lines;
}

function labels(xTicks: Ticks, yTicks: Ticks, toX: Scale, toY: Scale, left: number, bottom: number): string {
  const parts: string[] = [];
  let lines = '';
  xTicks.values.forEach((value, i) => {
    lines += `M${n(toX(value))} ${bottom}v5`;
    parts.push(text(toX(value), bottom + 20, xTicks.labels[i] ?? '', 'text-anchor="middle"'));
  });
  yTicks.values.forEach((value, i) => {
    const label = yTicks.labels[i] ?? '';
    lines += `M${left} ${n(toY(value))}h-${label === '' ? 3 : 6}`;
    parts.push(text(left - 9, toY(value) + 4.5, label, 'text-anchor="end"'));
  });
  return `<path d="${lines}" stroke="#1c2621"/>\n${parts.filter((part) => part !== '').join('\n')}`;
}

function statsBox(model: PlotModel, right: number): string {
  if (model.stats.length === 0) return '';
  const longest = Math.max(...model.stats.map((line) => line.label.length + line.value.length));
  const width = Math.max(130, longest * 6.6 + 30);
  const x = right - width;
  const rows = model.stats.map((line, i) => {
    const y = margin.top + 20 + i * 17;
    return `${text(x + 10, y, line.label, 'fill="#55645c"')}${text(right - 10, y, line.value, 'text-anchor="end"')}`;
  });
  const height = model.stats.length * 17 + 12;
  return [
    `<g font-size="12"><rect x="${n(x)}" y="${margin.top}" width="${n(width)}" height="${height}" fill="#fff" fill-opacity="0.9" stroke="#c9d1ca"/>`,
    ...rows,
    '</g>',
  ].join('\n');
}

function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
