// Needs features: writer.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { storedHistogram } from '../../web/library/drawn';
import { type BinContents, memorySink, openRoot, type RootHandle, writeRoot } from '../../web/node';
import { lacks } from '../needs';
import { oraclePython } from '../oracle';

interface StoredHistogram {
  class: string;
  title: string;
  edges: number[][];
  labels: string[];
  contents: number[];
  errors: number[];
  entries: number;
  effective: number;
  means: number[];
  deviations: number[];
}

interface StoredGraph {
  class: string;
  title: string;
  x: number[];
  y: number[];
  errors: number[][] | null;
}

const here = import.meta.dirname;
const files = resolve(here, '../fixtures/files');
/** The values that ROOT finds in the fixtures: see record_stored.py. */
const byRoot = JSON.parse(readFileSync(resolve(here, 'stored-values.json'), 'utf8')) as Record<
  string,
  StoredHistogram | StoredGraph
>;
const histograms = Object.entries(byRoot).filter(
  (one): one is [string, StoredHistogram] => 'edges' in one[1],
);
const graphs = Object.entries(byRoot).filter((one): one is [string, StoredGraph] => 'x' in one[1]);

const open = (name: string): Promise<RootHandle> => openRoot(join(files, name), { workers: 0 });

const close = (found: Iterable<number>, wanted: readonly number[]): void => {
  const list = [...found];
  expect(list).toHaveLength(wanted.length);
  for (const [i, value] of list.entries()) expect(value).toBeCloseTo(wanted[i] ?? Number.NaN, 10);
};

/** The cells that lie in bins, x running fastest. */
function inBins(cells: readonly number[], edges: readonly number[][]): number[] {
  return cells.filter((_, cell) => {
    let rest = cell;
    return edges.every(({ length }) => {
      const bin = rest % (length + 1);
      rest = Math.floor(rest / (length + 1));
      return bin >= 1 && bin < length;
    });
  });
}

describe('file.histogram gives a stored histogram in the form of draw', () => {
  test.each(histograms)('%s', async (name, wanted) => {
    await using file = await open('histograms.root');
    const h = await file.histogram(name);
    expect(h).toMatchObject({ kind: 'histogram', name, title: wanted.title, fills: wanted.entries });
    const bins = [...h];
    close(
      bins.map(({ count, mean }) => mean ?? count),
      inBins(wanted.contents, wanted.edges).map((value, i) =>
        bins[i]?.count === 0 && h.profile ? NaN : value,
      ),
    );
    close(
      bins.map(({ error = 0 }) => error),
      inBins(wanted.errors, wanted.edges),
    );
    close(h.edges, wanted.edges[0] ?? []);
    const [x = []] = wanted.edges;
    expect(bins[0]).toMatchObject({ low: x[0], high: x[1] });
    if (wanted.edges[1]) expect(bins[0]?.y).toEqual(wanted.edges[1].slice(0, 2));
    if (wanted.labels.length > 0) expect(h.axes[0]?.labels).toEqual(wanted.labels);
    close(h.mean.slice(0, wanted.means.length), wanted.means);
    close(h.stdDev.slice(0, wanted.deviations.length), wanted.deviations);
    expect(h.effective).toBeCloseTo(wanted.effective, 8);
    expect(Object.keys(h)).toEqual(Object.keys(storedHistogram(await file.object(name))));
  });

  test('other objects are refused', async () => {
    await using file = await open('graphs.root');
    await expect(file.histogram('graph')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(file.histogram('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a folder is refused by its path', async () => {
    await using file = await open('cycles.root');
    const message = expect.stringMatching(/^"a\/b" is a TDirectory/);
    await expect(file.histogram('a/b')).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message,
      fix: expect.stringContaining('a/b/mass'),
    });
    await expect(file.graph('a/b')).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message,
    });
  });
});

describe('file.graph gives the points of a stored graph', () => {
  test.each(graphs)('%s', async (name, wanted) => {
    await using file = await open('graphs.root');
    const graph = await file.graph(name);
    expect(graph).toMatchObject({ kind: 'graph', className: wanted.class, title: wanted.title });
    close(graph.x, wanted.x);
    close(graph.y, wanted.y);
    const points = [...graph];
    expect(points.map(({ x, y }) => [x, y])).toEqual(wanted.x.map((x, i) => [x, wanted.y[i]]));
    for (const [i, side] of (['left', 'right', 'down', 'up'] as const).entries()) {
      const errors = wanted.errors?.[i];
      if (errors === undefined) expect(graph.errors).toBeUndefined();
      else
        close(
          points.map((point) => point[side] ?? NaN),
          errors,
        );
    }
  });

  test('other objects are refused', async () => {
    await using file = await open('histograms.root');
    await expect(file.graph('TH1F')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

test('a type argument says what an object has', async () => {
  await using file = await open('histograms.root');
  const { fXaxis } = await file.object<{ fXaxis: { fXmin: number } }>('TH1F');
  expect(fXaxis.fXmin + 1).toBe(0);
});

const MINE: Record<string, BinContents> = {
  even: { counts: [1, 2, 3], edges: [0, 1, 2, 3], title: 'mine', axisTitles: ['x [GeV]', 'events'] },
  uneven: { counts: Float64Array.of(4, 5), edges: Float64Array.of(0, 1, 10), errors: [1, 0.5] },
  flow: { counts: [9, 1, 2, 8], edges: [0, 0.5, 1], entries: 7 },
  plane: {
    counts: [1, 2, 3, 4, 5, 6],
    edges: [
      [0, 1, 2, 3],
      [0, 10, 100],
    ],
  },
};

describe('a histogram is written from counts and edges', () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-stored-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function written(): Promise<Uint8Array<ArrayBuffer>> {
    const sink = memorySink();
    await using stored = await open('histograms.root');
    await using sample = await openRoot('public/sample.root', { workers: 0 });
    await writeRoot(sink, async (file) => {
      for (const [name, contents] of Object.entries(MINE)) await file.histogram(name, contents);
      for (const [name] of histograms) await file.histogram(`copies/${name}`, await stored.histogram(name));
      await file.histogram('texts', await (await sample.tree('Events')).draw('trigger'));
    });
    return sink.bytes();
  }

  test('and read back', async () => {
    await using file = await openRoot(await written(), { workers: 0 });
    const even = await file.histogram('even');
    expect([...even].map(({ low, high, count, error }) => [low, high, count, error])).toEqual([
      [0, 1, 1, 1],
      [1, 2, 2, Math.SQRT2],
      [2, 3, 3, Math.sqrt(3)],
    ]);
    expect(even).toMatchObject({ title: 'mine', valueTitle: 'events', fills: 6, mean: [11 / 6] });
    expect(even.axes[0]).toMatchObject({ title: 'x [GeV]', bins: 3, low: 0, high: 3 });
    const uneven = await file.histogram('uneven');
    expect([...uneven.edges]).toEqual([0, 1, 10]);
    expect([...uneven].map(({ error }) => error)).toEqual([1, 0.5]);
    const flow = await file.histogram('flow');
    expect([[...flow.sums], flow.fills]).toEqual([[9, 1, 2, 8], 7]);
    const plane = await file.histogram('plane');
    expect([...plane].map(({ count, y }) => [count, y?.[1]])).toEqual([
      [1, 10],
      [2, 10],
      [3, 10],
      [4, 100],
      [5, 100],
      [6, 100],
    ]);
    const texts = await file.histogram('texts');
    expect([...texts][0]).toMatchObject({ label: 'HLT_DoubleMu4_Jpsi', count: 575 });
    await using stored = await open('histograms.root');
    for (const [name] of histograms) {
      const { name: _name, stored: _class, ...copy } = await file.histogram(`copies/${name}`);
      expect({ ...copy }, name).toEqual({
        ...(await stored.histogram(name)),
        name: undefined,
        stored: undefined,
      });
    }
  });

  test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
    'and ROOT reads the same numbers',
    { timeout: 120_000 },
    async () => {
      const path = join(folder, 'mine.root');
      writeFileSync(path, await written());
      const program = resolve(here, 'record_stored.py');
      const output = execFileSync(oraclePython ?? '', ['-W', 'ignore', program, path], { encoding: 'utf8' });
      const read = JSON.parse(output) as Record<string, StoredHistogram>;
      expect(read.even).toMatchObject({ class: 'TH1D', contents: [0, 1, 2, 3, 0], entries: 6 });
      close(read.even?.means ?? [], [11 / 6]);
      expect(read.uneven).toMatchObject({ edges: [[0, 1, 10]], errors: [0, 1, 0.5, 0] });
      expect(read.flow).toMatchObject({ contents: [9, 1, 2, 8], entries: 7 });
      expect(read.plane).toMatchObject({
        class: 'TH2D',
        edges: [
          [0, 1, 2, 3],
          [0, 10, 100],
        ],
      });
      for (const [name, { class: className, title, ...wanted }] of histograms) {
        const { class: copied, ...copy } = read[`copies/${name}`] ?? { class: '' };
        expect(copied, name).toBe(className.replace(/[CSILF]$/, 'D'));
        expect(copy, name).toMatchObject({ title, ...wanted });
      }
      expect(read.texts?.labels.slice(0, 1)).toEqual(['HLT_DoubleMu4_Jpsi']);
    },
  );

  test.each<[string, unknown]>([
    ['it has no counts', { edges: [0, 1] }],
    ['it has no counts', undefined],
    ['it has no counts', { counts: ['1'], edges: [0, 1] }],
    ['an axis has no edges', { counts: [1] }],
    ['it has 3 counts, and 2 bins', { counts: [1, 2, 3], edges: [0, 1, 2] }],
    ['it has 1 errors, and 2 bins', { counts: [1, 2], edges: [0, 1, 2], errors: [1] }],
    ['edges are not ascending numbers', { counts: [1, 2], edges: [0, 2, 1] }],
    ['edges are not ascending numbers', { counts: [1, 2], edges: [0, Number.NaN, 1] }],
    [
      'it has more than three axes',
      {
        counts: [1],
        edges: [
          [0, 1],
          [0, 1],
          [0, 1],
          [0, 1],
        ],
      },
    ],
    ['it lacks axes, sums', { kind: 'histogram', title: 't', axes: [{ bins: 10, low: 0, high: 1 }] }],
  ])('%s', async (why, histogram) => {
    const writing = writeRoot(memorySink(), (file) => file.histogram('h', histogram as BinContents));
    await expect(writing).rejects.toMatchObject({ code: 'ARGUMENT', message: expect.stringContaining(why) });
  });
});
