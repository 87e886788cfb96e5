import type { PlainObject } from '../../api/api';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { type TimeAxis, timeText } from '../drawing/time-axis';
import {
  type AnyPlot,
  beyondLines,
  type MapModel,
  type PlotModel,
  type StatLine,
  statNumber,
} from '../model';
import { cellNumbers } from './cell-numbers';
import { isDrawableClass, isFurtherClass, isGraphClass, isMapClass, isPictureClass } from './classes';
import { type FunctionSamples, functionModel, limitsOf, storedFunctions } from './functions';
import { label, number, numbers, record } from './members';
import { hidesErrors } from './option-words';
import { type Axis, axis } from './stored-axis';
import { graph } from './stored-graph';
import { whyNotDrawable } from './why-not';

let kinds: typeof import('./kinds/kinds') | undefined;

/**
 * Loads what draws objects of the less common classes, and histograms of two axes by a less common option; undefined where
 * that is not needed, or there already.
 */
export function loadKinds(object: PlainObject, how = ''): Promise<void> | undefined {
  const kind = object._typename;
  const isNeeded = isFurtherClass(kind) || isPictureClass(kind) || otherOption(object, how) !== undefined;
  if (kinds !== undefined || !isNeeded) return undefined;
  return import('./kinds/kinds').then((loaded) => {
    kinds = loaded;
  });
}

/** The option by which a histogram or function of two axes is drawn otherwise than by its cells. */
function otherOption(object: PlainObject, how: string): string | undefined {
  const option = how || label(object.fOption);
  return isMapClass(object._typename) && /cont|candle|violin/i.test(option) ? option : undefined;
}

/**
 * The drawable form of a stored TH1, TH2, TProfile, TProfile2D, TGraph, TF1 or TF2: plain data with
 * ROOT's member names, contents in `fArray` with the underflow first and the overflow last; `samples`
 * has the values of the functions within it. Undefined when the object is of another class or its
 * members do not fit together. Other classes need `loadKinds` before; `how` is ROOT's option for drawing them, or
 * the axes of a projection.
 */
export function modelOfObject(
  object: PlainObject,
  samples: FunctionSamples = new Map(),
  how = '',
): AnyPlot | undefined {
  const kind = object._typename;
  if (isFurtherClass(kind))
    return kinds?.furtherModel(object, samples, how, (one) => modelOfObject(one, samples));
  if (isGraphClass(kind)) return graph(object, samples);
  if (/^TF[12]$/.test(kind)) return drawnBy(functionModel(object, samples), object, how);
  if (!isDrawableClass(kind)) return undefined;
  const x = axis(object.fXaxis);
  const contents = numbers(object.fArray);
  if (x === undefined || contents === undefined) return undefined;
  const found = storedFunctions(object.fFunctions, samples);
  const shared = {
    curves: found.curves.length > 0 ? found.curves : undefined,
    functions: found.functions.length > 0 ? found.functions : undefined,
    xRange: x.range,
    xTime: x.time,
    limits: limitsOf(object),
    text: /text/i.test(label(object.fOption)) || undefined,
  };
  const model = histogram(object, x, contents);
  if (model?.kind === 'map')
    return drawnBy({ ...model, ...shared, numbers: shared.text && cellNumbers }, object, how);
  return model && { ...model, ...shared, hidesErrors: hidesErrors(label(object.fOption)) || undefined };
}

/** The form that an option asks for. */
function drawnBy(model: AnyPlot | undefined, object: PlainObject, how: string): AnyPlot | undefined {
  const option = otherOption(object, how);
  return option !== undefined && model?.kind === 'map'
    ? (kinds?.mapAs(model, object, option) ?? model)
    : model;
}

/** The same, or the reason why there is none. */
export function drawnObject(
  object: PlainObject,
  samples: FunctionSamples,
  how: string,
): { model?: AnyPlot | undefined; why?: ErrorRecord | undefined } {
  try {
    const model = modelOfObject(object, samples, how);
    return model === undefined ? { why: whyNotDrawable(object, samples) } : { model };
  } catch (thrown) {
    return { why: toXylemError(thrown).toRecord() };
  }
}

function histogram(object: PlainObject, x: Axis, contents: Float64Array): PlotModel | MapModel | undefined {
  const kind = object._typename;
  if (kind.startsWith('TH2')) return map(object, x, contents);
  if (kind === 'TProfile2D') return map(object, x, means(object, contents), numbers(object.fBinEntries));
  if (contents.length !== x.bins + 2) return undefined;
  return kind === 'TProfile' ? profile(object, x, contents) : counts(object, x, contents);
}

/** Sums over entries, bin by bin: as TProfile2D::GetBinContent; 0 when nothing was filled. */
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
  const lines = [
    ...momentLines(object, x, values),
    ...flowLines(contents),
    ...beyondLines(contents, values, number(object.fEntries)),
    ...oddLines(values),
  ];
  return bins(object, x, values, errors, 'steps', lines);
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
  return bins(object, x, values, errors, 'points', momentLines(object, x, entries.slice(1, x.bins + 1)));
}

function bins(
  object: PlainObject,
  x: Axis,
  values: Float64Array,
  errors: Float64Array | undefined,
  mark: 'steps' | 'points',
  lines: readonly StatLine[],
): PlotModel {
  return {
    kind: 'bins',
    ...titles(object, x.title),
    edges: x.edges,
    values,
    errors,
    xLabels: x.labels,
    mark,
    stats: [{ label: 'Entries', value: statNumber(number(object.fEntries)) }, ...lines],
  };
}

/** Bins of a profile without `entries` have no content, which the statistics take for 0. */
function map(
  object: PlainObject,
  x: Axis,
  contents: Float64Array,
  entries?: Float64Array,
): MapModel | undefined {
  const y = axis(object.fYaxis);
  const stride = x.bins + 2;
  if (y === undefined || contents.length !== stride * (y.bins + 2)) return undefined;
  const values = new Float64Array(x.bins * y.bins);
  for (let row = 0; row < y.bins; row++) {
    const start = (row + 1) * stride + 1;
    values.set(contents.subarray(start, start + x.bins), row * x.bins);
  }
  const filled: StatLine = { label: 'Entries', value: statNumber(number(object.fEntries)) };
  const shown = values.map((value, i) => {
    const cell = (Math.floor(i / x.bins) + 1) * stride + (i % x.bins) + 1;
    return entries?.[cell] === 0 ? Number.NaN : value;
  });
  return {
    kind: 'map',
    ...titles(object, x.title),
    yTitle: y.title,
    zTitle: label(record(object.fZaxis)?.fTitle) || (object._typename === 'TProfile2D' ? 'Mean' : 'Content'),
    xEdges: x.edges,
    yEdges: y.edges,
    xLabels: x.labels,
    yLabels: y.labels,
    yRange: y.range,
    yTime: y.time,
    values: shown,
    stats: [filled, ...mapMoments(object, x, y, values), ...oddLines(values)],
  };
}

/**
 * From the stored sums; from bin centres where the sums were never filled, or the axis shows a part
 * of its bins, as TH1::GetStats does.
 */
function momentLines(object: PlainObject, x: Axis, contents: Float64Array): StatLine[] {
  let sums = [number(object.fTsumw), number(object.fTsumwx), number(object.fTsumwx2)];
  if (!(sums[0] !== 0) || x.range !== undefined) {
    sums = [0, 0, 0];
    const [from, to] = x.shown;
    for (let i = from; i < to; i++) addCentre(sums, x, i, contents[i] ?? 0);
  }
  return meanAndSpread('', sums, x.time);
}

/** The same for two axes. */
function mapMoments(object: PlainObject, x: Axis, y: Axis, values: Float64Array): StatLine[] {
  const weight = number(object.fTsumw);
  let across = [weight, number(object.fTsumwx), number(object.fTsumwx2)];
  let up = [weight, number(object.fTsumwy), number(object.fTsumwy2)];
  if (!(weight !== 0) || x.range !== undefined || y.range !== undefined) {
    across = [0, 0, 0];
    up = [0, 0, 0];
    for (let row = y.shown[0]; row < y.shown[1]; row++) {
      for (let at = x.shown[0]; at < x.shown[1]; at++) {
        const content = values[row * x.bins + at] ?? 0;
        addCentre(across, x, at, content);
        addCentre(up, y, row, content);
      }
    }
  }
  return [...meanAndSpread(' x', across, x.time), ...meanAndSpread(' y', up, y.time)];
}

function addCentre(sums: number[], { edges }: Axis, bin: number, content: number): void {
  const centre = ((edges[bin] ?? 0) + (edges[bin + 1] ?? 0)) / 2;
  sums[0] = (sums[0] ?? 0) + content;
  sums[1] = (sums[1] ?? 0) + content * centre;
  sums[2] = (sums[2] ?? 0) + content * centre * centre;
}

function meanAndSpread(
  of: string,
  [weight = 0, first = 0, second = 0]: number[],
  time?: TimeAxis,
): StatLine[] {
  const mean = first / weight;
  const place = time && Number.isFinite(mean) ? `${timeText(mean, time)} UTC` : statNumber(mean);
  // 0 where contents of both signs make it negative, as in TH1::GetStdDev.
  const variance = Math.max(0, second / weight - mean * mean);
  return [
    { label: `Mean${of}`, value: place },
    { label: `Std dev${of}`, value: statNumber(Math.sqrt(variance)) },
  ];
}

/** Contents that cannot be drawn. */
function oddLines(values: Float64Array): StatLine[] {
  let nan = 0;
  let infinite = 0;
  for (const value of values) {
    if (Number.isNaN(value)) nan++;
    else if (!Number.isFinite(value)) infinite++;
  }
  return [
    ...(nan > 0 ? [{ label: 'Bins with NaN', value: statNumber(nan) }] : []),
    ...(infinite > 0 ? [{ label: 'Infinite bins', value: statNumber(infinite) }] : []),
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
