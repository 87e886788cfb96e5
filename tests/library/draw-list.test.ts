// Needs features: writer.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileSource, Histogram, ReaderApi } from '../../web/api/api';
import { isRequest } from '../../web/io/trace';
import {
  type DrawChoice,
  fileSink,
  openReader,
  openRoot,
  type RootHandle,
  type TreeHandle,
  writeRoot,
} from '../../web/node';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';
import { lacks } from '../needs';
import { oraclePython } from '../oracle';

const path = 'public/sample.root';
let file: RootHandle;
let events: TreeHandle;

beforeAll(async () => {
  file = await openRoot(path, { workers: 0 });
  events = await file.tree('Events');
});
afterAll(() => file.close());

/** Drawings of all kinds: ends given and found, weights, labels, texts, two axes, profiles, columns as they are. */
const KINDS: DrawChoice[] = [
  { expr: 'MET_pt' },
  { expr: 'MET_pt', bins: 7, range: [3, 50] },
  { expr: 'Muon_pt', cut: 'nMuon == 2' },
  { expr: 'Muon_pt', cut: 'MET_pt*(nMuon == 2)', axis: 'tight' },
  { expr: 'Dimuon_mass+1', cut: 'nMuon == 2', bins: 3, range: [60, 120] },
  { expr: 'MET_pt:PV_npvs', option: 'prof' },
  { expr: 'MET_pt:PV_npvs', bins: [4, 5] },
  {
    expr: 'Muon_pt[1]:Muon_pt[0]',
    cut: 'nMuon > 1',
    range: [[0, 100], undefined],
  },
  { expr: 'trigger' },
  { expr: 'MET_pt:trigger', cut: 'nMuon == 2' },
  { expr: 'MET_pt', option: 'norm' },
  { expr: 'MET_pt', cut: 'MET_pt < 0' },
];

/** The drawing that has these axes given. */
const given = ({ axes }: Pick<Histogram, 'axes'>) => ({
  bins: axes.map(({ bins }) => bins),
  range: axes.map(({ low, high }): [number, number] => [low, high]),
});

/** Weights are added in another order. */
function sameBins(one: unknown, other: unknown): void {
  const [a, b] = [one as Histogram, other as Histogram];
  expect(a.axes).toEqual(b.axes);
  expect(a.fills).toBe(b.fills);
  for (const [cell, sum] of b.sums.entries()) expect(a.sums[cell]).toBeCloseTo(sum, 8);
}

describe('drawings with the same axes', () => {
  const layers: DrawChoice[] = [
    { expr: 'Muon_pt', cut: 'nMuon == 2' },
    { expr: 'Jet_pt' },
    { expr: 'MET_pt*3', cut: 'MET_pt' },
    { expr: 'Muon_pt', cut: 'nMuon < 0' },
  ];

  test('have those that are found from the values of all', async () => {
    const together = await events.draw(layers, { sameAxes: true });
    const [first] = together as Histogram[];
    const axes = first?.axes.map(({ bins, low, high }) => ({ bins, low, high }));
    expect(axes?.[0]?.bins).toBe(100);
    const lows = (together as Histogram[]).flatMap(({ min }) => min).filter(Number.isFinite);
    const highs = (together as Histogram[]).flatMap(({ max }) => max).filter(Number.isFinite);
    expect(axes?.[0]?.low).toBeLessThanOrEqual(Math.min(...lows));
    expect(axes?.[0]?.high).toBeGreaterThan(Math.max(...highs));
    // Each of the others alone has another range.
    expect((await events.draw('Muon_pt', { cut: 'nMuon == 2' })).axes).not.toMatchObject(axes ?? []);
    for (const [i, { expr, ...options }] of layers.entries()) {
      const alone = await events.draw(expr, { ...options, ...given(first as Histogram) });
      sameBins(together[i], alone);
    }
  });

  test('have the bins and ends of the first, where it has them', async () => {
    const [one, two] = await events.draw(
      [{ expr: 'MET_pt>>h(20,0,50)' }, { expr: 'Jet_pt', bins: 7, range: [1, 2] }],
      { sameAxes: true },
    );
    expect([one?.axes?.[0], two?.axes?.[0]]).toMatchObject([
      { bins: 20, low: 0, high: 50 },
      { bins: 20, low: 0, high: 50 },
    ]);
    await expect(
      events.draw([{ expr: 'MET_pt' }, { expr: 'MET_pt:Jet_pt' }], { sameAxes: true }),
    ).rejects.toThrow(/2 expressions cannot have the axes of one of 1/);
  });

  test('are one pass over a chain, and over more values than wait for their axes', async () => {
    const folder = resolve('tests/fixtures/files');
    const files = ['codec_zlib', 'codec_lz4'].map((name) => join(folder, `${name}.root`));
    await using chain = await openRoot(files, { workers: 0 });
    const tree = await chain.tree('t');
    const list: DrawChoice[] = [{ expr: 'noise' }, { expr: 'jagged', cut: 'n>1' }];
    const many = await openRoot('tests/query/files/million.root', { workers: 0 });
    const long: DrawChoice[] = [{ expr: 'bTags#0' }, { expr: 'Entry$' }];
    for (const [place, choices] of [
      [tree, list],
      [await many.tree('t'), long],
    ] as const) {
      const together = await place.draw(choices, { sameAxes: true });
      for (const [i, { expr, ...options }] of choices.entries()) {
        const alone = await place.draw(expr, { ...options, ...given(together[0] as Histogram) });
        sameBins(together[i], alone);
        const { axes, sums } = together[i] as Histogram;
        // Nothing is outside of an axis that was found.
        expect([sums[0], sums[(axes[0]?.bins ?? 0) + 1]], expr).toEqual([0, 0]);
      }
    }
    await many.close();
  }, 60_000);
});

describe('a list of drawings', () => {
  test('gives what each of them gives alone', async () => {
    const together = await events.draw(KINDS);
    expect(together).toHaveLength(KINDS.length);
    for (const [i, { expr, ...options }] of KINDS.entries())
      expect(together[i], `${expr} ${JSON.stringify(options)}`).toEqual(await events.draw(expr, options));
  });

  test('with the same cut or the same values: these are made once, and the histograms are those of single ones', async () => {
    const cuts = [
      'nMuon == 2',
      'MET_pt*(nMuon > 1)',
      'Muon_pt > 5',
      'Muon_pt[0] > 5',
      '2',
      'rndm > 0.5',
      '0',
    ];
    const exprs = ['MET_pt', 'Muon_pt', 'Muon_pt:MET_pt', 'Sum$(Muon_pt) + Entry$', 'rndm'];
    const draws = cuts.flatMap((cut) =>
      exprs.flatMap((expr): DrawChoice[] => [
        { expr, cut },
        { expr, cut, option: expr.includes(':') ? 'prof' : '', bins: 9, range: [0, 60] },
        { expr, cut, bins: [4, 3].slice(expr.includes(':') ? 0 : 1) },
      ]),
    );
    const together = await events.draw(draws);
    for (const [i, { expr, ...options }] of draws.entries())
      expect(together[i], `${expr} ${JSON.stringify(options)}`).toEqual(await events.draw(expr, options));
  });

  test('takes entries, rules and seeds for all, and may be empty', async () => {
    const options = { entries: [100, 400] as [number, number], seed: 7 };
    const [a, b] = await events.draw([{ expr: 'rndm' }, { expr: 'MET_pt', cut: 'rndm > 0.5' }], options);
    expect(a).toEqual(await events.draw('rndm', options));
    expect(b).toEqual(await events.draw('MET_pt', { ...options, cut: 'rndm > 0.5' }));
    expect(await events.draw([])).toEqual([]);
  });

  test('throws the error of the one that is mistaken', async () => {
    await expect(events.draw([{ expr: 'MET_pt' }, { expr: 'MET_px' }])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(events.draw([{ expr: 'MET_pt', bin: 5 } as never])).rejects.toMatchObject({
      code: 'ARGUMENT',
      message: expect.stringContaining('"bin"'),
    });
    await expect(events.draw([{} as never])).rejects.toMatchObject({ code: 'ARGUMENT' });
    await expect(events.draw(['MET_pt'] as never)).rejects.toMatchObject({ code: 'ARGUMENT' });
    await expect(events.draw(5 as never)).rejects.toMatchObject({ code: 'ARGUMENT' });
    await expect(events.draw([{ expr: '>>list', cut: 'nMuon > 1' }])).rejects.toMatchObject({
      code: 'ARGUMENT',
    });
  });

  test('by the reader: a mistaken one has its error in its place, and the others are there', async () => {
    const reader = await openReader({ workers: 0 });
    const { id } = await reader.open({ kind: 'path', path });
    const tree = 'Events';
    const [first, wrong, last] = await reader.drawAll(id, {
      tree,
      draws: [{ expr: 'MET_pt' }, { expr: 'MET_pt +' }, { expr: 'nMuon' }],
    });
    expect(first).toEqual(await reader.draw(id, { tree, expr: 'MET_pt' }));
    expect(wrong).toMatchObject({ kind: 'error', error: { code: 'ARGUMENT' } });
    expect(last).toEqual(await reader.draw(id, { tree, expr: 'nMuon' }));
    await reader.close(id);
  });
});

describe('each basket is read once, however many histograms it fills', () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-draw-'));
  const wide = join(folder, 'wide.root');
  const tree = 't';
  const range = [0, 9] as [number, number];
  const draws = Array.from({ length: 100 }, (_, i) => ({
    expr: `${['a', 'b', 'c', 'd'][i % 4]}${i % 3 === 0 ? '' : `*${i}`}`,
    cut: i % 2 === 0 ? undefined : `n == ${(i % 3) + 1}`,
    bins: 10,
  }));

  beforeAll(async () => {
    const entries = 40_000;
    await writeRoot(fileSink(wide), async (made) => {
      const t = await made.tree(tree, { clusterBytes: 200_000 });
      const column = (of: (i: number) => number) => Float64Array.from({ length: entries }, (_, i) => of(i));
      await t.append({
        a: column((i) => Math.sin(i * i)),
        b: column((i) => Math.cos(i * 7.1)),
        c: column((i) => Math.sqrt(i)),
        d: column((i) => (i * 7919) % 1009),
        n: column((i) => i % 5),
        unread: column((i) => Math.tan(i)),
      });
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Requests, bytes that came, and bytes of the units that were decoded, by a reader that keeps nothing. */
  async function costOf(call: (reader: ReaderApi, id: number) => Promise<unknown>) {
    const reader = await openReader({ workers: 0 });
    const { id } = await reader.open({ kind: 'path', path: wide });
    await reader.tree(id, tree);
    const before = (await reader.trace(id)).length;
    await call(reader, id);
    const reads = (await reader.trace(id)).slice(before);
    await reader.close(id);
    const requests = reads.filter(isRequest);
    const decoded = reads.filter(({ origin }) => origin === 'decode');
    return {
      requests: requests.length,
      bytes: requests.reduce((sum, { got }) => sum + got, 0),
      decoded: decoded.reduce((sum, { wanted }) => sum + wanted, 0),
    };
  }

  test('100 drawings of a tree request and decode the bytes of one that has all their branches', async () => {
    const single = await costOf((reader, id) =>
      reader.draw(id, { tree, expr: 'a+b+c+d', cut: 'n > 0', bins: 5, range }),
    );
    expect(single.bytes).toBeGreaterThan(400_000);
    expect(single.decoded).toBeGreaterThan(400_000);
    const all = await costOf((reader, id) =>
      reader.drawAll(id, { tree, draws: draws.map((draw) => ({ ...draw, range })) }),
    );
    expect(all).toEqual(single);
    // Nor where the ranges have to be found: the bytes of the first time are in memory for the second.
    const found = await costOf((reader, id) => reader.drawAll(id, { tree, draws }));
    expect(found).toMatchObject({ requests: single.requests, bytes: single.bytes });
    expect(found.decoded).toBeLessThanOrEqual(2 * single.decoded);
  });

  test('a damaged basket of a cut costs those their entries that have the cut', async () => {
    const bytes = readFileSync(wide);
    const key = Buffer.from('\x07TBasket\x01n\x01t');
    const basket = bytes.indexOf(key, bytes.indexOf(key) + 1);
    expect(basket).toBeGreaterThan(0);
    bytes.fill(0xa5, basket + key.length + 60, basket + key.length + 90);
    await using damaged = await openRoot(new Uint8Array(bytes), { workers: 0 });
    const t = await damaged.tree(tree);
    const list = ['a', 'b', 'a*2'].flatMap((expr): DrawChoice[] => [
      { expr, cut: 'n > 1', bins: 9, range: [-1, 1] },
      { expr, bins: 9, range: [-1, 1] },
    ]);
    const together = await t.draw(list);
    for (const [i, { expr, ...options }] of list.entries()) {
      sameBins(together[i], await t.draw(expr, options));
      const { partial, fills } = together[i] as Histogram;
      expect(partial?.failed, `${expr} ${options.cut}`).toBe(options.cut ? 1 : undefined);
      if (options.cut) expect(fills).toBeLessThan(24_000);
      else expect(fills).toBe(40_000);
    }
  });

  test('a chain opens each of its files once, also where ranges have to be found', async () => {
    const opened: string[] = [];
    const files = Array.from({ length: 40 }, (_, i) => ({
      source: bufferSpec(`file${i}`, fixtureBytes('codec_zlib')) as FileSource,
    }));
    const reader = await makeEngine((source) => {
      opened.push(source.name);
      return source;
    });
    const { id } = await reader.open({ kind: 'chain', files });
    await reader.tree(id, 't');
    opened.length = 0;
    const [a, b] = await reader.drawAll(id, {
      tree: 't',
      draws: [{ expr: 'noise', cut: 'n>1' }, { expr: 'jagged*2' }],
    });
    expect((a as Histogram).entries).toBe(12_000);
    expect((b as Histogram).entries).toBe(12_000);
    expect(opened.length).toBeGreaterThan(30);
    expect(opened.length).toBe(new Set(opened).size);
  });
});

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'a chain drawn together has the bins, errors and axes that ROOT fills',
  async () => {
    const folder = resolve('tests/fixtures/files');
    const files = ['codec_zlib', 'codec_lz4', 'codec_zstd'].map((name) => join(folder, `${name}.root`));
    const draws = [
      { expr: 'noise', cut: 'n>1' },
      { expr: 'jagged', cut: 'noise*(n>0)' },
      { expr: 'jagged*2' },
      { expr: 'Entry$', cut: 'jagged>0' },
      // The last one, because Draw takes its number of bins for those that follow.
      { expr: 'n', bins: 12, range: [0, 12] as [number, number] },
    ];
    const ran = spawnSync(oraclePython ?? '', ['-c', ROOT_DRAWS, JSON.stringify({ files, draws })], {
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    expect(ran.status, ran.stderr).toBe(0);
    const wanted = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '') as RootDrawn[];
    await using chain = await openRoot(files, { workers: 0 });
    const got = await (await chain.tree('t')).draw(draws);
    expect(got).toHaveLength(wanted.length);
    for (const [i, { axis, contents, errors, entries }] of wanted.entries()) {
      const one = got[i] as Histogram;
      expect(one.axes[0], draws[i]?.expr).toMatchObject(axis);
      expect(one.fills).toBe(entries);
      for (const [cell, content] of contents.entries()) {
        // The histograms that Draw makes add in 32 bits.
        expect(one.sums[cell]).toBeCloseTo(content, 3);
        expect(Math.sqrt(one.squares[cell] ?? -1)).toBeCloseTo(errors[cell] ?? -1, 5);
      }
    }
  },
  60_000,
);

interface RootDrawn {
  axis: { bins: number; low: number; high: number };
  /** With under- and overflow. */
  contents: number[];
  errors: number[];
  entries: number;
}

const ROOT_DRAWS = `
import json, sys, ROOT
ROOT.gROOT.SetBatch(True)
asked = json.loads(sys.argv[1])
chain = ROOT.TChain("t")
for file in asked["files"]: chain.Add(file)
drawn = []
for k, one in enumerate(asked["draws"]):
    axis = f"({one['bins']},{one['range'][0]},{one['range'][1]})" if "bins" in one else ""
    ROOT.TH1.SetDefaultSumw2(True)
    chain.Draw(f"{one['expr']}>>h{k}{axis}", one.get("cut", ""), "goff")
    h = ROOT.gDirectory.Get(f"h{k}")
    x, cells = h.GetXaxis(), range(h.GetNcells())
    drawn.append({"axis": {"bins": x.GetNbins(), "low": x.GetXmin(), "high": x.GetXmax()}, "entries": h.GetEntries(),
                  "contents": [h.GetBinContent(i) for i in cells], "errors": [h.GetBinError(i) for i in cells]})
print(json.dumps(drawn))
`;
