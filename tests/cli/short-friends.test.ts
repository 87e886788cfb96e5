// Needs features: exports.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, expect, test } from 'vitest';
import { fixtureFolder } from '../engine/fixtures';
import { withReader } from '../engine-reader';
import { run } from './support';

/*
 * A friend of 60 entries beside a tree of 2,400: after entry 59 it has no numbers, texts or lists. No format may show
 * NaN, an empty text or an empty list for them, which are values that a friend can have.
 */

const sample = join(import.meta.dirname, '../../public/sample.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-short-friends-'));
const friend = ['--friend', `f=${join(fixtureFolder, 'missing', 'whole.root')}#t`];
const COLUMNS = 'f.y:f.x:f.s:f.v:f.v+MET_pt:nMuon';
const reader = withReader();

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function exported(format: string, columns: string, entries = '58:62', ...more: string[]) {
  const out = join(folder, `out.${format}`);
  const ran = await run(
    reader,
    ...['export', sample, 'Events', columns, '--entries', entries, '--format', format, ...friend],
    ...['--out', out, '--force', ...more],
  );
  return { ...ran, out };
}

const isThere = (rows: unknown[][]) => rows.map((row) => row.map((value) => value !== null));
const HALF = [true, true, true, true, true, true];
const NONE = [false, false, false, false, false, true];

test('scan by entry has null', async () => {
  const ran = await run(
    reader,
    ...['scan', sample, 'Events', COLUMNS, '--by', 'entry', '--entries', '58:62', '--json', ...friend],
  );
  const rows = ran.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).values);
  expect(isThere(rows)).toEqual([HALF, HALF, NONE, NONE]);
  expect(rows[1][2]).toMatch(/./);
});

test('JSON Lines have null', async () => {
  const { status, out } = await exported('jsonl', COLUMNS);
  expect(status).toBe(0);
  const rows = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Object.values(JSON.parse(line)));
  expect(isThere(rows)).toEqual([HALF, HALF, NONE, NONE]);
});

test('Arrow and Parquet have nulls', async () => {
  const arrow = await exported('arrow', COLUMNS);
  const table = tableFromIPC(readFileSync(arrow.out));
  const rows = table.toArray().map((row) => [...row].map(([, value]) => value));
  expect(isThere(rows)).toEqual([HALF, HALF, NONE, NONE]);
  const parquet = await exported('parquet', COLUMNS, '58:62', '--compression', 'none');
  const bytes = new Uint8Array(readFileSync(parquet.out));
  const read = await parquetReadObjects({ file: bytes.buffer.slice(0, bytes.length) as ArrayBuffer });
  expect(isThere(read.map((row) => Object.values(row).map((value) => value ?? null)))).toEqual([
    HALF,
    HALF,
    NONE,
    NONE,
  ]);
});

test('CSV has empty cells for numbers and lists, and refuses texts', async () => {
  for (const format of ['csv', 'tsv']) {
    const { status, out } = await exported(format, 'nMuon:f.y:f.v');
    expect(status).toBe(0);
    const cells = readFileSync(out, 'utf8')
      .trimEnd()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(format === 'csv' ? ',' : '\t'));
    expect(cells[0]?.[1]).toMatch(/\d/);
    expect(cells.slice(2).map((row) => row.slice(1).join(''))).toEqual(['', '']);
    await refused(format, 'f.s');
  }
});

test('formats without a form for it refuse it', async () => {
  await refused('npy', 'f.y');
  await refused('npz', 'f.y:f.x');
  await refused('root', 'f.y');
  await refused('root', 'f.s');
  await refused('root', 'f.v');
});

test('an RNTuple has optional fields', async () => {
  const { status, out } = await exported('rntuple', COLUMNS);
  expect(status).toBe(0);
  const values = await run(reader, 'values', out, 'Events', '--json');
  expect(values.out).toContain('null');
});

async function refused(format: string, columns: string): Promise<void> {
  const ran = await exported(format, columns);
  expect([format, columns, ran.status]).toEqual([format, columns, 1]);
  expect(ran.err).toContain('has no value for entry 60, because the friend "f" has only 60 entries');
  expect(ran.err).toContain('--entries');
  expect((await exported(format, columns, '50:60')).status).toBe(0);
}
