import { runSelector, type Selected, type SelectTask } from '../selector/run';
import { type LoadedSelector, loadSelector } from '../selector/selector';
import type { Part, ProgramUse } from '../types';
import type { Goal, GoalData, GoalWork } from './goal';
import { addWork } from './kinds';
import { type OutputKind, rowsOf } from './rows';

export type SelectData = GoalData & { kind: 'select'; outputs: readonly OutputKind[]; select: SelectTask };

const WORK: GoalWork<SelectData> = {
  doubles: () => 0,
  prepare: ({ select }) => loadSelector(select.module, select.set),
  open: (core, { outputs, select }, prepared) => ({
    take: (_rest, query): Selected =>
      runSelector(core, prepared as LoadedSelector, select, rowsOf(outputs, query)),
  }),
};

/** Lets this thread run selectors: a host that can load the code of users calls it. */
export function allowSelectors(): void {
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
