import { readableLatex } from '../../plot/drawing/latex';
import { type PlotModel, valueRange } from '../../plot/model';
import {
  axisLines,
  type Bars,
  center,
  LABEL_WIDTH,
  statLines,
  type TerminalPlotOptions,
  terminalPlot,
  valueLabels,
} from './terminal-plot';

/** Returns bins as lines of a terminal: as points if they have errors and the axis is linear, otherwise as bars. */
export function terminalBins(model: PlotModel, options: TerminalPlotOptions): string[] {
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
  return [...lines, ...axisLines({ values, edges, width }), ...statLines(model, Math.max(40, options.width))];
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
