import { describe, expect, test } from 'vitest';
import type { Members } from '../../../web/bins/object-values';
import { addGraph } from '../../../web/features/writer/work/merge/objects/add-graphs';
import { addHistogram } from '../../../web/features/writer/work/merge/objects/add-histograms';

describe('what cannot be added is refused, and the first object stays as it was', () => {
  const axis = (bins: number, low: number, high: number, more: Members = {}): Members => ({
    ...{ _typename: 'TAxis', fBits: 0, fNbins: bins, fXmin: low, fXmax: high, fXbins: new Float64Array(0) },
    ...{ fFirst: 0, fLast: 0, fBits2: 0, fLabels: null },
    ...more,
  });
  const histogram = (cells: number[], more: Members = {}): Members => ({
    ...{
      _typename: 'TH1D',
      fBits: 8,
      fNcells: cells.length,
      fXaxis: axis(cells.length - 2, 0, cells.length - 2),
    },
    ...{ fEntries: 1, fTsumw: 1, fTsumw2: 1, fTsumwx: 1, fTsumwx2: 1, fSumw2: new Float64Array(0) },
    ...{
      fStatOverflows: 2,
      fBuffer: new Float64Array(0),
      fN: cells.length,
      fArray: Float64Array.from(cells),
    },
    ...more,
  });
  const labels = (...names: string[]): Members => ({
    ...{ _typename: 'THashList', opt: names.map(() => '') },
    arr: names.map((fString, i) => ({ _typename: 'TObjString', fUniqueID: i + 1, fBits: 0, fString })),
  });
  const named = (...names: string[]) => axis(2, 0, 2, { fLabels: labels(...names) });

  test.each<[string, Members, RegExp]>([
    ['averages', histogram([0, 1, 2, 0], { fBits: 8 | (1 << 18) }), /average/],
    [
      'a buffer with fewer values than it says',
      histogram([0, 1, 2, 0], { fBuffer: Float64Array.of(2, 1, 0.5) }),
      /buffer/,
    ],
    ['another class', histogram([0, 1, 2, 0], { _typename: 'TH2D' }), /A TH2D cannot be added to a TH1D/],
    ['bins between bins', histogram([0, 1, 2, 0], { fXaxis: axis(2, 0.5, 2.5) }), /do not lie on each other/],
    [
      'inner borders that differ',
      histogram([0, 1, 2, 0], { fXaxis: axis(2, 0, 2, { fXbins: Float64Array.of(0, 0.5, 2) }) }),
      /different widths/,
    ],
    [
      'overflows within the new limits',
      histogram([0, 1, 2, 5], { fXaxis: axis(2, -2, 0) }),
      /below or above/,
    ],
    ['too few contents', histogram([0, 1, 0], { fXaxis: axis(2, 0, 2) }), /3 bins, and its axes say 4/],
    ['too few squares', histogram([0, 1, 2, 0], { fSumw2: new Float64Array(3) }), /fSumw2 has 3 values/],
  ])('%s', (_, other, message) => {
    const into = histogram([0, 3, 4, 0]);
    expect(() => addHistogram(into, other)).toThrow(message);
    expect(into).toEqual(histogram([0, 3, 4, 0]));
  });

  test('bins of one number with different names', () => {
    const into = histogram([0, 3, 4, 0], { fXaxis: named('a', 'b') });
    expect(() => addHistogram(into, histogram([0, 1, 2, 0], { fXaxis: named('b', 'a') }))).toThrow(
      /Bin 1 is called "a" in one histogram and "b" in the other/,
    );
    addHistogram(into, histogram([0, 1, 2, 0], { fXaxis: named('a', 'b') }));
    expect(into.fArray).toEqual(Float64Array.of(0, 4, 6, 0));
  });

  test('a bin with values and without a name, among names', () => {
    const growing = (...names: string[]) => axis(2, 0, 2, { fLabels: labels(...names), fBits2: 3 });
    const into = () => histogram([0, 3, 4, 0], { fXaxis: growing('a', 'b') });
    const one = into();
    expect(() => addHistogram(one, histogram([0, 1, 2, 0], { fXaxis: growing('c') }))).toThrow(/no name/);
    expect(one).toEqual(into());
    addHistogram(one, histogram([0, 1, 0, 0], { fXaxis: growing('c') }));
    expect(one.fArray).toEqual(Float64Array.of(0, 3, 4, 1, 0, 0));
    expect((one.fXaxis as Members).fXmax).toBe(4);
  });

  test('integers stop at the end of their type', () => {
    const small = (value: number) =>
      histogram([0, 0, 0, 0], { _typename: 'TH1C', fArray: Int8Array.of(0, value, -value, 0) });
    const into = small(100);
    addHistogram(into, small(100));
    expect(into.fArray).toEqual(Int8Array.of(0, 127, -127, 0));
    expect(into.fEntries).toBe(2);
  });

  test('a graph with fewer values than points', () => {
    const graph = (points: number, values: number) => ({
      ...{
        _typename: 'TGraph',
        fNpoints: points,
        fX: new Float64Array(values),
        fY: new Float64Array(values),
      },
    });
    const into = graph(2, 2);
    expect(() => addGraph(into, graph(3, 2))).toThrow(/fX has 2 values for 3 points/);
    expect(into).toEqual(graph(2, 2));
  });
});
