import { expect, statistic, test } from '../../story';

// "Use this in": programs for other tools, which tests/features/snippets runs.

const draw = { url: 'sample.root', tree: 'Events' };

test('a cut and a weight are in the programs, and a layer and a scale, too', async ({ page }) => {
  await page.goto(
    `/?${new URLSearchParams({ ...draw, draw: 'Muon_pt', cut: 'abs(Muon_eta)<1', bins: '50', range: '0,100' })}`,
  );
  await expect(statistic(page, 'Entries')).toHaveText(/\d/);
  await page.getByText('Use this in').click();
  const program = page.getByRole('region', { name: /^Program for/ });
  await expect(program).toContainText('fill(axes, abs(events["Muon_eta"]) < 1, events["Muon_pt"])');
  await expect(program).toContainText('axes = [(50, 0, 100)]');
  await page.getByRole('tab', { name: 'RDataFrame' }).click();
  await expect(program).toContainText('if (std::abs(Muon_eta[i]) < 1.)');

  const where = page.getByRole('combobox', { name: 'Where', exact: true });
  await where.fill('abs(Muon_eta)<1 ? 2 : 0.5');
  await page.keyboard.press('Enter');
  await expect(program).toContainText('.Define("weight"');

  // A layer from the keyboard; the program has both, and divides by the sum.
  await where.fill('nMuon==2');
  await page.keyboard.press('Enter');
  await expect(program).toContainText('.Filter("nMuon == 2.")');
  await page.goto(
    `/?${new URLSearchParams({ ...draw, draw: 'Muon_pt', layers: JSON.stringify([{}, { cut: 'nMuon>2', label: 'more' }]), norm: 'area', below: 'ratio' })}`,
  );
  await page.getByText('Use this in').click();
  await expect(program).toContainText('layers.append(("more"');
  await expect(program).toContainText('scaled(h, 1 / h.values().sum())');
  await expect(program).toContainText('h.values() / reference.values()');
  await page.getByRole('tab', { name: 'TTree::Draw' }).click();
  await expect(program).toContainText('ratio2->Divide(h1);');
});

test('where there is no program, a sentence says why', async ({ page }) => {
  await page.goto(`/?${new URLSearchParams({ ...draw, draw: 'TMath::Landau(MET_pt)' })}`);
  await page.getByText('Use this in').click();
  await expect(
    page.getByText('There is no program for uproot. numpy has no function TMath::Landau.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy', exact: true })).toHaveCount(0);
  await page.getByRole('tab', { name: 'RDataFrame' }).click();
  await expect(page.getByRole('region', { name: 'Program for RDataFrame' })).toContainText('TMath::Landau');
});
