import { dropFile, dropFiles, expect, fixturePath, row, samplePath, statistic, test } from './story';

test('three files are dropped at once: the first is shown, the others wait as tabs', async ({ page }) => {
  await page.goto('/');
  await dropFiles(page, [fixturePath('leaves.root'), fixturePath('arrays.root'), samplePath]);
  await expect(page.locator('.file-row')).toContainText('leaves.root');
  const tabs = page.getByRole('navigation', { name: 'Open files' }).or(page.locator('.file-tabs'));
  await expect(tabs.getByText('arrays.root')).toBeVisible();
  await tabs.getByText('sample.root').click();
  await row(page, 'Muon_pt').click();
  await expect(statistic(page, 'Entries')).not.toHaveText('');
});

test('the filter takes patterns, counts its matches, and Enter goes to the first one', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, samplePath);
  const filter = page.getByRole('searchbox', { name: 'Filter the contents' });
  await filter.fill('Muon_*');
  await expect(page.getByText('6 matches')).toBeVisible();
  await expect(row(page, 'nMuon')).toHaveCount(0);
  await filter.press('Enter');
  await expect(page.getByRole('heading', { name: 'Muon_pt', exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { name: 'Muon_eta', exact: true })).toBeVisible();
  await filter.press('Escape');
  await expect(filter).toHaveValue('');
  await expect(row(page, 'nMuon')).toBeVisible();
});

test('a file that changed is opened again by one button, and shows what was shown', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/long.root', { etag: '"one"' });
  await page.goto(`/?${new URLSearchParams({ url: server.url, tree: 't', draw: 'x' })}`);
  await expect(statistic(page, 'Entries')).toHaveText(/\d/);
  server.faults = { ...server.faults, etag: '"two"', lastModified: 'Tue, 06 Jan 2026 00:00:00 GMT' };
  await row(page, 'y').click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('FILE_CHANGED');
  await alert.getByRole('button', { name: 'Open the file again' }).click();
  await expect(page.getByRole('heading', { name: 'y', exact: true })).toBeVisible();
  await expect(statistic(page, 'Entries')).toHaveText(/\d/);
});

test('a server that does not answer is named as what is waited for', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root', { latencyMs: 30_000 });
  await page.goto(`/?${new URLSearchParams({ url: server.url })}`);
  await expect(page.getByText(/^The server has not answered for \d+ s\./)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible();
});

test('a cut on a branch keeps the bins, the range, the panel and the selection', async ({ page }) => {
  await page.goto('/?url=sample.root&tree=Events&draw=Dimuon_mass&bins=40&range=60,120');
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  await page.getByRole('combobox', { name: 'Where', exact: true }).fill('nMuon==2 && Muon_pt[0]>20');
  await page.keyboard.press('Enter');
  // The figures of xylem draw with --hist 40,60,120, which are those of ROOT.
  await expect(statistic(page, 'Entries')).toHaveText('714');
  await expect(statistic(page, 'Mean')).toHaveText('90.4738');
  await expect(statistic(page, 'Underflow')).toHaveText('132');
  await expect(statistic(page, 'Overflow')).toHaveText('35');
  await expect(page.getByRole('heading', { name: 'Dimuon_mass', exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Bins', exact: true })).toHaveValue('40');
  await expect(row(page, 'Dimuon_mass')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/draw=Dimuon_mass&cut=nMuon/);
  await expect(page).toHaveURL(/bins=40&range=60%2C120/);
  await page.getByText('Use this in').click();
  await page.getByRole('tab', { name: 'TTree::Draw' }).click();
  await expect(page.getByText('tree->Draw("Dimuon_mass>>h", "nMuon==2 && Muon_pt[0]>20")')).toBeVisible();

  // The link shows the same, a mistake stands at its place, and without the cut all is as before.
  await page.reload();
  await expect(statistic(page, 'Entries')).toHaveText('714');
  const where = page.getByRole('combobox', { name: 'Where', exact: true });
  await expect(where).toHaveValue('nMuon==2 && Muon_pt[0]>20');
  await where.fill('nMuonn==2');
  await where.press('Enter');
  await expect(page.getByRole('alert').locator('mark')).toHaveText('nMuonn');
  await page.getByRole('alert').getByRole('button', { name: 'nMuon', exact: true }).click();
  await expect(statistic(page, 'Entries')).toHaveText(/\d/);
  await where.fill('');
  await where.press('Enter');
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
});

test('where there is little room, a plot that was asked for is seen first', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/?url=sample.root&tree=Events&draw=Dimuon_mass');
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  await expect(page.locator('.plot-host[data-frames]')).toBeVisible();
  const box = await page.locator('.plot canvas').boundingBox();
  expect((box?.y ?? 1000) + (box?.height ?? 1000)).toBeLessThan(680);
  await page.getByRole('button', { name: 'Show contents' }).click();
  await row(page, 'MET_pt').click();
  await expect(page.getByRole('heading', { name: 'MET_pt', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show contents' })).toBeVisible();

  // So are the views of a link, on a phone and where everything is shown twice as large.
  const inSight = async (what: string, least: number) => {
    const box = await page.locator(what).first().boundingBox();
    const end = await page.locator('.status').boundingBox();
    expect((end?.y ?? 0) - (box?.y ?? 1000), `${what} above the status line`).toBeGreaterThan(least);
  };
  for (const [width, height] of [
    [360, 740],
    [720, 450],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/?url=sample.root&tree=Events&view=table');
    await expect(page.getByRole('gridcell').first()).toHaveText(/\d/);
    await inSight('.grid-rows', 100);
    await page.goto('/?url=sample.root&tree=Events&view=map');
    await expect(page.locator('.map-host')).toHaveAttribute('aria-busy', 'false');
    await inSight('.map-host', 100);
    await page.goto('/?url=sample.root&tree=Events&draw=Dimuon_mass');
    await expect(statistic(page, 'Entries')).toHaveText('2,400');
    await expect(page.locator('.plot-host[data-frames]')).toBeVisible();
    const shown = await page.locator('.plot canvas').boundingBox();
    await inSight('.plot canvas', shown?.height ?? 1000);
    const address = page.getByRole('textbox', { name: 'Address of a ROOT file' });
    expect((await address.boundingBox())?.width, 'the address can be read').toBeGreaterThan(200);
  }
});

test('the names of deep folders can be read', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('hostile/deep_directories.root'));
  await row(page, 'd1').click();
  for (let depth = 1; depth <= 14; depth++) {
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('treeitem', { name: `d${depth + 1} ` })).toBeVisible();
    await page.keyboard.press('ArrowDown');
  }
  const deep = page.getByRole('treeitem', { name: 'd15 ' });
  const name = await deep.locator('.label').boundingBox();
  const type = await deep.getByText('TDirectory').boundingBox();
  if (name === null || type === null) throw new Error('the row is not drawn');
  expect(name.width).toBeGreaterThan(20);
  expect(name.x + name.width).toBeLessThanOrEqual(type.x);
});

test('what was opened before is listed apart from the buttons', async ({ page }) => {
  await page.goto('/?url=sample.root');
  await expect(page.locator('.file-row')).toContainText('sample.root');
  await page.goto('/');
  const button = await page.getByRole('button', { name: 'Open the sample' }).boundingBox();
  const before = await page.getByRole('region', { name: 'Opened before' }).boundingBox();
  if (button === null || before === null) throw new Error('the start page is not drawn');
  expect(before.y - (button.y + button.height)).toBeGreaterThanOrEqual(16);
});

test('arrays in the members of an object are named in plain words', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('page/plots.root'));
  await row(page, 'g_fit').click();
  await page.getByRole('tab', { name: 'Members' }).click();
  const members = page.locator('.inspector');
  await expect(members).toContainText(/fX\s*\d+ numbers/);
  await expect(members).not.toContainText('Float64Array');
});
