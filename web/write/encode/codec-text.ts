import { XylemError } from '../../base/errors';
import type { Codec } from './types';

const ALGORITHMS: Record<string, number> = { zlib: 1, lzma: 5, lz4: 4, zstd: 5 };

/** A codec from its text: zstd:5, lz4:4, zlib:1, lzma:5, or none; without a level the usual one. Throws ARGUMENT. */
export function parseCodec(text: string): Codec {
  if (text === 'none') return { algorithm: 'none', level: 0 };
  const [, algorithm = '', level] = /^([a-z0-9]+)(?::([1-9]))?$/.exec(text) ?? [];
  const usual = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  if (usual === undefined)
    throw new XylemError({
      code: 'ARGUMENT',
      message: `There is no codec "${text}".`,
      fix: 'Write zstd, lz4, zlib or lzma with a level from 1 to 9, such as zstd:5, or none.',
    });
  return { algorithm: algorithm as Codec['algorithm'], level: level === undefined ? usual : Number(level) };
}
