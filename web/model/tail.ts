import type { FileHeader } from '../core/file-core';
import { totalLength, union } from '../io/ranges';
import type { Range, SourceFacts } from '../io/source';

/** Size of the first read. It contains a small file completely; the header needs a few hundred bytes. */
export const HEAD_BYTES = 64 * 1024;
/** The most bytes of a local file that is read whole at once. */
const WHOLE_BYTES = 256 * 1024;

/** Returns the size of the first read of a file. */
export function firstBytes(source: SourceFacts): number {
  const { size = 0 } = source.info();
  return source.origin === 'disk' && size <= WHOLE_BYTES ? Math.max(size, HEAD_BYTES) : HEAD_BYTES;
}

/**
 * The second read starts this many bytes before the keys and streamer infos. ROOT writes a tree's record right before
 * them, so it is usually read in the same round trip.
 */
export const BEFORE_TAIL_BYTES = 256 * 1024;

/** The numbers in the header that locate keys and streamer infos. */
type Places = Pick<FileHeader, 'seekKeys' | 'nbytesKeys' | 'seekInfo' | 'nbytesInfo' | 'nbytesFree' | 'end'>;

/** Returns the ranges of keys and streamer infos. */
export function metadataOf({ seekKeys, nbytesKeys, seekInfo, nbytesInfo, end }: Places): Range[] {
  return [
    { offset: seekKeys, length: nbytesKeys },
    { offset: seekInfo, length: nbytesInfo },
  ].flatMap(({ offset, length }) =>
    offset > 0 && offset < end && length > 0 ? [{ offset, length: Math.min(length, end - offset) }] : [],
  );
}

/**
 * Returns the ranges of keys and streamer infos that are read first. If they are near the end of the file, `before`
 * more bytes before them are included. In a modified file ROOT puts them into free space, so they may be anywhere.
 */
export function tailOf(header: Places, before = BEFORE_TAIL_BYTES): Range[] {
  const { end, nbytesFree } = header;
  const parts = metadataOf(header);
  const room = BEFORE_TAIL_BYTES + Math.max(0, nbytesFree) + totalLength(parts);
  const far = parts.filter(({ offset }) => end - offset > room);
  const near = parts.filter((part) => !far.includes(part));
  if (near.length === 0) return far;
  const from = Math.max(0, Math.min(...near.map(({ offset }) => offset)) - before);
  return [...far, { offset: from, length: end - from }];
}

/** Maximum number of bytes that are read before the tail of a file because of an earlier file. */
const MAX_BEFORE_TAIL = 16 * 1024 * 1024;
/** Factor by which a record may be longer than expected and still be read whole. */
const MARGIN = 1.05;
/** Maximum factor by which the record is expected to grow in a longer file. */
const MAX_GROWTH = 2;

/**
 * Positions of the trees of the last file, relative to its tail. The files of a list are mostly similar, so the
 * second read of the next file includes the records of its trees, whatever their length.
 */
export class LastTrees {
  #last: { nbytesInfo: number; end: number; bytes: number } | undefined;

  /** Stores the records of all trees that were opened in a file. */
  note(header: Places, records: readonly Range[]): void {
    const tail = Math.min(...metadataOf(header).map(({ offset }) => offset));
    const before = union(records.filter(({ offset }) => offset < tail));
    const bytes = tail - (before[0]?.offset ?? tail);
    // If other data are between them, reading them would be useless for the next file.
    const dense = bytes <= totalLength(before) + BEFORE_TAIL_BYTES;
    const far = bytes > BEFORE_TAIL_BYTES && dense && bytes <= MAX_BEFORE_TAIL;
    this.#last = far ? { nbytesInfo: header.nbytesInfo, end: header.end, bytes } : undefined;
  }

  /** Whether this is more than is usually read before a tail. */
  get far(): boolean {
    return this.#last !== undefined;
  }

  /**
   * Returns the number of bytes to read before the tail of a file. More than usual if it has the same classes as the
   * last one.
   */
  before({ nbytesInfo, end }: Places): number {
    const last = this.#last;
    if (last?.nbytesInfo !== nbytesInfo) return BEFORE_TAIL_BYTES;
    const bytes = Math.ceil(last.bytes * Math.min(MAX_GROWTH, end / last.end) * MARGIN);
    return Math.max(BEFORE_TAIL_BYTES, Math.min(MAX_BEFORE_TAIL, bytes));
  }
}
