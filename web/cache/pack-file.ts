import { totalLength } from '../io/ranges';
import { checksum } from './checksum';
import type { Pack, StoredFileId } from './extent-store';

const MARK = 'xylem-pack-1';

/** The line with which the file of a pack begins. */
export function lineOf(file: StoredFileId, pack: Pack, content: Uint8Array): string {
  const numbers = pack.flatMap(({ offset, length }) => [offset, length]);
  return JSON.stringify([MARK, file.key, checksum(content), ...numbers]);
}

/** The bytes of a pack, when they are what was put for this file. */
export function unpack(stored: Uint8Array, file: StoredFileId, pack: Pack): Uint8Array | undefined {
  const end = stored.indexOf(10);
  if (end < 0) return undefined;
  // Not a Buffer: its slices would be views.
  const bytes = new Uint8Array(stored.buffer, stored.byteOffset + end + 1, stored.length - end - 1);
  if (bytes.length !== totalLength(pack)) return undefined;
  return new TextDecoder().decode(stored.subarray(0, end)) === lineOf(file, pack, bytes) ? bytes : undefined;
}
