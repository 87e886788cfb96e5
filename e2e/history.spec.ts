import type { Page } from '@playwright/test';
import { dropFile, expect, fixturePath, row, statistic, test } from './story';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test('back and forward go where one was; the file stays open, and the link opens the same', async ({
  page,
  context,
  rangeServer,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const file = await rangeServer('codec_zlib.root');
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Address of a ROOT file' }).fill(file.url);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await row(page, 'noise').click();
  await expect(statistic(page, 'Entries')).toBeVisible();
  // Refining a plot adds no entry to the history.
  await page.getByLabel('Bins').fill('20');
  await page.getByLabel('Bins').press('Enter');
  await row(page, 'regular').click();
  await expect(heading(page, 'regular')).toBeVisible();
  await page.getByRole('tab', { name: 'Entries' }).click();
  await expect(page).toHaveURL(/draw=regular&view=entries$/);
  await row(page, 't').click();
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page).toHaveURL(/tree=t&view=table$/);
  await page.getByRole('tab', { name: 'Draw' }).click();
  const expression = page.getByRole('combobox', { name: 'Draw', exact: true });
  await expression.fill('noise*2');
  await page.getByRole('button', { name: 'Draw', exact: true }).click();
  await expect(page).toHaveURL(/draw=noise\*2/);
  await expect(statistic(page, 'Entries')).toBeVisible();

  // The start of the file is asked for when it is opened, and then no more.
  const opened = () => file.requests.filter(({ range }) => range?.startsWith('bytes=0-')).length;
  const before = opened();
  expect(before).toBeGreaterThan(0);
  const length = await page.evaluate(() => history.length);
  await page.goBack();
  await expect(page).toHaveURL(/tree=t&view=draw$/);
  await expect(page.getByRole('tab', { name: 'Draw' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page).toHaveURL(/tree=t&view=table$/);
  await expect(page.getByRole('tab', { name: 'Table' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page).toHaveURL(/tree=t$/);
  await page.goBack();
  await expect(heading(page, 'regular')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Entries' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Plot' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(heading(page, 'noise')).toBeVisible();
  await expect(statistic(page, 'Entries')).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(page).toHaveURL(/draw=regular&view=entries$/);
  await expect(page.getByRole('tab', { name: 'Entries' })).toHaveAttribute('aria-selected', 'true');
  expect(opened(), 'the file stays open').toBe(before);
  expect(await page.evaluate(() => history.length), 'going back makes no entries').toBe(length);

  const button = page.locator('.top-bar').getByRole('button', { name: 'Copy link' });
  await button.click();
  await expect(page.locator('.top-bar').getByRole('button', { name: 'Copied' })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(page.url());
  const other = await context.newPage();
  await other.goto(link);
  await expect(heading(other, 'regular')).toBeVisible();
  await expect(other.getByRole('tab', { name: 'Entries' })).toHaveAttribute('aria-selected', 'true');

  // Elsewhere from here: what would have been forward is gone, and back leads to where one was.
  await row(page, 'noise').click();
  await expect(heading(page, 'noise')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'regular')).toBeVisible();
});

test('back and forward also change files, those of the disk too, and come to the start', async ({
  page,
  rangeServer,
}) => {
  const file = await rangeServer('codec_lz4.root');
  await page.goto('/');
  await dropFile(page, fixturePath('leaves.root'));
  await row(page, 'leaf_I').click();
  await expect(heading(page, 'leaf_I')).toBeVisible();
  await page.getByRole('textbox', { name: 'Address of a ROOT file' }).fill(file.url);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await row(page, 'regular').click();
  await expect(heading(page, 'regular')).toBeVisible();
  await page.goBack();
  await expect(row(page, 'regular')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'leaf_I')).toBeVisible();
  await expect(page.locator('.top-bar').getByRole('button', { name: 'Copy link' })).toHaveCount(0);
  await page.goBack();
  await expect(row(page, 'leaf_I')).toHaveAttribute('aria-selected', 'false');
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible();
  for (const _ of [1, 2]) await page.goForward();
  await expect(heading(page, 'leaf_I')).toBeVisible();
  for (const _ of [1, 2]) await page.goForward();
  await expect(heading(page, 'regular')).toBeVisible();

  // After a reload the entries have their addresses alone.
  await page.reload();
  await expect(heading(page, 'regular')).toBeVisible();
  await page.goBack();
  await expect(row(page, 'regular')).toHaveAttribute('aria-selected', 'false');
  await page.goForward();
  await expect(heading(page, 'regular')).toBeVisible();
});

test('a plot is in the link as it is drawn; back and forward bring it back so', async ({
  page,
  context,
  rangeServer,
}) => {
  const file = await rangeServer('codec_zlib.root');
  const { bins, low, high, logY, errors } = plotFields(page);
  await page.goto(`/?url=${encodeURIComponent(file.url)}&tree=t&draw=noise&bins=0&range=9,1&log=z`);
  await expect(statistic(page, 'Entries')).toBeVisible();
  // Invalid values in a link are ignored.
  await expect(bins).toHaveValue('100');
  await expect(page).toHaveURL(/draw=noise$/);
  const length = await page.evaluate(() => history.length);

  await bins.fill('20');
  await bins.press('Enter');
  await low.fill('-1');
  await low.press('Enter');
  await high.fill('1.5');
  await high.press('Enter');
  await logY.check();
  await errors.check();
  await expect(page).toHaveURL(/draw=noise&bins=20&range=-1%2C1.5&log=y&errors=1$/);
  expect(await page.evaluate(() => history.length), 'what refines a plot makes no entries').toBe(length);
  const entries = await statistic(page, 'Entries').textContent();

  await row(page, 'regular').click();
  await expect(heading(page, 'regular')).toBeVisible();
  // Bins and logarithmic axes are those of one branch; error bars are drawn of all.
  await expect(page).toHaveURL(/draw=regular&errors=1$/);
  await expect(logY).not.toBeChecked();
  await bins.fill('30');
  await bins.press('Enter');
  await expect(page).toHaveURL(/draw=regular&bins=30&errors=1$/);

  const isAsBefore = async (shown: Page) => {
    const fields = plotFields(shown);
    await expect(heading(shown, 'noise')).toBeVisible();
    await expect(fields.bins).toHaveValue('20');
    await expect(fields.low).toHaveValue('-1');
    await expect(fields.high).toHaveValue('1.5');
    await expect(fields.logY).toBeChecked();
    await expect(fields.errors).toBeChecked();
    await expect(statistic(shown, 'Entries')).toHaveText(entries ?? '');
  };
  await page.goBack();
  await isAsBefore(page);
  const link = page.url();
  await page.goForward();
  await expect(heading(page, 'regular')).toBeVisible();
  // ROOT draws them in 34 bins when it is asked for 30.
  await expect(bins).toHaveValue('34');
  await expect(logY).not.toBeChecked();

  const other = await context.newPage();
  await other.goto(link);
  await isAsBefore(other);
});

test('how an object is shown is in the link, too', async ({ page, rangeServer }) => {
  const file = await rangeServer('histograms.root');
  await page.goto(`/?url=${encodeURIComponent(file.url)}&item=TH1D&rebin=4&as=members`);
  await expect(page.getByRole('tab', { name: 'Members' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Plot' }).click();
  await expect(page.getByRole('combobox', { name: 'Rebin' })).toHaveValue('4');
  await expect(page).toHaveURL(/item=TH1D&rebin=4$/);
  await page.getByLabel('Log x').check();
  await row(page, 'plane').click();
  await expect(heading(page, 'plane')).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Log x')).toBeChecked();
  await expect(page).toHaveURL(/item=TH1D&log=x&rebin=4$/);
});

function plotFields(page: Page) {
  return {
    bins: page.getByLabel('Bins', { exact: true }),
    low: page.getByLabel('From', { exact: true }),
    high: page.getByLabel('To', { exact: true }),
    logY: page.getByLabel('Log y'),
    errors: page.getByLabel('Errors'),
  };
}
