import { constants } from 'node:fs';
import {
  access,
  chmod,
  chown,
  type FileHandle,
  link,
  lstat,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { argumentError, XylemError } from '../base/errors';
import { ioError } from '../base/io-error';
import { isGone, ownProcess } from '../cache/node-plain';
import { isStream, keptText, type Replaces, whyKept } from './node-existing';
import { unfinished } from './node-unfinished';
import { writeAt } from './node-write-at';

/**
 * Writes the next bytes or text, or bytes at a position. Resolves when the system has them. Content without a
 * position follows the last such content.
 */
export type Put = (content: Uint8Array | string, at?: number) => Promise<void>;

/**
 * Writes a file that is not a ROOT file. A new or plain file gets its name when it is complete, and is removed after
 * a failure or a signal. Links are followed. Devices and pipes are written directly and never replaced. `replaces`
 * says which existing files are replaced: by default all but ROOT files. Throws IO, ARGUMENT for a file that is not
 * replaced, and the errors of `write`.
 */
export async function saveFile<T>(
  target: string,
  write: (put: Put) => Promise<T>,
  { replaces = 'others' }: { replaces?: Replaces | undefined } = {},
): Promise<T> {
  const failed = `"${target}" cannot be written`;
  const file = await openOutput(target, replaces).catch((thrown: unknown) => {
    throw ioError(failed, thrown, target);
  });
  const put: Put = async (content, at) => {
    try {
      if (at === undefined) await file.handle.appendFile(content);
      else await writeAt(file.handle, typeof content === 'string' ? Buffer.from(content) : content, at);
    } catch (thrown) {
      throw ioError(failed, thrown, target);
    }
  };
  try {
    const result = await write(put);
    await file.finish().catch((thrown: unknown) => {
      throw ioError(failed, thrown, target);
    });
    return result;
  } catch (thrown) {
    await file.drop();
    throw thrown;
  }
}

/** An output file that is open for writing. */
export interface OpenOutput {
  handle: FileHandle;
  /** Name by which the file can be read before it is complete; undefined for a stream. */
  path?: string;
  /** Gives the file its name. */
  finish(): Promise<void>;
  /** Removes the written bytes, unless the file already has its final name. */
  drop(): Promise<void>;
}

/**
 * Opens a file beside an existing one, and replaces that at the end. Throws FILE_CHANGED then if the existing file
 * was changed.
 */
export async function openReplacement(target: string): Promise<OpenOutput> {
  await access(target, constants.W_OK);
  const path = await realpath(target);
  const before = await stat(path);
  const output = await openBeside(path, before, true);
  return {
    ...output,
    async finish() {
      const { mtimeMs, size, ino } = await stat(path);
      if (mtimeMs === before.mtimeMs && size === before.size && ino === before.ino) return output.finish();
      throw new XylemError({
        code: 'FILE_CHANGED',
        message: `"${target}" was changed while it was read.`,
        fix: 'Write it anew when nothing else writes to it.',
      });
    },
  };
}

/** Opens a target: under a temporary name that is changed at the end, or directly. */
export async function openOutput(
  target: string,
  replaces: Replaces,
  fix = 'Name another file.',
): Promise<OpenOutput> {
  const there = await stat(target).catch(unlessMissing);
  const overwrites = replaces !== 'nothing';
  if (there === undefined) return openBeside(await behindLinks(target), undefined, overwrites);
  // Opening a folder fails. The target of /dev/stdout may already have content, which is kept.
  if (!there.isFile() || isStream(target)) return openThrough(target, 'a');
  const why = await whyKept(target, replaces);
  if (why !== undefined) throw argumentError(keptText(target, why), fix, { path: target });
  await access(target, constants.W_OK);
  const path = await realpath(target);
  try {
    // An empty file has nothing to lose.
    return await openBeside(path, there, true);
  } catch (thrown) {
    // The file itself may be written, but its folder may not.
    if (thrown instanceof Error && 'code' in thrown && LOCKED.includes(String(thrown.code)))
      return { ...(await openThrough(target, 'w')), path };
    throw thrown;
  }
}

const LOCKED = ['EACCES', 'EPERM', 'EROFS'];

function unlessMissing(thrown: unknown): undefined {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
  throw thrown;
}

/** Returns the target of a link that does not exist yet. The system limits the number of links in a chain. */
async function behindLinks(target: string): Promise<string> {
  let path = target;
  for (let i = 0; i < 40; i++) {
    const link = await lstat(path).catch(unlessMissing);
    if (!link?.isSymbolicLink()) break;
    path = resolve(dirname(path), await readlink(path));
  }
  return path;
}

async function openThrough(target: string, flags: 'a' | 'w'): Promise<OpenOutput> {
  const handle = await open(target, flags);
  const close = () => handle.close();
  return { handle, finish: close, drop: () => close().catch(() => {}) };
}

const UNFINISHED = '.unfinished';
/** Maximum characters of the name that are used, because file names have at most 255 bytes. */
const MAX_NAME = 50;

const startOf = (path: string): string => `.${basename(path).slice(0, MAX_NAME)}.`;

/** Removes temporary files of processes that were killed while they wrote this file and that have certainly ended. */
async function removeLeft(path: string): Promise<void> {
  // A shortened name may belong to another file.
  if (basename(path).length > MAX_NAME) return;
  const start = startOf(path);
  // If the folder cannot be listed, nothing can be removed.
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(start) || !name.endsWith(UNFINISHED)) continue;
    const [owner = '', random = '', ...more] = name.slice(start.length, -UNFINISHED.length).split('.');
    if (more.length > 0 || !/^[0-9a-f]{12}$/.test(random) || !isGone(owner)) continue;
    await rm(join(dirname(path), name), { force: true }).catch(() => {});
  }
}

/** Opens a new file with an unpredictable name, so that it never opens a file that somebody else created. */
async function openBeside(
  path: string,
  there: { mode: number; uid: number; gid: number } | undefined,
  overwrites: boolean,
): Promise<OpenOutput> {
  await removeLeft(path);
  const name = `${startOf(path)}${ownProcess()}.${crypto.randomUUID().slice(-12)}${UNFINISHED}`;
  const beside = join(dirname(path), name);
  await unfinished.add(beside);
  const handle = await open(beside, 'wx').catch((thrown: unknown) => {
    unfinished.drop(beside);
    throw thrown;
  });
  const drop = async (): Promise<void> => {
    await handle.close().catch(() => {});
    await rm(beside, { force: true }).catch(() => {});
    unfinished.drop(beside);
  };
  try {
    if (there !== undefined) {
      await chown(beside, there.uid, there.gid).catch(() => {});
      await chmod(beside, there.mode & 0o7777);
    }
  } catch (thrown) {
    await drop();
    throw thrown;
  }
  const finish = async (): Promise<void> => {
    // Content is on the disk before the name, so a power failure cannot leave a name without content.
    await handle.sync();
    await handle.close();
    await (overwrites ? rename(beside, path) : giveName(beside, path));
    unfinished.drop(beside);
  };
  return { handle, path: beside, finish, drop };
}

/** Renames a file. Throws EEXIST if another file has the name by now. */
export async function giveName(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (!WITHOUT_LINKS.includes(code)) throw thrown;
    // Not all file systems have hard links.
    if ((await lstat(to).catch(unlessMissing)) !== undefined)
      throw Object.assign(new Error(`${to} exists`), { code: 'EEXIST' });
    await rename(from, to);
    return;
  }
  await rm(from, { force: true });
}

const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];
