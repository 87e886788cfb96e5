import { type ErrorRecord, toXylemError } from '../base/errors';
import type { Core } from '../core/core';
import { Decoder } from '../core/decoder';
import { type Axis, addFill, CoreQuery, type Fill } from '../core/query-core';
import { addSummary, type Summary } from '../core/summary';
import { countOf } from './entry-choice';

/** A basket: where its bytes lie in the task's input, and which of its entries are wanted. */
export interface QueryBasket {
  start: number;
  bytes: number;
  /** Its first entry in the tree; `from` and `to` count from it. */
  first: number;
  from: number;
  to: number;
  /** Numbers of the counter branch from its first entry on. */
  counts?: Int32Array | undefined;
}

/** What a query's task gives back. */
export type QueryGoal =
  /** Entries that pass, with the values of each output. */
  | { kind: 'rows'; outputs: OutputKind[] }
  /** Values and weights of all that passes. */
  | { kind: 'values'; outputs: number }
  | { kind: 'range'; outputs: number }
  | { kind: 'fill'; axes: Axis[]; dims: number; profile: boolean };

export type OutputKind = 'number' | 'int64' | 'uint64' | 'string';

/** Entries first..first+rows of a tree, and the baskets of several branches that hold them. Plain data. */
export interface QueryTask {
  program: Uint8Array;
  /** Bytes of all baskets. */
  input: Uint8Array;
  first: number;
  rows: number;
  /** Which of them, where not all are wanted: pairs from, to, ascending. */
  spans?: Float64Array | undefined;
  columns: { plan: Uint8Array; baskets: QueryBasket[] }[];
  goal: QueryGoal;
  /** Entries that cannot be had: [from, to). */
  lost: [number, number][];
}

/** Values of one output: how many each entry has, and all of them. */
export interface OutputValues {
  counts: Int32Array;
  values: Float64Array | BigInt64Array | BigUint64Array;
  /** Of strings, instead: a length (int32) before the bytes of each. */
  strings?: Uint8Array;
}

export interface QueryResult {
  /** Entries that were looked at. */
  rows: number;
  /** Numbers of the entries that passed, and their values. */
  entries?: Float64Array;
  outputs?: OutputValues[];
  /** Values of all that passed, one array a coordinate, then the weights. */
  values?: Float64Array[];
  summaries?: Summary[];
  /** How many entries passed, where `entries` does not list them. */
  passed?: number;
  fill?: Fill;
  failures: { column: number; basket: number; error: ErrorRecord }[];
}

/** Does a task. Entries of a basket that fails are left out; it is reported. */
export function runQueryTask(core: Core, task: QueryTask, aborted: () => boolean): QueryResult {
  const result: QueryResult = { rows: 0, failures: [] };
  const query = new CoreQuery(core, task.program);
  try {
    const memory = putInput(core, task);
    let whole = without([[task.first, task.first + task.rows]], task.lost);
    for (let span = whole.shift(); span && !aborted(); span = whole.shift()) {
      const bad = runSpan(core, query, task, memory, span, result);
      if (bad) whole = without([span, ...whole], [bad]);
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

/** Where a task's bytes lie in the core's memory. */
interface Memory {
  input: number;
  plans: number[];
}

function putInput(core: Core, { input, columns }: QueryTask): Memory {
  const plansBytes = columns.reduce((sum, { plan }) => sum + plan.length, 0);
  const at = core.room(input.length + plansBytes);
  core.view(at, input.length).set(input);
  const plans: number[] = [];
  let next = at + input.length;
  for (const { plan } of columns) {
    core.view(next, plan.length).set(plan);
    plans.push(next);
    next += plan.length;
  }
  return { input: at, plans };
}

type Span = [from: number, to: number];

/** Decodes and evaluates entries; gives the entries of a basket that fails, and then adds nothing. */
function runSpan(
  core: Core,
  query: CoreQuery,
  task: QueryTask,
  memory: Memory,
  span: Span,
  result: QueryResult,
): Span | undefined {
  const chosen = clip(task.spans, span);
  if (chosen.length === 0) return undefined;
  const decoders: Decoder[] = [];
  try {
    for (const [column, { plan, baskets }] of task.columns.entries()) {
      const decoder = new Decoder(core, memory.plans[column] ?? 0, plan.length);
      decoders.push(decoder);
      for (const [basket, { start, bytes, first, from: least, to: most, counts }] of baskets.entries()) {
        const here = clip(chosen, [first + least, first + most], first);
        if (here.length === 0) continue;
        try {
          decoder.decodeSpans(memory.input + start, bytes, here, counts);
        } catch (thrown) {
          result.failures.push({ column, basket, error: toXylemError(thrown).toRecord() });
          return [first + least, first + most];
        }
      }
    }
    query.start(decoders, chosen);
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
      const fill = query.fill(goal.axes, goal.dims, goal.profile);
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

/** What lies within a span, of spans or of everything; counted from `origin`. */
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

/** What is left of spans without others. */
function without(spans: Span[], holes: Span[]): Span[] {
  let left = spans;
  for (const [from, to] of holes) {
    left = left.flatMap(([a, b]): Span[] => {
      const pieces: Span[] = [
        [a, Math.min(b, from)],
        [Math.max(a, to), b],
      ];
      return pieces.filter(([begin, end]) => begin < end);
    });
  }
  return left;
}
