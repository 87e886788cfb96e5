import { argumentError, WorkerLost, XylemError } from '../web/base/errors';
import type { UserCode } from '../web/pass/goals/goal';
import type { Task, TaskResult } from '../web/pass/task';
import type { WorkerResult, WorkerTask } from './decode-handler';
import type { Pool } from './pool';

/** The error of a selector by whose code its worker was lost. */
function lostBy({ file, tree, limitMs }: UserCode, { during, message }: WorkerLost): XylemError {
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

/** Runs a task with the code of a user in a worker, where it can be ended. */
export async function runLimited(
  pool: Pool<WorkerTask, WorkerResult>,
  task: Task,
  code: UserCode,
  signal: AbortSignal | undefined,
): Promise<TaskResult> {
  const memory = task.input instanceof Uint8Array ? [task.input.buffer as ArrayBuffer] : [];
  try {
    return (await pool.run(task, memory, signal)) as TaskResult;
  } catch (thrown) {
    // A task that waited behind another one can be repeated.
    if (!(thrown instanceof WorkerLost) || thrown.during === undefined) throw thrown;
    throw lostBy(code, thrown);
  }
}
