/** A summary of numbers. The moments are those of the finite ones. */
export interface Summary {
  /** Number of finite values. */
  values: number;
  nans: number;
  min: number;
  max: number;
  sum: number;
  /** Sum of squared deviations from the mean. */
  deviation: number;
  integers: boolean;
  infinities: number;
  /** Rounding error of `sum`: see `sumOf`. */
  carry: number;
}

/** Number of doubles of a summary in the core's memory. */
export const SUMMARY_DOUBLES = 9;

/** Reads the summary at index `at` of an array from the core. */
export function toSummary(d: Float64Array, at = 0): Summary {
  return {
    values: d[at] ?? 0,
    nans: d[at + 1] ?? 0,
    min: d[at + 2] ?? 0,
    max: d[at + 3] ?? 0,
    sum: d[at + 4] ?? 0,
    deviation: d[at + 5] ?? 0,
    integers: d[at + 6] !== 0,
    infinities: d[at + 7] ?? 0,
    carry: d[at + 8] ?? 0,
  };
}

export function emptySummary(): Summary {
  return {
    values: 0,
    nans: 0,
    min: 0,
    max: 0,
    sum: 0,
    deviation: 0,
    integers: true,
    infinities: 0,
    carry: 0,
  };
}

/** Returns the sum with its rounding error added. */
export function sumOf(summary: Summary): number {
  return summary.sum + summary.carry;
}

/** Adds `b` to `a`, as if all numbers had been in one run. Changes `a`. */
export function addSummary(a: Summary, b: Summary): void {
  a.nans += b.nans;
  a.infinities += b.infinities;
  if (b.values === 0) return;
  if (a.values === 0) {
    const { nans, infinities } = a;
    Object.assign(a, b, { nans, infinities });
    return;
  }
  const values = a.values + b.values;
  const delta = sumOf(b) / b.values - sumOf(a) / a.values;
  a.deviation += b.deviation + delta * delta * ((a.values * b.values) / values);
  // Neumaier summation: the carry is the rounding error of the total.
  const total = a.sum + b.sum;
  if (Number.isFinite(total)) {
    a.carry += Math.abs(a.sum) >= Math.abs(b.sum) ? a.sum - total + b.sum : b.sum - total + a.sum;
  }
  a.carry += b.carry;
  a.sum = total;
  a.values = values;
  a.min = Math.min(a.min, b.min);
  a.max = Math.max(a.max, b.max);
  a.integers &&= b.integers;
}
