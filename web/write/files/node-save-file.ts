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
import { XylemError } from '../../base/errors';
import { ioError } from '../../base/io-error';
import { isGone, ownProcess } from '../../cache/node-plain';
import type { Sink } from '../sink';
import { isStream, keptText, type Replaces, sameAmong, whyKept } from './node-existing';
import { unfinished } from './node-unfinished';
import { writeAt } from './node-write-at';

/**
 * Takes the next bytes or text of a file, or bytes for a place in it; resolves when the system has them. What has no
 * place follows what was written last without one.
 */
export type Put = (content: Uint8Array | string, at?: number) => Promise<void>;

/**
 * Writes a file. A new or plain file gets its name when it is complete, and an incomplete one is removed
 * after a failure or a signal; links are followed. Devices and pipes are written directly, and never
 * replaced. `write` is also told under which name it can read the file meanwhile. `replaces` says which files of the name
 * are replaced: by default all but ROOT files. With "input", what is there is read until the new file is whole: then the
 * target must be a plain file, in a folder where another can be made. Throws IO, ARGUMENT for a file that is not replaced,
 * and the errors of `write`.
 */
export async function saveFile<T>(
  target: string,
  write: (put: Put, path: string | undefined) => Promise<T>,
  { replaces = 'others' }: { replaces?: Replaces | 'input' | undefined } = {},
): Promise<T> {
  const failed = `"${target}" cannot be written`;
  const opening = replaces === 'input' ? openReplacement(target) : openOutput(target, replaces);
  const file = await opening.catch((thrown: unknown) => {
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
    const result = await write(put, file.path);
    await file.finish().catch((thrown: unknown) => {
      throw ioError(failed, thrown, target);
    });
    return result;
  } catch (thrown) {
    await file.drop();
    throw thrown;
  }
}

/** Options of `fileSink`. */
export interface FileSinkOptions {
  /** A file of that name is replaced. Default: false, so that one with content is kept, and the error is ARGUMENT. */
  replace?: boolean | undefined;
}

/**
 * A file to write: it gets its name when it is whole. After a failure or a signal nothing is left. A file of that name is
 * kept unless `replace` is given, and never replaced where it is read for the new one. Its errors are IO, and ARGUMENT for
 * a file that is kept.
 */
export function fileSink(path: string, { replace = false }: FileSinkOptions = {}): Sink {
  const failed = `"${path}" cannot be written`;
  let opened: Promise<OpenOutput> | undefined;
  const typed = async <T>(run: (file: OpenOutput) => Promise<T>): Promise<T> => {
    try {
      opened ??= openOutput(
        path,
        replace ? 'all' : 'nothing',
        'Give fileSink { replace: true }, or another name.',
      );
      return await run(await opened);
    } catch (thrown) {
      throw ioError(failed, thrown, path);
    }
  };
  return {
    name: basename(path),
    async refuse(inputs) {
      const same = await sameAmong(path, inputs);
      if (same === undefined) return;
      throw new XylemError({
        code: 'ARGUMENT',
        message: `"${path}" is read for the new file, as "${same}", and cannot be written over.`,
        where: { path },
        fix: 'Give the new file another name.',
      });
    },
    write: (at, bytes) => typed(({ handle }) => writeAt(handle, bytes, at)),
    written: () =>
      // A device is read under its own name.
      typed(async (file) => ({ kind: 'path', path: file.path ?? path })),
    close: () => typed((file) => file.finish()),
    async abort() {
      await (await opened?.catch(() => undefined))?.drop();
    },
  };
}

interface OpenOutput {
  handle: FileHandle;
  /** The name of a file that is not written through. */
  path?: string;
  /** Gives the file its name. */
  finish(): Promise<void>;
  /** Removes the written bytes unless the file has its name. */
  drop(): Promise<void>;
}

/** Opens a file beside one that is there, which it replaces at the end. */
async function openReplacement(target: string): Promise<OpenOutput> {
  await access(target, constants.W_OK);
  const path = await realpath(target);
  return openBeside(path, await stat(path), true);
}

/** Opens a target: under another name, which is changed at the end, or directly. */
async function openOutput(
  target: string,
  replaces: Replaces,
  fix = 'Name another file.',
): Promise<OpenOutput> {
  const there = await stat(target).catch(unlessMissing);
  const overwrites = replaces !== 'nothing';
  if (there === undefined) return openBeside(await behindLinks(target), undefined, overwrites);
  // Opening a folder fails. The target of /dev/stdout may have content already, which must be kept.
  if (!there.isFile() || isStream(target)) return openThrough(target, 'a');
  const why = await whyKept(target, replaces);
  if (why !== undefined) {
    throw new XylemError({ code: 'ARGUMENT', message: keptText(target, why), where: { path: target }, fix });
  }
  await access(target, constants.W_OK);
  const path = await realpath(target);
  try {
    // An empty file has nothing to lose.
    return await openBeside(path, there, true);
  } catch (thrown) {
    // The file may be written, but no other file in its folder.
    if (thrown instanceof Error && 'code' in thrown && LOCKED.includes(String(thrown.code)))
      return openThrough(target, 'w');
    throw thrown;
  }
}

const LOCKED = ['EACCES', 'EPERM', 'EROFS'];

function unlessMissing(thrown: unknown): undefined {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
  throw thrown;
}

/** The target of a link that does not exist yet; the system limits the number of links in a row. */
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
/** Longer names are cut, because names have at most 255 bytes. */
const MAX_NAME = 50;

const startOf = (path: string): string => `.${basename(path).slice(0, MAX_NAME)}.`;

/** Removes what processes left that were killed while they wrote this file, and that surely have ended. */
async function removeLeft(path: string): Promise<void> {
  // A name that is cut may be that of another file.
  if (basename(path).length > MAX_NAME) return;
  const start = startOf(path);
  // Where the folder cannot be listed nothing can be removed.
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(start) || !name.endsWith(UNFINISHED)) continue;
    const [owner = '', random = '', ...more] = name.slice(start.length, -UNFINISHED.length).split('.');
    if (more.length > 0 || !/^[0-9a-f]{12}$/.test(random) || !isGone(owner)) continue;
    await rm(join(dirname(path), name), { force: true }).catch(() => {});
  }
}

/** Never follows a file that somebody else has put under the name: it is new, and cannot be guessed. */
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
    // A name that survives a loss of power belongs to content that does.
    await handle.sync();
    await handle.close();
    await (overwrites ? rename(beside, path) : giveName(beside, path));
    unfinished.drop(beside);
  };
  return { handle, path: beside, finish, drop };
}

/** Gives a file a name that no other file may have got meanwhile. Throws EEXIST where one has. */
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
