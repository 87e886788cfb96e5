import type { Locator, Page } from '@playwright/test';
import { expect, fixturePath, openFile, row, test } from '../../story';

const shape = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'Show as' }).getByRole('button', { name, exact: true });

test('the layout of a tree: sizes of baskets that ROOT recommends, how collections are stored, and plots', async ({
  page,
}) => {
  await openFile(page, fixturePath('collections_split0.root'));
  await row(page, 't').click();
  await page.getByRole('tab', { name: 'Layout', exact: true }).click();
  const facts = page.locator('dl.big');
  await expect(facts).toContainText('AutoFlush');
  await expect(facts).toContainText('Buffers, recommended');

  await shape(page, 'Buffers').click();
  const line = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'hits', exact: true }) });
  // Figures of TTree::OptimizeBaskets: tests/features/doctor/recorded/optimize-baskets.json.
  await expect(line).toContainText('2.00 kB');
  await expect(line).toContainText('152 kB');
  await expect(line).toContainText('not read');
  await page.getByRole('button', { name: 'Read how 3 branches store collections' }).click();
  await expect(line).toContainText('member-wise');

  await page.getByLabel('Memory (MB)').fill('0.1');
  await page.getByLabel('Memory (MB)').press('Enter');
  await expect(line).not.toContainText('152 kB');

  await shape(page, 'Distributions').click();
  await expect(page.getByRole('heading', { name: 'Sizes of baskets' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Numbers of baskets' })).toBeVisible();
  await expect(page.locator('.free-plot canvas')).toHaveCount(2);
});

test('an RNTuple has pages and no buffers', async ({ page }) => {
  await openFile(page, fixturePath('rntuple.root'));
  await page.getByRole('treeitem').filter({ hasText: 'ntuple' }).first().click();
  await page.getByRole('tab', { name: 'Layout', exact: true }).click();
  await expect(shape(page, 'Treemap')).toBeVisible();
  await expect(shape(page, 'Buffers')).toHaveCount(0);
  await shape(page, 'Distributions').click();
  await expect(page.getByRole('heading', { name: 'Numbers of pages' })).toBeVisible();
});
