import type { PlainObject, PlainValue } from '../../../api/api';
import { emptiedIfPossible } from '../../../bins/buffers';
import { text } from '../../../model/plain-members';
import type { FunctionSamples } from '../../../plot/stored/functions';
import { isObject } from '../../../ui/contents/items';

/** Data that is sent to JSROOT. */
export interface JsrootForm {
  object: PlainObject;
  /** JSROOT's option for drawing it. */
  option: string;
  /** Functions that are left out, with the reasons. JSROOT would compile their formulas, which its frame forbids. */
  left: { name: string; why: string }[];
}

/** Options for classes for which JSROOT omits by default what ROOT's users expect: the colour scale. */
const options: [RegExp, string][] = [
  [/^T(H2Poly|Profile2Poly|H2[CSILFD]|Profile2D|Graph2D\w*)$/, 'colz'],
  [/^TF2$/, 'surf1'],
];

/** Options of ROOT for views in three dimensions. */
const SOLID = /^(lego[1-4]?|surf[1-7]?)z?$/i;

/**
 * Returns an object in a form that JSROOT draws as ROOT does: functions have values, and titles are where JSROOT
 * expects them. `how` may be an option for a view in three dimensions. Does not change the given object.
 */
export function jsrootForm(object: PlainObject, samples: FunctionSamples, how = ''): JsrootForm {
  const left: JsrootForm['left'] = [];
  const copies = new Map<PlainValue, PlainValue>();
  const copy = (value: PlainValue): PlainValue => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) {
      const items: PlainValue[] = [];
      copies.set(value, items);
      for (const item of value) items.push(copy(item));
      return items;
    }
    const made: { [member: string]: PlainValue } = {};
    copies.set(value, made);
    const members = isObject(value) ? changed(value, samples, left) : value;
    for (const [name, member] of Object.entries(members)) made[name] = copy(member);
    return made;
  };
  const made = copy(object) as PlainObject;
  return { object: made, option: SOLID.test(how) ? how : optionFor(object), left };
}

function optionFor(object: PlainObject): string {
  const own = object.fOption;
  if (typeof own === 'string' && own !== '') return own.slice(0, 100);
  if (object._typename === 'TEfficiency' && isTwoDimensional(object)) return 'colz';
  return options.find(([classes]) => classes.test(object._typename))?.[1] ?? '';
}

function changed(
  object: PlainObject,
  samples: FunctionSamples,
  left: JsrootForm['left'],
): { [member: string]: PlainValue } {
  // JSROOT does not fill the values of a buffer into bins.
  const members = withoutUnknown(emptiedIfPossible(object), samples, left);
  if (/^TF[123]$/.test(object._typename)) return { ...members, ...savedMembers(object, samples) };
  if (object._typename === 'THStack') return { ...members, ...stackFrame(object) };
  if (object._typename === 'TEfficiency') return { ...members, fTitle: efficiencyTitle(object) };
  // The members that RooFit adds to graphs concern fits, not drawing.
  if (object._typename === 'RooHist') return { ...members, _typename: 'TGraphAsymmErrors' };
  if (object._typename === 'RooCurve' || object._typename === 'RooEllipse')
    return { ...members, _typename: 'TGraph' };
  if (object._typename === 'RooPlot') return { ...members, _items: plotItems(object) };
  return members;
}

/** Returns a list without the functions that have no values, and with matching options. */
function withoutUnknown(
  object: PlainObject,
  samples: FunctionSamples,
  left: JsrootForm['left'],
): { [member: string]: PlainValue } {
  const { arr, opt } = object;
  if (!Array.isArray(arr)) return object;
  const kept = arr.map((item) => {
    if (!isObject(item) || !/^TF[123]$/.test(item._typename)) return true;
    const error = samples.get(item)?.find((one) => one.error)?.error;
    if (error === undefined && samples.has(item)) return true;
    left.push({ name: text(item.fName), why: error?.message ?? 'It has no values.' });
    return false;
  });
  if (!kept.includes(false)) return object;
  const filtered = (list: PlainValue[]) => list.filter((_, i) => kept[i]);
  return { ...object, arr: filtered(arr), ...(Array.isArray(opt) && { opt: filtered(opt) }) };
}

/** Returns values in the form of TF1::Save. The formula is kept for its parameters; JSROOT's frame compiles none. */
function savedMembers(object: PlainObject, samples: FunctionSamples): { [member: string]: PlainValue } {
  const sampled = samples.get(object)?.[0];
  if (sampled === undefined || sampled.error) return { fSave: [] };
  const { axes, values } = sampled;
  const ranges = axes.flatMap(({ low, high }) => [low, high]);
  const steps = axes.length === 1 ? [] : axes.map(({ points }) => points - 1);
  const fSave = new Float64Array(values.length + ranges.length + steps.length);
  fSave.set(values);
  fSave.set([...ranges, ...steps], values.length);
  const [x, y, z] = axes;
  return {
    fSave,
    ...(x && { fNpx: x.points - 1 }),
    ...(y && { fNpy: y.points - 1 }),
    ...(z && { fNpz: z.points - 1 }),
  };
}

/** Returns the frame of a stack, with the axis titles in the title of the stack, as ROOT makes it. */
function stackFrame(object: PlainObject): { [member: string]: PlainValue } {
  const [title = '', xTitle = '', yTitle = ''] = text(object.fTitle).split(';');
  const first = isObject(object.fHists) && Array.isArray(object.fHists.arr) ? object.fHists.arr[0] : null;
  const frame = isObject(object.fHistogram) ? object.fHistogram : first;
  if (!isObject(frame) || text(object.fTitle) === title) return { fTitle: title };
  const contents = frame.fArray;
  const axisWith = (axis: PlainValue | undefined, fTitle: string): PlainValue =>
    isObject(axis) ? { ...axis, fTitle } : (axis ?? null);
  return {
    fTitle: title,
    fHistogram: {
      ...frame,
      ...{ fName: 'axes', fTitle: title, fBits: NO_STATS, fFunctions: null, fSumw2: [], fEntries: 0 },
      fArray: ArrayBuffer.isView(contents) ? new Float64Array(contents.length) : [],
      fXaxis: axisWith(frame.fXaxis, xTitle),
      fYaxis: axisWith(frame.fYaxis, yTitle),
    },
  };
}

/** TH1::kNoStats. */
const NO_STATS = 1 << 9;

function isTwoDimensional(efficiency: PlainObject): boolean {
  const total = efficiency.fTotalHistogram;
  return isObject(total) && total._typename.startsWith('TH2');
}

/**
 * Returns the title of an efficiency with its axis titles. JSROOT takes these from the title, ROOT from the
 * histograms.
 */
function efficiencyTitle(object: PlainObject): string {
  const total = object.fTotalHistogram;
  const title = text(object.fTitle);
  if (!isObject(total) || isTwoDimensional(object) || title.includes(';')) return title;
  const [x, y] = [total.fXaxis, total.fYaxis].map((axis) => (isObject(axis) ? text(axis.fTitle) : ''));
  return `${title};${x};${y}`;
}

/**
 * Returns the items of a RooPlot as a list, as JSROOT expects. Since ROOT 6.26 they are pairs of an object and its
 * option.
 */
function plotItems(object: PlainObject): PlainValue {
  const items = object._items;
  if (!Array.isArray(items)) return items ?? null;
  const pairs = items.flatMap((item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) && !ArrayBuffer.isView(item)
      ? [item]
      : [],
  );
  return {
    _typename: 'TList',
    name: '',
    arr: pairs.map((pair) => pair.first ?? null),
    opt: pairs.map((pair) => text(pair.second)),
  };
}
