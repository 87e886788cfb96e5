// A list of thousands of files in the page: npm run bench page-chain -- --help
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';
import { findChromium } from '../scripts/browsers.mjs';
import { runMain, StepError } from '../scripts/run.mjs';
import { serve } from '../scripts/serve.mjs';
import { serveMany } from './serve-many.mjs';
import { settings } from './settings.mjs';

const help = `npm run bench page-chain -- [--file FILE --tree TREE --count N --draw QUERY] [--each] [--json OUT]

Draws a list of files in the page, in headless Chromium, and says what that took: seconds, requests for each file, those of
them that read metadata, and MB of the page's process with its workers. One FILE is served as N files with UUIDs of their own.

  --file FILE      default public/sample.root, with the tree Events
  --count N        default 3000
  --each           print the memory every second`;

/** ms without a request after which a list with all of its files asked for counts as read. */
const QUIET = 4000;
/** ms after which a list without any request counts as stuck. */
const STUCK = 60_000;

/**
 * Chromium with a page and without a tool that listens: with one it keeps what servers answered.
 * @param {string} url
 */
async function openChromium(url) {
  const profile = mkdtempSync(join(tmpdir(), 'xylem-chain-'));
  const flags = [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    '--no-first-run',
  ];
  if (process.getuid?.() === 0) flags.push('--no-sandbox');
  const child = spawn(findChromium() ?? chromium.executablePath(), [...flags, url], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const close = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  for await (const line of createInterface({ input: child.stderr })) {
    const endpoint = /ws:\/\/\S+/.exec(line)?.[0];
    if (endpoint !== undefined) return { group: child.pid ?? 0, endpoint, close };
  }
  close();
  throw new StepError('Chromium does not start.');
}

/**
 * MB of the largest renderer of a group of processes: resident, its share of that (PSS), and what it has alone.
 * @param {number} group
 */
function rendererMemory(group) {
  let most = { rss: 0, pss: 0, own: 0 };
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // The name of the program, in parentheses, may hold anything.
      const [, , of] = readFileSync(`/proc/${id}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (Number(of) !== group || !readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer'))
        continue;
      const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      /** @param {string} name */
      const mb = (name) => Number(new RegExp(`^${name}: *(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1000;
      const now = { rss: mb('Rss'), pss: mb('Pss'), own: mb('Private_Clean') + mb('Private_Dirty') };
      if (now.rss > most.rss) most = now;
    } catch {
      // The process ended meanwhile.
    }
  }
  return most;
}

await runMain(async () => {
  const given = settings(help, {
    ...{ file: 'public/sample.root', tree: 'Events', count: '3000', json: undefined, each: false },
    draw: 'expr=Dimuon_mass&bins=100&low=0&high=200',
  });
  const count = Number(given.count);
  const files = await serveMany(given.file, given.tree, count);
  const site = await serve({ port: 0 });
  const query = new URLSearchParams({ url: files.url, tree: given.tree, view: 'all', show: given.draw });
  const began = performance.now();
  const browser = await openChromium(`${site.url}?${query}`);
  try {
    const most = { rss: 0, pss: 0, own: 0 };
    let now = most;
    for (;;) {
      await new Promise((settle) => setTimeout(settle, 500));
      now = rendererMemory(browser.group);
      for (const name of /** @type {const} */ (['rss', 'pss', 'own']))
        most[name] = Math.max(most[name], now[name]);
      const seen = files.requests.size;
      if (given.each) process.stderr.write(`${seen} ${JSON.stringify(now)}\n`);
      const quiet = performance.now() - files.state.last;
      if (quiet > (seen > count ? QUIET : STUCK)) break;
    }
    const seconds = (files.state.last - began) / 1000;
    const client = await chromium.connectOverCDP(browser.endpoint);
    const page = client.contexts()[0]?.pages()[0];
    const text = await page?.locator('.chain-count').textContent({ timeout: STUCK });
    await client.close();
    const report = { text, seconds, requestsOfFile: files.figures(), most, end: now };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    if (given.json !== undefined) await writeFile(given.json, JSON.stringify(report));
  } finally {
    browser.close();
    site.close();
    files.close();
  }
});
