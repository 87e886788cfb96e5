import { describe, expect, it } from 'vitest';
import { ratioModel, scaled } from '../../web/plot/compare';
import { type PlotModel, uniformEdges } from '../../web/plot/model';

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

describe('scaled', () => {
  it('gives the same sum, and leaves alone what is empty', () => {
    const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
    expect(sum(scaled(Float64Array.of(1, 2, 3), model.values))).toBeCloseTo(19, 12);
    expect([...scaled(Float64Array.of(0, 0), model.values)]).toEqual([0, 0]);
    expect([...scaled(Float64Array.of(1, 2), Float64Array.of(0, 0))]).toEqual([1, 2]);
  });
});
