import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { openPortal, stopPortals } from '../../element/portal';
import { expect, fixturePath, test } from '../../story';

// A shift: 612 plots of data quality and those of a good run, as make_dqm.py made them.

test.afterAll(stopPortals);

const { shifted, empty, lost, added, otherBins } = JSON.parse(
  readFileSync(fixturePath('walls/dqm.json'), 'utf8'),
) as Record<'shifted' | 'empty' | 'lost' | 'added' | 'otherBins', string[]>;
const notComparable = [...empty, ...otherBins];
const alarms = [...shifted, ...lost, ...added, ...notComparable];

const LIMITS = 'chi2<1e-6, missing';
const showOf = (reference: string, more: Record<string, string> = {}) =>
  new URLSearchParams({ items: 'DQM/**', reference, sort: 'worst', fail: LIMITS, ...more }).toString();

async function compared(page: Page, servers: [own: string, other: string], more = {}): Promise<void> {
  const [url, reference] = servers;
  await page.goto(`/?${new URLSearchParams({ url, view: 'wall', show: showOf(reference, more) })}`);
  await expect(page.getByRole('status', { name: 'Comparison' })).toHaveText(
    '17 alarms (7 over a threshold, 4 not comparable, 2 not in the reference, 4 only in the reference), 602 compared',
  );
}

/** The paths of the plots that exist in the page, in order. */
const namesIn = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Plots' })
    .locator('.wall-name')
    .evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''));

/** How many plots are wholly in sight above the status line. */
const wholly = (page: Page): Promise<number> =>
  page.locator('.wall-place').evaluateAll((all) => {
    const { bottom } = document.querySelector('.detail')?.getBoundingClientRect() ?? { bottom: 0 };
    return all.filter((one) => one.getBoundingClientRect().bottom <= bottom).length;
  });

test('three sizes show 80, 40 and 20 plots on a screen; a key folds the contents, and nothing is left empty', async ({
  page,
  rangeServer,
}) => {
  const servers = [await rangeServer('walls/dqm.root'), await rangeServer('walls/dqm-good.root')] as const;
  await page.setViewportSize({ width: 1920, height: 1080 });
  await compared(page, [servers[0].url, servers[1].url]);
  for (const [size, plots] of [
    ['S', 80],
    ['M', 40],
    ['L', 20],
  ] as const) {
    await page.getByRole('button', { name: size, exact: true }).click();
    await expect(page.getByRole('button', { name: size, exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect.poll(() => wholly(page)).toBeGreaterThanOrEqual(plots);
    await expect.poll(() => wholly(page)).toBeLessThan(1.3 * plots);
    await expect(page.locator('.wall-place').first().locator('canvas')).toBeVisible();
  }
  await page.getByRole('button', { name: 'M', exact: true }).click();
  await expect(page).toHaveURL(/size%3DM/);
  const width = () => page.locator('.wall').evaluate((wall) => wall.getBoundingClientRect().width);
  const before = await width();
  await page.keyboard.press('<');
  await expect(page.getByPlaceholder('Filter names and branches')).toBeHidden();
  await expect.poll(width).toBeGreaterThan(before + 150);
  await page.keyboard.press('<');
  await expect(page.getByPlaceholder('Filter names and branches')).toBeVisible();
  await page.setViewportSize({ width: 2560, height: 1300 });
  const right = () => page.locator('.wall').evaluate((wall) => wall.getBoundingClientRect().right);
  await expect.poll(right).toBeGreaterThan(2560 - 40);
  await page.getByRole('button', { name: 'Contents', exact: true }).click();
  await expect.poll(width).toBeGreaterThan(2200);
});

test('a filter shows the plots of one result, and the link keeps it', async ({ page, rangeServer }) => {
  const servers = [await rangeServer('walls/dqm.root'), await rangeServer('walls/dqm-good.root')] as const;
  await page.setViewportSize({ width: 1440, height: 1000 });
  await compared(page, [servers[0].url, servers[1].url]);
  const shows = async (option: string, names: readonly string[]) => {
    await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: `${option} (${names.length})` });
    await expect(page.getByText(`${names.length} of 612 plots`)).toBeVisible();
    await expect.poll(async () => (await namesIn(page)).sort()).toEqual([...names].sort());
  };
  await shows('Over a threshold', shifted);
  await shows('Missing', [...lost, ...added]);
  await shows('Empty', empty);
  await shows('Not comparable', notComparable);
  await expect(page).toHaveURL(/state%3Derror/);
  await page.reload();
  await expect(page.getByText('4 of 612 plots')).toBeVisible();
  await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Ok (595)' });
  await expect(page.getByText('595 of 612 plots')).toBeVisible();
  // Without a condition, plots are compared and not found to be in order.
  await page.getByRole('textbox', { name: 'Mark where' }).fill('');
  await page.getByRole('textbox', { name: 'Mark where' }).press('Enter');
  await expect(page.getByText('No condition is set.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Show' }).selectOption({ label: 'Compared (602)' });
  await page.getByRole('button', { name: 'chi2<0.01', exact: true }).click();
  await expect(page.getByText('No condition is set.')).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Show' })).toContainText(/Ok \(59\d\)/);
  await page.getByRole('button', { name: 'Remove the reference' }).click();
  await expect(page.getByText('608 plots')).toBeVisible();
});

test('keys go from alarm to alarm, and the legend says which line is which', async ({
  page,
  rangeServer,
}) => {
  const servers = [await rangeServer('walls/dqm.root'), await rangeServer('walls/dqm-good.root')] as const;
  await page.setViewportSize({ width: 1440, height: 900 });
  await compared(page, [servers[0].url, servers[1].url], { sort: 'file', size: 'S' });
  await expect(page.getByText(`${alarms.length} alarms`)).toBeVisible();
  await page.locator('.wall-place').first().focus();
  const focused = () =>
    page.evaluate(() => document.activeElement?.querySelector('.wall-name')?.getAttribute('title') ?? '');
  const visited: string[] = [];
  for (let i = 0; i < alarms.length; i++) {
    const before = await focused();
    await page.keyboard.press('n');
    await expect.poll(focused).not.toBe(before);
    visited.push(await focused());
  }
  expect([...visited].sort()).toEqual([...alarms].sort());
  // After the last one comes the first; back again is the last.
  await page.keyboard.press('n');
  await expect.poll(focused).toBe(visited[0]);
  await page.keyboard.press('p');
  await expect.poll(focused).toBe(visited.at(-1));
  await page.getByRole('button', { name: 'Previous alarm' }).click();
  await expect.poll(focused).toBe(visited.at(-2));
  // The filling belongs to the lowest line, which is the reference.
  await expect(page.locator('.wall-legend')).toHaveText(/this file.*the reference/);
  const [own, other] = await page
    .locator('.wall-legend .line-swatch')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  expect(own).not.toBe(other);
  await page.keyboard.press('?');
  await expect(page.getByRole('region', { name: 'In a wall of plots' })).toContainText('missing');
});

test('an element has nothing but the wall; a click enlarges a plot', async ({ page, rangeServer }) => {
  const servers = [await rangeServer('walls/dqm.root'), await rangeServer('walls/dqm-good.root')] as const;
  const show = showOf(servers[1].url, { size: 'M' }).replaceAll('&', '&amp;');
  await openPortal(
    page,
    `<xylem-viewer src="${servers[0].url}" view="plot" items="DQM/**" show="${show}"></xylem-viewer>`,
  );
  const viewer = page.locator('xylem-viewer');
  const places = viewer.getByRole('list', { name: 'Plots' }).getByRole('button');
  await expect(viewer.getByText('4 only in the reference')).toBeVisible();
  await expect(
    viewer.getByText('the reference', { exact: true }).or(viewer.locator('.wall-legend')),
  ).toBeVisible();
  for (const gone of [
    viewer.getByLabel('Filter the wall'),
    viewer.getByRole('tab'),
    viewer.getByRole('navigation'),
  ])
    await expect(gone)
      .toHaveCount(0, { timeout: 100 })
      .catch(() => expect(gone.first()).toBeHidden());
  const inSight = await places.evaluateAll((all) => {
    const { bottom } = all[0]?.closest('.detail')?.getBoundingClientRect() ?? { bottom: 0 };
    return all.filter((one) => one.getBoundingClientRect().bottom <= bottom).length;
  });
  expect(inSight).toBeGreaterThanOrEqual(9);
  const first = await places.first().locator('.wall-name').getAttribute('title');
  await places.first().click();
  const dialog = viewer.getByRole('dialog', { name: first ?? '' });
  await expect(dialog.locator('canvas')).toBeVisible();
  await expect(dialog).toContainText('chi2/ndf');
  await page.keyboard.press('ArrowRight');
  await expect(viewer.getByRole('dialog')).not.toHaveAccessibleName(first ?? '');
  await page.keyboard.press('Escape');
  await expect(viewer.getByRole('dialog')).toHaveCount(0);
  await expect(places.first()).toBeVisible();
});
