import type { Histogram } from '../api/api';
import { unsupported } from '../base/data-errors';
import { CONSIDER_OVERFLOWS, sumNames, sumsOfBins } from './statistics';
import { AXIS_RANGE, CAN_EXTEND } from './stored-axes';
import { IS_AVERAGE } from './stored-histogram';

/**
 * Returns a histogram or profile as JSON of a TH1D, TH2D, TH3D, TProfile or TProfile2D in the form of ROOT's
 * TBufferJSON. `TBufferJSON::ConvertFromJSON` and JSROOT can read it. Throws UNSUPPORTED for a profile of three axes.
 */
export function rootJson(histogram: Histogram): string {
  return JSON.stringify(rootMembers(histogram));
}

/** Returns a TList of histograms. Throws UNSUPPORTED as `rootJson` does. */
export function rootJsonOfAll(histograms: readonly Histogram[]): string {
  const list = histograms.map(rootJson);
  const options = JSON.stringify(list.map(() => ''));
  return `{"_typename":"TList","name":"TList","arr":[${list.join(',')}],"opt":${options}}`;
}

/** Classes by the number of axes. */
const CLASSES = ['TH1D', 'TH2D', 'TH3D'];
const PROFILES = ['TProfile', 'TProfile2D'];

/** As `rootJson`, but returns an object. */
export function rootMembers(histogram: Histogram): { [member: string]: unknown } {
  const { axes, profile, name, stored } = histogram;
  const [x, y, z] = axes;
  const className = (profile ? PROFILES : CLASSES)[axes.length - 1];
  if (x === undefined || className === undefined) {
    throw unsupported(
      `"${name}" has ${axes.length} axes${profile ? ' and is a profile' : ''}: it is not written for ROOT.`,
      'Use CSV.',
    );
  }
  const weighted =
    profile || stored?.weighted || histogram.sums.some((value, i) => value !== histogram.squares[i]);
  const sums = writtenSums(histogram);
  const names = sumNames(axes.length, profile);
  const sum = (one: string) => ({ [one]: sums[names.indexOf(one)] ?? 0 });
  const titles = [x, y, z].map((axis, i) =>
    i === axes.length ? (histogram.valueTitle ?? '') : (axis?.title ?? ''),
  );
  const cells = [...histogram.sums];
  return {
    _typename: className,
    fUniqueID: 0,
    fBits: 8 | (stored?.average ? IS_AVERAGE : 0),
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
    ...sum('fTsumw'),
    ...sum('fTsumw2'),
    ...sum('fTsumwx'),
    ...sum('fTsumwx2'),
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
    fStatOverflows: stored?.overflows ? CONSIDER_OVERFLOWS : 2,
    ...(y && !z && { fScalefactor: 1 }),
    ...(y && { ...sum('fTsumwy'), ...sum('fTsumwy2'), ...sum('fTsumwxy') }),
    ...(z && { ...sum('fTsumwz'), ...sum('fTsumwz2'), ...sum('fTsumwxz'), ...sum('fTsumwyz') }),
    fArray: cells,
    ...(profile && {
      fBinEntries: [...(histogram.weights ?? [])],
      fErrorMode: ['', 's', 'i', 'g'].indexOf(histogram.errorOption ?? ''),
      ...(y
        ? { fZmin: 0, fZmax: 0, ...sum('fTsumwz'), ...sum('fTsumwz2') }
        : { fYmin: 0, fYmax: 0, ...sum('fTsumwy'), ...sum('fTsumwy2') }),
      fBinSumw2: sameWeights(histogram) ? [] : [...(histogram.weights2 ?? [])],
    }),
  };
}

/**
 * Returns the sums that were accumulated while filling. The sums over x*z and y*z of three axes are not accumulated;
 * they are computed from the centres of the bins, as TH3::GetStats does if they are unknown. For a histogram without
 * sums, made by a program, they are computed from its mean and standard deviation.
 */
function writtenSums(histogram: Histogram): number[] {
  const { axes, profile, sums, squares, stats, weight, effective, mean, stdDev, covariance } = histogram;
  const names = sumNames(axes.length, profile);
  const first = (i: number) => weight * (mean[i] ?? 0);
  const second = (i: number) => weight * ((stdDev[i] ?? 0) ** 2 + (mean[i] ?? 0) ** 2);
  const pairs = mean.map((_, i) => [first(i), second(i)]);
  const product = axes.length > 1 ? [weight * (covariance + (mean[0] ?? 0) * (mean[1] ?? 0))] : [];
  const [x = [], y = [], ...rest] = pairs;
  const none = axes.length > 2 ? [Number.NaN, Number.NaN] : [];
  const squared = effective > 0 ? weight ** 2 / effective : 0;
  const known =
    stats?.length === names.length
      ? stats
      : [weight, squared, ...x, ...y, ...product, ...rest.flat(), ...none];
  if (!known.some(Number.isNaN)) return [...known];
  const ofBins = sumsOfBins(axes, { contents: sums, squares });
  return names.map((_, i) => (Number.isNaN(known[i]) ? (ofBins[i] ?? 0) : (known[i] ?? 0)));
}

function sameWeights({ weights, weights2 }: Histogram): boolean {
  return weights?.every((value, i) => value === weights2?.[i]) ?? true;
}

/** TAxis::kAlphanumeric in fBits2 of an axis with labels. */
const ALPHANUMERIC = 1;

/** Returns a TAxis. An axis that the histogram does not have gets a single bin. */
export function axisJson(
  name: string,
  title: string,
  {
    bins,
    low,
    high,
    edges,
    labels,
    shown,
    time,
    grows = labels !== undefined,
  }: Omit<Histogram['axes'][number], 'title'> = { bins: 1, low: 0, high: 1 },
): object {
  return {
    _typename: 'TAxis',
    fUniqueID: 0,
    fBits: shown ? AXIS_RANGE : 0,
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
    fFirst: shown?.[0] ?? 0,
    fLast: shown?.[1] ?? 0,
    fBits2: (labels ? ALPHANUMERIC : 0) | (labels && grows ? CAN_EXTEND : 0),
    fTimeDisplay: time !== undefined,
    fTimeFormat: time ?? '',
    fLabels: labels ? labelList(labels.slice(0, bins)) : null,
    fModLabs: null,
  };
}

/** Returns a THashList of bin labels. The fUniqueID of each is its bin number. */
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
