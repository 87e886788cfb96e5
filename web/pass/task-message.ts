import { concat } from '../base/bytes';
import { firstIndex } from '../base/search';
import type { Column } from '../core/columns';
import { buildColumn, type Schema } from '../core/decoder';
import { BufferTaker } from '../core/packed-buffers';
import { endOf, subtract, union } from '../io/ranges';
import { countsFrom } from './entry-counts';
import type { Goal, GoalData } from './goals/goal';
import type { TaskPlan, UnitRun } from './plan';
import { doublesOf, type GoalOrder, orderOf, type Task, type TaskResult, type UnitExtras } from './task';
import type { Part, UnitsOfFile } from './types';

/** Returns the chosen entries of a unit as spans relative to its first entry. */
export type SpansOf = (list: number, index: number) => Float64Array | undefined;

const NO_SPANS = new Float64Array(0);

/** The content of a task without its units and bytes. */
export interface TaskContent extends Pick<Task, 'goals' | 'plans' | 'parts' | 'together'> {
  /** Returns undefined for a unit whose entries are all chosen. Not set if this is true for all units. */
  spansOf?: SpansOf | undefined;
}

/** Returns a task for a worker. */
export function makeTask(plan: TaskPlan, task: number, content: TaskContent, input: Task['input']): Task {
  const { spansOf, ...rest } = content;
  const { units, more } = unitsOfTask(plan, task, spansOf);
  // Decodes each unit to its end, whatever number of entries it should have.
  if (rest.goals.some((goal) => 'whole' in goal && goal.whole))
    for (let i = 3; i < units.length; i += 4) units[i] = -1;
  return { ...rest, input, units, more };
}

/** Returns the units of a task in the form that workers use, with their spans and array lengths. */
function unitsOfTask(
  plan: TaskPlan,
  task: number,
  spansOf: SpansOf | undefined,
): Pick<Task, 'units' | 'more'> {
  const units = plan.units(task);
  if (!spansOf && !plan.isCounted) return { units };
  return { units, more: extrasOf(plan.parts(task), plan.sources, units, spansOf) };
}

function extrasOf(
  runs: readonly UnitRun[],
  sources: readonly UnitsOfFile[],
  units: Float64Array,
  spansOf: SpansOf | undefined,
): UnitExtras {
  const places = new Float64Array(units.length);
  const spans: Float64Array[] = [];
  const counts: Int32Array[] = [];
  let spansBefore = 0;
  let countsBefore = 0;
  let at = 0;
  for (const { list, first, count } of runs) {
    const scan = sources[list]?.scan;
    for (let index = first; index < first + count; index++, at += 4) {
      let own = spansOf?.(list, index) ?? NO_SPANS;
      if (own.length === 2) {
        units.set(own, at + 2);
        own = NO_SPANS;
      }
      const start = scan?.units.numbers.first[index] ?? 0;
      const lengths = scan?.counts && countsFrom(scan.counts, start, start + (units[at + 3] ?? 0));
      places.set([spansBefore, own.length / 2, lengths ? countsBefore : -1, lengths?.length ?? 0], at);
      spans.push(own);
      if (lengths) counts.push(lengths);
      spansBefore += own.length / 2;
      countsBefore += lengths?.length ?? 0;
    }
  }
  return {
    places,
    spans: concat(spans, new Float64Array(2 * spansBefore)),
    counts: concat(counts, new Int32Array(countsBefore)),
  };
}

/**
 * The decode plans of columns, one after another. A tree may have ten thousand baskets in a thousand columns, and each
 * task needs its own plans, so only plain loops over numbers are fast enough.
 */
export class PackedPlans {
  readonly #bytes: Uint8Array;
  /** Start of each plan, and the end of the last one. */
  readonly #starts: Uint32Array;

  constructor(plans: readonly Uint8Array[]) {
    this.#starts = new Uint32Array(plans.length + 1);
    for (const [i, { length }] of plans.entries()) this.#starts[i + 1] = (this.#starts[i] ?? 0) + length;
    this.#bytes = new Uint8Array(this.#starts[plans.length] ?? 0);
    for (const [i, plan] of plans.entries()) this.#bytes.set(plan, this.#starts[i]);
  }

  lengthOf(column: number): number {
    return (this.#starts[column + 1] ?? 0) - (this.#starts[column] ?? 0);
  }

  /** Returns two numbers for each part: bytes of the plan of its column, and number of its units. */
  parts(columns: Uint32Array, counts: Uint32Array): Int32Array {
    const parts = new Int32Array(2 * columns.length);
    for (let i = 0; i < columns.length; i++) {
      parts[2 * i] = this.lengthOf(columns[i] ?? 0);
      parts[2 * i + 1] = counts[i] ?? 0;
    }
    return parts;
  }

  /** Returns a copy of the plans of columns. Adjacent plans are copied together. */
  of(columns: Uint32Array): Uint8Array {
    const blocks: Uint8Array[] = [];
    let bytes = 0;
    for (let i = 0; i < columns.length; ) {
      const first = columns[i] ?? 0;
      let end = first + 1;
      for (i += 1; i < columns.length && columns[i] === end; i++) end += 1;
      const block = this.#bytes.subarray(this.#starts[first], this.#starts[end]);
      bytes += block.length;
      blocks.push(block);
    }
    return concat(blocks, new Uint8Array(bytes));
  }
}

/** The results of a task. Goals take them one after another, in the order of `GoalOrder`, column by column. */
export class TaskResults {
  readonly order: GoalOrder;
  #buffers: BufferTaker | undefined;
  #at = 0;

  constructor(
    readonly data: readonly GoalData[],
    readonly result: TaskResult,
  ) {
    this.order = orderOf(data);
  }

  /** Builds the next column that was kept. */
  column(schema: Schema, rows: number): Column {
    return buildColumn(schema, rows, this.#taker());
  }

  /** Gives the next result (of goal `index` of the task, for this many units) to the goal of the pass. */
  give(index: number, goal: Goal | undefined, part: Part, units: number, columnOf: () => Column): void {
    const data = this.data[index] as GoalData;
    const { numbers, extras } = this.result;
    const from = this.#at;
    this.#at += doublesOf(data, units);
    const extra = data.kind === 'columns' ? columnOf() : extras[index];
    goal?.take({ numbers, from, to: this.#at, extra }, part);
  }

  /** Throws INTERNAL if values are left. */
  end(): void {
    if (this.result.buffers) this.#taker().end();
  }

  #taker(): BufferTaker {
    this.#buffers ??= new BufferTaker(this.result.buffers);
    return this.#buffers;
  }
}

/** Returns the part of spans (ascending pairs [from, to)) within a range of entries, relative to `origin`. */
export function clipSpans(spans: Float64Array, from: number, to: number, origin = 0): Float64Array {
  const count = spans.length / 2;
  const first = firstIndex(count, (i) => (spans[2 * i + 1] ?? 0) > from);
  const last = firstIndex(count, (i) => (spans[2 * i] ?? 0) >= to);
  if (last <= first || from >= to) return new Float64Array(0);
  const clipped = spans.slice(2 * first, 2 * last);
  clipped[0] = Math.max(from, clipped[0] ?? 0);
  clipped[clipped.length - 1] = Math.min(to, clipped[clipped.length - 1] ?? 0);
  if (origin !== 0) for (let i = 0; i < clipped.length; i++) clipped[i] = (clipped[i] ?? 0) - origin;
  return clipped;
}

/** Returns the parts of spans that are not in any of the ranges. */
export function withoutRanges(
  spans: Float64Array,
  holes: readonly (readonly [number, number])[],
): Float64Array {
  if (holes.length === 0) return spans;
  const all: [number, number][] = [];
  for (let i = 0; i < spans.length; i += 2) all.push([spans[i] ?? 0, spans[i + 1] ?? 0]);
  const rangesOf = (list: readonly (readonly [number, number])[]) =>
    union(list.map(([from, to]) => ({ offset: from, length: to - from })));
  return Float64Array.from(
    subtract(rangesOf(all), rangesOf(holes)).flatMap((range) => [range.offset, endOf(range)]),
  );
}
