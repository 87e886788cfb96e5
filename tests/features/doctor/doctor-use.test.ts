import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileInfo } from '../../../web/api/api';
import { examine } from '../../../web/features/doctor/work/doctor';
import { datasetReport, datasetResult } from '../../../web/features/doctor/work/doctor-report';
import type { Draft } from '../../../web/features/doctor/work/doctor-types';
import { findingsForUse, verdictFor } from '../../../web/features/doctor/work/doctor-use';
import { layoutCosts } from '../../../web/features/whatif/work/layout-costs';
import type { ReadRecord } from '../../../web/io/trace';
import { reportHtml } from '../../../web/report/html';
import { run as runOn } from '../../cli/support';
import { openReader, withReader } from '../../engine-reader';

const fixtures = join(import.meta.dirname, '../../fixtures/reads');
const unwell = join(fixtures, 'unwell.root');
const sample = join(import.meta.dirname, '../../../public/sample.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-use-'));

const reader = withReader();
let info: FileInfo;
let names: string[] = [];
beforeAll(async () => {
  info = await reader.open({ kind: 'path', path: unwell });
  const [tree] = (await reader.keys(info.id)).filter(({ kind }) => kind === 'tree');
  names = (await reader.tree(info.id, tree?.path ?? '')).branches.map(({ path }) => path);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => runOn(reader, ...args);

test('without a use, a file is judged for the usual ones, in one sentence', async () => {
  const { verdicts } = await examine(reader, info);
  expect(verdicts.map(({ use }) => use)).toEqual(['a few branches', 'all branches', 'single events']);
  for (const { costs } of verdicts) expect(costs).toHaveLength(8);
  const { out } = await run('doctor', sample);
  expect(out.split('\n', 1)).toEqual([
    `good  ${sample}  Good for reading a few branches, all branches and single events; there is nothing to repair.`,
  ]);
});

test('costs and grades are those of the use that is given', async () => {
  const whole = await examine(reader, info);
  const [name = ''] = names;
  const one = await examine(reader, info, { use: { name, branches: [name] } });
  expect(one.verdicts).toMatchObject([{ use: name, branches: 1 }]);
  const costs = one.findings.flatMap((finding) => finding.costs);
  for (const { branches } of costs) expect(branches).toContain(name);
  // One branch of a file with baskets all over it is no worse than all of them.
  const worst = (report: typeof whole) =>
    Math.max(0, ...report.verdicts.flatMap((v) => v.costs.map(({ ms }) => ms)));
  expect(worst(one)).toBeLessThan(worst(whole));
});

test('a layout that does not slow a use down with a cache is no fault for it', async () => {
  const layout = await reader.layout(info.id, 't');
  const [first] = layout.tree.branches;
  if (first === undefined) throw new Error('no branch');
  const used = { branches: [first], recorded: false };
  const costs = layoutCosts(layout, { branches: layout.tree.branches });
  const draft = {
    rule: 'scattered',
    grade: 'bad',
    evidence: 'Far apart.',
    costs,
    remedies: [],
  } as unknown as Draft;
  expect(verdictFor(layout, 'one', used).grade).toBe('good');
  // Without a cache it would take 2.4 s, and 157 ms repaired.
  const [finding] = findingsForUse([draft], layout, used);
  expect(finding).toMatchObject({ grade: 'note', evidence: 'Far apart. It does not slow this use down.' });
});

test('a finding about branches that the use does not read is for information only', async () => {
  const { id } = await reader.open({ kind: 'path', path: join(fixtures, 'unwell.root') });
  const all = await examine(reader, { ...info, id }, { deep: true });
  const about = all.findings.find(({ branches, costs }) => branches !== undefined && costs.length === 0);
  if (about === undefined) return;
  const other = names.find((name) => !about.branches?.includes(name)) ?? '';
  const { findings } = await examine(
    reader,
    { ...info, id },
    { deep: true, use: { name: other, branches: [other] } },
  );
  expect(findings.find(({ rule }) => rule === about.rule)).toMatchObject({ grade: 'note' });
});

test('a trace is a use', async () => {
  const { out, status } = await run('doctor', sample, '--reads', join(fixtures, 'jsroot.har'), '--json');
  expect(status).toBe(0);
  const [verdict] = JSON.parse(out).verdicts;
  expect(verdict).toMatchObject({ use: 'what chromium read', branches: 3 });
  expect((await run('doctor', sample, '--draw', 'sqrt(MET_pt)', '--cut', 'nMuon>1')).out).toContain(
    'sqrt(MET_pt)',
  );
  const both = await run('doctor', sample, '--draw', 'MET_pt', '--branches', 'MET_pt');
  expect(both.status).toBe(2);
});

test('a selector is a use: its branches are those that it reads when it runs', async () => {
  const selector = join(folder, 'q.mjs');
  const code = 'begin: (job) => ({ h: job.hist([100, 0, 200]) }), entry({ pt }, out) { out.h.fill(pt[0]); }';
  writeFileSync(
    selector,
    `export default { branches: { pt: 'Muon_pt', met: 'sqrt(MET_pt)' }, where: 'nMuon >= 2', ${code} };`,
  );
  const trace = join(folder, 'selector-trace.json');
  // A reader of its own, which has nothing in memory.
  const own = await openReader({ workers: 0 });
  const done = await runOn(own, 'process', selector, sample, 'Events', '--trace', trace);
  own.terminate();
  expect(done).toMatchObject({ status: 0 });
  const bytes = JSON.parse(readFileSync(trace, 'utf8'))
    .reads.filter(({ purpose, origin }: ReadRecord) => purpose === '3 branches' && origin !== 'decode')
    .reduce((sum: number, { got }: ReadRecord) => sum + got, 0);
  const expected = ['nMuon', 'Muon_pt', 'MET_pt'];
  const { out } = await run('doctor', sample, '--selector', selector, '--json');
  const [verdict] = JSON.parse(out).verdicts;
  expect(verdict).toMatchObject({ use: selector, branches: 3 });
  expect(verdict.costs[0].branches).toEqual(expected);
  const asked = (...words: string[]) => run('whatif', sample, 'Events', ...words, '--json');
  const named = await asked('--branches', expected.join(','));
  expect((await asked('--selector', selector)).out).toBe(named.out);
  expect(JSON.parse(named.out).outcomes[0]).toMatchObject({ strategy: 'no cache', bytes });
  expect((await asked('--draw', 'Muon_pt:MET_pt', '--cut', 'nMuon>1')).out).toBe(named.out);
  // A trace has an order of its own, in which a read-ahead reads otherwise.
  const traced = JSON.parse((await asked('--reads', join(fixtures, 'jsroot.har'))).out);
  expect(traced.outcomes.at(-1)).toEqual(JSON.parse(named.out).outcomes.at(-1));
});

test('a use of no branch of the file, and a module that is no selector, are errors', async () => {
  expect(await run('doctor', sample, '--draw', 'nosuch')).toMatchObject({ status: 1, out: '' });
  expect(await run('whatif', sample, 'Events', '--draw', 'nosuch')).toMatchObject({ status: 1, out: '' });
  const module = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  for (const [path, why] of [
    [join(folder, 'missing.mjs'), 'does not exist'],
    [module('empty.mjs', 'export const x = 1;'), 'names no branches'],
    [module('wrong.mjs', 'export default { branches: { a: 3 } };'), 'names no branches'],
    [module('cut.mjs', "export default { branches: { a: 'MET_pt' }, where: 1 };"), 'is not a text'],
    [module('thrown.mjs', "throw new Error('by itself');"), 'by itself'],
  ] as const) {
    const { status, err } = await run('doctor', sample, '--selector', path);
    expect([status, err]).toEqual([1, expect.stringContaining(why)]);
  }
});

test('many files are summed up by rule and by writer, as one page without scripts', async () => {
  const html = join(folder, 'report.html');
  const { out } = await run('doctor', sample, unwell, unwell, '--report', html);
  expect(out).toContain('3 files:');
  expect(out).toMatch(/Written by ROOT/);
  const page = readFileSync(html, 'utf8');
  expect(page).toContain('<h2>Findings. The time is');
  expect(page).not.toContain('<script');
  expect(page).toContain('<td>Laid out badly for reading: space in the file that nothing uses; repaired, ');
  await run('doctor', sample, '--report', html);
  const alone = readFileSync(html, 'utf8');
  expect(alone).toContain('</span>: Good for reading a few branches, all branches and single events; ');
  expect(alone.match(/<td>a few branches<\/td>/g)).toHaveLength(8);
  const json = JSON.parse((await run('doctor', sample, unwell, unwell, '--json')).out);
  const [rule] = json.sums.rules;
  expect(rule.files).toBe(2);
  expect(json.sums.grades.good).toBe(1);
});

test('names of files are text in the report', async () => {
  const report = await examine(reader, { ...info, name: '<img src=x onerror=alert(1)>' });
  const page = reportHtml('<b>"title"</b>', [datasetReport(datasetResult([report], []))]);
  expect(page).not.toMatch(/<img|<b>/);
});
