import { expect, statistic, test } from '../../story';

const at = (fields: Record<string, string>) => `/?${new URLSearchParams({ url: 'sample.root', ...fields })}`;

test('steps with a stored histogram have a result, are undone, and stand in the link', async ({ page }) => {
  await page.goto(at({ item: 'plots/dimuonMass' }));
  await page.getByText('Arithmetic', { exact: true }).click();
  const panel = page.getByRole('region', { name: 'Arithmetic' });
  const step = panel.getByRole('textbox', { name: 'Step' });
  await panel.getByLabel('Operation').selectOption('rebin');
  await expect(step).toHaveValue('rebin(h, 2)');
  await step.press('Enter');
  // The plot itself shows the result.
  const plot = page.getByRole('img', { name: /^Plot of / }).first();
  await expect(plot).toHaveAccessibleName(/rebin\(h, 2\)/);
  await expect(panel.getByText('The plot shows the result.')).toBeVisible();
  await expect(statistic(page, 'Entries').first()).not.toHaveText('');
  await step.fill('h / h');
  await step.press('Enter');
  await expect(panel.locator('.calc-steps li')).toHaveText([/rebin\(h, 2\)/, /h \/ h/]);
  await expect(page).toHaveURL(/steps=rebin/);
  await page.reload();
  await expect(panel.locator('.calc-steps li')).toHaveCount(2);
  await expect(plot).toHaveAccessibleName(/h \/ h/);
  await panel.getByRole('button', { name: 'Undo' }).click();
  await expect(panel.locator('.calc-steps li')).toHaveCount(1);
  // Another histogram of the file has other bins, which is said in words.
  await step.fill('h - "plots/upsilon"');
  await step.press('Enter');
  await expect(panel.getByRole('alert')).toContainText('Step 2, h - "plots/upsilon": ');
  await expect(panel.getByRole('alert')).toContainText('cannot be subtracted bin by bin');
  // Nothing else is fitted instead: neither the histogram before all steps, nor that of the step before.
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  const fit = page.getByRole('region', { name: 'Fit', exact: true });
  await expect(fit.getByRole('alert')).toContainText('Step 2, h - "plots/upsilon": ');
  await expect(fit.getByRole('alert')).toContainText('There is nothing to fit.');
  await expect(fit.getByRole('row', { name: /^Mean/ })).toHaveCount(0);
  await step.fill('integral(h)');
  await panel.getByRole('button', { name: 'Undo' }).click();
  await expect(fit.getByRole('row', { name: /^Mean.*±/ })).toBeVisible();
  await step.press('Enter');
  await expect(fit.getByRole('alert')).toContainText('The result of the arithmetic is a number.');
  await panel.getByRole('button', { name: 'Undo' }).click();
  await expect(fit.getByRole('row', { name: /^Mean.*±/ })).toBeVisible();
  await fit.getByRole('button', { name: 'Close' }).click();
  // Programs of other tools make the same.
  await panel.getByText('This in ROOT, hist').click();
  await expect(panel.locator('.snippets pre')).toContainText('import ROOT');
  await panel.getByRole('tab', { name: 'hist' }).click();
  await expect(panel.locator('.snippets pre')).toContainText('import hist');
  await panel.getByRole('button', { name: 'Remove all steps' }).click();
  await expect(page).not.toHaveURL(/steps=/);
});

test('a gate is dragged on a map while the projection lives beside it', async ({ page }) => {
  await page.goto(at({ item: 'plots/muonEtaPhi' }));
  await page.getByText('Arithmetic', { exact: true }).click();
  const gate = page.getByRole('region', { name: 'Gate' });
  const integral = gate.getByText('Integral').locator('xpath=following-sibling::*[1]');
  const before = await integral.textContent();
  // The gate lies on the plot itself.
  const stage = page.locator('.plot-stage').first();
  const band = stage.getByRole('slider', { name: 'Gate', exact: true });
  const upper = stage.getByRole('slider', { name: 'Gate: upper end' });
  await upper.scrollIntoViewIfNeeded();
  const box = await upper.boundingBox();
  if (!box) throw new Error('no gate');
  await page.mouse.move(box.x + box.width - 9, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 9, box.y + box.height / 2 - 40, { steps: 4 });
  await page.mouse.up();
  await expect(integral).not.toHaveText(before ?? '');
  const from = gate.getByRole('textbox', { name: 'From', exact: true });
  const moved = Number(await from.inputValue());
  await band.press('ArrowDown');
  await expect.poll(async () => Number(await from.inputValue())).toBeLessThan(moved);
  const inside = Number.parseFloat((await integral.textContent()) ?? '');
  await gate.getByRole('checkbox', { name: 'Background' }).check();
  await expect(stage.getByRole('slider', { name: 'Range of the background: lower end' })).toBeVisible();
  await expect.poll(async () => Number.parseFloat((await integral.textContent()) ?? '')).toBeLessThan(inside);
  await gate.getByRole('button', { name: 'Keep the projection' }).click();
  await expect(page.locator('.calc-steps li')).toHaveText([/gate\(h, x, /]);
  await expect(page.getByRole('region', { name: 'Range', exact: true })).toBeVisible();
  // The projection is the plot now, and a fit is one of it.
  await expect(page.getByRole('img', { name: /^Plot of / }).first()).toHaveAccessibleName(/gate/);
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  const fit = page.getByRole('region', { name: 'Fit', exact: true });
  await fit.getByRole('combobox', { name: 'Function' }).fill('pol0');
  await fit.getByRole('combobox', { name: 'Function' }).press('Enter');
  await expect(fit.getByRole('row', { name: /^p0.*±/ })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.calc-steps li')).toHaveCount(0);
});
