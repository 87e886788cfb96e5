import { Core } from '../web/core/core';
import { type DecodeResult, type DecodeTask, runDecodeTask } from '../web/file/decode-task';
import { type QueryResult, type QueryTask, runQueryTask } from '../web/file/query-task';
import type { TaskRunner } from '../web/file/scan';
import type { Pool, TaskHandler } from './pool';
import { transferable } from './protocol';

/** What a decode worker is sent first: the compiled core. */
export interface DecodeInit {
  module: WebAssembly.Module;
}

/** A core that met giants is dropped: its memory never shrinks. */
const WATERMARK_BYTES = 192 * 1024 * 1024;

/** Tasks of one branch, and of expressions over several. */
export type WorkerTask = DecodeTask | QueryTask;
export type WorkerResult = DecodeResult | QueryResult;

/** In a decode worker: does tasks with a core of its own, and keeps nothing else. */
export function createDecodeHandler(): TaskHandler<DecodeInit, WorkerTask, WorkerResult> {
  let module: WebAssembly.Module | undefined;
  let core: Core | undefined;
  return {
    async init(init) {
      module = init.module;
      core = await Core.create(module);
    },
    async run(task, { signal }) {
      if (!core && module) core = await Core.create(module);
      if (!core) throw new Error('The decode worker was not initialised.');
      const aborted = () => signal.aborted;
      const result =
        'program' in task ? runQueryTask(core, task, aborted) : runDecodeTask(core, task, aborted);
      if (core.memoryBytes > WATERMARK_BYTES) core = undefined;
      return transferable(result);
    },
  };
}

/** Decodes in a pool of workers. */
export function poolRunner(pool: Pool<WorkerTask, WorkerResult>): TaskRunner {
  return {
    ownsBytes: true,
    run: (task, signal) => {
      const bytes = task.baskets.map((basket) => basket.bytes);
      return pool.run(task, buffersOf(bytes), signal) as Promise<DecodeResult>;
    },
    query: (task, signal) => {
      const bytes = task.columns.flatMap((column) => column.baskets.map((basket) => basket.bytes));
      return pool.run(task, buffersOf(bytes), signal) as Promise<QueryResult>;
    },
  };
}

function buffersOf(arrays: Uint8Array[]): ArrayBuffer[] {
  return [...new Set(arrays.map((array) => array.buffer as ArrayBuffer))];
}
