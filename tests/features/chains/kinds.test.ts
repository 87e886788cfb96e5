import { copyFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addExactSummary,
  emptyExactSummary,
  exactSummaryOf,
  figuresOf,
} from '../../../web/core/sums/exact-summary';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { startRangeServer } from '../../servers/range-server';

const fixtures = resolve(import.meta.dirname, '../../fixtures/files');
const names = ['codec_zlib', 'codec_lz4', 'codec_zstd', 'codec_lzma'];
const reader = withReader();
let folder: string;
const at = (name: string): string => join(folder, name);
const files = (): string[] => names.map((name) => at(`${name}.root`));
const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);
const textOf = (name: string): string => readFileSync(at(name), 'utf8');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-kinds-'));
  for (const name of [...names, 'clusters']) copyFileSync(join(fixtures, `${name}.root`), at(`${name}.root`));
  const damaged = readFileSync(at('codec_zlib.root'));
  damaged.fill(0x55, 700, 3000);
  writeFileSync(at('damaged.root'), damaged);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command on single files and on all, and expects the same text whatever the order of adding. */
async function addsUp(command: (files: string) => string[]): Promise<void> {
  const whole = await xylem(...command(files().join(',')), '--partial', at('whole'));
  expect(whole.err).not.toContain('partial');
  const parts: string[] = [];
  for (const [i, file] of files().entries()) {
    await xylem(...command(file), '--partial', at(`part-${i}`));
    parts.push(at(`part-${i}`));
  }
  for (const order of [
    [2, 0, 3, 1],
    [3, 2, 1, 0],
  ]) {
    const [a, b, c, d] = order.map((i) => parts[i] ?? '');
    await xylem('combine', b ?? '', d ?? '', '--partial', at('two'));
    await xylem('combine', c ?? '', at('two'), a ?? '', '--partial', at('sum'));
    expect(textOf('sum')).toBe(textOf('whole'));
  }
  const twice = await xylem('combine', at('sum'), parts[1] ?? '');
  expect(twice.err).toMatch(/occurs? twice/);
}

test('summaries add up, and say what a summary of the chain says', async () => {
  await addsUp((list) => ['summary', list, 't']);
  const { out } = await xylem('combine', at('whole'), '--json');
  const usual = await xylem('summary', files().join(','), 't', '--json');
  type Shown = { path: string; [figure: string]: unknown };
  const [sum, all] = [out, usual.out].map((text) => JSON.parse(text).branches as Shown[]);
  const byPath = new Map(sum?.map((one) => [one.path, one]));
  expect(all?.length).toBeGreaterThan(3);
  for (const { path, duplicateOf: _, ...figures } of all ?? []) {
    if (figures.error !== undefined) expect(byPath.has(path)).toBe(false);
    else
      for (const [name, value] of Object.entries(figures)) {
        const mine = byPath.get(path)?.[name];
        if (typeof value === 'number') expect(mine, `${path} ${name}`).toBeCloseTo(value, 9);
        else expect(mine, `${path} ${name}`).toEqual(value);
      }
  }
});

test('a summary of clusters has the bits of one of the file', async () => {
  const file = at('clusters.root');
  const { tasks } = JSON.parse((await xylem('plan', file, 't', '--tasks', '3', '--json')).out) as {
    tasks: { inputs: { entries: [number, number] }[] }[];
  };
  expect(tasks).toHaveLength(3);
  const parts = tasks.map(({ inputs }) => `${file}?#t[${inputs[0]?.entries.join(':')}]`);
  await xylem('summary', parts.join(','), 't', '--partial', at('clusters'));
  await xylem('summary', file, 't', '--partial', at('one'));
  expect(JSON.parse(textOf('clusters')).inputs).toHaveLength(3);
  expect(JSON.parse(textOf('clusters')).summary).toEqual(JSON.parse(textOf('one')).summary);
});

test('the spread of values far from zero is not lost', () => {
  const sketch = (values: number[]) => {
    const sum = values.reduce((a, b) => a + b, 0);
    const deviation = values.reduce((all, value) => all + (value - sum / values.length) ** 2, 0);
    const [min, max] = [Math.min(...values), Math.max(...values)];
    const ends = { values: values.length, nans: 0, infinities: 0, carry: 0, integers: true };
    return exactSummaryOf({
      summary: { ...ends, min, max, sum, deviation },
      ...{ zeros: 0, items: values.length, groups: 0, hash: 0n, lengths: 0n },
      distinct: new Set(values.map(BigInt)),
      registers: new Uint8Array(16_384),
    });
  };
  const all = emptyExactSummary();
  for (const part of [[2 ** 50], [2 ** 50 + 2, 2 ** 50 + 4], [2 ** 50 + 6]])
    addExactSummary(all, sketch(part));
  expect(figuresOf(all)).toMatchObject({ mean: 2 ** 50 + 3, stdDev: Math.sqrt(5), min: 2 ** 50 });
});

test('counts of scans add up, and are those of the lines', async () => {
  for (const query of [
    ['jagged:n', 'jagged>1'],
    ['n', 'n>2'],
    ['jagged', ''],
  ]) {
    await addsUp((list) => ['scan', list, 't', ...query]);
    const lines = (await xylem('scan', files().join(','), 't', ...query, '--limit', '1000000', '--json')).out;
    const entries = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).entry as number);
    const counted = JSON.parse((await xylem('combine', at('whole'), '--json')).out);
    expect(counted).toEqual({ lines: entries.length, passed: new Set(entries).size, entries: 1200 });
  }
  const placed = await xylem('scan', files().join(','), 't', 'Entry$', '--jobs', '1');
  expect(placed.err).toContain('UNSUPPORTED');
});

test('checks add up, and keep what they found', async () => {
  await addsUp((list) => ['check', list]);
  const found = await xylem('check', `${files()[0]},${at('damaged.root')}`, '--partial', at('bad'));
  expect(found.status).toBe(1);
  const shown = await xylem('combine', at('bad'));
  expect(shown.status).toBe(1);
  expect(shown.out).toContain(at('damaged.root'));
  expect(shown.out).toContain('2 files, 1 failed');
  expect(JSON.parse((await xylem('combine', at('bad'), '--json')).out).summary).toMatchObject({
    files: 2,
    failed: 1,
  });
  expect((await xylem('combine', at('bad'), '--svg', at('x.svg'))).status).toBe(2);
  await xylem('summary', files()[0] ?? '', 't', '--partial', at('other'));
  expect((await xylem('combine', at('bad'), at('other'))).err).toContain(
    'of "check" and another of "summary"',
  );
});

test('files that changed since are read again, with all others', async () => {
  const file = at('later.root');
  copyFileSync(files()[0] ?? '', file);
  const draw = ['draw', `${file},${files()[1]}`, 't', 'n', '--hist', '5,0,5', '--resume', at('kept')];
  await xylem(...draw);
  const before = textOf('kept');
  expect(JSON.parse(before).inputs[0].validator).toMatch(/^mtime /);
  expect((await xylem(...draw)).err).not.toContain('changed');
  expect(textOf('kept')).toBe(before);
  copyFileSync(files()[2] ?? '', file);
  utimesSync(file, new Date(), new Date(Date.now() + 5000));
  const again = await xylem(...draw);
  expect(again.err).toContain(`changed since they were read: ${file}; a sum cannot lose a part`);
  expect(again.status).toBe(0);
  expect(JSON.parse(textOf('kept')).inputs).toHaveLength(2);
  expect(JSON.parse(textOf('kept')).inputs.map((one: { validator: string }) => one.validator)).not.toEqual(
    JSON.parse(before).inputs.map((one: { validator: string }) => one.validator),
  );
  // Two contents of one name do not add up.
  await xylem('draw', `${file}?#t[0:10]`, 't', 'n', '--hist', '5,0,5', '--partial', at('first'));
  utimesSync(file, new Date(), new Date(Date.now() + 9000));
  await xylem('draw', `${file}?#t[10:300]`, 't', 'n', '--hist', '5,0,5', '--partial', at('second'));
  expect((await xylem('combine', at('first'), at('second'))).err).toContain('FILE_CHANGED');
});

test('over HTTP, the ETag tells that a file changed', async () => {
  const server = await startRangeServer(readFileSync(files()[0] ?? ''), { etag: '"one"' });
  try {
    const draw = ['draw', server.url, 't', 'n', '--hist', '5,0,5', '--resume', at('web'), '--no-cache'];
    await xylem(...draw);
    expect(JSON.parse(textOf('web')).inputs[0].validator).toBe('"one"');
    server.faults.etag = '"two"';
    expect((await xylem(...draw)).err).toContain('changed since they were read');
    expect(JSON.parse(textOf('web')).inputs[0].validator).toBe('"two"');
  } finally {
    await server.close();
  }
});
