import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from './story';

const perfstat = resolve(import.meta.dirname, '../tests/fixtures/reads/perfstat.root');
const unwell = resolve(import.meta.dirname, '../tests/fixtures/reads/unwell.root');

test('how a tree was read: the numbers, ROOT laid over it, saved, and what it would cost', async ({
  page,
}) => {
  await page.goto('?url=sample.root&tree=Events&view=reads');
  const numbers = page.getByRole('table').first();
  await expect(numbers.getByRole('row', { name: /^ReadCalls [1-9]/ })).toBeVisible();
  await page.getByLabel('Compare with a saved reading or perfstat.root').setInputFiles(perfstat);
  await expect(numbers.getByRole('row', { name: /^ReadCalls \d+ 55 / })).toBeVisible();
  await expect(page.getByText('ROOT: 55 reads')).toBeVisible();
  await expect(page.getByRole('row', { name: /^TTreeCache of 30 MB/ })).toBeVisible();
  const before = await page.getByRole('row', { name: /^no cache/ }).textContent();
  await page.getByLabel('Latency (ms)').fill('500');
  await page.getByLabel('Latency (ms)').press('Enter');
  await expect(page.getByRole('row', { name: /^no cache/ })).not.toHaveText(before ?? '');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON' }).click();
  const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(saved).toMatchObject({ format: 'xylem perf 1', tree: 'Events' });
});

test('the doctor: a link opens the report, a file that is unwell is graded', async ({ page }) => {
  await page.goto('?url=sample.root&view=doctor&tree=Events');
  await expect(page.getByText('Laid out well for reading')).toBeVisible();
  await page.locator('input[type=file]').first().setInputFiles(unwell);
  await page.locator('.file-row').click();
  await page.getByRole('tab', { name: 'Doctor' }).click();
  await expect(page.getByText('Laid out badly for reading')).toBeVisible();
  await expect(page.getByText(/of the file are free/)).toBeVisible();
  await expect(page.getByText('hadd -f new.root old.root').first()).toBeVisible();
});

test('the server of a file: what it can do', async ({ page }) => {
  await page.goto('?url=sample.root&view=server');
  await page.locator('.file-row').click();
  await page.getByRole('tab', { name: 'Server' }).click();
  await expect(page.getByRole('row', { name: /^Ranges of bytes Good/ })).toBeVisible();
});
