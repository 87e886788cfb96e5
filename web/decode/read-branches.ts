import type { ArraysRequest, ArraysResult, CallOptions, EntrySelection } from '../api/api';
import { toXylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { buildColumn } from '../core/decoder';
import { ChainTree, type EntryTree, membersOf } from '../model/chain';
import type { DataModel } from '../model/data-model';
import { chooseEntries } from '../model/entry-choice';
import { concatColumns } from './concat';
import { type BranchPlan, planBranch, type TaskRunner } from './decode-branches';
import { decodeColumns } from './decode-columns';

const NO_ROWS: Column = { kind: 'struct', length: 0, typeName: '', names: [], children: [] };

/**
 * Reads branches into columns. A branch that cannot be read whole has its error in the result; the others are
 * returned nevertheless. Throws NOT_FOUND, ARGUMENT and ABORTED.
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

/** Reads file after file. */
async function readChain(
  tree: ChainTree,
  runner: TaskRunner,
  request: ArraysRequest,
  options: CallOptions,
): Promise<ArraysResult[]> {
  const results: ArraysResult[] = request.branches.map((which) => ({ branch: tree.branch(which) }));
  const parts: Column[][] = results.map(() => []);
  const { from, to } = chooseEntries(request.entries, tree.info.entries);
  // When no entry is chosen, the columns still have the type that the first file gives them.
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
      const { column, error } = read[i] ?? {};
      result.error = error;
      if (!column) continue;
      attempt(result, () => tree.checkShape(result.branch, column, member.tree));
      parts[results.indexOf(result)]?.push(column);
    }
  }
  for (const [i, result] of results.entries()) {
    if (!result.error) result.column = parts[i]?.length ? concatColumns(parts[i] ?? []) : NO_ROWS;
  }
  return results;
}

/** An error concerns one branch only. */
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
      plans.push(planBranch(tree, branch.index, entries, request.raw));
      slots.push(results.length - 1);
    } catch (thrown) {
      // A branch that cannot be decoded does not matter when it has no entries.
      if (branch.kind !== 'group' && branch.baskets === 0 && branch.entries === 0) result.column = NO_ROWS;
      else result.error = toXylemError(thrown).toRecord();
    }
  }
  const decoded = await decodeColumns(tree, runner, plans, options);
  for (const [i, { columns, error }] of decoded.entries()) {
    const result = results[slots[i] ?? 0];
    const schema = plans[i]?.plan.schema;
    if (!result || !schema) continue;
    if (error) result.error = error;
    // A branch without units gives a column without rows, of the right shape.
    else result.column = columns.length > 0 ? concatColumns(columns) : buildColumn(schema, 0, []);
  }
  return results;
}
