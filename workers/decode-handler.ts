import { Core } from '../web/core/core';
import { type DecodeResult, type DecodeTask, type DirectFiles, runDecodeTask } from '../web/file/decode-task';
import { type QueryResult, type QueryTask, runQueryTask } from '../web/file/query-task';
import type { TaskRunner } from '../web/file/scan';
import type { Pool, TaskHandler } from './pool';
import { transferable } from './protocol';

/** What a decode worker is sent first: the compiled core. */
export interface DecodeInit {
  module: WebAssembly.Module;
}

/** Tasks of branches, and of expressions over several. */
export type WorkerTask = DecodeTask | QueryTask;
export type WorkerResult = DecodeResult | QueryResult;

/** A core that met giants is dropped: its memory never shrinks. */
const WATERMARK_BYTES = 192 * 1024 * 1024;

/** In a decode worker: does tasks with a core of its own, and keeps nothing else. */
export function createDecodeHandler(files?: DirectFiles): TaskHandler<DecodeInit, WorkerTask, WorkerResult> {
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
        'program' in task
          ? runQueryTask(core, task, aborted, files)
          : runDecodeTask(core, task, aborted, files);
      if (core.memoryBytes > WATERMARK_BYTES) core = undefined;
      return transferable(result);
    },
  };
}

/**
 * Lets messages of other threads in. Not by a timer: Node runs those that have become due meanwhile
 * first, so that several loops of this kind would never let go.
 */
function messages(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Of decoding in this thread. A channel of its own costs as much as decoding 20 KB. */
const MESSAGES_EVERY_MS = 10;

/**
 * Starting a worker costs some 50 ms of CPU, as much as decoding several MB: so many bytes make up for it.
 */
const POOL_AFTER_BYTES = 12 * 1024 * 1024;

/**
 * Decodes in a pool of workers, which are started when a scan is worth it; in this thread what is
 * not, and what can be done until the first of them is there.
 */
export function poolRunner(
  pool: Pool<WorkerTask, WorkerResult>,
  core: () => Promise<Core>,
  files?: DirectFiles,
): TaskRunner {
  let expected = 0;
  let letIn = 0;
  /** Does a task in this thread. */
  const here = async <T>(run: (core: Core) => T): Promise<T> => {
    const own = await core();
    if (performance.now() - letIn > MESSAGES_EVERY_MS) {
      await messages();
      letIn = performance.now();
    }
    return run(own);
  };
  const inPool = (task: WorkerTask, signal: AbortSignal | undefined): Promise<WorkerResult> =>
    pool.run(task, task.input instanceof Uint8Array ? [task.input.buffer as ArrayBuffer] : [], signal);
  return {
    lanes: 2 * pool.size,
    readsFiles: files !== undefined,
    expect: (bytes) => {
      expected += bytes;
      if (expected > POOL_AFTER_BYTES) pool.warm();
    },
    run: (task, signal) => {
      const aborted = () => signal?.aborted ?? false;
      if (pool.ready === 0) return here((own) => runDecodeTask(own, task, aborted, files));
      return inPool(task, signal) as Promise<DecodeResult>;
    },
    query: (task, signal) => {
      const aborted = () => signal?.aborted ?? false;
      if (pool.ready === 0) return here((own) => runQueryTask(own, task, aborted, files));
      return inPool(task, signal) as Promise<QueryResult>;
    },
  };
}
