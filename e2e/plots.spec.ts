import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, plotArea, row, saved, statistic, test } from './story';

// Values that ROOT computes for the same objects: tests/fixtures/make_plots.py.
const root = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../tests/plot/root-values.json'), 'utf8'),
) as {
  fits: Record<string, { chi2: number; ndf: number; parameters: [string, number, number][] }>;
  stats: Record<string, Record<string, number>>;
};

const drawn = (page: Page) => page.frameLocator('iframe[title$="drawn by JSROOT"]').locator('#drawing');

test('a fit is drawn over its histogram, with quality and parameters, here and in the saved picture', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/plots.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'h_fit' })}`);
  const fit = root.fits.h_fit;
  if (fit === undefined) throw new Error('ROOT says nothing of the fit');
  const shown = page.getByRole('region', { name: 'Function peak' });
  await expect(shown).toBeVisible();
  const line = (label: string) => shown.locator('.facts > div').filter({ hasText: label }).locator('dd');
  await expect(line('χ² / ndf')).toHaveText(`${Number(fit.chi2.toPrecision(6))} / ${fit.ndf}`);
  for (const [name, value, error] of fit.parameters) {
    const [text = '', by = ''] = (await line(name.replace('#sigma', 'σ')).textContent())?.split(' ± ') ?? [];
    expect(Math.abs(Number(text) - value), name).toBeLessThan(0.006 * error);
    expect(Math.abs(Number(by) - error), name).toBeLessThan(0.006 * error);
  }
  const { name, bytes } = await saved(page, 'SVG');
  const svg = bytes.toString();
  expect(name).toBe('Fitted_peak.svg');
  // The curve has hundreds of points, the histogram is steps.
  expect(svg.match(/d="M[\d. ]+L[^"]{2000,}" fill="none"/)).not.toBeNull();
  for (const text of ['χ² / ndf', 'Norm', 'σ', `>${Number(fit.chi2.toPrecision(6))} / ${fit.ndf}<`]) {
    expect(svg).toContain(text);
  }
});

test('functions are drawn natively; code without values says why', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/plots.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'functions/sinc' })}`);
  await expect(page.getByRole('img', { name: /^Plot of \[0\]\*sin.*p0 1, p1 2/ })).toBeVisible();
  const box = await plotArea(page);
  await page.mouse.move(box.x + box.width / 2, box.y + 30);
  const [, x, y] = /^x (\S+)\ny (\S+)$/.exec((await page.locator('.readout').textContent()) ?? '') ?? [];
  const at = Number(x);
  expect(Number(y?.replace('−', '-'))).toBeCloseTo(Math.sin(2 * at) / at + 0.1, 3);

  await row(page, 'sin2d').click();
  await expect(page.locator('.plot-host[data-kind=map]')).toBeVisible();
  await row(page, 'statements').click();
  await expect(page.getByRole('alert')).toContainText('C++ code of several statements');
});

test('lists are opened by name, drawn small and large, and linked to', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/plots.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'output' })}`);
  const cards = page.locator('.card');
  await expect(cards).toHaveCount(5);
  await expect(cards.filter({ hasText: 'peak' }).locator('canvas')).toBeVisible();
  await cards.filter({ hasText: 'inner' }).click();
  await expect(page).toHaveURL(/item=output%2Finner/);
  // Two of its histograms have one name, and are told apart by their place.
  await expect(cards).toHaveCount(3);
  await cards.last().click();
  await expect(page).toHaveURL(/item=output%2Finner%2F%5B2%5D/);
  await expect(statistic(page, 'Entries')).toHaveText('30');
  await page.reload();
  await expect(statistic(page, 'Entries')).toHaveText('30');
  await page.getByRole('button', { name: 'inner', exact: true }).click();
  await expect(cards).toHaveCount(3);
  await page.goBack();
  await expect(statistic(page, 'Entries')).toHaveText('30');

  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'output/nothing' })}`);
  await expect(page.getByRole('alert')).toContainText('"nothing", which is not in output');
  await page.getByRole('button', { name: 'Show all of it' }).click();
  await expect(cards).toHaveCount(5);
});

test('each drawing of JSROOT can be saved, with its fits, and compiles no formula', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/plots.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'canvas_fit', as: 'jsroot' })}`);
  await expect(drawn(page).locator('svg.root_canvas')).toBeVisible();
  // Its box of statistics has the parameters, too.
  await expect(drawn(page).getByText('Norm', { exact: true })).toBeVisible();
  await expect(drawn(page).getByText('not avail')).toHaveCount(0);
  const { name, bytes } = await saved(page, 'SVG');
  expect(name).toBe('canvas_fit.svg');
  const svg = bytes.toString();
  expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  // The fit and the function drawn beside it are red lines.
  expect(svg.match(/stroke:\s?(#ff0000|red)|stroke="(#ff0000|red)"/g)?.length).toBeGreaterThanOrEqual(2);
  const png = await saved(page, 'PNG');
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
});

test('a picture of JSROOT has no links when it is saved', async ({ page, rangeServer }) => {
  const server = await rangeServer('hostile/links.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'g', as: 'jsroot' })}`);
  await expect(drawn(page).getByText('click me')).toBeVisible();
  const { bytes } = await saved(page, 'SVG');
  const svg = bytes.toString();
  expect(svg).toContain('click me');
  expect(svg).not.toMatch(/href=|<a[ >]/);
});

test('stacks and efficiencies have their titles, maps their scale of colours, RooPlots are drawn', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/plots.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'stack', as: 'jsroot' })}`);
  await expect(drawn(page).getByText('m [GeV]')).toBeVisible();
  await expect(drawn(page).getByText('Events', { exact: true })).toBeVisible();
  await expect(drawn(page).getByText('Stacked backgrounds', { exact: true })).toBeVisible();
  const byJsroot = page.getByRole('tab', { name: 'Draw with JSROOT' });
  await row(page, 'eff').click();
  await byJsroot.click();
  await expect(drawn(page).getByText('ε')).toBeVisible();
  for (const item of ['eff2', 'h2_poly', 'g2d']) {
    await row(page, item).click();
    await byJsroot.click();
    await expect(drawn(page).locator('svg.root_canvas')).toBeVisible();
    await expect(page.getByRole('button', { name: 'SVG' })).toBeVisible();
    await expect(
      drawn(page).locator('.max_upper_primitives, .axis_container, g.zaxis_container, [class*=palette]'),
    ).not.toHaveCount(0);
  }
  const roofit = await rangeServer('page/roofit.root');
  await page.goto(`/?${new URLSearchParams({ url: roofit.url, item: 'frame', as: 'jsroot' })}`);
  await expect(drawn(page).getByText('A RooPlot of')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a stored histogram keeps its zoom in the address and in the saved picture', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/plots.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'h_fit' })}`);
  const box = await plotArea(page);
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/range=/);
  const range = new URL(page.url()).searchParams.get('range')?.split(',').map(Number) ?? [];
  expect(range[0]).toBeCloseTo(90, 0);
  expect(range[1]).toBeCloseTo(105, 0);
  const svg = (await saved(page, 'SVG')).bytes.toString();
  expect(svg).toContain('>95<');
  expect(svg).not.toContain('>60<');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Full range' })).toBeEnabled();
  await page.getByRole('button', { name: 'Full range' }).click();
  await expect(page).not.toHaveURL(/range=/);

  // The file itself sets the visible range. One click shows the rest.
  await row(page, 'h_range').click();
  await expect(page.getByRole('button', { name: 'Full range' })).toBeVisible();
  await page.getByRole('button', { name: 'Full range' }).click();
  await expect(page).toHaveURL(/range=0%2C10/);
});

test('a plot is the largest thing of its page; said is what is drawn', async ({ page, rangeServer }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const sample = await rangeServer('sample.root');
  await page.goto(`/?${new URLSearchParams({ url: sample.url, tree: 'Events', draw: 'Muon_tightId' })}`);
  // It is drawn again when all is read.
  await expect(statistic(page, 'Entries')).toHaveText('5,012');
  await expect(async () => {
    const canvas = await page.locator('.plot canvas').boundingBox();
    expect(canvas?.height).toBeGreaterThan(350);
    expect((canvas?.y ?? 0) + (canvas?.height ?? 0)).toBeLessThan(770);
  }).toPass();
  // The values 0 and 1 have three bins from -1 to 2, as in ROOT, however many are asked for.
  await expect(page.getByRole('textbox', { name: 'Bins', exact: true })).toHaveValue('3');

  const split = await rangeServer('collections_split99.root');
  await page.goto(`/?${new URLSearchParams({ url: split.url, tree: 't', draw: 'hits' })}`);
  await expect(page.getByText('drawn is how many elements it has in each entry')).toBeVisible();
});

test('three expressions are a map that says what its colours stand for', async ({ page, rangeServer }) => {
  const sample = await rangeServer('sample.root');
  const link = { url: sample.url, tree: 'Events', draw: 'MET_pt:MET_phi:Dimuon_mass' };
  await page.goto(`/?${new URLSearchParams(link)}`);
  await expect(page.locator('.plot-host[data-kind=map]')).toBeVisible();
  const svg = (await saved(page, 'SVG')).bytes.toString();
  expect(svg).toContain('>Entries, added up over MET_pt<');
  // Two expressions zoom by filling again: the range of both axes is in the link.
  await page.goto(`/?${new URLSearchParams({ ...link, draw: 'MET_phi:MET_pt' })}`);
  const box = await plotArea(page);
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 0.2 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.6 * box.height, { steps: 3 });
  await page.mouse.up();
  await expect(page).toHaveURL(/range=[^&]*%2C[^&]*%2C[^&]*%2C/);
});

test('a canvas says above its picture what is not drawn, and offers JSROOT for it', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/zoo.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, item: 'c_three' })}`);
  const note = page.getByRole('note');
  await expect(note).toContainText('Not drawn here: TH3F c_three_h.');
  await expect(note).toBeInViewport();
  await note.getByRole('button', { name: 'Draw with JSROOT' }).click();
  await expect(page.getByRole('tab', { name: 'Draw with JSROOT' })).toHaveAttribute('aria-selected', 'true');
});
