import type { CallOptions, FileId, ReaderApi } from '../api/api';
import { engineOf } from '../api/engine-api';
import type { ExportRequest } from '../export/export-tree';

/**
 * Writes a selection of a tree's branches and entries in another format, and yields the file in parts. The tree
 * is read chunk by chunk while the caller takes the parts, so that the file may be larger than memory. The code of
 * a format is loaded when it is first used. Throws ARGUMENT for a format that there is not, UNSUPPORTED when the format
 * cannot hold a branch, and the errors of reading; the parts before an error are not a complete file.
 */
export async function* exportTree(
  reader: ReaderApi,
  file: FileId,
  request: ExportRequest,
  options?: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { exportTree } = await import('../export/export-tree');
  yield* exportTree(engineOf(reader), file, request, options);
}
