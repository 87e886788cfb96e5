import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { FileId, Histogram } from '../../web/api/api';
import { makeEngine } from '../engine/fixtures';
import { withReader } from '../engine-reader';

const reader = withReader(makeEngine);
let file: FileId;
beforeAll(async () => {
  const buffer = new Uint8Array(readFileSync(resolve(import.meta.dirname, '../../public/sample.root')))
    .buffer;
  file = (await reader.open({ kind: 'buffer', buffer, name: 'sample.root' })).id;
});

async function draw(expr: string, more: { cut?: string; seed?: number } = {}): Promise<Histogram> {
  const result = await reader.draw(file, { tree: 'Events', expr, ...more });
  if (result.kind !== 'histogram') throw new Error(result.kind);
  return result;
}

test('rndm is even over (0, 1), and the seed that the result has gives it again', async () => {
  const first = await draw('rndm>>h(10,0,1)');
  expect(first.seed).toBe(1);
  const { entries } = await reader.tree(file, 'Events');
  expect(first.fills).toBe(entries);
  expect(first.sums[0]).toBe(0);
  expect(first.sums[11]).toBe(0);
  // Five standard deviations of a count of entries / 10.
  for (const sum of first.sums.slice(1, 11))
    expect(Math.abs(sum - entries / 10)).toBeLessThan(5 * Math.sqrt(entries / 10));
  expect((await draw('rndm>>h(10,0,1)', { seed: 1 })).sums).toEqual(first.sums);
  expect((await draw('rndm>>h(10,0,1)', { seed: 2 })).sums).not.toEqual(first.sums);
});

test('each instance and each place in an expression has a number of its own', async () => {
  const columns = 'rndm:Muon_pt*0+rndm';
  const { values } = await reader.scan(file, { tree: 'Events', columns, limit: 50, by: 'instance' });
  const [one, other] = values;
  expect(new Set(other).size).toBe(other?.length);
  expect(one).not.toEqual(other);
  const kept = await draw('Muon_pt', { cut: 'rndm<0.5' });
  const all = await draw('Muon_pt');
  expect(kept.fills / all.fills).toBeGreaterThan(0.4);
  expect(kept.fills / all.fills).toBeLessThan(0.6);
  expect(all.seed).toBeUndefined();
});

test('a text with the word rndm has no seed', async () => {
  const cut = '"rndm"!="x"&&Muon_pt>5';
  expect((await draw('Muon_pt', { cut })).seed).toBeUndefined();
  expect((await draw('Muon_pt', { cut: `${cut}&&rndm<2` })).seed).toBe(1);
});

test('a seed is a whole number', async () => {
  await expect(draw('rndm', { seed: 0.5 })).rejects.toMatchObject({ code: 'ARGUMENT' });
});
