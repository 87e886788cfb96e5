import { copyFile, link, mkdir, mkdtemp, rename, rm, symlink, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import type { XylemViewer } from '../../../web/element/element-api';
import { type Lab, startLab, TOKEN } from './lab';

const SAMPLE = resolve(import.meta.dirname, '../../../public/sample.root');
const SHOTS = resolve(import.meta.dirname, '../../../build/hosts/screenshots');
const FILE = process.env.HOST_FILE ?? SAMPLE;
const PYTHON = process.env.JUPYTER_PYTHON ?? 'python3';
const NAME = `a file of ${basename(FILE)}`;

let lab: Lab;
test.beforeAll(async () => {
  lab = await startLab(PYTHON);
  await mkdir(join(lab.folder, 'sub folder'));
  const path = join(lab.folder, 'sub folder', NAME);
  await link(FILE, path).catch(() => copyFile(FILE, path));
});
test.afterAll(() => lab.end());

/** Requests of the page for a file: the bytes of each answer with ranges, and of those without that came whole. */
function watch(page: Page) {
  const seen = {
    ranges: [] as number[],
    whole: [] as number[],
    contents: [] as string[],
    addresses: [] as string[],
  };
  page.on('requestfinished', async (request) => {
    const url = new URL(request.url());
    if (/\/api\/contents\/.*\.root/.test(url.pathname)) seen.contents.push(url.search);
    if (!url.pathname.startsWith('/files/')) return;
    seen.addresses.push(url.href);
    const answer = await request.response();
    const length = Number(answer?.headers()['content-length']);
    if (answer?.status() === 206) seen.ranges.push(length);
    // The reader asks once for several ranges, which Jupyter does not know, and ends that answer at its header.
    else seen.whole.push(length);
  });
  return seen;
}

const openLab = async (page: Page) => {
  await page.goto(`${lab.address}/lab?token=${TOKEN}&reset`);
  await page.locator('.jp-DirListing-item').first().waitFor();
};
const entry = (page: Page, name: string) => page.locator('.jp-DirListing-item', { hasText: name });
const viewerOf = (page: Page) => page.locator('.jp-Document:not(.lm-mod-hidden) xylem-viewer');

/** Draws a branch when the file is open. */
const draw = (page: Page, name: string) =>
  viewerOf(page).evaluate(async (element, branch) => {
    await (element as unknown as { ready: Promise<unknown> }).ready;
    element.setAttribute('tree', 'Events');
    element.setAttribute('draw', branch);
  }, name);

test('a double click in the file browser opens the viewer without a kernel, and reads ranges alone', async ({
  page,
}) => {
  const seen = watch(page);
  await openLab(page);
  await entry(page, 'sub folder').dblclick();
  const began = Date.now();
  await entry(page, NAME).dblclick();
  const viewer = viewerOf(page);
  await draw(page, 'nMuon');
  await expect(viewer.getByRole('img', { name: /Plot of nMuon/ })).toBeVisible();
  const ms = Date.now() - began;
  const bytes = seen.ranges.reduce((sum, one) => sum + one, 0);
  process.stdout.write(
    `first histogram: ${ms} ms after the double click, ${bytes} bytes in ${seen.ranges.length} requests\n`,
  );
  expect(seen.ranges.length).toBeGreaterThan(0);
  expect(seen.whole).toEqual([]);
  expect(bytes).toBeLessThan(500_000);
  expect(seen.contents.length).toBeGreaterThan(0);
  for (const search of seen.contents) expect(search).not.toContain('content=1');
  // The token of the cookie is in no address, which links have.
  expect(seen.addresses.filter((address) => address.includes('_xsrf'))).toEqual([]);
  const sessions = await page.evaluate(async () => (await fetch('/api/sessions')).json());
  expect(sessions).toEqual([]);
});

test('an open file is there after the page is loaded again, and keeps its name when it is renamed', async ({
  page,
}) => {
  await copyFile(SAMPLE, join(lab.folder, 'kept.root'));
  await openLab(page);
  await entry(page, 'kept.root').dblclick();
  await expect(viewerOf(page).getByText('Events').first()).toBeVisible();
  await draw(page, 'nMuon');
  await viewerOf(page).evaluate((element) => element.setAttribute('cut', 'nMuon>1'));
  const cut = viewerOf(page).getByRole('img', { name: /Plot of nMuon.*nMuon>1/ });
  await expect(cut).toBeVisible();
  // The layout is saved a moment later.
  await page.waitForTimeout(1500);
  await page.goto(`${lab.address}/lab?token=${TOKEN}`);
  await expect(cut).toBeVisible();
  await entry(page, 'kept.root').click();
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('renamed.root');
  await page.keyboard.press('Enter');
  const tab = page.locator('.lm-TabBar-tab', { hasText: 'renamed.root' });
  await expect(tab).toBeVisible();
  // JupyterLab saves the layout when another document comes to the front; of a name alone it does not.
  await entry(page, 'sample.root').dblclick();
  await expect(page.locator('.lm-TabBar-tab', { hasText: 'sample.root' })).toBeVisible();
  await tab.click();
  await page.waitForTimeout(1500);
  await page.goto(`${lab.address}/lab?token=${TOKEN}`);
  await expect(cut).toBeVisible();
  await viewerOf(page).evaluate((element) => element.removeAttribute('cut'));
  await draw(page, 'Muon_pt');
  await expect(viewerOf(page).getByRole('img', { name: /Plot of Muon_pt/ })).toBeVisible();
  // A file that is closed begins anew.
  await tab.locator('.lm-TabBar-tabCloseIcon').click();
  await expect(tab).toHaveCount(0);
  await entry(page, 'renamed.root').dblclick();
  await expect(viewerOf(page).getByText('Events').first()).toBeVisible();
  expect(await viewerOf(page).evaluate((element) => (element as XylemViewer).save().draw)).toBe(undefined);
});

test('the viewer has the colours of JupyterLab, and JSROOT draws', async ({ page }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  for (const theme of ['Light', 'Dark']) {
    await lab.theme(`JupyterLab ${theme}`);
    await openLab(page);
    await entry(page, 'sample.root').dblclick();
    const viewer = viewerOf(page);
    await expect(viewer).toHaveAttribute('theme', theme.toLowerCase());
    await draw(page, 'Muon_pt');
    await expect(viewer.getByRole('img', { name: /Plot of Muon_pt/ })).toBeVisible();
    // The file browser says what is under the mouse.
    await page.mouse.move(600, 795);
    await page.screenshot({ path: join(SHOTS, `jupyterlab-${theme.toLowerCase()}.png`) });
  }
  await viewerOf(page).evaluate((element) => {
    for (const name of ['tree', 'draw']) element.removeAttribute(name);
    element.setAttribute('item', 'plots/dimuonMass');
    element.setAttribute('as', 'jsroot');
  });
  const frame = viewerOf(page).locator('iframe').contentFrame();
  await expect(frame.locator('svg').first()).toBeVisible();
});

test('a file behind a link that leads out of the folder of the server is read whole after a question', async ({
  page,
}) => {
  const far = await mkdtemp(join(tmpdir(), 'xylem-far-'));
  await copyFile(SAMPLE, join(far, 'large.root'));
  await truncate(join(far, 'large.root'), 101e6);
  await symlink(join(far, 'large.root'), join(lab.folder, 'linked.root'));
  const seen = watch(page);
  try {
    await openLab(page);
    await entry(page, 'linked.root').dblclick();
    const question = page.getByRole('alert').filter({ hasText: 'does not say how large' });
    await expect(question).toContainText('jupyter lab --');
    await page.screenshot({ path: join(SHOTS, 'jupyterlab-link.png') });
    expect(seen.contents.filter((search) => search.includes('content=1'))).toEqual([]);
    await page.getByRole('button', { name: 'Read all of it' }).click();
    await draw(page, 'nMuon');
    await expect(viewerOf(page).getByRole('img', { name: /Plot of nMuon/ })).toBeVisible();
  } finally {
    await rm(far, { recursive: true });
  }
});

test('Notebook 7 opens a file in a page of its own; a server that follows links sends ranges of what they lead to', async ({
  page,
}) => {
  const notebook = await startLab(PYTHON, 'notebook', (folder) => [
    '--ContentsManager.allow_hidden=True',
    `--FileContentsManager.files_handler_params={"path": "${folder}", "allowed_symlink_directory": "/"}`,
  ]);
  try {
    await symlink(SAMPLE, join(notebook.folder, 'linked.root'));
    await page.goto(`${notebook.address}/tree?token=${TOKEN}`);
    const opened = page.context().waitForEvent('page');
    await entry(page, 'linked.root').dblclick();
    const own = await opened;
    const seen = watch(own);
    await draw(own, 'nMuon');
    await expect(viewerOf(own).getByRole('img', { name: /Plot of nMuon/ })).toBeVisible();
    await expect(viewerOf(own)).toHaveAttribute('privacy', /sends the parts/);
    expect(seen.ranges.length).toBeGreaterThan(0);
    await own.screenshot({ path: join(SHOTS, 'notebook7.png') });
  } finally {
    await notebook.end();
  }
});

test('a file that is gone is said', async ({ page }) => {
  await copyFile(SAMPLE, join(lab.folder, 'gone.root'));
  await openLab(page);
  await entry(page, 'gone.root').waitFor();
  await rename(join(lab.folder, 'gone.root'), join(lab.folder, 'elsewhere.root'));
  await entry(page, 'gone.root').dblclick();
  await expect(page.getByRole('dialog')).toContainText(/gone.root/);
});
