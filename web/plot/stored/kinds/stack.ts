import type { PlainObject, PlainValue } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { sameEdges } from '../../../bins/bin-axes';
import { stepsPath } from '../../draw-bins';
import { barAcross, barUp } from '../../draw-graph';
import type { Colour, Shape } from '../../drawing/drawing';
import type { PlotFrame } from '../../drawing/frame';
import { readableLatex } from '../../drawing/latex';
import {
  type AnyPlot,
  countErrors,
  type GraphModel,
  type MapModel,
  middleOf,
  type Overlay,
  type PlotModel,
  type Series,
  type StackSum,
  statNumber,
} from '../../model';
import { contentWithError } from '../content-with-error';
import { limitsOf } from '../functions';
import { label, number, record } from '../members';
import { type Follow, references } from '../references';
import { themed, themedLine } from '../root-colours';
import { axis } from '../stored-axis';

/** Maximum number of histograms in a stack. */
const MAX_PARTS = 500;

export interface Part {
  object: PlainObject;
  model: PlotModel;
  /** Contents and errors of this histogram, and of the sum up to it. */
  own: { values: Float64Array; errors: Float64Array };
  sum: { values: Float64Array; errors: Float64Array };
  option: string;
}

/**
 * Returns the histograms of a THStack on top of each other, each in its colour, or side by side (`nostack`). Those
 * with two axes are added. Throws UNSUPPORTED with the reason if they cannot be stacked.
 */
export function stackModel(
  object: PlainObject,
  how: string,
  modelOf: (object: PlainObject) => AnyPlot | undefined,
): GraphModel | MapModel | undefined {
  const maps = mapsOf(object, modelOf);
  if (maps !== undefined) return sumOfMaps(object, maps);
  const apart = /nostack/i.test(how);
  const rest = how.replace(/nostack/i, '');
  const parts = stackParts(object, modelOf, references(object), apart);
  if ('why' in parts)
    throw unsupported(
      `The stack ${label(object.fName)} is not drawn: ${parts.why}.`,
      parts.areApart ? 'The option "nostack" draws them beside each other.' : undefined,
    );
  const [first] = parts;
  if (first === undefined) return undefined;
  const [title = '', xTitle, yTitle] = label(object.fTitle).split(';');
  const frame = record(object.fHistogram);
  const xAxis = record(frame?.fXaxis) ?? record(first.object.fXaxis);
  const yAxis = record(frame?.fYaxis) ?? record(first.object.fYaxis);
  const alike = parts.every((part) => differingBins(first, part) === undefined);
  const wordsAt = (bin: number, part: Part) => wordsOf(alike ? parts : [part], bin, apart);
  const drawn = apart ? parts : parts.toReversed();
  const [bottom, ...above] = drawn.map((part, i) =>
    seriesOf({ ...part, option: part.option || rest }, i, apart, (bin) => wordsAt(bin, part)),
  );
  if (bottom === undefined) return undefined;
  const least = parts.flatMap(({ own, sum }) => [...(apart ? own : sum).values]);
  const stack: GraphModel = {
    kind: 'graph',
    xTitle: xTitle ?? label(xAxis?.fTitle),
    yTitle: yTitle ?? label(yAxis?.fTitle),
    ...{ ...bottom, title: title || label(object.fName) },
    label: bottom.title,
    overlays: above,
    xRange: axis(xAxis)?.range,
    xTime: first.model.xTime,
    xNames: first.model.xLabels && { edges: first.model.edges, labels: first.model.xLabels },
    limits: { ...(least.every((value) => !(value < 0)) && { low: 0 }), ...limitsOf(object) },
    stats: parts.map(({ object, model, own }) => ({
      label: model.title || label(object.fName),
      value: statNumber(own.values.reduce((sum, value) => sum + value, 0)),
    })),
  };
  const last = parts.at(-1);
  return apart || last === undefined ? stack : { ...stack, stack: sumOf(stack, parts, last) };
}

/** The sum of a stack, with the errors of all its histograms. */
function sumOf(stack: GraphModel, parts: readonly Part[], { model, sum }: Part): StackSum {
  const { title, xTitle, yTitle, stats } = stack;
  const all: PlotModel = {
    ...model,
    ...{ title, xTitle, yTitle, stats },
    ...sum,
    mark: 'steps',
    curves: undefined,
    functions: undefined,
  };
  const made: StackSum = {
    sum: all,
    parts: parts.map(({ object, model: { title }, own }) => ({
      ...{ title: title || label(object.fName), ...own, ink: inkOf(object) },
    })),
    with: (over) => ({
      ...stack,
      ...notedWith(stack, over),
      overlays: [
        ...(stack.overlays ?? []).map((one) => ({ ...one, ...notedWith(one, over) })),
        ...(over.overlays ?? []).map((one) => pointsOver(one, all)),
        ...(over.points ?? []),
      ],
      // There is room for what lies over it, too.
      limits: { low: stack.limits?.low },
      ...{ below: over.below, stack: { ...made, over } },
    }),
  };
  return made;
}

/** Returns a text about a bin of a stack, the same bin of layers over it, and the panel below. */
function notedWith(
  { note }: Pick<Series, 'note'>,
  { overlays = [], below }: Pick<PlotModel, 'overlays' | 'below'>,
): Pick<Series, 'note'> {
  const lower = below === undefined ? [] : [below.model, ...(below.model.overlays ?? [])];
  const over = overlays.filter(({ edges }) => edges === undefined);
  return {
    note: (index) =>
      [
        note?.(index) ?? '',
        ...over.map((one) => contentOf(one.title, one, index - 1)),
        ...lower.map((one, i) =>
          contentOf(
            `${below?.model.yTitle.toLowerCase()}${lower.length > 1 ? ` of ${overlays[i]?.title}` : ''}`,
            one,
            index - 1,
          ),
        ),
      ].join('\n'),
  };
}

function contentOf(title: string, one: Omit<Overlay, 'title'>, bin: number): string {
  const error = countErrors(one)[bin] ?? 0;
  return `${readableLatex(title)} ${contentWithError(one.values[bin] ?? Number.NaN, error)}`;
}

/** Returns bin contents as points with errors. Empty bins have none, as with ROOT's option E. */
function pointsOver(one: Overlay, { edges: own, xLabels }: PlotModel): Series {
  const { edges = own, values, title, ink = 'ink', stats } = one;
  const errors = countErrors(one);
  const place = (bin: number) =>
    xLabels?.[bin] || `[${statNumber(edges[bin] ?? 0)}, ${statNumber(edges[bin + 1] ?? 0)})`;
  const at = padded(edges, values);
  const bars = padded(edges, errors).y;
  return {
    ...{ title, ink, stats, ...at, dots: false },
    errors: { left: bars.map(() => 0), right: bars.map(() => 0), down: bars, up: bars },
    note: (index) => `${readableLatex(place(index - 1))}\n${contentOf(title, one, index - 1)}`,
    shapes: (_, colour, frame) => barShapes(edges, values, errors, colour, frame),
  };
}

/** Returns contents at the bin centres, and zeros at both ends of the axis. */
function padded(edges: Float64Array, values: Float64Array): { x: Float64Array; y: Float64Array } {
  const x = new Float64Array(values.length + 2).fill(edges.at(-1) ?? 1);
  const y = new Float64Array(x.length).fill(Number.NaN);
  x.set([edges[0] ?? 0]);
  x.set(
    values.map((_, bin) => middleOf(edges, bin)),
    1,
  );
  y.set(values, 1);
  return { x, y };
}

/** The histograms of a stack that have two axes; undefined for a stack of others. */
function mapsOf(
  object: PlainObject,
  modelOf: (object: PlainObject) => AnyPlot | undefined,
): [MapModel, ...MapModel[]] | undefined {
  const follow = references(object);
  const maps: MapModel[] = [];
  for (const item of itemsOf(object)) {
    const one = follow(item);
    const model = one && /^TH2[CSILFD]$/.test(label(one._typename)) ? modelOf(one) : undefined;
    if (model?.kind !== 'map') return undefined;
    const first = maps[0] ?? model;
    if (!sameEdges(first.xEdges, model.xEdges) || !sameEdges(first.yEdges, model.yEdges)) return undefined;
    maps.push(model);
  }
  const [first, ...others] = maps;
  return first && [first, ...others];
}

/** Returns the sum of histograms with two axes. On top of each other they would hide each other. */
function sumOfMaps(object: PlainObject, maps: [MapModel, ...MapModel[]]): MapModel {
  const [first] = maps;
  const [title = '', xTitle, yTitle] = label(object.fTitle).split(';');
  const sumOf = ({ values }: MapModel) => values.reduce((sum, value) => sum + (value || 0), 0);
  return {
    ...first,
    title: title || label(object.fName),
    xTitle: xTitle ?? first.xTitle,
    yTitle: yTitle ?? first.yTitle,
    zTitle: `Sum of ${maps.length} histograms`,
    values: first.values.map((_, cell) => maps.reduce((sum, { values }) => sum + (values[cell] ?? 0), 0)),
    curves: undefined,
    functions: undefined,
    limits: limitsOf(object),
    stats: maps.map((map) => ({ label: map.title, value: statNumber(sumOf(map)) })),
  };
}

function itemsOf(object: PlainObject): PlainValue[] {
  const list = record(object.fHists)?.arr;
  return Array.isArray(list) ? list.slice(0, MAX_PARTS) : [];
}

/** Reason why histograms cannot be stacked. */
export interface NoStack {
  why: string;
  /** Whether they can be drawn side by side. */
  areApart: boolean;
}

/**
 * Returns the histograms of a stack with the sum below each, or the reason why they cannot be stacked. ROOT merges
 * histograms with different bins, which is not done here. Side by side (`apart`) each keeps its bins.
 */
export function stackParts(
  object: PlainObject,
  modelOf: (object: PlainObject) => AnyPlot | undefined,
  follow: Follow,
  apart: boolean,
): Part[] | NoStack {
  const list = record(object.fHists);
  const items = itemsOf(object);
  const options = Array.isArray(list?.opt) ? list.opt : [];
  const parts: Part[] = [];
  for (const [i, item] of items.entries()) {
    const one = follow(item);
    const kind = label(one?._typename);
    const model = one && /^T(H1|Profile$)/.test(kind) ? modelOf(one) : undefined;
    if (one === undefined || model?.kind !== 'bins')
      return { why: whyNoPart(kind, label(one?.fName)), areApart: false };
    const [first] = parts;
    const why = first && !apart ? differingBins(first, { object: one, model }) : undefined;
    if (why !== undefined) return { why, areApart: true };
    const values = model.values.map((value) => value || 0);
    const errors = model.errors ?? values.map((value) => Math.sqrt(Math.abs(value)));
    const below = apart ? undefined : parts.at(-1)?.sum;
    const sum = below && {
      values: values.map((value, k) => value + (below.values[k] ?? 0)),
      errors: errors.map((error, k) => Math.hypot(error, below.errors[k] ?? 0)),
    };
    const own = { values, errors };
    parts.push({ object: one, model, own, sum: sum ?? own, option: label(options[i]) || label(one.fOption) });
  }
  return parts.length > 0 ? parts : { why: 'it has no histograms', areApart: false };
}

function whyNoPart(kind: string, name: string): string {
  if (kind === '') return 'it holds something that is not a histogram';
  if (/^TH2/.test(kind)) return `${name} has two axes, and other histograms have one, or other bins`;
  return /^T(H1|Profile$)/.test(kind)
    ? `the members of ${name} do not fit together`
    : `${name} is a ${kind}, which does not stack`;
}

/** Returns why the bins of two histograms cannot be added individually, as judged by TH1::CheckConsistency. */
function differingBins(
  first: Pick<Part, 'object' | 'model'>,
  other: Pick<Part, 'object' | 'model'>,
): string | undefined {
  if (!sameEdges(first.model.edges, other.model.edges)) {
    const [one, two] = [first, other].map(
      ({ object, model: { edges } }) =>
        `${edges.length - 1} from ${edges[0]} to ${edges.at(-1)} in ${label(object.fName)}`,
    );
    return `its histograms have different bins: ${one}, ${two}`;
  }
  const [one, two] = [first.model.xLabels, other.model.xLabels];
  if (one === undefined || two === undefined || one.every((name, i) => name === two[i])) return undefined;
  return `the bins of ${label(first.object.fName)} and ${label(other.object.fName)} have different names`;
}

function wordsOf(parts: readonly Part[], bin: number, apart: boolean): string {
  const { edges, xLabels } = parts[0]?.model ?? { edges: new Float64Array() };
  const place =
    readableLatex(xLabels?.[bin] ?? '') ||
    `[${statNumber(edges[bin] ?? 0)}, ${statNumber(edges[bin + 1] ?? 0)})`;
  const lines = parts.map(
    ({ model, own }) => `${readableLatex(model.title)} ${statNumber(own.values[bin] ?? 0)}`,
  );
  const total = statNumber(parts.at(-1)?.sum.values[bin] ?? 0);
  return [place, ...lines.slice(0, 12), ...(apart ? [] : [`sum ${total}`])].join('\n');
}

function fillOf({ fFillColor, fFillStyle }: PlainObject): Colour | undefined {
  return number(fFillColor) > 0 && number(fFillStyle) > 0 ? themed(fFillColor) : undefined;
}

const inkOf = (object: PlainObject): Colour => fillOf(object) ?? themedLine(object.fLineColor);

/** One of the histograms. */
function seriesOf(part: Part, i: number, apart: boolean, words: (bin: number) => string): Series {
  const { object, model, option } = part;
  const { values, errors } = apart ? part.own : part.sum;
  const { edges } = model;
  const line = themedLine(object.fLineColor);
  const fill = fillOf(object);
  const asPoints = model.mark === 'points' || /(^|[^a-z])[ep][0-9]?/i.test(option);
  return {
    title: model.title || label(object.fName),
    ...padded(edges, values),
    dots: false,
    ink: fill ?? (apart && line === 'ink' && i > 0 ? undefined : line),
    note: (index) => words(index - 1),
    shapes: (_, ink, frame) =>
      asPoints
        ? barShapes(edges, values, errors, ink, frame)
        : stepShapes(edges, values, { line: fill === undefined ? ink : line, fill }, frame),
  };
}

function stepShapes(
  edges: Float64Array,
  values: Float64Array,
  { line, fill }: { line: Colour; fill: Colour | undefined },
  frame: PlotFrame,
): Shape[] {
  const { y } = frame;
  const [low] = y.spec.range;
  const baseline = y.toPixel(y.spec.log ? low : Math.max(low, 0));
  const d = stepsPath(edges, values, 0, values.length, frame, baseline);
  return [{ kind: 'path', d, stroke: line, width: 1.2, ...(fill && { fill }) }];
}

function barShapes(
  edges: Float64Array,
  values: Float64Array,
  errors: Float64Array,
  ink: Colour,
  { x, y }: PlotFrame,
): Shape[] {
  const points: [number, number][] = [];
  let d = '';
  values.forEach((value, i) => {
    const error = errors[i] ?? 0;
    if (!Number.isFinite(value) || (value === 0 && error === 0)) return;
    const [left, right] = [x.toPixel(edges[i] ?? 0), x.toPixel(edges[i + 1] ?? 0)];
    const middle = (left + right) / 2;
    points.push([middle, y.toPixel(value)]);
    d +=
      barAcross(y.toPixel(value), left, right) +
      barUp(middle, y.toPixel(value - error), y.toPixel(value + error));
  });
  return [
    { kind: 'path', d, stroke: ink },
    { kind: 'dots', points, radius: 2.4, fill: ink },
  ];
}
