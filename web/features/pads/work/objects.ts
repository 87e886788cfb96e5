import type { PlainObject, PlainValue } from '../../../api/api';
import { finiteOr0, pointRange } from '../../../plot/model';
import { shownBins, shownRanges } from '../../../plot/ranges';
import { rootStats } from '../../../plot/stat-box';
import { isBinsClass as isBins, isGraphClass as isGraph } from '../../../plot/stored/classes';
import { limitsOf } from '../../../plot/stored/functions';
import { efficiencyModel } from '../../../plot/stored/kinds/efficiency';
import { stackParts } from '../../../plot/stored/kinds/stack';
import { label, number, record } from '../../../plot/stored/members';
import { hidesErrors, wordsOf } from '../../../plot/stored/option-words';
import { isFilled } from '../../../plot/stored/paint/attributes';
import { isLying } from '../../../plot/stored/paint/bins';
import { drawnObject, modelOfObject } from '../../../plot/stored/stored';
import { PLAIN } from '../../../plot/stored/style';
import { paintCells, paintPolygons } from './cells';
import { paintFunction, paintFunctions, paintGraph, paintPoints, paintSpline } from './graph';
import { eraseBins, paintBins } from './histogram';
import { isRange, type Members, miss, type Pad, type Range4 } from './pad';
import { paintLegend, paintPaveText } from './pave';
import { PRIMITIVES } from './primitives';

const isCells = (kind: string) => /^(TH2[CSILFD]|TProfile2D|TF2)$/.test(kind);
const isPolygons = (kind: string) => /^T(H2|Profile2)Poly$/.test(kind);
const isLine = (kind: string) => /^T(F1|Spline[35])$/.test(kind);

/** TH1::kNoStats. */
const NO_STATS = 1 << 9;

/**
 * Returns the axes that an object defines for a pad; undefined if it is drawn in existing axes. `range` is undefined
 * if the values cannot be shown on axes.
 */
export function framed(
  pad: Pad,
  object: PlainObject,
  option: string,
):
  | { range: Range4 | undefined; x: Members | undefined; y: Members | undefined; hasAxes: boolean }
  | undefined {
  const kind = object._typename;
  if (/same/i.test(option)) return undefined;
  const needsA = isGraph(kind) || kind === 'TMultiGraph' || kind === 'TEfficiency';
  if (needsA && !/a/i.test(option)) return undefined;
  if (!needsA && !isBins(kind) && !isCells(kind) && !isPolygons(kind) && kind !== 'THStack' && !isLine(kind))
    return undefined;
  const { fHistogram, fPaintHisto } = object;
  const total = kind === 'TEfficiency' ? object.fTotalHistogram : undefined;
  const part = kind === 'THStack' ? record(record(object.fHists)?.arr as never) : undefined;
  const holder =
    record(fHistogram) ??
    record(fPaintHisto) ??
    record(total) ??
    part ??
    (isBins(kind) || isCells(kind) || isPolygons(kind) ? object : undefined);
  const range = rangeOf(pad, object, option);
  const titles = label(object.fTitle).split(';');
  const axis = (name: string, i: number): Members | undefined => {
    const members = record(holder?.[name]);
    const title = titles[i];
    return members === undefined || (title !== undefined && label(members.fTitle) === '')
      ? { ...members, fTitle: title ?? '' }
      : members;
  };
  const [x, y] = [axis('fXaxis', 1), axis('fYaxis', 2)];
  const hasAxes = !hidesAxes(kind, option);
  if (!isBins(kind) || !isLying(option) || !range) return { range, x, y, hasAxes };
  return { range: { x1: range.y1, x2: range.y2, y1: range.x1, y2: range.x2 }, x: y, y: x, hasAxes };
}

/** Whether an option leaves out the axes: A for a histogram, I with A for a graph. */
function hidesAxes(kind: string, option: string): boolean {
  if (isGraph(kind)) return /i/i.test(option);
  if (!isBins(kind) && !isCells(kind)) return false;
  return /A/.test(wordsOf(option).replace(/BAR|CANDLE|SCAT|ARR|AXI/g, ''));
}

/** Returns the option that determines the axes of an object: for a map, cells. */
function wayOf({ _typename: kind }: PlainObject, option: string): string {
  if (isBins(kind)) return PLAIN;
  return isCells(kind) ? 'col' : /nostack/i.test(option) ? 'nostack' : '';
}

/**
 * Computes the range of the axes for a canvas that was stored before it was painted. Undefined if the values cannot
 * be shown on axes.
 */
function rangeOf(pad: Pad, object: PlainObject, option: string): Range4 | undefined {
  const { model } = drawnObject(object, pad.painting.samples, wayOf(object, option));
  if (model === undefined) return { x1: 0, y1: 0, x2: 1, y2: 1 };
  const ranges = shownRanges(model, { x: pad.log.x, y: pad.log.y }, {}, true);
  let [low, high] = ranges.y;
  if (model.kind === 'bins') {
    const errors = hidesErrors(option || label(object.fOption)) ? undefined : model.errors;
    const [from, to] = shownBins(model.edges, ranges.x);
    const [values, bars] = [model.values.subarray(from, to), errors?.subarray(from, to)];
    [low, high] =
      pad.log.y || model.mark === 'points'
        ? pointRange(values, bars, bars, pad.log.y)
        : heightsOf(values, bars);
    const limits = limitsOf(object);
    low = limits?.low ?? low;
    high = limits?.high ?? high;
  }
  const logged = (value: number, log: boolean) => (log ? Math.log10(Math.max(value, 1e-300)) : value);
  const range = {
    x1: logged(ranges.x[0], pad.log.x),
    x2: logged(ranges.x[1], pad.log.x),
    y1: logged(low, pad.log.y),
    y2: logged(high, pad.log.y),
  };
  return isRange(range) ? range : undefined;
}

/** Returns the y range for bins, as THistPainter::PaintInit does: a margin of 5 % that does not go beyond 0. */
function heightsOf(values: Float64Array, errors: Float64Array | undefined): [low: number, high: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [i, value] of values.entries()) {
    const error = finiteOr0(errors?.[i]);
    if (!Number.isFinite(value)) continue;
    least = Math.min(least, value - error);
    most = Math.max(most, value + error);
  }
  if (!(most > least)) return most > 0 ? [0, most * 1.05] : most < 0 ? [most * 1.05, 0] : [0, 1];
  const low = least - (most - least) / 20;
  const from = least >= 0 && low < 0 ? 0 : low;
  const high = most + (most - from) / 20;
  return [from, most <= 0 && high > 0 ? 0 : high];
}

/** Draws one object in the coordinates of its pad, or notes that it cannot be drawn. */
export function paintObject(pad: Pad, object: PlainObject, option: string): void {
  const kind = object._typename;
  const primitive = PRIMITIVES[kind];
  if (primitive !== undefined) primitive(pad, object, option);
  else if (/^TPave(Text|Stats|Label|sText)?$|^TPavesText$/.test(kind)) paintPaveText(pad, object);
  else if (kind === 'TLegend') paintLegend(pad, object);
  else if (isBins(kind)) paintBins(pad, object, option || label(object.fOption));
  else if (isCells(kind)) paintCells(pad, object, option || label(object.fOption));
  else if (isPolygons(kind)) paintPolygons(pad, object, option || label(object.fOption));
  else if (isGraph(kind)) paintGraph(pad, object, option);
  else if (kind === 'TMultiGraph') paintGraphs(pad, object, option);
  else if (kind === 'THStack') paintStack(pad, object, option);
  else if (kind === 'TEfficiency') paintEfficiency(pad, object, option);
  else if (kind === 'TF1') paintFunction(pad, object);
  else if (isLine(kind)) paintSpline(pad, object, option);
  else if (/^TGraph2D/.test(kind))
    miss(pad, `${kind} ${label(object.fName)}, whose points lie in three dimensions`);
  else miss(pad, `${kind}${label(object.fName) ? ` ${label(object.fName)}` : ''}`);
  paintBoxes(pad, object);
}

/** Draws the statistics boxes and texts among the functions of a histogram. */
function paintBoxes(pad: Pad, object: Members): void {
  if ((number(object.fBits) & NO_STATS) !== 0) return;
  const items = record(object.fFunctions)?.arr;
  for (const item of Array.isArray(items) ? items.slice(0, 1000) : []) {
    const one = pad.painting.follow(item);
    if (one !== undefined && /^TPave(Stats|Text)$/.test(one._typename)) paintPaveText(pad, one);
  }
}

/** Draws the statistics box that ROOT would make for a histogram, if the file does not have one. */
export function paintStatistics(pad: Pad, object: PlainObject): void {
  const items = record(object.fFunctions)?.arr;
  const has = (Array.isArray(items) ? items : []).some(
    (one) => pad.painting.follow(one)?._typename === 'TPaveStats',
  );
  const isHistogram = isBins(object._typename) || isCells(object._typename);
  if (has || !isHistogram || object._typename === 'TF2' || (number(object.fBits) & NO_STATS) !== 0) return;
  const stats = modelOfObject(object, pad.painting.samples, wayOf(object, ''))?.stats ?? [];
  const texts = [label(object.fName), ...rootStats(stats).map((line) => line.join(' = '))];
  const tall = 0.04 * texts.length;
  paintPaveText(pad, {
    _typename: 'TPaveStats',
    ...{ fX1NDC: 0.78, fX2NDC: 0.98, fY1NDC: 0.935 - tall, fY2NDC: 0.935, fInit: 1, fOption: 'brNDC' },
    ...{ fFillColor: 0, fFillStyle: 1001, fLineColor: 1, fLineWidth: 1, fBorderSize: 1, fTextFont: 42 },
    fLines: { arr: texts.map((fTitle) => ({ _typename: 'TLatex', fTitle })) },
  });
}

function paintGraphs(pad: Pad, object: PlainObject, option: string): void {
  const list = record(object.fGraphs);
  const items = Array.isArray(list?.arr) ? list.arr : [];
  const options = Array.isArray(list?.opt) ? list.opt : [];
  for (const [i, item] of items.entries()) {
    const one = pad.painting.follow(item);
    if (one !== undefined && pad.painting.left-- > 0) paintGraph(pad, one, label(options[i]) || option);
  }
  paintFunctions(pad, object);
}

function paintStack(pad: Pad, object: PlainObject, option: string): void {
  const { painting } = pad;
  const apart = /nostack/i.test(option);
  const parts = stackParts(object, (one) => modelOfObject(one, painting.samples), painting.follow, apart);
  if ('why' in parts) {
    const first = painting.follow((record(object.fHists)?.arr as PlainValue[] | undefined)?.[0]);
    const why = isCells(label(first?._typename))
      ? 'its histograms have two axes, which lie on each other in three dimensions'
      : parts.why;
    miss(pad, `the stack ${label(object.fName)}: ${why}`);
    return;
  }
  const keepsWhatIsBelow = apart || /noclear/i.test(option);
  for (const [i, { object: one, model, own, sum, option: word }] of (apart
    ? parts
    : parts.toReversed()
  ).entries()) {
    const { values, errors } = apart ? own : sum;
    const shown = { ...model, values, ...(model.errors && { errors }) };
    // Erase below each sum, so that the larger ones do not show through a hatching.
    if (i > 0 && !keepsWhatIsBelow && isFilled(one)) eraseBins(pad, shown);
    paintBins(pad, { ...one, fFunctions: null }, word || option || 'HIST', shown);
  }
}

function paintEfficiency(pad: Pad, object: PlainObject, option: string): void {
  const model = efficiencyModel(object, pad.painting.samples, (one) =>
    modelOfObject(one, pad.painting.samples),
  );
  if (model?.kind !== 'graph') miss(pad, `the efficiency ${label(object.fName)}`);
  else paintPoints(pad, object, { x: model.x, y: model.y, errors: model.errors }, option || 'P');
}
