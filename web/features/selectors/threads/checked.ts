import type { GatheredState } from '../../../api/selector';
import { argumentError } from '../../../base/errors';
import { countFrom, recordOf } from '../../../measure/json';
import { isOptional, type OptionalBranch } from '../work/branches';
import { stateFrom } from '../work/gathered';
import type { Source } from '../work/kinds/kind';
import type { Selected } from '../work/run';
import type { BoxFacts } from './box-api';

// Answers of the worker of a selector come from foreign code and may be any value. They are copied member by member
// with checked types, so nothing else reaches the page.

function wrong(): never {
  throw argumentError(
    'The selector returned something else than its results.',
    'Return plain data only, and leave the objects of begin as they are.',
  );
}

function checkedText(value: unknown): string {
  return typeof value === 'string' ? value : wrong();
}

function checkedOptional(value: unknown): OptionalBranch {
  if (!isOptional(value)) return wrong();
  const { expr, missing } = value;
  return { expr, missing };
}

/** Returns the facts of a selector after checking them. Throws ARGUMENT. */
export function checkedFacts(value: unknown): BoxFacts {
  const { branches, where, merges, empty } = recordOf(value) ?? wrong();
  return {
    branches: Object.fromEntries(
      Object.entries(recordOf(branches) ?? wrong()).map(([name, one]) => [
        name,
        typeof one === 'string' ? one : checkedOptional(one),
      ]),
    ),
    where: where === undefined ? undefined : checkedText(where),
    merges: merges === true,
    empty: checkedState(empty, { file: '', tree: '' }),
  };
}

/** Returns the checked result of a part of the entries of a file. Throws ARGUMENT. */
export function checkedSelected(value: unknown, source: Source): Selected {
  const { passed, state } = recordOf(value) ?? wrong();
  return { passed: countFrom(passed, wrong), state: checkedState(state, source) };
}

function checkedState(state: unknown, { file, tree }: Source): GatheredState {
  return stateFrom(state, wrong, { file, tree });
}
