import { expect } from 'vitest';
import type { Histogram, PlainObject } from '../../web/api/api';
import type { ByRoot } from './recorded';

/** Numbers that are the same but for the order of additions; a TH1F keeps 24 bits. */
export function near(found: number | undefined, wanted: number, what: string, size = Math.abs(wanted)): void {
  if (Number.isNaN(wanted)) expect(found, what).toBeNaN();
  else
    expect(Math.abs((found ?? Number.NaN) - wanted), `${what}: ${found} for ${wanted}`).toBeLessThanOrEqual(
      1e-9 * Math.max(1, size),
    );
}

const content = (one: Histogram, cell: number): number => (one.means ?? one.sums)[cell] ?? 0;
const error = ({ errors, squares }: Histogram, cell: number): number =>
  errors?.[cell] ?? Math.sqrt(squares[cell] ?? 0);

/** Compares bins, errors and edges, the numbers of fills and the statistics with those of ROOT. */
export function expectSame(found: Histogram, wanted: ByRoot): void {
  expect(found.sums).toHaveLength(wanted.cells);
  expect(found.axes.map(({ bins }) => bins)).toEqual(wanted.edges.map(({ length }) => length - 1));
  for (const [i, edges] of wanted.edges.entries()) {
    const { low, high, bins, edges: own } = found.axes[i] ?? { low: 0, high: 0, bins: 0 };
    for (const [k, edge] of edges.entries())
      near(own?.[k] ?? low + (k * (high - low)) / bins, edge, `edge ${k} of axis ${i}`);
  }
  const filled = new Map(wanted.filled.map(([cell, ...rest]) => [cell, rest]));
  for (let cell = 0; cell < wanted.cells; cell++) {
    const [value = 0, spread = 0, weight = 0] = filled.get(cell) ?? [];
    near(content(found, cell), value, `content of cell ${cell}`);
    // The spread of one value is what rounding leaves of the difference of two squares.
    near(error(found, cell), spread, `error of cell ${cell}`, found.profile ? 1e3 : undefined);
    if (found.weights) near(found.weights[cell], weight, `weight of cell ${cell}`);
  }
  near(found.fills, wanted.entries, 'entries');
  expectMoments(found, wanted);
}

export function expectMoments(found: Pick<Histogram, 'mean' | 'stdDev' | 'effective'>, wanted: ByRoot): void {
  for (const [i, mean] of wanted.means.entries()) near(found.mean[i], mean ?? Number.NaN, `mean ${i}`);
  for (const [i, spread] of wanted.deviations.entries())
    if (spread !== null) near(found.stdDev[i], spread, `deviation ${i}`);
  if (wanted.effective !== null) near(found.effective, wanted.effective, 'effective entries');
}

export function isInside(cell: number, edges: readonly number[][]): boolean {
  let rest = cell;
  return edges.every(({ length }) => {
    const bin = rest % (length + 1);
    rest = Math.floor(rest / (length + 1));
    return bin >= 1 && bin < length;
  });
}

/** An object as JSON, with its lists of numbers as arrays. */
export function members(json: string): PlainObject {
  const typed = (_name: string, value: unknown): unknown =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number')
      ? Float64Array.from(value)
      : value;
  return JSON.parse(json, typed) as PlainObject;
}
