// npm run screenshots [FOLDER [NAME ...]]: pictures of the built page, in docs/ unless a folder is named; all, or those
// of these names. Those of maps and of the doctor are of the files of bench/README.md, in $BENCH_DATA or build/bench;
// where those are not there they stay.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from './browsers.mjs';
import { build } from './build.mjs';
import { root, runMain } from './run.mjs';
import { serve } from './serve.mjs';

/**
 * A picture: the query of the page's URL or a file on the disk, then the actions on the page. `once`: the view is
 * shown only wide and light.
 * @typedef {{ once?: true, size?: [width: number, height: number], scheme?: 'light' | 'dark', query?: Record<string, string>,
 *   file?: string, ready: string, act?: (page: import('@playwright/test').Page) => Promise<void> }} Picture
 */
const sample = { url: 'sample.root' };
const mass = { ...sample, tree: 'Events', draw: 'Dimuon_mass' };

const bench = process.env.BENCH_DATA ?? join(root, 'build/bench');

/**
 * The map of a large file, three of its branches coloured.
 * @param {string} name
 * @returns {Picture}
 */
function mapOf(name) {
  return {
    file: join(bench, name),
    ready: '.file-row',
    size: [1240, 980],
    act: async (page) => {
      await page.getByRole('treeitem').first().click();
      await page.getByRole('tab', { name: 'Map', exact: true }).click();
      await page.getByPlaceholder('Colour a branch').fill('md0_d, ptds_d, njets');
      await page.keyboard.press('Enter');
      await page.getByRole('listitem').filter({ hasText: 'ptds_d' }).waitFor();
      await page.getByPlaceholder('Colour a branch').blur();
    },
  };
}

/** @type {Picture} */
const canvas = {
  file: join(root, 'tests/fixtures/files/page/drawings.root'),
  ready: '.file-row',
  act: async (page) => {
    await page.getByRole('treeitem').filter({ hasText: 'canvas' }).click();
    await page.getByRole('tab', { name: 'Draw with JSROOT' }).click();
    await page.frameLocator('.jsroot iframe').getByText('A peak').waitFor();
  },
};

/** @type {Record<string, Picture>} */
const pictures = {
  'map-scattered': mapOf('h1like.root'),
  'map-clustered': mapOf('h1like-flushed.root'),

  histogram: {
    query: mass,
    ready: '.plot-host[data-frames]',
    act: (page) => page.getByText('Log y').click(),
  },
  query: {
    query: {
      ...sample,
      tree: 'Events',
      draw: 'Muon_phi:Muon_eta>>h(40,-2.5,2.5,32,-3.2,3.2)',
      cut: 'Muon_pt > 5',
    },
    ready: '.plot-host[data-frames]',
  },
  jsroot: canvas,
  dark: { query: { ...sample, item: 'plots/muonEtaPhi' }, scheme: 'dark', ready: '.plot-host[data-frames]' },
};

/** @param {string} name */
const fixture = (name) => join(root, 'tests/fixtures/files', name);

/** @param {string} label @returns {(page: import('@playwright/test').Page) => Promise<void>} */
const tab = (label) => (page) => page.getByRole('tab', { name: label, exact: true }).click();

/** Each view, for docs/views.md: wide and narrow, in light and dark colours. @type {Record<string, Picture>} */
const views = {
  start: { ready: '.start' },
  file: {
    once: true,
    query: { ...sample, item: 'plots' },
    ready: '.facts',
    act: (page) => page.locator('.file-row').click(),
  },
  tree: { query: { ...sample, tree: 'Events' }, ready: '.facts.big' },
  plot: { query: { ...mass, log: 'y', errors: '1' }, ready: '.plot-host[data-frames]' },
  'plot-2d': { query: { ...sample, item: 'plots/muonEtaPhi' }, ready: '.plot-host[data-frames]' },
  query: {
    once: true,
    query: { ...sample, tree: 'Events', draw: 'Muon_pt', cut: 'abs(Muon_eta) < 1', log: 'y' },
    ready: '.plot-host[data-frames]',
  },
  mistake: {
    query: { ...sample, tree: 'Events', draw: 'Muon_ptt*2', cut: 'nMuon>1' },
    ready: '.mistake',
  },
  entries: {
    once: true,
    query: { ...sample, tree: 'Events', draw: 'Muon_pt', view: 'entries' },
    ready: '.entries',
  },
  table: { query: { ...sample, tree: 'Events', view: 'table' }, ready: '[role=gridcell]' },
  layers: {
    query: {
      ...sample,
      tree: 'Events',
      draw: 'Muon_pt',
      cut: 'nMuon==2',
      layers: JSON.stringify([{}, { cut: 'nMuon>2', label: 'more muons' }, { draw: 'Jet_pt' }]),
      below: 'ratio',
      norm: 'area',
    },
    ready: '.compared-stats',
  },
  map: {
    query: { ...sample, tree: 'Events', view: 'map', show: 'branch=Muon_pt&branch=Jet_pt&branch=trigger' },
    ready: '.map-host[aria-busy=false]',
  },
  reads: {
    query: { ...sample, tree: 'Events', draw: 'Muon_pt' },
    ready: '.plot-host[data-frames]',
    act: async (page) => {
      const contents = page.getByRole('button', { name: 'Show contents' });
      if (await contents.isVisible()) await contents.click();
      await page.getByRole('treeitem').filter({ hasText: 'Events' }).click();
      await tab('Reads')(page);
      const shown = page.getByRole('button', { name: 'Hide contents' });
      if (await shown.isVisible()) await shown.click();
      await page.locator('.plot-host[data-frames]').first().waitFor();
    },
  },
  board: {
    once: true,
    query: {
      ...sample,
      ...{ tree: 'Events', view: 'board' },
      show: String(
        new URLSearchParams([
          ['plots', 'nMuon Muon_pt Muon_eta Dimuon_mass MET_pt Muon_pt:Muon_eta'],
          ['chip', ':nMuon==2'],
          ['chip', 'least2:Muon_pt>=20'],
          ['chip', ':Dimuon_mass>=80 && Dimuon_mass<100'],
        ]),
      ),
    },
    ready: '.board-chip >> nth=2',
    act: (page) => page.locator('.board-bar').evaluate((bar) => bar.scrollIntoView({ block: 'start' })),
  },
  wall: { once: true, query: { ...sample, tree: 'Events', view: 'wall' }, ready: '.wall-plot canvas' },
  layout: { once: true, query: { ...sample, tree: 'Events', view: 'layout' }, ready: '.panel table' },
  doctor: {
    file: join(bench, 'h1like.root'),
    ready: '.file-row',
    act: async (page) => {
      await page.getByRole('treeitem').first().click();
      await tab('Doctor')(page);
      await page.locator('.verdict').waitFor();
    },
  },
  heal: {
    file: join(bench, 'h1like.root'),
    ready: '.file-row',
    act: async (page) => {
      await page.getByRole('treeitem').first().click();
      await tab('Doctor')(page);
      await page.getByText('Healing reads').waitFor();
      await page.locator('.heal').evaluate((section) => section.scrollIntoView({ block: 'start' }));
    },
  },
  fleet: {
    query: { ...sample, tree: 'Events', view: 'fleet' },
    ready: '.plot-host[data-frames]',
    act: async (page) => {
      await page.getByLabel('Change one number').fill('sites[1].link.latencyMs=1,10,30,100,300');
      await page.getByRole('button', { name: 'Simulate' }).click();
      await page.getByRole('row', { name: /^300 pull/ }).waitFor();
      await page
        .getByLabel('Change one number')
        .evaluate((field) => field.scrollIntoView({ block: 'start' }));
    },
  },
  save: {
    query: { ...sample, tree: 'Events', draw: 'Muon_phi:Muon_eta', cut: 'nMuon > 1' },
    ready: '.plot-host[data-frames]',
    act: async (page) => {
      await page.getByText('Export', { exact: true }).click();
      await page.getByLabel('Format').selectOption('ROOT');
      await page.getByText('Then at most').waitFor();
      await page.getByText('Then at most').evaluate((text) => text.scrollIntoView({ block: 'end' }));
    },
  },
  server: {
    once: true,
    query: { ...sample, view: 'server', item: 'plots' },
    ready: '.facts',
    act: async (page) => {
      await page.locator('.file-row').click();
      await tab('Server')(page);
      await page.getByText('Throughput').waitFor();
    },
  },
  classes: {
    once: true,
    query: { ...sample, item: 'plots' },
    ready: '.file-row',
    act: async (page) => {
      await page.locator('.file-row').click();
      await tab('Classes')(page);
      await page.getByRole('list', { name: 'Classes' }).getByText('TAxis', { exact: true }).click();
    },
  },
  members: { once: true, query: { ...sample, item: 'plots/dimuonMass', as: 'members' }, ready: '.inspector' },
  jsroot: canvas,
  fit: {
    file: fixture('page/plots.root'),
    ready: '.file-row',
    act: async (page) => {
      await page.getByRole('treeitem').filter({ hasText: 'h_fit' }).click();
      await page.locator('.function').waitFor();
    },
  },
  list: {
    file: fixture('page/plots.root'),
    ready: '.file-row',
    act: async (page) => {
      await page.getByRole('treeitem').filter({ hasText: 'output' }).click();
      await page.locator('.card canvas').first().waitFor();
    },
  },
  values: {
    once: true,
    file: fixture('page/values.root'),
    ready: '.file-row',
    act: async (page) => {
      await page.getByRole('treeitem').filter({ hasText: 'RooFitResult' }).click();
      await page.locator('.panel table').first().waitFor();
    },
  },
  error: { query: { url: 'missing.root' }, ready: '.error-pane' },
  palette: {
    once: true,
    query: mass,
    ready: '.plot-host[data-frames]',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('.palette input, [aria-controls=palette-list]').first().waitFor();
      await page.keyboard.type('pt');
    },
  },
};

/** Window and colours of each view. @type {Record<string, Required<Pick<Picture, 'size' | 'scheme'>>>} */
const variants = {
  light: { size: [1280, 800], scheme: 'light' },
  dark: { size: [1280, 800], scheme: 'dark' },
  'narrow-light': { size: [360, 1100], scheme: 'light' },
  'narrow-dark': { size: [360, 1100], scheme: 'dark' },
};

/** @param {import('@playwright/test').Browser} browser @param {string} site @param {Picture} picture */
async function take(browser, site, { size, scheme = 'light', query = {}, file, ready, act }) {
  const [width, height] = size ?? [1280, 800];
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  await page.goto(`${site}?${new URLSearchParams(query)}`);
  if (file !== undefined) await page.locator('.top-bar input[type=file]').setInputFiles(file);
  await page.locator(ready).first().waitFor();
  await act?.(page);
  await page.waitForLoadState('networkidle');
  // Work in the background is over, and what it found is painted.
  await page.getByRole('button', { name: 'Cancel', exact: true }).first().waitFor({ state: 'hidden' });
  await page.waitForTimeout(200);
  const png = await page.screenshot({ animations: 'disabled' });
  await page.close();
  return png;
}

/**
 * The browser's own WebP: a quarter of the bytes.
 * @param {import('@playwright/test').Browser} browser
 * @param {Buffer} png
 */
async function webpOf(browser, png) {
  const page = await browser.newPage();
  const base64 = await page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.6).split(',')[1] ?? '';
  }, png.toString('base64'));
  await page.close();
  return Buffer.from(base64, 'base64');
}

/**
 * Takes pictures of the page into the folder `pictures` within, and those of each view, in all its variants, into `views`.
 * @param {string} folder
 * @param {string[]} names of pictures and views; all where there are none
 */
async function takePictures(folder, names) {
  for (const part of ['pictures', 'views']) await mkdir(join(folder, part), { recursive: true });
  const site = await serve({ port: 0 });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  /** @param {string} name @param {Picture} picture */
  const there = (name, { file }) => {
    if (names.length > 0 && !names.includes(name)) return false;
    if (file === undefined || existsSync(file)) return true;
    console.log(`${name}: there is no ${file}`);
    return false;
  };
  try {
    for (const [name, picture] of Object.entries(pictures)) {
      if (!there(name, picture)) continue;
      await writeFile(join(folder, 'pictures', `${name}.png`), await take(browser, site.url, picture));
    }
    for (const [name, view] of Object.entries(views)) {
      if (!there(name, view)) continue;
      for (const [variant, how] of Object.entries(variants).slice(0, view.once ? 1 : undefined)) {
        const png = await take(browser, site.url, { ...view, ...how });
        await writeFile(join(folder, 'views', `${name}-${variant}.webp`), await webpOf(browser, png));
      }
    }
  } finally {
    await browser.close();
    site.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    await build(['page', 'modules']);
    const [folder = join(root, 'docs'), ...names] = process.argv.slice(2);
    await takePictures(resolve(folder), names);
  });
}
