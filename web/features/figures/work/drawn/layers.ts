import { argumentError } from '../../../../base/errors';
import { sameEdges } from '../../../../bins/bin-axes';
import { countErrors, type GraphModel, type Overlay, type PlotModel } from '../../../../plot/model';
import type { WholeStyle } from '../presets';
import { type Look, lookOf } from './look';
import { type Bins, binsInLook } from './paint';

/** A layer of bins in its look. */
export interface Layer extends Bins {
  title: string;
  look: Look;
  /** Whether error bars are drawn. */
  hasErrors: boolean;
  /** The layer as the plot has it. */
  own: Overlay;
}

/** Bins, and what lies over them: a histogram, or the sum of a stored stack. */
export function binsOf(model: PlotModel | GraphModel): PlotModel | undefined {
  if (model.kind === 'bins') return model;
  return model.stack?.over ?? model.stack?.sum;
}

/** Returns the layers of bins of a plot. Those of a stored stack come first, the lowest first. */
export function layersIn(model: PlotModel | GraphModel, base: PlotModel, style: WholeStyle): Layer[] {
  const { overlays = [] } = base;
  const parts = model.kind === 'graph' ? (model.stack?.parts ?? []) : [];
  const lowest = { ...base, title: base.label ?? base.title };
  const as = base.mark === 'points' || parts.length > 0 ? 'points' : 'line';
  const all: [Overlay, Look['as']][] = [
    ...parts.map((own): [Overlay, Look['as']] => [own, 'stacked']),
    ...(parts.length > 0 ? overlays : [lowest, ...overlays]).map((own): [Overlay, Look['as']] => [own, as]),
  ];
  return all.map(([own, as], i) => {
    const look = lookOf(style, i, { as, ink: own.ink, dash: own.dash });
    const needs = look.as !== 'line' && look.as !== 'filled';
    const isShown = own.errors !== undefined && own.hidesErrors !== true;
    return {
      ...{ own, look, title: style.layers?.[i]?.label ?? own.title },
      ...{ edges: own.edges ?? base.edges, values: own.values },
      errors: needs || look.errors ? countErrors(own) : own.errors,
      hasErrors: look.errors ?? (look.as === 'points' || (!needs && isShown)),
    };
  });
}

/** Returns the sums of the stacked layers, the lowest first. Throws ARGUMENT if their bins differ. */
export function stackOf(layers: readonly Layer[]): Layer[] {
  const sums: Layer[] = [];
  for (const layer of layers) {
    if (layer.look.as !== 'stacked') continue;
    const below = sums.at(-1);
    if (below && !sameEdges(below.edges, layer.edges))
      throw argumentError(
        `The bins of ${layer.title} and ${below.title} differ, so that they cannot be stacked.`,
        'Draw all with the same bins, or as lines.',
      );
    const values = layer.values.map((value, bin) => (value || 0) + (below?.values[bin] ?? 0));
    const errors = values.map((_, bin) => Math.hypot(layer.errors?.[bin] || 0, below?.errors?.[bin] ?? 0));
    sums.push({ ...layer, values, errors });
  }
  return sums;
}

/** Returns a layer as a plot has it, which paints itself in its look. */
export function overlayOf({ title, edges, values, errors, look, hasErrors }: Omit<Layer, 'own'>): Overlay {
  const seen = hasErrors || look.as === 'band' ? errors : undefined;
  return {
    ...{ title, edges, values, errors: seen, hidesErrors: seen === undefined, ink: look.colour },
    paint: (_, frame) => binsInLook({ edges, values, errors: seen }, look, frame),
  };
}

/** Contents with the errors that are drawn: the height up to which there is something. */
export function highest({ edges, values, errors, hasErrors, look }: Layer): Bins {
  const isWide = hasErrors || look.as === 'band' || look.as === 'stacked';
  return { edges, values: isWide ? values.map((value, i) => value + (errors?.[i] || 0)) : values };
}
