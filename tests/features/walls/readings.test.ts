import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparedBins } from '../../../web/bins/compared-bins';
import { momentsOfSums } from '../../../web/bins/statistics';
import { histogramOfObject } from '../../../web/bins/stored-histogram';
import { storedTiles } from '../../../web/features/walls/work/stored-tiles';
import { openRoot, type RootHandle } from '../../../web/node';
import { loadKinds, modelOfObject } from '../../../web/plot/stored/stored';
import { plotSvg } from '../../../web/plot/svg';
import { expectSame, isInside, members, near } from '../../bins/by-root';
import { type ByRoot, values as byRoot } from '../../bins/recorded';
import { run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const files = resolve('tests/fixtures/files/bins');
const path = join(files, 'bins.root');
/** Bins that only ROOT chooses, and one that has none yet. */
const REFUSED = ['power', 'never'];
const objects = Object.entries(byRoot).filter(([name]) => !REFUSED.includes(name));

const reader = withReader(makeEngine);
let file: RootHandle;
let folder: string;
beforeAll(async () => {
  file = await openRoot(path, { workers: 0 });
  folder = await mkdtemp(join(tmpdir(), 'xylem-bins-'));
});
afterAll(async () => {
  await file.close();
  await rm(folder, { recursive: true });
});

const isMap = ({ edges }: ByRoot) => edges.length > 1;
const drawnNumber = (text: string | undefined): number =>
  Number(text?.replaceAll(',', '').replaceAll(' ', '').replace('−', '-'));

describe.each(objects)('%s is read as ROOT reads it', (name, wanted) => {
  test('as a histogram of the library', async () => {
    const found = await file.histogram(name);
    expectSame(found, wanted);
    expect(found.stored?.className).toBe(wanted.class);
  });

  test('as a picture and its statistics', async () => {
    const object = await file.object(name);
    await loadKinds(object);
    const model = modelOfObject(object);
    if (wanted.edges.length > 2) return;
    const line = (label: string) => drawnNumber(model?.stats.find((one) => one.label === label)?.value);
    expect(Math.abs(line('Entries') - wanted.entries)).toBeLessThan(1e-5 * Math.max(1, wanted.entries));
    if (!name.startsWith('times'))
      for (const [i, of] of (isMap(wanted) ? [' x', ' y'] : ['']).entries()) {
        expect(Math.abs(line(`Mean${of}`) - (wanted.means[i] ?? 0))).toBeLessThan(
          1e-5 * Math.max(1, Math.abs(wanted.means[i] ?? 0)),
        );
        expect(Math.abs(line(`Std dev${of}`) - (wanted.deviations[i] ?? 0))).toBeLessThan(
          1e-5 * Math.max(1, wanted.deviations[i] ?? 0),
        );
      }
    const values = model && 'values' in model ? model.values : new Float64Array();
    const own = histogramOfObject(object);
    const [nx = 0, ny = 1] = own.axes.map(({ bins }) => bins);
    const filled = new Map(
      wanted.filled.map(([cell, value, , weight]) => [cell, weight === 0 ? Number.NaN : value]),
    );
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) {
        const cell = isMap(wanted) ? (j + 1) * (nx + 2) + i + 1 : i + 1;
        const value = values[j * nx + i] ?? Number.NaN;
        near(Number.isNaN(value) ? 0 : value, filled.get(cell) || 0, `bin ${i}, ${j}`);
      }
  });

  test('as the same picture of the object and of the histogram of the library', async () => {
    if (wanted.edges.length > 2) return;
    const model = modelOfObject(await file.object(name));
    expect(model && plotSvg(model)).toBe(plotSvg(await file.histogram(name)));
  });

  test('in the tile and the comparison of a wall', async () => {
    const object = await file.object(name);
    const [tile] = await storedTiles(reader, [name], [{ object }]);
    expect(tile?.entries).toBe(wanted.entries);
    const bins = comparedBins(histogramOfObject(object));
    for (const [cell, value] of wanted.filled) near(bins.withFlow.counts[cell], value, `cell ${cell}`);
  });

  test('by draw --csv, --json, --root-json and --root', async () => {
    const draw = async (...args: string[]) => {
      const { out, err, status } = await run(reader, 'draw', path, name, ...args);
      expect(status, err).toBe(0);
      return out;
    };
    expectSame(histogramOfObject(members(await draw('--json'))), wanted);
    const profile3 = wanted.class === 'TProfile3D';
    const rows = (await draw('--csv', '-')).trim().split('\n');
    const [head = '', ...lines] = rows;
    const at = head.split(',').indexOf(wanted.class.startsWith('TProfile') ? 'mean' : 'content');
    const sum = lines.reduce((all, line) => all + Number(line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)[at]), 0);
    const inside = wanted.filled.filter(([cell]) => isInside(cell, wanted.edges));
    near(
      sum,
      inside.reduce((all, [, value]) => all + value, 0),
      'sum of the bins',
      1e3,
    );
    if (profile3) return;
    expectSame(histogramOfObject(members(await draw('--root-json', '-'))), wanted);
    const saved = join(folder, `${name}.root`);
    await draw('--root', saved);
    await using copy = await openRoot(saved, { workers: 0 });
    const again = await copy.histogram(name);
    expectSame(again, wanted);
    const asStored = await file.histogram(name);
    expect(again.stats?.length).toBe(asStored.stats?.length);
    for (const [i, one] of (asStored.stats ?? []).entries()) near(again.stats?.[i], one, `sum ${i}`, 1e3);
  });
});

test.each(REFUSED)('%s has no bins yet: an error says so in every reading', async (name) => {
  await expect(file.histogram(name)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  const object = await file.object(name);
  const [tile] = await storedTiles(reader, [name], [{ object }]);
  expect(tile?.model).toBeUndefined();
  expect(tile?.why).toMatch(name === 'power' ? /powers of two/ : /no bins yet/);
  for (const args of [[], ['--csv', '-'], ['--svg', '-']]) {
    const { status, err } = await run(reader, 'draw', path, name, ...args);
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(name === 'power' ? /powers of two/ : /no bins yet/),
    ]);
  }
});

test('values that differ in the buffer only are not the same', async () => {
  const args = ['wall', path, 'fixed', 'mixed', '--reference', join(files, 'other.root'), '--json'];
  const { out, err } = await run(reader, ...args);
  const { plots } = JSON.parse(out || '{}') as { plots?: { name: string; state: string }[] };
  expect(err).toBe('');
  const states = (plots ?? [])
    .filter(({ name }) => ['fixed', 'mixed'].includes(name))
    .map(({ state }) => state);
  expect(states).toEqual(['compared', 'compared']);
});

test('layers have the bins of ROOT, too', async () => {
  const names = ['fixed', 'mixed', 'fixed_weights', 'known'];
  const layers = names.slice(1).flatMap((name) => ['--layer', name]);
  const { out, err, status } = await run(reader, 'draw', path, 'fixed', ...layers, '--json');
  expect(status, err).toBe(0);
  const found = (JSON.parse(out) as { layers: { sums: number[]; mean: number[] }[] }).layers;
  for (const [i, name] of names.entries()) {
    for (const [cell, content] of byRoot[name]?.filled ?? [])
      near(found[i]?.sums[cell], content, `cell ${cell} of ${name}`);
    near(found[i]?.mean[0], byRoot[name]?.means[0] ?? Number.NaN, `mean of ${name}`);
  }
});

test('sums of weights that are 0 have the mean 0', () => {
  expect(momentsOfSums([0, 2, -1, -2], 1, false)).toMatchObject({
    mean: [0],
    stdDev: [0],
    weight: 0,
    effective: 0,
  });
});
