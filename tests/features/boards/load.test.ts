import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BoardProgress,
  brushBoard,
  extendBoard,
  openBoard,
} from '../../../web/features/boards/work/insight';
import { loadBoard } from '../../../web/features/boards/work/load';
import { withReader } from '../../engine-reader';

const root = resolve(import.meta.dirname, '../../..');
const sample = join(root, 'public/sample.root');
const friends = join(root, 'tests/query/files');
const reader = withReader();
const host = { reader, layoutOf: (file: number, tree: string) => reader.layout(file, tree) };
let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-boards-'));
  for (let i = 0; i < 20; i++) copyFileSync(sample, at(`${i}.root`));
  writeFileSync(at('broken.root'), readFileSync(sample).subarray(0, 300));
});
afterAll(() => rmSync(folder, { recursive: true }));

const chain = async (...names: string[]) => {
  const files = names.map((name) => ({ source: { kind: 'path' as const, path: at(name) } }));
  return (await reader.open({ kind: 'chain', files })).id;
};
const PLOTS = [{ expr: 'MET_pt', axes: [{ bins: 10, low: 0, high: 100 }] }, { expr: 'Jet_pt' }];

test('a list of files is one tree, and a file that cannot be opened is named and in no count', async () => {
  const whole = await loadBoard(reader, await chain('0.root', '1.root', '2.root'), {
    tree: 'Events',
    plots: PLOTS,
  });
  expect(whole.board.entries).toBe(7200);
  expect(whole.partial).toBeUndefined();
  const { board, partial } = await loadBoard(reader, await chain('0.root', 'broken.root', '2.root'), {
    tree: 'Events',
    plots: PLOTS,
  });
  expect(board.entries).toBe(4800);
  expect(partial).toMatchObject({ failed: 1 });
  expect(JSON.stringify(partial?.errors[0])).toContain('broken.root');
  const [one, three] = [board.state().plots[0], whole.board.state().plots[0]];
  expect(one?.sums.map((sum) => 1.5 * sum)).toEqual(three?.sums);
});

test('values of friends', async () => {
  const open = async (name: string) =>
    (await reader.open({ kind: 'path', path: join(friends, `${name}.root`) })).id;
  const own = await open('friends_index');
  const request = { tree: 'indexed', friends: [{ file: await open('friends'), tree: 't' }] };
  const { board } = await loadBoard(reader, own, { ...request, plots: [{ expr: 't.x' }] });
  const drawn = await reader.draw(own, { ...request, expr: 't.x' });
  if (drawn.kind !== 'histogram') throw new Error(drawn.kind);
  expect([...(board.state().plots[0]?.sums ?? [])]).toEqual([...drawn.sums]);
  expect(board.state().plots[0]?.fills).toBe(drawn.fills);
  expect(drawn.fills).toBeLessThan(board.entries);
});

test('what takes too much memory is a sample, whose counts are those of the entries that it names', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `${i}.root`);
  const file = await chain(...names);
  const request = { tree: 'Events', plots: PLOTS, maxBytes: 400_000 };
  const { board, sampled, spans } = await loadBoard(reader, file, request);
  if (!sampled) throw new Error('there is no sample');
  expect(sampled.of).toBe(48_000);
  expect(sampled.count).toBe(board.entries);
  expect(board.entries).toBeGreaterThan(10_000);
  expect(board.entries).toBeLessThan(40_000);
  const entries = sampled.ranges.map(([from, to]): [number, number] => [from, to]);
  expect(entries.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(board.entries);
  // They lie in all parts of the tree.
  expect(entries.length).toBeGreaterThan(4);
  expect(entries.at(-1)?.[0]).toBeGreaterThan(36_000);
  const drawn = await reader.draw(file, {
    tree: 'Events',
    expr: 'MET_pt',
    axes: PLOTS[0]?.axes?.map(({ bins, low, high }) => ({ bins, range: [low, high] })),
    entries,
  });
  if (drawn.kind !== 'histogram') throw new Error(drawn.kind);
  expect([...(board.state().plots[0]?.sums ?? [])]).toEqual([...drawn.sums]);
  // A column that is read later has the same entries.
  const opened = await openBoard(host, file, request);
  await extendBoard(host, opened.id, ['nMuon==2']);
  const { state } = await brushBoard(host, opened.id, [
    { name: 'two', conditions: [{ column: 2, holds: true }] },
  ]);
  const counted = await reader.scan(file, {
    tree: 'Events',
    columns: '1',
    cut: 'nMuon==2',
    entries,
    count: true,
  });
  expect(state.selected).toBe(counted.counted?.entries);
  expect(spans.length).toBeGreaterThan(2);
});

test('boards of the entries so far come while the first pass runs, and it can be cancelled', async () => {
  const file = await chain(
    ...Array.from({ length: 20 }, (_, i) => `${i}.root`),
    ...Array.from({ length: 20 }, (_, i) => `${i}.root`),
  );
  const control = new AbortController();
  const soFar: number[] = [];
  const whole = await openBoard(
    host,
    file,
    { tree: 'Events', plots: PLOTS, maxBytes: 8_000_000 },
    {
      onProgress: ({ board }: BoardProgress) => {
        if (!board) return;
        soFar.push(board.entries);
        expect(board.left).toBe(96_000 - board.entries);
        expect(board.state.plots[0]?.fills).toBe(board.entries);
      },
    },
  );
  expect(whole.entries).toBe(96_000);
  expect(whole.left).toBeUndefined();
  expect(soFar.length).toBeGreaterThan(0);
  const cancelled = openBoard(
    host,
    file,
    { tree: 'Events', plots: PLOTS, maxBytes: 8_000_000 },
    {
      signal: control.signal,
      onProgress: () => control.abort(),
    },
  );
  await expect(cancelled).rejects.toMatchObject({ code: 'ABORTED' });
});
