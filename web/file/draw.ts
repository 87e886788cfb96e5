import { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { addSummary, emptySummary, type Summary, sumOf } from '../core/summary';
import { decodeText } from '../core/tape';
import type {
  BranchInfo,
  CallOptions,
  DrawRequest,
  DrawResult,
  EntrySelection,
  Frequencies,
  Histogram,
  PartialNote,
} from './api';
import { type Axis, automaticAxis } from './axis';
import type { EntryTree } from './chain';
import { addCounts } from './decode-task';
import { Failures } from './failures';
import type { TaskRunner } from './scan';
import { scanEntries } from './scan-entries';
import { throttle } from './throttle';

const DEFAULT_BINS = 100;
const MAX_BINS = 100_000;
/** Counting of different strings stops here. */
const MAX_DISTINCT = 100_000;
const TOP = 100;

/** What is drawn of a tree. */
interface Wanted {
  branch: BranchInfo;
  entries: EntrySelection | undefined;
}

/** A histogram of a branch of numbers, or the most frequent values of one of strings. */
export async function drawBranch(
  tree: EntryTree,
  runner: TaskRunner,
  request: DrawRequest,
  options: CallOptions,
): Promise<DrawResult> {
  const bins = request.bins ?? DEFAULT_BINS;
  if (!Number.isInteger(bins) || bins < 1 || bins > MAX_BINS) {
    throw argument(`${bins} bins cannot be drawn.`, `Give a whole number from 1 to ${MAX_BINS}.`);
  }
  if (
    request.range &&
    !(
      Number.isFinite(request.range[0]) &&
      Number.isFinite(request.range[1]) &&
      request.range[0] < request.range[1]
    )
  ) {
    throw argument(
      `The range ${request.range.join(':')} is empty.`,
      'Give two numbers LOW:HIGH with LOW < HIGH.',
    );
  }
  const branch = tree.branch(request.branch);
  const scan: Wanted = { branch, entries: request.entries };
  if (branch.kind === 'string') return countStrings(tree, runner, scan, options);
  if (branch.kind !== 'number') {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `${branch.path} (${branch.typeName}) does not hold numbers of one kind.`,
      where: { path: branch.path },
      fix: 'Draw one of its members, or read its values.',
    });
  }
  return drawNumbers(tree, runner, scan, bins, request.range, options);
}

/**
 * With a range one pass fills and sums up; without one a first pass finds the range. Its bytes are
 * in the cache by the second.
 */
async function drawNumbers(
  tree: EntryTree,
  runner: TaskRunner,
  scan: Wanted,
  bins: number,
  range: [number, number] | undefined,
  options: CallOptions,
): Promise<Histogram> {
  const axis: Axis = range
    ? { bins, low: range[0], high: range[1] }
    : automaticAxis(await summarize(tree, runner, scan, options), bins);
  const counts = new Float64Array(axis.bins + 3);
  const note = new Failures();
  const state = { all: emptySummary(), inside: emptySummary(), rows: 0 };
  const histogram = (): Histogram => toHistogram(scan, axis, counts, state, note);
  const report = throttle(options.onProgress);
  await scanEntries(tree, runner, scan.branch, scan.entries, note, {
    ...options,
    goal: { kind: 'fill', ...axis },
    onResult: (_scan, result) => {
      state.rows += result.rows;
      if (result.counts) addCounts(counts, result.counts);
      if (result.summary) addSummary(state.all, result.summary);
      if (result.inside) addSummary(state.inside, result.inside);
    },
    onBytes: (progress) =>
      report(() => ({ label: `Drawing ${scan.branch.path}`, ...progress, partial: histogram() })),
  });
  note.throwIfAll();
  return histogram();
}

async function summarize(
  tree: EntryTree,
  runner: TaskRunner,
  scan: Wanted,
  options: CallOptions,
): Promise<Summary> {
  const summary = emptySummary();
  const note = new Failures();
  const report = throttle(options.onProgress);
  await scanEntries(tree, runner, scan.branch, scan.entries, note, {
    ...options,
    goal: { kind: 'summary' },
    onResult: (_scan, result) => {
      if (result.summary) addSummary(summary, result.summary);
    },
    onBytes: (progress) => report(() => ({ label: `Reading ${scan.branch.path}`, ...progress })),
  });
  note.throwIfAll();
  return summary;
}

function toHistogram(
  scan: Wanted,
  axis: Axis,
  counts: Float64Array,
  state: { all: Summary; inside: Summary; rows: number },
  note: Failures,
): Histogram {
  const { all, inside } = state;
  const some = inside.values > 0;
  return {
    kind: 'histogram',
    title: scan.branch.path,
    bins: axis.bins,
    low: axis.low,
    high: axis.high,
    counts: counts.slice(1, axis.bins + 1),
    underflow: counts[0] ?? 0,
    overflow: counts[axis.bins + 1] ?? 0,
    nan: counts[axis.bins + 2] ?? 0,
    values: all.values + all.infinities,
    entries: state.rows,
    mean: some ? sumOf(inside) / inside.values : Number.NaN,
    stdDev: some ? Math.sqrt(inside.deviation / inside.values) : Number.NaN,
    min: all.values > 0 ? all.min : Number.NaN,
    max: all.values > 0 ? all.max : Number.NaN,
    integer: all.values > 0 && all.integers,
    partial: note.toNote(),
  };
}

async function countStrings(
  tree: EntryTree,
  runner: TaskRunner,
  scan: Wanted,
  options: CallOptions,
): Promise<Frequencies> {
  const seen = new StringCounts();
  const note = new Failures();
  let entries = 0;
  const report = throttle(options.onProgress);
  await scanEntries(tree, runner, scan.branch, scan.entries, note, {
    ...options,
    goal: { kind: 'columns' },
    onResult: (_scan, result) => {
      entries += result.rows;
      const strings = result.column && stringsOf(result.column);
      if (!strings) return;
      for (let i = 0; i < strings.length; i++) {
        seen.add(decodeText(strings.bytes.subarray(strings.offsets[i], strings.offsets[i + 1])));
      }
    },
    onBytes: (progress) => report(() => ({ label: `Reading ${scan.branch.path}`, ...progress })),
  });
  note.throwIfAll();
  return seen.result(scan.branch.path, entries, note.toNote());
}

/** Counts different strings, up to a bound. */
export class StringCounts {
  readonly #seen = new Map<string, number>();
  #values = 0;

  add(text: string): void {
    const count = this.#seen.get(text);
    this.#values += 1;
    if (count !== undefined) this.#seen.set(text, count + 1);
    else if (this.#seen.size < MAX_DISTINCT) this.#seen.set(text, 1);
  }

  result(title: string, entries: number, partial: PartialNote | undefined): Frequencies {
    const top = [...this.#seen]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, TOP)
      .map(([value, count]) => ({ value, count }));
    return {
      kind: 'frequencies',
      title,
      values: this.#values,
      distinct: this.#seen.size,
      entries,
      top,
      partial,
    };
  }
}

/** The strings at the bottom of lists and arrays of strings. */
function stringsOf(column: Column): (Column & { kind: 'string' }) | undefined {
  if (column.kind === 'string') return column;
  if (column.kind === 'struct') return column.children.map(stringsOf).find((child) => child !== undefined);
  return 'child' in column ? stringsOf(column.child) : undefined;
}

function argument(message: string, fix: string): XylemError {
  return new XylemError({ code: 'ARGUMENT', message, fix });
}
