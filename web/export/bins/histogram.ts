import type { Histogram } from '../../api/api';
import { unsupported } from '../../base/data-errors';
import { binsOfCell, centreOf } from './bin-axes';

/**
 * A filled histogram in the form of UHI (Universal Histogram Interface, schema 1), which hist,
 * boost-histogram and uproot's friends read: one list for each axis, the first outermost, with
 * under- and overflow. Throws UNSUPPORTED for profiles, whose variances UHI defines otherwise than ROOT, and for axes
 * of strings.
 */
export function uhiJson(histogram: Histogram): string {
  const { axes, sums, squares } = histogram;
  if (histogram.profile) {
    throw unsupported(
      `"${histogram.name}" is a profile, which UHI describes otherwise than ROOT.`,
      "Take ROOT's JSON or CSV.",
    );
  }
  if (axes.some(({ labels }) => labels)) {
    throw unsupported(
      `"${histogram.name}" has an axis of strings, which is not written for UHI.`,
      "Take ROOT's JSON or CSV.",
    );
  }
  const weighted = sums.some((sum, i) => sum !== squares[i]);
  const values = nested(sums, axes);
  return JSON.stringify({
    uhi_schema: 1,
    writer_info: { xylem: {} },
    metadata: { name: histogram.name, title: histogram.title },
    axes: axes.map(({ title, bins, low, high, edges }) => ({
      ...(edges
        ? { type: 'variable', edges: [...edges] }
        : { type: 'regular', lower: low, upper: high, bins }),
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
 * A filled histogram or profile as ROOT's TBufferJSON writes a TH1D, TH2D, TH3D, TProfile or TProfile2D:
 * `TBufferJSON::ConvertFromJSON` and JSROOT read it. Throws UNSUPPORTED for a profile of three axes.
 */
export function rootJson(histogram: Histogram): string {
  return JSON.stringify(rootMembers(histogram));
}

/** The class of ROOT that a histogram is, by its number of axes. */
const CLASSES = ['TH1D', 'TH2D', 'TH3D'];
const PROFILES = ['TProfile', 'TProfile2D'];

/**
 * The same as an object. Sums over x*z and y*z of three axes, which are not counted while filling, are those of
 * the centres of the bins, as TH3::GetStats computes them where they are unknown. Throws UNSUPPORTED as `rootJson` does.
 */
export function rootMembers(histogram: Histogram): { [member: string]: unknown } {
  const { axes, profile, weight, mean, stdDev, name } = histogram;
  const [x, y, z] = axes;
  const className = (profile ? PROFILES : CLASSES)[axes.length - 1];
  if (x === undefined || className === undefined) {
    throw unsupported(
      `"${name}" has ${axes.length} axes${profile ? ' and is a profile' : ''}: it is not written for ROOT.`,
      'Use CSV.',
    );
  }
  const first = (i: number) => weight * (mean[i] ?? 0);
  const second = (i: number) => weight * ((stdDev[i] ?? 0) ** 2 + (mean[i] ?? 0) ** 2);
  const weighted = profile || histogram.sums.some((value, i) => value !== histogram.squares[i]);
  const titles = [x, y, z].map((axis, i) =>
    i === axes.length ? (histogram.valueTitle ?? '') : (axis?.title ?? ''),
  );
  const cells = [...histogram.sums];
  const product = weight * (histogram.covariance + (mean[0] ?? 0) * (mean[1] ?? 0));
  return {
    _typename: className,
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
    fXaxis: axisJson('xaxis', titles[0] ?? '', x),
    fYaxis: axisJson('yaxis', titles[1] ?? '', y),
    fZaxis: axisJson('zaxis', titles[2] ?? '', z),
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
    ...(y && !z && { fScalefactor: 1 }),
    ...(y && { fTsumwy: first(1), fTsumwy2: second(1), fTsumwxy: product }),
    ...(z && {
      fTsumwz: first(2),
      fTsumwz2: second(2),
      fTsumwxz: productOf(histogram, 0, 2),
      fTsumwyz: productOf(histogram, 1, 2),
    }),
    fArray: cells,
    ...(profile && {
      fBinEntries: [...(histogram.weights ?? [])],
      fErrorMode: ['', 's', 'i', 'g'].indexOf(histogram.errorOption ?? ''),
      ...(y
        ? { fZmin: 0, fZmax: 0, fTsumwz: first(2), fTsumwz2: second(2) }
        : { fYmin: 0, fYmax: 0, fTsumwy: first(1), fTsumwy2: second(1) }),
      fBinSumw2: sameWeights(histogram) ? [] : [...(histogram.weights2 ?? [])],
    }),
  };
}

/** The sum of content times the centres of the bins along two axes, without under- and overflow. */
function productOf({ axes, sums }: Histogram, a: number, b: number): number {
  let total = 0;
  for (const [cell, content] of sums.entries()) {
    const bins = binsOfCell(axes, cell);
    if (bins.some((bin, i) => bin < 1 || bin > (axes[i]?.bins ?? 0))) continue;
    let product = content;
    for (const [i, axis] of axes.entries()) if (i === a || i === b) product *= centreOf(axis, bins[i] ?? 0);
    total += product;
  }
  return total;
}

function sameWeights({ weights, weights2 }: Histogram): boolean {
  return weights?.every((value, i) => value === weights2?.[i]) ?? true;
}

/** TAxis::fBits2 of an axis whose bins have names. */
const ALPHANUMERIC = 3;

/** An axis; one that the histogram does not have is a single bin. */
function axisJson(
  name: string,
  title: string,
  { bins, low, high, edges, labels }: Omit<Histogram['axes'][number], 'title'> = { bins: 1, low: 0, high: 1 },
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
    fXbins: edges ? [...edges] : [],
    fFirst: 0,
    fLast: 0,
    fBits2: labels ? ALPHANUMERIC : 0,
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
