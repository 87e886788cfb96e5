import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { XylemViewer } from '../web/element/element-api';
import { elementScript, startOrigin } from './element/portal';
import { expect, row, statistic, test } from './story';

test('a signed address is in no address of the page, no history and no referrer', async ({
  page,
  context,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  const told: string[] = [];
  context.on('request', (request) => {
    if (request.url().startsWith(server.url)) return;
    told.push(request.url(), request.headers().referer ?? '');
  });
  await page.goto('/');
  const field = page.getByRole('textbox', { name: 'Address of a ROOT file' });
  await field.fill(`${server.url}?X-Amz-Expires=60&X-Amz-Signature=SECRET123`);
  await field.press('Enter');
  await row(page, 'Events').click();
  await row(page, 'MET_pt').click();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  expect(server.requests.every(({ url }) => url.includes('SECRET123'))).toBe(true);
  expect(server.requests.every(({ headers }) => headers.referer === undefined)).toBe(true);
  expect(decodeURIComponent(page.url())).toContain(server.url);
  expect(page.url()).not.toContain('SECRET');
  expect(JSON.stringify(await page.evaluate(() => history.state))).not.toContain('SECRET');
  // Back and forward go where one was, with the signature that this visit knows.
  await page.goBack();
  await page.goForward();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  expect(page.url()).not.toContain('SECRET');

  // A link by which somebody else came is cleaned, too; what is in the way of a query stays behind "#".
  const url = `${server.url}?file=A&token=SECRET456`;
  await page.goto(`/#?${new URLSearchParams({ url, tree: 'Events', draw: 'nMuon' })}`);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'nMuon', exact: true })).toBeVisible();
  expect(page.url()).not.toContain('SECRET');
  expect(new URL(page.url()).search).toBe('');
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain(`${server.url}?file=A`);
  expect(told.filter((text) => text.includes('SECRET'))).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('SECRET');
});

test('signed addresses of references, layers and further files are in no address of the page, no history and no text', async ({
  page,
  rangeServer,
  complaints,
}) => {
  const server = await rangeServer('sample.root');
  const secrets = 'token=SECRET1&X-Amz-Signature=SECRET2';
  const other = `${server.url.replace('http://', 'http://me:SECRET3@')}?${secrets}`;
  const signed = `${server.url}?${secrets}`;
  const cases: [heading: string, fields: Record<string, string>][] = [
    ['Events', { tree: 'Events', view: 'wall', show: `items=nMuon&reference=${encodeURIComponent(signed)}` }],
    ['Events', { tree: 'Events', view: 'wall', show: `items=nMuon&reference=${encodeURIComponent(other)}` }],
    ['nMuon', { tree: 'Events', draw: 'nMuon', layers: JSON.stringify([{ src: signed }]) }],
    ['nMuon', { tree: 'Events', draw: 'nMuon', also: signed }],
  ];
  const clean = async (what: string) => {
    expect(decodeURIComponent(page.url()), `the address with ${what}`).not.toContain('SECRET');
    const kept = await page.evaluate(() =>
      JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]),
    );
    expect(kept, `the history with ${what}`).not.toContain('SECRET');
    expect(await page.locator('body').innerText(), `the text with ${what}`).not.toContain('SECRET');
  };
  for (const [heading, fields] of cases) {
    const what = Object.keys(fields).join(', ');
    await page.goto('about:blank');
    await page.goto(`/#?${new URLSearchParams({ url: server.url, ...fields })}`);
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    await expect.poll(() => decodeURIComponent(page.url())).toContain(server.url);
    await clean(what);
  }
  // Where the file cannot be opened, too.
  await page.goto('about:blank');
  const missing = 'http://127.0.0.1:1/none.root';
  await page.goto(`/#?${new URLSearchParams({ url: missing, also: signed, ...cases[0]?.[1] })}`);
  await expect(page.getByRole('alert').first()).toBeVisible();
  await clean('a file that cannot be opened');
  complaints.length = 0;

  // Back goes to what was shown, with the addresses that this visit knows.
  await page.goto('about:blank');
  await page.goto(`/#?${new URLSearchParams({ url: server.url, ...cases[0]?.[1] })}`);
  const comparison = page.getByRole('status', { name: 'Comparison' });
  await expect(comparison).toContainText('1 compared (1 the same)');
  await row(page, 'MET_pt').click();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  const before = server.requests.length;
  await page.goBack();
  await expect(comparison).toContainText('1 compared (1 the same)');
  expect(server.requests.slice(before).every(({ url }) => !url.includes('?') || url.includes('SECRET'))).toBe(
    true,
  );
});

test('a dead server, one without CORS and a policy are told apart', async ({
  page,
  rangeServer,
  complaints,
}) => {
  const dead = createServer();
  await new Promise<void>((go) => dead.listen(0, '127.0.0.1', go));
  const { port } = dead.address() as AddressInfo;
  await new Promise((go) => dead.close(go));
  const message = page.getByRole('alert').locator('.error-message');
  await page.goto(`/?url=${encodeURIComponent(`http://127.0.0.1:${port}/run.root`)}`);
  await expect(message).toContainText('not even to a request that needs no permission');
  await expect(message).not.toContainText('CORS');
  const closed = await rangeServer('sample.root', { cors: '' });
  await page.goto(`/?url=${encodeURIComponent(closed.url)}`);
  await expect(message).toContainText('the server is there, but does not allow pages of');
  complaints.length = 0;
});

test('the page and JSROOT start without a network after one visit', async ({ browser }) => {
  const folder = resolve(import.meta.dirname, '../tests/fixtures/files/page');
  const command = resolve(import.meta.dirname, '../dist/cli/xylem.js');
  const server: ChildProcess = spawn(process.execPath, [command, 'serve', folder, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { url } = JSON.parse(
    await new Promise<string>((go) => server.stdout?.once('data', (line) => go(String(line)))),
  );
  const context = await browser.newContext({ serviceWorkers: 'allow' });
  try {
    const page = await context.newPage();
    await page.goto(`${url}?url=files/drawings.root`);
    await expect(row(page, 'canvas')).toBeVisible();
    await page.getByRole('button', { name: /^drawings\.root/ }).click();
    await page.getByText(/^Kept on this machine/).click();
    await page.getByRole('button', { name: 'Keep this file offline' }).click();
    await expect(page.getByText('All of this file is kept')).toBeVisible();
    await expect
      .poll(
        () =>
          page.evaluate(async () => {
            const kept = await (await caches.open('xylem-shell')).keys();
            return kept.some(({ url: one }) => one.endsWith('jsroot/frame.js'));
          }),
        // The page asks for it when it has nothing else to do.
        { timeout: 40_000 },
      )
      .toBe(true);
    server.kill();
    await new Promise((go) => server.once('exit', go));
    await page.reload();
    await row(page, 'canvas').click();
    await page.getByRole('tab', { name: 'Draw with JSROOT' }).click();
    await expect(page.frameLocator('.jsroot iframe').getByText('A peak')).toBeVisible();
  } finally {
    server.kill();
    await context.close();
  }
});

test('an element whose page allows no policy of ours says so, and `ready` rejects', async ({
  page,
  rangeServer,
  complaints,
}) => {
  const server = await rangeServer('sample.root');
  const portal = await startOrigin((path) => {
    const script = elementScript(path);
    if (script) return script;
    const policy = "require-trusted-types-for 'script'; trusted-types other";
    const headers = { 'Content-Type': 'text/html', 'Content-Security-Policy': policy };
    const body = `<!doctype html><html lang="en"><title>Portal</title><link rel="icon" href="data:,">
      <script type="module" src="xylem-viewer.js"></script><main><h1>Portal</h1>
      <xylem-viewer src="${server.url}"></xylem-viewer></main></html>`;
    return { body, headers };
  });
  try {
    await page.goto(portal.url);
    const viewer = page.locator('xylem-viewer');
    await expect(viewer.getByRole('alert')).toContainText('does not allow the workers that read files');
    const code = await viewer.evaluate((element: XylemViewer) =>
      element.ready.then(
        () => '',
        (error: { code: string }) => error.code,
      ),
    );
    expect(code).toBe('INTERNAL');
  } finally {
    portal.server.closeAllConnections();
    portal.server.close();
  }
  complaints.length = 0;
});

test('a password in the address of a file leaves the address of the page when it is refused', async ({
  page,
}) => {
  for (const url of [
    'http://jane:SECRET1@files.example/run.root',
    'https://SECRET2@files.example/run.root?x=1',
    '//jane:SECRET3@files.example/run.root',
    'http://jane:SECRET4@files.example:99999/run.root',
  ]) {
    for (const link of [`/?${new URLSearchParams({ url })}`, `/#?${new URLSearchParams({ url })}`]) {
      await page.goto('about:blank');
      await page.goto(link);
      await expect(page.getByRole('alert').locator('.error-message')).toBeVisible();
      expect(page.url()).not.toContain('SECRET');
      expect(decodeURIComponent(page.url())).toContain('files.example');
    }
  }
});
