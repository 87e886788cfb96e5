import type { TreeLayout } from '../../../../api/layout';
import { endOfBaskets } from '../input/claims';
import { branchRanks, type ClusterRanges, type OrderedLayout } from '../input/clusters';
import { type BasketOrder, basketPieces } from '../input/tree-copy';
import type { BasketGroup, GroupPart } from './regroup';

/** A tree that is regrouped: the whole tree, and the part that is copied. */
export interface GroupedTree {
  source: TreeLayout;
  /** The layout with only the copied branches. */
  layout: OrderedLayout;
}

/**
 * Returns all baskets unchanged, in the order in which they are written. Those in the trees' own records come last.
 */
export function wholeGroups(
  trees: readonly GroupedTree[],
  order: BasketOrder,
  compress: number | undefined,
): BasketGroup[] {
  const owners = trees.map(({ source, layout }, tree) => {
    const byOffset = new Map<number, BasketGroup[]>();
    const inside: BasketGroup[] = [];
    for (const { index: branch } of layout.tree.branches) {
      for (const basket of basketsOf(source, branch)) {
        const [firstEntry = 0, entries = 0, at = 0] = [
          source.firstEntry[basket],
          source.entries[basket],
          source.offset[basket],
        ];
        const group = { tree, branch, firstEntry, entries, parts: [{ basket }], compress };
        const same = byOffset.get(at);
        if (at <= 0) inside.push(group);
        else if (same) same.push(group);
        else byOffset.set(at, [group]);
      }
    }
    return { byOffset, inside };
  });
  const pieces = basketPieces(
    trees.map(({ layout }) => layout),
    order,
  );
  return [
    ...pieces.flatMap(({ offset }) => {
      // Cycles of a tree share baskets, in the output as well.
      const [first, ...others] = owners.flatMap(({ byOffset }) => byOffset.get(offset) ?? []);
      return first ? [others.length > 0 ? { ...first, also: others } : first] : [];
    }),
    ...owners.flatMap(({ inside }) => inside),
  ];
}

/** Returns the baskets of a branch that have entries. Empty ones are never written. */
export function basketsOf({ basketStart, entries }: TreeLayout, branch: number): number[] {
  const found: number[] = [];
  for (let i = basketStart[branch] ?? 0; i < (basketStart[branch + 1] ?? 0); i++)
    if ((entries[i] ?? 0) > 0) found.push(i);
  return found;
}

/** Maximum bytes of a basket before compression when entries are added, so that it fits into memory easily. */
const MAX_BASKET_BYTES = 8 * 1024 * 1024;

/**
 * Returns clusters with equal numbers of entries and about `clusterBytes` compressed bytes each, with one basket per
 * branch and cluster. Joining small baskets removes most of their keys, which is taken into account.
 */
export function evenClusters(layout: TreeLayout, clusterBytes: number): ClusterRanges {
  const { tree, basketStart, storedBytes } = layout;
  const stored = storedBytes.reduce((sum, bytes) => sum + bytes, 0);
  let keys = 0;
  let joinedKeys = 0;
  for (const [b, { name }] of tree.branches.entries()) {
    const baskets = (basketStart[b + 1] ?? 0) - (basketStart[b] ?? 0);
    if (baskets === 0) continue;
    const bytes = KEY_BYTES + name.length + tree.name.length;
    keys += baskets * bytes;
    joinedKeys += bytes;
  }
  // The names in the keys of a copied tree may be those of another one.
  const values = Math.max(stored - keys, stored / 2);
  // A cluster has at least as many bytes of values as of keys.
  const count = Math.round(values / Math.max(clusterBytes - joinedKeys, joinedKeys, clusterBytes / 2));
  // A branch may have more entries than its tree, because a program may fill branches individually.
  const size = Math.max(1, Math.ceil(endOfBaskets(layout) / Math.max(1, count)));
  return { end: [], size: [], autoFlush: size };
}

/** Converts a number of bytes that old trees store as a floating-point number. It may be invalid. */
const sizeOf = (bytes: number): number => (bytes > 0 && Number.isFinite(bytes) ? bytes : 0);

/** Bytes of the key of a basket without its names, including the members that a basket adds. */
export const KEY_BYTES = 64;
/** Minimum stored bytes of each part when a basket is divided, because each part gets a key. */
const MIN_PART_BYTES = 4 * KEY_BYTES;

/**
 * Returns one basket per branch for each cluster of `size` entries, ordered by cluster; several if one would be
 * large. Baskets that already match are taken whole.
 */
export function clusterGroups(
  { source, layout }: GroupedTree,
  tree: number,
  size: number,
  compress: number | undefined,
): BasketGroup[] {
  const groups: BasketGroup[] = [];
  const ranks = branchRanks(layout);
  const branches = layout.tree.branches.flatMap(({ index, totalBytes }, b) => {
    const baskets = basketsOf(source, index);
    if (baskets.length === 0) return [];
    const sum = (list: Float64Array) => baskets.reduce((all, basket) => all + (list[basket] ?? 0), 0);
    const entries = sum(source.entries);
    const parts = Math.min(sizeOf(totalBytes) / MAX_BASKET_BYTES, sum(source.storedBytes) / MIN_PART_BYTES);
    /**
     * `at` is the first basket that may extend into the next cluster. `most` is the maximum number of entries of a
     * new basket.
     */
    return [
      {
        rank: ranks[b] ?? b,
        branch: index,
        baskets,
        at: 0,
        most: parts > 1 ? Math.max(1, Math.floor(entries / parts)) : entries,
      },
    ];
  });
  branches.sort((a, b) => a.rank - b.rank);
  const total = endOfBaskets(layout);
  for (let first = 0; first < total; first += size) {
    const end = Math.min(total, first + size);
    for (const own of branches) {
      const pieces = Math.ceil((end - first) / own.most);
      for (let k = 0; k < pieces; k++) {
        const from = first + Math.floor(((end - first) * k) / pieces);
        const to = first + Math.floor(((end - first) * (k + 1)) / pieces);
        let parts: GroupPart[] = [];
        let firstEntry = 0;
        let entries = 0;
        const close = () => {
          if (entries > 0) groups.push({ tree, branch: own.branch, firstEntry, entries, parts, compress });
          parts = [];
          entries = 0;
        };
        while (own.at < own.baskets.length) {
          const basket = own.baskets[own.at] ?? 0;
          const begin = source.firstEntry[basket] ?? 0;
          const stop = begin + (source.entries[basket] ?? 0);
          const [a, b] = [Math.max(from, begin), Math.min(to, stop)];
          if (b > a) {
            // Entries that a branch lacks remain between two baskets.
            if (a !== firstEntry + entries) close();
            if (entries === 0) firstEntry = a;
            const isWhole = a === begin && b === stop;
            parts.push(isWhole ? { basket } : { basket, ranges: new Uint32Array([a - begin, b - begin]) });
            entries += b - a;
          }
          if (stop > to) break;
          own.at++;
        }
        close();
      }
    }
  }
  return groups;
}
