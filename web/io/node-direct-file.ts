import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { toXylemError, XylemError } from '../base/errors';
import type { DirectFile } from './source';

/** File properties that change when the file changes. */
interface FileState {
  size: number;
  mtimeMs: number;
}

/** Identifies a file as it was opened, for threads that read it themselves. */
interface DirectPath extends FileState {
  path: string;
}

export function directPath(path: string, { size, mtimeMs }: FileState): DirectPath {
  return { path: resolve(path), size, mtimeMs };
}

export function sameContent(opened: FileState, now: FileState): boolean {
  return opened.size === now.size && opened.mtimeMs === now.mtimeMs;
}

/** See `validator` of FileInfo. */
export const validatorOf = ({ mtimeMs }: Pick<FileState, 'mtimeMs'>): string => `mtime ${mtimeMs}`;

export function changed(path: string, offset: number, length: number): XylemError {
  return new XylemError({
    code: 'FILE_CHANGED',
    message: `${path}: the file was changed on disk after it was opened.`,
    where: { path, offset, length },
    fix: 'Open it again when nothing writes to it any more.',
  });
}

/** Number of files that a thread keeps open, because opening a file for each task would cost more than its reads. */
const MAX_OPEN = 4;

/** Time in ms after which an unused descriptor is closed. The file may be closed by then, or deleted. */
const REST_MS = 1000;

/** Opens files that are described by plain data, in any thread. */
export interface DirectOpener {
  (file: unknown): DirectFile;
  /** Closes all descriptors. A later read opens its file again. */
  close(): void;
}

/**
 * Opens in this thread the files that `ByteSource.direct` and `StoredExtents.direct` describe in Node: local files
 * (`directPath`) and packs of the cache. The most recently used local files stay open for a short time. `packs` is
 * called once, to create the opener for packs.
 */
export function directFiles(packs: () => (file: never) => DirectFile): DirectOpener {
  const open = new Map<string, number>();
  let ofPacks: ((file: never) => DirectFile) | undefined;
  let rest: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearTimeout(rest);
    rest = undefined;
    for (const descriptor of open.values()) closeSync(descriptor);
    open.clear();
  };
  const descriptorOf = (key: string, path: string): number => {
    const descriptor = open.get(key) ?? openSync(path, 'r');
    open.delete(key);
    open.set(key, descriptor);
    for (const [oldest, other] of open) {
      if (open.size <= MAX_OPEN) break;
      open.delete(oldest);
      closeSync(other);
    }
    // The timer does not keep the process alive.
    rest = rest?.refresh() ?? setTimeout(close, REST_MS).unref();
    return descriptor;
  };
  const openFile = (file: unknown): DirectFile => {
    if (isPath(file)) return openPath(file);
    ofPacks ??= packs();
    return ofPacks(file as never);
  };
  const openPath = (file: DirectPath): DirectFile => {
    const { path, size, mtimeMs } = file;
    const key = `${path}\n${size}\n${mtimeMs}`;
    // Requested for each read, because a task with many files closes those opened first.
    const descriptor = (): number => opened(path, () => descriptorOf(key, path));
    return {
      readInto(offset, target) {
        let got = 0;
        while (got < target.length) {
          const n = readAt(path, descriptor(), target, got, offset);
          if (n === 0) throw changed(path, offset, target.length);
          got += n;
        }
      },
      check() {
        const now = opened(path, () => fstatSync(descriptor()));
        if (!sameContent(file, now)) throw changed(path, 0, file.size);
      },
    };
  };
  return Object.assign(openFile, { close });
}

function isPath(file: unknown): file is DirectPath {
  return typeof file === 'object' && file !== null && 'path' in file;
}

function readAt(path: string, descriptor: number, target: Uint8Array, got: number, offset: number): number {
  try {
    return readSync(descriptor, target, got, target.length - got, offset + got);
  } catch (thrown) {
    throw unreadable(path, thrown);
  }
}

function unreadable(path: string, thrown: unknown): XylemError {
  const { message } = toXylemError(thrown);
  return new XylemError({ code: 'IO', message: `${path}: ${message}`, where: { path }, cause: thrown });
}

function opened<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw unreadable(path, thrown);
  }
}
