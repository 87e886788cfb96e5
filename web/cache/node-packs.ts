import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { toXylemError, XylemError } from '../base/errors';
import { ByteLru } from '../base/lru';
import { totalLength } from '../io/ranges';
import type { DirectFile } from '../io/source';
import { type DirectPacks, eachPiece, type Pack } from './extent-store';
import { readPlainNow } from './node-plain';
import { MAX_LINE_BYTES, unpack } from './pack-file';

/**
 * Size in bytes of each thread's cache of packs that were read and verified, because neighbouring ranges are requested
 * next.
 */
const AT_HAND_BYTES = 32 * 1024 * 1024;

/**
 * Returns a function that opens the packs of a cache folder in this thread, from `StoredExtents.direct`. Reading throws
 * IO if a pack is missing or damaged.
 */
export function packFiles(): (file: DirectPacks) => DirectFile {
  const atHand = new ByteLru<string, Uint8Array>(AT_HAND_BYTES);
  /** The pack that was read last. It is usually needed again. */
  let last: { file: DirectPacks; number: number; bytes: Uint8Array } | undefined;

  function bytesOf(file: DirectPacks, number: number): Uint8Array {
    if (last?.file !== file || last.number !== number) last = { file, number, bytes: load(file, number) };
    return last.bytes;
  }

  function load({ folder, key, packs }: DirectPacks, number: number): Uint8Array {
    const { name = '', ranges } = packs[number] ?? {};
    const id = `${folder}\n${name}\n${key}`;
    const before = atHand.get(id);
    if (before) return before;
    const path = join(folder, name);
    const pack = packOf(ranges);
    const bytes = unpack(readPlainNow(path, MAX_LINE_BYTES + totalLength(pack)), key, pack);
    if (!bytes) throw new Error('its checksum is another one');
    const now = new Date();
    utimesSync(path, now, now);
    atHand.set(id, bytes, bytes.length);
    return bytes;
  }

  return (file) => ({
    readInto(offset, target) {
      let got = 0;
      try {
        eachPiece(file.extents, offset, target.length, (pack, at, length) => {
          target.set(bytesOf(file, pack).subarray(at, at + length), got);
          got += length;
        });
      } catch (thrown) {
        throw unreadable(offset, target.length, thrown);
      }
      if (got < target.length) throw unreadable(offset, target.length, new Error('not all of it is kept'));
    },
    // Packs do not change, and were verified when they were read.
    check() {},
  });
}

function packOf(numbers: Float64Array | undefined): Pack {
  if (!numbers) return [];
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({
    offset: numbers[2 * i] ?? 0,
    length: numbers[2 * i + 1] ?? 0,
  }));
}

function unreadable(offset: number, length: number, thrown: unknown): XylemError {
  return new XylemError({
    code: 'IO',
    message: `Bytes ${offset} to ${offset + length} cannot be read from the cache: ${toXylemError(thrown).message}`,
    where: { offset, length },
    cause: thrown,
  });
}
