import { expect, fixturePath, plotArea, row, statistic, test } from './story';

test('the same branch of two files: drawn over each other, with their ratio, and linked to', async ({
  page,
  rangeServer,
}) => {
  const first = await rangeServer('codec_zlib.root');
  const second = await rangeServer('codec_lz4.root');
  await page.goto(`/?url=${encodeURIComponent(first.url)}&tree=t`);
  await row(page, 'noise').click();
  await expect(statistic(page, 'Entries')).toBeVisible();
  await page.getByText('Compare with another file').click();
  await page.getByLabel('Address of the file to compare with').fill(second.url);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();

  // The two files hold the same values, so that the ratio is 1 wherever there is one.
  const ratio = page.getByRole('img', { name: /with the ratio of \S+\/file.root to \S+\/file.root/ });
  await expect(ratio).toBeVisible();
  await expect(page).toHaveURL(/with=http/);
  const box = await plotArea(page, 1);
  // One left edge, so that the bins stand below each other.
  expect((await plotArea(page)).x).toBe(box.x);
  const readout = page.locator('.readout');
  await expect(async () => {
    for (let share = 0.2; share < 0.95; share += 0.05) {
      await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
      if (/ratio 1 ±/.test((await readout.textContent()) ?? '')) return;
    }
    throw new Error('no bin has a ratio of 1');
  }).toPass();

  await page.reload();
  await expect(ratio).toBeVisible();
  await page.getByRole('button', { name: 'Stop comparing' }).click();
  await expect(ratio).toHaveCount(0);
  await expect(page).not.toHaveURL(/with=/);
});

test('a file that has no such branch says so beside the plot', async ({ page, rangeServer }) => {
  const first = await rangeServer('codec_zlib.root');
  await page.goto(`/?url=${encodeURIComponent(first.url)}&tree=t`);
  await row(page, 'noise').click();
  await expect(statistic(page, 'Entries')).toBeVisible();
  await page.getByText('Compare with another file').click();
  await page.getByLabel('Compare with a file…').setInputFiles(fixturePath('histograms.root'));
  await expect(page.getByRole('alert')).toContainText('Nothing to compare');
  await expect(row(page, 't')).toBeVisible();
  await expect(statistic(page, 'Entries')).toBeVisible();
});

test('what is missing of the other file is said, and read again', async ({ page, rangeServer }) => {
  const first = await rangeServer('codec_zlib.root');
  const damaged = await rangeServer('damaged/adler_flipped.root');
  const link = { url: first.url, tree: 't', draw: 'regular', with: damaged.url };
  await page.goto(`/?${new URLSearchParams(link)}`);
  const told = page.getByText(/^Partial: 1 of \d+ baskets of \S+\/file\.root could not be read$/);
  await expect(told).toBeVisible();
  await told.click();
  await expect(page.getByText(/adler32/)).toBeVisible();
  damaged.bytes = first.bytes;
  await page.getByRole('button', { name: 'Stop comparing' }).click();
  await expect(told).toHaveCount(0);
});

test('a file to compare with that was given up does not come later', async ({ page, rangeServer }) => {
  const first = await rangeServer('codec_zlib.root');
  const slow = await rangeServer('codec_lz4.root', { stall: true });
  await page.goto(
    `/?url=${encodeURIComponent(first.url)}&tree=t&draw=noise&with=${encodeURIComponent(slow.url)}`,
  );
  await expect(statistic(page, 'Entries')).toBeVisible();
  await page.getByText('Compare with another file').click();
  await page.getByLabel('Compare with a file…').setInputFiles(fixturePath('codec_zstd.root'));
  await expect(page.getByRole('img', { name: /ratio of file.root to codec_zstd.root/ })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Same area' }).check();
  await page.getByRole('checkbox', { name: 'Errors' }).check();
  expect(slow.requests.length).toBeGreaterThan(0);
  await expect(page.getByText('Opening the file to compare with')).toHaveCount(0);
});

test('expressions and stored histograms are drawn over those of the other file, or a sentence says why not', async ({
  page,
  rangeServer,
}) => {
  const first = await rangeServer('pairs/before.root');
  const second = await rangeServer('pairs/after.root');
  const link = { url: first.url, with: second.url };
  const ratio = page.getByRole('img', { name: /with the ratio of/ });
  await page.goto(`/?${new URLSearchParams({ ...link, tree: 't', draw: 'many*2', bins: '20' })}`);
  await expect(ratio).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Bins' })).toHaveValue('20');
  await page.getByText('Use this in uproot').click();
  await expect(page.getByText('tree->Draw("many*2>>h");')).toBeVisible();
  await row(page, 'counts').click();
  await expect(ratio).toBeVisible();
  await expect(page.locator('.compared-stats')).toContainText('Entries');
  await row(page, 'bins').click();
  await expect(page.getByRole('alert')).toContainText('Nothing to compare: The bins differ');
  await expect(ratio).toHaveCount(0);
  await row(page, 'plane').click();
  await expect(page.getByText('is open to compare with. Plots of two dimensions')).toBeVisible();
  await row(page, 't').click();
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByText('is open to compare with. Choose a branch')).toBeVisible();
});
