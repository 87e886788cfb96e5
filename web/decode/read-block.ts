import type { BlockRequest, BlockResult, CallOptions } from '../api/api';
import { type ErrorRecord, fromRecord, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { ChainTree, type EntryTree, membersOf } from '../model/chain';
import type { DataModel } from '../model/data-model';
import { sliceSelection } from '../model/entry-choice';
import { type BlockPlan, planBlock } from './block-plan';
import { columnsInOrder, decodeBranches, type PartResult, type TaskRunner } from './decode-branches';
import { throttle } from './throttle';

/**
 * Reads the next block of entries of several branches. Every basket or page that begins in the block is decoded to
 * its end, so that a caller who keeps what lies after the block never has it decoded again. Of a chain no more than
 * one file is read. Throws what reading any of the branches throws.
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
    const columns = await decode(model, runner, plan, options);
    const results = branches.map((branch, i): BlockResult => {
      return { branch, columns: [], end: first + (plan.ends[i] ?? 0) };
    });
    for (const [i, which] of plan.which.entries()) {
      const result = results[which];
      if (!result) continue;
      result.columns = columns[i] ?? [];
      if (!(tree instanceof ChainTree)) continue;
      for (const column of result.columns) tree.checkShape(result.branch, column, model);
    }
    return results;
  }
  throw new XylemError({ code: 'ARGUMENT', message: `There are no chosen entries from entry ${from} on.` });
}

/** Decodes what was planned; returns the columns of each scan in entry order. Throws the error of the first branch. */
async function decode(
  tree: DataModel,
  runner: TaskRunner,
  { scans }: BlockPlan,
  options: CallOptions,
): Promise<Column[][]> {
  const parts: PartResult[][] = scans.map(() => []);
  const errors: (ErrorRecord | undefined)[] = scans.map(() => undefined);
  const label = scans.length === 1 ? `Reading ${scans[0]?.branch.path}` : `Reading ${scans.length} branches`;
  const report = throttle(options.onProgress);
  await decodeBranches(tree, runner, scans, {
    ...options,
    goal: { kind: 'columns' },
    onResult: (scan, part) => {
      errors[scan] ??= part.failures[0]?.error;
      parts[scan]?.push(part);
    },
    onBytes: (progress) => report(() => ({ label, ...progress })),
  });
  const failed = errors.find((error) => error !== undefined);
  if (failed) throw fromRecord(failed);
  return parts.map(columnsInOrder);
}
