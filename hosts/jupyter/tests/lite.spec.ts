import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { cell, run } from './lab';

/** A built JupyterLite: see lite/build.py. */
const SITE = process.env.LITE_SITE;
test.skip(SITE === undefined, 'LITE_SITE names no JupyterLite: it is built by npm run test:hosts');

const TYPES: Record<string, string> = {
  ...{
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.mjs': 'text/javascript',
    '.json': 'application/json',
  },
  ...{ '.wasm': 'application/wasm', '.css': 'text/css', '.svg': 'image/svg+xml' },
};

let server: Server;
let address = '';
test.beforeAll(async () => {
  server = createServer(async ({ url = '/' }, response) => {
    const path = join(SITE as string, normalize(decodeURIComponent(new URL(url, 'http://site').pathname)));
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, {
      'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
      'Content-Length': found.size,
    });
    return createReadStream(path).pipe(response);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const at = server.address();
  address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`;
});
test.afterAll(() => {
  server.closeAllConnections();
  server.close();
});

// Its kernel reads files through a service worker.
test.use({ serviceWorkers: 'allow' });

/** Addresses of other machines that the page asked for. */
function watch(page: Page): string[] {
  const out: string[] = [];
  page.context().on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(address)) out.push(request.url());
  });
  return out;
}

test('the widget shows a file of the browser, with a kernel in the browser and without a network', async ({
  page,
}) => {
  const out = watch(page);
  await page.goto(`${address}/lab/index.html?path=lite.ipynb`);
  await page.locator('.jp-Notebook .jp-Cell').first().waitFor();
  await expect(page.getByText(/Pyodide.*\| Idle/)).toBeVisible();
  await run(page, 0);
  await expect(cell(page, 0).locator('.jp-InputPrompt')).toHaveText('[1]:');
  const began = await run(page, 1);
  const plot = (index: number, name: RegExp) =>
    cell(page, index).locator('xylem-viewer').getByRole('img', { name });
  await expect(plot(1, /Plot of nMuon/)).toBeVisible();
  process.stdout.write(`JupyterLite: first histogram ${Date.now() - began} ms after Shift+Enter\n`);
  const output = (index: number) => cell(page, index).locator('.jp-OutputArea-output').last();
  await run(page, 2);
  await expect(output(2)).toHaveText("[True, 'nMuon', {}]");
  await run(page, 3);
  await expect(output(3)).toContainText('The kernel of JupyterLite has no network of its own');
  await run(page, 4);
  await expect(plot(4, /Plot of MET_pt/)).toBeVisible();
  expect(out.filter((url) => !url.includes('example.org'))).toEqual([]);
});

test('a double click opens a file of the browser', async ({ page }) => {
  const out = watch(page);
  await page.goto(`${address}/lab/index.html?reset`);
  await page.locator('.jp-DirListing-item', { hasText: 'sample.root' }).dblclick();
  const viewer = page.locator('.jp-Document:not(.lm-mod-hidden) xylem-viewer');
  await viewer.evaluate(async (element) => {
    await (element as unknown as { ready: Promise<unknown> }).ready;
    element.setAttribute('tree', 'Events');
    element.setAttribute('draw', 'nMuon');
  });
  await expect(viewer.getByRole('img', { name: /Plot of nMuon/ })).toBeVisible();
  expect(out).toEqual([]);
});
