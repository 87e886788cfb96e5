import type { PlotModel } from './model';

/** `counts` times what gives them the sum of `like`; as they are where either is empty. */
export function scaled(counts: Float64Array, like: Float64Array): Float64Array {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const factor = sum(like) / sum(counts);
  return Number.isFinite(factor) && factor > 0 ? counts.map((count) => count * factor) : counts;
}

/**
 * The contents over those of the first overlay, bin by bin, as points with the errors that
 * independent counts have: r √(1/a + 1/b). Undefined without an overlay; bins where the overlay is
 * empty have no point.
 */
export function ratioModel(model: PlotModel): PlotModel | undefined {
  const other = model.overlays?.[0];
  if (other === undefined) return undefined;
  const values = new Float64Array(model.values.length).fill(Number.NaN);
  const errors = new Float64Array(model.values.length);
  model.values.forEach((count, i) => {
    const reference = other.values[i] ?? 0;
    if (reference === 0) return;
    values[i] = count / reference;
    errors[i] = count > 0 ? (count / reference) * Math.sqrt(1 / count + 1 / reference) : 0;
  });
  return {
    kind: 'bins',
    title: `Ratio of ${model.title} to ${other.title}`,
    xTitle: model.xTitle,
    yTitle: 'Ratio',
    edges: model.edges,
    values,
    errors,
    xLabels: model.xLabels,
    mark: 'points',
    stats: [],
  };
}
