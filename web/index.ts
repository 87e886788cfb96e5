/** The library for browsers. */
import { createWorkerReader, type WorkerReader } from '../workers/client';
import { XylemError } from './base/errors';
import { type RootHandle, rootHandle } from './export/open-root';
import type { CallOptions, SourceSpec } from './file/api';

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

/**
 * Starts a reader: its engine and decoders run in workers, so the page is never blocked. End it with
 * `terminate()`. All its methods reject with XylemError.
 */
export function createReader(): WorkerReader {
  return createWorkerReader({
    spawn: () => new Worker(new URL('../workers/xylem.worker.ts', import.meta.url), { type: 'module' }),
    type: 'module',
    compile: () => compileCore(new URL('../build/xylem.wasm', import.meta.url)),
  });
}

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

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiles the core once a page, whatever type the server gives the file. */
function compileCore(url: URL): Promise<WebAssembly.Module> {
  compiled ??= fetchCore(url).catch((cause: unknown) => {
    compiled = undefined;
    throw new XylemError({
      code: 'INTERNAL',
      message: 'The WebAssembly core could not be loaded.',
      fix: `Check that ${url.pathname.split('/').pop()} lies beside the script and that script-src allows 'wasm-unsafe-eval'.`,
      cause,
    });
  });
  return compiled;
}

async function fetchCore(url: URL): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
