import { describe, expect, it } from 'vitest';
import { ratioModel, scaledOverlay } from '../../web/plot/compare';
import { type PlotModel, uniformEdges, withCountErrors } from '../../web/plot/model';

const model: PlotModel = {
  kind: 'bins',
  title: 'a',
  xTitle: 'x',
  yTitle: 'Entries',
  edges: uniformEdges(4, 0, 4),
  values: Float64Array.of(10, 0, 6, 3),
  mark: 'steps',
  overlays: [{ title: 'b', values: Float64Array.of(5, 4, 0, 12) }],
  stats: [],
};

describe('ratioModel', () => {
  it('divides bin by bin, with the errors of independent counts, and skips empty bins', () => {
    const ratio = ratioModel(model);
    expect([...(ratio?.values ?? [])]).toEqual([2, 0, Number.NaN, 0.25]);
    expect(ratio?.errors?.[0]).toBeCloseTo(2 * Math.sqrt(1 / 10 + 1 / 5), 12);
    expect(ratio?.errors?.[1]).toBe(0);
    expect(ratioModel({ ...model, overlays: undefined })).toBeUndefined();
  });
});

describe('scaledOverlay', () => {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);

  it('gives the same sum, and leaves alone what is empty', () => {
    expect(sum(scaledOverlay('b', Float64Array.of(1, 2, 3), model.values).values)).toBeCloseTo(19, 12);
    expect(scaledOverlay('b', Float64Array.of(0, 0), model.values)).toEqual({
      title: 'b',
      values: Float64Array.of(0, 0),
    });
    expect([...scaledOverlay('b', Float64Array.of(1, 2), Float64Array.of(0, 0)).values]).toEqual([1, 2]);
  });

  it('keeps the relative error of each count, in the plot and in the ratio', () => {
    const counts = Float64Array.of(400, 100, 0, 25);
    const other = scaledOverlay('b', counts, model.values);
    const scaled = { ...model, overlays: [other] };
    const drawn = withCountErrors(scaled).overlays?.[0];
    const ratio = ratioModel(scaled);
    counts.forEach((count, i) => {
      if (count === 0) return;
      const value = drawn?.values[i] ?? 0;
      expect((drawn?.errors?.[i] ?? 0) / value).toBeCloseTo(1 / Math.sqrt(count), 12);
      const own = model.values[i] ?? 0;
      if (own === 0) return;
      expect((ratio?.errors?.[i] ?? 0) / (ratio?.values[i] ?? 1)).toBeCloseTo(
        Math.sqrt(1 / own + 1 / count),
        12,
      );
    });
  });

  it('uses the errors that are stored', () => {
    const stored = { ...model, errors: Float64Array.of(1, 0, 0, 0) };
    const overlays = [
      { title: 'b', values: Float64Array.of(5, 4, 0, 12), errors: Float64Array.of(2, 0, 0, 0) },
    ];
    expect(ratioModel({ ...stored, overlays })?.errors?.[0]).toBeCloseTo(2 * Math.hypot(1 / 10, 2 / 5), 12);
  });
});
