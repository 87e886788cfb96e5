import { openPortal, stopPortals } from './portal';
import { expect, row, test } from './story';

test.afterEach(stopPortals);

const drawn = (page: import('@playwright/test').Page) =>
  page.frameLocator('iframe[title$="drawn by JSROOT"]').locator('#drawing');

test('a canvas is drawn by JSROOT in a frame of its own, in light and dark, and follows its size', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/drawings.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'canvas' })}`);
  await expect(page.getByRole('tab', { name: 'Draw with JSROOT' })).toHaveAttribute('aria-selected', 'true');
  // Both pads, the text with its root, the legend's line.
  await expect(drawn(page).locator('svg.root_canvas')).toBeVisible();
  await expect(drawn(page).getByText('squares', { exact: true })).toBeVisible();
  await expect(drawn(page).getByText('A peak')).toBeVisible();
  await expect(page.getByText('Loading JSROOT…')).toHaveCount(0);

  const frame = page.locator('.jsroot iframe');
  // Nothing of the page can be reached from there, nor its storage.
  await expect(frame).toHaveAttribute('sandbox', 'allow-scripts');
  const inside = page.frames().find((one) => one.url().endsWith('/jsroot/frame.html'));
  expect(await inside?.evaluate(() => self.origin)).toBe('null');

  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.frameLocator('.jsroot iframe').locator('html')).toHaveClass('dark');

  const width = () =>
    drawn(page)
      .locator('svg.root_canvas')
      .evaluate((svg) => svg.getBoundingClientRect().width);
  const before = await width();
  await page.setViewportSize({ width: 420, height: 800 });
  await expect.poll(width).not.toBe(before);
  expect(await width()).toBeLessThanOrEqual(420);
});

test('a cube and a stack are drawn by JSROOT; what it does not know is said', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/drawings.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'stack' })}`);
  await expect(drawn(page).getByText('Stacked')).toBeVisible();
  await row(page, 'cube').click();
  await expect(drawn(page).locator('canvas, svg image, svg.root_canvas').first()).toBeVisible();
  await expect(page.getByText('Loading JSROOT…')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);

  const sample = await rangeServer('sample.root');
  await page.goto(`/?${new URLSearchParams({ url: sample.url, item: 'plots/dimuonMass' })}`);
  await expect(page.locator('.plot canvas')).toBeVisible();
  // JSROOT and its frame are no part of the page until they are asked for.
  expect(page.frames()).toHaveLength(1);
  await page.getByRole('tab', { name: 'Draw with JSROOT' }).click();
  await expect(drawn(page).getByText('Dimuon mass')).toBeVisible();
});

test('in an element from another origin JSROOT draws where its folder lies beside the script', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/drawings.root');
  await openPortal(page, `<xylem-viewer src="${server.url}" item="canvas"></xylem-viewer>`, 'there');
  await expect(drawn(page).getByText('A peak')).toBeVisible();
});

test('in an element without that folder it is said, and the members are there', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/drawings.root');
  await openPortal(page, `<xylem-viewer src="${server.url}" item="canvas"></xylem-viewer>`, 'other');
  await expect(page.getByRole('alert')).toContainText('JSROOT could not be loaded from');
  await page.getByRole('tab', { name: 'Members' }).click();
  await expect(page.getByText('fPrimitives')).toBeVisible();
});
