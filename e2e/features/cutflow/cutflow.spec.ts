import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, faultsOf, samplePath, test } from '../../story';

const xylem = resolve(import.meta.dirname, '../../../dist/cli/xylem.js');

/** The link of a cutflow. */
const link = (...cuts: string[]): string => {
  const show = new URLSearchParams(cuts.map((cut) => ['cut', cut]));
  return `/?${new URLSearchParams({ url: 'sample.root', tree: 'Events', view: 'cutflow', show: String(show) })}`;
};

/** The entries that the command counts after each cut. */
function counted(...cuts: string[]): string[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [xylem, 'cutflow', samplePath, 'Events', ...cuts, '--json'],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  const { samples } = JSON.parse(stdout) as { samples: { steps: { left: { entries: number } }[] }[] };
  return (samples[0]?.steps ?? []).map(({ left }) => left.entries.toLocaleString('en-US'));
}

test('cuts are counted as by the command, with a plot of each variable', async ({ page }) => {
  await page.goto(link('nMuon==2'));
  const rows = page.getByRole('table').first().getByRole('row');
  await expect(rows).toHaveCount(3);

  // A further cut is typed into the empty field, by the keyboard alone.
  await page.getByRole('combobox', { name: 'Cut 2' }).focus();
  await page.keyboard.type('Muon_pt[0]>25');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(4);
  const cuts = ['nMuon==2', 'Muon_pt[0]>25'];
  for (const [i, entries] of counted(...cuts).entries()) await expect(rows.nth(i + 2)).toContainText(entries);
  await expect(page.getByRole('img', { name: /^Plot of Muon_pt\[0\]>25: all other cuts/ })).toBeVisible();
  expect(new URL(page.url()).searchParams.get('show')).toBe('cut=nMuon%3D%3D2&cut=Muon_pt%5B0%5D%3E25');

  // The order, and removing.
  await page.getByRole('button', { name: 'Move cut 2 up' }).click();
  await expect(rows.nth(2)).toContainText('Muon_pt[0]>25');
  for (const [i, entries] of counted('Muon_pt[0]>25', 'nMuon==2').entries())
    await expect(rows.nth(i + 2)).toContainText(entries);
  await page.getByRole('button', { name: 'Remove cut 1' }).click();
  await expect(rows).toHaveCount(3);
});

test('programs of other tools, mistakes, and a page for everybody', async ({ page }) => {
  await page.goto(link('nMuon==2', 'Jet_pt>30', 'Jet_pt-Muon_pt>0'));
  await page.getByText('Use this in RDataFrame, coffea, …').click();
  const program = page.getByRole('region', { name: 'Program for RDataFrame' });
  await expect(program).toContainText('.Filter("pass1", "nMuon==2");');
  await page.getByRole('tab', { name: 'coffea' }).click();
  await expect(page.getByRole('region', { name: 'Program for coffea' })).toContainText('PackedSelection()');
  await page.getByRole('tab', { name: 'TTree::Draw' }).click();
  await expect(page.getByText(/There is no program for TTree::Draw.*different lengths/)).toBeVisible();
  await expect(page.getByText('No plot of "Jet_pt-Muon_pt>0"')).toHaveCount(0);
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole('combobox', { name: 'Cut 1' }).fill('nMuonn==2');
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await expect(page.getByText('Did you mean "nMuon"?')).toBeVisible();
});
