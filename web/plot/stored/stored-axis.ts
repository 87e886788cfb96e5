import type { PlainValue } from '../../api/api';
import type { BinAxis } from '../../bins/bin-axes';
import { storedAxis } from '../../bins/stored-axes';
import { type TimeAxis, timeAxisOf } from '../drawing/time-axis';
import { type Range, uniformEdges } from '../model';
import { label } from './members';

const MAX_BINS = 4_000_000;

/** An axis of a stored object, as it is drawn. */
export interface Axis {
  bins: number;
  edges: Float64Array;
  title: string;
  labels: string[] | undefined;
  /** The visible bins, [from, to), and their range when these are not all. */
  shown: [from: number, to: number];
  range: Range | undefined;
  time: TimeAxis | undefined;
}

/** Undefined when the members do not form an axis. */
export function axis(value: PlainValue | undefined): Axis | undefined {
  const stored = storedAxis(value);
  return stored && drawnAxis(stored);
}

/** Undefined for an axis without limits, and for one with more bins than are drawn. */
export function drawnAxis({
  bins,
  low,
  high,
  edges: given,
  title,
  labels,
  ...rest
}: BinAxis): Axis | undefined {
  if (bins > MAX_BINS) return undefined;
  const edges = given ?? uniformEdges(bins, low, high);
  const first = edges[0] ?? Number.NaN;
  const last = edges[bins] ?? Number.NaN;
  if (!Number.isFinite(first) || !Number.isFinite(last) || first >= last) return undefined;
  // Bins below and above the axis have no place in a picture.
  const [from, to] = [Math.max(1, rest.shown?.[0] ?? 1) - 1, Math.min(bins, rest.shown?.[1] ?? bins)];
  const shown: [number, number] = from < to ? [from, to] : [0, bins];
  const range: Range | undefined =
    shown[0] === 0 && shown[1] === bins ? undefined : [edges[shown[0]] ?? first, edges[shown[1]] ?? last];
  const time = rest.time === undefined ? undefined : timeAxisOf(rest.time);
  return { bins, edges, title, labels, shown, range, time };
}

/** How a stored axis shows times; undefined where it shows numbers. */
export function timeOf(axis: { [member: string]: PlainValue } | undefined): TimeAxis | undefined {
  return axis?.fTimeDisplay === true ? timeAxisOf(label(axis.fTimeFormat)) : undefined;
}
