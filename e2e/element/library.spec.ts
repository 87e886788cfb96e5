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
