import { cardCommands } from '../web/features/entry/view/entry-keys';
import { mapCommands } from '../web/features/map/view/map-commands';
import { largeCommands, wallCommands } from '../web/features/walls/view/wall-commands';
import { plotKeys } from '../web/plot/chart/plot-keys';
import { keysText } from '../web/plot/command';
import { contentsCommands } from '../web/ui/commands/contents-commands';
import { gridCommands } from '../web/ui/commands/grid-commands';
import { viewerCommands } from '../web/ui/commands/viewer-commands';
import { expect, row, statistic, test } from './story';

test('by keyboard alone: find a branch, move on, ask for help', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=t`);
  await expect(row(page, 'leaf_I')).toBeVisible();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('leaf_d');
  await expect(palette.getByRole('option').first()).toContainText('leaf_D');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'leaf_D' })).toBeVisible();
  await expect(statistic(page, 'Entries')).toHaveText('150');
  await expect(palette).toHaveCount(0);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  expect(await focused(), 'the keyboard goes on at what was found').toBe('leaf_D');

  // Views and actions are found, too, and there is a button.
  await page.getByRole('button', { name: /^Find / }).click();
  await expect(palette.getByRole('option').first()).toHaveText(/^Plot/);
  await page.keyboard.type('log y');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Log y')).toBeChecked();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('export');
  await expect(palette.getByRole('option').first()).toHaveText(/^Table/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid')).toBeVisible();
  expect(await focused()).toBe('t');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'leaf_D' })).toBeVisible();

  // Letters lead to the next name that begins with them.
  const tree = page.getByRole('tree');
  await tree.focus();
  await page.keyboard.type('leaf_us');
  await expect(page.getByRole('heading', { name: 'leaf_us' })).toBeVisible();

  await page.getByRole('button', { name: 'Keyboard, pointer and words' }).click();
  await expect(page.getByText('Drag in a plot')).toBeVisible();
  const wallKeys = [...wallCommands, ...largeCommands];
  const keyed = [
    ...viewerCommands,
    ...contentsCommands,
    ...gridCommands,
    ...plotKeys,
    ...cardCommands,
    ...mapCommands,
    ...wallKeys,
  ];
  await expect(page.getByRole('dialog').locator('kbd')).toHaveText(keyed.map(({ keys }) => keysText(keys)));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Not toBeFocused(): a window of another story may have the focus of the machine. The dialogue may give the focus back
  // after it is gone.
  await expect(async () => {
    await page.keyboard.press('/');
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('placeholder'));
    expect(focused).toBe('Filter names and branches');
  }).toPass();
});

test('a key that comes as soon as a dialogue has closed opens the next one', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('leaves.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=t`);
  await expect(row(page, 'leaf_I')).toBeVisible();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard' });
  await expect(help).toBeVisible();
  // The event of a dialogue that was closed comes after the code that closed it: a key may come before.
  const press = (keys: { key: string; ctrlKey: boolean }) =>
    page.evaluate((init) => {
      const open = document.querySelector('dialog');
      open?.close();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
      return open !== null;
    }, keys);
  expect(await press({ key: '?', ctrlKey: false })).toBe(true);
  await expect(help).toBeVisible();
  expect(await press({ key: 'k', ctrlKey: true })).toBe(true);
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await expect(palette).toBeVisible();
  // Help is found by its name, too, and stays.
  await page.keyboard.type('keyboard');
  await page.keyboard.press('Enter');
  await expect(help).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('dialog')).toHaveCount(0);
});

test('after an address is entered the keyboard goes on at the contents, or where it was if that fails', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('leaves.root');
  await page.goto('/');
  const address = page.getByRole('textbox', { name: 'Address of a ROOT file' });
  const role = () =>
    page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName);
  await address.fill(server.url);
  await page.keyboard.press('Enter');
  await expect(row(page, 't')).toBeVisible();
  await expect.poll(role).toBe('tree');
  await address.fill('ftp://host/file.root');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect.poll(role).toBe('INPUT');
  await expect(address).toHaveValue('ftp://host/file.root');
  await address.fill(server.url);
  await page.keyboard.press('Enter');
  await expect(row(page, 't')).toBeVisible();
});

test('a link of JSROOT shows the branch that it names', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root');
  await page.goto(`/?file=${encodeURIComponent(server.url)}&item=t/leaf_F&opt=hist`);
  await expect(page.getByRole('heading', { name: 'leaf_F' })).toBeVisible();
  await expect(statistic(page, 'Entries')).toHaveText('150');
});

test('what was opened is offered again, until it is forgotten', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}`);
  await expect(row(page, 't')).toBeVisible();
  await page.goto('/');
  const before = page.getByRole('region', { name: 'Opened before' });
  await before.getByRole('button', { name: 'file.root', exact: true }).click();
  await expect(row(page, 't')).toBeVisible();
  await page.goto('/');
  await before.getByRole('button', { name: 'Forget all' }).click();
  await expect(before).toHaveCount(0);
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the page starts without a network once it was there', async ({ page, context }) => {
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible();
    await page.waitForFunction(async () => {
      const kept = await (await caches.open('xylem-shell')).keys();
      return kept.length > 1;
    });
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Open the sample' })).toBeVisible();
    await context.setOffline(false);
  });
});
