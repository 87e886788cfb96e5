import { onAbort, throwIfAborted } from '../base/abort';
import { XylemError } from '../base/errors';
import { checkRead, pastTheEnd } from './ranges';
import type { ByteSource } from './source';

/** Each read costs the browser as much as reading half a megabyte, and more of them at once gain nothing. */
const READS_AT_ONCE = 2;

/**
 * Reads slices of a Blob or File. A File whose content on disk changed since it was chosen cannot be read any
 * more (the browser refuses); that is FILE_CHANGED.
 */
export function createBlobSource(blob: Blob, name: string): ByteSource {
  const modified = 'lastModified' in blob ? `modified ${String(blob.lastModified)}` : undefined;
  return {
    name,
    concurrency: READS_AT_ONCE,
    origin: 'disk',
    async read(offset, length, signal, onAnswer) {
      checkRead({ offset, length }, signal);
      if (offset >= blob.size) throw pastTheEnd(name, offset, length, blob.size);
      const slice = blob.slice(offset, offset + length);
      const bytes = new Uint8Array(slice.size);
      const got = await fill(bytes, slice, signal, onAnswer).catch((thrown: unknown) => {
        throwIfAborted(signal);
        throw unreadable(name, offset, slice.size, thrown);
      });
      throwIfAborted(signal);
      if (got === slice.size) return bytes;
      throw new XylemError({
        code: 'FILE_CHANGED',
        message: `${name}: ${got} bytes came where ${slice.size} were expected.`,
        where: { offset, length: slice.size },
        fix: 'The file changed while it was being read. Choose it again.',
      });
    },
    info: () => ({ size: blob.size, validator: modified }),
  };
}

/** Fills the target as the browser reads the Blob; returns the number of bytes that came. */
async function fill(
  target: Uint8Array,
  blob: Blob,
  signal: AbortSignal | undefined,
  onAnswer: (() => void) | undefined,
): Promise<number> {
  const stream = blob.stream().getReader();
  const stop = onAbort(signal, () => void stream.cancel().catch(() => {}));
  let got = 0;
  try {
    for (let next = await stream.read(); !next.done; next = await stream.read()) {
      if (got === 0) onAnswer?.();
      target.set(next.value, got);
      got += next.value.length;
    }
    return got;
  } finally {
    stop();
  }
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
