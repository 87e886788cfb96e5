import { type AnyPlot, type Overlay, type PlotModel, statNumber } from './model';

/** An overlay scaled to the sum of `like`; unscaled when either is empty. */
export function scaledOverlay(counts: Overlay, like: Float64Array): Overlay {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const scale = sum(like) / sum(counts.values);
  if (!Number.isFinite(scale) || scale <= 0) return counts;
  const scaled = (values: Float64Array) => values.map((value) => value * scale);
  return { ...counts, values: scaled(counts.values), errors: counts.errors && scaled(counts.errors), scale };
}

/**
 * A plot with another of the same kind over it; a sentence when that cannot be drawn. Bins must be the same; points of
 * graphs need not. With `sameArea`, counts are scaled to the sum of those below.
 */
export function overlaid(
  model: AnyPlot,
  other: AnyPlot,
  [label, otherLabel]: readonly [string, string],
  sameArea: boolean,
): AnyPlot | string {
  if (model.kind === 'map' || other.kind === 'map')
    return 'Two-dimensional plots are not drawn over each other.';
  const title = otherLabel;
  const { stats } = other;
  if (model.kind === 'graph' && other.kind === 'graph') {
    const { x, y, errors, more, joined, dots } = other;
    const series = { title, stats, x, y, errors, more, joined, dots };
    return { ...model, label, overlays: [...(model.overlays ?? []), series] };
  }
  if (model.kind === 'graph' || other.kind === 'graph' || model.mark !== other.mark)
    return `${label} and ${otherLabel} have things of different kinds under this name.`;
  if (!sameEdges(model.edges, other.edges))
    return `The bins differ: ${binsText(model)} in ${label}, ${binsText(other)} in ${otherLabel}.`;
  if (String(model.xLabels ?? '') !== String(other.xLabels ?? ''))
    return `The names of the bins differ between ${label} and ${otherLabel}.`;
  const { values, errors } = other;
  const over: Overlay = { title, stats, values, errors };
  const scaled = sameArea && model.mark === 'steps' ? scaledOverlay(over, model.values) : over;
  return { ...model, label, overlays: [...(model.overlays ?? []), scaled] };
}

/** The same within what sums of bin widths are rounded by. */
function sameEdges(one: Float64Array, other: Float64Array): boolean {
  const width = Math.abs((one.at(-1) ?? 0) - (one[0] ?? 0)) || 1;
  return (
    one.length === other.length && one.every((edge, i) => Math.abs(edge - (other[i] ?? 0)) <= 1e-9 * width)
  );
}

function binsText({ edges }: PlotModel): string {
  const [low, high] = [edges[0] ?? 0, edges.at(-1) ?? 0].map(statNumber);
  return `${edges.length - 1} from ${low} to ${high}`;
}
