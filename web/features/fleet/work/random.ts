import { firstAbove } from '../../../base/search';

/** Returns a generator of numbers from 0 to 1 (excluded) that depend only on the seed: mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a function that draws an index with probabilities proportional to the weights. */
export function weighted(weights: ArrayLike<number>): (random: number) => number {
  const sums = new Float64Array(weights.length);
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    total += weights[i] ?? 0;
    sums[i] = total;
  }
  return (random) => Math.min(weights.length - 1, firstAbove(sums, random * total));
}
