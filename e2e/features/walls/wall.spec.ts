import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { openPortal, stopPortals } from '../../element/portal';
import { expect, fixturePath, row, statistic, test } from '../../story';

test.afterAll(stopPortals);

test('a link shows a wall; what is in sight is read together, filtered, walked by keys, and opened', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('walls/new.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&view=wall&items=dqm/**`);
  const wall = page.getByRole('list', { name: 'Plots' });
  await expect(page.getByText('20 plots')).toBeVisible();
  await expect(wall.getByRole('button', { name: /one_empty/ })).toContainText('500');
  await expect(wall.locator('canvas').first()).toBeVisible();
  // The start and the end of the file, and one for all that is in sight.
  expect(server.requests.length).toBeLessThanOrEqual(4);

  await page.getByRole('searchbox', { name: 'Filter the wall' }).fill('weights in');
  await expect(page.getByText('1 of 20 plots')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter the wall' }).fill('');
  await page.getByLabel('Sort').selectOption('name');
  await page.getByLabel('Same axes').check();
  await page.getByLabel('Log y').check();
  await expect(page).toHaveURL(/show=items%3Ddqm.*sort%3Dname%26log%3D1%26same%3D1/);

  await wall.getByRole('button', { name: /^byte/ }).focus();
  await page.keyboard.press('Control+End');
  await expect(wall.getByRole('button', { name: /^weighted/ })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(wall.getByRole('button', { name: /^unit/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'unit' })).toBeVisible();
  await expect(statistic(page, 'Entries')).toHaveText('500');

  await page.goBack();
  await expect(page.getByLabel('Same axes')).toBeChecked();
  await expect(wall.getByRole('button', { name: /^unit/ })).toBeInViewport();
  await expect(wall.getByRole('button', { name: /^unit/ })).toBeFocused();
});

test('the crosshair goes over all plots of a wall, and says the content of each', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/zoo.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&view=wall&items=eff_[abcf]*`);
  const first = page.locator('.wall-place').first();
  await expect(first.locator('canvas')).toBeVisible();
  const place = await first.locator('.wall-plot').boundingBox();
  if (place === null) throw new Error('There is no plot.');
  await page.mouse.move(place.x + 0.5 * place.width, place.y + 60);
  await page.mouse.move(place.x + 0.6 * place.width, place.y + 62);
  const said = page.locator('.wall-cursor:not(:empty)');
  await expect(first.locator('.wall-cursor:not(:empty)')).toHaveText(/^x .*\sy /);
  await expect
    .poll(() => said.allTextContents())
    .toEqual([expect.stringMatching(/^x /), ...Array(3).fill(expect.stringMatching(/^y [01]/))]);
  // Each line is where its plot has the same x: these have the same axis.
  const lines = await page.locator('.wall-plot > .wall-cursor:empty').evaluateAll((found) =>
    found.slice(0, 2).map((line) => {
      const own = line.getBoundingClientRect();
      return own.left - (line.parentElement?.getBoundingClientRect().left ?? 0);
    }),
  );
  expect(Math.abs((lines[0] ?? 0) - 0.6 * place.width)).toBeLessThan(2);
  await page.mouse.move(5, 5);
  await expect(page.locator('.wall-cursor')).toHaveCount(0);
});

test('a folder shows its plots; where one cannot be drawn, its place says why', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('walls/new.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&item=dqm`);
  await expect(page.getByText('10 plots')).toBeVisible();
  await page.getByLabel('With folders below').check();
  await expect(page.getByText('20 plots')).toBeVisible();
  await row(page, 'walls').or(page.locator('.file-row')).first().click();
  await page.getByRole('tab', { name: 'Wall' }).click();
  await page.getByRole('searchbox', { name: 'Filter the wall' }).fill('polar');
  await expect(
    page.getByRole('button', { name: /polar.*TGraphPolar, which is not drawn here/ }),
  ).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter the wall' }).fill('hostile');
  await expect(page.getByRole('button', { name: /hostile<b>/ })).toContainText('</svg><script>alert(1)');
});

test('the element shows a wall of branches', async ({ page, rangeServer }) => {
  const sample = await rangeServer('sample.root');
  await openPortal(
    page,
    `<xylem-viewer src="${sample.url}" tree="Events" view="wall" items="Muon_* MET_pt*2"></xylem-viewer>`,
  );
  const wall = page.locator('xylem-viewer').getByRole('list', { name: 'Plots' });
  await expect(wall.getByRole('button', { name: /^Muon_pt/ })).toBeVisible();
  await expect(wall.locator('canvas').first()).toBeVisible();
  const last = wall.getByRole('button', { name: /^MET_pt\*2/ });
  await wall.getByRole('button').first().focus();
  await page.keyboard.press('Control+End');
  await expect(last).toContainText('2,400');
  await last.press('Enter');
  await expect(statistic(page.locator('xylem-viewer'), 'Entries')).toHaveText('2,400');
});

test('a reference lies over the plots of a wall; the worst come first, and open with it', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('walls/new.root');
  const reference = await rangeServer('walls/reference.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&view=wall&items=**`);
  await page.getByText('Compare with a reference').click();
  await page.getByLabel('Address of the reference').fill(reference.url);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const places = page.getByRole('list', { name: 'Plots' }).getByRole('button');
  await expect(places.nth(0)).toContainText('The reference is empty.');
  await expect(places.nth(4)).toContainText('chi2 p 8.642e-31, KS p 2.081e-35');
  const result = page.getByRole('status', { name: 'Comparison' });
  await expect(result).toContainText('not comparable');
  await page.getByLabel('Mark where').fill('chi2<1e-20');
  // Drawing the page again, as each plot that arrives does, keeps what is typed.
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.getByLabel('Mark where')).toHaveValue('chi2<1e-20');
  await page.getByLabel('Mark where').press('Enter');
  await expect(result).toContainText(/^[1-9]\d* alarms \([1-9]\d* over a threshold, /);
  await expect(page).toHaveURL(/fail(=|%3D)chi2/);
  const marked = page.getByRole('button', { name: /^over dqm\/deep\/apart/ });
  await expect(marked).toHaveAttribute('data-state', 'failed');
  await expect(marked).toHaveAttribute('title', /^chi2<1e-20: chi2 is 8\.642e-31/);
  await page.getByLabel('Mark where').fill('chi2<many');
  await page.getByLabel('Mark where').press('Enter');
  await expect(page.getByRole('alert')).toContainText('"chi2<many" is not a condition.');
  await places.nth(4).click();
  await expect(page.getByRole('heading', { name: 'apart' })).toBeVisible();
  await expect(page.getByText('Ratio to the first')).toBeAttached();
  await page.goBack();
  await page.getByRole('button', { name: 'Remove the reference' }).click();
  await expect(page.getByLabel('Sort')).toHaveValue('file');
});

test('the page that the command line writes filters, sorts and enlarges without a network', async ({
  page,
}) => {
  const [made, reference] = ['new', 'reference'].map((name) => fixturePath(`walls/${name}.root`));
  const xylem = resolve(import.meta.dirname, '../../../dist/cli/xylem.js');
  const line = [xylem, 'wall', made ?? '', '--reference', reference ?? '', '--band', '1', '--html', '-'];
  let html = '';
  try {
    execFileSync(process.execPath, line, {
      encoding: 'utf8',
      maxBuffer: 1e8,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (thrown) {
    // Some pairs of the fixture cannot be compared, and the status says so.
    html = (thrown as { stdout: string }).stdout;
  }
  await page.setContent(html);
  await expect(page.getByRole('status')).toHaveText('34 plots');
  await page.keyboard.press('/');
  await page.keyboard.type('weights signs');
  await expect(page.getByRole('status')).toHaveText('1 of 34 plots');
  await page.getByRole('button', { name: 'Enlarge dqm/deep/negative' }).click();
  await expect(page.getByRole('dialog', { name: 'dqm/deep/negative' })).toContainText('reference');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Result').selectOption('error');
  await expect(page.getByRole('status')).toHaveText('4 of 34 plots');
  await page.getByLabel('Result').selectOption('');
  await page.getByLabel('Sort').selectOption('entries');
  await expect(page.locator('figure').first()).toContainText('many');
});
