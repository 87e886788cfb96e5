import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ExtentStore, type Pack, packName, type StoredFileId } from '../../web/cache/extent-store';
import { createFolderStore } from '../../web/cache/node-folder';
import { packFiles } from '../../web/cache/node-packs';
import { besideOf } from '../../web/cache/node-plain';
import { directFiles } from '../../web/io/node-direct-file';

// A cache folder in which something else lies than what the cache wrote there.

const file: StoredFileId = { key: 'http://host/a | 1', name: 'http://host/a', place: 'http://host/a' };
const pack: Pack = [{ offset: 0, length: 100 }];
const two: Pack = [
  { offset: 0, length: 10 },
  { offset: 50, length: 20 },
];
const filled = (length: number): Uint8Array => new Uint8Array(length).fill(7);

let folder: string;
let store: ExtentStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-foreign-'));
  store = createFolderStore({ folder: join(folder, 'cache') });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const packs = (): string => store.folderOf?.(file) ?? '';
const put = (of: Pack, into = store): Promise<void> =>
  into.put(
    file,
    of,
    of.map(({ length }) => filled(length)),
  );

describe('anything but a plain file counts as missing', () => {
  const traps: Record<string, (path: string) => void> = {
    'a link to a device that never ends': (path) => symlinkSync('/dev/zero', path),
    'a pipe that nobody writes to': (path) => execFileSync('mkfifo', [path]),
    'a link to a file': (path) => {
      writeFileSync(join(folder, 'other'), 'not the cache');
      symlinkSync(join(folder, 'other'), path);
    },
    'a folder': (path) => mkdirSync(path),
    'a file of a terabyte': (path) => execFileSync('truncate', ['-s', '1T', path]),
  };
  test.each(Object.keys(traps))(
    '%s',
    async (kind) => {
      await put(pack);
      await put(two);
      const names = [packName(pack), packName(two), 'name'];
      for (const name of names) {
        rmSync(join(packs(), name));
        traps[kind]?.(join(packs(), name));
      }
      const names1 = join(folder, 'cache', 'names');
      for (const name of readdirSync(names1)) {
        rmSync(join(names1, name));
        traps[kind]?.(join(names1, name));
      }
      traps[kind]?.(join(folder, 'cache', 'limit'));
      const again = createFolderStore({ folder: join(folder, 'cache'), maxBytes: 1e13 });
      expect(await again.get(file, pack)).toBeUndefined();
      expect(await again.get(file, two)).toBeUndefined();
      expect(await again.latest?.(file.place)).toBeUndefined();
      for (const listed of await again.list(file)) expect(await again.get(file, listed)).toBeUndefined();
      const direct = directFiles(packFiles)({
        folder: packs(),
        key: file.key,
        packs: [{ name: packName(pack), ranges: Float64Array.of(0, 100) }],
        extents: Float64Array.of(0, 100, 0, 0),
      });
      expect(() => direct.readInto(0, new Uint8Array(10))).toThrow(expect.objectContaining({ code: 'IO' }));
      await again.info();
      // The target of a link is not counted, removed or written to.
      await again.limit(0);
      if (kind === 'a link to a file') {
        expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('not the cache');
      }
    },
    20_000,
  );

  test("a link to another user's folder is not followed: nothing there is counted or removed", async () => {
    const mine = join(folder, 'mine');
    mkdirSync(mine);
    writeFileSync(join(mine, '0-100'), 'a file of the user');
    await put(pack);
    const before = (await store.info()).bytes;
    symlinkSync(mine, join(folder, 'cache', 'packs-1', '0123456789abcdef'));
    expect((await store.info()).bytes).toBe(before);
    await store.limit(0);
    expect(existsSync(join(mine, '0-100'))).toBe(true);
    expect((await store.info()).bytes).toBe(0);
  });
});

describe('what a killed process left half written', () => {
  const left = (name: string): string => {
    const path = join(packs(), name);
    writeFileSync(path, filled(1000));
    return path;
  };

  test('is not counted, and goes with the next look at the folder', async () => {
    await put(pack);
    const before = (await store.info()).bytes;
    const old = left('0-1000.12345.k3j2h1');
    utimesSync(old, new Date(Date.now() - 86_400_000), new Date(Date.now() - 86_400_000));
    // As a process of this machine calls it that was killed a moment ago.
    const killed = execFileSync(process.execPath, ['-e', 'process.stdout.write(String(process.pid))'], {
      encoding: 'utf8',
    });
    const now = left(besideOf('0-2000').replace(String(process.pid), killed));
    const busy = left(besideOf('0-3000'));
    expect((await store.info()).bytes).toBe(before);
    expect([old, now, busy].map(existsSync)).toEqual([false, false, true]);
    await store.limit(0);
    expect(existsSync(busy)).toBe(true);
    expect(await store.list(file)).toEqual([]);
  });
});

test('a folder in which no file can be made fails at once, and the cache reports it', async () => {
  const started = process.cpuUsage();
  const nowhere = createFolderStore({ folder: '/proc/xylem' });
  await put(pack, nowhere);
  expect((await nowhere.info()).notice).toMatch(/cannot be changed \(ENOENT\)/);
  expect(process.cpuUsage(started).user).toBeLessThan(2e6);
}, 10_000);
