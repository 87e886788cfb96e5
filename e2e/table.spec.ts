import { expect, plotArea, row, test } from './story';

test('the table of entries: read where it is seen, moved in by keyboard, sorted, linked to', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('leaves.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=t`);
  await page.getByRole('tab', { name: 'Table' }).click();
  const grid = page.getByRole('grid', { name: 'Entries of t' });
  await expect(grid).toHaveAttribute('aria-rowcount', '151');
  await expect(grid.getByRole('row').nth(1).getByRole('gridcell').first()).toHaveText(/^-?\d+$/);

  // Only the rows that are seen are in the document.
  expect(await grid.getByRole('row').count()).toBeLessThan(60);
  await grid.focus();
  await page.keyboard.press('Control+End');
  await expect(grid.getByRole('rowheader', { name: '149', exact: true })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('leaf_ub of entry 149:')).toBeVisible();

  await page.getByLabel('Go to entry').fill('70');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await expect(grid.getByRole('row').nth(1).getByRole('rowheader')).toHaveText('70');
  await expect(page).toHaveURL(/view=table/);
  await expect(page).toHaveURL(/at%3D70/);

  // Sorting orders the page that is seen; a third click gives the order of the tree back.
  const header = grid.getByRole('button', { name: /^leaf_S/ });
  await header.click();
  await expect(grid.getByRole('columnheader', { name: /leaf_S/ })).toHaveAttribute('aria-sort', 'ascending');
  const texts = await grid.getByRole('row').locator('[role=gridcell]:nth-child(4)').allTextContents();
  const numbers = texts.map(Number);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  await header.click();
  await header.click();
  await expect(grid.getByRole('columnheader', { name: /leaf_S/ })).toHaveAttribute('aria-sort', 'none');

  await page.reload();
  await expect(grid.getByRole('row').nth(1).getByRole('rowheader')).toHaveText('70');
});

test('columns are chosen by name, also those of a tree of many branches', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=t&view=table`);
  await page.getByText('8 of 16 columns').click();
  await page.getByLabel('Find a branch').fill('leaf_ud');
  await page.getByRole('checkbox', { name: /leaf_ud/ }).check();
  await expect(page.getByText('9 of 16 columns')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'leaf_ud' })).toHaveCount(1);
});

test('stored plots: names of bins, a graph, and a map that zooms', async ({ page, rangeServer }) => {
  const graphs = await rangeServer('graphs.root');
  await page.goto(`/?url=${encodeURIComponent(graphs.url)}&item=asymmetric`);
  await expect(page.getByRole('img', { name: /Plot of asymmetric\. Points 12/ })).toBeVisible();

  const server = await rangeServer('histograms.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&item=labels`);
  const plot = page.locator('.plot-host');
  await plot.waitFor();
  const box = await plot.boundingBox();
  if (box === null) throw new Error('the plot has no place');
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
  await expect(page.locator('.readout')).toHaveText(/^red\s+67/);

  await row(page, 'plane').click();
  await page.locator('.plot-host[data-kind=map]').waitFor();
  let place = await plotArea(page);
  const at = (x: number, y: number) => [place.x + x * place.width, place.y + y * place.height] as const;
  await page.mouse.move(...at(0.4, 0.3));
  await page.mouse.down();
  await page.mouse.move(...at(0.6, 0.6), { steps: 3 });
  await page.mouse.up();
  await expect(page).toHaveURL(/range=/);
  place = await plotArea(page);
  // Two of six columns are left, so that the left edge is the third bin.
  await page.mouse.move(...at(0.02, 0.5));
  await expect(page.locator('.readout')).toHaveText(/^x \[2, 3\)/);
  await page.mouse.dblclick(...at(0.5, 0.5));
  await expect(page).not.toHaveURL(/range=/);
  place = await plotArea(page);
  await page.mouse.move(...at(0.02, 0.5));
  await expect(page.locator('.readout')).toHaveText(/^x \[0, 1\)/);
});

test('after Cancel the table reads again when asked to', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/long.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url })}`);
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.getByRole('treeitem').first().click();
  await expect(page.getByRole('tab', { name: 'Table' })).toBeVisible();
  server.faults = { cors: '*', stall: true };
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByLabel('Go to entry').fill('60000');
  await page.getByRole('button', { name: 'Go', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Reading was cancelled.')).toBeVisible();
  server.faults = { cors: '*' };
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(page.getByRole('rowheader', { name: '60,000', exact: true })).toBeVisible();
  await expect(page.getByRole('gridcell').first()).toHaveText(/\d/);
  await expect(page.getByText('Reading was cancelled.')).toHaveCount(0);
});

test('rows are copied also where the page has no clipboard of its own', async ({ page, rangeServer }) => {
  // As in pages without https.
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  const server = await rangeServer('leaves.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=t&view=table`);
  await expect(page.getByRole('gridcell').first()).toHaveText(/^-?\d+$/);
  await page.getByRole('button', { name: 'Copy rows as TSV' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const field = page.getByRole('searchbox', { name: 'Filter the contents' });
  await field.focus();
  await page.keyboard.press('Control+v');
  await expect(field).toHaveValue(/^entry\tleaf_/);
});
