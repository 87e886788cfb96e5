import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReaderApi } from '../../../web/api/api';
import { Dataset, type DatasetReport } from '../../../web/insight/dataset';
import { makeEngine } from '../../engine/fixtures';
import { run } from '../support';

const fixtures = resolve(import.meta.dirname, '../../fixtures/files');
let reader: ReaderApi;
let folder: string;
const at = (name: string): string => join(folder, name);
const report = async (...args: string[]): Promise<DatasetReport & { status: number }> => {
  const { out, status } = await run(reader, 'dataset', ...args, '--json');
  return { ...JSON.parse(out), status };
};

beforeAll(async () => {
  reader = await makeEngine();
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
afterAll(() => rmSync(folder, { recursive: true }));

test('files that fit together', async () => {
  const found = await report(at('codec_*.root'), 't');
  expect(found).toMatchObject({ status: 0, files: 3, failed: 0, findings: [] });
  expect(found.trees).toMatchObject([
    { path: 't', files: 3, entries: 900, schemas: [{ files: 3, missing: [] }] },
  ]);
  expect(Object.keys(found.codecs).sort()).toEqual(['lz4 4', 'zlib 1', 'zstd 5']);
  const { out, status } = await run(reader, 'dataset', at('codec_*.root'), 't');
  expect(out).toContain('3 files, 0 of them unreadable');
  expect(out).toContain('900 entries in 3 files');
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
