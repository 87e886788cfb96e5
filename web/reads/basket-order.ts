import type { TreeLayout } from '../api/api';
import { firstIndex } from '../base/search';
import type { Range } from '../io/source';

/** The baskets of a tree, sorted by position in the file. */
export interface BasketOrder {
  /** The branch of each basket. */
  branchOf: Uint32Array;
  /** Calls `visit` for each basket with bytes in a range, in the order of the file. */
  within(range: Range, visit: (basket: number, bytes: number) => void): void;
}

/** Cached, because sorting a million baskets takes long, and several views need the order after each read. */
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
      // Earlier baskets may extend into the range. Pages of equal content may have the same position.
      while (at > 0 && endAt(at - 1) > range.offset) at--;
      for (; at < order.length; at++) {
        const basket = order[at] ?? 0;
        const from = offset[basket] ?? 0;
        if (from >= stop) break;
        const bytes = Math.min(stop, endAt(at)) - Math.max(range.offset, from);
        // Baskets in the tree's own record have no position.
        if (from > 0 && bytes > 0) visit(basket, bytes);
      }
    },
  };
  orders.set(layout, made);
  return made;
}
