import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { expect, fixturePath, samplePath, test } from './story';

test('the installed page opens the files that the system opens it with', async ({ site, launchOptions }) => {
  const folder = await mkdtemp(join(tmpdir(), 'xylem-installed-'));
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    ...launchOptions,
    args: [...(launchOptions.args ?? []), '--enable-devtools-pwa-handler', '--headless=new'],
    serviceWorkers: 'allow',
  });
  try {
    const [page] = context.pages();
    if (page === undefined) throw new Error('The browser shows no page.');
    await page.goto(site.url);
    await expect(page.getByRole('button', { name: 'Open file…' }).first()).toBeVisible();
    const session = await context.newCDPSession(page);
    expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
    expect((await session.send('Page.getAppManifest')).errors).toEqual([]);
    const manifestId = (await session.send('Page.getAppId')).appId ?? '';
    await session.send('PWA.install', { manifestId, installUrlOrBundleUrl: site.url });
    const system = await session.send('PWA.getOsAppState', { manifestId });
    expect(system.fileHandlers).toMatchObject([
      { accepts: [{ mediaType: 'application/x-root', fileExtensions: ['.root'] }] },
      { accepts: [{ mediaType: 'application/vnd.xylem.session+json', fileExtensions: ['.xylem.json'] }] },
    ]);

    const other = join(folder, 'other.root');
    await copyFile(fixturePath('leaves.root'), other);
    const opened = context.waitForEvent('page');
    await session.send('PWA.launchFilesInApp', { manifestId, files: [samplePath, other] });
    const app = await opened;
    await expect(app).toHaveTitle('sample.root – xylem');
    await expect(app.getByText('other.root').first()).toBeVisible();
    await app.getByRole('treeitem', { name: /^Events/ }).click();
    await app.getByRole('treeitem', { name: /Dimuon_mass/ }).click();
    await expect(app.getByRole('img', { name: /Plot of Dimuon_mass/ })).toBeVisible();
    // The picture in docs/hosts.md.
    await app.setViewportSize({ width: 1140, height: 760 });
    await app.screenshot({ path: test.info().outputPath('installed.png') });
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('an address that another program shares is opened', async ({ page, rangeServer }) => {
  const { url } = await rangeServer('leaves.root');
  await page.goto(`?title=A+file&text=${encodeURIComponent(url)}`);
  await expect(page).toHaveTitle(/.+ – xylem/);
  await expect(page).toHaveURL(/\?url=/);
});

test('the page for previewers shows a file alone, and answers the page around it', async ({
  page,
  rangeServer,
  site,
}) => {
  const { url } = await rangeServer('leaves.root');
  await page.goto(`preview.html?url=${encodeURIComponent(url)}`);
  await expect(page.getByRole('tree').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open file…' })).toHaveCount(0);

  // In a frame of the same origin it says that it is ready, and opens what it is sent.
  const heard = page.evaluate(
    ([address = '', file = '']) =>
      new Promise<unknown[]>((resolve) => {
        const seen: unknown[] = [];
        const frame = document.body.appendChild(document.createElement('iframe'));
        addEventListener('message', ({ source, data }) => {
          if (source !== frame.contentWindow || data?.xylem !== 1) return;
          seen.push(data.type);
          if (data.type === 'ready')
            frame.contentWindow?.postMessage({ xylem: 1, type: 'open', id: 7, url: file }, origin);
          if (data.type === 'answer') resolve([...seen, data.id, data.result?.rootVersion]);
        });
        frame.src = address;
      }),
    [`${site.url}preview.html`, url],
  );
  expect(await heard).toEqual(expect.arrayContaining(['ready', 'answer', 7]));
  // Axe asks for a main part and a heading, which the page around a frame has.
  await page.goto('./');
  await expect(page.getByRole('button', { name: 'Open file…' }).first()).toBeVisible();
});
