import { dropFile, expect, fixturePath, row, samplePath, statistic, test } from './story';

test('the contents are walked with the keyboard', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, samplePath);
  const tree = page.getByRole('tree');
  await expect(row(page, 'nMuon')).toBeVisible();
  await tree.focus();
  await tree.press('Home');
  await expect(row(page, 'Events')).toHaveAttribute('aria-selected', 'true');
  await tree.press('ArrowLeft');
  await expect(row(page, 'nMuon')).toHaveCount(0);
  await tree.press('ArrowRight');
  await tree.press('ArrowDown');
  await expect(page.locator('[role=treeitem][aria-selected=true]')).toHaveAttribute('aria-level', '2');
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
});

test('the classes of a file are filtered, their members shown, and types followed', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('objects_split0.root'));
  await page.locator('.file-row').click();
  await page.getByRole('tab', { name: 'Classes' }).click();
  const list = page.getByRole('list', { name: 'Classes' });
  await page.getByRole('searchbox', { name: 'Filter the classes' }).fill('EVEN');
  await expect(list.getByRole('button')).toHaveText(['Eventv4']);
  await list.getByRole('button', { name: 'Event' }).click();
  const event = page.getByRole('region', { name: 'Members of Event' });
  await expect(event.getByRole('row', { name: 'matrix float[2][3]' })).toBeVisible();
  await expect(event.getByRole('row', { name: 'values double* [nValues]' })).toBeVisible();
  await event.getByRole('button', { name: 'Point', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Members of Point' }).getByRole('row')).toHaveCount(4);
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText('Written by')).toBeVisible();
});

test('the first entries of a branch are a table that can be leafed through', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('leaves.root'));
  await row(page, 'leaf_S').click();
  await page.getByRole('tab', { name: 'Entries' }).click();
  const cells = page.locator('.entries tbody td');
  await expect(cells.first()).toHaveText('-32768');
  await expect(cells).toHaveCount(20);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.locator('.entries tbody th').first()).toHaveText('20');
});

test('10,000 branches scroll without a long frame, and few rows are in the page at a time', async ({
  page,
}) => {
  await page.goto('/');
  await dropFile(page, fixturePath('page/wide.root'));
  await expect(row(page, 'channel_00000')).toBeVisible();
  const tree = page.getByRole('tree');
  const frames = await tree.evaluate(async (host) => {
    const next = () => new Promise<number>((settle) => requestAnimationFrame(settle));
    const step = host.scrollHeight / 60;
    const times = [await next()];
    for (let i = 1; i <= 60; i++) {
      host.scrollTop = i * step;
      times.push(await next());
    }
    return times.slice(1).map((time, i) => time - (times[i] ?? 0));
  });
  await expect(row(page, 'channel_09999')).toBeVisible();
  expect(await page.getByRole('treeitem').count()).toBeLessThan(100);
  // A frame is 17 ms; a machine busy with other tests is given room, one that lays out 10,000 rows is not.
  const median = frames.toSorted((a, b) => a - b)[30] ?? Number.NaN;
  expect(median, `${frames.map(Math.round)}`).toBeLessThan(100);

  await row(page, 'channel_09999').click();
  await expect(statistic(page, 'Mean')).toHaveText('2');
  await page.getByRole('searchbox', { name: 'Filter the contents' }).fill('channel_0777');
  await expect(page.locator('[role=treeitem][aria-level="2"]')).toHaveCount(10);
});
