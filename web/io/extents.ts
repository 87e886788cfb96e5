import { ByteLru } from '../base/lru';
import { firstIndex } from '../base/search';
import { endOf, subtract } from './ranges';
import type { Range } from './source';

/** Compressed bytes as they were fetched, in one buffer that may be shared. */
export interface Extent extends Range {
  bytes: Uint8Array;
}

/**
 * The extents of one file in memory. They can be dropped at any time, except those that a reader holds; dropping only
 * costs time.
 */
export interface ExtentCache {
  /** Returns extents with bytes of the range, ascending, and marks them as used. */
  find(range: Range): Extent[];
  /** Adds an extent; `holds` is its initial number of holds. */
  add(extent: Extent, holds?: number): void;
  /** Keeps an extent until `release` was called as often as `hold`. */
  hold(extent: Extent): void;
  release(extent: Extent): void;
  /** Drops the bytes of a range, even of extents that are held. */
  drop(range: Range): void;
  clear(): void;
}

/** A limit in bytes that the extents of one or several files share. */
export type ExtentBudget = ByteLru<Extent, ExtentIndex>;

const DEFAULT_MEMORY_BYTES = 256 * 1024 * 1024;

/** Returns a budget of `maxBytes`. If it is exceeded, the least recently used extents are dropped. */
export function createExtentBudget(maxBytes = DEFAULT_MEMORY_BYTES): ExtentBudget {
  return new ByteLru<Extent, ExtentIndex>(maxBytes, (extent, index) => index.forget(extent));
}

/** The extents of one file by offset. None contains another, so starts and ends both ascend. */
export class ExtentIndex implements ExtentCache {
  readonly #budget: ExtentBudget;
  readonly #sorted: Extent[] = [];

  constructor(budget: ExtentBudget) {
    this.#budget = budget;
  }

  find(range: Range): Extent[] {
    const found: Extent[] = [];
    for (let at = this.#firstEndingAfter(range.offset); at < this.#sorted.length; at++) {
      const extent = this.#sorted[at];
      if (!extent || extent.offset >= endOf(range)) break;
      this.#budget.get(extent);
      found.push(extent);
    }
    return found;
  }

  add(extent: Extent, holds = 0): void {
    if (extent.length === 0) return;
    const end = endOf(extent);
    let at = this.#firstEndingAfter(extent.offset);
    for (let left = this.#sorted[at]; left && left.offset <= extent.offset; left = this.#sorted[++at]) {
      if (endOf(left) >= end) return;
      if (left.offset === extent.offset) break;
    }
    let inside = 0;
    for (let next = this.#sorted[at]; next && endOf(next) <= end; next = this.#sorted[at + inside]) {
      this.#budget.delete(next);
      inside++;
    }
    this.#sorted.splice(at, inside, extent);
    this.#budget.set(extent, this, extent.length, holds);
  }

  hold(extent: Extent): void {
    this.#budget.hold(extent);
  }

  release(extent: Extent): void {
    this.#budget.release(extent);
  }

  drop(range: Range): void {
    for (const extent of this.find(range)) {
      this.#sorted.splice(this.#sorted.indexOf(extent), 1);
      this.#budget.delete(extent);
      for (const { offset, length } of subtract([extent], [range])) {
        const at = offset - extent.offset;
        this.add({ offset, length, bytes: extent.bytes.subarray(at, at + length) });
      }
    }
  }

  clear(): void {
    for (const extent of this.#sorted.splice(0)) this.#budget.delete(extent);
  }

  /** Removes an extent that the budget dropped. */
  forget(extent: Extent): void {
    const at = this.#firstEndingAfter(extent.offset);
    if (this.#sorted[at] === extent) this.#sorted.splice(at, 1);
    else {
      const found = this.#sorted.indexOf(extent, at);
      if (found >= 0) this.#sorted.splice(found, 1);
    }
  }

  #firstEndingAfter(offset: number): number {
    return firstIndex(this.#sorted.length, (i) => endOf(this.#sorted[i] as Extent) > offset);
  }
}
