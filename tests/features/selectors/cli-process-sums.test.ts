import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileSink, writeRoot } from '../../../web/node';
import { type Run, run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-process-sums-'));
const adl = resolve(import.meta.dirname, '../../fixtures/files/page/adl.root');
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
/** Two files, so that there are at least two parts. */
const both = `${adl},${sample}`;
const reader = withReader(makeEngine);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);
const at = (name: string): string => join(folder, name);

/** Writes a selector and returns its path. */
function selector(name: string, text: string, before = ''): string {
  writeFileSync(at(name), `${before}\nexport default { ${text} };\n`);
  return at(name);
}

const resultsOf = async (...args: string[]) =>
  JSON.parse((await xylem('process', ...args, 'Events', '--json')).out).results;

const MET = 'branches: { met: "MET_pt" },';

describe('a sum that would be wrong is refused', () => {
  const cases: [name: string, text: string, error: RegExp, before?: string][] = [
    [
      'a member that process adds',
      `${MET} begin: (job) => ({ n: job.counter() }), process({ met }, out) { out.total = met.length; }`,
      /a member that process adds\.mjs[:\d]* failed at entries 0 to \d+ of "Events" in .*: "total" of the selector's state differs/,
    ],
    [
      'a counter that became a number',
      `${MET} begin: (job) => ({ n: job.counter() }), entry(_, out) { out.n++; }`,
      /"n" of the selector's state differs/,
    ],
    [
      'a state that begin makes once',
      `${MET} begin: (job) => (state ??= { n: job.counter() }), process({ met }, out) { out.n.add(met.length); }`,
      /state that begin makes once\.mjs.*would count twice/,
      'let state;',
    ],
    [
      'one object under two names',
      `${MET} begin: (job) => { const h = job.hist([5, 0, 100]); return { h, same: h }; }, process() {}`,
      /one object under two names\.mjs.*there twice/,
    ],
    [
      'a column of lists',
      'branches: { pt: "Muon_pt" }, begin: (job) => ({ h: job.hist([5, 0, 100]) }), process: ({ pt }, { h }) => { h.fill(pt); }',
      /column of lists\.mjs[:\d]* failed at entries .*neither a number nor a list/,
    ],
    [
      'a set',
      `${MET} begin: (job) => ({ h: job.hist([5, 0, 100]) }), entry: (_, { h }) => { h.fill(new Set([1])); }`,
      /a set\.mjs[:\d]* failed at entry 0 of .*neither a number nor a list/,
    ],
    [
      'a text as a coordinate',
      'branches: { a: "trigger" }, begin: (job) => ({ h: job.hist([5, 0, 100]) }), process: ({ a }, { h }) => { h.fill(a); }',
      /which is not a number/,
    ],
    [
      'a weight with a misspelt name',
      `${MET} begin: (job) => ({ h: job.hist([5, 0, 100]) }), entry: ({ met }, { h }, task) => { h.fill(met, task.wieght); }`,
      /"wieght" is not a member of the task.*Did you mean "weight"/,
    ],
    [
      'pairs of a list',
      'branches: { pt: "Muon_pt" }, begin: (job) => ({ n: job.counter() }), entry: ({ pt }, { n }, { pairs }) => { n.add(pairs(pt).length); }',
      /pairs of a list\.mjs[:\d]* failed at entry 0 .*take numbers of objects/,
    ],
    [
      'a branch named __proto__',
      'branches: { ["__proto__"]: "MET_pt" }, begin: (job) => ({ n: job.counter() }), process() {}',
      /named "__proto__"/,
    ],
    [
      'a member named __proto__',
      `${MET} begin: (job) => ({ ["__proto__"]: job.counter() }), process() {}`,
      /named "__proto__"/,
    ],
  ];
  test.each(cases)('%s', async (name, text, error, before) => {
    const { err, status } = await xylem('process', selector(`${name}.mjs`, text, before), sample, 'Events');
    expect(err).toMatch(error);
    expect(status).toBe(1);
  });
});

test('whole numbers of 64 bits fill beside lists, and as weights', async () => {
  const path = selector(
    'whole.mjs',
    `branches: { pt: 'Muon_pt', event: 'event' },
     begin: (job) => ({ big: job.hist([4, 0, 100], [2, 0, 3000]), small: job.hist([4, 0, 100], [2, 0, 3000]), w: job.hist([4, 0, 100]), v: job.hist([4, 0, 100]) }),
     entry({ pt, event }, { big, small, w, v }) {
       big.fill(pt, event); small.fill(pt, Number(event));
       w.fill(pt, event); v.fill(pt, Number(event));
       w.fill(3, event); v.fill(3, Number(event));
     }`,
  );
  const { big, small, w, v } = await resultsOf(path, sample);
  expect(big.sums).toEqual(small.sums);
  expect(big.nan).toBe(0);
  expect(w.sums).toEqual(v.sums);
});

test('a row that is refused leaves no part of it', async () => {
  const path = selector(
    'rows.mjs',
    `branches: { event: 'event', met: 'MET_pt' }, begin: (job) => ({ t: job.table({ event: 'whole', odd: 'whole' }) }),
     entry({ event, met }, { t }, { entries }) {
       try { t.row({ event, odd: event % 2n === 0n ? 0.5 : event }); } catch {}
     }`,
  );
  const { t } = await resultsOf(path, sample);
  expect(t.event.length).toBe(1200);
  expect(t.odd).toEqual(t.event);
});

test('a part of a chain that cannot be merged leaves nothing in the sum', async () => {
  const text = (merge: string) =>
    `${MET} begin: (job) => ({ h: job.hist([5, 0, 100]), n: 0 }),
     process({ met }, out) { out.h.fill(met); out.n = met.length; }, merge: ${merge}`;
  for (const [merge, error] of [
    [
      '(a, b) => { if (a.n > 0) throw new Error("no more"); return { n: b.n }; }',
      /failed in merge: Error: no more/,
    ],
    ['(a, b) => (a.n > 0 ? {} : { n: b.n })', /merge returned no "n"/],
  ] as const) {
    const { out, err, status } = await xylem(
      'process',
      selector(`merge${merge.length}.mjs`, text(merge)),
      both,
      'Events',
      '--json',
    );
    expect(status).toBe(1);
    expect(err).toMatch(error);
    expect(err).toContain('sample.root');
    const { results, entries } = JSON.parse(out);
    expect(results.h.fills).toBe(entries);
    expect(results.n).toBe(entries);
    expect(entries).not.toBe(2400);
  }
});

test('task.tree and the rows of a table are those of the tree of the file', async () => {
  const path = at('two.root');
  await writeRoot(fileSink(path), async (file) => {
    for (const [i, name] of ['a', 'b'].entries()) {
      const tree = await file.tree(name);
      await tree.append({ x: Float64Array.of(10 * i, 10 * i + 1) });
    }
  });
  const code = selector(
    'trees.mjs',
    `branches: { x: 'x' }, begin: (job) => ({ l: job.labels(), t: job.table({ x: 'number' }) }),
     entry({ x }, { l, t }, { tree }) { l.add(tree); t.row({ x }); }`,
  );
  const { out } = await xylem('process', code, `${path}?#b,${path}?#a`, '--json');
  expect(JSON.parse(out).results).toEqual({ l: { a: 2, b: 2 }, t: { x: [0, 1, 10, 11] } });
});

test('orders have NaN last, and infinities in their order', async () => {
  const path = selector(
    'order.mjs',
    `${MET} begin: () => ({ orders: [] }), merge: (a) => a,
     process(_, out, { order }) { out.orders.push(order([NaN, 1, Infinity, NaN, 5, Infinity, -Infinity]), order([2n, 5n])); }`,
  );
  expect((await resultsOf(path, sample)).orders).toEqual([
    [2, 5, 4, 1, 6, 0, 3],
    [1, 0],
  ]);
});

test('members of a selector of its own are printed with all that they hold', async () => {
  const path = selector(
    'own.mjs',
    `${MET} begin: () => ({ map: new Map([['a', NaN]]), set: new Set([3]), list: [NaN, 1n, { x: -Infinity }], floats: new Float32Array(2), nothing: null }),
     process() {}, merge: (a) => a`,
  );
  expect(await resultsOf(path, sample)).toEqual({
    ...{ map: [['a', 'nan']], set: [3], list: ['nan', '1', { x: '-inf' }], floats: [0, 0], nothing: null },
  });
  const within = selector(
    'within.mjs',
    `${MET} begin: () => { const o = {}; o.self = o; return { o }; }, process() {}, merge: (a) => a`,
  );
  const { err, status } = await xylem('process', within, sample, 'Events', '--json');
  expect([status, err]).toEqual([1, expect.stringMatching(/is within itself.*\[ARGUMENT\]/)]);
});

test('a selector that gets entries one by one knows their numbers', async () => {
  const path = selector(
    'numbers.mjs',
    `branches: { n: 'LocalEntry$' }, where: 'LocalEntry$ % 7 == 3', begin: (job) => ({ bad: job.counter(), all: job.counter() }),
     entry({ n }, out, { entry }) { out.all.add(); if (entry !== Number(n)) out.bad.add(); }`,
  );
  expect(await resultsOf(path, both)).toEqual({ bad: 0, all: 429 + 343 });
});

test('code that keeps or changes pairs and triples changes none of other entries', async () => {
  const path = selector(
    'pairs.mjs',
    `${MET} begin: () => ({ n: 0, kept: [] }), merge: (a, b) => ({ n: a.n + b.n, kept: [...a.kept, ...b.kept] }),
     entry(_, out, { pairs, triples }) {
       const lists = [pairs(4), triples(5)];
       if (out.kept.length === 0) out.kept.push(lists[0][0], lists[1][0]);
       for (const list of lists) for (let one; (one = list.pop()); one[0] = 9) out.n += one[0];
       out.kept[0][1] += 1;
     }`,
  );
  const { n, kept } = await resultsOf(path, sample);
  expect(n).toBe(2400 * (0 * 3 + 1 * 2 + 2 + 0 * 6 + 1 * 3 + 2));
  expect(kept).toEqual([
    [9, 1 + 2400],
    [9, 1, 2],
  ]);
});

test('partial results with a profile are read back, and add up to the whole', async () => {
  const path = selector(
    'profiles.mjs',
    `branches: { met: 'MET_pt', n: 'nMuon' },
     begin: (job) => ({ one: job.profile([4, 0, 100]), h: job.hist([4, 0, 100]) }),
     entry({ met, n }, { one, h }) { one.fill(met, n, 2); h.fill(met); }`,
  );
  for (const [i, file] of [adl, sample].entries())
    expect((await xylem('process', path, file, 'Events', '--partial', at(`profiles-${i}.json`))).status).toBe(
      0,
    );
  const { out, status } = await xylem('combine', at('profiles-0.json'), at('profiles-1.json'), '--json');
  expect(status).toBe(0);
  const whole = await resultsOf(path, both);
  expect(JSON.parse(out).results).toEqual(whole);
  expect(whole.one.means.filter((mean: number) => mean > 0).length).toBeGreaterThan(1);
});

test('a result all of whose files failed adds up with others in any order', async () => {
  const sums = selector(
    'failed.mjs',
    `${MET} begin: (job) => ({ n: job.counter() }), process({ met }, out) { out.n.add(met.length); }`,
  );
  const made = async (name: string, file: string): Promise<string> => {
    const ran = await xylem('process', sums, file, 'Events', '--partial', at(name));
    expect(ran.err).toContain('written: ');
    return at(name);
  };
  const failed = [
    await made('failed-1.json', at('none.root')),
    await made('failed-2.json', at('nowhere.root')),
  ];
  const good = await made('good.json', adl);
  for (const order of [
    [good, ...failed],
    [...failed, good],
    [failed[0] ?? '', good, failed[1] ?? ''],
  ]) {
    const { out, err, status } = await xylem('combine', ...order, '--json');
    expect([status, err]).toEqual([1, expect.stringContaining('2 of 3 inputs unreadable')]);
    expect(JSON.parse(out).results.n).toBeGreaterThan(0);
  }
});
