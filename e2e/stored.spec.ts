import type { Locator } from '@playwright/test';
import { openPortal, stopPortals } from './element/portal';
import { expect, saved, test } from './story';

test.afterAll(stopPortals);

/** A stored canvas is whole within its place, in its own shape, and large enough to be read. */
async function isWhole(within: Locator, least: number): Promise<void> {
  await expect(async () => {
    const stage = await within.locator('.pad-stage').boundingBox();
    const canvas = await within.locator('.pad-stage canvas').boundingBox();
    const figure = await within.locator('figure.plot').boundingBox();
    if (stage === null || canvas === null || figure === null) throw new Error('There is no canvas.');
    for (const outer of [stage, figure]) {
      expect(canvas.y).toBeGreaterThanOrEqual(outer.y - 1);
      expect(canvas.y + canvas.height).toBeLessThanOrEqual(outer.y + outer.height + 1);
      expect(canvas.x + canvas.width).toBeLessThanOrEqual(outer.x + outer.width + 1);
    }
    expect(canvas.height).toBeGreaterThanOrEqual(least);
    const shape = await within
      .locator('.pad-stage canvas')
      .evaluate((element: HTMLCanvasElement) => element.width / element.height);
    expect(canvas.width / canvas.height).toBeCloseTo(shape, 1);
  }).toPass({ timeout: 10_000 });
}

test('stacks, projections and polygons are drawn, and the link keeps how', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/zoo.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'stack' })}`);
  const plot = page.locator('.plot-host');
  await expect(plot).toHaveAttribute('data-frames', /\d/);
  const legend = page.locator('.plot-legend button');
  await expect(legend).toHaveText(['Z', 'W+jets', 'tt̄']);
  await plot.hover({ position: { x: 200, y: 200 } });
  await expect(page.locator('.readout')).toHaveText(/W\+jets \d+[\s\S]*sum \d+/);
  await page.getByLabel('Stacked').click();
  await expect(legend).toHaveText(['tt̄', 'W+jets', 'Z']);
  await expect(page).toHaveURL(/how=nostack/);

  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'h3' })}`);
  await expect(page.getByLabel('Across')).toHaveValue('0');
  await page.getByLabel('Up').selectOption('2');
  await page.getByLabel('y', { exact: true }).fill('2:3');
  await page.getByLabel('y', { exact: true }).press('Enter');
  await expect(page).toHaveURL(/how=x%2Cz%3By%3D2%3A3/);
  await expect(plot).toHaveAttribute('aria-label', /Plot of Three axes, y 2–3/);
  await page.reload();
  await expect(plot).toHaveAttribute('aria-label', /Plot of Three axes, y 2–3/);

  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'poly' })}`);
  await expect(plot).toHaveAttribute('data-frames', /\d/);
  await plot.hover({ position: { x: 330, y: 220 } });
  await expect(page.locator('.readout')).toHaveText(/^x [\s\S]*y [\s\S]*\d+$/);
});

test('a canvas is drawn, and says what is missing in it', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/zoo.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'c_same' })}`);
  const picture = page.getByRole('img', { name: 'Picture of c_same' });
  await expect(picture.locator('canvas')).toBeVisible();
  await expect(page.getByRole('note')).toHaveCount(0);
  // JSROOT and its frame are no part of the page until they are asked for.
  expect(page.frames()).toHaveLength(1);
  const { name, bytes } = await saved(page, 'SVG');
  expect(name).toBe('c_same.svg');
  for (const text of ['filled', 'points', 'dashed']) expect(bytes.toString()).toContain(text);
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'c_three' })}`);
  await expect(page.getByRole('note')).toContainText('TH3F c_three_h');
  await page.setViewportSize({ width: 360, height: 740 });
  await expect
    .poll(async () => (await page.locator('.pad-stage canvas').boundingBox())?.width)
    .toBeLessThan(360);
});

test('a canvas fits into its place in both directions, in windows of all sizes', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/zoo.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'c_ratio' })}`);
  const sizes: [width: number, height: number, least: number][] = [
    [1280, 800, 400],
    [1440, 900, 450],
    [800, 600, 200],
    [600, 800, 300],
    [640, 400, 190],
    [740, 360, 190],
    [360, 740, 200],
    [2000, 500, 150],
  ];
  for (const [width, height, least] of sizes) {
    await test.step(`${width}x${height}`, async () => {
      await page.setViewportSize({ width, height });
      await isWhole(page.locator('.xylem'), least);
    });
  }
});

for (const [view, width, height, least] of [
  ['', 638, 0, 150],
  ['', 638, 360, 190],
  ['view="plot"', 638, 0, 250],
  ['view="plot"', 316, 200, 140],
] as const) {
  test(`a canvas fits into <xylem-viewer ${view}> of ${width} x ${height || 'its own height'}`, async ({
    page,
    rangeServer,
  }) => {
    const server = await rangeServer('page/zoo.root');
    await page.setViewportSize({ width, height: 900 });
    await openPortal(page, `<xylem-viewer src="${server.url}" item="c_ratio" ${view}></xylem-viewer>`);
    const viewer = page.locator('xylem-viewer');
    if (height > 0)
      await viewer.evaluate((element: HTMLElement, px) => {
        element.style.height = `${px}px`;
      }, height);
    await isWhole(viewer, least);
  });
}

test('a key of std::string shows its text', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/zoo.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'std_string' })}`);
  await expect(page.getByText('a text of C++')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
