import type { TreeLayout } from '../../../../api/layout';
import type { Range } from '../../../../io/source';

/**
 * Samples which entries are stored where. The baskets are taken in some order, and places are spaced evenly over
 * their bytes. Returns for each place where its basket begins in the tree, from 0 to 1.
 */
export function entryStrip(layout: TreeLayout, pieces: readonly Range[], places: number): Float32Array {
  const { tree, offset, firstEntry } = layout;
  const entryAt = new Map<number, number>();
  for (const [i, at] of offset.entries()) entryAt.set(at, firstEntry[i] ?? 0);
  const total = pieces.reduce((sum, { length }) => sum + length, 0);
  const strip = new Float32Array(total > 0 ? places : 0);
  let end = 0;
  let place = 0;
  for (const piece of pieces) {
    end += piece.length;
    const share = (entryAt.get(piece.offset) ?? 0) / Math.max(1, tree.entries);
    for (; place < places && ((place + 0.5) * total) / places < end; place++) strip[place] = share;
  }
  return strip;
}
