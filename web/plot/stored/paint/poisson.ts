import { number } from '../members';
import type { Members } from './ground';

/** Returns how far an error bar extends below and above a content. */
export type Errors = (content: number) => { down: number; up: number };

/** Standard deviations of a normal distribution that contain 68.2689492 % (TH1::kPoisson) and 95 % (kPoisson2). */
const DEVIATIONS = [1, 1.959964];
/** Probability outside of these on one side. */
const OUTSIDE = [0.158655254, 0.025];
/** Counts above this use the approximation of Wilson and Hilferty, which is right to 1e-4 of an error there. */
const MANY = 300;

/**
 * Returns the central Poisson intervals that a histogram of counts has as errors, as TH1::GetBinErrorLow and
 * GetBinErrorUp do. Undefined if the histogram has other errors.
 */
export function poissonErrors(object: Members): Errors | undefined {
  const option = number(object.fBinStatErrOpt);
  const [deviations, outside] = [DEVIATIONS[option - 1], OUTSIDE[option - 1]];
  if (deviations === undefined || outside === undefined) return undefined;
  const hasSquares = Array.isArray(object.fSumw2) || ArrayBuffer.isView(object.fSumw2);
  const size = hasSquares ? (object.fSumw2 as { length: number }).length : 0;
  if (size > 0 && object.fTsumw !== object.fTsumw2) return undefined;
  // Cache: millions of bins have only a few different counts.
  const ends = new Map<number, [low: number, high: number]>();
  const endsOf = (count: number): [low: number, high: number] => {
    const known = ends.get(count);
    if (known) return known;
    const found: [number, number] = [
      count === 0 ? 0 : gammaQuantile(count, outside, -deviations),
      gammaQuantile(count + 1, 1 - outside, deviations),
    ];
    if (count <= MANY) ends.set(count, found);
    return found;
  };
  return (content) => {
    if (!(content >= 0)) return { down: 0, up: 0 };
    const count = Math.trunc(content);
    const [low, high] = endsOf(count);
    return { down: count === 0 ? 0 : content - low, up: high - content };
  };
}

/** Returns a quantile of the gamma distribution with an integer `shape`. */
function gammaQuantile(shape: number, probability: number, deviations: number): number {
  if (shape > MANY) return shape * (1 - 1 / (9 * shape) + deviations / (3 * Math.sqrt(shape))) ** 3;
  let [low, high] = [0, shape + 10 * Math.sqrt(shape) + 10];
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (1 - fewerThan(shape, middle) < probability) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the probability of fewer than `count` events if `mean` are expected. */
function fewerThan(count: number, mean: number): number {
  let term = Math.exp(-mean);
  let total = 0;
  for (let k = 0; k < count; k++) {
    total += term;
    term *= mean / (k + 1);
  }
  return total;
}
