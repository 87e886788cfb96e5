import { argumentError, WorkerLost, XylemError } from '../web/base/errors';
import type { SelectTask } from '../web/measure/selector/run';
import type { TaskResult } from '../web/pass/task';
import type { TaskRunner } from '../web/pass/types';
import { selectOf, type WorkerResult, type WorkerTask } from './decode-handler';
import type { Pool } from './pool';

/** Returns the time limit of a task in ms; undefined for a task without user code. */
export function limitOf(task: WorkerTask): number | undefined {
  return selectOf(task)?.limitMs;
}

/** Returns the error of a selector whose code caused the loss of its worker. */
function lostBy({ file, tree, limitMs }: SelectTask, { during, message }: WorkerLost): XylemError {
  const place = `one part of the entries of "${tree}" in ${file}`;
  if (during === 'late') {
    return new XylemError({
      code: 'TIMEOUT',
      message: `The selector did not end ${place} within ${limitMs / 1000} s, and was ended.`,
      fix: 'Look for a loop that does not end, or allow more time.',
    });
  }
  return argumentError(
    `The selector ended the thread that ran it, at ${place}: ${message.replace(/^A worker of xylem was lost: /, '')}`,
    'Look for lists that grow without end, and for promises that nothing awaits.',
  );
}

/** Wraps a runner: user code runs only in workers, where it can be ended. */
export function limitedRunner(runner: TaskRunner, pool: Pool<WorkerTask, WorkerResult>): TaskRunner {
  return {
    ...runner,
    async run(task, signal) {
      const select = selectOf(task);
      if (!select) return runner.run(task, signal);
      const memory = task.input instanceof Uint8Array ? [task.input.buffer as ArrayBuffer] : [];
      try {
        return (await pool.run(task, memory, signal)) as TaskResult;
      } catch (thrown) {
        // A task that only waited behind the failing one can be repeated.
        if (!(thrown instanceof WorkerLost) || thrown.during === undefined) throw thrown;
        throw lostBy(select, thrown);
      }
    },
  };
}
