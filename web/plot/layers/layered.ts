import { sameEdges } from '../../bins/bin-axes';
import type { Ink } from '../drawing/drawing';
import type { PlotLook } from '../look/look';
import {
  type AnyPlot,
  type MapOverlay,
  type Overlay,
  type PlotModel,
  type Series,
  type StackSum,
  statNumber,
} from '../model';
import { withBelow } from './below';
import { mapOfBoth } from './below-maps';
import type { OverMap } from './choices';
import { lineLook } from './lines';
import { type LayerLook, overMap } from './over-map';

/** One of the things that are drawn over each other. */
export interface LayerPart {
  model: AnyPlot;
  /** Its name in the legend. */
  label: string;
  /** Default: the next colour of lines. */
  ink?: Ink | undefined;
  dash?: string | undefined;
  /** How a map is drawn over another one. Default: boxes. */
  as?: OverMap | undefined;
}

/** How layers are scaled, and whether a panel below shows ratio or difference to the first. */
export type LayersLook = Pick<PlotLook, 'norm' | 'below'>;

/** Several layers in one plot, and the reasons for missing ones. */
export interface Layered {
  model: AnyPlot;
  /** Reasons why parts are not drawn, by index. */
  refused: Map<number, string>;
  /** The reason why there is no ratio or difference. */
  why?: string | undefined;
}

/**
 * Draws parts over each other, the first lowest. Bins may differ; a ratio or difference needs the same ones. Over a
 * stack, bins become points, and the panel below refers to its sum. Parts that cannot be drawn over the first are
 * left out, with the reason.
 */
export function layered(given: readonly LayerPart[], look: LayersLook): Layered {
  const refused = new Map<number, string>();
  // A stack over others is its sum.
  const parts = given.map((part, i) => (i === 0 ? part : withoutParts(part)));
  const [first, ...others] = parts;
  if (first === undefined) throw new RangeError('A plot has at least one layer.');
  const drawn = others.filter((part, i) => {
    const why = whyNot(first, part);
    if (why !== undefined) refused.set(i + 1, why);
    return why === undefined;
  });
  const { model } = first;
  const stack = stackOf(first);
  const lookOf = (part: LayerPart): LayerLook => {
    if (part.ink !== undefined) return { ink: part.ink, dash: part.dash };
    return stack && part !== first ? { ink: 'ink' } : lineLook(parts.indexOf(part));
  };
  if (drawn.length === 0)
    return {
      model:
        model.kind === 'bins'
          ? normalised({ ...model, ...(!model.paint && lookOf(first)), label: first.label }, look.norm)
          : model,
      refused,
    };
  const titles = { ...titlesOf([first, ...drawn]), label: first.label, ...lookOf(first), limits: undefined };
  if (model.kind === 'map') {
    const overlays = drawn.flatMap((part): MapOverlay[] =>
      part.model.kind === 'map' ? [overMap(part.model, part.as ?? 'boxes', part.label, lookOf(part))] : [],
    );
    if (look.below === 'none') return { model: { ...model, label: first.label, overlays }, refused };
    const both = mapOfBoth(
      [first, ...drawn].flatMap(({ model: map, label }) =>
        map.kind === 'map' ? [{ model: map, label }] : [],
      ),
      look.below,
    );
    return typeof both === 'string'
      ? { model: { ...model, label: first.label, overlays }, refused, why: both }
      : { model: both, refused };
  }
  if (model.kind === 'graph' && stack === undefined) {
    const overlays = drawn.flatMap((part) => seriesOf(part, lookOf(part)));
    const why = look.below === 'none' ? undefined : 'Points have no bins to divide or subtract.';
    return { model: { ...model, ...titles, overlays }, refused, why };
  }
  const own = stack?.sum ?? model;
  if (own.kind !== 'bins') return { model, refused };
  const overlays = drawn.flatMap((part): Overlay[] => {
    const { model: other, label } = part;
    if (other.kind !== 'bins') return [];
    const { values, errors, hidesErrors, stats } = other;
    const edges = sameEdges(own.edges, other.edges) ? undefined : other.edges;
    return [{ title: label, ...lookOf(part), stats, values, errors, hidesErrors, edges }];
  });
  const points = drawn.flatMap((part) => seriesOf(part, lookOf(part)));
  // The contents of a stack stay as they are.
  const normalise = stack && look.norm !== 'first' ? 'none' : look.norm;
  const bins = normalised({ ...own, ...titles, paint: undefined, overlays, points }, normalise);
  const why =
    look.below === 'none'
      ? undefined
      : overlays.length === 0
        ? 'Points have no bins to divide or subtract.'
        : differingBins({ ...first, model: own }, drawn);
  // The first is what others are compared with, or scaled to.
  const isReference =
    overlays.length > 0 && ((look.below !== 'none' && why === undefined) || normalise === 'first');
  const marked = isReference ? { ...bins, isReference } : bins;
  const all = look.below === 'none' || why !== undefined ? marked : withBelow(marked, look.below);
  return { model: stack?.with(all) ?? all, refused, why };
}

/** Replaces a stack by its sum. Other parts are not changed. */
export function withoutParts(part: LayerPart): LayerPart {
  return { ...part, model: stackOf(part)?.sum ?? part.model };
}

function stackOf({ model }: LayerPart): StackSum | undefined {
  return model.kind === 'graph' ? model.stack : undefined;
}

/**
 * Returns the points of a graph and the lines through them, in the style of a layer; none for other kinds of plots.
 */
function seriesOf({ model, label }: LayerPart, look: LayerLook): Series[] {
  if (model.kind !== 'graph') return [];
  const { x, y, errors, more, joined, dots, stats, curves = [] } = model;
  return [
    { title: label, ...look, stats, x, y, errors, more, joined, dots, open: look.dash !== undefined },
    ...curves.map((curve): Series => ({ title: '', ...look, x: curve.x, y: curve.y, dots: false })),
  ];
}

function whyNot({ model, label }: LayerPart, other: LayerPart): string | undefined {
  const isPoints = other.model.kind === 'graph' && !other.model.right && !other.model.shapes;
  const isStack = model.kind === 'graph' && model.stack !== undefined;
  if ((model.kind === 'bins' || isStack) && isPoints) return undefined;
  const isSame = isStack
    ? other.model.kind === 'bins'
    : model.kind === 'bins'
      ? other.model.kind === 'bins' && model.mark === other.model.mark
      : model.kind === other.model.kind;
  if (model.kind === 'graph' && !isStack && model.shapes)
    return `Nothing can lie over ${label} as it is drawn.`;
  if (model.kind === 'graph' && !isStack && other.model.kind === 'bins')
    return `${label} is a graph, which has no bins: put ${other.label} first, and the points lie over it.`;
  if (!isSame) return `${label} and ${other.label} are things of different kinds.`;
  const own = isStack ? model.stack?.sum : model;
  if (own?.kind === 'bins' && other.model.kind === 'bins' && namesOf(own) !== namesOf(other.model))
    return `The names of the bins differ between ${label} and ${other.label}.`;
  return undefined;
}

function namesOf({ xLabels }: PlotModel): string {
  return String(xLabels ?? '');
}

/** Returns the sentence about the first layer whose bins differ from the bins of the first one. */
function differingBins({ model, label }: LayerPart, others: readonly LayerPart[]): string | undefined {
  if (model.kind !== 'bins') return undefined;
  const other = others.find(
    (part) => part.model.kind === 'bins' && !sameEdges(model.edges, part.model.edges),
  );
  if (other?.model.kind !== 'bins') return undefined;
  return `The bins differ: ${binsText(model)} in ${label}, ${binsText(other.model)} in ${other.label}.`;
}

function binsText({ edges }: PlotModel): string {
  const [low, high] = [edges[0] ?? 0, edges.at(-1) ?? 0].map(statNumber);
  return `${edges.length - 1} from ${low} to ${high}`;
}

/** Returns the title of all layers if they share it, else the x titles of the first ones that differ. */
function titlesOf(parts: readonly LayerPart[]): { title: string; xTitle: string } {
  const different = (title: (part: LayerPart) => string) => [...new Set(parts.map(title).filter(Boolean))];
  const titles = different(({ model }) => model.title);
  const along = different(({ model }) => model.xTitle);
  const xTitle = along.slice(0, 3).join(', ') + (along.length > 3 ? ', …' : '');
  return { title: titles.length === 1 ? (titles[0] ?? '') : xTitle || titles.join(', '), xTitle };
}

const UNITS: Record<PlotLook['norm'], string | undefined> = {
  none: undefined,
  area: 'divided by their sum',
  max: 'divided by the largest',
  first: undefined,
};

/** Returns the title of an axis of counts that are scaled. */
export function scaledTitle(title: string, normalise: PlotLook['norm']): string {
  const unit = UNITS[normalise];
  return unit === undefined ? title : `${title || 'Contents'}, ${unit}`;
}

/** Scales the counts of all layers. Means of profiles are not changed. */
function normalised(model: PlotModel, normalise: PlotLook['norm']): PlotModel {
  if (normalise === 'none' || model.mark === 'points') return model;
  const overlays = model.overlays?.map((one) => ({ ...one, ...scaled(one, model, normalise) }));
  return {
    ...model,
    ...(normalise !== 'first' && scaled(model, model, normalise)),
    yTitle: scaledTitle(model.yTitle, normalise),
    overlays,
  };
}

/** Scales to a sum or a maximum of 1, or to the sum of the first. Empty contents are not changed. */
function scaled(
  one: Pick<Overlay, 'values' | 'errors'>,
  first: Pick<Overlay, 'values'>,
  normalise: PlotLook['norm'],
): Pick<Overlay, 'values' | 'errors' | 'scale'> {
  const { values, errors } = one;
  const sum = (contents: Float64Array) =>
    contents.reduce((total, value) => total + (Number.isFinite(value) ? value : 0), 0);
  const largest = () => values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const scale =
    normalise === 'max' ? 1 / largest() : (normalise === 'first' ? sum(first.values) : 1) / sum(values);
  if (!Number.isFinite(scale) || scale <= 0) return { values, errors };
  const times = (contents: Float64Array) => contents.map((value) => value * scale);
  return { values: times(values), errors: errors && times(errors), scale };
}
