import type { Page } from '@playwright/test';
import { dividedBy, expect, plotArea, test } from './story';

/** The range in the address: of x, and of y where it is chosen. */
const rangeOf = (page: Page): number[] | undefined =>
  new URL(page.url()).searchParams
    .get('range')
    ?.split(',')
    .map((text) => (text === '' ? Number.NaN : Number(text)));

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** The ends of the axis that the fields of a plot show. */
const shownEnds = async (page: Page): Promise<[number, number]> => [
  Number(await field(page, 'From').inputValue()),
  Number(await field(page, 'To').inputValue()),
];

async function openBranch(page: Page, url: string, more: Record<string, string> = {}): Promise<void> {
  await page.goto(`/?${new URLSearchParams({ url, tree: 'Events', draw: 'Dimuon_mass', ...more })}`);
  await expect(page.locator('.plot-host')).toHaveAttribute('data-frames', /\d/);
}

test('the wheel zooms at the pointer, fills the branch anew, and lets the page scroll where there is no more', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await openBranch(page, server.url);
  const [low, high] = await shownEnds(page);
  const box = await plotArea(page);
  const canvas = await page.locator('.plot canvas').elementHandle();
  const at = low + 0.25 * (high - low);
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 50);
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 60);
  await page.mouse.wheel(0, -400);
  await expect(page).toHaveURL(/range=/);
  const [from = 0, to = 0] = rangeOf(page) ?? [];
  expect(to - from).toBeLessThan(0.6 * (high - low));
  // The value under the pointer stayed there.
  expect(from + 0.25 * (to - from)).toBeCloseTo(at, 0);
  await expect(field(page, 'From')).toHaveValue(String(from));

  // Out again beyond the range that was filled: there is more, so it is filled.
  await page.mouse.wheel(0, 300);
  await expect
    .poll(() => (rangeOf(page)?.[1] ?? 0) - (rangeOf(page)?.[0] ?? 0))
    .toBeGreaterThan(to - from + 1);
  await page.mouse.dblclick(box.x + 0.25 * box.width, box.y + 60);
  await expect(page).not.toHaveURL(/range=/);
  await expect(field(page, 'To')).toHaveValue(String(high));

  // All results went to one chart.
  expect(await page.locator('.plot canvas').evaluate((now, before) => now === before, canvas)).toBe(true);

  // All of it is shown: the wheel scrolls the page.
  await page.setViewportSize({ width: 900, height: 500 });
  const small = await plotArea(page);
  await page.mouse.move(small.x + 100, small.y + 40);
  await page.mouse.move(small.x + 110, small.y + 50);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.locator('.split').evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  await expect(page).not.toHaveURL(/range=/);
});

test('a drag chooses x, y or a box; Shift and a drag, and a drag of an axis, move', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await openBranch(page, server.url);
  const [low, high] = await shownEnds(page);
  const box = await plotArea(page);
  const drag = async (from: [number, number], to: [number, number]) => {
    await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 5 });
    await page.mouse.up();
  };
  // Straight down: y alone, which fills nothing anew.
  await drag([0.5, 0.5], [0.505, 0.9]);
  await expect(page).toHaveURL(/range=%2C%2C/);
  const [, , yLow = 0, yHigh = 0] = rangeOf(page) ?? [];
  expect(yLow).toBeGreaterThan(20);
  expect(yHigh).toBeGreaterThan(yLow + 100);
  await expect(field(page, 'To')).toHaveValue(String(high));
  await page.reload();
  await expect(page.getByRole('button', { name: 'Full range' })).toBeEnabled();
  await page.getByRole('button', { name: 'Full range' }).click();
  await expect(page).not.toHaveURL(/range=/);

  await plotArea(page);
  await drag([0.2, 0.2], [0.6, 0.8]);
  await expect.poll(() => rangeOf(page)?.length).toBe(4);
  const [from = 0, to = 0] = rangeOf(page) ?? [];
  expect(from).toBeCloseTo(low + 0.2 * (high - low), 0);
  expect(to).toBeCloseTo(low + 0.6 * (high - low), 0);
  await expect(field(page, 'From')).toHaveValue(String(from));

  await page.keyboard.down('Shift');
  await drag([0.5, 0.5], [0.25, 0.5]);
  await page.keyboard.up('Shift');
  await expect.poll(() => rangeOf(page)?.[0]).toBeGreaterThan(from + 0.2 * (to - from));
  const [moved = 0, end = 0] = rangeOf(page) ?? [];
  expect(end - moved).toBeCloseTo(to - from, 0);
  await expect(field(page, 'From')).toHaveValue(String(moved));
  // The axis below the plot is dragged back.
  await page.mouse.move(box.x + 0.5 * box.width, box.y + box.height + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + box.height + 14, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => rangeOf(page)?.[0]).toBeCloseTo(from, 0);
});

test('two fingers keep what is below them, one finger shows values', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  await openBranch(page, server.url);
  const [low, high] = await shownEnds(page);
  const box = await plotArea(page);
  const touches = await page.context().newCDPSession(page);
  const at = (share: number, id: number) => ({ x: box.x + share * box.width, y: box.y + box.height / 2, id });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: ReturnType<typeof at>[]) =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', at(0.4, 0));
  await touch('touchStart', at(0.4, 0), at(0.6, 1));
  await touch('touchMove', at(0.3, 0), at(0.7, 1));
  await touch('touchMove', at(0.2, 0), at(0.8, 1));
  await touch('touchEnd', at(0.8, 1));
  await touch('touchEnd');
  // The values that were at 0.4 and 0.6 of the axis are now at 0.2 and 0.8.
  await expect(page).toHaveURL(/range=/);
  const [from = 0, to = 0] = rangeOf(page) ?? [];
  const value = (share: number) => low + share * (high - low);
  expect(from + 0.2 * (to - from)).toBeCloseTo(value(0.4), 0);
  expect(from + 0.8 * (to - from)).toBeCloseTo(value(0.6), 0);
  await expect(field(page, 'From')).toHaveValue(String(from));

  await touch('touchStart', at(0.3, 0));
  await touch('touchMove', at(0.45, 0));
  await touch('touchMove', at(0.5, 0));
  await expect(page.locator('.readout')).toContainText(/^\[/);
  await touch('touchEnd');
  expect(rangeOf(page)).toEqual([from, to]);
});

test('the keyboard moves, zooms, goes from value to value, and back to everything', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await openBranch(page, server.url);
  const [low, high] = await shownEnds(page);
  await page.locator('.plot-host').focus();
  await page.keyboard.press('+');
  await expect(page).toHaveURL(/range=/);
  const [from = 0, to = 0] = rangeOf(page) ?? [];
  expect(to - from).toBeCloseTo(0.7 * (high - low), 0);
  await expect(field(page, 'From')).toHaveValue(String(from));
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => rangeOf(page)?.[0]).toBeCloseTo(from + 0.1 * (to - from), 0);
  await page.keyboard.press('0');
  await expect(page).not.toHaveURL(/range=/);
  await expect(field(page, 'To')).toHaveValue(String(high));

  await page.keyboard.press('.');
  const readout = page.getByRole('status').filter({ hasText: /^\[/ });
  const first = await readout.textContent();
  await page.keyboard.press('.');
  await expect(readout).not.toHaveText(first ?? '');
  await page.keyboard.press(',');
  await expect.poll(() => readout.textContent()).toBe(first);
});

test('names above a plot hide and show its lines; the crosshair of both panels moves as one', async ({
  page,
  rangeServer,
}) => {
  const [one, other] = [await rangeServer('codec_zlib.root'), await rangeServer('codec_lz4.root')];
  await page.goto(
    `/?${new URLSearchParams({ url: one.url, tree: 't', draw: 'noise', ...dividedBy(other.url) })}`,
  );
  const below = await plotArea(page, 1);
  const names = page.locator('.plot-legend button');
  await expect(names).toHaveCount(2);
  const lines = page.locator('.u-cursor-x:not(.u-off)');
  await page.mouse.move(below.x + 100, below.y + 20);
  await page.mouse.move(below.x + 150, below.y + 20);
  await expect(lines).toHaveCount(2);
  const [above = 0, under = 1] = await lines.evaluateAll((found) =>
    found.map((line) => Math.round(line.getBoundingClientRect().right)),
  );
  expect(above).toBe(under);

  const picture = () =>
    page
      .locator('.plot canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const both = await picture();
  await names.last().click();
  await expect(names.last()).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(picture).not.toBe(both);
  await names.last().click();
  await expect.poll(picture).toBe(both);
});

test('the line that says the gestures is there until one was made', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  await openBranch(page, server.url);
  const hint = page.getByText('Drag or wheel to zoom');
  await expect(hint).toBeVisible();
  const box = await plotArea(page);
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 52, { steps: 4 });
  await page.mouse.up();
  await expect(hint).toHaveCount(0);
  await page.reload();
  await plotArea(page);
  await expect(hint).toHaveCount(0);
});

test('a map of two branches that is moved along one axis keeps its part of the other', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  const query = { url: server.url, tree: 'Events', draw: 'Muon_phi:Muon_eta' };
  await page.goto(`/?${new URLSearchParams(query)}`);
  const box = await plotArea(page);
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  await page.mouse.move(box.x + 0.51 * box.width, box.y + 0.51 * box.height);
  await page.mouse.wheel(0, -300);
  await expect.poll(() => rangeOf(page)?.length).toBe(4);
  const before = rangeOf(page) ?? [];
  await expect(page.locator('.plot.stale')).toHaveCount(0);
  await page.mouse.move(box.x + 0.5 * box.width, box.y + box.height + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + box.height + 14, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => rangeOf(page)?.[0]).toBeLessThan((before[0] ?? 0) - 0.1);
  expect(rangeOf(page)?.slice(2)).toEqual(before.slice(2));
  const moved = rangeOf(page) ?? [];
  await expect(page.locator('.plot.stale')).toHaveCount(0);
  await page.locator('.plot-host').focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => rangeOf(page)?.[2]).toBeGreaterThan(before[2] ?? 0);
  expect(rangeOf(page)?.slice(0, 2)).toEqual(moved.slice(0, 2));
});

test("Safari's pinch of a trackpad zooms at the pointer, and not the page", async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  await openBranch(page, server.url);
  const [low, high] = await shownEnds(page);
  await plotArea(page);
  const kept = await page.locator('.plot .u-over').evaluate((over) => {
    const { left, top, width, height } = over.getBoundingClientRect();
    return ['gesturestart', 'gesturechange', 'gesturechange', 'gestureend'].map((type, i) => {
      const event = new Event(type, { bubbles: true, cancelable: true });
      const place = { clientX: left + width / 2, clientY: top + height / 2 };
      return over.dispatchEvent(Object.assign(event, { ...place, scale: [1, 1.5, 2, 2][i] }));
    });
  });
  expect(kept).toEqual([false, false, false, false]);
  await expect(page).toHaveURL(/range=/);
  const [from = 0, to = 0] = rangeOf(page) ?? [];
  expect(to - from).toBeCloseTo((high - low) / 2, 0);
  expect(from + to).toBeCloseTo(low + high, 0);
});

test('a wheel that scrolled the page goes on doing so when it comes over the plot, also on the way back', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await page.setViewportSize({ width: 900, height: 560 });
  await openBranch(page, server.url);
  const scroller = page.locator('.detail');
  const scrolled = () => scroller.evaluate(({ scrollTop }) => scrollTop);
  const box = await plotArea(page);
  await page.mouse.move(box.x + 100, box.y + box.height + 80);
  await page.mouse.wheel(0, 100);
  await expect.poll(scrolled).toBeGreaterThan(60);
  const before = await scrolled();
  const now = await plotArea(page);
  const at = { x: now.x + 100, y: now.y + now.height - 15 };
  // The plot is below the pointer now, and a hand is never quite still.
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, 2);
  for (let i = 0; i < 8; i++) {
    // Time for the page to scroll by it.
    await page.waitForTimeout(60);
    await page.mouse.move(at.x + (i % 2), at.y);
    await page.mouse.wheel(0, -8);
  }
  await expect.poll(scrolled).toBeLessThan(before - 30);
  await expect(page).not.toHaveURL(/range=/);

  // After a rest, and once the pointer was moved there, the wheel is the plot's; with Ctrl it is so at once.
  await scroller.evaluate((element) => element.scrollTo({ top: 0 }));
  await page.waitForTimeout(400);
  await page.mouse.move(at.x + 30, at.y + 20);
  await page.mouse.move(at.x + 40, at.y + 30);
  await page.mouse.wheel(0, -300);
  await expect(page).toHaveURL(/range=/);
});
