import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FileServer, startFileServer } from '../../../web/features/serve/cli/file-server';
import { partsOf } from '../../../web/features/serve/cli/http-parts';
import { rangesOf } from '../../../web/features/serve/cli/http-ranges';
import { servedFolder } from '../../../web/features/serve/cli/served-folder';
import { boundaryOf, partReader } from '../../../web/io/http/multipart';
import { run } from '../../cli/support';
import { openReader } from '../../engine-reader';
import { lacks } from '../../needs';

const root = resolve(import.meta.dirname, '../../..');
const sample = resolve(root, 'public/sample.root');

let folder = '';
let server: FileServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-serve-'));
  await mkdir(join(folder, 'shared/a b'), { recursive: true });
  await copyFile(sample, join(folder, 'shared/sample.root'));
  await copyFile(sample, join(folder, 'shared/a b/ü#1.root'));
  await writeFile(join(folder, 'shared/page.html'), '<script>alert(1)</script>');
  await writeFile(join(folder, 'shared/.hidden.root'), 'hidden');
  await writeFile(join(folder, 'secret.root'), 'not shared');
  await symlink(join(folder, 'secret.root'), join(folder, 'shared/link.root'));
  await symlink(sample, join(folder, 'shared/a b/inner.root'));
  await symlink(join(folder, 'shared/.hidden.root'), join(folder, 'shared/vis.root'));
  await mkdir(join(folder, 'shared/.git'));
  await writeFile(join(folder, 'shared/.git/config.root'), 'hidden');
  await symlink(join(folder, 'shared/.git'), join(folder, 'shared/git'));
  server = await startFileServer({
    path: join(folder, 'shared'),
    port: 0,
    host: '127.0.0.1',
    origin: 'https://portal.example',
  });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** GET with the path as it is written: fetch() would resolve the dots. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  port = new URL(server.url).port,
): Promise<number | undefined> {
  return new Promise((settle, reject) => {
    request({ host: '127.0.0.1', port, path, headers, method }, (response) => {
      response.resume();
      settle(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  [undefined, undefined],
  ['bytes=0-3', [[0, 4]]],
  ['bytes=4-', [[4, 10]]],
  ['bytes=-4', [[10, 4]]],
  ['bytes=-99', [[0, 14]]],
  ['bytes=10-99', [[10, 4]]],
  ['bytes=14-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=3-2', undefined],
  ['bytes=-', undefined],
  ['lines=0-1', undefined],
  [
    'bytes=4-5, 0-1',
    [
      [4, 2],
      [0, 2],
    ],
  ],
  ['bytes=0-1,20-21', [[0, 2]]],
  ['bytes=0-13,0-13,0-0', undefined],
  [`bytes=${Array.from({ length: 1025 }, () => '0-0').join(',')}`, undefined],
])('range %s of 14 bytes', (header, expected) => {
  const found = rangesOf(header, 14);
  expect(Array.isArray(found) ? found.map(({ offset, length }) => [offset, length]) : found).toEqual(
    expected,
  );
});

test('several ranges of a file come in one answer, in the order in which they were asked for', async () => {
  const content = await readFile(sample);
  const asked = [
    [100_000, 200_000],
    [0, 3],
    [50, 60],
    [content.length - 5, content.length + 99],
  ] as const;
  const headers = { Range: `bytes=${asked.map(([first, last]) => `${first}-${last}`).join(', ')}` };
  const answer = await fetch(`${server.url}files/sample.root`, { headers });
  expect(answer.status).toBe(206);
  const body = new Uint8Array(await answer.arrayBuffer());
  expect(body.length).toBe(Number(answer.headers.get('content-length')));
  const take = partReader(boundaryOf(answer.headers.get('content-type')) ?? '');
  expect(take(body).map(({ offset, size, bytes }) => [offset, size, Buffer.from(bytes)])).toEqual(
    asked.map(([first, last]) => [first, content.length, content.subarray(first, last + 1)]),
  );
  const head = await fetch(`${server.url}files/sample.root`, { headers, method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([206, String(body.length)]);
  const changed = { ...headers, 'If-Range': '"other"' };
  const whole = await fetch(`${server.url}files/sample.root`, { headers: changed });
  expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, content.length]);
});

test('the files of the folder are listed with links, and open by them', async () => {
  const files = await server.list();
  expect(files.map(({ path }) => path)).toEqual(['sample.root', 'a b/ü#1.root']);
  const reader = await openReader({ workers: 0 });
  for (const { link } of files) {
    const url = new URL(new URL(link).searchParams.get('url') ?? '', server.url).href;
    const { id, size } = await reader.open({ kind: 'url', url });
    expect(size).toBeGreaterThan(100_000);
    expect((await reader.check(id)).findings).toEqual([]);
  }
  reader.terminate();
});

test('the page gets the list of the folder, and addresses without "files" are understood', async () => {
  const answer = await fetch(`${server.url}files.json`);
  expect(answer.headers.get('content-type')).toBe('application/json');
  // Pages of other sites do not get it.
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  const { files } = (await answer.json()) as { files: { url: string; name: string; bytes: number }[] };
  expect(files.map(({ name }) => name)).toEqual(['sample.root', 'a b/ü#1.root']);
  for (const { url, bytes } of files) {
    const whole = await fetch(new URL(url, server.url));
    expect((await whole.arrayBuffer()).byteLength).toBe(bytes);
    const bare = await fetch(new URL(url.replace('files/', ''), server.url), {
      headers: { Range: 'bytes=0-3' },
    });
    expect([bare.status, await bare.text()]).toEqual([206, 'root']);
  }
  for (const path of ['/link.root', '/.hidden.root', '/%2e%2e/secret.root', '/page.html', '/missing.root'])
    expect(await ask(path), path).toBe(404);
});

test('only what lies in the folder is given out, as data', async () => {
  for (const path of [
    '/files/../secret.root',
    '/files/%2e%2e/secret.root',
    '/files/..%2fsecret.root',
    '/files/link.root',
    '/files/a%20b/inner.root',
    '/files/.hidden.root',
    '/files/vis.root',
    '/files/git/config.root',
    '/files//sample.root',
    '/files/a%20b',
    '/files/',
    '/files/%',
    '/files/%00',
    '/../package.json',
    '/%2e%2e/node.js',
  ]) {
    expect(await ask(path), path).toBe(404);
  }
  const html = await fetch(`${server.url}files/page.html`);
  expect(html.headers.get('content-type')).toBe('application/octet-stream');
  expect(html.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await ask('/files/sample.root', {}, 'PUT')).toBe(405);
});

test('pages of the named origin may read; other names of this machine may not', async () => {
  const response = await fetch(`${server.url}files/sample.root`, { headers: { Range: 'bytes=0-3' } });
  expect(response.status).toBe(206);
  expect(await response.text()).toBe('root');
  expect(response.headers.get('access-control-allow-origin')).toBe('https://portal.example');
  expect((await fetch(server.url)).headers.get('access-control-allow-origin')).toBeNull();
  expect(await ask('/files/sample.root', { Host: 'rebound.example' })).toBe(403);
});

test.each([
  ['127.0.0.1', 'localhost:8580', 200],
  ['127.0.0.1', '[::1]:8580', 200],
  ['127.0.0.1', 'rebound.example', 403],
  ['0.0.0.0', '192.0.2.7:8580', 200],
  ['0.0.0.0', hostname(), 200],
  ['0.0.0.0', 'LOCALHOST.', 200],
  ['0.0.0.0', 'rebound.example', 403],
  ['0.0.0.0', 'localhost.rebound.example', 403],
  ['0.0.0.0', '127.0.0.1.rebound.example', 403],
])('served at %s, Host: %s is answered with %d', async (host, name, wanted) => {
  const open = await startFileServer({ path: sample, port: 0, host, origin: undefined });
  const { port } = new URL(open.url);
  expect(await ask('/', { Host: name }, 'GET', port)).toBe(wanted);
  expect(await ask('/files/sample.root', { Host: name, Range: 'bytes=0-3' }, 'GET', port)).toBe(
    wanted === 200 ? 206 : 403,
  );
  await open.close();
});

test.skipIf(lacks('/proc', existsSync('/proc/self/fd')))(
  'requests that are broken off leave no file open',
  async () => {
    const big = join(folder, 'shared/big.root');
    await writeFile(big, Buffer.alloc(32 << 20));
    const opened = async (): Promise<number> => {
      const links = (await readdir('/proc/self/fd')).map((fd) =>
        readlink(`/proc/self/fd/${fd}`).catch(() => ''),
      );
      return (await Promise.all(links)).filter((link) => link === big).length;
    };
    const { port } = new URL(server.url);
    for (let i = 0; i < 20; i++) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write('GET /files/big.root HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'data');
      socket.destroy();
    }
    await vi.waitFor(async () => expect(await opened()).toBe(0), { timeout: 10_000 });
    await rm(big);
  },
);

test('an answer breaks off at once when its file becomes shorter', async () => {
  const path = join(folder, 'shared/shrinks.root');
  for (const range of ['bytes=5-', 'bytes=0-9,5-']) {
    await writeFile(path, 'root');
    await truncate(path, 200e6);
    const waiting = new AbortController();
    const asked = { headers: { Range: range }, signal: waiting.signal };
    const body = (await fetch(`${server.url}files/shrinks.root`, asked)).body?.getReader();
    await body?.read();
    await truncate(path, 1000);
    // Node itself ends connections that nothing comes from, after five seconds.
    const timer = setTimeout(() => waiting.abort(), 4000);
    const rest = async () => {
      while (!(await body?.read())?.done);
    };
    await expect(rest()).rejects.toThrow('terminated');
    clearTimeout(timer);
  }
  await rm(path);
});

test('pages of other origins may not even load the files where none may read them', async () => {
  const path = join(folder, 'shared');
  const alone = await startFileServer({ path, port: 0, host: '127.0.0.1', origin: undefined });
  for (const name of ['files/sample.root', 'a%20b/%C3%BC%231.root']) {
    const [own, portal] = await Promise.all([alone, server].map(({ url }) => fetch(url + name)));
    expect(own?.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(portal?.headers.get('cross-origin-resource-policy')).toBeNull();
  }
  await alone.close();
});

test('a changed file is not continued with If-Range', async () => {
  expect(await ask('/files/sample.root', { Range: 'bytes=0-3', 'If-Range': '"other"' })).toBe(200);
});

test('a client that has the content is told so, whatever range it asks for', async () => {
  for (const path of ['', 'files/sample.root']) {
    const first = await fetch(server.url + path);
    const etag = first.headers.get('etag') ?? '';
    const length = (await first.arrayBuffer()).byteLength;
    for (const kept of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetch(server.url + path, {
        headers: { 'If-None-Match': kept, Range: 'bytes=0-3' },
      });
      expect(again.status, kept).toBe(304);
      expect(again.headers.get('etag')).toBe(etag);
      expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
      expect((await again.arrayBuffer()).byteLength).toBe(0);
    }
    const other = await fetch(server.url + path, { headers: { 'If-None-Match': '"other"' } });
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, length]);
    const range = { 'If-None-Match': '"other"', 'If-Range': etag, Range: 'bytes=0-3' };
    const part = await fetch(server.url + path, { headers: range });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4]);
  }
});

test('a link that leads to another file now is followed anew', async () => {
  const link = join(folder, 'shared/moving.root');
  await symlink(join(folder, 'shared/sample.root'), link);
  expect(await ask('/files/moving.root', { Range: 'bytes=0-3' })).toBe(206);
  await rm(link);
  await symlink(join(folder, 'secret.root'), link);
  expect(await ask('/files/moving.root', { Range: 'bytes=0-3' })).toBe(404);
  await rm(link);
});

test('serves one file without the files beside it', async () => {
  const one = await startFileServer({
    path: join(folder, 'shared/a b/ü#1.root'),
    port: 0,
    host: '127.0.0.1',
    origin: undefined,
  });
  const [file] = await one.list();
  const address = new URL(new URL(file?.link ?? '').searchParams.get('url') ?? '', one.url).href;
  expect((await fetch(address, { headers: { Range: 'bytes=0-3' } })).status).toBe(206);
  for (const other of ['inner.root', 'a%20b/%C3%BC%231.root', '']) {
    expect((await fetch(`${one.url}files/${other}`)).status, other).toBe(404);
  }
  await one.close();
});

test('the command serves the page and the folder until it is interrupted', async () => {
  const script = resolve(root, 'dist/cli/xylem.js');
  const child = spawn(process.execPath, [script, 'serve', join(folder, 'shared'), '--port', '0', '--json']);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, files } = JSON.parse(line) as { url: string; files: { path: string; link: string }[] };
  expect(files).toHaveLength(2);
  const page = await fetch(url);
  expect(await page.text()).toContain('<title>xylem</title>');
  const policy = page.headers.get('content-security-policy') ?? '';
  for (const rule of [
    "script-src 'self' 'wasm-unsafe-eval'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "frame-ancestors 'self'",
  ])
    expect(policy).toContain(rule);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  child.kill('SIGINT');
  // Windows has no signals: there it is ended.
  if (process.platform !== 'win32') expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  [['serve', 'a', 'b'], 2, 'too many'],
  [['serve', '--port', 'x'], 2, '--port takes'],
  [['serve', '--origin', 'example.org/x'], 2, '--origin takes'],
  [['serve', '/nowhere', '--port', '0'], 1, 'There is no file or folder "/nowhere"'],
])('%j is status %d', async (args, wanted, message) => {
  const reader = await openReader({ workers: 0 });
  const { status, err } = await run(reader, ...args);
  expect(status).toBe(wanted);
  expect(err).toContain(message);
  reader.terminate();
});

test('a file that was replaced after it was allowed is not sent', async () => {
  const [within, outside] = [join(folder, 'swapped'), join(folder, 'outside')];
  await mkdir(join(within, 'sub'), { recursive: true });
  await mkdir(outside);
  for (const name of ['link', 'new']) await writeFile(join(within, `${name}.root`), 'allowed');
  await writeFile(join(outside, 'inner.root'), 'allowed');
  await link(join(outside, 'inner.root'), join(within, 'sub/inner.root'));
  const served = servedFolder(within);
  const sent = async (name: string, swap: () => Promise<unknown>) => {
    const file = await served.find(name);
    await swap();
    const pieces: Buffer[] = [];
    for await (const piece of file ? partsOf(file, [{ offset: 0, length: 7 }]) : []) pieces.push(piece);
    return String(Buffer.concat(pieces));
  };
  expect(await sent('new.root', async () => {})).toBe('allowed');
  const linked = sent('link.root', async () => {
    await rm(join(within, 'link.root'));
    await symlink(join(folder, 'secret.root'), join(within, 'link.root'));
  });
  await expect(linked).rejects.toThrow();
  const renewed = sent('new.root', async () => {
    await writeFile(join(within, 'other'), 'another');
    await rename(join(within, 'other'), join(within, 'new.root'));
  });
  await expect(renewed).rejects.toThrow('replaced');
  // The same file by another name, so that nothing but its place tells.
  const moved = sent('sub/inner.root', async () => {
    await rename(join(within, 'sub'), join(within, 'before'));
    await symlink(outside, join(within, 'sub'));
  });
  await expect(moved).rejects.toThrow('replaced');
});

test.skipIf(!existsSync('/proc/self/fd'))(
  'requests that are sent together open one file at a time',
  async () => {
    const path = join(folder, 'shared/large.root');
    const bytes = Buffer.alloc(4_000_000, 'x');
    await writeFile(path, bytes);
    const count = async (): Promise<number> => {
      const open = await readdir('/proc/self/fd');
      const paths = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return paths.filter((one) => one === path).length;
    };
    const get = (range: string) =>
      `GET /large.root HTTP/1.1\r\nHost: localhost\r\nRange: bytes=${range}\r\n\r\n`;
    const port = Number(new URL(server.url).port);
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write(get('0-').repeat(100));
    await expect.poll(count).toBe(1);
    await new Promise((go) => setTimeout(go, 200));
    expect(await count()).toBe(1);
    socket.destroy();
    await expect.poll(count).toBe(0);
    const other = connect(port, '127.0.0.1');
    other.write(
      get('0-2999999') + get('0-9') + get('1-3').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    const pieces: Buffer[] = [];
    for await (const piece of other) pieces.push(piece as Buffer);
    expect(
      String(Buffer.concat(pieces))
        .match(/x{3,}/g)
        ?.map(({ length }) => length),
    ).toEqual([3_000_000, 10, 3]);
  },
);

test('serve --copy-page writes the whole page into a folder', async () => {
  const to = join(folder, 'page');
  const reader = await openReader({ workers: 0 });
  expect(await run(reader, 'serve', '--copy-page', to)).toMatchObject({ status: 0 });
  reader.terminate();
  const built = resolve(root, 'dist/page');
  const names = async (path: string) => (await readdir(path, { recursive: true })).sort();
  expect(await names(to)).toEqual(await names(built));
});
