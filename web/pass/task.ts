import type { ErrorRecord } from '../base/errors';
import type { Core } from '../core/core';
import { Decoder } from '../core/decoder';
import type { Axis } from '../core/fill';
import { AXIS_DOUBLES, GOAL_BYTES, GOAL_KIND, putGoal, putUnits, UNITS_BYTES } from '../core/goals';
import { type PackedBuffers, packBuffers } from '../core/packed-buffers';
import { CoreQuery } from '../core/query-core';
import { addTapeColumns, type TapeColumns } from './columns/tape-columns';
import { clock, type DirectFiles, type DirectInput, inputSize, takeInput } from './direct-input';
import type { GoalData, OpenGoal } from './goals/goal';
import { workOf } from './goals/kinds';

/**
 * Work for one core: units (baskets, or parts of clusters) of any branches, and goals for their values. Plain data, and
 * few objects, because there may be thousands of units.
 */
export interface Task {
  goals: GoalData[];
  /** Bytes of the units, or their places in files. */
  input: Uint8Array | DirectInput;
  /** Plans of the columns, one after another. */
  plans: Uint8Array;
  /** Two numbers for each part: bytes of its plan (0: it goes on with the column before), and number of units. */
  parts: Int32Array;
  /** Four numbers for each unit: start in the input, bytes, first entry and the entry after the last (-1: to the end). */
  units: Float64Array;
  /** Needed when entries are chosen one by one, or other branches hold array lengths: see UnitExtras. */
  more?: UnitExtras | undefined;
  /** Memory for columns: to use it again costs less than to allocate it and to free it. */
  spare?: ArrayBuffer | undefined;
  /** For programs: the columns are decoded whole, and have the rows of these entries. */
  together?: TogetherData | undefined;
}

/** Lists of all units of a task, one after another. */
export interface UnitExtras {
  /** Four numbers for each unit: start and number of its spans, start (-1 for none) and number of its array lengths. */
  places: Float64Array;
  /** Pairs from, to, ascending; a unit without spans has all entries. */
  spans: Float64Array;
  /** Array lengths from another branch, from the unit's first entry on. */
  counts: Int32Array;
}

export interface TogetherData {
  /** Pairs from, to: the entries of the rows. */
  entries: Float64Array;
  /** By column: for a friend whose entries are looked up, the row of each entry, or -1. */
  rows: (Float64Array | undefined)[];
  /** By column. */
  tapes: (TapeColumns | undefined)[];
  /** The module of the functions that programs call, if some do. */
  math?: WebAssembly.Module | undefined;
}

export interface TaskResult {
  /** Number of entries of each part. */
  rows: Float64Array;
  /** The numbers of all results, in the order of `eachResult`. */
  numbers: Float64Array;
  /** The extras of results: see GoalResult. Empty when none has any. */
  extras: unknown[];
  /** Buffers of the columns (`buildColumn`), when a goal wants them. */
  buffers?: PackedBuffers | undefined;
  /** Number of baskets and pages that were decompressed. */
  opened: number;
  /**
   * Units that failed, by their index in the task. The others are decoded nevertheless, but programs are not run: their
   * columns have other rows.
   */
  failures: { unit: number; error: ErrorRecord }[];
  /** For a direct input, five numbers for each read: file, offset, length, start and end in ms since 1970. */
  reads?: Float64Array | undefined;
  /** When decoding began and ended, in ms since 1970. */
  decoded: [began: number, ended: number];
}

/**
 * Calls `visit` for each result of a task, in their order: column by column those of goals without a program, and then
 * those of programs. `size` is the number of doubles of a result.
 */
export function eachResult(
  goals: readonly GoalData[],
  unitsOf: readonly number[],
  visit: (goal: number, column: number, size: number) => void,
): void {
  // The goals of each column: there may be as many columns as goals.
  const own = new Map<number, number[]>();
  const common: number[] = [];
  const programs: number[] = [];
  for (const [i, { program, column }] of goals.entries()) {
    if (program) programs.push(i);
    else if (column === undefined) common.push(i);
    else own.set(column, [...(own.get(column) ?? []), i]);
  }
  const tell = (i: number, column: number, units: number): void => {
    const goal = goals[i] as GoalData;
    visit(i, column, workOf(goal).doubles(goal, units));
  };
  for (const [column, units] of unitsOf.entries()) {
    const one = own.get(column);
    for (const i of one ? [...common, ...one].sort((a, b) => a - b) : common) tell(i, column, units);
  }
  for (const i of programs) tell(i, -1, 0);
}

/** A column of a task: the place of its plan in the core's memory, and its units. */
interface TaskColumn {
  plan: number;
  planBytes: number;
  units: [from: number, to: number];
}

/** Runs a task. A unit that fails is reported and leaves no rows. Throws the errors of reading. */
export async function runTask(core: Core, task: Task, files?: DirectFiles): Promise<TaskResult> {
  if (task.together?.math) await core.link(task.together.math);
  const { units, more, plans, parts } = task;
  // The first list is aligned to 8 bytes.
  const lists = [units, more?.places, more?.spans, more?.counts, plans];
  const bytes = lists.reduce((sum, list) => sum + (list?.byteLength ?? 0), 0);
  const head = core.room(UNITS_BYTES + bytes + inputSize(task.input));
  let at = head + UNITS_BYTES;
  const places = lists.map((list) => {
    if (!list) return 0;
    core.view(at, list.byteLength).set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength));
    at += list.byteLength;
    return at - list.byteLength;
  });
  const [unitList = 0, extras = 0, spans = 0, counts = 0, planList = 0] = places;
  putUnits(core, head, { input: at, units: unitList, more: extras, spans, counts });
  const reads = takeInput(core, at, task.input, files);
  const began = clock();
  const run = new TaskRun(core, task, head, columnsOf(parts, planList));
  return { ...run.result(), reads, decoded: [began, clock()] };
}

function columnsOf(parts: Int32Array, plans: number): TaskColumn[] {
  const columns: TaskColumn[] = [];
  let plan = plans;
  let unit = 0;
  for (let i = 0; i < parts.length; i += 2) {
    const planBytes = parts[i] ?? 0;
    const end = unit + (parts[i + 1] ?? 0);
    const last = columns[columns.length - 1];
    if (planBytes > 0 || !last) columns.push({ plan, planBytes, units: [unit, end] });
    else last.units[1] = end;
    plan += planBytes;
    unit = end;
  }
  return columns;
}

/** A result for which there is room in the core's memory. All have one shape: there are many, and V8 compiles for shapes. */
interface OpenResult {
  /** Its place in the order of results. */
  index: number;
  goal: number;
  /** Place of its numbers in the core's memory. */
  numbers: number;
  open: OpenGoal | undefined;
}

class TaskRun {
  readonly #results: OpenResult[][];
  readonly #extras: unknown[] = [];
  readonly #failures: TaskResult['failures'] = [];
  readonly #decoders: Decoder[] = [];
  readonly #size: number;
  readonly #hasColumns: boolean;
  #opened = 0;
  /** Places in the core's memory: of the axes of each goal, and of the goals of one column. */
  #axes: number[] = [];
  #goals = 0;

  constructor(
    readonly core: Core,
    readonly task: Task,
    readonly units: number,
    readonly columns: readonly TaskColumn[],
  ) {
    this.#results = [...columns, undefined].map(() => []);
    let size = 0;
    let index = 0;
    const counts = columns.map(({ units: [from, to] }) => to - from);
    eachResult(task.goals, counts, (goal, column, doubles) => {
      this.#results.at(column)?.push({ index: index++, goal, numbers: 8 * size, open: undefined });
      size += doubles;
    });
    this.#size = size;
    this.#hasColumns = task.goals.some(({ kind }) => kind === 'columns');
  }

  result(): Omit<TaskResult, 'reads' | 'decoded'> {
    const { core, task } = this;
    const axes = task.goals.map((goal) => workOf(goal).axes?.(goal) ?? []);
    const axesDoubles = AXIS_DOUBLES * axes.reduce((sum, list) => sum + list.length, 0);
    const most = this.#results.reduce((sum, { length }) => Math.max(sum, length), 1);
    const rows = new Float64Array(this.columns.length);
    try {
      return core.withZeroes(this.#size + axesDoubles + (most * GOAL_BYTES) / 4, (at) => {
        this.#putAxes(at + 8 * this.#size, axes);
        this.#goals = at + 8 * (this.#size + axesDoubles);
        for (const list of this.#results) for (const one of list) one.numbers += at;
        for (const [i, column] of this.columns.entries()) rows[i] = this.#decode(i, column);
        if (task.together && this.#failures.length === 0) this.#runPrograms();
        const buffers = this.#hasColumns ? packBuffers(this.#decoders, task.spare) : undefined;
        return {
          rows,
          numbers: core.doubles(at, this.#size),
          extras: this.#extras,
          buffers,
          opened: this.#opened,
          failures: this.#failures,
        };
      });
    } finally {
      for (const decoder of this.#decoders) decoder.close();
    }
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

  /** Decodes a column, for its goals; returns the number of its rows. */
  #decode(index: number, { plan, planBytes, units }: TaskColumn): number {
    const { core, task } = this;
    const results = this.#results[index] ?? [];
    const others = this.#hasColumns ? results.filter(({ goal }) => !this.#isColumns(goal)) : results;
    const kept = task.together !== undefined || others.length < results.length;
    const decoder = new Decoder(core, plan, planBytes);
    if (kept) this.#decoders.push(decoder);
    try {
      this.#open(others, units[0]);
      const goals = { at: this.#goals, count: kept ? 0 : others.length };
      decoder.decode(this.units, units, goals, (unit, error) => {
        this.#failures.push({ unit, error: error.toRecord() });
      });
      for (const [i, one] of others.entries()) {
        const rest = kept ? this.#take(i, decoder.pointer) : NOTHING;
        this.#keep(one, rest, undefined);
      }
      return decoder.rows;
    } finally {
      for (const { open } of results) open?.close?.();
      // A core that stopped at a fault can tell nothing more.
      if (!core.lost) this.#opened += decoder.opened;
      if (!kept) decoder.close();
    }
  }

  #runPrograms(): void {
    const { core, task } = this;
    const { entries = NO_SPANS, rows = [], tapes = [] } = task.together ?? {};
    for (const [column, decoder] of this.#decoders.entries()) {
      const own = tapes[column];
      if (own) addTapeColumns(decoder, own);
    }
    for (const one of this.#results.at(-1) ?? []) {
      const { bytes, columns } = task.goals[one.goal]?.program ?? { bytes: NOTHING, columns: [] };
      const query = new CoreQuery(core, bytes);
      try {
        query.start(
          columns.map((column) => this.#decoders[column] as Decoder),
          entries,
          columns.map((column) => rows[column]),
        );
        this.#open([one], 0, query.pointer);
        this.#keep(one, this.#take(0, 0), query);
      } finally {
        one.open?.close?.();
        query.close();
      }
    }
  }

  #isColumns(goal: number): boolean {
    return this.task.goals[goal]?.kind === 'columns';
  }

  /** Opens results, and writes their goals to the core's memory. */
  #open(results: readonly OpenResult[], first: number, query = 0): void {
    let at = this.#goals;
    for (const one of results) {
      const goal = this.task.goals[one.goal] as GoalData;
      one.open = workOf(goal).open?.(this.core, goal, first);
      const kind = GOAL_KIND[goal.kind as keyof typeof GOAL_KIND];
      const places = { kind, axes: this.#axes[one.goal] ?? 0, numbers: one.numbers, query };
      putGoal(this.core, at, places, one.open?.words);
      at += GOAL_BYTES;
    }
  }

  /** Takes the values of a decoder, or of a program, to a goal. */
  #take(goal: number, decoder: number): Uint8Array<ArrayBuffer> {
    return this.core.call((x, ctx) => x.xy_goal_take(ctx, this.#goals + goal * GOAL_BYTES, decoder));
  }

  #keep({ index, open }: OpenResult, rest: Uint8Array<ArrayBuffer>, query: CoreQuery | undefined): void {
    if (open?.take) this.#extras[index] = open.take(rest, query);
  }
}

const NOTHING = new Uint8Array(0);
const NO_SPANS = new Float64Array(0);
