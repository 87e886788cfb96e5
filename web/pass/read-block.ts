import type { CallOptions } from '../api/api';
import type { BlockRequest, BlockResult } from '../api/engine-api';
import { argumentError, fromRecord } from '../base/errors';
import type { Column } from '../core/columns';
import { ChainTree, type EntryTree, membersOf } from '../model/chain';
import { chooseEntries, type EntryChoice, sliceSelection } from '../model/entry-choice';
import { type BlockPlan, planBlock } from './block-plan';
import { ColumnCutter, evenPart } from './columns/cut-columns';
import { decodeColumns } from './decode-columns';
import type { TaskRunner } from './types';

/**
 * Reads the next block of entries of several branches. Every basket or page that begins in the block is decoded to its
 * end, so that a caller who keeps the rows after the block never decodes it again. At most one file of a chain is read.
 * Throws the errors of reading any of the branches.
 */
export async function readBlock(
  tree: EntryTree,
  runner: TaskRunner,
  request: BlockRequest,
  options: CallOptions,
): Promise<BlockResult[]> {
  const branches = request.branches.map((which) => tree.branch(which));
  const total = tree.info.entries;
  const from = request.starts.reduce((least, start) => Math.min(least, start), total);
  const chosen = request.entries ?? [0, total];
  const rest = tree instanceof ChainTree ? sliceSelection(chosen, from, total) : chosen;
  for await (const member of membersOf(tree, rest, options)) {
    if ('error' in member) throw fromRecord(member.error);
    const { tree: model, first, entries = rest } = member;
    const own = branches.map((branch) => member.branch(branch));
    const starts = request.starts.map((start) => start - first);
    const { signal } = options;
    const plan = await planBlock(model, own, entries, starts, request.maxBytes, { signal });
    const cut = cutOf(plan, chooseEntries(entries, model.info.entries), starts, request.parts);
    const decoded = await decodeColumns(model, runner, plan.plans, { ...options, units: plan.units, cut });
    const failed = decoded.find(({ error }) => error !== undefined)?.error;
    if (failed) throw fromRecord(failed);
    const results = branches.map((branch, i): BlockResult => {
      return { branch, columns: decoded[i]?.columns ?? [], end: first + (plan.ends[i] ?? 0) };
    });
    if (tree instanceof ChainTree) {
      for (const { branch, columns } of results)
        for (const column of columns) tree.checkShape(branch, column, model);
    }
    return results;
  }
  throw argumentError(`There are no chosen entries from entry ${from} on.`);
}

/**
 * Returns a function that divides the columns of a block that is much larger than a chunk. Undefined for a smaller
 * block, and if entries are chosen one by one, because rows are then not known before decoding.
 */
function cutOf(
  { plans, ends }: BlockPlan,
  choice: EntryChoice,
  starts: Float64Array,
  parts: BlockRequest['parts'],
): ((column: Column, plan: number, unit: number) => Column[]) | undefined {
  if (!parts || !choice.contiguous) return undefined;
  const least = (list: Float64Array, most: number) => list.reduce((one, other) => Math.min(one, other), most);
  const from = Math.max(choice.from, least(starts, choice.to));
  const rows = least(ends, choice.to) - from;
  if (rows <= parts.least) return undefined;
  const chunk = evenPart(rows, parts.most);
  const size = chunk * Math.max(1, Math.floor(parts.least / chunk));
  const bytes = plans.reduce((sum, { branch }) => sum + branch.totalBytes / Math.max(1, branch.entries), 0);
  const cutter = new ColumnCutter(size, rows, Math.min(size, rows) * bytes);
  return (column, plan, unit) => {
    const { first, from: skipped } = (plans[plan] as BlockPlan['plans'][number]).units.numbers;
    return cutter.cut(column, (first[unit] ?? 0) + (skipped[unit] ?? 0) - from);
  };
}
