import type { Histogram } from '../api/api';

export type BinAxis = Histogram['axes'][number];
/** The bins of an axis. */
export type Bins = Pick<BinAxis, 'bins' | 'low' | 'high' | 'edges'>;

/**
 * Returns the lower edge of a bin (as TAxis::GetBinLowEdge, but bins are counted from 0). For `bin` = number of bins,
 * returns exactly the upper end of the axis.
 */
export function edgeOf({ low, high, bins, edges }: Bins, bin: number): number {
  if (edges || bin === bins) return edges?.[bin] ?? high;
  const edge = low + bin * ((high - low) / bins);
  // The width of an axis from -1e308 to 1e308 is infinite.
  return Number.isFinite(edge) ? edge : low * (1 - bin / bins) + high * (bin / bins);
}

/** Returns all edges of an axis, one more than the number of bins. */
export function edgesOf(axis: Bins): Float64Array {
  return Float64Array.from({ length: axis.bins + 1 }, (_, i) => edgeOf(axis, i));
}

/** Whether two axes have the same edges, with a tolerance of 1e-9 of the axis, because sums of widths are rounded. */
export function sameEdges(one: Float64Array, other: Float64Array): boolean {
  const width = Math.abs((one.at(-1) ?? 0) - (one[0] ?? 0)) || 1;
  return (
    one.length === other.length && one.every((edge, i) => Math.abs(edge - (other[i] ?? 0)) <= 1e-9 * width)
  );
}

/** Returns the cells without under- and overflow; x varies fastest. */
export function innerCells(axes: readonly Pick<BinAxis, 'bins'>[], cells: Float64Array): Float64Array {
  const inner = new Float64Array(axes.reduce((product, { bins }) => product * bins, 1));
  for (const [at, start, bins] of rowsOf(axes)) inner.set(cells.subarray(start, start + bins), at);
  return inner;
}

/** Returns cells with under- and overflow, which are 0, of those without; x varies fastest. */
export function outerCells(axes: readonly Pick<BinAxis, 'bins'>[], inner: Float64Array): Float64Array {
  const cells = new Float64Array(axes.reduce((product, { bins }) => product * (bins + 2), 1));
  for (const [at, start, bins] of rowsOf(axes)) cells.set(inner.subarray(at, at + bins), start);
  return cells;
}

/** Rows of bins along x: where each begins among the cells without under- and overflow, and among all, and its bins. */
function* rowsOf(
  axes: readonly Pick<BinAxis, 'bins'>[],
): Generator<[inner: number, cell: number, bins: number]> {
  const [nx = 1, ny = 1, nz = 1] = axes.map(({ bins }) => bins);
  const row = nx + 2;
  const plane = row * (ny + 2);
  for (let at = 0; at < nx * ny * nz; at += nx) {
    const [y, z] = [(at / nx) % ny, Math.floor(at / (nx * ny))];
    const start = (axes.length > 2 ? (z + 1) * plane : 0) + (axes.length > 1 ? (y + 1) * row : 0) + 1;
    yield [at, start, nx];
  }
}
