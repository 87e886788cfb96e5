import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlainObject } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { jsrootForm } from '../../web/features/jsroot/view/jsroot-form';
import type { Shape } from '../../web/plot/drawing/drawing';
import { readableLatex, titleWidth } from '../../web/plot/drawing/latex';
import type { AnyPlot, GraphModel, MapModel, PlotModel } from '../../web/plot/model';
import { plotDrawing } from '../../web/plot/plot-drawing';
import { rebinned } from '../../web/plot/rebin';
import {
  type FunctionSamples,
  functionsWithin,
  samplesOf,
  samplesWanted,
} from '../../web/plot/stored/functions';
import { modelOfObject } from '../../web/plot/stored/stored';
import { plotSvg } from '../../web/plot/svg';
import { titledDrawing } from '../../web/plot/titled-drawing';
import { itemsOf, partAt } from '../../web/ui/contents/items';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

// Values that ROOT computes for the same objects: tests/fixtures/make_plots.py.
const root = JSON.parse(readFileSync(resolve(import.meta.dirname, 'root-values.json'), 'utf8')) as {
  fits: Record<string, { chi2: number; ndf: number; parameters: [string, number, number][] }>;
  stats: Record<string, Record<string, number>>;
};

let engine: EngineApi;
let file: number;

beforeAll(async () => {
  engine = await makeEngine();
  file = (await engine.open(bufferSpec('plots', fixtureBytes('page/plots')))).id;
});

async function stored(name: string): Promise<{ object: PlainObject; samples: FunctionSamples }> {
  const object = await engine.object(file, name);
  const requests = samplesWanted(functionsWithin(object));
  return { object, samples: samplesOf(requests, await engine.functionValues(requests)) };
}

async function model(name: string): Promise<AnyPlot> {
  const { object, samples } = await stored(name);
  const made = modelOfObject(object, samples);
  if (made === undefined) throw new Error(`${name} cannot be drawn`);
  return made;
}

const value = (lines: readonly { label: string; value: string }[] | undefined, label: string) =>
  lines?.find((line) => readableLatex(line.label) === label)?.value;

/** Texts of a drawing with the places that they take along x. */
function texts(shapes: readonly Shape[]): (Shape & { kind: 'text' })[] {
  return shapes.flatMap((shape) =>
    shape.kind === 'clip' ? texts(shape.shapes) : shape.kind === 'text' ? [shape] : [],
  );
}

describe('fits', () => {
  it.each(['h_fit', 'h_two_fits', 'g_fit'])(
    '%s has the curve, χ² and the parameters that ROOT gives',
    async (name) => {
      const { curves, functions } = await model(name);
      const fit = root.fits[name];
      const lines = functions?.[0]?.lines;
      expect(curves?.length).toBe(functions?.length);
      expect(value(lines, 'χ² / ndf')).toBe(`${Number(fit?.chi2.toPrecision(6))} / ${fit?.ndf}`);
      for (const [parameter, own, error] of fit?.parameters ?? []) {
        const [text = '', by = ''] = value(lines, readableLatex(parameter))?.split(' ± ') ?? [];
        expect(Math.abs(Number(text.replace('−', '-')) - own)).toBeLessThan(0.006 * error);
        expect(Math.abs(Number(by) - error)).toBeLessThan(0.006 * error);
      }
    },
  );

  it('a parameter that was fixed says so', async () => {
    const { functions } = await model('h_two_fits');
    expect(functions).toHaveLength(2);
    expect(value(functions?.[1]?.lines, 'p0')).toBe('100 (fixed)');
  });

  it('grow with bins that are taken together', async () => {
    const one = (await model('h_fit')) as PlotModel;
    const most = (plot: PlotModel) => Math.max(...(plot.curves?.[0]?.y ?? []));
    expect(most(rebinned(one, 4)) / most(one)).toBeCloseTo(4, 9);
  });

  it('are in the picture, with their names', async () => {
    const svg = plotSvg(await model('h_two_fits'));
    for (const text of ['slope', 'line', 'χ² / ndf', '100 (fixed)']) expect(svg).toContain(text);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('that are not to be drawn are told of, and why', async () => {
    const { object } = await stored('h_fit');
    const made = modelOfObject(object, new Map());
    expect(made?.curves).toBeUndefined();
    expect(made?.functions?.[0]?.why).toBe('It has no values.');
  });
});

describe('axes', () => {
  const drawn = async (name: string, width: number) =>
    plotDrawing(await model(name), { width, height: 400 }, { log: { x: false, y: false } });

  it.each([
    ['h_labels', 1200],
    ['h_labels', 600],
    ['h_labels', 300],
    ['h_big', 900],
    ['h_big', 260],
    ['h_time', 900],
    ['h_time', 260],
  ])('labels of %s do not overlap at %i px', async (name, width) => {
    const { shapes, frames } = await drawn(name, width);
    // The lowest label of y stands at the corner.
    const below = (frames[0]?.box.bottom ?? 0) + 8;
    const isLabel = ({ fill, y, text }: { fill?: string; y: number; text: string }) =>
      fill === 'faint' && y > below && text !== frames[0]?.x.ticks.factor;
    const labels = texts(shapes).filter(isLabel);
    expect(labels.length).toBeGreaterThan(1);
    const slanted = labels.some((text) => text.angle !== undefined);
    let end = Number.NEGATIVE_INFINITY;
    for (const { text, x } of labels) {
      if (text === '') continue;
      // Slanted labels only need room for their height.
      const half = slanted ? 6 : (titleWidth(text) * 12) / 2;
      expect(x - half).toBeGreaterThanOrEqual(end - 0.01);
      end = x + half;
    }
  });

  it('shows times as the axis asks for, and in which zone', async () => {
    const { shapes } = await drawn('h_time', 900);
    const all = texts(shapes).map(({ text }) => text);
    expect(all).toContain('15/11 06:00');
    expect(all).toContain('UTC');
    expect(value((await model('h_time')).stats, 'Mean')).toMatch(/^2023-11-15 \d\d:\d\d:\d\d UTC$/);
  });

  it('shows the range that the file says, and statistics of that', async () => {
    const shown = (await model('h_range')) as PlotModel;
    expect(shown.xRange).toEqual([2, 4]);
    expect(Number(value(shown.stats, 'Mean'))).toBeGreaterThan(2);
    const svg = plotSvg(shown, { stats: false });
    expect(svg).toContain('>2.5<');
    expect(svg).not.toContain('>6<');
    expect(plotSvg(shown, { stats: false, window: { x: [0, 10] } })).toContain('>6<');
  });
});

describe('contents', () => {
  it('that are no numbers are left out, and counted', async () => {
    const odd = (await model('h_nan')) as PlotModel;
    expect(value(odd.stats, 'Bins with NaN')).toBe('1');
    expect(value(odd.stats, 'Infinite bins')).toBe('1');
    const outline = /<path d="(M[^"]*)" fill="#1f7a5c"/.exec(plotSvg(odd))?.[1] ?? '';
    expect(outline.match(/M/g)).toHaveLength(3);
  });

  it('are written into cells where the file says "text"', async () => {
    const map = (await model('h2_text')) as MapModel;
    expect(map.text).toBe(true);
    expect(plotSvg(map).match(/>0\.9</g)).toHaveLength(4);
    expect(
      texts(plotDrawing(map, { width: 90, height: 70 }, { log: { x: false, y: false } }).shapes).map(
        ({ text }) => text,
      ),
    ).not.toContain('0.9');
  });

  it('of two dimensions have the means and deviations that ROOT gives', async () => {
    const { stats } = await model('h2');
    for (const [label, expected] of Object.entries(root.stats.h2 ?? {})) {
      expect(Number(value(stats, label)?.replace('−', '-'))).toBeCloseTo(expected, 4);
    }
  });

  it('of graphs with several errors have all of them', async () => {
    const { errors, more } = (await model('g_multi')) as GraphModel;
    expect([...(errors?.down ?? [])]).toEqual([1, 1, 1, 1, 1]);
    expect([...(errors?.up ?? [])]).toEqual([1.5, 1.5, 1.5, 1.5, 1.5]);
    expect(more?.map(({ down, up }) => [down[0], up[0]])).toEqual([[3, 2]]);
  });

  it('that are negative leave no hole at 0', async () => {
    const svg = plotSvg(await model('functions/sin2d'));
    const area = [...svg.matchAll(/d="([^"]*)"[^>]*crispEdges/g)].flatMap(([, d = '']) => [
      ...d.matchAll(/M([\d.]+) [\d.]+H([\d.]+)v([\d.]+)/g),
    ]);
    const filled = area.reduce(
      (sum, [, from, to, tall]) => sum + (Number(to) - Number(from)) * Number(tall),
      0,
    );
    const { box } = titledDrawing(
      await model('functions/sin2d'),
      { width: 720, height: 480 },
      { log: { x: false, y: false }, stats: true },
    ).frames[0] ?? { box: { left: 0, right: 0, top: 0, bottom: 0 } };
    expect(filled / ((box.right - box.left) * (box.bottom - box.top))).toBeCloseTo(1, 2);
  });
});

describe('lists', () => {
  it('have items by name; those of one name are told apart by their place', async () => {
    const { object } = await stored('output');
    const items = itemsOf(object) ?? [];
    expect(items.map(({ name, kind }) => [name, kind])).toEqual([
      ['note', 'other'],
      ['peak', 'plot'],
      ['line', 'plot'],
      ['inner', 'list'],
      ['[4]', 'list'],
    ]);
    const inner = itemsOf(partAt(object, 'inner') as PlainObject) ?? [];
    expect(inner.map(({ step }) => step)).toEqual(['[0]', 'eta', '[2]']);
    expect(partAt(object, 'inner/[2]')?.fTitle).toBe('Histogram 2 in the inner list');
    expect(partAt(object, 'inner/pt')?.fTitle).toBe('Histogram 0 in the inner list');
    // An empty place of an array stays one.
    expect((itemsOf(partAt(object, '[4]') as PlainObject) ?? []).map(({ step }) => step)).toEqual([
      'map',
      'a text',
    ]);
  });

  it('lead into members, and nowhere else', async () => {
    const { object } = await stored('output');
    expect(partAt(object, 'peak/fXaxis')?._typename).toBe('TAxis');
    expect(partAt(object, 'peak/fFunctions/arr/0')?._typename).toBe('TF1');
    for (const path of [
      'nothing',
      'peak/nothing',
      'inner/[9]',
      '__proto__',
      'peak/constructor',
      'note/fName',
    ]) {
      expect(partAt(object, path)).toBeUndefined();
    }
    expect(itemsOf(partAt(object, 'note') as PlainObject)).toBeUndefined();
  });
});

describe('what JSROOT gets', () => {
  const find = (object: unknown, className: string): PlainObject[] => {
    if (typeof object !== 'object' || object === null || ArrayBuffer.isView(object)) return [];
    const own = (object as PlainObject)._typename === className ? [object as PlainObject] : [];
    return [...own, ...Object.values(object).flatMap((member) => find(member, className))];
  };

  it('has values of functions, also deep within a canvas, and leaves the object alone', async () => {
    const { object, samples } = await stored('canvas_fit');
    const before = find(object, 'TF1').map((one) => (one.fSave as Float64Array).length);
    const form = jsrootForm(object, samples);
    const functions = find(form.object, 'TF1');
    expect(functions).toHaveLength(2);
    for (const one of functions) {
      // The formula with the parameters is still in the object.
      expect(one.fFormula).not.toBeNull();
      const save = one.fSave as Float64Array;
      expect(save).toHaveLength(1001 + 2);
      expect([...save.slice(-2)]).toEqual([60, 120]);
    }
    expect(find(object, 'TF1').map((one) => (one.fSave as Float64Array).length)).toEqual(before);
    expect(form.left).toEqual([]);
  });

  it('leaves functions without values out, and says so', async () => {
    const { object } = await stored('canvas_fit');
    const form = jsrootForm(object, new Map());
    expect(find(form.object, 'TF1')).toEqual([]);
    expect(form.left.map(({ name }) => name).sort()).toEqual(['on_canvas', 'peak']);
    for (const list of find(form.object, 'TList')) {
      if (Array.isArray(list.opt)) expect(list.opt).toHaveLength((list.arr as unknown[]).length);
    }
  });

  it('has titles where JSROOT looks for them, and a scale of colours', async () => {
    const formOf = async (name: string) => {
      const { object, samples } = await stored(name);
      return jsrootForm(object, samples);
    };
    const stack = (await formOf('stack')).object;
    expect(stack.fTitle).toBe('Stacked backgrounds');
    const [x, y] = find(stack.fHistogram, 'TAxis');
    expect([x?.fTitle, y?.fTitle]).toEqual(['m [GeV]', 'Events']);
    expect((await formOf('eff')).object.fTitle).toBe('Trigger efficiency;p_{T} [GeV];#varepsilon');
    for (const name of ['eff2', 'h2_poly', 'g2d', 'h2']) expect((await formOf(name)).option).toBe('colz');
    expect((await formOf('h2_text')).option).toBe('text colz');
  });
});
