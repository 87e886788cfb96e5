import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { serverFile } from '../../hosts/jupyter/frontend/server-file';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  vi.unstubAllGlobals();
});

/** A server that answers ranges of one byte, or refuses them; returns its address and the headers that it got. */
async function startServer(status = 206) {
  const heard: Record<string, unknown>[] = [];
  const server = createServer(({ headers }, answer) => {
    heard.push(headers);
    answer.writeHead(status, { 'Content-Range': 'bytes 0-0/9' }).end('r');
  });
  servers.push(server);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard };
}

test('the token of JupyterLab goes to its own server, and to no other that keeps the file', async () => {
  const [jupyter, store] = await Promise.all([startServer(), startServer()]);
  vi.stubGlobal('document', { baseURI: jupyter.url, cookie: '_xsrf=abc' });
  const server = { baseUrl: `${jupyter.url}user/joe/`, token: 'secret' };
  const open = (url: string) => {
    const contents = { getDownloadUrl: async () => url, get: async () => ({ content: null }) };
    return serverFile(contents, 'a/run.root', server, () => Promise.reject());
  };
  const own = await open(`${jupyter.url}user/joe/files/a/run.root?_xsrf=abc`);
  expect(own).toMatchObject({
    source: `${jupyter.url}user/joe/files/a/run.root`,
    headers: { Authorization: 'token secret', 'X-XSRFToken': 'abc' },
  });
  expect(jupyter.heard[0]).toMatchObject({ authorization: 'token secret', range: 'bytes=0-0' });
  const another = await open(`${jupyter.url}user/jim/files/a/run.root`);
  expect(another.headers).toEqual({});
  expect(jupyter.heard[1]).not.toHaveProperty('authorization');
  const other = await open(`${store.url}bucket/run.root?signature=1`);
  expect(other).toMatchObject({ source: `${store.url}bucket/run.root?signature=1`, headers: {} });
  expect(other.privacy).toContain(new URL(store.url).host);
  expect(store.heard[0]).toMatchObject({ range: 'bytes=0-0' });
  expect(store.heard[0]).not.toHaveProperty('authorization');
  expect(store.heard[0]).not.toHaveProperty('x-xsrftoken');
});

/** Opens a file of which a server sends no parts, as tornado 6.6 for a link that leads out of its folder. */
async function openRefused(size: number) {
  const { url: baseUrl } = await startServer(403);
  vi.stubGlobal('document', { baseURI: baseUrl, cookie: '' });
  const told: string[] = [];
  const read: unknown[] = [];
  const contents = {
    getDownloadUrl: async () => `${baseUrl}files/a/linked.root`,
    async get(_: string, options: object) {
      read.push(options);
      return { size, content: 'cm9vdA==' };
    },
  };
  const opened = serverFile(contents, 'a/linked.root', { baseUrl, token: '' }, async (why) => {
    told.push(why);
    if (read.length > 1) throw new Error('It was read before the question.');
  });
  return { opened, told, read };
}

test('a large file of which the server sends no parts is an error that says what to do', async () => {
  const { opened, read } = await openRefused(259e6);
  await expect(opened).rejects.toThrow(
    /no parts of linked\.root \(status 403\).*symbolic link.*All 259 MB.*xylem\.view\("linked\.root"\).*--FileContentsManager\.files_handler_params=/,
  );
  expect(read).toEqual([{ content: false }]);
});

test('a link, of whose file the server does not say the size, is read whole after a question', async () => {
  const { opened, told, read } = await openRefused(32);
  expect((await opened).source).toMatchObject({ name: 'linked.root', size: 4 });
  expect(told).toEqual([expect.stringContaining('does not say how large')]);
  expect(read).toHaveLength(2);
});

test('a small file of which the server sends no parts is read whole at once', async () => {
  const { opened, told } = await openRefused(5000);
  expect((await opened).source).toMatchObject({ size: 4 });
  expect(told).toEqual([]);
});
