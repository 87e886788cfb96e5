import { sameEdges } from '../../../../bins/bin-axes';
import type { Colour } from '../../../../plot/drawing/drawing';
import { type BelowKind, dividedOrLess } from '../../../../plot/layers/below';
import { panelsWith } from '../../../../plot/layers/below-panels';
import { type Below, countErrors, type Overlay, type PlotModel, type Range } from '../../../../plot/model';
import type { WholeStyle } from '../presets';
import { type Layer, overlayOf } from './layers';
import { type BandLook, bandInLook } from './paint';

/** Longest title of the panel that is made of the names of two layers. */
const MAX_NAMES = 8;

/**
 * Returns the panel below: all layers divided by the reference, or less it. The reference is the sum of the stacked layers, or
 * else the first layer.
 */
export function belowOf(
  layers: readonly Layer[],
  total: Layer | undefined,
  style: WholeStyle,
  base: PlotModel,
): Below | undefined {
  const { show, height, range, lines, band = false } = style.ratio;
  const reference = total ?? layers[0];
  if (show === 'none' || reference === undefined) return undefined;
  const compared = layers.filter(
    (layer) => layer !== reference && layer.look.as !== 'stacked' && sameEdges(layer.edges, reference.edges),
  );
  const { edges, values } = reference;
  const errors = reference.errors ?? countErrors(reference.own);
  // A band shows the errors of the reference; those of the points are then of the other layer only.
  const by = { values, errors: band ? values.map(() => 0) : errors };
  const drawn = compared.map((layer) => {
    const one = { values: layer.values, errors: layer.errors ?? countErrors(layer.own) };
    return overlayOf({
      ...layer,
      ...dividedOrLess(show, one, by),
      hasErrors: true,
      look: { ...layer.look, as: 'points' },
    });
  });
  const level = show === 'ratio' ? 1 : 0;
  if (band) drawn.unshift(bandAround(level, { edges, values, errors }, show, style));
  const [first = { title: '', values: new Float64Array(values.length).fill(Number.NaN) }, ...overlays] =
    drawn;
  const lower: PlotModel = {
    ...{ ...first, kind: 'bins', mark: 'points', stats: [], edges, overlays },
    ...{
      xTitle: base.xTitle,
      xLabels: base.xLabels,
      yTitle: style.ratio.title ?? titleOf(compared, total, base, show),
    },
  };
  const look = { share: height, lines, range: range && ([...range] as Range) };
  return { kind: show, model: lower, panels: panelsWith(lower, level, look) };
}

function titleOf(
  compared: readonly Layer[],
  total: Layer | undefined,
  base: PlotModel,
  show: BelowKind,
): string {
  const [one, second] = compared;
  const names = [one?.title ?? '', total ? 'sum' : (base.label ?? '')];
  const isShort = second === undefined && names.every(Boolean) && names.join('').length <= MAX_NAMES;
  if (isShort) return names.join(show === 'ratio' ? ' / ' : ' − ');
  return show === 'ratio' ? 'Ratio' : 'Difference';
}

/** Returns the errors of the reference around the line at its own ratio or difference. */
function bandAround(
  level: number,
  { edges, values, errors }: { edges: Float64Array; values: Float64Array; errors: Float64Array },
  show: BelowKind,
  { bands }: WholeStyle,
): Overlay {
  const own = show === 'ratio' ? errors.map((error, i) => error / Math.abs(values[i] ?? 0)) : errors;
  const levels = own.map((error) => (Number.isFinite(error) ? level : Number.NaN));
  const form = bands.total === 'filled' || bands.statistics === 'filled' ? 'filled' : 'hatched';
  const look: BandLook = { colour: bands.colour as Colour, form };
  return {
    ...{ title: '', values: levels, hidesErrors: true },
    paint: (_, frame) => bandInLook({ edges, values: levels, errors: own }, look, frame),
  };
}
