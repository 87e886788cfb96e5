import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { dividedBy, expect, fixturePath, plotArea, row, statistic, test } from '../../story';

/** The form that adds a layer. */
async function openForm(page: Page): Promise<Locator> {
  await page.getByText('Add a layer').click();
  return page.locator('.add-layer form');
}

test('cuts and branches lie over each other, in an order and with colours that the link keeps', async ({
  page,
}) => {
  await page.goto(
    `/?${new URLSearchParams({ url: 'sample.root', tree: 'Events', draw: 'Muon_pt', cut: 'nMuon==2' })}`,
  );
  await expect(statistic(page, 'Entries')).toBeVisible();
  const form = await openForm(page);
  await form.getByLabel('Where').fill('nMuon>2');
  await form.getByLabel('Where').press('Enter');
  const plot = page.getByRole('img', { name: /nMuon==2 and nMuon>2/ });
  await expect(plot).toBeVisible();
  await form.getByLabel('Draw').fill('Jet_pt');
  await form.getByLabel('Draw').press('Escape');
  await form.getByRole('button', { name: 'Add layer' }).click();
  const layers = page.getByRole('region', { name: 'Layers' });
  await expect(layers.getByRole('listitem')).toHaveText([
    /Muon_pt \{nMuon==2\}/,
    /Muon_pt \{nMuon>2\}/,
    /Jet_pt/,
  ]);
  // The statistics of each, which ROOT counts, too.
  const table = page.locator('.compared-stats');
  await expect(table.getByRole('row', { name: /^Entries/ })).toHaveText('Entries4,4046083,426');
  // The range is that of all: jets reach further than muons.
  const range = await page.getByRole('textbox', { name: 'To', exact: true }).inputValue();
  expect(Number(range)).toBeGreaterThan(240);

  await row(page, 'MET_pt').dragTo(page.locator('.plot-host'));
  await expect(layers.getByRole('listitem')).toHaveCount(4);
  await layers.getByRole('button', { name: 'Remove MET_pt' }).click();
  await expect(layers.getByRole('listitem')).toHaveCount(3);

  await layers.getByLabel('Below').selectOption('ratio');
  await layers.getByLabel('Scale').selectOption('area');
  await expect(page.getByRole('img', { name: /with the ratio/ })).toBeVisible();
  await layers.getByRole('button', { name: 'Move Jet_pt up' }).click();
  await layers.getByRole('button', { name: 'Hide Muon_pt {nMuon>2}' }).click();
  await expect(page.getByRole('img', { name: /with the ratio of Jet_pt to Muon_pt/ })).toBeVisible();
  await expect(page).toHaveURL(/norm=area&below=ratio/);
  await page.reload();
  await expect(page.getByRole('img', { name: /with the ratio of Jet_pt to Muon_pt/ })).toBeVisible();
  await expect(layers.getByRole('listitem')).toHaveText([/nMuon==2/, /Jet_pt/, /nMuon>2.*Show/]);
  // A name of one's own is in the legend, the statistics and the link; an empty one is the first again.
  await layers.getByRole('button', { name: 'Jet_pt', exact: true }).click();
  await layers.getByRole('textbox', { name: 'Name of Jet_pt' }).fill('jets of all events');
  await layers.getByRole('textbox', { name: 'Name of Jet_pt' }).press('Enter');
  await expect(page.getByRole('img', { name: /with the ratio of jets of all events to/ })).toBeVisible();
  await expect(page.locator('.compared-stats')).toContainText('jets of all events');
  await expect(page).toHaveURL(/label%22%3A%22jets\+of/);
  await layers.getByRole('button', { name: 'jets of all events', exact: true }).click();
  await layers.getByRole('textbox', { name: 'Name of jets' }).fill('');
  await layers.getByRole('textbox', { name: 'Name of jets' }).press('Enter');
  await layers.getByRole('button', { name: 'Another colour for Jet_pt' }).click();
  await expect(page).toHaveURL(/colour%22%3A4/);
  await layers.getByRole('button', { name: 'Remove Jet_pt' }).click();
  await layers.getByRole('button', { name: 'Remove all layers' }).click();
  await expect(page).not.toHaveURL(/layers=/);
  await expect(statistic(page, 'Entries')).toBeVisible();
});

test('plots that are marked in the contents are shown side by side, and over each other', async ({
  page,
}) => {
  await page.goto('/?url=sample.root&tree=Events&draw=MET_pt');
  await expect(statistic(page, 'Entries')).toBeVisible();
  await row(page, 'nMuon').click({ modifiers: ['ControlOrMeta'] });
  await row(page, 'PV_npvs').click({ modifiers: ['ControlOrMeta'] });
  await expect(page.getByText('3 marked')).toBeVisible();
  await expect(page.getByRole('treeitem', { selected: true })).toHaveCount(3);
  await page.getByRole('button', { name: 'Side by side' }).click();
  const wall = page.getByRole('list', { name: 'Plots' });
  await expect(wall.getByRole('button')).toHaveCount(3);
  await expect(page.getByText('3 marked')).toBeHidden();
  await page.goBack();
  await expect(statistic(page, 'Entries')).toBeVisible();

  // By the keyboard: what is shown stays while the next ones are marked.
  await page.getByRole('tree').focus();
  await page.keyboard.press('Control+Space');
  await expect(page.getByText('1 marked')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Space');
  await page.getByRole('button', { name: 'Over each other' }).click();
  const layers = page.getByRole('region', { name: 'Layers' });
  await expect(layers.getByRole('listitem')).toHaveCount(2);
  await expect(layers.getByRole('listitem').first()).toHaveText(/MET_pt/);

  // Stored objects of the same file, each named.
  await row(page, 'plots').click();
  await page.keyboard.press('ArrowRight');
  await row(page, 'dimuonMass').click();
  await row(page, 'ptByEta').click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('button', { name: 'Side by side' }).click();
  await expect(page.getByText('2 plots')).toBeVisible();
  await page.reload();
  await expect(wall.getByRole('button')).toHaveText([/dimuonMass/, /ptByEta/]);
});

test('stored histograms of other bins keep their own, and a ratio says why there is none', async ({
  page,
}) => {
  const layers = JSON.stringify([{ item: 'plots/upsilon', label: 'narrow' }]);
  await page.goto(
    `/?${new URLSearchParams({ url: 'sample.root', item: 'plots/dimuonMass', layers, below: 'ratio' })}`,
  );
  await expect(page.getByRole('img', { name: /dimuonMass and narrow/ })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The bins differ: 150 from 2 to 150');
  // Filled layers have the bins of a stored histogram.
  const filled = { url: 'sample.root', tree: 'Events', draw: 'Dimuon_mass', below: 'ratio' };
  await page.goto(`/?${new URLSearchParams({ ...filled, layers: '[{"item":"plots/upsilon"}]' })}`);
  await expect(
    page.getByRole('img', { name: /with the ratio of plots\/upsilon to Dimuon_mass/ }),
  ).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Bins' })).toHaveValue('60');
  await page.goto(
    `/?${new URLSearchParams({ url: 'sample.root', tree: 'Events', draw: 'MET_pt', layers: '[{"drow":"x"}]' })}`,
  );
  await expect(page.getByRole('alert')).toContainText('no option "drow"');
  await expect(statistic(page, 'Entries')).toBeVisible();
});

test('the same branch of two files: drawn over each other, with their ratio, and linked to', async ({
  page,
  rangeServer,
}) => {
  const first = await rangeServer('codec_zlib.root');
  const second = await rangeServer('codec_lz4.root');
  await page.goto(`/?url=${encodeURIComponent(first.url)}&tree=t`);
  await row(page, 'noise').click();
  await expect(statistic(page, 'Entries')).toBeVisible();
  const form = await openForm(page);
  await form.getByLabel('Address of another file').fill(second.url);
  await form.getByRole('button', { name: 'Add layer' }).click();

  // The two files hold the same values, so that the ratio is 1 wherever there is one.
  const ratio = page.getByRole('img', { name: /with the ratio of \S+\/file.root to \S+\/file.root/ });
  await expect(ratio).toBeVisible();
  const box = await plotArea(page, 1);
  // One left edge, so that the bins stand below each other.
  expect((await plotArea(page)).x).toBe(box.x);
  const readout = page.locator('.readout');
  await expect(async () => {
    for (let share = 0.2; share < 0.95; share += 0.05) {
      await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
      if (/ratio 1 ±/.test((await readout.textContent()) ?? '')) return;
    }
    throw new Error('no bin has a ratio of 1');
  }).toPass();

  await page.reload();
  await expect(ratio).toBeVisible();
  // The other file stays while one goes from branch to branch.
  await row(page, 'regular').click();
  await expect(page.locator('.compared-stats')).toContainText('Entries');
  await expect(ratio).toBeVisible();
  await page.getByRole('button', { name: 'Remove all layers' }).click();
  await expect(ratio).toHaveCount(0);
  await expect(page).not.toHaveURL(/layers=/);
});

test('a file that has no such branch says so beside the plot', async ({ page, rangeServer }) => {
  const first = await rangeServer('codec_zlib.root');
  await page.goto(`/?url=${encodeURIComponent(first.url)}&tree=t`);
  await row(page, 'noise').click();
  await expect(statistic(page, 'Entries')).toBeVisible();
  const form = await openForm(page);
  await form.getByLabel('From a file of yours…').setInputFiles(fixturePath('histograms.root'));
  await expect(page.getByRole('alert')).toContainText('There is no "t" in histograms.root');
  await expect(row(page, 't')).toBeVisible();
  await expect(statistic(page, 'Entries')).toBeVisible();
});

test('what is missing of the other file is said, and read again', async ({ page, rangeServer }) => {
  const first = await rangeServer('codec_zlib.root');
  const damaged = await rangeServer('damaged/adler_flipped.root');
  const link = { url: first.url, tree: 't', draw: 'regular', ...dividedBy(damaged.url) };
  await page.goto(`/?${new URLSearchParams(link)}`);
  const told = page.getByText(/^Partial: 1 of \d+ baskets of \S+\/file\.root could not be read$/);
  await expect(told).toBeVisible();
  await told.click();
  await expect(page.getByText(/adler32/)).toBeVisible();
  damaged.bytes = first.bytes;
  await page.getByRole('button', { name: 'Remove all layers' }).click();
  await expect(told).toHaveCount(0);
});

test('a file that was given up does not come later', async ({ page, rangeServer }) => {
  const first = await rangeServer('codec_zlib.root');
  const slow = await rangeServer('codec_lz4.root', { stall: true });
  await page.goto(
    `/?${new URLSearchParams({ url: first.url, tree: 't', draw: 'noise', ...dividedBy(slow.url) })}`,
  );
  await expect(page.getByText('Reading…').first()).toBeVisible();
  await expect.poll(() => slow.requests.length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Remove all layers' }).click();
  const form = await openForm(page);
  await form.getByLabel('From a file of yours…').setInputFiles(fixturePath('codec_zstd.root'));
  await expect(page.getByRole('img', { name: /ratio of file.root to codec_zstd.root/ })).toBeVisible();
  await page.getByLabel('Scale').selectOption('first');
  await page.getByRole('checkbox', { name: 'Errors' }).check();
  await expect(page.getByText('Opening the file of a layer')).toHaveCount(0);
});

test('expressions and stored histograms are drawn over those of the other file, or a sentence says why not', async ({
  page,
  rangeServer,
}) => {
  const first = await rangeServer('pairs/before.root');
  const second = await rangeServer('pairs/after.root');
  const link = { url: first.url, ...dividedBy(second.url) };
  const ratio = page.getByRole('img', { name: /with the ratio of/ });
  await page.goto(`/?${new URLSearchParams({ ...link, tree: 't', draw: 'many*2', bins: '20' })}`);
  await expect(ratio).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Bins' })).toHaveValue('20');
  await page.getByText('Use this in uproot').click();
  // Both files are in the program.
  await page.getByRole('tab', { name: 'TTree::Draw' }).click();
  await expect(page.getByText('tree->Draw("many*2>>h1", "", "goff");')).toBeVisible();
  await expect(page.getByText('tree2->Draw("many*2>>h2", "", "goff");')).toBeVisible();
  await row(page, 'counts').click();
  await expect(ratio).toBeVisible();
  await expect(page.locator('.compared-stats')).toContainText('Entries');
  await row(page, 'bins').click();
  await expect(page.getByRole('alert')).toContainText('The bins differ');
  await expect(ratio).toHaveCount(0);
  await row(page, 'plane').click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.locator('.compared-stats')).toContainText('Mean y');
  await row(page, 't').click();
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByText('Layers are not drawn here: choose a branch')).toBeVisible();
});

test('a map lies over another one as boxes or contours, also as ROOT files and links have it', async ({
  page,
}) => {
  const asked = { url: 'sample.root', tree: 'Events', draw: 'Muon_phi:Muon_eta' };
  await page.goto(`/?${new URLSearchParams(asked)}`);
  await expect(statistic(page, 'Entries')).toBeVisible();
  const form = await openForm(page);
  await form.getByLabel('Where').fill('Muon_pt>20');
  await form.getByLabel('Where').press('Enter');
  await expect(page.getByRole('img', { name: /all values and Muon_pt>20/ })).toBeVisible();
  await expect(page.locator('.compared-stats').getByRole('row', { name: /^Entries/ })).toHaveText(
    'Entries5,0121,390',
  );
  await page.getByLabel('How Muon_pt>20 is drawn').selectOption('contours');
  await expect(page).toHaveURL(/as%22%3A%22contours/);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'SVG' }).click();
  const svg = readFileSync(await (await saved).path(), 'utf8');
  for (const text of ['all values', 'Muon_pt&gt;20', '>1,390<']) expect(svg).toContain(text);
  // A histogram of one axis does not lie over it.
  await form.getByLabel('Draw').fill('MET_pt');
  await form.getByLabel('Draw').press('Escape');
  await form.getByRole('button', { name: 'Add layer' }).click();
  await expect(page.getByRole('alert')).toContainText(/axes/);
});

test('data lie over a stack as points, with the ratio to its sum; two maps are divided in their place', async ({
  page,
  rangeServer,
}) => {
  const [zoo, data] = [await rangeServer('page/zoo.root'), await rangeServer('sample.root')];
  const layer = { draw: 'Muon_pt', tree: 'Events', src: data.url, label: 'Data' };
  const query = { url: zoo.url, item: 'stack', layers: JSON.stringify([layer]) };
  await page.goto(`/?${new URLSearchParams(query)}`);
  const layers = page.getByRole('region', { name: 'Layers' });
  await layers.getByLabel('Below').selectOption('ratio');
  await expect(page.getByRole('img', { name: /and Data, with the ratio of Data to stack/ })).toBeVisible();
  await expect(page).toHaveURL(/below=ratio/);
  await expect(page.locator('.plot-legend button').last()).toHaveText('Data');
  const box = await plotArea(page);
  await page.mouse.move(box.x + 10, box.y + 10);
  await page.mouse.move(box.x + 0.125 * box.width, box.y + 0.9 * box.height);
  await expect(page.locator('.readout')).toContainText(/\[20, 30\)/);
  await plotArea(page, 1);

  const over = JSON.stringify([{ item: 'h2_text' }]);
  await page.goto(`/?${new URLSearchParams({ url: zoo.url, item: 'h2_text', layers: over })}`);
  await layers.getByLabel('Instead').selectOption('ratio');
  await expect(page.getByRole('img', { name: /^Plot of Ratio of/ })).toBeVisible();
});
