// Needs features: serve.
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFileServer } from '../../../web/features/serve/cli/file-server';
import { filesBeside } from '../../../web/features/sessions/work/session';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const names = ['mine.root', 'a b.root', 'part.root'];
const others = ['other.root', 'notes.txt', '.hidden.root'];
const session = {
  ...{ xylem: 'session', version: 1 },
  files: [
    { name: 'mine.root', size: 3 },
    { url: 'a%20b.root#x' },
    { list: [{ name: 'part.root' }, { name: 'gone.root' }] },
    ...['notes.txt', '.hidden.root', '../out.root', 'sub/in.root', '/etc/passwd.root'].map((name) => ({
      name,
    })),
    { url: '../out.root' },
    { url: 'https://host.org/other.root' },
  ],
};

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-session-'));
  for (const name of [...names, ...others]) await copyFile(sample, join(folder, name));
  await writeFile(join(folder, 'my.xylem.json'), JSON.stringify(session));
  await writeFile(join(folder, 'bad.xylem.json'), '{"xylem": "session", "version": 1}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const serving = (path: string) =>
  startFileServer({ path: join(folder, path), port: 0, host: '127.0.0.1', origin: undefined });

test('the files beside a session are ROOT files of its folder only', () => {
  expect(filesBeside(JSON.stringify(session))).toEqual(['mine.root', 'a b.root', 'part.root', 'gone.root']);
});

test('a session is served with the files that it names and that are there, and no other', async () => {
  const server = await serving('my.xylem.json');
  try {
    expect(await server.list()).toEqual([
      { path: 'my.xylem.json', link: `${server.url}?session=files%2Fmy.xylem.json` },
      ...names.map((path) => ({
        path,
        link: `${server.url}?url=${encodeURIComponent(`files/${encodeURIComponent(path)}`)}`,
      })),
    ]);
    const status = async (name: string) =>
      (await fetch(`${server.url}files/${encodeURIComponent(name)}`, { method: 'HEAD' })).status;
    for (const name of ['my.xylem.json', ...names]) expect(await status(name), name).toBe(200);
    for (const name of [...others, 'bad.xylem.json', 'gone.root']) expect(await status(name), name).toBe(404);
  } finally {
    await server.close();
  }
});

test('a folder lists its sessions, and a session that is none is an error', async () => {
  const server = await serving('');
  try {
    expect((await server.list()).map(({ path }) => path)).toContain('my.xylem.json');
  } finally {
    await server.close();
  }
  await expect(serving('bad.xylem.json')).rejects.toMatchObject({ code: 'ARGUMENT' });
});
