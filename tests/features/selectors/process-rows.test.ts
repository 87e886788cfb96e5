import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { engineOf } from '../../../web/api/engine-api';
import type { ProcessResult } from '../../../web/api/selector';
import { checkedSelected } from '../../../web/features/selectors/threads/checked';
import { processedOf } from '../../../web/features/selectors/work/gathered';
import { isOf } from '../../../web/features/selectors/work/kinds/kinds';
import { processRows } from '../../../web/features/selectors/work/partial/process-rows';
import type { TableValues } from '../../../web/features/selectors/work/rows/types';
import { fileSink, openReader, writeRoot } from '../../../web/node';
import { boxOf as makeBox } from './selector-box';

const folder = mkdtempSync(join(tmpdir(), 'xylem-rows-'));
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const count = 0;
const boxOf = (text: string) => makeBox(text, folder);

const ALL = `export default {
  branches: { pt: 'Muon_pt', n: 'nMuon', sum: 'Sum$(Muon_pt)' },
  where: 'nMuon >= 2',
  begin: (job) => ({ pt: job.hist([20, 0, 100]), mean: job.profile([5, 0, 5]), events: job.counter(), by: job.labels(), rows: job.table({ n: 'whole', sum: 'number', text: 'text' }), list: [] }),
  process({ pt, n, sum }, out, task) {
    out.pt.fill(pt.values);
    out.mean.fill(n, sum);
    out.events.add(task.count);
    for (let i = 0; i < task.count; i++) {
      out.by.add('n' + n[i]);
      out.rows.row({ n: n[i], sum: sum[i], text: 'x' + n[i] });
      out.list.push(task.entries[i]);
    }
  },
  merge: (one, other) => ({ list: [...one.list, ...other.list] }),
};`;

test('rows that a reader gives make what process makes', async () => {
  const { box, module } = await boxOf(ALL);
  const reader = engineOf(await openReader({ workers: 0 }));
  try {
    const { id } = await reader.open({ kind: 'path', path: sample });
    let seen: (() => ProcessResult) | undefined;
    const entries: number[] = [];
    const made = await processRows(reader, { file: id, tree: 'Events' }, box, {
      onSum: (sum) => {
        seen = sum;
      },
      onProgress: ({ entriesDone }) => entries.push(entriesDone),
    });
    const expected = await reader.process(id, { tree: 'Events', module });
    const plain = (result: ProcessResult | undefined) => {
      const { rows, ...rest } = result?.state ?? {};
      if (!isOf('table', rows)) throw new Error('no table');
      const values = rows.parts
        .sort((a, b) => a.from - b.from)
        .flatMap(({ blocks }) => blocks as TableValues[][]);
      return [
        rest,
        values.map((lists) => lists.map((list) => [...list].map(String))).flat(0),
        result?.passed,
      ];
    };
    const joined = (result: ProcessResult | undefined) => {
      const [rest, values, passed] = plain(result) as [unknown, string[][][], number];
      const columns = [0, 1, 2].map((i) => values.flatMap((lists) => lists[i] ?? []));
      return [rest, columns, passed];
    };
    expect(joined(made)).toEqual(joined(expected));
    expect(joined(seen?.())).toEqual(joined(expected));
    expect(made.entries).toBe(2400);
    expect(entries.at(-1)).toBe(2400);
  } finally {
    reader.terminate();
  }
});

test('of a chain whose files differ, rows make what process makes, and only entries that were read count', async () => {
  const write = async (
    name: string,
    values: Record<string, Float64Array | Float64Array[]>,
  ): Promise<string> => {
    const path = join(folder, `${count}${name}`);
    await writeRoot(fileSink(path), async (file) => {
      const tree = await file.tree('t');
      await tree.append(values);
    });
    return path;
  };
  const some = Float64Array.of(1, 2, 3);
  const files = [
    await write('one.root', { x: some, v: [some, some, some] }),
    await write('two.root', { x: some, v: some }),
    await write('none.root', { x: some }),
  ];
  const { box, module } = await boxOf(`export default {
    branches: { x: 'x', v: 'v' },
    where: 'x > 1',
    begin: (job) => ({ by: job.labels(), sum: job.counter() }),
    process({ v }, { by, sum }, { file, tree, count }) {
      by.add([file.slice(-8), tree, v.offsets ? 'lists' : 'numbers'].join(' '), count);
      for (const one of v.offsets ? v.values : v) sum.add(one);
    },
  };`);
  const reader = engineOf(await openReader({ workers: 0 }));
  try {
    const { id } = await reader.open({
      kind: 'chain',
      files: files.map((path) => ({ source: { kind: 'path', path } })),
    });
    const expected = await reader.process(id, { tree: 't', module });
    const made = await processRows(reader, { file: id, tree: 't' }, box);
    expect(made).toEqual(expected);
    expect(made).toMatchObject({ entries: 6, passed: 4, partial: { failed: 1 } });
    const { by } = made.state;
    expect(isOf('labels', by) && [...by.sums.keys()]).toEqual([
      expect.stringMatching(/one.root t lists$/),
      expect.stringMatching(/two.root t numbers$/),
    ]);
  } finally {
    reader.terminate();
  }
});

test('of a chain, a file in which the code or its merge throws is left out, as process does', async () => {
  const write = async (name: string): Promise<string> => {
    const path = join(folder, `${count}${name}`);
    await writeRoot(fileSink(path), async (file) => {
      const tree = await file.tree('t', { clusterBytes: 100_000 });
      for (let part = 0; part < 4; part++)
        await tree.append({ n: Float64Array.from({ length: 40_000 }, (_, i) => part + Math.sin(i)) });
    });
    return path;
  };
  const names = ['a.root', 'b.root', 'c.root'];
  const files = await Promise.all(names.map(write));
  const reader = engineOf(await openReader({ workers: 0 }));
  try {
    const { id } = await reader.open({
      kind: 'chain',
      files: files.map((path) => ({ source: { kind: 'path', path } })),
    });
    for (const bad of [...names.slice(0, 2), 'merge', 'all']) {
      const { box, module } = await boxOf(`export default {
        branches: { n: 'n' },
        where: 'n > 0.5',
        begin: (job) => ({ n: job.hist([9, -1, 5]), rows: job.table({ n: 'number' }), list: [] }),
        process({ n }, out, { file, entries }) {
          if ((file.endsWith('${bad}') || '${bad}' === 'all') && entries[0] > 100000) throw new Error('not today');
          out.n.fill(n);
          out.rows.row({ n: n[0] });
          out.list.push([file.at(-6), entries[0]]);
        },
        merge(one, other) {
          if ('${bad}' === 'merge' && other.list[0]?.[0] === 'c') throw new Error('not c');
          return { list: [...one.list, ...other.list] };
        },
      };`);
      const both = [
        reader.process(id, { tree: 't', module }),
        processRows(reader, { file: id, tree: 't', isChain: true }, box),
      ].map((one) => one.then(simple, ({ message }) => String(message).replace(/entries \d+ to \d+/, '')));
      const [expected, made] = await Promise.all(both);
      expect(made).toEqual(expected);
      if (bad === 'all') expect(made).toContain('not today');
      else expect(made).toMatchObject({ entries: 320_000, failed: 1 });
    }
  } finally {
    reader.terminate();
  }
});

/** The figures of a result that do not depend on its division into parts. */
function simple({ state, partial, ...counts }: ProcessResult): object {
  const { n, list } = processedOf({ state, entries: counts.entries }) as Record<string, { sums?: object }>;
  const files = [...new Set(((list ?? []) as [string][]).map(([file]) => file))];
  return { ...counts, sums: n?.sums, files, failed: partial?.failed };
}

test('what was made before an error is kept', async () => {
  const path = join(folder, `long${count}.root`);
  await writeRoot(fileSink(path), async (file) => {
    const tree = await file.tree('t', { clusterBytes: 400_000 });
    for (let part = 0; part < 8; part++)
      await tree.append({ n: Float64Array.from({ length: 60_000 }, (_, i) => Math.sin(i * (part + 1))) });
  });
  const { box } = await boxOf(`export default {
    branches: { n: 'n' },
    begin: (job) => ({ n: job.hist([9, -1, 1]) }),
    process({ n }, out, task) {
      out.n.fill(n);
      if (task.entries[0] >= 360000) throw new Error('no more');
    },
  };`);
  const reader = engineOf(await openReader({ workers: 0 }));
  try {
    const { id } = await reader.open({ kind: 'path', path });
    let seen: (() => ProcessResult) | undefined;
    const run = processRows(reader, { file: id, tree: 't' }, box, {
      onSum: (sum) => {
        seen = sum;
      },
    });
    await expect(run).rejects.toThrow(/ failed at entries \d+ to \d+ of "t" in .*: Error: no more/);
    const kept = seen?.().state.n;
    const fills = isOf('histogram', kept) ? kept.fills : 0;
    expect(fills).toBeGreaterThanOrEqual(200_000);
    expect(fills).toBeLessThan(480_000);
  } finally {
    reader.terminate();
  }
});

test('an answer that no selector gives is refused', () => {
  const sums = { high: new Float64Array(1), low: new Float64Array(1), rest: new Map() };
  const good = { passed: 1, state: { n: { kind: 'counter', sum: sums } } };
  const place = { file: 'a.root', tree: 't' };
  expect(checkedSelected(good, place)).toEqual(good);
  const element = { constructor: undefined, type: 'script', props: {} };
  const histogramOf = (axis: object, count: number) => ({
    passed: 1,
    state: {
      n: {
        ...{ kind: 'histogram', title: '', axes: [{ title: '', ...axis }], profile: false, fills: 0, nan: 0 },
        ...{ min: [Number.NaN], max: [Number.NaN], entries: 0, integer: [false] },
        exact: { high: new Float64Array(count), low: new Float64Array(count), rest: new Map() },
      },
    },
  });
  const axis = { bins: 1, low: 0, high: 1 };
  expect(checkedSelected(histogramOf(axis, 15), place)).toEqual(histogramOf(axis, 15));
  // Looking through all of its places takes minutes.
  const empty: unknown[] = [];
  empty.length = 2 ** 32 - 1;
  const text = { columns: [{ name: 'a', type: 'text' }], parts: [{ from: 0, values: [empty] }] };
  const bad: unknown[] = [
    { ...good, state: { n: { kind: 'table', columns: empty, parts: [] } } },
    { ...good, state: { n: { kind: 'table', ...text } } },
    { ...good, state: { n: { kind: 'counter', sum: { ...sums, rest: new Map([[0, empty]]) } } } },
    histogramOf({ ...axis, bins: -1 }, 11),
    histogramOf({ ...axis, bins: 0.5 }, 14),
    histogramOf({ ...axis, low: Number.NaN }, 15),
    histogramOf({ ...axis, high: -1 }, 15),
    { ...good, passed: -1 },
    { ...good, passed: 0.5 },
    undefined,
    'text',
    { ...good, passed: element },
    { ...good, state: { n: element } },
    { ...good, state: { n: { kind: 'counter', sum: { ...sums, high: [1] } } } },
    { ...good, state: { n: { kind: 'labels', sums: new Map([[element, sums]]) } } },
    { ...good, state: { n: { kind: 'table', columns: [{ name: element, type: 'text' }], parts: [] } } },
    {
      ...good,
      state: {
        n: {
          kind: 'table',
          columns: [{ name: 'a', type: 'text' }],
          parts: [{ from: 0, values: [[element]] }],
        },
      },
    },
    {
      ...good,
      state: {
        n: {
          kind: 'histogram',
          title: element,
          axes: [],
          profile: false,
          fills: 0,
          nan: 0,
          min: [],
          max: [],
        },
      },
    },
  ];
  for (const one of bad) expect(() => checkedSelected(one, place)).toThrow('something else than its results');
});
