import type { Page } from '@playwright/test';
import type { RangeServer } from '../tests/servers/range-server';
import { expect, row, statistic, test } from './story';

/** Opens the sample at a server and draws; gives the ranges that were asked for. */
async function visit(page: Page, server: RangeServer): Promise<(string | undefined)[]> {
  const before = server.requests.length;
  await page.goto(`/?${new URLSearchParams({ url: server.url, tree: 'Events', draw: 'Muon_pt' })}`);
  await expect(page.getByRole('heading', { name: 'Muon_pt', exact: true })).toBeVisible();
  await expect(statistic(page, 'Entries')).not.toHaveText('');
  return server.requests.slice(before).map(({ range }) => range);
}

const HEAD = 'bytes=0-65535';

/** How many bytes were asked for; into how many ranges they are cut depends on how fast the link seems. */
function bytesOf(ranges: (string | undefined)[]): number {
  return ranges.reduce((sum, range) => {
    const [first = Number.NaN, last = Number.NaN] = (range ?? '')
      .replace('bytes=', '')
      .split('-')
      .map(Number);
    return sum + last - first + 1;
  }, 0);
}

/** Chooses the file itself, where the cache is shown. */
async function showFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^file\.root/ }).click();
  await page.getByText(/^Kept on this machine/).click();
}

test('a second visit, and a second tab, ask for the head only; after clearing all is fetched again', async ({
  page,
  context,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root', { etag: '"one"' });
  const first = await visit(page, server);
  expect(first.length).toBeGreaterThan(1);
  expect(bytesOf(first)).toBeGreaterThan(140_000);
  await showFile(page);
  // Writing is put off a little; what is shown is what is written.
  await expect
    .poll(async () => {
      await page.reload();
      await showFile(page);
      return page.getByRole('button', { name: 'Clear', exact: true }).isEnabled();
    })
    .toBe(true);

  expect(await visit(page, server)).toEqual([HEAD]);
  await expect(page.locator('.status')).toContainText('kept from earlier');
  const other = await context.newPage();
  expect(await visit(other, server)).toEqual([HEAD]);
  expect(await visit(page, server)).toEqual([HEAD]);

  await showFile(other);
  await other.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(other.getByRole('button', { name: 'Clear', exact: true })).toBeDisabled();
  expect(bytesOf(await visit(page, server))).toBe(bytesOf(first));
});

test('a file that is kept offline opens without its server, and says so', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root', { etag: '"one"' });
  await visit(page, server);
  await showFile(page);
  await page.getByRole('button', { name: 'Keep this file offline' }).click();
  await expect(page.getByText('All of this file is kept')).toBeVisible();
  server.faults = { reset: true };
  await page.reload();
  await showFile(page);
  await expect(page.getByText('The server cannot be reached')).toBeVisible();
});

test('the bound of what is kept is set in the page, and holds for every tab', async ({
  page,
  context,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  const first = await visit(page, server);
  await showFile(page);
  const most = page.getByRole('spinbutton', { name: 'Most that is kept, in MB' });
  await expect(most).not.toHaveValue('0');
  await most.fill('0');
  await most.press('Enter');
  await expect(page.getByRole('button', { name: 'Clear', exact: true })).toBeDisabled();
  const other = await context.newPage();
  expect(bytesOf(await visit(other, server))).toBe(bytesOf(first));
  await showFile(other);
  const there = other.getByRole('spinbutton', { name: 'Most that is kept, in MB' });
  await expect(there).toHaveValue('0');
  await there.fill('12.5');
  await there.press('Enter');
  await page.reload();
  await showFile(page);
  await expect(most).toHaveValue('12.5');
});

test('where IndexedDB cannot be opened, files are read all the same, with a notice', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await page.goto('/');
  // As a later xylem may leave it: this one's version is refused.
  await page.evaluate(
    () =>
      new Promise<void>((done, fail) => {
        indexedDB.deleteDatabase('xylem-packs');
        const opening = indexedDB.open('xylem-packs', 99);
        opening.onerror = () => fail(opening.error);
        opening.onsuccess = () => {
          opening.result.close();
          done();
        };
      }),
  );
  const first = await visit(page, server);
  await showFile(page);
  await expect(page.getByText(/storage cannot be used \(.*version.*kept in memory only/)).toBeVisible();
  expect(bytesOf(await visit(page, server))).toBe(bytesOf(first));
});

test('where the browser grants no space, files are read all the same, with a notice', async ({
  page,
  baseURL,
  context,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  const devtools = await context.newCDPSession(page);
  const origin = new URL(baseURL ?? '').origin;
  await page.goto('/');
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  const first = await visit(page, server);
  await expect
    .poll(async () => {
      await row(page, 'Muon_pt').click();
      await showFile(page);
      return page.getByText('The browser grants no space for the cache').isVisible();
    })
    .toBe(true);
  expect(bytesOf(await visit(page, server))).toBe(bytesOf(first));
});
