import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlainObject } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { type LayerPart, layered } from '../../web/plot/layers/layered';
import {
  type AnyPlot,
  type GraphModel,
  type MapModel,
  type PlotModel,
  type Series,
  statNumber,
} from '../../web/plot/model';
import { functionsWithin, samplesOf, samplesWanted } from '../../web/plot/stored/functions';
import { candleParts, candlesOf } from '../../web/plot/stored/kinds/candles';
import { contourArea, contourLine } from '../../web/plot/stored/kinds/contours';
import { efficienciesOf } from '../../web/plot/stored/kinds/efficiency';
import { isWithin, polygonsOf } from '../../web/plot/stored/kinds/polygons';
import { splineCurve } from '../../web/plot/stored/kinds/spline';
import { loadKinds, modelOfObject } from '../../web/plot/stored/stored';
import { plotSvg } from '../../web/plot/svg';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

interface Points {
  x: number[];
  y: number[];
  errors?: [number[], number[], number[], number[]];
}
interface Contents {
  contents: number[];
  errors: number[];
}

// Numbers that ROOT gives about the same objects: tests/fixtures/make_zoo.py.
const root = JSON.parse(readFileSync(resolve(import.meta.dirname, 'zoo-values.json'), 'utf8')) as {
  [name: string]: Contents &
    Points & {
      stack: Contents[];
      own: Contents[];
      graphs: Points[];
      efficiency: (number | string)[];
      down: (number | string)[];
      up: (number | string)[];
      graph: Points;
      boxes: number[][];
      several: [number[], number[]][];
      bends: number[][];
      elements: number[];
      z: number[];
      slices: number[][];
      entries: number[];
      hole: string;
      pole: string;
    } & { [projection: string]: number[] };
};

let engine: EngineApi;
let file: number;

beforeAll(async () => {
  engine = await makeEngine();
  file = (await engine.open(bufferSpec('zoo', fixtureBytes('page/zoo')))).id;
});

const object = (name: string): Promise<PlainObject> => engine.object(file, name);

async function model(name: string, how = ''): Promise<AnyPlot> {
  const stored = await object(name);
  const requests = samplesWanted(functionsWithin(stored));
  const samples = samplesOf(requests, await engine.functionValues(requests));
  await loadKinds(stored, how);
  const made = modelOfObject(stored, samples, how);
  if (made === undefined) throw new Error(`${name} cannot be drawn`);
  return made;
}

function expectNear(found: ArrayLike<number>, expected: readonly number[], off = 1e-9): void {
  expect(found.length).toBe(expected.length);
  expected.forEach((value, i) => {
    expect(Math.abs((found[i] ?? Number.NaN) - value)).toBeLessThanOrEqual(
      off * Math.max(1, Math.abs(value)),
    );
  });
}

function expectPoints(
  { x, y, errors }: Pick<GraphModel, 'x' | 'y' | 'errors'>,
  expected: Points | undefined,
): void {
  expectNear(x, expected?.x ?? []);
  expectNear(y, expected?.y ?? []);
  if (errors === undefined || expected?.errors === undefined) return;
  [errors.left, errors.right, errors.down, errors.up].forEach((side, i) => {
    expectNear(side, expected.errors?.[i] ?? []);
  });
}

describe('a THStack', () => {
  it('adds contents as THStack::GetStack does, the lowest drawn last', async () => {
    const { overlays = [], ...below } = (await model('stack')) as GraphModel;
    const drawn = [below, ...overlays].toReversed();
    expect(drawn.map(({ y }) => y.length)).toEqual([22, 22, 22]);
    for (const [i, { y }] of drawn.entries())
      expectNear(y.slice(1, -1), root.stack?.stack[i]?.contents ?? [], 1e-6);
    expect(new Set(drawn.map(({ ink }) => ink)).size).toBe(3);
  });

  it('has data over it as points, and below their ratio to the sum with the errors of both', async () => {
    const stack = (await model('stack')) as GraphModel;
    const { contents = [], errors = [] } = root.stack?.stack.at(-1) ?? {};
    const data: PlotModel = {
      ...(stack.stack?.sum ?? ({} as PlotModel)),
      ...{ title: 'data', errors: undefined },
      values: Float64Array.from(contents, (value) => Math.round(1.1 * value)),
    };
    const parts = [stack, data].map((one, i) => ({ model: one, label: ['MC', 'Data'][i] ?? '' }));
    const { model: both, why } = layered(parts, { norm: 'none', below: 'ratio' });
    if (both.kind !== 'graph') throw new Error(both.kind);
    expect(why).toBeUndefined();
    const { x, y, ink, errors: bars, note } = both.overlays?.at(-1) ?? ({} as Series);
    expectNear(y.slice(1, -1), [...data.values]);
    expectNear(bars?.up.slice(1, -1) ?? [], Array.from(data.values, Math.sqrt));
    expect(ink).toBe('ink');
    expect(note?.(5)).toContain(`Data ${statNumber(data.values[4] ?? 0)} ± `);
    // The stack says all that lies over it.
    expect(both.note?.(5)).toMatch(/\nsum [\d.]+\nData [\d.]+ ± [\d.]+\nratio 1\.\d+ ± 0\.\d+$/);
    // The axis is that of the bins.
    expect([x[0], x.at(-1)]).toEqual([stack.x[0], stack.x.at(-1)]);
    const { values, errors: off, title } = both.below?.model ?? data;
    expect(title).toBe('Ratio of Data to MC');
    contents.forEach((content, i) => {
      const own = data.values[i] ?? 0;
      expect(values[i]).toBeCloseTo(content === 0 ? Number.NaN : own / content, 5);
      if (content === 0) return;
      const expected = Math.hypot(Math.sqrt(own) / content, (own * (errors[i] ?? 0)) / content ** 2);
      expect(off?.[i]).toBeCloseTo(expected, 5);
    });
    const svg = plotSvg(both);
    expect(svg).toContain('height="600"');
    expect(svg).toContain('>Ratio</text>');

    const wide = { ...data, edges: data.edges.map((edge) => 2 * edge) };
    const other = [parts[0] as LayerPart, { model: wide, label: 'Wide' }];
    expect(layered(other, { norm: 'none', below: 'ratio' }).why).toMatch(/^The bins differ: .* in MC/);
    // Over others it is its sum.
    const upon = layered(parts.toReversed(), { norm: 'none', below: 'difference' }).model as PlotModel;
    expectNear(upon.overlays?.[0]?.values ?? [], contents, 1e-6);
    const scaled = layered(parts, { norm: 'first', below: 'none' }).model as GraphModel;
    const sum = (numbers: ArrayLike<number>) => Array.from(numbers).reduce((all, one) => all + one, 0);
    expect(sum(scaled.overlays?.at(-1)?.y.slice(1, -1) ?? [])).toBeCloseTo(sum(contents), 2);
  });

  it('that does not stack has the contents themselves', async () => {
    const { overlays = [], ...first } = (await model('stack_nostack', 'nostack')) as GraphModel;
    for (const [i, { y }] of [first, ...overlays].entries())
      expectNear(y.slice(1, -1), root.stack_nostack?.own[i]?.contents ?? [], 1e-6);
  });

  it('says all contents of a bin, and their sum', async () => {
    const { note } = (await model('stack')) as GraphModel;
    const sums = root.stack?.stack.at(-1)?.contents ?? [];
    expect(note?.(1)).toMatch(/^\[0, 10\)\ntt̄ \d+\nW\+jets \d+\nZ \d+\nsum \d+$/u);
    expect(note?.(1)).toContain(`sum ${sums[0]}`);
  });
});

it('a TProfile2D has no content where it has no entries', async () => {
  const { values, stats } = (await model('profile2d_gaps')) as MapModel;
  const { contents = [], entries = [] } = root.profile2d_gaps ?? {};
  expect(entries.filter((n) => n === 0).length).toBeGreaterThan(5);
  entries.forEach((n, i) => {
    if (n === 0) expect(values[i]).toBeNaN();
    else expect(values[i]).toBeCloseTo(contents[i] ?? 0, 9);
  });
  expect(stats.some(({ label }) => /NaN/.test(label))).toBe(false);
});

describe('a TF1', () => {
  it('has no value where ROOT has none, and its line goes on', async () => {
    expect(root.function_hole?.hole).toBe('nan');
    const { x, y } = (await model('function_hole')) as GraphModel;
    expect(x).not.toContain(0);
    const at = (value: number) => y[x.findIndex((one) => Math.abs(one - value) < 1e-9)];
    expect(at(-0.02)).toBeCloseTo(root.function_hole?.y[0] ?? 0, 9);
    expect(at(0.02)).toBeCloseTo(root.function_hole?.y[1] ?? 0, 9);
    expect(Math.min(...y)).toBeGreaterThan(-2);
  });

  it('is infinite at a pole, where its line ends', async () => {
    expect(root.function_pole?.pole).toBe('inf');
    const { x, y } = (await model('function_pole')) as GraphModel;
    expect(y[x.indexOf(0)]).toBe(Number.POSITIVE_INFINITY);
    expect(plotSvg((await model('function_pole')) as GraphModel, { width: 400, height: 300 })).not.toMatch(
      /NaN|Inf/,
    );
  });
});

describe('graphs', () => {
  it.each(['graph', 'graph_errors', 'graph_asymm', 'graph_bent', 'cutg'])(
    '%s has the points and errors of ROOT',
    async (name) => expectPoints((await model(name)) as GraphModel, root[name]),
  );

  it('with several errors has all of them', async () => {
    const { errors, more = [] } = (await model('graph_multi')) as GraphModel;
    const all = [errors, ...more];
    root.graph_multi?.several.forEach(([down, up], k) => {
      expectNear(all[k]?.down ?? [], down);
      expectNear(all[k]?.up ?? [], up);
    });
  });

  it.each(['multigraph', 'multigraph_fit'])('%s has the graphs that ROOT draws', async (name) => {
    const { overlays = [], ...first } = (await model(name)) as GraphModel;
    const all = [first, ...overlays];
    expect(all).toHaveLength(root[name]?.graphs.length ?? 0);
    for (const [i, one] of all.entries()) expectPoints(one, root[name]?.graphs[i]);
  });

  it('of a TMultiGraph have a line where their option says so, and its fit', async () => {
    const { overlays = [], ...first } = (await model('multigraph')) as GraphModel;
    expect([first, ...overlays].map(({ joined }) => joined)).toEqual([true, false, true]);
    expect((await model('multigraph_fit')).curves).toHaveLength(1);
  });
});

describe('a TEfficiency', () => {
  // ROOT halves intervals to 1e-9, and finds the shortest one by a minimum, which is flat.
  it.each([
    ['cp', 1e-9],
    ['normal', 1e-9],
    ['wilson', 1e-9],
    ['agresti', 1e-9],
    ['feldman', 2e-9],
    ['midp', 2e-9],
    ['jeffrey', 1e-9],
    ['uniform', 1e-9],
    ['bayes', 1e-8],
    ['shortest', 1e-5],
    ['weighted', 1e-9],
  ])('of the statistic "%s" has the values and errors of ROOT', async (name, off) => {
    const expected = root[`eff_${name}`];
    const found = efficienciesOf(await object(`eff_${name}`)).slice(1, -1);
    const used = found.map((_, i) => i);
    const of = (list: readonly (number | string)[] | undefined) => used.map((i) => Number(list?.[i]));
    expectNear(
      used.map((i) => found[i]?.value ?? Number.NaN),
      of(expected?.efficiency),
      off,
    );
    expectNear(
      used.map((i) => (found[i]?.value ?? 0) - (found[i]?.interval?.[0] ?? Number.NaN)),
      of(expected?.down),
      off,
    );
    expectNear(
      used.map((i) => (found[i]?.interval?.[1] ?? Number.NaN) - (found[i]?.value ?? 0)),
      of(expected?.up),
      off,
    );
    const drawn = (await model(`eff_${name}`)) as GraphModel;
    expectNear(drawn.x, expected?.graph.x ?? []);
    expectNear(drawn.y, expected?.graph.y ?? [], off);
  });

  it('of two dimensions is a map', async () => {
    expectNear(((await model('eff_2d')) as MapModel).values, root.eff_2d?.efficiency.map(Number) ?? []);
  });
});

describe('a TH2Poly', () => {
  it.each(['poly', 'poly_shapes'])('%s has the bins of ROOT', async (name) => {
    const polygons = polygonsOf(await object(name)) ?? [];
    expect(polygons.map(({ content }) => content)).toEqual(root[name]?.contents);
    for (const [i, { box }] of polygons.entries()) expectNear(box, root[name]?.boxes[i] ?? []);
  });

  it('finds the bin below a place, in each of its islands', async () => {
    const polygons = polygonsOf(await object('poly_shapes')) ?? [];
    const at = (x: number, y: number) => polygons.findIndex((one) => isWithin(one, x, y));
    expect([at(0.5, 1), at(2, 0.5), at(4.2, 1), at(0.5, 3.5), at(3.5, 3.5), at(2, 3.5)]).toEqual([
      0, 1, 2, 3, 3, -1,
    ]);
  });
});

describe('histograms of many axes', () => {
  it.each([
    ['h3', '', 'yx'],
    ['h3', 'x,y', 'yx'],
    ['h3', 'z,x', 'xz'],
    ['h3', 'x', 'x'],
    ['h3', 'z;x=2:5;y=3:4', 'zPart'],
    ['sparse', 'a,b', 'ba'],
    ['sparse', 'c', 'c'],
    ['sparse', 'a;b=2:4', 'aPart'],
    ['hn', 'a,b', 'ba'],
    ['hn', 'c', 'c'],
    ['hn', 'a;b=2:4', 'aPart'],
  ])('%s projected to "%s" has the contents that ROOT projects', async (name, how, key) => {
    expectNear(((await model(name, how)) as PlotModel | MapModel).values, root[name]?.[key] ?? [], 1e-6);
  });

  it.each([
    ['h3', 'x;y=1:6;z=1:10', 'xErrors'],
    ['sparse', 'c', 'cErrors'],
    ['hn', 'a;b=2:4', 'aPartErrors'],
  ])('%s projected to "%s" has the errors, too', async (name, how, key) => {
    expectNear(((await model(name, how)) as PlotModel).errors ?? [], root[name]?.[key] ?? [], 1e-6);
  });

  it('of which a TH3 has the statistics that ROOT gives its projection', async () => {
    const said = (await model('h3', 'x,y')).stats.map(({ value }) =>
      Number(value.replace(/,/g, '').replace('−', '-')),
    );
    expectNear(said, root.h3?.yxStats ?? [], 1e-4);
  });

  it.each(['x,q', 'x,y,z', 'x,x', 'x;x=1', 'x;y=0:3', 'x;y=9', 'x;nonsense'])(
    '"%s" is no projection',
    async (how) => {
      await expect(model('h3', how)).rejects.toMatchObject({ code: 'ARGUMENT' });
    },
  );
});

it('matrices and vectors are maps and bins of their elements', async () => {
  expectNear(((await model('matrix')) as MapModel).values, root.matrix?.elements ?? []);
  expectNear(((await model('vector')) as PlotModel).values, root.vector?.elements ?? []);
  expect([...((await model('matrix_sym')) as MapModel).values].map((one) => Number(one.toFixed(1)))).toEqual([
    1, 0.3, 0.6, 0.3, 1, 0.9, 0.6, 0.9, 1,
  ]);
});

describe('a spline', () => {
  it.each(['spline3', 'spline5'])('%s has the values of ROOT between its knots', async (name) => {
    const { x, y } = splineCurve(await object(name)) ?? { x: new Float64Array(), y: new Float64Array() };
    const { curves, x: knots } = (await model(name)) as GraphModel;
    expect([...knots]).toEqual([0, 1, 2, 4, 7]);
    expect(curves?.[0]?.y).toEqual(y);
    // Between two of its 600 points a line is taken, which is off by the square of their distance.
    const at = (place: number) => {
      const i = Math.max(
        1,
        x.findIndex((one) => one >= place),
      );
      const [from = 0, to = 1] = [x[i - 1], x[i]];
      return (y[i - 1] ?? 0) + (((y[i] ?? 0) - (y[i - 1] ?? 0)) * (place - from)) / (to - from);
    };
    expectNear((root[name]?.x ?? []).map(at), root[name]?.y ?? [], 2e-4);
  });

  it('whose knots do not ascend is not drawn', async () => {
    const stored = await object('spline3');
    const knots = stored.fPoly as PlainObject[];
    expect(splineCurve({ ...stored, fPoly: knots.toReversed() })).toBeUndefined();
    expect(splineCurve({ ...stored, fPoly: knots.slice(1) })).toBeUndefined();
  });
});

it.each(['graph2d', 'graph2d_errors'])('%s has the points of ROOT, and says their z', async (name) => {
  const { x, y, note, right } = (await model(name)) as GraphModel;
  const expected = root[name];
  expectNear(x, expected?.x ?? []);
  expectNear(y, expected?.y ?? []);
  expect(right?.title).toBe('z [cm]');
  expect(note?.(3)).toContain(`z [cm] ${statNumber(expected?.z[3] ?? 0)}`);
  expect(note?.(3)?.endsWith('± 0.2')).toBe(name === 'graph2d_errors');
});

it('a stack of histograms of two axes is their sum', async () => {
  const { values, zTitle, stats } = (await model('stack_2d')) as MapModel;
  expectNear(values, root.stack_2d?.contents ?? []);
  expect(zTitle).toBe('Sum of 3 histograms');
  expect(stats.map(({ label }) => label)).toEqual(['part 0', 'part 1', 'part 2']);
});

describe('a histogram of two axes', () => {
  it.each([
    ['h2_candle', 'CANDLEX3'],
    ['h2_candle_y', 'CANDLEY2'],
    ['h2_violin', 'VIOLINX2'],
  ])('%s has the quartiles and means of ROOT, by its option %s', async (name, option) => {
    const map = (await model(name, 'col')) as MapModel;
    const found = candlesOf(map, candleParts(option) ?? expect.fail());
    expectNear(
      found.flatMap(({ box, median, mean }) => [box[0], median, box[1], mean]),
      root[name]?.slices.flat() ?? [],
      1e-9,
    );
    const drawn = (await model(name)) as GraphModel;
    expect(drawn.kind).toBe('graph');
    const along = option.includes('Y') ? drawn.x : drawn.y;
    expect([...along.subarray(1, -1)]).toEqual(found.map(({ median }) => median));
  });

  it('has the parts that ROOT gives an option', () => {
    expect(candleParts('CANDLEX2')).toMatchObject({
      ...{ box: true, median: 'line', mean: 'line', whiskers: 'near', anchors: true, points: 'outliers' },
      ...{ outline: 'none', zero: false, horizontal: false },
    });
    expect(candleParts('violiny')).toMatchObject({
      box: false,
      outline: 'both',
      zero: true,
      horizontal: true,
    });
    expect(candleParts('CANDLEX(2000001)')).toMatchObject({ box: true, outline: 'right', median: 'none' });
    expect(candleParts('colz')).toBeUndefined();
  });

  it.each(['h2_cont', 'h2_cont1'])('%s is drawn as contours, and as cells where one asks', async (name) => {
    const drawn = (await model(name)) as GraphModel;
    expect(drawn.kind).toBe('graph');
    expect((await model(name, 'col')).kind).toBe('map');
    expect(drawn.right?.title).toBe('Content');
  });

  it('has contours where a content lies between those of neighbours', () => {
    const edges = Float64Array.of(0, 1, 2, 3);
    // A hill in the middle: its line at half its height is a square on its corner.
    const hill = { xEdges: edges, yEdges: edges, values: Float64Array.of(0, 0, 0, 0, 2, 0, 0, 0, 0) };
    const line = contourLine(hill, 1, Number, Number);
    expect(line.match(/M/g)).toHaveLength(1);
    expect(new Set(line.match(/[\d.]+ [\d.]+/g))).toEqual(new Set(['1.5 1', '2 1.5', '1.5 2', '1 1.5']));
    expect(contourLine(hill, 3, Number, Number)).toBe('');
    const area = (d: string) =>
      (d.match(/M[^Z]*Z/g) ?? []).reduce((sum, one) => {
        const points = [...one.matchAll(/([\d.]+) ([\d.]+)/g)].map(
          ([, x, y]) => [Number(x), Number(y)] as const,
        );
        return (
          sum +
          Math.abs(
            points.reduce((all, [x, y], i) => {
              const [nextX, nextY] = points[(i + 1) % points.length] ?? [0, 0];
              return all + x * nextY - nextX * y;
            }, 0),
          ) /
            2
        );
      }, 0);
    expect(area(contourArea(hill, [1, Number.POSITIVE_INFINITY], Number, Number))).toBeCloseTo(0.5, 6);
    expect(area(contourArea(hill, [0, 1], Number, Number))).toBeCloseTo(3.5, 6);
  });
});

it.each([
  'stack',
  'multigraph',
  'eff_cp',
  'eff_2d',
  'poly',
  'h3',
  'sparse',
  'matrix',
  'vector',
  'graph_bent',
  'spline3',
  'graph2d',
  'h2_cont',
  'h2_cont1',
  'h2_candle',
  'h2_candle_y',
  'h2_violin',
])('the picture of %s has only numbers', async (name) => {
  const svg = plotSvg(await model(name));
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(svg.length).toBeGreaterThan(2000);
});
