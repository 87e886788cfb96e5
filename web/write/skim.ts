import type { FileInfo, ReaderApi } from '../api/api';
import { type CopyOptions, copyFile, type Written } from './copy-file';
import { compressionNumber } from './encode/class-codec';
import type { Codec } from './encode/types';
import type { Selection } from './selection';
import type { Sink } from './sink';

export interface SkimOptions extends CopyOptions {
  /** The part of the file; all by default. */
  selection?: Selection | undefined;
  /** Compresses all baskets anew; undefined keeps them as they are stored. */
  codec?: Codec | undefined;
}

/**
 * Copies an open file, or a part of it, with all cycles: baskets whole, in the order in which they lie. Throws as
 * `copyFile`, and NOT_FOUND for names that the file does not have.
 */
export function skimFile(
  reader: ReaderApi,
  info: FileInfo,
  sink: Sink,
  { selection, codec, ...options }: SkimOptions,
): Promise<Written> {
  return copyFile(
    reader,
    info,
    sink,
    {
      order: 'file',
      trueClusters: false,
      newest: false,
      selection,
      recut: codec && { compress: compressionNumber(codec) },
    },
    options,
  );
}
