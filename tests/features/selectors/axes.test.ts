import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineOf } from '../../../web/api/engine-api';
import { processRows } from '../../../web/features/selectors/work/partial/process-rows';
import { fileSink, writeRoot } from '../../../web/node';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';
import { boxOf } from './selector-box';

const folder = mkdtempSync(join(tmpdir(), 'xylem-axes-'));
const at = (name: string): string => join(folder, name);
const reader = withReader();
const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SELECTOR = `export default {
  branches: { x: 'x', n: 'n', w: 'w' },
  begin(job) {
    const all = job.vary({ up: { weight: 'n' }, down: ({ x }) => ({ x: x / 2 }) });
    return {
      edges: job.hist({ edges: [0, 0.5, 2, 7, 30], title: 'x' }),
      mean: job.profile({ edges: [0, 1, 4, 30] }),
      channel: job.hist({ categories: 'text', title: 'channel' }, { edges: [0, 1, 30], title: 'x' }),
      known: job.hist({ categories: ['odd', 'even'] }),
      whole: job.hist({ categories: 'whole', title: 'n' }),
      flag: job.hist([3, 0, 30], { categories: 'boolean' }),
      many: job.hist([2, 0, 30], [2, 0, 8], [3, 0, 3], { categories: 'boolean' }, { edges: [0, 2, 9] }),
      varied: all.hist({ edges: [0, 1, 30], title: 'x' }),
    };
  },
  entry({ x, n, w }, out, { weight }) {
    out.edges.fill(x, w);
    out.mean.fill(x, n, w);
    out.channel.fill(n > 3 ? 'mumu' : 'ee', x, w);
    out.known.fill(n % 2 ? 'odd' : 'even', w);
    out.whole.fill(n - 2);
    out.flag.fill([x, 2 * x], n > 3, w);
    out.many.fill(x, n, n % 3, n > 3, n, w);
    out.varied.fill(x, w * weight);
  },
};`;
const COUNT = 3000;
const xOf = (i: number) => ((i * 7919) % 3500) / 100 - 1;
const nOf = (i: number) => i % 8;
const wOf = (i: number) => (i % 5 === 0 ? -1.25 : 0.75);

beforeAll(async () => {
  for (const [name, from] of [
    ['a', 0],
    ['b', 1000],
    ['c', 2000],
  ] as const)
    await writeRoot(fileSink(at(`${name}.root`)), async (file) => {
      const tree = await file.tree('t');
      const i = Array.from({ length: COUNT / 3 }, (_, k) => from + k);
      await tree.append({
        x: Float64Array.from(i, xOf),
        n: Float64Array.from(i, nOf),
        w: Float64Array.from(i, wOf),
      });
    });
  writeFileSync(at('s.mjs'), SELECTOR);
});
const all = () => ['process', at('s.mjs'), `${at('a.root')},${at('b.root')},${at('c.root')}`, 't'];

/** The same histograms by hist of Python, and what hist and ROOT read of the files that xylem wrote. */
const PYTHON = `
import json, sys, numpy as np, hist, uproot, ROOT
from boost_histogram.serialization import from_uhi
folder = sys.argv[1]
i = np.arange(${COUNT})
x, n, w = ((i * 7919) % 3500) / 100 - 1, i % 8, np.where(i % 5 == 0, -1.25, 0.75)
W = hist.storage.Weight()
def made(*axes): return hist.Hist(*axes, storage=hist.storage.Weight())
V, R, S, I, B = hist.axis.Variable, hist.axis.Regular, hist.axis.StrCategory, hist.axis.IntCategory, hist.axis.Boolean
truth = {
  "edges": made(V([0, .5, 2, 7, 30])).fill(x, weight=w),
  "channel": made(S(["ee", "mumu"]), V([0, 1, 30])).fill(np.where(n > 3, "mumu", "ee"), x, weight=w),
  "known": made(S(["odd", "even"])).fill(np.where(n % 2, "odd", "even"), weight=w),
  "whole": made(I(list(range(-2, 6)))).fill(n - 2),
  "flag": made(R(3, 0, 30), B()).fill(np.concatenate([x, 2 * x]), np.concatenate([n > 3] * 2), weight=np.concatenate([w, w])),
  "many": made(R(2, 0, 30), R(2, 0, 8), R(3, 0, 3), B(), V([0, 2, 9])).fill(x, n, n % 3, n > 3, n, weight=w),
}
varied = made(S(["nominal", "down", "up"]), V([0, 1, 30]))
varied.fill("nominal", x, weight=w); varied.fill("up", x, weight=w * n); varied.fill("down", x / 2, weight=w)
truth["varied"] = varied
out = {}
for name, h in truth.items():
  read = hist.Hist(from_uhi(json.load(open(f"{folder}/{name}.json"))))
  a, b = [one.view(flow=True) for one in (read, h)]
  fields = lambda v, f: v[f] if v.dtype.names else v
  trim = lambda v, one: v[tuple(slice(0, ax.size) if isinstance(ax, (S, I)) else slice(None) for ax in one.axes)]
  av, bv = trim(a, read), trim(b, h)
  names = [type(ax).__name__ for ax in read.axes]
  gap = max(float(np.abs(fields(av, f) - fields(bv, f)).max()) for f in ("value", "variance"))
  out[name] = {"axes": names, "gap": gap, "labels": [ax.label for ax in read.axes], "sum": float(np.sum(fields(av, "value")))}
f = ROOT.TFile(f"{folder}/all.root")
h = f.Get("edges")
reference = ROOT.TH1D("r", "", 4, np.array([0, .5, 2, 7, 30.]))
for a, b in zip(x, w): reference.Fill(a, b)
out["root"] = {"class": h.ClassName(), "edges": list(h.GetXaxis().GetXbins()), "gap": max(abs(h.GetBinContent(k) - reference.GetBinContent(k)) + abs(h.GetBinError(k) - reference.GetBinError(k)) for k in range(6)),
  "mean": [h.GetMean(), reference.GetMean()], "std": [h.GetStdDev(), reference.GetStdDev()],
  "labels": [f.Get("channel").GetXaxis().GetBinLabel(k) for k in (1, 2)], "channel": f.Get("channel").ClassName(),
  "cells": [f.Get("channel").GetBinContent(a, b) for a in (1, 2) for b in (0, 1, 2, 3)],
  "many": f.Get("many").ClassName(), "rows": int(f.Get("many").GetEntries()), "keys": sorted(k.GetName() for k in f.GetListOfKeys())}
out["truth"] = {"cells": [float(v) for v in truth["channel"].view(flow=True)["value"][:2].ravel()]}
p = ROOT.TProfile("p", "", 3, np.array([0, 1, 4, 30.]))
for a, b, c in zip(x, n, w): p.Fill(a, float(b), c)
out["profile"] = [[f.Get("mean").GetBinContent(k), p.GetBinContent(k)] for k in range(5)]
print(json.dumps(out))
`;

test.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))(
  'hist reads each histogram with its axes, and ROOT its bins, as they would have filled them',
  async () => {
    for (const name of ['edges', 'channel', 'known', 'whole', 'flag', 'many', 'varied']) {
      const { err, status } = await xylem(...all(), '--result', name, '--uhi', at(`${name}.json`));
      expect([name, status, err.replaceAll(/^written.*\n/gm, '')]).toEqual([name, 0, '']);
    }
    await xylem(...all(), '--root', at('all.root'));
    await xylem(...all(), '--result', 'varied', '--parquet', at('varied.parquet'));
    const out = JSON.parse(
      execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', PYTHON, folder], { encoding: 'utf8' }),
    );
    const kinds: Record<string, string[]> = {
      edges: ['Variable'],
      channel: ['StrCategory', 'Variable'],
      known: ['StrCategory'],
      whole: ['IntCategory'],
      flag: ['Regular', 'Boolean'],
      many: ['Regular', 'Regular', 'Regular', 'Boolean', 'Variable'],
      varied: ['StrCategory', 'Variable'],
    };
    for (const [name, axes] of Object.entries(kinds)) {
      expect([name, out[name].axes]).toEqual([name, axes]);
      expect([name, out[name].gap < 1e-9]).toEqual([name, true]);
      expect([name, out[name].sum !== 0]).toEqual([name, true]);
    }
    expect([out.channel.labels, out.varied.labels]).toEqual([
      ['channel', 'x'],
      ['variation', 'x'],
    ]);
    const { root, truth, profile } = out;
    expect(root).toMatchObject({
      class: 'TH1D',
      edges: [0, 0.5, 2, 7, 30],
      labels: ['ee', 'mumu'],
      channel: 'TH2D',
    });
    expect(root.gap).toBeLessThan(1e-9);
    for (const [one, other] of [root.mean, root.std, ...profile]) expect(one).toBeCloseTo(other, 9);
    for (const [i, cell] of root.cells.entries()) expect(cell).toBeCloseTo(truth.cells[i], 9);
    expect(root.many).toBe('TTree');
    expect(root.keys).toContain('varied_up');
    const bytes = readFileSync(at('varied.parquet'));
    const rows = await parquetReadObjects({ file: Uint8Array.from(bytes).buffer });
    expect(Object.keys(rows[0] ?? {})).toEqual(['variation', 'x_low', 'x_high', 'sum', 'variance']);
    expect(rows.reduce((sum, row) => sum + row.sum, 0)).toBeCloseTo(out.varied.sum, 6);
    expect(rows.map(({ variation }) => variation)).toEqual(
      ['nominal', 'down', 'up'].flatMap((one) => [one, one, one, one]),
    );
    expect([rows[0]?.x_low, rows[3]?.x_high]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  },
  120_000,
);

test('parts in any grouping give the bytes of one run, and a page makes the same', async () => {
  await xylem(...all(), '--partial', at('all.json'));
  for (const name of ['c', 'a', 'b'])
    await xylem('process', at('s.mjs'), at(`${name}.root`), 't', '--partial', at(`${name}.part`));
  await xylem('combine', ...['c', 'a', 'b'].map((name) => at(`${name}.part`)), '--partial', at('sum.json'));
  expect(readFileSync(at('sum.json'), 'utf8')).toBe(readFileSync(at('all.json'), 'utf8'));
  const engine = engineOf(reader);
  const { id } = await engine.open({ kind: 'path', path: at('a.root') });
  const { box, module } = await boxOf(SELECTOR, folder);
  const rows = await processRows(engine, { file: id, tree: 't' }, box);
  expect(rows).toEqual({ ...(await engine.process(id, { tree: 't', module })), partial: rows.partial });
});

test('pictures, CSV, JSON and the overview show them', async () => {
  const overview = await xylem(...all());
  expect(overview.out).toMatch(/channel +3,000 fills, 2 x 2 bins/);
  expect(overview.out).toMatch(/many +3,000 fills, 2 x 2 x 3 x 2 x 2 bins/);
  const csv = await xylem(...all(), '--result', 'channel', '--csv', '-');
  expect(csv.out.split('\n')[0]).toBe('x_label,y_low,y_high,content,error');
  expect((await xylem(...all(), '--pictures', at('plots'))).status).toBe(0);
  const svg = readFileSync(at('plots/whole.svg'), 'utf8');
  for (const word of ['>-2<', '>5<']) expect(svg).toContain(word);
  const { results } = JSON.parse((await xylem(...all(), '--json')).out);
  expect(results.many.cells[0]).toMatchObject({ at: expect.any(Array), sum: expect.any(Number) });
  expect(results.edges.axes[0].edges).toEqual([0, 0.5, 2, 7, 30]);
});

test.each([
  ['job.hist({ edges: [0, 0, 1] })', 'fill(1)', /needs axes/],
  ['job.hist({ edges: [1] })', 'fill(1)', /needs axes/],
  ['job.hist({ edges: [0, NaN, 1] })', 'fill(1)', /needs axes/],
  ['job.hist([0, 20, 30, 50])', 'fill(1)', /needs axes.*edges: \[0, 20, 50\]/s],
  ["job.hist({ categories: ['a', 'a'] })", "fill('a')", /occurs twice/],
  [
    "job.hist({ categories: ['a', 'b'], title: 'kind' })",
    "fill('c')",
    /fill got "c" for the axis "kind", which takes a, b/,
  ],
  [
    "job.hist({ categories: 'text' })",
    'fill(3)',
    /fill got "3" for an axis of categories, which takes texts/,
  ],
  ["job.hist({ categories: 'text' })", 'fill(undefined)', /fill got undefined/],
  ["job.hist({ categories: 'whole' })", 'fill(1.5)', /which takes whole numbers/],
  ["job.hist({ categories: 'boolean' })", "fill('yes')", /which takes false, true/],
  [
    "job.hist({ categories: 'text' }, [2, 0, 2])",
    "fill('a', 1, undefined)",
    /weight that fill got is undefined/,
  ],
  ["job.hist({ categories: 'text' }, [2, 0, 2])", "fill('a', 'b')", /which is not a number/],
  ["job.hist({ categories: 'text' }, [2, 0, 2])", "fill('a')", /takes 2 coordinates/],
  ["job.hist({ categories: 'text' })", "fill(['a', 'b'], [1])", /have 2 and 1 values/],
  ['job.hist(...Array(13).fill([2, 0, 2]))', 'fill(1)', /12 axes at most/],
  ["job.profile({ categories: 'text' })", 'fill(1, 2)', /profile has an axis of bins/],
])('a mistake is an error: %s %s', async (make, use, message) => {
  const path = at(`wrong${count++}.mjs`);
  writeFileSync(
    path,
    `export default { branches: { x: 'x' }, begin: (job) => ({ h: ${make} }), entry(_, { h }) { h.${use}; } };`,
  );
  const { status, err } = await xylem('process', path, at('a.root'), 't');
  expect([status, err]).toEqual([1, expect.stringMatching(message)]);
});
let count = 0;
