import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type GoldenDraw, type GoldenTree, readGolden } from '../tests/engine/fixtures';
import { choose, dropFile, expect, fixturePath, parseShown, plotArea, row, statistic, test } from './story';

/** Sets a field of the plot and waits until the plot is of it. */
async function setField(page: Page, label: string, value: number): Promise<void> {
  const field = page.getByRole('textbox', { name: label, exact: true });
  await field.fill(String(value));
  await field.press('Enter');
  await expect(field).toHaveValue(String(value));
  await expect(page.locator('.plot')).not.toHaveClass(/stale/);
}

/** The cells of the table of bins, row by row, as numbers; the table has to be unfolded. */
async function shownBins(page: Page): Promise<number[][]> {
  const cells = await page
    .locator('.bins tbody tr')
    .evaluateAll((rows) => rows.map((line) => Array.from(line.children, (cell) => cell.textContent ?? '')));
  return cells.map((line) => line.map(parseShown));
}

/** Unfolds the table of bins, and waits until these are their contents. */
async function expectBins(page: Page, contents: unknown[]): Promise<void> {
  if ((await page.locator('.bins[open]').count()) === 0) await page.getByText('Bins in numbers').click();
  const shown = async () => (await shownBins(page)).map(([, , content]) => content);
  await expect.poll(shown).toEqual(contents);
}

for (const name of ['leaves', 'arrays', 'codec_lzma', 'merged']) {
  test(`${name}.root: histograms are those that ROOT fills`, async ({ page }) => {
    await page.goto('/');
    await dropFile(page, fixturePath(`${name}.root`));
    for (const { draws = [] } of Object.values(readGolden(name).trees)) {
      expect(draws.length).toBeGreaterThan(0);
      for (const draw of draws) {
        await test.step(draw.branch, async () => {
          await choose(page, draw.branch);
          await expect(page.getByRole('heading', { name: draw.branch, exact: true })).toBeVisible();
          await expectHistogram(page, draw);
        });
      }
    }
  });
}

async function expectHistogram(page: Page, draw: GoldenDraw): Promise<void> {
  await setAxis(page, draw);
  await expectBins(page, draw.counts);
  const bins = await shownBins(page);
  expect(bins[0]?.[0]).toBe(draw.low);
  expect(bins.at(-1)?.[1]).toBe(draw.high);

  const stat = async (label: string) => parseShown((await statistic(page, label).textContent()) ?? '');
  expect(await stat('Entries')).toBe(draw.values);
  expect(await stat('Underflow')).toBe(draw.underflow);
  expect(await stat('Overflow')).toBe(draw.overflow);
  // NaN is in the overflow, as in ROOT, and has a line of its own, too.
  if (draw.nan > 0) expect(await stat('NaN')).toBe(draw.nan);
  for (const [label, want] of [
    ['Mean', draw.mean_inside],
    ['Std dev', draw.std_dev_inside],
    ['Minimum', draw.min],
    ['Maximum', draw.max],
  ] as const) {
    const got = await stat(label);
    const allowed = 1e-5 * Math.abs(want); // six digits are shown
    expect(Math.abs(got - want), `${label}: ${got}, ROOT has ${want}`).toBeLessThanOrEqual(allowed);
  }
}

async function setAxis(page: Page, { bins, low, high }: GoldenDraw): Promise<void> {
  const from = parseShown(await page.getByRole('textbox', { name: 'From', exact: true }).inputValue());
  // An end that lies beyond the other one is refused, so the order matters.
  const ends = [
    ['From', low],
    ['To', high],
  ] as const;
  for (const [label, value] of high > from ? ends.toReversed() : ends) await setField(page, label, value);
  // Last: whole numbers may have fewer bins than asked for until a range is set.
  await setField(page, 'Bins', bins);
}

test('the plot is drawn, follows the pointer, zooms by dragging and goes back', async ({ page }) => {
  const draw = readGolden('arrays').trees.t?.draws?.find(({ branch }) => branch === 'fixed_D');
  if (draw === undefined) throw new Error('the golden file has no such histogram');
  await page.goto('/');
  await dropFile(page, fixturePath('arrays.root'));
  await row(page, 'fixed_D').click();
  await setAxis(page, draw);

  const box = await plotArea(page);
  const index = 5;
  await page.mouse.move(box.x + ((index + 0.5) / draw.bins) * box.width, box.y + box.height / 2);
  const width = (draw.high - draw.low) / draw.bins;
  const edge = (i: number) => String(draw.low + i * width).replace('-', '−');
  await expect(page.locator('.readout')).toHaveText(
    `[${edge(index)}, ${edge(index + 1)})   ${draw.counts[index]}`,
  );

  await page.mouse.move(box.x + 0.25 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 60, { steps: 4 });
  await page.mouse.up();
  const from = page.getByRole('textbox', { name: 'From', exact: true });
  const quarter = draw.low + 0.25 * (draw.high - draw.low);
  await expect.poll(async () => Math.abs(Number(await from.inputValue()) - quarter)).toBeLessThan(1);
  await expect(statistic(page, 'Underflow')).not.toHaveText('0');
  await page.getByRole('button', { name: 'Full range' }).click();
  await expect(statistic(page, 'Underflow')).toHaveText('0');

  // One finger that taps shows the value below it.
  const touches = await page.context().newCDPSession(page);
  const again = await plotArea(page);
  const at = (share: number, id: number) => ({
    x: again.x + share * again.width,
    y: again.y + again.height / 2,
    id,
  });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: ReturnType<typeof at>[]) =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints });
  await expect(async () => {
    await touch('touchStart', at((index + 0.5) / draw.bins, 0));
    await touch('touchEnd');
    await expect(page.locator('.readout')).toHaveText(
      `[${edge(index)}, ${edge(index + 1)})   ${draw.counts[index]}`,
      { timeout: 1000 },
    );
  }).toPass();
});

test('the canvas shows bars in the colour of the theme', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('codec_zstd.root'));
  await row(page, 'noise').click();
  await expect(statistic(page, 'Entries')).toHaveText('300');
  const painted = () =>
    page.locator('.plot canvas').evaluate((canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      let count = 0;
      for (let i = 0; i < pixels.length; i += 4) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.slice(i, i + 4);
        if (alpha > 200 && green > red + 40 && green > blue) count++;
      }
      return count;
    });
  await expect.poll(painted).toBeGreaterThan(500);
});

test('the saved picture has the bins as steps', async ({ page }) => {
  const draw = readGolden('vectors').trees.t?.draws?.find(({ branch }) => branch === 'v_float');
  if (draw === undefined) throw new Error('the golden file has no such histogram');
  await page.goto('/');
  await dropFile(page, fixturePath('vectors.root'));
  await row(page, 'v_float').click();
  await setAxis(page, draw);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'SVG' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('v_float.svg');
  const svg = readFileSync(await download.path(), 'utf8');
  // The page takes no text as a document (Trusted Types), another one does.
  const other = await page.context().newPage();
  const heights = await other.evaluate((text) => {
    const picture = new DOMParser().parseFromString(text, 'image/svg+xml');
    if (picture.querySelector('parsererror') !== null) throw new Error('not well formed');
    const path = picture.querySelector('path[fill="none"][stroke-width="1.4"]')?.getAttribute('d') ?? '';
    return [...path.matchAll(/(?:V|M[-\d.]+ )(-?[\d.]+)/g)].map((match) => Number(match[1]));
  }, svg);
  await other.close();
  // The outline goes from the axis over each height that differs from the one before, and back.
  const [axis = 0, ...tops] = heights.slice(0, -1);
  const scale = Math.max(...draw.counts) / (axis - Math.min(...tops));
  const changes = draw.counts.filter((count, i) => count !== draw.counts[i - 1]);
  expect(tops.map((y) => Math.round((axis - y) * scale))).toEqual(changes);

  const painting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PNG' }).click();
  const painted = await painting;
  expect(painted.suggestedFilename()).toBe('v_float.png');
  const png = readFileSync(await painted.path());
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1440, 960]);
  expect(png.length).toBeGreaterThan(5000);
});

test('a branch of strings shows how often each occurs', async ({ page }) => {
  const golden = readGolden('strings').trees.t;
  const counts = new Map<string, number>();
  for (const value of valuesOf(golden, 'std')) counts.set(value, (counts.get(value) ?? 0) + 1);
  await page.goto('/');
  await dropFile(page, fixturePath('strings.root'));
  await row(page, 'std').click();
  await expect(page.getByText(`80 strings, ${counts.size} different`)).toBeVisible();

  const lines = await page
    .locator('.frequencies tbody tr')
    .evaluateAll((rows) =>
      rows.map((line) => [
        line.querySelector('.bar-text')?.textContent ?? '',
        line.querySelector('.number')?.textContent ?? '',
      ]),
    );
  expect(lines).toHaveLength(Math.min(100, counts.size));
  for (const [text = '', count] of lines) {
    const value = text === 'empty' && !counts.has('empty') ? '' : text;
    expect(Number(count), `of ${JSON.stringify(value)}`).toBe(counts.get(value));
  }
  const shown = lines.map(([, count]) => Number(count));
  expect(shown).toEqual(shown.toSorted((a, b) => b - a));
});

function valuesOf(tree: GoldenTree | undefined, branch: string): string[] {
  const values = tree?.branches[branch]?.values;
  if (values === undefined) throw new Error(`the golden file has no ${branch}`);
  return values.map(String);
}

test('a stored TH1 draws with its bins and its members can be looked into', async ({ page }) => {
  const golden = readGolden('histograms').objects.TH1D;
  const counts = golden?.summary?.contents;
  if (!Array.isArray(counts)) throw new Error('the golden file has no such histogram');
  await page.goto('/');
  await dropFile(page, fixturePath('histograms.root'));
  await row(page, 'TH1D').first().click();
  await expect(page.getByRole('img', { name: /^Plot of/ })).toBeVisible();
  // ROOT's first and last are under- and overflow.
  await expectBins(page, counts.slice(1, -1));
  await page.getByRole('tab', { name: 'Members' }).click();
  await expect(page.getByText('fEntries')).toBeVisible();
});

test('a cut that passes everything leaves the plot of a branch as it is', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=Events&draw=Muon_eta`);
  await page.getByText('Bins in numbers').click();
  const shown = async () => ({
    bins: await shownBins(page),
    stats: await page.locator('.stats > div').allTextContents(),
  });
  await expect.poll(async () => (await shown()).bins.length).toBeGreaterThan(10);
  const whole = await shown();

  const where = page.getByRole('combobox', { name: 'Where', exact: true });
  await where.fill('1');
  await where.press('Enter');
  await expect(page).toHaveURL(/cut=1/);
  await expect(page.locator('.plot')).not.toHaveClass(/stale/);
  expect(await shown()).toEqual(whole);
});

test('the first baskets of a slow server are drawn before the others have come', async ({
  page,
  rangeServer,
}) => {
  const slow = { latencyMs: 400, atOnce: 1, multi: 'refuse' } as const;
  const server = await rangeServer('page/scattered.root', slow);
  await page.goto(`/?${new URLSearchParams({ url: server.url, tree: 'events' })}`);
  await expect(page.getByRole('tab', { name: 'Layout' })).toBeVisible();
  await choose(page, 'track_eta');
  await expect(page.locator('.provisional')).toHaveText(/^Provisional: \d\d? % of the entries/);
  await expect(page.locator('.plot-host canvas').first()).toBeVisible();
  const part = parseShown((await statistic(page, 'Entries').textContent()) ?? '');
  server.faults = { ...server.faults, latencyMs: 0, atOnce: 100 };
  await expect(page.locator('.provisional')).toHaveCount(0);
  const all = parseShown((await statistic(page, 'Entries').textContent()) ?? '');
  expect(part).toBeGreaterThan(0);
  expect(part).toBeLessThan(all);
});
