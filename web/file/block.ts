import type { ReadOptions } from '../io/reader';
import type { BranchInfo, EntryRange } from './api';
import type { DataModel } from './data-model';
import { chooseEntries } from './entry-choice';

/**
 * The first entries of a range that hold about `maxBytes` uncompressed bytes of the branches. It ends
 * where as many of their baskets as possible end, so that few are decoded for two blocks.
 */
export async function firstBlock(
  tree: DataModel,
  branches: readonly BranchInfo[],
  [from, to]: EntryRange,
  maxBytes: number,
  options: ReadOptions,
): Promise<EntryRange> {
  const bytes = branches.reduce(
    (sum, branch) => sum + branch.totalBytes / Math.max(1, Math.min(branch.entries, tree.knownEntries)),
    0,
  );
  const rows = Math.max(1, Math.floor(maxBytes / Math.max(bytes, 1e-9)));
  const least = from + Math.ceil(rows / 2);
  const most = from + rows;
  if (to <= most) return [from, to];
  await tree.prepare([from, Math.min(to, most + 1)], options);
  const ends = new Map<number, number>();
  for (const branch of branches) {
    for (const piece of tree.pieces(branch, chooseEntries([from, Math.min(to, most + 1)], branch.entries))) {
      const end = piece.first + piece.to;
      if (end >= least && end <= most) ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  }
  let best: EntryRange = [from, most];
  let votes = 0;
  for (const [end, count] of ends) {
    if (count < votes || (count === votes && end < best[1])) continue;
    votes = count;
    best = [from, end];
  }
  return best;
}
