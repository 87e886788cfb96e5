import { XylemError } from '../base/errors';
import { type ExtentStore, openStoredExtents, type StoredFileId } from '../cache/extent-store';
import { endOf, subtract, union } from '../io/ranges';
import type { Reader } from '../io/reader';
import type { ByteSource, Range } from '../io/source';
import type { StoredExtents } from '../io/stored';
import type { CallOptions } from './api';
import { throttle } from './throttle';

/** So much is asked for, and written, as one. */
const BLOCK_BYTES = 4 * 1024 * 1024;
/** Bytes that may have come and are not written yet. */
const AHEAD_BYTES = 32 * 1024 * 1024;

/**
 * Fetches what is missing of a file's `size` bytes into the persistent cache. Until all of it is
 * there the file is read from where it lies, and also when this fails. Throws BUDGET for a file that
 * does not fit, IO when the cache does not take it, and what reading throws.
 */
export async function keepWhole(
  reader: Reader,
  store: ExtentStore,
  extents: StoredExtents,
  size: number,
  options: CallOptions,
): Promise<void> {
  const { name } = reader.source;
  const before = await store.info();
  if (size > before.maxBytes) {
    throw new XylemError({
      code: 'BUDGET',
      message: `${name} has ${size} bytes, and no more than ${before.maxBytes} are kept on this machine.`,
      fix: before.notice ?? 'Free some space on the disk, or read the file from where it lies.',
    });
  }
  const blocks: Range[] = [];
  for (let offset = 0; offset < size; offset += BLOCK_BYTES) {
    blocks.push({ offset, length: Math.min(BLOCK_BYTES, size - offset) });
  }
  const missing = (range: Range): Range[] => subtract([range], union(extents.find([range])));
  const report = throttle(options.onProgress);
  let bytesDone = 0;
  await reader.stream(blocks, {
    signal: options.signal,
    purpose: 'keep offline',
    aheadBytes: AHEAD_BYTES,
    onBytes: (bytes) => {
      bytesDone += bytes;
      const progress = { bytesDone, bytesTotal: size, entriesDone: 0, entriesTotal: 0 };
      report(() => ({ label: `Keeping ${name} on this machine`, ...progress }));
    },
    onRange: async (index, bytes) => {
      const block = blocks[index] as Range;
      await reader.prove(options.signal);
      // What came from memory was not written with what came over the network.
      for (const { offset, length } of missing(block)) {
        const at = offset - block.offset;
        extents.save(offset, bytes.subarray(at, at + length));
      }
      await extents.flush();
    },
  });
  const there = union(await store.list(extents.file).then((packs) => packs.flat()));
  const [lost] = subtract([{ offset: 0, length: size }], there);
  if (!lost) return;
  throw new XylemError({
    code: 'IO',
    message: `Not all of ${name} is kept: bytes ${lost.offset} to ${endOf(lost)} are missing.`,
    fix: (await store.info()).notice ?? 'Other files may have taken the space: clear them and try again.',
  });
}

/** What may be read of a file while its server cannot be reached, newest first. */
export async function keptFiles(
  store: ExtentStore,
  source: ByteSource,
  origin: string,
): Promise<StoredFileId[]> {
  const { files } = await store.info();
  return files
    .filter(({ name, key }) => name === source.name && key.startsWith(`${origin} | `))
    .sort((a, b) => b.used - a.used);
}

/** The extents of a kept file, and a source that has nothing else: what is kept is not mixed with news. */
export async function openKept(
  store: ExtentStore,
  file: StoredFileId,
  source: ByteSource,
  cause: XylemError,
): Promise<{ source: ByteSource; extents: StoredExtents }> {
  return {
    extents: await openStoredExtents(store, file),
    source: {
      name: source.name,
      concurrency: 1,
      ...(source.origin && { origin: source.origin }),
      info: () => ({}),
      read: async (offset, length) => {
        throw new XylemError({
          code: 'NETWORK',
          message: `${source.name}: bytes ${offset} to ${offset + length} are not kept on this machine, and the server could not be reached when the file was opened.`,
          where: { offset, length },
          fix: 'Open the file again when the server can be reached.',
          cause,
        });
      },
    },
  };
}
