import type { Page } from '@playwright/test';
import { dropFile, expect, fixturePath, openButton, row, samplePath, statistic, test } from './story';

/** The page with an address given to open. */
async function openUrl(page: Page, url: string): Promise<void> {
  await page.goto(`/?${new URLSearchParams({ url })}`);
}

interface Told {
  code: string;
  heading: string;
  message: RegExp;
  fix: RegExp;
}

/** The error pane names what happened and what to do. */
async function expectTold(page: Page, { code, heading, message, fix }: Told): Promise<void> {
  const pane = page.getByRole('alert');
  await expect(pane.getByRole('heading')).toHaveText(heading);
  await expect(pane.locator('.error-code')).toHaveText(code);
  await expect(pane.locator('.error-message')).toHaveText(message);
  await expect(pane.locator('.error-fix')).toHaveText(fix);
}

test('a missing file: 404', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root', { status: 404 });
  await openUrl(page, server.url);
  await expectTold(page, {
    code: 'HTTP_STATUS',
    heading: 'The server did not give the file',
    message: /the server answered 404: there is no such file/,
    fix: /Check the URL/,
  });
  server.faults = { cors: '*' };
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(row(page, 'leaf_I')).toBeVisible();
});

test('a server without CORS', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root', { cors: '' });
  await openUrl(page, server.url);
  await expectTold(page, {
    code: 'NETWORK',
    heading: 'The file could not be fetched',
    message: /does not allow pages of http:\/\/localhost:\d+ to read from it \(CORS\)/,
    fix: /Access-Control-Allow-Origin: http:\/\/localhost:\d+.*download the file and drop it here/,
  });
});

test('a server that ignores ranges: a file of moderate size is read whole', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root', { noRanges: true });
  await openUrl(page, server.url);
  await row(page, 'leaf_I').click();
  await expect(statistic(page, 'Entries')).toHaveText('150');
});

test('a web page in the place of a file', async ({ page, rangeServer }) => {
  const server = await rangeServer('damaged/html.root');
  await openUrl(page, server.url);
  await expectTold(page, {
    code: 'NOT_ROOT',
    heading: 'Not a ROOT file',
    message: /./,
    fix: /./,
  });
});

test('an address of another kind', async ({ page }) => {
  await openUrl(page, 'root://localhost:1//path/file.root');
  await expectTold(page, {
    code: 'UNSUPPORTED',
    heading: 'Not readable yet',
    message: /browsers cannot use the XRootD protocol/,
    fix: /xylem serve --gateway localhost:1/,
  });
  await openUrl(page, 'javascript:alert(1)');
  await expect(page.getByRole('alert')).toContainText('javascript: cannot be read');
});

test('a truncated file; another one can be opened at once', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('damaged/half.root'));
  await expectTold(page, {
    code: 'TRUNCATED',
    heading: 'The file ends too early',
    message: /./,
    fix: /./,
  });
  const choosing = page.waitForEvent('filechooser');
  await openButton(page).click();
  await (await choosing).setFiles(samplePath);
  await expect(row(page, 'Muon_pt')).toBeVisible();
});

test('a damaged tree leaves the rest of the page usable', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('damaged/tree_flipped.root'));
  await row(page, 't').click();
  await expect(page.getByRole('alert').locator('.error-code')).toHaveText(/COMPRESSION|CORRUPT|CHECKSUM/);
  await expect(row(page, 't')).toBeVisible();
});

test('a damaged basket: the plot says that it is partial and names the basket', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('damaged/basket_flipped.root'));
  await row(page, 'x').click();
  const partial = page.getByText(/Partial: 1 of \d+ baskets could not be read/);
  await partial.click();
  await expect(page.locator('.partial li')).toHaveText(/(COMPRESSION|CORRUPT|CHECKSUM) .{15,}/);
  await row(page, 'n').click();
  await expect(statistic(page, 'Entries')).toBeVisible();
  await expect(partial).toHaveCount(0);
});

test('a branch without baskets, and one with fewer entries: plots and the table say what is missing', async ({
  page,
}) => {
  await page.goto('/');
  await dropFile(page, fixturePath('missing/none.root'));
  await row(page, 'y').click();
  await expect(page.getByRole('alert').locator('.error-message')).toHaveText(/none holds entries 0 to 59/);
  await row(page, 't').click();
  await page.getByRole('tab', { name: 'Draw', exact: true }).click();
  const draw = page.getByRole('combobox', { name: 'Draw', exact: true });
  await draw.fill('x+y');
  await draw.press('Enter');
  await expect(page.getByText(/Partial: 1 of \d+ baskets could not be read/)).toBeVisible();
  await page.goto('/');
  await dropFile(page, fixturePath('missing/unfilled.root'));
  await row(page, 't').click();
  await page.getByRole('tab', { name: 'Table' }).click();
  const cells = page.getByRole('grid').getByRole('row').nth(1).getByRole('gridcell');
  await expect(cells.nth(0)).toHaveText('0');
  await expect(cells.nth(1)).toHaveText('missing');
  await expect(cells.nth(1)).toHaveAttribute('title', "y has only 0 of the tree's 60 entries.");
});

test('the server fails between opening and reading; Read the rest goes on', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/long.root');
  await openUrl(page, server.url);
  await expect(row(page, 'x')).toBeVisible();
  server.faults = { cors: '*', status: 403 };
  await row(page, 'x').click();
  const partial = page.getByText(/Partial: \d+ of \d+ baskets could not be read/);
  // The button is there without opening the list of errors.
  await expect(page.getByRole('button', { name: 'Read the rest' })).toBeVisible();
  await partial.click();
  await expect(page.locator('.partial li')).toHaveText(
    /HTTP_STATUS .*403: access is refused.*they expire\. \(\d+ baskets\)/,
  );
  server.faults = { cors: '*' };
  await page.getByRole('button', { name: 'Read the rest' }).click();
  await expect(statistic(page, 'Entries')).toHaveText('100,000');
  await expect(partial).toHaveCount(0);
});

test('a link whose tree came damaged keeps what it draws, and Try again draws it', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/long.root');
  // Within the list of its branches.
  const damaged = Buffer.from(server.bytes).indexOf('\x05TTree') + 1500;
  server.faults = {
    cors: '*',
    alter: (body, offset) => body.map((byte, i) => (Math.abs(offset + i - damaged) < 20 ? byte ^ 85 : byte)),
  };
  const asked = 'tree=t&draw=x&bins=50&range=0,1000';
  await page.goto(`?${new URLSearchParams({ url: server.url })}&${asked}`);
  await expect(page.getByRole('alert').locator('.error-code')).toHaveText(/COMPRESSION|CORRUPT|CHECKSUM/);
  await expect(page).toHaveURL(/draw=x&bins=50&range=0/);
  server.faults = { cors: '*' };
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(statistic(page, 'Entries')).toHaveText('100,000');
  await expect(row(page, 'x')).toBeVisible();
  await expect(page.getByLabel('Bins')).toHaveValue('50');
});

test('a file that is replaced while it is open is an error, and is opened again', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/long.root', { lastModified: '' });
  await openUrl(page, server.url);
  await expect(row(page, 'x')).toBeVisible();
  const before = server.bytes;
  server.bytes = before.map((byte, i) => (i === 47 || i > 4096 ? byte ^ 1 : byte));
  await row(page, 'x').click();
  await expect(page.getByText('The file changed while it was read')).toBeVisible();
  await expect(statistic(page, 'Entries')).toHaveCount(0);
  server.bytes = before;
  await page.reload();
  await row(page, 'x').click();
  await expect(statistic(page, 'Entries')).toHaveText('100,000');
});

test('Cancel ends a slow read, and leaves no request running', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/long.root');
  await openUrl(page, server.url);
  await expect(row(page, 'x')).toBeVisible();
  await expect.poll(() => server.open).toBe(0);

  server.faults = { cors: '*', stall: true };
  await row(page, 'x').click();
  await expect.poll(() => server.open).toBeGreaterThan(0);
  await expect(page.getByRole('progressbar', { name: 'Finding the range' })).toBeVisible();
  await expect(page.locator('.progress-bytes')).toHaveText(/^[\d.]+ k?B of \d{3} kB$/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Reading was cancelled.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect.poll(() => server.open, 'requests that run on').toBe(0);

  const before = server.requests.length;
  server.faults = { cors: '*' };
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(statistic(page, 'Entries')).toHaveText('100,000');
  expect(server.requests.length).toBeGreaterThan(before);
});

test('a server that hangs in the middle is said after seconds, in place of an empty plot', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/long.root');
  await openUrl(page, server.url);
  await expect(row(page, 'x')).toBeVisible();
  server.faults = { cors: '*', hang: true };
  await row(page, 'x').click();
  const told = page
    .locator('.placeholder')
    .getByText(/The server has not answered for \d s\. It may be slow/);
  await expect(told).toBeVisible();
  await expect(page.locator('.progress-label')).toHaveText(/The server has not answered for \d s\./);
  await expect(statistic(page, 'Entries')).toHaveCount(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  server.faults = { cors: '*' };
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(statistic(page, 'Entries')).toHaveText('100,000');
});

test('Cancel while opening goes back to the start', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/long.root', { stall: true });
  await openUrl(page, server.url);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible();
  await expect.poll(() => server.open, 'requests that run on').toBe(0);
});

test('choosing another branch gives up the read of the first', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/long.root');
  await openUrl(page, server.url);
  await expect(row(page, 'x')).toBeVisible();
  server.faults = { cors: '*', stall: true };
  await row(page, 'x').click();
  await expect.poll(() => server.open).toBeGreaterThan(0);
  server.faults = { cors: '*' };
  await row(page, 'y').click();
  await expect(page.getByRole('heading', { name: 'y', exact: true })).toBeVisible();
  await expect(statistic(page, 'Entries')).toHaveText('100,000');
  await expect.poll(() => server.open, 'requests that run on').toBe(0);
});

test('a panel that throws while it is drawn says so, and the rest of the page stays', async ({
  page,
  complaints,
}) => {
  await page.goto('?url=sample.root&tree=Events');
  await expect(row(page, 'nMuon')).toBeVisible();
  await page.evaluate(() => {
    const { ResizeObserver } = window;
    const broken = class {
      constructor() {
        // Only once.
        window.ResizeObserver = ResizeObserver;
        throw new Error('The browser gives no observers.');
      }
    };
    Object.assign(window, { ResizeObserver: broken });
  });
  await page.getByRole('tab', { name: 'Table' }).click();
  await expectTold(page, {
    code: 'INTERNAL',
    heading: 'Something is wrong in xylem',
    message: /^The browser gives no observers\.$/,
    fix: /Try again, or show another part/,
  });
  await expect.poll(() => complaints).toEqual([expect.stringContaining('The browser gives no observers.')]);
  complaints.length = 0;
  await page.getByRole('button', { name: 'Show the overview' }).click();
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await row(page, 'nMuon').click();
  await expect(statistic(page, 'Entries')).toBeVisible();
});
