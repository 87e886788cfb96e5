import { unsupported } from '../../../../base/data-errors';
import { argumentError, type XylemError } from '../../../../base/errors';
import { type BinAxis, edgeOf } from '../../../../bins/bin-axes';
import { copied, type Held, plainSquares, resetStats, statsOf } from './held';

/** How the bins of an axis are joined: the new axis, and the new bin of each old one, under- and overflow included. */
interface Joined {
  axis: BinAxis;
  binOf: Int32Array;
  /** Whether bins at the end are left over and become overflow. */
  isRest: boolean;
}

/**
 * Returns a histogram with groups of bins joined, as TH1::Rebin, TH2::Rebin2D and TH3::Rebin3D. Bins that do not fill a
 * group become overflow, and the statistics are then those of the bins. Throws ARGUMENT for a group that is not possible.
 */
export function rebinned(a: Held, groups: readonly number[]): Held {
  if (groups.length > a.axes.length)
    throw argumentError(
      `"${a.name}" has ${a.axes.length} axes, and there are ${groups.length} numbers of bins to join.`,
    );
  if (a.profile && a.axes.length > 2)
    throw unsupported(`"${a.name}" is a profile of three axes, which is not rebinned.`);
  return joined(
    a,
    a.axes.map((axis, i) => grouped(a, axis, groups[i] ?? 1)),
  );
}

function grouped({ name }: Held, axis: BinAxis, group: number): Joined {
  const { bins } = axis;
  if (!Number.isInteger(group) || group < 1 || group > bins)
    throw argumentError(
      `Bins of "${name}" cannot be joined in groups of ${group}: an axis has ${bins}.`,
      `Take a whole number from 1 to ${bins}.`,
    );
  if (group > 1 && axis.labels) throw named(name);
  const count = Math.floor(bins / group);
  const { low, high, edges, labels: _labels, shown: _shown, grows: _grows, ...rest } = axis;
  const isRest = count * group !== bins;
  const axisOf = {
    ...rest,
    ...(group === 1 && { labels: axis.labels, grows: axis.grows }),
    bins: count,
    low,
    high: isRest ? edgeOf(axis, count * group) : high,
    ...(edges && { edges: Float64Array.from({ length: count + 1 }, (_, i) => edgeOf(axis, i * group)) }),
  };
  const binOf = Int32Array.from({ length: bins + 2 }, (_, bin) =>
    bin === 0 ? 0 : bin > count * group ? count + 1 : Math.ceil(bin / group),
  );
  return { axis: axisOf, binOf, isRest };
}

/**
 * Returns a histogram of one axis with other edges, which have to be edges of its bins, as TH1::Rebin with edges. Bins
 * outside become under- and overflow; the stored statistics stay, as in ROOT. Throws ARGUMENT for another edge: ROOT
 * warns that the result can be inconsistent.
 */
export function rebinnedTo(a: Held, edges: readonly number[]): Held {
  const [axis] = a.axes;
  if (a.axes.length !== 1 || axis === undefined)
    throw argumentError(
      `"${a.name}" has ${a.axes.length} axes: edges are for one.`,
      'Give groups of bins: rebin(h, 2, 5).',
    );
  if (
    edges.length < 2 ||
    edges.some((edge, i) => !Number.isFinite(edge) || (i > 0 && edge <= (edges[i - 1] ?? edge)))
  )
    throw argumentError(`[${edges.join(', ')}] are not edges: at least two ascending numbers.`);
  if (axis.labels) throw named(a.name);
  const at = edges.map((edge) => oldEdge(a, axis, edge));
  const { labels: _labels, shown: _shown, grows: _grows, edges: _edges, ...rest } = axis;
  const [first = 0, last = 0] = [at[0], at.at(-1)];
  let group = 0;
  const binOf = Int32Array.from({ length: axis.bins + 2 }, (_, bin) => {
    if (bin <= first) return 0;
    if (bin > last) return edges.length;
    while ((at[group + 1] ?? last) < bin) group++;
    return group + 1;
  });
  const [low = 0, high = 0] = [edges[0], edges.at(-1)];
  return joined(a, [
    {
      axis: { ...rest, bins: edges.length - 1, low, high, edges: Float64Array.from(edges) },
      binOf,
      isRest: false,
    },
  ]);
}

function named(name: string): XylemError {
  return unsupported(`Bins of "${name}" have names, so that they are not joined.`);
}

/** Returns the index of an edge among those of an axis. */
function oldEdge({ name }: Held, axis: BinAxis, edge: number): number {
  let nearest = 0;
  for (let i = 1; i <= axis.bins; i++)
    if (Math.abs(edgeOf(axis, i) - edge) < Math.abs(edgeOf(axis, nearest) - edge)) nearest = i;
  const width = edgeOf(axis, Math.min(axis.bins, nearest + 1)) - edgeOf(axis, Math.max(0, nearest - 1));
  const found = edgeOf(axis, nearest);
  if (Math.abs(found - edge) <= Math.max(1e-8 * width, 1e-16)) return nearest;
  throw argumentError(
    `${edge} is not an edge of the bins of "${name}".`,
    `The nearest edge is ${found}; bins are joined, and never split.`,
  );
}

function joined(a: Held, axes: readonly Joined[]): Held {
  const result = copied(a);
  result.axes = axes.map(({ axis }) => axis);
  const old = a.axes.map(({ bins }) => bins + 2);
  const length = result.axes.reduce((product, { bins }) => product * (bins + 2), 1);
  const cellOf = (cell: number): number => {
    let [rest, stride, to] = [cell, 1, 0];
    axes.forEach(({ binOf, axis }, i) => {
      const size = old[i] ?? 1;
      to += (binOf[rest % size] ?? 0) * stride;
      rest = Math.floor(rest / size);
      stride *= axis.bins + 2;
    });
    return to;
  };
  const cells = Int32Array.from(a.sums, (_, cell) => cellOf(cell));
  const join = (from: Float64Array): Float64Array => {
    const to = new Float64Array(length);
    for (const [cell, value] of from.entries()) {
      const at = cells[cell] ?? 0;
      to[at] = (to[at] ?? 0) + value;
    }
    return to;
  };
  result.sums = join(a.sums);
  result.squares = a.weighted ? join(a.squares) : plainSquares(result.sums);
  if (a.weights) result.weights = join(a.weights);
  if (a.weights2) result.weights2 = join(a.weights2);
  settle(
    result,
    a,
    axes.some(({ isRest }) => isRest),
  );
  return result;
}

/** Sets the statistics as ROOT does, whose classes differ. */
function settle(result: Held, a: Held, isRest: boolean): void {
  if (!isRest) {
    // TH1::Rebin and TH3::Rebin3D store the sums that they read, TH2::Rebin2D leaves the stored ones.
    if (a.axes.length !== 2) result.stats = statsOf(a);
    return;
  }
  if (a.profile || a.axes.length === 1) result.stats[0] = 0;
  else resetStats(result);
}
