import type { Locator, Page } from '@playwright/test';
import { type DrawnByRoot, drawings, STORED_FILE, stored, TREE_FILE } from '../tests/bins/recorded';
import type { PlotDetail, XylemViewer } from '../web/element/element-api';
import { statNumber } from '../web/plot/model';
import { openPortal, stopPortals } from './element/portal';
import { expect, parseShown, row, test } from './story';

test.afterAll(stopPortals);

/** The numbers of ROOT for a histogram, and how it is asked for. */
interface Shown {
  name: string;
  entries: number;
  means: number[];
  deviations: (number | null)[];
  /** Number of coordinates with statistics. */
  coordinates: number;
  /** Contents with under- and overflow; undefined for profiles and for several axes. */
  contents: number[] | undefined;
}

const storedOnes = stored.map(([name, one]): Shown => {
  const contents = Array.from({ length: one.cells }, () => 0);
  for (const [cell, content] of one.filled) contents[cell] = content;
  const { entries, means, deviations, edges } = one;
  const isCounted = edges.length === 1 && !one.class.startsWith('TProfile');
  const counted = isCounted ? contents : undefined;
  return { name, entries, means, deviations, coordinates: edges.length, contents: counted };
});

/** The page draws profiles by a choice, and has no word for "norm". */
const drawnOnes = drawings
  .filter(({ option }) => option !== 'norm')
  .map((drawn): Shown & { drawn: DrawnByRoot } => ({
    ...{ drawn, name: drawn.expr, entries: drawn.entries, means: drawn.means, deviations: drawn.deviations },
    coordinates: drawn.means.length + (drawn.option === 'prof' ? 1 : 0),
    contents: drawn.cells.length > 0 ? drawn.cells : undefined,
  }));

/** The statistics of ROOT as a box of the page has them. */
function expected({ entries, means, deviations, coordinates, contents }: Shown): Record<string, string> {
  const lines: Record<string, string> = { Entries: statNumber(entries) };
  for (const [i, mean] of means.entries()) {
    const of = coordinates > 1 ? ` ${'xyz'[i]}` : '';
    lines[`Mean${of}`] = statNumber(mean);
    const spread = deviations[i] ?? null;
    if (spread !== null) lines[`Std dev${of}`] = statNumber(spread);
  }
  if (contents) {
    lines.Underflow = statNumber(contents[0] ?? Number.NaN);
    lines.Overflow = statNumber(contents.at(-1) ?? Number.NaN);
  }
  return lines;
}

const integral = (contents: readonly number[]): number =>
  contents.slice(1, -1).reduce((sum, content) => sum + content, 0);

/** The lines of the statistics below a plot. */
async function statistics(within: Page | Locator): Promise<Record<string, string>> {
  const texts = await within
    .locator('.stats > div')
    .evaluateAll((lines) =>
      lines.map((line): [string, string] => [
        line.querySelector('dt')?.textContent?.trim() ?? '',
        line.querySelector('dd')?.textContent?.trim() ?? '',
      ]),
    );
  return Object.fromEntries(texts);
}

/** The sum of the table "Bins in numbers", which is opened first. */
async function sumOfBins(within: Page | Locator): Promise<number> {
  const table = within.locator('details.bins').filter({ hasText: 'Bins in numbers' });
  if ((await table.getAttribute('open')) === null) await table.locator('summary').click();
  await expect(table.locator('td').first()).toBeVisible();
  const contents = await table.locator('tbody tr td:nth-child(3)').allTextContents();
  return contents.reduce((sum, text) => sum + parseShown(text), 0);
}

async function expectShown(page: Page, one: Shown): Promise<void> {
  const wanted = expected(one);
  await expect.poll(() => statistics(page), one.name).toMatchObject(wanted);
  const { contents } = one;
  if (contents) await expect.poll(() => sumOfBins(page), one.name).toBeCloseTo(integral(contents), 6);
}

test('the page shows the statistics of ROOT for stored and drawn histograms', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer(STORED_FILE);
  await page.goto(`/?${new URLSearchParams({ url: server.url })}`);
  // The element shows all of them.
  for (const one of storedOnes.filter((_, i) => i % 4 === 0)) {
    await page.getByRole('searchbox', { name: 'Filter the contents' }).fill(one.name);
    await row(page, one.name).click();
    await expect(page.getByRole('heading', { name: one.name, exact: true })).toBeVisible();
    await expectShown(page, one);
  }
  const other = await rangeServer(TREE_FILE);
  for (const { drawn, ...one } of drawnOnes) {
    const { expr, cut, option } = drawn;
    const asked = { draw: expr, ...(cut && { cut }), ...(option && { opt: option }) };
    await page.goto(`/?${new URLSearchParams({ url: other.url, tree: 't', ...asked })}`);
    await expectShown(page, one);
  }
});

/** The shown parts of a state of a viewer: its statistics, its picture, and the event that it sends. */
interface OfElement {
  detail: { fills: number; mean: number[]; stdDev: number[]; sums: number[] };
  svg: string;
}

/** Shows a state in the element, and returns what its event and its picture hold. */
async function restored(viewer: Locator, state: Record<string, string>): Promise<OfElement> {
  return await viewer.evaluate(async (element: XylemViewer, asked) => {
    const shown = new Promise<PlotDetail>((resolve) => {
      const take = ({ detail }: CustomEvent<PlotDetail>) => {
        const isAsked =
          detail.kind === 'query'
            ? detail.expr === asked.draw && detail.cut === (asked.cut ?? '')
            : detail.path === asked.item;
        if (!isAsked) return;
        element.removeEventListener('xylem-plot', take as EventListener);
        resolve(detail);
      };
      element.addEventListener('xylem-plot', take);
    });
    await element.restore(asked);
    const { result } = await shown;
    if (result?.kind !== 'histogram') throw new Error('This is not a histogram.');
    const { fills, mean, stdDev, sums } = result;
    return {
      detail: { fills, mean: [...mean], stdDev: [...stdDev], sums: [...sums] },
      svg: element.toSVG(),
    };
  }, state);
}

/** The numbers beside their labels in a picture. The first ones: "Entries" is the title of an axis, too. */
function ofPicture(svg: string): Record<string, string> {
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
  return Object.fromEntries(
    texts.map((text, i): [string, string] => [text, texts[i + 1] ?? '']).toReversed(),
  );
}

function expectNear(found: number | undefined, wanted: number, what: string): void {
  const allowed = 1e-9 * Math.max(1, Math.abs(wanted));
  expect(Math.abs((found ?? Number.NaN) - wanted), `${what}: ${found} for ${wanted}`).toBeLessThan(allowed);
}

/** How many histograms a story shows: each is an element's whole way from the file to the plot. */
const SHOWN_AT_ONCE = 12;
const ofElement: [Shown, string, Record<string, string>][] = [
  ...storedOnes.map((one): [Shown, string, Record<string, string>] => [one, STORED_FILE, { item: one.name }]),
  ...drawnOnes.map(({ drawn: { expr, cut, option }, ...one }): [Shown, string, Record<string, string>] => [
    one,
    TREE_FILE,
    { tree: 't', draw: expr, ...(cut && { cut }), ...(option && { opt: option }) },
  ]),
];

for (let from = 0; from < ofElement.length; from += SHOWN_AT_ONCE) {
  const shown = ofElement.slice(from, from + SHOWN_AT_ONCE);
  test(`the element tells the statistics of ROOT in its event, its picture and below its plot, from ${shown[0]?.[0].name} on`, async ({
    page,
    rangeServer,
  }) => {
    const servers = new Map([[STORED_FILE, await rangeServer(STORED_FILE)]]);
    servers.set(TREE_FILE, await rangeServer(TREE_FILE));
    const srcOf = (file: string) => servers.get(file)?.url ?? '';
    await openPortal(page, `<xylem-viewer src="${srcOf(STORED_FILE)}"></xylem-viewer>`);
    const viewer = page.locator('xylem-viewer');
    for (const [one, file, state] of shown) {
      const { detail, svg } = await restored(viewer, { src: srcOf(file), ...state });
      const { name, contents } = one;
      expectNear(detail.fills, one.entries, `entries of ${name}`);
      for (const [i, mean] of one.means.entries()) expectNear(detail.mean[i], mean, `mean ${i} of ${name}`);
      for (const [i, spread] of one.deviations.entries())
        if (spread !== null) expectNear(detail.stdDev[i], spread, `deviation ${i} of ${name}`);
      if (contents) {
        expectNear(integral(detail.sums), integral(contents), `integral of ${name}`);
        expectNear(detail.sums[0], contents[0] ?? Number.NaN, `underflow of ${name}`);
        expectNear(detail.sums.at(-1), contents.at(-1) ?? Number.NaN, `overflow of ${name}`);
      }
      const wanted = expected(one);
      expect(ofPicture(svg), `picture of ${name}`).toMatchObject(wanted);
      await expect.poll(() => statistics(viewer), `element with ${name}`).toMatchObject(wanted);
    }
  });
}
