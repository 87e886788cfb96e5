import type { Locator, Page } from '@playwright/test';
import { expect, openByAddress, plotArea, test } from '../../story';

/** The fit in the address of the page. */
function fitOf(page: Page): string {
  const { search, hash } = new URL(page.url());
  return new URLSearchParams(hash.startsWith('#?') ? hash.slice(1) : search).get('fit') ?? '';
}

/** Drags a handle sideways by a part of the width of the plot. */
async function drag(page: Page, handle: Locator, part: number): Promise<void> {
  const [box, plot] = [await handle.boundingBox(), await page.locator('.plot-host').first().boundingBox()];
  if (!box || !plot) throw new Error('The handle is not there.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (part * plot.width) / 2, y, { steps: 4 });
  await page.mouse.move(x + part * plot.width, y, { steps: 4 });
  await page.mouse.up();
}

test('a Z peak is fitted: function, range by dragging, options and link', async ({ page }) => {
  await page.goto('?url=sample.root&tree=Events&draw=Dimuon_mass&range=70,110&bins=40');
  await plotArea(page);
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Fit', exact: true });
  // The values are those of TH1::Fit.
  await expect(panel).toContainText('36.7698 / 31');
  await expect(panel.getByRole('row', { name: /^Mean.*±/ })).toContainText('90.813 ± 0.107');
  expect(fitOf(page)).toBe('gaus');

  // The function is a layer of the plot, with the pulls below, and the range has its ends on it.
  const plot = page.getByRole('img', { name: /^Plot of / }).first();
  await expect(page.getByRole('button', { name: 'gaus', exact: true })).toBeVisible();
  const upper = page.getByRole('slider', { name: 'Range of the fit: upper end' });
  const lower = page.getByRole('slider', { name: 'Range of the fit: lower end' });
  await drag(page, upper, -0.3);
  await expect.poll(() => fitOf(page)).toMatch(/^gaus; range=70:9\d\.?\d*$/);
  await drag(page, lower, 0.2);
  await expect.poll(() => fitOf(page)).toMatch(/^gaus; range=7\d\.?\d*:9\d\.?\d*$/);
  await expect(panel).not.toContainText('36.7698 / 31');
  await expect(panel).toContainText('chi-square');
  // Keys move an end by a bin, and a double click takes all of it.
  const before = Number(await lower.getAttribute('aria-valuenow'));
  await lower.press('ArrowRight');
  await expect(lower).toHaveAttribute('aria-valuenow', String(Number((before + 1).toFixed(2))));
  await lower.dblclick();
  await expect.poll(() => fitOf(page)).toBe('gaus');
  await expect(panel).toContainText('36.7698 / 31');
  await expect(plot).toBeVisible();

  await panel.getByLabel('Method').selectOption('Likelihood');
  await expect(panel).toContainText('likelihood of counts');
  await panel.getByLabel('MINOS').check();
  await expect(panel.getByRole('columnheader', { name: 'MINOS' })).toBeVisible();
  const field = panel.getByRole('combobox', { name: 'Function' });
  await field.fill('gauss');
  await field.press('Enter');
  await expect(panel.getByRole('alert')).toContainText('Did you mean "gaus"');
  await field.fill('gaus(0)+pol0(3)');
  await field.press('Enter');
  await panel.getByLabel('Start values').fill('0=90,1=91,2=2.5,3=1');
  await panel.getByLabel('Start values').press('Enter');
  await expect(panel.getByRole('row', { name: /^p3.*±/ })).toBeVisible();

  // The same fit as programs.
  await page.getByText('This fit in ROOT, iminuit').click();
  await expect(page.locator('.snippets pre').first()).toContainText('Dimuon_mass');
  await page.getByRole('tab', { name: 'iminuit' }).click();
  await expect(page.locator('.snippets pre').first()).toContainText('iminuit');
  // The link has it all.
  await page.goto(page.url());
  await expect(panel.getByRole('row', { name: /^p3.*±/ })).toBeVisible();
  await expect(panel.getByRole('columnheader', { name: 'MINOS' })).toBeVisible();
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(panel).toHaveCount(0);
  expect(fitOf(page)).toBe('');
});

test('values of a branch are fitted without bins, and do not pass through the page', async ({ page }) => {
  // Counts the largest message that arrives in the page.
  await page.addInitScript(() => {
    const sizes = { most: 0 };
    Object.assign(globalThis, { messageSizes: sizes });
    const own = Worker.prototype.addEventListener;
    Worker.prototype.addEventListener = function (this: Worker, ...args: Parameters<typeof own>) {
      if (args[0] === 'message')
        own.call(this, 'message', (event) => {
          const { value } = Object((event as MessageEvent).data) as { value?: object };
          for (const one of Object.values(value ?? {}))
            if (ArrayBuffer.isView(one)) sizes.most = Math.max(sizes.most, one.byteLength);
        });
      own.apply(this, args);
    } as typeof own;
  });
  const fields = new URLSearchParams({
    url: 'sample.root',
    tree: 'Events',
    draw: 'Dimuon_mass',
    cut: 'nMuon==2',
  });
  await page.goto(`?${fields}&range=70,110&bins=40&fit=gausn;range=70:110`);
  await plotArea(page);
  const panel = page.getByRole('region', { name: 'Fit', exact: true });
  await expect(panel.getByRole('row', { name: /^Mean.*±/ })).toBeVisible();
  await panel.getByLabel('Method').selectOption('Unbinned likelihood');
  await expect(panel).toContainText('likelihood of values, 552 values');
  // ROOT: 552.005 +- 23.495, 90.6728 +- 0.1741, 4.0904 +- 0.1231 (tests/fixtures/fits/values.json).
  await expect(panel.getByRole('row', { name: /^Mean.*±/ })).toContainText('90.673 ± 0.174');
  await expect(panel.getByRole('row', { name: /^Sigma.*±/ })).toContainText('4.090 ± 0.123');
  await expect.poll(() => fitOf(page)).toBe('gausn; range=70:110; unbinned=1');
  expect(
    await page.evaluate(
      () => (globalThis as unknown as { messageSizes: { most: number } }).messageSizes.most,
    ),
  ).toBeLessThan(10_000);
  // The range follows the drag, as with bins.
  await drag(page, page.getByRole('slider', { name: 'Range of the fit: upper end' }), -0.3);
  await expect.poll(() => fitOf(page)).toMatch(/^gausn; range=70:9\d\.?\d*; unbinned=1$/);
  await expect(panel).not.toContainText('552 values');
  await page.goto(page.url());
  await expect(panel).toContainText('likelihood of values');
  await page.getByText('This fit in ROOT, iminuit').click();
  await expect(page.locator('.snippets pre').first()).toContainText('ROOT::Fit::UnBinData values');
  // A plot without values says so.
  await page.goto('?url=sample.root&item=plots/upsilon&fit=gaus;unbinned=1');
  await expect(panel.getByRole('alert')).toContainText('no values to fit without bins');
});

test('layers are fitted together, with shared parameters, and the link has it', async ({ page }) => {
  const fields = new URLSearchParams({
    url: 'sample.root',
    tree: 'Events',
    draw: 'Dimuon_mass',
    cut: 'nMuon==2',
  });
  fields.set('layers', JSON.stringify([{}, { cut: 'nMuon==3' }]));
  await page.goto(`?${fields}&range=70,110&bins=40&fit=gaus;options=L`);
  await plotArea(page);
  const panel = page.getByRole('region', { name: 'Fit', exact: true });
  const put = async (label: string, text: string) => {
    const field = panel.getByRole(label === 'Function' ? 'combobox' : 'textbox', {
      name: label,
      exact: true,
    });
    await field.fill(text);
    await field.press('Enter');
  };
  // The plot alone.
  await expect(panel.getByRole('row', { name: /^Mean.*±/ })).toBeVisible();
  await panel.getByLabel('Together with the other layer').check();
  await expect.poll(() => fitOf(page)).toBe('gaus; options=L; shared=Mean,Sigma');
  // The numbers of the command line.
  await expect(panel).toContainText('80 points, of 2 data, which share Mean, Sigma');
  await expect(panel.getByRole('row', { name: /^Mean.*±/ })).toContainText('90.646 ± 0.166');
  await expect(panel.getByRole('row', { name: /^Constant_2.*±/ })).toContainText('5.170 ± 0.726');
  // A function of its own for the other layer.
  await put('Functions of the others', 'pol0');
  await expect(panel.getByRole('alert')).toContainText('Only one function has the parameter "Mean"');
  await put('Function', '[N]*exp(-0.5*((x-[m])/[s])^2)');
  await put('Functions of the others', '[M]*exp(-0.5*((x-[m])/[s])^2)+[B]');
  await put('Shared parameters', 'm,s');
  await put('Start values', 'N=90,m=91,s=2.5,M=9,B=0.1');
  await expect(panel.getByRole('row', { name: /^B.*±/ })).toBeVisible();
  await expect(panel.getByRole('row', { name: /^m.*±/ })).toBeVisible();
  await page.goto(page.url());
  await expect(panel.getByRole('row', { name: /^B.*±/ })).toBeVisible();
  await page.getByText('This fit in ROOT, iminuit').click();
  const program = page.locator('.snippets pre').first();
  await expect(program).toContainText('ROOT::Fit::FillData(points2, data2, f2);');
  await expect(program).toContainText('nMuon==3');
  await panel.getByRole('checkbox', { name: /^Together/ }).uncheck();
  await expect(panel).toContainText('70 to 110');
  await expect(page.getByText('This fit in ROOT, iminuit')).toBeHidden();
  // Without layers there is nothing to fit together.
  await page.goto('?url=sample.root&item=plots/upsilon&fit=gaus;shared=Mean');
  await expect(panel.getByRole('alert')).toContainText('There are no layers to fit together.');
});

test('a mistake in the fit of a link is told', async ({ page }) => {
  await page.goto('?url=sample.root&item=plots/upsilon&fit=nonsense');
  const alert = page.getByRole('region', { name: 'Fit', exact: true }).getByRole('alert');
  await expect(alert).toContainText('nonsense');
  await page.goto('?url=sample.root&item=plots/upsilon&fit=gaus;rnage=1:2');
  await expect(alert).toContainText('"rnage=1:2" is not part of a fit');
});

test('a map is fitted: lines of equal height, ranges on both axes, and pulls instead', async ({ page }) => {
  await page.goto('?url=sample.root&item=plots/muonEtaPhi&fit=xygaus');
  const panel = page.getByRole('region', { name: 'Fit', exact: true });
  await expect(panel.getByRole('row', { name: /^MeanX.*±/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'xygaus', exact: true })).toBeVisible();
  await drag(page, page.getByRole('slider', { name: 'Range of the fit along x: upper end' }), -0.2);
  await expect.poll(() => fitOf(page)).toMatch(/^xygaus; range=-?[\d.]+:-?[\d.]+,-?[\d.]+:-?[\d.]+$/);
  await panel.getByLabel('Instead').selectOption('Pulls');
  await expect.poll(() => fitOf(page)).toContain('below=pulls');
  await expect(page.getByRole('button', { name: 'xygaus', exact: true })).toHaveCount(0);
});

test('a fit that takes long does not block the page, and is cancelled at once', async ({ page }) => {
  const slow = Array.from({ length: 12 }, (_, i) => `[a${i}]*sin(exp(sin([b${i}]*x))*x)`).join('+');
  const fields = new URLSearchParams({
    url: 'sample.root',
    tree: 'Events',
    draw: 'Dimuon_mass',
    bins: '20000',
  });
  await page.goto(`?${fields}`);
  await plotArea(page);
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Fit', exact: true });
  await expect(panel.getByRole('row', { name: /^Mean.*±/ })).toBeVisible();
  const field = panel.getByRole('combobox', { name: 'Function' });
  await panel.getByLabel('Method').selectOption('Likelihood');
  await field.fill(slow);
  await field.press('Enter');
  const cancel = panel.getByRole('button', { name: 'Cancel the fit' });
  await expect(cancel).toBeVisible();
  const busy = page.workers();
  await cancel.click();
  await expect(panel.getByRole('alert')).toContainText('cancelled');
  // Its worker has ended, and another one makes the next fit.
  await expect.poll(() => busy.some((one) => !page.workers().includes(one))).toBe(true);
  await field.fill('pol0');
  await field.press('Enter');
  await expect(panel.getByRole('row', { name: /^p0.*±/ })).toBeVisible();
});

test('the fit of a linked plot follows the selection', async ({ page }) => {
  await page.addInitScript(() => {
    const times: number[] = [];
    Object.assign(globalThis, { fitTimes: times });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'linked fit') times.push(duration);
    }).observe({ entryTypes: ['measure'] });
  });
  const show = new URLSearchParams(['Dimuon_mass', 'MET_pt'].map((plot) => ['plot', plot]));
  // The range of the fit is what is selected on its own plot.
  show.append('chip', ':Dimuon_mass>=80 && Dimuon_mass<100');
  await page.goto(
    `/?${new URLSearchParams({ url: 'sample.root', tree: 'Events', view: 'board', show: String(show) })}`,
  );
  const fit = page.getByRole('combobox', { name: /^Fit of Dimuon_mass/ });
  await fit.selectOption('gaus');
  const line = page.locator('.linked-fit').filter({ has: fit });
  await expect(line).toContainText(/Mean 90\.\d+ ± 0\.\d+/);
  // The line is over the histogram, which stays.
  const drawn = page.getByRole('application', { name: /^Dimuon_mass/ });
  expect((await drawn.boundingBox())?.height).toBeGreaterThan(150);
  const before = await line.textContent();
  const stage = page.getByRole('application', { name: /^MET_pt/ });
  await stage.scrollIntoViewIfNeeded();
  const box = await stage.boundingBox();
  if (!box) throw new Error('no plot');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.2, y);
  await page.mouse.down();
  for (let i = 1; i <= 20; i++) await page.mouse.move(box.x + box.width * (0.2 + 0.015 * i), y);
  await page.mouse.up();
  await expect(line).not.toHaveText(before ?? '');
  await expect(line).toContainText(/Mean 9\d\.\d+ ± /);
  const times = await page.evaluate(() => (globalThis as unknown as { fitTimes: number[] }).fitTimes);
  expect(times.length).toBeGreaterThan(3);
  const median = times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
  test.info().annotations.push({
    type: 'ms of a fit of 100 bins',
    description: `${median.toFixed(1)} of ${times.length}`,
  });
  // The link has the function.
  await page.goto(page.url());
  await expect(fit).toHaveValue('gaus');
  await expect(line).toContainText(/Mean 9\d\.\d+ ± /);
  await fit.selectOption('No fit');
  await page.goto(page.url());
  await expect(fit).toHaveValue('');
});

test('the walkthrough of the document: from a remote file to a Z peak with its background', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await openByAddress(page, server.url, 'Events');
  await page.getByRole('tab', { name: 'Draw', exact: true }).click();
  const draw = page.getByRole('combobox', { name: 'Draw', exact: true });
  await draw.fill('InvMass(Muon_pt[0],Muon_eta[0],Muon_phi[0],Muon_pt[1],Muon_eta[1],Muon_phi[1])');
  await draw.press('Escape');
  const cut = page.getByRole('combobox', { name: 'Where', exact: true });
  await cut.fill('nMuon==2 && Muon_charge[0]!=Muon_charge[1]');
  await cut.press('Escape');
  await cut.press('Enter');
  await plotArea(page);
  for (const [label, value] of [
    ['Bins', '60'],
    ['From', '60'],
    ['To', '120'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByLabel(label, { exact: true }).press('Enter');
    await expect.poll(() => page.url()).toContain(value);
  }
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Fit', exact: true });
  const mean = async (name: string): Promise<number> => {
    const row = panel.getByRole('row', { name: new RegExp(`^${name}.*±`) });
    await expect(row).toBeVisible();
    return Number(/ (\d+\.\d+) ±/.exec((await row.innerText()).replaceAll(/\s+/g, ' '))?.[1]);
  };
  expect(await mean('Mean')).toBeGreaterThan(89);
  await drag(page, page.getByRole('slider', { name: 'Range of the fit: upper end' }), -0.4);
  await drag(page, page.getByRole('slider', { name: 'Range of the fit: lower end' }), 0.43);
  await expect.poll(() => fitOf(page)).toMatch(/range=8\d/);
  await expect.poll(() => mean('Mean')).toBeGreaterThan(90);
  await panel.getByLabel('Range', { exact: true }).fill('70:110');
  await panel.getByLabel('Range', { exact: true }).press('Enter');
  const field = panel.getByRole('combobox', { name: 'Function' });
  await field.fill('gaus(0)+expo(3)');
  await field.press('Enter');
  await panel.getByLabel('Start values').fill('0=90,1=91,2=2.5,3=5,4=-0.03');
  await panel.getByLabel('Start values').press('Enter');
  // The numbers of the command line, which are those of TH1::Fit.
  await expect(panel).toContainText('8.11163 / 29');
  await expect(panel.getByRole('row', { name: /^p1.*±/ })).toContainText('90.824 ± 0.116');
  const link = page.url();
  await panel.getByLabel('Start values').fill('');
  await panel.getByLabel('Start values').press('Enter');
  await field.fill('voigt');
  await field.press('Enter');
  await expect(panel.getByRole('row', { name: /^Gamma.*±/ })).toBeVisible();
  await page.getByText('This fit in ROOT, iminuit').click();
  await page.getByRole('tab', { name: 'iminuit' }).click();
  await expect(page.locator('.snippets pre').first()).toContainText('Muon_charge');
  await page.goto(link);
  await expect(panel).toContainText('8.11163 / 29');
});
