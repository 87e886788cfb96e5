import type { BranchInfo, EntrySelection } from '../api/api';
import { toXylemError } from '../base/errors';
import { ChainTree, type EntryTree, membersOf } from '../model/chain';
import { chooseEntries, countOf } from '../model/entry-choice';
import {
  type DecodeOptions,
  type DecodeProgress,
  decodeBranches,
  planBranch,
  type TaskRunner,
} from './decode-branches';
import type { Failures } from './failures';

/**
 * Scans one branch over the entries of a tree or a chain, file after file. What cannot be read or
 * decoded is added to `note`. Throws what keeps the branch of a single file from being decoded.
 */
export async function scanEntries(
  tree: EntryTree,
  runner: TaskRunner,
  branch: BranchInfo,
  entries: EntrySelection | undefined,
  note: Failures,
  options: DecodeOptions,
): Promise<void> {
  const choice = chooseEntries(entries, branch.entries);
  const entriesTotal = countOf(choice.spans(choice.from, choice.to));
  const chain = tree instanceof ChainTree;
  if (chain && tree.info.partial) {
    note.expect(tree.info.partial.failed);
    note.add(tree.info.partial.errors.map((error) => ({ error })));
  }
  let done = { bytes: 0, entries: 0 };
  for await (const member of membersOf(tree, entries, options)) {
    if ('error' in member) {
      note.expect(1);
      note.add([member]);
      continue;
    }
    let last: DecodeProgress | undefined;
    const before = done;
    try {
      const own = member.branch(branch);
      await member.tree.prepare(member.entries, { signal: options.signal }, [own]);
      const scan = planBranch(member.tree, own.index, member.entries);
      note.expect(scan.pieces.length);
      await decodeBranches(member.tree, runner, [scan], {
        ...options,
        onResult: (index, part) => {
          note.add(part.failures);
          options.onResult(index, part);
        },
        onBytes: (progress) => {
          last = progress;
          options.onBytes?.({
            bytesDone: before.bytes + progress.bytesDone,
            bytesTotal: before.bytes + progress.bytesTotal,
            entriesDone: before.entries + progress.entriesDone,
            entriesTotal,
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
      entries: before.entries + (last?.entriesDone ?? 0),
    };
  }
}
