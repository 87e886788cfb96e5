/** The library for Node. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type DecodeInit, poolRunner } from '../workers/decode-handler';
import { nodeWorker } from '../workers/endpoint';
import { createPool } from '../workers/pool';
import { createFolderStore, type FolderOptions } from './cache/node-folder';
import { Core } from './core/core';
import type { FileSource, ReaderApi } from './file/api';
import { type DecodeResult, type DecodeTask, runDecodeTask } from './file/decode-task';
import { createEngine } from './file/engine';
import { openPageSource } from './file/page-source';
import type { TaskRunner } from './file/scan';
import { openNodeFile } from './io/node-file-source';
import type { ByteSource } from './io/source';

export { type ErrorCode, type ErrorPlace, type ErrorRecord, XylemError } from './base/errors';
export type { Column, DType, PrimitiveArray } from './core/columns';
export { EXPORT_FORMATS, type ExportFormat, type ExportRequest, exportTree } from './export/export-tree';
export type * from './file/api';
export { type ChunkRequest, type EntryChunk, readChunks } from './file/chunks';
export { openNodeFile } from './io/node-file-source';
export type { ByteSource, Range, SourceInfo } from './io/source';
export type { ReadRecord, TraceSummary } from './io/trace';

/** A reader of this process; `terminate` ends its decode workers. */
export type NodeReader = ReaderApi & { terminate(): void };

/** Starting a worker costs about 30 ms: this many bytes in one task's queue make up for it. */
const POOL_AFTER_BYTES = 4 * 1024 * 1024;

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
      : createPool<DecodeInit, DecodeTask, DecodeResult>({
          init: { module },
          size: options.workers,
          spawn: () => nodeWorker(new Worker(new URL('../workers/node-decode.worker.ts', import.meta.url))),
        });
  const core = await Core.create(module);
  const engine = await createEngine({
    module,
    openSource,
    store: options.cache ? createFolderStore(options.cache === true ? {} : options.cache) : undefined,
    runner: pool ? adaptiveRunner(core, poolRunner(pool)) : undefined,
  });
  return Object.assign(engine, { terminate: () => pool?.terminate() });
}

/** Decodes the first bytes in this thread, so that small jobs need no workers. */
function adaptiveRunner(core: Core, pooled: TaskRunner): TaskRunner {
  let bytes = 0;
  return {
    ownsBytes: true,
    run: async (task, signal) => {
      bytes += task.baskets.reduce((sum, basket) => sum + basket.bytes.length, 0);
      if (bytes > POOL_AFTER_BYTES) return pooled.run(task, signal);
      return runDecodeTask(core, task, () => signal?.aborted ?? false);
    },
  };
}

async function openSource(spec: FileSource): Promise<ByteSource> {
  return spec.kind === 'path' ? openNodeFile(spec.path) : openPageSource(spec);
}
