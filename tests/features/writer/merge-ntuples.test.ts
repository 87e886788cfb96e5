import { beforeAll, expect, test } from 'vitest';
import { deferredReader } from '../../../web/api/deferred-reader';
import type { EngineApi } from '../../../web/api/engine-api';
import { nodeModules } from '../../../web/core/modules/node-modules';
import {
  type MergeOptions,
  type MergeRun,
  mergeFiles,
} from '../../../web/features/writer/work/merge/merge-files';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, canonicalRows, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
beforeAll(async () => {
  writer = await nodeModules('write');
});

type Part = readonly [name: string, bytes: Uint8Array];
const fixture = (name: string): Part => [name, fixtureBytes(name)];
const open = ([name, bytes]: Part) => reader.open(bufferSpec(name, bytes));

/** Merges files, verifies the product, and checks that it is sound and has no bytes that nothing names. */
async function merge(
  parts: readonly Part[],
  options: Partial<MergeOptions> = {},
  part: MergeRun['part'] = {},
) {
  const sink = memorySink();
  const opened = async (part: Part) => {
    const info = await open(part);
    return { reader, info, close: () => reader.close(info.id) };
  };
  const merged = await mergeFiles(
    parts.map((part) => ({ name: part[0], open: () => opened(part) })),
    sink,
    { writer, name: 'new.root', reproducible: true, ...options },
    { part, written: () => opened(['new', sink.bytes()]) },
  );
  const data = sink.bytes();
  const { id } = await open(['new', data]);
  const { findings, counts } = await reader.check(id);
  expect([findings, counts.orphanedBytes ?? 0]).toEqual([[], 0]);
  return { merged, data, id };
}

/** The values of all fields, or why they cannot be read. */
async function valuesOf(id: number, path = 'n'): Promise<Map<string, unknown[]>> {
  const { branches } = await reader.tree(id, path);
  const wanted = branches.map(({ index }) => index);
  const results = await reader.arrays(id, { tree: path, branches: wanted });
  return new Map(
    results.map(({ branch, column, error }) => [branch.path, column ? canonicalRows(column) : [error?.code]]),
  );
}

/** A fixture with some of its fields. */
async function withFields(name: string, fields: readonly string[]): Promise<Part> {
  const sink = memorySink();
  await skimFile(reader, await open(fixture(name)), sink, {
    ...{ writer, name: 'part.root', reproducible: true, selection: { branches: fields } },
  });
  return [`${name} with ${fields}`, sink.bytes()];
}

test.each([
  'rntuple',
  'ntuple_encodings',
  'ntuple_fields',
  'ntuple_late',
  'ntuple_late_stored',
  'ntuple_representations',
  'ntuple/groups',
])('%s three times has the values and clusters of all', async (name) => {
  const part = fixture(name);
  const { merged, id } = await merge([part, part, part]);
  const { id: source } = await open(part);
  const before = await reader.layout(source, 'n');
  const after = await reader.layout(id, 'n');
  const { entries } = before.tree;
  const starts = [0, 1, 2].flatMap((k) => Array.from(before.clusterStart, (at) => k * entries + at));
  expect([...after.clusterStart]).toEqual(starts);
  expect(merged.trees).toMatchObject([
    { path: 'n', entries: 3 * entries, parts: 3, clusters: starts.length, clustersClaimed: starts.length },
  ]);
  expect(merged.leftOut).toEqual([]);
  const [one, all] = [await valuesOf(source), await valuesOf(id)];
  expect([...all.keys()]).toEqual([...one.keys()]);
  for (const [field, values] of one) expect(all.get(field), field).toEqual([...values, ...values, ...values]);
});

test('a file with other fields is refused, and the field is named', async () => {
  const whole = fixture('ntuple_fields');
  const part = await withFields('ntuple_fields', ['empty', 'point']);
  const others: [Part, Part, RegExp][] = [
    [
      whole,
      part,
      /^n of ntuple_fields with .* cannot follow that of ntuple_fields: .*field \S+ is missing in it/,
    ],
    [part, whole, /^n of ntuple_fields cannot follow that of .*field \S+ is only in it/],
    [whole, fixture('ntuple_fields_stored'), /The field \S+ is stored .* in another way in it/],
    [fixture('ntuple_late'), whole, /field \S+ is (missing in it|of another type)/],
  ];
  for (const [one, other, message] of others) {
    const error = { code: 'UNSUPPORTED', where: { path: 'n' }, message: expect.stringMatching(message) };
    await expect(merge([one, other])).rejects.toMatchObject(error);
  }
});

test('chosen fields of several files come with those that they need', async () => {
  const part = fixture('ntuple_late');
  const { merged, id } = await merge([part, part], {}, { selection: { branches: ['n_strings', 'number'] } });
  expect(merged.notes).toEqual([expect.stringMatching(/^n: 4 of \d+ fields; others need strings$/)]);
  const values = await valuesOf((await open(part)).id);
  const found = await valuesOf(id);
  expect([...found.keys()]).toEqual(['number', 'strings', 'strings._0', 'n_strings']);
  for (const [field, rows] of found)
    expect([...rows], field).toEqual([...(values.get(field) ?? []), ...(values.get(field) ?? [])]);
});

test('fields that all files have alike are merged with the schema filter', async () => {
  const filter = { schema: 'filter' } as const;
  const whole = fixture('ntuple_fields');
  const part = await withFields('ntuple_fields', ['empty', 'point']);
  const values = await valuesOf((await open(part)).id);
  for (const files of [
    [whole, part, whole],
    [part, whole, whole],
  ]) {
    const { merged, id } = await merge(files, filter);
    const lines = merged.leftOut.map((line) => /^n: field \S+ is left out, because (.*)$/.exec(line)?.[1]);
    expect(lines.length).toBeGreaterThan(10);
    expect(new Set(lines)).toEqual(new Set([`${part[0]} lacks it`]));
    const found = await valuesOf(id);
    expect([...found.keys()]).toEqual([...values.keys()]);
    for (const [field, rows] of values) expect(found.get(field)).toEqual([...rows, ...rows, ...rows]);
  }
});

test('with the schema filter, fields that are stored in another way are left out, and so are those that show them', async () => {
  const names = ['ntuple_late', 'ntuple_late_stored'];
  const { merged, id } = await merge(names.map(fixture), { schema: 'filter' });
  for (const field of ['strings', 'n_strings'])
    expect(merged.leftOut).toContain(
      `n: field ${field} is left out, because it is of another type, or stored or projected in another way, ` +
        'in ntuple_late_stored than in ntuple_late',
    );
  const [one, other] = await Promise.all(names.map(async (name) => valuesOf((await open(fixture(name))).id)));
  const found = await valuesOf(id);
  expect(found.size).toBeGreaterThan(0);
  for (const [field, rows] of found)
    expect(rows, field).toEqual([...(one?.get(field) ?? []), ...(other?.get(field) ?? [])]);
});

test('an error in a file names the file', async () => {
  const bytes = fixtureBytes('ntuple_late').slice();
  // The class version of the anchor: 2 since the format is stable.
  const at = Buffer.from(bytes).indexOf(Buffer.from([0x40, 0, 0, 0x42, 0, 2]));
  bytes[at + 5] = 1;
  const message = expect.stringMatching(/^bad: This RNTuple was written by a pre-release/);
  await expect(merge([fixture('ntuple_late'), ['bad', bytes]])).rejects.toMatchObject({ message });
});

test('attribute sets are left out with a line', async () => {
  const part = fixture('ntuple/attributes');
  const { merged } = await merge([part, part]);
  const line = `n of ${part[0]}: its attribute sets are not merged: notes`;
  expect(merged.leftOut).toEqual([line, line]);
});

test('a path that is an RNTuple in one file and a tree in another is refused', async () => {
  const tree = Buffer.from(fixtureBytes('clusters'));
  const named = (name: string) => Buffer.from(`\x05TTree\x01${name}`);
  for (let at = tree.indexOf(named('t')); at >= 0; at = tree.indexOf(named('t'))) named('n').copy(tree, at);
  const message = expect.stringContaining('"n" is a tree in renamed, and was an RNTuple before');
  const error = { code: 'UNSUPPORTED', message };
  await expect(merge([fixture('ntuple_late'), ['renamed', tree]])).rejects.toMatchObject(error);
});

test('a dry run has the same counts, and reads no page', async () => {
  const parts = [fixture('ntuple_late'), fixture('ntuple_late')];
  const { merged, data } = await merge(parts);
  let read = 0;
  const bytes: EngineApi['bytes'] = async (...args) => {
    const got = await reader.bytes(...args);
    read += got.length;
    return got;
  };
  const counting = { ...deferredReader(async () => reader), bytes };
  const sources = parts.map((part) => ({
    name: part[0],
    open: async () => {
      const info = await open(part);
      return { reader: counting, info, close: () => reader.close(info.id) };
    },
  }));
  const task = { writer, name: 'new.root', reproducible: true };
  expect(await mergeFiles(sources, undefined, task)).toEqual(merged);
  const metadata = read;
  read = 0;
  await mergeFiles(sources, memorySink(), task);
  // The pages are most of the file.
  expect(read - metadata).toBeGreaterThan(data.length / 2);
});
