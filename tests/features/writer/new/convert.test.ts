import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { memorySink, openRoot, type RootHandle, writeRoot } from '../../../../web/node';
import { run } from '../../../cli/support';
import { fixtureFolder, makeEngine } from '../../../engine/fixtures';
import { withReader } from '../../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-convert-'));
const out = join(folder, 'out.root');
const sample = join(import.meta.dirname, '../../../../public/sample.root');
const reader = withReader(makeEngine);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The entries of a tree as lines of JSON, without the names of its branches. */
async function entriesOf(file: RootHandle, path: string, entries?: [number, number]): Promise<unknown[][]> {
  const text = new TextDecoder();
  let lines = '';
  for await (const piece of (await file.tree(path)).export({ format: 'jsonl', entries }))
    lines += text.decode(piece, { stream: true });
  return lines
    .trim()
    .split('\n')
    .map((line) => Object.values(JSON.parse(line)));
}

describe('skim --to rntuple', () => {
  test('trees become RNTuples with the same values, beside all objects', async () => {
    const done = await run(reader, 'skim', sample, out, '--to', 'rntuple', '--verify', '--reproducible');
    expect([done.status, done.err]).toEqual([
      0,
      expect.stringMatching(/^written: .*out\.root, 6 keys, \d\d baskets/),
    ]);
    await using before = await openRoot(sample, { workers: 0 });
    await using after = await openRoot(out, { workers: 0 });
    expect(await entriesOf(after, 'Events')).toEqual(await entriesOf(before, 'Events'));
    const names = async (file: RootHandle) => (await file.keys()).map(({ path }) => path).sort();
    expect(await names(after)).toEqual(await names(before));
    const { kind, title } = (await after.tree('Events')).info;
    expect([kind, title]).toEqual(['RNTuple', 'Invented dimuon events']);
    for (const path of ['plots/ptByEta', 'about'])
      expect(await after.object(path)).toEqual(await before.object(path));
    const again = memorySink();
    await before.skim(again, { to: 'rntuple', reproducible: true, name: 'out.root', verify: false });
    expect(Buffer.compare(again.bytes(), readFileSync(out))).toBe(0);
  });

  test('chosen branches and entries, with a codec, and an RNTuple of an RNTuple', async () => {
    const choice = ['--tree', 'Events', '--branches', 'Muon_*,run', '--no-objects', '--entries', '100:160'];
    const first = join(folder, 'first.root');
    expect((await run(reader, 'skim', sample, first, '--to', 'rntuple', '--force', ...choice)).status).toBe(
      0,
    );
    const cut = ['--cut', 'run>0', '--codec', 'lz4:4', '--json'];
    const done = await run(reader, 'skim', first, out, '--to', 'rntuple', '--force', ...cut);
    expect(JSON.parse(done.out)).toMatchObject({ keys: 1, trees: 1, notes: [], lost: [] });
    await using before = await openRoot(first, { workers: 0 });
    await using after = await openRoot(out, { workers: 0 });
    const entries = await entriesOf(after, 'Events');
    expect(entries).toHaveLength(60);
    expect(entries).toEqual(await entriesOf(before, 'Events'));
    expect((await after.tree('Events')).info.branches.map(({ name }) => name)).toContain('Muon_tightId');
  });

  test('a tree of which no field can hold any branch is left out', async () => {
    const source = join(fixtureFolder, 'ntuple_fields.root');
    const choice = ['--to', 'rntuple', '--force', '--tree', 'n', '--branches', 'variant'];
    const done = await run(reader, 'skim', source, out, ...choice);
    expect([done.status, done.err]).toEqual([1, expect.stringMatching(/^lost: n;1: left out, because no /m)]);
    await using after = await openRoot(out, { workers: 0 });
    expect(await after.keys()).toEqual([]);
  });

  test('what no field can hold is left out with a line, and names change with a note', async () => {
    const source = join(fixtureFolder, 'ntuple_fields.root');
    const done = await run(reader, 'skim', source, out, '--to', 'rntuple', '--force');
    expect(done.status).toBe(1);
    expect(done.err).toMatch(/^lost: .*: branch \S+ is left out\. No field of an RNTuple can hold /m);
    const named = join(folder, 'named.root');
    const sink = memorySink();
    await writeRoot(sink, async (file) => {
      const tree = await file.tree('a folder/my tree.v1');
      await tree.append({ x: [1, 2] });
      const other = await file.tree('a folder/my_tree_v1');
      await other.append({ y: [3] });
    });
    writeFileSync(named, sink.bytes());
    const renamed = await run(reader, 'skim', named, out, '--to', 'rntuple', '--force');
    expect(renamed.status).toBe(0);
    expect(renamed.err).toContain('a folder/my tree.v1;1: its new path is a folder/my_tree_v1\n');
    expect(renamed.err).toContain('a folder/my_tree_v1;1: its new path is a folder/my_tree_v1_2\n');
    await using after = await openRoot(out, { workers: 0 });
    expect(await entriesOf(after, 'a folder/my_tree_v1')).toEqual([[1], [2]]);
    expect(await entriesOf(after, 'a folder/my_tree_v1_2')).toEqual([[3]]);
  });

  test('what cannot be done is refused, and nothing is written', async () => {
    const before = readdirSync(folder).length;
    const other = join(folder, 'other.root');
    const status = async (...args: string[]) => (await run(reader, 'skim', ...args)).status;
    expect(await status(sample, other, '--to', 'ttree')).toBe(2);
    expect(await status(sample, other, '--to', 'rntuple', '--dry-run')).toBe(2);
    expect(await status(sample, sample, other, '--to', 'rntuple')).toBe(2);
    expect(await status(sample, other, '--to', 'rntuple', '--tree', 'none')).toBe(1);
    expect(
      await status(sample, other, '--to', 'rntuple', '--cut', '1', '--tree', 'Events', '--branches', 'none'),
    ).toBe(1);
    expect(readdirSync(folder)).toHaveLength(before);
    await using file = await openRoot(sample, { workers: 0 });
    await expect(file.planSkim({ to: 'rntuple' })).rejects.toMatchObject({ code: 'ARGUMENT' });
  });
});
