import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Run, run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-process-slips-'));
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const reader = withReader(makeEngine);
let count = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a selector with this text over the file of 2,400 entries. */
function processed(text: string, ...options: string[]): Promise<Run> {
  const path = join(folder, `s${count++}.mjs`);
  writeFileSync(path, `export default { ${text} };\n`);
  return run(reader, 'process', path, sample, 'Events', ...options);
}

const BEGIN = `begin: (job) => ({
  n: job.counter(), l: job.labels(), h1: job.hist([4, 0, 4]), h2: job.hist([4, 0, 4], [4, 0, 4]),
  h3: job.hist([4, 0, 4], [4, 0, 4], [4, 0, 4]), p: job.profile([4, 0, 4]),
  t: job.table({ x: 'number', w: 'whole', u: 'unsigned', s: 'text' }),
}),`;

/** The calls that fill, each with one value that is given as `x`. */
const calls = {
  'amount of a counter': 'o.n.add(x)',
  'amount of a label': "o.l.add('all', x)",
  label: 'o.l.add(x)',
  'value in one dimension': 'o.h1.fill(x)',
  'value before a weight': 'o.h1.fill(x, 2)',
  'value of a list': 'o.h1.fill([1, x])',
  'value beside a list': 'o.h2.fill([1, 2], x)',
  'second value': 'o.h2.fill(1, x)',
  'third value': 'o.h3.fill(1, 1, x)',
  'value of a profile': 'o.p.fill(1, x)',
  'weight in one dimension': 'o.h1.fill(1, x)',
  'weight in two dimensions': 'o.h2.fill(1, 1, x)',
  'weight in three dimensions': 'o.h3.fill(1, 1, 1, x)',
  'weight of a profile': 'o.p.fill(1, 1, x)',
  'weight of a list': 'o.h1.fill([1, 2], x)',
  'weight in a list': 'o.h1.fill([1, 2], [1, x])',
  'weight in doubles': 'o.h1.fill(Float64Array.of(1, 2), Float64Array.of(1, x))',
  'weight in many doubles': 'o.h1.fill(new Float64Array(5000), new Float64Array(5000).fill(x))',
  'number of a row': "o.t.row({ x, w: 1, u: 1, s: '' })",
  'whole number of a row': "o.t.row({ x: 1, w: x, u: 1, s: '' })",
  'text of a row': 'o.t.row({ x: 1, w: 1, u: 1, s: x })',
};
type Name = keyof typeof calls;
const names = Object.keys(calls) as Name[];
const values = {
  undefined: 'undefined',
  NaN: 'NaN',
  null: 'null',
  text: "'b'",
  whole: '3n',
  Infinity: 'Infinity',
};
const isWeight = (name: Name): boolean => /^(amount|weight)/.test(name);
const isDoubles = (name: Name): boolean => name.includes('doubles');

/** Whether a call takes a kind of value. */
function takes(name: Name, value: keyof typeof values): boolean {
  // JavaScript itself makes doubles of the others: undefined and a text become NaN, null 0; 3n is a TypeError.
  if (isDoubles(name)) return value === 'null';
  switch (value) {
    case 'undefined':
    case 'null':
      return false;
    case 'text':
      return name === 'label' || name === 'text of a row';
    case 'whole':
      return !name.startsWith('text');
    default:
      return !isWeight(name) && !/^(whole|text)/.test(name);
  }
}

describe.each(Object.entries(values))('%s', (kind, value) => {
  test.each(names)('as %s', async (name) => {
    const call = calls[name].replace(/\bx\b(?!:)/, kind === 'undefined' ? 'v.met.wieght' : value);
    const filled = name === 'number of a row' ? calls[name].replace('{ x,', `{ x: ${value},`) : call;
    const text = `branches: { met: 'MET_pt' }, where: 'LocalEntry$ == 7', ${BEGIN} entry(v, o) { ${filled}; }`;
    const { status, err } = await processed(text, '--json');
    const isTaken = takes(name, kind as keyof typeof values);
    expect([status, err === '']).toEqual(isTaken ? [0, true] : [1, false]);
    if (!isTaken) expect(err).toMatch(/s\d+\.mjs:\d+:\d+ failed at entry 7 of "Events" in .*sample\.root/);
  });
});

test('what is left out counts as 1, and more than one amount is an error', async () => {
  const text = (call: string) => `branches: { met: 'MET_pt' }, ${BEGIN} entry(v, o) { ${call} }`;
  const { out } = await processed(text("o.n.add(); o.l.add('a'); o.h1.fill(1); o.p.fill(1, 1);"), '--json');
  const { results } = JSON.parse(out);
  expect([results.n, results.l.a, results.h1.sums[2], results.p.weights[2]]).toEqual([
    2400, 2400, 2400, 2400,
  ]);
  for (const call of ['o.n.add(1, 2);', "o.l.add('a', 1, 2);"])
    expect((await processed(text(call))).err).toContain('at most one amount');
});

test('values that are NaN are told beside the number of fills', async () => {
  const { out, status } = await processed(
    `branches: { met: 'MET_pt' }, begin: (job) => ({ h: job.hist([4, 0, 4]), all: job.hist([4, 0, 4]) }),
     entry({ met }, o, { entry }) { o.h.fill(entry < 400 ? NaN : met); o.all.fill(met); }`,
  );
  expect(status).toBe(0);
  expect(out).toMatch(/^h +2,400 fills, 400 of them NaN, mean/m);
  expect(out).toMatch(/^all +2,400 fills, mean/m);
});

test.each([
  ['entry(v, o) { o.n.add(v.wieght); }', 'Did you mean "weight"?'],
  ['entry({ wieght }, o) { o.n.add(); }', 'Did you mean "weight"?'],
  ['process(columns, o) { o.n.add(columns.wieght.length); }', 'Did you mean "weight"?'],
  ['process({ wieght = [] }, o) { o.n.add(); }', 'Did you mean "weight"?'],
  ['entry(v, o) { if (v.zzz > 3) o.n.add(); }', 'They are weight, met.'],
])('a name that branches does not give is an error: %s', async (code, fix) => {
  const { status, err } = await processed(
    `branches: { weight: 'PV_npvs', met: 'MET_pt' }, begin: (job) => ({ n: job.counter() }), ${code}`,
  );
  expect(status).toBe(1);
  expect(err).toMatch(/"(wieght|zzz)" is not one of the names that "branches" of the selector gives/);
  expect(err).toContain(fix);
});

test('members that are of any object are read, and names can be asked for', async () => {
  const { out } = await processed(
    `branches: { met: 'MET_pt' }, begin: (job) => ({ l: job.labels() }),
     entry(v, o) { o.l.add(JSON.stringify(Object.keys(v)) + ('wieght' in v) + String(v) + JSON.stringify({ ...v }).length % 1 + v.hasOwnProperty('met')); },`,
    '--json',
  );
  expect(JSON.parse(out).results.l).toEqual({ '["met"]false[object Object]0true': 2400 });
});

test('a list in place of branches by names is refused before anything is read, with the right form', async () => {
  const { status, err } = await processed(
    "branches: ['Muon_pt', 'a.b'], begin: (job) => ({ n: job.counter() }), entry() {}",
  );
  expect(status).toBe(1);
  expect(err).toContain('Write branches: { Muon_pt: \'Muon_pt\', "a.b": "a.b" }.');
});

test.each([
  ["wher: 'nMuon > 1'", 'where'],
  ["Where: 'nMuon > 1'", 'where'],
  ['merg: () => ({})', 'merge'],
])('a misspelt member of a selector is refused: %s', async (member, meant) => {
  const { status, err } = await processed(
    `branches: { met: 'MET_pt' }, ${member}, begin: (job) => ({ n: job.counter() }), entry(v, o) { o.n.add(); }`,
  );
  expect(status).toBe(1);
  expect(err).toContain(`Did you mean "${meant}"?`);
});

test('members for helpers are taken', async () => {
  const { out } = await processed(
    `branches: { met: 'MET_pt' }, version: 1, low: 0, isGood(x) { return x >= this.low; },
     begin: (job) => ({ n: job.counter() }), entry({ met }, o) { if (this.isGood(met)) o.n.add(); }`,
    '--json',
  );
  expect(JSON.parse(out).results.n).toBe(2400);
});

test.each([
  [
    'entry({ met }, o) { o.cuont.add(); }',
    /The state has no "cuont"\. Did you mean "count"\? Its values are met \(MET_pt\) = /,
  ],
  ['entry({ met }, o) { o.zzz.fill(met); }', /The state has no "zzz"\. Its members are count, mass\./],
  ['entry({ met }, { mas }) { mas.fill(met); }', /The state has no "mas"\. Did you mean "mass"\?/],
  ['process({ met }, o) { o.mas.fill(met); }', /The state has no "mas"\. Did you mean "mass"\?/],
])('a misspelt member of the state is named: %s', async (code, words) => {
  const { status, err } = await processed(
    `branches: { met: 'MET_pt' }, begin: (job) => ({ count: job.counter(), mass: job.hist([4, 0, 4]) }), ${code}`,
  );
  expect(status).toBe(1);
  expect(err).toMatch(words);
});

test('a member that only some runs have may be asked for', async () => {
  const { out } = await processed(
    "branches: { met: 'MET_pt' }, begin: (job) => ({ n: job.counter() }), entry(v, o) { o.debug?.add(); o.n.add(); }",
    '--json',
  );
  expect(JSON.parse(out).results.n).toBe(2400);
});

test('whole numbers of 64 bits are amounts, as they come from branches, unless they would be rounded', async () => {
  const begin = "branches: { event: 'event' }, begin: (job) => ({ n: job.counter(), l: job.labels() }),";
  const { out } = await processed(
    `${begin} entry({ event }, o) { o.n.add(5n); o.l.add('a', -2n); }`,
    '--json',
  );
  expect(JSON.parse(out).results).toMatchObject({ n: 12_000, l: { a: -4800 } });
  for (const call of ['o.n.add(9007199254740993n);', "o.l.add('a', -9007199254740993n);"]) {
    const { status, err } = await processed(`${begin} entry({ event }, o) { ${call} }`);
    expect(status).toBe(1);
    expect(err).toContain(
      '9007199254740993, a whole number that is too large to be added exactly. Give Number(',
    );
  }
});
