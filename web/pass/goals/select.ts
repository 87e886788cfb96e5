import { runSelector, type Selected, type SelectTask } from '../selector/run';
import { type LoadedSelector, loadSelector } from '../selector/selector';
import type { Part, ProgramUse } from '../types';
import type { Goal, GoalData, GoalWork } from './goal';
import { addWork } from './kinds';
import { type OutputKind, rowsOf } from './rows';

export type SelectData = GoalData & { kind: 'select'; outputs: readonly OutputKind[]; select: SelectTask };

/** Guards the files that a user's code reads, so that results of changed code are not added. */
export interface ReadGuard {
  /** Throws if the content of a file has changed. */
  check(select: SelectTask): Promise<void>;
  /** Runs the code of a part of the entries. Throws if the code reads an unknown file. */
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

/** Lets this thread run selectors: a host that can load the code of users calls it. */
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
