import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, samplePath, test } from '../story';

const root = resolve(import.meta.dirname, '../..');

/** Serves a document, the sample and the built package; returns the address. */
async function serve(document: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path =
      pathname === '/sample.root' ? samplePath : resolve(root, pathname.replace(/^\/xylem\/(?=dist\/)/, ''));
    const type = path.endsWith('.js') ? 'text/javascript' : 'application/octet-stream';
    if (pathname === '/') response.writeHead(200, { 'Content-Type': 'text/html' }).end(document);
    else if (!path.startsWith(root) || !existsSync(path)) response.writeHead(204).end();
    else createReadStream(path).pipe(response.writeHead(200, { 'Content-Type': type }));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.closeAllConnections();
  server.close();
}

test('the example of docs/library.md for browsers runs as it stands', async ({ page }) => {
  const text = readFileSync(resolve(root, 'docs/library.md'), 'utf8');
  const example = /```html\n(<!doctype html>[\s\S]*?)```/.exec(text)?.[1];
  if (example === undefined) throw new Error('docs/library.md has no example for browsers');
  await serve(example, async (url) => {
    await page.goto(url);
    await expect(page.locator('#result')).toHaveText(/^2400 entries, mean \d+\.\d+$/);
    await expect.poll(() => page.workers().length).toBe(0);
  });
});

test('openRoot reads a list of bytes, of an object of the page and of an address as one tree', async ({
  page,
}) => {
  await serve('<!doctype html><title>A list</title>', async (url) => {
    await page.goto(url);
    const read = await page.evaluate(async () => {
      const { openRoot } = await import(`${location.origin}/xylem/dist/index.js`);
      const bytes = new Uint8Array(await (await fetch('sample.root')).arrayBuffer());
      const slices: [number, number][] = [];
      const own = {
        byteLength: bytes.length,
        slice(start: number, end: number) {
          slices.push([start, end]);
          return bytes.slice(start, end);
        },
      };
      const file = await openRoot([bytes, own, new URL('sample.root', location.href)]);
      const tree = await file.tree('Events');
      const { entries } = await tree.draw('nMuon');
      const [last] = await tree.arrays(['nMuon'], { entries: [7199, 7200] }).then(Object.values);
      await file.close();
      return { entries, last: last !== undefined, reads: slices.length };
    });
    expect(read).toMatchObject({ entries: 7200, last: true });
    expect(read.reads).toBeGreaterThan(0);
  });
});

test('openRoot starts its workers by a policy where the page has Trusted Types', async ({
  page,
  complaints,
}) => {
  const policy = "worker-src 'self'; require-trusted-types-for 'script'; trusted-types xylem";
  const document = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Strict</title>`;
  await serve(document, async (url) => {
    await page.goto(url);
    const entries = await page.evaluate(async () => {
      const { openRoot } = await import(`${location.origin}/xylem/dist/index.js`);
      const file = await openRoot('sample.root');
      const drawn = await (await file.tree('Events')).draw('nMuon');
      await file.close();
      return drawn.entries;
    });
    expect(entries).toBe(2400);
  });
  // The form that bundlers know is tried first.
  expect(complaints.every((text) => text.includes("requires 'TrustedScriptURL' assignment"))).toBe(true);
  complaints.length = 0;
});

test('an element and openRoot on one page share the core, the pool and what was read', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const document = `<!doctype html><script type="module" src="/xylem/dist/xylem-viewer.js"></script>
    <xylem-viewer src="sample.root" tree="Events" draw="nMuon" style="display: block; height: 400px"></xylem-viewer>
    <button>Read</button><output></output><script type="module">
      import { openRoot } from '/xylem/dist/index.js';
      document.querySelector('button').onclick = async () => {
        const file = await openRoot('sample.root');
        const { entries } = await (await file.tree('Events')).draw('MET_pt');
        document.querySelector('xylem-viewer').remove();
        const again = await (await file.tree('Events')).draw('nMuon');
        document.querySelector('output').textContent = entries + ' ' + again.entries;
        await file.close();
      };
    </script>`;
  await serve(document, async (url) => {
    await page.goto(url);
    await expect(page.locator('xylem-viewer').getByRole('heading', { name: 'nMuon' })).toBeVisible();
    expect(page.workers().length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Read' }).click();
    await expect(page.locator('output')).toHaveText('2400 2400');
    expect(asked.filter((path) => /xylem\.(wasm|worker\.js)$/.test(path))).toEqual([]);
    await expect.poll(() => page.workers().length).toBe(0);
  });
});

const SELECTOR = `export default {
  branches: { pt: 'Muon_pt', n: 'nMuon' },
  where: 'nMuon >= 3',
  begin: (job) => ({ pt: job.hist([20, 0, Number(job.set.high)]), files: job.labels(), most: { n: 0 } }),
  process({ pt, n }, out, task) {
    out.pt.fill(pt.values);
    out.files.add(task.file, task.count);
    out.most.n = n.reduce((most, one) => Math.max(most, one), out.most.n);
  },
  merge: (one, other) => ({ most: { n: Math.max(one.most.n, other.most.n) } }),
};`;

test('tree.process runs a selector in a page, of one file and of several, and ends one that loops', async ({
  page,
}) => {
  await serve('<!doctype html><title>A selector</title>', async (url) => {
    await page.goto(url);
    const made = await page.evaluate(async (text) => {
      const { openRoot } = await import(`${location.origin}/xylem/dist/index.js`);
      const moduleOf = (code: string) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
      const module = moduleOf(text);
      const set = { high: '100' };
      const countsOf = (bins: Iterable<{ count: number }>) => [...bins].map(({ count }) => count);
      const one = await openRoot('sample.root');
      const tree = await one.tree('Events');
      const whole = await tree.process(module, { set });
      const drawn = await tree.draw('Muon_pt', { cut: 'nMuon >= 3', bins: 20, range: [0, 100] });
      const some = await tree.process(module, {
        set,
        entries: [
          [10, 500],
          [700, 701],
        ],
      });
      const cut = {
        cut: 'nMuon >= 3',
        bins: 20,
        range: [0, 100],
        entries: [
          [10, 500],
          [700, 701],
        ],
      };
      const errorOf = (work: Promise<unknown>) =>
        work.then(
          () => ({}),
          ({ code, message }) => ({ code, message }),
        );
      const bytes = await (await fetch('sample.root')).arrayBuffer();
      const second = new File([bytes], 'second.root');
      const several = await openRoot(['sample.root', second]);
      const chain = await several.tree('Events');
      const sum = await chain.process(module, { set });
      const weighing = moduleOf(`export default {
        branches: { n: 'nMuon' },
        begin: (job) => ({ n: job.counter(), w: job.counter() }),
        entry(_, { n, w }, { weight, sample }) { w.add(weight * (sample === 'mc')); n.add(); },
      };`);
      const samples = [
        { name: 'mc', files: 'sample.root', crossSection: 2, weight: 'MET_pt' },
        { name: 'data', files: second },
      ];
      const weighed = await chain.process(weighing, { samples, luminosity: 3 });
      const keptOf = async (code: string) => {
        const { results, partial } = await chain.process(moduleOf(code), { set });
        return [Object.values(results.files), partial.failed, partial.errors[0].message];
      };
      const stop = new AbortController();
      const endless = moduleOf(text.replace('out.pt.fill', 'for (;;); out.pt.fill'));
      const stopped = errorOf(chain.process(endless, { set, signal: stop.signal }));
      setTimeout(() => stop.abort(), 300);
      const result = {
        entries: whole.entries,
        passed: whole.passed,
        equal: JSON.stringify(countsOf(whole.results.pt)) === JSON.stringify(countsOf(drawn)),
        some: some.entries,
        equalSome:
          JSON.stringify(countsOf(some.results.pt)) ===
          JSON.stringify(countsOf(await tree.draw('Muon_pt', cut))),
        most: whole.results.most,
        files: Object.values(sum.results.files),
        sum: [sum.entries, sum.passed, sum.results.most],
        stopped: await stopped,
        loops: await errorOf(tree.process(endless, { set, limitMs: 400 })),
        throws: await errorOf(tree.process(moduleOf(text.replace('out.pt.fill', 'none.fill')), { set })),
        none: await errorOf(tree.process('nothing.js', { set })),
        unloaded: await (async () => {
          const slow = tree.process(moduleOf('for (;;);'), { set, signal: AbortSignal.timeout(300) });
          return errorOf(slow);
        })(),
        noScript: await (async () => {
          const file = await openRoot('sample.root', { selector: 'nothing.js' });
          const error = await errorOf((await file.tree('Events')).process(module, { set }));
          await file.close();
          return error;
        })(),
        rejects: await errorOf(
          tree.process(
            moduleOf(
              text.replace('out.pt.fill', '(async () => { throw new Error("alone"); })(); out.pt.fill'),
            ),
            { set },
          ),
        ),
        added: await errorOf(
          tree.process(moduleOf(text.replace('out.pt.fill', 'out.more = 1; out.pt.fill')), { set }),
        ),
        weighed: [
          weighed.entries,
          weighed.results.w,
          weighed.samples.data,
          weighed.samples.mc.scale * weighed.samples.mc.sumOfWeights,
        ],
        notOpen: await errorOf(chain.process(weighing, { samples: [{ name: 'mc', files: 'other.root' }] })),
        merges: await keptOf(text.replace('({ most: {', 'one.most.n > 0 ? {} : ({ most: {')),
        throwsInOne: await keptOf(
          text.replace('out.pt.fill', 'task.file === "second.root" && none; out.pt.fill'),
        ),
        branch: await errorOf(tree.process(moduleOf(text.replace("'nMuon' }", "'nMuons' }")), { set })),
      };
      await one.close();
      await several.close();
      return result;
    }, SELECTOR);
    const { passed } = made;
    expect(made).toMatchObject({
      ...{ entries: 2400, equal: true, some: 491, equalSome: true },
      ...{ files: [passed, passed], sum: [4800, 2 * passed, made.most] },
      stopped: { code: 'ABORTED' },
      loops: { code: 'TIMEOUT' },
      throws: { code: 'ARGUMENT' },
      none: { code: 'ARGUMENT' },
      unloaded: { code: 'ABORTED' },
      noScript: { code: 'INTERNAL', message: expect.stringContaining('worker of xylem was lost') },
      rejects: { message: expect.stringContaining('promise that nothing awaits: Error: alone') },
      added: { message: expect.stringContaining('"more" of the selector\'s state differs') },
      notOpen: { code: 'ARGUMENT', message: expect.stringContaining('is not open: other.root') },
      merges: [[passed], 1, 'The selector\'s merge returned no "most".'],
      throwsInOne: [[passed], 1, expect.stringContaining('none is not defined')],
      branch: { code: 'NOT_FOUND' },
    });
    const [all, six, data, product] = made.weighed;
    expect([all, data]).toEqual([
      4800,
      { entries: 2400, passed: 2400, sumOfWeights: 2400, scale: 1, results: { n: 2400, w: 0 } },
    ]);
    expect([six, product]).toEqual([expect.closeTo(6, 9), expect.closeTo(6, 9)]);
    expect(passed).toBeGreaterThan(100);
    expect(passed).toBeLessThan(2000);
    expect(made.throws).toMatchObject({ message: expect.stringContaining('none is not defined') });
    await expect.poll(() => page.workers().length).toBe(0);
  });
});
