// Needs features: writer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Table } from '../../web/api/api';
import type { EngineReader } from '../../web/api/reader';
import type { ScanRow } from '../../web/node';
import { memorySink, openRoot, type RootHandle, writeRoot } from '../../web/node';
import { openReader } from '../engine-reader';

const ENTRIES = 200_000;
let reader: EngineReader;
let file: RootHandle;
/** The tables that `scan` asked for since the last test. */
let pages: Table[] = [];

/** Numbers that hardly compress. */
function noise(length: number, seed: number): Float64Array {
  let state = seed;
  return Float64Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
}

beforeAll(async () => {
  const own = await openReader({ workers: 0 });
  reader = {
    ...own,
    scan: async (...args) => {
      const page = await own.scan(...args);
      pages.push(page);
      return page;
    },
  };
  const sink = memorySink();
  await writeRoot(sink, async (out) => {
    const tree = await out.tree('t', { clusterBytes: 400_000 });
    const x = noise(ENTRIES, 1);
    const lists = Array.from({ length: ENTRIES }, (_, i) => Array.from({ length: i % 3 }, (_, k) => i + k));
    const tag = Array.from({ length: ENTRIES }, (_, i) => (i % 5 === 0 ? '' : `tag ${i}`));
    await tree.append({ x, y: noise(ENTRIES, 2), lists, tag });
    const same = await out.tree('same');
    await same.append({ one: new Float64Array(2_000_000).fill(1) });
    const odd = await out.tree('odd');
    await odd.append({ ['__proto__']: Int32Array.of(5), constructor: Int32Array.of(6) });
  });
  file = await openRoot(sink.bytes(), { reader });
});
afterAll(async () => {
  await file.close();
  reader.terminate();
});

async function rowsOf(tree: string, ...args: Parameters<Awaited<ReturnType<RootHandle['tree']>>['scan']>) {
  pages = [];
  const rows: ScanRow[] = [];
  for await (const row of (await file.tree(tree)).scan(...args)) rows.push(row);
  return rows;
}

test('the rows of a scan are the values of the columns', async () => {
  const rows = await rowsOf('t', 'x:lists:tag:x+y');
  const tree = await file.tree('t');
  type Row = { x: number; y: number; lists: number[]; tag: string };
  const { x, y, lists, tag } = await tree.arrays<Row>('x, y, lists, tag');
  expect(rows).toHaveLength(ENTRIES);
  let wrong = 0;
  for (const [i, row] of rows.entries()) {
    const list = row.lists as number[];
    const same = list.length === lists.at(i)?.length && list.every((value, k) => value === i + k);
    if (!same || row.x !== x.data[i] || row.tag !== tag.at(i)) wrong += 1;
    if (row['x+y'] !== Number(x.data[i]) + Number(y.data[i])) wrong += 1;
  }
  expect(wrong).toBe(0);
});

test('pages of a scan are bounded by bytes and end where baskets end, so that none is decoded twice', async () => {
  expect(await rowsOf('t', 'x:y')).toHaveLength(ENTRIES);
  expect(pages.length).toBeLessThan(12);
  const layout = await reader.layout(file.info.id, 't');
  const borders = new Set(layout.firstEntry);
  const ends = pages.flatMap(({ next }) => next ?? []);
  expect(ends.length).toBeGreaterThan(2);
  expect(ends.filter((end) => !borders.has(end))).toEqual([]);
});

test('a page of values that compress well holds some of the entries of a basket', async () => {
  let rows = 0;
  let sum = 0;
  pages = [];
  for await (const { one } of (await file.tree('same')).scan('one')) {
    rows += 1;
    sum += Number(one);
  }
  expect([rows, sum]).toEqual([2_000_000, 2_000_000]);
  expect(Math.max(...pages.map(({ entries }) => entries.length))).toBeLessThan(1_100_000);
});

test('a scan with a cut goes on over entries that do not pass, and no further than its limit', async () => {
  const few = await rowsOf('t', 'Entry$', { cut: 'Entry$%50000==49999' });
  expect(few.map((row) => row.Entry$)).toEqual([49_999, 99_999, 149_999, 199_999]);
  const some = await rowsOf('t', 'Entry$', { cut: 'x>0.5', limit: 3 });
  expect(some).toHaveLength(3);
  expect(pages).toHaveLength(1);
  expect(await rowsOf('t', 'Entry$', { limit: 2, entries: [150_000, ENTRIES] })).toEqual([
    { Entry$: 150_000 },
    { Entry$: 150_001 },
  ]);
});

test('a scan by instance has all rows of all entries', async () => {
  const rows = await rowsOf('t', 'lists', { by: 'instance' });
  // Entries without values have a row without one.
  expect(rows.filter(({ lists }) => lists === null)).toHaveLength(Math.ceil(ENTRIES / 3));
  expect(rows).toHaveLength(Math.ceil(ENTRIES / 3) + 199_999);
  expect(await rowsOf('t', 'lists', { by: 'instance', limit: 5 })).toHaveLength(5);
});

test('a column may have a name that objects have', async () => {
  const [row] = await rowsOf('odd', '__proto__:constructor');
  expect(Object.entries(row ?? {})).toEqual([
    ['__proto__', 5],
    ['constructor', 6],
  ]);
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
});
