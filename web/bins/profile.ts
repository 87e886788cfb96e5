import type { Histogram, ProfileErrors } from '../api/api';

type Cells = Required<Pick<Histogram, 'sums' | 'squares' | 'weights' | 'weights2'>>;

/** Returns the means and errors of a profile's cells, as TProfile::GetBinContent and GetBinError do. */
export function profileCells(
  { sums, squares, weights, weights2 }: { [name in keyof Cells]: Float64Array },
  kind: ProfileErrors,
): { means: Float64Array; errors: Float64Array } {
  const means = sums.map((sum, i) => (weights[i] ? sum / weights[i] : 0));
  const errors = means.map((mean, i) => {
    const weight = weights[i] ?? 0;
    if (weight === 0) return 0;
    if (kind === 'g') return 1 / Math.sqrt(weight);
    const spread = Math.sqrt(Math.abs((squares[i] ?? 0) / weight - mean * mean));
    if (kind === 's') return spread;
    const effective = (weight * weight) / (weights2[i] || 1);
    // If all values are equal, ROOT assumes that they are integers, with an error of 1/sqrt(12).
    if (kind === 'i' && spread === 0) return 1 / Math.sqrt(12 * effective);
    return spread / Math.sqrt(effective);
  });
  return { means, errors };
}
