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
  const result = panel.getByRole('region', { name: 'Result' });
  await expect(result.getByRole('img', { name: /rebin\(h, 2\)/ })).toBeVisible();
  const entries = (await statistic(page, 'Entries').first().textContent()) ?? '';
  await expect(result.getByText(entries, { exact: true }).first()).toBeVisible();
  await step.fill('h / h');
  await step.press('Enter');
  await expect(panel.locator('.calc-steps li')).toHaveText([/rebin\(h, 2\)/, /h \/ h/]);
  await expect(page).toHaveURL(/steps=rebin/);
  await page.reload();
  await expect(panel.locator('.calc-steps li')).toHaveCount(2);
  await expect(result.getByRole('img', { name: /h \/ h/ })).toBeVisible();
  await panel.getByRole('button', { name: 'Undo' }).click();
  await expect(panel.locator('.calc-steps li')).toHaveCount(1);
  // Another histogram of the file has other bins, which is said in words.
  await step.fill('h - "plots/upsilon"');
  await step.press('Enter');
  await expect(panel.getByRole('alert')).toContainText('cannot be subtracted bin by bin');
  await panel.getByRole('button', { name: 'Remove all steps' }).click();
  await expect(page).not.toHaveURL(/steps=/);
});

test('a band is dragged on a map while the projection lives beside it', async ({ page }) => {
  await page.goto(at({ item: 'plots/muonEtaPhi' }));
  await page.getByText('Arithmetic', { exact: true }).click();
  const gate = page.getByRole('region', { name: 'Gate' });
  const integral = gate.getByText('Integral').locator('xpath=following-sibling::*[1]');
  const before = await integral.textContent();
  const band = gate.getByRole('slider', { name: 'Range', exact: true });
  await gate.getByText('Effective entries').scrollIntoViewIfNeeded();
  const box = await band.boundingBox();
  if (!box) throw new Error('no band');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - 40, { steps: 4 });
  await page.mouse.up();
  await expect(integral).not.toHaveText(before ?? '');
  const from = gate.getByRole('textbox', { name: 'From', exact: true });
  const moved = Number(await from.inputValue());
  await band.press('ArrowDown');
  await expect.poll(async () => Number(await from.inputValue())).toBeLessThan(moved);
  const inside = Number.parseFloat((await integral.textContent()) ?? '');
  await gate.getByRole('checkbox', { name: 'Background' }).check();
  await expect.poll(async () => Number.parseFloat((await integral.textContent()) ?? '')).toBeLessThan(inside);
  await gate.getByRole('button', { name: 'Keep the projection' }).click();
  await expect(page.locator('.calc-steps li')).toHaveText([/gate\(h, x, /]);
  await expect(page.getByRole('region', { name: 'Range', exact: true })).toBeVisible();
});
