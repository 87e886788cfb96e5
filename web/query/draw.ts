import { type Axis, addFill, type Fill } from '../core/query-core';
import { addSummary, type Summary } from '../core/summary';
import type { CallOptions, EntryNumbers, FilledHistogram, QueryOutcome, QueryRequest } from '../file/api';
import type { EntryTree } from '../file/chain';
import { Failures } from '../file/failures';
import type { TaskRunner } from '../file/scan';
import type { QueryJob } from './build-task';
import { type CompileMode, compile, isString, type Source } from './compile';
import { type AxisWish, type DrawSpec, parseDraw } from './draw-spec';
import { expressionError } from './errors';
import { countStrings } from './frequencies';
import type { FriendHost } from './friends';
import { automaticLimits } from './limits';
import { countChosen, forEachMember, type Query, type QueryMember, QueryState } from './members';
import { planJob, runJob } from './run';

/** Bins of an axis where none are asked for, by the number of axes, as ROOT has them. */
const DEFAULT_BINS = [100, 100, 40, 20];
const MAX_CELLS = 4_000_000;

/** TTree::Draw: see ReaderApi.query. Throws ARGUMENT, NOT_FOUND, UNSUPPORTED and ABORTED. */
export async function drawQuery(
  tree: EntryTree,
  runner: TaskRunner,
  request: QueryRequest,
  friends: FriendHost,
  options: CallOptions,
): Promise<QueryOutcome> {
  const spec = parseDraw(request.expr);
  const cut = cutSource(request.cut);
  const query: Query = { tree, runner, entries: request.entries, cut, friends, options };
  if (spec.expressions.length === 0 || /\b(entrylist|elist)\b/i.test(request.option ?? '')) {
    return listEntries(query, spec.target ?? 'elist');
  }
  const [only] = spec.expressions;
  if (only && spec.expressions.length === 1 && (await holdsStrings(query, only))) {
    return countStrings(query, only);
  }
  return fillHistogram(query, spec, request);
}

/** The job of one tree; its cut alone goes first where that saves reading. */
export async function jobOf(
  { runner, cut, options }: Query,
  { model, scopes, friends, place, entries }: QueryMember,
  expressions: Source[],
  mode: CompileMode,
): Promise<QueryJob> {
  const compiled = compile(scopes, expressions, cut, mode, place);
  const select = cut && expressions.length > 0 ? compile(scopes, [], cut, 'table', place) : undefined;
  return planJob(model, friends, runner, compiled, select, entries, options);
}

/** Whether an expression is a branch of strings, in the first file that has entries. */
async function holdsStrings(query: Query, only: Source): Promise<boolean> {
  let strings = false;
  await forEachMember(query, [only], new Failures(), async ({ scopes }) => {
    strings = isString(scopes, only);
    return false;
  });
  return strings;
}

/** An empty cut selects everything. */
export function cutSource(cut: string | undefined): Source | undefined {
  return cut === undefined || cut.trim() === '' ? undefined : { text: cut };
}

export function titleOf({ text, from, to }: Source): string {
  return text.slice(from ?? 0, to ?? text.length).trim();
}

async function listEntries(query: Query, name: string): Promise<EntryNumbers> {
  const { tree, entries, options } = query;
  const kept: Float64Array[] = [];
  const state = new QueryState(tree, entries, options, 'Selecting entries');
  const all: Source[] = query.cut ? [] : [{ text: '1' }];
  await forEachMember(query, all, state.note, async (member) => {
    const job = await jobOf(query, member, all, 'table');
    state.begin(job);
    const parts: Float64Array[] = [];
    await runJob(job, allTasks(job), {
      ...options,
      goal: () => ({ kind: 'rows', outputs: all.map(() => 'number') }),
      onResult: (task, result) => {
        state.rows += result.rows;
        if (result.entries) parts[task] = result.entries.map((entry) => entry + member.place.first);
      },
      onFailures: state.onFailures,
      onBytes: (progress) => state.report(progress),
    });
    for (const part of parts) if (part) kept.push(part);
  });
  state.note.throwIfAll();
  const numbers = new Float64Array(kept.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of kept) {
    numbers.set(part, at);
    at += part.length;
  }
  return { kind: 'entries', name, numbers, entries: state.rows, partial: state.note.toNote() };
}

export function allTasks(job: QueryJob): number[] {
  return job.tasks.map((_, i) => i);
}

/** Missing ranges are found in a first pass over what passes; a second one fills. */
async function fillHistogram(query: Query, spec: DrawSpec, request: QueryRequest): Promise<FilledHistogram> {
  const { tree, entries, options } = query;
  // x runs first.
  const sources = [...spec.expressions].reverse();
  const dims = sources.length;
  const profile = dims > 1 && /prof/i.test(request.option ?? '');
  const binned = profile ? dims - 1 : dims;
  const wishes = Array.from({ length: binned }, (_, i) => ({
    ...request.axes?.[i],
    ...defined(spec.axes[i]),
  }));
  let ranges: Ranges | undefined;
  let axes: Axis[];
  if (wishes.every((wish) => wish.range)) {
    axes = wishes.map((wish) => toAxis(wish, wish.range as [number, number], binned, profile));
  } else {
    ranges = await findRanges(query, sources);
    axes = wishes.map((wish, i) => chooseAxis(wish, ranges, i, binned, profile));
  }
  checkCells(axes, request.expr);
  const sum: Fill = emptyFill(axes, dims, profile);
  const state = new QueryState(tree, entries, options, `Drawing ${request.expr}`);
  const asked = countChosen(tree, entries);
  const toResult = (): FilledHistogram => finish(sum, axes, spec, request, profile, state.note, asked);
  await forEachMember(query, sources, state.note, async (member) => {
    const job = await jobOf(query, member, sources, 'fill');
    const tasks = ranges?.tasks.get(member.number);
    state.begin(job);
    await runJob(job, tasks ?? allTasks(job), {
      ...options,
      goal: () => ({ kind: 'fill', axes, dims, profile }),
      onResult: (_task, result) => {
        state.rows += result.rows;
        if (result.fill) addFill(sum, result.fill);
      },
      onFailures: state.onFailures,
      onBytes: (progress) => state.report(progress, toResult),
    });
  });
  state.note.throwIfAll();
  return toResult();
}

function defined(wish: AxisWish | undefined): AxisWish {
  return { ...(wish?.bins !== undefined && { bins: wish.bins }), ...(wish?.range && { range: wish.range }) };
}

function toAxis(wish: AxisWish, [low, high]: [number, number], dims: number, profile: boolean): Axis {
  return { bins: wish.bins ?? DEFAULT_BINS[profile ? 1 : dims] ?? 100, low, high };
}

function chooseAxis(
  wish: AxisWish,
  ranges: Ranges | undefined,
  output: number,
  dims: number,
  profile: boolean,
): Axis {
  if (wish.range) return toAxis(wish, wish.range, dims, profile);
  const axis = toAxis(wish, [0, 1], dims, profile);
  const summary = ranges?.summaries[output];
  if (!summary) return axis;
  if (summary.values === 0) return summary.nans > 0 ? { ...axis, low: -1, high: 1 } : axis;
  return automaticLimits(axis.bins, summary.min, summary.max, ranges?.integer[output] ?? false);
}

function checkCells(axes: Axis[], text: string): void {
  const cells = axes.reduce((product, axis) => product * (axis.bins + 2), 1);
  if (cells <= MAX_CELLS) return;
  throw expressionError(
    text,
    { at: 0, end: text.length },
    `A histogram of ${cells} bins is too large.`,
    'Take fewer bins.',
    'BUDGET',
  );
}

/** Of what passes: summaries of all coordinates, and in which tasks there is some. */
interface Ranges {
  summaries: Summary[];
  /** Whether all values of a coordinate are whole numbers, by their types in all files. */
  integer: boolean[];
  /** By the number of the member. */
  tasks: Map<number, number[]>;
}

async function findRanges(query: Query, sources: Source[]): Promise<Ranges> {
  const { tree, entries, options } = query;
  const found: Ranges = { summaries: [], integer: sources.map(() => true), tasks: new Map() };
  // What fails says so again where it is filled.
  const state = new QueryState(tree, entries, options, 'Finding the range');
  await forEachMember(query, sources, state.note, async (member) => {
    const job = await jobOf(query, member, sources, 'fill');
    const tasks: number[] = [];
    state.begin(job);
    await runJob(job, allTasks(job), {
      ...options,
      goal: () => ({ kind: 'range', outputs: sources.length }),
      onResult: (task, result) => {
        const more = result.summaries;
        if (more && found.summaries.length === 0) found.summaries = more;
        else if (more) for (const [i, sum] of found.summaries.entries()) addSummary(sum, more[i] ?? sum);
        const whole = result.failures.length === 0 && result.rows === job.tasks[task]?.chosen;
        if ((result.passed ?? 0) > 0 || !whole) tasks.push(task);
      },
      onFailures: () => {},
      onBytes: (progress) => state.report(progress),
    });
    job.compiled.outputs.forEach(({ integer }, i) => {
      found.integer[i] &&= integer;
    });
    found.tasks.set(
      member.number,
      tasks.sort((a, b) => a - b),
    );
  });
  return found;
}

function emptyFill(axes: Axis[], dims: number, profile: boolean): Fill {
  const cells = axes.reduce((product, axis) => product * (axis.bins + 2), 1);
  return {
    sums: new Float64Array(cells),
    squares: new Float64Array(profile ? 3 * cells : cells),
    stats: {
      fills: 0,
      nans: 0,
      weight: 0,
      weight2: 0,
      axes: Array.from({ length: dims }, () => ({ mean: 0, deviation: 0 })),
      codeviation: 0,
      entries: 0,
    },
  };
}

function finish(
  { sums, squares, stats }: Fill,
  axes: Axis[],
  spec: DrawSpec,
  request: QueryRequest,
  profile: boolean,
  note: Failures,
  entries: number,
): FilledHistogram {
  const titles = spec.expressions.map(titleOf).reverse();
  const cells = sums.length;
  const { weight, weight2 } = stats;
  const cut = request.cut?.trim();
  const factor = !profile && /norm/i.test(request.option ?? '') && weight !== 0 ? 1 / weight : 1;
  return {
    kind: 'filled',
    title: `${spec.expressions.map(titleOf).join(':')}${cut ? ` {${cut}}` : ''}`,
    name: spec.target ?? 'htemp',
    profile,
    axes: axes.map((axis, i) => ({ title: titles[i] ?? '', ...axis })),
    valueTitle: profile ? titles[titles.length - 1] : undefined,
    sums: sums.map((value) => value * factor),
    squares: squares.slice(0, cells).map((value) => value * factor * factor),
    weights: profile ? squares.slice(cells, 2 * cells) : undefined,
    weights2: profile ? squares.slice(2 * cells) : undefined,
    fills: stats.fills,
    passed: stats.entries,
    entries,
    nan: stats.nans,
    weight: weight * factor,
    effective: weight2 === 0 ? 0 : (weight * weight) / weight2,
    mean: stats.axes.map(({ mean }) => (weight === 0 ? Number.NaN : mean)),
    stdDev: stats.axes.map(({ deviation }) =>
      weight === 0 ? Number.NaN : Math.sqrt(Math.abs(deviation / weight)),
    ),
    covariance: weight === 0 ? 0 : stats.codeviation / weight,
    partial: note.toNote(),
  };
}
