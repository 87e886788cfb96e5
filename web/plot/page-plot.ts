import { colourOf, DARK_PALETTE, type Ink, lineInk, PALETTE } from './drawing/drawing';
import { type CanvasPaint, paintDrawing } from './drawing/drawing-canvas';
import type { PlotFrame } from './drawing/frame';
import { niceStep } from './drawing/ticks';
import { type AnyPlot, binAt, type GraphModel, type LogAxes, type Range } from './model';
import { plotDrawing } from './plot-drawing';
import type { PlotWindow } from './ranges';

/** The bin or point under the pointer; for a map the bin of x and that of y. */
export interface Hovered {
  index: number;
  row: number;
}

export interface PagePlotOptions {
  log: LogAxes;
  window?: PlotWindow | undefined;
  dark: boolean;
  onHover(bin: Hovered | null): void;
  /** The user dragged over a part of the axes. Without it nothing can be dragged. */
  onZoom?: ((window: PlotWindow) => void) | undefined;
  /** The user double-clicked to see everything again. */
  onReset?: (() => void) | undefined;
}

/** A plot drawn into an element of a page; it follows the element's size until destroyed. */
export interface PagePlot {
  destroy(): void;
}

/** Pixels that a drag has at least. */
const MIN_DRAG = 4;

/**
 * Draws `model` on a canvas within `host`. The canvas tells the kind of the model, and the places of the
 * frames of its axes (`data-kind`, `data-frames`: left, top, right, bottom in CSS pixels). Colours come from
 * the custom properties `--plot-line`, `--plot-line-2` to `-6`, `--plot-fill`, `--plot-axis` and
 * `--plot-grid` of the host at the time of the call.
 */
export function mountPlot(host: HTMLElement, model: AnyPlot, options: PagePlotOptions): PagePlot {
  const canvas = host.ownerDocument.createElement('canvas');
  canvas.className = 'plot-canvas';
  const mark = host.ownerDocument.createElement('div');
  mark.className = 'plot-mark';
  mark.hidden = true;
  host.append(canvas, mark);
  const paint = paintOf(host, options.dark);
  let frames: PlotFrame[] = [];
  let size = '';
  const draw = () => {
    const width = Math.max(120, host.clientWidth);
    const height = Math.max(100, host.clientHeight);
    const ratio = devicePixelRatio;
    if (size === `${width} ${height} ${ratio}`) return;
    size = `${width} ${height} ${ratio}`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const ctx = canvas.getContext('2d');
    if (ctx === null) return;
    const drawing = plotDrawing(model, { width, height }, { ...options, stats: false });
    frames = drawing.frames;
    canvas.dataset.kind = model.kind;
    canvas.dataset.frames = frames
      .map(({ box }) => [box.left, box.top, box.right, box.bottom].join(' '))
      .join(',');
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintDrawing(ctx, drawing, paint);
  };
  draw();
  const observer = new ResizeObserver(draw);
  observer.observe(host);
  const stop = followPointer(canvas, mark, model, options, () => frames);
  return {
    destroy() {
      stop();
      observer.disconnect();
      canvas.remove();
      mark.remove();
    },
  };
}

/** Colours and font of a page. */
function paintOf(host: HTMLElement, dark: boolean): CanvasPaint {
  const style = getComputedStyle(host);
  const base = dark ? DARK_PALETTE : PALETTE;
  const read = (name: string, ink: Ink) => style.getPropertyValue(name).trim() || colourOf(ink, base);
  const lines = Array.from({ length: 6 }, (_, i) => {
    const ink = lineInk(i);
    return [ink, read(i === 0 ? '--plot-line' : `--plot-line-${i + 1}`, ink)] as const;
  });
  const axis = read('--plot-axis', 'faint');
  const palette = {
    ...base,
    ...(Object.fromEntries(lines) as Record<Ink, string>),
    ...{ ink: axis, faint: axis, grid: read('--plot-grid', 'grid') },
  };
  const area = style.getPropertyValue('--plot-fill').trim() || undefined;
  return { palette, fontFamily: style.fontFamily || 'sans-serif', area };
}

interface Place {
  x: number;
  y: number;
}

/**
 * Reports the bin or point under the pointer, and zooms to a dragged range. Returns a function that stops it.
 */
function followPointer(
  canvas: HTMLCanvasElement,
  mark: HTMLElement,
  model: AnyPlot,
  options: PagePlotOptions,
  framesNow: () => PlotFrame[],
): () => void {
  let from: Place | undefined;
  let hovered = '';
  const placeOf = (event: PointerEvent): Place => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const frameAt = ({ x, y }: Place) =>
    framesNow().find(({ box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
  const hover = (bin: Hovered | null) => {
    const key = bin === null ? '' : `${bin.index} ${bin.row}`;
    if (key === hovered) return;
    hovered = key;
    options.onHover(bin);
  };
  const show = (left: number, right: number, top: number, bottom: number) => {
    Object.assign(mark.style, {
      ...{ left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` },
    });
    mark.hidden = false;
  };
  const span = (to: Place): { frame: PlotFrame; x: Range; y: Range } | undefined => {
    const frame = framesNow()[0];
    if (from === undefined || frame === undefined) return undefined;
    const { box } = frame;
    const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
    const pair = (a: number, b: number): Range => [Math.min(a, b), Math.max(a, b)];
    return {
      frame,
      x: pair(from.x, clamp(to.x, box.left, box.right)),
      y: pair(from.y, clamp(to.y, box.top, box.bottom)),
    };
  };
  const onDown = (event: PointerEvent) => {
    // A second finger ends the drag of the first: two of them choose no range.
    if (!event.isPrimary) return onCancel();
    const place = placeOf(event);
    const frame = frameAt(place);
    if (event.button !== 0 || frame === undefined) return;
    // A finger that only taps does not move.
    hover(hoveredAt(model, frame, place));
    if (options.onZoom === undefined) return;
    from = place;
    canvas.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    const place = placeOf(event);
    const frame = frameAt(place);
    hover(frame === undefined ? null : hoveredAt(model, frame, place));
    const dragged = span(place);
    if (dragged !== undefined && dragged.x[1] - dragged.x[0] >= MIN_DRAG) {
      const { box } = dragged.frame;
      const [top, bottom] = model.kind === 'map' ? dragged.y : [box.top, framesNow().at(-1)?.box.bottom ?? 0];
      mark.className = 'plot-mark drag';
      show(...dragged.x, top, bottom);
    } else if (frame !== undefined && model.kind !== 'map') {
      mark.className = 'plot-mark';
      show(place.x, place.x, framesNow()[0]?.box.top ?? 0, framesNow().at(-1)?.box.bottom ?? 0);
    } else mark.hidden = true;
  };
  const onUp = (event: PointerEvent) => {
    if (!event.isPrimary) return;
    const dragged = span(placeOf(event));
    from = undefined;
    mark.hidden = true;
    if (dragged === undefined) return;
    const window = windowOf(model, dragged);
    if (window !== undefined) options.onZoom?.(window);
  };
  const onLeave = (event: PointerEvent) => {
    // A finger that was lifted has left the value that it showed.
    if (event.pointerType !== 'touch') hover(null);
    if (from === undefined) mark.hidden = true;
  };
  const onCancel = () => {
    from = undefined;
    mark.hidden = true;
  };
  const onDouble = () => options.onReset?.();
  const listeners: [string, (event: never) => void][] = [
    ['pointerdown', onDown],
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', onCancel],
    ['pointerleave', onLeave],
    ['dblclick', onDouble],
  ];
  for (const [name, listener] of listeners) canvas.addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of listeners) canvas.removeEventListener(name, listener as EventListener);
  };
}

/** The dragged part of the axes; for a map whole bins. */
function windowOf(
  model: AnyPlot,
  { frame, x, y }: { frame: PlotFrame; x: Range; y: Range },
): PlotWindow | undefined {
  const across = valuesBetween(frame, 'x', x);
  if (model.kind !== 'map') return x[1] - x[0] < MIN_DRAG ? undefined : { x: across };
  if (x[1] - x[0] < MIN_DRAG && y[1] - y[0] < MIN_DRAG) return undefined;
  const [top, bottom] = y;
  return {
    x: wholeBins(model.xEdges, across),
    y: wholeBins(model.yEdges, [frame.y.toValue(bottom), frame.y.toValue(top)]),
  };
}

/** Rounded to the precision of the pointer, because these numbers appear in fields and links. */
function valuesBetween(frame: PlotFrame, axis: 'x' | 'y', [from, to]: Range): Range {
  const low = frame[axis].toValue(from);
  const high = frame[axis].toValue(to);
  const step = niceStep(high - low, 400);
  const round = (value: number) => Number((Math.round(value / step) * step).toPrecision(12));
  return [round(low), round(high)];
}

function wholeBins(edges: Float64Array, [low, high]: Range): Range {
  const last = edges.length - 1;
  const first = Math.max(0, binAt(edges, low));
  const end = binAt(edges, high);
  return [edges[first] ?? low, edges[end < 0 ? last : end + 1] ?? high];
}

/** The bin under the pointer, or the nearest point within 12 pixels of it. */
function hoveredAt(model: AnyPlot, frame: PlotFrame, { x, y }: Place): Hovered | null {
  if (model.kind === 'graph') return nearestPoint(model, frame, { x, y });
  const index = binAt(model.kind === 'bins' ? model.edges : model.xEdges, frame.x.toValue(x));
  const row = model.kind === 'map' ? binAt(model.yEdges, frame.y.toValue(y)) : 0;
  return index < 0 || row < 0 ? null : { index, row };
}

function nearestPoint({ x, y, dots }: GraphModel, frame: PlotFrame, at: Place): Hovered | null {
  let best: Hovered | null = null;
  let least = 24;
  for (let i = 0; i < x.length; i++) {
    const dx = frame.x.toPixel(x[i] ?? Number.NaN) - at.x;
    if (!(Math.abs(dx) <= 12)) continue;
    // A line is hit at each height, a point near its own.
    const dy = dots === false ? 0 : (frame.y.toPixel(y[i] ?? Number.NaN) - at.y) / 8;
    const distance = Math.hypot(dx, dy);
    if (!(distance < least)) continue;
    least = distance;
    best = { index: i, row: 0 };
  }
  return best;
}
