import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReaderApi } from '../../../web/api/api';
import { makeEngine } from '../../engine/fixtures';
import { run } from '../support';

let reader: ReaderApi;
let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  reader = await makeEngine();
  folder = mkdtempSync(join(tmpdir(), 'xylem-plan-'));
  const sample = resolve(import.meta.dirname, '../../../public/sample.root');
  // The second name would be a list and a pattern if it were not that of a file.
  for (const name of ['a.root', 'b,[c] d.root']) copyFileSync(sample, at(name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const histogramIn = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')).histogram;

test('the tasks of a plan, drawn and combined, are the whole', async () => {
  writeFileSync(at('files.txt'), 'a.root\nb,[c] d.root\n');
  const files = `@${at('files.txt')}`;
  const query = ['Muon_pt', 'MET_pt', '--hist', '30,0,90'];
  const out = at('out');
  const made = await run(
    reader,
    'plan',
    files,
    'Events',
    '--tasks',
    '4',
    '--out',
    out,
    '--draw',
    query.join(' '),
  );
  expect(made.status).toBe(0);
  const commands = made.out.trim().split('\n');
  expect(commands).toHaveLength(4);
  for (const line of commands) {
    expect(line).toMatch(/^xylem draw @\S+ Events Muon_pt MET_pt --hist 30,0,90 --partial \S+\.json$/);
    expect((await run(reader, ...line.split(' ').slice(1))).status).toBe(0);
  }
  const lists = readdirSync(out).filter((name) => name.endsWith('.txt'));
  // Ranges of entries, because a file has more than one cluster.
  expect(lists.map((name) => readFileSync(join(out, name), 'utf8')).join('')).toMatch(/\?#Events\[0:\d+\]/);
  const combined = await run(
    reader,
    'combine',
    join(out, '*.json'),
    '--partial',
    at('sum.json'),
    '--expect',
    files,
  );
  expect(combined.err).not.toContain('missing');
  expect(combined.status).toBe(0);
  await run(reader, 'draw', files, 'Events', ...query, '--partial', at('whole.json'));
  expect(histogramIn('sum.json')).toEqual(histogramIn('whole.json'));
  // Without one of the tasks the files are still there in part; without all of a file it is missing.
  const first = await run(reader, 'combine', join(out, 'task-0001.json'), '--expect', files);
  expect(first.status).toBe(1);
  expect(first.err).toContain(`missing: ${at('b,[c] d.root')}`);
});

test('a plan by branches, as JSON; files that cannot be read are named', async () => {
  writeFileSync(at('files.txt'), 'a.root\nnone.root\n');
  const files = `@${at('files.txt')}`;
  const all = JSON.parse((await run(reader, 'plan', files, 'Events', '--json')).out);
  const { status, out, err } = await run(reader, 'plan', files, 'Events', '--branches', 'nMuon', '--json');
  expect(status).toBe(1);
  expect(err).toContain('none.root');
  const some = JSON.parse(out);
  expect(some).toMatchObject({ files: 1, entries: 2400, failed: [{ file: at('none.root') }] });
  expect(some.bytes).toBeGreaterThan(0);
  expect(some.bytes).toBeLessThan(all.bytes / 20);
});
