import { formatNumber } from '../../base/format';
import { readableLatex } from '../../plot/drawing/latex';
import { linearTicks, logTicks } from '../../plot/drawing/ticks';
import { type TimeAxis, timeTicks } from '../../plot/drawing/time-axis';
import { binAt, type PlotModel, type StatLine, valueRange } from '../../plot/model';

export interface TerminalPlotOptions {
  /** Characters in a line; at least 40 are used. */
  width: number;
  /** Lines of the plot area. Default 16. */
  height?: number;
  logY?: boolean;
}

const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * A one-dimensional plot as lines of Unicode blocks, with both axes and the statistics below. Bins that do
 * not fit are added together, few bins are drawn several characters wide; negative contents are not drawn.
 */
export function terminalPlot(model: PlotModel, options: TerminalPlotOptions): string[] {
  const height = options.height ?? 16;
  const bars = fitBins(model, Math.max(40, options.width) - LABEL_WIDTH - 2);
  const logY = options.logY ?? false;
  const [low, high] = valueRange({ ...model, values: bars.values, errors: undefined }, logY);
  const floor = logY ? low : 0;
  const scale = (value: number): number => {
    if (!(value > floor) || !(high > floor)) return 0;
    return logY ? Math.log(value / floor) / Math.log(high / floor) : value / high;
  };
  const columns = Array.from(bars.values, (value) => columnOf(scale(value), height));
  const labels = valueLabels(floor, high, height, logY, scale);
  const lines = [center(readableLatex(model.title), LABEL_WIDTH + 2 + bars.values.length * bars.width)];
  for (let line = height - 1; line >= 0; line--) {
    const text = columns.map((cells) => (cells[line] ?? ' ').repeat(bars.width)).join('');
    const label = labels.get(line);
    lines.push(`${(label ?? '').padStart(LABEL_WIDTH)} ${label === undefined ? '│' : '┤'}${text}`.trimEnd());
  }
  lines.push(...axisLines(bars, model.xTime), ...statLines(model, Math.max(40, options.width)));
  return lines;
}

/** Characters for the labels of the vertical axis. */
export const LABEL_WIDTH = 9;

export interface Bars {
  values: Float64Array;
  edges: Float64Array;
  /** Characters of one bar. */
  width: number;
}

function fitBins(model: PlotModel, room: number): Bars {
  const bins = model.values.length;
  if (bins <= room) {
    return {
      values: model.values,
      edges: model.edges,
      width: Math.max(1, Math.floor(room / Math.max(1, bins))),
    };
  }
  const join = Math.ceil(bins / room);
  const count = Math.ceil(bins / join);
  const values = new Float64Array(count);
  const edges = new Float64Array(count + 1);
  // Counts add up; the means of a profile are averaged.
  const weigh = model.mark === 'points' ? 1 / join : 1;
  for (let i = 0; i < count; i++) {
    edges[i] = model.edges[i * join] ?? Number.NaN;
    for (let k = i * join; k < Math.min(bins, (i + 1) * join); k++) {
      values[i] = (values[i] ?? 0) + (model.values[k] ?? 0) * weigh;
    }
  }
  edges[count] = model.edges[bins] ?? Number.NaN;
  return { values, edges, width: 1 };
}

/** The cells of one bar from the bottom up; a positive content shows at least one eighth. */
function columnOf(share: number, height: number): string[] {
  let rest = share > 0 ? Math.max(1, Math.round(Math.min(1, share) * height * 8)) : 0;
  const cells: string[] = [];
  while (rest > 0) {
    cells.push(eighths[Math.min(8, rest)] ?? '█');
    rest -= 8;
  }
  return cells;
}

/** Labels of the vertical axis by the line that they stand on. */
export function valueLabels(
  low: number,
  high: number,
  height: number,
  logY: boolean,
  scale: (value: number) => number,
): Map<number, string> {
  const ticks = logY ? logTicks(low, high, 5) : linearTicks(low, high, 5);
  const labels = new Map<number, string>();
  ticks.values.forEach((value, i) => {
    const line = Math.min(height - 1, Math.round(scale(value) * height));
    const label = ticks.labels[i] === '' ? '' : formatNumber(value, 5);
    if (label !== '' && !labels.has(line)) labels.set(line, label);
  });
  return labels;
}

/** The horizontal axis with its ticks, and their labels below: numbers, or times if it is an axis of times. */
export function axisLines(bars: Bars, time?: TimeAxis): string[] {
  const width = bars.values.length * bars.width;
  const low = bars.edges[0] ?? 0;
  const high = bars.edges[bars.edges.length - 1] ?? 1;
  const rule = new Array<string>(width + 1).fill('─');
  const labels = new Array<string>(width + LABEL_WIDTH).fill(' ');
  let free = 0;
  const most = Math.max(2, Math.floor(width / 12));
  const times = time && timeTicks(low, high, most, time);
  const ticks = times ?? linearTicks(low, high, most);
  for (const [i, value] of ticks.values.entries()) {
    const at = position(bars, value);
    const text = times ? (ticks.labels[i] ?? '') : formatNumber(value, 6);
    if (text === '') continue;
    const start = Math.max(0, LABEL_WIDTH + 1 + at - Math.floor(text.length / 2));
    if (start < free) continue;
    rule[at] = '┬';
    for (let k = 0; k < text.length; k++) labels[start + k] = text[k] ?? ' ';
    free = start + text.length + 1;
  }
  return [
    `${' '.repeat(LABEL_WIDTH + 1)}${rule.join('').replace(/^─/, '└').replace(/^┬/, '┼')}`,
    labels.join('').trimEnd(),
  ];
}

/** The character at which a value of the horizontal axis lies; edges may be of any widths. */
function position(bars: Bars, value: number): number {
  const { edges, width } = bars;
  const last = bars.values.length;
  if (value >= (edges[last] ?? 0)) return last * width;
  const bin = Math.max(0, binAt(edges, value));
  const from = edges[bin] ?? 0;
  const to = edges[bin + 1] ?? from + 1;
  return Math.min(last * width, Math.floor((bin + (value - from) / (to - from)) * width));
}

/** "Entries 100   Mean 3.2 …", as many in a line as fit. */
export function statLines(model: { stats: StatLine[] }, width: number): string[] {
  const lines: string[] = [''];
  for (const { label, value } of model.stats) {
    const part = `${readableLatex(label)} ${value}`;
    const line = lines[lines.length - 1] ?? '';
    if (line !== '' && line.length + part.length + 3 > width) lines.push(part);
    else lines[lines.length - 1] = line === '' ? part : `${line}   ${part}`;
  }
  return ['', ...lines];
}

/** Horizontal bars of the most frequent strings. */
export function terminalBars(items: readonly { value: string; count: number }[], width: number): string[] {
  const names = items.map((item) => clip(JSON.stringify(item.value).slice(1, -1), 40));
  const counts = items.map(({ count }) => (Number.isInteger(count) ? String(count) : formatNumber(count, 6)));
  const nameWidth = Math.max(0, ...names.map((name) => [...name].length));
  const countWidth = Math.max(0, ...counts.map((count) => count.length));
  const room = Math.max(10, width - nameWidth - countWidth - 4);
  const most = Math.max(...items.map((item) => item.count));
  return items.map((item, i) => {
    const size = item.count > 0 ? Math.max(1, Math.round((item.count / most) * room * 8)) : 0;
    const part = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][size % 8] ?? '';
    const name = names[i] ?? '';
    const space = ' '.repeat(nameWidth - [...name].length);
    return `${name}${space}  ${(counts[i] ?? '').padStart(countWidth)}  ${'█'.repeat(size >> 3)}${part}`.trimEnd();
  });
}

function clip(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

export function center(text: string, width: number): string {
  return ' '.repeat(Math.max(0, Math.floor((width - [...text].length) / 2))) + text;
}

/** Maximum number of labelled bins that are listed, a line for each. */
const MAX_LABELLED = 100;

/** Labelled bins as horizontal bars, because their labels have no room side by side. */
function terminalLabels(model: PlotModel, labels: readonly string[], width: number): string[] {
  const items = Array.from(model.values, (count, i) => ({
    value: readableLatex(labels[i] ?? '') || String(i + 1),
    count,
  }));
  const most = Math.max(40, width);
  return [readableLatex(model.title), ...terminalBars(items, most), ...statLines(model, most)];
}

/** Returns bins as lines of a terminal: labelled ones with their labels, as points if they have errors and the axis is linear, otherwise as bars. */
export function terminalBins(model: PlotModel, options: TerminalPlotOptions): string[] {
  const { xLabels } = model;
  const isLabelled = xLabels?.some((label) => label !== '') === true && xLabels.length <= MAX_LABELLED;
  if (isLabelled) return terminalLabels(model, xLabels, options.width);
  const points = model.mark === 'points' && model.errors !== undefined && !options.logY;
  return points ? terminalPoints(model, options) : terminalPlot(model, options);
}

/**
 * The bins of a profile as lines of a terminal: a point at the mean, on a line from mean - error to mean + error.
 * Empty bins have none. Bins that do not fit are averaged.
 */
function terminalPoints(model: PlotModel, options: TerminalPlotOptions): string[] {
  const height = options.height ?? 16;
  const { values, errors, edges, width } = fitPoints(model, Math.max(40, options.width) - LABEL_WIDTH - 2);
  const [low, high] = valueRange({ ...model, values, errors, edges }, false);
  const scale = (value: number): number => (value - low) / (high - low || 1);
  const line = (value: number): number =>
    Math.min(height - 1, Math.max(0, Math.floor(scale(value) * height)));
  const columns = Array.from(values, (value, i) => {
    const cells = new Array<string>(height).fill(' ');
    const error = errors[i] ?? 0;
    if (!isPoint(value, error)) return cells;
    cells.fill('│', line(value - error), line(value + error) + 1);
    cells[line(value)] = '●';
    return cells;
  });
  const labels = valueLabels(low, high, height, false, scale);
  const lines = [center(readableLatex(model.title), LABEL_WIDTH + 2 + values.length * width)];
  for (let row = height - 1; row >= 0; row--) {
    const text = columns.map((cells) => (cells[row] ?? ' ').padStart(Math.ceil(width / 2)).padEnd(width));
    const label = labels.get(row);
    lines.push(
      `${(label ?? '').padStart(LABEL_WIDTH)} ${label === undefined ? '│' : '┤'}${text.join('')}`.trimEnd(),
    );
  }
  return [
    ...lines,
    ...axisLines({ values, edges, width }, model.xTime),
    ...statLines(model, Math.max(40, options.width)),
  ];
}

function isPoint(value: number, error: number): boolean {
  return Number.isFinite(value) && (value !== 0 || error !== 0);
}

function fitPoints(model: PlotModel, room: number): Bars & { errors: Float64Array } {
  const bins = model.values.length;
  const join = Math.max(1, Math.ceil(bins / room));
  const count = Math.ceil(bins / join);
  const values = new Float64Array(count);
  const errors = new Float64Array(count);
  const edges = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) {
    edges[i] = model.edges[i * join] ?? Number.NaN;
    let points = 0;
    for (let k = i * join; k < Math.min(bins, (i + 1) * join); k++) {
      const [value, error] = [model.values[k] ?? 0, model.errors?.[k] ?? 0];
      if (!isPoint(value, error)) continue;
      points += 1;
      values[i] = (values[i] ?? 0) + (value - (values[i] ?? 0)) / points;
      errors[i] = (errors[i] ?? 0) + (error - (errors[i] ?? 0)) / points;
    }
  }
  edges[count] = model.edges[bins] ?? Number.NaN;
  return { values, errors, edges, width: join > 1 ? 1 : Math.max(1, Math.floor(room / Math.max(1, bins))) };
}
