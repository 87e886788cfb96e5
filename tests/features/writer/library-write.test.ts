import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileSink, memorySink, mergeRoot, openRoot, type RootHandle, type Sink } from '../../../web/node';
import { fixtureFolder } from '../../engine/fixtures';

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

test('a part of several files is planned and merged, entries counted over all of them', async () => {
  await using file = await openRoot(fixture('clusters'), options);
  const { writer } = file.reader;
  const inputs = [1, 2].map((i) => ({
    name: `${i}.root`,
    source: { kind: 'path', path: fixture('clusters') } as const,
  }));
  const [all = 0] = await entriesOf(file);
  const [tree = ''] = (await file.keys()).filter(({ kind }) => kind === 'tree').map(({ path }) => path);
  const choice = { selection: { trees: [tree] }, entries: [all - 2, all + 3] as [number, number] };
  const plan = await writer.planMerge(inputs, { choice });
  const sink = memorySink();
  const merged = await writer.merge(inputs, sink, { choice, verify: true });
  expect(merged.trees.map(({ entries }) => entries)).toEqual([5]);
  expect(plan.trees.map(({ entries }) => entries)).toEqual([5]);
  expect(merged.notes[0]).toContain(`5 of ${(2 * all).toLocaleString('en')} entries`);
  const whole = memorySink();
  expect(await writer.planMerge(inputs)).toEqual(await writer.merge(inputs, whole));
  await expect(writer.merge([{ file: file.info }], memorySink(), { choice })).rejects.toMatchObject({
    code: 'ARGUMENT',
  });
});

test('a file is replaced by the healed one, unless another program changes it', async () => {
  const path = join(folder, 'own.root');
  copyFileSync(fixture('merged'), path);
  await using file = await openRoot(path, options);
  const entries = await entriesOf(file);
  const changing = fileSink(path, { inPlace: true });
  const close = async () => {
    appendFileSync(path, 'x');
    await changing.close?.();
  };
  await expect(file.heal({ ...changing, close })).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  truncateSync(path, file.info.size);
  await using again = await openRoot(path, options);
  await again.heal(fileSink(path, { inPlace: true }));
  await using healed = await openRoot(path, options);
  expect(await entriesOf(healed)).toEqual(entries);
  expect(healed.info.uuid).not.toBe(file.info.uuid);
  expect(readdirSync(folder)).not.toContainEqual(expect.stringContaining('unfinished'));
  expect(() => fileSink(path, { inPlace: true, resume: true })).toThrow('cannot be resumed');
  rmSync(path);
});

test('a merge that was interrupted goes on, with a sink that remembers it', async () => {
  const path = join(folder, 'resumed.root');
  const files = [fixture('clusters'), fixture('clusters')];
  const stop = new AbortController();
  const sink = fileSink(path, { resume: true });
  const write: Sink['write'] = async (at, bytes) => {
    await sink.write(at, bytes);
    stop.abort();
  };
  const cut = mergeRoot(files, { ...sink, write }, { ...options, signal: stop.signal });
  await expect(cut).rejects.toMatchObject({ code: 'ABORTED' });
  const left = () => readdirSync(folder).filter((name) => name.startsWith('resumed'));
  expect(left()).toEqual(['resumed.root.partial', 'resumed.root.partial.journal']);
  const other = mergeRoot(files.slice(1), fileSink(path, { resume: true }), options);
  await expect(other).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  await mergeRoot(files, fileSink(path, { resume: true }), { ...options, verify: true });
  expect(left()).toEqual(['resumed.root']);
  rmSync(path);
});
