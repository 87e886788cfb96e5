import { expect, plotArea, saved, test } from '../../story';

/** The notes in the address of the page. */
const notesOf = (url: string): string[] => {
  const { search, hash } = new URL(url);
  return new URLSearchParams(hash.startsWith('#?') ? hash.slice(1) : search).get('notes')?.split('\n') ?? [];
};

test('a note is written, moved, edited and removed by mouse and keyboard, and kept by link and picture', async ({
  page,
}) => {
  await page.goto('?url=sample.root&tree=Events&draw=Dimuon_mass');
  const area = await plotArea(page);
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  const editor = page.getByRole('form', { name: 'Note' });
  await editor.getByRole('textbox').fill('Z^{0} #rightarrow #mu#mu <b>');
  await editor.getByText('Arrow').click();
  await editor.getByRole('button', { name: 'Done' }).click();
  const note = page.getByRole('button', { name: 'Note: Z⁰ → μμ <b>' });
  await expect(note).toBeVisible();
  const before = notesOf(page.url());
  expect(before).toEqual([
    expect.stringMatching(/^[\d.]+,[\d.]+>[\d.]+,[\d.]+: Z\^\{0\} #rightarrow #mu#mu <b>$/),
  ]);

  // The mouse moves the text and the point of the arrow.
  const box = (await note.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(area.x + area.width * 0.6, area.y + area.height * 0.3, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => notesOf(page.url())).not.toEqual(before);
  await expect(editor).toHaveCount(0);
  const tip = page.getByRole('button', { name: /^Point of the arrow/ });
  const point = (await tip.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(point.x + point.width / 2, point.y + point.height / 2);
  await page.mouse.down();
  await page.mouse.move(area.x + area.width * 0.25, area.y + area.height * 0.7, { steps: 4 });
  await page.mouse.up();
  const moved = await note.boundingBox();
  expect((moved?.x ?? 0) + (moved?.width ?? 0) / 2).toBeCloseTo(area.x + area.width * 0.6, -1);

  // The keyboard does the same.
  const [x = 0, y = 0] = (notesOf(page.url())[0] ?? '').split(/[,>:]/).map(Number);
  await note.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => Number(notesOf(page.url())[0]?.split(/[,>:]/)[0])).toBeGreaterThan(x);
  expect(Number(notesOf(page.url())[0]?.split(/[,>:]/)[1])).toBeGreaterThan(y);
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('a peak');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Note: a peak' })).toBeVisible();

  const picture = (await saved(page, 'SVG')).bytes.toString();
  expect(picture).toContain('>a peak</text>');

  // A link and a logarithmic axis have it at the same values.
  await page.reload();
  await plotArea(page);
  const kept = page.getByRole('button', { name: 'Note: a peak' });
  await expect(kept).toBeVisible();
  const places = notesOf(page.url());
  await page.getByText('Log y').click();
  await expect.poll(async () => (await kept.boundingBox())?.y).not.toBe(moved?.y);
  expect(notesOf(page.url())).toEqual(places);

  await kept.focus();
  await page.keyboard.press('Delete');
  await expect(kept).toHaveCount(0);
  await expect.poll(() => notesOf(page.url())).toEqual([]);
});

test('a note follows a zoom, and is gone where its place is not seen', async ({ page }) => {
  const notes = '91,20: here\n3,200: there';
  await page.goto(
    `?${new URLSearchParams({ url: 'sample.root', tree: 'Events', draw: 'Dimuon_mass', notes })}`,
  );
  const here = page.getByRole('button', { name: 'Note: here' });
  const there = page.getByRole('button', { name: 'Note: there' });
  await expect(here).toBeVisible();
  await expect(there).toBeVisible();
  const before = await here.boundingBox();
  await page.getByRole('textbox', { name: 'From' }).fill('60');
  await page.keyboard.press('Enter');
  await expect(there).toHaveCount(0);
  await expect.poll(async () => (await here.boundingBox())?.x).not.toBe(before?.x);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 740 } });
  test('a note is written and edited', async ({ page }) => {
    await page.goto('?url=sample.root&tree=Events&draw=Dimuon_mass');
    await plotArea(page);
    await page.getByRole('button', { name: 'Note', exact: true }).tap();
    await page.getByRole('textbox', { name: 'Text of the note' }).fill('first');
    await page.getByRole('button', { name: 'Done' }).tap();
    const note = page.getByRole('button', { name: 'Note: first' });
    await note.tap();
    await page.getByRole('textbox', { name: 'Text of the note' }).fill('second');
    await page.getByRole('button', { name: 'Done' }).tap();
    await expect(page.getByRole('button', { name: 'Note: second' })).toBeVisible();
  });
});
