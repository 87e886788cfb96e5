import type { TreeLayout } from '../../api/api';
import { firstIndex } from '../../base/search';
import type { Range } from '../../io/source';

/** The baskets of a tree by their place in the file. */
export interface BasketOrder {
  /** The branch of each basket. */
  branchOf: Uint32Array;
  /** Calls `visit` for each basket of which a range has bytes, in the order of the file. */
  within(range: Range, visit: (basket: number, bytes: number) => void): void;
}

/** Sorting takes long for a million baskets, and several views need it each time that something was read. */
const orders = new WeakMap<TreeLayout, BasketOrder>();

export function basketOrder(layout: TreeLayout): BasketOrder {
  const known = orders.get(layout);
  if (known !== undefined) return known;
  const { tree, basketStart, offset, storedBytes } = layout;
  const order = Uint32Array.from(offset.keys()).sort((a, b) => (offset[a] ?? 0) - (offset[b] ?? 0));
  const branchOf = new Uint32Array(offset.length);
  for (let b = 0; b < tree.branches.length; b++) branchOf.fill(b, basketStart[b], basketStart[b + 1]);
  const endAt = (i: number): number => (offset[order[i] ?? 0] ?? 0) + (storedBytes[order[i] ?? 0] ?? 0);
  const made: BasketOrder = {
    branchOf,
    within(range, visit) {
      const stop = range.offset + range.length;
      let at = firstIndex(order.length, (i) => (offset[order[i] ?? 0] ?? 0) >= range.offset);
      // Baskets before may reach into the range; pages of equal content may lie at one place.
      while (at > 0 && endAt(at - 1) > range.offset) at--;
      for (; at < order.length; at++) {
        const basket = order[at] ?? 0;
        const from = offset[basket] ?? 0;
        if (from >= stop) break;
        const bytes = Math.min(stop, endAt(at)) - Math.max(range.offset, from);
        // Baskets in the tree's own record have no place.
        if (from > 0 && bytes > 0) visit(basket, bytes);
      }
    },
  };
  orders.set(layout, made);
  return made;
}
