import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileSink, memorySink, mergeRoot, openRoot, type RootHandle, type Sink } from '../../web/node';
import { fixtureFolder } from '../engine/fixtures';

const folder = mkdtempSync(join(tmpdir(), 'xylem-library-write-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fixture = (name: string) => join(fixtureFolder, `${name}.root`);
const options = { workers: 0 };

/** The numbers of the first branch of a file's first tree. */
async function entriesOf(file: RootHandle): Promise<number[]> {
  const trees = (await file.keys()).filter(({ kind }) => kind === 'tree');
  return Promise.all(trees.map(async ({ path }) => (await file.tree(path)).info.entries));
}

/** A sink that says what is called. */
function toldSink(calls: string[], change: Partial<Sink> = {}): Sink {
  const { write, written } = memorySink();
  const tell = (name: string) => async () => void calls.push(name);
  return { write, written, close: tell('close'), abort: tell('abort'), ...change };
}

test('a file is healed, verified and saved', async () => {
  await using file = await openRoot(fixture('merged'), options);
  const path = join(folder, 'healed.root');
  const steps = new Set<string>();
  const written = await file.heal(fileSink(path), { onProgress: ({ label }) => void steps.add(label) });
  expect(written).toMatchObject({ bytes: readFileSync(path).length, trees: 1, notes: [] });
  expect([...steps]).toEqual(['Copying', 'Verifying']);
  await using healed = await file.open(path);
  expect(await entriesOf(healed)).toEqual(await entriesOf(file));
  const [before] = (await file.planHeal()).trees;
  const [after] = (await healed.planHeal()).trees;
  expect(before?.seeksBefore).toBeGreaterThan(1);
  expect(after?.seeksBefore).toBe(before?.seeksAfter);
  expect(after?.clustersClaimed).toBe(before?.clustersTrue);
  expect(readdirSync(folder)).toEqual(['healed.root']);
});

test('older cycles that healing leaves out are named, before and after', async () => {
  await using file = await openRoot(fixture('cycles'), options);
  const notes = ['3 older cycles are left out: t;1, h;2, h;1'];
  const link = { name: 'a link', latencyMs: 10, bytesPerMs: 1000 };
  const plan = await file.planHeal({ links: [link] });
  expect(plan.notes).toEqual(notes);
  expect(plan.read.links.map((cost) => cost.link)).toEqual(['a link']);
  expect(new Set(plan.trees.flatMap(({ costs }) => costs.map((cost) => cost.link)))).toEqual(
    new Set(['a link']),
  );
  expect((await file.heal(memorySink())).notes).toEqual(notes);
  expect((await file.heal(memorySink(), { level: 'clusters' })).notes).toEqual([]);
});

test('a part of a file is copied into memory', async () => {
  await using file = await openRoot(fixture('leaflists'), options);
  const [key] = (await file.keys()).filter(({ kind }) => kind === 'tree');
  const tree = await file.tree(key?.path ?? '');
  const chosen = tree.info.branches.find(({ parent }) => parent < 0)?.path ?? '';
  const sink = memorySink();
  const { notes } = await file.skim(sink, {
    selection: { branches: [chosen], trees: [key?.path ?? ''], objects: [] },
    name: 'part.root',
  });
  expect(notes).toHaveLength(1);
  await using part = await file.open(sink.bytes());
  const copied = await part.tree(key?.path ?? '');
  expect(copied.info.branches.map(({ path }) => path)).toContain(chosen);
  expect(copied.info.branches.length).toBeLessThan(tree.info.branches.length);
  expect(copied.info.entries).toBe(tree.info.entries);
});

test('what is left of a damaged file is saved, and the loss named', async () => {
  await using file = await openRoot(fixture('damaged/keys_lost'), options);
  expect(file.info.notes).toHaveLength(1);
  const path = join(folder, 'salvaged.root');
  const { lost, keys, bytes } = await file.salvage(fileSink(path));
  expect(lost[0]).toEqual({ path: '', why: file.info.notes[0] });
  expect(bytes).toBe(readFileSync(path).length);
  await using saved = await file.open(path);
  expect(saved.info.notes).toEqual([]);
  expect(await saved.keys()).toHaveLength(keys);
  expect(await entriesOf(saved)).toEqual([Math.max(...(await entriesOf(file)))]);
  rmSync(path);
});

test('files are merged, open ones and paths', async () => {
  await using first = await openRoot(fixture('leaflists'), options);
  const sink = memorySink();
  const { trees, leftOut } = await mergeRoot([first, fixture('leaflists')], sink, { name: 'two.root' });
  expect(leftOut).toEqual([]);
  expect(trees.map(({ entries }) => entries)).toEqual((await entriesOf(first)).map((count) => 2 * count));
  await using merged = await first.open(sink.bytes());
  expect(await entriesOf(merged)).toEqual(trees.map(({ entries }) => entries));
  await using other = await openRoot(fixture('leaflists'), { workers: 0, cache: true });
  await expect(mergeRoot([first, other], sink)).rejects.toMatchObject({ code: 'ARGUMENT' });
  expect(await entriesOf(first)).toHaveLength(trees.length);
});

test('a sink is closed when the file is whole, and aborted otherwise', async () => {
  await using file = await openRoot(fixture('leaflists'), options);
  const calls: string[] = [];
  await file.skim(toldSink(calls), { verify: true });
  expect(calls.splice(0)).toEqual(['close']);

  const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  await expect(file.heal(toldSink(calls, { write: full }))).rejects.toMatchObject({
    code: 'IO',
    message: expect.stringContaining('no space is left'),
  });
  await expect(file.salvage(toldSink(calls, { write: full }))).rejects.toMatchObject({ code: 'IO' });
  await expect(file.heal(toldSink(calls, { close: full }))).rejects.toMatchObject({ code: 'IO' });
  await expect(file.skim(toldSink(calls), { selection: { trees: ['none'] } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const blind = toldSink(calls, { written: undefined });
  await expect(file.heal(blind, { verify: true })).rejects.toMatchObject({ code: 'ARGUMENT' });
  expect(calls.splice(0)).toEqual(['abort', 'abort', 'abort', 'abort', 'abort']);

  // Another file is read back.
  const lying = toldSink(calls, { written: async () => ({ kind: 'path', path: fixture('merged') }) });
  await expect(file.heal(lying)).rejects.toMatchObject({ code: 'CHECKSUM' });
  expect(calls.splice(0)).toEqual(['abort']);
});

test('after an abort nothing is left, and the sink is left alone', async () => {
  await using file = await openRoot(fixture('merged'), options);
  const path = join(folder, 'aborted.root');
  const { write, ...sink } = fileSink(path);
  const ending = new AbortController();
  let names: string[] = [];
  const stopped = file.heal(
    {
      ...sink,
      async write(at, bytes) {
        await write(at, bytes);
        names = readdirSync(folder).filter((name) => name.includes('aborted'));
        ending.abort();
      },
    },
    { signal: ending.signal },
  );
  await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
  expect(names).toEqual([expect.stringMatching(/^\.aborted\.root\..*\.unfinished$/)]);
  expect(readdirSync(folder).filter((name) => name.includes('aborted'))).toEqual([]);
  await expect(file.heal(fileSink(join(folder, 'no/such/folder.root')))).rejects.toMatchObject({
    code: 'IO',
    where: { path: join(folder, 'no/such/folder.root') },
  });
});
