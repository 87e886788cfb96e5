import type { FileInfo, ReaderApi } from '../api/api';
import { type CopyOptions, copyFile, type Written } from './copy-file';
import type { Sink } from './sink';

/** Copies an open file with all keys and cycles, baskets in the order in which they lie. Throws as `copyFile`. */
export function skimFile(
  reader: ReaderApi,
  info: FileInfo,
  sink: Sink,
  options: CopyOptions,
): Promise<Written> {
  return copyFile(reader, info, sink, { order: 'file', trueClusters: false, newest: false }, options);
}
