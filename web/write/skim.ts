import type { FileInfo, ReaderApi } from '../api/api';
import { type CopyOptions, copyFile, type Written } from './copy-file';
import type { Selection } from './selection';
import type { Sink } from './sink';

/**
 * Copies an open file, or a part of it, with all cycles: baskets whole, in the order in which they lie. Throws as
 * `copyFile`, and NOT_FOUND for names that the file does not have.
 */
export function skimFile(
  reader: ReaderApi,
  info: FileInfo,
  sink: Sink,
  { selection, ...options }: CopyOptions & { selection?: Selection | undefined },
): Promise<Written> {
  return copyFile(
    reader,
    info,
    sink,
    { order: 'file', trueClusters: false, newest: false, selection },
    options,
  );
}
