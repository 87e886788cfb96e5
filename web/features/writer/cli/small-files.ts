import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { SmallFile } from '../../../api/write';
import { sameContent, validatorOf } from '../../../io/node-direct-file';

/** Larger files are not read whole. */
const SMALL_BYTES = 1024 * 1024;

/** Opening a pipe would otherwise wait for a writer. Windows does not have it. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Returns a function that reads a small local file whole. It returns undefined for other files, and if anything fails:
 * opening them in the usual way then gives the error. Each call overwrites the bytes of the one before.
 */
export function smallFiles(): (path: string) => SmallFile | undefined {
  let memory = new Uint8Array(0);
  const read = (file: number): SmallFile | undefined => {
    const before = fstatSync(file);
    const { size } = before;
    if (!before.isFile() || size === 0 || size > SMALL_BYTES) return undefined;
    if (size > memory.length) memory = new Uint8Array(Math.min(2 * size, SMALL_BYTES));
    const bytes = memory.subarray(0, size);
    if (!isFilled(file, bytes) || !sameContent(before, fstatSync(file))) return undefined;
    return { bytes, validator: validatorOf(before) };
  };
  return (path) => {
    let file: number | undefined;
    try {
      file = openSync(path, FLAGS);
      return read(file);
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };
}

/** Returns false if the file ends before the array is full. */
function isFilled(file: number, bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; ) {
    const got = readSync(file, bytes, at, bytes.length - at, at);
    if (got === 0) return false;
    at += got;
  }
  return true;
}
