import type { Histogram } from '../api/api';

export type BinAxis = Histogram['axes'][number];
/** The lower end of a bin, counted from 0; the last edge is exactly the end of the axis. */
export function edgeOf({ low, high, bins, edges }: BinAxis, bin: number): number {
  return edges?.[bin] ?? (bin === bins ? high : low + ((high - low) * bin) / bins);
}

/** All edges of an axis: one more than it has bins. */
export function edgesOf(axis: BinAxis): Float64Array {
  return Float64Array.from({ length: axis.bins + 1 }, (_, i) => edgeOf(axis, i));
}

/** The bins of a cell along each axis, x first: 0 is the underflow, and `bins + 1` the overflow. */
export function binsOfCell(axes: readonly BinAxis[], cell: number): number[] {
  let rest = cell;
  return axes.map(({ bins }) => {
    const bin = rest % (bins + 2);
    rest = Math.floor(rest / (bins + 2));
    return bin;
  });
}

/** The centre of a bin, counted from 1; bins 0 and `bins + 1` are as wide as a mean bin. As TAxis::GetBinCenter. */
export function centreOf(
  { bins, low, high, edges }: Pick<BinAxis, 'bins' | 'low' | 'high' | 'edges'>,
  bin: number,
): number {
  if (!edges || bin < 1 || bin > bins) return low + ((bin - 0.5) * (high - low)) / bins;
  const [from = 0, to = 0] = [edges[bin - 1], edges[bin]];
  return from + 0.5 * (to - from);
}
