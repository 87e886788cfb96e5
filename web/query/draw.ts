import { type Axis, addFill, type Fill } from '../core/query-core';
import { addSummary, type Summary } from '../core/summary';
import type { CallOptions, EntryNumbers, FilledHistogram, QueryOutcome, QueryRequest } from '../file/api';
import type { DataModel } from '../file/data-model';
import { Failures } from '../file/failures';
import type { ScanProgress, TaskRunner } from '../file/scan';
import { throttle } from '../file/throttle';
import type { Catalog } from './catalog';
import { type Compiled, compile, isString, type Source } from './compile';
import { type AxisWish, type DrawSpec, parseDraw } from './draw-spec';
import { expressionError } from './errors';
import { countStrings } from './frequencies';
import { automaticLimits } from './limits';
import { planJob, type QueryJob, runJob } from './run';

/** Bins of an axis where none are asked for, by the number of axes, as ROOT has them. */
const DEFAULT_BINS = [100, 100, 40, 20];
const MAX_CELLS = 4_000_000;

/** TTree::Draw: see ReaderApi.query. Throws ARGUMENT, NOT_FOUND, UNSUPPORTED and ABORTED. */
export async function drawQuery(
  tree: DataModel,
  catalog: Catalog,
  runner: TaskRunner,
  request: QueryRequest,
  options: CallOptions,
): Promise<QueryOutcome> {
  const spec = parseDraw(request.expr);
  const cut = cutSource(request.cut);
  const select = cut && compile(tree, catalog, [], cut, 'table');
  if (spec.expressions.length === 0 || /\b(entrylist|elist)\b/i.test(request.option ?? '')) {
    const whole = select ?? compile(tree, catalog, [], { text: '1' }, 'table');
    const job = planJob(tree, runner, whole, undefined, request.entries);
    return listEntries(job, spec.target ?? 'elist', options);
  }
  const [only] = spec.expressions;
  if (spec.expressions.length === 1 && only && isString(tree, catalog, only)) {
    const texts = compile(tree, catalog, [only], cut, 'table');
    const job = planJob(tree, runner, texts, select, request.entries);
    return countStrings(job, titleOf(only), options);
  }
  // x runs first.
  const compiled = compile(tree, catalog, [...spec.expressions].reverse(), cut, 'fill');
  const job = planJob(tree, runner, compiled, select, request.entries);
  return fillHistogram(job, spec, request, options);
}

/** An empty cut selects everything. */
export function cutSource(cut: string | undefined): Source | undefined {
  return cut === undefined || cut.trim() === '' ? undefined : { text: cut };
}

export function titleOf({ text, from, to }: Source): string {
  return text.slice(from ?? 0, to ?? text.length).trim();
}

async function listEntries(job: QueryJob, name: string, options: CallOptions): Promise<EntryNumbers> {
  const parts: Float64Array[] = [];
  const state = progressOf(job, options, 'Selecting entries');
  await runJob(job, allTasks(job), {
    ...options,
    goal: () => ({ kind: 'rows', outputs: [] }),
    onResult: (task, result) => {
      state.rows += result.rows;
      if (result.entries) parts[task] = result.entries;
    },
    onFailures: state.onFailures,
    onBytes: (progress) => state.report(progress),
  });
  state.note.throwIfAll();
  const kept = parts.filter((part) => part !== undefined);
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

/** What has been read so far, and its reports. */
export function progressOf(job: QueryJob, options: CallOptions, label: string) {
  const pieces = job.tasks.reduce(
    (sum, task) => sum + task.columns.reduce((all, column) => all + column.length, 0),
    0,
  );
  const note = new Failures();
  note.expect(Math.max(1, pieces));
  const report = throttle(options.onProgress);
  return {
    rows: 0,
    note,
    onFailures: (errors: Parameters<Failures['add']>[0][number]['error'][]) =>
      note.add(errors.map((error) => ({ error }))),
    report: (progress: ScanProgress, filled?: () => FilledHistogram) =>
      report(() => ({ label, ...progress, ...(filled && { filled: filled() }) })),
  };
}

/** Missing ranges are found in a first pass over what passes; a second one fills. */
async function fillHistogram(
  job: QueryJob,
  spec: DrawSpec,
  request: QueryRequest,
  options: CallOptions,
): Promise<FilledHistogram> {
  const dims = spec.expressions.length;
  const profile = dims > 1 && /prof/i.test(request.option ?? '');
  const binned = profile ? dims - 1 : dims;
  const wishes = Array.from({ length: binned }, (_, i) => ({
    ...request.axes?.[i],
    ...defined(spec.axes[i]),
  }));
  let tasks = allTasks(job);
  let axes: Axis[];
  if (wishes.every((wish) => wish.range)) {
    axes = wishes.map((wish) => toAxis(wish, wish.range as [number, number], binned, profile));
  } else {
    const found = await findRanges(job, dims, options);
    axes = wishes.map((wish, i) => chooseAxis(wish, found.summaries[i], job.compiled, i, binned, profile));
    tasks = found.tasks;
  }
  checkCells(axes, request.expr);
  const sum: Fill = emptyFill(axes, dims, profile);
  const state = progressOf(job, options, `Drawing ${request.expr}`);
  const toResult = (): FilledHistogram => finish(sum, axes, spec, request, profile, state, job);
  await runJob(job, tasks, {
    ...options,
    goal: () => ({ kind: 'fill', axes, dims, profile }),
    onResult: (_task, result) => {
      state.rows += result.rows;
      if (result.fill) addFill(sum, result.fill);
    },
    onFailures: state.onFailures,
    onBytes: (progress) => state.report(progress, toResult),
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
  summary: Summary | undefined,
  compiled: Compiled,
  output: number,
  dims: number,
  profile: boolean,
): Axis {
  if (wish.range) return toAxis(wish, wish.range, dims, profile);
  const axis = toAxis(wish, [0, 1], dims, profile);
  if (!summary || summary.values === 0) return axis;
  return automaticLimits(axis.bins, summary.min, summary.max, compiled.outputs[output]?.integer ?? false);
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

/** Summaries of all coordinates of what passes, and the tasks in which something does. */
async function findRanges(
  job: QueryJob,
  dims: number,
  options: CallOptions,
): Promise<{ summaries: Summary[]; tasks: number[] }> {
  let summaries: Summary[] = [];
  const tasks: number[] = [];
  const state = progressOf(job, options, 'Finding the range');
  await runJob(job, allTasks(job), {
    ...options,
    goal: () => ({ kind: 'range', outputs: dims }),
    onResult: (task, result) => {
      const more = result.summaries;
      if (more) {
        if (summaries.length === 0) summaries = more;
        else for (const [i, sum] of summaries.entries()) addSummary(sum, more[i] ?? sum);
      }
      // One that failed says so again where it is filled.
      if (
        (result.passed ?? 0) > 0 ||
        result.failures.length > 0 ||
        result.rows < (job.tasks[task]?.rows ?? 0)
      ) {
        tasks.push(task);
      } else state.rows += result.rows;
    },
    onFailures: () => {},
    onBytes: (progress) => state.report(progress),
  });
  tasks.sort((a, b) => a - b);
  return { summaries, tasks };
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
  state: { note: Failures },
  job: QueryJob,
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
    entries: job.entries[1] - job.entries[0],
    nan: stats.nans,
    weight: weight * factor,
    effective: weight2 === 0 ? 0 : (weight * weight) / weight2,
    mean: stats.axes.map(({ mean }) => (weight === 0 ? Number.NaN : mean)),
    stdDev: stats.axes.map(({ deviation }) =>
      weight === 0 ? Number.NaN : Math.sqrt(Math.abs(deviation / weight)),
    ),
    covariance: weight === 0 ? 0 : stats.codeviation / weight,
    partial: state.note.toNote(),
  };
}
