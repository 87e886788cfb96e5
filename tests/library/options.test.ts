// Needs features: doctor, exports, map, writer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineOf } from '../../web/api/engine-api';
import * as browser from '../../web/index';
import {
  createReader,
  memorySink,
  mergeRoot,
  openRoot,
  type RootHandle,
  readChunks,
  type TreeHandle,
  writeRoot,
} from '../../web/node';
import { openReader } from '../engine-reader';

const sample = 'public/sample.root';
let file: RootHandle;
let events: TreeHandle;

beforeAll(async () => {
  file = await openRoot(sample, { workers: 0 });
  events = await file.tree('Events');
});
afterAll(() => file.close());

/** Options as a program without types gives them. */
const loose = (options: object): never => options as never;

async function firstOf(rows: AsyncIterable<unknown>): Promise<unknown> {
  for await (const row of rows) return row;
  return undefined;
}

/** Each public call, with some option of a name that it does not have. */
const CALLS: Record<string, (options: never) => Promise<unknown>> = {
  openRoot: (options) => openRoot(sample, options),
  openReader: (options) => openReader(options),
  createReader: async (options) => createReader(options),
  mergeRoot: (options) => mergeRoot([sample], memorySink(), options),
  writeRoot: (options) => writeRoot(memorySink(), async () => {}, options),
  keys: (options) => file.keys(options),
  'file.tree': (options) => file.tree('Events', options),
  object: (options) => file.object('about', options),
  histogram: (options) => file.histogram('plots/upsilon', options),
  graph: (options) => file.graph('about', options),
  open: (options) => file.open(sample, options),
  heal: (options) => file.heal(memorySink(), options),
  skim: (options) => file.skim(memorySink(), options),
  salvage: (options) => file.salvage(memorySink(), options),
  planHeal: (options) => file.planHeal(options),
  planSkim: (options) => file.planSkim(options),
  arrays: (options) => events.arrays('MET_pt', options),
  chunks: (options) => firstOf(events.chunks('MET_pt', options)),
  draw: (options) => events.draw('MET_pt', options),
  scan: (options) => firstOf(events.scan('MET_pt', options)),
  entryNumbers: (options) => events.entryNumbers('nMuon>3', options),
  summarize: (options) => events.summarize(options),
  export: (options) => firstOf(events.export({ ...(options as object), format: 'csv' })),
  'export, second argument': (options) => firstOf(events.export({ format: 'csv' }, options)),
  readChunks: (options) =>
    firstOf(readChunks(file.reader, file.info.id, { ...(options as object), tree: 'Events' })),
  'reader.draw': (options) =>
    file.reader.draw(file.info.id, { ...(options as object), tree: 'Events', expr: 'MET_pt' }),
  'an axis of reader.draw': (options) =>
    file.reader.draw(file.info.id, { tree: 'Events', expr: 'MET_pt', axes: [options] }),
  'reader.scan': (options) =>
    engineOf(file.reader).scan(file.info.id, { ...(options as object), tree: 'Events', columns: 'MET_pt' }),
  'reader.arrays': (options) =>
    engineOf(file.reader).arrays(file.info.id, {
      ...(options as object),
      tree: 'Events',
      branches: ['MET_pt'],
    }),
  'reader.summarize': (options) =>
    file.reader.summarize(file.info.id, { ...(options as object), tree: 'Events' }),
  'insight.map': (options) => file.reader.insight.map(file.info.id, options),
  'insight.doctor': (options) => file.reader.insight.doctor(file.info, options),
  'a friend': async (options) =>
    file.tree('Events', { friends: { f: { ...(options as object), tree: 'Events' } } }),
  'a tree that is written': (options) =>
    writeRoot(memorySink(), async (out) => {
      await out.tree('t', options);
    }),
  'an RNTuple that is written': (options) =>
    writeRoot(memorySink(), async (out) => {
      await out.ntuple('n', options);
    }),
};

describe('an option that there is not is refused by every call', () => {
  test.each(Object.keys(CALLS))('%s', async (name) => {
    const call = CALLS[name];
    await expect((async () => call?.(loose({ binz: 3 })))()).rejects.toMatchObject({
      code: 'ARGUMENT',
      message: expect.stringContaining('no option "binz"'),
      fix: expect.any(String),
    });
  });

  test('openRoot and createReader of browsers', async () => {
    await expect(browser.openRoot(sample, loose({ workers: 2 }))).rejects.toMatchObject({ code: 'ARGUMENT' });
    expect(() => browser.createReader(loose({ wazm: 'x' }))).toThrow('createReader has no option "wazm".');
  });

  test('and the one that was meant is named', async () => {
    const told = { message: 'draw has no option "binz".', fix: 'Did you mean "bins"?' };
    await expect(events.draw('MET_pt', loose({ binz: 3 }))).rejects.toMatchObject(told);
  });
});

describe('an option of another type is refused', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a range of texts', () => events.draw('MET_pt', loose({ range: ['0', '10'] }))],
    ['a range of one number', () => events.draw('MET_pt', loose({ range: [5] }))],
    ['a range with NaN', () => events.draw('MET_pt', { range: [0, Number.NaN] })],
    ['a range that ends before it begins', () => events.draw('MET_pt', { range: [10, 0] })],
    ['bins as a text', () => events.draw('MET_pt', loose({ bins: '10' }))],
    ['half a bin', () => events.draw('MET_pt', { bins: 0.5 })],
    ['bins of four axes', () => events.draw('MET_pt', { bins: [1, 2, 3, 4] })],
    [
      'a range of texts in a request',
      () =>
        file.reader.draw(file.info.id, {
          tree: 'Events',
          expr: 'MET_pt',
          range: loose(['0', '10']),
        }),
    ],
    ['an axis', () => events.draw('MET_pt', loose({ axis: 'nice' }))],
    ['a cut', () => events.draw('MET_pt', loose({ cut: 5 }))],
    ['a seed', () => events.draw('MET_pt', { seed: -1 })],
    ['options as a number', () => events.draw('MET_pt', 5 as never)],
    ['options as a list', () => events.draw('MET_pt', loose([10, 0, 5]))],
    ['a signal', () => events.arrays('MET_pt', loose({ signal: 'soon' }))],
    ['chunkBytes', () => firstOf(events.chunks('MET_pt', { chunkBytes: -1 }))],
    ['chunkBytes of expressions', () => firstOf(events.chunks('MET_pt+1', { chunkBytes: -1 }))],
    ['a limit', () => firstOf(events.scan('MET_pt', { limit: -1 }))],
    ['how rows are made', () => firstOf(events.scan('MET_pt', loose({ by: 'row' })))],
    ['workers', () => openRoot(sample, { workers: -1 })],
    ['the folder of a cache', () => openReader(loose({ workers: 0, cache: { folder: 5 } }))],
    ['the bytes of a cache', () => openRoot(sample, { workers: 0, cache: { maxBytes: -1 } })],
    ['a member of a cache', () => openReader(loose({ workers: 0, cache: { toString: 1 } }))],
    ['headers', () => openRoot(sample, loose({ workers: 0, headers: { 'X-Token': 5 } }))],
    ['a reader', () => openRoot(sample, loose({ reader: 'mine' }))],
    ['a level', () => file.heal(memorySink(), loose({ level: 'fast' }))],
    ['verify', () => file.skim(memorySink(), loose({ verify: 1 }))],
    ['a codec', () => writeRoot(memorySink(), async () => {}, loose({ codec: 5 }))],
    [
      'bytes of a cluster',
      () =>
        writeRoot(memorySink(), async (out) => {
          await out.tree('t', { clusterBytes: 0 });
        }),
    ],
    ['files that are not a list', () => mergeRoot(loose({}), memorySink())],
  ])('%s', async (_, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'ARGUMENT' });
  });

  test('options that are undefined are left out', async () => {
    const none = {
      bins: undefined,
      range: undefined,
      cut: undefined,
      signal: undefined,
      onProgress: undefined,
    };
    expect((await events.draw('MET_pt', none)).entries).toBe(2400);
    expect((await events.draw('MET_pt', undefined)).entries).toBe(2400);
    expect(
      (await events.draw('y:x'.replace('y', 'nMuon').replace('x', 'MET_pt'), { range: [undefined, [0, 5]] }))
        .kind,
    ).toBe('histogram');
  });
});

test('every call of a file that was closed says so', async () => {
  for (const reader of [undefined, await openReader({ workers: 0 })]) {
    const other = await openRoot(sample, reader ? { reader } : { workers: 0, cache: false });
    const tree = await other.tree('Events');
    await other.close();
    const closed = { code: 'ARGUMENT', message: 'This file was closed.', fix: expect.any(String) };
    for (const call of [
      () => other.keys(),
      () => other.tree('Events'),
      () => other.object('about'),
      () => other.histogram('plots/upsilon'),
      () => other.heal(memorySink()),
      () => other.planSkim(),
      () => other.open(sample),
      () => tree.draw('MET_pt'),
      () => tree.arrays('MET_pt'),
      () => tree.entryNumbers('nMuon>3'),
      () => tree.summarize(),
      () => firstOf(tree.scan('MET_pt')),
      () => firstOf(tree.chunks('MET_pt')),
      () => firstOf(tree.export({ format: 'csv' })),
    ])
      await expect(call()).rejects.toMatchObject(closed);
    await other.close();
    reader?.terminate();
  }
});

describe('a mistake has a sentence of its own', () => {
  test('slice that returns a Blob', async () => {
    const blob = new Blob([new Uint8Array(1000)]);
    const source = { byteLength: blob.size, slice: (start: number, end: number) => blob.slice(start, end) };
    await expect(openRoot(loose(source), { workers: 0 })).rejects.toMatchObject({
      code: 'ARGUMENT',
      message: 'source: slice returned a Blob in place of bytes.',
      fix: expect.stringContaining('Give the Blob itself'),
    });
    await expect(
      openRoot(loose({ byteLength: 100, slice: () => 'text' }), { workers: 0 }),
    ).rejects.toMatchObject({
      message: 'source: slice returned "text" in place of bytes.',
    });
  });

  test('rows that are appended', async () => {
    const writing = writeRoot(memorySink(), async (out) => (await out.tree('t')).append(loose([{ x: 1 }])));
    await expect(writing).rejects.toMatchObject({
      code: 'ARGUMENT',
      message: 'append takes columns, and not a list of rows.',
    });
  });

  test('a pattern that no branch matches', async () => {
    for (const pattern of ['Foo_*', '*_foo', 'Mu?']) {
      await expect(events.arrays(pattern)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: `No branch matches "${pattern}".`,
      });
    }
  });
});
