import type { CallOptions } from '../api/api';
import type { BlockRequest, BlockResult } from '../api/engine-api';
import { argumentError, fromRecord } from '../base/errors';
import { ChainTree, type EntryTree, membersOf } from '../model/chain';
import { sliceSelection } from '../model/entry-choice';
import { planBlock } from './block-plan';
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
    const decoded = await decodeColumns(model, runner, plan.plans, { ...options, units: plan.units });
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
