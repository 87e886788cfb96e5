import { toXylemError } from '../base/errors';
import type { BranchInfo, EntryRange } from './api';
import { ChainTree, type EntryTree, membersOf } from './chain';
import type { Failures } from './failures';
import { planBranch, type ScanOptions, type ScanProgress, scanBranches, type TaskRunner } from './scan';

/**
 * Scans one branch over the entries of a tree or a chain, file after file. What cannot be read or
 * decoded is added to `note`. Throws what keeps the branch of a single file from being decoded.
 */
export async function scanEntries(
  tree: EntryTree,
  runner: TaskRunner,
  branch: BranchInfo,
  entries: EntryRange | undefined,
  note: Failures,
  options: ScanOptions,
): Promise<void> {
  const range = tree.entryRange(branch, entries);
  const chain = tree instanceof ChainTree;
  if (chain && tree.info.partial) {
    note.expect(tree.info.partial.failed);
    note.add(tree.info.partial.errors.map((error) => ({ error })));
  }
  let done = { bytes: 0, entries: 0 };
  for await (const member of membersOf(tree, range, options)) {
    if ('error' in member) {
      note.expect(1);
      note.add([member]);
      continue;
    }
    let last: ScanProgress | undefined;
    const before = done;
    try {
      const scan = planBranch(member.tree, member.branch(branch).index, member.range);
      note.expect(scan.pieces.length);
      await scanBranches(member.tree, runner, [scan], {
        ...options,
        onResult: (index, run, result) => {
          note.add(result.failures);
          options.onResult(index, run, result);
        },
        onBytes: (progress) => {
          last = progress;
          options.onBytes?.({
            bytesDone: before.bytes + progress.bytesDone,
            bytesTotal: before.bytes + progress.bytesTotal,
            entriesDone: before.entries + progress.entriesDone,
            entriesTotal: range[1] - range[0],
          });
        },
      });
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (!chain || error.code === 'ABORTED') throw error;
      note.expect(1);
      note.add([{ error: error.toRecord() }]);
    }
    done = {
      bytes: before.bytes + (last?.bytesDone ?? 0),
      entries: before.entries + member.range[1] - member.range[0],
    };
  }
}
