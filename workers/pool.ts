import { onAbort } from '../web/base/abort';
import { abortError, toXylemError, WorkerLost, type XylemError } from '../web/base/errors';
import type { Endpoint, WorkerLike } from './endpoint';
import { transferable } from './protocol';
import { type Connection, connect, type Exposed, expose } from './rpc';

/** The work of a pool's worker. `init` is awaited once, before the first task. */
export interface TaskHandler<Init, Task, Result> {
  init(init: Init): Promise<void>;
  /** Flag the result with `transferable` to move its buffers. Only one task runs at a time. */
  run(task: Task, options: { signal: AbortSignal }): Promise<Result>;
}

/** Serves the tasks of a pool, in the worker. */
export function serveTasks<Init, Task, Result>(
  endpoint: Endpoint,
  handler: TaskHandler<Init, Task, Result>,
): Exposed {
  return expose(endpoint, handler);
}

export interface PoolOptions<Init, Task = unknown> {
  /** Starts one worker, in a page or in Node. Called when there is work for it. */
  spawn: () => WorkerLike;
  /** Sent first to each new worker, for example the compiled WebAssembly module. Copied, never moved. */
  init: Init;
  /** Maximum number of workers. Default: `defaultPoolSize()`. */
  size?: number | undefined;
  /**
   * Number of tasks that are sent to a worker before it has answered. With 2 it need not wait for the next one, but
   * that one is lost if it crashes. Default: 1.
   */
  perWorker?: number | undefined;
  /** A worker that does not leave an aborted task within this many ms is replaced. Default: 2,000. */
  patienceMs?: number | undefined;
  /** Returns the time limit of a task in ms, after which its worker is replaced. Default: no limit. */
  limitMs?: ((task: Task) => number | undefined) | undefined;
}

/** A limited number of workers. Each does one task at a time, in the order in which they came. */
export interface Pool<Task, Result> {
  /**
   * Runs a task; the buffers of `transfer` are moved to the worker. Rejects with the error of the worker's
   * handler, with WorkerLost when the worker is lost, and with ABORTED at once on abort.
   */
  run(task: Task, transfer?: Transferable[], signal?: AbortSignal): Promise<Result>;
  readonly size: number;
  /** Number of workers at present. */
  readonly workers: number;
  /** Number of workers that have answered once. A task for another worker waits until it has started. */
  readonly ready: number;
  /**
   * Starts all workers. Resolves when one of them has answered, or when none of them can; it does not reject, but the
   * tasks do.
   */
  warm(): Promise<void>;
  /** Ends all workers; queued and running tasks reject with ABORTED. */
  terminate(): void;
}

/** Returns one worker per CPU core, at least 2 (one decodes while another starts or is stuck) and at most 8. */
export function defaultPoolSize(cores = globalThis.navigator?.hardwareConcurrency ?? 4): number {
  return Math.min(8, Math.max(2, cores));
}

interface Job<Task, Result> {
  task: Task;
  transfer: Transferable[];
  signal: AbortSignal | undefined;
  resolve(result: Result): void;
  reject(error: XylemError): void;
  stopListening(): void;
}

interface Member<Task> {
  worker: WorkerLike;
  connection: Connection;
  ready: Promise<unknown>;
  answered: boolean;
  lost: boolean;
  /** The task during which it was lost, and whether that took too long. */
  at?: { task: Task | undefined; late: boolean } | undefined;
  /** Unfinished tasks given to it, oldest first. */
  tasks: Task[];
  /** Timer that runs while it has tasks. */
  limit?: ReturnType<typeof setTimeout> | undefined;
}

/** The error of tasks of a worker that was ended. */
function stuck(why: string): WorkerLost {
  return new WorkerLost({
    code: 'INTERNAL',
    message: `A worker of xylem was ended because ${why}.`,
    fix: 'Try again: another one takes its place.',
  });
}

/** Returns the error of a task, which says whether this task caused the loss of the worker. */
function errorOf<Task>(thrown: unknown, { at }: Member<Task>, task: Task): XylemError {
  const error = toXylemError(thrown);
  if (!(error instanceof WorkerLost) || at?.task !== task) return error;
  return new WorkerLost({ ...error.toRecord(), cause: error.cause }, at.late ? 'late' : 'ended');
}

export function createPool<Init, Task extends object, Result>(
  options: PoolOptions<Init, Task>,
): Pool<Task, Result> {
  const size = options.size ?? defaultPoolSize();
  const patienceMs = options.patienceMs ?? 2000;
  const perWorker = options.perWorker ?? 1;
  const members = new Set<Member<Task>>();
  const queue: Job<Task, Result>[] = [];
  let ended = false;

  /** Throws the errors of `spawn`. */
  function add(): Member<Task> {
    const worker = options.spawn();
    // Registered before the tasks, which may be given to another worker at once.
    worker.onFailure((error) => discard(member, error));
    const connection = connect(worker);
    const member: Member<Task> = {
      worker,
      connection,
      ready: connection.call('init', [options.init]).value,
      answered: false,
      lost: false,
      tasks: [],
    };
    member.ready.then(
      () => {
        member.answered = true;
      },
      () => {},
    );
    members.add(member);
    return member;
  }

  /** Starts the limit for the next task of a worker, if it has one. */
  function watch(member: Member<Task>): void {
    clearTimeout(member.limit);
    const [task] = member.tasks;
    const limitMs = task && options.limitMs?.(task);
    if (limitMs === undefined || member.lost) return;
    const why = `it did not end a task within ${Math.round(limitMs / 1000)} s`;
    member.limit = setTimeout(() => {
      member.at = { task, late: true };
      discard(member, stuck(why));
    }, limitMs);
  }

  function discard(member: Member<Task>, error?: XylemError): void {
    if (member.lost) return;
    member.lost = true;
    member.at ??= { task: member.tasks[0], late: false };
    clearTimeout(member.limit);
    members.delete(member);
    member.connection.close(error);
    member.worker.terminate();
  }

  /** Returns the worker with the fewest tasks, or a new one if all are busy. Undefined if none can take more. */
  function free(): Member<Task> | undefined {
    let best: Member<Task> | undefined;
    for (const member of members) if (!best || member.tasks.length < best.tasks.length) best = member;
    if ((!best || best.tasks.length > 0) && members.size < size) return add();
    return best && best.tasks.length < perWorker ? best : undefined;
  }

  function pump(): void {
    while (queue.length > 0 && !ended) {
      const job = queue[0];
      if (!job) return;
      try {
        const member = free();
        if (!member) return;
        queue.shift();
        void work(member, job);
      } catch (thrown) {
        queue.shift();
        job.stopListening();
        job.reject(toXylemError(thrown));
      }
    }
  }

  /** Runs a task. Never rejects. The worker is idle again only after it has ended the task. */
  async function work(member: Member<Task>, job: Job<Task, Result>): Promise<void> {
    member.tasks.push(job.task);
    if (member.tasks.length === 1) watch(member);
    try {
      await member.ready;
    } catch (thrown) {
      job.stopListening();
      job.reject(toXylemError(thrown));
      discard(member);
      pump();
      return;
    }
    const { task, transfer, signal } = job;
    const call = member.connection.call('run', [
      transferable(task, transfer),
      { signal: signal ?? new AbortController().signal },
    ]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onAbort(signal, () => {
      timer = setTimeout(() => discard(member, stuck('it did not leave a cancelled task')), patienceMs);
    });
    call.value.then(
      (value) => job.resolve(value as Result),
      (thrown: unknown) => job.reject(errorOf(thrown, member, task)),
    );
    await call.settled;
    job.stopListening();
    stop();
    clearTimeout(timer);
    member.tasks.splice(member.tasks.indexOf(task), 1);
    watch(member);
    pump();
  }

  return {
    size,
    get workers() {
      return members.size;
    },
    run: (task, transfer = [], signal) =>
      new Promise<Result>((resolve, reject) => {
        if (ended || signal?.aborted) {
          reject(abortError(signal?.reason));
          return;
        }
        const job: Job<Task, Result> = { task, transfer, signal, resolve, reject, stopListening: () => {} };
        queue.push(job);
        job.stopListening = onAbort(signal, () => {
          const at = queue.indexOf(job);
          if (at >= 0) queue.splice(at, 1);
          reject(abortError(signal?.reason));
        });
        pump();
      }),
    get ready() {
      let count = 0;
      for (const member of members) if (member.answered) count += 1;
      return count;
    },
    warm: async () => {
      try {
        while (members.size < size && !ended) add();
        await Promise.any([...members].map(({ ready }) => ready));
      } catch {
        // The next task tries again, and reports the reason.
      }
    },
    terminate: () => {
      ended = true;
      for (const member of [...members]) discard(member, abortError());
      for (const job of queue.splice(0)) {
        job.stopListening();
        job.reject(abortError());
      }
    },
  };
}
