import { expect, fixturePath, openFile, test } from '../../story';

test('a click on the map shows the fields of the record, and bytes and fields lead to each other', async ({
  page,
}) => {
  await openFile(page, fixturePath('page/clustered.root'));
  await page.getByRole('tab', { name: 'Map', exact: true }).click();
  const host = page.locator('.map-host');
  await expect(host.locator('canvas').first()).toBeVisible();
  const box = await host.boundingBox();
  if (box === null) throw new Error('no map');
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.4);
  const record = page.getByRole('region', { name: 'Fields of the record' });
  await expect(record.getByRole('heading')).toHaveText(/^Record of a TBasket \w+;\d+$/);
  await expect(record).toContainText('no field contradicts the file');

  // From a field to its bytes.
  await record.getByRole('button', { name: 'fNevBuf', exact: true }).click();
  const bytes = record.getByRole('region', { name: /Bytes of the record/ });
  const chosen = bytes.locator('.bytes-line > :nth-child(2) > .chosen');
  await expect(chosen).toHaveCount(4);
  await expect(record.locator('.record-about')).toContainText('Number of entries in the basket.');

  // From a byte to its field: bytes 4 and 5 of a key are its version.
  await bytes.locator('.bytes-line > :nth-child(2) > [data-at="5"]').click();
  await expect(record.getByRole('button', { pressed: true })).toHaveText('fVersion');
  await expect(chosen).toHaveCount(2);

  // By keys: to the next field, and back to the first.
  await bytes.press('ArrowRight');
  await expect(record.getByRole('button', { pressed: true })).toHaveText('fObjlen');
  await record.getByRole('button', { pressed: true }).press('ArrowUp');
  await record.getByRole('button', { pressed: true }).press('ArrowUp');
  await expect(record.getByRole('button', { pressed: true })).toHaveText('fNbytes');

  // On to the directory that the key names.
  await record.getByRole('button', { name: 'fSeekPdir' }).click();
  await record.getByRole('button', { name: 'Go to byte 100' }).click();
  await expect(record.getByRole('heading')).toHaveText(/^First record/);

  // The next piece by a key.
  await host.press('n');
  await expect(record.getByRole('heading')).not.toHaveText(/^First record/);
  await expect(page.locator('.place')).toContainText('Outlined:');
});

test('the view Record shows the header, and marks a field that cannot be right', async ({ page }) => {
  await openFile(page, fixturePath('damaged/end_too_large.root'));
  await page.getByRole('tab', { name: 'Record', exact: true }).click();
  const record = page.getByRole('region', { name: 'Fields of the record' });
  await expect(record.getByRole('heading')).toHaveText('Header of the file');
  await expect(record).toContainText('1 field cannot be right');
  await expect(record.getByRole('button', { pressed: true })).toHaveText('fEND');
  await expect(record.locator('.record-about')).toContainText('are missing at its end');
  await page.getByLabel('Position, or path of an object').fill('100');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(record.getByRole('heading')).toHaveText(/^First record/);
});
