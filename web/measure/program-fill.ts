import type { CallOptions } from '../api/api';
import type { QueryJob } from '../pass/build-task';
import { runJob } from '../pass/run';
import type { Compiled } from '../query/compile/compile';
import type { FillGoal, FillJob, OnFill, RangePart, StepOptions } from './fill-job';

/** Fills from the values of expressions. A program computes them in the decode workers. */
export class ProgramFill implements FillJob {
  readonly integer: readonly boolean[];
  readonly random: boolean;

  constructor(readonly job: QueryJob<Compiled>) {
    this.integer = job.compiled.outputs.map(({ integer }) => integer);
    this.random = job.compiled.random;
  }

  get units(): number {
    return unitsOf(this.job);
  }

  async findRanges(options: StepOptions, onPart: (part: RangePart) => void): Promise<void> {
    const { job } = this;
    await runJob(job, allTasks(job), {
      ...options,
      goal: () => ({ kind: 'range', outputs: job.compiled.outputs.length }),
      onResult: (number, { summaries = [], failures, rows, passed = 0 }) => {
        const whole = failures.length === 0 && rows === job.tasks[number]?.chosen;
        onPart({ number, count: 1, summaries, empty: whole && passed === 0 });
      },
    });
  }

  async fill(
    goal: FillGoal,
    parts: readonly number[] | undefined,
    options: StepOptions,
    onFill: OnFill,
  ): Promise<void> {
    await runJob(this.job, parts ? [...parts] : allTasks(this.job), {
      ...options,
      goal: () => ({ kind: 'fill', ...goal }),
      onResult: (_task, { fill }) => {
        if (fill) onFill(fill);
      },
    });
  }

  async values({ number }: RangePart, options: CallOptions): Promise<Float64Array[]> {
    const outputs = this.job.compiled.outputs.length;
    let values: Float64Array[] = [];
    await runJob(this.job, [number], {
      ...options,
      goal: () => ({ kind: 'values', outputs }),
      onResult: (_task, result) => {
        values = result.values?.slice(0, outputs) ?? [];
      },
      onFailures: () => {},
    });
    return values;
  }
}

/** Returns the number of units of all columns in all tasks. */
export function unitsOf({ tasks }: QueryJob): number {
  return tasks.reduce((sum, { columns }) => columns.reduce((some, column) => some + column.length, sum), 0);
}

/** Returns the numbers of all tasks. */
export function allTasks(job: QueryJob): number[] {
  return job.tasks.map((_, i) => i);
}
