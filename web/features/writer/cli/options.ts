import { asOption } from '../../../cli/arguments';
import { flag, forceOption, type Options, valued } from '../../../cli/options';
import { type Codec, parseCodec } from '../../../core/compression';

/** Options of commands that write a ROOT file. */
export const writeOptions = {
  ...forceOption,
  reproducible: flag(
    'write the same bytes for the same input: without dates, and with a UUID made of the content',
  ),
  verify: flag('read the new file back and compare it with what was copied'),
} as const satisfies Options;

export const codecOption = {
  codec: valued(
    'CODEC',
    'compress all baskets anew: zstd:5, lz4:4, zlib:1, lzma:5 (an algorithm and a level from 1 to 9) or none; default: keep',
  ),
} as const satisfies Options;

/** The codec of --codec; undefined keeps baskets as they are. Throws UsageError. */
export function codecOf({ codec }: { codec?: string | undefined }): Codec | undefined {
  return codec === undefined || codec === 'keep' ? undefined : asOption('codec', () => parseCodec(codec));
}

/** Shape of the summary that commands print with --json. */
export const WRITTEN_JSON = '{"out", "bytes", "keys", "trees", "baskets", "notes"}';
