import type { TreeLayout } from '../../../../api/layout';
import { firstAtLeast } from '../../../../base/search';
import type { EntryChoice } from '../../../../model/entry-choice';
import { basketsOf, type GroupedTree, KEY_BYTES } from './groups';
import type { BasketGroup, GroupPart } from './regroup';

/**
 * A tree of which some entries are copied: its new baskets, the first entries of its clusters, and its number of
 * entries.
 */
export interface ChosenTree {
  groups: BasketGroup[];
  starts: number[];
  entries: number;
}

/** Maximum bytes in the input of the clusters whose chosen entries are joined to one cluster. */
const SPAN_BYTES = 256 * 1024 * 1024;
/** Maximum bytes in the input of the baskets of a branch that are joined to one. */
const PARTS_BYTES = 8 * 1024 * 1024;
/** A basket that covers more spans than this is not divided at their borders, because each part unpacks it again. */
const MAX_SPANS = 16;
/** If clusters are not known, baskets are written in windows of this many bytes. */
const WINDOW_BYTES = 16 * 1024 * 1024;

/**
 * Returns the baskets with the chosen entries, ordered by cluster, then by branch. Baskets with only chosen entries
 * stay whole. Entries of other baskets are joined, up to the largest number of entries that a basket of the branch
 * has in the input. Clusters with few chosen entries are joined, and so are clusters smaller than the keys of new
 * baskets. `fileBytes` is the size of the input, which limits the total size of its baskets.
 */
export function chosenGroups(
  { source, layout }: GroupedTree,
  tree: number,
  choice: EntryChoice,
  compress: number | undefined,
  fileBytes: number,
): ChosenTree {
  const rank = (entry: number): number => choice.bounds(0, entry)?.rows ?? 0;
  const hasClusters = source.trueStart.length > 1;
  const spans = hasClusters ? clusterSpans(layout, choice, fileBytes) : [0, source.tree.entries];
  const branches = layout.tree.branches.flatMap(({ index }) => {
    const baskets = basketsOf(source, index);
    const most = baskets.reduce((max, basket) => Math.max(max, source.entries[basket] ?? 0), 1);
    /** `at` is the first basket that may extend into the next span. */
    return baskets.length > 0 ? [{ branch: index, baskets, most, at: 0 }] : [];
  });
  /** Returns the entry up to which a basket is taken in the span from `from` to `to`. */
  const takenUntil = (from: number, to: number, begin: number, end: number): number => {
    if (end <= to) return end;
    const own = firstAtLeast(spans, end) - firstAtLeast(spans, begin);
    return begin >= from && own > MAX_SPANS ? end : to;
  };
  const groups: BasketGroup[] = [];
  for (let k = 0; k + 1 < spans.length; k++) {
    const [from = 0, to = 0] = spans.slice(k, k + 2);
    const rangesIn = rangesWithin(choice);
    for (const own of branches) {
      let parts: GroupPart[] = [];
      let firstEntry = 0;
      let entries = 0;
      let bytes = 0;
      const close = () => {
        if (entries > 0) groups.push({ tree, branch: own.branch, firstEntry, entries, parts, compress });
        parts = [];
        entries = 0;
        bytes = 0;
      };
      for (; own.at < own.baskets.length; own.at++) {
        const basket = own.baskets[own.at] ?? 0;
        const begin = source.firstEntry[basket] ?? 0;
        const count = source.entries[basket] ?? 0;
        if (begin >= to) break;
        const until = takenUntil(from, to, begin, begin + count);
        const rows = choice.bounds(Math.max(from, begin), until)?.rows ?? 0;
        if (rows > 0) {
          const first = rank(Math.max(from, begin));
          const stored = source.storedBytes[basket] ?? 0;
          const isWhole = rows === count;
          // Entries that a branch lacks remain between two baskets.
          const follows = entries > 0 && first === firstEntry + entries;
          if (!follows || isWhole || entries + rows > own.most || bytes + stored > PARTS_BYTES) close();
          if (entries === 0) firstEntry = first;
          parts.push(isWhole ? { basket } : { basket, ranges: rangesIn(begin, from, until) });
          entries += rows;
          bytes += stored;
          if (isWhole) close();
        }
        if (begin + count > until) break;
      }
      close();
    }
  }
  const entries = rank(source.tree.entries);
  if (!hasClusters) sortInWindows(groups, source, entries);
  const borders = hasClusters ? spans.slice(0, -1) : Array.from(source.clusterStart);
  const starts = [...new Set(borders.map(rank))].filter((start) => start < entries);
  return { groups, starts, entries };
}

/** Returns the first entries of spans of clusters that are joined to one each, and the end of the last. */
function clusterSpans(
  { tree, trueStart, ...layout }: TreeLayout,
  choice: EntryChoice,
  fileBytes: number,
): number[] {
  const ends = [...trueStart.subarray(1), tree.entries];
  const most = ends.reduce((max, end, i) => Math.max(max, end - (trueStart[i] ?? 0)), 0);
  const stored = layout.storedBytes.reduce((a, b) => a + b, 0);
  const bytesPerEntry = Math.min(stored, fileBytes) / Math.max(1, tree.entries);
  const hasBaskets = (b: number): boolean => layout.basketStart[b] !== layout.basketStart[b + 1];
  const keys = tree.branches.filter((_, b) => hasBaskets(b)).length * KEY_BYTES;
  const spans = [0];
  let rows = 0;
  let bytes = 0;
  for (const [i, end] of ends.entries()) {
    const start = trueStart[i] ?? 0;
    const own = choice.bounds(start, end)?.rows ?? 0;
    const size = own > 0 ? (end - start) * bytesPerEntry : 0;
    const isFull = rows + own > most || bytes + size > SPAN_BYTES;
    if (rows > 0 && own > 0 && isFull && bytes >= keys) {
      spans.push(start);
      rows = 0;
      bytes = 0;
    }
    rows += own;
    bytes += size;
  }
  return [...spans, tree.entries];
}

/**
 * Returns a function for the chosen entries from `from` to `to`, as pairs relative to `begin`. The result is cached,
 * because the baskets of many branches have the same entries.
 */
function rangesWithin(choice: EntryChoice): (begin: number, from: number, to: number) => Uint32Array {
  const known = new Map<string, Uint32Array>();
  return (begin, from, to) => {
    const name = `${begin} ${from} ${to}`;
    const ranges = known.get(name) ?? Uint32Array.from(choice.spans(Math.max(begin, from), to, begin));
    known.set(name, ranges);
    return ranges;
  };
}

/** Sorts by windows of entries, then by branch, so that baskets that are read together are close to each other. */
function sortInWindows(groups: BasketGroup[], { storedBytes }: TreeLayout, entries: number): void {
  const bytes = groups.reduce(
    (sum, { parts }) => sum + parts.reduce((all, { basket }) => all + (storedBytes[basket] ?? 0), 0),
    0,
  );
  const size = Math.max(1, entries / Math.max(1, Math.ceil(bytes / WINDOW_BYTES)));
  const windowOf = ({ firstEntry }: BasketGroup): number => Math.floor(firstEntry / size);
  groups.sort((a, b) => windowOf(a) - windowOf(b) || a.branch - b.branch || a.firstEntry - b.firstEntry);
}
