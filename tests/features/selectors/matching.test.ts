import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/features/selectors.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'xylem-matching-'));
const reader = withReader(makeEngine);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** ROOT's answers: tests/fixtures/make_matching.py. */
const events = join(root, 'tests/fixtures/files/page/adl.root');
const recorded = JSON.parse(readFileSync(events.replace('adl.root', 'matching.json'), 'utf8')) as Record<
  string,
  { mean: number; bins: number[] }
>;

test('the example of matching and combinations has the bins of RDataFrame', async () => {
  const [block = ''] = /^ {4}\/\/ matching\.mjs\n(?: {4}.*\n|\n(?= {4}))*/m.exec(page) ?? [];
  const path = join(folder, 'matching.mjs');
  writeFileSync(path, block.replace(/^ {4}/gm, ''));
  const { out, err, status } = await run(reader, 'process', path, events, 'Events', '--json');
  expect([err, status]).toEqual(['', 0]);
  const { results } = JSON.parse(out);
  expect(Object.keys(results)).toEqual(Object.keys(recorded));
  for (const [name, { mean, bins }] of Object.entries(recorded)) {
    expect(results[name].sums).toEqual(bins);
    expect(results[name].mean[0]).toBeCloseTo(mean, 9);
  }
});
