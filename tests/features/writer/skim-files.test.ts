import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRoot } from '../../../web/node';
import { memorySink } from '../../../web/sinks/sink';
import { run } from '../../cli/support';
import { fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-skim-files-'));
const inputs = ['a', 'b', 'c'].map((name) => join(folder, `${name}.root`));
const pattern = join(folder, '[abc].root');
const reader = withReader(makeEngine);
beforeAll(async () => {
  for (const path of inputs) writeFileSync(path, fixtureBytes('clusters'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The values of a tree as JSON, of some entries of a chain or of a product. */
async function values(file: string, ...options: string[]): Promise<unknown> {
  const { out, status, err } = await run(reader, 'values', file, 't', ...options, '--json');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return (JSON.parse(out) as { branches: unknown }).branches;
}

/** Writes a list of the entries of the chain under a cut. */
async function listOf(cut: string): Promise<string> {
  const { out } = await run(reader, 'scan', pattern, 't', 'Entry$', cut, '--limit', '540', '--json');
  const list = join(folder, 'entries.txt');
  const numbers = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { entry: number }).entry);
  expect(numbers.length).toBeGreaterThan(0);
  writeFileSync(list, numbers.join('\n'));
  return list;
}

let products = 0;
/** Skims the chain, and reads the product. */
async function skimmed(...options: string[]) {
  const out = join(folder, `product-${products++}.root`);
  const { status, err } = await run(reader, 'skim', ...inputs, out, ...options, '--verify');
  expect({ status, err }).toMatchObject({ status: 0 });
  const { id } = await reader.open({ kind: 'path', path: out });
  expect((await reader.check(id)).findings).toEqual([]);
  return { out, err, layout: await reader.layout(id, 't') };
}

test('several files become one, and entries are counted over all of them', async () => {
  const whole = await skimmed();
  expect(whole.layout.tree.entries).toBe(540);
  expect(await values(whole.out)).toEqual(await values(pattern));

  const range = await skimmed('--entries', '100:400', '--branches', 'v,x');
  expect(range.err).toMatch(/300 of 540 entries.*others need n/s);
  const chosen = ['--branches', 'v,n,x'];
  expect(await values(range.out, ...chosen)).toEqual(
    await values(pattern, ...chosen, '--entries', '100:400'),
  );

  // The second file has no chosen entry.
  const list = join(folder, 'few.txt');
  writeFileSync(list, '3\n4\n179\n360\n539\n');
  const few = await skimmed('--entry-list', list);
  expect(await values(few.out)).toEqual(await values(pattern, '--entry-list', list));
});

test('a cut and other compression work over all files', async () => {
  const cut = 'Entry$%7==3 && n>1';
  const { out, layout } = await skimmed('--cut', cut, '--codec', 'zstd:5');
  expect(await values(out)).toEqual(await values(pattern, '--entry-list', await listOf(cut)));
  expect(new Set(layout.compress)).toEqual(new Set([505]));
  expect(Array.from(layout.clusterStart)).toEqual(Array.from(layout.trueStart));
});

test('trees that were never filled may have no branches', async () => {
  const sink = memorySink();
  await writeRoot(sink, async (file) => {
    await file.tree('t');
  });
  const empty = join(folder, 'empty.root');
  writeFileSync(empty, sink.bytes());
  const [a = '', b = ''] = inputs;
  for (const files of [
    [a, empty, b],
    [empty, a, b],
  ]) {
    const out = join(folder, `filled-${files.indexOf(empty)}.root`);
    const words = ['--branches', 'v', '--entries', '170:190'];
    expect(await run(reader, 'skim', ...files, out, ...words)).toMatchObject({ status: 0 });
    expect(await values(out)).toEqual(await values(pattern, '--branches', 'n,v', '--entries', '170:190'));
  }
});

test('what would be written is said, and nothing is written', async () => {
  const before = readdirSync(folder);
  const told = await run(reader, 'skim', pattern, '--entries', '170:190', '--dry-run', '--json');
  expect(JSON.parse(told.out)).toMatchObject({ files: 3, trees: [{ path: 't', entries: 20 }] });
  expect(readdirSync(folder)).toEqual(before);
});

test('files that do not fit, and outputs that are there, are refused', async () => {
  const other = join(folder, 'other.root');
  writeFileSync(other, fixtureBytes('objects_split0'));
  const product = join(folder, 'refused.root');
  const [first = ''] = inputs;
  const refused = async (words: string[], status: number, message: RegExp) => {
    const told = await run(reader, 'skim', ...words);
    expect(told.status).toBe(status);
    expect(told.err).toMatch(message);
    expect(existsSync(product)).toBe(false);
  };
  await refused([first, other, product], 1, /t of .*other\.root has no branch x, which .*a\.root has/);
  await refused([first, other, product, '--branches', 'x'], 1, /other\.root: There is no branch "x"/);
  await refused([first, other, product, '--cut', 'x>1'], 1, /x/);
  await refused([first, join(folder, 'none.root'), product], 1, /none\.root/);
  // A pattern without quotes, and without OUT.
  await refused(inputs, 2, /OUT: .*c\.root" exists already\. The last word is/);
  await refused([pattern, first], 2, /OUT/);
  await refused([pattern, product, '--tree', 't;1'], 2, /without a cycle/);
  await refused([pattern], 2, /OUT is missing/);
});
