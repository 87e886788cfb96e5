import { lstat, readdir, rm, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../base/io-error';
import { totalLength } from '../io/ranges';
import { checksum } from './checksum';
import { type ExtentStore, type Pack, packName, type StoredFileId } from './extent-store';
import { makeFolder, putWhole, readPlain, readStart, unfinished } from './node-plain';
import { defaultCacheFolder } from './node-user-folder';
import { lineOf, MAX_LINE_BYTES, readLine, unpack } from './pack-file';

// Each file has a folder, named by a hash of its identity; in it, each pack is a file as described in `pack-file.ts`.
// Files are written under another name and then renamed, so that other processes only see complete ones. Their
// modification time is the time of the last use. In the folder of a file, `name` contains the file's name for display
// and its identity. `names` contains, under a hash of the place of a file, this place and the identity that was last
// stored for it. `limit` contains the limit in bytes, if one was set.

const DEFAULT_MAX_BYTES = 4 * 1024 ** 3;
/** Fraction of the free space of the disk. */
const MAX_SHARE = 0.2;
/** Packs are dropped until this fraction of the limit is used, so that dropping is not needed at each write. */
const AFTER_DROPPING = 0.9;

/** Form of the names that `packName` returns. */
const PACK_NAME = /^\d+-\d+(-\d+-[0-9a-f]+)?$/;

export interface FolderOptions {
  /** Default: a folder of this user's caches. */
  folder?: string | undefined;
  /** Limit in bytes, if none was set with `limit`. Default: 4 GB, and at most a fifth of the free space of the disk. */
  maxBytes?: number | undefined;
}

/** Returns a persistent cache in a folder, which several processes may share. */
export function createFolderStore(options: FolderOptions = {}): ExtentStore {
  const folder = options.folder ?? defaultCacheFolder();
  const extents = join(folder, 'packs-1');
  const names = join(folder, 'names');
  const limitPath = join(folder, 'limit');
  let notice: string | undefined;
  /** Number of stored bytes, as far as this process knows. */
  let bytes: number | undefined;
  let limit: Promise<number> | undefined;
  /** Bytes written since the last scan of the folder began. The scan may have missed them. */
  let added = 0;
  let dropping: Promise<void> | undefined;

  const folderOf = (file: StoredFileId): string => join(extents, hashOf(file.key));
  const giveUp = (thrown: unknown): void => {
    notice ??= `The cache in ${folder} cannot be changed (${systemCode(thrown) || thrown}): nothing more is kept there.`;
  };

  function maxBytes(): Promise<number> {
    limit ??= (async () => {
      const set = await readText(limitPath);
      if (/^\d{1,15}$/.test(set)) return Number(set);
      if (options.maxBytes !== undefined) return options.maxBytes;
      const disk = await statfs(folder).catch(() => undefined);
      return disk ? Math.min(DEFAULT_MAX_BYTES, disk.bavail * disk.bsize * MAX_SHARE) : DEFAULT_MAX_BYTES;
    })();
    return limit;
  }

  /** Drops the least recently used packs until at most `target` bytes are left. */
  async function drop(target: number): Promise<void> {
    added = 0;
    const all = (await entries(extents)).sort((a, b) => a.used - b.used);
    let left = all.reduce((sum, entry) => sum + entry.bytes, 0);
    for (const entry of all) {
      if (left <= target) break;
      await rm(entry.path, { force: true });
      left -= entry.bytes;
    }
    bytes = left + added;
  }

  async function makeRoom(): Promise<void> {
    const most = await maxBytes();
    // Bytes that other processes write at the same time are counted as well.
    while (bytes === undefined || bytes > most) {
      dropping ??= (bytes === undefined ? drop(most) : drop(most * AFTER_DROPPING)).finally(() => {
        dropping = undefined;
      });
      await dropping;
    }
  }

  return {
    folderOf,
    async latest(wanted) {
      const [place = '', key = ''] = (await readText(join(names, hashOf(wanted)))).split('\n');
      return place === wanted && key !== '' ? key : undefined;
    },
    async list(file) {
      const into = folderOf(file);
      const there = await readdir(into, { withFileTypes: true }).catch(() => []);
      const packs = await Promise.all(
        there.filter((entry) => entry.isFile()).map(({ name }) => listed(into, name)),
      );
      return packs.flatMap((pack) => (pack ? [pack] : []));
    },
    async get(file, pack) {
      const path = join(folderOf(file), packName(pack));
      const stored = await readPlain(path, MAX_LINE_BYTES + totalLength(pack));
      if (!stored) return undefined;
      const found = unpack(stored, file.key, pack);
      if (!found) {
        await rm(path, { force: true }).catch(giveUp);
        return undefined;
      }
      const now = new Date();
      // Another process may have dropped it already.
      await utimes(path, now, now).catch(() => {});
      return found;
    },
    async put(file, pack, parts) {
      const content = Buffer.concat(parts);
      if (notice !== undefined || content.length > (await maxBytes())) return;
      const into = folderOf(file);
      try {
        if (!(await lstat(join(into, 'name')).catch(() => undefined))) {
          await makeFolder(into);
          await putWhole(join(into, 'name'), `${file.name}\n${file.key}`);
          await makeFolder(names);
          await putWhole(join(names, hashOf(file.place)), `${file.place}\n${file.key}`);
        }
        await putWhole(join(into, packName(pack)), Buffer.concat([lineOf(file.key, pack, content), content]));
        added += content.length;
        if (bytes !== undefined) bytes += content.length;
        await makeRoom();
      } catch (thrown) {
        giveUp(thrown);
      }
    },
    async drop(file, pack) {
      // The next write counts the stored bytes again.
      bytes = undefined;
      await rm(join(folderOf(file), packName(pack)), { force: true }).catch(giveUp);
    },
    async info() {
      const files = new Map<string, { bytes: number; used: number }>();
      for (const { folder: name, bytes: size, used } of await entries(extents)) {
        const known = files.get(name);
        files.set(name, { bytes: (known?.bytes ?? 0) + size, used: Math.max(used, known?.used ?? 0) });
      }
      const list = await Promise.all(
        [...files].map(async ([hash, sums]) => {
          const [name = '', key = ''] = (await readText(join(extents, hash, 'name'))).split('\n');
          return { key, name: name || hash, ...sums };
        }),
      );
      list.sort((a, b) => b.bytes - a.bytes);
      const total = list.reduce((sum, file) => sum + file.bytes, 0);
      return { place: folder, bytes: total, maxBytes: await maxBytes(), files: list, notice };
    },
    async clear(file) {
      bytes = undefined;
      const paths = file === undefined ? [extents, names] : [join(extents, hashOf(file))];
      for (const path of paths) await rm(path, { recursive: true, force: true }).catch(giveUp);
    },
    async limit(most) {
      try {
        if (most === undefined) await rm(limitPath, { force: true });
        else {
          await makeFolder(folder);
          await putWhole(limitPath, String(most));
        }
        limit = undefined;
        await drop(await maxBytes());
      } catch (thrown) {
        giveUp(thrown);
      }
    },
  };
}

interface Entry {
  path: string;
  folder: string;
  bytes: number;
  /** Time of the last use, in ms since 1970. */
  used: number;
}

/** Returns the packs of all files. Removes incomplete files of processes that were killed. */
async function entries(extents: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const folder of await readdir(extents, { withFileTypes: true }).catch(() => [])) {
    // A link may lead to files outside of the cache.
    if (!folder.isDirectory()) continue;
    const into = join(extents, folder.name);
    for (const name of await readdir(into).catch(() => [] as string[])) {
      const path = join(into, name);
      const info = await lstat(path).catch(() => undefined);
      if (!info?.isFile() || name === 'name') continue;
      if (unfinished(name, info.mtimeMs) === 'left') await rm(path, { force: true }).catch(() => {});
      else if (PACK_NAME.test(name)) {
        found.push({ path, folder: folder.name, bytes: info.size, used: info.mtimeMs });
      }
    }
  }
  return found;
}

/** Returns the ranges of a pack file; undefined if it is not one. */
async function listed(folder: string, name: string): Promise<Pack | undefined> {
  const plain = /^(\d{1,15})-(\d{1,15})$/.exec(name);
  if (plain) return [{ offset: Number(plain[1]), length: Number(plain[2]) }];
  if (!/^\d+-\d+-\d+-[0-9a-f]+$/.test(name)) return undefined;
  // A pack that another process has dropped, or that is damaged, is fetched again.
  const start = await readStart(join(folder, name), MAX_LINE_BYTES);
  return start && readLine(start)?.pack;
}

/** Returns a short stored text; "" if there is none. */
async function readText(path: string): Promise<string> {
  return (await readPlain(path, MAX_LINE_BYTES))?.toString('utf8') ?? '';
}

function hashOf(key: string): string {
  const bytes = new TextEncoder().encode(key);
  return [0, 1].map((seed) => checksum(bytes, seed).toString(16).padStart(8, '0')).join('');
}
