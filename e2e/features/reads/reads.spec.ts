import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { dropFile, expect, test } from '../../story';

const perfstat = resolve(import.meta.dirname, '../../../tests/fixtures/reads/perfstat.root');
const unwell = resolve(import.meta.dirname, '../../../tests/fixtures/reads/unwell.root');

test('how a tree was read: the numbers, ROOT laid over it, saved, and what it would cost', async ({
  page,
}) => {
  await page.goto('?url=sample.root&tree=Events&view=reads');
  const numbers = page.getByRole('table').first();
  await expect(numbers.getByRole('row', { name: /^ReadCalls [1-9]/ })).toBeVisible();
  await page.getByLabel('Compare with a saved reading, perfstat.root or a trace').setInputFiles(perfstat);
  await expect(numbers.getByRole('row', { name: /^ReadCalls \d+ 55 / })).toBeVisible();
  await expect(page.getByText('ROOT: 55 reads')).toBeVisible();
  await expect(page.getByRole('row', { name: /^TTreeCache of 30 MB/ })).toBeVisible();
  const before = await page.getByRole('row', { name: /^no cache \d/ }).textContent();
  await page.getByLabel('Latency (ms)').fill('500');
  await page.getByLabel('Latency (ms)').press('Enter');
  await expect(page.getByRole('row', { name: /^no cache \d/ })).not.toHaveText(before ?? '');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON' }).click();
  const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(saved).toMatchObject({ format: 'xylem perf 1', tree: 'Events' });
});

test('of a tree of which nothing was read, the view says what to do', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&view=reads');
  const hint = page.getByText(/^No basket of this tree has been read yet\. Draw a branch, or open the table/);
  await expect(hint).toBeVisible();
  // The head and the end of the file have baskets that nobody asked for.
  const ofBranches = page.getByRole('heading', {
    name: /^(What this page read of each|Where the time went)/,
  });
  await expect(page.getByRole('heading', { name: 'Requests in time' })).toBeVisible();
  await expect(ofBranches).toHaveCount(0);
  await page.getByRole('tab', { name: 'Table' }).click();
  const firstRow = page.getByRole('grid').getByRole('row').nth(1);
  await expect(firstRow.getByRole('gridcell').first()).toHaveText(/\d/);
  await page.getByRole('tab', { name: 'Reads' }).click();
  await expect(page.getByText('What it is')).toBeVisible();
  await expect(hint).toHaveCount(0);
  await expect(ofBranches).toHaveCount(2);
});

/** The axes of one of the plots of the view, in pixels of the window. */
async function chartArea(page: Page, index: number) {
  const host = page.locator('.plot-host').nth(index);
  await expect(host).toHaveAttribute('data-frames', /\d/);
  const box = await host.boundingBox();
  const [left = 0, top = 0, right = 0, bottom = 0] =
    (await host.getAttribute('data-frames'))?.split(' ').map(Number) ?? [];
  return { x: (box?.x ?? 0) + left, y: (box?.y ?? 0) + top, width: right - left, height: bottom - top };
}

const shown = (page: Page): URLSearchParams =>
  new URLSearchParams(new URL(page.url()).searchParams.get('show') ?? '');

test('a read is shown at its place on the map, from the pattern, the waterfall and the table', async ({
  page,
}) => {
  await page.goto('?url=sample.root&tree=Events&view=reads');
  await page.getByLabel('Compare with a saved reading, perfstat.root or a trace').setInputFiles(perfstat);
  await expect(page.getByText('ROOT: 55 reads')).toBeVisible();

  // The page itself has read nothing of this entry.
  const pattern = await chartArea(page, 0);
  const last = { x: pattern.x + (1.02 / 1.04) * pattern.width, y: pattern.y + 0.25 * pattern.height };
  await page.mouse.move(last.x - 30, last.y);
  await page.mouse.move(last.x, last.y);
  await expect(page.locator('.readout')).toContainText(/at byte [\d,]+ .* from entry 2,000 on/);
  await page.mouse.click(last.x, last.y);
  await expect(page.getByText(/^Outlined: .* from byte [\d,]+ on/)).toBeVisible();
  expect(shown(page).get('reads')).toBe('1');
  const list = page.getByRole('list', { name: 'What was read' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list).toContainText(/ROOT, saved 55 reads, 136 kB; 91\.1 % of the file/);
  await page.getByRole('button', { name: 'No outline' }).click();
  expect(shown(page).get('at')).toBeNull();

  await page.getByRole('tab', { name: 'Reads' }).click();
  // Against time, and then the first request of all.
  await page.getByRole('group', { name: 'Against' }).getByRole('button', { name: 'Time' }).click();
  await expect(page.getByRole('img', { name: /^Plot of Events in/ })).toBeVisible();
  await page.locator('.plot-host').nth(1).scrollIntoViewIfNeeded();
  const waterfall = await chartArea(page, 1);
  await page.mouse.move(waterfall.x + 20, waterfall.y + 8);
  await page.mouse.move(waterfall.x + 4, waterfall.y + 8);
  await expect(page.locator('.readout')).toContainText(/at byte 0 /);
  await page.mouse.click(waterfall.x + 4, waterfall.y + 8);
  await expect(page.getByText(/^Outlined: /)).toBeVisible();
  expect(shown(page).get('at')).toMatch(/^0\+\d+$/);

  await page.getByRole('tab', { name: 'Reads' }).click();
  await page.getByText('Reads in numbers').click();
  await page
    .getByRole('row', { name: /network/ })
    .getByRole('button', { name: 'Muon_eta' })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Muon_eta' })).toBeVisible();
});

test('a trace of another program is laid over the map and the reads', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&view=map');
  await expect(page.getByRole('img', { name: /Map of/ }).first()).toBeVisible();
  await dropFile(page, resolve(perfstat, '../jsroot.har'));
  await expect(page.getByRole('list', { name: 'What was read' })).toContainText('chromium, saved 13 reads');
  await page.goto('?url=sample.root&tree=Events&view=reads');
  const label = 'Compare with a saved reading, perfstat.root or a trace';
  await page.getByLabel(label).setInputFiles(resolve(perfstat, '../root.strace'));
  await expect(page.getByText('strace').first()).toBeVisible();
  await page.getByLabel(label).setInputFiles(resolve(perfstat, '../nginx-combined.log'));
  await expect(page.getByText('no line of it says which ranges were requested')).toBeVisible();
});

test('a perfstat.root that is dropped on an open file is laid over its map', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&draw=Muon_pt');
  await expect(page.locator('.plot canvas').first()).toBeVisible();
  await dropFile(page, perfstat);
  const list = page.getByRole('list', { name: 'What was read' });
  await expect(list).toContainText('ROOT, saved 55 reads');
  // The page has read the bytes for the earlier plot.
  await expect(list).toContainText(/This page [1-9]\d* reads?/);
  await expect(page.locator('.file-row')).toContainText('sample.root');
  // Any other file is opened.
  await dropFile(page, unwell);
  await expect(page.locator('.file-row')).toContainText('unwell.root');
});

test('the doctor: a link opens the report, a file that is unwell is graded', async ({ page }) => {
  await page.goto('?url=sample.root&view=doctor&tree=Events');
  await expect(page.getByText('Laid out well for reading')).toBeVisible();
  await page.locator('input[type=file]').first().setInputFiles(unwell);
  await expect(page.locator('.file-row')).toContainText('unwell.root');
  await page.locator('.file-row').click();
  await page.getByRole('tab', { name: 'Doctor' }).click();
  await expect(page.getByText('Laid out badly for reading')).toBeVisible();
  await expect(page.getByText(/of the file are free/)).toBeVisible();
  await expect(page.getByText('hadd -fk unwell-repaired.root unwell.root')).toBeVisible();
  const report = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the report' }).click();
  const html = await report;
  expect(html.suggestedFilename()).toBe('unwell-layout.html');
  expect(readFileSync(await html.path(), 'utf8')).toContain('Laid out badly for reading: space in the file');
  const program = page.locator('section.finding').filter({ hasText: 'How to repair it with ROOT' });
  const saved = page.waitForEvent('download');
  await program.getByRole('button', { name: 'Save repair.C' }).click();
  expect((await saved).suggestedFilename()).toBe('repair.C');
  await expect(page.getByText('For information only').first()).toBeVisible();
  const finding = page.locator('section.finding').filter({ hasText: 'of the file are free' });
  await finding.getByRole('button', { name: 'Show on the map' }).click();
  await expect(page.getByText(/^Outlined: /)).toBeVisible();
});

test('the doctor judges for branches and for a drawing, which a link keeps', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&view=doctor');
  await page.getByLabel('Branches that are read').fill('Muon_*');
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await expect(page.getByText(/^Judged for Muon_\*\./)).toBeVisible();
  await expect(page.getByText(/^Good for reading Muon_\*;/)).toBeVisible();
  expect(shown(page).get('branches')).toBe('Muon_*');
  await page.getByRole('button', { name: 'A drawing' }).click();
  await page.getByLabel('Draw', { exact: true }).fill('MET_pt');
  await page.getByLabel('Where').fill('nMuon == 2');
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await expect(page.getByText(/^Judged for MET_pt\./)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^Judged for MET_pt\./)).toBeVisible();
  await expect(page.getByLabel('Where')).toHaveValue('nMuon == 2');
  await page.getByRole('button', { name: 'Judge for usual uses' }).click();
  await expect(page.getByText(/single events/)).toBeVisible();
});

test('the server of a file: what it can do', async ({ page }) => {
  await page.goto('?url=sample.root&view=server');
  await page.locator('.file-row').click();
  await page.getByRole('tab', { name: 'Server' }).click();
  await expect(page.getByRole('row', { name: /^Ranges of bytes good/ })).toBeVisible();
});

test('traces of other programs beside each other: what they used, and how the same would be read', async ({
  page,
}) => {
  const trace = (name: string) => resolve(perfstat, '..', name);
  await page.goto('?url=sample.root&tree=Events&view=reads');
  const field = page.getByLabel('Compare with a saved reading, perfstat.root or a trace');
  await field.setInputFiles(trace('jsroot.har'));
  await expect(page.getByRole('heading', { name: 'What the reading used' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^Healed, TTreeCache of 30 MB/ })).toBeVisible();
  await field.setInputFiles([trace('apache.log'), trace('recorder.csv')]);
  await expect(page.getByRole('heading', { name: 'What 3 readings used' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^Muon_pt 3 of 3/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /^ReadCalls \d+ 13 6 6/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /Picture of 3 readings of Events/ })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a Perfetto trace' }).click();
  const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
  expect(saved.traceEvents.length).toBeGreaterThan(14);
});

test('the columns of an RNTuple that were read, by this page and by ROOT', async ({ page }) => {
  await page.goto('?url=sample.root');
  await dropFile(page, resolve(perfstat, '../columns.root'));
  await page.getByRole('treeitem', { name: /^n\b/ }).first().click();
  await page.getByRole('tab', { name: 'Reads' }).click();
  const field = page.getByLabel('Compare with a saved reading, perfstat.root or a trace');
  await field.setInputFiles(resolve(perfstat, '../columns.strace'));
  await expect(page.getByRole('heading', { name: 'What the reading used' })).toBeVisible();
  await expect(
    page.getByRole('row', { name: /^label 2 Char 5 of 5 2\.98 kB 100\.0 % 3 yes$/ }),
  ).toBeVisible();
  const own = page.getByRole('region', { name: 'What was read by column' });
  await expect(own.getByRole('columnheader', { name: 'Pages' })).toBeVisible();
  await expect(own.getByRole('row', { name: /^pt\._0 4 SplitReal32/ })).toBeVisible();
  await own.getByRole('button', { name: 'pt._0' }).click();
  await expect(page.getByRole('heading', { name: /_0/ }).first()).toBeVisible();
});

test('where the time went, by branch and phase', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&view=table');
  const firstRow = page.getByRole('grid').getByRole('row').nth(1);
  await expect(firstRow.getByRole('gridcell').first()).toHaveText(/\d/);
  await page.getByRole('tab', { name: 'Reads' }).click();
  const table = page.locator('.table-box').filter({ hasText: 'decompressing' });
  await expect(table.getByRole('row', { name: /^Muon_pt .*ms/ })).toBeVisible();
  await table.getByRole('button', { name: 'Muon_pt', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Muon_pt' })).toBeVisible();
});

test('words are explained where they stand, with pictures of this file', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&view=reads');
  const words = page.locator('.file-words').first();
  await words.getByRole('button', { name: 'Over-read' }).click();
  await expect(words.getByText(/Bytes that a request brings without need/)).toBeVisible();
  await expect(words.locator('figure')).toContainText(/the two baskets of Muon_eta have .* lie between them/);
  await expect(words.locator('canvas')).toBeVisible();
  await words.getByRole('button', { name: 'Clusters' }).click();
  await expect(words.locator('figure')).toContainText('Events has 3 clusters');
  await words.getByRole('button', { name: 'Clusters' }).click();
  await expect(words.locator('figure')).toHaveCount(0);
  // The words of the table of costs, too.
  await page.locator('.file-words').last().getByRole('button', { name: 'In a row' }).click();
  await expect(page.getByText(/4 round trips of 20 ms/)).toBeVisible();
  for (const view of ['Doctor', 'Fleet', 'Map']) {
    await page.getByRole('tab', { name: view }).click();
    await page.locator('.file-words').getByRole('button', { name: 'Baskets' }).click();
    await expect(page.locator('.file-words figure')).toContainText('Muon_eta has 4 baskets');
  }
});

test('jobs at two sites are simulated from a model that is edited, dropped, and swept', async ({
  page,
}, testInfo) => {
  await page.goto('?url=sample.root&tree=Events&view=fleet');
  const table = page.getByRole('table').first();
  await expect(table.getByRole('row', { name: /^Jobs 1,000 1,000/ })).toBeVisible();
  const model = page.getByLabel('Model', { exact: true });
  await model.fill((await model.inputValue()).replace('"count": 1000', '"count": 70'));
  await page.getByRole('button', { name: 'Simulate' }).click();
  await expect(table.getByRole('row', { name: /^Jobs 70 70/ })).toBeVisible();
  await page.getByLabel('Change one number').fill('sites[1].link.latencyMs=1,300');
  await page.getByLabel('Change one number').press('Enter');
  await expect(table.getByRole('row', { name: /^300 pull/ })).toBeVisible();
  await page.getByLabel('Change one number').fill('');
  const text = (await model.inputValue()).replace('"count": 70', '"count": 9');
  const dropped = testInfo.outputPath('model.json');
  writeFileSync(dropped, text);
  await dropFile(page, dropped);
  await expect(model).toHaveValue(text);
  await page.getByRole('button', { name: 'Simulate' }).click();
  await expect(table.getByRole('row', { name: /^Jobs 9 9/ })).toBeVisible();
  await model.fill('{"origin": {}, "sites": 3}');
  await page.getByRole('button', { name: 'Simulate' }).click();
  await expect(page.getByText('sites is 3, not a list of 1 to 200 objects.')).toBeVisible();
});

test('how a program would read it that is not run, beside the healed file', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&view=reads');
  const section = page.getByRole('region', { name: 'As another program reads it' });
  await section.getByLabel('Program').selectOption('none');
  await section.getByLabel('Beside').selectOption('rebasket');
  await expect(section.getByRole('row', { name: /^no cache, simulated 55 7 0 0 B/ })).toBeVisible();
  await expect(
    section.getByRole('row', { name: /^no cache, healed \(rebasket\), simulated 16 0 0 0 B/ }),
  ).toBeVisible();
  await expect(section.getByRole('row', { name: /^Real Time – –/ })).toBeVisible();
  await section.getByLabel('Beside').selectOption('cache:30M');
  await expect(section.getByRole('row', { name: /^ReadCalls 55 2/ })).toBeVisible();
});
