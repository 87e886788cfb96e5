import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { CoreSums } from '../../../web/features/writer/work/encode/core-sums';
import { addObject, isAdded, newSum } from '../../../web/features/writer/work/merge/objects/adders';
import { bothModules, recordsOf } from './module';

let modules: Awaited<ReturnType<typeof bothModules>>;
beforeAll(async () => {
  modules = await bothModules();
});

const folder = resolve(import.meta.dirname, 'merged');

test('histograms that the module adds are those that are added as data, to the bit', () => {
  const [first, second] = ['part0.root', 'part1.root'].map((name) => {
    const bytes = new Uint8Array(readFileSync(join(folder, name)));
    return { bytes, ...recordsOf(modules, bytes) };
  });
  if (!first || !second) throw new Error('there are two files');
  const sums = new CoreSums(modules.writer);
  sums.allow(1e9);
  const adding = { classes: { derives: () => false, check() {} }, mayChange: false };
  const added: string[] = [];
  for (const { className = '', name, at, nbytes } of first.records) {
    const other = second.records.find((record) => record.name === name && record.className === className);
    if (!isAdded(className) || !other) continue;
    const record = first.bytes.slice(at, at + nbytes);
    const more = second.bytes.slice(other.at, other.at + other.nbytes);
    const [sum] = sums.add(first.classes, record, [record.length], [undefined]);
    const [twice] = sums.add(second.classes, more, [more.length], [sum]);
    if (sum === undefined || twice === undefined) continue;
    const [three] = sums.add(first.classes, record, [record.length], [sum]);
    expect(three, name).toBe(sum);
    const state = newSum();
    let expected = addObject(first.classes.read(record), second.classes.read(more), state, adding);
    expected = addObject(expected, first.classes.read(record), state, adding);
    expect(sums.object(sum), name).toEqual(expected);
    added.push(`${className} ${name}`);
  }
  sums.free();
  expect(added).toEqual(
    expect.arrayContaining([
      ...['TH1C h1c', 'TH1L h1l', 'TH1F h1f', 'TH1F weighted', 'TH2F h2f', 'TH3D h3d'],
      ...['TProfile p1', 'TProfile p1_weighted', 'TProfile2D p2', 'TProfile3D p3', 'TH1D empty_first'],
    ]),
  );
  const left = [
    'weighted_later',
    'set',
    'zero_sum',
    'ranged',
    'coarse',
    'buffer_open',
    'names',
    'graph',
    'eff',
  ];
  expect(added.map((line) => line.split(' ')[1]).filter((name) => left.includes(name ?? ''))).toEqual([]);
});
