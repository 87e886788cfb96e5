// npm run screenshots [FOLDER]: pictures of the built page, in docs/ unless a folder is named. Those of maps
// are of the files of bench/README.md, in $BENCH_DATA or build/bench; where those are not there they stay.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from './build.mjs';
import { findChromium } from './chromium.mjs';
import { root, runMain } from './run.mjs';
import { serve } from './serve.mjs';

/**
 * What each picture shows: the page's query or a file of the disk, then what is done on it.
 * @typedef {{ size?: [width: number, height: number], scheme?: 'light' | 'dark', query?: Record<string, string>,
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

/** @type {Record<string, Picture>} */
const pictures = {
  'map-scattered': mapOf('h1like.root'),
  'map-clustered': mapOf('h1like-flushed.root'),

  histogram: { query: mass, ready: '.plot canvas', act: (page) => page.getByText('Log y').click() },
  query: {
    query: {
      ...sample,
      tree: 'Events',
      draw: 'Muon_phi:Muon_eta>>h(40,-2.5,2.5,32,-3.2,3.2)',
      cut: 'Muon_pt > 5',
    },
    ready: '.plot canvas',
  },
  jsroot: {
    file: join(root, 'tests/fixtures/files/page/drawings.root'),
    ready: '.file-row',
    act: async (page) => {
      await page.getByRole('treeitem').filter({ hasText: 'canvas' }).click();
      await page.frameLocator('.jsroot iframe').getByText('A peak').waitFor();
    },
  },
  dark: { query: { ...sample, item: 'plots/muonEtaPhi' }, scheme: 'dark', ready: '.plot canvas' },
};

/** @param {import('@playwright/test').Page} page */
async function showClasses(page) {
  await page.locator('.file-row').click();
  await page.getByRole('tab', { name: 'Classes' }).click();
  await page.getByRole('list', { name: 'Classes' }).getByText('TAxis', { exact: true }).click();
}

/** More, to look at before a release. @type {Record<string, Picture>} */
const others = {
  start: { ready: '.start' },
  'start-dark': { ready: '.start', scheme: 'dark' },
  'start-narrow': { ready: '.start', size: [390, 800] },
  'histogram-dark': { query: mass, scheme: 'dark', ready: '.plot canvas' },
  'histogram-narrow': { query: mass, ready: '.plot canvas', size: [390, 800] },
  'histogram-middle': { query: mass, ready: '.plot canvas', size: [820, 1000] },
  strings: { query: { ...sample, tree: 'Events', draw: 'trigger' }, ready: '.frequencies' },
  tree: { query: { ...sample, tree: 'Events' }, ready: '.facts.big' },
  stored: { query: { ...sample, item: 'plots/dimuonMass' }, ready: '.plot canvas' },
  profile: { query: { ...sample, item: 'plots/ptByEta' }, ready: '.plot canvas', scheme: 'dark' },
  named: { query: { ...sample, item: 'about' }, ready: '.inspector' },
  file: { query: sample, ready: '.facts.file' },
  classes: { query: sample, ready: '.file-row', act: showClasses },
  'classes-dark': { query: sample, ready: '.file-row', scheme: 'dark', act: showClasses },
  'classes-narrow': { query: sample, ready: '.file-row', size: [390, 800], act: showClasses },
  entries: {
    query: { ...sample, tree: 'Events', draw: 'Muon_pt' },
    ready: '.plot canvas',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Entries' }).click();
      await page.locator('.entries').waitFor();
    },
  },
  bins: {
    query: mass,
    ready: '.plot canvas',
    act: (page) => page.getByText('Bins in numbers').click(),
  },
  linear: { query: mass, ready: '.plot canvas' },
  mistake: {
    query: { ...sample, tree: 'Events', draw: 'Muon_ptt*2', cut: 'nMuon>1' },
    ready: '.mistake',
    scheme: 'dark',
  },
  'query-narrow': {
    query: { ...sample, tree: 'Events', draw: 'sqrt(Muon_pt)', cut: 'abs(Muon_eta)<1' },
    ready: '.plot canvas',
    size: [360, 800],
  },
  export: {
    query: { ...sample, tree: 'Events', view: 'table' },
    ready: '[role=gridcell]',
    act: (page) => page.getByText('Export', { exact: true }).click(),
  },
  missing: { query: { url: 'missing.root' }, ready: '.error-pane', scheme: 'dark' },
  'missing-narrow': { query: { url: 'missing.root' }, ready: '.error-pane', size: [390, 800] },
};

/**
 * @param {string} folder
 * @param {Record<string, Picture>} list
 */
export async function takePictures(folder, list) {
  await mkdir(folder, { recursive: true });
  const site = await serve({ port: 0 });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    for (const [name, picture] of Object.entries(list)) {
      const { size: [width, height] = [1280, 800], scheme = 'light', query = {}, file, ready, act } = picture;
      if (file !== undefined && !existsSync(file)) {
        console.log(`${name}: there is no ${file}`);
        continue;
      }
      const page = await browser.newPage({
        viewport: { width, height },
        colorScheme: scheme,
        reducedMotion: 'reduce',
      });
      await page.goto(`${site.url}?${new URLSearchParams(query)}`);
      if (file !== undefined) await page.locator('.top-bar input[type=file]').setInputFiles(file);
      await page.locator(ready).first().waitFor();
      await act?.(page);
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
      await page.close();
    }
  } finally {
    await browser.close();
    site.close();
  }
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    await build(['page']);
    const folder = process.argv[2];
    if (folder === undefined) await takePictures(join(root, 'docs'), pictures);
    else await takePictures(resolve(folder), { ...pictures, ...others });
  });
}
