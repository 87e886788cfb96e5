import type { PlotFrame } from '../drawing/frame';
import { niceStep } from '../drawing/ticks';
import type { Range } from '../model';

/** A span of an axis in pixels of its frame, from the end with low values to the end with high values. */
export type Span = [low: number, high: number];

/**
 * The part that a gesture asks for: spans in pixels of the present frame. An axis that is left out does not change.
 */
export interface View {
  x?: Span | undefined;
  y?: Span | undefined;
}

export type AxisName = 'x' | 'y';

/** Returns the pixels of an axis from its low end to its high end. */
export function spanOf({ box }: PlotFrame, axis: AxisName): Span {
  return axis === 'x' ? [box.left, box.right] : [box.bottom, box.top];
}

/** Returns the span that is visible after zooming: `factor` times as long, with `at` in the same place. */
export function zoomedSpan([low, high]: Span, at: number, factor: number): Span {
  return [at + (low - at) * factor, at + (high - at) * factor];
}

/** Returns the span that is visible after the contents moved by some pixels. */
export function movedSpan([low, high]: Span, by: number): Span {
  return [low - by, high - by];
}

/** Returns the visible span after two fingers moved from `before` to `after`. */
export function pinchedSpan([low, high]: Span, before: Span, after: Span): Span {
  const scale = (before[1] - before[0]) / (after[1] - after[0]);
  const from = (pixel: number) => before[0] + (pixel - after[0]) * scale;
  return [from(low), from(high)];
}

/** Minimum relative distance of the ends of an axis. Closer values cannot be distinguished. */
const CLOSEST = 1e-12;

/** Returns the values at the ends of a span; undefined if they cannot be an axis. */
export function valuesOf(frame: PlotFrame, axis: AxisName, span: Span): Range | undefined {
  const low = frame[axis].toValue(span[0]);
  const high = frame[axis].toValue(span[1]);
  const far = Math.max(Math.abs(low), Math.abs(high));
  return Number.isFinite(far) && high - low > CLOSEST * far ? [low, high] : undefined;
}

/** Moves a range into the whole without changing its length. Returns undefined if it is the whole. */
export function keptWithin([low, high]: Range, [least, most]: Range, log: boolean): Range | undefined {
  const [to, from] = log ? [Math.log, Math.exp] : [(value: number) => value, (value: number) => value];
  const span = to(high) - to(low);
  const all = to(most) - to(least);
  if (!(span < all * (1 - 1e-9))) return undefined;
  if (low < least) return [least, from(to(least) + span)];
  return high > most ? [from(to(most) - span), most] : [low, high];
}

/** Rounds a range to the precision of a pointer, because these numbers are shown in fields and links. */
export function rounded([low, high]: Range, log: boolean): Range {
  const step = niceStep(high - low, 400);
  const round = (value: number) =>
    log ? Number(value.toPrecision(4)) : Number((Math.round(value / step) * step).toPrecision(12));
  return [round(low), round(high)];
}
