import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { checksum } from './checksum';
import { type ExtentStore, type Pack, packName, type StoredFileId } from './extent-store';
import { lineOf, MAX_LINE_BYTES, readLine, unpack } from './pack-file';

// One folder for each file, named by a hash of its identity; in it one file for each pack, as `pack-file.ts`
// says. Files are written beside and renamed, so that other processes see whole ones; the time of change is that
// of the last use. `name` holds the file's name for people, and its identity; `names` has the same by a hash of the
// name. `limit` beside the folders has the bound in bytes, where one was set.

const DEFAULT_MAX_BYTES = 4 * 1024 ** 3;
/** Of the disk's free space. */
const LARGEST_SHARE = 0.2;
/** After dropping extents so much of the bound is used, so that it is not done for each write. */
const AFTER_DROPPING = 0.9;

/** Where caches of this user belong, by the conventions of the system. */
export function defaultCacheFolder(environment = process.env, platform = process.platform): string {
  const { XDG_CACHE_HOME: named, LOCALAPPDATA: local } = environment;
  if (named && isAbsolute(named)) return join(named, 'xylem');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'xylem');
  if (platform === 'win32' && local) return join(local, 'xylem', 'cache');
  return join(homedir(), '.cache', 'xylem');
}

export interface FolderOptions {
  /** Default: a folder of this user's caches. */
  folder?: string | undefined;
  /** The bound where none was set by `limit`. Default 4 GB, and not more than a fifth of what is free on the disk. */
  maxBytes?: number | undefined;
}

/** A persistent cache in a folder, which several processes may share. */
export function createFolderStore(options: FolderOptions = {}): ExtentStore {
  const folder = options.folder ?? defaultCacheFolder();
  const extents = join(folder, 'packs-1');
  const names = join(folder, 'names');
  const limitPath = join(folder, 'limit');
  let notice: string | undefined;
  /** Bytes that are there, as far as this process knows. */
  let bytes: number | undefined;
  let limit: Promise<number> | undefined;
  /** Bytes that were written since the last look at the folder began: it may have missed them. */
  let added = 0;
  let dropping: Promise<void> | undefined;

  const folderOf = (file: StoredFileId): string => join(extents, nameOf(file.key));
  const giveUp = (thrown: unknown): void => {
    notice ??= `The cache in ${folder} cannot be used (${codeOf(thrown)}); nothing is kept there.`;
  };

  function maxBytes(): Promise<number> {
    limit ??= (async () => {
      const set = await readFile(limitPath, 'utf8').catch(() => '');
      if (/^\d{1,15}$/.test(set)) return Number(set);
      if (options.maxBytes !== undefined) return options.maxBytes;
      const disk = await statfs(folder).catch(() => undefined);
      return disk ? Math.min(DEFAULT_MAX_BYTES, disk.bavail * disk.bsize * LARGEST_SHARE) : DEFAULT_MAX_BYTES;
    })();
    return limit;
  }

  /** Drops what was used longest ago until so many bytes are left. */
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
    // What others write meanwhile counts as well.
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
      const text = await readFile(join(names, nameOf(wanted)), 'utf8').catch(() => '');
      const [name = '', key = ''] = text.split('\n');
      return name === wanted && key !== '' ? { key, name } : undefined;
    },
    async list(file) {
      const into = folderOf(file);
      const names = await readdir(into).catch(() => [] as string[]);
      const packs = await Promise.all(
        names.filter((name) => name !== 'name').map((name) => listed(into, name)),
      );
      return packs.flatMap((pack) => (pack ? [pack] : []));
    },
    async get(file, pack) {
      const path = join(folderOf(file), packName(pack));
      const stored = await readFile(path).catch(() => undefined);
      if (!stored) return undefined;
      const found = unpack(stored, file, pack);
      if (!found) {
        await rm(path, { force: true }).catch(giveUp);
        return undefined;
      }
      const now = new Date();
      // Another process may have dropped it meanwhile.
      await utimes(path, now, now).catch(() => {});
      return found;
    },
    async put(file, pack, parts) {
      const content = Buffer.concat(parts);
      if (notice !== undefined || content.length > (await maxBytes())) return;
      const into = folderOf(file);
      const path = join(into, packName(pack));
      const beside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
      try {
        if (!(await stat(join(into, 'name')).catch(() => undefined))) {
          await mkdir(into, { recursive: true, mode: 0o700 });
          await writeFile(join(into, 'name'), `${file.name}\n${file.key}`);
          await mkdir(names, { recursive: true, mode: 0o700 });
          await writeFile(join(names, nameOf(file.name)), `${file.name}\n${file.key}`);
        }
        await writeFile(beside, Buffer.concat([lineOf(file, pack, content), content]));
        await rename(beside, path);
        added += content.length;
        if (bytes !== undefined) bytes += content.length;
        await makeRoom();
      } catch (thrown) {
        giveUp(thrown);
        await rm(beside, { force: true }).catch(() => {});
      }
    },
    async info() {
      const files = new Map<string, { bytes: number; used: number }>();
      for (const { folder: name, bytes: size, used } of await entries(extents)) {
        const known = files.get(name);
        files.set(name, { bytes: (known?.bytes ?? 0) + size, used: Math.max(used, known?.used ?? 0) });
      }
      const list = await Promise.all(
        [...files].map(async ([hash, sums]) => {
          const text = await readFile(join(extents, hash, 'name'), 'utf8').catch(() => hash);
          const [name = hash, key = ''] = text.split('\n');
          return { key, name, ...sums };
        }),
      );
      list.sort((a, b) => b.bytes - a.bytes);
      const total = list.reduce((sum, file) => sum + file.bytes, 0);
      return { place: folder, bytes: total, maxBytes: await maxBytes(), files: list, notice };
    },
    async clear(file) {
      bytes = undefined;
      const paths = file === undefined ? [extents, names] : [join(extents, nameOf(file))];
      for (const path of paths) await rm(path, { recursive: true, force: true }).catch(giveUp);
    },
    async limit(most) {
      try {
        if (most === undefined) await rm(limitPath, { force: true });
        else {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await writeFile(limitPath, String(most));
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
  /** ms since 1970. */
  used: number;
}

async function entries(extents: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const folder of await readdir(extents).catch(() => [] as string[])) {
    for (const name of await readdir(join(extents, folder)).catch(() => [] as string[])) {
      if (name === 'name') continue;
      const path = join(extents, folder, name);
      const info = await stat(path).catch(() => undefined);
      if (info) found.push({ path, folder, bytes: info.size, used: info.mtimeMs });
    }
  }
  return found;
}

/** The ranges that a file of a pack names; undefined for anything else. */
async function listed(folder: string, name: string): Promise<Pack | undefined> {
  const plain = /^(\d{1,15})-(\d{1,15})$/.exec(name);
  if (plain) return [{ offset: Number(plain[1]), length: Number(plain[2]) }];
  if (!/^\d+-\d+-\d+-[0-9a-f]+$/.test(name)) return undefined;
  try {
    const file = await open(join(folder, name));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(MAX_LINE_BYTES), 0, MAX_LINE_BYTES, 0);
      return readLine(buffer.subarray(0, bytesRead))?.pack;
    } finally {
      await file.close();
    }
  } catch {
    // Dropped by another process, or damaged: its ranges are fetched again.
    return undefined;
  }
}

function nameOf(key: string): string {
  const bytes = new TextEncoder().encode(key);
  return [0, 1].map((seed) => checksum(bytes, seed).toString(16).padStart(8, '0')).join('');
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
}
