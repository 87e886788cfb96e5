/** The logarithm of the gamma function of a positive number: Lanczos' series. */
function logGamma(x: number): number {
  const series = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const from = x - 1;
  const sum = series.reduce((total, part, i) => total + part / (from + i + 1), 0.9999999999998099);
  const at = from + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (from + 0.5) * Math.log(at) - at + Math.log(sum);
}

/** Returns the logarithm of the probability of `k` out of `n`, if each has probability `p`. */
export function logBinomial(k: number, n: number, p: number): number {
  const ways = logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
  return ways + (k === 0 ? 0 : k * Math.log(p)) + (k === n ? 0 : (n - k) * Math.log1p(-p));
}

export function betaDensity(x: number, a: number, b: number): number {
  const logged = logGamma(a + b) - logGamma(a) - logGamma(b);
  return Math.exp(logged + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
}

/** Returns the cumulative beta distribution at x: its continued fraction, by Lentz' method. */
export function betaBelow(x: number, a: number, b: number): number {
  if (!(x > 0)) return 0;
  if (!(x < 1)) return 1;
  // The fraction converges fast on this side alone.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaBelow(1 - x, b, a);
  const tiny = 1e-300;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
  let found = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const part of [even, odd]) {
      d = 1 / (1 + part * d || tiny);
      c = 1 + part / c || tiny;
      found *= d * c;
    }
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return (front * found) / a;
}

/** Returns the quantile of the beta distribution. */
export function betaQuantile(share: number, a: number, b: number): number {
  return rising((x) => betaBelow(x, a, b), share);
}

/** Returns the quantile of the normal distribution with this standard deviation. */
export function normalQuantile(share: number, sigma: number): number {
  // By Newton's method, with steps that do not leave the part where it converges.
  let x = 0;
  for (let i = 0; i < 100; i++) {
    const step = (normalBelow(x) - share) / (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI));
    x -= Math.max(-1, Math.min(1, step));
    if (Math.abs(step) < 1e-15) break;
  }
  return x * sigma;
}

/** Returns the cumulative normal distribution at x, by its series. */
function normalBelow(x: number): number {
  let part = x;
  let sum = x;
  for (let i = 1; i < 500 && Math.abs(part) > 1e-18 * Math.abs(sum); i++) {
    part *= (x * x) / (2 * i + 1);
    sum += part;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** Returns the position at which a function that rises from 0 to 1 has a value, by bisection to adjacent numbers. */
function rising(value: (x: number) => number, wanted: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (value(middle) < wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
