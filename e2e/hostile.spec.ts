import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { dropFile, expect, fixturePath, row, statistic, test } from './story';

const markup = (where: string): string => `<img src=x onerror="window.hurt='${where}'">`;

/** Nothing that a file says has become part of the page, or has run. */
async function expectUnhurt(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    hurt: 'hurt' in window,
    elements: document.querySelectorAll('.xylem :is(img, script, b, i, svg[onload], [onerror])').length,
  }));
  expect(found).toEqual({ hurt: false, elements: 0 });
}

test('names, titles and values with markup in them are shown as text', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('page/hostile.root'));
  await row(page, 'hostile.root').or(page.locator('.file-row')).first().click();
  await expect(page.getByText(markup('file'))).toBeVisible();
  await expectUnhurt(page);

  await row(page, 't').click();
  await expect(page.locator('.head .title')).toHaveText(markup('tree'));
  await row(page, markup('branch')).click();
  await expect(page.getByRole('heading', { name: markup('branch') })).toBeVisible();
  await expect(page.locator('.head .title')).toHaveText(markup('branch title'));
  await expect(statistic(page, 'Entries')).toHaveText('12');
  await expectUnhurt(page);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'SVG' }).click();
  const path = await (await downloading).path();
  expect(readFileSync(path, 'utf8')).not.toContain('<img');

  await row(page, "<script>window.hurt='text'</script>").click();
  await expect(page.locator('.frequencies .bar-text').first()).toHaveText(markup('value'));
  await expect(page.getByRole('link')).toHaveCount(0);
  await expectUnhurt(page);

  await row(page, '<b>h').click();
  await expect(page.getByRole('img', { name: /^Plot of/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Members' }).click();
  await expect(page.locator('.inspector')).toContainText(markup('plot'));
  await row(page, "<svg onload=window.hurt='key'>").click();
  await expect(page.locator('.inspector')).toContainText(markup('named'));
  await row(page, '<i>directory').click();
  await expect(page.locator('.head .title')).toHaveText(markup('directory'));
  await expectUnhurt(page);
});

test('an address with markup in it is shown as text', async ({ page }) => {
  await page.goto(`/?${new URLSearchParams({ url: `/${markup('address')}`, tree: markup('tree') })}`);
  await expect(page.getByRole('alert')).toContainText('404');
  await expectUnhurt(page);
});
