import type { ErrorRecord } from '../base/errors';
import type { Core } from '../core/core';
import { Decoder } from '../core/decoder';
import { padded } from '../core/dtypes';
import type { Axis } from '../core/fill';
import {
  AXIS_DOUBLES,
  GOAL_BYTES,
  GOAL_KIND,
  type GoalWords,
  putGoal,
  runCoreTask,
  TASK_BYTES,
  type TaskWords,
} from '../core/goals';
import type { CorePart } from '../core/module';
import { type PackedBuffers, packBuffers } from '../core/packed-buffers';
import { CoreQuery } from '../core/query-core';
import { addTapeColumns, type TapeColumns } from './columns/tape-columns';
import { clock, type DirectFiles, type DirectInput, inputSize, takeInput } from './direct';
import type { GoalData, OpenGoal, ProgramData } from './goals/goal';
import { workOf } from './goals/kinds';

/**
 * Work for one instance of the core: units (baskets, or parts of clusters) of any branches, and goals for their values.
 * Plain data with few objects, because there may be thousands of units.
 */
export interface Task {
  goals: GoalData[];
  /** Bytes of the units, or their locations in files. */
  input: Uint8Array | DirectInput;
  /** Plans of the columns, one after another. */
  plans: Uint8Array;
  /** Two numbers for each part: bytes of its plan (0: it continues the previous column), and number of units. */
  parts: Int32Array;
  /**
   * Four numbers for each unit: offset in the input, number of bytes, first entry, and the entry after the last (-1: to
   * the end).
   */
  units: Float64Array;
  /** Set if entries are chosen one by one, or if array lengths are in other branches: see UnitExtras. */
  more?: UnitExtras | undefined;
  /** Memory for columns to reuse, because allocating and freeing costs more. */
  spare?: ArrayBuffer | undefined;
  /** For programs: the columns are decoded completely, and their rows are these entries. */
  together?: TogetherData | undefined;
  /** Parts of the core that the thread may lack. */
  coreParts?: readonly (readonly [CorePart, WebAssembly.Module])[] | undefined;
}

/** Lists for all units of a task, one after another. */
export interface UnitExtras {
  /** Four numbers for each unit: start and number of its spans, start (-1 for none) and number of its array lengths. */
  places: Float64Array;
  /** Ascending pairs [from, to). A unit without spans has all entries. */
  spans: Float64Array;
  /** Array lengths from another branch, beginning with the unit's first entry. */
  counts: Int32Array;
}

export interface TogetherData {
  /** Pairs [from, to): the entries of the rows. */
  entries: Float64Array;
  /** By column: for a friend whose entries are looked up, the row of each entry, or -1. */
  rows: (Float64Array | undefined)[];
  /** By column. */
  tapes: (TapeColumns | undefined)[];
  /** The module xylem-math.wasm, if programs call its functions. */
  math?: WebAssembly.Module | undefined;
}

export interface TaskResult {
  /** A part of the core without which the task cannot be run. All else is empty then. */
  lacks?: CorePart | undefined;
  /** Number of entries of each part. */
  rows: Float64Array;
  /** The numbers of all results: first those of goals without a program, column by column, then those of programs. */
  numbers: Float64Array;
  /** Additional results of goals with one column or a program: see GoalResult. Empty if no goal has any. */
  extras: unknown[];
  /** Buffers of the columns (`buildColumn`), if a goal needs them. */
  buffers?: PackedBuffers | undefined;
  /** Number of baskets and pages that were decompressed. */
  opened: number;
  /**
   * Units that failed, by index in the task. The others are decoded, but programs are not run, because the rows of
   * their columns do not match.
   */
  failures: { unit: number; error: ErrorRecord }[];
  /** For a direct input, five numbers for each read: file, offset, length, start and end in ms since 1970. */
  reads?: Float64Array | undefined;
  /**
   * Times in ms, three for each column: decompressing, decoding, goals. Then the times of programs and of copying
   * columns.
   */
  phases: Float64Array;
  /** Start and end of decoding, in ms since 1970. */
  decoded: [began: number, ended: number];
}

/** Indices of goals, in the order in which a task returns their results. */
export interface GoalOrder {
  /** Goals for all columns. Each column has a result of each. */
  common: number[];
  /** Goals for one column, by ascending column. */
  own: number[];
  programs: number[];
}

export function orderOf(goals: readonly GoalData[]): GoalOrder {
  const order: GoalOrder = { common: [], own: [], programs: [] };
  for (let i = 0; i < goals.length; i++) {
    const { program, column } = goals[i] as GoalData;
    const list = program ? order.programs : column === undefined ? order.common : order.own;
    list.push(i);
  }
  order.own.sort((a, b) => (goals[a]?.column ?? 0) - (goals[b]?.column ?? 0));
  return order;
}

/** Returns the number of doubles of a result, for a column with this many units. */
export function doublesOf(goal: GoalData, units: number): number {
  const work = workOf(goal);
  return work.doubles(goal) + (work.unitDoubles ?? 0) * units;
}

/** Runs a task. A unit that fails is reported and has no rows. Throws the errors of reading. */
export async function runTask(core: Core, task: Task, files?: DirectFiles): Promise<TaskResult> {
  if (task.coreParts) await core.add(task.coreParts);
  core.lacks = undefined;
  try {
    return await runWithParts(core, task, files);
  } catch (thrown) {
    if (core.lacks === undefined) throw thrown;
    return { ...NO_RESULT, lacks: core.lacks };
  }
}

const NO_RESULT: TaskResult = {
  ...{ rows: new Float64Array(0), numbers: new Float64Array(0), extras: [], opened: 0, failures: [] },
  ...{ phases: new Float64Array(0), decoded: [0, 0] },
};

async function runWithParts(core: Core, task: Task, files?: DirectFiles): Promise<TaskResult> {
  if (task.together?.math) await core.link(task.together.math);
  const prepared: unknown[] = [];
  for (const [i, goal] of task.goals.entries()) {
    const { prepare } = workOf(goal);
    if (prepare) prepared[i] = await prepare(goal);
  }
  const { units, more, plans, parts, goals } = task;
  // Lists of doubles come first, so that each is aligned.
  const lists = [units, more?.places, more?.spans, more?.counts, parts, plans];
  const head = padded(TASK_BYTES + GOAL_BYTES * goals.length);
  const bytes = lists.reduce((sum, list) => sum + (list?.byteLength ?? 0), head);
  const at = core.room(bytes + inputSize(task.input));
  let end = at + head;
  const places = lists.map((list) => {
    if (!list) return 0;
    core.view(end, list.byteLength).set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength));
    end += list.byteLength;
    return end - list.byteLength;
  });
  const reads = takeInput(core, end, task.input, files);
  const began = clock();
  const run = new TaskRun(core, task, prepared, at, {
    ...{ input: end, units: places[0], more: places[1], spans: places[2], counts: places[3] },
    ...{ parts: places[4], plans: places[5] },
  });
  return { ...run.result(), reads, decoded: [began, clock()] };
}

class TaskRun {
  readonly #order: GoalOrder;
  readonly #extras: unknown[] = [];
  readonly #failures: TaskResult['failures'] = [];
  #decoders: Decoder[] = [];
  /** Address of the axes of each goal in the core's memory. */
  #axes: number[] = [];

  /**
   * `prepared` has one item for each goal. `at` is the address of the xy_task, which is followed by its goals. `words`
   * contains the addresses of its lists.
   */
  constructor(
    readonly core: Core,
    readonly task: Task,
    readonly prepared: readonly unknown[],
    readonly at: number,
    readonly words: TaskWords,
  ) {
    this.#order = orderOf(task.goals);
  }

  result(): Omit<TaskResult, 'reads' | 'decoded'> {
    const { core, task } = this;
    const { goals } = task;
    const { common, own, programs } = this.#order;
    const units = unitsOfColumns(task.parts);
    let size = 0;
    for (const i of common) for (const count of units) size += doublesOf(goals[i] as GoalData, count);
    for (const i of own) size += doublesOf(goals[i] as GoalData, units[goals[i]?.column ?? -1] ?? 0);
    const columnSize = size;
    for (const i of programs) size += doublesOf(goals[i] as GoalData, 0);
    const axes = goals.map((goal) => workOf(goal).axes?.(goal) ?? []);
    const axesSize = AXIS_DOUBLES * axes.reduce((sum, list) => sum + list.length, 0);
    // Each column has counters and a decoder.
    return core.withZeroes(size + axesSize + (COUNTERS + 1) * units.length, (at) => {
      const counters = at + 8 * (size + axesSize);
      const decoders = counters + 8 * COUNTERS * units.length;
      this.#putAxes(at + 8 * size, axes);
      try {
        try {
          this.#decode({ ...this.words, numbers: at, counters, decoders });
        } finally {
          this.#decoders = this.#decodersAt(decoders, units.length);
        }
        const decoded = clock();
        if (task.together && this.#failures.length === 0) this.#runPrograms(at + 8 * columnSize);
        const counted = core.doubles(counters, COUNTERS * units.length);
        const wanted = this.#wantedColumns();
        const buffers = wanted.length > 0 ? packBuffers(wanted, task.spare) : undefined;
        return {
          rows: counted.filter((_, i) => i % COUNTERS === 0),
          numbers: core.doubles(at, size),
          extras: this.#extras,
          buffers,
          phases: phasesOf(counted, clock() - decoded),
          opened: counted.reduce((sum, count, i) => (i % COUNTERS === 1 ? sum + count : sum), 0),
          failures: this.#failures,
        };
      } finally {
        for (const decoder of this.#decoders) decoder.close();
      }
    });
  }

  /**
   * Returns the decoders of the columns that goals use directly. If there are no programs, the core keeps only these.
   */
  #wantedColumns(): Decoder[] {
    const goals = this.task.goals.filter(({ kind }) => kind === 'columns');
    if (goals.length === 0 || !this.task.together) return goals.length > 0 ? this.#decoders : [];
    const columns = new Set(goals.map(({ column }) => column));
    return this.#decoders.filter((_, column) => columns.has(column));
  }

  #putAxes(at: number, axes: readonly (readonly Axis[])[]): void {
    let next = at;
    this.#axes = axes.map((list) => {
      const place = next;
      const doubles = list.flatMap(({ bins, low, high }) => [bins, low, high]);
      new Float64Array(this.core.exports.memory.buffer, place, doubles.length).set(doubles);
      next += 8 * doubles.length;
      return place;
    });
  }

  /** Decodes the columns and runs the goals without a program. */
  #decode(words: TaskWords): void {
    const { core, task, at } = this;
    const { common, own } = this.#order;
    const list = [...common, ...own];
    const open: (OpenGoal | undefined)[] = [];
    try {
      for (const i of list) open.push(this.#open(i));
      const goals = at + TASK_BYTES;
      for (const [k, i] of list.entries())
        putGoal(core, goals + k * GOAL_BYTES, { ...this.#wordsOf(i), ...open[k]?.words });
      const partCount = task.parts.length / 2;
      const keep = Number(task.together !== undefined);
      runCoreTask(core, at, { ...words, partCount, keep, goals, goalCount: list.length }, (unit, error) => {
        this.#failures.push({ unit, error: error.toRecord() });
      });
      for (const [k, i] of list.entries()) this.#keep(i, open[k], NOTHING, undefined);
    } finally {
      for (const one of open) one?.close?.();
    }
  }

  /** Returns the decoders that the core created, by column. Those of columns that are not kept are missing. */
  #decodersAt(at: number, count: number): Decoder[] {
    if (this.core.lost) return [];
    const pointers = [...this.core.words(at, count)].filter((pointer) => pointer !== 0);
    return pointers.map((pointer) => new Decoder(this.core, pointer));
  }

  #runPrograms(numbers: number): void {
    const { core, task } = this;
    const { entries = NO_SPANS, rows = [], tapes = [] } = task.together ?? {};
    for (const [column, decoder] of this.#decoders.entries()) {
      const own = tapes[column];
      if (own) addTapeColumns(decoder, own);
    }
    const places: number[] = [];
    let next = numbers;
    for (const i of this.#order.programs) {
      places[i] = next;
      next += 8 * doublesOf(task.goals[i] as GoalData, 0);
    }
    const queries = new Map<ProgramData, CoreQuery>();
    const start = (program: ProgramData): CoreQuery => {
      const found = queries.get(program);
      if (found) return found;
      const { bytes, columns, given } = program;
      const query = new CoreQuery(core, bytes);
      queries.set(program, query);
      query.start(
        columns.map((column) => this.#decoders[column] as Decoder),
        entries,
        columns.map((column) => rows[column]),
      );
      if (given) query.give(start(given));
      return query;
    };
    try {
      for (const [program, goals] of this.#goalsByProgram()) {
        this.#runProgram(start(program), goals, places);
        // The next task can reuse its memory.
        queries.get(program)?.close();
        queries.delete(program);
      }
    } finally {
      for (const query of queries.values()) query.close();
    }
  }

  /** Yields the goals of each program, in lists that are processed together. */
  *#goalsByProgram(): Generator<[ProgramData, number[]]> {
    const together = new Map<ProgramData, number[]>();
    for (const i of this.#order.programs) {
      const goal = this.task.goals[i] as GoalData;
      const program = goal.program as ProgramData;
      const found = workOf(goal).together?.(goal) ? together.get(program) : undefined;
      if (found) found.push(i);
      else if (workOf(goal).together?.(goal)) together.set(program, [i]);
      else yield [program, [i]];
    }
    yield* together;
  }

  #runProgram(query: CoreQuery, goals: readonly number[], places: readonly number[]): void {
    const { core } = this;
    const first = this.at + TASK_BYTES;
    const open: (OpenGoal | undefined)[] = [];
    try {
      for (const [k, i] of goals.entries()) {
        open[k] = this.#open(i);
        const words = { numbers: places[i], query: query.pointer, ...open[k]?.words };
        putGoal(core, first + k * GOAL_BYTES, { ...this.#wordsOf(i), ...words });
      }
      const rest = core.call((x, ctx) => x.xy_goal_take(ctx, first, goals.length, 0));
      for (const [k, i] of goals.entries()) this.#keep(i, open[k], rest, query);
    } finally {
      for (const one of open) one?.close?.();
    }
  }

  #open(index: number): OpenGoal | undefined {
    const goal = this.task.goals[index] as GoalData;
    return workOf(goal).open?.(this.core, goal, this.prepared[index]);
  }

  /** Returns the members of the xy_goal for a goal. */
  #wordsOf(index: number): GoalWords {
    const goal = this.task.goals[index] as GoalData;
    // A selector receives the values of its program as rows.
    const kind = GOAL_KIND[goal.kind === 'select' ? 'rows' : (goal.kind as keyof typeof GOAL_KIND)];
    const { unitDoubles } = workOf(goal);
    const doubles = workOf(goal).doubles(goal);
    return { kind, column: goal.column ?? -1, doubles, unitDoubles, axes: this.#axes[index] };
  }

  #keep(
    goal: number,
    open: OpenGoal | undefined,
    rest: Uint8Array<ArrayBuffer>,
    query: CoreQuery | undefined,
  ): void {
    if (open?.take) this.#extras[goal] = open.take(rest, query);
  }
}

/** Number of counters of each column: see xy_task. */
const COUNTERS = 5;

function phasesOf(counted: Float64Array, rest: number): Float64Array {
  const columns = counted.length / COUNTERS;
  const phases = new Float64Array(3 * columns + 1);
  for (let i = 0; i < columns; i++) {
    const decompress = counted[COUNTERS * i + 2] ?? 0;
    const goals = counted[COUNTERS * i + 3] ?? 0;
    const all = counted[COUNTERS * i + 4] ?? 0;
    phases[3 * i] = decompress;
    phases[3 * i + 1] = Math.max(0, all - decompress - goals);
    phases[3 * i + 2] = goals;
  }
  phases[3 * columns] = rest;
  return phases;
}

/** Returns the number of units of each column, which may have several parts. */
function unitsOfColumns(parts: Int32Array): number[] {
  const units: number[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const count = parts[i + 1] ?? 0;
    if (parts[i] === 0 && units.length > 0) units.push((units.pop() ?? 0) + count);
    else units.push(count);
  }
  return units;
}

const NOTHING = new Uint8Array(0);
const NO_SPANS = new Float64Array(0);
