import { edgesOf } from '../../../bins/bin-axes';
import { paintOf } from '../../../plot/chart/page-plot';
import { scaleOf } from '../../../plot/drawing/colour-scale';
import { paintDrawing } from '../../../plot/drawing/drawing-canvas';
import type { PlotFrame } from '../../../plot/drawing/frame';
import type { AnyPlot } from '../../../plot/model';
import { plotDrawing } from '../../../plot/plot-drawing';
import { filledWindow, type PlotWindow } from '../../../plot/ranges';
import type { PlotState } from '../work/board';
import type { OpenedBoard } from '../work/insight';

/*
 * A plot is two pictures: axes and all entries, which stay, and the selected entries in front, which are painted for each move. With
 * axes that follow the selection, the first one is painted again when the axis has become another one.
 */

export interface Picture {
  host: HTMLElement;
  back: HTMLCanvasElement;
  front: HTMLCanvasElement;
  dark: boolean;
  follows: boolean;
}

/** The picture behind as it was painted, and the values that painting the one in front needs. */
export interface Painted {
  key: string;
  frame: PlotFrame;
  /** End of the vertical axis, or of the colour scale. */
  top: number;
  fill: string;
  line: string;
  colours: readonly string[];
}

/** Paints what is selected, and the picture behind if that has become another one. Returns the value for `before` of the next call. */
export function paint(
  picture: Picture,
  board: OpenedBoard,
  index: number,
  all: PlotState,
  selected: PlotState,
  before: Painted | undefined,
): Painted | undefined {
  const { host, back, front, dark, follows } = picture;
  const { axes = [] } = board.plots[index] ?? {};
  const [x, y] = axes;
  if (!x) return before;
  const [width, height] = [Math.max(120, host.clientWidth), Math.max(100, host.clientHeight)];
  const ratio = devicePixelRatio;
  const top = niceTop(largest(follows ? selected : all, x.bins, y?.bins));
  const key = [board.id, width, height, ratio, dark, top].join();
  let painted = before;
  if (painted?.key !== key) {
    const context = sized(back, width, height, ratio);
    sized(front, width, height, ratio);
    if (!context) return before;
    const model = modelOf(board, index, all, top);
    // Axes of TTree::Draw for two dimensions may be twice as long as the values.
    const window: PlotWindow | undefined =
      model.kind === 'map' ? filledWindow({ ...model, values: cellsWithin(all, x, y) }) : { y: [0, top] };
    const drawing = plotDrawing(model, { width, height }, { log: { x: false, y: false }, dark, window });
    const colours = paintOf(host, dark);
    paintDrawing(context, drawing, colours);
    const frame = drawing.frames[0];
    if (!frame) return before;
    const line = colours.palette.line1;
    painted = { key, frame, top, line, fill: colours.area ?? line, colours: y ? hexColours(dark) : [] };
    if (y) paintCells(context, painted, board, index, all, [colours.palette.grid]);
  }
  const context = front.getContext('2d');
  if (!context) return painted;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  if (y) paintCells(context, painted, board, index, selected, painted.colours);
  else paintBins(context, painted, x, selected);
  return painted;
}

function sized(canvas: HTMLCanvasElement, width: number, height: number, ratio: number) {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** The largest content of the visible cells. */
function largest({ sums }: PlotState, columns: number, rows: number | undefined): number {
  let most = 0;
  const stride = columns + 2;
  for (let row = 0; row < (rows ?? 1); row++)
    for (let column = 1; column <= columns; column++) {
      const value = sums[(rows === undefined ? 0 : (row + 1) * stride) + column] ?? 0;
      if (value > most) most = value;
    }
  return most;
}

/** The next of some round numbers, with a little room above: the axis stays the same while the selection changes a little. */
function niceTop(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return (NICE.find((one) => one * power >= 1.05 * most) ?? 12) * power;
}

const NICE = [1.2, 1.6, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The contents of a map without under- and overflow. */
function cellsWithin({ sums }: PlotState, { bins }: Bins, y: Bins | undefined): Float64Array {
  return Float64Array.from(
    { length: bins * (y?.bins ?? 1) },
    (_, cell) => sums[(cell % bins) + 1 + (bins + 2) * (Math.floor(cell / bins) + 1)] ?? 0,
  );
}

interface Bins {
  bins: number;
  low: number;
  high: number;
}

function paintBins(
  context: CanvasRenderingContext2D,
  painted: Painted,
  axis: Bins,
  { sums }: PlotState,
): void {
  const { frame, top } = painted;
  const { box } = frame;
  const [from, to] = [frame.x.toPixel(axis.low), frame.x.toPixel(axis.high)];
  const base = frame.y.toPixel(0);
  const scale = (base - box.top) / top;
  const path = new Path2D();
  path.moveTo(from, base);
  for (let bin = 0; bin < axis.bins; bin++) {
    const height = Math.max(box.top - 1, base - scale * (sums[bin + 1] ?? 0));
    path.lineTo(from + ((to - from) * bin) / axis.bins, height);
    path.lineTo(from + ((to - from) * (bin + 1)) / axis.bins, height);
  }
  path.lineTo(to, base);
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  context.clip();
  context.fillStyle = painted.fill;
  context.fill(path);
  context.strokeStyle = painted.line;
  context.lineWidth = 1.5;
  context.stroke(path);
  context.restore();
}

function paintCells(
  context: CanvasRenderingContext2D,
  { frame, top }: Painted,
  board: OpenedBoard,
  index: number,
  { sums }: PlotState,
  colours: readonly string[],
): void {
  const [x, y] = board.plots[index]?.axes ?? [];
  if (!x || !y) return;
  const place = ({ bins, low, high }: Bins, toPixel: (value: number) => number) =>
    Array.from({ length: bins + 1 }, (_, i) => Math.round(toPixel(low + ((high - low) * i) / bins)));
  const [columns, rows] = [place(x, frame.x.toPixel), place(y, frame.y.toPixel)];
  const last = colours.length - 1;
  const { left, top: above, right, bottom } = frame.box;
  context.save();
  context.beginPath();
  context.rect(left, above, right - left, bottom - above);
  context.clip();
  for (let row = 0; row < y.bins; row++) {
    const [lower, upper] = [rows[row] ?? 0, rows[row + 1] ?? 0];
    for (let column = 0; column < x.bins; column++) {
      const value = sums[(row + 1) * (x.bins + 2) + column + 1] ?? 0;
      if (!(value > 0)) continue;
      context.fillStyle = colours[Math.min(last, Math.round((last * value) / top))] ?? '';
      const from = columns[column] ?? 0;
      context.fillRect(from, upper, (columns[column + 1] ?? 0) - from, lower - upper);
    }
  }
  context.restore();
}

function hexColours(dark: boolean): string[] {
  const scale = scaleOf('own', dark);
  return Array.from(
    { length: 256 },
    (_, i) => `rgb(${scale[3 * i]} ${scale[3 * i + 1]} ${scale[3 * i + 2]})`,
  );
}

/** Axes, and all entries as a faint line. */
function modelOf(board: OpenedBoard, index: number, all: PlotState, top: number): AnyPlot {
  const { axes = [], columns = [] } = board.plots[index] ?? {};
  const [x, y] = axes;
  const [xTitle = '', yTitle = ''] = columns.map((column) => board.columns[column]?.expr ?? '');
  const bare = { title: '', stats: [], xTitle: '', yTitle: '' };
  if (!x)
    return { ...bare, kind: 'bins', edges: new Float64Array(2), values: new Float64Array(1), mark: 'steps' };
  if (y) {
    const values = new Float64Array(x.bins * y.bins);
    const limits = { low: 0, high: top };
    return {
      ...bare,
      kind: 'map',
      limits,
      zTitle: '',
      xEdges: edgesOf(x),
      yEdges: edgesOf(y),
      values,
      xTitle,
      yTitle,
    };
  }
  return {
    ...bare,
    kind: 'bins',
    edges: edgesOf(x),
    values: new Float64Array(x.bins),
    mark: 'steps',
    xLabels: board.columns[columns[0] ?? -1]?.labels,
    overlays: [{ title: 'all', values: all.sums.slice(1, x.bins + 1), ink: 'faint' }],
  };
}
