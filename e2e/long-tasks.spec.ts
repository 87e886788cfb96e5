import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { slowdownOf, traceTasks } from '../bench/page-tasks.mjs';
import { tellSize } from '../scripts/sizes.mjs';
import { choose, expect, fixturePath, openFile, row, samplePath, test } from './story';

// The trace of stories does work for each step that is not the page's work.
test.use({ trace: 'off' });

/** People feel a task of the page that takes longer, in ms. Another run may show that the machine was busy. */
const most = 50;

interface Way {
  /** A file of bench/README.md; undefined for the sample. */
  file?: string;
  /** A file of the fixtures, in place of the sample. */
  fixture?: string;
  act(page: Page): Promise<void>;
}

async function drawn(page: Page, branch: string): Promise<void> {
  await choose(page, branch);
  await expect(page.locator('.plot canvas').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('.status .reads')).toBeVisible({ timeout: 60_000 });
}

const ways: Record<string, Way> = {
  'the sample is opened and drawn': { act: (page) => drawn(page, 'Dimuon_mass') },
  'a wall of 10,000 branches scrolls': {
    fixture: 'page/wide.root',
    act: async (page) => {
      await row(page, 'wide').click();
      await page.getByRole('tab', { name: 'Wall' }).click();
      const place = page.locator('.wall-place').first();
      await expect(place.locator('canvas')).toBeVisible({ timeout: 60_000 });
      await place.hover();
      for (let i = 0; i < 30; i++) await page.mouse.wheel(0, 700);
      await expect(page.locator('.wall-place canvas').last()).toBeVisible();
    },
  },
  'a branch of 981 is drawn': { file: 'nano-zlib.root', act: (page) => drawn(page, 'Muon_pt') },
  'a field of an RNTuple is drawn': { file: 'nano-rntuple.root', act: (page) => drawn(page, 'MET_s000') },
  'a branch of scattered baskets is drawn': { file: 'h1like.root', act: (page) => drawn(page, 'md0_d') },
  'a map of 234,766 baskets is made': {
    file: 'aodlike.root',
    act: async (page) => {
      await page.getByRole('treeitem').first().click();
      await expect(page.locator('.facts.big')).toBeVisible({ timeout: 60_000 });
      await page.getByRole('tab', { name: 'Map' }).click();
      await expect(page.locator('.map-host[aria-busy=false]')).toBeVisible({ timeout: 60_000 });
    },
  },
};

for (const [name, { file, fixture, act }] of Object.entries(ways)) {
  test(`the longest task of the page while ${name}`, async ({ browser, context }) => {
    const own = fixture === undefined ? samplePath : fixturePath(fixture);
    const path = file === undefined ? own : join(process.env.BENCH_DATA ?? '', file);
    test.skip(file !== undefined && (!process.env.BENCH_DATA || !existsSync(path)), `there is no ${file}`);
    test.setTimeout(180_000);
    const longest: number[] = [];
    for (let run = 0; run < 3 && !longest.some((ms) => ms < most); run++) {
      const page = await context.newPage();
      const tasks = await traceTasks(browser, page, async () => {
        await openFile(page, path);
        await act(page);
      });
      await page.close();
      // Takes the CPU time of a task, or its wall time divided by the slowdown of the machine if that is
      // longer, so that other work of the machine does not count.
      const slow = slowdownOf(tasks);
      longest.push(Math.max(...tasks.map(({ wall, cpu }) => Math.max(cpu, wall / slow))));
    }
    tellSize(`longest task of the page while ${name}, ms`, Math.round(Math.min(...longest)));
  });
}
