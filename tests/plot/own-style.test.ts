import { beforeAll, describe, expect, it } from 'vitest';
import type { PlainObject } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { jsrootForm } from '../../web/features/jsroot/view/jsroot-form';
import type { Shape } from '../../web/plot/drawing/drawing';
import { layered } from '../../web/plot/layers/layered';
import type { AnyPlot } from '../../web/plot/model';
import { plotDrawing } from '../../web/plot/plot-drawing';
import { drawnObject, loadKinds } from '../../web/plot/stored/stored';
import { isStyled } from '../../web/plot/stored/style';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

// Histograms that ROOT wrote with their styles and options: tests/fixtures/make_looks.py.
let engine: EngineApi;
let file: number;

beforeAll(async () => {
  engine = await makeEngine();
  file = (await engine.open(bufferSpec('looks', fixtureBytes('page/looks')))).id;
});

const stored = (name: string): Promise<PlainObject> => engine.object(file, name);

async function plot(name: string, how = ''): Promise<AnyPlot> {
  const object = await stored(name);
  await loadKinds(object, how);
  const { model } = drawnObject(object, new Map(), how);
  if (model === undefined) throw new Error(`${name} is not drawn`);
  return model;
}

const size = { width: 600, height: 400 };
const log = { x: false, y: false };

/** The shapes within the axes. */
const inside = (model: AnyPlot): Shape[] =>
  plotDrawing(model, size, { log }).shapes.flatMap((shape) => (shape.kind === 'clip' ? shape.shapes : []));

const paths = (shapes: readonly Shape[]) => shapes.flatMap((shape) => (shape.kind === 'path' ? [shape] : []));
const count = (d: string, letter: string): number => d.split(letter).length - 1;

describe('a stored histogram in its own style', () => {
  it('has the colour, width and dashes of its line, and no filling of its own', async () => {
    const [line, ...more] = paths(inside(await plot('h_hist')));
    expect(line).toMatchObject({ stroke: '#cf0d0d', width: 3, dash: '3 3' });
    expect(line?.fill).toBeUndefined();
    expect(more).toEqual([]);
  });

  it('has its filling, in one colour or hatched', async () => {
    const [area, line] = paths(inside(await plot('h_fill')));
    expect(area?.fill).toBe('#3399ff');
    expect(line?.stroke).toMatch(/^#/);
    const [hatches] = paths(inside(await plot('h_hatch')));
    expect(hatches?.fill).toBeUndefined();
    expect(count(hatches?.d ?? '', 'M')).toBeGreaterThan(20);
    const [yellow, black] = paths(inside(await plot('h_black')));
    expect([yellow?.fill, black?.stroke]).toEqual(['#ffff00', 'ink']);
  });

  it('has bars with their width and offset', async () => {
    const bars = paths(inside(await plot('h_bar')));
    expect(bars).toHaveLength(20);
    const [first, second] = bars.map(({ d }) => (d.match(/[\d.]+/g) ?? []).map(Number));
    const [left = 0, , right = 0] = first ?? [];
    const pitch = (second?.[0] ?? 0) - left;
    expect((right - left) / pitch).toBeCloseTo(0.6, 2);
  });

  it('has its markers, open and full, and its error bars', async () => {
    const points = inside(await plot('h_points'));
    expect(points.find(({ kind }) => kind === 'dots')).toMatchObject({ fill: 'ink', radius: 4 });
    expect(points.some((shape) => shape.kind === 'path' && shape.d.includes('V'))).toBe(true);
    const [squares] = paths(inside(await plot('h_open')));
    expect(squares?.fill).toBeUndefined();
    expect(squares?.stroke).toMatch(/^#/);
    const band = paths(inside(await plot('h_band')));
    expect(band.every(({ fill, fillOpacity }) => fill === '#ff0000' && fillOpacity === 0.55)).toBe(true);
  });

  it('with HBAR has its contents along x, and the names of its bins as rows', async () => {
    const model = await plot('h_hbar_names');
    if (model.kind !== 'graph') throw new Error(model.kind);
    expect(model.rows?.slice(0, 2)).toEqual(['unprescaled', 'HLT_IsoMu24']);
    expect(model.note?.(1)).toBe('HLT_IsoMu24\n17');
    const { frames } = plotDrawing(model, size, { log });
    const [frame] = frames;
    const bars = paths(inside(model)).map(({ d }) => (d.match(/[\d.]+/g) ?? []).map(Number));
    expect(bars).toHaveLength(6);
    // Rectangles begin at 0 and end at the content.
    bars.forEach(([from = 0, , to = 0], i) => {
      expect(frame?.x.toValue(from)).toBeCloseTo(0, 1);
      expect(frame?.x.toValue(to)).toBeCloseTo(10 + 7 * i, 1);
    });
    const numbers = await plot('h_hbar');
    expect(numbers.kind === 'graph' && numbers.rows).toBeUndefined();
  });

  it('is plain when that is asked for, when other layers lie over it, and when nobody set a style', async () => {
    const plain = await plot('h_bar', 'plain');
    expect(plain.kind === 'bins' && plain.paint).toBeUndefined();
    const own = await plot('h_fill');
    const { model } = layered(
      [
        { model: own, label: 'a' },
        { model: plain, label: 'b' },
      ],
      { norm: 'none', below: 'none' },
    );
    expect(model.kind === 'bins' && model.paint).toBeUndefined();
    expect(model.kind === 'bins' && model.ink).toBe('line1');
    for (const name of ['h_runs', 'h_labels60']) expect(isStyled(await stored(name), ''), name).toBe(false);
  });

  it('takes another option, in the colours of the page if it has none', async () => {
    const bars = paths(inside(await plot('h_runs', 'bar')));
    expect(bars).toHaveLength(20);
    for (const { fill, fillOpacity } of bars) expect([fill, fillOpacity]).toEqual(['line1', 0.4]);
    const errors = await plot('h_runs', 'e1');
    // The axis has room for the bars.
    const { frames } = plotDrawing(errors, size, { log });
    expect(frames[0]?.y.spec.range[1]).toBeGreaterThan(111);
    expect((await plot('h_runs', 'hbar')).kind).toBe('graph');
  });

  it('shows its errors when they are asked for', async () => {
    const model = await plot('h_hist');
    if (model.kind !== 'bins') throw new Error(model.kind);
    const before = inside(model).length;
    const errors = model.values.map(Math.sqrt);
    expect(inside({ ...model, errors }).length).toBeGreaterThan(before);
  });
});

it('views in three dimensions are those of JSROOT', async () => {
  const lego = await stored('m_lego');
  expect(jsrootForm(lego, new Map()).option).toBe('LEGO2Z');
  expect(jsrootForm(lego, new Map(), 'surf1').option).toBe('surf1');
  expect(jsrootForm(lego, new Map(), 'cont').option).toBe('LEGO2Z');
});
