import uPlot from 'uplot';
import { binAt, type PlotModel, valueRange } from './model';
import { stepOutline } from './steps';
import { linearTicks, logTicks, niceStep, type Ticks } from './ticks';

/** What the pointer is over: a bin of the model, or nothing. */
export type HoveredBin = { index: number } | null;

export interface PagePlotOptions {
  logY: boolean;
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
 * `--plot-fill`, `--plot-axis` and `--plot-grid` of the host as they are now.
 */
export function mountPlot(host: HTMLElement, model: PlotModel, options: PagePlotOptions): PagePlot {
  const colours = readColours(host);
  const range = valueRange(model, options.logY);
  const points = model.mark === 'points' || model.errors !== undefined;
  const last = model.values[model.values.length - 1] ?? 0;
  let hovered = -1;

  const plot = new uPlot(
    {
      width: Math.max(120, host.clientWidth),
      height: Math.max(120, host.clientHeight),
      legend: { show: false },
      padding: [12, 16, 0, 0],
      scales: {
        x: { time: false, auto: false, range: [model.edges[0] ?? 0, model.edges.at(-1) ?? 1] },
        y: { auto: false, range, ...(options.logY ? { distr: 3 as const, log: 10 as const } : {}) },
      },
      axes: [
        axisOptions('x', model.xTitle, colours, (low, high, count) => linearTicks(low, high, count)),
        axisOptions('y', model.yTitle, colours, (low, high, count) =>
          options.logY ? logTicks(low, high, count) : linearTicks(low, high, count),
        ),
      ],
      series: [
        {},
        {
          stroke: colours.line,
          fill: model.mark === 'steps' ? colours.fill : 'transparent',
          width: 1.4,
          points: { show: false },
          paths: (u) => (model.mark === 'steps' ? stepPaths(u, model) : null),
        },
      ],
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
        draw: points ? [(u) => drawMarks(u, model, colours)] : [],
        setCursor: [
          (u) => {
            const left = u.cursor.left ?? -1;
            const index = left < 0 ? -1 : binAt(model.edges, u.posToVal(left, 'x'));
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
    [model.edges, [...model.values, last]],
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

function roundTo(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toPrecision(12));
}

interface PlotColours {
  line: string;
  fill: string;
  axis: string;
  grid: string;
  font: string;
}

function readColours(host: HTMLElement): PlotColours {
  const style = getComputedStyle(host);
  const read = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
  return {
    line: read('--plot-line', '#1f7a5c'),
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

function stepPaths(u: uPlot, model: PlotModel): uPlot.Series.Paths {
  const { min = 0 } = u.scales.y ?? {};
  const log = u.scales.y?.distr === 3;
  const floor = min ?? 0;
  const base = log ? floor : Math.max(floor, 0);
  const toX = (x: number) => u.valToPos(x, 'x', true);
  const toY = (y: number) => u.valToPos(log ? Math.max(y, floor) : y, 'y', true);
  const outline = stepOutline(model.edges, model.values, toX, toY);
  const bottom = toY(base);
  const stroke = new Path2D();
  stroke.moveTo(outline[0] ?? 0, bottom);
  for (let i = 0; i < outline.length; i += 2) stroke.lineTo(outline[i] ?? 0, outline[i + 1] ?? 0);
  stroke.lineTo(outline[outline.length - 2] ?? 0, bottom);
  const fill = new Path2D(stroke);
  fill.closePath();
  return { stroke, fill };
}

function drawMarks(u: uPlot, model: PlotModel, colours: PlotColours): void {
  const { ctx } = u;
  const ratio = devicePixelRatio;
  const floor = u.scales.y?.min ?? 0;
  const log = u.scales.y?.distr === 3;
  const toY = (y: number) => u.valToPos(log ? Math.max(y, floor) : y, 'y', true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  ctx.strokeStyle = colours.line;
  ctx.fillStyle = colours.line;
  ctx.lineWidth = ratio;
  ctx.beginPath();
  const dots = new Path2D();
  for (let i = 0; i < model.values.length; i++) {
    const value = model.values[i] ?? Number.NaN;
    const error = model.errors?.[i] ?? 0;
    if (!Number.isFinite(value) || (value === 0 && error === 0)) continue;
    const left = u.valToPos(model.edges[i] ?? 0, 'x', true);
    const right = u.valToPos(model.edges[i + 1] ?? 0, 'x', true);
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
  ctx.restore();
}
