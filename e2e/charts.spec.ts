import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { build } from 'vite';
import { barShapes } from '../web/features/reads/work/read-pattern';
import { layered } from '../web/plot/layers/layered';
import { type AnyPlot, type PlotModel, uniformEdges, withCountErrors } from '../web/plot/model';
import type { PlotWindow } from '../web/plot/ranges';
import { panelWithRight } from '../web/plot/right-axis';
import type { Distance } from './charts-page';

const named = { title: 'Title', xTitle: 'x [GeV]', yTitle: 'Entries', stats: [] };
const counts = Float64Array.from({ length: 40 }, (_, i) => Math.round(900 * Math.exp(-((i - 15) ** 2) / 60)));
const steps: PlotModel = {
  kind: 'bins',
  ...named,
  edges: uniformEdges(40, 0.5, 120),
  values: counts,
  mark: 'steps',
};
const unequal: PlotModel = {
  ...steps,
  edges: Float64Array.of(1, 2, 5, 10, 50, 100, 1000),
  values: Float64Array.of(3, 70, 1, Number.NaN, 900, 12),
};
const points = Float64Array.from({ length: 12 }, (_, i) => 1 + i * i);
const errors = { left: points, right: points, down: points.map(Math.sqrt), up: points.map(Math.sqrt) };
const scattered: AnyPlot = { kind: 'graph', ...named, x: points, y: points.toReversed(), errors };
const curve = {
  title: 'gaus',
  x: uniformEdges(300, 1, 119),
  y: uniformEdges(300, 1, 119).map((x) => 900 - 7 * x),
};

const models: Record<string, [AnyPlot, log?: string, window?: PlotWindow]> = {
  steps: [steps],
  'logarithmic steps of unequal bins, one without a value': [unequal, 'xy'],
  'error bars and a function': [withCountErrors({ ...steps, curves: [curve] })],
  'a part of x and of y': [steps, '', { x: [20, 61.5], y: [100, 640] }],
  'a profile': [{ ...steps, mark: 'points', errors: counts.map((value) => value / 9) }],
  'two files and their ratio': [
    layered(
      [steps, { ...steps, values: counts.map((value) => value * 1.1) }].map((model, i) => ({
        model,
        label: `${i}`,
      })),
      { norm: 'none', below: 'ratio' },
    ).model,
    'y',
  ],
  'names of bins': [{ ...steps, xLabels: [...counts].map((_, i) => `cut ${i}`) }],
  times: [{ ...steps, edges: uniformEdges(40, 0, 864_000), xTime: { offset: 1.7e9, format: '' } }],
  'values around 1e-30': [
    { ...steps, edges: uniformEdges(40, 0, 1e-30), values: counts.map((v) => v * 1e-30) },
  ],
  'values around 1e20': [
    { ...steps, edges: uniformEdges(40, -1e20, 1e20), values: counts.map((v) => v * 1e20) },
  ],
  'points that go back and forth': [scattered],
  'logarithmic points': [scattered, 'xy'],
  'a line along a second axis': [
    {
      ...scattered,
      limits: { low: 0 },
      overlays: [{ title: 'time', x: points, y: points.map(Math.sqrt), dots: false, onRight: true }],
      right: { title: 'Time (s)', ink: 'ink', panel: panelWithRight },
    },
  ],
  'bars in named rows': [
    {
      ...scattered,
      y: points.map((_, i) => i),
      shapes: barShapes,
      rows: Array.from(points, (_, i) => `row ${i}`),
    },
  ],
  map: [
    {
      ...named,
      ...{
        kind: 'map',
        zTitle: 'z',
        xEdges: uniformEdges(8, -3, 3),
        yEdges: uniformEdges(5, 0, 1),
        values: counts,
      },
    },
  ],
};

let folder = '';
let script = '';
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-charts-'));
  const entry = resolve(import.meta.dirname, 'charts-page.ts');
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, lib: { entry, formats: ['iife'], name: 'charts', fileName: 'charts' } },
  });
  script = await readFile(join(folder, 'charts.iife.js'), 'utf8');
});
test.afterAll(() => rm(folder, { recursive: true }));

test('the picture of a large map is moved to where the map is drawn when the gesture is over', async ({
  page,
}) => {
  await page.setContent('<!doctype html><body style="margin: 0"></body>');
  await page.addScriptTag({ content: script });
  const { during, after } = await page.evaluate(() =>
    (
      globalThis as unknown as {
        changesOfGesture(bins: number): Promise<{ during: number; after: number }>;
      }
    ).changesOfGesture(700),
  );
  expect(during).toBeGreaterThan(0.2);
  expect(after).toBeLessThan(0.05);
});

for (const ratio of [1, 2]) {
  test.describe(`at ${ratio} pixels for a CSS pixel`, () => {
    test.use({ deviceScaleFactor: ratio });

    test('uPlot draws what is saved: the same ticks, and each bin within half a pixel', async ({ page }) => {
      await page.setContent('<!doctype html><body style="margin: 0"></body>');
      await page.addScriptTag({ content: script });
      for (const [name, [model, log = '', window]] of Object.entries(models)) {
        for (const size of [
          [700, 420],
          [333, 241],
        ] as const) {
          // Numbers go to the page as lists, where they become arrays of numbers again.
          const text = JSON.stringify(model, (_, value) =>
            value instanceof Float64Array ? { numbers: Array.from(value, String) } : value,
          );
          const found = await page.evaluate(
            ([text, log, window, size]) => {
              const given = JSON.parse(text, (_, value) =>
                Array.isArray(value?.numbers) ? Float64Array.from(value.numbers, Number) : value,
              );
              const { distanceOf } = globalThis as unknown as {
                distanceOf(...given: unknown[]): Promise<Distance>;
              };
              return distanceOf(given, { x: log.includes('x'), y: log.includes('y') }, window, size);
            },
            [text, log, window, size] as const,
          );
          const { panels, linePixels, ...distance } = found;
          const what = `${name}, ${size.join(' by ')}`;
          expect(panels, what).toBe(model.kind === 'bins' && model.below ? 2 : 1);
          expect(distance.otherTicks, what).toBe(0);
          expect(distance.tick, what).toBeLessThanOrEqual(0.5);
          expect(distance.edge, what).toBeLessThanOrEqual(0.5);
          expect(distance.content, what).toBeLessThanOrEqual(0.5);
          expect(linePixels, what).toBeGreaterThan(300);
          // An axis is drawn otherwise where an error bar ends on it.
          expect(distance.strayPixels / linePixels, what).toBeLessThan(0.005);
        }
      }
    });
  });
}
