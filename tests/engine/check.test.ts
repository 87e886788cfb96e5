import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckReport } from '../../web/api/api';
import { reportOfFailure } from '../../web/api/check-report';
import { XylemError } from '../../web/base/errors';
import { overlapsOf } from '../../web/engine/check-tree';
import { holesOf, orphansIn } from '../../web/model/orphans';
import { cpuMs } from '../cpu';
import { Bytes, record, streamerInfos } from '../wasm/record';
import { bufferSpec, fixtureBytes, fixtureFolder, goldenNames, makeEngine, readGolden } from './fixtures';

async function checkBytes(name: string, bytes: Uint8Array): Promise<CheckReport> {
  const reader = await makeEngine();
  try {
    const { id } = await reader.open(bufferSpec(name, bytes));
    return await reader.check(id);
  } catch (thrown) {
    return reportOfFailure(name, thrown);
  }
}

const check = (name: string): Promise<CheckReport> => checkBytes(name, fixtureBytes(name));
const rules = ({ findings }: CheckReport): string[] => [...new Set(findings.map(({ rule }) => rule))];

test.each(goldenNames())('%s is sound, and all of it was looked at', async (name) => {
  const report = await check(name);
  expect(report.findings).toEqual([]);
  const golden = readGolden(name);
  const trees = Object.values(golden.trees);
  expect(report.counts).toMatchObject({ keys: golden.keys.length });
  const entries = trees.reduce((sum, tree) => sum + tree.entries, 0);
  expect(report.counts.entries).toBe(entries);
  if (entries > 0) expect(report.counts.basketBytes).toBeGreaterThan(0);
});

/** Findings for each damaged fixture. */
const expected: Record<string, string[]> = {
  empty_file: ['not-opened'],
  text: ['not-opened'],
  html: ['not-opened'],
  zip: ['not-opened'],
  magic_only: ['not-opened'],
  header_cut: ['not-opened'],
  top_directory_cut: ['not-opened'],
  half: ['not-opened'],
  tail_cut: ['truncated', 'free-list-damaged'],
  end_too_large: ['truncated'],
  end_negative: ['truncated'],
  begin_huge: ['not-closed'],
  keys_lost: ['not-closed'],
  streamers_flipped: ['streamers-damaged', 'not-checked'],
  streamers_lost: ['streamers-missing', 'not-checked'],
  tree_flipped: ['tree-damaged'],
  tree_length: ['key-mismatch', 'tree-damaged'],
  basket_flipped: ['basket-damaged'],
  lz4_checksum: ['checksum'],
  zlib_flipped: ['basket-damaged'],
  unknown_codec: ['basket-damaged'],
  block_length: ['basket-damaged'],
  adler_flipped: ['checksum'],
  basket_key: ['basket-damaged'],
};

test('each damaged fixture has its findings here', () => {
  const plan = JSON.parse(readFileSync(resolve(fixtureFolder, 'damaged/damaged.json'), 'utf8')) as object;
  expect(Object.keys(expected).sort()).toEqual(Object.keys(plan).sort());
});

test.each(Object.entries(expected))('%s: %j', async (name, wanted) => {
  const report = await check(`damaged/${name}`);
  expect(rules(report)).toEqual(wanted);
  expect(report.findings.some(({ severity }) => severity === 'error')).toBe(true);
  for (const finding of report.findings) expect(finding.message.length).toBeGreaterThan(15);
});

test('a finding names branch, basket and byte', async () => {
  const { findings } = await check('damaged/adler_flipped');
  expect(findings).toEqual([
    expect.objectContaining({ rule: 'checksum', severity: 'error', path: 't/regular', code: 'CHECKSUM' }),
  ]);
  expect(findings[0]?.message).toContain('Basket 1 of regular');
  expect(findings[0]?.offset).toBeGreaterThan(100);
});

/** Where a big-endian number stands once, in bytes. */
function placeOf(bytes: Uint8Array, text: string, from = 0): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(text, from, 'latin1');
  expect(at).toBeGreaterThan(0);
  return at;
}

test('a basket whose number of entries is wrong', async () => {
  // Without compression the table of borders does not have it: the count stands in the basket's header.
  const bytes = fixtureBytes('codec_none').slice();
  const view = new DataView(bytes.buffer);
  const basket = placeOf(bytes, '\x07TBasket\x07regular');
  // Behind the key's strings: version, buffer size, fNevBufSize, fNevBuf.
  const strings = basket + 8 + 8;
  const counted = strings + 1 + (bytes[strings] ?? 0) + 2 + 4 + 4;
  const entries = view.getInt32(counted);
  expect(entries).toBeGreaterThan(1);
  expect(entries).toBeLessThan(300);
  view.setInt32(counted, entries - 1);
  const report = await checkBytes('short', bytes);
  expect(report.findings.length).toBeGreaterThan(0);
  expect(report.findings.every(({ path }) => path === 't/regular')).toBe(true);
});

test('a page of an RNTuple with a bit flipped fails its checksum', async () => {
  const bytes = fixtureBytes('ntuple_fields_stored').slice();
  const good = await checkBytes('good', bytes);
  expect(good.findings).toEqual([]);
  // Every byte of a page is under a checksum; the middle of the file is all pages.
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  const report = await checkBytes('flipped', bytes);
  expect(rules(report)).toEqual(['checksum']);
});

test('a record that no list names any more', async () => {
  const bytes = fixtureBytes('things').slice();
  const good = await checkBytes('good', bytes);
  expect(good.findings).toEqual([]);
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec('things', bytes));
  const start = (await reader.records(id)).records.find(({ kind }) => kind === 'keys')?.offset ?? 0;
  // The number of keys is stored after the key of their list.
  const begin = new DataView(bytes.buffer);
  const keyBytes = begin.getInt16(start + 14);
  const keys = begin.getInt32(start + keyBytes);
  expect(keys).toBe(good.counts.keys);
  begin.setInt32(start + keyBytes, keys - 1);
  const report = await checkBytes('unlisted', bytes);
  expect(rules(report)).toEqual(['orphaned-bytes']);
  expect(report.counts.keys).toBe(keys - 1);
  expect(report.counts.orphanedBytes).toBeGreaterThan(30);
});

test('holes, and what lies in them', () => {
  const holes = holesOf(
    [
      { offset: 20, length: 10 },
      { offset: 0, length: 10 },
      { offset: 25, length: 15 },
    ],
    60,
  );
  expect(holes).toEqual([
    { offset: 10, length: 10 },
    { offset: 40, length: 20 },
  ]);
  expect(holesOf([{ offset: 0, length: 100 }], 60)).toEqual([]);
  const walked = (records: [offset: number, length: number, name: number][], stopped: number[] = []) => ({
    offset: Float64Array.from(records, ([offset]) => offset),
    length: Float64Array.from(records, ([, length]) => length),
    keyBytes: new Float64Array(records.length),
    objectBytes: new Float64Array(records.length),
    className: Uint32Array.from(records, ([, , name]) => name),
    name: Uint32Array.from(records, ([, , name]) => name),
    title: new Uint32Array(records.length),
    texts: ['', 'TBasket'],
    stopped: stopped.map((offset) => ({ offset, why: 'no record' })),
  });
  const orphan = (offset: number, length: number, text: string) => ({
    offset,
    length,
    className: text,
    name: text,
  });
  // A gap, a basket, and bytes that are none, met out of order.
  expect(
    orphansIn(
      holes,
      walked(
        [
          [40, 5, 1],
          [10, 10, 0],
        ],
        [45],
      ),
    ),
  ).toEqual([orphan(40, 5, 'TBasket'), orphan(45, 15, '')]);
  // A record that contains the bytes claimed from 20 to 40 and the hole after them.
  expect(orphansIn(holes, walked([[10, 50, 1]], [40]))).toEqual([]);
});

test('reports extents that share bytes, but not adjacent ones', () => {
  const extent = (path: string, offset: number, length: number) => ({ path, offset, length });
  expect(overlapsOf([extent('b', 100, 10), extent('a', 90, 10), extent('c', 110, 5)])).toEqual([]);
  expect(overlapsOf([extent('b', 95, 10), extent('a', 90, 10)])).toEqual([
    { path: 'b', offset: 95, length: 5, other: 'a' },
  ]);
  expect(overlapsOf([extent('a', 0, 100), extent('b', 10, 5), extent('c', 50, 100)])).toHaveLength(2);
});

test('a sound file is not said to be damaged where this machine lacks memory', async () => {
  const fails = () => Promise.reject(new XylemError({ code: 'BUDGET', message: 'Memory was refused.' }));
  const runner = { concurrency: 1, readsFiles: false, run: fails, encode: fails, makeBaskets: fails };
  const core = await WebAssembly.compile(readFileSync('build/xylem.wasm'));
  const reader = await makeEngine(undefined, core, runner);
  const { id } = await reader.open(bufferSpec('leaves', fixtureBytes('leaves')));
  await expect(reader.check(id)).rejects.toMatchObject({ code: 'BUDGET', message: 'Memory was refused.' });
});

test('time grows with the number of keys, and not with its square', async () => {
  const cost = async (count: number): Promise<number> => {
    const reader = await makeEngine();
    const { id } = await reader.open(bufferSpec('many', manyKeys(count)));
    const started = cpuMs();
    const report = await reader.check(id);
    expect(report.counts).toMatchObject({ keys: count, objects: count });
    return cpuMs() - started;
  };
  await cost(500);
  // A square would make it 64 times as much; what a busy machine adds is less than the rest.
  expect(await cost(16_000)).toBeLessThan(24 * (await cost(2000)));
}, 120_000);

/** Makes a file with this number of objects in its top directory. */
function manyKeys(count: number): Uint8Array {
  const object = new Bytes().u16(1).object().text('').text('');
  const parts: Uint8Array[] = [];
  const keys: Uint8Array[] = [];
  const name = 'many.root';
  const head = 26 + 1 + 'TFile'.length + 1 + name.length + 1;
  const content = 1 + name.length + 1 + 48;
  let at = 100 + head + content;
  const place = (bytes: Uint8Array): Uint8Array => {
    new DataView(bytes.buffer).setUint32(18, at);
    at += bytes.length;
    return bytes;
  };
  for (let i = 0; i < count; i++) {
    const bytes = place(record('TNamed', object, `k${i}`));
    parts.push(bytes);
    keys.push(bytes.subarray(0, bytes.length - object.length));
  }
  const seekInfo = at;
  const info = place(streamerInfos([]));
  const seekKeys = at;
  const listed = new Uint8Array(keys.reduce((sum, { length }) => sum + length, 4));
  new DataView(listed.buffer).setUint32(0, count);
  let to = 4;
  for (const key of keys) {
    listed.set(key, to);
    to += key.length;
  }
  const listKey = record('TFile', new Bytes(), name);
  const list = new Uint8Array(listKey.length + listed.length);
  list.set(listKey);
  list.set(listed, listKey.length);
  const listView = new DataView(list.buffer);
  listView.setUint32(0, list.length);
  listView.setUint32(6, listed.length);
  place(list);
  const top = new Bytes().text(name).text('').u16(5).u32(0).u32(0).u32(list.length);
  top
    .u32(head + name.length + 2)
    .u32(100)
    .u32(0)
    .u32(seekKeys)
    .u16(1);
  while (top.length < content) top.u8(0);
  const first = record('TFile', top, name);
  const file = new Bytes().raw('root').u32(63200).u32(100).u32(at).u32(at).u32(0).u32(0);
  file
    .u32(head + name.length + 2)
    .u8(4)
    .u32(1)
    .u32(seekInfo)
    .u32(info.length)
    .u16(1);
  while (file.length < 100) file.u8(0);
  const whole = new Uint8Array(at);
  let next = 0;
  for (const part of [file.done(), first, ...parts, info, list]) {
    whole.set(part, next);
    next += part.length;
  }
  return whole;
}

test('a TClonesArray whose objects are stored in a form that is not read is not damaged', async () => {
  const bytes = new Uint8Array(readFileSync(resolve(fixtureFolder, 'edges/clones.root')));
  const { findings, counts } = await checkBytes('clones.root', bytes);
  expect(findings.map(({ rule, path }) => [rule, path])).toEqual(
    ['TRef', 'TObject', 'TList', 'TObjArray', 'TH1F'].map((name) => ['not-decoded', `${name};1`]),
  );
  expect(findings[0]?.message).toMatch(/a TClonesArray of TRef that is stored member by member/);
  expect(findings[4]?.message).toMatch(/the base class TArrayF that are stored member by member/);
  expect(counts.objects).toBe(2);
});

test('records that attribute sets of an RNTuple may have are no loss', async () => {
  const report = await check('ntuple/attributes');
  expect(report.findings.map(({ rule, severity, message }) => [rule, severity, message])).toEqual([
    [
      'not-checked',
      'note',
      expect.stringMatching(/^872 bytes in records of RNTuples may be .* attribute sets, .*: notes\.$/),
    ],
  ]);
  expect(report.counts.orphanedBytes).toBe(0);
});
