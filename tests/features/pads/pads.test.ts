import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { PlainObject, PlainValue } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import { type CanvasPicture, canvasPicture } from '../../../web/features/pads/work/canvas';
import { drawingSvg, type Shape } from '../../../web/plot/drawing/drawing';
import { functionsWithin, samplesOf, samplesWanted } from '../../../web/plot/stored/functions';
import { hatch } from '../../../web/plot/stored/paint/attributes';
import { poissonErrors } from '../../../web/plot/stored/paint/poisson';
import { loadKinds } from '../../../web/plot/stored/stored';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { flat, texts } from './shapes';

interface RootPad {
  name: string;
  /** Shares of the canvas: left, bottom, width, height. */
  place: [number, number, number, number];
  frame: [number, number, number, number];
  log: [number, number, number];
}

const root = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../plot/zoo-values.json'), 'utf8'),
) as Record<string, { pads?: RootPad[] }>;
const canvases = Object.keys(root).filter((name) => root[name]?.pads !== undefined);

let engine: EngineApi;
let file: number;

beforeAll(async () => {
  engine = await makeEngine();
  file = (await engine.open(bufferSpec('zoo', fixtureBytes('page/zoo')))).id;
});

async function picture(name: string, change?: (object: PlainObject) => PlainObject): Promise<CanvasPicture> {
  const stored = await engine.object(file, name);
  const object = change === undefined ? stored : change(stored);
  await loadKinds(object);
  const requests = samplesWanted(functionsWithin(object));
  return canvasPicture(object, samplesOf(requests, await engine.functionValues(requests)));
}

function near(found: number, expected: number, off: number): void {
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(off);
}

it('a map has the colours of a palette that refers to the list of colours', async () => {
  const other = (await engine.open(bufferSpec('palette', fixtureBytes('page/palette')))).id;
  const object = await engine.object(other, 'canvas');
  await loadKinds(object);
  const svg = drawingSvg(canvasPicture(object, new Map()).drawing);
  for (const colour of ['#ff0000', '#00ff00', '#0000ff']) expect(svg).toContain(colour);
});

it.each(canvases)('%s has its pads where ROOT has them, with the same axes', async (name) => {
  const { pads, drawing } = await picture(name);
  const expected = root[name]?.pads ?? [];
  expect(pads.map((pad) => pad.name)).toEqual(expected.map((pad) => pad.name));
  for (const [i, { place, frame, log }] of expected.entries()) {
    const { box, shown, log: own } = pads[i] ?? { box: { left: 0, right: 0, top: 0, bottom: 0 } };
    const [x, y, wide, tall] = place;
    near(box.left, x * drawing.width, 0.01);
    near(box.right - box.left, wide * drawing.width, 0.01);
    near(box.bottom, (1 - y) * drawing.height, 0.01);
    near(box.bottom - box.top, tall * drawing.height, 0.01);
    expect([own?.x, own?.y, own?.z].map(Number)).toEqual(log);
    if (shown === undefined) continue;
    const size = Math.max(frame[2] - frame[0], 1e-9);
    near(shown.x1, frame[0], 1e-6 * size);
    near(shown.x2, frame[2], 1e-6 * size);
    const height = Math.max(frame[3] - frame[1], 1e-9);
    near(shown.y1, frame[1], 1e-6 * height);
    near(shown.y2, frame[3], 1e-6 * height);
  }
});

it.each(canvases)('the picture of %s has only numbers', async (name) => {
  const { drawing } = await picture(name);
  const svg = drawingSvg(drawing);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(drawing.shapes.length).toBeGreaterThan(5);
});

/** The canvas as it is stored when nobody has painted it: without its frame and its ranges. */
const unpainted = (object: PlainObject): PlainObject => {
  const list = object.fPrimitives as { arr: PlainObject[]; opt: PlainValue[] };
  const keep = list.arr.map(({ _typename, fName }) => _typename !== 'TFrame' && fName !== 'title');
  const only = <T>(values: T[]) => values.filter((_, i) => keep[i]);
  return {
    ...object,
    fUxmin: 0,
    fUxmax: 1,
    fUymin: 0,
    fUymax: 1,
    fPrimitives: { ...list, arr: only(list.arr), opt: only(list.opt) },
  };
};

it.each([
  ['c_hist', 0.001],
  ['c_colz', 0.001],
  ['c_range', 0.001],
  ['c_log', 0.2],
  ['c_stack', 0.1],
  ['c_graph', 0.1],
])('%s has axes like those of ROOT also when it was stored before it was painted', async (name, off) => {
  const { pads } = await picture(name, unpainted);
  const frame = root[name]?.pads?.[0]?.frame ?? [0, 0, 1, 1];
  const shown = pads[0]?.shown ?? { x1: 0, y1: 0, x2: 0, y2: 0 };
  near(shown.x1, frame[0], off * (frame[2] - frame[0]) + 1e-9);
  near(shown.x2, frame[2], off * (frame[2] - frame[0]) + 1e-9);
  near(shown.y2, frame[3], off * (frame[3] - frame[1]) + 0.01 * (frame[3] - frame[1]));
});

it('writes titles, statistics, legends and texts', async () => {
  expect(texts(await picture('c_same'))).toEqual(
    expect.arrayContaining(['c_same_1', 'filled', 'points', 'dashed', 'x', 'Events']),
  );
  const said = texts(await picture('c_fit'));
  for (const one of ['Entries ', '#chi^{2} / ndf ', 'Constant '])
    expect(said.map((text) => `${text.trim()} `)).toContain(one);
  expect(texts(await picture('c_primitives'))).toEqual(
    expect.arrayContaining(['text', 'e^{i#pi} + 1 = 0', 'of two lines']),
  );
});

it('has the colours, styles and widths of lines', async () => {
  const { drawing } = await picture('c_lines');
  const paths = flat(drawing.shapes).filter((shape) => shape.kind === 'path' && shape.stroke !== undefined);
  const widths = paths.flatMap((one) => (one.kind === 'path' && one.dash === undefined ? [one.width] : []));
  expect(widths).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
  expect(new Set(paths.flatMap((one) => (one.kind === 'path' && one.dash ? [one.dash] : []))).size).toBe(9);
  expect(paths.map((one) => one.kind === 'path' && one.stroke)).toEqual(
    expect.arrayContaining(['#ff0000', '#00ff00', '#0000ff']),
  );
});

it('has the box of statistics of a histogram that nobody has painted', async () => {
  const object = await engine.object(file, 'h1');
  const pad: PlainObject = {
    ...{ _typename: 'TPad', fName: 'pad', fX1: 0, fY1: 0, fX2: 1, fY2: 1 },
    fPrimitives: { _typename: 'TList', arr: [{ ...object, fFunctions: null }], opt: [''] },
  };
  await loadKinds(pad);
  const said = texts(canvasPicture(pad, new Map()));
  expect(said).toEqual(expect.arrayContaining(['Counts', 'h1', 'Entries', '2000', 'Mean', 'Std Dev']));
});

it('names what it does not draw', async () => {
  expect((await picture('c_latex')).missing).toEqual([]);
  expect((await picture('c_three')).missing).toEqual(['TH3F c_three_h']);
  expect((await picture('c_hist')).missing).toEqual([]);
});

it('draws rings, curly lines, the zones beside lines, and all markers, as ROOT does', async () => {
  const line = { fLineColor: 1, fLineStyle: 1, fLineWidth: 1 };
  const fill = { fFillColor: 1, fFillStyle: 1001 };
  const pathsOf = async (object: PlainObject, option = '') => {
    const pad: PlainObject = {
      ...{ _typename: 'TPad', fName: 'pad', fX1: 0, fY1: 0, fX2: 1, fY2: 1 },
      fPrimitives: { _typename: 'TList', arr: [object], opt: [option] },
    };
    await loadKinds(pad);
    const { drawing, missing } = canvasPicture(pad, new Map());
    expect(missing).toEqual([]);
    const paths = flat(drawing.shapes).flatMap((one) => (one.kind === 'path' ? [one] : []));
    return { paths, width: drawing.width, height: drawing.height };
  };
  const ring = { fX1: 0.5, fY1: 0.5, fR1: 0.1, fR2: 0.2, fPhimin: 0, fYXRatio: 1, ...line, ...fill };
  const whole = await pathsOf({ _typename: 'TCrown', ...ring, fPhimax: 360 });
  expect(whole.paths.map(({ d }) => d.match(/Z/g)?.length)).toEqual([2, 2]);
  const part = await pathsOf({ _typename: 'TCrown', ...ring, fPhimax: 90 });
  expect(part.paths.map(({ d }) => d.match(/Z/g)?.length)).toEqual([1, 1]);
  const waves = { fX: Float64Array.of(0.1, 0.2, 0.3), fY: Float64Array.of(0.1, 0.3, 0.2), ...line };
  for (const _typename of ['TCurlyLine', 'TCurlyArc'])
    expect((await pathsOf({ _typename, ...waves, fOption: '' })).paths[0]?.d.match(/L/g)).toHaveLength(2);

  // A tenth of the longer side, at the left of a line that goes to the right.
  const points = { fX: Float64Array.of(0.1, 0.5), fY: Float64Array.of(0.5, 0.5), fNpoints: 2 };
  const graph = { _typename: 'TGraph', ...points, ...line, ...fill, fLineWidth: 2001 };
  const { paths, width, height } = await pathsOf(graph, 'L');
  const heights = [...(paths[0]?.d.matchAll(/[ML][\d.]+ ([\d.]+)/g) ?? [])].map(([, y]) => Number(y));
  near(Math.max(...heights), height / 2, 1);
  near(Math.max(...heights) - Math.min(...heights), Math.max(width, height) / 10, 1);
  const below = await pathsOf({ ...graph, fLineWidth: -2001 }, 'L');
  expect(below.paths[0]?.d).not.toBe(paths[0]?.d);

  const forms = await Promise.all(
    Array.from({ length: 15 }, async (_, i) => {
      const marker = { _typename: 'TMarker', fX: 0.5, fY: 0.5, fMarkerSize: 2, fMarkerColor: 1 };
      const [shape] = (await pathsOf({ ...marker, fMarkerStyle: 35 + i })).paths;
      return shape?.fill === undefined ? 'open' : 'full';
    }),
  );
  expect(forms.flatMap((form, i) => (form === 'full' ? [35 + i] : []))).toEqual([39, 41, 43, 45, 47, 48, 49]);
});

it('has an exponent beyond the digits that an axis allows', async () => {
  const stored = await engine.object(file, 'h1');
  const fArray = Float64Array.from(stored.fArray as Float64Array, (value) => 100 * value);
  const object: PlainObject = { ...stored, fArray, fFunctions: null };
  const drawn = async (fNdivisions: number) => {
    const pad: PlainObject = {
      ...{ _typename: 'TPad', fName: 'pad', fX1: 0, fY1: 0, fX2: 1, fY2: 1 },
      fPrimitives: {
        _typename: 'TList',
        arr: [{ ...object, fYaxis: { ...(object.fYaxis as PlainObject), fNdivisions } }],
        opt: [''],
      },
    };
    return texts(canvasPicture(pad, new Map())).some((text) => text.includes('#times10'));
  };
  expect([await drawn(510), await drawn(3_000_510)]).toEqual([false, true]);
});

it('puts fractions, roots, lines and colours of a text where ROOT has them', async () => {
  const { drawing } = await picture('c_latex');
  const shapes = flat(drawing.shapes);
  const textAt = (wanted: string) => {
    const found = shapes.find((shape) => shape.kind === 'text' && shape.text === wanted);
    if (found?.kind !== 'text') throw new Error(`no ${wanted}`);
    return found;
  };
  const [over, under] = [textAt('a+b'), textAt('c^{2}')];
  const size = over.size ?? 0;
  const lines = shapes.flatMap((shape) =>
    shape.kind === 'path' && shape.fill === undefined ? [shape.d] : [],
  );
  // The line of the fraction lies between its parts, which are one above the other.
  const rules = lines.flatMap((d) => {
    const [, left, y, right, same] = /^M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)$/.exec(d) ?? [];
    return y !== undefined && y === same ? [{ left: Number(left), right: Number(right), y: Number(y) }] : [];
  });
  const rule = rules.find(({ y }) => y > over.y && y < under.y);
  expect(rule).toBeDefined();
  near((rule?.right ?? 0) - (rule?.left ?? 0), 2.1 * size, 0.6 * size);
  near((rule?.left ?? 0) + (rule?.right ?? 0), 2 * under.x + size, 1.2 * size);
  // A root has a sign to its left and a line above it.
  const root = textAt('x_{i}^{2}');
  const sign = lines.find((d) => d.split('L').length === 5);
  const corners = [...(sign ?? '').matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  expect(corners[0]?.[0]).toBeLessThan(root.x);
  expect(corners[4]?.[0]).toBeGreaterThan(root.x + 0.5 * size);
  expect(corners[4]?.[1]).toBeLessThan(root.y - 0.7 * size);
  const [first, second] = [textAt('first line'), textAt('second line')];
  expect([first.x, second.y > first.y + 0.8 * size]).toEqual([second.x, true]);
  expect(textAt('red').fill).toBe('#ff0000');
  expect(textAt('italic')).toMatchObject({ font: 'serif', italic: true });
  expect(textAt('bold').x).toBeGreaterThan(textAt('italic').x + 1.5 * size);
});

it('writes the index of a root, smaller and before its sign', async () => {
  const { drawing } = await picture('latex', (object) => ({ ...object, fTitle: '#sqrt[3]{x}' }));
  const [index, body] = ['3', 'x'].map((wanted) =>
    flat(drawing.shapes)
      .flatMap((one) => (one.kind === 'text' && one.text === wanted ? [one] : []))
      .at(0),
  );
  expect(index?.x).toBeLessThan(body?.x ?? 0);
  expect(index?.y).toBeLessThan(body?.y ?? 0);
  expect(index?.size ?? Number.POSITIVE_INFINITY).toBeLessThan(body?.size ?? 0);
});

it.each([
  '#frac{',
  '#sqrt{#frac{a}',
  '#color[x]{#splitline{}}',
  '^{#frac{1}{2}'.repeat(300),
  '#frac'.repeat(500),
])('draws what is left of a broken text: %s', async (text) => {
  const changed = await picture('latex', (object) => ({ ...object, fTitle: text }));
  const all = JSON.stringify(changed.drawing.shapes);
  expect(all).not.toMatch(/NaN|null/);
});

const areas = (shapes: readonly Shape[]) =>
  flat(shapes).flatMap((one) => (one.kind === 'path' && one.fill !== undefined ? [one] : []));

it('shows nothing of the histograms below through the hatches of a stack', async () => {
  const { drawing, missing } = await picture('c_hatched');
  expect(missing).toEqual([]);
  const inFrame = drawing.shapes.flatMap((one) => (one.kind === 'clip' ? [one.shapes] : []));
  // The highest first; before each of the other two the ground of the frame.
  const grounds = inFrame.filter((shapes) => areas(shapes).some(({ fill }) => fill === '#ffffff'));
  expect(grounds).toHaveLength(2);
  expect(inFrame.indexOf(grounds[0] ?? [])).toBe(1);
});

it('turns names of bins and numbers, and writes all digits of a content', async () => {
  const { drawing } = await picture('c_turned');
  const shown = flat(drawing.shapes).flatMap((one) => (one.kind === 'text' ? [one] : []));
  const name = shown.find(({ text }) => text === 'selection 1');
  expect(name).toMatchObject({ angle: -90, anchor: 'end' });
  expect(shown.find(({ text }) => text === '12345')).toMatchObject({ angle: -45, bold: true });
});

it('draws axes of their own, with ticks to the left and labels to the right', async () => {
  const { drawing, missing, pads } = await picture('c_gaxis');
  expect(missing).toEqual([]);
  const shown = flat(drawing.shapes).flatMap((one) => (one.kind === 'text' ? [one] : []));
  const { box } = pads[0] ?? { box: { right: 0, left: 0, top: 0, bottom: 0 } };
  const edge = box.right - 0.1 * (box.right - box.left);
  const labels = shown.filter(({ fill, x }) => fill === '#ff0000' && x > edge);
  expect(labels.map(({ text }) => text)).toEqual([
    '0',
    '5',
    '10',
    '15',
    '20',
    '25',
    '30',
    '35',
    '40',
    '45',
    '50',
  ]);
  expect(labels.map(({ anchor }) => anchor)).toEqual(labels.map(() => 'start'));
  // From the bottom of the frame to its top.
  near(labels[0]?.y ?? 0, box.bottom - 0.1 * (box.bottom - box.top), 8);
  near(labels.at(-1)?.y ?? 0, box.top + 0.1 * (box.bottom - box.top), 8);
  const title = shown.find(({ text }) => text === 'another scale');
  expect(title).toMatchObject({ angle: -90, anchor: 'end' });
  expect(title?.x).toBeGreaterThan(edge + 20);
});

it('turns bold and slanted on and off, aligns heads of legends, and has small dots', async () => {
  const { drawing, missing } = await picture('c_styles');
  expect(missing).toEqual([]);
  const shown = flat(drawing.shapes).flatMap((one) => (one.kind === 'text' ? [one] : []));
  expect(shown.find(({ text }) => text === 'plain')?.bold).not.toBe(true);
  expect(shown.find(({ text }) => text === 'slanted')).toMatchObject({ bold: true, italic: true });
  expect(shown.find(({ text }) => text === 'A head')).toMatchObject({ anchor: 'middle' });
  // SetMoreLogLabels.
  expect(shown.map(({ text }) => text)).toEqual(expect.arrayContaining(['2', '20', '200']));
  const dots = flat(drawing.shapes).flatMap((one) => (one.kind === 'dots' ? [one] : []));
  expect(dots).toHaveLength(11);
  expect(Math.max(...dots.map(({ radius }) => radius))).toBeLessThan(1);
});

it('lays bars along x where its option says so, with the axis of the bins upright', async () => {
  const { drawing, pads } = await picture('c_lying');
  const { shown, box } = pads[0] ?? { box: { left: 0, right: 0, top: 0, bottom: 0 } };
  expect([shown?.y1, shown?.y2]).toEqual([0, 6]);
  const bars = areas(drawing.shapes).filter(({ fill }) => fill === '#ff0000');
  expect(bars).toHaveLength(6);
  const ends = bars.map(({ d }) => d.match(/-?[\d.]+/g)?.map(Number) ?? []);
  const x = (value: number) => {
    const [left, wide] = [box.left + 0.1 * (box.right - box.left), 0.8 * (box.right - box.left)];
    return left + (value / (shown?.x2 ?? 1)) * wide;
  };
  // From 0 to the content; the first bin is the lowest.
  for (const [i, content] of [5, 12, 40, 31, 9, 2].entries()) {
    near(Math.min(ends[i]?.[0] ?? 0, ends[i]?.[2] ?? 0), x(0), 0.1);
    near(Math.max(ends[i]?.[0] ?? 0, ends[i]?.[2] ?? 0), x(content), 0.1);
    if (i > 0) expect(ends[i]?.[1]).toBeLessThan(ends[i - 1]?.[1] ?? 0);
  }
  expect(texts({ drawing } as CanvasPicture)).toEqual(expect.arrayContaining(['n', 'x', '40']));
});

it('draws a TRatioPlot with the axes that it has of its own, once', async () => {
  const found = await picture('c_ratioplot');
  expect(found.missing).toEqual([]);
  // The two pads would have axes, too, whose labels it turns off by its options.
  expect(texts(found).filter((text) => text === '50')).toHaveLength(1);
  expect(texts(found).filter((text) => text === '−4')).toHaveLength(1);
});

it('fits the text of a label into it, and has room for texts alone between the lines of a box', async () => {
  const { drawing, pads } = await picture('c_labels');
  const { box } = pads[0] ?? { box: { left: 0, right: 0, top: 0, bottom: 0 } };
  const tall = box.bottom - box.top;
  const shown = flat(drawing.shapes).flatMap((one) => (one.kind === 'text' ? [one] : []));
  const textAt = (wanted: string) => shown.find(({ text }) => text === wanted);
  expect(textAt('A label')?.size).toBeLessThan(0.08 * tall);
  near((textAt('below')?.y ?? 0) - (textAt('above')?.y ?? 0), 0.15 * tall, 1);
  expect(shown.filter(({ angle }) => angle === -90).length).toBeGreaterThan(4);
});

it.each(['c_roofit', 'roofit'])('%s has the points and the curve of RooFit', async (name) => {
  const { drawing, missing } = await picture(name);
  expect(missing).toEqual([]);
  const all = flat(drawing.shapes);
  const points = all.flatMap((one) => (one.kind === 'dots' ? [one.points.length] : []));
  expect(points).toEqual([30]);
  const curve = all.find((one) => one.kind === 'path' && one.stroke === '#0000ff');
  expect(curve?.kind === 'path' && curve.d.split('L').length).toBeGreaterThan(50);
  expect(texts({ drawing } as CanvasPicture)).toContain('A plot of RooFit');
});

it('fills nothing in a colour that the canvas has not, and says so', async () => {
  const { drawing, missing } = await picture('c_hatched', (object) => {
    const walk = (value: PlainValue): void => {
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
      if (!Array.isArray(value) && value.fFillColor === 800) value.fFillColor = 23_456;
      for (const one of Object.values(value)) walk(one);
    };
    walk(object);
    return object;
  });
  expect(missing).toEqual(['areas in a colour that is not stored with the canvas']);
  expect(areas(drawing.shapes).map(({ fill }) => fill)).not.toContain('#000000');
});

it('hatches nothing outside of an area', () => {
  const lines = hatch(
    [
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ],
      [
        [20, 0],
        [30, 0],
        [25, 10],
      ],
    ],
    45,
    3,
  );
  const numbers = [...lines.matchAll(/([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  expect(numbers.length).toBeGreaterThan(10);
  for (const [x = 0, y = 0] of numbers) {
    expect(x < 10.01 || x > 19.99).toBe(true);
    expect(y > -0.01 && y < 10.01).toBe(true);
  }
});

it.each([
  [
    1,
    [0, 1.841021644577239],
    [0.8272462208950817, 2.2995265585528952],
    [2.943461036599116, 4.110204136593827],
  ],
  [2, [0, 3.688879454113936], [0.9746821920157102, 4.571643390938899], [4.884626902621665, 8.08480345141917]],
])(
  'the Poisson intervals of counts are those of ROOT (TH1::EBinErrorOpt %i)',
  (fBinStatErrOpt, ...expected) => {
    const errors = poissonErrors({ fBinStatErrOpt, fSumw2: [], fTsumw: 10, fTsumw2: 10 });
    for (const [i, content] of [0, 1, 9].entries()) {
      const { down, up } = errors?.(content) ?? { down: Number.NaN, up: Number.NaN };
      expect(down).toBeCloseTo(expected[i]?.[0] ?? 0, 6);
      expect(up).toBeCloseTo(expected[i]?.[1] ?? 0, 6);
    }
    const [low, high] = fBinStatErrOpt === 1 ? [31.6174986, 32.6333235] : [61.0269816, 63.952136];
    expect(errors?.(1000).down).toBeCloseTo(low, 2);
    expect(errors?.(1000).up).toBeCloseTo(high, 2);
    expect(poissonErrors({ fBinStatErrOpt, fSumw2: [1, 4], fTsumw: 3, fTsumw2: 5 })).toBeUndefined();
    expect(poissonErrors({ fBinStatErrOpt: 0 })).toBeUndefined();
  },
);

it('a million bins have the Poisson intervals of few counts', () => {
  const errors = poissonErrors({ fBinStatErrOpt: 1, fSumw2: [], fTsumw: 1, fTsumw2: 1 });
  let total = 0;
  for (let bin = 0; bin < 1_000_000; bin++) total += errors?.(299).up ?? 0;
  expect(total / 1_000_000).toBeCloseTo(Math.sqrt(299) + 1, 0);
});

it('a histogram that shows Poisson intervals has them as its error bars, also in empty bins', async () => {
  const h1 = await engine.object(file, 'h1');
  const cells = Number(h1.fNcells);
  const bars = (fBinStatErrOpt: number): number => {
    const fArray = Float64Array.from({ length: cells }, (_, i) => (i === 5 ? 4 : 0));
    const stored = { ...h1, fSumw2: [], fArray, fBinStatErrOpt };
    const canvas = { _typename: 'TCanvas', fPrimitives: { arr: [stored], opt: ['E'] } };
    const { drawing } = canvasPicture(canvas as unknown as PlainObject, new Map());
    const paths = flat(drawing.shapes).flatMap((shape) => (shape.kind === 'path' ? [shape.d] : []));
    // A bar upright with one along x.
    return paths.join(' ').match(/M[\d.-]+ [\d.-]+V[\d.-]+M[\d.-]+ [\d.-]+H/g)?.length ?? 0;
  };
  expect([bars(0), bars(1)]).toEqual([1, cells - 2]);
});

it('a white pad covers what lies below', () => {
  const inner = { _typename: 'TPad', fXlowNDC: 0.5, fYlowNDC: 0.5, fWNDC: 0.25, fHNDC: 0.25, fFillColor: 0 };
  const painted = (fFillStyle: number) => {
    const pad = { ...inner, fFillStyle, fPrimitives: { arr: [], opt: [] } };
    const { drawing } = canvasPicture(
      { _typename: 'TCanvas', fPrimitives: { arr: [pad], opt: [''] } } as unknown as PlainObject,
      new Map(),
    );
    return flat(drawing.shapes).filter((shape) => shape.kind === 'path' && shape.fill === '#ffffff').length;
  };
  expect([painted(1001), painted(4000)]).toEqual([1, 0]);
});

it('draws minor ticks half as long as those with labels', async () => {
  const { drawing } = await picture('c_styles');
  const ticks = flat(drawing.shapes).flatMap((one) =>
    one.kind === 'path'
      ? [...one.d.matchAll(/M[-\d.]+ [-\d.]+v(-?[\d.]+)/g)].map(([, size]) => Number(size))
      : [],
  );
  const [long = 0, short = 0] = [...new Set(ticks.map(Math.abs))].sort((a, b) => b - a);
  expect(ticks.length).toBeGreaterThan(20);
  near(long, 2 * short, 0.11);
  expect(ticks.filter((size) => Math.abs(size) === short).length).toBeGreaterThan(
    ticks.filter((size) => Math.abs(size) === long).length,
  );
});
