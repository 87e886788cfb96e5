import { beforeAll, expect, test } from 'vitest';
import type { TreeLayout } from '../../../web/api/layout';
import { Core } from '../../../web/core/core';
import type { WriterExports } from '../../../web/core/module';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { readExactTape } from '../../../web/core/tape';
import { ClassCodec } from '../../../web/features/writer/work/encode/class-codec';
import { TapeShape } from '../../../web/features/writer/work/encode/tape-shape';
import type { ObjectData } from '../../../web/features/writer/work/encode/types';
import { Records } from '../../../web/features/writer/work/file/records';
import { readInput } from '../../../web/features/writer/work/input/input';
import { FREE_MEMBERS, LikeTrees } from '../../../web/features/writer/work/merge/like-trees';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, canonicalRows, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { mergeBytes } from './merging';

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
let core: Core<WriterExports>;
beforeAll(async () => {
  writer = await nodeModules('write');
  core = await Core.create<WriterExports>(writer);
});

/** Returns a file with some entries of a fixture. */
async function part(fixture: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  const source = await reader.open(bufferSpec(fixture, fixtureBytes(fixture)));
  const sink = memorySink();
  const entries: [number, number] = [from, to];
  await skimFile(reader, source, sink, { entries, writer, name: 'part.root', reproducible: true });
  return sink.bytes();
}

/** The record of a tree as a tape, and its layout as the reader finds it. */
async function treeOf(bytes: Uint8Array, path: string) {
  const info = await reader.open(bufferSpec('part', bytes));
  const input = await readInput(reader, info.id, info, new Records(core), {});
  if (!input.streamers) throw new Error('The file describes no classes.');
  const codec = new ClassCodec(core, input.header.version, await reader.bytes(info.id, [input.streamers]));
  const layout = await reader.layout(info.id, path);
  const { offset, length } = layout.record;
  const tape = codec.tape(await reader.bytes(info.id, [{ offset, length }]));
  codec.free();
  return { tape, layout, data: readExactTape(tape) as ObjectData, size: info.size };
}

/** Returns the parts of a layout that a merge uses. */
function used({ tree, ...layout }: TreeLayout) {
  const {
    record,
    basketStart,
    offset,
    storedBytes,
    firstEntry,
    entries,
    clusterStart,
    trueStart,
    autoFlush,
  } = layout;
  const branches = tree.branches.map(
    ({ path, baskets, entries: own, totalBytes, otherFile, embeddedBytes }) => ({
      ...{ path, baskets, own, totalBytes, otherFile, embeddedBytes },
    }),
  );
  const lists = { basketStart, offset, storedBytes, firstEntry, entries, clusterStart, trueStart };
  return { record, autoFlush, lists, entries: tree.entries, branches };
}

/** A tree of which another one may be found, and the parts of it. */
const CASES: [fixture: string, path: string, entries: number][] = [
  ['leaflists', 't', 30],
  ['leaves', 't', 30],
  ['strings', 't', 30],
  ['vectors', 't', 30],
];

test.each(CASES)(
  '%s: the layout of a tree like another is the one of the reader',
  async (fixture, path, entries) => {
    const [a, b] = await Promise.all(
      [part(fixture, 0, Math.floor(entries / 3)), part(fixture, Math.floor(entries / 3), entries)].map(
        async (bytes) => treeOf(await bytes, path),
      ),
    );
    if (!a || !b) throw new Error('There are no parts.');
    const shape = new TapeShape(a.tape, FREE_MEMBERS);
    const like = LikeTrees.of(a.tape, shape, a.data, a.layout, a.size);
    expect(like).toBeDefined();
    const same = like?.layoutIn(a.tape, a.size, a.layout.record);
    expect(same && used(same)).toEqual(used(a.layout));
    expect(shape.fits(b.tape)).toBe(true);
    const found = like?.layoutIn(b.tape, b.size, b.layout.record);
    expect(found && used(found)).toEqual(used(b.layout));
    // The reader reports a basket beyond the end of the file.
    expect(like?.layoutIn(b.tape, 200, b.layout.record)).toBeUndefined();
  },
);

test('a merge of trees that are alike has the values and the limits of all of them', async () => {
  const parts = await Promise.all([0, 1, 2, 3].map((i) => part('clusters', 45 * i, 45 * (i + 1))));
  const whole = await reader.open(bufferSpec('whole', fixtureBytes('clusters')));
  const { id, data } = await mergeBytes(
    reader,
    parts.map((bytes, i) => [`part ${i}`, bytes]),
    { writer },
  );
  const branches = (await reader.tree(whole.id, 't')).branches.map(({ index }) => index);
  const values = async (file: number) =>
    (await reader.arrays(file, { tree: 't', branches })).map(
      ({ branch, column }) => [branch.path, column && canonicalRows(column)] as const,
    );
  expect(await values(id)).toEqual(await values(whole.id));
  const maxima = ({ data: record }: { data: ObjectData }) =>
    (record.fLeaves as unknown as { arr: { fName: string; fMaximum: number }[] }).arr.map(
      ({ fName, fMaximum }) => [fName, Number(fMaximum)] as const,
    );
  const made = maxima(await treeOf(data, 't'));
  const given = await Promise.all(parts.map(async (bytes) => maxima(await treeOf(bytes, 't'))));
  expect(made).toEqual(made.map(([name], i) => [name, Math.max(...given.map((list) => list[i]?.[1] ?? 0))]));
});
