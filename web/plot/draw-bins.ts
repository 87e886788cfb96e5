import { formatNumber } from '../base/format';
import { type Colour, type Shape, short } from './drawing/drawing';
import type { PlotFrame } from './drawing/frame';
import { outlinePath, stepOutline } from './drawing/steps';
import { middleOf, type Overlay, type PlotModel } from './model';
import { shownBins } from './ranges';

/** Maximum number of bins whose contents are written as numbers. More would overlap. */
const MAX_NUMBERS = 60;

/** Draws the contents of a model's bins, or of an overlay, with their error bars, within the frame. */
export function binShapes(
  model: PlotModel,
  one: Overlay,
  ink: Colour,
  frame: PlotFrame,
  log: boolean,
): Shape[] {
  const { x, y } = frame;
  const { edges = model.edges } = one;
  const [from, to] = shownBins(edges, x.spec.range);
  const [low] = y.spec.range;
  const baseline = y.toPixel(log ? low : Math.max(low, 0));
  const outline = model.mark === 'steps' ? stepsPath(edges, one.values, from, to, frame, baseline) : '';
  const isOwn = one === model;
  const shapes: Shape[] = [];
  if (outline !== '' && isOwn) shapes.push({ kind: 'path', d: outline, fill: ink, fillOpacity: 0.15 });
  if (outline !== '')
    shapes.push({ kind: 'path', d: outline, stroke: ink, width: 1.4, ...(one.dash && { dash: one.dash }) });
  if (!one.hidesErrors) shapes.push(...marks(model, one, from, to, frame, ink));
  if (model.text && isOwn && to - from <= MAX_NUMBERS) {
    for (let i = from; i < to; i++) {
      const value = model.values[i] ?? Number.NaN;
      if (value === 0 || !Number.isFinite(value)) continue;
      const place = { x: x.toPixel(middleOf(model.edges, i)), y: y.toPixel(value) - 4 };
      shapes.push({ kind: 'text', ...place, text: formatNumber(value), anchor: 'middle', size: 11 });
    }
  }
  return shapes;
}

/** Returns the outline of the bins, closed along the baseline. A content that is NaN makes a gap. */
export function stepsPath(
  edges: Float64Array,
  values: Float64Array,
  from: number,
  to: number,
  { x, y }: PlotFrame,
  baseline: number,
): string {
  const parts: string[] = [];
  for (let at = from; at < to; ) {
    while (at < to && !Number.isFinite(values[at])) at++;
    const start = at;
    while (at < to && Number.isFinite(values[at])) at++;
    if (start === at) continue;
    const outline = stepOutline(
      edges.subarray(start, at + 1),
      values.subarray(start, at),
      x.toPixel,
      y.toPixel,
    );
    parts.push(outlinePath(outline, baseline));
  }
  return parts.join('');
}

/** Draws error bars, and for points the points with the width of their bins. Bins in the same pixel share a bar. */
function marks(
  model: PlotModel,
  { values, errors, edges = model.edges }: Overlay,
  from: number,
  to: number,
  { x, y }: PlotFrame,
  ink: Colour,
): Shape[] {
  const dotted = model.mark === 'points';
  if (errors === undefined && !dotted) return [];
  const bars: string[] = [];
  const points: [number, number][] = [];
  let column = Number.NaN;
  let top = 0;
  let bottom = 0;
  const put = (): void => {
    if (bottom > top) bars.push(`M${short(column)} ${short(top)}V${short(bottom)}`);
    top = 0;
    bottom = 0;
  };
  for (let i = from; i < to; i++) {
    const value = values[i] ?? Number.NaN;
    const error = errors?.[i] ?? 0;
    if (!Number.isFinite(value) || (value === 0 && error === 0)) continue;
    const left = x.toPixel(edges[i] ?? 0);
    const right = x.toPixel(edges[i + 1] ?? 0);
    const middle = (left + right) / 2;
    const place = y.toPixel(value);
    if (!(Math.abs(middle - column) < 0.5)) {
      put();
      column = middle;
    }
    if (Number.isFinite(error) && error > 0) {
      const high = y.toPixel(value + error);
      const deep = y.toPixel(value - error);
      top = bottom > top ? Math.min(top, high) : high;
      bottom = Math.max(bottom, deep);
    }
    if (!dotted) continue;
    points.push([middle, place]);
    if (right - left > 1) bars.push(`M${short(left)} ${short(place)}H${short(right)}`);
  }
  put();
  return [
    { kind: 'path', d: bars.join(''), stroke: ink },
    ...(points.length > 0 ? [{ kind: 'dots', points, radius: 2.4, fill: ink } as const] : []),
  ];
}
