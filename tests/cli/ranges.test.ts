// Needs features: all.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineReader } from '../../web/api/reader';
import { commandNames } from '../../web/cli/commands/list';
import { openReader } from '../engine-reader';
import { LINES } from './lines';
import { run } from './support';

// A line of a list may name a range of the entries of its file, as those of a plan do. A command fills only these entries, or says
// that it takes no ranges; none reads the whole file without a word.

const clean = resolve(import.meta.dirname, '../fixtures/files/codec_none.root');
let folder = '';
let reader: EngineReader;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-ranges-'));
  reader = await openReader({ workers: 0 });
  writeFileSync(join(folder, 'range.txt'), `${clean}?#t[0:7]\n`);
});
afterAll(() => {
  reader.terminate();
  rmSync(folder, { recursive: true });
});

/** Partial results, which take ranges, and words to which no list of files belongs. */
const OTHER = [
  'corrections',
  'fleet',
  'probe',
  'calc',
  'combine',
  'calibrate',
  'worker',
  'mcp',
  'serve',
  'cache',
  'completion',
];
const cases = commandNames
  .filter((command) => !OTHER.includes(command))
  .flatMap((command) => (LINES[command] ?? [['U']]).map((line) => [command, ...line]))
  .filter(
    (line) =>
      !line.includes('--partial') &&
      !line.includes('T') &&
      /^[UL]$/.test(line.find((word) => /^[UL]$/.test(word)) ?? ''),
  );

const at = (word: string): string => {
  if (word.startsWith('O.')) return join(folder, `out${word.slice(1)}`);
  return /^[UL]$/.test(word) ? `@${join(folder, 'range.txt')}` : word === 'C' ? clean : word;
};

test('every command that reads files is here', () => {
  expect(new Set(cases.map(([command]) => command)).size).toBeGreaterThan(25);
});

test.each(cases)('%s %s %s %s takes no range of entries, and says so', async (...line) => {
  const { status, out, err } = await run(reader, ...line.map(at));
  expect(`${status} ${err}`).toMatch(
    /^[12] .*(range of (the )?entries|is missing|no default export|no option)/s,
  );
  expect(out).not.toMatch(/\b300\b/);
});

const PARTIAL: Record<string, RegExp> = {
  'draw t n --hist 3,0,99': /"fills":7,/,
  'summary t': /"path":"n",[^}]*"entries":7,/,
  'scan t n': /"scan":\{"entries":7,/,
  'cutflow t n>=0': /"entries":\[?7\b/,
};

test.each(Object.entries(PARTIAL))('%s fills the entries of the range', async (words, filled) => {
  const [command = '', ...rest] = words.split(' ');
  const { out, err } = await run(reader, command, at('U'), ...rest, '--partial', '-');
  expect(err).toBe('');
  expect(out).toMatch(filled);
});

test('a partial check is of whole files', async () => {
  const { status, err } = await run(reader, 'check', at('U'), '--partial', '-');
  expect(`${status} ${err}`).toMatch(/^2 .*leave out the range of entries/s);
});

test('a list with commas may name the tree of its first file, and a tree is named once', async () => {
  const draw = async (files: string) => {
    const { status, out, err } = await run(reader, 'draw', files, 't', 'n', '--hist', '3,0,99', '--json');
    return status === 0 ? JSON.parse(out).fills : err;
  };
  expect(await draw(clean)).toBe(300);
  const pattern = clean.replace('none.root', 'non?.root');
  for (const files of [
    `${clean}?#t,${pattern}`,
    `${clean}?#t,${clean}`,
    `${clean},${clean}?#t`,
    `${clean}?#t,${clean}?#t`,
  ])
    expect(await draw(files)).toBe(600);
  expect(await draw(`${clean}?#t[0:7],${clean}`)).toMatch(/range of the entries/);
  expect(await draw(`${clean}?#other,${clean}`)).toMatch(/"other"/);
  expect(await draw(`${clean}?#other`)).toMatch(/named with the tree "other", but "t" is asked for/);
});
