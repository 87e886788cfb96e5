import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import type { FileInfo } from '../../web/api/api';
import type { XylemViewer, XylemViewerEventMap } from '../../web/element/element-api';
import { expect, samplePath, statistic, test } from '../story';
import { openPortal, startOrigin, stopPortals } from './portal';

test.afterAll(stopPortals);

/** Records the element's events as [name, detail]. */
async function record(viewer: Locator): Promise<() => Promise<[string, unknown][]>> {
  await viewer.evaluate((element) => {
    const seen: [string, unknown][] = [];
    Object.assign(globalThis, { seen });
    for (const name of ['open', 'select', 'plot', 'progress', 'error', 'state']) {
      element.ownerDocument.body.addEventListener(`xylem-${name}`, (event) => {
        seen.push([event.type, (event as CustomEvent<unknown>).detail]);
      });
    }
  });
  return () =>
    viewer.evaluate(() =>
      (globalThis as unknown as { seen: [string, unknown][] }).seen.map(
        ([name, detail]): [string, unknown] => [name, JSON.parse(JSON.stringify(detail))],
      ),
    );
}

test('an element of the size of a small plot shows the message of an error and its fix', async ({ page }) => {
  await openPortal(page, '<xylem-viewer src="ftp://example.org/run.root" view="plot"></xylem-viewer>');
  const viewer = page.locator('xylem-viewer');
  await viewer.evaluate(({ style }) => Object.assign(style, { width: '220px', height: '160px' }));
  await expect(viewer.locator('.error-fix')).toBeInViewport({ ratio: 0.1 });
  const [box, fix] = await Promise.all([viewer.boundingBox(), viewer.locator('.error-fix').boundingBox()]);
  expect(fix?.y).toBeLessThan((box?.y ?? 0) + 150);
});

test('a script opens files, hears of what happens, saves, restores, and takes the plot', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  const leaves = await rangeServer('leaves.root');
  await openPortal(page, '<xylem-viewer></xylem-viewer>');
  const viewer = page.locator('xylem-viewer');
  await page.waitForFunction(() => customElements.get('xylem-viewer') !== undefined);
  const events = await record(viewer);

  const info = await viewer.evaluate(async (element: XylemViewer, src) => {
    element.src = src;
    element.tree = 'Events';
    element.draw = 'nMuon';
    return element.ready;
  }, sample.url);
  expect(info).toMatchObject({ size: expect.any(Number), rootVersion: expect.stringMatching(/^6\./) });
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');
  await expect
    .poll(async () => (await events()).filter(([name]) => name === 'xylem-plot'))
    .toMatchObject([
      ['xylem-plot', { kind: 'branch', path: 'Events', branch: 'nMuon', result: { entries: 2400 } }],
    ]);
  const names = (await events()).map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(['xylem-open', 'xylem-select', 'xylem-state']));
  const svg = await viewer.evaluate((element: XylemViewer) => element.toSVG());
  expect(svg).toMatch(/^<svg[\s\S]*nMuon[\s\S]*<\/svg>\s*$/);

  const saved = await viewer.evaluate((element: XylemViewer) => element.save());
  expect(saved).toEqual({ src: sample.url, tree: 'Events', draw: 'nMuon' });
  await viewer.evaluate(
    (element: XylemViewer, src) => element.open(src, { tree: 't', draw: 'leaf_I' }),
    leaves.url,
  );
  await expect(statistic(viewer, 'Entries')).toHaveText('150');
  await viewer.evaluate((element: XylemViewer, state) => element.restore(state), saved);
  await expect(viewer.getByRole('heading', { name: 'nMuon' })).toBeVisible();

  const code = await viewer.evaluate(
    (element: XylemViewer, src) =>
      element.open(src).then(
        () => '',
        (error: { code: string }) => error.code,
      ),
    `${sample.url.replace(/\/data.*/, '')}:bad`,
  );
  expect(code).not.toBe('');
  expect((await events()).at(-1)?.[0]).toBe('xylem-error');
});

test('entries are written by what lies beside the script, and without it that is said', async ({
  page,
  rangeServer,
  complaints,
}) => {
  const server = await rangeServer('leaves.root');
  const element = `<xylem-viewer src="${server.url}" tree="t" view="table"></xylem-viewer>`;
  for (const beside of ['there', 'other'] as const) {
    await openPortal(page, element, beside);
    await page.getByText('Export', { exact: true }).click();
    await page.getByLabel('Format').selectOption('parquet');
    if (beside === 'there') {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Write file' }).click();
      const bytes = readFileSync(await (await downloading).path());
      expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
      expect(bytes.length).toBeGreaterThan(1000);
    } else {
      await page.getByRole('button', { name: 'Write file' }).click();
      await expect(page.getByRole('alert')).toContainText('The whole folder xylem-viewer has to lie beside');
      expect(complaints.splice(0)).toEqual([expect.stringContaining('xylem-export')]);
    }
  }
});

test('files without an address, as openRoot takes them: a buffer, own sources of bytes, a list', async ({
  page,
}) => {
  await openPortal(page, '<xylem-viewer></xylem-viewer>');
  const viewer = page.locator('xylem-viewer');
  await page.waitForFunction(() => customElements.get('xylem-viewer') !== undefined);
  const base64 = readFileSync(samplePath).toString('base64');
  const read = await viewer.evaluate(async (element: XylemViewer, text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const first = (await element.open(bytes.buffer)).size;
    const reads: [number, number][] = [];
    const second: FileInfo = await element.open(
      {
        name: 'mine',
        concurrency: 2,
        info: () => ({ size: bytes.length }),
        async read(offset, length) {
          reads.push([offset, length]);
          return bytes.subarray(offset, offset + length);
        },
      },
      { tree: 'Events', draw: 'MET_pt' },
    );
    const slices = {
      byteLength: bytes.length,
      slice: (start: number, end: number) => bytes.slice(start, end),
    };
    const list = (await element.open([bytes, slices], { tree: 'Events', draw: 'MET_pt' })).size;
    const wrong = await element.open({} as ArrayBuffer).catch(({ code, message }) => `${code} ${message}`);
    await element.open(slices, { tree: 'Events', draw: 'MET_pt' });
    const { name } = second;
    return {
      ...{ first, name, wrong, list },
      ...{ second: second.size, reads: reads.length, size: bytes.length },
    };
  }, base64);
  expect(read).toMatchObject({ first: read.size, second: read.size, name: 'mine', list: read.size });
  expect(read.wrong).toBe('ARGUMENT This is not a source of a ROOT file.');
  expect(read.reads).toBeGreaterThan(0);
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');
});

test('a host has its own words, and hears of bins of stored objects and of rows', async ({
  page,
  rangeServer,
}) => {
  const { url } = await rangeServer('sample.root');
  await openPortal(page, `<xylem-viewer src="${url}" privacy="The kernel reads the file"></xylem-viewer>`);
  const viewer = page.locator('xylem-viewer');
  await expect(viewer.getByText('The kernel reads the file')).toBeVisible();
  await expect(viewer.getByText('Nothing leaves your machine')).toBeHidden();
  const heard = await viewer.evaluate(async (element: XylemViewer) => {
    const next = <K extends 'xylem-plot' | 'xylem-rows'>(type: K) =>
      new Promise<XylemViewerEventMap[K]['detail']>((settle) =>
        element.addEventListener(type, ({ detail }) => settle(detail), { once: true }),
      );
    const plot = next('xylem-plot');
    await element.restore({ item: 'plots/dimuonMass' });
    const { kind, result } = await plot;
    const rows = next('xylem-rows');
    await element.restore({ tree: 'Events', view: 'table', show: 'columns=MET_pt,nMuon&at=7' });
    return { kind, fills: result?.kind === 'histogram' && result.fills, rows: await rows };
  });
  expect(heard.kind).toBe('object');
  expect(heard.fills).toBeGreaterThan(1000);
  expect(heard.rows).toMatchObject({ path: 'Events', columns: ['MET_pt', 'nMuon'], from: 7, entry: 7 });
  expect(heard.rows.to).toBeGreaterThan(8);
  await viewer.evaluate((element) => element.setAttribute('privacy', ''));
  await expect(viewer.getByText('The kernel reads the file')).toBeHidden();
});

test('an own fetch and headers are asked for what is read', async ({ page, rangeServer }) => {
  const sample = await rangeServer('sample.root');
  await openPortal(page, '<xylem-viewer></xylem-viewer>');
  const viewer = page.locator('xylem-viewer');
  await page.waitForFunction(() => customElements.get('xylem-viewer') !== undefined);
  const asked = await viewer.evaluate(async (element: XylemViewer, src) => {
    const urls: string[] = [];
    element.fetch = (input, init) => {
      urls.push(String(input));
      return fetch(`${String(input)}?token=secret`, init);
    };
    await element.open(src, { tree: 'Events', draw: 'nMuon' });
    return urls;
  }, sample.url);
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');
  expect(new Set(asked)).toEqual(new Set([sample.url]));
  expect(sample.requests.every(({ url }) => url.endsWith('?token=secret'))).toBe(true);
});

test('view="plot" shows the plot alone; colours, parts and slots are the page’s', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  await openPortal(
    page,
    `<xylem-viewer id="one" view="plot" src="${sample.url}" tree="Events" draw="MET_pt"></xylem-viewer>
     <xylem-viewer id="two"><p slot="empty">Nothing chosen yet</p></xylem-viewer>
     <xylem-viewer id="three" src="${sample.url}.missing:0"><p slot="error">Ask the help desk</p></xylem-viewer>
     <xylem-viewer id="four" label="Texts" view="plot" src="${sample.url}" tree="Events" draw="trigger"></xylem-viewer>`,
  );
  // Texts have a table in place of a plot.
  const four = page.locator('#four');
  await four.evaluate((element) => element.style.setProperty('height', '160px'));
  await four.scrollIntoViewIfNeeded();
  const rows = four.getByRole('row');
  await expect(rows.nth(1)).toBeInViewport();
  await rows.nth(6).scrollIntoViewIfNeeded();
  await expect(rows.nth(6)).toBeInViewport();
  const one = page.locator('#one');
  await expect(one.getByRole('img', { name: /Plot of MET_pt/ })).toBeVisible();
  await expect(one.getByRole('navigation')).toHaveCount(0);
  await expect(one.locator('.status')).toHaveCount(0);
  await expect(one.getByRole('heading', { name: 'MET_pt' })).toBeHidden();
  await expect(page.getByText('Nothing chosen yet')).toBeVisible();
  await expect(
    page
      .locator('#two')
      .getByRole('button', { name: /Open file/ })
      .first(),
  ).toBeVisible();

  const ground = await one.evaluate((element) => {
    element.style.setProperty('--xylem-ground', 'rgb(1, 2, 3)');
    const root = element.shadowRoot?.querySelector('[part=viewer]');
    return root ? getComputedStyle(root).backgroundColor : '';
  });
  expect(ground).toBe('rgb(1, 2, 3)');
  const plots = await one.evaluate((element) => element.shadowRoot?.querySelectorAll('[part=plot]').length);
  expect(plots).toBe(1);
});

test('of twelve plots those near the view are loaded, all by one pool, and nothing moves', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  await page.setViewportSize({ width: 1280, height: 800 });
  const plots = Array.from(
    { length: 12 },
    (_, i) => `<xylem-viewer label="Plot ${i}" src="${sample.url}" tree="Events" draw="MET_pt" view="plot">
      </xylem-viewer>`,
  );
  await openPortal(page, plots.join(''));
  const places = () =>
    page.locator('xylem-viewer').evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop));
  const before = await places();
  const drawn = page.locator('xylem-viewer').getByRole('img', { name: /Plot of MET_pt/ });
  const frames = page.locator('xylem-viewer .frame');
  await expect(drawn.first()).toBeVisible();
  await expect.poll(async () => (await drawn.count()) + (await frames.count())).toBe(12);
  expect(await frames.count()).toBeGreaterThanOrEqual(8);
  await expect(frames.last().locator('.title')).toHaveText('Plot 11');
  // A script that waits for a file does not have to show it.
  await page
    .locator('xylem-viewer')
    .last()
    .evaluate((element: XylemViewer) => element.ready);
  await expect(drawn.last()).toBeAttached();
  expect(await frames.count()).toBeGreaterThanOrEqual(7);
  for (let i = 0; i < 12; i++) await page.locator('xylem-viewer').nth(i).scrollIntoViewIfNeeded();
  await expect(drawn).toHaveCount(12);
  expect(await places()).toEqual(before);
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  expect(page.workers().length).toBeLessThanOrEqual(1 + Math.min(8, Math.max(2, cores)));
  await page.locator('xylem-viewer').evaluateAll((all) => {
    for (const one of all) one.remove();
  });
  await expect.poll(() => page.workers().length).toBe(0);
});

/** The same of what comes after it: uPlot, by which plots are zoomed and pointed at. */
const CHART_LIMIT = 30_000;

test('the first plot needs few bytes; functions and insight are loaded when they are used', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  const fetched = new Map<string, Promise<number>>();
  let isMeasured = false;
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    if (!path.endsWith('.js')) return;
    // Later ones may still be on their way when the story ends.
    const size = isMeasured
      ? Promise.resolve(0)
      : response.body().then((body) => gzipSync(body, { level: 9 }).length);
    fetched.set(path, size);
  });
  const has = (part: string) => [...fetched.keys()].some((path) => path.includes(part));
  // The first plot does not wait for this part, which therefore may come late.
  let letThrough = () => {};
  const held = new Promise<void>((settle) => {
    letThrough = settle;
  });
  await page.route('**/xylem-viewer/chart-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await openPortal(
    page,
    `<xylem-viewer src="${sample.url}" tree="Events" draw="nMuon" view="plot"></xylem-viewer>`,
  );
  const viewer = page.locator('xylem-viewer');
  await expect(viewer.getByRole('img', { name: /Plot of nMuon/ })).toBeVisible();
  await expect(viewer.locator('.plot canvas')).toBeVisible();
  const sizes = await Promise.all(fetched.values());
  const sum = sizes.reduce((total, size) => total + size, 0);
  expect(sum).toBeGreaterThan(100_000);
  expect(
    ['xylem-math', 'xylem-xz', 'xylem-ntuple', 'insight-script', 'chart', 'worker-rest'].filter(has),
  ).toEqual([]);
  letThrough();
  await expect(viewer.locator('.plot-host')).toHaveAttribute('data-frames', /\d/);
  const [chart] = [...fetched].filter(([path]) => path.includes('/chart-'));
  isMeasured = true;
  expect(await chart?.[1]).toBeLessThanOrEqual(CHART_LIMIT);
  await Promise.all(fetched.values());

  await viewer.evaluate((element: XylemViewer) => {
    element.view = '';
    element.draw = 'TMath::Erf(MET_pt)';
  });
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');
  expect([has('xylem-math'), has('worker-rest')]).toEqual([true, true]);
  await viewer.evaluate((element: XylemViewer) => {
    element.removeAttribute('draw');
    element.view = 'doctor';
  });
  await expect(viewer.getByText('Laid out well for reading')).toBeVisible();
  expect(has('insight-script')).toBe(true);
});

const REST = '**/xylem-viewer/worker-rest-*.js';

test('the rest of the worker comes with another worker, if the first one may load no script', async ({
  page,
  rangeServer,
  complaints,
}) => {
  const sample = await rangeServer('sample.root');
  let asked = 0;
  // The worker asks first, and the page then.
  await page.route(REST, (route) => (asked++ === 0 ? route.abort() : route.continue()));
  await openPortal(page, `<xylem-viewer src="${sample.url}" tree="Events" draw="nMuon"></xylem-viewer>`);
  const viewer = page.locator('xylem-viewer');
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');
  await viewer.evaluate((element: XylemViewer) => {
    element.draw = 'nMuon+1';
  });
  await expect(viewer.getByRole('img', { name: /nMuon\+1/ })).toBeVisible();
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');
  expect(asked).toBe(2);
  // The policy allows workers of blobs, but not their scripts.
  expect(complaints.splice(0).filter((one) => !/blob:|worker-rest/.test(one))).toEqual([]);
});

test('a rest of the worker that cannot be loaded is an error, and branches are still drawn', async ({
  page,
  rangeServer,
  complaints,
}) => {
  const sample = await rangeServer('sample.root');
  await page.route(REST, (route) => route.abort());
  await openPortal(page, `<xylem-viewer src="${sample.url}" tree="Events" draw="nMuon"></xylem-viewer>`);
  const viewer = page.locator('xylem-viewer');
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');
  await viewer.evaluate((element: XylemViewer) => {
    element.draw = 'nMuon+1';
  });
  await expect(viewer.getByText('A part of xylem could not be loaded').first()).toBeVisible();
  await viewer.evaluate((element: XylemViewer) => {
    element.draw = 'MET_pt';
  });
  await expect(viewer.getByRole('img', { name: /Plot of MET_pt/ })).toBeVisible();
  expect(complaints.splice(0).filter((one) => !/worker-rest/.test(one))).toEqual([]);
});

test('several viewers share one pool of workers, which ends with the last', async ({ page, rangeServer }) => {
  const sample = await rangeServer('sample.root');
  const one = `<xylem-viewer src="${sample.url}" tree="Events" draw="nMuon"></xylem-viewer>`;
  await openPortal(page, one.repeat(3));
  const viewers = page.locator('xylem-viewer');
  for (const i of [0, 1, 2]) {
    await viewers.nth(i).scrollIntoViewIfNeeded();
    await expect(statistic(viewers.nth(i), 'Entries')).toHaveText('2,400');
  }
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  expect(page.workers().length).toBeLessThanOrEqual(1 + Math.min(8, Math.max(2, cores)));
  await viewers.nth(0).evaluate((element) => element.remove());
  await viewers.nth(0).evaluate((element) => element.remove());
  await viewers.evaluate((element: XylemViewer) => {
    element.draw = 'MET_pt';
  });
  await expect(viewers.getByRole('heading', { name: 'MET_pt' })).toBeVisible();
  await viewers.evaluate((element) => element.remove());
  await expect.poll(() => page.workers().length).toBe(0);
});

const built = resolve(import.meta.dirname, '../../dist/page');
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
};

/** The built page on an origin of its own, with a list of the origins that may talk with it. */
async function startViewerSite(allowed: string): Promise<string> {
  const site = await startOrigin((path) => {
    const name = path.split('?')[0] ?? '/';
    const file = resolve(built, name === '/' ? 'index.html' : `.${name}`);
    if (!file.startsWith(built)) return undefined;
    const headers = {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy':
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src *; worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:",
    };
    try {
      const body = readFileSync(file);
      if (!file.endsWith('.html')) return { body, headers };
      const list = `name="xylem-embed-origins" content="${allowed}"`;
      return { body: body.toString().replace('name="xylem-embed-origins" content=""', list), headers };
    } catch {
      return undefined;
    }
  });
  return site.url;
}

/** A page with the viewer in an iframe, that keeps what the iframe says. */
async function openFrame(page: Page, viewer: string, parent?: string): Promise<string> {
  const portal = await startOrigin((path) => {
    const asked = new URLSearchParams(path.split('?')[1]).get('parent') ?? '';
    return {
      headers: { 'Content-Type': 'text/html' },
      body: `<!doctype html><html lang="en"><title>Portal</title><link rel="icon" href="data:,">
        <script>
          var heard = [];
          addEventListener('message', ({ data, origin }) => heard.push({ data, origin }));
          const frame = () => document.querySelector('iframe').contentWindow;
          var say = (message) => frame().postMessage({ xylem: 1, ...message }, '*');
        </script>
        <iframe title="viewer" width="900" height="600"
          src="${viewer}/?embed=1&parent=${encodeURIComponent(asked)}"></iframe></html>`,
    };
  });
  await page.goto(`${portal.url}/?parent=${encodeURIComponent(parent ?? portal.url)}`);
  return portal.url;
}

interface Heard {
  origin: string;
  data: {
    xylem: number;
    type: string;
    id?: number;
    result?: unknown;
    error?: { code: string };
    detail?: unknown;
  };
}

/** The members of the portal's script. */
interface Script {
  heard: Heard[];
  say(message: object): void;
}

const heard = (page: Page): Promise<Heard[]> =>
  page.evaluate(() => JSON.parse(JSON.stringify((globalThis as unknown as Script).heard)) as Heard[]);
const say = (page: Page, message: object): Promise<void> =>
  page.evaluate((sent) => (globalThis as unknown as Script).say(sent), message);

test('an iframe: handshake, open, events, save and SVG by messages', async ({ page, rangeServer }) => {
  const sample = await rangeServer('sample.root');
  const viewer = await startViewerSite('*');
  await openFrame(page, viewer);
  await expect.poll(async () => (await heard(page)).map(({ data }) => data.type)).toContain('ready');
  await say(page, { type: 'open', id: 1, url: sample.url, state: { tree: 'Events', draw: 'nMuon' } });
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: 'nMuon' })).toBeVisible();
  await expect.poll(async () => (await heard(page)).map(({ data }) => data.type)).toContain('plot');
  await say(page, { type: 'svg', id: 2 });
  await say(page, { type: 'save', id: 3 });
  await say(page, { type: 'rain', id: 4 });
  // Not even something that has no text.
  await say(page, { type: 'open', id: 0, url: { toString: 1, valueOf: 1 } });
  const answers = async () => (await heard(page)).filter(({ data }) => data.type === 'answer').length;
  await expect.poll(answers).toBe(5);
  const messages = await heard(page);
  const answer = (id: number) => messages.find(({ data }) => data.id === id)?.data;
  expect(answer(0)?.error?.code).toBe('ARGUMENT');
  expect(answer(1)?.result).toMatchObject({ size: expect.any(Number) });
  expect(answer(2)?.result).toMatch(/^<svg/);
  expect(answer(3)?.result).toEqual({ url: sample.url, tree: 'Events', draw: 'nMuon' });
  expect(answer(4)?.error?.code).toBe('ARGUMENT');
  const silent = await rangeServer('codec_lz4.root', { stall: true });
  await say(page, { type: 'open', id: 5, url: silent.url });
  await expect.poll(() => silent.requests.length).toBeGreaterThan(0);
  await say(page, { type: 'open', id: 6, url: sample.url });
  await expect.poll(answers).toBe(7);
  const later = (await heard(page)).flatMap(({ data }) => (Number(data.id) > 4 ? [data] : []));
  expect(later).toMatchObject([
    { id: 5, error: { code: 'ABORTED' } },
    { id: 6, result: { size: 149_501 } },
  ]);
  expect(new Set(messages.map(({ origin }) => origin))).toEqual(new Set([viewer]));
  await expect(frame.locator('.top-bar')).toHaveCount(0);
});

for (const [what, allowed, parent] of [
  ['an origin that is not on the list', 'https://portal.example', undefined],
  ['an origin other than the one that the address names', '*', 'https://portal.example'],
  ['any origin where the page has no list', '', undefined],
] as const) {
  test(`the iframe neither speaks to nor hears ${what}`, async ({ page, rangeServer, complaints }) => {
    const sample = await rangeServer('sample.root');
    const viewer = await startViewerSite(allowed);
    await openFrame(page, viewer, parent);
    const frame = page.frameLocator('iframe');
    await expect(
      frame.getByRole('heading', { level: 1 }).or(frame.getByText('Open file…')).first(),
    ).toBeVisible();
    // Messages come in order: when the frame has this test's own, it has had those before, too.
    const inner = page.frames().find((one) => one.url().startsWith(viewer));
    await inner?.evaluate(() => {
      const last = new Promise((done) => {
        addEventListener('message', ({ data }) => data === 'last' && done(true));
      });
      Object.assign(globalThis, { last });
    });
    await say(page, { type: 'open', id: 1, url: sample.url });
    await say(page, { type: 'save', id: 2 });
    await page.evaluate(() => frames[0]?.postMessage('last', '*'));
    expect(await inner?.evaluate(() => (globalThis as unknown as { last: Promise<boolean> }).last)).toBe(
      true,
    );
    expect(await heard(page)).toEqual([]);
    expect(sample.requests).toEqual([]);
    // Chromium tells the console that a message for another origin was not delivered.
    const expected = complaints.filter((text) => text.includes('postMessage'));
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !expected.includes(text)));
  });
}
