import type { Places } from './drawing/axes';
import { type Colour, type Shape, short } from './drawing/drawing';
import type { PlotFrame } from './drawing/frame';
import type { PointErrors, Series } from './model';

/** Maximum number of points that are drawn as dots. */
const MAX_DOTS = 5000;

/** A line over a plot. */
export function curveShapes(
  { x, y, dash }: Pick<Series, 'x' | 'y' | 'dash'>,
  ink: Colour,
  frame: Places,
): Shape[] {
  return [{ kind: 'path', d: linePath(x, y, frame), stroke: ink, width: 2, ...(dash && { dash }) }];
}

/** Draws the points of one graph with error bars and the line through them, within the frame. */
export function seriesShapes(series: Series, ink: Colour, frame: PlotFrame): Shape[] {
  const { x, y, errors, bends, more = [], joined, dots, open = false, dash } = series;
  if (dots === false) return curveShapes(series, ink, frame);
  const shapes: Shape[] = [];
  if (joined !== false)
    shapes.push({
      kind: 'path',
      d: linePath(x, y, frame),
      stroke: ink,
      ...(dash ? { dash } : { opacity: 0.5 }),
    });
  const toX = frame.x.toPixel;
  const toY = frame.y.toPixel;
  const bars: string[] = [];
  const caps: string[] = [];
  const points: [number, number][] = [];
  const seen = new Set<number>();
  for (let i = 0; i < x.length; i++) {
    const vx = x[i] ?? Number.NaN;
    const vy = y[i] ?? Number.NaN;
    if (!Number.isFinite(vx) || !Number.isFinite(vy)) continue;
    const px = toX(vx);
    const py = toY(vy);
    // Points that share a pixel are drawn once when there are very many.
    if (x.length > MAX_DOTS) {
      const pixel = Math.round(px) * 65_536 + Math.round(py);
      if (seen.has(pixel)) continue;
      seen.add(pixel);
    }
    points.push([px, py]);
    if (errors !== undefined) {
      const { left, right, down, up } = errors;
      const sides = { left: left[i] || 0, right: right[i] || 0, down: down[i] || 0, up: up[i] || 0 };
      if (bends !== undefined) bars.push(bentBars([vx, vy], sides, bends, i, frame));
      else {
        bars.push(barAcross(py, toX(vx - sides.left), toX(vx + sides.right)));
        bars.push(barUp(px, toY(vy - sides.down), toY(vy + sides.up)));
      }
    }
    for (const { down, up } of more)
      caps.push(barUp(px, toY(vy - (down[i] || 0)), toY(vy + (up[i] || 0)), 4));
  }
  if (caps.length > 0) shapes.push({ kind: 'path', d: caps.join(''), stroke: ink, opacity: 0.6 });
  if (bars.length > 0) shapes.push({ kind: 'path', d: bars.join(''), stroke: ink });
  const many = points.length > MAX_DOTS;
  if (many && joined === false) {
    const d = points.map(([px, py]) => `M${short(px)} ${short(py)}h1`).join('');
    shapes.push({ kind: 'path', d, stroke: ink });
  } else if (!many) shapes.push({ kind: 'dots', points, radius: open ? 3.5 : 2.4, fill: ink, open });
  return shapes;
}

/** An error bar along x, in pixels; `cap` is half the length of the lines at the ends of one that has a length. */
export function barAcross(y: number, left: number, right: number, cap = 0): string {
  const ends = cap > 0 && right > left ? [left, right] : [];
  const caps = ends.map((x) => `M${short(x)} ${short(y - cap)}v${2 * cap}`);
  return `M${short(left)} ${short(y)}H${short(right)}${caps.join('')}`;
}

/** The same upright. */
export function barUp(x: number, low: number, high: number, cap = 0): string {
  const ends = cap > 0 && low > high ? [low, high] : [];
  const caps = ends.map((y) => `M${short(x - cap)} ${short(y)}h${2 * cap}`);
  return `M${short(x)} ${short(low)}V${short(high)}${caps.join('')}`;
}

/** Error bars whose ends are moved along the other axis. */
function bentBars(
  [x, y]: [number, number],
  sides: Record<keyof PointErrors, number>,
  bends: PointErrors,
  i: number,
  frame: PlotFrame,
): string {
  const at = (dx: number, dy: number) =>
    `${short(frame.x.toPixel(x + dx))} ${short(frame.y.toPixel(y + dy))}`;
  const through = `L${at(0, 0)}L`;
  const across = `M${at(-sides.left, bends.left[i] || 0)}${through}${at(sides.right, bends.right[i] || 0)}`;
  return `${across}M${at(bends.down[i] || 0, -sides.down)}${through}${at(bends.up[i] || 0, sides.up)}`;
}

/**
 * Returns a line through points in order, interrupted at missing values. Points that change it by less than a pixel
 * are left out.
 */
export function linePath(x: Float64Array, y: Float64Array, { x: across, y: up, box }: Places): string {
  const parts: string[] = [];
  // Points far outside are moved to a place just outside, because browsers draw huge coordinates wrongly.
  const far = 4 * (box.bottom - box.top);
  let pen = false;
  let lastX = Number.NaN;
  let lastY = Number.NaN;
  for (let i = 0; i < x.length; i++) {
    const px = across.toPixel(x[i] ?? Number.NaN);
    const py = Math.min(box.bottom + far, Math.max(box.top - far, up.toPixel(y[i] ?? Number.NaN)));
    if (!Number.isFinite(px) || !Number.isFinite(py)) {
      pen = false;
      continue;
    }
    const last = i === x.length - 1;
    if (pen && !last && Math.abs(px - lastX) < 0.4 && Math.abs(py - lastY) < 0.4) continue;
    parts.push(`${pen ? 'L' : 'M'}${short(px)} ${short(py)}`);
    pen = true;
    lastX = px;
    lastY = py;
  }
  return parts.join('');
}
