import { Core } from '../web/core/core';
import { type DecodeResult, type DecodeTask, runDecodeTask } from '../web/file/decode-task';
import type { TaskRunner } from '../web/file/scan';
import type { Pool, TaskHandler } from './pool';
import { transferable } from './protocol';

/** What a decode worker is sent first: the compiled core. */
export interface DecodeInit {
  module: WebAssembly.Module;
}

/** A core that met giants is dropped: its memory never shrinks. */
const WATERMARK_BYTES = 192 * 1024 * 1024;

/** In a decode worker: does tasks with a core of its own, and keeps nothing else. */
export function createDecodeHandler(): TaskHandler<DecodeInit, DecodeTask, DecodeResult> {
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
      const result = runDecodeTask(core, task, () => signal.aborted);
      if (core.memoryBytes > WATERMARK_BYTES) core = undefined;
      return transferable(result);
    },
  };
}

/** Decodes in a pool of workers. */
export function poolRunner(pool: Pool<DecodeTask, DecodeResult>): TaskRunner {
  return {
    ownsBytes: true,
    run: (task, signal) => {
      const buffers = new Set(task.baskets.map((basket) => basket.bytes.buffer as ArrayBuffer));
      return pool.run(task, [...buffers], signal);
    },
  };
}
