// Needs features: layers.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlainObject } from '../../web/api/api';
import { projected } from '../../web/bins/project';
import { histogramOfObject } from '../../web/bins/stored-histogram';
import { openRoot, type RootHandle } from '../../web/node';
import { run } from '../cli/support';
import { makeEngine } from '../engine/fixtures';
import { withReader } from '../engine-reader';
import { expectSame, isInside, members, near } from './by-root';
import type { ByRoot } from './recorded';

const files = resolve('tests/fixtures/files/bins');
const path = join(files, 'projected.root');
/** Projections of ROOT: see tests/fixtures/make_bins.py. */
const byRoot = JSON.parse(readFileSync(join(files, 'projections.json'), 'utf8')) as Record<
  string,
  Record<string, ByRoot>
>;
const all = Object.entries(byRoot).flatMap(([name, found]) =>
  Object.entries(found).map(([how, wanted]) => [name, how, wanted] as const),
);

const reader = withReader(makeEngine);
let file: RootHandle;
let folder: string;
beforeAll(async () => {
  file = await openRoot(path, { workers: 0 });
  folder = await mkdtemp(join(tmpdir(), 'xylem-projections-'));
});
afterAll(async () => {
  await file.close();
  await rm(folder, { recursive: true });
});

test.each(all)('%s projected to "%s" is that of ROOT', async (name, how, wanted) => {
  const found = projected(await file.object(name), how);
  expectSame(found, wanted);
  expect(found.stored?.className).toBe(wanted.class);
});

/** Rows of --csv as their numbers. */
const rowsOf = (csv: string): number[][] =>
  csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

test.each(all)('%s projected to "%s" is followed by every output', async (name, how, wanted) => {
  const draw = async (...args: string[]) => {
    const { out, err, status } = await run(reader, 'draw', path, name, '--project', how, ...args);
    expect(status, err).toBe(0);
    return out;
  };
  for (const option of [['--json'], ['--root-json', '-']])
    expectSame(histogramOfObject(members(await draw(...option))), wanted);
  const saved = join(folder, 'one.root');
  await draw('--force', '--root', saved);
  await using copy = await openRoot(saved, { workers: 0 });
  expectSame(await copy.histogram(name), wanted);
  const inside = wanted.filled.filter(([cell]) => isInside(cell, wanted.edges));
  const total = inside.reduce((sum, [, content]) => sum + content, 0);
  const rows = rowsOf(await draw('--csv', '-'));
  expect(rows).toHaveLength(wanted.edges.reduce((product, { length }) => product * (length - 1), 1));
  const at = 2 * wanted.edges.length;
  near(
    rows.reduce((sum, row) => sum + (row[at] ?? 0), 0),
    total,
    'contents',
    1e3,
  );
  if (!wanted.class.startsWith('TProfile')) {
    const { axes, storage } = JSON.parse(await draw('--uhi', '-')) as {
      axes: object[];
      storage: { values: unknown[] };
    };
    expect(axes).toHaveLength(wanted.edges.length);
    const cells = storage.values.flat(3) as number[];
    near(
      cells.reduce((sum, value) => sum + value, 0),
      wanted.filled.reduce((sum, [, content]) => sum + content, 0),
      'cells',
      1e3,
    );
  }
  expect(await draw('--svg', '-')).toContain('<svg');
  expect(await draw()).toContain(
    Math.round(wanted.entries) === wanted.entries ? `${wanted.entries}` : 'Entries',
  );
});

test.each([
  ['h1_in', 'x;x=1', 'ARGUMENT'],
  ['h2_in', 'x;z=1:1', 'ARGUMENT'],
  ['h2_in', 'x;y=0:1', 'ARGUMENT'],
  ['h3_in', 'x,y,z', 'ARGUMENT'],
])('%s: "%s" is no projection', async (name, how, code) => {
  const object = await file.object(name);
  expect(() => projected(object, how)).toThrowError(expect.objectContaining({ code }));
});

test('without --project the drawing of three axes says which projection it is', async () => {
  const plain = await run(reader, 'draw', path, 'h3_in');
  expect(plain.err).toBe(
    'note: "h3_in" has 3 axes, x, y, z: the projection to x, y is drawn; --project names others\n',
  );
  expect(plain.out).toBe((await run(reader, 'draw', path, 'h3_in', '--project', 'x,y')).out);
  expect((await run(reader, 'draw', path, 'h2_in')).err).toBe('');
});

test('what has no projections says so', () => {
  expect(() => projected({ _typename: 'TGraph', fName: 'g' } as PlainObject, 'x')).toThrowError(
    expect.objectContaining({ code: 'UNSUPPORTED' }),
  );
});

test.each([
  [['h1_in', '--option', 'prof'], /a stored TH1D, for which --option prof is not followed/],
  [['h3_in', '--option', 'colz'], /a stored TH3D, for which --option colz is not followed/],
  [['h2_in', '--project', 'x', '--option', 'cont'], /--option does not go with --project/],
  [['h2_in', '--project', 'x', '--layer', 'h2_out'], /--project does not go with --layer/],
])('draw %j is refused by name', async (args, why) => {
  for (const more of [[], ['--csv', '-'], ['--json']]) {
    const { status, err, out } = await run(reader, 'draw', path, ...args, ...more);
    expect([status > 0, `${err} ${out}`.replaceAll('\n', ' ')]).toEqual([true, expect.stringMatching(why)]);
  }
});
