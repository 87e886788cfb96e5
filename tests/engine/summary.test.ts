import { describe, expect, test } from 'vitest';
import type { BranchSummary, FileSource } from '../../web/api/api';
import type { Column } from '../../web/core/columns';
import { decodeText } from '../../web/core/tape';
import { bufferSpec, fixtureBytes, goldenNames, makeEngine, readGolden } from './fixtures';

type Leaf = Column & { kind: 'primitive' | 'string' };

/** The numbers or texts at the bottom of lists and arrays. */
function leafOf(column: Column): Leaf | undefined {
  if (column.kind === 'list' || column.kind === 'fixed') return leafOf(column.child);
  return column.kind === 'primitive' || column.kind === 'string' ? column : undefined;
}

function texts({ length, offsets, bytes }: Column & { kind: 'string' }): string[] {
  return Array.from({ length }, (_, i) => decodeText(bytes.subarray(offsets[i], offsets[i + 1])));
}

const names = goldenNames().filter(
  (name) => !name.startsWith('multiblock') && Object.keys(readGolden(name).trees).length > 0,
);

describe.each(names)('%s', (name) => {
  test.each(Object.keys(readGolden(name).trees))('%s: as counted one by one', async (path) => {
    const reader = await makeEngine();
    const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
    const tree = await reader.tree(id, path).catch(() => undefined);
    if (!tree) return;
    const branches = tree.branches.filter(({ kind }) => kind !== 'group').map(({ index }) => index);
    const read = await reader.arrays(id, { tree: path, branches });
    const summaries = await reader.summarize(id, { tree: path, branches, details: true });
    for (const [i, summary] of summaries.entries()) {
      const column = read[i]?.column;
      const leaf = column && leafOf(column);
      if (column === undefined || (leaf === undefined && column.length > 0)) {
        if (column?.length !== 0) expect(summary.error, summary.branch.path).toBeDefined();
      } else if (leaf && column.length > 0) {
        compare(summary, leaf, column.length);
      }
    }
    await reader.close(id);
  });
});

function compare(summary: BranchSummary, leaf: Leaf, rows: number): void {
  const about = summary.branch.path;
  expect(summary.error, about).toBeUndefined();
  expect(summary.entries, about).toBe(rows);
  if (leaf.kind === 'string') {
    const all = texts(leaf);
    const zeros = all.filter((text) => text === '').length;
    const details = { zeros, distinct: new Set(all).size, distinctExact: true };
    expect(summary, about).toMatchObject({ values: all.length, ...(all.length > 0 && { details }) });
    return;
  }
  const exact = Array.from(leaf.data as ArrayLike<number | bigint>, (value) => (value === 0 ? 0 : value));
  const all = exact.map(Number);
  const finite = all.filter(Number.isFinite);
  const nans = all.filter(Number.isNaN).length;
  const details = {
    zeros: all.filter((value) => value === 0).length,
    distinctExact: true,
    distinct: new Set(exact).size,
    constant: new Set(exact).size === 1,
  };
  expect(summary, about).toMatchObject({
    values: all.length - nans,
    nans,
    infinities: all.filter((value) => Math.abs(value) === Number.POSITIVE_INFINITY).length,
    ...(all.length > 0 && { details }),
  });
  if (finite.length === 0) return;
  const mean = finite.reduce((sum, value) => sum + value / finite.length, 0);
  const variance = finite.reduce((sum, value) => sum + (value - mean) ** 2 / finite.length, 0);
  const size = Math.max(...finite.map(Math.abs));
  expect(summary.min, about).toBe(Math.min(...finite));
  expect(summary.max, about).toBe(Math.max(...finite));
  if (size > 1e100) return;
  expect(Math.abs((summary.mean ?? 0) - mean), about).toBeLessThanOrEqual(1e-11 * size);
  expect(Math.abs((summary.stdDev ?? 0) - Math.sqrt(variance)), about).toBeLessThanOrEqual(1e-7 * size);
}

test('equal branches are found, also where baskets and files cut them otherwise', async () => {
  const reader = await makeEngine();
  const source = (name: string): FileSource => bufferSpec(name, fixtureBytes(name)) as FileSource;
  const files = ['codec_zlib', 'codec_lz4'].map((name) => ({ source: source(name) }));
  const { id } = await reader.open({ kind: 'chain', files });
  const branches = ['n', 'jagged', 'noise', 'n', 'jagged'];
  const [n, jagged, noise, again, jaggedAgain] = await reader.summarize(id, {
    tree: 't',
    branches,
    details: true,
  });
  expect(again?.details?.duplicateOf).toBe('n');
  expect(jaggedAgain?.details?.duplicateOf).toBe('jagged');
  for (const one of [n, jagged, noise]) expect(one?.details?.duplicateOf).toBeUndefined();
  expect(n).toMatchObject({ entries: 600, values: 600 });
  // A summary of a range of entries counts only these.
  const [part] = await reader.summarize(id, { tree: 't', branches: ['n'], entries: [0, 300], details: true });
  expect(part).toMatchObject({ entries: 300, values: 300 });
});
