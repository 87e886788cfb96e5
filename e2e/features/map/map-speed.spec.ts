import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dragAndZoom, openMap, slowdown, threadClock, watchTasks } from '../../../bench/map-page.mjs';
import { tellSize } from '../../../scripts/sizes.mjs';
import { expect, fixturePath, openFile, test } from '../../story';

// The trace of stories does work for each step that is not the page's work.
test.use({ trace: 'off' });

// The folder of bench/README.md; without it a smaller file stands for the large one.
const large = join(process.env.BENCH_DATA ?? '', 'aodlike.root');
const crowded = process.env.BENCH_DATA && existsSync(large) ? large : fixturePath('page/crowded.root');

test('a map of many baskets is dragged and zoomed', async ({ page }) => {
  const painted: number[] = [];
  for (let run = 0; run < 3 && !painted.some((ms) => ms < 1000); run++) {
    await openFile(page, crowded);
    await page.getByRole('treeitem').first().click();
    await expect(page.locator('.facts.big')).toBeVisible();
    // Other work of the machine must not count against the map.
    const before = await slowdown(page);
    const ms = await openMap(page);
    painted.push(ms / ((before + (await slowdown(page))) / 2));
  }
  const name = crowded === large ? 'the map of aodlike.root' : 'the map of crowded.root';
  tellSize(`${name}: until it is painted, ms`, Math.round(Math.min(...painted)));
  const tasks = await watchTasks(page);
  const { windows, cpu } = await dragAndZoom(page);
  expect(windows).toBeGreaterThan(20);
  // No task of the page's thread is longer than all that it does for a step.
  tellSize(`${name}: CPU time of the longest step, ms`, Math.round(Math.max(...cpu)));
  // A map that draws every basket has a long task at each step.
  tellSize(`${name}: tasks over 50 ms in ${cpu.length} steps, number`, (await tasks()).length);
});

test('a computation that takes seconds runs in a worker', async ({ page }) => {
  test.skip(crowded !== large, 'only the large file takes long');
  test.setTimeout(180_000);
  await openFile(page, crowded);
  await page.getByRole('treeitem').first().click();
  await expect(page.locator('.facts.big')).toBeVisible();
  const clock = await threadClock(page);
  const before = await clock.now();
  await page.getByRole('tab', { name: 'Reads' }).click();
  await page.getByRole('combobox', { name: /^Branches/ }).selectOption('all');
  await expect(page.locator('.summary')).toContainText(/^\d,\d{3} branches with xylem/, { timeout: 150_000 });
  await page.getByRole('tab', { name: 'Doctor' }).click();
  await expect(page.locator('.verdict')).toBeVisible();
  // Here it took more than 10 s, when the page did it.
  expect((await clock.now()) - before).toBeLessThan(3000);
  await clock.end();
});
