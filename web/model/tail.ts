import type { FileHeader } from '../core/file-core';
import { totalLength, union } from '../io/ranges';
import type { Range } from '../io/source';

/**
 * The second read starts this many bytes before the keys and streamer infos, because ROOT writes a tree's
 * record right before them, which is then mostly read in the same round trip.
 */
export const BEFORE_TAIL_BYTES = 256 * 1024;

/** The numbers of the header that place keys and streamer infos. */
type Places = Pick<FileHeader, 'seekKeys' | 'nbytesKeys' | 'seekInfo' | 'nbytesInfo' | 'nbytesFree' | 'end'>;

/** Where keys and streamer infos lie. */
export function metadataOf({ seekKeys, nbytesKeys, seekInfo, nbytesInfo, end }: Places): Range[] {
  return [
    { offset: seekKeys, length: nbytesKeys },
    { offset: seekInfo, length: nbytesInfo },
  ].flatMap(({ offset, length }) =>
    offset > 0 && offset < end && length > 0 ? [{ offset, length: Math.min(length, end - offset) }] : [],
  );
}

/**
 * The ranges that are read of them at first, with `before` bytes before what lies near the end. Each may lie anywhere: ROOT
 * puts them into free space of a file that is changed.
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

/** More is never read before the tail of a file because of another file. */
const MAX_BEFORE_TAIL = 16 * 1024 * 1024;
/** A record that is this much longer than expected is still read whole. */
const MARGIN = 1.05;
/** A longer file is expected to have a record at most this much longer. */
const MAX_GROWTH = 2;

/**
 * Where the trees of the last file begin, counted from its tail. The files of a list are mostly alike, so the second read
 * of the next one brings the records of its trees, however long they are.
 */
export class LastTrees {
  #last: { nbytesInfo: number; end: number; bytes: number } | undefined;

  /** Notes the records of all trees of a file that were opened. */
  note(header: Places, records: readonly Range[]): void {
    const tail = Math.min(...metadataOf(header).map(({ offset }) => offset));
    const before = union(records.filter(({ offset }) => offset < tail));
    const bytes = tail - (before[0]?.offset ?? tail);
    // Where something else lies between, the next file would be read for nothing.
    const dense = bytes <= totalLength(before) + BEFORE_TAIL_BYTES;
    const far = bytes > BEFORE_TAIL_BYTES && dense && bytes <= MAX_BEFORE_TAIL;
    this.#last = far ? { nbytesInfo: header.nbytesInfo, end: header.end, bytes } : undefined;
  }

  /** Whether these are more bytes than are read of any file. */
  get far(): boolean {
    return this.#last !== undefined;
  }

  /** Number of bytes to read before the tail of a file: more than usual when it has the same classes as the last one. */
  before({ nbytesInfo, end }: Places): number {
    const last = this.#last;
    if (last?.nbytesInfo !== nbytesInfo) return BEFORE_TAIL_BYTES;
    const bytes = Math.ceil(last.bytes * Math.min(MAX_GROWTH, end / last.end) * MARGIN);
    return Math.max(BEFORE_TAIL_BYTES, Math.min(MAX_BEFORE_TAIL, bytes));
  }
}
