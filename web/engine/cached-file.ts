import type { CallOptions } from '../api/api';
import { overBudget } from '../base/data-errors';
import { XylemError } from '../base/errors';
import type { ExtentStore } from '../cache/extent-store';
import type { ByteReader } from '../io/fetch/reader';
import { endOf, subtract, union } from '../io/ranges';
import type { Range } from '../io/source';
import type { StoredExtents } from '../io/stored';
import { throttle } from '../pass/throttle';

/** Size of one read and one write. */
const BLOCK_BYTES = 4 * 1024 * 1024;
/** Limit on bytes that were read and are not written. */
const AHEAD_BYTES = 32 * 1024 * 1024;

/**
 * Fetches the missing bytes of a file into the persistent cache. Until all `size` bytes are there, and when
 * this fails, the file is read from its source. Throws BUDGET for a file that does not fit, IO when the cache
 * does not take it, and the errors of reading.
 */
export async function keepWhole(
  reader: ByteReader,
  store: ExtentStore,
  extents: StoredExtents,
  size: number,
  options: CallOptions,
): Promise<void> {
  const { name } = reader.source;
  const before = await store.info();
  if (size > before.maxBytes) {
    throw overBudget(
      `${name} has ${size} bytes, and no more than ${before.maxBytes} are kept on this machine.`,
      before.notice ?? 'Free some space on the disk, or read the file from where it lies.',
    );
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
      await reader.verifyUnchanged(options.signal);
      // Bytes from memory are not written with those from the network.
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
