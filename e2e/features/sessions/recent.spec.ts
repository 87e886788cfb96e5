import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, openButton, row, samplePath, statistic, test } from '../../story';

test.skip(({ browserName }) => browserName !== 'chromium', 'Only Chromium gives handles of files.');

/**
 * Puts files into the private folder of the page, and lets the dialogue of files give their handles: they are those of the
 * browser, which are kept and read like those of a disk.
 */
async function pickFrom(page: Page, files: Record<string, Buffer>): Promise<void> {
  await page.evaluate(
    async (given) => {
      const folder = await navigator.storage.getDirectory();
      const handles = await Promise.all(
        given.map(async ([name = '', base64 = '']) => {
          const handle = await folder.getFileHandle(name, { create: true });
          const writable = await handle.createWritable();
          await writable.write(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
          await writable.close();
          return handle;
        }),
      );
      Object.assign(window, { showOpenFilePicker: async () => handles });
    },
    Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')]),
  );
}

test('a file of this machine is opened again after a reload, by the start page and by a session, until it is forgotten', async ({
  page,
}) => {
  await page.goto('./');
  await expect(openButton(page)).toBeVisible();
  await pickFrom(page, { 'mine.root': await readFile(samplePath) });
  await openButton(page).click();
  await row(page, 'Events').click();
  await row(page, 'nMuon').click();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  await page.getByRole('button', { name: 'Session', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Session' });
  await dialog.getByRole('button', { name: 'Keep this view' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Title of view 1' })).toHaveValue('nMuon');

  const reload = async () => {
    await page.goto('about:blank');
    await page.goto('./');
  };
  await page.reload();
  await expect(page.getByRole('button', { name: 'Session', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Session', exact: true }).click();
  await dialog.getByRole('button', { name: 'Show nMuon' }).click();
  await expect(page.getByRole('heading', { name: 'nMuon', exact: true })).toBeVisible();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');

  await reload();
  const recent = page.getByRole('region', { name: 'Files of this machine, opened before' });
  await expect(recent.getByText('open again, 150 kB')).toBeVisible();
  await recent.getByRole('button', { name: 'mine.root', exact: true }).click();
  await expect(row(page, 'Events')).toBeVisible();

  // A file that is gone says so.
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry('mine.root'));
  await reload();
  await recent.getByRole('button', { name: 'mine.root', exact: true }).click();
  await expect(recent.getByRole('alert')).toContainText('mine.root is not where it was');
  await recent.getByRole('button', { name: 'Forget mine.root' }).click();
  await expect(recent).toHaveCount(0);
  const kept = await page.evaluate(async () => {
    const request = indexedDB.open('xylem-recent');
    await new Promise((done) => request.addEventListener('success', done));
    const all = request.result.transaction('files').objectStore('files').getAll();
    await new Promise((done) => all.addEventListener('success', done));
    request.result.close();
    return all.result.length;
  });
  expect(kept).toBe(0);
});
