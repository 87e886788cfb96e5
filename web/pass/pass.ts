import type { CallOptions, EntryRange, EntrySelection } from '../api/api';
import { type ErrorRecord, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import type { Range } from '../io/source';
import { withAbsent } from '../model/absent';
import type { DataModel } from '../model/data-model';
import { chooseEntries } from '../model/entry-choice';
import { BranchWork } from './branch-work';
import { entryCounts } from './entry-counts';
import { isReadable } from './failures';
import { columnsGoal } from './goals/columns';
import type { Goal } from './goals/goal';
import type { ChosenUnits } from './plan';
import { TaskReader } from './read-tasks';
import { PackedPlans } from './task-message';
import type { BranchPlan, Part, PassProgress, TaskRunner, UnitsOfFile } from './types';

/** Maximum number of bytes of arrays that are read together with the branches of their lengths. */
const COUNTED_AHEAD_BYTES = 16 * 1024 * 1024;

export interface PassOptions extends CallOptions {
  goals: readonly Goal[];
  /** The units to decode. Default: all. */
  units?: { packed: Float64Array; chosen: ChosenUnits } | undefined;
  /** Whether each unit is a separate part, so that the parts do not depend on the number of workers. */
  alone?: boolean | undefined;
  /**
   * Called for each part before its results are given to goals. Also called for units that cannot be read, which have
   * no results.
   */
  onPart?: ((part: Part) => void) | undefined;
  onBytes?: ((progress: PassProgress) => void) | undefined;
}

/**
 * Plans the reading of a branch. Entries that the branch counts but no basket contains become units that cannot be
 * read. With `whole`, this also applies to entries of the tree that the branch does not count. Throws if the branch
 * cannot be decoded.
 */
export function planBranch(
  tree: DataModel,
  which: number | string,
  entries?: EntrySelection,
  { raw = false, whole = false } = {},
): BranchPlan {
  const there = planUnits(tree, which, entries, raw);
  const { branch } = there;
  // A branch that only contains other branches counts entries but has no baskets.
  if (branch.kind === 'group' && branch.baskets === 0) return there;
  const counted = whole ? Math.max(tree.info.entries, branch.entries) : branch.entries;
  return { ...there, units: withAbsent(there.units, chooseEntries(entries, counted), branch.entries) };
}

/**
 * Plans the reading of the stored units of a branch, even if it claims another number of entries. Throws if it cannot
 * be decoded.
 */
export function planUnits(
  tree: DataModel,
  which: number | string,
  entries: EntrySelection | undefined,
  raw: boolean,
): BranchPlan {
  const branch = tree.branch(which);
  const choice = chooseEntries(entries, branch.entries);
  const plan = raw ? tree.rawPlan(branch) : tree.plan(branch);
  return { branch, plan, units: tree.units(branch, choice) };
}

/**
 * Reads and decodes the units of several branches of a file and gives the values of each branch to goals. Units that
 * cannot be read or decoded are reported in the parts. Throws ABORTED and the errors of goals.
 */
export async function runPass(
  tree: DataModel,
  runner: TaskRunner,
  plans: readonly BranchPlan[],
  options: PassOptions,
): Promise<void> {
  const sources = plans.map((scan): UnitsOfFile => ({ tree, scan, shift: 0 }));
  await readCounts(runner, sources, options.units?.chosen, options.signal);
  const { units, alone = false, signal, onPart, onBytes } = options;
  const reader = new TaskReader(runner, [tree.reader], { purpose: purposeOf(plans), signal, onBytes });
  const { progress } = reader;
  const goals = new Map<number, Goal[]>();
  for (const goal of options.goals) {
    const own = goals.get(goal.column ?? -1);
    if (own) own.push(goal);
    else goals.set(goal.column ?? -1, [goal]);
  }
  const packed = new PackedPlans(plans.map(({ plan }) => plan.plan));
  const pass = { tree, runner, sources, units, onPart, progress, goals, plans: packed };
  const work = new BranchWork(pass, reader.gapBytes, alone);
  work.start();
  await reader.run(work);
}

/**
 * Reads the branches with the array lengths of other branches, from the first entry of each needed unit on. `chosen`
 * are the needed units. The first bytes of the arrays are read at the same time, which saves a round trip.
 */
export async function readCounts(
  runner: TaskRunner,
  sources: readonly UnitsOfFile[],
  chosen: ChosenUnits | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const uncounted = sources.filter(({ scan }) => scan.plan.counter >= 0 && !scan.counts);
  if (uncounted.length === 0) return;
  const indices = new Map(indicesOf(sources, chosen).map((list, i) => [sources[i], list]));
  const counting = async (): Promise<void> => {
    for (const source of uncounted)
      source.scan.counts = await countsOf(runner, source, indices.get(source) ?? [], signal);
  };
  await Promise.all([runner.record ? undefined : readAhead(sources, indices, signal), counting()]);
}

/** Returns the indices of the chosen units of each list; all if `chosen` is undefined. */
function indicesOf(sources: readonly UnitsOfFile[], chosen: ChosenUnits | undefined): number[][] {
  if (!chosen) return sources.map(({ scan }) => [...scan.units.numbers.first.keys()]);
  let before = 0;
  let at = 0;
  return sources.map(({ scan }) => {
    const indices: number[] = [];
    const end = before + scan.units.length;
    for (; (chosen[at] ?? end) < end; at++) indices.push((chosen[at] ?? 0) - before);
    before = end;
    return indices;
  });
}

async function readAhead(
  sources: readonly UnitsOfFile[],
  indices: ReadonlyMap<UnitsOfFile | undefined, readonly number[]>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ranges = new Map<UnitsOfFile['tree']['reader'], Range[]>();
  let bytes = 0;
  for (const source of sources) {
    const { units } = source.scan;
    const own = ranges.get(source.tree.reader) ?? [];
    ranges.set(source.tree.reader, own);
    for (const i of indices.get(source) ?? []) {
      if (bytes > COUNTED_AHEAD_BYTES) break;
      for (const range of units.ranges(i).filter(isReadable)) {
        bytes += range.length;
        own.push(range);
      }
    }
  }
  const purpose = purposeOf(sources.map(({ scan }) => scan));
  // A range that fails here is read again when its bytes are used; the error is reported there.
  const rest = { onRange: () => {}, onError: () => {} };
  await Promise.all([...ranges].map(([reader, own]) => reader.stream(own, { signal, purpose, ...rest })));
}

async function countsOf(
  runner: TaskRunner,
  { tree, scan }: UnitsOfFile,
  indices: readonly number[],
  signal: AbortSignal | undefined,
): Promise<BranchPlan['counts']> {
  const { first, to } = scan.units.numbers;
  const ranges = indices.map((i): EntryRange => [first[i] ?? 0, (first[i] ?? 0) + (to[i] ?? 0)]);
  const columns: { number: number; column: Column }[] = [];
  let failure: ErrorRecord | undefined;
  await runPass(tree, runner, [planBranch(tree, scan.plan.counter, ranges, { whole: true })], {
    signal,
    goals: [columnsGoal((column, { number }) => columns.push({ number, column }))],
    onPart: ({ failures }) => {
      failure ??= failures[0]?.error;
    },
  });
  if (failure) throw new XylemError({ ...failure, cause: undefined });
  if (runner.record) return undefined;
  columns.sort((a, b) => a.number - b.number);
  return entryCounts(
    columns.map(({ column }) => column),
    ranges,
  );
}

/** Returns the purpose of the reads of a pass for the trace. */
export function purposeOf(columns: readonly Pick<BranchPlan, 'branch'>[]): string {
  return columns.length === 1 ? (columns[0]?.branch.path ?? '') : `${columns.length} branches`;
}
