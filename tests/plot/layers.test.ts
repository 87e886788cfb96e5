import { describe, expect, it } from 'vitest';
import { drawingSvg } from '../../web/plot/drawing/drawing';
import { LOOKS } from '../../web/plot/layers/choices';
import { formatLayers, parseLayers, parseLayerText, stayingLayers } from '../../web/plot/layers/layer-spec';
import { type LayersLook, layered } from '../../web/plot/layers/layered';
import { lineLook } from '../../web/plot/layers/lines';
import {
  type AnyPlot,
  type GraphModel,
  type MapModel,
  type PlotModel,
  uniformEdges,
  withCountErrors,
} from '../../web/plot/model';
import { panelsOf } from '../../web/plot/panels';
import { shownRanges } from '../../web/plot/ranges';
import { titledDrawing } from '../../web/plot/titled-drawing';

const one: PlotModel = {
  kind: 'bins',
  title: 'p_{T}',
  xTitle: 'x',
  yTitle: 'Entries',
  edges: uniformEdges(4, 0, 4),
  values: Float64Array.of(5, 4, 0, 12),
  mark: 'steps',
  stats: [],
};
const other = { ...one, values: Float64Array.of(10, 0, 6, 3) };
const graph: GraphModel = {
  kind: 'graph',
  ...{ title: 'g', xTitle: '', yTitle: '', stats: [] },
  ...{ x: Float64Array.of(1, 2), y: Float64Array.of(3, 4) },
};
const map: MapModel = {
  kind: 'map',
  ...{ title: 'm', xTitle: 'x', yTitle: 'y', zTitle: '', stats: [] },
  ...{ xEdges: uniformEdges(3, 0, 3), yEdges: uniformEdges(3, 0, 3), values: new Float64Array(9).fill(1) },
};
const plain: LayersLook = { norm: 'none', below: 'none' };
const names = ['new/dqm.root', 'ref/dqm.root'] as const;
const both = (look: Partial<LayersLook> = {}, parts: readonly AnyPlot[] = [one, other]) =>
  layered(
    parts.map((model, i) => ({ model, label: names[i] ?? `${i}` })),
    { ...plain, ...look },
  );
const binsOf = ({ model }: { model: AnyPlot }): PlotModel => {
  if (model.kind !== 'bins') throw new Error(model.kind);
  return model;
};
const sum = (values: Float64Array | undefined) => values?.reduce((total, value) => total + value, 0);

describe('the layer that others are compared with', () => {
  it.each([{ below: 'ratio' }, { below: 'difference' }, { norm: 'first' }] as const)(
    'is named with %o',
    (look) => {
      const plot = binsOf(both(look));
      const size = { width: 720, height: 480 };
      const named = titledDrawing(plot, size, { log: { x: false, y: false }, stats: false }).shapes;
      const texts = named.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
      expect(texts).toContain('new/dqm.root, reference');
      expect(texts).toContain('ref/dqm.root');
    },
  );

  it('is none if nothing is compared', () => {
    expect(binsOf(both()).isReference).toBeUndefined();
    expect(binsOf(both({ norm: 'area' })).isReference).toBeUndefined();
  });

  it('is filled in the colour of its line', () => {
    const { model } = layered(
      [
        { model: one, label: 'a', ink: 'line2' },
        { model: other, label: 'b', ink: 'line1' },
      ],
      plain,
    );
    const [panel] = panelsOf(
      model,
      { left: 0, right: 400, top: 0, bottom: 300 },
      { log: { x: false, y: false } },
    );
    const paths = (panel?.layers ?? []).map(({ shapes }) =>
      shapes(panel?.frame as never).flatMap((shape) =>
        shape.kind === 'path' ? [shape.fill ?? shape.stroke] : [],
      ),
    );
    expect(paths).toEqual([['line2', 'line2'], ['line1']]);
  });
});

describe('what stands below', () => {
  it('is the ratio to the first, with the errors of independent counts, without bins where that is empty', () => {
    const below = binsOf(both({ below: 'ratio' })).below?.model;
    expect([...(below?.values ?? [])]).toEqual([2, 0, Number.NaN, 0.25]);
    expect(below?.errors?.[0]).toBeCloseTo(2 * Math.sqrt(1 / 10 + 1 / 5), 12);
    expect(below?.errors?.[1]).toBe(0);
  });

  it('is the difference to the first', () => {
    const below = binsOf(both({ below: 'difference' })).below?.model;
    expect([...(below?.values ?? [])]).toEqual([5, -4, 6, -9]);
    expect(below?.errors?.[0]).toBeCloseTo(Math.sqrt(15), 12);
    expect(below?.errors?.[1]).toBeCloseTo(2, 12);
    const frame = panelsOf(
      binsOf(both({ below: 'difference' })),
      { left: 0, right: 600, top: 0, bottom: 500 },
      { log: { x: false, y: false } },
    )[1]?.frame;
    const [low = 0, high = 0] = frame?.y.spec.range ?? [];
    expect(low).toBeLessThan(-9);
    expect(high).toBeGreaterThan(6);
  });

  it('has two numbers beside it at least, also where it is low', () => {
    const near = { ...one, values: one.values.map((value) => value * 1.2), errors: new Float64Array(4) };
    const model = both({ below: 'ratio' }, [{ ...one, errors: new Float64Array(4) }, near]).model;
    for (const bottom of [260, 320, 400, 600]) {
      const area = { left: 0, right: 600, top: 0, bottom };
      const frame = panelsOf(model, area, { log: { x: false, y: false } })[1]?.frame;
      expect(frame?.y.ticks.values.length, `${bottom}`).toBeGreaterThan(1);
    }
  });

  it('has a layer for each of the others', () => {
    const below = binsOf(both({ below: 'ratio' }, [one, other, one])).below?.model;
    expect(below?.overlays).toHaveLength(1);
    expect([...(below?.overlays?.[0]?.values ?? [])]).toEqual([1, 1, Number.NaN, 1]);
    expect([below?.ink, below?.overlays?.[0]?.ink]).toEqual(['line2', 'line3']);
  });

  it('uses the errors that are stored', () => {
    const own = { ...one, errors: Float64Array.of(2, 0, 0, 0) };
    const weighted = { ...other, errors: Float64Array.of(1, 0, 0, 0) };
    const below = binsOf(both({ below: 'ratio' }, [own, weighted])).below?.model;
    expect(below?.errors?.[0]).toBeCloseTo(2 * Math.hypot(1 / 10, 2 / 5), 12);
  });
});

describe('contents that are scaled', () => {
  it('have a sum of 1, a largest content of 1, or the sum of the first', () => {
    const area = binsOf(both({ norm: 'area' }));
    expect([sum(area.values), sum(area.overlays?.[0]?.values)]).toEqual([1, 1]);
    const max = binsOf(both({ norm: 'max' }));
    expect([Math.max(...max.values), Math.max(...(max.overlays?.[0]?.values ?? []))]).toEqual([1, 1]);
    const first = binsOf(both({ norm: 'first' }));
    expect([sum(first.values), sum(first.overlays?.[0]?.values)]).toEqual([21, 21]);
  });

  it('stay as they are where they are empty, or means', () => {
    const empty = { ...one, values: new Float64Array(4) };
    expect([...(binsOf(both({ norm: 'area' }, [one, empty])).overlays?.[0]?.values ?? [])]).toEqual([
      0, 0, 0, 0,
    ]);
    const means: AnyPlot = { ...one, mark: 'points' };
    expect(binsOf(both({ norm: 'area' }, [means, means])).values).toBe(one.values);
  });

  it('keep the relative error of each count, in the plot and in the ratio', () => {
    const model = binsOf(both({ norm: 'first', below: 'ratio' }));
    const drawn = withCountErrors(model).overlays?.[0];
    other.values.forEach((count, i) => {
      if (count === 0) return;
      expect((drawn?.errors?.[i] ?? 0) / (drawn?.values[i] ?? 0)).toBeCloseTo(1 / Math.sqrt(count), 12);
      const own = one.values[i] ?? 0;
      if (own === 0) return;
      const ratio = (model.below?.model.errors?.[i] ?? 0) / (model.below?.model.values[i] ?? 1);
      expect(ratio).toBeCloseTo(Math.sqrt(1 / own + 1 / count), 12);
    });
    const weighted = { ...other, errors: Float64Array.of(2, 0, 0, 0) };
    const area = binsOf(both({ norm: 'area' }, [one, weighted]));
    expect(area.overlays?.[0]?.errors?.[0]).toBeCloseTo(2 / 19, 12);
  });
});

describe('layers', () => {
  it('keep the title of what is drawn, and have names and statistics of their own', () => {
    const stats = [{ label: 'Entries', value: '24' }];
    expect(both({}, [one, { ...other, stats }]).model).toMatchObject({
      title: 'p_{T}',
      label: names[0],
      overlays: [{ title: names[1], stats }],
    });
    const differing = both({}, [one, { ...other, title: 'eta', xTitle: 'eta' }]).model;
    expect([differing.title, differing.xTitle]).toEqual(['x, eta', 'x, eta']);
  });

  it('of graphs lie over each other, whatever their points are', () => {
    const more = { ...graph, x: Float64Array.of(1, 2, 3), y: Float64Array.of(0, 1, 0) };
    expect(both({}, [graph, more]).model).toMatchObject({ overlays: [{ title: names[1], x: more.x }] });
    expect(both({ below: 'ratio' }, [graph, more]).why).toMatch(/no bins/);
  });

  it('of points lie over bins, with the axes of the bins and room for the points', () => {
    const curve = { title: 'fit', x: Float64Array.of(0, 4), y: Float64Array.of(1, 30) };
    const high = {
      ...graph,
      y: Float64Array.of(3, 40),
      stats: [{ label: 'Points', value: '2' }],
      curves: [curve],
    };
    const { model, refused } = both({ below: 'ratio' }, [one, high, other]);
    expect(refused.size).toBe(0);
    const bins = binsOf({ model });
    expect(bins.points).toMatchObject([
      { title: names[1], ink: 'line2', x: graph.x },
      { title: '', ink: 'line2', x: curve.x, dots: false },
    ]);
    expect(bins.below?.model.values).toEqual(Float64Array.of(2, 0, Number.NaN, 0.25));
    const ranges = shownRanges(model, { x: false, y: false });
    expect(ranges.x).toEqual([0, 4]);
    expect(ranges.y[1]).toBeGreaterThan(40);
    const titles = panelsOf(
      model,
      { left: 0, right: 600, top: 0, bottom: 400 },
      { log: { x: false, y: false } },
    )[0]?.layers.map(({ title }) => title);
    expect(titles).toEqual([names[0], '2', names[1], '']);
    const svg = drawingSvg(
      titledDrawing(model, { width: 700, height: 400 }, { log: { x: false, y: false }, stats: true }),
    );
    for (const name of [`${names[0]}, reference`, names[1], '2', 'Points'])
      expect(svg).toContain(`>${name}<`);
  });

  it('of two maps are divided or subtracted in their place, where their bins are the same', () => {
    const two = { ...map, values: Float64Array.of(2, 4, 0, 1, 1, 1, 1, 1, 3) };
    const from = { ...map, values: Float64Array.of(1, 2, 0, 0, 1, 1, 1, 1, 2) };
    const { model } = both({ below: 'ratio' }, [from, two]);
    expect(model).toMatchObject({ title: `Ratio of ${names[1]} to ${names[0]}`, zTitle: 'Ratio' });
    expect([...(model as MapModel).values]).toEqual([2, 2, Number.NaN, Number.NaN, 1, 1, 1, 1, 1.5]);
    // A ratio of 0 is one; where there is none, the cell is empty.
    const none = both({ below: 'ratio' }, [two, { ...two, values: new Float64Array(9) }]).model;
    const drawn = (one: AnyPlot) =>
      drawingSvg(
        titledDrawing(one, { width: 400, height: 400 }, { log: { x: false, y: false }, stats: false }),
      );
    const cells = /<path d="M[^"]*v[^"]*Z" fill="#[0-9a-f]{6}"/;
    expect(drawn(none)).toMatch(cells);
    expect(drawn({ ...(none as MapModel), values: new Float64Array(9).fill(Number.NaN) })).not.toMatch(cells);
    const less = both({ below: 'difference' }, [from, two]).model as MapModel;
    expect([...less.values]).toEqual([1, 2, 0, 1, 0, 0, 0, 0, 1]);
    // Colours of ratios end where those of sparse cells begin; those of differences have 0 in their middle.
    expect([(model as MapModel).limits, less.limits]).toEqual([{ high: 3 }, { low: -2, high: 2 }]);
    const wider = { ...two, yEdges: uniformEdges(3, 0, 6) };
    const apart = both({ below: 'ratio' }, [from, wider]);
    expect(apart.why).toBe('The bins along y differ between new/dqm.root and ref/dqm.root.');
    expect(apart.model).toMatchObject({ overlays: [{ title: names[1] }] });
    expect(both({ below: 'ratio' }, [from, two, two]).why).toMatch(/is of two/);
  });

  it('of bins do not lie over points, and it says what to do', () => {
    const { refused } = both({}, [graph, one]);
    expect(refused.get(1)).toBe(
      'new/dqm.root is a graph, which has no bins: put ref/dqm.root first, and the points lie over it.',
    );
  });

  it('of more than six lines differ in dashes, also for those who are given a look by number', () => {
    const many = both(
      {},
      Array.from({ length: LOOKS }, () => one),
    );
    const { ink, dash, overlays = [] } = binsOf(many);
    const looks = [{ ink, dash }, ...overlays].map((each) => `${each.ink} ${each.dash}`);
    expect(new Set(looks).size).toBe(LOOKS);
    expect(looks.slice(0, 7)).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((i) => `line${i} undefined`),
      `line1 ${lineLook(6).dash}`,
    ]);
    expect(parseLayers('[{"colour":24}]')[0]?.colour).toBe(24);
    expect(() => parseLayers('[{"colour":25}]')).toThrow(/colour/);
    expect(
      drawingSvg(
        titledDrawing(many.model, { width: 700, height: 700 }, { log: { x: false, y: false }, stats: false }),
      ),
    ).toContain(`stroke-dasharray="${lineLook(6).dash}"`);
  });

  it('of other bins are drawn with their own edges, and not divided', () => {
    const wider = { ...other, edges: uniformEdges(4, 2, 10), values: Float64Array.of(1, 2, 50, 4) };
    const { model, why } = both({ below: 'ratio' }, [one, wider]);
    expect(why).toBe('The bins differ: 4 from 0 to 4 in new/dqm.root, 4 from 2 to 10 in ref/dqm.root.');
    expect(binsOf({ model }).below).toBeUndefined();
    const log = { x: false, y: false };
    const whole = shownRanges(model, log);
    expect(whole.x).toEqual([0, 10]);
    expect(whole.y[1]).toBeGreaterThan(50);
    // Only the first bin of the wider ones is seen.
    expect(shownRanges(model, log, { x: [0, 4] }).y[1]).toBeLessThan(20);
    const [panel] = panelsOf(model, { left: 0, right: 1000, top: 0, bottom: 400 }, { log });
    expect([...(panel?.layers[1]?.x ?? [])]).toEqual([3, 5, 7, 9]);
  });

  it('of two axes lie over a map as boxes, or as lines of equal content', () => {
    const peak = { ...map, values: Float64Array.of(0, 0, 0, 0, 4, 1, 0, 0, 0) };
    const over = (as?: 'contours') => {
      const parts = [map, peak].map((model, i) => ({ model, label: names[i] ?? '', as }));
      const { model, refused } = layered(parts, plain);
      expect(refused.size).toBe(0);
      const [panel] = panelsOf(
        model,
        { left: 0, right: 500, top: 0, bottom: 400 },
        { log: { x: false, y: false } },
      );
      if (model.kind !== 'map' || panel === undefined) throw new Error(model.kind);
      const [halo, line] = panel.layers[1]?.shapes(panel.frame) ?? [];
      if (halo?.kind !== 'path' || line?.kind !== 'path') throw new Error('no lines');
      expect([halo.stroke, line.stroke, line.d]).toEqual(['paper', 'line2', halo.d]);
      return { model, frame: panel.frame, d: line.d };
    };
    const { model, frame, d } = over();
    const cell = (frame.x.toPixel(3) - frame.x.toPixel(0)) / 3;
    // The areas of the boxes are as the contents: 4 fills its bin, 1 half of the width.
    const widths = [...d.matchAll(/h([\d.]+)v/g)].map(([, wide]) => Number(wide) / cell);
    expect(widths.map((wide) => wide.toFixed(2))).toEqual(['1.00', '0.50']);
    expect([model.overlays?.[0]?.at(1.5, 1.5), model.overlays?.[0]?.at(9, 9)]).toEqual([4, Number.NaN]);
    // Content falls evenly from the middle to that of the bin at the left: five lines cross at sixths of the way.
    const lines = over('contours');
    const [from, to] = [1.5, 0.5].map(lines.frame.x.toPixel) as [number, number];
    const across = [...lines.d.matchAll(/[ML]([\d.]+) ([\d.]+)/g)]
      .filter(([, x, y]) => Math.abs(Number(y) - lines.frame.y.toPixel(1.5)) < 0.02 && Number(x) < from)
      .map(([, x]) => ((from - Number(x)) / (from - to)) * 6);
    expect([...new Set(across.map((share) => share.toFixed(1)))].sort()).toEqual([
      '1.0',
      '2.0',
      '3.0',
      '4.0',
      '5.0',
    ]);
  });

  it('are left out with the reason where they cannot lie over the first', () => {
    const why = (model: AnyPlot) => both({}, [one, model]).refused.get(1);
    expect(why({ ...one, xLabels: ['a', 'b', 'c', 'd'] })).toMatch(/names of the bins differ/);
    expect(why({ ...graph, shapes: () => [] })).toMatch(/different kinds/);
    expect(why({ ...one, mark: 'points' })).toMatch(/different kinds/);
    expect(why(map)).toMatch(/different kinds/);
    expect(binsOf(both({}, [one, map, other])).overlays).toHaveLength(1);
  });

  it('covers no bin with its legend in a saved picture, which has the statistics of both', () => {
    // The highest bin is at the left, where a legend within the frame would lie.
    const own = {
      ...one,
      values: Float64Array.of(500, 3, 2, 1),
      stats: [{ label: 'Entries', value: '506' }],
    };
    const reference = { ...own, stats: [{ label: 'Entries', value: '505' }] };
    const drawing = titledDrawing(
      both({ below: 'ratio' }, [own, reference]).model,
      { width: 720, height: 600 },
      { log: { x: false, y: false }, stats: true },
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

  it.each([2, 5, 12, 24])(
    'has the names of all %i layers first, and statistics within the picture',
    (count) => {
      const stats = ['Entries', 'Mean', 'Std dev', 'Underflow', 'Overflow'].map((label) => ({
        ...{ label, value: '12' },
      }));
      const parts = Array.from({ length: count }, (_, i) => ({
        ...{ model: { ...one, stats }, label: `layer-${i}-${'long '.repeat(20)}` },
      }));
      const drawing = titledDrawing(
        layered(parts, plain).model,
        { width: 720, height: 480 },
        { log: { x: false, y: false }, stats: true },
      );
      const [frame] = drawing.frames;
      const beside = drawing.shapes.flatMap((shape) =>
        shape.kind === 'text' && shape.x > (frame?.box.right ?? 0) ? [shape] : [],
      );
      for (const { label } of parts) {
        const lines = beside.filter(({ title }) => title === label).map(({ text }) => text);
        expect(lines[0]).toMatch(/^layer-\d+-/);
        expect(lines.at(-1)).toMatch(/….*long$/);
      }
      for (const { y } of beside) expect(y).toBeLessThanOrEqual(480);
      const lines = beside.map(({ x, y }) => `${x} ${y}`);
      expect(new Set(lines).size).toBe(lines.length);
      const described = beside.filter(({ text }) => text === 'Entries').length;
      expect(described).toBe(count === 2 ? 2 : count === 5 ? 2 : count === 12 ? 1 : 0);
      expect(beside.some(({ text }) => text === `statistics of ${count - described} not shown`)).toBe(
        count > 2,
      );
      expect(drawingSvg(drawing)).toContain(`<title>${parts[0]?.label.trim()}`);
    },
  );

  it('counts the layers without room for their names', () => {
    const parts = Array.from({ length: 50 }, (_, i) => ({ model: one, label: `layer ${i}` }));
    const { shapes } = titledDrawing(
      layered(parts, plain).model,
      { width: 720, height: 480 },
      { log: { x: false, y: false }, stats: true },
    );
    const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
    const named = texts.filter((text) => /^layer \d/.test(text)).length;
    expect(named).toBeGreaterThan(30);
    expect(texts).toContain(`and ${50 - named} more`);
  });
});

describe('the text of layers', () => {
  it('of the command line is an expression with words behind it', () => {
    expect(parseLayerText('pt; cut=a==1 && b=="x;y"; label=two; file=r;1.root; colour=3')).toEqual({
      draw: 'pt',
      cut: 'a==1 && b=="x;y"',
      label: 'two',
      src: 'r;1.root',
      colour: 3,
    });
    expect(parseLayerText('cut=n>1')).toEqual({ cut: 'n>1' });
    expect(parseLayerText('cut==n')).toEqual({ draw: 'cut==n' });
    expect(parseLayerText('dir/h;2;label=old')).toEqual({ draw: 'dir/h;2', label: 'old' });
    expect(parseLayerText('cut=')).toEqual({ cut: '' });
    for (const text of ['', ' ; ', 'pt;colour=25', 'pt;option=x', 'pt;cut=1;cut=2'])
      expect(() => parseLayerText(text), text).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
  });

  it('of those that go on has the same in other files', () => {
    const of = (text: string) => stayingLayers(parseLayers(text));
    expect(of('[{"src":"b.root"},{},{"draw":"eta"},{"cut":"n>1","src":"c.root"}]')).toBe(
      '[{"src":"b.root"},{}]',
    );
    for (const text of ['[]', '[{"draw":"eta"}]', '[{}]']) expect(of(text), text).toBe('');
  });

  it('of links is JSON', () => {
    const layers = [{}, { draw: 'pt', cut: 'n>1', hidden: true }, { item: 'h', src: 'b.root', colour: 2 }];
    expect(parseLayers(formatLayers(layers))).toEqual(layers);
    expect(formatLayers([{}])).toBe('');
    for (const text of ['', '{}', '[1]', '[{"expr":"pt"}]', '[{"draw":1}]', '[{"draw":"a","item":"b"}]'])
      expect(() => parseLayers(text), text).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
  });
});
