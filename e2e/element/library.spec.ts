import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, samplePath, test } from '../story';

const root = resolve(import.meta.dirname, '../..');

test('the example of docs/library.md for browsers runs as it stands', async ({ page }) => {
  const text = readFileSync(resolve(root, 'docs/library.md'), 'utf8');
  const example = /```html\n(<!doctype html>[\s\S]*?)```/.exec(text)?.[1];
  if (example === undefined) throw new Error('docs/library.md has no example for browsers');
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path =
      pathname === '/sample.root' ? samplePath : resolve(root, pathname.replace(/^\/xylem\/(?=dist\/)/, ''));
    const type = path.endsWith('.js') ? 'text/javascript' : 'application/octet-stream';
    if (pathname === '/') response.writeHead(200, { 'Content-Type': 'text/html' }).end(example);
    else if (!path.startsWith(root) || !existsSync(path)) response.writeHead(204).end();
    else createReadStream(path).pipe(response.writeHead(200, { 'Content-Type': type }));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await expect(page.locator('#result')).toHaveText(/^2400 entries, mean \d+\.\d+$/);
  await expect.poll(() => page.workers().length).toBe(0);
  server.closeAllConnections();
  server.close();
});
