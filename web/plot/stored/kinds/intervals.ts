import { betaBelow, betaDensity, betaQuantile, logBinomial, normalQuantile } from './beta';

/** Limits of an interval of efficiencies. */
export type Interval = [low: number, high: number];

/** Precision at which ROOT's bisection stops. Methods defined by it use the same. */
const TOLERANCE = 1e-9;

const within = (low: number, high: number): Interval => [Math.max(0, low), Math.min(1, high)];

/**
 * Returns the interval of the efficiency of `passed` out of `total` for the frequentist options of TEfficiency;
 * undefined for other options.
 */
export function frequentist(
  option: number,
  total: number,
  passed: number,
  level: number,
): Interval | undefined {
  const alpha = (1 - level) / 2;
  const mean = passed / total;
  const kappa = normalQuantile(1 - alpha, 1);
  const square = kappa * kappa;
  const middle = (passed + square / 2) / (total + square);
  switch (option) {
    case 0:
      return clopperPearson(total, passed, alpha);
    case 1: {
      const delta = kappa * Math.sqrt((mean * (1 - mean)) / total);
      return within(mean - delta, mean + delta);
    }
    case 2: {
      const delta = (kappa / (total + square)) * Math.sqrt(total * mean * (1 - mean) + square / 4);
      return within(middle - delta, middle + delta);
    }
    case 3: {
      const delta = kappa * Math.sqrt((middle * (1 - middle)) / (total + square));
      return within(middle - delta, middle + delta);
    }
    case 4:
      return feldmanCousins(Math.round(total), Math.round(passed), level);
    case 8:
      return [midP(total, passed, 1 - alpha), midP(total, passed, alpha)];
    default:
      return undefined;
  }
}

/**
 * Returns the normal approximation with weights, which TEfficiency uses instead of any other method. `of` is the sum of all
 * weights, `ofSquared` and `ownSquared` the sums of squares of all and of those that passed.
 */
export function weightedInterval(
  { of, ofSquared, ownSquared }: { of: number; ofSquared: number; ownSquared: number },
  value: number,
  level: number,
): Interval {
  if (of === 0) return [0, 1];
  const variance = (ownSquared * (1 - 2 * value) + ofSquared * value * value) / (of * of);
  const delta = normalQuantile(1 - 0.5 * (1 - level), Math.sqrt(variance));
  return [Math.max(0, value - delta), Math.min(1, value + delta)];
}

export function clopperPearson(total: number, passed: number, alpha: number): Interval {
  return [
    passed === 0 ? 0 : betaQuantile(alpha, passed, total - passed + 1),
    passed === total ? 1 : betaQuantile(1 - alpha, passed + 1, total - passed),
  ];
}

/** TEfficiency::MidPInterval: the probability of the observed number counts by half. */
function midP(total: number, passed: number, least: number): number {
  if (passed > 0 && passed < 1) {
    const none = midP(total, 0, least);
    return (midP(total, 1, least) - none) * passed + none;
  }
  return halved((p) => {
    const own = (0.5 * betaDensity(p, passed + 1, total - passed + 1)) / (total + 1);
    return own + (passed >= 1 ? 1 - betaBelow(p, passed, total - passed + 1) : 0) > least;
  });
}

/** Returns the result of bisecting [0, 1]. `isBelow` tells whether the result is larger. */
function halved(isBelow: (p: number) => boolean): number {
  let [low, high] = [0, 1];
  let p = 0;
  while (Math.abs(high - low) > TOLERANCE) {
    p = (low + high) / 2;
    if (isBelow(p)) low = p;
    else high = p;
  }
  return p;
}

/** Maximum number of events. More would take too long, and other methods give the same interval. */
const MAX_EVENTS = 1e7;

/**
 * Returns the interval of Feldman and Cousins: numbers of events are accepted in the order of their likelihood ratio.
 */
function feldmanCousins(total: number, passed: number, level: number): Interval | undefined {
  if (total > MAX_EVENTS) return undefined;
  const low = passed === 0 ? 0 : halved((p) => accepted(p, total, level)[1] < passed);
  const high = passed === total ? 1 : halved((p) => accepted(p, total, level)[0] <= passed);
  return [low, high];
}

/** Returns the smallest and the largest number of events that are accepted for the efficiency p. */
function accepted(p: number, total: number, level: number): [low: number, high: number] {
  const ratio = (k: number) =>
    k < 0 || k > total
      ? Number.NEGATIVE_INFINITY
      : logBinomial(k, total, p) - logBinomial(k, total, k / total);
  const best = Math.round(p * total);
  let left = best;
  let right = best;
  let sum = Math.exp(logBinomial(best, total, p));
  while (sum < level && (left > 0 || right < total)) {
    if (ratio(left - 1) > ratio(right + 1)) sum += Math.exp(logBinomial(--left, total, p));
    else sum += Math.exp(logBinomial(++right, total, p));
  }
  return [left, right];
}

/** TEfficiency::BetaCentralInterval. */
export function centralInterval(a: number, b: number, level: number): Interval {
  if (!(a > 0) || !(b > 0)) return [0, 1];
  return [betaQuantile((1 - level) / 2, a, b), betaQuantile((1 + level) / 2, a, b)];
}

/** TEfficiency::BetaShortestInterval. */
export function shortestInterval(a: number, b: number, level: number): Interval {
  if (!(a > 0) || !(b > 0)) return [0, 1];
  const mode = betaMode(a, b);
  if (mode === 0 || a === 1) return [0, betaQuantile(level, a, b)];
  if (mode === 1 || b === 1) return [betaQuantile(1 - level, a, b), 1];
  if (a === b && a <= 1) return centralInterval(a, b, level);
  const end = (low: number) => betaQuantile(betaBelow(low, a, b) + level, a, b);
  // The interval is shortest where the density is the same at both of its ends.
  let [low, high] = [0, betaQuantile(1 - level, a, b)];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (betaDensity(middle, a, b) < betaDensity(end(middle), a, b)) low = middle;
    else high = middle;
  }
  return [low, end(low)];
}

/** TEfficiency::BetaMode. */
export function betaMode(a: number, b: number): number {
  if (!(a > 0) || !(b > 0)) return 0;
  if (a <= 1 || b <= 1) return a < b ? 0 : a > b ? 1 : 0.5;
  return (a - 1) / (a + b - 2);
}
