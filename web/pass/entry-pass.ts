import type { BranchInfo, CallOptions, EntrySelection } from '../api/api';
import type { ErrorRecord } from '../base/errors';
import type { DecodePlan } from '../core/tree-core';
import type { DataModel } from '../model/data-model';
import { chooseEntries, type EntryChoice } from '../model/entry-choice';
import type { TapeColumns } from './columns/tape-columns';
import { type EntryTask, EntryTasks } from './entry-tasks';
import { badUnit } from './failures';
import { friendColumn, type MemberFriend } from './friend-column';
import type { Goal } from './goals/goal';
import { rowsGoal } from './goals/rows';
import { moduleOf } from './module-of';
import { planBranch, purposeOf, readCounts } from './pass';
import { columnsOf, ProgramWork, type Run } from './program-work';
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

export interface ProgramPassOptions extends CallOptions {
  /** The tasks to run, by their number; all if it is left out. */
  tasks?: readonly number[] | undefined;
  /** The cut alone, if all goals have the same: it finds the tasks that are worth reading. */
  select?: ProgramUse | undefined;
  /** Called with each task that is done, also when nothing in it passed. */
  onPart?: ((part: Part) => void) | undefined;
  onBytes?: ((progress: PassProgress) => void) | undefined;
  /** Called with units that failed, with each once. */
  onFailures?: ((failures: UnitFailure[]) => void) | undefined;
}

/**
 * A pass over branches whose values are combined: it is planned once, by ranges of entries, and may run several times with
 * other goals.
 */
export class ProgramPass {
  readonly #entries: EntryTasks;
  /** Units whose failure was told. */
  readonly #told = new Set<number>();

  constructor(
    tree: DataModel,
    readonly runner: TaskRunner,
    readonly columns: readonly PassColumn[],
    readonly choice: EntryChoice,
  ) {
    this.#entries = new EntryTasks(tree, columns, choice);
  }

  get tasks(): readonly EntryTask[] {
    return this.#entries.tasks;
  }

  /** Number of units of a column, each of which may fail. */
  unitsOf(column: number): number {
    return this.columns[column]?.parts.reduce((sum, { scan }) => sum + scan.units.length, 0) ?? 0;
  }

  async run(goals: readonly Goal[], options: ProgramPassOptions): Promise<void> {
    const { select, signal } = options;
    const { sources, readers, bad } = this.#entries;
    await readCounts(this.runner, sources, undefined, signal);
    const progress: PassProgress = { bytesDone: 0, bytesTotal: 0, entriesDone: 0, entriesTotal: 0 };
    const reader = new TaskReader(this.runner, {
      ...{ readers, purpose: purposeOf(this.columns), progress },
      ...{ signal, onBytes: options.onBytes },
    });
    const onFailed = (list: number, index: number, error: ErrorRecord): void =>
      this.#tell(list, index, error, options);
    for (const { list, index } of bad) {
      const source = sources[list];
      if (source) onFailed(list, index, badUnit(source, index));
    }
    let tasks = options.tasks ?? [...this.tasks.keys()];
    for (const task of tasks) progress.entriesTotal += this.tasks[task]?.chosen ?? 0;
    const done = (part: Part): void => {
      progress.entriesDone += part.rows;
      options.onPart?.(part);
    };
    const calls = [...goals, { program: select }].some(({ program }) => program?.math === true);
    const shared = {
      ...{ entries: this.#entries, onFailed, gap: reader.direct?.gapBytes ?? 0 },
      math: calls ? await moduleOf(this.runner, 'math') : undefined,
    };
    if (select && this.#isWorthIt(select, goals, tasks)) {
      const passing: number[] = [];
      const cut = rowsGoal(select, [], ({ entries }, part) => {
        if (entries.length > 0) passing.push(part.number);
        else done(part);
      });
      // Nothing is evaluated in a task of which no entry is left.
      const onPart = (part: Part): void => (part.rows === 0 ? done(part) : undefined);
      await reader.run(new ProgramWork({ ...shared, goals: [cut], onPart }, this.#runsOf(tasks, [cut])));
      tasks = passing.sort((a, b) => a - b);
    }
    await reader.run(new ProgramWork({ ...shared, goals, onPart: done }, this.#runsOf(tasks, goals)));
  }

  /** One run of all goals for each task, and where columns have gaps one for the goals that read the same of these. */
  #runsOf(tasks: readonly number[], goals: readonly Goal[]): Run[] {
    const all = [...goals.keys()];
    return tasks.flatMap((task): Run[] => {
      const gaps = new Set(this.tasks[task]?.gaps.map(({ column }) => column));
      if (gaps.size === 0) return [{ task, goals: all, failed: new Set<number>() }];
      const groups = new Map<string, number[]>();
      for (const [i, goal] of goals.entries()) {
        const missed = columnsOf([goal]).filter((column) => gaps.has(column));
        const group = groups.get(missed.join());
        if (group) group.push(i);
        else groups.set(missed.join(), [i]);
      }
      return [...groups.values()].map((some) => ({ task, goals: some, failed: new Set<number>() }));
    });
  }

  #tell(list: number, index: number, error: ErrorRecord, { onFailures }: ProgramPassOptions): void {
    const { starts, sources } = this.#entries;
    const number = (starts[list] ?? 0) + index;
    if (!this.#told.has(number)) onFailures?.([{ column: sources[list]?.column ?? -1, error }]);
    this.#told.add(number);
  }

  /** Whether the other branches have so much more to read that the cut is evaluated first. */
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

/** An expression program, and the branches that it reads. */
export interface Program {
  program: Uint8Array;
  columns: ProgramColumn[];
  /** Whether the program calls functions of xylem-math.wasm. */
  math: boolean;
  /** The program that makes its weights, if it does not do so itself. */
  given?: Program | undefined;
}

/** A branch that a program reads. */
export interface ProgramColumn {
  branch: BranchInfo;
  plan: DecodePlan;
  /** Index of the friend; -1 for the tree itself. */
  friend: number;
  /** The columns made from the branch's tapes after decoding. */
  tapes?: TapeColumns | undefined;
}

/** The columns of programs that run over the same decoded values. */
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

/** The programs of a tree and its friends, whose columns are read together. */
export class Programs {
  readonly #columns: ProgramColumn[] = [];
  readonly #uses = new Map<Program, ProgramUse>();

  /** Adds a program, unless it was added before; returns how goals use it. */
  use(program: Program): ProgramUse {
    const found = this.#uses.get(program);
    if (found) return found;
    const { program: bytes, columns, math } = program;
    const given = program.given && this.use(program.given);
    const use = { bytes, math, columns: columns.map((column) => this.#indexOf(column)), given };
    this.#uses.set(program, use);
    return use;
  }

  #indexOf(column: ProgramColumn): number {
    const found = this.#columns.indexOf(column);
    return found >= 0 ? found : this.#columns.push(column) - 1;
  }

  /** Plans reading the columns of all programs for chosen entries. */
  async plan(
    tree: DataModel,
    friends: readonly MemberFriend[],
    runner: TaskRunner,
    entries: EntrySelection | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ProgramPass> {
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
    return new ProgramPass(tree, runner, columns, choice);
  }
}
