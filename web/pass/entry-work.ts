import type { ErrorRecord } from '../base/errors';
import type { Column } from '../core/columns';
import { countOf } from '../model/entry-choice';
import type { ColumnUnits, EntryTask, EntryTasks } from './entry-tasks';
import { placed } from './failures';
import { entriesWithRows, lookUp, rowsOfEntries } from './friend-column';
import type { Goal, ProgramData } from './goals/goal';
import { makeTaskLists, TaskPlan } from './plan';
import type { TaskWork } from './read-tasks';
import type { TogetherData } from './task';
import { clipSpans, type TaskContent, type TaskResults, withoutRanges } from './task-message';
import type { Part, PassColumn, ProgramUse } from './types';

/** Some goals of a task. Units that failed, and their entries, are left out. */
export interface Run {
  task: number;
  goals: readonly number[];
  failed: ReadonlySet<number>;
  /** Whether this run reports that its task is done. Only one run of each task does. */
  isFirst: boolean;
}

/** A run with the data that it reads. */
interface OpenRun extends Run {
  columns: number[];
  /** The remaining chosen entries as spans. */
  left: Float64Array;
  /** For columns that are looked up: the row of each entry. */
  rows: Map<number, Float64Array>;
  /** The same rows as spans. */
  wanted: Map<number, Float64Array>;
}

/** Data that all tasks of a pass share. */
export interface EntryWorkOptions {
  entries: EntryTasks;
  goals: readonly Goal[];
  /** The module xylem-math.wasm, if programs call its functions. */
  math: WebAssembly.Module | undefined;
  /** Maximum gap between units that is read over, in bytes. */
  gap: number;
  /** Called for each completed task. */
  onPart: (part: Part, group: number) => void;
  onFailed: (list: number, index: number, error: ErrorRecord) => void;
}

/**
 * Divides a pass by entries: in each task, all columns have the same entries. If a unit fails, the task runs again
 * without its entries, for the goals that read the unit.
 */
export class EntryWork implements TaskWork {
  readonly plan: TaskPlan;
  readonly #runs: OpenRun[];
  readonly #again: Run[] = [];

  constructor(
    readonly tasks: EntryWorkOptions,
    runs: readonly Run[],
    readonly alone = false,
  ) {
    const { entries } = tasks;
    const open = runs.map((run) => this.#open(run));
    this.#runs = open.filter((run) => run.left.length > 0);
    // Tasks without remaining entries are done.
    for (const run of open) if (run.left.length === 0) this.#done(run, 0);
    const given: number[] = [];
    for (const run of this.#runs) {
      const units = this.#unitsOf(run);
      given.push(units.length);
      for (const unit of units) given.push(unit);
    }
    const limits = { how: 'given', gap: tasks.gap } as const;
    const lists = makeTaskLists(entries.tree.core, entries.packed, limits, Float64Array.from(given));
    this.plan = new TaskPlan(
      {
        ...lists,
        firstEntries: Float64Array.from(this.#runs, ({ task }) => entries.tasks[task]?.from ?? 0),
        lastEntries: Float64Array.from(this.#runs, ({ task }) => entries.tasks[task]?.to ?? 0),
      },
      entries.sources,
    );
  }

  content(index: number): TaskContent {
    const run = this.#runs[index] as OpenRun;
    const { left, columns } = run;
    const { entries, math } = this.tasks;
    const { number } = entries.tasks[run.task] as EntryTask;
    const goals = run.goals.map((goal) => this.tasks.goals[goal] as Goal);
    const programs = new Map<ProgramUse, ProgramData>();
    const dataOf = (use: ProgramUse): ProgramData => {
      const { bytes, columns: own, given } = use;
      const data = programs.get(use) ?? {
        ...{ bytes, columns: own.map((one) => columns.indexOf(one)) },
        given: given && dataOf(given),
      };
      programs.set(use, data);
      return data;
    };
    // Columns that no program reads are released while the task is decoded.
    const together: TogetherData | undefined = goals.some(({ program }) => program)
      ? {
          entries: left,
          rows: columns.map((column) => {
            const rows = run.rows.get(column);
            return rows && lookUp(rows).places;
          }),
          tapes: columns.map((column) => entries.columns[column]?.tapes),
          math,
        }
      : undefined;
    return {
      goals: goals.map((goal) => {
        const { program, column } = goal;
        return {
          ...goal.data(number),
          ...(column !== undefined && { column: columns.indexOf(column) }),
          ...(program && { program: dataOf(program) }),
        };
      }),
      plans: entries.plans.of(Uint32Array.from(columns)),
      parts: this.#partsOf(index, columns),
      spansOf: (list, unit) => this.#entriesOf(run, list, unit),
      together,
    };
  }

  /** Returns the parts of a task: see Task. A column may have units in several files, or none. */
  #partsOf(index: number, columns: readonly number[]): Int32Array {
    const { plans, sources } = this.tasks.entries;
    const counts = new Map<number, number[]>(columns.map((column) => [column, []]));
    for (const { list, count } of this.plan.parts(index))
      counts.get(sources[list]?.column ?? -1)?.push(count);
    const parts: number[] = [];
    for (const [column, [first = 0, ...more]] of counts) {
      parts.push(plans.lengthOf(column), first);
      for (const count of more) parts.push(0, count);
    }
    return Int32Array.from(parts);
  }

  take(index: number, results: TaskResults): void {
    const run = this.#runs[index] as OpenRun;
    const { data, order, result } = results;
    if (result.failures.length > 0) {
      this.lose(index, new Map(result.failures.map(({ unit, error }) => [unit, error])), true);
      return;
    }
    const rows = countOf(run.left);
    const part = this.#done(run, rows);
    const columns = new Map<number, Column>();
    const columnOf = (column: number): Column => {
      const { schema } = (this.tasks.entries.columns[run.columns[column] ?? -1] as PassColumn).plan;
      const built = columns.get(column) ?? results.column(schema, rows);
      columns.set(column, built);
      return built;
    };
    for (const i of [...order.own, ...order.programs]) {
      const goal = this.tasks.goals[run.goals[i] ?? -1];
      results.give(i, goal, part, 0, () => columnOf(data[i]?.column ?? -1));
    }
  }

  /** Reports that a task is done. */
  #done({ task, isFirst }: Pick<Run, 'task' | 'isFirst'>, rows: number): Part {
    const { group, number } = this.tasks.entries.tasks[task] as EntryTask;
    const part: Part = { column: -1, number, count: 1, rows, failures: [] };
    if (isFirst) this.tasks.onPart(part, group);
    return part;
  }

  /**
   * Removes the entries of failed units for the goals that read them. The other goals keep these entries. `decoded`:
   * the errors are from decoding, so the position of the unit is added.
   */
  lose(index: number, failed: ReadonlyMap<number, ErrorRecord>, decoded = false): void {
    const { entries, goals, onFailed } = this.tasks;
    const run = this.#runs[index] as OpenRun;
    if (failed.size === 0) {
      this.#again.push(run);
      return;
    }
    const lost = new Map<number, number>();
    let k = 0;
    for (const { list, index: unit } of this.plan.places(index)) {
      const error = failed.get(k++);
      const source = entries.sources[list];
      if (!error || !source) continue;
      lost.set((entries.starts[list] ?? 0) + unit, source.column);
      onFailed(list, unit, decoded ? placed(error, source, unit) : error);
    }
    const groups = new Map<string, Run & { goals: number[] }>();
    for (const goal of run.goals) {
      const columns = new Set(columnsOf([goals[goal] as Goal]));
      const own = [...lost].filter(([, column]) => columns.has(column)).map(([unit]) => unit);
      const group = groups.get(own.join());
      if (group) group.goals.push(goal);
      else
        groups.set(own.join(), {
          ...{ task: run.task, goals: [goal], failed: new Set([...run.failed, ...own]) },
          isFirst: run.isFirst && groups.size === 0,
        });
    }
    this.#again.push(...groups.values());
  }

  some(indices: readonly number[]): TaskWork {
    if (indices.length === this.plan.length && this.tasks.gap === 0) return this;
    return this.#with(
      indices.map((index) => this.#runs[index] as OpenRun),
      this.alone,
    );
  }

  rest(): TaskWork | undefined {
    return this.#again.length > 0 ? this.#with(this.#again, true) : undefined;
  }

  #with(runs: readonly Run[], alone: boolean): TaskWork {
    return new EntryWork({ ...this.tasks, gap: alone ? -1 : 0 }, runs, alone);
  }

  /**
   * Returns a run with its remaining entries: the chosen ones without gaps of its columns and without those of failed
   * units.
   */
  #open(run: Run): OpenRun {
    const { entries, goals } = this.tasks;
    const { tasks, choice, columns, sources } = entries;
    const { from, to, gaps, before } = tasks[run.task] as EntryTask;
    const own = columnsOf(run.goals.map((goal) => goals[goal] as Goal));
    const chosen = choice.spans(from, to);
    const rowsOf = (column: number): Float64Array | undefined =>
      columns[column]?.rows?.subarray(before, before + countOf(chosen));
    const holes: [number, number][] = [];
    for (const gap of gaps) if (own.includes(gap.column)) holes.push([gap.from, gap.to]);
    for (const number of run.failed) {
      const { list, index } = this.tasks.entries.placeOf(number);
      const { column = -1, scan, shift = 0 } = sources[list] ?? {};
      const { first = [], from: least = [], to: most = [] } = scan?.units.numbers ?? {};
      const start = (first[index] ?? 0) + shift;
      const [begin, end] = [start + (least[index] ?? 0), start + (most[index] ?? 0)];
      const rows = rowsOf(column);
      if (rows) holes.push(...entriesWithRows(chosen, rows, begin, end));
      else holes.push([begin, end]);
    }
    const left = withoutRanges(chosen, holes);
    const open: OpenRun = { ...run, columns: own, left, rows: new Map(), wanted: new Map() };
    for (const column of own) {
      const rows = rowsOf(column);
      if (!rows) continue;
      const looked = rowsOfEntries(chosen, rows, left);
      open.rows.set(column, looked);
      open.wanted.set(column, lookUp(looked).spans);
    }
    return open;
  }

  /** Returns the units with remaining entries of a run. */
  #unitsOf(run: OpenRun): number[] {
    const { tasks, sources } = this.tasks.entries;
    const wanted = new Set(run.columns);
    const units: number[] = [];
    for (const number of tasks[run.task]?.units ?? []) {
      const { list, index } = this.tasks.entries.placeOf(number);
      if (!wanted.has(sources[list]?.column ?? -1) || run.failed.has(number)) continue;
      if (this.#entriesOf(run, list, index).length > 0) units.push(number);
    }
    return units;
  }

  /** Returns the entries of a unit that a run needs, as spans relative to the unit's first entry. */
  #entriesOf(run: OpenRun, list: number, index: number): Float64Array {
    const source = this.tasks.entries.sources[list] as ColumnUnits;
    const { first, from, to } = source.scan.units.numbers;
    const start = (first[index] ?? 0) + source.shift;
    const spans = run.wanted.get(source.column) ?? run.left;
    return clipSpans(spans, start + (from[index] ?? 0), start + (to[index] ?? 0), start);
  }
}

/** Returns the columns that goals read, ascending. */
export function columnsOf(goals: readonly Pick<Goal, 'column' | 'program'>[]): number[] {
  const columns = new Set<number>();
  for (const { column, program } of goals) {
    if (column !== undefined) columns.add(column);
    for (const one of program?.columns ?? []) columns.add(one);
  }
  return [...columns].sort((a, b) => a - b);
}
