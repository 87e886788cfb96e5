import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';

// Selectors with the mistakes that people make. Each ends with an error that names the place and the fix, before a number is shown.

const folder = mkdtempSync(join(tmpdir(), 'xylem-mistakes-'));
const data = resolve(import.meta.dirname, '../../fixtures/files/analysis');
const reader = withReader();
let count = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const samples = (own: object = {}): object => ({
  samples: [
    { name: 'dy', files: `${data}/dy_1.root`, crossSection: 1.5, weight: 'genWeight', ...own },
    { name: 'data', files: `${data}/data_1.root` },
  ],
});

function processed(text: string, list = samples(), ...more: string[]): Promise<Run> {
  const path = join(folder, `s${count++}.mjs`);
  writeFileSync(path, `export default {\n${text}\n};\n`);
  writeFileSync(join(folder, 'samples.json'), JSON.stringify(list));
  writeFileSync(join(folder, 'sf.json'), '{');
  const given = ['--samples', join(folder, 'samples.json'), 'Events', '--lumi', '1000', ...more];
  return run(reader, 'process', path, ...given);
}

const BRANCHES = `branches: {
  pt: 'Muon_pt', met: 'MET_pt', charge: 'Muon_charge',
  w: { expr: 'genWeight', missing: 1 }, flavour: { expr: 'Jet_hadronFlavour', missing: undefined },
},`;
const BEGIN = 'begin: (job) => ({ h: job.hist([4, 0, 100]) }),';
const ENTRY = 'entry({ met }, o, { weight }) { o.h.fill(met, weight); }';
const vary = (text: string) =>
  `begin(job) { const all = job.vary(${text}); return { h: all.hist([4, 0, 100]) }; },`;
const begin = (text: string) => `begin: (job) => ({ h: ${text} }),`;
const entry = (text: string) =>
  `${BRANCHES} ${BEGIN}\nentry({ pt, met, charge, flavour }, o, task) { const { weight } = task; ${text} }`;

/** A place in the code of the selector and an entry, or the entries of a part. */
const AT = String.raw`s\d+\.mjs:\d+:\d+ failed at entry \d+ of "Events" in \S+\.root: `;

test.each<[mistake: string, text: string, said: RegExp, fix: string]>([
  [
    'a cut on a list',
    entry('if (pt > 20) o.h.fill(met, weight);'),
    /"pt" is a list of values, which was used as a number/,
    'such as pt[0]',
  ],
  ['a sum with a list', entry('o.h.fill(pt + 1, weight);'), /"pt" is a list of values/, 'such as pt[0]'],
  [
    'a list equal to a number',
    entry('if (charge == 1) o.h.fill(met, weight);'),
    /"charge" is a list of values/,
    'some or every',
  ],
  ['lists in p4', entry('o.h.fill(task.p4(pt, pt, pt, 0).pt, weight);'), /p4 got a list for pt/, 'pt[0]'],
  [
    'null in p4',
    entry('o.h.fill(task.p4(met, null, 1, 0).pt, weight);'),
    /p4 got null for eta, which is a number/,
    'misspelt',
  ],
  [
    'p4 without a mass',
    entry('o.h.fill(task.p4(met, 1, 1).mass, weight);'),
    /p4 got undefined for mass, which is a number/,
    'misspelt name',
  ],
  [
    'an index after the end',
    entry('o.h.fill(task.p4(pt[9], 1, 1, 0).pt, weight);'),
    /p4 got undefined for pt/,
    'index after the end',
  ],
  [
    'vectors in deltaR',
    entry('const a = task.p4(met, 1, 1, 0); if (task.deltaR(a, a) < 1) o.h.fill(met, weight);'),
    /deltaR got a list for eta1/,
    'Give one value',
  ],
  [
    'deltaPhi of one angle',
    entry('if (task.deltaPhi(met) < 1) o.h.fill(met, weight);'),
    /deltaPhi got undefined for the second angle/,
    'misspelt name',
  ],
  [
    'a member of a vector in a cut',
    entry('if (task.p4(met, 1, 1, 0).Pt > 20) return; o.h.fill(met, weight);'),
    /A four-vector has no "Pt"/,
    'Did you mean "pt"?',
  ],
  [
    'a member of the task in a condition',
    entry("if (task.smaple === 'data') return; o.h.fill(met, weight);"),
    /"smaple" is not a member of the task/,
    'Did you mean "sample"?',
  ],
  [
    'a misspelt weight',
    `${BRANCHES} ${BEGIN}\nentry({ met }, o, { weigth }) { o.h.fill(met, weigth); /* weight */ }`,
    /"weigth" is not a member of the task/,
    'Did you mean "weight"?',
  ],
  [
    'a file that is not declared',
    `files: { sf: 'samples.json' }, ${entry('task.files.fs.json();')}`,
    /declares no file "fs"/,
    'Did you mean "sf"?',
  ],
  [
    'a value that data lack',
    entry('o.h.fill(flavour, weight);'),
    /A value that fill got is undefined/,
    'Look for a misspelt name',
  ],
  [
    'two values for one axis',
    entry('o.h.fill(met, met, weight);'),
    /takes 1 coordinate and perhaps a weight; it got 3 values/,
    'fill([1, 2, 3])',
  ],
  [
    'an async entry',
    `${BRANCHES} ${BEGIN}\nasync entry({ met }, o, { weight }) { o.h.fill(met, weight); }`,
    /must not be async/,
    'Its values are',
  ],
])('in the entries: %s', async (_, text, said, fix) => {
  const { status, err } = await processed(text);
  expect(status).toBe(1);
  expect(err).toMatch(said);
  expect(err).toMatch(said.source.includes('async') ? /failed at entry 0 of "Events"/ : new RegExp(AT));
  expect(err).toContain(fix);
});

test.each<[mistake: string, text: string, said: RegExp, fix: string]>([
  [
    'a misspelt value',
    vary('{ up: ({ pt }) => ({ tp: pt }) }'),
    /The variation "up" names "tp"/,
    'Did you mean "pt"?',
  ],
  [
    'nothing returned',
    vary('{ up: ({ pt }) => { pt.map((x) => 2 * x); } }'),
    /The variation "up" returns no object/,
    'Write job.vary(',
  ],
  [
    'objects selected in a variation',
    vary('{ up: ({ pt }) => ({ pt: pt.filter((x) => x > 60) }) }'),
    /The variation "up" gives \d+ values? for "pt", and there (is|are) \d+ values? without it/,
    'select objects in the code',
  ],
  [
    'a name that branches lack',
    vary('{ up: { weight: ({ pu }) => pu } }'),
    /"pu" is not one of the names/,
    'Did you mean "pt"?',
  ],
  [
    'a weight that is NaN',
    vary('{ up: { weight: () => NaN } }'),
    /The weight of the variation "up" is not one finite number/,
    'Return a factor',
  ],
])('in a variation: %s', async (_, text, said, fix) => {
  const { status, err } = await processed(`${BRANCHES} ${text}\n${ENTRY}`);
  expect(status).toBe(1);
  expect(err).toMatch(said);
  expect(err).toMatch(/failed at entry \d+, for the variation "up", of "Events" in \S+dy_1\.root/);
  expect(err).toContain(fix);
});

test.each<[mistake: string, text: string, said: RegExp, fix: string, list?: object]>([
  [
    'a varied job that is not used',
    'begin(job) { job.vary({ up: {} }); return { h: job.hist([4, 0, 100]) }; },',
    /calls job\.vary, and makes nothing with the job that it returns/,
    'all.hist(',
  ],
  [
    'a variation of a name',
    vary("{ up: { weight: 'puUp' } }"),
    /names "puUp", which is not one of the branches/,
    'They are pt, met',
  ],
  ['a number as a variation', vary('{ up: 1.02 }'), /neither a function nor an object/, 'Write job.vary('],
  [
    'a misspelt title',
    begin("job.hist([4, 0, 100], { titel: 'x' })"),
    /A histogram has no use for "titel"/,
    'Did you mean "title"?',
  ],
  [
    'a misspelt title of a profile',
    begin("job.profile([4, 0, 100], { titel: 'x' })"),
    /A histogram has no use for "titel"/,
    'Did you mean "title"?',
  ],
  [
    'a misspelt member of an axis',
    begin("job.hist({ edges: [0, 1], titel: 'x' })"),
    /A histogram has no use for "titel"/,
    'Did you mean "title"?',
  ],
  [
    'a misspelt call of the job',
    begin('job.histo([4, 0, 100])'),
    /The job of begin has no "histo"/,
    'Did you mean "hist"?',
  ],
  ['an axis from high to low', begin('job.hist([4, 100, 0])'), /not from 100 to 0/, 'bins, low and high'],
  ['half a bin', begin('job.hist([4.5, 0, 1])'), /a whole number of bins, not 4\.5/, 'bins, low and high'],
  [
    'edges as a list',
    begin('job.hist([0, 20, 30, 50, 100])'),
    /edges need \{ edges \}/,
    '{ edges: [0, 20, 50] }',
  ],
  [
    'edges that do not ascend',
    begin('job.hist({ edges: [0, 20, 20, 50] })'),
    /20 comes after 20/,
    '{ edges: [0, 20, 50] }',
  ],
  [
    'one histogram under two names',
    'begin(job) { const h = job.hist([4, 0, 1]); return { h, g: h }; },',
    /is there twice/,
    'under one name',
  ],
])('in begin: %s', async (_, text, said, fix) => {
  const { status, err, out } = await processed(`${BRANCHES} ${text}\n${ENTRY}`);
  expect([status, out]).toEqual([1, '']);
  expect(err).toMatch(said);
  expect(err).toContain(fix);
});

test.each<[mistake: string, text: string, said: RegExp, fix: string, list?: object]>([
  [
    'weights that are not used',
    `${BRANCHES} ${BEGIN}\nentry({ met }, o) { o.h.fill(met); }`,
    /The sample "dy" has weights, and the selector s\d+\.mjs does not use the weight/,
    'Fill with it',
  ],
  [
    'weights that are not used beside other members',
    `${BRANCHES} ${BEGIN}\nentry({ met }, o, { p4 }) { o.h.fill(p4(met, 1, 1, 1).pt); }`,
    /The sample "dy" has weights/,
    'Fill with it',
  ],
  [
    'a misspelt branch',
    `branches: { met: 'MET_ptt' }, ${BEGIN} ${ENTRY}`,
    /There is no branch "MET_ptt"/,
    'Did you mean "MET_pt"',
  ],
  [
    'a misspelt name in where',
    `${BRANCHES} where: 'mett > 20', ${BEGIN} ${ENTRY}`,
    /There is no branch "mett"/,
    'Did you mean "met"?',
  ],
  [
    'a name without a value in where',
    `${BRANCHES} where: 'Sum$(flavour == 5) > 0', ${BEGIN} ${ENTRY}`,
    /"where" uses "flavour", which has no value in a file that lacks/,
    'Give "missing" of "flavour" a value',
  ],
  [
    'a file that is not there',
    `files: { sf: 'nothing.json' }, ${BRANCHES} ${BEGIN} ${ENTRY}`,
    /declares the file "nothing\.json", which cannot be read/,
    'Put it beside the module',
  ],
  [
    'a file that is not JSON',
    `files: { sf: 'sf.json' }, ${entry('task.files.sf.json();')}`,
    /The file "sf\.json" of the selector is not JSON/,
    'Its values are',
  ],
  [
    'a misspelt weight of a sample',
    `${BRANCHES} ${BEGIN} ${ENTRY}`,
    /There is no branch "genWeigth"/,
    'Did you mean "genWeight"',
    samples({ weight: 'genWeigth' }),
  ],
  [
    'a misspelt member of a sample',
    `${BRANCHES} ${BEGIN} ${ENTRY}`,
    /"dy" has "crosssection", which is not known/,
    'Write {"samples"',
    samples({ crosssection: 1 }),
  ],
  [
    'a misspelt tree of the sum',
    `${BRANCHES} ${BEGIN} ${ENTRY}`,
    /There is no "Run" in/,
    'Did you mean "Runs"',
    samples({ sumOfWeights: { tree: 'Run', expr: 'genEventSumw' } }),
  ],
])('beside the code: %s', async (_, text, said, fix, list) => {
  const { status, err } = await processed(text, list);
  expect(status).toBe(1);
  expect(err).toMatch(said);
  expect(err).toContain(fix);
  // The sample that failed may have what the others lack.
  expect(err).not.toContain('no file has');
});

test('values that the code changes are those that were read in the next variation', async () => {
  const own = (text: string) =>
    `${BRANCHES} begin(job) { const all = job.vary({ up: ${text}, same: {} }); return { h: all.hist([4, 0, 100]), s: all.counter() }; },
     entry({ pt }, o, { weight }) { for (let i = 0; i < pt.length; i++) { pt[i] *= 2; o.h.fill(pt[i], weight); o.s.add(weight * pt[i]); } }`;
  const sums = async (text: string) => {
    const { out } = await processed(own(text), samples(), '--json');
    const { results } = JSON.parse(out) as { results: Record<string, number> };
    return [results.s, results.s_same, results.s_up];
  };
  const [nominal, same, up] = await sums('({ pt }) => ({ pt: pt.map((one) => 1.5 * one) })');
  expect(same).toBe(nominal);
  expect((up ?? 0) / (nominal ?? 1)).toBeCloseTo(1.5, 4);
  expect(
    await sums('({ pt }) => { for (let i = 0; i < pt.length; i++) pt[i] *= 1.5; return { pt }; }'),
  ).toEqual([nominal, same, up]);
});

test('a list is a text where a text is asked for, and weights may be read by a helper', async () => {
  const { status, err } = await processed(
    `${BRANCHES} ${BEGIN} read: (task) => task.weight,
     entry({ pt, met }, o, task) { if (\`\${pt}\`.length < 1e6) o.h.fill(met, this.read(task)); }`,
  );
  expect([status, err]).toEqual([0, '']);
});
