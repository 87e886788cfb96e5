import { expect, fixturePath, openButton, row, statistic, test } from './story';

test('several files are open at once: switched, compared, linked to, closed', async ({
  page,
  rangeServer,
}) => {
  const first = await rangeServer('codec_zlib.root');
  const second = await rangeServer('codec_lz4.root');
  await page.goto(`/?${new URLSearchParams({ url: first.url, tree: 't', draw: 'noise' })}`);
  await expect(statistic(page, 'Entries')).toBeVisible();
  const tabs = page.getByRole('navigation', { name: 'Open files' });
  await expect(tabs).toHaveCount(0);

  // A second by its address, a third from the disk.
  await page.getByRole('textbox', { name: 'Address of a ROOT file' }).fill(second.url);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await row(page, 'regular').click();
  await expect(page.getByRole('heading', { name: 'regular' })).toBeVisible();
  await expect(tabs.getByRole('listitem')).toHaveCount(2);
  await expect(page).toHaveURL(/also=/);
  await expect(openButton(page)).toBeVisible();
  await page.locator('.top-bar input[type=file]').setInputFiles(fixturePath('leaves.root'));
  await expect(row(page, 'leaf_I')).toBeVisible();
  await expect(tabs.getByRole('listitem')).toHaveCount(3);

  // Back at the second: what was shown of it, and nothing is opened anew.
  const before = second.requests.length;
  await tabs.getByRole('button', { name: 'file.root', exact: true }).nth(1).click();
  await expect(page.getByRole('heading', { name: 'regular' })).toBeVisible();
  await expect(statistic(page, 'Entries')).toBeVisible();
  expect(second.requests.length - before).toBeLessThanOrEqual(1);

  // Any two are compared: the first was never chosen as the other.
  await page.getByText('Add a layer').click();
  await page.getByRole('button', { name: 'From file.root' }).click();
  await expect(page.getByRole('img', { name: /with the ratio of/ })).toBeVisible();
  await page.getByRole('button', { name: 'Remove all layers' }).click();

  // The link has the files that have addresses; the one that waits is read when it is shown.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'regular' })).toBeVisible();
  await expect(tabs.getByRole('listitem')).toHaveCount(2);
  await tabs.getByRole('button', { name: 'file.root', exact: true }).last().click();
  await expect(row(page, 'noise')).toBeVisible();
  await tabs.getByRole('button', { name: 'Close file.root' }).last().click();
  await expect(tabs).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'regular' })).toBeVisible();
  await expect(page).not.toHaveURL(/also=/);

  // The start keeps what is open.
  await page.getByTitle('Back to the start').click();
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible();
  await tabs.getByRole('button', { name: 'file.root', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'regular' })).toBeVisible();
});
