import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileSink, writeRoot } from '../../../web/node';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const folder = mkdtempSync(join(tmpdir(), 'xylem-shapes-'));
const at = (name: string): string => join(folder, name);
const reader = withReader();
const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  for (const [name, count] of Object.entries({ dy: 400, tt: 200, data1: 60, data2: 30 }))
    await writeRoot(fileSink(at(`${name}.root`)), async (file) => {
      const tree = await file.tree('t');
      const x = Float64Array.from({ length: count }, (_, i) => (i * i) % 7);
      await tree.append(
        name.startsWith('data') ? { x } : { x, w: x.map((_, i) => (i % 9 === 0 ? -0.5 : 1.25)) },
      );
    });
  writeFileSync(
    at('s.mjs'),
    `export default {
      branches: { x: 'x' },
      begin(job) {
        const all = job.vary({ jesUp: ({ x }) => ({ x: x + 1 }), jesDown: ({ x }) => ({ x: x - 1 }) });
        return { signal: { x: all.hist([8, 0, 8]) }, cuts: job.labels(['all', 'tight', 'none']), n: job.counter() };
      },
      entry({ x }, out, { weight }) {
        out.signal.x.fill(x, weight);
        out.cuts.add('all', weight);
        if (x > 2) out.cuts.add('tight', weight);
        out.n.add(weight);
      },
    };`,
  );
  const sample = (name: string, more: object) => ({ name, files: `${name}.root`, ...more });
  writeFileSync(
    at('samples.json'),
    JSON.stringify({
      samples: [
        sample('dy', { crossSection: 0.7, weight: 'w' }),
        sample('tt', { crossSection: 0.3, weight: 'w' }),
        sample('data1', {}),
        sample('data2', {}),
      ],
    }),
  );
});
const args = () => ['process', at('s.mjs'), '--samples', at('samples.json'), 't', '--lumi', '100'];

test('a cutflow has its order, errors and raw numbers in the overview', async () => {
  const { out } = await xylem(...args());
  const [all, tight, none] = out.split('\n').filter((line) => line.startsWith('cuts'));
  expect(all).toMatch(/all: [\d.]+ ± [\d.]+ \(600 raw\)$/);
  expect(tight).toMatch(/tight: [\d.]+ ± [\d.]+ \(\d+ raw\)$/);
  expect(none).toMatch(/none: 0$/);
  const plain = await xylem('process', at('s.mjs'), at('data1.root'), 't');
  expect(plain.out).toMatch(/cuts +all: 60\n/);
});

test.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))(
  'ROOT and uproot read the cutflow with labels and errors, and shapes by the names of programs that fit',
  async () => {
    expect((await xylem(...args(), '--shapes', at('shapes.root'), '--root', at('all.root'))).status).toBe(0);
    const code = `
import json, sys, ROOT, uproot
folder = sys.argv[1]
def frame(name): return ROOT.RDataFrame("t", f"{folder}/{name}.root")
def filled(name, shift=0, weight="w"):
  h = frame(name).Define("y", f"x + {shift}").Define("v", weight).Histo1D(("h", "", 8, 0, 8), "y", "v").GetValue()
  return h
scale = {name: section * 100 / frame(name).Sum("w").GetValue() for name, section in (("dy", .7), ("tt", .3))}
f = uproot.open(f"{folder}/shapes.root")
out = {"keys": sorted(key.split(";")[0] for key in f.keys(recursive=True, filter_classname="TH1D")), "gap": 0}
for name in scale:
  for suffix, shift in (("", 0), ("_jesUp", 1), ("_jesDown", -1)):
    h = filled(name, shift); h.Sumw2(); h.Scale(scale[name])
    values, errors = f[f"signal/x/{name}{suffix}"].values(flow=True), f[f"signal/x/{name}{suffix}"].errors(flow=True)
    out["gap"] = max(out["gap"], *(abs(values[k] - h.GetBinContent(k)) + abs(errors[k] - h.GetBinError(k)) for k in range(10)))
out["data"] = float(f["signal/x/data_obs"].values().sum())
g = ROOT.TFile(f"{folder}/all.root")
def bins(path):
  h = g.Get(path)
  return {"labels": [h.GetXaxis().GetBinLabel(k + 1) for k in range(h.GetNbinsX())], "contents": [h.GetBinContent(k + 1) for k in range(h.GetNbinsX())],
          "errors": [h.GetBinError(k + 1) for k in range(h.GetNbinsX())], "entries": h.GetEntries()}
out["cuts"], out["raw"], out["n"] = bins("samples/dy/cuts"), bins("samples/dy/cuts_raw"), bins("samples/data1/n")
tight = frame("dy").Filter("x > 2").Define("w2", "w * w")
out["truth"] = {"all": scale["dy"] * frame("dy").Sum("w").GetValue(), "tight": scale["dy"] * tight.Sum("w").GetValue(),
                "error": scale["dy"] * tight.Sum("w2").GetValue() ** .5, "count": tight.Count().GetValue()}
print(json.dumps(out))`;
    const out = JSON.parse(
      execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', code, folder], { encoding: 'utf8' }),
    );
    const { keys, gap, data, cuts, raw, n, truth } = out;
    const shapes = ['dy', 'tt'].flatMap((one) =>
      ['', '_jesDown', '_jesUp'].map((suffix) => `signal/x/${one}${suffix}`),
    );
    expect(keys).toEqual(['signal/x/data_obs', ...shapes].sort());
    expect(gap).toBeLessThan(1e-9);
    expect(data).toBe(90);
    expect([cuts.labels, raw.labels]).toEqual([
      ['all', 'tight', 'none'],
      ['all', 'tight', 'none'],
    ]);
    expect(cuts.contents[0]).toBeCloseTo(truth.all, 9);
    expect(cuts.contents[1]).toBeCloseTo(truth.tight, 9);
    expect(cuts.errors[1]).toBeCloseTo(truth.error, 9);
    expect(raw.contents).toEqual([400, truth.count, 0]);
    expect(n).toMatchObject({ labels: ['n'], contents: [60], entries: 60 });
  },
  120_000,
);

test('what does not fit is an error', async () => {
  expect((await xylem('process', at('s.mjs'), at('dy.root'), 't', '--shapes', at('x.root'))).err).toMatch(
    /--shapes is for samples/,
  );
  const text =
    "export default { branches: { x: 'x' }, begin: (job) => ({ l: job.labels([1]) }), entry() {} };";
  writeFileSync(at('bad.mjs'), text);
  expect((await xylem('process', at('bad.mjs'), at('dy.root'), 't')).err).toMatch(
    /labels takes a list of labels/,
  );
});
