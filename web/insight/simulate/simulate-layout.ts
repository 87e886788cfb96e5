import type { BranchInfo, TreeInfo, TreeLayout } from '../../api/api';

/**
 * Places of the baskets of a tree, for simulated reading. Baskets are listed by branch and within a branch by
 * entry; those of branch `b` have the indices `starts[b]` to `starts[b + 1] - 1`.
 */
export interface BasketLayout {
  entries: number;
  /** Bytes of all baskets in the file, as TTree::GetZipBytes counts them. */
  storedBytes: number;
  /** Entries of a cluster; 0 or less when the tree has no clusters. */
  autoFlush: number;
  /** First entry of each cluster, ascending from 0; empty when the tree has none. */
  clusterStarts: Float64Array;
  starts: Int32Array;
  /** Place in the file; 0 for a basket that lies in the tree's own record and is never read. */
  offsets: Float64Array;
  bytes: Int32Array;
  firsts: Float64Array;
  /** Entry after the last one of each basket. */
  ends: Float64Array;
}

/**
 * The branches that ROOT reads for chosen ones, in its order: also the ones above them, and those that hold
 * the lengths of their arrays, which the title names ("pt[nMuon]/F"). A projected field of an RNTuple has no pages of
 * its own: where `basketStart` of the layout is given, it stands for the only other field of its name that has, as
 * ROOT's importer makes them ("Muon_pt" of "_collection0.Muon_pt").
 */
export function withNeeded(
  tree: TreeInfo,
  asked: readonly BranchInfo[],
  basketStart?: Uint32Array,
): BranchInfo[] {
  const chosen = basketStart
    ? asked.flatMap((branch) => [branch, ...sourceOf(tree, branch, basketStart)])
    : asked;
  const indices = new Set(chosen.map(({ index }) => index));
  const byName = new Map(tree.branches.map(({ name, index }) => [name, index]));
  for (const branch of chosen) {
    for (let up = branch.parent; up >= 0; up = tree.branches[up]?.parent ?? -1) indices.add(up);
    if (tree.kind !== 'TTree') continue;
    for (const [, name = ''] of branch.title.matchAll(/\[([A-Za-z_]\w*)\]/g)) {
      const counter = byName.get(name);
      if (counter !== undefined) indices.add(counter);
    }
  }
  return tree.branches.filter(({ index }) => indices.has(index));
}

/** The field whose pages a projected one shows; none for others. */
function sourceOf(
  { kind, branches }: TreeInfo,
  { name, index }: BranchInfo,
  basketStart: Uint32Array,
): BranchInfo[] {
  const hasPages = (i: number): boolean => (basketStart[i + 1] ?? 0) > (basketStart[i] ?? 0);
  const below = branches.some(({ parent, index: child }) => parent === index && hasPages(child));
  if (kind !== 'RNTuple' || hasPages(index) || below) return [];
  const sources = branches.filter((other) => other.name === name && hasPages(other.index));
  return sources.length === 1 ? sources : [];
}

/** Converts a tree's layout for the simulation. */
export function basketLayout(layout: TreeLayout): BasketLayout {
  const { tree, autoFlush, firstEntry, entries } = layout;
  return {
    entries: tree.entries,
    storedBytes: tree.storedBytes,
    autoFlush,
    clusterStarts: layout.clusterStart,
    starts: Int32Array.from(layout.basketStart),
    offsets: layout.offset,
    bytes: Int32Array.from(layout.storedBytes),
    firsts: firstEntry,
    ends: firstEntry.map((first, i) => first + (entries[i] ?? 0)),
  };
}

/** The entries that are read: every `step`-th from `from`, below `to`. */
export interface EntryChoice {
  from: number;
  to: number;
  step: number;
}

/** The baskets that reading needs, in the order in which it reaches them: by entry, then by branch. */
export interface BasketVisits {
  /** Index of the basket. */
  basket: Int32Array;
  /** Position of its branch in the branches that are read. */
  branch: Int32Array;
  /** The first entry that is read from it. */
  entry: Float64Array;
}

/** Branches are given in the order in which an entry reads them. */
export function visitBaskets(
  layout: BasketLayout,
  branches: readonly number[],
  { from, to, step }: EntryChoice,
): BasketVisits {
  const found: { basket: number; branch: number; entry: number }[] = [];
  branches.forEach((index, branch) => {
    const last = layout.starts[index + 1] ?? 0;
    for (let basket = layout.starts[index] ?? 0; basket < last; basket++) {
      const first = Math.max(from, layout.firsts[basket] ?? 0);
      const entry = from + Math.ceil((first - from) / step) * step;
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
