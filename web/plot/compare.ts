import { countErrors, type PlotModel } from './model';

/**
 * The contents divided by those of the first overlay, bin by bin, as points with the propagated errors of
 * both, which are treated as independent: r √((ea/a)² + (eb/b)²). Undefined without an overlay; bins where
 * the overlay is empty have no point.
 */
export function ratioModel(model: PlotModel): PlotModel | undefined {
  const other = model.overlays?.[0];
  if (other === undefined) return undefined;
  const values = new Float64Array(model.values.length).fill(Number.NaN);
  const errors = new Float64Array(model.values.length);
  const ownErrors = countErrors(model);
  const otherErrors = countErrors(other);
  model.values.forEach((count, i) => {
    const reference = other.values[i] ?? 0;
    if (reference === 0) return;
    values[i] = count / reference;
    // Without dividing by the count, which may be 0.
    const own = (ownErrors[i] ?? 0) / reference;
    const others = (count * (otherErrors[i] ?? 0)) / (reference * reference);
    errors[i] = Math.hypot(own, others);
  });
  return {
    kind: 'bins',
    title: `Ratio of ${model.label ?? model.title} to ${other.title}`,
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
