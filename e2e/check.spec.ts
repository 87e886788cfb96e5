import { resolve } from 'node:path';
import { expect, test } from './story';

const damaged = resolve(import.meta.dirname, '../tests/fixtures/files/damaged/adler_flipped.root');

test('the check waits for a press, says what is damaged and where, and saves its report', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&view=check`);
  const check = page.getByRole('button', { name: 'Check', exact: true });
  await expect(page.getByText('This reads much of the file.')).toBeVisible();
  const sound = page.getByText(/^No findings: .*, 2,400 entries, 55 baskets$/);
  await expect(sound).toHaveCount(0);
  await check.click();
  await expect(sound).toBeVisible();

  await page.locator('input[type=file]').first().setInputFiles(damaged);
  await expect(page.locator('.file-row')).toContainText('adler_flipped.root');
  await page.locator('.file-row').click();
  await page.getByRole('tab', { name: 'Check' }).click();
  await check.click();
  await expect(page.getByText(/^1 error: 12\.7 kB, /)).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: 'Basket 1 of regular' });
  await expect(row).toContainText(/error\s*checksum\s*t\/regular/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the report' }).click();
  expect((await download).suggestedFilename()).toBe('check.html');
  await row.getByRole('button').click();
  await expect(page.getByText(/^Outlined: /)).toBeVisible();
});
