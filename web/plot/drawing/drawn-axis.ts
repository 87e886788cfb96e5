import { type BinAxis, edgesOf } from '../../bins/bin-axes';
import type { Range } from '../model';
import { type TimeAxis, timeAxisOf } from './time-axis';

const MAX_BINS = 4_000_000;

/** An axis of a histogram, as it is drawn. */
export interface DrawnAxis {
  bins: number;
  edges: Float64Array;
  title: string;
  labels: string[] | undefined;
  /** The range that is shown; undefined for all bins. */
  range: Range | undefined;
  time: TimeAxis | undefined;
}

/** Returns undefined for an axis without limits, and for one with more bins than are drawn. */
export function drawnAxis(axis: BinAxis): DrawnAxis | undefined {
  const { bins, labels, unit } = axis;
  const title = unit === undefined ? axis.title : `${axis.title} (${unit})`;
  if (bins > MAX_BINS) return undefined;
  const edges = edgesOf(axis);
  const [first = Number.NaN, last = Number.NaN] = [edges[0], edges[bins]];
  if (!Number.isFinite(first) || !Number.isFinite(last) || first >= last) return undefined;
  // Bins below and above the axis have no place in a picture.
  const [from, to] = [Math.max(1, axis.shown?.[0] ?? 1) - 1, Math.min(bins, axis.shown?.[1] ?? bins)];
  const isPart = from < to && (from > 0 || to < bins);
  const range: Range | undefined = isPart ? [edges[from] ?? first, edges[to] ?? last] : undefined;
  const time = axis.time === undefined ? undefined : timeAxisOf(axis.time);
  return { bins, edges, title, labels, range, time };
}
