import type { CpuCosts, CpuCounts } from './cpu-counts';

/** A reading that was measured: what it does, and the CPU time that it took. */
export interface MeasuredReading {
  counts: CpuCounts;
  ms: number;
}

/**
 * Returns the costs, none below 0, by which the CPU times of measured readings are predicted best: the sum of the squares of
 * relative errors is the smallest one. Costs of things that no reading does are not there.
 */
export function fitCosts(readings: readonly MeasuredReading[]): CpuCosts {
  const names = [...new Set(readings.flatMap(({ counts }) => [...counts.keys()]))];
  // A ns of each cost adds this to a predicted time, relative to the measured one; scaled to length 1.
  const columns = names.map((name) => readings.map(({ counts, ms }) => (counts.get(name) ?? 0) / (1e6 * ms)));
  const lengths = columns.map((column) => Math.hypot(...column) || 1);
  const scaled = columns.map((column, at) => column.map((value) => value / (lengths[at] ?? 1)));
  const found = leastSquares(
    scaled,
    readings.map(() => 1),
  );
  return Object.fromEntries(names.map((name, at) => [name, (found[at] ?? 0) / (lengths[at] ?? 1)]));
}

/** Below this a slope counts as 0. */
const TINY = 1e-10;

/**
 * Returns the factors, none below 0, by which the sum of columns is nearest to a target: the algorithm of Lawson and Hanson,
 * "Solving Least Squares Problems" (1974), chapter 23.
 */
export function leastSquares(columns: readonly (readonly number[])[], target: readonly number[]): number[] {
  const products = columns.map((one) => columns.map((other) => dot(one, other)));
  const wanted = columns.map((one) => dot(one, target));
  const factors = columns.map(() => 0);
  const free: number[] = [];
  for (let round = 0; round < 3 * columns.length; round++) {
    const slopes = wanted.map((value, at) => value - dot(products[at] ?? [], factors));
    let best = -1;
    for (const [at, slope] of slopes.entries())
      if (!free.includes(at) && slope > Math.max(TINY, slopes[best] ?? 0)) best = at;
    if (best < 0) break;
    free.push(best);
    for (;;) {
      const next = solve(
        free.map((row) => free.map((column) => products[row]?.[column] ?? 0)),
        free.map((row) => wanted[row] ?? 0),
      );
      if (next.every((value) => value > 0)) {
        for (const [at, index] of free.entries()) factors[index] = next[at] ?? 0;
        break;
      }
      // Goes as far as no factor gets below 0, and holds those at 0 that get there first.
      let step = 1;
      for (const [at, index] of free.entries()) {
        const [from = 0, to = 0] = [factors[index], next[at]];
        if (to <= 0) step = Math.min(step, from / (from - to || 1));
      }
      for (const [at, index] of free.entries())
        factors[index] = (factors[index] ?? 0) + step * ((next[at] ?? 0) - (factors[index] ?? 0));
      for (let at = free.length - 1; at >= 0; at--) {
        const index = free[at] ?? 0;
        if ((factors[index] ?? 0) > TINY) continue;
        factors[index] = 0;
        free.splice(at, 1);
      }
      if (free.length === 0) break;
    }
  }
  return factors;
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Solves linear equations by elimination. A small number on the diagonal keeps columns that depend on each other apart. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [
    ...row.map((value, column) => (column === at ? value + 1e-12 : value)),
    right[at] ?? 0,
  ]);
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    let pivot = at;
    for (let row = at + 1; row < size; row++)
      if (Math.abs(rows[row]?.[at] ?? 0) > Math.abs(rows[pivot]?.[at] ?? 0)) pivot = row;
    [rows[at], rows[pivot]] = [rows[pivot] ?? [], rows[at] ?? []];
    const own = rows[at] ?? [];
    for (let row = at + 1; row < size; row++) {
      const other = rows[row] ?? [];
      const factor = (other[at] ?? 0) / (own[at] || 1e-300);
      for (let column = at; column <= size; column++)
        other[column] = (other[column] ?? 0) - factor * (own[column] ?? 0);
    }
  }
  const found = new Array<number>(size).fill(0);
  for (let at = size - 1; at >= 0; at--) {
    const own = rows[at] ?? [];
    let sum = own[size] ?? 0;
    for (let column = at + 1; column < size; column++) sum -= (own[column] ?? 0) * (found[column] ?? 0);
    found[at] = sum / (own[at] || 1e-300);
  }
  return found;
}
