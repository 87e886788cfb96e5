import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, statistic, test } from './story';

// The parts of the page itself: what a server sends in place of them, and what is kept of that.

const dist = resolve(import.meta.dirname, '../dist/page');
const html = '<!doctype html><title>Sign in</title><link rel="icon" href="data:,">';
const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.html': 'text/html',
};

/** The answer that the server sends in place of a part of the page: a page with status 200, its first bytes, nothing. */
type Fault = 'page' | 'half' | 'missing';

interface Site {
  url: string;
  fault?: { of: RegExp; what: Fault } | undefined;
  asked: string[];
}

let server: Server;

/** Serves the built page; browsers may keep its parts indefinitely, as those of most sites. */
async function startSite(): Promise<Site> {
  const site: Site = { url: '', asked: [] };
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    site.asked.push(path);
    const name = path === '/' ? 'index.html' : path.slice(1);
    const type = types[extname(name)] ?? 'application/octet-stream';
    const fault = site.fault?.of.test(path) ? site.fault.what : undefined;
    const kept = { 'Cache-Control': 'public, max-age=31536000, immutable' };
    const fresh = { 'Cache-Control': 'no-cache' };
    if (fault === 'missing') response.writeHead(404, fresh).end();
    else if (fault === 'page')
      response.writeHead(200, { 'Content-Type': 'text/html', ...(path === '/' ? fresh : kept) }).end(html);
    else {
      let body: Buffer;
      try {
        body = readFileSync(join(dist, name));
      } catch {
        response.writeHead(404, { 'Content-Type': 'text/html' }).end(html);
        return;
      }
      const part = fault === 'half' ? body.subarray(0, body.length >> 1) : body;
      const policy = name.startsWith('assets/') ? kept : fresh;
      response.writeHead(200, { 'Content-Type': type, ...policy }).end(part);
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  // Service workers need https, or this machine by its name.
  site.url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  return site;
}

test.afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const plot = '?url=sample.root&tree=Events&draw=MET_pt';

async function see(page: Page, url: string): Promise<void> {
  await page.goto(url + plot);
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
}

/** Addresses and types of what the service worker keeps. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const cache = await caches.open('xylem-shell');
    const names: Record<string, string> = {};
    for (const request of await cache.keys()) {
      const type = (await cache.match(request))?.headers.get('content-type') ?? '';
      names[new URL(request.url).pathname] = type;
    }
    return names;
  });

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const what of ['page', 'half'] as const) {
    test(`a ${what} in place of scripts and the core is not kept, and a well server heals it`, async ({
      page,
      complaints,
    }) => {
      const site = await startSite();
      site.fault = { of: /xylem\.worker|xylem-[\w-]{8}\.wasm/, what };
      await page.goto(site.url + plot);
      await expect(page.getByRole('alert')).toContainText(
        /A worker of xylem was lost|core could not be compiled/,
      );
      await page.evaluate(() =>
        navigator.serviceWorker.ready.then(({ active }) => active?.postMessage('keep all')),
      );
      await expect.poll(async () => Object.keys(await kept(page)).length).toBeGreaterThan(50);
      const wrong = Object.keys(await kept(page)).filter((path) => site.fault?.of.test(path));
      expect(wrong).toEqual([]);
      site.fault = undefined;
      // The part that the browser keeps by itself is fetched anew, too.
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByText('Muon_pt')).toBeVisible();
      complaints.length = 0;
    });
  }

  test('a broken part that is kept heals at the next start', async ({ page, complaints }) => {
    const site = await startSite();
    await see(page, site.url);
    await page.evaluate(() =>
      navigator.serviceWorker.ready.then(({ active }) => active?.postMessage('keep all')),
    );
    await expect.poll(async () => Object.keys(await kept(page)).length).toBeGreaterThan(50);
    // As an older service worker kept it: a page under the name of the worker's script.
    const broken = await page.evaluate(async (body) => {
      const cache = await caches.open('xylem-shell');
      const [script] = (await cache.keys()).filter(({ url }) => url.includes('xylem.worker'));
      await cache.put(script as Request, new Response(body, { headers: { 'Content-Type': 'text/html' } }));
      return script?.url ?? '';
    }, html);
    expect(broken).toContain('xylem.worker');
    await page.reload();
    await expect(statistic(page, 'Entries')).toHaveText('2,400');
    await expect.poll(async () => (await kept(page))[new URL(broken).pathname]).toBe('text/javascript');
    complaints.length = 0;
  });

  test('a page that the browser keeps in place of each script of a new version lasts for one reload', async ({
    page,
    complaints,
  }) => {
    const site = await startSite();
    // The browser keeps the answers for a year, as those of the scripts themselves.
    site.fault = { of: /^\/assets\//, what: 'page' };
    await page.goto(site.url + plot);
    // A document without a policy of its own installs what the scripts of an older version would.
    await page.goto(`${site.url}nothing`);
    await page.evaluate(async (address) => {
      await navigator.serviceWorker.register(address);
      await navigator.serviceWorker.ready;
    }, `${site.url}shell-worker.js`);
    site.fault = undefined;
    await see(page, site.url);
    complaints.length = 0;
  });

  test('scripts that are broken where they are kept last for one reload', async ({ page, complaints }) => {
    const site = await startSite();
    await see(page, site.url);
    await page.evaluate(() =>
      navigator.serviceWorker.ready.then(({ active }) => active?.postMessage('keep all')),
    );
    await expect.poll(async () => Object.keys(await kept(page)).length).toBeGreaterThan(50);
    await page.evaluate(async () => {
      const cache = await caches.open('xylem-shell');
      const scripts = (await cache.keys()).filter(({ url }) => url.endsWith('.js'));
      const headers = { 'Content-Type': 'text/javascript' };
      await Promise.all(scripts.map((script) => cache.put(script, new Response('half a (', { headers }))));
    });
    await page.reload();
    await expect(statistic(page, 'Entries')).toBeHidden();
    await page.reload();
    await expect(statistic(page, 'Entries')).toHaveText('2,400');
    complaints.length = 0;
  });

  test("a page for signing in does not take the place of the page's document", async ({
    page,
    complaints,
  }) => {
    const site = await startSite();
    await see(page, site.url);
    await expect.poll(async () => (await kept(page))['/']).toBe('text/html');
    site.fault = { of: /^\/$/, what: 'page' };
    await page.goto(site.url);
    await expect(page).toHaveTitle('Sign in');
    // Without a network the page itself starts.
    server.closeAllConnections();
    server.close();
    await page.goto(site.url);
    await expect(page).toHaveTitle('xylem');
    // The list of a served folder cannot come then.
    await expect(page.getByRole('button', { name: /sample/i }).first()).toBeVisible();
    expect(complaints.filter((text) => !text.includes('files.json'))).toEqual([]);
    complaints.length = 0;
  });
});

test('a part of the page that is gone after a deployment: the page can be loaded again', async ({
  page,
  complaints,
}) => {
  const site = await startSite();
  await see(page, site.url);
  site.fault = { of: /table-view/, what: 'missing' };
  await page.goto(`${site.url}?url=sample.root&tree=Events&view=table`);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('A part of xylem could not be loaded');
  site.fault = undefined;
  await alert.getByRole('button', { name: 'Load the page again' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  complaints.length = 0;
});

test('a script of the worker that is gone for a moment does not keep the page from reading', async ({
  page,
  complaints,
}) => {
  const site = await startSite();
  site.fault = { of: /xylem\.worker/, what: 'missing' };
  await page.goto(site.url + plot);
  await expect(page.getByRole('alert')).toContainText('A worker of xylem was lost');
  site.fault = undefined;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  complaints.length = 0;
});

test('a new visitor of a folder that lacks files is told so, and others do not see it', async ({
  page,
  complaints,
}) => {
  const site = await startSite();
  const told = page.getByText('copy its whole folder there');
  site.fault = { of: /assets\/index-.*\.js/, what: 'missing' };
  await page.goto(site.url + plot);
  await expect(told).toBeHidden();
  await expect(told).toBeVisible();
  site.fault = undefined;
  await see(page, site.url);
  await expect(told).toBeHidden();
  complaints.length = 0;
});
