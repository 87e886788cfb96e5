import type { AnyPlot, PlotModel } from './model';

/** Returns a plot in which `factor` neighbouring bins are joined. Bins with labels are not joined. */
export function withBins(plot: AnyPlot, factor: number): AnyPlot {
  return plot.kind === 'bins' && plot.xLabels === undefined ? rebinned(plot, factor) : plot;
}

/**
 * Joins `factor` neighbouring bins; the last one may have fewer. Contents are added, errors in quadrature. A profile
 * is returned unchanged, because its means cannot be added.
 */
export function rebinned(model: PlotModel, factor: number): PlotModel {
  if (factor <= 1 || model.mark === 'points') return model;
  const bins = Math.ceil(model.values.length / factor);
  const last = model.edges.length - 1;
  const edges = Float64Array.from(
    { length: bins + 1 },
    (_, i) => model.edges[Math.min(i * factor, last)] ?? 0,
  );
  const merged = (values: Float64Array, squared: boolean) => {
    const sums = new Float64Array(bins);
    values.forEach((value, i) => {
      const bin = Math.floor(i / factor);
      sums[bin] = (sums[bin] ?? 0) + (squared ? value * value : value);
    });
    return squared ? sums.map(Math.sqrt) : sums;
  };
  // A function that was fitted to the contents of bins grows as they do.
  const curves = model.curves?.map((curve) => ({ ...curve, y: curve.y.map((value) => value * factor) }));
  const values = merged(model.values, false);
  const errors = model.errors && merged(model.errors, true);
  return { ...model, edges, values, errors, curves, xLabels: undefined, limits: undefined };
}
