import type { CallOptions, FileId, ReaderApi } from '../api/api';
import { engineOf } from '../api/engine-api';
import type { ChunkRequest } from '../api/export';
import type { EntryChunk } from '../export/chunks';

/**
 * Reads the entries of a selection chunk by chunk, so that the memory is bounded for a tree of any size. One
 * chunk is read ahead while the caller uses another; then reading waits for the caller. Leaving the loop ends it. Throws what reading any of the branches throws.
 */
export async function* readChunks(
  reader: ReaderApi,
  file: FileId,
  request: ChunkRequest,
  options?: CallOptions,
): AsyncGenerator<EntryChunk, void, undefined> {
  const { readChunks } = await import('../export/chunks');
  yield* readChunks(engineOf(reader), file, request, options);
}
