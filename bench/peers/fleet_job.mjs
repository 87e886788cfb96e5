// Jobs of bench/fleet.mjs with this library or JSROOT: node bench/peers/fleet_job.mjs xylem|jsroot
// Lines on stdin and stdout as for fleet_job.py.
import { createInterface } from 'node:readline';

/** @typedef {{ url: string, tree: string, branches: string[] }} Job */

/** @returns {Promise<(job: Job) => Promise<void>>} */
async function startXylem() {
  /** @type {typeof import('../../web/node')} */
  const { openReader } = await import(new URL('../../dist/node.js', import.meta.url).href);
  await import('node:http');
  const reader = /** @type {import('../../web/api/reader').EngineReader} */ (
    await openReader({ cache: false })
  );
  return async ({ url, tree, branches }) => {
    const { id } = await reader.open(
      url.includes('://') ? { kind: 'url', url } : { kind: 'path', path: url },
    );
    for (const { error } of await reader.arrays(id, { tree, branches }))
      if (error) throw new Error(error.message);
    await reader.close(id);
  };
}

/**
 * JSROOT in Chromium, in a page of the server itself. Jobs return the time in s in which the page's thread worked: the
 * process has others, which work meanwhile.
 * @returns {Promise<(job: Job) => Promise<number>>}
 */
async function startJsroot() {
  const { chromium } = await import('playwright-core');
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  process.once('SIGTERM', () => browser.close().finally(() => process.exit(0)));
  const page = await browser.newPage();
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable');
  const seconds = async () => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  return async ({ url, tree, branches }) => {
    const own = new URL('jsroot.html', url).href;
    if (page.url() !== own) await page.goto(own);
    await page.waitForFunction('window.readJob', undefined, { timeout: 120_000 });
    const before = await seconds();
    await page.evaluate(`window.readJob(${JSON.stringify([url, tree, branches]).slice(1, -1)})`);
    return (await seconds()) - before;
  };
}

const read = await (process.argv[2] === 'jsroot' ? startJsroot() : startXylem());
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const before = process.cpuUsage();
  const told = await read(JSON.parse(line));
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ cpu: told ?? (user + system) / 1e6 }));
}
process.exit(0);
