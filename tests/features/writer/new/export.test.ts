import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { memorySink, openRoot } from '../../../../web/node';
import { run } from '../../../cli/support';
import { bufferSpec, fixtureBytes, fixtureFolder, makeEngine } from '../../../engine/fixtures';
import { withReader } from '../../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-export-root-'));
const fixture = (name: string) => join(fixtureFolder, `${name}.root`);
const out = join(folder, 'out.root');
const reader = withReader(makeEngine);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The branches of the only tree of a file, with their values as JSON. */
async function valuesOf(path: string, tree: string): Promise<Map<string, string>> {
  const { id } = await reader.open(bufferSpec('x', new Uint8Array(readFileSync(path))));
  const { branches } = await reader.tree(id, tree);
  const wanted = branches.filter(({ kind }) => kind !== 'group');
  const results = await reader.arrays(id, { tree, branches: wanted.map(({ index }) => index) });
  await reader.close(id);
  const { plainRows } = await import('../../../../web/node');
  return new Map(
    results.map(({ branch, column }) => [
      branch.path,
      JSON.stringify(column && [...plainRows(column)], (_, v) => (typeof v === 'bigint' ? `${v}n` : v)),
    ]),
  );
}

describe('export to a ROOT file', () => {
  const sources = [
    ...['arrays', 'clusters', 'codec_zlib', 'embedded', 'leaflists', 'leaves', 'merged', 'no_offsets'],
    ...['objects_split99', 'packed_leaves', 'rntuple', 'ntuple_fields', 'stl', 'strings', 'vectors'],
  ];
  /** Exports all trees of the sources; returns how many branches have their values, and what was refused. */
  async function exportAll(
    format: string,
    nameOf: (branch: string) => string,
    isOther: (values: string) => boolean,
  ): Promise<{ compared: number; refused: string[] }> {
    let compared = 0;
    const refused: string[] = [];
    for (const name of sources) {
      const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
      const trees = (await reader.keys(id)).filter(({ kind }) => kind === 'tree' || kind === 'ntuple');
      await reader.close(id);
      for (const { path } of trees) {
        const how = ['--format', format, '--codec', 'lz4:1'];
        const done = await run(reader, 'export', fixture(name), path, '-o', out, '--force', ...how);
        if (done.status !== 0) {
          refused.push(`${name} ${path}: ${done.err}`);
          continue;
        }
        const own = path.split('/').at(-1) ?? '';
        const [before, after] = [await valuesOf(fixture(name), path), await valuesOf(out, own)];
        for (const [branch, values] of before) {
          const written = after.get(nameOf(branch.split('/').at(-1) ?? ''));
          if (written === undefined || isOther(values)) continue;
          expect(written, `${name} ${branch}`).toBe(values);
          compared += 1;
        }
      }
    }
    return { compared, refused };
  }

  test('branches of all kinds have the values that they had', async () => {
    const isOther = (values: string) => values.includes('{') || values.includes('null');
    const { compared, refused } = await exportAll('root', (branch) => branch, isOther);
    expect(compared).toBeGreaterThan(100);
    // Polymorphic pointers and variants.
    expect(refused).toHaveLength(3);
    for (const why of refused) expect(why).toMatch(/its values are of several types/);
  });

  test('an RNTuple has them, too, with structures and what is missing', async () => {
    const { compared, refused } = await exportAll(
      'rntuple',
      (branch) => branch.replace(/[^\p{L}\p{N}_-]/gu, '_'),
      () => false,
    );
    expect(compared).toBeGreaterThan(120);
    expect(refused).toHaveLength(3);
    for (const why of refused) expect(why).toMatch(/its values are of several types/);
  });

  test('arrays share the counter that they had, and a cut selects entries', async () => {
    const sample = join(import.meta.dirname, '../../../../public/sample.root');
    const chosen = ['--branches', 'Muon_pt,Muon_eta', '--cut', 'nMuon==3', '--entries', '0:500'];
    const done = await run(reader, 'export', sample, 'Events', ...chosen, '-o', out, '--force', '--json');
    expect(JSON.parse(done.out)).toMatchObject({
      format: 'root',
      branches: 2,
      bytes: readFileSync(out).length,
    });
    const { id } = await reader.open(bufferSpec('x', new Uint8Array(readFileSync(out))));
    const { branches, title } = await reader.tree(id, 'Events');
    expect(title).toBe('Invented dimuon events');
    expect(branches.map((branch) => branch.title)).toEqual([
      'nMuon/I',
      'Muon_pt[nMuon]/F',
      'Muon_eta[nMuon]/F',
    ]);
    const lengths = JSON.parse((await valuesOf(out, 'Events')).get('nMuon') ?? '[]') as number[];
    expect(lengths.length).toBeGreaterThan(10);
    expect(new Set(lengths)).toEqual(new Set([3]));
  });

  test('expressions become branches under names that ROOT can hold', async () => {
    const expressions = ['Muon_pt[1]:Muon_pt*2', 'nMuon'];
    const sample = join(import.meta.dirname, '../../../../public/sample.root');
    const done = await run(
      reader,
      'export',
      sample,
      'Events',
      ...expressions,
      '--entries',
      '0:3',
      '-o',
      out,
      '--force',
    );
    expect(done.status).toBe(0);
    expect(Object.fromEntries(await valuesOf(out, 'Events'))).toMatchObject({
      Muon_pt_1_: '[29.3125,34.40625,16.59375]',
      Muon_pt_2: '[[135.125,58.625],[116.9375,68.8125],[60.3125,33.1875]]',
      nMuon: '[2,2,2]',
    });
  });

  test('what cannot be written leaves nothing', async () => {
    const before = readdirSync(folder).length;
    const other = join(folder, 'other.root');
    const source = fixture('codec_zlib');
    const status = async (...args: string[]) => (await run(reader, 'export', source, 't', ...args)).status;
    expect(await status('--format', 'root')).toBe(2);
    expect(await status('--codec', 'zstd:5', '-o', join(folder, 'x.csv'))).toBe(2);
    expect(await status('--compression', 'zstd', '-o', other)).toBe(2);
    expect(await status('-o', source)).toBe(2);
    expect(await status('--codec', 'zip', '-o', other)).toBe(2);
    expect(await status('--branches', 'none', '-o', other)).toBe(1);
    expect(readdirSync(folder)).toHaveLength(before);
    expect(readFileSync(source)).toEqual(Buffer.from(fixtureBytes('codec_zlib')));
  });

  test('the writer of a reader does the same', async () => {
    await using file = await openRoot(fixture('codec_zlib'), { workers: 0 });
    const sink = memorySink();
    const done = await file.reader.writer.exportTree(file.info, { tree: 't', entries: [2, 7] }, sink);
    expect(done).toMatchObject({ entries: 5, bytes: sink.bytes().length });
    await using made = await openRoot(sink.bytes(), { workers: 0 });
    expect((await made.tree('t')).info.entries).toBe(5);
    const refused = file.reader.writer.exportTree(file.info, { tree: 'none' }, sink);
    await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
