import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { XylemViewer } from '../../../web/element/element-api';
import { elementScript, openPortal, startOrigin, stopPortals } from '../../element/portal';
import { expect, row, test } from '../../story';

test.afterAll(stopPortals);

const drawn = (page: import('@playwright/test').Page) =>
  page.frameLocator('iframe[title$="drawn by JSROOT"]').locator('#drawing');

test('a canvas is drawn by JSROOT in a frame of its own, in light and dark, and follows its size', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/drawings.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'canvas', as: 'jsroot' })}`);
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

  // Files say their own colours, palettes among them: in the dark they stand on paper, as they are.
  const colours = () =>
    drawn(page).evaluate((place) =>
      [place, ...place.querySelectorAll('*')].map((one) => getComputedStyle(one).filter),
    );
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(new Set(await colours())).toEqual(new Set(['none']));
  await expect(frame).toHaveCSS('background-color', 'rgb(255, 255, 255)');

  const width = () =>
    drawn(page)
      .locator('svg.root_canvas')
      .evaluate((svg) => svg.getBoundingClientRect().width);
  const before = await width();
  await page.setViewportSize({ width: 420, height: 800 });
  await expect.poll(width).not.toBe(before);
  expect(await width()).toBeLessThanOrEqual(420);
});

test('a lego plot is drawn by JSROOT, dark in the dark theme', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/looks.root');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'm_lego' })}`);
  await page.getByRole('button', { name: 'Draw it with JSROOT' }).click();
  await expect(drawn(page).locator('canvas, svg image, svg.root_canvas').first()).toBeVisible();
  await expect(drawn(page)).toHaveCSS('filter', 'invert(0.89) hue-rotate(180deg)');
  await expect(page.locator('.jsroot iframe')).toHaveCSS('background-color', 'rgb(28, 28, 28)');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(drawn(page)).toHaveCSS('filter', 'none');
  // Other forms are chosen beside the plot.
  await page.getByRole('tab', { name: 'Plot' }).click();
  await page.getByRole('combobox', { name: 'As' }).selectOption({ label: 'Surface, by JSROOT' });
  await expect(page).toHaveURL(/how=surf1/);
  await expect(drawn(page).locator('canvas, svg image, svg.root_canvas').first()).toBeVisible();
});

test('a cube and a stack are drawn by JSROOT; what it does not know is said', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/drawings.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'stack', as: 'jsroot' })}`);
  await expect(drawn(page).getByText('Stacked')).toBeVisible();
  await row(page, 'cube').click();
  await page.getByRole('tab', { name: 'Draw with JSROOT' }).click();
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
  await openPortal(
    page,
    `<xylem-viewer src="${server.url}" item="canvas" as="jsroot"></xylem-viewer>`,
    'there',
  );
  await expect(drawn(page).getByText('A peak')).toBeVisible();
  // A script gets its picture, too.
  const svg = () =>
    page.locator('xylem-viewer').evaluate((element: XylemViewer) => {
      try {
        return element.toSVG();
      } catch (thrown) {
        return String(thrown);
      }
    });
  await expect.poll(svg).toMatch(/^<svg [\s\S]*A peak/);
});

test('a host gives the script of JSROOT, by the checksum that alone may run', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/drawings.root');
  const script = readFileSync(resolve(import.meta.dirname, '../../../dist/jsroot/frame.js'));
  const sha256 = createHash('sha256').update(script).digest('base64');
  const html = `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><main></main><script type="module">
    import '/xylem-viewer.js';
    const viewer = document.createElement('xylem-viewer');
    viewer.jsroot = { script: async () => (await fetch('/given')).text(), sha256: '${sha256}' };
    Object.assign(viewer, { src: '${server.url}', item: 'canvas', as: 'jsroot' });
    document.querySelector('main').append(viewer);
  </script>`;
  const { url } = await startOrigin((path) => {
    if (path === '/') return { body: html, headers: { 'Content-Type': 'text/html' } };
    return path === '/given' ? { body: script, headers: {} } : elementScript(path);
  });
  await page.goto(url);
  await expect(drawn(page).getByText('A peak')).toBeVisible();
});

test('in an element without that folder it is said, and the members are there', async ({
  page,
  rangeServer,
  complaints,
}) => {
  const server = await rangeServer('page/drawings.root');
  await openPortal(
    page,
    `<xylem-viewer src="${server.url}" item="canvas" as="jsroot"></xylem-viewer>`,
    'other',
  );
  await expect(page.getByRole('alert')).toContainText('JSROOT could not be loaded from');
  await page.getByRole('tab', { name: 'Members' }).click();
  await expect(page.getByText('fPrimitives')).toBeVisible();
  // The browser reports an error about the answer of the other site to the request for the script.
  complaints.length = 0;
});

test('a link in what is drawn leads nowhere, and another document in the frame hears of nothing', async ({
  page,
  rangeServer,
  complaints,
}) => {
  const server = await rangeServer('page/link.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'link', as: 'jsroot' })}`);
  const link = page.frameLocator('.jsroot iframe').locator('a').first();
  await expect(link).toBeAttached();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const inside = page.frames().find((one) => one.url().endsWith('/jsroot/frame.html'));
  const before = inside?.url();
  // Is called after the frame's own listener, which prevents that the link is followed.
  await inside?.evaluate(() => {
    addEventListener('click', (event) => Object.assign(window, { stays: event.defaultPrevented }), true);
  });
  await link.click({ force: true });
  expect(await inside?.evaluate(() => (window as unknown as { stays?: boolean }).stays)).toBe(true);
  expect(inside?.url()).toBe(before);
  expect(asked.filter((url) => url.includes('phish'))).toEqual([]);
  // Were it left in another way, what comes is taken away, and is told nothing.
  const blank = `data:text/html,<script>parent.postMessage({xylem:'ready'},'*');onmessage=(e)=>parent.postMessage({heard:e.data},'*')</script>`;
  await page.evaluate(() => {
    const told: unknown[] = [];
    Object.assign(window, { told });
    addEventListener('message', ({ data }) => told.push(data));
  });
  await inside?.evaluate((address) => {
    location.href = address;
  }, blank);
  await expect(page.getByRole('alert')).toContainText('led to another document');
  await expect(page.locator('.jsroot iframe')).toHaveCount(0);
  expect(
    JSON.stringify(await page.evaluate(() => (window as unknown as { told: unknown[] }).told)),
  ).not.toContain('heard');
  complaints.length = 0;
});
