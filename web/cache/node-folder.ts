import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Range } from '../io/source';
import { checksum } from './checksum';
import type { ExtentStore, StoredFileId } from './extent-store';

// One folder for each file, named by a hash of its identity; in it one file for each extent, named
// OFFSET-LENGTH, which starts with a line of text: mark, offset, length, checksum, identity. Files
// are written beside and renamed, so that other processes see whole ones; the time of change is
// that of the last use. `name` holds the file's name for people.

const MARK = 'xylem-extent-1';
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
  /** Default 4 GB, and not more than a fifth of what is free on the disk. */
  maxBytes?: number | undefined;
}

/** A persistent cache in a folder, which several processes may share. */
export function createFolderStore(options: FolderOptions = {}): ExtentStore {
  const folder = options.folder ?? defaultCacheFolder();
  const extents = join(folder, 'extents-1');
  let notice: string | undefined;
  /** Bytes that are there, as far as this process knows. */
  let bytes: number | undefined;
  let limit: Promise<number> | undefined;
  let dropping: Promise<void> | undefined;

  const folderOf = (file: StoredFileId): string => join(extents, nameOf(file.key));
  const giveUp = (thrown: unknown): void => {
    notice ??= `The cache in ${folder} cannot be used (${codeOf(thrown)}); nothing is kept there.`;
  };

  function maxBytes(): Promise<number> {
    limit ??= (async () => {
      if (options.maxBytes !== undefined) return options.maxBytes;
      const disk = await statfs(folder).catch(() => undefined);
      return disk ? Math.min(DEFAULT_MAX_BYTES, disk.bavail * disk.bsize * LARGEST_SHARE) : DEFAULT_MAX_BYTES;
    })();
    return limit;
  }

  /** Drops what was used longest ago until so many bytes are left. */
  async function drop(target: number): Promise<void> {
    const all = (await entries(extents)).sort((a, b) => a.used - b.used);
    let left = all.reduce((sum, entry) => sum + entry.bytes, 0);
    for (const entry of all) {
      if (left <= target) break;
      await rm(entry.path, { force: true });
      left -= entry.bytes;
    }
    bytes = left;
  }

  async function makeRoom(): Promise<void> {
    const most = await maxBytes();
    if (bytes === undefined || bytes > most) {
      dropping ??= (bytes === undefined ? drop(most) : drop(most * AFTER_DROPPING)).finally(() => {
        dropping = undefined;
      });
      await dropping;
    }
  }

  return {
    async list(file) {
      const names = await readdir(folderOf(file)).catch(() => [] as string[]);
      return names.flatMap((name) => rangeOf(name) ?? []);
    },
    async get(file, range) {
      const path = join(folderOf(file), `${range.offset}-${range.length}`);
      const stored = await readFile(path).catch(() => undefined);
      if (!stored) return undefined;
      const found = unpack(stored, file, range);
      if (!found) {
        await rm(path, { force: true }).catch(giveUp);
        return undefined;
      }
      const now = new Date();
      // Another process may have dropped it meanwhile.
      await utimes(path, now, now).catch(() => {});
      return found;
    },
    async put(file, offset, content) {
      if (notice !== undefined || content.length > (await maxBytes())) return;
      const into = folderOf(file);
      const path = join(into, `${offset}-${content.length}`);
      const beside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
      try {
        if (!(await stat(join(into, 'name')).catch(() => undefined))) {
          await mkdir(into, { recursive: true, mode: 0o700 });
          await writeFile(join(into, 'name'), file.name);
        }
        const line = `${MARK} ${offset} ${content.length} ${checksum(content)} ${JSON.stringify(file.key)}\n`;
        await writeFile(beside, Buffer.concat([Buffer.from(line), content]));
        await rename(beside, path);
        if (bytes !== undefined) bytes += content.length;
        await makeRoom();
      } catch (thrown) {
        giveUp(thrown);
        await rm(beside, { force: true }).catch(() => {});
      }
    },
    async info() {
      const files = new Map<string, number>();
      for (const entry of await entries(extents)) {
        files.set(entry.folder, (files.get(entry.folder) ?? 0) + entry.bytes);
      }
      const list = await Promise.all(
        [...files].map(async ([name, size]) => ({
          name: await readFile(join(extents, name, 'name'), 'utf8').catch(() => name),
          bytes: size,
        })),
      );
      list.sort((a, b) => b.bytes - a.bytes);
      const total = list.reduce((sum, file) => sum + file.bytes, 0);
      return { place: folder, bytes: total, maxBytes: await maxBytes(), files: list, notice };
    },
    async clear() {
      bytes = undefined;
      await rm(extents, { recursive: true, force: true }).catch(giveUp);
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

function rangeOf(name: string): Range | undefined {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(name);
  return match ? { offset: Number(match[1]), length: Number(match[2]) } : undefined;
}

/** The bytes of an extent, when they are what was put for this file. */
function unpack(stored: Uint8Array, file: StoredFileId, range: Range): Uint8Array | undefined {
  const end = stored.indexOf(10);
  if (end < 0) return undefined;
  // Not a Buffer: its slices would be views.
  const bytes = new Uint8Array(stored.buffer, stored.byteOffset + end + 1, stored.length - end - 1);
  if (bytes.length !== range.length) return undefined;
  const line = new TextDecoder().decode(stored.subarray(0, end));
  const expected = `${MARK} ${range.offset} ${range.length} ${checksum(bytes)} ${JSON.stringify(file.key)}`;
  return line === expected ? bytes : undefined;
}

function nameOf(key: string): string {
  const bytes = new TextEncoder().encode(key);
  return [0, 1].map((seed) => checksum(bytes, seed).toString(16).padStart(8, '0')).join('');
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
}
