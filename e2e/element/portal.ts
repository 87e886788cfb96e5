import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';

const dist = resolve(import.meta.dirname, '../../dist');

/** The files that the element loads for some actions. `other`: a site that answers requests for them with its own page. */
type Beside = 'none' | 'there' | 'other';

const cors = { 'Access-Control-Allow-Origin': '*' };

/** The element's script, and the folder from which it loads the rest. */
export function elementScript(path: string): ReturnType<Parameters<typeof startOrigin>[0]> {
  if (!/^\/xylem-viewer(\/[\w-]+)?\.js$/.test(path)) return undefined;
  const headers = { 'Content-Type': 'text/javascript', ...cors };
  return { body: readFileSync(resolve(dist, path.slice(1))), headers };
}

function besideScript(path: string, folder: Beside): ReturnType<Parameters<typeof startOrigin>[0]> {
  const known =
    /^\/(jsroot\/frame\.(html|js)|selector\/[\w-]+\.(html|js)|xylem-viewer\/xylem-export[\w-]*\.js)$/;
  if (folder === 'none' || !known.test(path)) return undefined;
  const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
  const body = folder === 'there' ? readFileSync(resolve(dist, path.slice(1))) : '<title>Not here</title>';
  return { body, headers: { 'Content-Type': folder === 'there' ? type : 'text/html', ...cors } };
}

export interface Origin {
  url: string;
  server: Server;
}

const started: Server[] = [];

/** A site of its own origin: paths to their answers. */
export async function startOrigin(
  answer: (path: string) => { body: string | Buffer; headers: Record<string, string> } | undefined,
): Promise<Origin> {
  const server = createServer((request, response) => {
    const found = answer(request.url ?? '/');
    response.writeHead(found === undefined ? 404 : 200, found?.headers).end(found?.body);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  started.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** After the stories: until its end a page may load what its views need. */
export function stopPortals(): void {
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}

/** Goes to the page of `startPortal`. */
export async function openPortal(page: Page, body: string, beside: Beside = 'none'): Promise<void> {
  await page.goto(await startPortal(body, beside));
}

/**
 * Serves a portal's page with `body`, which loads the element from a second origin under a strict policy; `script` is
 * one of its own, which runs before. Returns its address.
 */
export async function startPortal(body: string, beside: Beside = 'none', script = ''): Promise<string> {
  const cdn = await startOrigin((path) => besideScript(path, beside) ?? elementScript(path));
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${cdn.url} 'wasm-unsafe-eval'`,
    'worker-src blob:',
    'connect-src http://127.0.0.1:*',
    'img-src data:',
    "require-trusted-types-for 'script'",
    'trusted-types xylem',
    ...(beside === 'none' ? [] : [`frame-src ${cdn.url}`]),
  ].join('; ');
  const html = `<!doctype html><html lang="en"><head><title>Portal</title>
    <link rel="icon" href="data:,"><script src="/own.js"></script><script type="module" src="${cdn.url}/xylem-viewer.js"></script>
    </head><body><main><h1>Portal</h1>${body}</main></body></html>`;
  const portal = await startOrigin((path) => {
    if (path === '/own.js') return { body: script, headers: { 'Content-Type': 'text/javascript' } };
    if (path !== '/') return undefined;
    return { body: html, headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': policy } };
  });
  return `${portal.url}/`;
}
