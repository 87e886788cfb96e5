import { mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FileWriter } from '../../../web/features/writer/work/file/file-writer';
import { BIG_FILE } from '../../../web/features/writer/work/file/records';
import { mergeRoot, openRoot, type RootHandle, type Sink, writeRoot } from '../../../web/node';
import { fixtureFolder } from '../../engine/fixtures';

const folder = mkdtempSync(join(tmpdir(), 'xylem-large-'));
const options = { workers: 0 };
const fixture = (name: string): string => join(fixtureFolder, `${name}.root`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of which what is not written takes no room on the disk. */
function sparseSink(name: string): Sink & { path: string } {
  const path = join(folder, name);
  let handle: FileHandle | undefined;
  return {
    name,
    path,
    async write(at, bytes) {
      handle ??= await open(path, 'w');
      await handle.write(bytes, 0, bytes.length, at);
    },
    close: async () => handle?.close(),
    abort: async () => handle?.close(),
  };
}

// Files of more than 2 GB in no time: two gaps of 1 GB follow what is appended first.
beforeEach(() => {
  const append = FileWriter.prototype.append;
  const begun = new Set<FileWriter>();
  const gap = new Uint8Array(4);
  new DataView(gap.buffer).setInt32(0, -BIG_FILE / 2);
  vi.spyOn(FileWriter.prototype, 'append').mockImplementation(async function (this: FileWriter, bytes) {
    await append.call(this, bytes);
    if (begun.has(this)) return;
    begun.add(this);
    for (let i = 0; i < 2; i++) {
      await append.call(this, gap);
      this.skip(BIG_FILE / 2 - gap.length);
    }
  });
});
afterEach(() => vi.restoreAllMocks());

/** The paths and cycles of keys whose records lie after 2 GB, and of the others. */
async function placesOf(file: RootHandle): Promise<{ near: string[]; far: string[] }> {
  const keys = await file.keys();
  const paths = (isFar: boolean): string[] =>
    keys.filter(({ offset }) => offset > BIG_FILE === isFar).map(({ path, cycle }) => `${path};${cycle}`);
  return { near: paths(false), far: paths(true) };
}

async function valuesOf(file: RootHandle, path: string): Promise<Record<string, unknown[]>> {
  const columns = await (await file.tree(path)).arrays();
  return Object.fromEntries(Object.entries(columns).map(([name, rows]) => [name, [...rows]]));
}

test('a new file', async () => {
  const sink = sparseSink('new.root');
  await writeRoot(sink, async (file) => {
    const tree = await file.tree('t');
    await tree.append({ x: Float64Array.of(1.5, -2), list: [['a'], []] });
    await using things = await openRoot(fixture('things'), options);
    for (const path of ['named', 'list']) await file.copy(things, path);
  });
  await using file = await openRoot(sink.path, options);
  expect(await placesOf(file)).toEqual({ near: ['named;1'], far: ['list;1', 't;1'] });
  expect(await valuesOf(file, 't')).toEqual({ x: [1.5, -2], list: [['a'], []] });
});

test.each(['leaflists', 'merged', 'stl_member_wise'])('a copy of %s', async (name) => {
  await using file = await openRoot(fixture(name), options);
  const sink = sparseSink(`${name}.root`);
  await file.skim(sink, { selection: { objects: [] } });
  await using copy = await file.open(sink.path);
  const { near, far } = await placesOf(copy);
  expect(near).toEqual([]);
  for (const path of far) expect(await valuesOf(copy, path)).toEqual(await valuesOf(file, path));
  // And back: what has places of 8 bytes is copied to the start of a file.
  const again = sparseSink(`again-${name}.root`);
  vi.restoreAllMocks();
  await copy.skim(again);
  await using small = await file.open(again.path);
  expect((await placesOf(small)).near).toEqual(far);
  for (const path of far) expect(await valuesOf(small, path)).toEqual(await valuesOf(file, path));
});

test('objects of files that are merged', async () => {
  const sink = sparseSink('merged.root');
  const { leftOut } = await mergeRoot([fixture('leaflists'), fixture('things')], sink);
  expect(leftOut).toEqual([]);
  await using merged = await openRoot(sink.path, options);
  expect((await placesOf(merged)).near).toEqual([]);
  await using things = await merged.open(fixture('things'));
  const keys = await things.keys();
  expect(keys.length).toBeGreaterThan(10);
  for (const { path, cycle } of keys)
    expect(await merged.object(`${path};${cycle}`), path).toEqual(await things.object(`${path};${cycle}`));
});
