import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { CHECK_RULES, type CheckReport, Findings } from '../../web/api/check-report';
import { check } from '../../web/verbs/check';
import type { VerbCall } from '../../web/verbs/verb';
import { withReader } from '../engine-reader';
import { run } from './support';

const folder = resolve(import.meta.dirname, '../fixtures/files');
const file = (name: string): string => resolve(folder, `${name}.root`);

function sound(name: string, told: string[]): CheckReport {
  told.push(name);
  return new Findings(name, 0).report;
}

const reader = withReader();

test('a sound file: one line, status 0', async () => {
  const { status, out, err } = await run(reader, 'check', file('codec_zlib'));
  expect(status).toBe(0);
  expect(err).toBe('');
  expect(out).toMatch(
    /^good {2}\S+codec_zlib\.root {2}No findings: 12\.7 kB, 2 keys, 1 object, 1 tree, 300 entries, 12 baskets\n$/,
  );
});

test('damage: what, where, status 1', async () => {
  const { status, out } = await run(reader, 'check', file('damaged/adler_flipped'));
  expect(status).toBe(1);
  expect(out).toMatch(/^error {2}/);
  expect(out).toMatch(/^ {2}error +checksum +t\/regular +[\d,]+ +Basket 1 of regular: .*$/m);
});

test('many files in the order they were named, damaged and missing ones among them', async () => {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.root'))
    .map((name) => resolve(folder, name));
  const targets = [file('damaged/html'), ...files, file('missing'), file('damaged/lz4_checksum')];
  const { status, out } = await run(reader, 'check', ...targets, '--json', '--jobs', '7');
  expect(status).toBe(1);
  const { files: reports, summary } = JSON.parse(out);
  expect(reports.map((report: { name: string }) => report.name)).toEqual(targets);
  expect(summary).toEqual({ files: targets.length, failed: 3, error: 3, warning: 0, note: 0 });
  expect(reports[0].findings[0]).toMatchObject({ rule: 'not-opened', code: 'NOT_ROOT' });
  expect(reports.at(-2).findings[0]).toMatchObject({ rule: 'not-opened' });
  expect(reports.at(-1).findings[0]).toMatchObject({ rule: 'checksum', path: 't/regular' });
});

test('--quiet leaves good files out; the last line counts', async () => {
  const { out } = await run(reader, 'check', '--quiet', file('leaves'), file('stl'), file('damaged/text'));
  expect(out.split('\n').filter((line) => /^\w/.test(line))).toEqual([
    expect.stringMatching(/^error {2}\S+text\.root {2}It cannot be opened$/),
    '3 files, 1 failed: 1 errors, 0 warnings, 0 notes',
  ]);
});

test.each([
  ['error', 1],
  ['checksum', 1],
  ['basket-damaged,truncated', 0],
  ['warning', 1],
  ['note', 1],
  ['never', 0],
])('--fail-on %s gives status %d for a wrong checksum', async (rule, wanted) => {
  const { status } = await run(reader, 'check', file('damaged/lz4_checksum'), '--fail-on', rule);
  expect(status).toBe(wanted);
});

test('a pattern and a list mean each of their files', async () => {
  const list = `${file('leaves')},${file('stl')}`;
  const { status, out } = await run(reader, 'check', list, resolve(folder, 'codec_z*.root'), '--json');
  expect(status).toBe(0);
  const { files, summary } = JSON.parse(out);
  const named = readdirSync(folder).filter((name) => /^codec_z.*\.root$/.test(name));
  expect(files.map(({ name }: CheckReport) => name)).toEqual([
    ...[file('leaves'), file('stl')],
    ...named.sort().map((name) => resolve(folder, name)),
  ]);
  expect(summary).toMatchObject({ files: 2 + named.length, failed: 0 });
});

test('--report writes what was found as one page, which says so of each file', async () => {
  const page = join(mkdtempSync(join(tmpdir(), 'xylem-check-')), 'check.html');
  await run(reader, 'check', file('leaves'), file('damaged/adler_flipped'), '--report', page);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('<h1>2 files, 1 failed: 1 errors, 0 warnings, 0 notes</h1>');
  expect(html).toContain(`<h2>${file('leaves')}</h2>`);
  expect(html).toContain('<td>checksum</td><td>t/regular</td>');
});

test('results are told one by one: the first before the second file is read', async () => {
  const told: string[] = [];
  const call = { files: async (name: string) => [{ name, open: async () => sound(name, told) }] };
  const results = check.each?.run({ file: ['a', 'b'], jobs: 1 }, call as unknown as VerbCall);
  expect((await results?.next())?.value.name).toBe('a');
  expect(told).toEqual(['a']);
});

test('the help names every rule', async () => {
  const { out } = await run(reader, 'check', '--help');
  for (const rule of Object.keys(CHECK_RULES)) expect(out).toContain(rule);
});

test.each([
  [['check'], 'FILE is missing'],
  [['check', 'f', '--fail-on', 'rain'], '--fail-on does not take "rain"'],
  [['check', 'f', '--jobs', '0'], '--jobs takes'],
  [['check', 'f', 'g', '--trace', 'out'], '--trace is of one file'],
])('%j is status 2', async (args, message) => {
  const { status, err } = await run(reader, ...args);
  expect(status).toBe(2);
  expect(err).toContain(message);
});
