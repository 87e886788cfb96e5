import { readableLatex } from '../../plot/drawing/latex';
import { binAt, middleOf, type PlotModel, valueRange } from '../../plot/model';
import { wholeRange } from '../../plot/ranges';
import {
  axisLines,
  center,
  LABEL_WIDTH,
  statLines,
  type TerminalPlotOptions,
  terminalBins,
  valueLabels,
} from './terminal-plot';

/** The marks of layers, the first lowest. */
const MARKS = ['█', '●', '○', '×', '+', '◆', '◇', '□'];

/** Lines of the panel below. */
const LOWER_HEIGHT = 8;

/** Layers as lines of a terminal: the first as bars, the others as marks at their contents; then what stands below. */
export function terminalLayers(model: PlotModel, options: TerminalPlotOptions): string[] {
  const { overlays = [] } = model;
  const below = model.below?.model;
  if (overlays.length === 0) return terminalBins(model, options);
  const height = options.height ?? 16;
  const logY = options.logY ?? false;
  const width = Math.max(40, options.width) - LABEL_WIDTH - 2;
  const bars = { ...columnsOf(model, width), width: 1 };
  const layers = [model, ...overlays].map((one) => ({ ...one, edges: one.edges ?? model.edges }));
  const contents = layers.map(({ edges, values }) => contentsAt(bars.edges, edges, values));
  const [low, high] = valueRange(
    {
      ...model,
      ...{
        edges: bars.edges,
        values: contents[0] ?? new Float64Array(),
        errors: undefined,
        below: undefined,
      },
      overlays: contents.slice(1).map((values) => ({ title: '', values })),
    },
    logY,
  );
  const scale = (value: number): number => {
    if (logY) return value > low ? Math.log(value / low) / Math.log(high / low) : 0;
    return (value - low) / (high - low || 1);
  };
  const rowOf = (value: number): number => Math.min(height - 1, Math.floor(scale(value) * height));
  const cells = Array.from(bars.values, () => new Array<string>(height).fill(' '));
  for (const [i, values] of contents.entries()) {
    const mark = MARKS[i % MARKS.length] ?? '●';
    values.forEach((value, column) => {
      const isShown = Number.isFinite(value) && (logY ? value > 0 : value !== 0);
      const cell = cells[column];
      if (!isShown || cell === undefined) return;
      const row = Math.max(0, rowOf(value));
      if (i === 0 && model.mark === 'steps') cell.fill('█', Math.max(0, logY ? 0 : rowOf(0)), row + 1);
      else cell[row] = mark;
    });
  }
  const labels = valueLabels(low, high, height, logY, scale);
  const lines = [center(readableLatex(model.title), LABEL_WIDTH + 2 + bars.values.length)];
  for (let row = height - 1; row >= 0; row--) {
    const label = labels.get(row);
    const text = cells.map((cell) => cell[row] ?? ' ').join('');
    lines.push(`${(label ?? '').padStart(LABEL_WIDTH)} ${label === undefined ? '│' : '┤'}${text}`.trimEnd());
  }
  lines.push(...axisLines(bars, model.xTime));
  for (const [i, { stats = [], title }] of layers.entries()) {
    const name = readableLatex(i === 0 ? (model.label ?? title) : title);
    lines.push(
      '',
      `${MARKS[i % MARKS.length]} ${name}`,
      ...statLines({ stats }, options.width).filter(Boolean),
    );
  }
  if (below === undefined) return lines;
  const { overlays: more = [] } = below;
  const one = (title: string, part: Pick<PlotModel, 'values' | 'errors'>) =>
    terminalBins(
      { ...below, ...part, title, overlays: undefined },
      { width: options.width, height: LOWER_HEIGHT },
    );
  const of = (name: string) => `${below.yTitle}: ${name}`;
  const panels = [
    one(more.length > 0 ? of(below.label ?? '') : below.title, below),
    ...more.map((part) => one(of(part.title), part)),
  ];
  return [...lines, ...panels.flatMap((panel) => ['', ...panel])];
}

/** Columns of equal width over all layers; few bins that all layers have are several columns wide. */
function columnsOf(model: PlotModel, room: number): { values: Float64Array; edges: Float64Array } {
  const [low, high] = wholeRange(model, false);
  const bins = Math.max(1, model.values.length);
  const isAlone = model.overlays?.every(({ edges }) => edges === undefined) ?? true;
  const columns = !isAlone
    ? room
    : bins <= room
      ? bins * Math.floor(room / bins)
      : Math.ceil(bins / Math.ceil(bins / room));
  const edges = Float64Array.from({ length: columns + 1 }, (_, i) => low + ((high - low) * i) / columns);
  return { values: new Float64Array(columns), edges };
}

/** The largest content of the bins in each column, or that of the bin which holds the column. */
function contentsAt(columns: Float64Array, edges: Float64Array, values: Float64Array): Float64Array {
  const result = new Float64Array(columns.length - 1).fill(Number.NaN);
  for (let i = 0; i < result.length; i++) {
    const own = values[binAt(edges, middleOf(columns, i))];
    if (own !== undefined) result[i] = own;
  }
  values.forEach((value, bin) => {
    const column = binAt(columns, middleOf(edges, bin));
    if (column >= 0 && !((result[column] ?? 0) >= value)) result[column] = value;
  });
  return result;
}
