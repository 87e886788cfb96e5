import { lastAtMost } from '../../base/search';
import type { PlotFrame } from '../drawing/frame';
import { type AnyPlot, binAt } from '../model';
import type { Layer, Panel } from '../panels';

interface Place {
  x: number;
  y: number;
}

/** A bin or point, and its distance in pixels if others may be nearer. */
export interface Near {
  index: number;
  distance: number;
}

/** Maximum horizontal and vertical distance in pixels between the pointer and a point that it points at. */
const REACH = { x: 12, y: 190 };

/** Returns the bin or point of a layer at a place of the frame, in pixels; undefined if there is none. */
export function nearestOf(model: AnyPlot, layer: Layer, frame: PlotFrame, place: Place): Near | undefined {
  const value = frame.x.toValue(place.x);
  if (model.kind === 'map') return undefined;
  if (layer.near) return layer.near(frame, place);
  if (layer.isLine) return nearestOnLine(layer, value);
  if (layer.ends !== undefined) return barAt(layer, layer.ends, frame, place);
  if (model.kind === 'graph') return nearestPoint(layer, frame, place);
  const near = binOf(model, layer, value);
  return Number.isFinite(layer.y[near?.index ?? -1]) ? near : undefined;
}

/** Returns the bin of a layer at a value of x, also one whose content is NaN: a place without a mark has a label, too. */
function binOf(model: AnyPlot, layer: Layer, value: number): Near | undefined {
  if (model.kind !== 'bins' || layer.near || layer.isLine || layer.ends !== undefined) return undefined;
  const index = binAt(layer.edges ?? model.edges, value);
  return index < 0 || index >= layer.y.length ? undefined : { index, distance: 0 };
}

/** Returns the layers of a panel below a place. Of the points of graphs only the nearest ones. */
export function hitsOf(
  model: AnyPlot,
  { frame, layers }: Panel,
  at: Place,
  hidden?: ReadonlySet<number>,
): { layer: number; index: number }[] {
  const found = layers.flatMap((layer, i) => {
    const near = hidden?.has(i)
      ? undefined
      : (nearestOf(model, layer, frame, at) ?? binOf(model, layer, frame.x.toValue(at.x)));
    return near === undefined ? [] : [{ layer: i, isLine: layer.isLine === true, ...near }];
  });
  if (model.kind !== 'graph') return found;
  const own = layers.length - (model.curves?.length ?? 0);
  const points = found.filter(({ layer }) => layer < own);
  const nearest = points.sort((a, b) => Number(a.isLine) - Number(b.isLine) || a.distance - b.distance);
  return [...nearest.slice(0, 1), ...found.filter(({ layer }) => layer >= own)];
}

/** Returns the bins of x and y of a map at a place of the frame. */
export function cellAt(
  model: AnyPlot,
  frame: PlotFrame,
  place: Place,
): { index: number; row: number } | undefined {
  if (model.kind !== 'map') return undefined;
  const index = binAt(model.xEdges, frame.x.toValue(place.x));
  const row = binAt(model.yEdges, frame.y.toValue(place.y));
  return index < 0 || row < 0 ? undefined : { index, row };
}

function nearestPoint({ x, y }: Layer, frame: PlotFrame, at: Place): Near | undefined {
  let best: Near | undefined;
  for (let index = 0; index < x.length; index++) {
    const dx = Math.abs(frame.x.toPixel(x[index] ?? Number.NaN) - at.x);
    if (!(dx <= REACH.x)) continue;
    const dy = Math.abs(frame.y.toPixel(y[index] ?? Number.NaN) - at.y);
    const distance = Math.hypot(dx, dy);
    if (dy <= REACH.y && !(distance >= (best?.distance ?? Number.POSITIVE_INFINITY)))
      best = { index, distance };
  }
  return best;
}

/** Returns the bar in the row nearest to the pointer whose ends are nearest. */
function barAt({ x, y }: Layer, ends: Float64Array, frame: PlotFrame, at: Place): Near | undefined {
  const value = frame.y.toValue(at.y);
  const row = y.reduce(
    (found, one) => (Math.abs(one - value) < Math.abs(found - value) ? one : found),
    Number.POSITIVE_INFINITY,
  );
  let best: Near | undefined;
  for (let index = 0; index < x.length; index++) {
    if (y[index] !== row) continue;
    const left = frame.x.toPixel(x[index] ?? Number.NaN);
    const right = frame.x.toPixel(ends[index] ?? Number.NaN);
    const distance = Math.max(left - at.x, 0, at.x - right);
    if (!(distance >= (best?.distance ?? Number.POSITIVE_INFINITY))) best = { index, distance };
  }
  return best;
}

/** Returns the point of a function nearest to x. Its points ascend in x. */
function nearestOnLine({ x, y }: Layer, value: number): Near | undefined {
  if (!(value >= (x[0] ?? Number.NaN)) || !(value <= (x.at(-1) ?? Number.NaN))) return undefined;
  const left = lastAtMost(x, x.length, value);
  const index = value - (x[left] ?? 0) > (x[left + 1] ?? Number.POSITIVE_INFINITY) - value ? left + 1 : left;
  return Number.isFinite(y[index]) ? { index, distance: 0 } : undefined;
}
