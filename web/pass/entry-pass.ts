import type { BranchInfo, CallOptions, EntrySelection } from '../api/api';
import type { ErrorRecord } from '../base/errors';
import type { DecodePlan } from '../core/tree-core';
import type { DataModel } from '../model/data-model';
import { chooseEntries, type EntryChoice } from '../model/entry-choice';
import type { TapeColumns } from './columns/tape-columns';
import { type EntryTask, EntryTasks } from './entry-tasks';
import { columnsOf, EntryWork, type Run } from './entry-work';
import { badUnit } from './failures';
import { friendColumn, type MemberFriend } from './friend-column';
import type { Goal } from './goals/goal';
import { rowsGoal } from './goals/rows';
import { moduleOf } from './module-of';
import { planBranch, purposeOf, readCounts } from './pass';
import { TaskReader } from './read-tasks';
import type { Part, PassColumn, PassProgress, ProgramUse, TaskRunner } from './types';

/** If the other branches have more bytes than this, the branches of the cut are read first. */
const STAGE_BYTES = 1024 * 1024;

/** A unit that cannot be read or decoded. */
export interface UnitFailure {
  /** Its column in the pass. */
  column: number;
  error: ErrorRecord;
}

export interface EntryPassOptions extends CallOptions {
  /** Returns the numbers of the tasks of a group to run; undefined for all of them. */
  only?: ((group: number) => readonly number[] | undefined) | undefined;
  /** The cut, if all goals with programs have the same one. It determines which tasks have to be read. */
  select?: ProgramUse | undefined;
  /** Called for each completed task with its group, even if no entry passed. */
  onPart?: ((part: Part, group: number) => void) | undefined;
  onBytes?: ((progress: PassProgress) => void) | undefined;
  /** Called for units that failed, once for each unit in all runs. */
  onFailures?: ((failures: UnitFailure[]) => void) | undefined;
}

/**
 * A pass over the entries of columns. It is planned once and can run several times with other goals. The columns that
 * programs read form one group, because their values are combined. Each other column is its own group.
 */
export class EntryPass {
  readonly #entries: EntryTasks;
  /** Units whose failure was reported. */
  readonly #reported = new Set<number>();
  readonly #groupOfColumn = new Map<number, number>();

  constructor(
    tree: DataModel,
    readonly runner: TaskRunner,
    readonly columns: readonly PassColumn[],
    groups: readonly (readonly number[])[],
    readonly choice: EntryChoice,
  ) {
    this.#entries = new EntryTasks(tree, columns, groups, choice);
    for (const [group, own] of groups.entries())
      for (const column of own) this.#groupOfColumn.set(column, group);
  }

  get tasks(): readonly EntryTask[] {
    return this.#entries.tasks;
  }

  /** Returns the number of units that goals read, each of which may fail. */
  unitsOf(goals: readonly Goal[]): number {
    let units = 0;
    for (const column of columnsOf(goals))
      for (const { scan } of this.columns[column]?.parts ?? []) units += scan.units.length;
    return units;
  }

  /** Returns the group of the columns of a goal. For a program it is the first group. */
  groupOf({ column }: Goal): number {
    return column === undefined ? 0 : (this.#groupOfColumn.get(column) ?? 0);
  }

  async run(goals: readonly Goal[], options: EntryPassOptions): Promise<void> {
    const { select, signal } = options;
    const { sources, readers, bad, groups } = this.#entries;
    await readCounts(this.runner, sources, undefined, signal);
    const purpose = purposeOf(this.columns);
    const reader = new TaskReader(this.runner, readers, { purpose, signal, onBytes: options.onBytes });
    const { progress } = reader;
    const onFailed = (list: number, index: number, error: ErrorRecord): void =>
      this.#report(list, index, error, options);
    for (const { list, index } of bad) {
      const source = sources[list];
      if (source) onFailed(list, index, badUnit(source, index));
    }
    const byGroup = groups.map((): number[] => []);
    for (const [i, goal] of goals.entries()) byGroup[this.groupOf(goal)]?.push(i);
    const wanted = groups.map((_, group) => {
      const only = options.only?.(group);
      return only && new Set(only);
    });
    let tasks = [...this.tasks.keys()].filter((task) => {
      const { group, number } = this.tasks[task] as EntryTask;
      return byGroup[group]?.length !== 0 && wanted[group]?.has(number) !== false;
    });
    for (const task of tasks) progress.entriesTotal += this.tasks[task]?.chosen ?? 0;
    const done = (part: Part, group: number): void => {
      progress.entriesDone += part.rows;
      options.onPart?.(part, group);
    };
    const calls = [...goals, { program: select }].some(({ program }) => program?.math === true);
    const shared = {
      ...{ entries: this.#entries, onFailed, gap: reader.gapBytes },
      math: calls ? await moduleOf(this.runner, 'math') : undefined,
    };
    if (select && this.#isWorthIt(select, goals, tasks)) {
      const passing: number[] = [];
      const cut = rowsGoal(select, [], ({ entries }, part) => {
        if (entries.length > 0) passing.push(part.number);
        else done(part, 0);
      });
      // A task without remaining entries is not evaluated.
      const onPart = (part: Part): void => (part.rows === 0 ? done(part, 0) : undefined);
      await reader.run(new EntryWork({ ...shared, goals: [cut], onPart }, this.#runsOf(tasks, [cut], [[0]])));
      // If nothing is read, entries of all tasks are taken to pass.
      if (!this.runner.record) tasks = passing.sort((a, b) => a - b);
    }
    await reader.run(new EntryWork({ ...shared, goals, onPart: done }, this.#runsOf(tasks, goals, byGroup)));
  }

  /**
   * Returns the runs of the goals of each task. Usually this is one run per task. If columns have gaps, the goals that
   * lack the same columns in a task form one run.
   */
  #runsOf(tasks: readonly number[], goals: readonly Goal[], byGroup: readonly (readonly number[])[]): Run[] {
    return tasks.flatMap((task): Run[] => {
      const { gaps, group } = this.tasks[task] as EntryTask;
      if (gaps.length === 0)
        return [{ task, goals: byGroup[group] ?? [], failed: new Set<number>(), isFirst: true }];
      const missing = new Set(gaps.map(({ column }) => column));
      const runs = new Map<string, Run & { goals: number[] }>();
      for (const i of byGroup[group] ?? []) {
        const missed = columnsOf([goals[i] as Goal]).filter((column) => missing.has(column));
        const run = runs.get(missed.join());
        if (run) run.goals.push(i);
        else runs.set(missed.join(), { task, goals: [i], failed: new Set(), isFirst: runs.size === 0 });
      }
      return [...runs.values()];
    });
  }

  #report(list: number, index: number, error: ErrorRecord, { onFailures }: EntryPassOptions): void {
    const { starts, sources } = this.#entries;
    const number = (starts[list] ?? 0) + index;
    if (!this.#reported.has(number)) onFailures?.([{ column: sources[list]?.column ?? -1, error }]);
    this.#reported.add(number);
  }

  /** Whether the other branches have many more bytes, so that the cut is evaluated first. */
  #isWorthIt(select: ProgramUse, goals: readonly Goal[], tasks: readonly number[]): boolean {
    const first = new Set(select.columns);
    const wanted = new Set(columnsOf(goals).filter((column) => !first.has(column)));
    if (wanted.size === 0) return false;
    let bytes = 0;
    for (const task of tasks) {
      for (const number of this.tasks[task]?.units ?? []) {
        const { list, index } = this.#entries.placeOf(number);
        const source = this.#entries.sources[list];
        if (!source || !wanted.has(source.column)) continue;
        for (const { length } of source.scan.units.ranges(index)) bytes += length;
        if (bytes >= STAGE_BYTES) return true;
      }
    }
    return false;
  }
}

/** A compiled expression, and the branches that it reads. */
export interface Program {
  program: Uint8Array;
  columns: ProgramColumn[];
  /** Whether it calls functions of xylem-math.wasm. */
  math: boolean;
  /** The program that computes its weights, if it does not do so itself. */
  given?: Program | undefined;
}

/** A branch that a program reads. */
export interface ProgramColumn {
  branch: BranchInfo;
  plan: DecodePlan;
  /** Index of the friend; -1 for the tree itself. */
  friend: number;
  /** Columns made from tapes of the branch after decoding. */
  tapes?: TapeColumns | undefined;
}

/** The columns of programs that use the same decoded values. */
export class SharedColumns {
  readonly #columns: ProgramColumn[] = [];

  of(branch: BranchInfo, friend: number, plan: () => DecodePlan): ProgramColumn {
    const found = this.#columns.find(
      (column) => column.branch.index === branch.index && column.friend === friend,
    );
    if (found) return found;
    const column = { branch, plan: plan(), friend };
    this.#columns.push(column);
    return column;
  }
}

/** The columns of a tree and its friends that goals read, through programs or directly. */
export class PassColumns {
  readonly #columns: ProgramColumn[] = [];
  readonly #uses = new Map<Program, ProgramUse>();

  /** Adds a program unless it was added before. Returns what goals need to use it. */
  use(program: Program): ProgramUse {
    const found = this.#uses.get(program);
    if (found) return found;
    const { program: bytes, columns, math } = program;
    const given = program.given && this.use(program.given);
    const use = { bytes, math, columns: columns.map((column) => this.add(column)), given };
    this.#uses.set(program, use);
    return use;
  }

  /** Adds a column unless it was added before. Returns its number in the pass. */
  add(column: ProgramColumn): number {
    const found = this.#columns.indexOf(column);
    return found >= 0 ? found : this.#columns.push(column) - 1;
  }

  /** Plans the reading of the columns for the chosen entries. */
  async plan(
    tree: DataModel,
    friends: readonly MemberFriend[],
    runner: TaskRunner,
    entries: EntrySelection | undefined,
    signal: AbortSignal | undefined,
  ): Promise<EntryPass> {
    const own = this.#columns.filter(({ friend }) => friend < 0).map(({ branch }) => branch);
    await tree.prepare(entries, { signal }, own);
    const choice = chooseEntries(entries, tree.info.entries);
    const columns: PassColumn[] = [];
    for (const { branch, friend, plan, tapes } of this.#columns) {
      const from = friends[friend];
      if (from) columns.push({ ...(await friendColumn(from, branch, plan, choice, signal)), tapes });
      else {
        const scan = planBranch(tree, branch.index, entries, { whole: true });
        columns.push({ branch, plan: scan.plan, parts: [{ tree, scan, shift: 0 }], tapes });
      }
    }
    return new EntryPass(tree, runner, columns, this.#groups(), choice);
  }

  /**
   * Returns the columns of all programs as one group, followed by a group for each other column. Without programs, the
   * first group is missing.
   */
  #groups(): number[][] {
    const combined = new Set([...this.#uses.values()].flatMap((use) => use.columns));
    const alone = [...this.#columns.keys()].filter((column) => !combined.has(column));
    return [...(this.#uses.size > 0 ? [[...combined]] : []), ...alone.map((column) => [column])];
  }
}
