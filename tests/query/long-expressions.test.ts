import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { FileId, Histogram } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { makeEngine } from '../engine/fixtures';

let engine: EngineApi;
let id: FileId;

beforeAll(async () => {
  engine = await makeEngine();
  const path = join(import.meta.dirname, '../../public/sample.root');
  id = (await engine.open({ kind: 'path', path })).id;
});

const draw = async (expr: string, cut?: string): Promise<Histogram> =>
  (await engine.draw(id, { tree: 'Events', expr: `${expr}>>h(3,0,0)`, cut })) as Histogram;

const sum = (terms: number, operator = '+', term = '1') => Array(terms).fill(term).join(operator);

// The program of 1,023 numbers has more than 64 KiB.
test.each([
  ['a sum of 1,023 numbers', sum(1023), 1023],
  ['a sum of 2,500 numbers', sum(2500), 2500],
  ['a sum of 9,999 numbers', sum(9999), 9999],
  ['differences', sum(2500, '-'), -2498],
  ['products', sum(2500, '*'), 1],
  ['comparisons', sum(2500, '&&'), 1],
  ['bits', sum(2500, '|'), 1],
  ['functions with two arguments', sum(1500, '+', 'max(1,2)'), 3000],
  ['functions of the mathematical module', sum(1500, '+', 'TMath::Gamma(1)'), 1500],
  ['brackets', sum(20, '+', `${'('.repeat(250)}1${')'.repeat(250)}`), 20],
  ['choices', sum(1500, '+', '(1>0?2:3)'), 3000],
  ['lengths of the file', sum(2500, '+', 'Entries$'), 2500 * 2400],
])('a long expression without a branch: %s', async (_, expr, value) => {
  const { fills, mean, min, max } = await draw(expr);
  expect([fills, mean[0], min[0], max[0]]).toEqual([2400, value, value, value]);
});

test('a long cut, and a long expression below a cut', async () => {
  const some = await draw('1', 'Entry$<100');
  expect(some.fills).toBe(100);
  expect((await draw('1', `Entry$<100&&(${sum(2500)})`)).fills).toBe(some.fills);
  const both = await draw(sum(2500), `${sum(2500, '*', '(Entry$<100)')}`);
  expect([both.fills, both.mean[0]]).toEqual([100, 2500]);
});

test('a table and a list of entries by a long expression', async () => {
  const list = await engine.draw(id, { tree: 'Events', expr: '>>list', cut: `Entry$<3&&(${sum(2500)})` });
  expect(list).toMatchObject({ kind: 'entries' });
  expect([...(list as unknown as { numbers: Iterable<number> }).numbers].map(Number)).toEqual([0, 1, 2]);
});
