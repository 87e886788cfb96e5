import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addHistogram } from '../../../web/bins/histogram-sum';
import type { PartialResult } from '../../../web/features/chains/work/partial';
import { parsePartial, partialText } from '../../../web/features/chains/work/partial-text';
import { type Run, run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

// Copies of one file have its identifier, so the inputs are ranges of it, and files of other identifiers.
const fixtures = resolve(import.meta.dirname, '../../fixtures/files');
const names = ['codec_zlib', 'codec_lz4', 'codec_zstd', 'codec_lzma'];
const query = ['t', 'jagged', 'noise*1e-3+n', '--hist', '20,-3,60'];
const reader = withReader(makeEngine);
let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-partial-'));
  for (const name of names) copyFileSync(join(fixtures, `${name}.root`), at(`${name}.root`));
  const bytes = readFileSync(at('codec_zlib.root'));
  writeFileSync(at('short.root'), bytes.subarray(0, bytes.length - 400));
  // A byte within a basket.
  const damaged = Buffer.from(bytes);
  damaged.fill(0x55, 700, 3000);
  writeFileSync(at('damaged.root'), damaged);
  writeFileSync(at('all.txt'), [...names.map((name) => `${name}.root`), 'missing.root'].join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);

/** Writes a partial result of FILES and returns its name. */
async function partial(name: string, files: string, ...more: string[]): Promise<string> {
  await xylem('draw', files, ...query, '--partial', at(name), ...more);
  return at(name);
}

test('results of single files and ranges, combined in any order, have the bits of one run', async () => {
  const files = names.map((name) => at(`${name}.root`));
  const whole = readFileSync(await partial('whole.json', files.join(',')), 'utf8');
  const { histogram } = JSON.parse(whole);
  expect(histogram.fills).toBeGreaterThan(100);
  // Sums that a double cannot hold are lists.
  expect(histogram.sums.some(Array.isArray)).toBe(true);
  const parts = await Promise.all(files.map((file, i) => partial(`one-${i}.json`, file)));
  for (const order of [parts, [...parts].reverse(), [parts[2], parts[0], parts[3], parts[1]]]) {
    await xylem('combine', ...(order as string[]), '--partial', at('sum.json'));
    expect(readFileSync(at('sum.json'), 'utf8')).toBe(whole);
  }
  await xylem('combine', parts[3] ?? '', parts[1] ?? '', '--partial', at('two.json'));
  await xylem('combine', at('two.json'), at('one-[02].json'), '--partial', at('sum.json'));
  expect(readFileSync(at('sum.json'), 'utf8')).toBe(whole);
  // Ranges of the entries of one file.
  await partial('ranges.json', `${files[0]}?#t[0:7],${files[0]}?#t[150:300],${files[0]}?#[7:150]`);
  const sumsOf = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')).histogram;
  expect(sumsOf('ranges.json')).toEqual(sumsOf('one-0.json'));
  const shown = await xylem('combine', at('sum.json'), '--json');
  expect(JSON.parse(shown.out)).toMatchObject({ kind: 'histogram', fills: histogram.fills, entries: 1200 });
  expect(shown.status).toBe(0);
});

test('of many files that cannot be read ten are named, and --json has all', async () => {
  const missing = Array.from({ length: 12 }, (_, i) => `nowhere-${i}.root`);
  writeFileSync(at('many.txt'), [`${names[0]}.root`, ...missing].join('\n'));
  const more = expect.stringMatching(/… and 2 more; --json has all\n/);
  expect((await xylem('draw', `@${at('many.txt')}`, ...query, '--partial', at('many.json'))).err).toEqual(
    more,
  );
  const shown = await xylem('combine', at('many.json'), '--json');
  expect(shown.err).toEqual(more);
  const { partial: note } = JSON.parse(shown.out);
  for (const name of missing)
    expect(note.errors).toContainEqual(expect.objectContaining({ where: { url: at(name) } }));
});

test('a file that cannot be read is named, adds nothing, and is read by --resume', async () => {
  const drawn = await xylem('draw', `@${at('all.txt')}`, ...query, '--partial', at('p.json'), '--jobs', '2');
  expect(drawn.status).toBe(1);
  expect(drawn.err).toContain('partial: 1 of 5 files unreadable');
  expect(drawn.err).toContain('missing.root');
  const before = JSON.parse(readFileSync(at('p.json'), 'utf8'));
  expect(before.inputs).toHaveLength(4);
  expect(before.failed).toMatchObject([{ file: at('missing.root'), error: { code: 'NOT_FOUND' } }]);
  copyFileSync(join(fixtures, 'codec_none.root'), at('missing.root'));
  const again = await xylem('draw', `@${at('all.txt')}`, ...query, '--resume', at('p.json'));
  rmSync(at('missing.root'));
  expect(again.status).toBe(0);
  const after = JSON.parse(readFileSync(at('p.json'), 'utf8'));
  expect(after.failed).toEqual([]);
  expect(after.inputs).toHaveLength(5);
  expect(after.histogram.entries).toBe(before.histogram.entries + 300);
});

test('a damaged file adds nothing, not even its sound part', async () => {
  const drawn = await xylem(
    'draw',
    `${at('damaged.root')},${at('codec_lz4.root')}`,
    ...query,
    '--partial',
    at('d.json'),
  );
  expect(drawn.status).toBe(1);
  const { inputs, failed, histogram } = JSON.parse(readFileSync(at('d.json'), 'utf8'));
  expect(inputs.map(({ file }: { file: string }) => file)).toEqual([at('codec_lz4.root')]);
  expect(failed).toHaveLength(1);
  expect(histogram).toEqual(
    JSON.parse(readFileSync(await partial('l.json', at('codec_lz4.root')), 'utf8')).histogram,
  );
});

test('the same file twice, other queries and changed files are refused', async () => {
  const one = await partial('a.json', at('codec_zlib.root'));
  const again = await partial('b.json', `${at('codec_zlib.root')}?#t[299:300]`);
  const twice = await xylem('combine', one, again);
  expect(twice.status).toBe(1);
  expect(twice.err).toContain('occur twice');
  // A copy has the same identifier. Those of the fixtures are zero, which says nothing.
  const renamed = readFileSync(again, 'utf8').replace(at('codec_zlib.root'), '/elsewhere/copy.root');
  const named = (text: string): string => text.replaceAll('"uuid":"00000000', '"uuid":"8a1f0000');
  writeFileSync(at('b.json'), renamed);
  expect((await xylem('combine', one, at('b.json'))).status).toBe(0);
  writeFileSync(at('b.json'), named(renamed));
  writeFileSync(at('n.json'), named(readFileSync(one, 'utf8')));
  expect((await xylem('combine', at('n.json'), at('b.json'))).err).toContain('which is the same file as');
  const list = `${at('codec_zlib.root')},${at('codec_zlib.root')}`;
  const within = await xylem('draw', list, ...query, '--jobs', '1');
  expect(within.status).toBe(1);
  expect(within.err).toContain('occur twice');
  const hist = query.slice(0, -1);
  await xylem('draw', at('codec_lz4.root'), ...hist, '21,-3,60', '--partial', at('c.json'));
  const other = await xylem('combine', one, at('c.json'));
  expect(other.err).toContain('different queries: "axes"');
  const text = readFileSync(one, 'utf8');
  for (const bad of [
    text.slice(0, -20),
    text.replace('"cut":"', '"cut":"2*'),
    text.replace('"sums":[', '"sums":[1,'),
    text.replace('"version":1', '"version":2'),
    '[]',
  ]) {
    writeFileSync(at('bad.json'), bad);
    const { status, err } = await xylem('combine', at('bad.json'));
    expect(status).toBe(1);
    expect(err).toContain('is not a partial result');
  }
});

test('a text that is made while inputs are added has all of an input or nothing', async () => {
  const parsed = async (name: string): Promise<PartialResult<'draw'>> => {
    const found = await parsePartial(readFileSync(at(name), 'utf8'), name);
    return found.kind === 'draw' ? found : expect.fail(found.kind);
  };
  await partial('s.json', at('codec_lz4.root'));
  await partial('t.json', at('codec_zlib.root'));
  const one = await parsed('s.json');
  const two = await parsed('t.json');
  const text = partialText(one);
  for (let i = 0; i < 3; i++) await Promise.resolve();
  one.inputs.push(...two.inputs);
  addHistogram(one.sum, two.sum);
  writeFileSync(at('u.json'), await text);
  const { inputs, sum } = await parsed('u.json');
  expect(sum.entries).toBe(300 * inputs.length);
  const single = await parsed('s.json');
  expect(sum.exact).toEqual(inputs.length === 1 ? single.sum.exact : one.sum.exact);
});

test('what failed in one result and was read in another is not missing', async () => {
  await partial('f.json', at('later.root'));
  copyFileSync(at('codec_zlib.root'), at('later.root'));
  await partial('r.json', at('later.root'));
  expect((await xylem('combine', at('f.json'), at('r.json'))).status).toBe(0);
  expect((await xylem('combine', at('f.json'))).status).toBe(1);
  const expected = await xylem(
    'combine',
    at('r.json'),
    '--expect',
    `${at('later.root')},${at('codec_lz4.root')}`,
  );
  expect(expected.status).toBe(1);
  expect(expected.err).toContain(`missing: ${at('codec_lz4.root')}`);
});

test('axes come from the command line or from a sample', async () => {
  const free = ['t', 'jagged', '--partial', at('x.json')];
  expect((await xylem('draw', at('codec_zlib.root'), ...free)).err).toContain('bins and ends');
  await xylem('draw', at('codec_lz4.root'), ...free, '--axes-from', at('codec_zlib.root'));
  const alone = JSON.parse((await xylem('draw', at('codec_zlib.root'), 't', 'jagged', '--json')).out);
  const [{ bins, low, high }] = alone.axes;
  expect(JSON.parse(readFileSync(at('x.json'), 'utf8')).query.axes).toEqual([{ bins, low, high }]);
  for (const more of [
    ['--entries', '0:5'],
    ['--seed', '3'],
    ['--sample', '1%'],
  ])
    expect((await xylem('draw', at('codec_zlib.root'), ...query, '--jobs', '2', ...more)).status).toBe(2);
});
