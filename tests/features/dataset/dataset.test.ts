import { copyFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SourceSpec } from '../../../web/api/api';
import type { EngineReader } from '../../../web/api/reader';
import { Dataset, type DatasetReport } from '../../../web/features/dataset/work/dataset';
import { LumiCollector, lumisText, sharedLumis } from '../../../web/features/dataset/work/lumi-ranges';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const fixtures = resolve(import.meta.dirname, '../../fixtures/files');
const reader = withReader();
let folder: string;
const at = (name: string): string => join(folder, name);
const report = async (...args: string[]): Promise<DatasetReport & { status: number }> => {
  const { out, status } = await run(reader, 'dataset', ...args, '--json');
  return { ...JSON.parse(out), status };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-dataset-'));
  for (const name of ['codec_zlib', 'codec_lz4', 'codec_zstd'])
    copyFileSync(join(fixtures, `${name}.root`), at(`${name}.root`));
  const bytes = readFileSync(at('codec_zlib.root'));
  // One branch of another name, of as many letters.
  const renamed = readFileSync(join(fixtures, 'codec_none.root'));
  for (let i = renamed.indexOf('regular'); i >= 0; i = renamed.indexOf('regular', i + 1))
    renamed.write('REGULAR', i);
  writeFileSync(at('renamed.root'), renamed);
  const damaged = Buffer.from(bytes);
  damaged.fill(0x55, 700, 3000);
  writeFileSync(at('damaged.root'), damaged);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('files that fit together', async () => {
  const found = await report(at('codec_*.root'), 't');
  expect(found).toMatchObject({ status: 0, files: 3, failed: 0, findings: [] });
  expect(found.trees).toMatchObject([
    { path: 't', files: 3, entries: 900, schemas: [{ files: 3, missing: [] }] },
  ]);
  expect(Object.keys(found.codecs).sort()).toEqual(['lz4 4', 'zlib 1', 'zstd 5']);
  const { out, status } = await run(reader, 'dataset', at('codec_*.root'), 't');
  expect(out).toMatch(/^good {2}3 files {2}All files fit together\.$/m);
  expect(out).toMatch(/^t +900 +3 /m);
  expect(status).toBe(0);
});

test('a missing branch, another tree, a missing file', async () => {
  const files = `${at('codec_zlib.root')},${at('codec_lz4.root')},${at('renamed.root')},${at('none.root')}`;
  const found = await report(files, 't');
  expect(found.status).toBe(1);
  expect(found.trees[0]?.schemas[1]).toMatchObject({ files: 1, missing: ['regular'], added: ['REGULAR'] });
  expect(found.findings.find(({ rule }) => rule === 'schema')?.files).toEqual([at('renamed.root')]);
  expect(found.findings.find(({ rule }) => rule === 'unreadable')?.files).toEqual([at('none.root')]);
  const sample = resolve(import.meta.dirname, '../../../public/sample.root');
  const trees = await report(`${at('codec_zlib.root')},${sample}`);
  expect(trees.findings.filter(({ rule }) => rule === 'no-tree').map(({ files: names }) => names)).toEqual(
    expect.arrayContaining([[sample], [at('codec_zlib.root')]]),
  );
});

test('a terminal shows 40 of many branches that differ', async () => {
  const files = ['leaves', 'arrays', 'vectors'].map((name) => join(fixtures, `${name}.root`)).join(',');
  const { out } = await run(reader, 'dataset', files, 't');
  const [, table = ''] = /^Branches of t that differ.*\n([\s\S]*?)\n\n/m.exec(out) ?? [];
  expect(table.split('\n')).toHaveLength(42);
  expect(table).toMatch(/^… and \d+ more; --json has all\.$/m);
});

test('files that are cut off at different places are one finding', async () => {
  const bytes = readFileSync(at('codec_zlib.root'));
  const parts = [0.2, 0.3, 0.4];
  const cut = parts.map((part) => at(`cut${part}.root`));
  for (const [i, part] of parts.entries())
    writeFileSync(cut[i] ?? '', bytes.subarray(0, part * bytes.length));
  const { findings } = await report([at('codec_lz4.root'), ...cut].join(','), 't');
  expect(findings).toMatchObject([{ rule: 'unreadable', files: cut, count: 3 }]);
  expect(findings[0]?.message).toMatch(/^The file has … bytes/);
  const one = await report([at('codec_lz4.root'), cut[0]].join(','), 't');
  expect(one.findings[0]?.message).toMatch(/\d/);
});

test('a tree that no file has', async () => {
  const files = [at('codec_zlib.root'), at('codec_lz4.root')];
  const found = await report(files.join(','), 'Nowhere');
  expect(found).toMatchObject({ status: 1, files: 2, trees: [] });
  expect(found.findings).toMatchObject([{ rule: 'no-tree', severity: 'error', files, count: 2 }]);
  // A second file in the place of TREE.
  expect((await report(files[0] ?? '', files[1] ?? '')).status).toBe(1);
});

test('files stand in the order of the list, whichever is read first', async () => {
  const late: EngineReader = Object.create(reader, {
    open: {
      value: async (source: SourceSpec) => {
        if (source.kind === 'path' && source.path === at('codec_zlib.root')) await delay(200);
        return await reader.open(source);
      },
    },
  });
  const files = [at('codec_zlib.root'), at('renamed.root')];
  const { out } = await run(late, 'dataset', files.join(','), 't', '--json');
  const { trees } = JSON.parse(out) as DatasetReport;
  expect(trees[0]?.schemas.map(({ names }) => names)).toEqual(files.map((file) => [file]));
});

test('damage is found by --deep', async () => {
  const files = `${at('codec_lz4.root')},${at('damaged.root')}`;
  expect((await report(files, 't')).status).toBe(0);
  const deep = await report(files, 't', '--deep');
  expect(deep.status).toBe(1);
  expect(deep.findings.map(({ rule, files: names }) => [rule, names])).toContainEqual([
    'damage',
    [at('damaged.root')],
  ]);
});

test('types, copies, empty files and sizes that stand out', () => {
  const all = new Dataset();
  const add = (name: string, entries: number, storedBytes: number, type = 'float', uuid = name): void =>
    all.add({
      ...{ name, size: storedBytes, uuid, rootVersion: '6.36/00', notes: [] },
      trees: [
        { path: 't', entries, clusters: 1, storedBytes, codecs: ['zstd 5'], branches: [{ path: 'x', type }] },
      ],
    });
  for (let i = 0; i < 5; i++) add(`f${i}`, 1000, 10_000 + i);
  add('copy', 1000, 10_000, 'float', 'f0');
  add('large', 1000, 21_000);
  add('none', 0, 0);
  add('few', 9, 5000);
  add('double', 1000, 10_000, 'double');
  const { findings, trees } = all.report();
  const named = Object.fromEntries(findings.map(({ rule, files }) => [rule, files]));
  expect(named).toEqual({ duplicate: ['f0', 'copy'], schema: ['double'], empty: ['none'], size: ['large'] });
  expect(trees[0]?.schemas[1]?.types).toEqual([{ branch: 'x', type: 'double', usual: 'float' }]);
});

test('luminosity blocks that several files have', async () => {
  const collector = new LumiCollector();
  expect(collector.add([2, 1, 1, 1, 1, 1], [7, 3, 3, 1, 2, 5])).toBe(true);
  expect(collector.ranges()).toEqual([
    [1, 1, 3],
    [1, 5, 5],
    [2, 7, 7],
  ]);
  expect(
    new LumiCollector().add(
      new Float64Array(200_000),
      Float64Array.from({ length: 200_000 }, (_, i) => i),
    ),
  ).toBe(false);
  // Each block of each file, as a list of all files would count them.
  const files = [
    { file: 'a', lumis: [[1, 1, 10]] },
    {
      file: 'b',
      lumis: [
        [1, 2, 3],
        [1, 9, 12],
        [2, 1, 1],
      ],
    },
    {
      file: 'c',
      lumis: [
        [1, 12, 12],
        [3, 1, 4],
      ],
    },
    { file: 'd', lumis: [[2, 2, 5]] },
    { file: 'e', lumis: [[3, 4, 4]] },
    { file: 'f', lumis: [[4, 1, 1]] },
    { file: 'g', lumis: [[4, 1, 1]] },
  ] as { file: string; lumis: [number, number, number][] }[];
  const found = sharedLumis(files);
  expect(found.map(({ files: names }) => names)).toEqual([
    ['a', 'b', 'c', 'e'],
    ['f', 'g'],
  ]);
  const counts = new Map<string, number>();
  for (const { lumis } of files)
    for (const [run, first, last] of lumis)
      for (let at = first; at <= last; at++)
        counts.set(`${run}:${at}`, (counts.get(`${run}:${at}`) ?? 0) + 1);
  const twice = found.flatMap(({ ranges }) =>
    ranges.flatMap(([run, first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => `${run}:${first + i}`),
    ),
  );
  expect(twice.sort()).toEqual([...counts].flatMap(([key, count]) => (count > 1 ? [key] : [])).sort());
  expect(lumisText(found[0]?.ranges ?? [], 2)).toBe('run 1: 2 to 3, 9 to 10; and 2 more');

  const sample = resolve(import.meta.dirname, '../../../public/sample.root');
  writeFileSync(at('again.root'), readFileSync(sample));
  const { findings, status } = await report(`${sample},${at('again.root')}`, 'Events');
  expect(findings.map(({ rule }) => rule)).toEqual(['overlap']);
  expect(findings[0]).toMatchObject({ severity: 'note', files: [sample, at('again.root')] });
  expect(findings[0]?.message).toMatch(/run \d+: \d+ to \d+/);
  expect(status).toBe(0);
});

test('a comparison goes on from what is known', async () => {
  const copies = ['one', 'two', 'three'].map((name) => at(`${name}.root`));
  for (const path of copies) {
    copyFileSync(join(fixtures, 'codec_zlib.root'), path);
    utimesSync(path, 1000, 1000);
  }
  const list = `${copies.join(',')},${at('late.root')}`;
  const known = ['--resume', at('known.jsonl')];
  const first = await report(list, 't', ...known);
  expect(first).toMatchObject({ files: 3, failed: 1 });
  // Known files are not read again: two of the files are made unreadable, with the same time of change.
  const text = readFileSync(at('known.jsonl'), 'utf8');
  expect(text.trim().split('\n')).toHaveLength(5);
  for (const path of copies.slice(0, 2)) {
    writeFileSync(path, 'gone');
    utimesSync(path, 1000, 1000);
  }
  copyFileSync(at('renamed.root'), at('late.root'));
  copyFileSync(at('renamed.root'), at('three.root'));
  const second = await report(list, 't', ...known);
  expect(second).toMatchObject({ files: 4, failed: 0 });
  expect(second.trees[0]?.schemas.map(({ names }) => [...names].sort())).toEqual([
    [at('one.root'), at('two.root')],
    [at('late.root'), at('three.root')],
  ]);
  // Another question, and another file.
  const deep = await run(reader, 'dataset', list, 't', '--deep', ...known);
  expect([deep.status, deep.err]).toEqual([1, expect.stringContaining('other options')]);
  for (const broken of [
    '',
    'x',
    '[]',
    text.replace('"schema":0', '"schema":9'),
    text.replace('"rootVersion"', '"s"'),
  ]) {
    writeFileSync(at('broken.jsonl'), broken);
    const { err } = await run(reader, 'dataset', list, 't', '--resume', at('broken.jsonl'));
    expect(err).toContain('is not what "xylem dataset --resume" of this version wrote');
  }
});
