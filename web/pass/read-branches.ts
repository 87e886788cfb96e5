import type { ArraysRequest, ArraysResult, CallOptions, EntrySelection } from '../api/api';
import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { buildColumn } from '../core/decoder';
import { BufferTaker } from '../core/packed-buffers';
import { fewerEntries } from '../model/absent';
import { ChainTree, type EntryTree, membersOf } from '../model/chain';
import type { DataModel } from '../model/data-model';
import { chooseEntries } from '../model/entry-choice';
import { ColumnJoiner, concatColumns } from './columns/concat';
import { decodeParts } from './decode-columns';
import { planBranch } from './pass';
import type { BranchPlan, Part, TaskRunner } from './types';

const NO_ROWS: Column = { kind: 'struct', length: 0, typeName: '', names: [], children: [] };

/**
 * Reads branches into columns. If a branch cannot be read completely, its result is an error, and the other branches
 * are still returned. Throws NOT_FOUND, ARGUMENT and ABORTED.
 */
export async function readBranches(
  tree: EntryTree,
  runner: TaskRunner,
  request: ArraysRequest,
  options: CallOptions,
): Promise<ArraysResult[]> {
  return tree instanceof ChainTree
    ? readChain(tree, runner, request, options)
    : readFile(tree, runner, request, options);
}

/** Reads a chain, file by file. */
async function readChain(
  tree: ChainTree,
  runner: TaskRunner,
  request: ArraysRequest,
  options: CallOptions,
): Promise<ArraysResult[]> {
  const results: ArraysResult[] = request.branches.map((which) => ({ branch: tree.branch(which) }));
  const parts: Column[][] = results.map(() => []);
  const { from, to } = chooseEntries(request.entries, tree.info.entries);
  // If no entry is chosen, the columns still have the types of the first file.
  const asked: EntrySelection | undefined = from < to ? request.entries : [0, 1];
  for await (const member of membersOf(tree, asked, options)) {
    if ('error' in member) {
      for (const result of results) result.error ??= member.error;
      break;
    }
    const entries: EntrySelection | undefined = from < to ? member.entries : [0, 0];
    const wanted: ArraysResult[] = [];
    const indices: number[] = [];
    for (const result of results.filter(({ error }) => !error)) {
      attempt(result, () => {
        indices.push(member.branch(result.branch).index);
        wanted.push(result);
      });
    }
    const read = await readFile(member.tree, runner, { ...request, branches: indices, entries }, options);
    for (const [i, result] of wanted.entries()) {
      const { column, missing, error } = read[i] ?? {};
      // Otherwise the rows of the next file would be in the wrong place.
      const failed = error ?? missing;
      result.error = failed && {
        ...failed,
        where: { url: member.tree.reader.source.name, ...failed.where },
      };
      if (!column || result.error) continue;
      attempt(result, () => tree.checkShape(result.branch, column, member.tree));
      parts[results.indexOf(result)]?.push(column);
    }
  }
  for (const [i, result] of results.entries()) {
    if (!result.error) result.column = parts[i]?.length ? concatColumns(parts[i] ?? []) : NO_ROWS;
  }
  return results;
}

/** Calls `run`. An error becomes the result of this branch and does not affect others. */
function attempt(result: ArraysResult, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    result.error = toXylemError(thrown).toRecord();
  }
}

async function readFile(
  tree: DataModel,
  runner: TaskRunner,
  request: ArraysRequest,
  options: CallOptions,
): Promise<ArraysResult[]> {
  const branches = request.branches.map((which) => tree.branch(which));
  const { entries } = request;
  const { to: chosenTo } = chooseEntries(entries, tree.info.entries);
  try {
    await tree.prepare(entries, { signal: options.signal }, branches);
  } catch (thrown) {
    const error = toXylemError(thrown);
    if (error.code === 'ABORTED' || error.code === 'ARGUMENT') throw error;
    return branches.map((branch) => ({ branch, error: error.toRecord() }));
  }
  const results: ArraysResult[] = [];
  const plans: BranchPlan[] = [];
  const slots: number[] = [];
  for (const branch of branches) {
    chooseEntries(entries, branch.entries);
    const result: ArraysResult = { branch };
    results.push(result);
    try {
      plans.push(planBranch(tree, branch.index, entries, { raw: request.raw }));
      slots.push(results.length - 1);
    } catch (thrown) {
      // If a branch has no entries, it does not matter whether it can be decoded.
      if (branch.kind !== 'group' && branch.baskets === 0 && branch.entries === 0) result.column = NO_ROWS;
      else result.error = toXylemError(thrown).toRecord();
    }
  }
  const joined = plans.map((plan) => new BranchJoiner(plan));
  await decodeParts(tree, runner, plans, {
    ...options,
    onPart: ({ column, failures }) => joined[column]?.fail(failures[0]?.error),
    onColumn: (column, part) => joined[part.column]?.add(column, part),
  });
  for (const [i, branch] of joined.entries()) {
    const result = results[slots[i] ?? 0];
    if (!result) continue;
    if (branch.error) result.error = branch.error;
    else result.column = branch.take();
  }
  for (const result of results) {
    const { branch, error } = result;
    if (error || branch.entries >= chosenTo) continue;
    result.missing = fewerEntries(tree.info, branch).toRecord();
  }
  return results;
}

interface DecodedPart extends Pick<Part, 'count' | 'release'> {
  column: Column;
}

/** Memory is reserved for units that have at most this many times the rows of those that came first. */
const MANY_ROWS = 8;

/**
 * Joins the parts of a branch while others are decoded, so that not all of them are in memory twice. A part waits until
 * all earlier parts have arrived.
 */
class BranchJoiner {
  /** The failure that occurred first. */
  error: ErrorRecord | undefined;
  readonly #plan: BranchPlan;
  readonly #rows: number;
  readonly #waiting = new Map<number, DecodedPart>();
  #joiner: ColumnJoiner | undefined;
  /** The column of a part that contains all units. */
  #whole: Column | undefined;
  #units = 0;

  constructor(plan: BranchPlan) {
    this.#plan = plan;
    this.#rows = plan.units.numbers.rows.reduce((sum, rows) => sum + rows, 0);
  }

  fail(error: ErrorRecord | undefined): void {
    this.error ??= error;
    if (this.error) this.#waiting.clear();
  }

  add(column: Column, { number, count, release }: Part): void {
    if (!this.error) this.#waiting.set(number, { column, count, release });
    for (let next = this.#next(); next; next = this.#next()) {
      this.#units += next.count;
      if (next.count === this.#plan.units.length) {
        this.#whole = next.column;
        continue;
      }
      if (next.column.length > 0) this.#join(next.column, next.count);
      next.release?.();
    }
  }

  /** Adds the rows of `count` units. */
  #join(column: Column, count: number): void {
    if (!this.#joiner) {
      this.#joiner = new ColumnJoiner(column);
      // The number of rows is a claim of the file; that of units is not.
      const most = (MANY_ROWS * this.#plan.units.length) / count;
      this.#joiner.expect(column, Math.min(this.#rows / column.length, most));
    }
    this.#joiner.add(column);
  }

  #next(): DecodedPart | undefined {
    const part = this.#waiting.get(this.#units);
    this.#waiting.delete(this.#units);
    return part;
  }

  /**
   * Returns the joined column. For a branch without rows, it has the right structure. Throws INTERNAL if units are
   * missing.
   */
  take(): Column {
    const { plan, units, branch } = this.#plan;
    if (this.#units !== units.length)
      throw new XylemError({ code: 'INTERNAL', message: `A part of ${branch.path} was not decoded.` });
    return this.#whole ?? this.#joiner?.take() ?? buildColumn(plan.schema, 0, new BufferTaker());
  }
}
