import type { Histogram } from '../../api/api';

export type BinAxis = Histogram['axes'][number];
export type Moments = Pick<
  Histogram,
  'weight' | 'effective' | 'mean' | 'stdDev' | 'min' | 'max' | 'integer' | 'covariance'
>;

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

/** The centre of a bin, counted from 1. */
export function centreOf(axis: BinAxis, bin: number): number {
  return (edgeOf(axis, bin - 1) + edgeOf(axis, bin)) / 2;
}

const NO_CENTRES = new Float64Array(0);

/** The centres of an axis by their bins, which begin with 1. */
function centresOf(axis: BinAxis): Float64Array {
  const centres = new Float64Array(axis.bins + 1);
  for (let bin = 1; bin <= axis.bins; bin++) centres[bin] = centreOf(axis, bin);
  return centres;
}

function isInside(bins: Int32Array, axes: readonly BinAxis[]): boolean {
  for (let i = 0; i < axes.length; i++) {
    const bin = bins[i] ?? 0;
    if (bin < 1 || bin > (axes[i]?.bins ?? 0)) return false;
  }
  return true;
}

/** From the bins of a cell to those of the next one. */
function goOn(bins: Int32Array, axes: readonly BinAxis[]): void {
  for (let i = 0; i < axes.length; i++) {
    const bin = (bins[i] ?? 0) + 1;
    bins[i] = bin < (axes[i]?.bins ?? 0) + 2 ? bin : 0;
    if (bins[i] !== 0) return;
  }
}

/**
 * The statistics of values that lie at the centres of bins, as TH1::GetStats computes them where nothing was counted while
 * filling. Only axes of bins have a mean: that of a profile's values is 0.
 */
export function momentsOfBins(
  axes: readonly BinAxis[],
  dims: number,
  contents: Float64Array,
  squares: Float64Array,
): Moments {
  const first = new Float64Array(dims);
  const second = new Float64Array(dims);
  let [weight, weight2, product] = [0, 0, 0];
  const centres = axes.map(centresOf);
  const [ofX = NO_CENTRES, ofY = NO_CENTRES] = centres;
  // The bins of the cell, x first. Millions of cells are gone through without an object for each.
  const bins = new Int32Array(axes.length);
  for (let cell = 0; cell < contents.length; cell++) {
    if (isInside(bins, axes)) {
      const content = contents[cell] ?? 0;
      weight += content;
      weight2 += squares[cell] ?? 0;
      for (let i = 0; i < axes.length; i++) {
        const centre = centres[i]?.[bins[i] ?? 0] ?? 0;
        first[i] = (first[i] ?? 0) + content * centre;
        second[i] = (second[i] ?? 0) + content * centre * centre;
      }
      product += content * (ofX[bins[0] ?? 0] ?? 0) * (ofY[bins[1] ?? 0] ?? 0);
    }
    goOn(bins, axes);
  }
  const divided = (sum: number): number => (weight === 0 ? 0 : sum / weight);
  const mean = Array.from(first, divided);
  const none = mean.map(() => Number.NaN);
  return {
    weight,
    effective: weight2 > 0 ? weight ** 2 / weight2 : 0,
    mean,
    stdDev: Array.from(second, (sum, i) => Math.sqrt(Math.max(0, divided(sum) - (mean[i] ?? 0) ** 2))),
    min: none,
    max: none,
    integer: mean.map(() => false),
    covariance: axes.length > 1 ? divided(product) - (mean[0] ?? 0) * (mean[1] ?? 0) : 0,
  };
}
