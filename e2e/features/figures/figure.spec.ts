import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, plotArea, test } from '../../story';

/** The style in the address of the page. */
function styleOf(page: Page): unknown {
  const { search, hash } = new URL(page.url());
  const text = new URLSearchParams(hash.startsWith('#?') ? hash.slice(1) : search).get('figure') ?? '';
  return text.startsWith('{') ? JSON.parse(text) : text;
}

/** The bytes of the file that a button saves. */
async function savedBy(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return await readFile(await download.path());
}

test('a plot becomes a figure: preset, fields, files, style and link', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&draw=Dimuon_mass&range=60,120');
  await plotArea(page);
  await page.getByRole('button', { name: 'Figure', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Figure' });
  const canvas = panel.getByRole('img', { name: /^The figure/ });
  await expect(panel).toContainText('86 mm × 64.5 mm');
  expect(styleOf(page)).toBe('plain');

  await panel.getByRole('combobox', { name: 'Preset', exact: true }).selectOption('CMS');
  await expect(panel).toContainText('86 mm × 86 mm');
  const box = await canvas.boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(1, 2);
  // 86 mm are 325 CSS pixels.
  expect(box?.width).toBeCloseTo((86 * 96) / 25.4 + 2, -1);
  const label = panel.getByRole('group', { name: 'Label' });
  await label.getByRole('textbox', { name: 'Text', exact: true }).fill('Preliminary');
  await label.getByLabel('Luminosity').fill('138');
  await panel.getByRole('group', { name: 'Axes' }).getByLabel('Title of x').fill('m_{#mu#mu} [GeV]');
  await expect
    .poll(() => styleOf(page))
    .toEqual({
      preset: 'cms',
      label: { text: 'Preliminary', luminosity: 138 },
      x: { title: 'm_{#mu#mu} [GeV]' },
    });

  // A wrong number is marked, and the figure stays.
  const width = panel.getByRole('textbox', { name: 'Width in mm' });
  await width.fill('5');
  await expect(width).toHaveAttribute('aria-invalid', 'true');
  await width.blur();
  await expect(panel.getByRole('alert')).toContainText('The option width of the style is 5.');
  await expect(width).toHaveValue('5');
  await width.fill('100');
  await expect(panel).toContainText('100 mm × 100 mm');

  const svg = (await savedBy(page, 'Figure as SVG')).toString();
  expect(svg).toContain('width="100mm"');
  expect(svg).toContain('>Preliminary</text>');
  expect(svg).toContain('&quot;draw&quot;:&quot;Dimuon_mass&quot;');
  const pdf = (await savedBy(page, 'Figure as PDF')).toString('latin1');
  expect(pdf).toMatch(/^%PDF-1\.7/);
  expect(pdf).toContain('/FontFile2');
  const png = await savedBy(page, 'Figure as PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1181, 1181]);
  expect(png.includes('Dimuon_mass')).toBe(true);

  // The saved style is opened again after another preset was tried.
  const style = await savedBy(page, 'Save style');
  await panel.getByRole('combobox', { name: 'Preset', exact: true }).selectOption('LHCb');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    panel.locator('button', { hasText: 'Open style' }).click(),
  ]);
  await chooser.setFiles({ name: 'style.json', mimeType: 'application/json', buffer: style });
  await expect(panel.getByRole('combobox', { name: 'Preset', exact: true })).toHaveValue('cms');

  // A link has it, and a mistake in its JSON is told.
  await page.reload();
  await expect(panel).toContainText('100 mm × 100 mm');
  await panel.getByText('Style as JSON').click();
  await panel.getByRole('textbox', { name: 'Style as JSON' }).fill('{"legnd": {}}');
  await expect(panel.getByRole('alert')).toContainText('Did you mean "legend"?');
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(panel).toHaveCount(0);
  expect(styleOf(page)).toBe('');
});

test('the fonts of an SVG are those within it', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&draw=Dimuon_mass&figure=lhcb');
  await plotArea(page);
  const panel = page.getByRole('region', { name: 'Figure' });
  await expect(panel.getByRole('img', { name: /^The figure/ })).toBeVisible();
  const svg = (await savedBy(page, 'Figure as SVG')).toString();
  // Another page, whose policy lets a document have fonts.
  const plain = await page.context().newPage();
  await plain.setContent(svg);
  const faces = await plain.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].map(({ family, status }) => ({ family, status }));
  });
  expect(faces.length).toBeGreaterThan(0);
  for (const { family, status } of faces) expect(status, family).toBe('loaded');
});

test('a figure has programs of matplotlib and ROOT', async ({ page }) => {
  const style = JSON.stringify({ preset: 'cms', x: { title: 'm_{#mu#mu} [GeV]' } });
  await page.goto(
    `?${new URLSearchParams({ url: 'sample.root', tree: 'Events', draw: 'Dimuon_mass', figure: style })}`,
  );
  await page.getByText('This figure in matplotlib, ROOT').click();
  const python = page.getByRole('region', { name: 'Program for matplotlib with mplhep' });
  await expect(python).toContainText('mplhep.cms.label(');
  await expect(python).toContainText('m$_{μμ}$ [GeV]');
  await page.getByRole('tab', { name: 'ROOT', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Program for ROOT' })).toContainText(
    'gStyle->SetPaperSize(8.6, 8.6)',
  );
});
