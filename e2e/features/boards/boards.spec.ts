import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { openPortal, stopPortals } from '../../element/portal';
import { expect, openByAddress, samplePath, test } from '../../story';

const xylem = resolve(import.meta.dirname, '../../../dist/cli/xylem.js');

const PLOTS = ['nMuon', 'MET_pt', 'Dimuon_mass', 'Muon_pt', 'Muon_eta', 'Muon_pt:Muon_eta', 'trigger'];

test.afterAll(stopPortals);

/** The link of a board with chips. */
const link = (...chips: string[]): string => {
  const show = new URLSearchParams();
  for (const plot of PLOTS) show.append('plot', plot);
  for (const chip of chips) show.append('chip', chip);
  return `/?${new URLSearchParams({ url: 'sample.root', tree: 'Events', view: 'board', show: String(show) })}`;
};

/** Entries that the command counts for a cut. */
function counted(cut: string): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [xylem, 'draw', samplePath, 'Events', '1', `(Sum$((${cut})!=0)>0)`, '--hist', '1,0,2', '--json'],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { fills: number }).fills.toLocaleString('en-US');
}

const plot = (page: Page, title: string) =>
  page.locator('figure').filter({ has: page.getByTitle(title, { exact: true }) });

/** Drags in a plot, from and to shares of its width and height. */
async function drag(page: Page, title: string, from: [number, number], to: [number, number]): Promise<void> {
  const stage = plot(page, title).locator('.board-stage');
  await stage.scrollIntoViewIfNeeded();
  const box = await stage.boundingBox();
  if (!box) throw new Error(`${title} is not there`);
  const at = ([x, y]: [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]), { steps: 5 });
  await page.mouse.move(...at(to), { steps: 5 });
  await page.mouse.up();
  // Also the chip is there then.
  await expect(page.locator('.board')).toHaveAttribute('aria-busy', 'false');
}

const cutField = (page: Page) => page.getByLabel('Cut', { exact: true });

/** The cut that the board shows, whose count has to be the one that it shows. */
async function shownCut(page: Page): Promise<string> {
  await expect(page.locator('.board')).toHaveAttribute('aria-busy', 'false');
  const cut = await cutField(page).inputValue();
  await expect(page.locator('.board-selected strong')).toHaveText(counted(cut));
  return cut;
}

test('a brush in a plot selects in all others, and the text of its cut counts the same', async ({ page }) => {
  await page.goto(link());
  await expect(page.getByText('2,400 of 2,400 entries')).toBeVisible();
  await drag(page, 'Dimuon_mass', [0.4, 0.3], [0.7, 0.35]);
  const chips = page.getByRole('list', { name: 'Brushes' }).getByRole('listitem');
  await expect(chips).toHaveCount(1);
  expect(await shownCut(page)).toMatch(/^\(Dimuon_mass>=[\d.]+ && Dimuon_mass<[\d.]+\)$/);
  const before = await plot(page, 'Muon_pt').locator('.board-count').innerText();
  await drag(page, 'Muon_eta', [0.4, 0.5], [0.6, 0.5]);
  await expect(chips).toHaveCount(2);
  expect(await shownCut(page)).toContain('Sum$(Muon_eta>=');
  await expect(plot(page, 'Muon_pt').locator('.board-count')).not.toHaveText(before);

  // All elements instead of one, the reverse, and a brush that is off.
  await page.getByLabel('How many elements of Muon_eta').selectOption('all');
  await expect(cutField(page)).toHaveValue(/\)==0/);
  await shownCut(page);
  await page.getByRole('button', { name: 'Invert the selection of Dimuon_mass' }).click();
  await expect(cutField(page)).toHaveValue(/!\(Dimuon_mass>=/);
  await shownCut(page);
  await page.getByRole('button', { name: 'Switch the selection of Muon_eta off' }).click();
  await expect(cutField(page)).not.toHaveValue(/Muon_eta/);
  await shownCut(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cutField(page)).toHaveValue(/Muon_eta/);

  // The link keeps it all.
  const [cut, selected] = [await shownCut(page), await page.locator('.board-selected').innerText()];
  await page.reload();
  await expect(page.locator('.board-selected')).toHaveText(selected);
  await expect(cutField(page)).toHaveValue(cut);
  await page.getByRole('button', { name: 'Remove all' }).click();
  await expect(page.getByText('2,400 of 2,400 entries')).toBeVisible();
});

test('a brush is moved, made by keys, and exact by numbers', async ({ page }) => {
  await page.goto(link(':MET_pt>=10 && MET_pt<20'));
  await shownCut(page);
  await plot(page, 'nMuon').getByRole('button', { name: 'Select a range of nMuon' }).press('Enter');
  const low = page.getByLabel('nMuon from');
  await low.fill('2');
  await low.press('Enter');
  const high = page.getByLabel('nMuon to');
  await high.fill('3');
  await high.press('Tab');
  await expect(cutField(page)).toHaveValue('(MET_pt>=10 && MET_pt<20) && (nMuon>=2 && nMuon<3)');
  await shownCut(page);
  // Reversed ends change nothing.
  await low.fill('7');
  await low.press('Enter');
  await expect(cutField(page)).toHaveValue('(MET_pt>=10 && MET_pt<20) && (nMuon>=2 && nMuon<3)');
  await page.getByRole('button', { name: 'Remove the selection of MET_pt' }).click();
  await expect(cutField(page)).toHaveValue('(nMuon>=2 && nMuon<3)');
  await page.locator('.board-use').getByRole('button', { name: 'Draw' }).click();
  await expect(page.getByRole('img', { name: /nMuon/ }).first()).toBeVisible();
  await expect(page).toHaveURL(/cut=/);
});

test('a rectangle on a map, and texts', async ({ page }) => {
  await page.goto(link());
  await expect(page.getByText('2,400 of 2,400 entries')).toBeVisible();
  await drag(page, 'Muon_pt:Muon_eta', [0.35, 0.2], [0.6, 0.6]);
  expect(await shownCut(page)).toMatch(
    /^\(Sum\$\(Muon_eta>=[-\d.]+ && Muon_eta<[-\d.]+ && Muon_pt>=[-\d.]+ && Muon_pt<[-\d.]+\)>=1\)$/,
  );
  await page.getByRole('button', { name: 'Remove all' }).click();
  await drag(page, 'trigger', [0.3, 0.5], [0.45, 0.5]);
  expect(await shownCut(page)).toMatch(/^\(\(trigger=="/);
});

test('an expression with a mistake, and a link with nonsense', async ({ page }) => {
  const show = 'plot=Muonpt&chip=:Muonpt>1';
  await page.goto(`/?${new URLSearchParams({ url: 'sample.root', tree: 'Events', view: 'board', show })}`);
  await expect(page.getByRole('alert')).toContainText('There is no branch "Muonpt"');
  await page.getByLabel('Plots').fill('Muon_pt sqrt(MET_pt + 1)');
  await page.getByLabel('Plots').press('Enter');
  await expect(page.locator('.board-plot')).toHaveCount(2);
  await page.goto(link(':', ':MET_pt>', 'x:nMuon>1', 'not,:MET_pt>=10 && MET_pt<20'));
  await expect(cutField(page)).toHaveValue('!(MET_pt>=10 && MET_pt<20)');
  // A text that is not understood has no chip.
  await expect(page.getByRole('list', { name: 'Brushes' }).getByRole('listitem')).toHaveCount(1);
  // A branch that is not there leaves no count of the others.
  await page.goto(link(':MET_pt>=10 && MET_pt<20', ':nope>3'));
  await expect(page.getByText('Nothing is counted, because a selection has a mistake.')).toBeVisible();
  await expect(page.locator('.board-selected strong')).toHaveCount(0);
});

test('a board that the worker keeps no more is read again', async ({ page }) => {
  await page.goto(link(':MET_pt>=10 && MET_pt<20'));
  const selected = await page.locator('.board-selected').innerText();
  for (const plots of ['MET_pt', 'nMuon', 'Jet_pt']) {
    await page.getByLabel('Plots').fill(plots);
    await page.getByLabel('Plots').press('Enter');
    await expect(page.locator('.board-plot')).toHaveCount(1);
    await expect(page.locator('.board-title')).toHaveText(plots);
  }
  await page.getByLabel('Plots').fill(PLOTS.join(' '));
  await page.getByLabel('Plots').press('Enter');
  await expect(page.locator('.board-plot')).toHaveCount(PLOTS.length);
  await drag(page, 'Dimuon_mass', [0.4, 0.3], [0.7, 0.35]);
  await shownCut(page);
  expect(selected).toContain('2,400');
});

test('the walkthrough of the document: from a remote file to a selection of two muons', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await openByAddress(page, server.url, 'Events');
  await page.getByRole('tab', { name: 'Board' }).click();
  await page.getByLabel('Plots').fill('nMuon  Muon_pt  Muon_eta  Dimuon_mass  MET_pt  Muon_pt:Muon_eta');
  await page.getByLabel('Plots').press('Enter');
  await expect(page.locator('.board-plot')).toHaveCount(6);
  await cutField(page).fill('nMuon==2 && Sum$(Muon_pt>20)>=2');
  await cutField(page).press('Enter');
  const chips = page.getByRole('list', { name: 'Brushes' }).getByRole('listitem');
  await expect(chips).toHaveCount(2);
  await shownCut(page);
  await drag(page, 'Muon_eta', [0.3, 0.5], [0.75, 0.5]);
  await page.getByLabel('How many elements of Muon_eta').selectOption('all');
  await drag(page, 'Dimuon_mass', [0.4, 0.4], [0.75, 0.4]);
  await expect(chips).toHaveCount(4);
  const cut = await shownCut(page);
  const selected = await page.locator('.board-selected strong').innerText();
  expect(Number(selected.replaceAll(',', ''))).toBeGreaterThan(0);
  await page.locator('.board-use').getByRole('button', { name: 'Cutflow', exact: true }).click();
  await expect(page.getByRole('cell', { name: selected, exact: true }).first()).toBeVisible();
  await page.goBack();
  await expect(page.locator('.board-selected strong')).toHaveText(selected);
  await page.locator('.board-use').getByRole('button', { name: 'Entries' }).click();
  await expect(page.getByText(new RegExp(`^${selected} `)).first()).toBeVisible();
  expect(cut).toContain('Sum$(Muon_pt>20)>=2');
});

test('a board of a wall, of marked branches, and of a branch that is dropped', async ({ page }) => {
  const show = new URLSearchParams({ items: 'nMuon MET_pt' });
  await page.goto(
    `/?${new URLSearchParams({ url: 'sample.root', tree: 'Events', view: 'wall', items: 'nMuon MET_pt', show: String(show) })}`,
  );
  await page.getByRole('button', { name: 'Board', exact: true }).click();
  await expect(page.locator('.board-title')).toHaveText(['nMuon', 'MET_pt']);
  await page
    .getByRole('treeitem')
    .filter({ hasText: 'PV_npvs' })
    .dragTo(page.locator('.board-plot').first(), { targetPosition: { x: 60, y: 60 } });
  await expect(page.locator('.board-title')).toHaveText(['nMuon', 'MET_pt', 'PV_npvs']);
  await page.getByRole('treeitem').filter({ hasText: 'Muon_pt' }).click();
  await page
    .getByRole('treeitem')
    .filter({ hasText: 'Jet_pt' })
    .click({ modifiers: ['Control'] });
  await page.getByRole('button', { name: 'Board', exact: true }).click();
  await expect(page.locator('.board-title')).toHaveText(['Muon_pt', 'Jet_pt']);
});

test('bars of texts are clicked, ends are open, a drag is taken back, and the text of one chip', async ({
  page,
}) => {
  await page.goto(link(':MET_pt>20'));
  await shownCut(page);
  const stage = plot(page, 'trigger').locator('.board-stage');
  await stage.scrollIntoViewIfNeeded();
  await stage.click({ position: { x: 70, y: 80 } });
  await expect(page.locator('.board')).toHaveAttribute('aria-busy', 'false');
  expect(await shownCut(page)).toMatch(/^\(MET_pt>20\) && \(\(trigger=="[^"]+"\)\)$/);
  await stage.click({ position: { x: 200, y: 80 } });
  await expect(page.locator('.board')).toHaveAttribute('aria-busy', 'false');
  expect(await shownCut(page)).toMatch(/trigger=="[^"]+" \|\| trigger=="/);
  await page.getByRole('button', { name: 'Use the cut of MET_pt alone' }).click();
  await expect(page.locator('.board-use code')).toHaveText('MET_pt>20');
  const cut = await cutField(page).inputValue();
  const nMuon = plot(page, 'nMuon').locator('.board-stage');
  await nMuon.scrollIntoViewIfNeeded();
  const box = await nMuon.boundingBox();
  if (!box) throw new Error('nMuon is not there');
  await page.mouse.move(box.x + 90, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 80, { steps: 4 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(cutField(page)).toHaveValue(cut);
  await page.getByLabel('MET_pt to').fill('40');
  await page.getByLabel('MET_pt to').press('Enter');
  await page.getByLabel('MET_pt from').fill('');
  await page.getByLabel('MET_pt from').press('Enter');
  await expect(cutField(page)).toHaveValue(/^\(MET_pt<40\)/);
  await shownCut(page);
  await cutField(page).fill('nMuon==');
  await cutField(page).press('Enter');
  await expect(page.getByRole('alert')).toContainText('The expression ends');
});

test('a board on a telephone', async ({ page }) => {
  await page.goto(link(':MET_pt>20'));
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(page.locator('.board-plot').first()).toBeVisible();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(360);
});

test('a board in the element, and the state that it saves', async ({ page, rangeServer }) => {
  const sample = await rangeServer('sample.root');
  await openPortal(
    page,
    `<xylem-viewer src="${sample.url}" tree="Events" board="nMuon MET_pt sqrt(MET_pt + 1)" label="Board"></xylem-viewer>`,
  );
  const viewer = page.locator('xylem-viewer');
  await expect(viewer.locator('.board-title')).toHaveText(['nMuon', 'MET_pt', 'sqrt(MET_pt + 1)']);
  await viewer.getByRole('button', { name: 'Select a range of MET_pt' }).click();
  await expect(viewer.locator('.board-chip')).toHaveCount(1);
  await expect(viewer.locator('.board')).toHaveAttribute('aria-busy', 'false');
  const selected = await viewer.locator('.board-selected').innerText();
  const state = await viewer.evaluate((element) => (element as HTMLElement & { save(): object }).save());
  expect(state).toMatchObject({ view: 'board', show: expect.stringContaining('chip=') });
  await viewer.getByRole('button', { name: 'Remove all' }).click();
  await expect(viewer.getByText('2,400 of 2,400 entries (')).toBeVisible();
  await viewer.evaluate(
    (element, saved) =>
      (element as HTMLElement & { restore(state: object): Promise<unknown> }).restore(saved),
    state,
  );
  await expect(viewer.locator('.board-selected')).toHaveText(selected);
});
