import type { Reading } from '../../../../api/reading';
import { formatBytes, formatCount } from '../../../../base/format';
import type { Range } from '../../../../io/source';
import { perfReads, type TraceFormat, textOf, unreadable } from './format';

/** The only version that XCache writes since XRootD 5. */
const VERSION = 4;
/** Version, block size, file size, two times, number of accesses, status, number of access records, checksum. */
const HEAD_BYTES = 56;

/**
 * The `.cinfo` file that XCache keeps beside each file. It lists which blocks the cache has. (XrdPfcInfo, version 4:
 * little-endian numbers, then a bit for each block, the lowest bit first.)
 */
export const cinfoFormat: TraceFormat = {
  name: 'a .cinfo file of XCache',
  sniff: ({ name, bytes }) =>
    /\.cinfo$/.test(name) ||
    (bytes.length >= HEAD_BYTES && bytes[0] === VERSION && isBlockSize(wordsOf(bytes))),
  read(trace) {
    const { bytes, name } = trace;
    const words = wordsOf(bytes);
    if (bytes.length < HEAD_BYTES || words.getInt32(0, true) !== VERSION) {
      throw unreadable(trace, `it is no .cinfo file of version ${VERSION}`);
    }
    const block = Number(words.getBigInt64(4, true));
    const size = Number(words.getBigInt64(12, true));
    const count = Math.ceil(size / block);
    if (!isBlockSize(words) || size < 0 || HEAD_BYTES + Math.ceil(count / 8) > bytes.length) {
      throw unreadable(trace, 'its sizes do not fit together');
    }
    const ranges: Range[] = [];
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if ((((bytes[HEAD_BYTES + (i >> 3)] ?? 0) >> (i & 7)) & 1) === 0) continue;
      kept++;
      trace.count(1);
      const last = ranges.at(-1);
      const length = Math.min(block, size - i * block);
      if (last !== undefined && last.offset + last.length === i * block) last.length += length;
      else ranges.push({ offset: i * block, length });
    }
    const reads = perfReads(
      ranges.map((range) => ({ ranges: [range], origin: 'store', started: 0, done: 0 })),
    );
    return [
      {
        by: 'XCache',
        file: name.replace(/\.cinfo$/, ''),
        size,
        reads,
        facts: [
          ['Block size', formatBytes(block)],
          ['Blocks in the cache', `${formatCount(kept)} of ${formatCount(count)}`],
          ['Accesses', formatCount(words.getInt32(36, true))],
        ],
      },
    ];
  },
};

function wordsOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** XCache allows blocks of 4 kB to 512 MB, in multiples of 4 kB. */
function isBlockSize(words: DataView): boolean {
  const block = words.getBigInt64(4, true);
  return block >= 4096n && block <= 2n ** 29n && block % 4096n === 0n;
}

/**
 * The monitoring of XCache (g-stream "C", `send json`): one line for each closed file. It has the bytes from the
 * cache and from the origin, but no ranges.
 */
export const gstreamFormat: TraceFormat = {
  name: 'the monitoring of XCache (g-stream as JSON)',
  sniff: ({ head }) => head.includes('"event":"file_close"') && head.includes('"b_hit"'),
  read(trace) {
    const readings: Reading[] = [];
    for (const line of trace.lines()) {
      const at = line.indexOf('{"event"');
      if (at < 0) continue;
      const event = eventOf(line.slice(at));
      if (event === undefined) continue;
      const number = (name: string): number => (typeof event[name] === 'number' ? event[name] : 0);
      readings.push({
        by: 'XCache',
        file: textOf(event.lfn),
        size: number('size'),
        reads: [],
        facts: [
          ['Read from the cache', formatBytes(number('b_hit'))],
          ['Read from the origin', formatBytes(number('b_miss'))],
          ['Read beside the cache', formatBytes(number('b_bypass'))],
          ['Block size', formatBytes(number('blk_size'))],
          [
            'Blocks in the cache',
            `${formatCount(number('n_blks_done'))} of ${formatCount(number('n_blks'))}`,
          ],
          ['Open for', `${formatCount(number('detach_t') - number('attach_t'))} s`],
        ],
      });
    }
    if (readings.length === 0) throw unreadable(trace, 'no file in it was closed');
    return readings;
  },
};

function eventOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // A datagram may end within a line.
  }
}
