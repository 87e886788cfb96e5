/** Number of buckets, in which values are roughly in order. */
const BUCKETS = 1 << 16;

/** The places of values in rough order of the values: in buckets of equal width. NaN is in none. */
export class SortedValues {
  readonly #values: Float64Array | Float32Array;
  readonly #low: number;
  readonly #scale: number;
  /** Where each bucket begins in `#places`, and where the last one ends. */
  readonly #starts = new Uint32Array(BUCKETS + 1);
  readonly #places: Uint32Array;

  constructor(values: Float64Array | Float32Array) {
    this.#values = values;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let count = 0;
    for (const value of values) {
      if (Number.isNaN(value)) continue;
      count++;
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    this.#low = low;
    const width = high - low;
    // Values of which all are equal, and a range that overflows, have one bucket.
    this.#scale = width > 0 && Number.isFinite(width) ? BUCKETS / width : 0;
    const ends = this.#starts;
    for (const value of values)
      if (!Number.isNaN(value)) {
        const bucket = this.#bucketOf(value) + 1;
        ends[bucket] = (ends[bucket] ?? 0) + 1;
      }
    for (let bucket = 1; bucket <= BUCKETS; bucket++)
      ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
    const next = ends.slice(0, BUCKETS);
    this.#places = new Uint32Array(count);
    for (let place = 0; place < values.length; place++) {
      const value = values[place] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const bucket = this.#bucketOf(value);
      const at = next[bucket] ?? 0;
      next[bucket] = at + 1;
      this.#places[at] = place;
    }
  }

  #bucketOf(value: number): number {
    if (!Number.isFinite(value)) return value < 0 ? 0 : BUCKETS - 1;
    const bucket = Math.floor((value - this.#low) * this.#scale);
    return Math.max(0, Math.min(BUCKETS - 1, bucket));
  }

  /** Calls `use` with at least the places of the values from the lower to the higher of two numbers. */
  between(a: number, b: number, use: (place: number) => void): void {
    if (a === b) return;
    const [low, high] = a < b ? [a, b] : [b, a];
    const from = this.#starts[this.#bucketOf(low)] ?? 0;
    const to = this.#starts[this.#bucketOf(high) + 1] ?? 0;
    for (let at = from; at < to; at++) {
      const place = this.#places[at] ?? 0;
      const value = this.#values[place] ?? Number.NaN;
      if (low <= value && value <= high) use(place);
    }
  }
}
