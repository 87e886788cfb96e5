import { describe, expect, it } from 'vitest';
import type { PlainObject, PlainValue } from '../../web/api/api';
import { colourScale } from '../../web/plot/drawing/colour-scale';
import { readableLatex } from '../../web/plot/drawing/latex';
import type { AnyPlot, GraphModel, MapModel, PlotModel } from '../../web/plot/model';
import { modelOfObject } from '../../web/plot/stored/stored';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

function axis(bins: number, low: number, high: number, edges: PlainValue = new Float64Array()): PlainObject {
  return { _typename: 'TAxis', fNbins: bins, fXmin: low, fXmax: high, fXbins: edges, fTitle: '#eta' };
}

function th1(members: { [name: string]: PlainValue } = {}): PlainObject {
  return {
    _typename: 'TH1F',
    fName: 'h',
    fTitle: 'p_{T}^{2} spectrum',
    fXaxis: axis(3, 0, 6),
    fYaxis: axis(1, 0, 1),
    fArray: Float32Array.of(9, 1, 2, 1, 8),
    fSumw2: new Float64Array(),
    fEntries: 21,
    fTsumw: 4,
    fTsumw2: 4,
    fTsumwx: 12,
    fTsumwx2: 44,
    ...members,
  };
}

const stat = (model: AnyPlot | undefined, label: string) =>
  model?.stats.find((line) => line.label === label)?.value;

describe('modelOfObject', () => {
  it('draws a TH1 without its under- and overflow, which it tells', () => {
    const model = modelOfObject(th1()) as PlotModel;
    expect([...model.values]).toEqual([1, 2, 1]);
    expect([...model.edges]).toEqual([0, 2, 4, 6]);
    expect(model.errors).toBeUndefined();
    expect(readableLatex(model.title)).toBe('p_T² spectrum');
    expect(readableLatex(model.xTitle)).toBe('η');
    expect(stat(model, 'Underflow')).toBe('9');
    expect(stat(model, 'Overflow')).toBe('8');
    expect(stat(model, 'Mean')).toBe('3');
    expect(stat(model, 'Std dev')).toBe('1.41421');
  });

  it('has no standard deviation where contents of both signs make the variance negative, as in ROOT', () => {
    // hc of collection__HistArray.root in small: its mean lies outside of the axis.
    const none = { fTsumw: 0, fTsumwx: 0, fTsumwx2: 0 };
    const model = modelOfObject(th1({ ...none, fArray: Float64Array.of(0, -20, 1, 45, 0) }));
    expect(stat(model, 'Mean')).toBe('8');
    expect(stat(model, 'Std dev')).toBe('0');
  });

  it('uses variable edges, a TArray with members or bare', () => {
    const edges = Float64Array.of(0, 1, 10, 100);
    const bare = modelOfObject(th1({ fXaxis: axis(3, 0, 100, edges) })) as PlotModel;
    const members = { _typename: 'TArrayD', fN: 4, fArray: edges };
    const wrapped = modelOfObject(th1({ fXaxis: axis(3, 0, 100, members) })) as PlotModel;
    expect([...bare.edges]).toEqual([...edges]);
    expect([...wrapped.edges]).toEqual([...edges]);
  });

  it('gives error bars only where sums of squared weights are stored', () => {
    const model = modelOfObject(th1({ fSumw2: Float64Array.of(0, 4, 9, 16, 0) })) as PlotModel;
    expect([...(model.errors ?? [])]).toEqual([2, 3, 4]);
  });

  it('takes statistics from the bins when the sums were never filled', () => {
    const model = modelOfObject(th1({ fTsumw: 0, fTsumwx: 0, fTsumwx2: 0 }));
    expect(stat(model, 'Mean')).toBe('3');
  });

  it('reads 64-bit contents', () => {
    const model = modelOfObject(th1({ _typename: 'TH1L', fArray: BigInt64Array.of(0n, 5n, 6n, 7n, 0n) }));
    expect([...((model as PlotModel).values ?? [])]).toEqual([5, 6, 7]);
  });

  it('draws a TProfile as means with the error of the mean', () => {
    const profile = th1({
      _typename: 'TProfile',
      fArray: Float64Array.of(0, 8, 0, 3, 0),
      fBinEntries: Float64Array.of(0, 4, 0, 1, 0),
      fSumw2: Float64Array.of(0, 20, 0, 9, 0),
      fErrorMode: 0,
    });
    const model = modelOfObject(profile) as PlotModel;
    expect(model.mark).toBe('points');
    expect(model.values[0]).toBe(2);
    expect(model.errors?.[0]).toBe(0.5);
    expect(model.values[1]).toBeNaN();
    expect(model.errors?.[2]).toBe(0);
  });

  it('takes the inner bins of a TH2 row by row', () => {
    const map = modelOfObject(
      th1({
        _typename: 'TH2D',
        fXaxis: axis(2, 0, 2),
        fYaxis: axis(2, 0, 2),
        fArray: Float64Array.from({ length: 16 }, (_, i) => i),
      }),
    ) as MapModel;
    expect([...map.values]).toEqual([5, 6, 9, 10]);
  });

  it.each([
    ['another class', { _typename: 'TCanvas' }],
    ['a length that does not fit', { fArray: Float32Array.of(1, 2) }],
    ['an absurd number of bins', { fXaxis: axis(2 ** 31, 0, 1) }],
    ['edges that are no numbers', { fXaxis: axis(3, Number.NaN, 1) }],
    ['no axis', { fXaxis: null }],
    ['contents that are text', { fArray: 'x' }],
  ])('gives nothing for %s', (_, members) => {
    expect(modelOfObject(th1(members as { [name: string]: PlainValue }))).toBeUndefined();
  });
});

describe('readableLatex', () => {
  it.each([
    ['#Delta#phi', 'Δφ'],
    ['p_{T} [GeV]', 'p_T [GeV]'],
    ['cm^{-2}s^{-1}', 'cm⁻²s⁻¹'],
    ['m_{#mu^{+}#mu^{-}}', 'm_μ⁺μ⁻'],
    ['#it{x} #rightarrow y', 'x → y'],
    ['#unknown', '#unknown'],
    ['plain', 'plain'],
  ])('%s is shown as %s', (latex, text) => {
    expect(readableLatex(latex)).toBe(text);
  });
});

describe('colourScale', () => {
  /** Relative luminance after WCAG 2. */
  const luminance = (scale: Uint8ClampedArray, i: number) => {
    const linear = [0, 1, 2].map((part) => {
      const value = (scale[i * 3 + part] ?? 0) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
  };

  it.each([false, true])('changes steadily in lightness (dark: %s)', (dark) => {
    const scale = colourScale(dark);
    for (let i = 8; i < 256; i += 8) {
      const step = luminance(scale, i) - luminance(scale, i - 8);
      expect(dark ? step : -step).toBeGreaterThan(0);
    }
  });
});

describe('objects that ROOT wrote', () => {
  async function stored(file: string, name: string): Promise<AnyPlot | undefined> {
    const engine = await makeEngine();
    const { id } = await engine.open(bufferSpec(file, fixtureBytes(file)));
    return modelOfObject(await engine.object(id, name));
  }

  it('reads the names of bins', async () => {
    const model = (await stored('histograms', 'labels')) as PlotModel;
    expect(model.xLabels).toEqual(['red', 'green', 'blue']);
    expect([...model.values]).toEqual([67, 67, 66]);
  });

  it('shows the means of a TProfile2D', async () => {
    const model = (await stored('histograms', 'profile2')) as MapModel;
    // Filled with i / 5 at x = i % 4, y = i % 3 for i < 200: the first cell has i = 0, 12, …, 192.
    expect(model.values[0]).toBeCloseTo(96 / 5, 12);
    expect(model.values).toHaveLength(6);
  });

  it('shows graphs with the errors that they have and the titles of their frame', async () => {
    const plain = (await stored('graphs', 'graph')) as GraphModel;
    expect(plain.errors).toBeUndefined();
    const same = (await stored('graphs', 'errors')) as GraphModel;
    expect(same.xTitle).toBe('x');
    expect(same.errors?.left[5]).toBe(same.errors?.right[5]);
    const model = (await stored('graphs', 'asymmetric')) as GraphModel;
    expect(model.x[7]).toBe(7);
    expect(model.y[7]).toBe(7);
    expect(model.errors?.left[9]).toBeCloseTo(0.9, 12);
    expect(model.errors?.right[9]).toBe(1);
    expect(model.errors?.down[7]).toBeCloseTo(0.35, 12);
  });
});
