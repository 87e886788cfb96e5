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
  await expect(page.locator('.panel')).toContainText(markup('named'));
  await row(page, '<i>directory').click();
  await expect(page.locator('.head .title')).toHaveText(markup('directory'));
  await expectUnhurt(page);
});

test('an address with markup in it is shown as text', async ({ page }) => {
  await page.goto(`/?${new URLSearchParams({ url: `/${markup('address')}`, tree: markup('tree') })}`);
  await expect(page.getByRole('alert')).toContainText('404');
  await expectUnhurt(page);
});

test('markup of a file is text in each view of its tree, in what is found, and in JSROOT’s frame', async ({
  page,
}) => {
  await page.goto('/');
  await dropFile(page, fixturePath('page/hostile.root'));
  await row(page, 't').click();
  await expect(page.locator('.facts.big')).toBeVisible();
  const tabs = page.getByRole('tablist', { name: 'Show of the tree' }).getByRole('tab');
  for (const name of await tabs.allTextContents()) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.locator('.panel .placeholder')).toHaveCount(0);
    await expectUnhurt(page);
  }
  await page.getByRole('tab', { name: 'Table', exact: true }).click();
  await expect(page.getByRole('grid').getByText(markup('branch'))).toBeVisible();
  await page.getByRole('tab', { name: 'Draw', exact: true }).click();
  await page.getByRole('combobox', { name: 'Draw', exact: true }).fill('img');
  await expect(page.getByRole('listbox', { name: 'Names that fit' })).toContainText('onerror');
  await expectUnhurt(page);
  await page.keyboard.press('Escape');
  await page.locator('.brand').focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('img');
  await expect(page.getByRole('listbox', { name: 'What was found' })).toContainText(markup('branch'));
  await expectUnhurt(page);
  await page.keyboard.press('Escape');

  await row(page, '<b>h').click();
  await page.getByRole('tab', { name: 'Draw with JSROOT' }).click();
  await expect(page.frameLocator('.jsroot iframe').locator('svg.root_canvas')).toBeVisible();
  const inside = page.frames().find((one) => one.url().endsWith('/jsroot/frame.html'));
  expect(await inside?.evaluate(() => 'hurt' in window)).toBe(false);
  await expectUnhurt(page);
});
