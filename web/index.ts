/** The library for browsers. */
import { createWorkerReader, type WorkerReader } from '../workers/client';
import { XylemError } from './base/errors';

export type { WorkerReader } from '../workers/client';
export { type ErrorCode, type ErrorPlace, type ErrorRecord, XylemError } from './base/errors';
export type { Column, DType, PrimitiveArray } from './core/columns';
export { EXPORT_FORMATS, type ExportFormat, type ExportRequest, exportTree } from './export/export-tree';
export type * from './file/api';
export { type ChunkRequest, type EntryChunk, readChunks } from './file/chunks';
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
