/** The library for Node. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type DecodeInit, poolRunner, type WorkerResult, type WorkerTask } from '../workers/decode-handler';
import { nodeWorker } from '../workers/endpoint';
import { createPool, defaultPoolSize } from '../workers/pool';
import { createFolderStore, type FolderOptions } from './cache/node-folder';
import { directFiles } from './cache/node-packs';
import { Core } from './core/core';
import { type RootHandle, rootHandle } from './export/open-root';
import type { CallOptions, ReaderApi, SourceSpec, WholeSource } from './file/api';
import { openPageSource } from './file/page-source';
import { createHttpSource } from './io/http-source';
import { openNodeFile } from './io/node-file-source';
import { createNodeSend } from './io/node-http';
import type { ByteSource } from './io/source';
import { createEngine } from './query/engine';

export { type ErrorCode, type ErrorPlace, type ErrorRecord, XylemError } from './base/errors';
export type { Column, DType, PrimitiveArray } from './core/columns';
export { EXPORT_FORMATS, type ExportFormat, type ExportRequest, exportTree } from './export/export-tree';
export type { RootHandle, TreeHandle } from './export/open-root';
export { plainRows } from './export/plain-rows';
export type * from './file/api';
export { type ChunkRequest, type EntryChunk, readChunks } from './file/chunks';
export { openNodeFile } from './io/node-file-source';
export type { ByteSource, Range, SourceInfo } from './io/source';
export type { ReadRecord, TraceSummary } from './io/trace';

/** A reader of this process; `terminate` ends its decode workers. */
export type NodeReader = ReaderApi & { terminate(): void };

export interface NodeReaderOptions {
  /** Most worker threads; 0 decodes all in this thread. Default: by the number of cores. */
  workers?: number | undefined;
  /**
   * Keeps what comes over HTTP in a folder, by default `xylem` in the caches of this user
   * (XDG_CACHE_HOME). Default: not kept.
   */
  cache?: boolean | FolderOptions | undefined;
}

/**
 * Makes a reader: the engine runs in this thread, and what is worth it is decoded in a pool of
 * worker threads.
 */
export async function openReader(options: NodeReaderOptions = {}): Promise<NodeReader> {
  const path = fileURLToPath(new URL('../build/xylem.wasm', import.meta.url));
  const module = await WebAssembly.compile(await readFile(path));
  const pool =
    options.workers === 0
      ? undefined
      : createPool<DecodeInit, WorkerTask, WorkerResult>({
          init: { module },
          // Node 20 has no navigator to ask.
          size: options.workers ?? defaultPoolSize(availableParallelism()),
          perWorker: 2,
          spawn: () => nodeWorker(new Worker(new URL('../workers/node-decode.worker.ts', import.meta.url))),
        });
  const core = await Core.create(module);
  const engine = await createEngine({
    module,
    openSource,
    store: options.cache ? createFolderStore(options.cache === true ? {} : options.cache) : undefined,
    runner: pool && poolRunner(pool, async () => core, directFiles()),
  });
  return Object.assign(engine, { terminate: () => pool?.terminate() });
}

/** Connections are kept for all readers of the process. */
const send = createNodeSend();

async function openSource(spec: WholeSource): Promise<ByteSource> {
  if (spec.kind === 'url') return createHttpSource(spec.url, { ...spec, send });
  return spec.kind === 'path' ? openNodeFile(spec.path) : openPageSource(spec);
}

/**
 * Opens a file by its path or address, or a Blob, with a reader of its own; `close` ends both. Throws
 * what opening throws.
 */
export async function openRoot(
  source: string | URL | Blob | SourceSpec,
  options: CallOptions & NodeReaderOptions = {},
): Promise<RootHandle> {
  const { workers, cache, ...call } = options;
  return rootHandle(await openReader({ workers, cache }), specOf(source), call);
}

function specOf(source: string | URL | Blob | SourceSpec): SourceSpec {
  if (source instanceof Blob) {
    return { kind: 'blob', blob: source, name: 'name' in source ? String(source.name) : 'blob' };
  }
  if (typeof source !== 'string' && !(source instanceof URL)) return source;
  const text = String(source);
  if (/^https?:/i.test(text)) return { kind: 'url', url: text };
  return { kind: 'path', path: /^file:/i.test(text) ? fileURLToPath(text) : text };
}
