import uPlot from 'uplot';
import {
  binAt,
  edgeRange,
  type GraphModel,
  type LogAxes,
  type Overlay,
  type PlotModel,
  pointRange,
  valueRange,
} from './model';
import { stepOutline } from './steps';
import { seriesColours } from './svg';
import { axisTicks, niceStep, type Ticks } from './ticks';

/** What the pointer is over: a bin or point of the model, or nothing. */
export type HoveredBin = { index: number } | null;

export interface PagePlotOptions {
  log: LogAxes;
  onHover(bin: HoveredBin): void;
  /** The user dragged over a span of x. Without it the plot zooms by itself. */
  onRange?: ((low: number, high: number) => void) | undefined;
  /** The user double-clicked to see everything again. */
  onReset?: (() => void) | undefined;
}

/** A histogram drawn into an element of a page; it follows the element's size until destroyed. */
export interface PagePlot {
  destroy(): void;
}

/**
 * Draws `model` into `host` with uPlot. Colours come from the custom properties `--plot-line`,
 * `--plot-fill`, `--plot-axis`, `--plot-grid` and `--plot-line-2` to `-6` (for overlays) of the host
 * as they are now.
 */
export function mountPlot(
  host: HTMLElement,
  model: PlotModel | GraphModel,
  options: PagePlotOptions,
): PagePlot {
  const colours = readColours(host);
  const { log } = options;
  const [xRange, yRange] = rangesOf(model, log);
  const names = model.kind === 'bins' && model.xLabels && { edges: model.edges, labels: model.xLabels };
  let hovered = -1;

  const plot = new uPlot(
    {
      width: Math.max(120, host.clientWidth),
      height: Math.max(120, host.clientHeight),
      legend: { show: false },
      padding: [12, 16, 0, 0],
      scales: { x: scaleOptions(xRange, log.x), y: scaleOptions(yRange, log.y) },
      axes: [
        axisOptions('x', model.xTitle, colours, (low, high, count) =>
          names ? axisTicks(low, high, count, log.x, names) : axisTicks(low, high, Math.max(4, count), log.x),
        ),
        axisOptions('y', model.yTitle, colours, (low, high, count) => axisTicks(low, high, count, log.y)),
      ],
      // All is drawn in the hook below: bins are not points, and points need not ascend.
      series: [{}, { paths: () => null, points: { show: false } }],
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: options.onRange === undefined },
        bind: {
          dblclick: (_u, _target, handler) => (event) => {
            if (options.onReset === undefined) handler(event);
            else options.onReset();
            return null;
          },
        },
      },
      hooks: {
        draw: [(u) => draw(u, model, colours)],
        setCursor: [
          (u) => {
            const index = hoveredAt(u, model);
            if (index === hovered) return;
            hovered = index;
            options.onHover(index < 0 ? null : { index });
          },
        ],
        setSelect: [
          (u) => {
            if (options.onRange === undefined || u.select.width < 3) return;
            const low = u.posToVal(u.select.left, 'x');
            const high = u.posToVal(u.select.left + u.select.width, 'x');
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            // As precise as the pointer is, not more: these numbers stand in fields and links.
            const step = niceStep(high - low, 400);
            options.onRange(roundTo(low, step), roundTo(high, step));
          },
        ],
      },
    },
    [[...xRange], [null, null]],
    host,
  );

  const observer = new ResizeObserver(() => {
    const width = Math.max(120, host.clientWidth);
    const height = Math.max(120, host.clientHeight);
    if (width !== plot.width || height !== plot.height) plot.setSize({ width, height });
  });
  observer.observe(host);
  return {
    destroy() {
      observer.disconnect();
      plot.destroy();
    },
  };
}

type Range = [low: number, high: number];

function rangesOf(model: PlotModel | GraphModel, log: LogAxes): [x: Range, y: Range] {
  if (model.kind === 'bins') return [edgeRange(model.edges, log.x), valueRange(model, log.y)];
  const { x, y, errors } = model;
  return [pointRange(x, errors?.left, errors?.right, log.x), pointRange(y, errors?.down, errors?.up, log.y)];
}

/** A fixed range that zooming changes and a double click of uPlot's own restores. */
function scaleOptions(range: Range, log: boolean): uPlot.Scale {
  const inside = (_u: uPlot, low: number | null, high: number | null): Range =>
    low === null || high === null || !(high > low)
      ? range
      : [Math.max(low, range[0]), Math.min(high, range[1])];
  return { time: false, range: inside, ...(log ? { distr: 3 as const, log: 10 as const } : {}) };
}

/** The bin that the cursor is over, or the nearest point within 12 pixels of its x; -1 for none. */
function hoveredAt(u: uPlot, model: PlotModel | GraphModel): number {
  const left = u.cursor.left ?? -1;
  if (left < 0) return -1;
  if (model.kind === 'bins') return binAt(model.edges, u.posToVal(left, 'x'));
  const top = u.cursor.top ?? 0;
  let best = -1;
  let least = 24;
  for (let i = 0; i < model.x.length; i++) {
    const dx = u.valToPos(model.x[i] ?? Number.NaN, 'x') - left;
    if (!(Math.abs(dx) <= 12)) continue;
    const distance = Math.hypot(dx, (u.valToPos(model.y[i] ?? Number.NaN, 'y') - top) / 8);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

function roundTo(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toPrecision(12));
}

interface PlotColours {
  /** Of the plot itself, then of what lies over it. */
  lines: string[];
  fill: string;
  axis: string;
  grid: string;
  font: string;
}

function readColours(host: HTMLElement): PlotColours {
  const style = getComputedStyle(host);
  const read = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
  return {
    lines: seriesColours.map((colour, i) => read(i === 0 ? '--plot-line' : `--plot-line-${i + 1}`, colour)),
    fill: read('--plot-fill', 'rgb(31 122 92 / 0.16)'),
    axis: read('--plot-axis', '#55645c'),
    grid: read('--plot-grid', '#e4e8e2'),
    font: style.fontFamily || 'sans-serif',
  };
}

function axisOptions(
  scale: 'x' | 'y',
  title: string,
  colours: PlotColours,
  ticksFor: (low: number, high: number, count: number) => Ticks,
): uPlot.Axis {
  const font = `12px ${colours.font}`;
  const ticksNow = (u: uPlot) => {
    const low = u.scales[scale]?.min ?? 0;
    const high = u.scales[scale]?.max ?? 1;
    const length = (scale === 'x' ? u.bbox.width : u.bbox.height) / devicePixelRatio;
    return ticksFor(low, high, Math.max(2, Math.round(length / (scale === 'x' ? 90 : 50))));
  };
  return {
    scale,
    stroke: colours.axis,
    font,
    labelFont: font,
    ...(title === '' ? {} : { label: title, labelSize: 20 }),
    size:
      scale === 'x'
        ? 32
        : (_u, labels) => 18 + 7 * Math.max(3, ...(labels ?? []).map((label) => label.length)),
    gap: 5,
    grid: { stroke: colours.grid, width: 1, filter: (u, splits) => onlyLabelled(ticksNow(u), splits) },
    ticks: { stroke: colours.grid, width: 1, size: 5 },
    filter: (_u, splits) => splits,
    splits: (u) => ticksNow(u).values,
    values: (u) => ticksNow(u).labels,
  };
}

function onlyLabelled(ticks: Ticks, splits: number[]): (number | null)[] {
  return splits.map((split, i) => (ticks.labels[i] === '' ? null : split));
}

/** Scales to canvas pixels; on a logarithmic axis what is below its range lies at its edge. */
interface Pen {
  ctx: CanvasRenderingContext2D;
  toX(value: number): number;
  toY(value: number): number;
  ratio: number;
}

function draw(u: uPlot, model: PlotModel | GraphModel, colours: PlotColours): void {
  const scale = (key: 'x' | 'y') => {
    const { min, distr } = u.scales[key] ?? {};
    const floor = distr === 3 ? (min ?? 0) : Number.NEGATIVE_INFINITY;
    return (value: number) => u.valToPos(Math.max(value, floor), key, true);
  };
  const { ctx } = u;
  const pen: Pen = { ctx, toX: scale('x'), toY: scale('y'), ratio: devicePixelRatio };
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  if (model.kind === 'graph') drawGraph(pen, model, colours);
  else
    drawBins(
      pen,
      model,
      colours,
      u.scales.y?.distr === 3 ? (u.scales.y.min ?? 0) : Math.max(u.scales.y?.min ?? 0, 0),
    );
  ctx.restore();
}

function drawBins(pen: Pen, model: PlotModel, colours: PlotColours, baseline: number): void {
  const { ctx, toX, toY, ratio } = pen;
  [model, ...(model.overlays ?? [])].forEach((one, i) => {
    const colour = colours.lines[i % colours.lines.length] ?? '';
    ctx.strokeStyle = colour;
    ctx.fillStyle = i === 0 ? colours.fill : colour;
    ctx.lineWidth = 1.4 * ratio;
    if (model.mark === 'steps') {
      const outline = stepOutline(model.edges, one.values, toX, toY);
      const bottom = toY(baseline);
      const path = new Path2D();
      path.moveTo(outline[0] ?? 0, bottom);
      for (let at = 0; at < outline.length; at += 2) path.lineTo(outline[at] ?? 0, outline[at + 1] ?? 0);
      path.lineTo(outline[outline.length - 2] ?? 0, bottom);
      ctx.stroke(path);
      path.closePath();
      if (i === 0) ctx.fill(path);
    }
    drawMarks(pen, model, one, colour);
  });
}

function drawMarks({ ctx, toX, toY, ratio }: Pen, model: PlotModel, one: Overlay, colour: string): void {
  if (model.mark === 'steps' && one.errors === undefined) return;
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = ratio;
  ctx.beginPath();
  const dots = new Path2D();
  for (let i = 0; i < one.values.length; i++) {
    const value = one.values[i] ?? Number.NaN;
    const error = one.errors?.[i] ?? 0;
    if (!Number.isFinite(value) || (value === 0 && error === 0)) continue;
    const left = toX(model.edges[i] ?? 0);
    const right = toX(model.edges[i + 1] ?? 0);
    const x = (left + right) / 2;
    const y = toY(value);
    ctx.moveTo(x, toY(value - error));
    ctx.lineTo(x, toY(value + error));
    if (model.mark === 'steps') continue;
    ctx.moveTo(left, y);
    ctx.lineTo(right, y);
    dots.moveTo(x, y);
    dots.arc(x, y, 2.6 * ratio, 0, 2 * Math.PI);
  }
  ctx.stroke();
  ctx.fill(dots);
}

/** More points than this are drawn as their line alone. */
const maxDots = 5000;

function drawGraph({ ctx, toX, toY, ratio }: Pen, model: GraphModel, colours: PlotColours): void {
  const { x, y, errors } = model;
  const colour = colours.lines[0] ?? '';
  const line = new Path2D();
  const bars = new Path2D();
  const dots = new Path2D();
  for (let i = 0; i < x.length; i++) {
    const vx = x[i] ?? Number.NaN;
    const vy = y[i] ?? Number.NaN;
    if (!Number.isFinite(vx) || !Number.isFinite(vy)) continue;
    const px = toX(vx);
    const py = toY(vy);
    line.lineTo(px, py);
    if (x.length <= maxDots) {
      dots.moveTo(px, py);
      dots.arc(px, py, 2.6 * ratio, 0, 2 * Math.PI);
    }
    if (errors === undefined) continue;
    bars.moveTo(toX(vx - (errors.left[i] || 0)), py);
    bars.lineTo(toX(vx + (errors.right[i] || 0)), py);
    bars.moveTo(px, toY(vy - (errors.down[i] || 0)));
    bars.lineTo(px, toY(vy + (errors.up[i] || 0)));
  }
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = ratio;
  ctx.stroke(bars);
  ctx.fill(dots);
  ctx.globalAlpha = 0.5;
  ctx.stroke(line);
}
