import type { PlainObject } from '../../web/api/api';

function axis(title: string, bins: number, low: number, high: number, edges?: Float64Array): PlainObject {
  return {
    _typename: 'TAxis',
    fNbins: bins,
    fXmin: low,
    fXmax: high,
    fTitle: title,
    fXbins: edges ?? new Float64Array(),
  };
}

export function mockObject(path: string): PlainObject {
  const bins = 60;
  const shape = Float64Array.from({ length: bins + 2 }, (_, i) =>
    Math.round(900 * Math.exp(-0.5 * ((i - 30) / 7) ** 2) + 400 * Math.exp(-i / 20)),
  );
  const base = {
    fEntries: 26_115,
    fTsumw: 25_900,
    fTsumwx: 770_000,
    fTsumwx2: 27_000_000,
    fSumw2: new Float64Array(),
  };
  if (path.includes('muons/pt')) {
    const edges = Float64Array.from({ length: bins + 1 }, (_, i) => i ** 1.35);
    return {
      _typename: 'TH1F',
      fName: 'pt',
      fTitle: 'Transverse momentum',
      fXaxis: axis('p_{T} [GeV]', bins, 0, edges[bins] ?? 1, edges),
      fYaxis: axis('Muons', 1, 0, 1),
      fArray: Float32Array.from(shape),
      ...base,
    };
  }
  if (path.includes('mass')) {
    return {
      _typename: 'TH1D',
      fName: 'mass',
      fTitle: 'Di-muon mass, weighted',
      fXaxis: axis('m [GeV]', bins, 60, 120),
      fYaxis: axis('Events / GeV', 1, 0, 1),
      fArray: shape,
      ...base,
      fSumw2: shape.map((value) => value * 2.5),
    };
  }
  if (path.includes('response')) {
    const counts = shape.map((value) => Math.max(0, Math.round(value / 40)));
    const sums = counts.map((n, i) => n * (0.8 + 0.25 * Math.exp(-i / 12)));
    const squares = counts.map((n, i) => n * ((0.8 + 0.25 * Math.exp(-i / 12)) ** 2 + 0.04));
    return {
      _typename: 'TProfile',
      fName: 'response',
      fTitle: 'Response',
      fXaxis: axis('p_{T} [GeV]', bins, 0, 300),
      fYaxis: axis('reco / true', 1, 0, 1),
      fArray: sums,
      fBinEntries: counts,
      fErrorMode: 0,
      ...base,
      fSumw2: squares,
    };
  }
  if (path.includes('correlation')) {
    const n = 48;
    const cells = Float32Array.from({ length: (n + 2) * (n + 2) }, (_, i) => {
      const x = (i % (n + 2)) / n - 0.5;
      const y = Math.floor(i / (n + 2)) / n - 0.5;
      return Math.round(500 * Math.exp(-12 * (x * x + y * y - 1.4 * x * y)) - 3);
    }).map((value) => Math.max(0, value));
    return {
      _typename: 'TH2F',
      fName: 'correlation',
      fTitle: 'Correlation',
      fXaxis: axis('η', n, -2.4, 2.4),
      fYaxis: axis('φ', n, -3.2, 3.2),
      fArray: cells,
      ...base,
      fTsumwy: -1200,
    };
  }
  if (path.includes('settings')) {
    return {
      _typename: 'TList',
      name: 'settings',
      arr: Array.from({ length: 250 }, (_, i) => ({
        _typename: 'TNamed',
        fUniqueID: i,
        fBits: 0,
        fName: `step${i}`,
        fTitle: '<i>text</i>',
      })),
      big: 9_007_199_254_740_993n,
      weights: Float64Array.from({ length: 1000 }, (_, i) => i / 7),
    };
  }
  return {
    _typename: 'TNamed',
    fUniqueID: 0,
    fBits: 50_331_648,
    fName: '<img src=x onerror=alert(1)>',
    fTitle: '<b>not bold</b>',
  };
}
