import { type ErrorRecord, toXylemError } from '../base/errors';
import { firstAtLeast } from '../base/search';
import type { Core } from '../core/core';
import { Decoder } from '../core/decoder';
import { type Axis, addFill, CoreQuery, type Fill } from '../core/query-core';
import { addSummary, type Summary } from '../core/summary';
import { endOf, subtract, union } from '../io/ranges';
import { countOf } from '../model/entry-choice';
import { addTapeColumns, type TapeColumns } from './columns/tape-columns';
import { type DirectFiles, type DirectInput, inputSize, takeInput } from './task';

/** A basket: the place of its bytes in the task's input, and its chosen entries. */
export interface QueryBasket {
  start: number;
  bytes: number;
  /** Its first entry in the tree; `from` and `to` count from it. */
  first: number;
  from: number;
  to: number;
  /** Array lengths from another branch, from its first entry on. */
  counts?: Int32Array | undefined;
}

/** The result that a query's task returns. */
export type QueryGoal =
  /** Entries that pass, with the values of each output. */
  | { kind: 'rows'; outputs: OutputKind[] }
  /** Values and weights that pass. */
  | { kind: 'values'; outputs: number }
  | { kind: 'range'; outputs: number }
  | { kind: 'fill'; axes: Axis[]; dims: number; profile: boolean; exact?: boolean | undefined };

export type OutputKind = 'number' | 'int64' | 'uint64' | 'string';

export interface QueryColumn {
  plan: Uint8Array;
  baskets: QueryBasket[];
  /**
   * For a tree whose entries are looked up: its entry for each chosen entry, in order; -1 for none. The
   * baskets count like these numbers.
   */
  rows?: Float64Array | undefined;
  /** Values that are taken from tapes, into buffers after those of the plan. */
  tapes?: TapeColumns | undefined;
}

/** Entries first..first+rows of a tree, and the baskets of several branches that hold them. Plain data. */
export interface QueryTask {
  program: Uint8Array;
  /** The module of the functions that the program calls, if it calls some. */
  math?: WebAssembly.Module | undefined;
  /** Bytes of all baskets, or their places in a file. */
  input: Uint8Array | DirectInput;
  first: number;
  rows: number;
  /** The chosen entries, when they are not all: pairs from, to, ascending. */
  spans?: Float64Array | undefined;
  columns: QueryColumn[];
  goal: QueryGoal;
  /** Entries that cannot be read: [from, to). */
  lost: [number, number][];
}

/** Values of one output: the number of values of each entry, and the values. */
export interface OutputValues {
  counts: Int32Array;
  values: Float64Array | BigInt64Array | BigUint64Array;
  /** Strings, in place of values: a length (int32) before the bytes of each. */
  strings?: Uint8Array;
}

export interface QueryResult {
  /** Number of entries that were evaluated. */
  rows: number;
  /** Numbers of the entries that passed, and their values. */
  entries?: Float64Array;
  outputs?: OutputValues[];
  /** Values that passed, one array for each coordinate, then the weights. */
  values?: Float64Array[];
  summaries?: Summary[];
  /** Number of entries that passed, when `entries` does not list them. */
  passed?: number;
  fill?: Fill;
  failures: { column: number; basket: number; error: ErrorRecord }[];
  /** For a direct input: see DecodeResult. */
  reads?: Float64Array | undefined;
}

/**
 * Runs a task. Entries of a basket that fails are left out, and the basket is reported. Throws the errors of
 * reading a file.
 */
export async function runQueryTask(
  core: Core,
  task: QueryTask,
  aborted: () => boolean,
  files?: DirectFiles,
): Promise<QueryResult> {
  if (task.math) await core.link(task.math);
  const result: QueryResult = { rows: 0, failures: [] };
  const query = new CoreQuery(core, task.program);
  try {
    const memory = putInput(core, task, result, files);
    let whole = without([[task.first, task.first + task.rows]], task.lost);
    for (let span = whole.shift(); span && !aborted(); span = whole.shift()) {
      const bad = runSpan(core, query, task, memory, span, result);
      if (bad) whole = without([span, ...whole], bad);
    }
    if (task.goal.kind === 'rows') takeRows(query, task.goal.outputs, result);
    if (task.goal.kind === 'values') {
      result.values = Array.from(
        { length: task.goal.outputs + 1 },
        (_, i) => new Float64Array(query.buffer(i)),
      );
    }
    return result;
  } finally {
    query.close();
  }
}

/** Places of a task's bytes in the core's memory. */
interface Memory {
  input: number;
  plans: number[];
}

function putInput(
  core: Core,
  { input, columns }: QueryTask,
  result: QueryResult,
  files: DirectFiles | undefined,
): Memory {
  const plansBytes = columns.reduce((sum, { plan }) => sum + plan.length, 0);
  const inputBytes = inputSize(input);
  const at = core.room(inputBytes + plansBytes);
  result.reads = takeInput(core, at, input, files);
  const plans: number[] = [];
  let next = at + inputBytes;
  for (const { plan } of columns) {
    core.view(next, plan.length).set(plan);
    plans.push(next);
    next += plan.length;
  }
  return { input: at, plans };
}

type Span = [from: number, to: number];

/** Decodes and evaluates entries. When a basket fails, adds nothing and returns the entries that need it. */
function runSpan(
  core: Core,
  query: CoreQuery,
  task: QueryTask,
  memory: Memory,
  span: Span,
  result: QueryResult,
): Span[] | undefined {
  const chosen = clip(task.spans, span);
  if (chosen.length === 0) return undefined;
  const decoders: Decoder[] = [];
  const places: (Float64Array | undefined)[] = [];
  try {
    for (const [column, { plan, baskets, rows, tapes }] of task.columns.entries()) {
      const decoder = new Decoder(core, memory.plans[column] ?? 0, plan.length);
      decoders.push(decoder);
      const looked = rows && lookUp(rowsWithin(rows, task, span));
      places.push(looked?.places);
      const wanted = looked?.spans ?? chosen;
      for (const [basket, { start, bytes, first, from: least, to: most, counts }] of baskets.entries()) {
        const here = clip(wanted, [first + least, first + most], first);
        if (here.length === 0) continue;
        try {
          decoder.decodeSpans(memory.input + start, bytes, here, counts);
        } catch (thrown) {
          if (core.lost) throw thrown;
          result.failures.push({ column, basket, error: toXylemError(thrown).toRecord() });
          const lost: Span = [first + least, first + most];
          return rows ? entriesOfRows(task.spans, task.first, rows, lost) : [lost];
        }
      }
      if (tapes) addTapeColumns(decoder, tapes);
    }
    query.start(decoders, chosen, places);
    evaluate(query, task.goal, result);
    result.rows += countOf(chosen);
    return undefined;
  } finally {
    for (const decoder of decoders) decoder.close();
  }
}

function evaluate(query: CoreQuery, goal: QueryGoal, result: QueryResult): void {
  switch (goal.kind) {
    case 'rows':
      query.rows();
      return;
    case 'values':
      result.passed = (result.passed ?? 0) + query.values();
      return;
    case 'range': {
      const { summaries, entries } = query.summarize(goal.outputs);
      result.passed = (result.passed ?? 0) + entries;
      if (!result.summaries) result.summaries = summaries;
      else for (const [i, sum] of result.summaries.entries()) addSummary(sum, summaries[i] ?? sum);
      return;
    }
    case 'fill': {
      const fill = query.fill(goal.axes, goal.dims, goal.profile, goal.exact);
      if (result.fill) addFill(result.fill, fill);
      else result.fill = fill;
    }
  }
}

function takeRows(query: CoreQuery, kinds: OutputKind[], result: QueryResult): void {
  result.entries = new Float64Array(query.buffer(0));
  result.outputs = kinds.map((kind, i) => {
    const counts = new Int32Array(query.buffer(1 + 2 * i));
    const bytes = query.buffer(2 + 2 * i);
    if (kind === 'string') return { counts, values: new Float64Array(0), strings: new Uint8Array(bytes) };
    if (kind === 'int64') return { counts, values: new BigInt64Array(bytes) };
    if (kind === 'uint64') return { counts, values: new BigUint64Array(bytes) };
    return { counts, values: new Float64Array(bytes) };
  });
}

/** The looked-up entries for the chosen entries of a span. */
function rowsWithin(rows: Float64Array, { first, spans }: QueryTask, [from, to]: Span): Float64Array {
  const start = countOf(clip(spans, [first, from]));
  return rows.subarray(start, start + countOf(clip(spans, [from, to])));
}

/** The entries that rows name, as spans, and for each row its index counted through them; -1 stays -1. */
export function lookUp(rows: Float64Array): { spans: Float64Array; places: Float64Array } {
  let ascending = true;
  for (let i = 1, last = rows[0] ?? -1; i < rows.length && ascending; i++) {
    const row = rows[i] ?? -1;
    ascending = row === -1 || row >= last;
    if (row !== -1) last = row;
  }
  let last = -1;
  const entries = (ascending ? rows : rows.slice().sort()).filter((row) => {
    if (row < 0 || row === last) return false;
    last = row;
    return true;
  });
  const places = new Float64Array(rows.length);
  for (let i = 0, at = 0; i < rows.length; i++) {
    const row = rows[i] ?? -1;
    if (row < 0) places[i] = -1;
    else {
      if (!ascending) at = firstAtLeast(entries, row);
      while ((entries[at] ?? row) < row) at++;
      places[i] = at;
    }
  }
  return { spans: spansOf(entries), places };
}

/** Ascending entries as spans. */
function spansOf(entries: Float64Array): Float64Array {
  const spans: number[] = [];
  for (const entry of entries) {
    if (spans[spans.length - 1] === entry) spans[spans.length - 1] = entry + 1;
    else spans.push(entry, entry + 1);
  }
  return Float64Array.from(spans);
}

/** The entries of a task whose row of another tree lies in a span. */
export function entriesOfRows(
  spans: Float64Array | undefined,
  first: number,
  rows: Float64Array,
  [from, to]: [number, number],
): [number, number][] {
  const found: [number, number][] = [];
  const all = spans ?? Float64Array.of(first, first + rows.length);
  for (let i = 0, k = 0; i < all.length; i += 2) {
    for (let entry = all[i] ?? 0; entry < (all[i + 1] ?? 0); entry++, k++) {
      const row = rows[k] ?? -1;
      if (row < from || row >= to) continue;
      const last = found[found.length - 1];
      if (last?.[1] === entry) last[1] = entry + 1;
      else found.push([entry, entry + 1]);
    }
  }
  return found;
}

/** The part within a span, of spans or of everything; counted from `origin`. */
function clip(spans: Float64Array | undefined, [from, to]: Span, origin = 0): Float64Array {
  if (!spans) return Float64Array.of(from - origin, to - origin);
  const clipped = new Float64Array(spans.length);
  let used = 0;
  for (let i = 0; i < spans.length; i += 2) {
    const begin = Math.max(from, spans[i] ?? 0);
    const end = Math.min(to, spans[i + 1] ?? 0);
    if (begin >= end) continue;
    clipped[used++] = begin - origin;
    clipped[used++] = end - origin;
  }
  return clipped.slice(0, used);
}

/** The parts of spans that are not in holes. */
function without(spans: Span[], holes: Span[]): Span[] {
  const rangesOf = (list: Span[]) => union(list.map(([from, to]) => ({ offset: from, length: to - from })));
  return subtract(rangesOf(spans), rangesOf(holes)).map((range): Span => [range.offset, endOf(range)]);
}
