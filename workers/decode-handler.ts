import { delay, throwIfAborted } from '../web/base/abort';
import { letMessagesIn, oneTurn } from '../web/base/messages';
import { type BasketResult, type BasketTask, makeBasketsHere } from '../web/core/basket-packer';
import { Core } from '../web/core/core';
import type { EncodeResult, EncodeTask } from '../web/core/encoder';
import type { LoadModule } from '../web/core/modules/registry';
import type { DirectFiles } from '../web/pass/direct';
import { encodeHere } from '../web/pass/encode-task';
import type { RejectionOf, UserCode } from '../web/pass/goals/goal';
import { runTask, type Task, type TaskResult } from '../web/pass/task';
import type { TaskRunner } from '../web/pass/types';
import type { Pool, TaskHandler } from './pool';
import { transferable } from './protocol';

/** The first message to a decode worker: the compiled core. */
export interface DecodeInit {
  module: WebAssembly.Module;
}

/** Tasks for decode workers: units to decode, columns to encode, or baskets to make. */
export type WorkerTask = Task | EncodeTask | BasketTask;
export type WorkerResult = TaskResult | EncodeResult | BasketResult;

/** Returns the code of a user that a task runs; undefined if it runs none. */
export function userCodeOf(task: WorkerTask): UserCode | undefined {
  const goals = 'goals' in task ? task.goals : [];
  return goals.find(({ select }) => select)?.select;
}

/** An instance with more memory than this is dropped, because WebAssembly memory never shrinks. */
const WATERMARK_BYTES = 192 * 1024 * 1024;

/** Runs tasks in a decode worker with its own core. `allow` lets this thread run the code of users. Keeps no other state. */
export function createDecodeHandler(
  files?: DirectFiles,
  allow?: () => Promise<RejectionOf>,
): TaskHandler<DecodeInit, WorkerTask, WorkerResult> {
  let core: Core | undefined;
  let before: Promise<void> = Promise.resolve();
  let allowed: Promise<RejectionOf> | undefined;
  let encode: ReturnType<typeof encodeHere> | undefined;
  let makeBaskets: ReturnType<typeof makeBasketsHere> | undefined;
  return {
    async init({ module }) {
      core = await Core.create(module);
    },
    async run(task, { signal }) {
      if ('baskets' in task) {
        makeBaskets ??= makeBasketsHere();
        return transferable(await makeBaskets(task));
      }
      if ('form' in task) {
        encode ??= encodeHere();
        const result = await encode(task);
        return transferable(result, [result.bytes.buffer, result.input.buffer]);
      }
      if (!core) throw new Error('The decode worker was not initialised.');
      const working = core;
      const work = (): Promise<TaskResult> => doTask(working, task, signal, files);
      const code = userCodeOf(task);
      if (!code) return transferable(await work());
      // User code may end the thread. By then the answers of earlier tasks have been sent.
      const mine = before.then(async () => {
        allowed ??= allow?.();
        const rejectionOf = await allowed;
        rejectionOf?.(code);
        const result = await work();
        await oneTurn();
        const error = rejectionOf?.(code);
        if (error) throw error;
        return result;
      });
      before = mine.then(oneTurn, oneTurn);
      return transferable(await mine);
    },
  };
}

/** Runs a task with an instance of the core, which is dropped if the task leaves it too large. */
async function doTask(
  core: Core,
  task: Task,
  signal: AbortSignal | undefined,
  files: DirectFiles | undefined,
): Promise<TaskResult> {
  await core.ready();
  throwIfAborted(signal);
  try {
    return await runTask(core, task, files);
  } finally {
    if (core.memoryBytes > WATERMARK_BYTES) core.drop();
  }
}

/**
 * The pool starts when there are this many bytes to decode. Starting a worker costs about 50 ms of CPU time, as much
 * as decoding several MB.
 */
const POOL_AFTER_BYTES = 12 * 1024 * 1024;
/** Maximum time in ms that a task waits for the first worker. */
const START_MS = 2000;
/** Compressing a byte takes as long as decoding this many bytes. */
const COMPRESSING = 10;

/** Returns the memory that a task moves to another thread. */
function memoryOf(task: WorkerTask): ArrayBuffer[] {
  const own = task.input instanceof Uint8Array ? [task.input.buffer as ArrayBuffer] : [];
  return 'spare' in task && task.spare ? [...own, task.spare] : own;
}

export interface PoolRunnerOptions {
  /** Opens the files that this thread reads itself. */
  files?: DirectFiles | undefined;
  modules?: LoadModule | undefined;
  /** Runs a task with the code of a user; without it such tasks are decoded as others are. */
  runUserCode?:
    | ((task: Task, code: UserCode, signal: AbortSignal | undefined) => Promise<TaskResult>)
    | undefined;
}

/**
 * Decodes in a pool of workers, which is started if there is enough work. Small work runs in this thread. If this
 * thread reads files itself, tasks also run here until the first worker is ready. In a page they wait, because
 * workers do not start and reads do not continue while this thread decodes.
 */
export function poolRunner(
  pool: Pool<WorkerTask, WorkerResult>,
  core: () => Promise<Core>,
  { files, modules, runUserCode }: PoolRunnerOptions = {},
): TaskRunner {
  let expected = 0;
  const expect = (bytes: number): void => {
    expected += bytes;
    if (expected > POOL_AFTER_BYTES) void pool.warm();
  };
  let started: Promise<void> | undefined;
  /** Whether a worker is available for the next task. */
  const hasWorker = async (): Promise<boolean> => {
    if (pool.ready === 0 && pool.workers > 0 && !files) {
      started ??= Promise.race([pool.warm(), delay(START_MS)]);
      await started;
    }
    return pool.ready > 0;
  };
  /** Runs a task in this thread. */
  const here = async (task: Task, signal: AbortSignal | undefined): Promise<WorkerResult> => {
    const own = await core();
    await letMessagesIn();
    return doTask(own, task, signal, files);
  };
  let encode: ReturnType<typeof encodeHere> | undefined;
  let makeBaskets: ReturnType<typeof makeBasketsHere> | undefined;
  const inPool = (task: WorkerTask, signal: AbortSignal | undefined): Promise<WorkerResult> =>
    pool.run(task, memoryOf(task), signal);
  const decode = async (task: Task, signal: AbortSignal | undefined) =>
    (await hasWorker()) ? inPool(task, signal) : here(task, signal);
  return {
    concurrency: 2 * pool.size,
    readsFiles: files !== undefined,
    modules,
    expect,
    warm: () => pool.warm(),
    run: (task, signal) => {
      const code = runUserCode && userCodeOf(task);
      return code ? runUserCode(task, code, signal) : (decode(task, signal) as Promise<TaskResult>);
    },
    makeBaskets: async (task, signal) => {
      expect(COMPRESSING * task.input.length);
      await letMessagesIn();
      if (await hasWorker()) return (await inPool(task, signal)) as BasketResult;
      makeBaskets ??= makeBasketsHere();
      return makeBaskets(task);
    },
    encode: async (task, signal) => {
      if (await hasWorker()) return (await inPool(task, signal)) as EncodeResult;
      encode ??= encodeHere();
      return encode(task);
    },
  };
}
