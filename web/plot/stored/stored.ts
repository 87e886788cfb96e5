import type { PlainObject, PlainValue } from '../file/api';
import { label, number, numbers, record } from './members';
import {
  type AnyPlot,
  type MapModel,
  type PlotModel,
  type StatLine,
  statNumber,
  uniformEdges,
} from './model';
import { graph, isGraphClass } from './stored-graph';

const maxBins = 4_000_000;

/** Whether an object of this class can be drawn by `modelOfObject`. */
export function isDrawableClass(className: string): boolean {
  return /^(TH[12][CSILFD]|TProfile(2D)?)$/.test(className) || isGraphClass(className);
}

/**
 * The drawable form of a stored TH1, TH2, TProfile, TProfile2D or TGraph: plain data with ROOT's
 * member names, contents in `fArray` with the underflow first and the overflow last. Undefined when
 * the object is of another class or its members do not fit together.
 */
export function modelOfObject(object: PlainObject): AnyPlot | undefined {
  const kind = object._typename;
  if (isGraphClass(kind)) return graph(object);
  if (!isDrawableClass(kind)) return undefined;
  const x = axis(object.fXaxis);
  const contents = numbers(object.fArray);
  if (x === undefined || contents === undefined) return undefined;
  if (kind.startsWith('TH2')) return map(object, x, contents);
  if (kind === 'TProfile2D') return map(object, x, means(object, contents));
  if (contents.length !== x.bins + 2) return undefined;
  return kind === 'TProfile' ? profile(object, x, contents) : counts(object, x, contents);
}

interface Axis {
  bins: number;
  edges: Float64Array;
  title: string;
  labels: string[] | undefined;
}

function axis(value: PlainValue | undefined): Axis | undefined {
  const members = record(value);
  if (members === undefined) return undefined;
  const bins = number(members.fNbins);
  if (!Number.isInteger(bins) || bins < 1 || bins > maxBins) return undefined;
  const variable = numbers(members.fXbins);
  const edges =
    variable !== undefined && variable.length === bins + 1
      ? variable
      : uniformEdges(bins, number(members.fXmin), number(members.fXmax));
  const first = edges[0] ?? Number.NaN;
  const last = edges[bins] ?? Number.NaN;
  if (!Number.isFinite(first) || !Number.isFinite(last) || first >= last) return undefined;
  return { bins, edges, title: label(members.fTitle), labels: binLabels(members.fLabels, bins) };
}

/** Names of bins: the unique ID of a label in the list is its bin, the first being 1 (TAxis::SetBinLabel). */
function binLabels(list: PlainValue | undefined, bins: number): string[] | undefined {
  const items = record(list)?.arr;
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const labels = new Array<string>(bins).fill('');
  for (const item of items) {
    const members = record(item);
    const bin = number(members?.fUniqueID);
    if (bin >= 1 && bin <= bins) labels[bin - 1] = label(members?.fString);
  }
  return labels;
}

/** Sums over entries, bin by bin: what TProfile2D::GetBinContent gives; 0 where nothing was filled. */
function means(object: PlainObject, sums: Float64Array): Float64Array {
  const entries = numbers(object.fBinEntries);
  return sums.map((sum, i) => sum / (entries?.[i] || 1));
}

function counts(object: PlainObject, x: Axis, contents: Float64Array): PlotModel {
  const squares = numbers(object.fSumw2);
  const weighted = squares !== undefined && squares.length === contents.length;
  const values = contents.slice(1, x.bins + 1);
  const errors = weighted
    ? squares.slice(1, x.bins + 1).map((sum) => Math.sqrt(Math.max(0, sum)))
    : undefined;
  return {
    kind: 'bins',
    ...titles(object, x.title),
    edges: x.edges,
    values,
    errors,
    xLabels: x.labels,
    mark: 'steps',
    stats: [
      { label: 'Entries', value: statNumber(number(object.fEntries)) },
      ...momentLines(object, x.edges, values),
      ...flowLines(contents),
    ],
  };
}

/** Mean and error of the mean per bin, as TProfile::GetBinContent and GetBinError define them. */
function profile(object: PlainObject, x: Axis, sums: Float64Array): PlotModel | undefined {
  const entries = numbers(object.fBinEntries);
  const squares = numbers(object.fSumw2);
  if (entries === undefined || entries.length !== sums.length) return undefined;
  if (squares === undefined || squares.length !== sums.length) return undefined;
  const weights = numbers(object.fBinSumw2);
  const mode = number(object.fErrorMode);
  const values = new Float64Array(x.bins);
  const errors = new Float64Array(x.bins);
  for (let i = 0; i < x.bins; i++) {
    const n = entries[i + 1] ?? 0;
    if (n === 0) {
      values[i] = Number.NaN;
      continue;
    }
    const mean = (sums[i + 1] ?? 0) / n;
    const spread = Math.sqrt(Math.abs((squares[i + 1] ?? 0) / n - mean * mean));
    const weight = weights?.[i + 1] ?? 0;
    const effective = weight > 0 ? (n * n) / weight : n;
    values[i] = mean;
    if (mode === 1) errors[i] = spread;
    else if (mode === 2 && spread === 0) errors[i] = 1 / Math.sqrt(12 * effective);
    else if (mode === 3) errors[i] = 1 / Math.sqrt(n);
    else errors[i] = spread / Math.sqrt(effective);
  }
  return {
    kind: 'bins',
    ...titles(object, x.title),
    edges: x.edges,
    values,
    errors,
    xLabels: x.labels,
    mark: 'points',
    stats: [
      { label: 'Entries', value: statNumber(number(object.fEntries)) },
      ...momentLines(object, x.edges, entries.slice(1, x.bins + 1)),
    ],
  };
}

function map(object: PlainObject, x: Axis, contents: Float64Array): MapModel | undefined {
  const y = axis(object.fYaxis);
  const stride = x.bins + 2;
  if (y === undefined || contents.length !== stride * (y.bins + 2)) return undefined;
  const values = new Float64Array(x.bins * y.bins);
  for (let row = 0; row < y.bins; row++) {
    const start = (row + 1) * stride + 1;
    values.set(contents.subarray(start, start + x.bins), row * x.bins);
  }
  const weight = number(object.fTsumw);
  const stats: StatLine[] = [{ label: 'Entries', value: statNumber(number(object.fEntries)) }];
  if (weight !== 0 && Number.isFinite(weight)) {
    stats.push(
      { label: 'Mean x', value: statNumber(number(object.fTsumwx) / weight) },
      { label: 'Mean y', value: statNumber(number(object.fTsumwy) / weight) },
    );
  }
  return {
    kind: 'map',
    ...titles(object, x.title),
    yTitle: y.title,
    xEdges: x.edges,
    yEdges: y.edges,
    xLabels: x.labels,
    yLabels: y.labels,
    values,
    stats,
  };
}

/** From the stored sums, or from bin centres when the sums were never filled, as ROOT does. */
function momentLines(object: PlainObject, edges: Float64Array, contents: Float64Array): StatLine[] {
  let weight = number(object.fTsumw);
  let first = number(object.fTsumwx);
  let second = number(object.fTsumwx2);
  if (!(weight !== 0)) {
    weight = 0;
    first = 0;
    second = 0;
    contents.forEach((content, i) => {
      const centre = ((edges[i] ?? 0) + (edges[i + 1] ?? 0)) / 2;
      weight += content;
      first += content * centre;
      second += content * centre * centre;
    });
  }
  const mean = first / weight;
  return [
    { label: 'Mean', value: statNumber(mean) },
    { label: 'Std dev', value: statNumber(Math.sqrt(Math.abs(second / weight - mean * mean))) },
  ];
}

function flowLines(contents: Float64Array): StatLine[] {
  return [
    { label: 'Underflow', value: statNumber(contents[0] ?? 0) },
    { label: 'Overflow', value: statNumber(contents[contents.length - 1] ?? 0) },
  ];
}

/** ROOT keeps "title;x title;y title" only while constructing; stored titles are apart. */
function titles(object: PlainObject, xTitle: string): { title: string; xTitle: string; yTitle: string } {
  const yAxis = record(object.fYaxis);
  return { title: label(object.fTitle) || label(object.fName), xTitle, yTitle: label(yAxis?.fTitle) };
}
