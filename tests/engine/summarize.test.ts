import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BranchSummary } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import type { EngineReader } from '../../web/api/reader';
import type { Column } from '../../web/core/columns';
import { addSummary, emptySummary, type Summary, sumOf } from '../../web/core/sums/summary';
import { openReader } from '../engine-reader';
import { bufferSpec, fixtureBytes, fixtureFolder, goldenNames, makeEngine, readGolden } from './fixtures';

/** All numbers of a column in order; those that are not there are left out. */
function numbersOf(column: Column, there: (row: number) => boolean = () => true): number[] {
  if (column.kind === 'primitive') {
    return Array.from(column.data as ArrayLike<number | bigint>, Number).filter((_, row) => there(row));
  }
  if (column.kind === 'struct') return column.children.flatMap((child) => numbersOf(child, there));
  if (column.kind === 'fixed') return numbersOf(column.child, (row) => there(Math.floor(row / column.size)));
  if (column.kind === 'optional') return numbersOf(column.child, (row) => column.validity[row] !== 0);
  return column.kind === 'list' ? numbersOf(column.child) : [];
}

/** The sum of what is finite with all its digits. */
function exactSum(numbers: number[]): number {
  let sum = 0;
  let carry = 0;
  for (const v of numbers) {
    const total = sum + v;
    carry += Math.abs(sum) >= Math.abs(v) ? sum - total + v : v - total + sum;
    sum = total;
  }
  return sum + carry;
}

let memory: EngineApi;
let disk: EngineReader;

beforeAll(async () => {
  memory = await makeEngine();
  disk = await openReader();
});

afterAll(() => disk.terminate());

/** Files whose bytes pass through this thread, and the same files read where they are decoded. */
const withTrees = goldenNames().filter((name) => Object.keys(readGolden(name).trees).length > 0);

describe.each(withTrees)('%s', (name) => {
  const golden = readGolden(name);
  let ids: [number, number];

  beforeAll(async () => {
    ids = [
      (await memory.open(bufferSpec(name, fixtureBytes(name)))).id,
      (await disk.open({ kind: 'path', path: resolve(fixtureFolder, `${name}.root`) })).id,
    ];
  });

  afterAll(async () => {
    await memory.close(ids[0]);
    await disk.close(ids[1]);
  });

  test.each(Object.keys(golden.trees))('%s', async (tree) => {
    const summaries = await memory.summarize(ids[0], { tree });
    expect(await disk.summarize(ids[1], { tree })).toEqual(summaries);
    const branches = summaries.map(({ branch }) => branch.index);
    const columns = await memory.arrays(ids[0], { tree, branches });
    const read = await disk.arrays(ids[1], { tree, branches });
    columns.forEach(({ column, error }, i) => {
      const summary = summaries[i] as BranchSummary;
      expect(summary.error).toEqual(error);
      expect(read[i]?.error).toEqual(error);
      if (!column) return;
      const all = numbersOf(column);
      const other = numbersOf(read[i]?.column as Column);
      expect(other.findIndex((v, k) => !Object.is(v, all[k]))).toBe(-1);
      expect(other.length).toBe(all.length);
      const finite = all.filter(Number.isFinite);
      expect(summary.entries).toBe(column.length);
      expect(summary.values + summary.nans).toBe(all.length);
      expect(summary.infinities).toBe(all.filter((v) => Math.abs(v) === Number.POSITIVE_INFINITY).length);
      const sum = exactSum(finite);
      const scale = exactSum(finite.map(Math.abs));
      if (Number.isFinite(scale)) expect(Math.abs(summary.sum - sum)).toBeLessThanOrEqual(1e-14 * scale);
      if (finite.length > 0) {
        expect([summary.min, summary.max]).toEqual([
          finite.reduce((a, b) => Math.min(a, b)),
          finite.reduce((a, b) => Math.max(a, b)),
        ]);
        expect(summary.integer).toBe(finite.every(Number.isInteger));
      }
    });
  });
});

test('what a sum loses to rounding in one part comes back with the others', () => {
  const part = (sum: number): Summary => ({ ...emptySummary(), values: 1, min: sum, max: sum, sum });
  const total = emptySummary();
  for (let i = 0; i < 1000; i++) for (const v of [1e16, 1, -1e16]) addSummary(total, part(v));
  expect(sumOf(total)).toBe(1000);
  expect(total.sum).not.toBe(1000);
});
