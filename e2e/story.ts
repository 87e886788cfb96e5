import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test';
import { serve } from '../scripts/serve.mjs';
import { type Faults, type RangeServer, startRangeServer } from '../tests/servers/range-server';

const files = resolve(import.meta.dirname, '../tests/fixtures/files');

/** The path of a fixture: "leaves.root", "damaged/half.root". */
export const fixturePath = (name: string): string => resolve(files, name);

/** Fields of a link that draws the same of another file over a plot, with the ratio of both below. */
export const dividedBy = (src: string) => ({ layers: JSON.stringify([{ src }, {}]), below: 'ratio' });

/** The sample that the page offers. */
export const samplePath = resolve(import.meta.dirname, '../public/sample.root');

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Stories {
  /** Runs axe on the screen that a story leaves, which must find nothing. */
  accessible: undefined;
  /** Complaints of the browser: console errors, exceptions, violations of the content policy. */
  complaints: string[];
  /** Lets files be chosen by a field, as in browsers without handles: Playwright answers no other dialogue. */
  chooser: undefined;
  /** Starts a server of one file of the fixtures, which allows every origin unless told otherwise. */
  rangeServer(fixture: string, faults?: Partial<Faults>): Promise<RangeServer>;
}

interface Sites {
  /** The built page under the headers of `npm start`. */
  site: { url: string };
}

/**
 * Stories run against the built page. Each fails when the browser complains of anything, when the page asks
 * for something from elsewhere than the story's servers, or when axe finds a fault in what it ends with.
 */
export const test = base.extend<Stories, Sites>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => {
      const site = await serve({ port: 0 });
      await use(site);
      site.close();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ site }, use) => use(site.url),

  chooser: [
    async ({ context }, use) => {
      await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'showOpenFilePicker'));
      await use(undefined);
    },
    { auto: true },
  ],

  complaints: [
    async ({ context }, use) => {
      const complaints = watch(context);
      await use(complaints);
      // The page may ask for something when the servers of the story have stopped, and icons and parts that it
      // loads ahead may be under way when they stop or break off.
      const heard = complaints.filter(
        (one) =>
          !/net::ERR_CONNECTION_REFUSED|net::ERR_(FAILED|CONNECTION_\w+) .*(icon\.svg|-[\w-]{8}\.js)/.test(
            one,
          ),
      );
      expect(heard, 'what the browser complained of').toEqual([]);
    },
    { auto: true },
  ],

  accessible: [
    async ({ context }, use, story) => {
      await use(undefined);
      if (story.status !== 'passed') return;
      for (const page of context.pages()) expect(await faultsOf(page), 'what axe found').toEqual([]);
    },
    { auto: true },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
  rangeServer: async ({}, use) => {
    const started: RangeServer[] = [];
    await use(async (fixture, faults = {}) => {
      const path = fixture === 'sample.root' ? samplePath : fixturePath(fixture);
      // As servers are: pages of other origins can read this header, and no ETag.
      const usual = { cors: '*', lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT' };
      const server = await startRangeServer(readFileSync(path), { ...usual, ...faults });
      started.push(server);
      return server;
    });
    await Promise.all(started.map((server) => server.close()));
  },
});

/**
 * Collects complaints of pages and workers. Chromium's own lines about answers like 404 are not among
 * them where a worker asked: they are notes about the network, not errors of the page.
 */
function watch(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // Drawn by the processor, three dimensions are slow, which the driver remarks.
    if (message.text().includes('GL Driver Message')) return;
    // Playwright's own remark where playwright.config.ts blocks them.
    if (message.text().includes('Service Worker registration blocked by Playwright')) return;
    complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complaints.push(`exception: ${error.error()}`));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const local =
      /^(.*\.)?localhost$|^127\.0\.0\.1$/.test(hostname) || ['data:', 'blob:', 'file:'].includes(protocol);
    if (!local) complaints.push(`request: ${request.url()}`);
  });
  // A page's console has refusals of its policy; a worker's has not.
  const report = () =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      setTimeout(() => {
        throw new Error(`refused by ${violatedDirective}: ${blockedURI}`);
      }),
    );
  context.on('page', (page) =>
    page.on('worker', (worker) => {
      // One that ends at once cannot be asked any more.
      worker.evaluate(report).catch(() => undefined);
    }),
  );
  return complaints;
}

/** Returns the problems that axe finds in the viewers of a page, each with its element. */
export async function faultsOf(page: Page): Promise<string[]> {
  if (page.isClosed() || (await page.locator('.xylem').count()) === 0) return [];
  // As the tracing of the browser puts it there: no policy of the page forbids it.
  await page.evaluate(axeSource);
  return await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // Parts that fade in are judged as they will be.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    // Headings and landmarks around an element are those of the page that it stands in.
    const others = document.querySelector('xylem-viewer') !== null;
    const ofThePage = ['page-has-heading-one', 'landmark-one-main', 'region'];
    const rules = Object.fromEntries(ofThePage.map((rule) => [rule, { enabled: !others }]));
    const { violations } = await axe.run(document, { resultTypes: ['violations'], rules });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}

/** Drops a file of the user's disk on an element, as from a file manager. */
export const dropFile = (page: Page, path: string, target = '.xylem'): Promise<void> =>
  dropFiles(page, [path], target);

/** Drops several files at once. */
export async function dropFiles(page: Page, paths: string[], target = '.xylem'): Promise<void> {
  const files = paths.map((path) => ({
    base64: readFileSync(path).toString('base64'),
    name: basename(path),
  }));
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const { base64, name } of given) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, files);
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent(target, type, { dataTransfer: transfer });
  }
}

/**
 * Returns the page for a filter. The locators in a filter are relative to the filtered element, so they
 * start from the page.
 */
const inner = (within: Page | Locator): Page => ('page' in within ? within.page() : within);

/** The row of this name in the contents. */
export function row(page: Page | Locator, name: string): Locator {
  // A name may lie in several elements, of which the end stays when there is little room.
  const whole = new RegExp(`^\\s*${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);
  return page.getByRole('treeitem').filter({ has: inner(page).locator('.label').filter({ hasText: whole }) });
}

/** Finds a branch through the filter and selects it; in a long tree its row may be far down. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Filter the contents' }).fill(name);
  await row(page, name).click();
}

/** The value of a line of the statistics below a plot: "Entries", "Mean". */
export function statistic(page: Page | Locator, label: string): Locator {
  return page
    .locator('.stats > div')
    .filter({ has: inner(page).getByText(label, { exact: true }) })
    .locator('dd');
}

/** The button of the top bar that asks for a file of the disk. */
export function openButton(page: Page): Locator {
  return page.locator('.top-bar button', { hasText: 'Open file…' });
}

/** Types the address of a file on the start page, and shows one of its trees. */
export async function openByAddress(page: Page, url: string, tree: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Address of a ROOT file').fill(url);
  await page.keyboard.press('Enter');
  await page.getByRole('treeitem').filter({ hasText: tree }).first().click();
}

/** Where the axes of the plot stand in the page; `index` 1 is the ratio below it. */
export async function plotArea(
  page: Page,
  index = 0,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const host = page.locator('.plot-host');
  await expect(host).toHaveAttribute('data-frames', /\d/);
  const place = await host.boundingBox();
  const frame = (await host.getAttribute('data-frames'))?.split(',')[index];
  if (place === null || frame === undefined) throw new Error('there is no plot');
  const [left = 0, top = 0, right = 0, bottom = 0] = frame.split(' ').map(Number);
  return { x: place.x + left, y: place.y + top, width: right - left, height: bottom - top };
}

/** A number as the page shows it: digits grouped by commas, a true minus. */
export function parseShown(text: string): number {
  const plain = text.replaceAll(',', '').replace('−', '-');
  const value = plain === '–' ? Number.NaN : Number(plain);
  if (plain !== '–' && (plain === '' || Number.isNaN(value))) throw new Error(`"${text}" is not a number`);
  return value;
}

/** Opens a file of the disk by the button, which takes large ones too. */
export async function openFile(page: Page, path: string): Promise<void> {
  await page.goto('/');
  const chooser = page.waitForEvent('filechooser');
  await openButton(page).click();
  await (await chooser).setFiles(path);
  await expect(page.locator('.file-row')).toBeVisible();
}

export { expect };

/** Saves by the button of that name; the text of the file. */
export async function saved(page: Page, form: 'SVG' | 'PNG'): Promise<{ name: string; bytes: Buffer }> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: form, exact: true }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
