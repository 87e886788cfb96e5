import { barShapes } from '../web/features/reads/work/read-pattern';
import { mountChart } from '../web/plot/chart/chart';
import { PALETTE } from '../web/plot/drawing/drawing';
import { paintDrawing } from '../web/plot/drawing/drawing-canvas';
import { panelsWith } from '../web/plot/layers/below-panels';
import { type AnyPlot, type LogAxes, uniformEdges } from '../web/plot/model';
import { plotDrawing } from '../web/plot/plot-drawing';
import type { PlotWindow } from '../web/plot/ranges';
import { panelWithRight } from '../web/plot/right-axis';

/** How far a chart of uPlot is from the drawing of the same model, which is saved as SVG. */
export interface Distance {
  panels: number;
  /** Numbers of ticks that are in one of them alone. */
  otherTicks: number;
  /** The largest distance of a tick, of an edge of a bin and of a content, in CSS pixels. */
  tick: number;
  edge: number;
  content: number;
  /** Pixels of lines in one picture that have none within half a CSS pixel in the other, and those of both. */
  strayPixels: number;
  linePixels: number;
}

const paint = { palette: PALETTE, fontFamily: 'sans-serif' };

/** Draws a model, which came here without its functions, by uPlot and from its drawing, and compares. */
async function distanceOf(
  given: AnyPlot,
  log: LogAxes,
  window: PlotWindow | undefined,
  [width, height]: [number, number],
): Promise<Distance> {
  const model = withFunctions(given);
  const host = document.createElement('div');
  host.style.cssText = `position: relative; width: ${width}px; height: ${height}px`;
  document.body.replaceChildren(host);
  const options = { log, window, dark: false, onHover: () => undefined };
  const chart = mountChart(host, model, options, paint);
  await new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle)));
  const drawing = plotDrawing(model, { width, height }, { log, window });
  const found: Distance = {
    ...{ panels: chart.charts.length, otherTicks: 0, tick: 0, edge: 0, content: 0 },
    ...{ strayPixels: 0, linePixels: 0 },
  };
  const far = (of: 'tick' | 'edge' | 'content', one: number, other: number) => {
    found[of] = Math.max(found[of], Math.abs(one - other));
  };
  const here = host.getBoundingClientRect();
  chart.charts.forEach((drawn, i) => {
    const frame = drawing.frames[i];
    if (frame === undefined) throw new Error('uPlot draws a panel that the drawing has not.');
    const over = drawn.over.getBoundingClientRect();
    const left = over.left - here.left;
    const top = over.top - here.top;
    for (const [k, axis] of (['x', 'y'] as const).entries()) {
      const { _splits: own } = drawn.axes[k] as unknown as { _splits: number[] };
      const { values } = frame[axis].ticks;
      found.otherTicks +=
        own.filter((tick, n) => tick !== values[n]).length + Math.abs(own.length - values.length);
      for (const tick of own)
        far('tick', drawn.valToPos(tick, axis) + (axis === 'x' ? left : top), frame[axis].toPixel(tick));
    }
    if (model.kind === 'graph') return;
    const edges = model.kind === 'map' ? model.xEdges : model.edges;
    const [low, high] = frame.x.spec.range;
    for (const edge of edges)
      if (edge >= low && edge <= high) far('edge', drawn.valToPos(edge, 'x') + left, frame.x.toPixel(edge));
    if (model.kind === 'map' || i > 0) return;
    for (const value of model.values)
      if (value > frame.y.spec.range[0])
        far('content', drawn.valToPos(value, 'y') + top, frame.y.toPixel(value));
  });

  const ratio = devicePixelRatio;
  const canvasOf = (fill: (ctx: CanvasRenderingContext2D) => void): ImageData => {
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const ctx = canvas.getContext('2d', { willReadFrequently: true });
    if (ctx === null) throw new Error('The browser has no canvas.');
    fill(ctx);
    return ctx.getImageData(0, 0, canvas.width, canvas.height);
  };
  const one = canvasOf((ctx) => {
    for (const { ctx: own, root } of chart.charts)
      ctx.drawImage(own.canvas, 0, Math.round((root.getBoundingClientRect().top - here.top) * ratio));
  });
  const other = canvasOf((ctx) => {
    ctx.scale(ratio, ratio);
    paintDrawing(ctx, drawing, paint);
  });
  compare(one, other, found);
  compare(other, one, found);
  chart.destroy();
  return found;
}

function withFunctions(model: AnyPlot): AnyPlot {
  if (model.kind === 'bins' && model.below)
    return { ...model, below: { ...model.below, panels: panelsWith(model.below.model, 1) } };
  if (model.kind !== 'graph') return model;
  return {
    ...model,
    ...(model.right && { right: { ...model.right, panel: panelWithRight } }),
    ...(model.rows && { shapes: barShapes }),
  };
}

/** Counts the pixels of lines and points, which are green, and those that the other picture has not nearby. */
function compare(one: ImageData, other: ImageData, found: Distance): void {
  const isLine = ({ data, width }: ImageData, x: number, y: number) => {
    const at = 4 * (y * width + x);
    const [red = 0, green = 0, , alpha = 0] = data.subarray(at, at + 4);
    return alpha > 128 && green > red + 40;
  };
  const reach = Math.ceil(0.5 * devicePixelRatio);
  for (let y = reach; y < one.height - reach; y++) {
    for (let x = reach; x < one.width - reach; x++) {
      if (!isLine(one, x, y)) continue;
      found.linePixels++;
      let near = false;
      for (let dy = -reach; dy <= reach && !near; dy++)
        for (let dx = -reach; dx <= reach && !near; dx++) near = isLine(other, x + dx, y + dy);
      if (!near) found.strayPixels++;
    }
  }
}

/** The share of pixels that change when a gesture on a large map is over, and of those that the gesture changed. */
async function changesOfGesture(bins: number): Promise<{ during: number; after: number }> {
  const host = document.createElement('div');
  host.style.cssText = 'position: relative; width: 640px; height: 420px';
  document.body.replaceChildren(host);
  const shared = { title: '', xTitle: 'x', yTitle: 'y', zTitle: '', stats: [] };
  const edges = uniformEdges(bins, 0, 1);
  // Waves that are many cells long, and no neighbours of one colour, which would be drawn together.
  const values = Float64Array.from(
    { length: bins * bins },
    (_, i) => Math.round(40 * (2 + Math.sin((i % bins) / 25) + Math.sin(i / bins / 19))) + (i % 2),
  );
  const model: AnyPlot = { kind: 'map', ...shared, xEdges: edges, yEdges: edges, values };
  const look = { log: { x: false, y: false }, dark: false, onHover: () => undefined };
  let settled = () => {};
  const over = new Promise<void>((settle) => {
    settled = settle;
  });
  const chart = mountChart(host, model, { ...look, onZoom: () => settled() }, paint);
  const frame = () => new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle)));
  await frame();
  const picture = (): Uint8ClampedArray => {
    const [{ ctx, bbox }] = chart.charts as [(typeof chart.charts)[number]];
    return ctx.getImageData(bbox.left, bbox.top, bbox.width, bbox.height).data;
  };
  const target = host.querySelector('.u-over');
  const box = target?.getBoundingClientRect() ?? new DOMRect();
  const at = { clientX: box.x + 150, clientY: box.y + 90, bubbles: true, cancelable: true };
  target?.dispatchEvent(new PointerEvent('pointermove', { ...at, movementX: 6 }));
  const before = picture();
  target?.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: -250 }));
  await frame();
  const during = picture();
  await over;
  await frame();
  const after = picture();
  chart.destroy();
  const changed = (one: Uint8ClampedArray, other: Uint8ClampedArray) =>
    one.filter((part, i) => Math.abs(part - (other[i] ?? 0)) > 40).length / one.length;
  return { during: changed(before, during), after: changed(during, after) };
}

Object.assign(globalThis, { distanceOf, changesOfGesture });
