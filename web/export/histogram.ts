import type { Histogram } from '../api/api';
import { XylemError } from '../base/errors';

/**
 * A filled histogram in the form of UHI (Universal Histogram Interface, schema 1), which hist,
 * boost-histogram and uproot's friends read: one list for each axis, the first outermost, with
 * under- and overflow. Throws UNSUPPORTED for profiles, whose variances UHI defines otherwise than ROOT, and for axes
 * of strings.
 */
export function uhiJson(histogram: Histogram): string {
  const { axes, sums, squares } = histogram;
  if (histogram.profile) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `"${histogram.name}" is a profile, which UHI describes otherwise than ROOT.`,
      fix: "Take ROOT's JSON or CSV.",
    });
  }
  if (axes.some(({ labels }) => labels)) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `"${histogram.name}" has an axis of strings, which is not written for UHI.`,
      fix: "Take ROOT's JSON or CSV.",
    });
  }
  const weighted = sums.some((sum, i) => sum !== squares[i]);
  const values = nested(sums, axes);
  return JSON.stringify({
    uhi_schema: 1,
    writer_info: { xylem: {} },
    metadata: { name: histogram.name, title: histogram.title },
    axes: axes.map(({ title, bins, low, high }) => ({
      type: 'regular',
      lower: low,
      upper: high,
      bins,
      underflow: true,
      overflow: true,
      circular: false,
      metadata: { label: title },
    })),
    storage: weighted
      ? { type: 'weighted', values, variances: nested(squares, axes) }
      : { type: 'double', values },
  });
}

type Nested = number[] | Nested[];

/** Cells with x running fastest as lists within lists, x outermost. */
function nested(cells: Float64Array, axes: Histogram['axes']): Nested {
  const sizes = axes.map(({ bins }) => bins + 2);
  const level = (axis: number, offset: number, stride: number): Nested => {
    const size = sizes[axis] ?? 0;
    const next = stride * size;
    if (axis === sizes.length - 1)
      return Array.from({ length: size }, (_, i) => cells[offset + i * stride] ?? 0);
    return Array.from({ length: size }, (_, i) => level(axis + 1, offset + i * stride, next)) as Nested[];
  };
  return level(0, 0, 1);
}

/**
 * A filled histogram of one or two axes, or a profile of one, as ROOT's TBufferJSON writes a TH1D,
 * TH2D or TProfile: `TBufferJSON::ConvertFromJSON` and JSROOT read it. Throws UNSUPPORTED for others.
 */
export function rootJson(histogram: Histogram): string {
  const { axes, profile, weight, mean, stdDev, name } = histogram;
  const [x, y] = axes;
  if (x === undefined || axes.length > 2 || (profile && axes.length > 1)) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `"${name}" has ${axes.length} axes${profile ? ' and is a profile' : ''}: not all of its sums are known.`,
      fix: 'Use CSV or UHI.',
    });
  }
  const first = (i: number) => weight * (mean[i] ?? 0);
  const second = (i: number) => weight * ((stdDev[i] ?? 0) ** 2 + (mean[i] ?? 0) ** 2);
  const weighted = profile || histogram.sums.some((value, i) => value !== histogram.squares[i]);
  const yTitle = profile ? (histogram.valueTitle ?? '') : (y?.title ?? '');
  const cells = [...histogram.sums];
  const product = weight * (histogram.covariance + (mean[0] ?? 0) * (mean[1] ?? 0));
  return JSON.stringify({
    _typename: profile ? 'TProfile' : y === undefined ? 'TH1D' : 'TH2D',
    fUniqueID: 0,
    fBits: 8,
    fName: name,
    fTitle: histogram.title,
    fLineColor: 602,
    fLineStyle: 1,
    fLineWidth: 1,
    fFillColor: 0,
    fFillStyle: 1001,
    fMarkerColor: 1,
    fMarkerStyle: 1,
    fMarkerSize: 1,
    fNcells: cells.length,
    fXaxis: axisJson('xaxis', x.title, x.bins, x.low, x.high, x.labels),
    fYaxis: axisJson('yaxis', yTitle, y?.bins ?? 1, y?.low ?? 0, y?.high ?? 1, y?.labels),
    fZaxis: axisJson('zaxis', '', 1, 0, 1),
    fBarOffset: 0,
    fBarWidth: 1000,
    fEntries: histogram.fills,
    fTsumw: weight,
    fTsumw2: histogram.effective > 0 ? weight ** 2 / histogram.effective : 0,
    fTsumwx: first(0),
    fTsumwx2: second(0),
    fMaximum: -1111,
    fMinimum: -1111,
    fNormFactor: 0,
    fContour: [],
    fSumw2: weighted ? [...histogram.squares] : [],
    fOption: '',
    fFunctions: { _typename: 'TList', name: 'TList', arr: [], opt: [] },
    fBufferSize: 0,
    fBuffer: [],
    fBinStatErrOpt: 0,
    fStatOverflows: 2,
    ...(y === undefined
      ? {}
      : {
          fScalefactor: 1,
          fTsumwy: first(1),
          fTsumwy2: second(1),
          fTsumwxy: product,
        }),
    fArray: cells,
    ...(profile
      ? {
          fBinEntries: [...(histogram.weights ?? [])],
          fErrorMode: ['', 's', 'i', 'g'].indexOf(histogram.errorOption ?? ''),
          fYmin: 0,
          fYmax: 0,
          fTsumwy: first(1),
          fTsumwy2: second(1),
          fBinSumw2: sameWeights(histogram) ? [] : [...(histogram.weights2 ?? [])],
        }
      : {}),
  });
}

function sameWeights({ weights, weights2 }: Histogram): boolean {
  return weights?.every((value, i) => value === weights2?.[i]) ?? true;
}

function axisJson(
  name: string,
  title: string,
  bins: number,
  low: number,
  high: number,
  labels?: readonly string[],
): object {
  return {
    _typename: 'TAxis',
    fUniqueID: 0,
    fBits: 0,
    fName: name,
    fTitle: title,
    fNdivisions: 510,
    fAxisColor: 1,
    fLabelColor: 1,
    fLabelFont: 42,
    fLabelOffset: 0.005,
    fLabelSize: 0.035,
    fTickLength: 0.03,
    fTitleOffset: name === 'yaxis' ? 0 : 1,
    fTitleSize: 0.035,
    fTitleColor: 1,
    fTitleFont: 42,
    fNbins: bins,
    fXmin: low,
    fXmax: high,
    fXbins: [],
    fFirst: 0,
    fLast: 0,
    fBits2: 0,
    fTimeDisplay: false,
    fTimeFormat: '',
    fLabels: labels ? labelList(labels.slice(0, bins)) : null,
    fModLabs: null,
  };
}

/** A THashList of the bins' names; each has the number of its bin as fUniqueID. */
function labelList(labels: readonly string[]): object {
  return {
    _typename: 'THashList',
    name: 'THashList',
    arr: labels.map((label, i) => ({
      _typename: 'TObjString',
      fUniqueID: i + 1,
      fBits: 0,
      fString: label,
    })),
    opt: labels.map(() => ''),
  };
}
