/**
 * Returns `count` indices at even distances in the sum of the sizes, ascending: large items are taken more often, and one
 * that is larger than a distance several times. Items of size 0 are never taken.
 */
export function evenSample(sizes: ArrayLike<number>, count: number): number[] {
  let total = 0;
  for (let i = 0; i < sizes.length; i++) total += sizes[i] ?? 0;
  const sample: number[] = [];
  let end = 0;
  for (let i = 0; i < sizes.length; i++) {
    const size = sizes[i] ?? 0;
    end += size;
    while (size > 0 && sample.length < count && ((sample.length + 0.5) * total) / count < end) sample.push(i);
  }
  return sample;
}

/** Returns the mean of the sizes of items that are taken so. */
export function evenSampleSize(sizes: ArrayLike<number>): number {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < sizes.length; i++) {
    const size = sizes[i] ?? 0;
    sum += size;
    squares += size * size;
  }
  return sum > 0 ? squares / sum : 0;
}
