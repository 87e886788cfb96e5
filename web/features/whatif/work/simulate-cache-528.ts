import type { BasketLayout, BasketVisits, EntryChoice } from '../../../reads/basket-layout';
import { cacheReads } from './simulate-blocks';
import { type CacheOptions, LEARN_ENTRIES, rangeOf } from './simulate-cache';

/**
 * Returns what ROOT 5.28's TTreeCache reads, as its TTreeCache.cxx of 2010 says: no binary of it was run. It learns from the
 * baskets of the first hundred entries, each of which it reads by itself. Then it fetches the branches known by
 * then, for as many times fAutoFlush entries as fit, or for as many entries as fit if fAutoFlush is not set, and does not
 * learn again: a program whose first entry is not among the first hundred knows only its first branch.
 */
export function cacheReads528(
  layout: BasketLayout,
  branches: readonly number[],
  entries: EntryChoice,
  { cacheBytes, known, readAhead, onRead }: CacheOptions,
  visits: BasketVisits,
): void {
  const [entryMin, entryMax] = rangeOf(layout, entries);
  const cached: number[] = known ? branches.map((_, branch) => branch) : [];
  let isLearning = !known;
  let current = -1;
  let next = known ? -1 : entryMin + LEARN_ENTRIES;
  let held = new Set<number>();
  const inMemory = new Int32Array(branches.length).fill(-1);
  const basketsOf = (branch: number) => {
    const index = branches[branch] ?? 0;
    const first = layout.starts[index] ?? 0;
    return Array.from({ length: (layout.starts[index + 1] ?? 0) - first }, (_, i) => first + i);
  };
  const storedOf = (branch: number) =>
    basketsOf(branch).reduce((sum, basket) => sum + (layout.bytes[basket] ?? 0), 0);

  /** TTreeCache::FillBuffer. */
  const fill = (entry: number): boolean => {
    if (cached.length === 0 || (current <= entry && entry < next)) return false;
    const { autoFlush, zipBytes } = layout;
    if (autoFlush > 0) {
      const entryBytes = Math.max(1, Math.floor(zipBytes / Math.max(1, layout.entries)));
      const times = Math.max(1, Math.floor(cacheBytes / (entryBytes * autoFlush)));
      current = entry - (entry % autoFlush);
      next = current + times * autoFlush;
    } else {
      const stored = cached.reduce((sum, branch) => sum + storedOf(branch), 0);
      current = entry;
      next = entry + (stored === 0 ? layout.entries : Math.floor((layout.entries * cacheBytes) / stored));
    }
    current = Math.max(current, entryMin);
    if (next > entryMax) next = entryMax + 1;
    const wanted = cached.flatMap((branch) =>
      basketsOf(branch).filter((basket) => {
        const [first = 0, end = 0] = [layout.firsts[basket], layout.ends[basket]];
        const isStored = (layout.offsets[basket] ?? 0) > 0 && (layout.bytes[basket] ?? 0) > 0;
        return isStored && inMemory[branch] !== basket && first < next && (first >= current || end > current);
      }),
    );
    held = new Set(wanted);
    if (wanted.length > 0) onRead(entry, cacheReads(wanted, layout.offsets, layout.bytes, readAhead));
    isLearning = false;
    return true;
  };

  for (const [i, basket] of visits.basket.entries()) {
    const offset = layout.offsets[basket] ?? 0;
    if (offset === 0) continue;
    const [entry = 0, branch = 0] = [visits.entry[i], visits.branch[i]];
    inMemory[branch] = -1;
    if (isLearning && !cached.includes(branch)) cached.push(branch);
    if (!held.has(basket) && !(fill(entry) && held.has(basket))) {
      const length = layout.bytes[basket] ?? 0;
      onRead(entry, [{ offset, length, wanted: length }]);
    }
    inMemory[branch] = basket;
  }
}
