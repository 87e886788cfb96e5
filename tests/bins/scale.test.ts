import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Histogram, PlainObject } from '../../web/api/api';
import { scaledHistogram } from '../../web/bins/scale';
import { histogramOfObject } from '../../web/bins/stored-histogram';
import { lacks } from '../needs';
import { oraclePython } from '../oracle';

/** Histograms before and after TH1::Scale, as TBufferJSON. */
const PROGRAM = `
import json, ROOT
made = {}
for name, factor in (("plain", 0.25), ("weighted", -3.5), ("plane", 1e3), ("none", 0.0)):
    h = ROOT.TH2D(name, "", 3, 0, 3, 2, 0, 2) if name == "plane" else ROOT.TH1D(name, "", 4, 0, 4)
    if name == "weighted": h.Sumw2()
    for i in range(20):
        x, w = (i * 7 % 11) / 2.5, 1 if name == "plain" else 0.5 + i % 3
        h.Fill(x, i % 2, w) if name == "plane" else h.Fill(x, w)
    before = json.loads(str(ROOT.TBufferJSON.ToJSON(h)))
    h.Scale(factor)
    made[name] = {"factor": factor, "before": before, "after": json.loads(str(ROOT.TBufferJSON.ToJSON(h)))}
print(json.dumps(made))`;

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'a scaled histogram has the contents, errors, sums and statistics of TH1::Scale',
  { timeout: 180_000 },
  () => {
    const text = execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', PROGRAM], { encoding: 'utf8' });
    const made = JSON.parse(text) as Record<
      string,
      Record<'before' | 'after', PlainObject> & { factor: number }
    >;
    expect(Object.keys(made)).toHaveLength(4);
    for (const [name, { factor, before, after }] of Object.entries(made)) {
      const found = scaledHistogram(histogramOfObject(before), factor);
      const wanted = histogramOfObject(after);
      const numbers = ({
        sums,
        squares,
        stats = [],
        mean,
        stdDev,
        weight,
        effective,
        covariance,
      }: Histogram) => [
        ...[sums, squares, stats, mean, stdDev].flatMap((list) => [...list]),
        ...[weight, effective, covariance],
      ];
      const expected = numbers(wanted);
      numbers(found).forEach((value, i) => {
        expect(value, `${name} ${i}`).toBeCloseTo(expected[i] ?? Number.NaN, 9);
      });
      expect({ ...found.stored, fills: found.fills }, name).toEqual({
        ...wanted.stored,
        fills: wanted.fills,
      });
    }
  },
);

test('a profile is not scaled', () => {
  const profile = { name: 'p', profile: true } as Histogram;
  expect(() => scaledHistogram(profile, 2)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
});
