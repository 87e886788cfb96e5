import { raceAbort } from '../base/abort';
import { XylemError } from '../base/errors';
import { checkRead, pastTheEnd } from './ranges';
import type { ByteSource, DirectFile } from './source';

/** Exists in workers: reads a Blob without waiting. */
declare const FileReaderSync: { new (): { readAsArrayBuffer(blob: Blob): ArrayBuffer } } | undefined;

/**
 * Reads slices of a Blob or File. A File whose content on disk changed since it was chosen cannot be read any
 * more (the browser refuses); that is FILE_CHANGED.
 */
export function createBlobSource(blob: Blob, name: string): ByteSource {
  const modified = 'lastModified' in blob ? `modified ${String(blob.lastModified)}` : undefined;
  return {
    name,
    concurrency: 4,
    origin: 'disk',
    // Only workers can read without waiting; a Blob can be sent to them.
    direct: typeof FileReaderSync === 'function' ? blob : undefined,
    async read(offset, length, signal) {
      checkRead({ offset, length }, signal);
      if (offset >= blob.size) throw pastTheEnd(name, offset, length, blob.size);
      const slice = blob.slice(offset, offset + length);
      const buffer = await raceAbort(
        slice.arrayBuffer().catch((thrown: unknown) => {
          throw unreadable(name, offset, slice.size, thrown);
        }),
        signal,
      );
      if (buffer.byteLength === slice.size) return new Uint8Array(buffer);
      throw new XylemError({
        code: 'FILE_CHANGED',
        message: `${name}: ${buffer.byteLength} bytes came where ${slice.size} were expected.`,
        where: { offset, length: slice.size },
        fix: 'The file changed while it was being read. Choose it again.',
      });
    },
    info: () => ({ size: blob.size, validator: modified }),
  };
}

/**
 * A read of a Blob takes about as long as reading this many bytes of it, so reads closer than that are made
 * as one.
 */
const AHEAD_BYTES = 1024 * 1024;

/**
 * Reads Blobs at once, in a worker. Reads that follow each other closely come from one read of the browser,
 * which does not go beyond `end`, because the bytes after it belong to another task.
 */
export function blobFiles(file: unknown, end: number): DirectFile {
  const blob = file as Blob;
  const name = 'name' in blob ? String(blob.name) : 'The file';
  let at = 0;
  let here = new Uint8Array(0);
  const load = (offset: number, length: number): void => {
    if (!FileReaderSync) throw new Error('Only workers read without waiting.');
    here = new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob.slice(offset, offset + length)));
    at = offset;
  };
  return {
    readInto(offset, target) {
      const { length } = target;
      const gap = offset - at - here.length;
      try {
        const known = offset >= at && offset + length <= at + here.length;
        const close = here.length > 0 && gap >= 0 && gap < AHEAD_BYTES;
        if (!known) load(offset, close ? Math.max(length, Math.min(AHEAD_BYTES, end - offset)) : length);
        const part = here.subarray(offset - at, offset - at + length);
        if (part.length < length) throw pastTheEnd(name, offset, length, blob.size);
        target.set(part);
      } catch (thrown) {
        throw thrown instanceof XylemError ? thrown : unreadable(name, offset, length, thrown);
      }
    },
    // The browser refuses to read a Blob of a file that was changed.
    check: () => {},
  };
}

function unreadable(name: string, offset: number, length: number, thrown: unknown): XylemError {
  const kind = thrown instanceof Error ? thrown.name : '';
  const changed = kind === 'NotReadableError' || kind === 'NotFoundError';
  return new XylemError({
    code: changed ? 'FILE_CHANGED' : 'IO',
    message: changed
      ? `${name}: the file can no longer be read; it was changed, moved or removed since it was opened.`
      : `${name}: the browser could not read ${length} bytes at offset ${offset}.`,
    where: { offset, length },
    fix: 'Choose the file again.',
    cause: thrown,
  });
}
