import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Histogram } from '../../../../web/api/api';
import { parseCodec } from '../../../../web/core/compression';
import { nodeModules } from '../../../../web/core/modules/node-modules';
import { NewFile } from '../../../../web/features/writer/work/new/new-file';
import { memorySink } from '../../../../web/sinks/sink';
import { run } from '../../../cli/support';
import { bufferSpec, fixtureBytes, fixtureFolder, makeEngine } from '../../../engine/fixtures';
import { withReader } from '../../../engine-reader';
import { lacks } from '../../../needs';
import { oraclePython } from '../../../oracle';

/** Drawings of the tree `t` of a fixture: expression, cut and option by the path of the histogram. */
const DRAWINGS: Record<string, [expression: string, cut: string, option: string]> = {
  h: ['n>>h(6,0,6)', '', ''],
  weighted: ['n>>weighted(6,0,6)', 'regular%3+1', ''],
  two: ['regular%7:n>>two(5,0,5,4,0,8)', '', ''],
  'cubes/of/three': ['regular%5:regular%7:n>>three(5,0,5,4,0,8,3,0,4)', 'n+1', ''],
  'cubes/profile': ['noise:n>>profile(5,0,5)', 'n', 'prof'],
  spread: ['noise:n>>spread(5,0,5)', '', 'profs'],
  profile2: ['noise:regular%7:n>>profile2(5,0,5,4,0,8)', '', 'prof'],
};

const reader = withReader(makeEngine);
let file: number;
let folder = '';
const drawn = new Map<string, Histogram>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-new-histograms-'));
  ({ id: file } = await reader.open(bufferSpec('codec_zlib', fixtureBytes('codec_zlib'))));
  for (const [path, [expr, cut, option]] of Object.entries(DRAWINGS)) {
    const result = await reader.draw(file, { tree: 't', expr, ...(cut && { cut }), option });
    if (result.kind === 'histogram') drawn.set(path, result);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function written(reproducible = true): Promise<Uint8Array> {
  const sink = memorySink();
  const options = {
    writer: await nodeModules('write'),
    name: 'new.root',
    codec: parseCodec('zstd:5'),
    reproducible,
  };
  const made = await NewFile.create(sink, options);
  for (const [path, histogram] of drawn) await made.histogram(path, histogram);
  const { bytes, keys } = await made.finish();
  expect(keys).toBe(drawn.size);
  expect(bytes).toBe(sink.bytes().length);
  return sink.bytes();
}

describe('drawn histograms become a ROOT file', () => {
  test('xylem reads what it wrote, in directories', async () => {
    const { id } = await reader.open(bufferSpec('new.root', await written()));
    const keys = await reader.keys(id);
    expect(keys.map(({ path, className }) => `${path} ${className}`).sort()).toEqual([
      'cubes TDirectory',
      'cubes/of TDirectory',
      'cubes/of/three TH3D',
      'cubes/profile TProfile',
      'h TH1D',
      'profile2 TProfile2D',
      'spread TProfile',
      'two TH2D',
      'weighted TH1D',
    ]);
    for (const [path, { sums, squares, fills, axes }] of drawn) {
      const object = await reader.object(id, path);
      expect(object.fArray).toEqual(sums);
      if (path !== 'h' && path !== 'two') expect(object.fSumw2).toEqual(squares);
      expect(object.fEntries).toBe(fills);
      expect(object.fXaxis).toMatchObject({ fNbins: axes[0]?.bins, fTitle: axes[0]?.title });
    }
  });

  test('the same content has the same bytes, and otherwise another identity', async () => {
    expect(await written()).toEqual(await written());
    const uuid = async (): Promise<string> => (await reader.open(bufferSpec('x', await written(false)))).uuid;
    expect(await uuid()).not.toBe(await uuid());
  });

  test('a name is written once, and is one that ROOT finds', async () => {
    const made = await NewFile.create(memorySink(), {
      writer: await nodeModules('write'),
      name: 'new.root',
      codec: parseCodec('none'),
    });
    const histogram = drawn.get('h') as Histogram;
    await made.histogram('a/h', histogram);
    for (const path of ['a/h', 'a', 'a/h/b'])
      await expect(made.histogram(path, histogram)).rejects.toMatchObject({ code: 'ARGUMENT' });
    for (const path of ['', '/h', 'a//h', 'h;1', 'a\nb', ' h'])
      await expect(made.histogram(path, histogram)).rejects.toThrow(/cannot be the path/);
    expect(() => parseCodec('zstd:10')).toThrow(/no codec/);
  });

  test('draw and combine save with --root', async () => {
    const [out, part] = [join(folder, 'cli.root'), join(folder, 'part.json')];
    const source = join(fixtureFolder, 'codec_zlib.root');
    const drawing = ['draw', source, 't', 'n>>h(6,0,6)'];
    expect(await run(reader, ...drawing, '--root', out, '--force')).toMatchObject({ status: 0, out: '' });
    const { id } = await reader.open(bufferSpec('cli.root', new Uint8Array(readFileSync(out))));
    expect((await reader.object(id, 'h')).fArray).toEqual(drawn.get('h')?.sums);
    expect((await run(reader, ...drawing, '--partial', part)).status).toBe(0);
    expect((await run(reader, 'combine', part, '--root', out, '--force')).status).toBe(0);
    const { id: combined } = await reader.open(bufferSpec('cli.root', new Uint8Array(readFileSync(out))));
    expect((await reader.object(combined, 'h')).fArray).toEqual(drawn.get('h')?.sums);
    expect((await run(reader, ...drawing, '--root', out, '--json')).status).toBe(2);
  });
});

type Facts = Record<'cells' | 'errors' | 'means' | 'deviations', number[]> & {
  class: string;
  integral: number;
  entries: number;
  effective: number;
};

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'ROOT, uproot and hadd find what TTree::Draw fills',
  { timeout: 180_000 },
  async () => {
    const labels = await reader.draw(file, { tree: 't', expr: 'n>>labels(3,0,3)' });
    if (labels.kind !== 'histogram' || !labels.axes[0]) throw new Error(labels.kind);
    const [axis] = labels.axes;
    drawn.set('labels', { ...labels, axes: [{ ...axis, labels: ['none', 'one', 'två'] }] });
    const path = join(folder, 'new.root');
    writeFileSync(path, await written());
    const program = resolve(import.meta.dirname, 'read_histograms.py');
    const source = join(fixtureFolder, 'codec_zlib.root');
    const drawings = JSON.stringify({ ...DRAWINGS, labels: ['n>>labels(3,0,3)', '', ''] });
    const output = execFileSync(oraclePython ?? '', ['-W', 'ignore', program, path, source, 't', drawings], {
      encoding: 'utf8',
    });
    const read = JSON.parse(output) as {
      [by in 'root' | 'drawn' | 'hadd']: Record<string, Facts & { labels: string[][] }>;
    } & {
      uproot: Record<string, unknown[]>;
      titles: Record<string, string>;
      xTitles: Record<string, string>;
    };
    expect(read.root.labels?.labels).toEqual([['none', 'one', 'två']]);
    for (const [name, histogram] of drawn) {
      const [ours, theirs] = [read.root[name] as Facts, read.drawn[name] as Facts];
      expect(ours.class.replace(/[DF]$/, '')).toBe(theirs.class.replace(/[DF]$/, ''));
      for (const key of ['cells', 'errors', 'means', 'deviations'] as const)
        for (const [i, value] of theirs[key].entries())
          expect(ours[key][i], `${name} ${key} ${i}`).toBeCloseTo(value, 6);
      for (const key of ['integral', 'entries', 'effective'] as const)
        expect(ours[key], `${name} ${key}`).toBeCloseTo(theirs[key], 6);
      expect((read.hadd[name] as Facts).entries).toBe(2 * ours.entries);
      if (!histogram.profile) expect((read.hadd[name] as Facts).integral).toBeCloseTo(2 * ours.integral, 6);
      expect(read.uproot[name]?.flat(3)).toHaveLength(ours.cells.length);
      expect(read.titles[name]).toBe(histogram.title);
      expect(read.xTitles[name]).toBe(histogram.axes[0]?.title);
    }
  },
);
