import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import { column, type Report } from '../../../report/report';
import type { CodecOutcome, CodecTrial } from './codec-trial';

/** Returns the sizes and times of codecs, by what a sample of baskets or pages takes. */
export function codecReport(trial: CodecTrial): Report {
  const { tree, unit, baskets, storedBytes, totalBytes, tried, triedBytes, triedTotal, now, codecs } = trial;
  const speed = (ms: number) => (ms > 0 ? totalBytes / ms / 1000 : undefined);
  const factor = totalBytes / storedBytes;
  return {
    title: `${tree}: codecs`,
    text: [
      `Stored now: ${formatBytes(storedBytes)} in ${formatCount(baskets)} ${unit}s, factor ${factor.toFixed(2)}, ${now.join(', ')}. ` +
        `Tried: ${formatCount(tried)} ${unit}s, ${formatBytes(triedBytes)} (${formatBytes(triedTotal)} uncompressed); sizes and times of all are extrapolated from them.`,
    ],
    tables: [
      {
        id: 'codecs',
        rows: codecs,
        columns: [
          column<CodecOutcome>('codec', 'Codec', 'text', ({ codec }) => codec),
          column<CodecOutcome>('bytes', 'Size', 'bytes', ({ bytes }) => bytes, {
            text: ({ bytes, errorBytes }) => `${formatBytes(bytes)} ± ${errorText(errorBytes / bytes)}`,
          }),
          column<CodecOutcome>('share', 'Of now', 'percent', ({ bytes }) => bytes / storedBytes),
          column<CodecOutcome>('factor', 'Factor', 'ratio', (one) => one.factor),
          column<CodecOutcome>('compress', 'Compress', 'ms', ({ compressMs }) => compressMs, {
            text: ({ compressMs }) => timeText(compressMs, speed(compressMs)),
          }),
          column<CodecOutcome>('decompress', 'Decompress', 'ms', ({ decompressMs }) => decompressMs, {
            text: ({ decompressMs }) => timeText(decompressMs, speed(decompressMs)),
          }),
        ],
      },
    ],
  };
}

const errorText = (share: number): string => `${(100 * share).toFixed(share < 0.01 ? 2 : 1)} %`;

const timeText = (ms: number, speed: number | undefined): string =>
  speed === undefined ? formatDuration(ms) : `${formatDuration(ms)} (${Number(speed.toPrecision(3))} MB/s)`;
