import { throwIfAborted } from '../base/abort';
import { XylemError } from '../base/errors';
import type { LocalCosts } from './link';
import { checkRead, pastTheEnd } from './ranges';
import type { ByteSource, Range } from './source';

/** Maximum number of simultaneous reads. More are not faster. */
const READS_AT_ONCE = 2;
/** Maximum number of ranges in one read. With more, each range costs the same. */
const RANGES_OF_A_READ = 64;
/**
 * Costs of the browser's messages to the process that reads the file. Only their ratios determine the gaps that are
 * read over, and these are nearly the same on slower machines; on a slower disk a read costs more, too.
 */
const COSTS: LocalCosts = { latencyMs: 0.8, bytesPerMs: 500_000, partMs: 0.35 };

/**
 * Reads slices of a Blob or File. The browser refuses to read a File that changed on disk since it was chosen; that
 * is FILE_CHANGED. A cancelled read is completed by the browser.
 */
export function createBlobSource(blob: Blob, name: string): ByteSource {
  const modified = 'lastModified' in blob ? `modified ${String(blob.lastModified)}` : undefined;

  /** Returns the bytes of the ranges, concatenated, by one read of a Blob that consists of them. */
  async function readTogether(
    ranges: readonly Range[],
    signal: AbortSignal | undefined,
    onAnswer: (() => void) | undefined,
  ): Promise<Uint8Array> {
    const slices = ranges.map(({ offset, length }) => {
      checkRead({ offset, length }, signal);
      if (offset >= blob.size) throw pastTheEnd(name, offset, length, blob.size);
      return blob.slice(offset, offset + length);
    });
    const [first = new Blob(), ...others] = slices;
    const wanted = others.length === 0 ? first : new Blob(slices);
    const offset = ranges[0]?.offset ?? 0;
    const buffer = await wanted.arrayBuffer().catch((thrown: unknown) => {
      throwIfAborted(signal);
      throw unreadable(name, offset, wanted.size, thrown);
    });
    onAnswer?.();
    throwIfAborted(signal);
    if (buffer.byteLength === wanted.size) return new Uint8Array(buffer);
    throw new XylemError({
      code: 'FILE_CHANGED',
      message: `${name}: ${buffer.byteLength} bytes came where ${wanted.size} were expected.`,
      where: { offset, length: wanted.size },
      fix: 'The file changed while it was being read. Choose it again.',
    });
  }

  return {
    name,
    concurrency: READS_AT_ONCE,
    costs: COSTS,
    origin: 'disk',
    maxParts: RANGES_OF_A_READ,
    read: (offset, length, signal, onAnswer) => readTogether([{ offset, length }], signal, onAnswer),
    async readParts(ranges, onPart, signal, onAnswer) {
      const bytes = await readTogether(ranges, signal, onAnswer);
      let from = 0;
      for (const [index, { length }] of ranges.entries()) {
        onPart(index, bytes.subarray(from, from + length));
        from += length;
      }
      return true;
    },
    info: () => ({ size: blob.size, validator: modified }),
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
