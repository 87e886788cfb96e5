import { type Bins, type Chi2, chi2Test, type Kolmogorov, kolmogorovTest } from './compare-histograms';

/** Results of comparing a histogram with its reference. */
export interface Agreement {
  /** Whether all contents and errors are equal, including under- and overflow. */
  same: boolean;
  /** Whether only under- or overflow differs, which the other figures do not include. */
  onlyFlow: boolean;
  /** Option of ROOT's Chi2Test. */
  option: 'UU' | 'WW';
  chi2: Chi2;
  /** Undefined for three axes. */
  kolmogorov?: Kolmogorov | undefined;
  /** Largest distance of the ratio from 1, over the bins in which the reference has contents. */
  ratio: number;
  /** Largest difference of a bin divided by its error. Infinite if an error is 0, NaN if an error is NaN. */
  pull: number;
  /** Fraction of the bins with contents that differ by more than the band plus their error. */
  outside: number;
}

export interface AgreementOptions {
  /** Half-width of the band around the reference, as a fraction of it. */
  band: number;
  /**
   * Whether the reference is scaled to the sum of the contents, for ratios and differences. The tests compare shapes in
   * any case.
   */
  sameArea: boolean;
}

/** Compares a histogram with a reference that has the same bins. */
export function agreementOf(bins: Bins, reference: Bins, { band, sameArea }: AgreementOptions): Agreement {
  const weighted = bins.weighted || reference.weighted;
  const scale = sameArea ? scaleOf(bins.counts, reference.counts) : 1;
  let [ratio, pull, outside, filled] = [0, 0, 0, 0];
  bins.counts.forEach((count, i) => {
    const expected = (reference.counts[i] ?? 0) * scale;
    if (count === 0 && expected === 0) return;
    filled++;
    const difference = Math.abs(count - expected);
    const error = Math.sqrt((bins.variances[i] ?? 0) + (reference.variances[i] ?? 0) * scale * scale);
    if (expected !== 0) ratio = Math.max(ratio, difference / Math.abs(expected));
    if (difference !== 0 || Number.isNaN(error)) pull = Math.max(pull, difference / error);
    // NaN counts as outside.
    if (!(difference - error <= band * Math.abs(expected))) outside++;
  });
  const same = isSame(bins.withFlow, reference.withFlow);
  return {
    same,
    onlyFlow: !same && !bins.shown && isSame(bins, reference),
    option: weighted ? 'WW' : 'UU',
    chi2: chi2Test(bins, reference, weighted),
    kolmogorov: kolmogorovTest(bins, reference),
    ratio,
    pull,
    outside: filled === 0 ? 0 : outside / filled,
  };
}

function scaleOf(counts: Float64Array, reference: Float64Array): number {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const scale = sum(counts) / sum(reference);
  return Number.isFinite(scale) && scale > 0 ? scale : 1;
}

function isSame(a: Bins['withFlow'], b: Bins['withFlow']): boolean {
  const isEqual = (one: Float64Array, other: Float64Array) =>
    one.every((value, i) => Object.is(value, other[i]) || value === other[i]);
  return isEqual(a.counts, b.counts) && isEqual(a.variances, b.variances);
}

/** Returns the smallest p-value of the tests, 1 if none is defined. Smaller values mean worse agreement. */
export function agreementRank({ same, chi2, kolmogorov }: Agreement): number {
  if (same) return 1;
  const known = [chi2.p, kolmogorov?.p ?? Number.NaN].filter((p) => !Number.isNaN(p));
  return Math.min(1, ...known);
}
