/** Contents of the bins of a histogram without under- and overflow, x varying fastest, and their squared errors. */
export interface Bins {
  counts: Float64Array;
  /** Squared errors of the contents. */
  variances: Float64Array;
  /** Whether the errors are not errors of means: a profile with the option s, i or g, which ROOT's Chi2Test refuses. */
  otherErrors?: boolean;
  /** Whether squared errors differ from the contents: there are weights, or means of a profile. */
  weighted: boolean;
  /** Number of bins of each axis, x first. */
  bins: readonly number[];
  /** The same, including under- and overflow. */
  withFlow: { counts: Float64Array; variances: Float64Array };
  /** Indices in `withFlow` of the bins that the axes show, if these are not simply all inner bins (TAxis::SetRange). */
  shown?: Uint32Array | undefined;
}

export interface Chi2 {
  chi2: number;
  ndf: number;
  /**
   * Probability of a chi2 of at least this value if both histograms have the same parent distribution. NaN if it is not
   * defined.
   */
  p: number;
}

/**
 * Compares two histograms bin by bin as ROOT's TH1::Chi2Test does: with option UU if neither is weighted, otherwise WW
 * (TH1.cxx, TH1::Chi2TestX; N. Gagunashvili, physics/0605123). Bins that are empty in both do not count as a degree of
 * freedom; for UU, neither do bins with less than 1 in both. Only bins that the axes of the first histogram show are
 * compared; these may include under- and overflow. There are two differences from ROOT. If a bin has contents and no
 * error, the chi2 is NaN and the degrees of freedom count all bins; ROOT stops at this bin. If only one bin has
 * contents, the histograms agree; ROOT returns the probability 0, which would mean the worst disagreement.
 */
export function chi2Test(a: Bins, b: Bins, weighted = a.weighted || b.weighted): Chi2 {
  const cells = a.shown ?? Uint32Array.from(a.counts.keys());
  const [ofA, ofB] = a.shown ? [a.withFlow, b.withFlow] : [a, b];
  const sumOf = (values: Float64Array) => cells.reduce((total, cell) => total + (values[cell] ?? 0), 0);
  const [sumA, sumB] = [sumOf(ofA.counts), sumOf(ofB.counts)];
  let ndf = cells.length - 1;
  let chi2 = 0;
  if (sumA === 0 || sumB === 0 || a.otherErrors || b.otherErrors)
    return { chi2: Number.NaN, ndf, p: Number.NaN };
  for (const cell of cells) {
    const countA = ofA.counts[cell] ?? 0;
    const countB = ofB.counts[cell] ?? 0;
    const isEmpty = weighted
      ? countA === 0 && countB === 0
      : Math.trunc(countA) === 0 && Math.trunc(countB) === 0;
    if (isEmpty) {
      ndf -= 1;
      continue;
    }
    const delta = sumB * countA - sumA * countB;
    if (weighted) {
      const sigma = sumA * sumA * (ofB.variances[cell] ?? 0) + sumB * sumB * (ofA.variances[cell] ?? 0);
      chi2 += sigma === 0 ? Number.NaN : (delta * delta) / sigma;
    } else chi2 += (delta * delta) / (countA + countB);
  }
  if (!weighted) chi2 /= sumA * sumB;
  return { chi2, ndf, p: ndf === 0 && !Number.isNaN(chi2) ? 1 : chi2Probability(chi2, ndf) };
}

export interface Kolmogorov {
  /** Largest distance of the cumulative distributions. For two axes, the mean of the distances along x and along y. */
  distance: number;
  p: number;
}

/**
 * Compares the shapes of two histograms with one or two axes, over all bins, as ROOT's TH1::KolmogorovTest and
 * TH2::KolmogorovTest do. Returns undefined for three axes, because ROOT's distance is too small by a factor there.
 * Values are NaN if they are not defined.
 */
export function kolmogorovTest(a: Bins, b: Bins): Kolmogorov | undefined {
  const [columns = 1, rows = 1, ...further] = a.bins;
  if (further.length > 0) return undefined;
  const sumA = sum(a.counts);
  const sumB = sum(b.counts);
  // Number of unweighted entries with the same statistical power.
  const entriesA = sumA ** 2 / sum(a.variances);
  const entriesB = sumB ** 2 / sum(b.variances);
  const exactA = !Number.isFinite(entriesA);
  const exactB = !Number.isFinite(entriesB);
  if (sumA === 0 || sumB === 0 || (exactA && exactB)) return { distance: Number.NaN, p: Number.NaN };
  let entries = exactA ? entriesB : exactB ? entriesA : (entriesA * entriesB) / (entriesA + entriesB);
  const shareOf = ({ counts }: Bins, total: number, cell: number) => (counts[cell] ?? 0) / total;
  const distanceOf = (cells: Iterable<number>): number => {
    let [most, belowA, belowB] = [0, 0, 0];
    for (const cell of cells) {
      belowA += shareOf(a, sumA, cell);
      belowB += shareOf(b, sumB, cell);
      most = Math.max(most, Math.abs(belowA - belowB));
    }
    return most;
  };
  let distance = distanceOf(a.counts.keys());
  if (a.bins.length > 1) {
    distance = (distance + distanceOf(byColumn(columns, rows))) / 2;
    // TH2::KolmogorovTest uses the contents of the second histogram here instead of its effective entries.
    if (!exactA && !exactB) entries = (entriesA * sumB) / (entriesA + entriesB);
  }
  return { distance, p: kolmogorovProbability(distance * Math.sqrt(entries)) };
}

/** Yields the cells of a two-dimensional histogram, column by column. */
function* byColumn(columns: number, rows: number): Generator<number> {
  for (let x = 0; x < columns; x++) for (let y = 0; y < rows; y++) yield y * columns + x;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns the probability of a Kolmogorov distance of at least `z`, as TMath::KolmogorovProb with its ranges. */
export function kolmogorovProbability(z: number): number {
  const u = Math.abs(z);
  if (Number.isNaN(u)) return Number.NaN;
  if (u < 0.2) return 1;
  if (u < 0.755) {
    const v = -(Math.PI ** 2) / (8 * u * u);
    // The square root of 2 pi, with the digits that ROOT uses.
    return 1 - (2.50662827 * (Math.exp(v) + Math.exp(9 * v) + Math.exp(25 * v))) / u;
  }
  if (u >= 6.8116) return 0;
  const terms = Math.max(1, Math.round(3 / u));
  let p = 0;
  for (let j = 1; j <= Math.min(4, terms); j++) p += (j % 2 === 1 ? 2 : -2) * Math.exp(-2 * j * j * u * u);
  return p;
}

/** Returns the probability of a chi2 of at least this value with `ndf` degrees of freedom, as TMath::Prob. */
export function chi2Probability(chi2: number, ndf: number): number {
  if (Number.isNaN(chi2)) return Number.NaN;
  if (!(ndf > 0)) return ndf === 0 ? 0 : Number.NaN;
  if (chi2 <= 0) return chi2 < 0 ? 0 : 1;
  return upperGamma(ndf / 2, chi2 / 2);
}

const MAX_STEPS = 100_000;
const PRECISION = 1e-16;

/**
 * Returns the regularised upper incomplete gamma function Q(a, x): by a series for x below a + 1, otherwise by Lentz's
 * continued fraction.
 */
function upperGamma(a: number, x: number): number {
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let series = term;
    for (let n = 1; n < MAX_STEPS && Math.abs(term) > PRECISION * Math.abs(series); n++) {
      term *= x / (a + n);
      series += term;
    }
    return Math.max(0, 1 - front * series);
  }
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < MAX_STEPS; n++) {
    const an = -n * (n - a);
    b += 2;
    d = an * d + b;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = b + an / c;
    if (Math.abs(c) < tiny) c = tiny;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) break;
  }
  return front * fraction;
}

/**
 * Returns the logarithm of the gamma function of a positive number: Lanczos approximation with g = 7 and nine terms.
 */
function logGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  const t = z + 7.5;
  const series = terms.reduce((total, term, i) => total + term / (z + i + 1), 0.9999999999998099);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(series);
}
