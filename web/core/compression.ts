import { argumentError } from '../base/errors';

// ROOT's numbers for compression (fCompress): 100 × algorithm + level. A new algorithm is a line in each table here.

/** Compression as files are written with it: an algorithm and a level from 1 to 9, as `zstd:5`. */
export interface Codec {
  algorithm: 'none' | 'zlib' | 'lzma' | 'lz4' | 'zstd';
  /** 1 to 9; 0 for none. */
  level: number;
}

/** Numbers of the algorithms that are written. */
export const ALGORITHMS = { none: 0, zlib: 1, lzma: 2, lz4: 4, zstd: 5 } as const satisfies Record<
  Codec['algorithm'],
  number
>;
/** The names of algorithms by their numbers; 0 stands for the usual one. */
const NAMES = ['zlib', 'zlib', 'lzma', 'old', 'lz4', 'zstd'];
/** Levels that are taken where none is given. */
const USUAL: Record<string, number> = { zlib: 1, lzma: 5, lz4: 4, zstd: 5 };

export function compressionNumber({ algorithm, level }: Codec): number {
  return algorithm === 'none' ? 0 : 100 * ALGORITHMS[algorithm] + level;
}

export function splitCompress(compress: number): { algorithm: number; level: number } {
  return { algorithm: Math.floor(compress / 100), level: compress % 100 };
}

/** Whether bytes of this number are compressed. A number below 0 is not known. */
export function isCompressed(compress: number): boolean {
  return compress % 100 > 0;
}

/** The codec of a number, as it is written: zlib where the number names no algorithm that is. */
export function codecOf(compress: number): Codec {
  if (!isCompressed(compress)) return { algorithm: 'none', level: 0 };
  const { algorithm, level } = splitCompress(compress);
  const known = Object.entries(ALGORITHMS).find(([, number]) => number === algorithm && number > 0);
  return { algorithm: (known?.[0] ?? 'zlib') as Codec['algorithm'], level: Math.min(9, level) };
}

/** A number in words: "zstd 5", "none", "not known". */
export function compressionName(compress: number): string {
  if (compress < 0) return 'not known';
  const { algorithm, level } = splitCompress(compress);
  return level === 0 ? 'none' : `${NAMES[algorithm] ?? 'unknown'} ${level}`;
}

/** A codec from its text: zstd:5, lz4:4, zlib:1, lzma:5, or none; without a level the usual one. Throws ARGUMENT. */
export function parseCodec(text: string): Codec {
  if (text === 'none') return { algorithm: 'none', level: 0 };
  const [, algorithm = '', level] = /^([a-z0-9]+)(?::([1-9]))?$/.exec(text) ?? [];
  const usual = Object.hasOwn(USUAL, algorithm) ? USUAL[algorithm] : undefined;
  if (usual === undefined)
    throw argumentError(
      `There is no codec "${text}".`,
      'Write zstd, lz4, zlib or lzma with a level from 1 to 9, such as zstd:5, or none.',
    );
  return { algorithm: algorithm as Codec['algorithm'], level: level === undefined ? usual : Number(level) };
}
