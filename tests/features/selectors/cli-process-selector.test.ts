import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileSink, writeRoot } from '../../../web/node';
import { programWith } from '../../cli/program';
import { type Run, run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-process-'));
const examples = resolve(import.meta.dirname, '../../../docs/features/selectors');
const adl = resolve(import.meta.dirname, '../../fixtures/files/page/adl.root');
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const reader = withReader(makeEngine);
const { run: runProgram, built } = programWith(join(folder, '.caches'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);
const at = (name: string): string => join(folder, name);

/** Writes a selector and returns its path. */
function selector(name: string, text: string): string {
  writeFileSync(at(name), `export default { ${text} };\n`);
  return at(name);
}

const pt = 'branches: { pt: "Muon_pt" }, begin: (job) => ({ h: job.hist([50, 0, 100]) }),';

describe('the queries of the Analysis Description Benchmarks have the bins of RDataFrame', () => {
  interface Recorded {
    entries: number;
    mean: number;
    bins: number[];
  }
  const recorded = JSON.parse(readFileSync(adl.replace('.root', '.json'), 'utf8')) as Record<
    string,
    Record<string, Recorded>
  >;
  test('there is an example for each', () => {
    const names = readdirSync(examples).map((name) => name.replace('.mjs', ''));
    expect(names.filter((name) => name.startsWith('q')).sort()).toEqual(Object.keys(recorded).sort());
  });
  test.each(Object.entries(recorded))('%s', async (name, histograms) => {
    const { out, err, status } = await xylem(
      'process',
      join(examples, `${name}.mjs`),
      adl,
      'Events',
      '--json',
    );
    expect([err, status]).toEqual(['', 0]);
    const { results } = JSON.parse(out);
    for (const [key, { entries, mean, bins }] of Object.entries(histograms)) {
      expect(results[key].fills).toBe(entries);
      expect(results[key].sums).toEqual(bins);
      expect(results[key].mean[0]).toBeCloseTo(mean, 9);
    }
  });
});

test('those of the eight queries that expressions can say have the same bins', async () => {
  const recorded = JSON.parse(readFileSync(adl.replace('.root', '.json'), 'utf8'));
  const lines: [name: string, result: string, ...words: string[]][] = [
    ['q1-met', 'met', 'MET_pt', '--hist', '100,0,200'],
    ['q2-jets', 'pt', 'Jet_pt', '--hist', '100,15,215'],
    ['q3-central-jets', 'pt', 'Jet_pt', 'abs(Jet_eta) < 1', '--hist', '100,15,215'],
    ['q4-two-jets', 'met', 'MET_pt', 'Sum$(Jet_pt > 40) >= 2', '--hist', '100,0,200'],
  ];
  for (const [name, result, ...words] of lines) {
    const { out, err } = await xylem('draw', adl, 'Events', ...words, '--json');
    expect(err).toBe('');
    expect(JSON.parse(out).sums).toEqual(recorded[name][result].bins);
  }
});

test('a selector makes histograms, counters, labels and tables, of entries that pass', async () => {
  const path = selector(
    'all.mjs',
    `branches: { pt: 'Muon_pt', run: 'run', event: 'event', trigger: 'trigger', first: 'Muon_pt[1]', ratio: 'MET_pt/100' },
     where: 'nMuon >= 1',
     begin: (job) => ({
       h: job.hist([5, 0, Number(job.set.high)], { title: 'pt', axes: ['pt [GeV]'] }),
       two: job.hist([2, 0, 10], [3, 0, 1]),
       mean: job.profile([2, 0, 10]),
       n: job.counter(), half: job.counter(), names: job.labels(),
       rows: job.table({ event: 'whole', ratio: 'number', trigger: 'text' }),
     }),
     entry({ pt, run, event, trigger, first, ratio }, out, { file, tree }) {
       out.h.fill(pt, 0.5);
       out.two.fill(pt[0], ratio, 2);
       out.mean.fill(pt[0], ratio);
       out.n.add();
       if (Number.isNaN(first)) out.half.add(0.1);
       out.names.add(trigger === '' ? 'none' : trigger.split(' ')[0]);
       if (pt.length > 4) out.rows.row({ event, ratio, trigger });
     }`,
  );
  const { out } = await xylem('process', path, sample, 'Events', '--set', 'high=60', '--json');
  const { entries, passed, results } = JSON.parse(out);
  const drawn = async (...args: string[]) =>
    JSON.parse((await xylem('draw', sample, 'Events', ...args, '--json')).out);
  const { sums } = await drawn('Muon_pt', '0.5*(nMuon>=1)', '--hist', '5,0,60');
  expect(entries).toBe(2400);
  expect(results.h.sums).toEqual(sums);
  expect(results.h.axes[0].title).toBe('pt [GeV]');
  expect(results.two.sums).toEqual(
    (await drawn('MET_pt/100:Muon_pt[0]', '2*(nMuon>=1)', '--hist', '2,0,10,3,0,1')).sums,
  );
  const profile = await drawn('MET_pt/100:Muon_pt[0]', 'nMuon>=1', '--option', 'prof', '--hist', '2,0,10');
  expect(results.mean.weights).toEqual(profile.weights);
  for (const [i, mean] of results.mean.means.entries()) expect(mean).toBeCloseTo(profile.means[i], 12);
  expect(results.n).toBe(passed);
  const alone = JSON.parse(
    (await xylem('scan', sample, 'Events', 'nMuon', 'nMuon==1', '--jobs', '1', '--json')).out,
  );
  // 0.1 as often as there are entries with one muon, without rounding in between.
  expect(results.half).toBeCloseTo(0.1 * alone.passed, 10);
  expect(Object.values<number>(results.names).reduce((a, b) => a + b)).toBe(passed);
  const scanned = (await xylem('scan', sample, 'Events', 'event', 'nMuon>4', '--limit', '9999', '--json')).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).values[0]);
  expect(results.rows.event.map(String)).toEqual(scanned.map(String));

  const csv = (
    await xylem('process', path, sample, 'Events', '--set', 'high=60', '--result', 'rows', '--csv', '-')
  ).out;
  expect(csv.split('\n')[0]).toBe('event,ratio,trigger');
  const root = at('made.root');
  await xylem('process', path, sample, 'Events', '--set', 'high=60', '--root', root);
  expect((await xylem('ls', root)).out).toMatch(
    /h;1 +TH1D[\s\S]*two;1 +TH2D[\s\S]*mean;1 +TProfile[\s\S]*rows;1 +TTree/,
  );
  expect((await xylem('scan', root, 'rows', 'event', '--json')).out).toContain(`[${results.rows.event[0]}]`);
  expect((await xylem('process', path, sample, 'Events', '--set', 'high=60')).out).toContain(
    'entries passed',
  );
});

test('partial results of ranges add up to the bits of one run, with the rows in order', async () => {
  const path = selector(
    'parts.mjs',
    `branches: { pt: 'Muon_pt', met: 'MET_pt' },
     begin: (job) => ({ h: job.hist([20, 0, 100]), s: job.counter(), l: job.labels(), t: job.table({ met: 'number' }) }),
     entry({ pt, met }, out) {
       out.h.fill(pt, 1e-3 + met);
       out.s.add(met / 3);
       out.l.add(String(pt.length), 0.1);
       if (met > 80) out.t.row({ met });
     }`,
  );
  const parts = ['[0:700]', '[700:1500]', '[1500:2400]'];
  const ranges = parts.map((range) => `${sample}?#Events${range}`);
  await xylem('process', path, ranges.join(','), 'Events', '--partial', at('whole.json'));
  for (const [i, range] of ranges.entries())
    await xylem('process', path, range, 'Events', '--partial', at(`part${i}.json`));
  const added = await xylem(
    'combine',
    at('part2.json'),
    at('part0.json'),
    at('part1.json'),
    '--partial',
    at('sum.json'),
  );
  expect(added.status).toBe(0);
  const sumOf = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')).made;
  expect(sumOf('sum.json')).toEqual(sumOf('whole.json'));
  const shown = await xylem('combine', at('sum.json'), '--json');
  const once = await xylem('process', path, sample, 'Events', '--json');
  expect(JSON.parse(shown.out).results).toEqual(JSON.parse(once.out).results);
  // Other settings are another question.
  await xylem('process', path, ranges[0] ?? '', 'Events', '--set', 'a=1', '--partial', at('other.json'));
  expect((await xylem('combine', at('part1.json'), at('other.json'))).err).toMatch(
    /different queries: "set"/,
  );
  const changed = readFileSync(at('sum.json'), 'utf8').replace('"bins":20', '"bins":2000000000');
  writeFileSync(at('changed.json'), changed);
  expect((await xylem('combine', at('changed.json'))).err).toMatch(/is not a partial result.*sums/);
});

test('a file that fails is named, and the others are kept', async () => {
  const path = selector('some.mjs', `${pt} process: ({ pt }, out) => out.h.fill(pt.values)`);
  const { err, status, out } = await xylem(
    'process',
    path,
    `${sample},${at('no.root')}`,
    'Events',
    '--jobs',
    '2',
  );
  expect(status).toBe(1);
  expect(err).toMatch(/no\.root/);
  expect(out).toMatch(/5,012 fills/);
});

test('the selector merges what begin did not make, in the order of the entries', async () => {
  const text = `branches: { met: 'MET_pt' }, begin: () => ({ largest: 0, first: [] }),
    process({ met }, state, { entries }) { state.largest = Math.max(...met); state.first.push(entries[0]); },`;
  const path = selector(
    'own.mjs',
    `${text} merge: (a, b) => ({ largest: Math.max(a.largest, b.largest), first: [...a.first, ...b.first] })`,
  );
  const { results } = JSON.parse((await xylem('process', path, `${adl},${sample}`, 'Events', '--json')).out);
  // A part of each file.
  expect(results.first).toEqual([0, 0]);
  const maximum = async (file: string): Promise<number> =>
    JSON.parse((await xylem('draw', file, 'Events', 'MET_pt', '--json')).out).max[0];
  expect(results.largest).toBe(Math.max(await maximum(adl), await maximum(sample)));
  const many = await xylem('process', path, sample, 'Events', '--jobs', '2');
  expect(many.err).toMatch(/"largest" is merged by the selector itself/);
  const without = await xylem('process', selector('none.mjs', text), sample, 'Events');
  expect(without.err).toMatch(/"largest" of its state was not made by the job.*add merge/);
});

test('lists and single values, with weights and without, fill the same one by one', async () => {
  const path = selector(
    'mixed.mjs',
    `branches: { pt: 'Muon_pt' }, begin: (job) => ({ lists: job.hist([20, 0, 100]), single: job.hist([20, 0, 100]) }),
     process({ pt: { values } }, { lists, single }) {
       if (values.length < 5000) throw new Error('too short for this');
       const some = values.subarray(0, 100);
       lists.fill(5); lists.fill(values); lists.fill(7, 2); lists.fill(some); lists.fill(values, values);
       lists.fill(some, some); lists.fill(9); lists.fill(values, 0.1); lists.fill(Array.from(some));
       single.fill(5); for (const v of values) single.fill(v);
       single.fill(7, 2); for (const v of some) single.fill(v);
       for (const v of values) single.fill(v, v);
       for (const v of some) single.fill(v, v);
       single.fill(9); for (const v of values) single.fill(v, 0.1);
       for (const v of some) single.fill(v);
     }`,
  );
  const { results } = JSON.parse((await xylem('process', path, sample, 'Events', '--json')).out);
  const { title: _lists, name: _one, ...lists } = results.lists;
  const { title: _single, name: _other, ...single } = results.single;
  expect(lists).toEqual(single);
  expect(lists.fills).toBe(3 * 5012 + 303);
});

test('a selector has combinations, orders and vectors', async () => {
  const path = selector(
    'helped.mjs',
    `branches: { pt: 'Muon_pt', eta: 'Muon_eta', phi: 'Muon_phi' }, where: 'nMuon == 3',
     begin: () => ({ seen: [] }), merge: (a, b) => ({ seen: [...a.seen, ...b.seen] }),
     entry({ pt, eta, phi }, out, { pairs, triples, combinations, cross, order, p4, deltaR, deltaPhi }) {
       const v = [0, 1, 2].map((i) => p4(pt[i], eta[i], phi[i], 0.10566));
       out.seen.push([
         pairs(3), triples(3), combinations(3, 2), combinations(5, 3).length, combinations(2, 3), combinations(2, 0),
         cross(2, 2), order([2, 5, 2, 9]),
         v[0].deltaR(v[1]) - Math.hypot(eta[0] - eta[1], deltaPhi(phi[0], phi[1])),
         deltaR(0, 3.1, 0, -3.1) - (2 * Math.PI - 6.2), v[0].plus(v[1]).minus(v[1]).pt - pt[0],
         v[0].rapidity - Math.asinh(v[0].pz / Math.hypot(v[0].pt, v[0].mass)),
       ]);
     }`,
  );
  const { results } = JSON.parse((await xylem('process', path, sample, 'Events', '--json')).out);
  expect(results.seen.length).toBeGreaterThan(0);
  const [[pairs, triples, two, ten, none, empty, cross, order, ...zeros]] = results.seen;
  expect([pairs, two]).toEqual(
    Array.from({ length: 2 }, () => [
      [0, 1],
      [0, 2],
      [1, 2],
    ]),
  );
  expect([triples, ten, none, empty]).toEqual([[[0, 1, 2]], 10, [], [[]]]);
  expect(cross).toEqual([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
  expect(order).toEqual([3, 1, 0, 2]);
  for (const zero of zeros) expect(zero).toBeCloseTo(0, 4);
});

describe('mistakes are named', () => {
  const cases: [string, string, RegExp][] = [
    ['no branches', 'begin() { return {}; }, process() {}', /it has no branches/],
    ['no begin', 'branches: { a: "MET_pt" }, process() {}', /it has no begin/],
    ['neither process nor entry', 'branches: { a: "MET_pt" }, begin: () => ({})', /one of process and entry/],
    [
      'an unknown branch',
      `${pt.replace('Muon_pt', 'Muon_p')} process() {}`,
      /There is no branch "Muon_p".*Muon_pt/,
    ],
    [
      'a wrong axis',
      'branches: { a: "MET_pt" }, begin: (job) => ({ h: job.hist([0, 1, 2]) }), process() {}',
      /needs axes: of bins, or of categories/,
    ],
    [
      'too many cells',
      'branches: { a: "MET_pt" }, begin: (job) => ({ h: job.hist([1e8, 1, 2]) }), process() {}',
      /at most 10000000 cells/,
    ],
    [
      'a throw, with entry',
      `${pt} entry({ pt }) { pt.none.x(); }`,
      /a throw, with entry\.mjs[:\d]* failed at entry 0 of "Events" in .*sample\.root: TypeError/,
    ],
    [
      'a throw in process',
      `${pt} process({ pt }) { pt.none.x(); }`,
      /failed at entries 0 to \d+ of "Events"/,
    ],
    ['async code', `${pt} async process() {}`, /must not be async/],
    [
      'unequal lists',
      `${pt} process: ({ pt }, { h }) => h.fill(pt.values, [1, 2])`,
      /lists of fill have 5012 and 2|lists of fill have \d+ and 2/,
    ],
    ['too few coordinates', `${pt} process: (_, { h }) => h.fill()`, /takes 1 coordinate/],
    [
      'a text for a number',
      'branches: { a: "MET_pt" }, begin: (job) => ({ t: job.table({ a: "number" }) }), entry: (_, { t }) => t.row({ a: "x" })',
      /column "a" of a table holds numbers/,
    ],
    [
      'an infinite amount',
      'branches: { a: "MET_pt" }, begin: (job) => ({ n: job.counter() }), entry: (_, { n }) => n.add(Infinity)',
      /add got Infinity/,
    ],
    [
      'a state that changes',
      'branches: { a: "MET_pt" }, begin: (job) => ({ h: job.hist([Math.ceil(1e6 * Math.random()), 0, 1]) }), process() {}',
      /"h" of the selector's state differs/,
    ],
    [
      'the values of the entry that failed',
      'branches: { met: "MET_pt", n: "nMuon" }, begin: (job) => ({ c: job.counter() }), entry({ n }) { n.none.x(); }',
      /failed at entry 0 of "Events"[\s\S]*\. Its values are met \(MET_pt\) = [\d.]+, n \(nMuon\) = \d/,
    ],
    [
      'a function in a member of its own',
      'branches: { a: "MET_pt" }, begin: () => ({ x: 0 }), merge: (a) => a, entry(_, out) { out.x = () => 1; }',
      /failed at entries \d+ to \d+ of "Events"[\s\S]*"x" of the state is no plain data/,
    ],
    [
      'a merge that forgets a member',
      'branches: { a: "MET_pt" }, begin: () => ({ x: 0, y: 0 }), process() {}, merge: (a, b) => ({ x: a.x + b.x })',
      /its merge returns no "y"/,
    ],
    [
      'a merge that throws',
      'branches: { a: "MET_pt" }, begin: () => ({ x: 0 }), process() {}, merge: (a, b) => a.none.x',
      /failed in merge, with two states that begin made: TypeError/,
    ],
    [
      'a member that is no data',
      'branches: { a: "MET_pt" }, begin: () => ({ x: () => 1 }), process() {}, merge: (a) => a',
      /no plain data/,
    ],
    ['a syntax error', 'branches: {{', /a syntax error\.mjs cannot be loaded/],
  ];
  test.each(cases)('%s', async (name, text, message) => {
    const path = selector(`${name}.mjs`, text);
    const { err, status } = await xylem('process', path, `${sample},${adl}`, 'Events');
    expect(err).toMatch(message);
    expect(status).toBe(1);
  });

  test('a begin that makes something else each time, before a file is read', async () => {
    const path = selector(
      'changes.mjs',
      'branches: { a: "MET_pt" }, begin: (job) => ({ h: job.hist([1 + (globalThis.count = (globalThis.count ?? 0) + 1), 0, 1]) }), process() {}',
    );
    const { err, status } = await xylem(
      'process',
      path,
      at('absent.root'),
      'Events',
      '--partial',
      at('none.json'),
    );
    expect([status, err]).toEqual([1, expect.stringMatching(/"h" of the selector's state differs/)]);
    expect(readdirSync(folder)).not.toContain('none.json');
  });

  test('a module that is not there, a result that is not made', async () => {
    expect((await xylem('process', at('absent.mjs'), sample, 'Events')).err).toMatch(/absent\.mjs/);
    const path = selector('some.mjs', `${pt} process: ({ pt }, out) => out.h.fill(pt.values)`);
    const { err, status } = await xylem('process', path, sample, 'Events', '--result', 'g');
    expect([status, err]).toEqual([1, expect.stringMatching(/makes no "g".*It makes h/)]);
    expect((await xylem('process', path, sample, 'Events', '--set', 'x')).status).toBe(2);
  });
});

built(
  'code that does not end is ended, and workers make the same as this thread',
  async () => {
    const endless = selector('endless.mjs', `${pt} process() { for (;;); }`);
    const ended = await runProgram(['process', endless, sample, 'Events', '--limit', '1']);
    expect([ended.status, ended.err]).toEqual([
      1,
      expect.stringMatching(/within 1 s, and was ended\..*\[TIMEOUT\]/),
    ]);
    const path = join(examples, 'q8-beside-z.mjs');
    const { out, err } = await runProgram(['process', path, adl, 'Events', '--json']);
    expect([out, err]).toEqual([(await xylem('process', path, adl, 'Events', '--json')).out, '']);
  },
  30_000,
);

built('a module that waits for nothing that comes ends with a word', async () => {
  const path = at('never.mjs');
  writeFileSync(path, 'await new Promise(() => {});\nexport default {};\n');
  const { err, status } = await runProgram(['process', path, sample, 'Events']);
  expect([status, err]).toEqual([1, expect.stringMatching(/module of yours, is never settled/)]);
});

built('a text that is not JavaScript is named with its line', async () => {
  const path = at('syntax.mjs');
  writeFileSync(path, 'export default {\n  branches: { a: "MET_pt" }\n  begin() {},\n};\n');
  for (const more of [[], ['--jobs', '2']]) {
    const { err, status } = await runProgram(['process', path, at('absent.root'), 'Events', ...more]);
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/syntax\.mjs:3 cannot be loaded: SyntaxError: Unexpected id/),
    ]);
  }
});

built(
  'code that loops in one file does not fail the next file',
  async () => {
    const files = [0, 1, 2].map((i) => at(`wait${i}.root`));
    for (const [i, path] of files.entries())
      await writeRoot(fileSink(path), async (file) => {
        const tree = await file.tree('t');
        await tree.append({ x: Float64Array.of(i, 1) });
      });
    const ending = (name: string, code: string): string =>
      selector(
        name,
        `branches: { x: 'x' }, begin: (job) => ({ n: job.counter() }),
         process({ x }, { n }) { n.add(x.length); if (x[0] === 1) ${code} }`,
      );
    const { XYLEM_WORKERS } = process.env;
    process.env.XYLEM_WORKERS = '1';
    for (const [name, code, error] of [
      [
        'alone.mjs',
        '(async () => { throw new Error("alone"); })();',
        /alone\.mjs[:\d]* failed in a promise that nothing awaits, at .*wait1\.root: Error: alone/,
      ],
      ['late.mjs', 'for (;;);', /wait1\.root.* within 1 s, and was ended. \[TIMEOUT\]/],
      [
        'exit.mjs',
        'process.exit(0);',
        /exit\.mjs[:\d]* failed .*wait1\.root: .*process\.exit would end the thread/,
      ],
    ] as const) {
      const { out, err, status } = await runProgram([
        'process',
        ending(name, code),
        files.join(','),
        't',
        '--limit',
        '1',
        '--jobs',
        '3',
        '--json',
      ]);
      expect([status, JSON.parse(out)]).toMatchObject([
        1,
        { results: { n: 4 }, partial: { failed: 1, total: 3 } },
      ]);
      expect(err).toMatch(error);
    }
    if (XYLEM_WORKERS === undefined) delete process.env.XYLEM_WORKERS;
    else process.env.XYLEM_WORKERS = XYLEM_WORKERS;
  },
  60_000,
);
