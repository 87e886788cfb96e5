import { argumentError } from '../base/errors';

// ROOT's numbers for compression (fCompress): 100 × algorithm + level. To add an algorithm, add a line to each table
// here.

/** Compression for writing: an algorithm and a level from 1 to 9, for example `zstd:5`. */
export interface Codec {
  algorithm: 'none' | 'zlib' | 'lzma' | 'lz4' | 'zstd';
  /** 1 to 9; 0 for none. */
  level: number;
}

/** Numbers of the algorithms that can be written. */
export const ALGORITHMS = { none: 0, zlib: 1, lzma: 2, lz4: 4, zstd: 5 } as const satisfies Record<
  Codec['algorithm'],
  number
>;
/** Names of the algorithms by number. 0 means ROOT's default, zlib. */
const NAMES = ['zlib', 'zlib', 'lzma', 'old', 'lz4', 'zstd'];
/** Default levels. */
const USUAL: Record<string, number> = { zlib: 1, lzma: 5, lz4: 4, zstd: 5 };

export function compressionNumber({ algorithm, level }: Codec): number {
  return algorithm === 'none' ? 0 : 100 * ALGORITHMS[algorithm] + level;
}

export function splitCompress(compress: number): { algorithm: number; level: number } {
  return { algorithm: Math.floor(compress / 100), level: compress % 100 };
}

/** Whether data with this number is compressed. A negative number means unknown. */
export function isCompressed(compress: number): boolean {
  return compress % 100 > 0;
}

/** Returns the codec for writing data with this number: zlib if xylem cannot write the number's algorithm. */
export function codecOf(compress: number): Codec {
  if (!isCompressed(compress)) return { algorithm: 'none', level: 0 };
  const { algorithm, level } = splitCompress(compress);
  const known = Object.entries(ALGORITHMS).find(([, number]) => number === algorithm && number > 0);
  return { algorithm: (known?.[0] ?? 'zlib') as Codec['algorithm'], level: Math.min(9, level) };
}

/** Returns a text for a number: "zstd 5", "none", "not known". */
export function compressionName(compress: number): string {
  if (compress < 0) return 'not known';
  const { algorithm, level } = splitCompress(compress);
  return level === 0 ? 'none' : `${NAMES[algorithm] ?? 'unknown'} ${level}`;
}

/** The text of a codec: the names are those of `USUAL`. */
export const CODEC_TEXT = /^(?:none|(zstd|lz4|zlib|lzma)(?::([1-9]))?)$/;

/**
 * Parses a codec: zstd:5, lz4:4, zlib:1, lzma:5, or none. Without a level, the default level is used. Throws ARGUMENT.
 */
export function parseCodec(text: string): Codec {
  if (text === 'none') return { algorithm: 'none', level: 0 };
  const [, algorithm = '', level] = CODEC_TEXT.exec(text) ?? [];
  const usual = Object.hasOwn(USUAL, algorithm) ? USUAL[algorithm] : undefined;
  if (usual === undefined)
    throw argumentError(
      `There is no codec "${text}".`,
      'Write zstd, lz4, zlib or lzma with a level from 1 to 9, such as zstd:5, or none.',
    );
  return { algorithm: algorithm as Codec['algorithm'], level: level === undefined ? usual : Number(level) };
}
