// Needs features: doctor, exports, map, reads, whatif.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withReader } from '../engine-reader';
import { run as runOn } from './support';

const files = resolve(import.meta.dirname, '../fixtures/files');
/** One tree "t" with regular, noise, n and jagged, and a histogram "h". */
const one = join(files, 'codec_none.root');
const several = join(files, 'embedded.root');
const sample = resolve(import.meta.dirname, '../../public/sample.root');

const reader = withReader();
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-trees-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => runOn(reader, ...args);

describe('TREE may be left out where there is only one', () => {
  test.each([
    [['tree'], []],
    [['values'], ['--branches', 'n', '--entries', '0:3']],
    [['values'], ['--digest', '--json']],
    [['summary'], []],
    [['layout'], ['--json']],
    [['whatif'], ['--json']],
    [['hist'], ['n', '--json']],
    [['draw'], ['n', '--json']],
    [['draw'], ['n', 'n>2', '--json']],
    [['scan'], ['n:regular']],
    [['scan'], ['n:regular', 'n>2', '--json']],
    [['export'], ['--entries', '0:5']],
    [['export'], ['n', 'regular', '--entries', '0:5']],
  ])('%j … %j', async ([command = ''], rest) => {
    const named = await run(command, one, 't', ...rest);
    expect(named.status).toBe(0);
    expect(await run(command, one, ...rest)).toEqual(named);
  });

  test('with a file that names its own, that one is meant', async () => {
    const named = await run('layout', several, 'small', '--json');
    expect(await run('layout', `${several}?#small`, '--json')).toEqual(named);
    expect((await run('draw', `${several}?#small`, 'Entry$', '--json')).status).toBe(0);
  });

  test('of several, and of none, it must be named', async () => {
    for (const args of [
      ['values', several],
      ['layout', several],
      ['draw', several, 'Entry$'],
    ]) {
      const { status, err } = await run(...args);
      expect(status).toBe(1);
      expect(err).toContain('There are 2 trees in the file');
      expect(err).toContain('Name one of them: small, large. [NOT_FOUND]');
    }
    const none = await run('values', join(files, 'histograms.root'));
    expect(none).toMatchObject({ status: 1, err: expect.stringContaining('There is no tree in the file.') });
  });

  test('what may be a misspelt tree is said to be none', async () => {
    const { status, err } = await run('draw', sample, 'Evnts', 'nMuon');
    expect(status).toBe(1);
    expect(err).toContain('There is no tree "Evnts". Did you mean "Events"?');
    const missing = await run('values', sample, 'Evnts');
    expect(missing).toMatchObject({ status: 1, out: '' });
  });

  test('hist of a PATH draws what is stored there', async () => {
    const { status, out } = await run('hist', one, 'h', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out)._typename).toBe('TH1F');
    expect(await run('hist', one, 'h', '--bins', '10')).toMatchObject({ status: 2 });
    expect(await run('hist', one, 't')).toMatchObject({
      status: 2,
      err: expect.stringContaining('EXPR is missing'),
    });
  });
});

describe('patterns of branches', () => {
  test('are of every command that takes branches', async () => {
    const pattern = ['--branches', '*n*,j?gged'];
    const names = ['n', 'noise', 'jagged'];
    const values = JSON.parse((await run('values', one, ...pattern, '--json', '--entries', '0:1')).out);
    expect(Object.keys(values.branches).sort()).toEqual([...names].sort());
    const summary = JSON.parse((await run('summary', one, ...pattern, '--json')).out);
    expect(summary.branches).toHaveLength(3);
    expect(
      (await run('export', one, ...pattern, '--entries', '0:1')).out.split('\n')[0]?.split(',').sort(),
    ).toEqual([...names].sort());
    expect(JSON.parse((await run('whatif', one, ...pattern, '--json')).out).branches).toBe(3);
    expect(await run('perf', one, ...pattern)).toMatchObject({ status: 0, err: '' });
    const map = await run('map', one, ...pattern);
    expect(map.out).toMatch(/\*n\*\n/);
    const none = await run('values', one, '--branches', 'zzz*');
    expect(none).toMatchObject({ status: 1, err: expect.stringContaining('There is no branch "zzz*"') });
  });

  test('stand beside names of friends', async () => {
    const friends = resolve(import.meta.dirname, '../query/files/friends.root');
    const { status, out } = await run('export', friends, 't', '--branches', 'ru?,f.z', '--entries', '0:1');
    expect(status).toBe(0);
    expect(out.split('\n')[0]).toBe('run,f.z');
  });
});

describe('perf', () => {
  test('reads a part of the entries, and prints and saves what it saw', async () => {
    const saved = join(folder, 'saved.json');
    const { status, out } = await run(
      'perf',
      sample,
      '--sample',
      '10%',
      '--branches',
      'Muon_*',
      '--json',
      '--save',
      saved,
    );
    expect(status).toBe(0);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ format: 'xylem perf 1', tree: 'Events' });
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual(report);
    const reading = vi.spyOn(reader, 'summarize');
    await run('perf', one, '--sample', '10%', '--entries', '5:50');
    await run('perf', one, '--entries', '5:50,60:70');
    const asked = reading.mock.calls.map(([, request]) => request.entries);
    reading.mockRestore();
    expect(asked).toEqual([
      expect.objectContaining({ fraction: 0.1 }),
      [
        [5, 50],
        [60, 70],
      ],
    ]);
    const again = await run('perf', saved);
    expect(again).toMatchObject({ status: 0, out: expect.stringContaining('ReadCalls') });
    expect(await run('perf', saved, '--compare', saved)).toMatchObject({ status: 0 });
  });
});

describe('a sample is a part as 1% or 0.01', () => {
  test.each(['values', 'summary', 'export', 'perf', 'whatif'])('%s', async (command) => {
    expect(await run(command, one, '--sample', '50%')).toMatchObject({ status: 0 });
    expect(await run(command, one, '--sample', '0.5')).toMatchObject({ status: 0 });
    const { status, err } = await run(command, one, '--sample', '10');
    expect([status, err]).toEqual([
      2,
      expect.stringContaining('--sample takes a part of all as 1% or 0.01, not "10"'),
    ]);
  });
  test('whatif takes the sample that other commands take', async () => {
    const { entries, chosen } = JSON.parse((await run('whatif', one, '--sample', '20%', '--json')).out);
    expect(entries[0]).toBeGreaterThanOrEqual(0);
    expect(entries[1]).toBeLessThanOrEqual(300);
    const { out } = await run('export', one, '--format', 'jsonl', '--sample', '20%');
    expect(chosen).toBe(out.trim().split('\n').length);
  });
});

describe('doctor', () => {
  test('takes several files, and reports one that cannot be read', async () => {
    const { status, out } = await run('doctor', one, several, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(out).files.map(({ file }: { file: string }) => file)).toEqual([one, several]);
    const damaged = resolve(import.meta.dirname, '../../package.json');
    const json = await run('doctor', one, damaged, '--json');
    expect(json.status).toBe(1);
    expect(JSON.parse(json.out).files[1]).toMatchObject({ file: damaged, code: 'NOT_ROOT' });
    const text = await run('doctor', one, damaged);
    expect(text).toMatchObject({ status: 1, err: expect.stringContaining(`${damaged}: `) });
    expect(text.out).toContain('2 files: ');
    expect(await run('doctor', damaged)).toMatchObject({ status: 1, out: '' });
  });
});

test.each(['rows.hdf5', 'rows.csv.gz', 'd.x/rows.json'])(
  'export -o %s names no format, and says so',
  async (name) => {
    const out = join(folder, name);
    const { status, err } = await run('export', one, 't', '-o', out);
    expect(status).toBe(2);
    expect(err).toContain(`No format has the ending ".${name.split('.').at(-1)}"`);
    expect(existsSync(out)).toBe(false);
    const plain = join(folder, 'rows');
    expect(await run('export', one, 't', '--entries', '0:2', '-o', plain, '--force')).toMatchObject({
      status: 0,
    });
    expect(readFileSync(plain, 'utf8').split('\n')[0]).toBe('regular,noise,n,jagged');
  },
);
