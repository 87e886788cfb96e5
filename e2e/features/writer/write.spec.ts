import { copyFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import { openRoot } from '../../../web/node';
import { expect, fixturePath, row, statistic, test } from '../../story';

/** As in browsers that cannot write to a file of the user's choice: it is downloaded from the page's own storage. */
async function withoutPicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'showSaveFilePicker');
  });
}

/** The files in the page's own storage with their bytes, without those of the cache. */
function storedFiles(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [];
    const list = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const entry of folder.values()) {
        if (entry instanceof FileSystemFileHandle)
          found.push(`${entry.name}: ${(await entry.getFile()).size} bytes`);
        else if (entry.name !== 'xylem-packs') await list(entry as FileSystemDirectoryHandle);
      }
    };
    await list(await navigator.storage.getDirectory());
    return found;
  });
}

/** Presses a button, and opens what is downloaded. */
async function downloaded(page: Page, button: string): Promise<{ name: string; path: string }> {
  const downloading: Promise<Download> = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), path: await download.path() };
}

test('shown branches of a remote tree are saved, and open files merged', async ({ page, rangeServer }) => {
  await withoutPicker(page);
  const server = await rangeServer('sample.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=Events&view=table`);
  await page.getByText('Export', { exact: true }).click();
  await page.getByLabel('Format').selectOption('ROOT');
  await page.getByRole('button', { name: 'All 16' }).click();
  await expect(
    page.getByText(/^2,400 entries\. .* Reads 1\d\d kB, \d+ requests?, .*\. Writes about 136 kB\./),
  ).toBeVisible();
  await page.getByRole('button', { name: '8 shown' }).click();
  const { name, path } = await downloaded(page, 'Save as .root');
  expect(name).toBe('Events.root');
  await expect(page.getByText(/^Events\.root: \d+ baskets, .* kB$/)).toBeVisible();
  await using saved = await openRoot(path, { workers: 0 });
  const events = await saved.tree('Events');
  expect((await saved.keys()).map((key) => key.path)).toEqual(['Events']);
  expect([events.info.entries, events.info.branches.length]).toEqual([2400, 8]);
  const { Muon_eta } = await events.arrays('Muon_eta', { entries: [2398, 2400] });
  await using source = await saved.open('public/sample.root');
  const { Muon_eta: wanted } = await (await source.tree('Events')).arrays('Muon_eta', {
    entries: [2398, 2400],
  });
  expect([...Muon_eta]).toEqual([...wanted]);

  // The same as an RNTuple, of some entries.
  await page.getByLabel('Format').selectOption('ROOT, as RNTuple');
  await page.getByRole('textbox', { name: 'Entries' }).fill('100:110');
  await expect(page.getByText(/^10 entries\. Values are decoded and compressed anew\. Reads /)).toBeVisible();
  const ntuple = await downloaded(page, 'Save as .root');
  await expect(page.getByText(/^Events\.root: \d+ pages, .* kB$/)).toBeVisible();
  await using decoded = await openRoot(ntuple.path, { workers: 0 });
  const { kind, entries } = (await decoded.tree('Events')).info;
  expect([kind, entries]).toEqual(['RNTuple', 10]);

  // Leftovers of an earlier visit are removed, and a drawn histogram is saved.
  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('xylem-saves');
    await folder.getDirectoryHandle('left', { create: true });
  });
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=Events&draw=Muon_pt`);
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('xylem-saves');
        let files = 0;
        for await (const _ of folder.keys()) files++;
        return files;
      }),
    )
    .toBe(0);
  const drawn = await downloaded(page, 'ROOT');
  expect(drawn.name).toBe('Muon_pt.root');
  await using histogram = await saved.open(drawn.path);
  const { Muon_pt } = await events.arrays('Muon_pt');
  expect((await histogram.object('htemp')).fEntries).toBe(Muon_pt?.data.length);

  // The same file again, as another one.
  const copy = test.info().outputPath('again.root');
  copyFileSync('public/sample.root', copy);
  await page.getByLabel('Open file…').setInputFiles(copy);
  await page.locator('.file-row').filter({ hasText: 'again.root' }).click();
  await page.getByRole('tab', { name: 'Save' }).click();
  // A sound file is not offered to be salvaged.
  await expect(page.getByRole('button', { name: 'Save what was found' })).toBeHidden();
  const merged = await downloaded(page, 'Save 2 files as one');
  expect(merged.name).toBe('merged.root');
  await expect(page.getByText(/^merged\.root: 1 tree, 4 sums, 2 other objects, .* kB$/)).toBeVisible();
  await using both = await saved.open(merged.path);
  expect((await both.tree('Events')).info.entries).toBe(4800);
});

test('entries under a cut are saved from the cycle that is shown', async ({ page, rangeServer }) => {
  await withoutPicker(page);
  const server = await rangeServer('cycles.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=t%3B1&draw=x*n&cut=x%3E3`);
  await page.getByText('Export', { exact: true }).click();
  await page.getByLabel('Format').selectOption('ROOT');
  const menu = page.locator('.export');
  await expect(menu.getByLabel('Where')).toHaveValue('x>3');
  await expect(
    menu.getByText(/^30 entries, of which those that pass\. .*For the cut: .*Then at most: reads /),
  ).toBeVisible();
  await menu.getByLabel('Entries').fill('30:x');
  await expect(menu.getByText('Entries are given as FROM:TO')).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Save as .root' })).toBeDisabled();
  await menu.getByLabel('Entries').fill('0:20');
  await menu.getByRole('button', { name: 'Count those that pass' }).click();
  await using source = await openRoot(fixturePath('cycles.root'), { workers: 0 });
  const tree = await source.tree('t;1');
  const numbers = await tree.entryNumbers('x>3', { entries: [0, 20] });
  expect(numbers.length % 20).not.toBe(0);
  await expect(menu.getByText(`20 entries, of which ${numbers.length} pass.`)).toBeVisible();
  const { path } = await downloaded(page, 'Save as .root');
  await expect(menu.getByText(`t;1: ${numbers.length} of 30 entries`)).toBeVisible();
  await using saved = await source.open(path);
  expect((await saved.keys()).map((key) => `${key.path};${key.cycle}`)).toEqual(['t;1']);
  const { x } = await (await saved.tree('t')).arrays('x');
  const { x: wanted } = await tree.arrays('x', { entries: numbers });
  expect([...x]).toEqual([...wanted]);
});

test('a file is healed into a chosen file, and a cancelled one leaves nothing', async ({
  page,
  rangeServer,
}) => {
  // The dialogue of the browser cannot be pressed by a story: the chosen file is one of the page's own storage.
  await page.addInitScript(() => {
    const chosen = async () =>
      (await navigator.storage.getDirectory()).getFileHandle('chosen.root', { create: true });
    Object.assign(window, { showSaveFilePicker: chosen });
    // While the window has this name, pieces are written slowly.
    const { prototype } = FileSystemWritableFileStream;
    const { write } = prototype;
    prototype.write = async function (...data) {
      if (window.name === 'slow') await new Promise((written) => setTimeout(written, 3000));
      await write.apply(this, data);
    };
  });
  const server = await rangeServer('sample.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&view=doctor`);
  await expect(page.getByText('15 seeks, 3 clusters named')).toBeVisible();
  // Nothing has to be repaired: then the order of the baskets is offered.
  await expect(page.getByRole('button', { name: 'Order', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.getByRole('button', { name: 'Repair this' })).toHaveCount(0);
  const named = (name: string) =>
    page.evaluate((text) => {
      window.name = text;
    }, name);
  await named('slow');
  await page.getByRole('button', { name: 'Save the healed file' }).click();
  await expect.poll(() => storedFiles(page)).toContain('chosen.root: 0 bytes');
  await page.locator('.save-root').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Cancelled: nothing was written.')).toBeVisible();
  await expect.poll(() => storedFiles(page)).toEqual([]);

  await named('fast');
  await page.getByLabel('Compression').selectOption('lzma:5');
  await expect(page.getByText(/healed about 55 baskets, /)).toBeVisible();
  await expect(
    page.getByText(/^Healing reads .* requests?, about .* Mbit\/s\)?, and writes about /),
  ).toBeVisible();
  await expect(page.getByRole('cell', { name: /^8 branches without a cache$/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Save the healed file' }).click();
  await expect(
    page.getByText(/^chosen\.root: 7 keys, 55 baskets, read back and compared, .* kB$/),
  ).toBeVisible();
  const bytes = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const file = await (await folder.getFileHandle('chosen.root')).getFile();
    return [...new Uint8Array(await file.arrayBuffer())];
  });
  await using healed = await openRoot(Uint8Array.from(bytes), { workers: 0 });
  expect(healed.info.compression).toBe('lzma 5');
  const [plan] = (await healed.planHeal()).trees;
  expect(plan).toMatchObject({ path: 'Events', baskets: 55, seeksBefore: 1 });
});

test('files are written while others are read and shown, and each is stopped by itself', async ({
  page,
  rangeServer,
}) => {
  await page.addInitScript(() => {
    const showSaveFilePicker = async ({ suggestedName }: { suggestedName: string }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
    Object.assign(window, { showSaveFilePicker });
    // While the window has this name, nothing is written.
    const { prototype } = FileSystemWritableFileStream;
    const { write } = prototype;
    prototype.write = async function (...data) {
      while (window.name === 'held') await new Promise((written) => setTimeout(written, 50));
      await write.apply(this, data);
    };
    window.name = 'held';
  });
  const server = await rangeServer('sample.root');
  const other = await rangeServer('page/long.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&view=doctor`);
  await page.getByRole('button', { name: 'Save the healed file' }).click();
  const jobs = page.getByRole('list', { name: 'Files that are written' });
  await expect(jobs.getByText(/file-healed\.root/)).toBeVisible();

  // A branch that is drawn meanwhile is read, and giving that up leaves the file alone.
  await row(page, 'Events').click();
  await page.keyboard.press('ArrowRight');
  await row(page, 'nMuon').click();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  await page.keyboard.press('Escape');
  await expect(jobs.getByRole('button', { name: 'Cancel' })).toHaveCount(1);

  // A second one from the same file, and another file that is shown.
  await row(page, 'Events').click();
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByText('Export', { exact: true }).click();
  await page.getByLabel('Format').selectOption('ROOT');
  await page.getByRole('button', { name: 'Save as .root' }).click();
  await expect(jobs.getByRole('button', { name: 'Cancel' })).toHaveCount(2);
  await page.getByRole('textbox', { name: 'Address of a ROOT file' }).fill(other.url);
  await page.keyboard.press('Enter');
  await expect(row(page, 't')).toBeVisible();
  await expect(jobs.getByRole('button', { name: 'Cancel' })).toHaveCount(2);

  await jobs.getByRole('listitem').filter({ hasText: 'Events.root' }).getByRole('button').click();
  await expect(jobs.getByText('Cancelled: nothing was written.')).toBeVisible();
  await jobs.getByRole('button', { name: 'Close: Events.root' }).click();
  await page.evaluate(() => {
    window.name = '';
  });
  await expect(
    jobs.getByText(/^file-healed\.root: 7 keys, 55 baskets, read back and compared, /),
  ).toBeVisible();
  expect(await storedFiles(page)).toEqual([expect.stringMatching(/^file-healed\.root: \d{6} bytes$/)]);
  await jobs.getByRole('button', { name: 'Close: file-healed.root' }).click();
  await expect(jobs).toHaveCount(0);
});

test('what is left of a damaged file is saved where there is room for it', async ({ page }) => {
  await withoutPicker(page);
  // Storage that is full, until the story says otherwise.
  await page.addInitScript(() => {
    const { prototype } = FileSystemWritableFileStream;
    const { write } = prototype;
    prototype.write = function (...data) {
      if (document.title === 'room') return write.apply(this, data);
      return Promise.reject(new DOMException('no room', 'QuotaExceededError'));
    };
  });
  await page.goto('/');
  await page.getByLabel('Open file…').first().setInputFiles(fixturePath('damaged/keys_lost.root'));
  await expect(page.getByText('keys were recovered by walking its records')).toBeVisible();
  await page.getByRole('button', { name: 'Save what was found' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'no space is left' })).toBeVisible();
  const left = await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('xylem-saves');
    const found: string[] = [];
    for await (const name of folder.keys()) found.push(name);
    return found;
  });
  expect(left).toEqual([]);
  await page.evaluate(() => {
    document.title = 'room';
  });
  const { name, path } = await downloaded(page, 'Save what was found');
  expect(name).toBe('keys_lost-salvaged.root');
  await expect(page.getByText(/^keys_lost-salvaged\.root: .* read back and checked; \d+ loss/)).toBeVisible();
  await expect(page.getByText(/^Lost: The file has no list of keys/)).toBeVisible();
  await using saved = await openRoot(path, { workers: 0 });
  expect(saved.info.notes).toEqual([]);
});

for (const picker of [true, false])
  test(`a tab that dies while it saves leaves no half file: ${picker ? 'of a choice' : 'for a download'}`, async ({
    page,
    context,
    rangeServer,
  }) => {
    if (!picker) await withoutPicker(page);
    await page.addInitScript((chosen) => {
      if (chosen) {
        const choose = async () =>
          (await navigator.storage.getDirectory()).getFileHandle('chosen.root', { create: true });
        Object.assign(window, { showSaveFilePicker: choose });
      }
      // The second piece is never written.
      const { prototype } = FileSystemWritableFileStream;
      const { write } = prototype;
      prototype.write = async function (...data) {
        if (document.title === 'begun') await new Promise(() => undefined);
        await write.apply(this, data);
        document.title = 'begun';
      };
    }, picker);
    const server = await rangeServer('sample.root');
    await page.goto(`/?url=${encodeURIComponent(server.url)}&view=doctor`);
    await page.getByRole('button', { name: 'Save the healed file' }).click();
    await expect(page).toHaveTitle('begun');
    const died = page.waitForEvent('crash');
    const session = await context.newCDPSession(page);
    session.send('Page.crash').catch(() => undefined);
    await died;
    await page.close();
    const next = await context.newPage();
    await next.goto('/');
    // The browser itself makes the empty file when it is chosen.
    await expect.poll(() => storedFiles(next)).toEqual(picker ? ['chosen.root: 0 bytes'] : []);
  });
