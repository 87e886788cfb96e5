import type { Page } from '@playwright/test';
import { expect, plotArea, test } from './story';

const rangeOf = (page: Page): string | null => new URL(page.url()).searchParams.get('range');

async function open(page: Page, url: string, item: string, more: Record<string, string> = {}): Promise<void> {
  await page.goto(`/?${new URLSearchParams({ url, item, ...more })}`);
  await expect(page.locator('.plot-host')).toHaveAttribute('data-frames', /\d/);
}

test('ranges go back and forward, by keys and by buttons', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, tree: 'Events', draw: 'Dimuon_mass' })}`);
  await expect(page.locator('.plot-host')).toHaveAttribute('data-frames', /\d/);
  await expect(page.getByRole('button', { name: 'Back', exact: false }).filter({ hasText: '←' })).toHaveCount(
    0,
  );
  const drag = async (from: number, to: number) => {
    const box = await plotArea(page);
    await page.mouse.move(box.x + from * box.width, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + to * box.width, box.y + 62, { steps: 5 });
    await page.mouse.up();
  };
  await drag(0.2, 0.7);
  await expect.poll(() => rangeOf(page)).not.toBeNull();
  const first = rangeOf(page);
  await drag(0.3, 0.6);
  await expect.poll(() => rangeOf(page)).not.toBe(first);
  const second = rangeOf(page);

  // The plot that was zoomed takes the keys.
  await page.keyboard.press('Backspace');
  await expect.poll(() => rangeOf(page)).toBe(first);
  await page.keyboard.press('Control+z');
  await expect.poll(() => rangeOf(page)).toBeNull();
  await page.keyboard.press('Control+y');
  await expect.poll(() => rangeOf(page)).toBe(first);
  await page.getByRole('button', { name: 'Forward' }).click();
  await expect.poll(() => rangeOf(page)).toBe(second);
  await expect(page.getByRole('button', { name: 'Forward' })).toBeDisabled();

  // A field is a step, too, and so is "Full range".
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('100');
  await page.keyboard.press('Enter');
  await expect.poll(() => rangeOf(page)).toMatch(/,100$/);
  await page.getByRole('button', { name: 'Full range' }).click();
  await expect.poll(() => rangeOf(page)).toBeNull();
  await page.getByRole('button', { name: '← Back' }).click();
  await expect.poll(() => rangeOf(page)).toMatch(/,100$/);

  // Another branch has a history of its own.
  await page
    .getByRole('treeitem', { name: /MET_pt/ })
    .first()
    .click();
  await expect(page).toHaveURL(/draw=MET_pt/);
  await expect(page.getByRole('button', { name: '← Back' })).toHaveCount(0);
});

test('the statistics box and the colours of a map are in the link, and stay for the next plot', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/looks.root');
  await open(page, server.url, 'm_signed');
  await page.getByText('More', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Statistics box' }).check();
  await expect(page).toHaveURL(/statbox=1/);
  await page.getByRole('combobox', { name: 'Colours' }).selectOption({ label: 'Viridis' });
  await expect(page).toHaveURL(/palette=viridis/);
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Statistics box' })).toBeChecked();
  await expect(page.getByRole('combobox', { name: 'Colours' })).toHaveValue('viridis');
});

test('a histogram is shown in its own style, and as steps where that is asked for', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('page/looks.root');
  await open(page, server.url, 'h_hbar_names');
  await expect(page.locator('.plot-host')).toHaveAttribute('data-kind', 'graph');
  const box = await plotArea(page);
  // The lowest bar, of the first bin.
  await page.mouse.move(box.x + 20, box.y + box.height - 12);
  await page.mouse.move(box.x + 24, box.y + box.height - 14);
  await expect(page.getByRole('status').filter({ hasText: 'unprescaled' })).toBeVisible();
  await page.getByRole('combobox', { name: 'As' }).selectOption({ label: 'Steps' });
  await expect(page.locator('.plot-host')).toHaveAttribute('data-kind', 'bins');
  await expect(page).toHaveURL(/how=plain/);
});

test('lists of different lengths in one expression get a hint', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  const draw = { tree: 'Events', draw: 'Jet_pt', cut: 'Muon_pt>20' };
  await page.goto(`/?${new URLSearchParams({ url: server.url, ...draw })}`);
  await expect(page.getByText(/Jet_pt and Muon_pt may be lists of different lengths/)).toBeVisible();
});
