import type { BinAxis } from './bin-axes';

/** Yields the inner bins, x varying fastest: the index of the cell, and the bin along each axis, counted from 0. */
export function* eachBin(axes: readonly Pick<BinAxis, 'bins'>[]): Generator<[cell: number, bins: number[]]> {
  const count = axes.reduce((product, { bins }) => product * bins, 1);
  for (let i = 0; i < count; i++) {
    let [rest, stride, cell] = [i, 1, 0];
    const at = axes.map(({ bins }) => {
      const bin = rest % bins;
      rest = Math.floor(rest / bins);
      // Cell 0 of each axis is its underflow.
      cell += (bin + 1) * stride;
      stride *= bins + 2;
      return bin;
    });
    yield [cell, at];
  }
}
