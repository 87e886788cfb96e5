import type { FileHeader } from '../core/file-core';
import { totalLength } from '../io/ranges';
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

/** The ranges that are read of them at first. Each may lie anywhere: ROOT puts them into free space of a file that is changed. */
export function tailOf(header: Places): Range[] {
  const { end, nbytesFree } = header;
  const parts = metadataOf(header);
  const room = BEFORE_TAIL_BYTES + Math.max(0, nbytesFree) + totalLength(parts);
  const far = parts.filter(({ offset }) => end - offset > room);
  const near = parts.filter((part) => !far.includes(part));
  if (near.length === 0) return far;
  const from = Math.max(0, Math.min(...near.map(({ offset }) => offset)) - BEFORE_TAIL_BYTES);
  return [...far, { offset: from, length: end - from }];
}
