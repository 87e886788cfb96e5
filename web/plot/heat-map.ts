import { colourScale } from './colour-scale';
import { binAt, type MapModel } from './model';
import { linearTicks } from './ticks';

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

/** Draws a two-dimensional histogram on a canvas within `host`; it follows the element's size. */
export function mountMap(host: HTMLElement, model: MapModel, options: HeatMapOptions): HeatMap {
  const canvas = host.ownerDocument.createElement('canvas');
  canvas.style.width = '100%';
  canvas.style.height = '100%';
  canvas.style.display = 'block';
  host.append(canvas);
  const paint = () => paintMap(canvas, host, model, options);
  const observer = new ResizeObserver(paint);
  observer.observe(host);
  const onMove = (event: PointerEvent) => {
    const frame = frameOf(host.clientWidth, host.clientHeight);
    const box = canvas.getBoundingClientRect();
    const x = valueAt(model.xEdges, (event.clientX - box.left - frame.left) / frame.width);
    const y = valueAt(model.yEdges, 1 - (event.clientY - box.top - frame.top) / frame.height);
    options.onHover(x < 0 || y < 0 ? null : { x, y });
  };
  const onLeave = () => options.onHover(null);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerleave', onLeave);
  return {
    destroy() {
      observer.disconnect();
      canvas.remove();
    },
  };
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
): void {
  const ratio = devicePixelRatio;
  const width = host.clientWidth;
  const height = host.clientHeight;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const ctx = canvas.getContext('2d');
  if (ctx === null) return;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(host);
  const ink = style.getPropertyValue('--plot-axis').trim() || '#555';
  const frame = frameOf(width, height);
  const scale = colourScale(options.dark);
  const [low, high] = contentRange(model.values, options.log);
  const level = (value: number) => {
    if (options.log) return value > 0 ? Math.log(value / low) / Math.log(high / low) : -1;
    return (value - low) / (high - low);
  };
  paintCells(ctx, model, frame, level, scale);

  ctx.font = `12px ${style.fontFamily || 'sans-serif'}`;
  ctx.fillStyle = ink;
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1;
  ctx.strokeRect(frame.left - 0.5, frame.top - 0.5, frame.width + 1, frame.height + 1);
  paintAxes(ctx, model, frame);
  paintScale(ctx, frame, scale, low, high, options.log);
}

/** Empty cells stay the colour of the ground, so that content stands out. */
function paintCells(
  ctx: CanvasRenderingContext2D,
  model: MapModel,
  frame: Frame,
  level: (value: number) => number,
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
      const value = model.values[y * nx + x] ?? 0;
      const share = value === 0 ? -1 : level(value);
      if (!(share >= 0)) continue;
      const at = Math.min(255, Math.round(share * 255)) * 3;
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

function contentRange(values: Float64Array, log: boolean): [low: number, high: number] {
  let low = log ? Number.POSITIVE_INFINITY : 0;
  let high = 0;
  for (const value of values) {
    if (!Number.isFinite(value) || (log && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(high > low)) return log ? [Math.min(high, 1) * 0.5 || 0.5, Math.max(high, 1)] : [low, low + 1];
  return [low, high];
}

function paintAxes(ctx: CanvasRenderingContext2D, model: MapModel, frame: Frame): void {
  const bottom = frame.top + frame.height;
  const xLow = model.xEdges[0] ?? 0;
  const xHigh = model.xEdges.at(-1) ?? 1;
  const xTicks = linearTicks(xLow, xHigh, Math.max(2, Math.round(frame.width / 90)));
  ctx.textBaseline = 'top';
  ctx.textAlign = 'center';
  xTicks.values.forEach((value, i) => {
    const x = frame.left + ((value - xLow) / (xHigh - xLow)) * frame.width;
    ctx.fillRect(x - 0.5, bottom, 1, 5);
    ctx.fillText(xTicks.labels[i] ?? '', x, bottom + 8);
  });
  ctx.textAlign = 'right';
  ctx.fillText(model.xTitle, frame.left + frame.width, bottom + 27);
  const yLow = model.yEdges[0] ?? 0;
  const yHigh = model.yEdges.at(-1) ?? 1;
  const yTicks = linearTicks(yLow, yHigh, Math.max(2, Math.round(frame.height / 50)));
  ctx.textBaseline = 'middle';
  yTicks.values.forEach((value, i) => {
    const y = bottom - ((value - yLow) / (yHigh - yLow)) * frame.height;
    ctx.fillRect(frame.left - 5, y - 0.5, 5, 1);
    ctx.fillText(yTicks.labels[i] ?? '', frame.left - 8, y);
  });
  ctx.save();
  ctx.translate(12, frame.top);
  ctx.rotate(-Math.PI / 2);
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
  const ticks = linearTicks(log ? Math.log10(low) : low, log ? Math.log10(high) : high, 5);
  const first = log ? Math.log10(low) : low;
  const last = log ? Math.log10(high) : high;
  ticks.values.forEach((value, i) => {
    if (log && !Number.isInteger(value)) return;
    const y = frame.top + frame.height * (1 - (value - first) / (last - first));
    const label = log ? linearTicks(0, 10 ** value, 1).labels.at(-1) : ticks.labels[i];
    ctx.fillText(label ?? '', left + 17, y);
  });
}
