import type { TreeLayout } from '../file/layout';

export interface BasketSizes {
  /** Bytes of the buffer of each branch; as it is for branches that hold others. */
  sizes: Float64Array;
  /** Of all buffers together. */
  memory: number;
}

/** Bounds of a buffer in the first pass, and what is never exceeded or fallen short of, in bytes. */
const LEAST = 512;
const MOST = 256_000;
const HARD_LEAST = 8;
const HARD_MOST = 1024 ** 3;

/**
 * Buffer sizes for the branches of a tree within a budget of memory, as TTree::OptimizeBaskets of ROOT
 * 6.40 finds them: in proportion to the branches' bytes, in two passes, with room for the offsets of
 * `clusterEntries` entries where entries differ in length. (ROOT flushes `memory` = 10 MB by default.)
 */
export function optimizedBaskets(
  { tree, basketSize }: Pick<TreeLayout, 'tree' | 'basketSize'>,
  memory: number,
  clusterEntries: number,
): BasketSizes {
  const hasOthers = new Uint8Array(tree.branches.length);
  for (const { parent } of tree.branches) if (parent >= 0) hasOthers[parent] = 1;
  const leaves = tree.branches.length;
  const average = tree.totalBytes / Math.max(1, leaves);
  const sizes = Float64Array.from(basketSize);
  let factor = 1;
  let least = LEAST;
  let most = MOST;
  let total = 0;
  if (average === 0) return { sizes, memory: sizes.reduce((sum, size) => sum + size, 0) };
  for (const last of [false, true]) {
    total = 0;
    for (const { index, totalBytes, entries, typeName } of tree.branches) {
      if (hasOthers[index]) continue;
      const old = basketSize[index] ?? 0;
      let size = Math.floor(Math.min(most, old * (totalBytes / average) * factor));
      if (last) {
        if (hasOffsets(typeName)) size += (clusterEntries > 0 ? clusterEntries : entries) * 8;
        size = size - (size % 512) + 512;
      }
      const one = entries === 0 ? Math.floor(average) : 1 + Math.floor(totalBytes / entries);
      size = Math.max(size, one, least);
      if (size > 10_000_000) size = most;
      if (last) sizes[index] = size;
      total += size;
    }
    factor = Math.min(100, memory / total);
    least = Math.min(HARD_MOST, Math.max(HARD_LEAST, Math.floor(least * factor)));
    most = most * factor > HARD_MOST ? least : Math.floor(most * factor);
  }
  return { sizes, memory: total };
}

/** Entries of these types differ in length: the basket keeps where each begins. */
function hasOffsets(typeName: string): boolean {
  return /\[\]|vector|string|map|set|list|deque|<|TString|TClonesArray|char\*/.test(typeName);
}
