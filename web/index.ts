/** The library for browsers. */
import { type RootHandle, rootHandle } from './export/open-root';
import type { CallOptions, SourceSpec } from './file/api';
import { createReader } from './reader';

export type { WorkerReader } from '../workers/client';
export { type ErrorCode, type ErrorPlace, type ErrorRecord, XylemError } from './base/errors';
export type { Column, DType, PrimitiveArray } from './core/columns';
export { EXPORT_FORMATS, type ExportFormat, type ExportRequest, exportTree } from './export/export-tree';
export type { RootHandle, TreeHandle } from './export/open-root';
export { plainRows } from './export/plain-rows';
export type * from './file/api';
export { type ChunkRequest, type EntryChunk, readChunks } from './file/chunks';
export type { InsightApi, MapReport, SimulateRequest } from './insight/api';
export type { ByteSource, Range, SourceInfo } from './io/source';
export type { ReadRecord, TraceSummary } from './io/trace';
export { createReader } from './reader';

/**
 * Opens a file by its address, or one that was chosen or dropped, with a reader of its own; `close` ends
 * both. Throws what opening throws.
 */
export function openRoot(
  source: string | URL | Blob | SourceSpec,
  options?: CallOptions,
): Promise<RootHandle> {
  return rootHandle(createReader(), sourceOf(source), options);
}

function sourceOf(source: string | URL | Blob | SourceSpec): SourceSpec {
  if (source instanceof Blob)
    return { kind: 'blob', blob: source, name: source instanceof File ? source.name : 'blob' };
  if (typeof source === 'string' || source instanceof URL) {
    return { kind: 'url', url: new URL(source, location.href).href };
  }
  return source;
}
