import { readFileSync } from 'node:fs';
import { choose, expect, fixturePath, statistic, test } from '../../story';

const bytes = readFileSync(fixturePath('codec_zlib.root'));

test('forty files are drawn while they arrive: stopped, resumed, saved, and read again', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('codec_lz4.root');
  const names = Array.from({ length: 40 }, (_, i) => `run${i}.root`);
  for (const name of names) server.files.set(`/data/${name}`, bytes);
  // Two files of the list are no ROOT files.
  for (const name of ['run7.root', 'run31.root']) server.files.set(`/data/${name}`, Buffer.from('not this'));
  server.files.set('/data/files.txt', Buffer.from(`# all runs\n${names.join('\n')}\n`));
  const list = server.url.replace('file.root', 'files.txt');
  const count = page.locator('.chain-count');

  await page.goto(`/?${new URLSearchParams({ url: list })}`);
  await expect(page.getByText('40 files; this is run0.root alone.')).toBeVisible();
  await page.locator('.file-row').click();
  await expect(page.getByText('List of 40 files')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter the files of the list' }).fill('run31');
  await expect(page.locator('.listed-files li')).toHaveText([/\/data\/run31\.root$/]);
  await choose(page, 'n');
  await page.getByRole('button', { name: 'Draw n of all files' }).click();
  await expect(count).toHaveText('40 of 40 files, 2 failed; done');
  await expect(statistic(page, 'Entries')).toHaveText('11,400');
  await page.getByText('Partial: 2 of 40 files could not be read').click();
  await expect(page.getByText(/run31\.root.*ROOT/)).toBeVisible();
  await expect(page).toHaveURL(/view=all/);
  const requests = (name: string) => server.requests.filter(({ url }) => url === `/data/${name}`).length;
  for (const name of names.slice(1)) expect(requests(name), name).toBeLessThanOrEqual(2);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the result' }).click();
  const saved = await (await download).path();
  const { kind, inputs, failed } = JSON.parse(readFileSync(saved, 'utf8'));
  expect([kind, inputs.length, failed.length]).toEqual(['draw', 38, 2]);

  // Stopped half way, the result is that of the files so far; going on reads the others only.
  server.faults.latencyMs = 150;
  await page.getByRole('button', { name: 'Draw', exact: true }).click();
  await expect(count).toHaveText(/^\d+ of 40 files/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(count).toHaveText(/^\d+ of 40 files.*; stopped$/);
  server.faults.latencyMs = 0;
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(count).toHaveText('40 of 40 files, 2 failed; done');
  await expect(statistic(page, 'Entries')).toHaveText('11,400');

  // In another visit the saved result is shown, and what failed is read again.
  await page.goto(`/?${new URLSearchParams({ url: list, tree: 't', view: 'all' })}`);
  await page.getByLabel('Open a saved result').setInputFiles(saved);
  await expect(count).toHaveText('40 of 40 files, 2 failed; done');
  await expect(statistic(page, 'Entries')).toHaveText('11,400');
  for (const name of ['run7.root', 'run31.root']) server.files.set(`/data/${name}`, bytes);
  await page.getByRole('button', { name: 'Read failed files again' }).click();
  await expect(count).toHaveText('40 of 40 files; done');
  await expect(statistic(page, 'Entries')).toHaveText('12,000');
});

test('the files of a list are compared: branches that differ, and one that is no ROOT file', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('codec_lz4.root');
  for (const name of ['codec_zlib', 'codec_zstd'])
    server.files.set(`/data/${name}.root`, readFileSync(fixturePath(`${name}.root`)));
  const renamed = readFileSync(fixturePath('codec_none.root'));
  // One branch of another name, of as many letters.
  for (let i = renamed.indexOf('regular'); i >= 0; i = renamed.indexOf('regular', i + 1))
    renamed.write('REGULAR', i);
  server.files.set('/data/renamed.root', renamed);
  server.files.set('/data/other.root', Buffer.from('not this'));
  const names = ['codec_zlib.root', 'codec_zstd.root', 'renamed.root', 'other.root'];
  server.files.set('/data/files.txt', Buffer.from(names.join('\n')));
  const list = server.url.replace('file.root', 'files.txt');

  await page.goto(`/?${new URLSearchParams({ url: list, tree: 't' })}`);
  await page.getByRole('tab', { name: 'Compare files' }).click();
  await expect(page.getByText('these branches are missing: regular')).toBeVisible();
  await expect(page.getByText('/data/other.root').last()).toBeVisible();
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: 'regular', exact: true }) });
  await expect(row.getByRole('cell')).toHaveText(['✓', 'missing']);
  const table = page.getByRole('table').filter({ has: row });
  await expect(table.getByRole('columnheader')).toHaveText(['Branch', '2 files', 'renamed.root']);

  // Damage is found only when every basket is read. A check that was cancelled goes on.
  const damaged = readFileSync(fixturePath('codec_zstd.root'));
  damaged.fill(0x55, 2000, 2100);
  server.files.set('/data/codec_zstd.root', damaged);
  await page.reload();
  await expect(page.getByText('these branches are missing: regular')).toBeVisible();
  const damage = page.locator('.finding.error').filter({ hasText: 'codec_zstd.root' });
  await expect(damage).toHaveCount(0);
  server.faults.latencyMs = 2000;
  await page.getByRole('button', { name: 'Check every basket' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(/cancelled after \d of 4 files/)).toBeVisible();
  await expect(row.getByRole('cell')).toHaveText(['✓', 'missing']);
  server.faults.latencyMs = 0;
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByText('Every basket of the files that could be opened was read.')).toBeVisible();
  await expect(damage).toHaveCount(1);
});
