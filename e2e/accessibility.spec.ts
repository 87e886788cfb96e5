import { dropFile, expect, faultsOf, fixturePath, row, samplePath, statistic, test } from './story';

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the ${colorScheme} page`, async ({ page, rangeServer }) => {
    const check = async (what: string) => expect(await faultsOf(page), what).toEqual([]);
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible();
    await check('the empty page');

    await dropFile(page, samplePath);
    await row(page, 'Muon_pt').click();
    await expect(statistic(page, 'Entries')).toBeVisible();
    await page.getByText('Bins in numbers').click();
    await check('a histogram');
    await page.getByRole('tab', { name: 'Entries' }).click();
    await expect(page.locator('.entries')).toBeVisible();
    await check('a table of entries');
    await row(page, 'Events').click();
    await expect(page.getByText('Largest branches')).toBeVisible();
    await check('a tree');
    await page.getByRole('tab', { name: 'Draw', exact: true }).click();
    await page.getByRole('combobox', { name: 'Draw', exact: true }).fill('Muon');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('listbox', { name: 'Names that fit' })).toBeVisible();
    await check('names that fit');
    await page.getByRole('combobox', { name: 'Draw', exact: true }).fill('Muon_ptt');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await check('a mistake in a query');
    await page.getByRole('button', { name: 'Muon_pt', exact: true }).click();
    await expect(statistic(page, 'Entries')).toBeVisible();
    await check('a query');
    await page.getByRole('tab', { name: 'Map', exact: true }).click();
    await expect(page.locator('.map-host canvas').first()).toBeVisible();
    await page.getByRole('button', { name: 'Colour the 3 largest' }).click();
    await check('a map');
    await page.getByRole('tab', { name: 'Table', exact: true }).click();
    await page.getByText('Export', { exact: true }).click();
    await expect(page.getByRole('button', { name: 'Write file' })).toBeVisible();
    await check('the export of a table');
    await page.getByRole('tab', { name: 'Layout' }).click();
    await expect(page.locator('.report-table')).toBeVisible();
    await check('a layout');

    await page.locator('.file-row').click();
    await page.getByRole('tab', { name: 'Classes' }).click();
    await expect(page.getByRole('list', { name: 'Classes' })).toBeVisible();
    await check('the classes of a file');

    await dropFile(page, fixturePath('strings.root'));
    await row(page, 'std').click();
    await expect(page.locator('.frequencies')).toBeVisible();
    await check('frequencies');
    await dropFile(page, fixturePath('histograms.root'));
    await row(page, 'plane').click();
    await page.getByRole('tab', { name: 'Members' }).click();
    await check('members');

    const server = await rangeServer('leaves.root', { status: 404 });
    await page.goto(`/?${new URLSearchParams({ url: server.url })}`);
    await expect(page.getByRole('alert')).toBeVisible();
    await check('an error');
  });
}

test('every control is reached and named by the keyboard alone', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, samplePath);
  await row(page, 'nMuon').click();
  await expect(statistic(page, 'Entries')).toBeVisible();
  await page.locator('.brand').focus();
  const seen: string[] = [];
  for (let i = 0; i < 60; i++) {
    const name = await page.evaluate(() => {
      const at = document.activeElement;
      return at instanceof HTMLElement ? (at.ariaLabel ?? at.innerText ?? '') || at.className : '';
    });
    if (i > 0 && name.trim() === seen[0]) break;
    seen.push(name.trim());
    await page.keyboard.press('Tab');
  }
  const text = seen.join('\n');
  for (const part of [
    'Open',
    'Open file…',
    'Directories, objects and branches',
    'Plot',
    'SVG',
    'Bins in numbers',
  ]) {
    expect(text).toContain(part);
  }
});
