// Needs features: all.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineReader } from '../../web/api/reader';
import { commandNames } from '../../web/cli/commands/list';
import { openReader } from '../engine-reader';
import { run, runInTerminal } from './support';

// Names and titles that would move the cursor, set the window's title, fill the clipboard, break
// lines and columns, or turn the direction of text: C0, DEL, C1 and bidi.
const BRANCH = '\u001b[31m\u009b';
const TITLE = '\u001b]0;a\u0007\u009b2J\n\t\u202ec\u2066\u007f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const clean = resolve(import.meta.dirname, '../fixtures/files/codec_none.root');
let folder = '';
let reader: EngineReader;
let hostile = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-hostile-'));
  hostile = join(folder, 'hostile.root');
  const bytes = readFileSync(clean);
  replace(bytes, 'regular', BRANCH);
  replace(bytes, 'a histogram in this codec', TITLE);
  writeFileSync(hostile, bytes);
  reader = await openReader({ workers: 0 });
});

afterAll(() => {
  reader.terminate();
  rmSync(folder, { recursive: true });
});

/** Everywhere, by a text of as many bytes. */
function replace(bytes: Buffer, old: string, by: string): void {
  const [from, to] = [Buffer.from(old), Buffer.from(by)];
  const filled = Buffer.concat([to, Buffer.alloc(from.length - to.length, 'x')]);
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) filled.copy(bytes, at);
}

const SELECTOR = resolve(import.meta.dirname, '../../docs/features/selectors/q1-met.mjs');

/**
 * Command lines that print something from the file, by command: F is the file, C a clean one, O a file to write, T one with
 * such a name.
 */
const LINES: Record<string, string[][]> = {
  ls: [['F'], ['F', 't'], ['F', 'nosuch'], ['F', `x${TITLE}`]],
  keys: [['F']],
  tree: [['F']],
  values: [
    ['F', 't'],
    ['F', 't', '--digest'],
    ['F', 't', '--raw', '--entries', '0:3'],
    ['F', 't', '--branches', `${BRANCH}x`],
  ],
  object: [
    ['F', 'h'],
    ['F', 't'],
    ['F', TITLE],
  ],
  types: [['F'], ['F', 'TH1F'], ['F', '--ts'], ['F', '--cpp', 'D'], ['F', TITLE]],
  check: [['F']],
  diff: [
    ['F', 'C'],
    ['C', 'F', '--parts', 'schema,layout'],
  ],
  serve: [['--host', TITLE], [TITLE]],
  mcp: [[TITLE], ['--allow-write', TITLE]],
  hist: [
    ['F', 'h'],
    ['F', 't', BRANCH],
    ['F', 't', 'nosuch'],
    ['F', 'h', '--svg', '-'],
  ],
  draw: [
    ['F', 't', 'n'],
    ['F', 't', BRANCH],
    ['F', 't', `n+"${TITLE}"`],
    ['F', 't', `n>>${TITLE}`],
    ['F', 't', BRANCH, '--partial', '-', '--hist', '3,0,9'],
    [`F${TITLE}`, TITLE, TITLE, '--jobs', '1', '--hist', '3,0,9'],
  ],
  wall: [
    ['F'],
    ['F', TITLE],
    ['F', '--html', '-'],
    ['F', '--tree', 't', BRANCH],
    ['F', '--reference', 'C', '--junit', '-'],
  ],
  combine: [[TITLE], ['C'], ['F']],
  process: [
    [TITLE, 'F', 't'],
    [SELECTOR, 'F', 't'],
    [SELECTOR, 'F', TITLE],
  ],
  dataset: [['F'], ['F', 't'], ['F,C', '--deep']],
  plan: [
    ['F', 't'],
    ['F', TITLE],
  ],
  scan: [
    ['F', 't', 'n:jagged'],
    ['F', 't', BRANCH],
  ],
  perf: [
    ['F', 't'],
    ['F', 't', '--branches', 'nosuch'],
  ],
  whatif: [
    ['F', 't'],
    ['F', 't', '--branches', TITLE],
  ],
  // A model that is not one.
  fleet: [['F']],
  doctor: [['F'], ['F', '--deep'], ['F', '--tree', TITLE]],
  map: [
    ['F', '--branches', BRANCH],
    ['F', '--walk'],
    ['F', '--branches', 'nosuch'],
  ],
  layout: [
    ['F', 't'],
    ['F', 't', '--collections'],
  ],
  probe: [[`http://127.0.0.1:9/${TITLE}`]],
  summary: [['F', 't']],
  cache: [['clear', TITLE], ['list']],
  completion: [[TITLE], ['bash', TITLE]],
  export: [
    ['F', 't', '--format', 'jsonl'],
    ['F', 't', '--branches', 'nosuch'],
  ],
  heal: [
    ['F', 'O'],
    ['F', 'O', '--dry-run'],
    ['F', 'O', '--by', 'F'],
    ['F', 'T'],
  ],
  salvage: [
    ['F', 'O'],
    ['C', 'O'],
    ['F', 'T'],
  ],
  skim: [
    ['F', 'O', '--tree', 't', '--entries', '1:2'],
    ['F', 'O', '--tree', 't', '--cut', TITLE],
    ['F', 'O', '--verify'],
    ['F', '--dry-run'],
    [TITLE, 'O'],
  ],
  entry: [['F', '0']],
  merge: [
    ['O', 'F', 'F'],
    ['O', 'F', 'C'],
    ['O', TITLE],
  ],
};

/** The lines of each command that there is; one that is not in the list gets the file alone. */
const lines = commandNames.map((command) => [command, LINES[command] ?? [['F']]] as const);

const cases = lines.flatMap(([command, own]) =>
  own.flatMap((line) => [
    [command, ...line],
    [command, ...line, '--json'],
  ]),
);

test.each(cases)('%s prints no control characters', async (...line) => {
  const files: Record<string, string> = {
    F: hostile,
    C: clean,
    O: join(folder, 'out.root'),
    T: join(folder, TITLE),
    D: join(folder, 'classes'),
  };
  const args = line.map((word) => files[word] ?? word);
  for (const { out, err } of [await run(reader, ...args), await runInTerminal(reader, ...args)]) {
    expect(out + err).not.toBe('');
    // In a terminal we ourselves wipe the line of progress away.
    expect(CONTROLS.exec(out + err.replaceAll('\r\u001b[K', ''))).toBeNull();
  }
});

test('a key stays one line of three cells, and JSON says what its title is', async () => {
  const { out } = await run(reader, 'keys', hostile);
  expect(out.split('\n').map((line) => line.split('\t').length)).toEqual([3, 3, 1]);
  const json = await run(reader, 'keys', hostile, '--json');
  expect(JSON.parse(json.out).keys[1].title).toContain(TITLE);
  const tree = await run(reader, 'ls', hostile, 't', '--json');
  expect(JSON.parse(tree.out).tree.branches[0].path).toBe(BRANCH);
});

test('the text of a wrong expression of 100 kB is not printed whole', async () => {
  for (const expression of [
    `${'1+'.repeat(50_000)}+nosuch`,
    'x'.repeat(100_000),
    `n+${'("'.repeat(50_000)}`,
  ]) {
    const { status, out, err } = await run(reader, 'draw', clean, 't', expression);
    expect([1, 2]).toContain(status);
    expect(out).toBe('');
    expect(err.length).toBeLessThan(2000);
  }
  const { err } = await run(reader, 'draw', clean, 't', `${'n+'.repeat(200)}nosuch${'+n'.repeat(200)}`);
  const [, shown = '', mark = ''] = err.split('\n');
  expect(shown.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1)).toBe('nosuch');
});

test.each(['ls', 'tree'])(
  '%s says which branches of a damaged tree are lost, with status 1',
  async (name) => {
    const file = resolve(import.meta.dirname, '../fixtures/files/hostile/impossible_baskets.root');
    const { status, err } = await run(reader, name, file, 't');
    expect(status).toBe(1);
    expect(err).toMatch(/^partial: 4 of 4 branches unreadable\n {2}.* \[CORRUPT\]\n/m);
  },
);

test('devices that never end are refused where a trace, a model or a list is read', async () => {
  for (const args of [
    ['perf', '/dev/zero', '--file', clean],
    ['fleet', '/dev/zero'],
    ['ls', '@/dev/zero'],
    ['scan', clean, 't', 'regular', '--entry-list', '/dev/zero'],
  ]) {
    const { status, err } = await run(reader, ...args);
    expect(status, args.join(' ')).not.toBe(0);
    expect(err, args.join(' ')).toMatch(/has more than 512 MiB|whole number/);
  }
}, 60_000);

test('a list of entries may be long, with remarks and words across its pieces', async () => {
  const list = join(folder, 'entries.txt');
  // Pieces have a mebibyte; the remark is longer than two.
  writeFileSync(list, `${'1 '.repeat(1_500_000)}# ${'5 '.repeat(1_200_000)}\n3,3;4:6 0`);
  const args = ['scan', clean, 't', 'regular', '--entry-list', list, '--limit', '20'];
  const { status, out } = await run(reader, ...args);
  expect(status).toBe(0);
  const entries = out
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => Number.parseInt(line, 10));
  expect(entries).toEqual([0, 1, 3, 4, 5]);
});
