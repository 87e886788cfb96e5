import type { Page } from '@playwright/test';
import { expect, plotArea, test } from '../../story';

/** The fit in the address of the page. */
function fitOf(page: Page): string {
  const { search, hash } = new URL(page.url());
  return new URLSearchParams(hash.startsWith('#?') ? hash.slice(1) : search).get('fit') ?? '';
}

test('a Z peak is fitted: function, range by dragging, options and link', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&draw=Dimuon_mass&range=70,110&bins=40');
  await plotArea(page);
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Fit', exact: true });
  // The values are those of TH1::Fit.
  await expect(panel).toContainText('36.7698 / 31');
  await expect(panel.getByRole('row', { name: /^Mean.*±/ })).toContainText('90.813 ± 0.107');
  expect(fitOf(page)).toBe('gaus');

  const stage = panel.getByRole('application', { name: 'Range of the fit' });
  const box = await stage.locator('canvas').boundingBox();
  if (!box) throw new Error('The fit has no picture.');
  const y = box.y + box.height / 4;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.45, y, { steps: 4 });
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => fitOf(page)).toMatch(/^gaus; range=\d+\.?\d*:\d+\.?\d*$/);
  await expect(panel).not.toContainText('36.7698 / 31');
  await expect(panel).toContainText('chi-square');

  await panel.getByLabel('Method').selectOption('Likelihood');
  await expect(panel).toContainText('likelihood of counts');
  await panel.getByLabel('MINOS').check();
  await expect(panel.getByRole('columnheader', { name: 'MINOS' })).toBeVisible();
  const field = panel.getByRole('combobox', { name: 'Function' });
  await field.fill('gauss');
  await field.press('Enter');
  await expect(panel.getByRole('alert')).toContainText('Did you mean "gaus"');
  await field.fill('gaus(0)+pol0(3)');
  await field.press('Enter');
  await panel.getByLabel('Start values').fill('0=90,1=91,2=2.5,3=1');
  await panel.getByLabel('Start values').press('Enter');
  await expect(panel.getByRole('row', { name: /^p3.*±/ })).toBeVisible();

  // The link has it all.
  await page.goto(page.url());
  await expect(panel.getByRole('row', { name: /^p3.*±/ })).toBeVisible();
  await expect(panel.getByRole('columnheader', { name: 'MINOS' })).toBeVisible();
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(panel).toHaveCount(0);
  expect(fitOf(page)).toBe('');
});
