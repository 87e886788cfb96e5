import type { Goal, GoalData, GoalWork } from '../../../pass/goals/goal';
import { addWork } from '../../../pass/goals/kinds';
import { type OutputKind, rowsOf } from '../../../pass/goals/rows';
import type { Part, ProgramUse } from '../../../pass/types';
import { runSelector, type Selected, type SelectTask } from './run';
import { type LoadedSelector, loadSelector } from './selector';

export type SelectData = GoalData & { kind: 'select'; outputs: readonly OutputKind[]; select: SelectTask };

/** Checks the files that a selector reads, because results of different versions must not be added. */
export interface ReadGuard {
  /** Throws if a file has changed. */
  check(select: SelectTask): Promise<void>;
  /** Runs code on a part of the entries. Throws if it reads a file that is not listed. */
  run<T>(select: SelectTask, work: () => T): T;
}

let guard: ReadGuard | undefined;

const WORK: GoalWork<SelectData> = {
  doubles: () => 0,
  prepare: async ({ select }) => {
    const loaded = await loadSelector(select.module, select.set);
    await guard?.check(select);
    return loaded;
  },
  open: (core, { outputs, select }, prepared) => ({
    take(_rest, query): Selected {
      const work = () => runSelector(core, prepared as LoadedSelector, select, rowsOf(outputs, query));
      return guard ? guard.run(select, work) : work();
    },
  }),
};

/** Allows this thread to run selectors. Called by hosts that can load their code. */
export function allowSelectors(reads?: ReadGuard): void {
  guard = reads ?? guard;
  addWork('select', WORK);
}

/** Runs a selector on the entries that pass. */
export function selectGoal(
  program: ProgramUse,
  outputs: readonly OutputKind[],
  select: SelectTask,
  take: (selected: Selected, part: Part) => void,
): Goal {
  return {
    program,
    data: () => ({ kind: 'select', outputs, select }) as SelectData,
    take: ({ extra }, part) => take(extra as Selected, part),
  };
}
