import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import {
  dropFile,
  dropFiles,
  expect,
  fixturePath,
  openFile,
  plotArea,
  row,
  samplePath,
  statistic,
  test,
} from '../../story';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Session' });

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Session', exact: true }).click();
  await expect(dialogOf(page)).toBeVisible();
}

/** Saves the session of a page; its text. */
async function savedSession(page: Page): Promise<{ name: string; text: string }> {
  const downloading = page.waitForEvent('download');
  await dialogOf(page).getByRole('button', { name: 'Save session' }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

test('files, their views, kept views and notes are saved, and opened again by a drop and by an address', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  const other = await rangeServer('leaves.root');
  const shown = { tree: 'Events', draw: 'Dimuon_mass', log: 'y', notes: '91,50: Z^{0}' };
  const also = other.url;
  await page.goto(`?${new URLSearchParams({ url: server.url, ...shown, also })}`);
  await plotArea(page);
  await openDialog(page);
  const dialog = dialogOf(page);
  await dialog.getByRole('textbox', { name: 'Title', exact: true }).fill('Two muons: a "test"');
  await dialog.getByRole('button', { name: 'Keep this view' }).click();
  await dialog.getByRole('textbox', { name: 'Title of view 1' }).fill('the peak');
  await dialog.getByRole('textbox', { name: 'Note on the peak' }).fill('91 GeV, as it should be');
  await page.keyboard.press('Escape');
  await row(page, 'MET_pt').click();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');

  // A reload of the tab keeps the views.
  await page.reload();
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  await openDialog(page);
  await expect(dialog.getByRole('textbox', { name: 'Note on the peak' })).toHaveValue(
    '91 GeV, as it should be',
  );
  const { name, text } = await savedSession(page);
  expect(name).toBe('Two_muons_a_test_.xylem.json');
  const session = JSON.parse(text);
  expect(session).toMatchObject({
    ...{ xylem: 'session', version: 1, title: 'Two muons: a "test"', shown: 0 },
    files: [{ url: server.url, state: '?tree=Events&draw=MET_pt' }, { url: other.url }],
    views: [{ file: 0, title: 'the peak', note: '91 GeV, as it should be' }],
  });
  expect(text.length).toBeLessThan(1500);

  const folder = await mkdtemp(join(tmpdir(), 'xylem-session-'));
  try {
    const path = join(folder, name);
    await writeFile(path, text);
    // In a new tab, which knows nothing.
    const tab = await page.context().newPage();
    await tab.goto('./');
    await expect(tab.getByRole('button', { name: 'Session', exact: true })).toBeVisible();
    await dropFile(tab, path);
    await expect(statistic(tab, 'Entries')).toHaveText('2,400');
    await expect(tab.getByRole('heading', { name: 'MET_pt', exact: true })).toBeVisible();
    await expect(tab.getByRole('navigation', { name: 'Open files' }).getByRole('listitem')).toHaveCount(2);
    await openDialog(tab);
    await dialogOf(tab).getByRole('button', { name: 'Show the peak' }).click();
    await expect(tab.getByRole('heading', { name: 'Dimuon_mass', exact: true })).toBeVisible();
    await expect(tab.getByRole('button', { name: 'Note: Z⁰' })).toBeVisible();
    await expect(tab.getByRole('checkbox', { name: 'Log y' })).toBeChecked();

    // A view of the file that was not read yet.
    await openDialog(tab);
    await dialogOf(tab).getByRole('button', { name: 'Close' }).click();
    await tab.getByRole('button', { name: 'file.root', exact: true }).last().click();
    await expect(row(tab, 't')).toBeVisible();
    await tab.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a link has the session, and an address names one', async ({ page, rangeServer, context }) => {
  const server = await rangeServer('sample.root');
  await page.goto(`?${new URLSearchParams({ url: server.url, tree: 'Events', draw: 'nMuon' })}`);
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  await openDialog(page);
  await dialogOf(page).getByRole('button', { name: 'Keep this view' }).click();
  await page.evaluate(() => {
    const clipboard = { writeText: async (text: string) => void Object.assign(window, { copied: text }) };
    Object.defineProperty(navigator, 'clipboard', { value: clipboard });
  });
  await dialogOf(page).getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => Reflect.get(window, 'copied') as string);
  expect(link).toMatch(/#session=[\w-]+$/);
  expect(link.length).toBeLessThan(800);

  const tab = await context.newPage();
  await tab.goto(link);
  await expect(tab.getByRole('heading', { name: 'nMuon', exact: true })).toBeVisible();
  await expect(tab).toHaveURL(/\?url=/);
  expect(tab.url()).not.toContain('session');
  await openDialog(tab);
  await expect(dialogOf(tab).getByRole('button', { name: 'Show nMuon' })).toBeVisible();
  await tab.keyboard.press('Escape');
  // A link that is pasted into the same tab.
  await row(tab, 'MET_pt').click();
  await expect(statistic(tab, 'Entries')).toHaveText('2,400');
  await tab.evaluate((address) => {
    location.hash = new URL(address).hash;
  }, link);
  await expect(tab.getByRole('heading', { name: 'nMuon', exact: true })).toBeVisible();
  // A damaged one says so.
  await tab.goto('about:blank');
  await tab.goto(`${link.slice(0, -9)}`);
  await expect(tab.getByRole('alert').first()).toContainText('The link to the session is damaged');
  await tab.close();

  const text = JSON.stringify({
    ...{ xylem: 'session', version: 1, shown: 0 },
    files: [{ url: 'file.root', state: '?tree=Events&draw=nMuon' }],
  });
  await page
    .context()
    .route('**/my.xylem.json*', (route) =>
      route.fulfill({ body: text, headers: { 'Access-Control-Allow-Origin': '*' } }),
    );
  const named = new URL('my.xylem.json', server.url).href;
  for (const address of [`?session=${encodeURIComponent(named)}`, './']) {
    const other = await context.newPage();
    await other.goto(address);
    if (address === './') {
      await other.getByRole('textbox', { name: 'Address of a ROOT file' }).fill(named);
      await other.keyboard.press('Enter');
    }
    await expect(other.getByRole('heading', { name: 'nMuon', exact: true })).toBeVisible();
    await other.close();
  }
});

test('files of this machine are asked for, and another file of the same name is noticed', async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'xylem-session-'));
  try {
    // The server of the page has the sample, too, and would give it.
    const mine = join(folder, 'mine.root');
    await copyFile(samplePath, mine);
    await openFile(page, mine);
    await row(page, 'Events').click();
    await row(page, 'nMuon').click();
    await expect(statistic(page, 'Entries')).toHaveText('2,400');
    await openDialog(page);
    const { text } = await savedSession(page);
    expect(JSON.parse(text).files).toEqual([
      {
        ...{ name: 'mine.root', size: (await readFile(samplePath)).length },
        ...{ uuid: expect.stringMatching(/^[\da-f-]{36}$/), state: '?tree=Events&draw=nMuon' },
      },
    ]);
    const path = join(folder, 'mine.xylem.json');
    await writeFile(path, text);

    await page.goto('about:blank');
    await page.goto('./');
    await expect(page.getByRole('button', { name: 'Session', exact: true })).toBeVisible();
    await dropFile(page, path);
    const needed = dialogOf(page).getByRole('region', { name: 'Files that are needed' });
    await expect(needed.getByText('mine.root', { exact: true })).toBeVisible();
    await dropFile(page, mine);
    await expect(page.getByRole('heading', { name: 'nMuon', exact: true })).toBeVisible();
    await expect(dialogOf(page)).toHaveCount(0);

    // The session and its file at once; then another file of that name.
    await page.goto('about:blank');
    await page.goto('./');
    await expect(page.getByRole('button', { name: 'Session', exact: true })).toBeVisible();
    await dropFiles(page, [path, mine]);
    await expect(page.getByRole('heading', { name: 'nMuon', exact: true })).toBeVisible();

    await copyFile(fixturePath('leaves.root'), mine);
    await page.goto('about:blank');
    await page.goto('./');
    await expect(page.getByRole('button', { name: 'Session', exact: true })).toBeVisible();
    await dropFile(page, path);
    await expect(needed).toBeVisible();
    await dropFile(page, mine);
    await expect(
      page.getByText(/mine\.root is not the file that the session was saved with: it has/),
    ).toBeVisible();
    await expect(page.getByText(/asks for "Events", which is not in this file/)).toBeVisible();
    await page.keyboard.press('Escape');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('secrets of addresses are not written, and a hostile session opens nothing', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  const signed = `${server.url}?X-Amz-Expires=60&X-Amz-Signature=SECRET1`;
  await page.goto(`/#?${new URLSearchParams({ url: signed, tree: 'Events', draw: 'nMuon' })}`);
  await expect(statistic(page, 'Entries')).toHaveText('2,400');
  await openDialog(page);
  await dialogOf(page).getByRole('button', { name: 'Keep this view' }).click();
  await expect(dialogOf(page).getByText('kept without its token or signature').first()).toBeVisible();
  const { text } = await savedSession(page);
  expect(text).toContain(server.url);
  expect(text).not.toContain('SECRET');
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
    'SECRET',
  );
  await page.keyboard.press('Escape');

  const folder = await mkdtemp(join(tmpdir(), 'xylem-session-'));
  try {
    const path = join(folder, 'bad.xylem.json');
    const files = [{ url: 'javascript:alert(1)' }];
    for (const [content, message] of [
      [JSON.stringify({ xylem: 'session', version: 1, files }), 'has to be an http(s) or root:// address'],
      [JSON.stringify({ xylem: 'session', version: 9, files: [] }), 'has version 9'],
      ['<script>alert(1)</script>', 'It is not JSON'],
    ] as const) {
      await writeFile(path, content);
      await dropFile(page, path);
      await expect(page.getByRole('alert').first()).toContainText(message);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a session of many files asks first, and one that is opened says what it is', async ({
  page,
  rangeServer,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'xylem-session-'));
  const { url, requests } = await rangeServer('sample.root');
  try {
    const path = join(folder, 'many.xylem.json');
    const save = (files: object[], more = {}) =>
      writeFile(path, JSON.stringify({ xylem: 'session', version: 1, files, ...more }));
    await save(Array.from({ length: 300 }, (_, i) => ({ url: `${url}?${i}` })));
    await page.goto('./');
    await expect(page.getByRole('button', { name: 'Session', exact: true })).toBeVisible();
    await dropFile(page, path);
    const question = page.getByRole('dialog', { name: 'Open 300 files?' });
    await expect(question.getByText(new URL(url).host)).toBeVisible();
    await question.getByRole('button', { name: 'Do not open' }).click();
    await expect(question).toHaveCount(0);
    expect(requests).toHaveLength(0);
    await dropFile(page, path);
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    expect(requests).toHaveLength(0);
    await dropFile(page, path);
    await question.getByRole('button', { name: 'Open 300 files' }).click();
    await expect.poll(() => requests.length).toBeGreaterThan(0);

    await page.goto('about:blank');
    await page.goto('./');
    await save([{ url: new URL('sample.root', page.url()).href, state: '?tree=Events&draw=nMuon' }], {
      title: 'Two muons',
      views: [{ file: 0, state: '?tree=Events&draw=MET_pt', title: 'missing' }],
    });
    await expect(page.getByRole('button', { name: 'Session', exact: true })).toBeVisible();
    await dropFile(page, path);
    await expect(page.getByText('Two muons: 1 file opened')).toBeVisible();
    await page.getByRole('button', { name: '1 kept view' }).click();
    await expect(dialogOf(page).getByRole('button', { name: 'Show missing' })).toBeVisible();
    await page.keyboard.press('Escape');
    await save([]);
    await dropFile(page, path);
    await expect(dialogOf(page).getByText('The session opens no file.')).toBeVisible();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
