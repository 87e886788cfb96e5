import { beforeAll, describe, expect, test } from 'vitest';
import type {
  DrawRequest,
  EntryNumbers,
  EntrySelection,
  FileId,
  FileSource,
  Histogram,
  Table,
} from '../../web/api/api';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';
import { withReader } from '../engine-reader';

const names = ['codec_zlib', 'codec_lz4', 'codec_zstd'];
const part = (name: string) => ({ source: bufferSpec(name, fixtureBytes(name)) as FileSource });
const broken = { source: { kind: 'buffer' as const, name: 'broken.root', buffer: new ArrayBuffer(500) } };
const reader = withReader(makeEngine);
let chain: FileId;
let single: FileId[];

beforeAll(async () => {
  chain = (await reader.open({ kind: 'chain', files: names.map(part) })).id;
  single = await Promise.all(
    names.map(async (name) => (await reader.open(bufferSpec(name, fixtureBytes(name)))).id),
  );
});

const draw = async (id: FileId, request: Omit<DrawRequest, 'tree'>) =>
  (await reader.draw(id, { tree: 't', ...request })) as Histogram;

/** All values of an expression, entry by entry. */
async function values(id: FileId, columns: string, entries?: EntrySelection): Promise<Table> {
  return reader.scan(id, { tree: 't', columns, entries, limit: 1e6 });
}

describe('a chain', () => {
  const fixed = { axes: [{ bins: 7, range: [-3, 60.5] as [number, number] }] };

  test.each([
    ['jagged', undefined],
    ['noise*2', 'n>1'],
    ['jagged', 'noise*(jagged>0)'],
  ])('is drawn as the sum of its files: %s {%s}', async (expr, cut) => {
    const whole = await draw(chain, { expr, cut, ...fixed });
    const parts = await Promise.all(single.map((id) => draw(id, { expr, cut, ...fixed })));
    expect(whole.entries).toBe(900);
    expect(whole.fills).toBe(parts.reduce((sum, { fills }) => sum + fills, 0));
    whole.sums.forEach((sum, i) => {
      expect(sum).toBeCloseTo(
        parts.reduce((all, { sums }) => all + (sums[i] ?? 0), 0),
        9,
      );
    });
    const weighted = parts.reduce((sum, { mean, weight }) => sum + (mean[0] || 0) * weight, 0);
    expect((whole.mean[0] ?? 0) * whole.weight).toBeCloseTo(weighted, 6);
  });

  test('has one automatic range', async () => {
    const whole = await draw(chain, { expr: 'noise+1000*Entry$' });
    const { values: rows } = await values(chain, 'noise+1000*Entry$');
    const all = (rows[0] ?? []) as number[];
    expect(whole.fills).toBe(900);
    expect(whole.axes[0]?.low).toBeLessThanOrEqual(Math.min(...all));
    expect(whole.axes[0]?.high).toBeGreaterThan(Math.max(...all));
    expect(whole.sums[0]).toBe(0);
    expect(whole.sums.at(-1)).toBe(0);
  });

  test('numbers its entries over all files', async () => {
    const table = await values(chain, 'Entry$:LocalEntry$:Entries$:LocalEntries$:noise');
    expect([...table.entries]).toEqual(Array.from({ length: 900 }, (_, i) => i));
    expect(table.values[0]).toEqual([...table.entries]);
    expect(table.values[1]).toEqual([...table.entries].map((entry) => entry % 300));
    expect(new Set(table.values[2])).toEqual(new Set([900]));
    expect(new Set(table.values[3])).toEqual(new Set([300]));
    const noise = await Promise.all(single.map((id) => values(id, 'noise')));
    expect(table.values[4]).toEqual(noise.flatMap((one) => one.values[0] ?? []));
  });

  test('is paged across the border of files', async () => {
    const all = await values(chain, 'noise:jagged');
    const rows: unknown[] = [];
    let next: number | undefined = 0;
    for (let step = 0; next !== undefined && step < 20; step++) {
      const entries: EntrySelection = [next, 900];
      const page: Table = await reader.scan(chain, {
        tree: 't',
        columns: 'noise:jagged',
        entries,
        limit: 77,
      });
      rows.push(...(page.values[1] ?? []));
      next = page.next;
    }
    expect(rows).toEqual(all.values[1]);
  });

  test('a file that cannot be opened is named, and the result is partial', async () => {
    const { id } = await reader.open({
      kind: 'chain',
      files: [part('codec_zlib'), broken, part('codec_lz4')],
    });
    const got = await draw(id, { expr: 'noise', ...fixed });
    expect(got.entries).toBe(600);
    expect(got.partial?.errors[0]?.message).toContain('broken.root');
  });

  test('a file without a branch is named, and the others are drawn', async () => {
    const { id } = await reader.open({ kind: 'chain', files: [part('codec_zlib'), part('vectors')] });
    for (const axes of [fixed.axes, undefined]) {
      const got = await draw(id, { expr: 'noise', axes });
      expect(got.fills).toBe(300);
      expect(got.partial?.failed).toBe(1);
      expect(got.partial?.errors[0]?.message).toContain('noise');
    }
  });
});

describe('entries that are chosen', () => {
  const selections: [string, EntrySelection][] = [
    [
      'ranges',
      [
        [3, 8],
        [120, 121],
        [290, 640],
        [899, 900],
      ],
    ],
    ['a list', Float64Array.of(0, 1, 5, 299, 300, 301, 555, 899)],
    ['a sample', { fraction: 0.07, seed: 3, within: [20, 800] }],
    ['all of a sample', { fraction: 1 }],
  ];

  test.each(selections)('%s: the rows of the whole table', async (_name, entries) => {
    const columns = 'Entry$:noise:jagged:Sum$(jagged)';
    const all = await values(chain, columns);
    const some = await values(chain, columns, entries);
    expect(some.entries.length).toBeGreaterThan(3);
    some.values.forEach((column, c) => {
      expect(column).toEqual([...some.entries].map((entry) => all.values[c]?.[entry]));
    });
    const read = await reader.arrays(chain, { tree: 't', branches: ['noise'], entries });
    expect(read[0]?.column?.length).toBe(some.entries.length);
    const first = await reader.scan(chain, { tree: 't', columns, entries, limit: 3 });
    expect([...first.entries]).toEqual([...some.entries.slice(0, 3)]);
    expect(first.next).toBe(some.entries[3]);
  });

  test.each(selections)('%s: fills with a cut, both passes', async (_name, entries) => {
    const cut = 'noise>0&&jagged>-1e9';
    const got = await draw(chain, { expr: 'jagged', cut, entries });
    const table = await values(chain, 'noise:jagged', entries);
    const passing = table.entries.length;
    expect(got.entries).toBe(passing);
    const rows = [...table.entries.keys()].filter((row) => (table.values[0]?.[row] as number) > 0);
    const lists = (table.values[1] ?? []) as number[][];
    const fills = rows.reduce((sum, row) => sum + (lists[row]?.length ?? 0), 0);
    expect(got.fills).toBe(fills);
    expect(got.weight).toBe(fills);
  });

  test('what ">>elist" lists selects the same again', async () => {
    const cut = 'noise>0.2&&n>1';
    const list = (await reader.draw(chain, { tree: 't', expr: '>>elist', cut })) as EntryNumbers;
    expect(list.numbers.length).toBeGreaterThan(10);
    const axes = [{ bins: 10, range: [-100, 100] as [number, number] }];
    const direct = await draw(chain, { expr: 'jagged', cut, axes });
    const again = await draw(chain, { expr: 'jagged', entries: list.numbers, axes });
    expect(again.sums).toEqual(direct.sums);
    expect(again.entries).toBe(list.numbers.length);
    const within = (await reader.draw(chain, {
      tree: 't',
      expr: '>>elist',
      cut: 'n>2',
      entries: list.numbers,
    })) as EntryNumbers;
    const both = (await reader.draw(chain, { tree: 't', expr: '>>e', cut: `${cut}&&n>2` })) as EntryNumbers;
    expect(within.numbers).toEqual(both.numbers);
  });

  test('that are no selection are refused', async () => {
    for (const entries of [Float64Array.of(3, 1), [[5, 3]] as [number, number][], { fraction: 2 }]) {
      await expect(draw(chain, { expr: 'noise', entries })).rejects.toMatchObject({ code: 'ARGUMENT' });
    }
  });
});
