import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { serverFile } from '../../hosts/jupyter/frontend/server-file';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  vi.unstubAllGlobals();
});

/** A server that answers ranges of one byte; returns its address and the headers that it got. */
async function startServer() {
  const heard: Record<string, unknown>[] = [];
  const server = createServer(({ headers }, answer) => {
    heard.push(headers);
    answer.writeHead(206, { 'Content-Range': 'bytes 0-0/9' }).end('r');
  });
  servers.push(server);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard };
}

test('the token of JupyterLab goes to its own server, and to no other that keeps the file', async () => {
  const [jupyter, store] = await Promise.all([startServer(), startServer()]);
  vi.stubGlobal('document', { baseURI: jupyter.url, cookie: '_xsrf=abc' });
  const server = { baseUrl: jupyter.url, token: 'secret' };
  const open = (url: string) => {
    const contents = { getDownloadUrl: async () => url, get: async () => ({ content: null }) };
    return serverFile(contents, 'a/run.root', server);
  };
  const own = await open(`${jupyter.url}files/a/run.root?_xsrf=abc`);
  expect(own).toMatchObject({
    source: `${jupyter.url}files/a/run.root`,
    headers: { Authorization: 'token secret', 'X-XSRFToken': 'abc' },
  });
  expect(jupyter.heard[0]).toMatchObject({ authorization: 'token secret', range: 'bytes=0-0' });
  const other = await open(`${store.url}bucket/run.root?signature=1`);
  expect(other).toMatchObject({ source: `${store.url}bucket/run.root?signature=1`, headers: {} });
  expect(other.privacy).toContain(new URL(store.url).host);
  expect(store.heard[0]).toMatchObject({ range: 'bytes=0-0' });
  expect(store.heard[0]).not.toHaveProperty('authorization');
  expect(store.heard[0]).not.toHaveProperty('x-xsrftoken');
});
