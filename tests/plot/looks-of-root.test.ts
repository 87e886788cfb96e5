import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import { mapColours } from '../../web/plot/draw-map';
import { type Palette, scaleOf } from '../../web/plot/drawing/colour-scale';
import type { Shape } from '../../web/plot/drawing/drawing';
import { type AnyPlot, statNumber } from '../../web/plot/model';
import { panelsOf } from '../../web/plot/panels';
import { rootStats, statBoxes } from '../../web/plot/stat-box';
import { modelOfObject } from '../../web/plot/stored/stored';
import { titledDrawing } from '../../web/plot/titled-drawing';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

// The statistics boxes that ROOT draws for the same histograms: tests/fixtures/make_looks.py.
const root: Record<string, [label: string, text: string][]> = JSON.parse(
  readFileSync(resolve(import.meta.dirname, 'root-stats.json'), 'utf8'),
);

let engine: EngineApi;
let file: number;

beforeAll(async () => {
  engine = await makeEngine();
  file = (await engine.open(bufferSpec('looks', fixtureBytes('page/looks')))).id;
});

async function model(name: string): Promise<AnyPlot> {
  const made = modelOfObject(await engine.object(file, name));
  if (made === undefined) throw new Error(`${name} cannot be drawn`);
  return made;
}

const log = { x: false, y: false };
const texts = (shapes: readonly Shape[]) => shapes.flatMap((shape) => (shape.kind === 'text' ? [shape] : []));

describe('the statistics in a plot', () => {
  it.each(Object.keys(root).filter((name) => !/hbar/.test(name)))(
    'are the texts of ROOT for %s',
    async (name) => {
      const { stats } = await model(name);
      // A mean of 1e-16 is the rounding of a sum.
      const isNoise = ([, text]: [string, string]) => /e-1[5-9]$/.test(text.replaceAll('−', '-'));
      const own = rootStats(stats).map(([label, text]): [string, string] => [
        label,
        text.replaceAll('−', '-'),
      ]);
      expect(own.filter((line) => !isNoise(line))).toEqual(root[name]?.filter((line) => !isNoise(line)));
    },
  );

  it('stand in a box within the plot, and no longer beside it', async () => {
    const plot = await model('h_runs');
    const size = { width: 720, height: 480 };
    const drawn = (statbox: boolean) => titledDrawing(plot, size, { log, stats: true, statbox });
    const inside = texts(drawn(true).shapes).filter(({ text }) =>
      /^(h_runs|Entries|883|Mean|3\.561e\+05)$/.test(text),
    );
    const [frame] = drawn(true).frames;
    expect(inside.map(({ text }) => text)).toEqual([
      'Entries',
      'h_runs',
      'Entries',
      '883',
      'Mean',
      '3.561e+05',
    ]);
    for (const { x, y } of inside.slice(1)) {
      expect(x).toBeLessThan(frame?.box.right ?? 0);
      expect(y).toBeGreaterThan(frame?.box.top ?? 0);
    }
    expect(texts(drawn(true).shapes).some(({ text }) => text === 'Underflow')).toBe(false);
    expect(texts(drawn(false).shapes).some(({ text }) => text === 'Underflow')).toBe(true);
  });

  it('of several layers are one below the other, in their colours, as far as there is room', async () => {
    const plot = await model('h_runs');
    if (plot.kind !== 'bins') throw new Error(plot.kind);
    const overlay = { title: 'other', values: plot.values, stats: plot.stats };
    const several = { ...plot, label: 'own', overlays: Array.from({ length: 9 }, () => overlay) };
    const [panel] = panelsOf(several, { left: 0, right: 500, top: 0, bottom: 300 }, { log });
    if (panel === undefined) throw new Error('no panel');
    const boxes = statBoxes(several, panel.frame, ['line1', 'line2', 'line3']).filter(
      ({ kind }) => kind === 'path',
    );
    expect(boxes.length).toBeGreaterThan(1);
    expect(boxes.length).toBeLessThan(5);
    expect(boxes.map((box) => box.kind === 'path' && box.stroke).slice(0, 2)).toEqual(['line1', 'line2']);
    expect(
      statBoxes(several, { ...panel.frame, box: { left: 0, right: 90, top: 0, bottom: 300 } }, []),
    ).toEqual([]);
  });
});

describe('colours of maps', () => {
  // Colours 0, 64, 127, 190 and 254 of TColor::SetPalette(57), 112, 113, 55 and 52 in ROOT 6.40.
  it.each<[Palette, string[]]>([
    ['bird', ['352a87', '1382d5', '2eb7a4', 'cebb5a', 'f9f90f']],
    ['viridis', ['1a091e', '2b3870', '1c7670', '49b349', 'f3dd01']],
    ['cividis', ['00204d', '424e6b', '7c7b78', 'bcae6f', 'fee947']],
    ['rainbow', ['000063', '107ec6', '66ce5a', 'd0650d', '710102']],
    ['grey', ['000000', '414141', '808080', 'bfbfbf', 'fefefe']],
  ])('%s is that of ROOT', (palette, colours) => {
    const scale = scaleOf(palette, false);
    [0, 64, 127, 190, 254].forEach((at, k) => {
      const index = Math.round((at * 255) / 254);
      for (const part of [0, 1, 2]) {
        const expected = Number.parseInt((colours[k] ?? '').slice(2 * part, 2 * part + 2), 16);
        expect(Math.abs((scale[3 * index + part] ?? 0) - expected)).toBeLessThanOrEqual(4);
      }
    });
  });

  const parts = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

  it.each([false, true])('contents of both signs have two colours that meet at zero (dark: %s)', (dark) => {
    const colour = mapColours({ log: false, dark }, [-10, 30]);
    // 0 is a quarter along the scale. There the colour is nearly grey.
    const zero = parts(colour(64));
    expect(Math.max(...zero) - Math.min(...zero)).toBeLessThan(16);
    const [red = 0, , blue = 0] = parts(colour(255));
    expect(red).toBeGreaterThan(blue + 60);
    const [low = 0, , high = 0] = parts(colour(0));
    expect(high).toBeGreaterThan(low + 20);
    // The same magnitude is as strong on both sides: −10 is weaker than 30.
    expect(high - low).toBeLessThan(red - blue);
    expect(mapColours({ log: false, dark, palette: 'grey' }, [-10, 30])(0)).toBe('#000000');
    expect(mapColours({ log: false, dark }, [0, 30])(128)).not.toBe(colour(128));
  });

  it('a chosen palette is that of the cells and of the scale beside them', async () => {
    const drawn = titledDrawing(
      await model('m_signed'),
      { width: 600, height: 400 },
      { log, stats: false, palette: 'grey' },
    );
    const fills = (shapes: readonly Shape[]): string[] =>
      shapes.flatMap((one) =>
        one.kind === 'clip'
          ? fills(one.shapes)
          : one.kind === 'rect' || (one.kind === 'path' && one.fill)
            ? [String(one.fill)]
            : [],
      );
    const all = fills(drawn.shapes).filter((one) => one.startsWith('#'));
    expect(all.length).toBeGreaterThan(80);
    for (const colour of all) expect(new Set(parts(colour)).size).toBe(1);
  });
});

it('writes all minus signs alike', () => {
  expect(statNumber(-1.5e-16)).toBe('−1.5e−16');
});
