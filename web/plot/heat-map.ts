import { colourScale } from './colour-scale';
import { type Cells, cellsOf, colourIndex, contentRange, type Window, windowOf } from './map-cells';
import { binAt, type MapModel } from './model';
import { axisTicks } from './ticks';

export interface HeatMapOptions {
  dark: boolean;
  /** Colours by the logarithm of the content. */
  log: boolean;
  onHover(bin: { x: number; y: number } | null): void;
}

export interface HeatMap {
  destroy(): void;
}

const margin = { left: 62, right: 84, top: 10, bottom: 46 };

/**
 * Draws a two-dimensional histogram on a canvas within `host`; it follows the element's size.
 * Dragging over a rectangle zooms to its bins, a double click shows all again.
 */
export function mountMap(host: HTMLElement, model: MapModel, options: HeatMapOptions): HeatMap {
  const canvas = host.ownerDocument.createElement('canvas');
  canvas.className = 'heat-map';
  host.append(canvas);
  const whole: Window = { x: [0, model.xEdges.length - 1], y: [0, model.yEdges.length - 1] };
  let view = whole;
  let shown = model;
  let drag: { from: Bin; to: Bin } | undefined;
  const paint = () => {
    const pen = paintMap(canvas, host, shown, options);
    if (pen !== undefined && drag !== undefined) paintDrag(pen, shown, host, drag);
  };
  const observer = new ResizeObserver(paint);
  observer.observe(host);

  /** The bin of the shown part under the pointer; within the frame when `clamp`. */
  const binUnder = (event: PointerEvent, clamp: boolean): Bin | null => {
    const frame = frameOf(host.clientWidth, host.clientHeight);
    const box = canvas.getBoundingClientRect();
    const inside = (share: number) => (clamp ? Math.min(1 - 1e-9, Math.max(0, share)) : share);
    const x = valueAt(shown.xEdges, inside((event.clientX - box.left - frame.left) / frame.width));
    const y = valueAt(shown.yEdges, inside(1 - (event.clientY - box.top - frame.top) / frame.height));
    return x < 0 || y < 0 ? null : { x, y };
  };
  const zoomTo = (next: Window) => {
    view = next;
    shown = windowOf(model, view);
    paint();
  };
  const onDown = (event: PointerEvent) => {
    const bin = event.button === 0 ? binUnder(event, false) : null;
    if (bin === null) return;
    canvas.setPointerCapture(event.pointerId);
    drag = { from: bin, to: bin };
  };
  const onMove = (event: PointerEvent) => {
    const bin = binUnder(event, drag !== undefined);
    options.onHover(bin === null ? null : { x: bin.x + view.x[0], y: bin.y + view.y[0] });
    if (drag === undefined || bin === null) return;
    drag.to = bin;
    paint();
  };
  const onUp = () => {
    if (drag === undefined) return;
    const { from, to } = drag;
    drag = undefined;
    if (from.x === to.x && from.y === to.y) return paint();
    const span = (a: number, b: number, start: number): [number, number] => [
      start + Math.min(a, b),
      start + Math.max(a, b) + 1,
    ];
    zoomTo({ x: span(from.x, to.x, view.x[0]), y: span(from.y, to.y, view.y[0]) });
  };
  canvas.addEventListener('pointerdown', onDown);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerup', onUp);
  canvas.addEventListener('pointerleave', () => options.onHover(null));
  canvas.addEventListener('dblclick', () => zoomTo(whole));
  return {
    destroy() {
      observer.disconnect();
      canvas.remove();
    },
  };
}

interface Bin {
  x: number;
  y: number;
}

interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

function frameOf(width: number, height: number): Frame {
  return {
    left: margin.left,
    top: margin.top,
    width: Math.max(10, width - margin.left - margin.right),
    height: Math.max(10, height - margin.top - margin.bottom),
  };
}

function valueAt(edges: Float64Array, share: number): number {
  const first = edges[0] ?? 0;
  return binAt(edges, first + share * ((edges.at(-1) ?? 1) - first));
}

function paintMap(
  canvas: HTMLCanvasElement,
  host: HTMLElement,
  model: MapModel,
  options: HeatMapOptions,
): CanvasRenderingContext2D | undefined {
  const ratio = devicePixelRatio;
  const width = host.clientWidth;
  const height = host.clientHeight;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const ctx = canvas.getContext('2d');
  if (ctx === null) return undefined;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(host);
  const ink = style.getPropertyValue('--plot-axis').trim() || '#555';
  const frame = frameOf(width, height);
  const scale = colourScale(options.dark);
  const cells = cellsOf(model, Math.max(50, Math.ceil(Math.max(frame.width, frame.height) * ratio)));
  const [low, high] = contentRange(cells.values, options.log);
  paintCells(ctx, cells, frame, (value) => colourIndex(value, low, high, options.log), scale);

  ctx.font = `12px ${style.fontFamily || 'sans-serif'}`;
  ctx.fillStyle = ink;
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1;
  ctx.strokeRect(frame.left - 0.5, frame.top - 0.5, frame.width + 1, frame.height + 1);
  paintAxes(ctx, model, frame);
  paintScale(ctx, frame, scale, low, high, options.log);
  return ctx;
}

/** The rectangle of bins that is being dragged over. */
function paintDrag(
  ctx: CanvasRenderingContext2D,
  model: MapModel,
  host: HTMLElement,
  { from, to }: { from: Bin; to: Bin },
): void {
  const frame = frameOf(host.clientWidth, host.clientHeight);
  const px = positions(model.xEdges, frame.left, frame.width, false);
  const py = positions(model.yEdges, frame.top, frame.height, true);
  const left = px[Math.min(from.x, to.x)] ?? 0;
  const right = px[Math.max(from.x, to.x) + 1] ?? 0;
  const bottom = py[Math.min(from.y, to.y)] ?? 0;
  const top = py[Math.max(from.y, to.y) + 1] ?? 0;
  ctx.lineWidth = 1.5;
  ctx.strokeRect(left, top, right - left, bottom - top);
  ctx.globalAlpha = 0.12;
  ctx.fillRect(left, top, right - left, bottom - top);
  ctx.globalAlpha = 1;
}

/** Empty cells stay the colour of the ground, so that content stands out. */
function paintCells(
  ctx: CanvasRenderingContext2D,
  model: Cells,
  frame: Frame,
  colour: (value: number) => number,
  scale: Uint8ClampedArray,
): void {
  const nx = model.xEdges.length - 1;
  const ny = model.yEdges.length - 1;
  const px = positions(model.xEdges, frame.left, frame.width, false);
  const py = positions(model.yEdges, frame.top, frame.height, true);
  for (let y = 0; y < ny; y++) {
    const top = py[y + 1] ?? 0;
    const tall = (py[y] ?? 0) - top;
    for (let x = 0; x < nx; x++) {
      const index = colour(model.values[y * nx + x] ?? 0);
      if (index < 0) continue;
      const at = index * 3;
      ctx.fillStyle = `rgb(${scale[at]},${scale[at + 1]},${scale[at + 2]})`;
      const left = px[x] ?? 0;
      // Half a pixel of overlap hides the seams of anti-aliasing.
      ctx.fillRect(left, top, (px[x + 1] ?? 0) - left + 0.5, tall + 0.5);
    }
  }
}

function positions(edges: Float64Array, start: number, length: number, upwards: boolean): Float64Array {
  const first = edges[0] ?? 0;
  const whole = (edges.at(-1) ?? 1) - first;
  return edges.map((edge) => {
    const share = (edge - first) / whole;
    return start + length * (upwards ? 1 - share : share);
  });
}

function paintAxes(ctx: CanvasRenderingContext2D, model: MapModel, frame: Frame): void {
  const bottom = frame.top + frame.height;
  const xLow = model.xEdges[0] ?? 0;
  const xHigh = model.xEdges.at(-1) ?? 1;
  const xNames = model.xLabels && { edges: model.xEdges, labels: model.xLabels };
  const most = Math.max(xNames ? 2 : 4, Math.round(frame.width / 90));
  const xTicks = axisTicks(xLow, xHigh, most, false, xNames);
  ctx.textBaseline = 'top';
  ctx.textAlign = 'center';
  xTicks.values.forEach((value, i) => {
    const x = frame.left + ((value - xLow) / (xHigh - xLow)) * frame.width;
    ctx.fillRect(x - 0.5, bottom, 1, 5);
    ctx.fillText(xTicks.labels[i] ?? '', x, bottom + 8);
  });
  ctx.fillText(model.xTitle, frame.left + frame.width / 2, bottom + 27);
  ctx.textAlign = 'right';
  const yLow = model.yEdges[0] ?? 0;
  const yHigh = model.yEdges.at(-1) ?? 1;
  const yNames = model.yLabels && { edges: model.yEdges, labels: model.yLabels };
  const yTicks = axisTicks(yLow, yHigh, Math.max(2, Math.round(frame.height / 50)), false, yNames);
  ctx.textBaseline = 'middle';
  yTicks.values.forEach((value, i) => {
    const y = bottom - ((value - yLow) / (yHigh - yLow)) * frame.height;
    ctx.fillRect(frame.left - 5, y - 0.5, 5, 1);
    ctx.fillText(yTicks.labels[i] ?? '', frame.left - 8, y);
  });
  ctx.save();
  ctx.translate(12, frame.top + frame.height / 2);
  ctx.rotate(-Math.PI / 2);
  ctx.textAlign = 'center';
  ctx.fillText(model.yTitle, 0, 0);
  ctx.restore();
}

function paintScale(
  ctx: CanvasRenderingContext2D,
  frame: Frame,
  scale: Uint8ClampedArray,
  low: number,
  high: number,
  log: boolean,
): void {
  const left = frame.left + frame.width + 16;
  const step = frame.height / 256;
  for (let i = 0; i < 256; i++) {
    ctx.fillStyle = `rgb(${scale[i * 3]},${scale[i * 3 + 1]},${scale[i * 3 + 2]})`;
    ctx.fillRect(left, frame.top + frame.height - (i + 1) * step, 12, step + 0.5);
  }
  ctx.fillStyle = ctx.strokeStyle;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const ticks = axisTicks(low, high, Math.max(2, Math.round(frame.height / 50)), log);
  ticks.values.forEach((value, i) => {
    const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    ctx.fillText(ticks.labels[i] ?? '', left + 17, frame.top + frame.height * (1 - share));
  });
}
