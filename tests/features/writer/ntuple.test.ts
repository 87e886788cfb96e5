import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { fixtureFolder } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';
import { bothModules } from './module';

const folder = mkdtempSync(join(tmpdir(), 'xylem-ntuple-'));
const reader = withReader();
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const fixture = (name: string) => join(fixtureFolder, `${name}.root`);
const NAMES = [
  'rntuple',
  'ntuple_encodings',
  'ntuple_fields',
  'ntuple_late',
  'ntuple_late_stored',
  'ntuple_representations',
  'ntuple/groups',
  'edges/empty_group',
];

/** Writes a fixture anew, verifies and checks the product: no finding, and no bytes that nothing names. */
async function rewrite(command: 'skim' | 'heal', name: string, ...choice: string[]) {
  const path = join(folder, `${[command, name, ...choice].join('').replaceAll(/[^\w]/g, '_')}.root`);
  const { status, err } = await run(reader, command, fixture(name), path, '--verify', '--force', ...choice);
  expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('written') });
  const { id } = await reader.open({ kind: 'path', path });
  const { findings, counts } = await reader.check(id);
  expect([findings, counts.orphanedBytes ?? 0]).toEqual([[], 0]);
  return { id, path, err };
}

/** Merges a file with itself. */
async function twice(name: string, source: string): Promise<{ path: string }> {
  const path = join(folder, `twice_${name}.root`);
  const { status, err } = await run(reader, 'merge', path, source, source, '--verify');
  expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('written') });
  return { path };
}

/** Compares all values that two files have, also of fields that one of them has alone with `some`. */
async function compare(a: string, b: string, parts: string): Promise<void> {
  const { status, out } = await run(reader, 'diff', a, b, '--parts', parts);
  expect({ status, out }).toEqual({ status: 0, out: expect.any(String) });
}

test.each(NAMES)(
  '%s has the same fields, clusters and values in a skim and when it is healed',
  async (name) => {
    for (const { path } of [await rewrite('skim', name), await rewrite('heal', name)])
      await compare(fixture(name), path, 'schema,entries,values,layout');
  },
);

test('pages of a healed RNTuple follow each other cluster by cluster, and in each by column', async () => {
  const { id } = await rewrite('heal', 'ntuple_late');
  const { basketStart, offset, firstEntry, clusterStart } = await reader.layout(id, 'n');
  const cluster = (i: number) => clusterStart.filter((start) => start <= (firstEntry[i] ?? 0)).length;
  const columns = Array.from(offset.keys()).map((i) => basketStart.filter((start) => start <= i).length);
  const places = Array.from(offset.keys()).sort((a, b) => (offset[a] ?? 0) - (offset[b] ?? 0));
  const clusters = places.map(cluster);
  expect(clusters).toEqual(clusters.toSorted((a, b) => a - b));
  expect(new Set(columns).size).toBeGreaterThan(3);
});

/** Fields that are named, and what then comes along. */
const CHOICES = [
  ['ntuple_late', 'number,bits,variant', ['number', 'variant', 'variant._0', 'variant._1', 'bits'], ''],
  ['ntuple_late', 'n_strings', ['strings', 'strings._0', 'n_strings'], 'others need strings'],
  ['ntuple_fields', 'point.label,empty', undefined, 'others need point'],
  ['ntuple_representations', '*_list', undefined, ''],
] as const;

test.each(CHOICES)('%s with fields %s has those that they need, too', async (name, names, fields, line) => {
  const { id, path, err } = await rewrite('skim', name, '--branches', names);
  if (line) expect(err).toContain(line);
  const { branches } = await reader.tree(id, 'n');
  if (fields) expect(branches.map((branch) => branch.path)).toEqual(fields);
  const all = await reader.tree((await reader.open({ kind: 'path', path: fixture(name) })).id, 'n');
  expect(branches.length).toBeLessThan(all.branches.length);
  await compare(fixture(name), path, 'entries,values');
});

test('attribute sets are listed', async () => {
  const { id } = await reader.open({ kind: 'path', path: fixture('ntuple/attributes') });
  expect((await reader.tree(id, 'n')).attributeSets).toEqual(['notes']);
  expect((await run(reader, 'ls', fixture('ntuple/attributes'), 'n')).out).toContain(
    'attribute sets, which are not read: notes',
  );
  const { id: other } = await reader.open({ kind: 'path', path: fixture('ntuple_late_stored') });
  expect(await reader.tree(other, 'n')).not.toHaveProperty('attributeSets');
});

test('an attribute set is not copied, and a line says so', async () => {
  const { path, err } = await rewrite('heal', 'ntuple/attributes');
  expect(err).toContain('n;1: its attribute sets are not copied: notes');
  // The list of them lay in the footer, with their places in the old file.
  expect((await rewrite('skim', 'ntuple/attributes')).err).toContain('notes');
  const { err: again } = await run(reader, 'skim', path, join(folder, 'again.root'));
  expect(again).not.toContain('notes');
});

test('pages that are stored in several keys are refused', async () => {
  const { writer } = await bothModules();
  const bytes = readFileSync(fixture('ntuple_late_stored'));
  // The anchor is stored as it is: a byte count of 66, and version 2 of its class.
  const at = bytes.indexOf(Buffer.from([0x40, 0, 0, 0x42, 0, 2]));
  const numbers = Float64Array.from({ length: 6 }, (_, i) => Number(bytes.readBigUInt64BE(at + 14 + 8 * i)));
  const anchor = writer.withDoubles(Float64Array.of(...numbers, 20), (pointer) => {
    const object = writer.input(bytes.subarray(at, at + 78));
    return writer.call((x, ctx) => x.xw_ntuple_anchor(ctx, object, 78, pointer));
  });
  bytes.set(anchor, at);
  const source = join(folder, 'split.root');
  writeFileSync(source, bytes);
  const { status, err } = await run(reader, 'skim', source, join(folder, 'never.root'));
  expect({ status, err }).toEqual({ status: 1, err: expect.stringMatching(/in several keys.*UNSUPPORTED/s) });
});

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'RNTupleReader reads the same values',
  async () => {
    const fields = 'early,number,strings,array,variant,optional,bits';
    const late = await rewrite('skim', 'ntuple_late', '--branches', fields);
    const products = [
      await rewrite('skim', 'rntuple'),
      await rewrite('heal', 'rntuple'),
      await rewrite('skim', 'ntuple_encodings'),
      await rewrite('heal', 'ntuple_encodings'),
      await twice('rntuple', fixture('rntuple')),
      await twice('ntuple_encodings', fixture('ntuple_encodings')),
      await twice('ntuple_late', late.path),
      late,
    ];
    const files = [fixture('rntuple'), fixture('ntuple_encodings'), ...products.map(({ path }) => path)];
    const program = join(import.meta.dirname, 'read_ntuples.py');
    const out = execFileSync(oraclePython ?? '', ['-W', 'ignore', program, ...files], { encoding: 'utf8' });
    const [plain = '', encodings = '', ...texts] = JSON.parse(out) as string[];
    const lateText = texts.at(-1) ?? '';
    expect(plain.length).toBeGreaterThan(1000);
    expect(texts.slice(0, 4)).toEqual([plain, plain, encodings, encodings]);
    expect(texts.slice(4, 7)).toEqual([plain, encodings, lateText].map((text) => text + text));
    // ROOT prints all members of an entry; those of the late fields are zeros before they were added.
    expect(lateText).toMatch(/"early": 0,\s+"number": 0,\s+"strings": \[\]/);
  },
  180_000,
);
