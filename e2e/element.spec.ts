import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, fixturePath, row, statistic, test } from './story';

const script = readFileSync(resolve(import.meta.dirname, '../dist/xylem-viewer.js'));

interface Origin {
  url: string;
  server: Server;
}

/** A site of its own origin: paths to their answers. */
async function startOrigin(
  answer: (path: string) => { body: string | Buffer; headers: Record<string, string> } | undefined,
): Promise<Origin> {
  const server = createServer((request, response) => {
    const found = answer(request.url ?? '/');
    response.writeHead(found === undefined ? 404 : 200, found?.headers).end(found?.body);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const started: Server[] = [];

test.afterEach(() => {
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A portal's page with `body`, which loads the element from a second origin under a strict policy. */
async function openPortal(page: Page, body: string): Promise<void> {
  const cdn = await startOrigin((path) =>
    path === '/xylem-viewer.js'
      ? { body: script, headers: { 'Content-Type': 'text/javascript', 'Access-Control-Allow-Origin': '*' } }
      : undefined,
  );
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${cdn.url} 'wasm-unsafe-eval'`,
    'worker-src blob:',
    'connect-src http://127.0.0.1:*',
    'img-src data:',
  ].join('; ');
  const html = `<!doctype html><html lang="en"><head><title>Portal</title>
    <link rel="icon" href="data:,"><script type="module" src="${cdn.url}/xylem-viewer.js"></script>
    </head><body><h1>Portal</h1>${body}</body></html>`;
  const portal = await startOrigin((path) =>
    path === '/'
      ? { body: html, headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': policy } }
      : undefined,
  );
  started.push(cdn.server, portal.server);
  await page.goto(`${portal.url}/`);
}

test('two viewers from another origin, under a strict content policy, each with its file', async ({
  page,
  rangeServer,
}) => {
  const leaves = await rangeServer('leaves.root');
  const sample = await rangeServer('sample.root');
  await openPortal(
    page,
    `<xylem-viewer id="one" src="${leaves.url}" tree="t" draw="leaf_I"></xylem-viewer>
     <xylem-viewer id="two" src="${sample.url}" tree="Events" draw="nMuon" theme="dark"></xylem-viewer>`,
  );
  const one = page.locator('#one');
  const two = page.locator('#two');
  await expect(statistic(one, 'Entries')).toHaveText('150');
  await expect(statistic(two, 'Entries')).toHaveText('2,400');

  await row(two, 'trigger').click();
  await expect(two.locator('.frequencies')).toContainText('HLT_DoubleMu4_Jpsi');
  await expect(statistic(one, 'Entries'), 'the other viewer stays as it was').toHaveText('150');
  await expect(two.locator('.xylem')).toHaveAttribute('data-theme', 'dark');
  expect(new URL(page.url()).search, "the page's address is the portal's").toBe('');
});

test('attributes and properties change what is shown; removing the element ends its workers', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  await openPortal(page, `<xylem-viewer src="${sample.url}" tree="Events" draw="nMuon"></xylem-viewer>`);
  const viewer = page.locator('xylem-viewer');
  await expect(viewer.getByRole('heading', { name: 'nMuon' })).toBeVisible();
  await viewer.evaluate((element) => element.setAttribute('draw', 'MET_pt'));
  await expect(viewer.getByRole('heading', { name: 'MET_pt' })).toBeVisible();
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');

  const base64 = readFileSync(fixturePath('histograms.root')).toString('base64');
  await viewer.evaluate((element, text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    Object.assign(element, { file: new File([bytes], 'mine.root') });
  }, base64);
  await expect(row(viewer, 'TH1D')).toBeVisible();

  expect(page.workers().length).toBeGreaterThan(0);
  await viewer.evaluate((element) => element.remove());
  await expect.poll(() => page.workers().length).toBe(0);
});

test('the element tells of a file that cannot be had', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root', { status: 404 });
  await openPortal(page, `<xylem-viewer src="${server.url}"></xylem-viewer>`);
  await expect(page.locator('xylem-viewer').getByRole('alert')).toContainText('there is no such file');
});
