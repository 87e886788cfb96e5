import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, fixturePath, test } from '../../story';

// Two files as files: the page says of two files what the command says, and draws what differs.

const xylem = resolve(import.meta.dirname, '../../../dist/cli/xylem.js');

interface Report {
  keys: { added: string[]; removed: string[] };
  objects: { path: string }[];
  values: { tree: string; branch: string }[];
}

const commandSays = (...args: string[]): Report =>
  JSON.parse(spawnSync(process.execPath, [xylem, 'diff', ...args, '--json'], { encoding: 'utf8' }).stdout);

async function openDiff(page: Page, url: string, show?: Record<string, string>): Promise<void> {
  const more = show && { show: new URLSearchParams(show).toString() };
  await page.goto(`/?${new URLSearchParams({ url, view: 'diff', ...more })}`);
}

const namesIn = (page: Page, list: string): Promise<string[]> =>
  page
    .getByRole('list', { name: list })
    .locator('.wall-name')
    .evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? '').sort());

test('what came, went and changed is what the command says; plots that differ lie over each other', async ({
  page,
  rangeServer,
}) => {
  const [own, other] = [await rangeServer('walls/dqm.root'), await rangeServer('walls/dqm-good.root')];
  const named = JSON.parse(readFileSync(fixturePath('walls/dqm.json'), 'utf8')) as Record<
    'shifted' | 'empty' | 'otherBins',
    string[]
  >;
  const command = commandSays(
    fixturePath('walls/dqm-good.root'),
    fixturePath('walls/dqm.root'),
    '--p-value',
    '1e-6',
  );
  const changed = command.objects.map(({ path }) => path);
  expect(changed).toEqual(expect.arrayContaining([...named.shifted, ...named.empty, ...named.otherBins]));

  await page.setViewportSize({ width: 1440, height: 1000 });
  await openDiff(page, own.url);
  await page.getByLabel('Address of the older file').fill(other.url);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const summary = page.getByRole('status', { name: 'Differences' });
  await expect(summary).toHaveText(/^2 came, 4 went, \d+ changed$/);
  await page.getByLabel('Same from p').fill('1e-6');
  await page.getByLabel('Same from p').press('Enter');
  await expect(summary).toHaveText(`2 came, 4 went, ${changed.length} changed`);
  await expect(page).toHaveURL(/view=diff&show=reference.*p%3D/);

  const plots = [...changed, ...command.keys.added, ...command.keys.removed].sort();
  await expect(page.getByText(`${plots.length} plots`)).toBeVisible();
  // Only those in sight are in the page: the worst come first.
  const shown = await namesIn(page, 'Objects that differ');
  expect(plots).toEqual(expect.arrayContaining(shown));
  expect(shown).toEqual(expect.arrayContaining(named.otherBins));
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(1 + plots.length);
  await expect(rows.filter({ hasText: 'removed' })).toHaveCount(4);
  await expect(rows.filter({ hasText: 'added' })).toHaveCount(2);
  await expect(rows.filter({ hasText: named.shifted?.[0] ?? '' })).toContainText('chi2/ndf');

  // A plot opens with both files as layers.
  await page
    .getByRole('list', { name: 'Objects that differ' })
    .getByRole('button', { name: /time_layer1/ })
    .click();
  await expect(page.getByRole('heading', { name: 'time_layer1' })).toBeVisible();
  await expect(page.getByText('Ratio to the first')).toBeAttached();
  await page.goBack();
  await expect(summary).toHaveText(`2 came, 4 went, ${changed.length} changed`);
});

test('values of branches are compared on request, and drawn where they differ', async ({
  page,
  rangeServer,
}) => {
  const [own, other] = [await rangeServer('pairs/after.root'), await rangeServer('pairs/before.root')];
  const command = commandSays(fixturePath('pairs/before.root'), fixturePath('pairs/after.root'));
  expect(command.values.length).toBeGreaterThan(0);
  await openDiff(page, own.url, { reference: other.url });
  await page.getByLabel('Values of all branches').check();
  const [first] = command.values;
  await expect(
    page
      .getByRole('table')
      .getByRole('row')
      .filter({ hasText: `${first?.tree}/${first?.branch}` }),
  ).toBeVisible();
  const rows = page.getByRole('table').getByRole('row').filter({ hasText: 'values' });
  await expect(rows).toHaveCount(command.values.length);
  await expect.poll(() => namesIn(page, `Branches of ${first?.tree} that differ`)).toContain(first?.branch);
  await page.reload();
  await expect(rows).toHaveCount(command.values.length);
});

test('files that are open, were opened recently, or lie on the server are offered by name', async ({
  page,
  rangeServer,
}) => {
  const [own, other, third] = [
    await rangeServer('walls/new.root'),
    await rangeServer('walls/reference.root'),
    await rangeServer('walls/lost.root'),
  ];
  await page.route('**/files.json', (route) =>
    route.fulfill({ json: { files: [{ url: third.url, name: 'nightly/lost.root', bytes: 17811 }] } }),
  );
  await page.goto(`/?${new URLSearchParams({ url: other.url })}`);
  await expect(page.locator('.file-row')).toBeVisible();
  await page.goto(`/?${new URLSearchParams({ url: third.url })}`);
  await expect(page.locator('.file-row')).toBeVisible();
  await openDiff(page, own.url);
  const recent = page.getByRole('list', { name: 'Recent files' }).getByRole('button');
  await expect(recent).toHaveCount(2);
  // The one that was opened last comes first.
  await expect(recent.first()).toHaveAttribute('title', third.url);
  await expect(page.getByRole('region', { name: 'Files of this server' })).toContainText('nightly/lost.root');
  await recent.last().click();
  await expect(page.getByRole('status', { name: 'Differences' })).toHaveText(/ changed$/);
  // A file of the disk that is open in another tab has no address.
  await page.getByRole('tab', { name: 'Wall' }).click();
  await page.locator('input[type=file]').first().setInputFiles(fixturePath('walls/dqm.root'));
  await expect(page.locator('.file-tab[aria-current]')).toContainText('dqm.root');
  await page.locator('.file-tab').first().click();
  await page.getByRole('tab', { name: 'Wall' }).click();
  await page.getByText('Compare with a reference').click();
  await page.getByRole('list', { name: 'Open files' }).getByRole('button', { name: 'dqm.root' }).click();
  await expect(page.getByText('Nothing was compared')).toBeVisible();
});
