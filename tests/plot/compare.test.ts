import { describe, expect, it } from 'vitest';
import { ratioModel } from '../../web/plot/compare';
import { drawingSvg } from '../../web/plot/drawing/drawing';
import {
  type AnyPlot,
  type GraphModel,
  type PlotModel,
  uniformEdges,
  withCountErrors,
} from '../../web/plot/model';
import { overlaid, scaledOverlay } from '../../web/plot/overlay';
import { plotDrawing } from '../../web/plot/plot-drawing';

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
  const named = (...values: number[]) => ({ title: 'b', values: Float64Array.of(...values) });
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);

  it('gives the same sum, and leaves alone what is empty', () => {
    expect(sum(scaledOverlay(named(1, 2, 3), model.values).values)).toBeCloseTo(19, 12);
    expect(scaledOverlay(named(0, 0), model.values)).toEqual(named(0, 0));
    expect([...scaledOverlay(named(1, 2), Float64Array.of(0, 0)).values]).toEqual([1, 2]);
    const weighted = { ...named(1, 3), errors: Float64Array.of(1, 2) };
    expect([...(scaledOverlay(weighted, Float64Array.of(8)).errors ?? [])]).toEqual([2, 4]);
  });

  it('keeps the relative error of each count, in the plot and in the ratio', () => {
    const counts = Float64Array.of(400, 100, 0, 25);
    const other = scaledOverlay({ title: 'b', values: counts }, model.values);
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

describe('overlaid', () => {
  const names = ['new/dqm.root', 'ref/dqm.root'] as const;
  const one: PlotModel = { ...model, title: 'p_{T}', overlays: undefined };
  const graph: GraphModel = {
    kind: 'graph',
    ...{ title: 'g', xTitle: '', yTitle: '', stats: [] },
    ...{ x: Float64Array.of(1, 2), y: Float64Array.of(3, 4) },
  };
  const plotOf = (other: AnyPlot, sameArea = false, own: AnyPlot = one): AnyPlot => {
    const drawn = overlaid(own, other, names, sameArea);
    if (typeof drawn === 'string') throw new Error(drawn);
    return drawn;
  };

  it('keeps the title of what is drawn, and names both files', () => {
    const stats = [{ label: 'Entries', value: '24' }];
    const both = plotOf({ ...one, values: Float64Array.of(5, 4, 3, 12), stats });
    expect(both).toMatchObject({ title: 'p_{T}', label: names[0], overlays: [{ title: names[1], stats }] });
    expect(plotOf({ ...one, values: Float64Array.of(1, 1, 1, 1) }, true)).toMatchObject({
      overlays: [{ values: Float64Array.of(4.75, 4.75, 4.75, 4.75), scale: 4.75 }],
    });
  });

  it('draws graphs over each other, whatever their points are', () => {
    const other = { ...graph, x: Float64Array.of(1, 2, 3), y: Float64Array.of(0, 1, 0) };
    expect(plotOf(other, false, graph)).toMatchObject({ overlays: [{ title: names[1], x: other.x }] });
  });

  it('says why something is not drawn over another', () => {
    const why = (other: AnyPlot) => overlaid(one, other, names, false);
    expect(why({ ...one, edges: uniformEdges(4, 0, 5) })).toBe(
      'The bins differ: 4 from 0 to 4 in new/dqm.root, 4 from 0 to 5 in ref/dqm.root.',
    );
    expect(why({ ...one, xLabels: ['a', 'b', 'c', 'd'] })).toMatch(/names of the bins differ/);
    expect(why(graph)).toMatch(/different kinds/);
    expect(why({ ...one, mark: 'points' })).toMatch(/different kinds/);
    const edges = uniformEdges(1, 0, 1);
    const map: AnyPlot = { ...graph, kind: 'map', zTitle: '', xEdges: edges, yEdges: edges, values: edges };
    expect(why(map)).toMatch(/[Tt]wo-dimensional/);
  });

  it('covers no bin with its legend in a saved picture, which has the statistics of both', () => {
    // The highest bin is at the left, where a legend within the frame would lie.
    const own = {
      ...one,
      values: Float64Array.of(500, 3, 2, 1),
      stats: [{ label: 'Entries', value: '506' }],
    };
    const both = plotOf({ ...own, stats: [{ label: 'Entries', value: '505' }] }, false, own);
    const drawing = plotDrawing(
      both,
      { width: 720, height: 600 },
      {
        ...{ log: { x: false, y: false }, stats: true, titled: true },
      },
    );
    const svg = drawingSvg(drawing);
    for (const text of ['>506<', '>505<', names[0], names[1], '<tspan>p<']) expect(svg).toContain(text);
    const right = Math.max(...drawing.frames.map(({ box }) => box.right));
    const top = Math.min(...drawing.frames.map(({ box }) => box.top));
    for (const shape of drawing.shapes) {
      if (shape.kind === 'rect') expect(shape.fill).not.toBe('paper');
      if (shape.kind === 'text' && names.some((name) => name === shape.text))
        expect(shape.x > right || shape.y < top).toBe(true);
    }
  });
});
