import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { tableFromIPC } from 'apache-arrow';
import { readGolden } from '../tests/engine/fixtures';
import { type Runs, unpack } from '../tests/query/recorded-pairs';
import { dropFile, expect, fixturePath, parseShown, row, statistic, test } from './story';

/** A histogram that TTree::Draw of ROOT filled: see tests/query/conformance.py. */
interface Drawn {
  file: string;
  expr: string;
  cut: string;
  axes: [bins: number, low: number, high: number][];
  fills: number;
  cells: Runs;
}

const drawn = JSON.parse(
  readFileSync(join(import.meta.dirname, '../tests/query/recorded/base.json'), 'utf8'),
) as Drawn[];

function byRoot(expr: string, cut: string): Drawn {
  const found = drawn.find(
    (one) => one.file === 'public/sample.root' && one.expr === expr && one.cut === cut,
  );
  if (found === undefined) throw new Error(`ROOT drew no ${expr} {${cut}}`);
  return found;
}

const field = (page: Page, name: 'Draw' | 'Where'): Locator =>
  page.getByRole('combobox', { name, exact: true });

test('a query with a mistake, repaired by the suggestion; completion and history', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=Events`);
  await page.getByRole('tab', { name: 'Draw', exact: true }).click();
  await field(page, 'Draw').fill('Muon_ptt');
  await field(page, 'Where').fill('nMuon == 2');
  await page.keyboard.press('Enter');
  const mistake = page.getByRole('alert');
  await expect(mistake.locator('mark')).toHaveText('Muon_ptt');
  await expect(mistake).toContainText('There is no branch "Muon_ptt"');
  await expect(field(page, 'Draw')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, 'Where')).toHaveAttribute('aria-invalid', 'false');
  await mistake.getByRole('button', { name: 'Muon_pt', exact: true }).click();
  await expect(mistake).toHaveCount(0);
  await expect(field(page, 'Draw')).toHaveValue('Muon_pt');
  await expect(page).toHaveURL(/draw=Muon_pt&cut=nMuon\+%3D%3D\+2/);
  await expect(statistic(page, 'Entries')).toHaveText(/\d/);

  // Bins are chosen as those of a branch are; a later mistake leaves the plot, fainter.
  await page.getByRole('textbox', { name: 'Bins' }).fill('30');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/bins=30/);
  await field(page, 'Where').fill('nMuon == 2 and');
  await page.keyboard.press('Enter');
  await expect(mistake).toBeVisible();
  await expect(page.locator('.plot.stale canvas')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Bins' })).toHaveValue('30');
  await field(page, 'Where').fill('nMuon == 2');
  await page.keyboard.press('Enter');
  await expect(page.locator('.plot.stale')).toHaveCount(0);

  // Names are completed while they are written.
  await field(page, 'Draw').fill('');
  await field(page, 'Draw').pressSequentially('sqrt(dimu');
  const list = page.getByRole('listbox', { name: 'Names that fit' });
  await expect(list.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field(page, 'Draw')).toHaveValue('sqrt(Dimuon_mass');
  await page.keyboard.press('Enter');
  await expect(mistake.locator('mark')).toHaveText('(');

  // Earlier queries are offered again, also in a later visit.
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=Events&view=draw`);
  await field(page, 'Draw').focus();
  await page.keyboard.press('ArrowUp');
  await expect(field(page, 'Draw')).toHaveValue('sqrt(Dimuon_mass');
  await page.keyboard.press('ArrowUp');
  await expect(field(page, 'Draw')).toHaveValue('Muon_pt');
  await expect(field(page, 'Where')).toHaveValue('nMuon == 2');
});

test('a link draws expressions with a cut, as ROOT fills them', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  const root = byRoot('Dimuon_mass', 'nMuon==2 && Muon_charge[0]!=Muon_charge[1]');
  const [[bins, low, high] = [0, 0, 0]] = root.axes;
  const link = {
    url: server.url,
    tree: 'Events',
    draw: `${root.expr}>>h(${bins},${low},${high})`,
    cut: root.cut,
  };
  await page.goto(`/?${new URLSearchParams(link)}`);
  await expect(statistic(page, 'Entries')).toBeVisible();
  expect(parseShown((await statistic(page, 'Entries').textContent()) ?? '')).toBe(root.fills);
  await page.getByText('Bins in numbers').click();
  const shown = await page
    .locator('.bins tbody tr')
    .evaluateAll((rows) => rows.map((line) => line.children[2]?.textContent ?? ''));
  const want = [...unpack(root.cells, bins + 2).subarray(1, bins + 1)];
  expect(shown.map(parseShown)).toEqual(want);
  // The state in the address is the same link.
  const state = new URL(page.url()).searchParams;
  expect([state.get('draw'), state.get('cut'), state.get('view')]).toEqual([link.draw, link.cut, null]);
  // A branch alone is drawn as a branch.
  await page.goto(`/?${new URLSearchParams({ ...link, draw: 'Muon_pt', cut: '' })}`);
  await expect(page.getByRole('heading', { name: 'Muon_pt', exact: true })).toBeVisible();
});

test('two dimensions are a map of colours, a profile has points, strings are counted', async ({ page }) => {
  await page.goto('/');
  await dropFile(page, fixturePath('../../../public/sample.root'));
  await row(page, 'Events').click();
  await page.getByRole('tab', { name: 'Draw', exact: true }).click();
  const root = byRoot('MET_pt:MET_phi', 'Dimuon_mass>60&&Dimuon_mass<120');
  await field(page, 'Draw').fill(root.expr);
  await field(page, 'Where').fill(root.cut);
  await page.keyboard.press('Enter');
  await expect(page.locator('.plot-host[data-kind=map]')).toBeVisible();
  expect(parseShown((await statistic(page, 'Entries').textContent()) ?? '')).toBe(root.fills);
  await expect(page.getByLabel('Log colours')).toBeVisible();

  await page.getByLabel('Profile: mean of y').check();
  await page.getByRole('button', { name: 'Draw', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByLabel('Log x')).toBeVisible();
  await page.getByText('Bins in numbers').click();
  await expect(page.getByRole('columnheader', { name: /^Mean of / })).toBeVisible();

  await field(page, 'Draw').fill('trigger');
  await field(page, 'Where').fill('nMuon>2');
  await page.keyboard.press('Enter');
  await expect(page.locator('.frequencies tbody tr').first()).toBeVisible();
});

test('what a draw will read is said before, and is what it reads', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/long.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=t&view=draw`);
  await field(page, 'Draw').fill('x');
  await field(page, 'Where').fill('y > 2');
  const cost = page.locator('.cost');
  await expect(cost).toHaveText(/^Reads .* kB, \d+ requests?, about /);
  const [, kilobytes, requests] =
    /^Reads ([\d.]+) kB, (\d+) request/.exec((await cost.textContent()) ?? '') ?? [];
  server.requests.length = 0;
  await page.keyboard.press('Enter');
  await expect(statistic(page, 'Entries')).toBeVisible();
  await expect(cost).toHaveText('All of it was read before');
  const bytes = server.requests.map(({ range = '' }) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    return Number(to) - Number(from) + 1;
  });
  expect(bytes).toHaveLength(Number(requests));
  const sum = bytes.reduce((all, one) => all + one, 0);
  expect(Math.abs(sum / 1000 - Number(kilobytes))).toBeLessThan(1);
});

/** A number of a golden file. */
function numberOf(value: unknown): number {
  if (value === 'inf' || value === '-inf') return value === 'inf' ? Infinity : -Infinity;
  return Number(value);
}

/** Chooses a format in the table's menu, and gives what is downloaded. */
async function exported(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('combobox', { name: 'Format' }).selectOption(format);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Write file' }).click();
  const download = await downloading;
  await expect(page.getByRole('status').getByText('150 entries')).toBeVisible();
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('the columns of a table are written to files that others read', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root');
  const show = 'columns=leaf_I,leaf_D';
  await page.goto(`/?${new URLSearchParams({ url: server.url, tree: 't', view: 'table', show })}`);
  await page.getByText('Export', { exact: true }).click();
  await expect(page.getByText('2 branches of 150 entries')).toBeVisible();
  const golden = readGolden('leaves').trees.t?.branches;
  const numbers = (name: string) => golden?.[name]?.values?.map((value) => numberOf(value)) ?? [];
  const ints = numbers('leaf_I');

  const csv = await exported(page, 'CSV');
  expect(csv.name).toBe('t.csv');
  const [head, ...lines] = csv.bytes.toString('utf8').trim().split(/\r?\n/);
  expect(head).toBe('leaf_I,leaf_D');
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(ints);
  expect(lines).toHaveLength(150);

  const arrow = await exported(page, 'Arrow');
  expect(arrow.name).toBe('t.arrow');
  const table = tableFromIPC(arrow.bytes);
  expect(table.schema.fields.map(({ name }) => name)).toEqual(['leaf_I', 'leaf_D']);
  expect([...(table.getChild('leaf_I') ?? [])]).toEqual(ints);
  expect([...(table.getChild('leaf_D') ?? [])].map(Number)).toEqual(numbers('leaf_D'));

  const lined = await exported(page, 'JSON Lines');
  expect(JSON.parse(lined.bytes.toString('utf8').split('\n')[149] ?? '')).toHaveProperty('leaf_I', ints[149]);
  const parquet = await exported(page, 'Parquet');
  expect(parquet.bytes.subarray(0, 4).toString()).toBe('PAR1');
  const npz = await exported(page, 'NPZ');
  expect(npz.bytes.subarray(0, 2).toString()).toBe('PK');
});

test('writing a file can be cancelled', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/long.root');
  await page.goto(`/?${new URLSearchParams({ url: server.url, tree: 't', view: 'table' })}`);
  await expect(page.getByRole('gridcell').first()).toHaveText(/\d/);
  server.faults.stall = true;
  await page.getByText('Export', { exact: true }).click();
  await page.getByRole('button', { name: 'Write file' }).click();
  await page.locator('.export').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Cancelled: nothing was written.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Write file' })).toBeEnabled();
});

test('what was drawn is written entry by entry', async ({ page, rangeServer }) => {
  const server = await rangeServer('leaves.root');
  const query = { draw: 'leaf_I*2:leaf_I>>h(10,0,1)', cut: 'leaf_I>0' };
  await page.goto(`/?${new URLSearchParams({ url: server.url, tree: 't', ...query })}`);
  await page.getByText('Export', { exact: true }).click();
  await expect(page.getByText('leaf_I*2:leaf_I {leaf_I>0}, a column for each expression')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Write file' }).click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  const [head, ...lines] = text.trim().split(/\r?\n/);
  expect(head).toBe('leaf_I*2,leaf_I');
  const passing = (readGolden('leaves').trees.t?.branches.leaf_I?.values ?? []).map((value) =>
    numberOf(value),
  );
  const wanted = passing.filter((value) => value > 0);
  expect(lines).toEqual(wanted.map((value) => `${2 * value},${value}`));
});
