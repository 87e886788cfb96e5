import { dropFile, expect, fixturePath, openButton, row, samplePath, statistic, test } from './story';

test('a file dropped on the page opens: its trees, branches, entries', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('leaves.root'));
  await expect(page.locator('.file-row')).toContainText('leaves.root');
  await expect(row(page, 't')).toContainText('TTree');
  await row(page, 'leaf_I').click();
  await expect(statistic(page, 'Entries')).toHaveText('150');
  await expect(page).toHaveTitle('leaves.root – xylem');
  expect(new URL(page.url()).search, 'no link can name a file of the disk').toBe('');
});

test('a second file dropped takes the place of the first, also over a plot', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('leaves.root'));
  await row(page, 'leaf_I').click();
  await expect(statistic(page, 'Entries')).toHaveText('150');
  await dropFile(page, fixturePath('histograms.root'), '.plot-host');
  await expect(row(page, 'TH1F')).toBeVisible();
  await expect(row(page, 'leaf_I')).toHaveCount(0);
});

test('the file button opens a file of the disk', async ({ page }) => {
  await page.goto('/');
  const choosing = page.waitForEvent('filechooser');
  await openButton(page).click();
  await (await choosing).setFiles(samplePath);
  await expect(row(page, 'Muon_pt')).toBeVisible();
});

test('the start page lists the files of its server, and opens the one that is chosen', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('leaves.root');
  const list = { files: [{ url: server.url, name: 'run7/leaves.root', bytes: 12_300 }] };
  await page.route('**/files.json', (route) => route.fulfill({ json: list }));
  await page.goto('/');
  await page
    .getByRole('listitem')
    .filter({ hasText: '12.3 kB' })
    .getByRole('button', { name: 'run7/leaves.root' })
    .click();
  await row(page, 'leaf_I').click();
  await expect(statistic(page, 'Entries')).toHaveText('150');
});

test('the start page fits a narrow window, however long the names of files are', async ({ page }) => {
  const name = `${'a_long_name_of_a_folder_'.repeat(4)}/run7.root`;
  await page.route('**/files.json', (route) =>
    route.fulfill({ json: { files: [{ url: 'run7.root', name }] } }),
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  for (const part of [page.getByRole('heading', { level: 2 }), page.getByRole('button', { name })]) {
    const box = await part.boundingBox();
    expect(box && box.x + box.width).toBeLessThanOrEqual(360);
  }
});

test('an address in the field opens over HTTP by single bounded ranges', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root');
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Address of a ROOT file' }).fill(server.url);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await row(page, 'leaf_F').click();
  await expect(statistic(page, 'Entries')).toHaveText('150');

  expect(server.requests.length).toBeGreaterThan(0);
  for (const { method, range, url } of server.requests) {
    expect(method).toBe('GET');
    expect(range).toMatch(/^bytes=\d+-\d+$/);
    expect(url).toBe('/data/file.root');
  }
  await expect(page.getByText(/read in \d+ requests?/)).toBeVisible();
});

test('a link with ?url= tree= draw= shows that plot, and the address follows what is shown', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, tree: 'Events', draw: 'nMuon' })}`);
  await expect(page.getByRole('heading', { name: 'nMuon' })).toBeVisible();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');

  await row(page, 'Muon_pt').click();
  await expect(page.getByRole('heading', { name: 'Muon_pt' })).toBeVisible();
  const query = new URL(page.url()).searchParams;
  expect(query.get('draw')).toBe('Muon_pt');

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Muon_pt' })).toBeVisible();
});

test('a link with align= requests whole blocks, and links to what is shown keep it', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  const asked = { url: server.url, tree: 'Events', draw: 'nMuon' };
  await page.goto(`/?${new URLSearchParams({ ...asked, align: '64k' })}`);
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  await row(page, 'Muon_pt').click();
  await expect(page.getByRole('heading', { name: 'Muon_pt' })).toBeVisible();
  expect(new URL(page.url()).searchParams.get('align')).toBe('64KiB');
  const starts = server.requests.map(({ range }) => Number(/^bytes=(\d+)-\d+$/.exec(range ?? '')?.[1]));
  expect(starts.map((start) => start % 65_536)).toEqual(starts.map(() => 0));

  await page.goto(`/?${new URLSearchParams({ ...asked, align: '1MB' })}`);
  await expect(page.getByRole('alert')).toContainText('"1MB" is not a size of blocks');
});

test('the first histogram of a remote file needs at most three round trips', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root', { latencyMs: 150 });
  await page.goto('/');
  const started = Date.now();
  await page.evaluate(
    (query) => {
      location.search = query;
    },
    `?${new URLSearchParams({ url: server.url, tree: 'Events', draw: 'nMuon' })}`,
  );
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  expect(Date.now() - started).toBeGreaterThan(150);
  expect(server.requests.length).toBeLessThanOrEqual(3);
});

test('the sample opens from the empty page', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Open the sample' }).click();
  await row(page, 'plots').locator('.twist').click();
  await row(page, 'dimuonMass').click();
  await expect(page.getByRole('img', { name: /Dimuon mass/ })).toBeVisible();
});
