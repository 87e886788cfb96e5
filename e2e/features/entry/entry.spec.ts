import { expect, openFile, samplePath, test } from '../../story';

test('from a row of the table to its card, and on to the next entry that passes a cut', async ({ page }) => {
  await openFile(page, samplePath);
  await page.getByRole('treeitem', { name: /^Events/ }).click();
  await page.getByRole('tab', { name: 'Table', exact: true }).click();
  await page.getByRole('button', { name: '3', exact: true }).click();
  const card = page.getByRole('region', { name: 'Entry 3' });
  await expect(card.getByRole('img', { name: /objects in eta and phi/ })).toBeVisible();
  await expect(card.getByRole('columnheader', { name: 'charge' })).toBeVisible();

  // Keys go from entry to entry, and not while somebody types.
  await page.keyboard.press('n');
  await expect(page.getByRole('region', { name: 'Entry 4' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(card).toBeVisible();
  await page.getByLabel('Cut for next and previous').fill('Muon_pt[0]>85');
  await page.getByRole('button', { name: 'Next ›' }).click();
  // As TTree::Draw counts: 48, 323, 855, 1054 and 1568 pass.
  const first = page.getByRole('region', { name: 'Entry 48' });
  await expect(first).toBeVisible();
  await expect(first.getByText(/of 16 branches, read with/)).toBeVisible();
  await first.getByRole('button', { name: '‹ Previous' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: 'no earlier entry that passes the cut' }),
  ).toBeVisible();

  await page.getByLabel('Show branches with').fill('invariant mass');
  await page.getByLabel('Show branches with').press('Enter');
  await expect(page.getByText('1 of 16 branches')).toBeVisible();
  await page.getByRole('checkbox', { name: 'MET' }).uncheck();
  await expect(page.getByRole('checkbox', { name: 'MET' })).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Muon' })).toBeChecked();
});

test('an entry that the tree does not have is told, in a link and in the field', async ({
  page,
  rangeServer,
}) => {
  const { url } = await rangeServer('sample.root');
  await page.goto(`/?${new URLSearchParams({ url, tree: 'Events', view: 'entry', show: 'at=999999' })}`);
  await expect(page.getByText(/There is no entry 999999: .* This is entry 2,399\./)).toBeVisible();
  await page.locator('.entry-controls input[inputmode=numeric]').fill('2400');
  await expect(page.getByText('There is no entry 2400: this tree has the entries 0 to 2,399.')).toBeVisible();
});

test('the pointer tells what is below it', async ({ page }) => {
  await openFile(page, samplePath);
  await page.getByRole('treeitem', { name: /^Events/ }).click();
  await page.getByRole('tab', { name: 'Entry', exact: true }).click();
  const canvas = page.getByRole('img', { name: /objects in eta and phi/ }).locator('canvas');
  await expect(canvas).toBeVisible();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('no picture');
  // The line of missing momentum goes through the whole plane.
  const tip = page.locator('.event-tip');
  for (let at = 0.05; at < 0.75 && (await tip.count()) === 0; at += 0.01)
    await page.mouse.move(box.x + 0.25 * box.width, box.y + at * box.height);
  await expect(tip).toHaveText(/^(MET|Muon \d): pt [\d.]+, /);
});
