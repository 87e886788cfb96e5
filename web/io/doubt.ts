import { isOtherContent } from '../base/codes';
import { tableCrc32 } from '../base/crc32';
import { type ErrorCode, type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import type { ExtentCache } from './extents';
import type { ByteReader, ReadOptions } from './fetch/reader';
import { endOf } from './ranges';
import type { Range } from './source';

// A server, a proxy or a cache on the way may send wrong bytes for a moment, with correct headers. They are noticed
// when they are decoded. They are then read once more from the source before an error is reported, and are never
// kept.

/** Facts about bytes that could not be decoded. */
export interface Doubt {
  /** Whether they came over a network, so that reading them once more may help. */
  again: boolean;
  /** A checksum of the bytes, to compare with the next attempt; undefined if they were not in memory. */
  sum: number | undefined;
}

const DAMAGED = new Set<ErrorCode>(['CHECKSUM', 'COMPRESSION', 'CORRUPT', 'NOT_ROOT', 'TRUNCATED']);

const ODD = new Set<ErrorCode>(['NO_STREAMER', 'UNSUPPORTED']);

/** Whether a decoding error may be caused by wrong bytes. */
export function isDamage({ code }: Pick<ErrorRecord, 'code'>): boolean {
  return DAMAGED.has(code);
}

/** Returns a checksum of the bytes of ranges in memory; undefined if not all are. */
export function sumOf(ranges: readonly Range[], cache: ExtentCache): number | undefined {
  let sum = 0;
  for (const range of ranges) {
    let at = range.offset;
    for (const { offset, bytes } of cache.find(range)) {
      if (offset > at) return undefined;
      const part = bytes.subarray(at - offset, endOf(range) - offset);
      sum = tableCrc32(part, sum);
      at += part.length;
    }
    if (at < endOf(range)) return undefined;
  }
  return sum;
}

/**
 * Reads ranges and decodes them. If they are damaged and came over a network, they are read and decoded once more.
 * Throws the errors of reading and of `decode`, which is called with the bytes of each range, possibly again after it
 * failed. `reading` is the first read, if it is already running.
 */
export async function readSound<T>(
  reader: ByteReader,
  ranges: readonly Range[],
  options: ReadOptions,
  decode: (bytes: Uint8Array[]) => T,
  reading = reader.read(ranges, options),
): Promise<T> {
  const bytes = await reading;
  try {
    return decode(bytes);
  } catch (thrown) {
    const error = toXylemError(thrown);
    // Bytes that are not understood may also be wrong, so the next attempt requests them again.
    if (!isDamage(error) && !ODD.has(error.code)) throw thrown;
    const first = reader.distrust(ranges);
    if (!first.again || !isDamage(error)) throw thrown;
    const again = await readAgain(reader, ranges, options, error);
    try {
      return decode(again);
    } catch (second) {
      const still = toXylemError(second);
      throw isDamage(still) ? readTwice(still, first, reader.distrust(ranges)) : second;
    }
  }
}

/** Throws ABORTED and FILE_CHANGED; throws the damage if the bytes cannot be read again. */
async function readAgain(
  reader: ByteReader,
  ranges: readonly Range[],
  options: ReadOptions,
  damage: XylemError,
): Promise<Uint8Array[]> {
  try {
    return await reader.read(ranges, options);
  } catch (thrown) {
    const error = toXylemError(thrown);
    throw error.code === 'ABORTED' || isOtherContent(error.code) ? error : notAgain(damage, error);
  }
}

/** Adds to the error of damaged bytes that they could not be read again. */
export function notAgain<E extends ErrorRecord | XylemError>(damage: E, why: XylemError): XylemError {
  return extended(damage, `They could not be read again: ${why.message}`, why.fix);
}

/**
 * Adds to the error of damaged bytes that they were read twice. `first` and `second` are the facts of both attempts.
 */
export function readTwice(damage: ErrorRecord | XylemError, first: Doubt, second: Doubt): XylemError {
  if (first.sum === undefined || second.sum === undefined)
    return extended(damage, 'It was read from the server twice.');
  if (first.sum === second.sum)
    return extended(damage, 'It was read from the server twice, and was the same both times.');
  return extended(
    damage,
    'It was read from the server twice, and was not the same.',
    'The server, or something on the way, changes bytes: try again later, or over another network.',
  );
}

function extended(damage: ErrorRecord | XylemError, text: string, fix = damage.fix): XylemError {
  const { code, message, where, cause } = damage;
  return new XylemError({ code, message: `${message} ${text}`, where, fix, cause });
}
