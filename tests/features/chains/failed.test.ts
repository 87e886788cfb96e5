import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const reader = withReader();
let folder: string;
const at = (name: string): string => join(folder, name);
const failedIn = (name: string): string[] => readFileSync(at(name), 'utf8').split('\n').slice(0, -1);
const selector = `export default {
  branches: { pt: 'Muon_pt' }, begin: (job) => ({ h: job.hist([5, 0, 100]) }), process: ({ pt }, { h }) => h.fill(pt.values),
};`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-failed-'));
  for (const name of ['a.root', 'odd, [name].root', 'cut.root']) copyFileSync(sample, at(name));
  truncateSync(at('cut.root'), 60_000);
  truncateSync(at('odd, [name].root'), 100);
  writeFileSync(at('empty.root'), '');
  writeFileSync(at('pt.mjs'), selector);
  const odd = `file://${folder}/${encodeURIComponent('odd, [name].root')}`;
  writeFileSync(at('files.txt'), ['a.root', 'cut.root', odd, 'empty.root', 'none.root'].join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const BAD = ['cut.root', 'empty.root', 'none.root', 'odd'];
/** The names of a list without folders, trees and what an address escapes. */
const shortNames = (lines: readonly string[]): string[] =>
  lines
    .map((line) => line.replace(/^.*\//, '').replace(/\??#.*$/, ''))
    .map((name) => (name.startsWith('odd') ? 'odd' : name))
    .sort();

test.each([
  ['draw', 'Events', 'Muon_pt'],
  ['draw', 'Events', 'Muon_pt', '--hist', '5,0,100', '--partial', 'OUT'],
  ['summary', 'Events', '--branches', 'Muon_pt'],
  ['summary', 'Events', '--branches', 'Muon_pt', '--partial', 'OUT'],
  ['scan', 'Events', 'Muon_pt', 'Muon_pt > 1e9'],
  ['check'],
  ['check', '--partial', 'OUT'],
  ['cutflow', 'Events', 'nMuon == 2'],
  ['plan', 'Events'],
  ['dataset', 'Events'],
  ['process', 'Events', '--jobs', '2'],
  ['process', 'Events', '--partial', 'OUT'],
  ['merge', '--skip-bad', '--force'],
])(
  '%s writes the list of the files that failed, and %s %s reads only them from it',
  async (name, ...more) => {
    const call = async (files: string, list = 'failed.txt') => {
      const words = more.map((word) => (word === 'OUT' ? at('out.json') : word));
      const before = name === 'process' ? [at('pt.mjs')] : name === 'merge' ? [at('merged.root')] : [];
      return await run(reader, name, ...before, files, ...words, '--failed', at(list));
    };
    const { status, err } = await call(`@${at('files.txt')}`);
    expect(status, err).toBe(1);
    expect(shortNames(failedIn('failed.txt'))).toEqual(BAD);
    const again = await call(`@${at('failed.txt')}`, 'again.txt');
    expect(again.status).toBe(1);
    expect(shortNames(failedIn('failed.txt'))).toEqual(BAD);
    const sound = await call(at('a.root'));
    expect(sound.status, sound.err).toBe(0);
    expect(failedIn('failed.txt')).toEqual([]);
  },
);

test('ranges and trees stand in the list, and combine has those that failed and those that are missing', async () => {
  const inputs = `${at('a.root')}?#Events[0:100],${at('none.root')}?#Events[5:10]`;
  const drawn = await run(
    reader,
    ...['draw', inputs, 'Events', 'Muon_pt', '--hist', '5,0,100', '--partial', at('part.json')],
  );
  expect(drawn.status).toBe(1);
  const more = ['--expect', `${at('a.root')},${at('other.root')}`, '--failed', at('failed.txt')];
  const { status } = await run(reader, 'combine', at('part.json'), ...more);
  expect(status).toBe(1);
  expect(failedIn('failed.txt')).toEqual([`${at('none.root')}?#Events[5:10]`, `${at('other.root')}?#Events`]);
});

test('a range of entries is an error for commands that would read the whole file', async () => {
  const ranged = `${at('a.root')}?#Events[0:100]`;
  const pt = ['Events', 'Muon_pt'];
  for (const words of [
    ['draw', ranged, ...pt, '--hist', '5,0,100'],
    ['draw', `${ranged},${ranged}`, ...pt],
    ['summary', ranged, 'Events'],
    ['scan', ranged, ...pt],
    ['merge', at('sum.root'), ranged],
  ])
    expect(await run(reader, ...words), words.join(' ')).toMatchObject({
      ...{ status: 2, out: '', err: expect.stringContaining('"Events[0:100]" is a range of the entries') },
    });
});

test('a wrong query is no failure of a file', async () => {
  const { status } = await run(
    reader,
    ...['draw', at('a.root'), 'Events', 'Muon_qt', '--failed', at('failed.txt')],
  );
  expect(status).not.toBe(0);
  expect(failedIn('failed.txt')).toEqual([]);
  const input = await run(reader, 'draw', at('a.root'), 'Events', 'Muon_pt', '--failed', at('a.root'));
  expect(input.status).toBe(2);
  expect(input.err).toContain('a.root');
});

test('merge --skip-bad names what it leaves out, also when nothing is left', async () => {
  const merged = await run(reader, 'merge', at('sum.root'), `@${at('files.txt')}`, '--skip-bad', '--json');
  expect(merged.status).toBe(1);
  const { files, skipped } = JSON.parse(merged.out);
  expect(files).toBe(1);
  expect(shortNames(skipped.map(({ file }: { file: string }) => file))).toEqual(BAD);
  for (const name of ['cut.root', 'empty.root', 'none.root'])
    expect(merged.err).toContain(`skipped: ${at(name)}: `);
  const none = await run(reader, 'merge', at('none-left.root'), at('empty.root'), '--skip-bad');
  expect(none.status).toBe(1);
  expect(none.err).toContain('None of the files can be read whole');
});

test.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))(
  'ROOT reads what merge --skip-bad wrote, with the entries of the sound files',
  async () => {
    copyFileSync(sample, at('b.root'));
    const { status } = await run(
      reader,
      ...['merge', at('two.root'), at('a.root'), at('cut.root'), at('b.root'), '--skip-bad', '--force'],
    );
    expect(status).toBe(1);
    const code = `import ROOT, sys
f = ROOT.TFile(sys.argv[1])
print(f.Get("Events").GetEntries(), f.Get("Events").Draw("Muon_pt", "", "goff"), f.IsZombie(), f.TestBit(ROOT.TFile.kRecovered))`;
    const said = execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', code, at('two.root')], {
      encoding: 'utf8',
    });
    expect(said.trim()).toBe('4800 10024 False False');
  },
);
