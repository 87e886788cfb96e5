import type { BranchInfo, TreeInfo, TreeLayout } from '../api/api';

/**
 * Positions of the baskets of a tree, for simulated reading. Baskets are sorted by branch, then by entry; those of
 * branch `b` have the indices `starts[b]` to `starts[b + 1] - 1`.
 */
export interface BasketLayout {
  kind: TreeInfo['kind'];
  entries: number;
  /** TTree::GetZipBytes: 0 in some files. */
  zipBytes: number;
  /** Entries of a cluster; 0 or less if the tree has no clusters. */
  autoFlush: number;
  /** First entry of each cluster, ascending from 0; empty if the tree has none. */
  clusterStarts: Float64Array;
  starts: Int32Array;
  /** Position in the file; 0 for a basket in the tree's own record, which is never read. */
  offsets: Float64Array;
  bytes: Int32Array;
  firsts: Float64Array;
  /** Entry after the last one of each basket. */
  ends: Float64Array;
}

/**
 * Returns the branches that ROOT reads for chosen ones, in its order. It adds the branches above them, and those with
 * the lengths of their arrays, which the title names ("pt[nMuon]/F"). The values of a field of an RNTuple include
 * those of its subfields. A projected field has no pages; with `source` of the layout, the fields whose pages it
 * shows are added, too.
 */
export function withNeeded(
  tree: TreeInfo,
  chosen: readonly BranchInfo[],
  source?: ArrayLike<number>,
): BranchInfo[] {
  const { branches } = tree;
  const indices = new Set(chosen.map(({ index }) => index));
  const addAbove = ({ parent }: BranchInfo): void => {
    for (let up = parent; up >= 0; up = branches[up]?.parent ?? -1) indices.add(up);
  };
  for (const branch of chosen) addAbove(branch);
  if (tree.kind === 'TTree') {
    const byName = new Map(branches.map(({ name, index }) => [name, index]));
    for (const branch of chosen) {
      for (const [, name = ''] of branch.title.matchAll(/\[([A-Za-z_]\w*)\]/g)) {
        const counter = byName.get(name);
        if (counter !== undefined) indices.add(counter);
      }
    }
  } else {
    for (const { index, depth } of chosen)
      for (let i = index + 1; (branches[i]?.depth ?? 0) > depth; i++) indices.add(i);
    for (const index of [...indices]) {
      const from = branches[source?.[index] ?? -1];
      if (from === undefined) continue;
      indices.add(from.index);
      addAbove(from);
    }
  }
  return branches.filter(({ index }) => indices.has(index));
}

/** Converts a tree's layout for the simulation. */
export function basketLayout(layout: TreeLayout): BasketLayout {
  const { tree, autoFlush, firstEntry, entries } = layout;
  return {
    kind: tree.kind,
    entries: tree.entries,
    zipBytes: layout.recorded?.zipBytes ?? tree.storedBytes,
    autoFlush,
    clusterStarts: layout.clusterStart,
    starts: Int32Array.from(layout.basketStart),
    offsets: layout.offset,
    bytes: Int32Array.from(layout.storedBytes),
    firsts: firstEntry,
    ends: firstEntry.map((first, i) => first + (entries[i] ?? 0)),
  };
}

/** Every `step`-th entry from `from`, below `to`. */
export interface EntrySteps {
  from: number;
  to: number;
  step: number;
}

/** The entries that are read. */
export type EntryChoice =
  | EntrySteps
  | {
      readonly from: number;
      readonly to: number;
      /** Whether all entries between them are read. */
      readonly contiguous: boolean;
      /** Returns the first entry that is read at or after this one; Infinity for none. */
      next(entry: number): number;
    };

/** The baskets that are needed, in the order in which they are reached: by entry, then by branch. */
export interface BasketVisits {
  /** Index of the basket. */
  basket: Int32Array;
  /** Index of its branch among the branches that are read. */
  branch: Int32Array;
  /** First entry that is read from it. */
  entry: Float64Array;
}

/** Returns the baskets that reading reaches. `branches` are in the order in which they are read. */
export function visitBaskets(
  layout: BasketLayout,
  branches: readonly number[],
  choice: EntryChoice,
): BasketVisits {
  const { from, to } = choice;
  const nextOf =
    'next' in choice
      ? (entry: number) => choice.next(entry)
      : (entry: number) => from + Math.ceil((entry - from) / choice.step) * choice.step;
  const found: { basket: number; branch: number; entry: number }[] = [];
  branches.forEach((index, branch) => {
    const last = layout.starts[index + 1] ?? 0;
    for (let basket = layout.starts[index] ?? 0; basket < last; basket++) {
      const first = Math.max(from, layout.firsts[basket] ?? 0);
      const entry = nextOf(first);
      if (entry >= to || entry >= (layout.ends[basket] ?? 0)) continue;
      found.push({ basket, branch, entry });
    }
  });
  found.sort((a, b) => a.entry - b.entry || a.branch - b.branch);
  return {
    basket: Int32Array.from(found, (visit) => visit.basket),
    branch: Int32Array.from(found, (visit) => visit.branch),
    entry: Float64Array.from(found, (visit) => visit.entry),
  };
}
