import { throwIfAborted } from '../base/abort';
import { XylemError } from '../base/errors';
import { systemCode } from '../base/io-error';
import { changed, directPath, sameContent, validatorOf } from './node-direct-file';
import { type NodeHandle, nodeCalls } from './node-handle';
import { publicText } from './public-text';
import { checkRead, endOf, pastTheEnd } from './ranges';
import type { ByteSource } from './source';

const READS_AT_ONCE = 4;
/** Small enough that the bytes are still in the processor cache when they are written. */
const COPY_BYTES = 1024 * 1024;

/**
 * Opens a local file. Each read checks that size and modification time are those at opening, so a file that is being
 * written gives FILE_CHANGED and never mixed content. Throws NOT_FOUND, ARGUMENT (not a file) or IO.
 */
export async function openNodeFile(path: string): Promise<ByteSource> {
  const file = await openChecked(path);
  const opened = await file.stat();
  let closed = false;
  return {
    name: path,
    concurrency: READS_AT_ONCE,
    origin: 'disk',
    copyBytes: COPY_BYTES,
    direct: directPath(path, opened),
    async read(offset, length, signal) {
      checkRead({ offset, length }, signal);
      if (closed) throw failure('IO', path, 'the file has been closed');
      if (offset >= opened.size) throw pastTheEnd(path, offset, length, opened.size);
      const bytes = new Uint8Array(Math.min(length, opened.size - offset));
      let got = 0;
      while (got < bytes.length) {
        const bytesRead = await reading(path, offset, () => file.read([bytes.subarray(got)], offset + got));
        throwIfAborted(signal);
        if (bytesRead === 0) break;
        got += bytesRead;
      }
      if (got < bytes.length || !sameContent(opened, await file.stat())) throw changed(path, offset, length);
      return bytes;
    },
    async readInto(ranges, signal) {
      const waiting = ranges.values();
      const work = async (): Promise<void> => {
        for (const range of waiting) {
          checkRead(range, signal);
          if (closed) throw failure('IO', path, 'the file has been closed');
          const { offset, length, parts } = range;
          if (endOf(range) > opened.size) throw pastTheEnd(path, offset, length, opened.size);
          if (!(await fill(file, path, offset, parts))) throw changed(path, offset, length);
        }
      };
      await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
      throwIfAborted(signal);
      if (!sameContent(opened, await file.stat())) throw changed(path, 0, opened.size);
    },
    async checkUnchanged() {
      if (!sameContent(opened, await file.stat())) throw changed(path, 0, opened.size);
    },
    info: () => ({ size: opened.size, validator: validatorOf(opened) }),
    async close() {
      closed = true;
      await file.close();
    },
  };
}

/** Fills arrays from an offset on. Returns false if the file ends before they are full. Throws IO. */
async function fill(
  file: NodeHandle,
  path: string,
  offset: number,
  parts: readonly Uint8Array[],
): Promise<boolean> {
  let left = parts;
  for (let at = offset; left.length > 0; ) {
    const bytesRead = await reading(path, at, () => file.read(left, at));
    if (bytesRead === 0) return false;
    at += bytesRead;
    left = behind(left, bytesRead);
  }
  return true;
}

/** Runs a read, and converts errors of the system to IO. */
async function reading(path: string, at: number, read: () => number | Promise<number>): Promise<number> {
  try {
    return await read();
  } catch (thrown) {
    throw failure('IO', path, `reading at offset ${at} failed (${systemCode(thrown) || thrown})`, thrown);
  }
}

/** Returns the arrays without their first bytes. */
function behind(parts: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes;
  for (const [i, part] of parts.entries()) {
    if (part.length > left) return [part.subarray(left), ...parts.slice(i + 1)];
    left -= part.length;
  }
  return [];
}

/** Checks the kind of a file before opening it, because opening a pipe would wait for a writer. */
async function openChecked(path: string): Promise<NodeHandle> {
  const calls = nodeCalls();
  try {
    const found = await calls.stat(path);
    if (!found.isFile()) {
      const what = found.isDirectory() ? 'a folder' : 'no regular file';
      throw failure('ARGUMENT', path, `this is ${what}`, undefined, 'Name a ROOT file.');
    }
    return await calls.open(path);
  } catch (thrown) {
    if (thrown instanceof XylemError) throw thrown;
    const code = systemCode(thrown) || String(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      // The path may be an address by mistake, which the message of the system repeats.
      const shown = publicText(path);
      const cause = shown === path ? thrown : undefined;
      throw failure('NOT_FOUND', shown, 'there is no such file', cause, 'Check the path for misspellings.');
    }
    if (code === 'EACCES' || code === 'EPERM') {
      throw failure('IO', path, 'you have no permission to read it', thrown, 'Ask its owner for access.');
    }
    throw failure('IO', path, `it cannot be opened (${code})`, thrown);
  }
}

function failure(
  code: 'ARGUMENT' | 'IO' | 'NOT_FOUND',
  path: string,
  what: string,
  cause?: unknown,
  fix?: string,
): XylemError {
  return new XylemError({ code, message: `${path}: ${what}.`, where: { path }, cause, fix });
}
