import { WorkerLost, XylemError } from '../web/base/errors';
import type { SelectData } from '../web/pass/goals/select';
import type { TaskResult } from '../web/pass/task';
import type { TaskRunner } from '../web/pass/types';
import type { WorkerResult, WorkerTask } from './decode-handler';
import type { Pool } from './pool';

/** The ms after which a task is ended; undefined for one without the code of users. */
export function limitOf(task: WorkerTask): number | undefined {
  const goals = 'goals' in task ? task.goals : [];
  return (goals.find(({ kind }) => kind === 'select') as SelectData | undefined)?.select.limitMs;
}

/** The same runner, which runs the code of users in workers alone, where it can be ended. */
export function limitedRunner(runner: TaskRunner, pool: Pool<WorkerTask, WorkerResult>): TaskRunner {
  return {
    ...runner,
    async run(task, signal) {
      const limitMs = limitOf(task);
      if (limitMs === undefined) return runner.run(task, signal);
      const memory = task.input instanceof Uint8Array ? [task.input.buffer as ArrayBuffer] : [];
      const began = performance.now();
      try {
        return (await pool.run(task, memory, signal)) as TaskResult;
      } catch (thrown) {
        if (!(thrown instanceof WorkerLost) || performance.now() - began < limitMs) throw thrown;
        throw new XylemError({
          code: 'TIMEOUT',
          message: `The selector did not end one part of the entries within ${limitMs / 1000} s, and was ended.`,
          fix: 'Look for a loop that does not end, or allow more time.',
        });
      }
    },
  };
}
