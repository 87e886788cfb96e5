// Needs features: corrections.
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/features/selectors/analysis.md'), 'utf8');
const recorded = JSON.parse(
  readFileSync(join(root, 'tests/fixtures/files/analysis/coffea.json'), 'utf8'),
) as Record<string, { cuts: Record<string, number>; shapes: Record<string, number[]> }>;
const folder = mkdtempSync(join(tmpdir(), 'xylem-analysis-'));
const at = (name: string): string => join(folder, name);
const reader = withReader();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines of the indented blocks of the page. */
const lines = page.split('\n').flatMap((line) => (line.startsWith('    ') ? [line.slice(4)] : []));
const FILES = /^(selector\.mjs|samples\.json|made\.json|made\.root|shapes\.root|plots)$/;

function xylem(line: string): Promise<Run> {
  const words = line.split(' ').slice(1);
  return run(reader, ...words.map((word) => (FILES.test(word) ? at(word) : word)));
}

interface Bins {
  sums: number[];
  squares: number[];
}
type Results = Record<string, Bins> & { cuts: Record<string, number> };
let made: { samples: Record<string, { results: Results }> };

/** The lines that the commands of the page print. */
const printed: string[] = [];

beforeAll(async () => {
  cpSync(join(root, 'docs/features/selectors/analysis'), folder, { recursive: true });
  cpSync(join(root, 'tests/fixtures/files/analysis'), at('data'), { recursive: true });
  const commands = lines.filter((line) => line.startsWith('xylem '));
  expect(commands).toHaveLength(2);
  for (const line of commands) {
    const { out, err, status } = await xylem(line);
    expect(status, `${line}\n${err}`).toBe(0);
    printed.push(...(out + err).replaceAll(`${folder}/`, '').split('\n'));
  }
  made = JSON.parse(readFileSync(at('made.json'), 'utf8'));
}, 300_000);

test('the commands of the page print what it shows, and write a picture of each histogram', () => {
  const shown = lines.filter((line) => /^(written|22 pictures|cuts )/.test(line));
  expect(shown.length).toBeGreaterThan(8);
  for (const line of shown) expect(printed).toContain(line);
  const pictures = readdirSync(at('plots'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.svg'),
  );
  expect(pictures.filter((name) => !name.startsWith('variations'))).toHaveLength(22);
  const svg = readFileSync(at('plots/pair/mass.svg'), 'utf8');
  for (const word of ['>dy<', '>tt<', '>signal<', '>data<', '>Total error<', '>Ratio<'])
    expect(svg).toContain(word);
});

test('the page shows the code of the selector', () => {
  const code = readFileSync(join(root, 'docs/features/selectors/analysis/selector.mjs'), 'utf8');
  const shown = lines.filter(
    (line) => !/^(xylem|python|cp|cd|written|\d+ (?:histograms|pictures)|cuts|\[)/.test(line) && line !== '',
  );
  expect(shown.length).toBeGreaterThanOrEqual(3);
  for (const line of shown) expect(code).toContain(line);
});

/** Relative difference; 0 if both are 0. */
const difference = (one: number, other: number): number =>
  one === other ? 0 : Math.abs(one - other) / Math.max(Math.abs(one), Math.abs(other));

test('all histograms of all samples and variations have the sums that coffea recorded', () => {
  let count = 0;
  let most = 0;
  for (const [sample, { cuts, shapes }] of Object.entries(recorded)) {
    const results = made.samples[sample]?.results as Results;
    expect(Object.keys(results).sort()).toEqual(['cuts', ...Object.keys(shapes)].sort());
    for (const [cut, sum] of Object.entries(cuts))
      most = Math.max(most, difference(results.cuts[cut] ?? Number.NaN, sum));
    for (const [name, moments] of Object.entries(shapes)) {
      const { sums, squares } = results[name] as Bins;
      const total = (values: number[], of: (i: number) => number): number =>
        values.reduce((sum, value, i) => sum + value * of(i), 0);
      // Numbers of bins as weights notice contents in another bin.
      const own = [
        total(sums, () => 1),
        total(sums, (i) => i + 1),
        total(squares, () => 1),
        total(squares, (i) => i + 1),
      ];
      own.forEach((one, i) => {
        most = Math.max(most, difference(one, moments[i] ?? Number.NaN));
      });
      count += 1;
    }
  }
  expect(count).toBe(22 * (3 * 11 + 1));
  expect(most).toBeLessThan(1e-12);
});

/** Whether the Python of the oracle has what the analysis imports. */
const hasCoffea =
  oraclePython !== undefined &&
  spawnSync(oraclePython, [
    '-c',
    'import importlib.util as u; exit(not all(map(u.find_spec, ["coffea", "correctionlib", "pyhf"])))',
  ]).status === 0;

test.skipIf(lacks('ORACLE_PYTHON with coffea and pyhf', hasCoffea))(
  'coffea makes the same bins, and pyhf the same limit from both',
  async () => {
    const start = async (line: string): Promise<string> => {
      const [, ...words] = line.split(' ');
      const { stdout } = await promisify(execFile)(oraclePython ?? '', words, { cwd: folder });
      return stdout.trim();
    };
    const [limit, coffea, compare] = lines.filter((line) => line.startsWith('python '));
    await start(coffea ?? '');
    const said = await start(compare ?? '');
    expect(page.replaceAll('\n', ' ')).toContain(said.replace(/,[^,]*$/, ''));
    expect(Number(/difference (\S+)$/.exec(said)?.[1])).toBeLessThan(1e-12);
    const ours = JSON.parse(await start(limit ?? '')) as number[];
    const theirs = JSON.parse(await start('python limit.py coffea.root')) as number[];
    const shown = JSON.parse(lines.find((line) => line.startsWith('[')) ?? '') as number[];
    ours.forEach((one, i) => {
      expect(difference(one, theirs[i] ?? Number.NaN)).toBeLessThan(1e-6);
      expect(one).toBeCloseTo(shown[i] ?? Number.NaN, 2);
    });
  },
  1_200_000,
);
