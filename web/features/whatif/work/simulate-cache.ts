import { lastAtMost } from '../../../base/search';
import type { BasketLayout, BasketVisits, EntryChoice } from '../../../reads/basket-layout';
import { type Block, cacheReads } from './simulate-blocks';
import { LowestOfHighest } from './simulate-ranges';

/** Number of entries during which ROOT learns which branches are read (TTreeCache::SetLearnEntries). */
export const LEARN_ENTRIES = 100;

const LOADED = 1;
const USED = 2;
const VETOED = 4;

/** Results of a pass over a branch, as bits. */
const REACHED_END = 1;
const SKIPPED = 2;
const FULL = 4;

type Pass = 'start' | 'regular' | 'rewind';

export interface CacheOptions {
  /** TTree::SetCacheSize in bytes. */
  cacheBytes: number;
  /** The branches were given with AddBranchToCache, so nothing is learnt. */
  known?: boolean | undefined;
  /**
   * Maximum gap that is read over; 0 over root:// and HTTP, where one request has all ranges. Default:
   * READ_AHEAD_BYTES.
   */
  readAhead?: number | undefined;
  /** Called for each read of the file, with the entry that caused it. */
  onRead(entry: number, blocks: readonly Block[]): void;
}

/**
 * Returns the range of entries that a program gives to the cache. Programs that read a range call
 * TTree::SetCacheEntryRange; those that read a list do not.
 */
export function rangeOf(layout: BasketLayout, entries: EntryChoice): [from: number, to: number] {
  const isRange = !('next' in entries) || entries.contiguous;
  return isRange ? [entries.from, entries.to] : [0, layout.entries];
}

/**
 * Simulates the reads of ROOT's TTreeCache (ROOT 6.40, default settings): learning, prefilling with the enabled
 * branches, clusters and read-ahead; without asynchronous prefetching and the cache of misses. For each basket the
 * bits of TBranchCacheInfo are kept: loaded into the cache, used, and vetoed (loaded before and never used). Each
 * branch keeps the last basket in memory.
 */
export class TreeCacheModel {
  readonly #layout: BasketLayout;
  readonly #branches: readonly number[];
  readonly #options: CacheOptions;
  readonly #bits: Uint8Array;
  /** For each basket, the number of the last fill that loaded it. */
  readonly #filledBy: Int32Array;
  /** Range of baskets of each branch with bits set: from `low` to `high`, inclusive. */
  readonly #low: Int32Array;
  readonly #high: Int32Array;
  /** The basket that each branch has in memory; -1 for none. */
  readonly #inMemory: Int32Array;
  readonly #estimatedCluster: number;
  /** Positions of the branches known to the cache, in the order in which it learnt them. */
  #known: number[] = [];
  readonly #isKnown: Uint8Array;
  #fills = 0;
  #learning: boolean;
  #entryMin = 0;
  #entryMax: number;
  #entryCurrent = -1;
  #entryNext: number;
  #clusterStart = -1;
  #nextClusterStart = -1;

  constructor(
    layout: BasketLayout,
    branches: readonly number[],
    entries: EntryChoice,
    options: CacheOptions,
  ) {
    this.#layout = layout;
    this.#branches = branches;
    this.#options = options;
    this.#bits = new Uint8Array(layout.bytes.length);
    this.#filledBy = new Int32Array(layout.bytes.length);
    this.#low = new Int32Array(branches.length).fill(-1);
    this.#high = new Int32Array(branches.length).fill(-1);
    this.#isKnown = new Uint8Array(branches.length);
    this.#inMemory = new Int32Array(branches.length).fill(-1);
    // As TTree::TClusterIterator::GetEstimatedClusterSize.
    const estimate =
      layout.zipBytes === 0
        ? layout.entries - 1
        : Math.floor((layout.entries * options.cacheBytes) / layout.zipBytes);
    this.#estimatedCluster = Math.max(1, estimate);
    this.#learning = !options.known;
    [this.#entryMin, this.#entryMax] = rangeOf(layout, entries);
    this.#entryNext = this.#learning ? this.#entryMin + LEARN_ENTRIES : -1;
    if (options.known) this.#known = branches.map((_, position) => position);
  }

  run(visits: BasketVisits): void {
    for (let i = 0; i < visits.basket.length; i++) {
      this.#visit(visits.entry[i] ?? 0, visits.branch[i] ?? 0, visits.basket[i] ?? 0);
    }
  }

  #visit(entry: number, branch: number, basket: number): void {
    const offset = this.#layout.offsets[basket] ?? 0;
    if (offset === 0) return;
    this.#inMemory[branch] = -1;
    if (this.#learning) {
      if (this.#known.length === 0) this.#prefill(entry);
      if (this.#isKnown[branch] === 0) this.#learn(branch);
    }
    const here = (): boolean => this.#fills > 0 && this.#filledBy[basket] === this.#fills;
    if (!here() && !(this.#fill(entry) && here())) {
      const length = this.#layout.bytes[basket] ?? 0;
      this.#options.onRead(entry, [{ offset, length, wanted: length }]);
    }
    this.#mark(branch, basket, USED);
    this.#inMemory[branch] = basket;
  }

  #learn(branch: number): void {
    this.#isKnown[branch] = 1;
    this.#known.push(branch);
  }

  /** Reads the baskets of the first entries of all branches in advance. */
  #prefill(entry: number): void {
    if (entry < this.#entryMin || entry > this.#entryMax) return;
    const kept = [this.#entryMin, this.#entryMax, this.#entryCurrent, this.#entryNext] as const;
    const clusters = [this.#clusterStart, this.#nextClusterStart] as const;
    this.#entryMin = Math.min(entry, Math.max(this.#entryMin, this.#entryCurrent));
    this.#entryMax = Math.max(entry, Math.min(this.#entryMax, this.#entryNext));
    this.#known = this.#branches.map((_, position) => position);
    this.#learning = false;
    this.#entryNext = -1;
    this.#fill(entry);
    this.#learning = true;
    this.#known = [];
    [this.#entryMin, this.#entryMax, this.#entryCurrent, this.#entryNext] = kept;
    [this.#clusterStart, this.#nextClusterStart] = clusters;
  }

  /** Simulates TTreeCache::FillBuffer. Returns false if the entry is among those already fetched. */
  #fill(entry: number): boolean {
    if (this.#known.length === 0) return false;
    if (entry < this.#entryMin || entry > this.#entryMax) return false;
    const within = () => this.#entryCurrent <= entry && entry < this.#entryNext;
    if (!this.#learning && within() && this.#known.every((branch) => this.#allUsed(branch))) {
      this.#entryNext = entry;
    }
    if (within()) return false;
    const moving = entry < this.#clusterStart || this.#nextClusterStart <= entry;
    let [start, next] = this.#cluster(entry);
    if (next < this.#entryMin || this.#entryMax < start) return false;
    const firstClusterEnd = next;
    this.#entryCurrent = Math.max(start, this.#entryMin);
    this.#entryNext = Math.min(next, this.#entryMax);
    if (moving) {
      this.#clusterStart = this.#entryCurrent;
      this.#nextClusterStart = firstClusterEnd;
    }
    const fill = new Fill(this.#entryCurrent, this.#known.length);
    for (let iteration = 0; ; ) {
      const before = fill.total;
      fill.startCluster(this.#entryMax);
      this.#collectCluster(fill, entry, iteration, moving && iteration === 0);
      iteration++;
      [start, next] = this.#clusterBehind(next);
      fill.minEntry = start;
      const likely = Math.floor((fill.total * (iteration + 1)) / iteration);
      if (!(this.#options.cacheBytes > likely && before < fill.total && start < this.#entryMax)) break;
      this.#entryNext = Math.min(next, this.#entryMax);
      this.#nextClusterStart = this.#entryNext;
    }
    if (fill.baskets.length > 0 && this.#entryNext < firstClusterEnd && !fill.ranges.contains(entry)) {
      this.#entryNext = firstClusterEnd;
    }
    this.#fills++;
    for (const basket of fill.baskets) this.#filledBy[basket] = this.#fills;
    if (fill.baskets.length > 0) {
      this.#options.onRead(entry, this.#reads(fill.baskets));
    }
    this.#learning = false;
    return true;
  }

  #reads(baskets: number[]): Block[] {
    const { offsets, bytes } = this.#layout;
    return cacheReads(baskets, offsets, bytes, this.#options.readAhead);
  }

  /**
   * Collects one basket of each branch at the entry, then in equal steps more, then all to the end of the cluster.
   */
  #collectCluster(fill: Fill, entry: number, iteration: number, reset: boolean): void {
    const collect = (pass: Pass, narrow: boolean, limit: number, resets = reset): boolean =>
      this.#collect(fill, { pass, narrow, limit, entry, iteration, reset: resets });
    const goOn = () => !fill.reachedEnd && fill.progress;
    let full = collect('start', true, this.#entryNext);
    while (!full && goOn()) full = collect('start', false, Math.min(fill.maxReadEntry, this.#entryNext));
    if (!full) {
      do full = collect('regular', false, this.#entryNext);
      while (!full && goOn());
    }
    if (!full && fill.skippedFirst) {
      full = collect('rewind', false, this.#entryNext);
      while (!full && goOn()) full = collect('regular', false, this.#entryNext);
    }
  }

  /** Makes one pass over the branches. Returns true if the cache is full. */
  #collect(fill: Fill, round: Round): boolean {
    const before = fill.baskets.length;
    let reachedEnd = 0;
    let skipped = false;
    let full = false;
    for (let at = 0; at < this.#known.length; at++) {
      const branch = this.#known[at] ?? 0;
      const index = this.#branches[branch] ?? 0;
      const base = this.#layout.starts[index] ?? 0;
      const count = (this.#layout.starts[index + 1] ?? 0) - base;
      let vetoes: Set<number> | undefined;
      if (round.pass === 'start' && fill.loaded[at] === 0 && round.reset) {
        vetoes = this.#unused(branch);
        this.#forget(branch);
      }
      if (round.pass === 'rewind') fill.cursor[at] = Math.max(0, fill.clusterFirst[at] ?? 0);
      const outcome = this.#collectBranch(fill, round, at, base, count, vetoes);
      if ((outcome & REACHED_END) !== 0) reachedEnd++;
      if ((outcome & SKIPPED) !== 0) skipped = true;
      if ((outcome & FULL) !== 0) full = true;
    }
    fill.reachedEnd = reachedEnd === this.#known.length;
    fill.skippedFirst = skipped;
    fill.progress = fill.baskets.length > before;
    return full;
  }

  /**
   * Collects baskets of one branch in one pass. Returns bits of the result. `base` is its first basket of `count`.
   */
  #collectBranch(
    fill: Fill,
    round: Round,
    at: number,
    base: number,
    count: number,
    vetoes: Set<number> | undefined,
  ): number {
    const { firsts, ends, bytes, offsets } = this.#layout;
    const { cacheBytes } = this.#options;
    const branch = this.#known[at] ?? 0;
    const { entry, narrow } = round;
    let outcome = 0;
    let j = fill.cursor[at] ?? 0;
    for (; ; j++) {
      // The end of the tree follows the last basket.
      if (j >= count) {
        outcome |= REACHED_END;
        break;
      }
      const basket = base + j;
      const first = firsts[basket] ?? 0;
      const end = ends[basket] ?? 0;
      const length = bytes[basket] ?? 0;
      if (this.#inMemory[branch] === basket || offsets[basket] === 0) {
        if (first <= entry && entry < end) {
          this.#mark(branch, basket, LOADED | USED);
          if (narrow) {
            outcome |= REACHED_END;
            j++;
            break;
          }
        }
        continue;
      }
      if (first >= round.limit) {
        outcome |= REACHED_END;
        break;
      }
      if (length <= 0 || length > cacheBytes) continue;
      if (fill.baskets.length > 0 && first > fill.ranges.lowest() + 1) break;
      if (first < fill.minEntry && end <= fill.minEntry) continue;
      if ((fill.clusterFirst[at] ?? -1) === -1) fill.clusterFirst[at] = j;
      if (((this.#bits[basket] ?? 0) & (LOADED | USED | VETOED)) !== 0) continue;
      if (vetoes?.has(basket)) {
        this.#mark(branch, basket, VETOED);
        continue;
      }
      if (narrow && (first > entry || end <= entry)) {
        if (j === fill.clusterFirst[at] && entry > first) outcome |= SKIPPED;
        if (first > entry) break;
        continue;
      }
      const total = fill.total + length;
      if (total > cacheBytes) {
        const loaded = fill.loaded[at] !== 0;
        if (round.iteration > 0 && loaded) {
          this.#entryNext = fill.minEntry;
          outcome |= FULL;
          break;
        }
        const most = (round.pass === 'start' || !loaded ? 4 : 2) * cacheBytes;
        if (total > most) {
          this.#entryNext = fill.maxReadEntry;
          outcome |= FULL;
          break;
        }
      }
      fill.ranges.update(at, first, end - 1);
      this.#mark(branch, basket, LOADED);
      fill.loaded[at] = 1;
      fill.baskets.push(basket);
      fill.total = total;
      if (end > fill.maxReadEntry) fill.maxReadEntry = end;
      if (round.pass === 'start' || end >= fill.maxReadEntry || end >= fill.lowestMaxEntry) {
        fill.lowestMaxEntry = Math.min(fill.lowestMaxEntry, end - 1);
        j++;
        break;
      }
    }
    fill.cursor[at] = j;
    return outcome;
  }

  #mark(branch: number, basket: number, bits: number): void {
    this.#bits[basket] = (this.#bits[basket] ?? 0) | bits;
    const low = this.#low[branch] ?? -1;
    this.#low[branch] = low < 0 ? basket : Math.min(low, basket);
    this.#high[branch] = Math.max(this.#high[branch] ?? -1, basket);
  }

  #eachMarked(branch: number, visit: (basket: number) => void): void {
    const low = this.#low[branch] ?? -1;
    if (low < 0) return;
    for (let basket = low; basket <= (this.#high[branch] ?? -1); basket++) visit(basket);
  }

  #forget(branch: number): void {
    this.#eachMarked(branch, (basket) => {
      this.#bits[basket] = 0;
    });
    this.#low[branch] = -1;
    this.#high[branch] = -1;
  }

  #unused(branch: number): Set<number> {
    const unused = new Set<number>();
    this.#eachMarked(branch, (basket) => {
      if (((this.#bits[basket] ?? 0) & (LOADED | USED)) === LOADED) unused.add(basket);
    });
    return unused;
  }

  #allUsed(branch: number): boolean {
    for (let basket = Math.max(0, this.#low[branch] ?? -1); basket <= (this.#high[branch] ?? -1); basket++) {
      if (((this.#bits[basket] ?? 0) & (LOADED | USED)) === LOADED) return false;
    }
    return true;
  }

  /** Returns the first entries of the cluster that contains an entry, and of the next one. */
  #cluster(entry: number): [start: number, next: number] {
    const { clusterStarts, entries } = this.#layout;
    if (clusterStarts.length === 0) return [entry, Math.min(entries, entry + this.#estimatedCluster)];
    const at = lastAtMost(clusterStarts, clusterStarts.length, entry);
    return [clusterStarts[at] ?? 0, clusterStarts[at + 1] ?? entries];
  }

  #clusterBehind(next: number): [start: number, next: number] {
    const { entries } = this.#layout;
    return next >= entries ? [entries, entries] : this.#cluster(next);
  }
}

interface Round {
  pass: Pass;
  /** Collects only the baskets that contain the entry. */
  narrow: boolean;
  /** Baskets that begin at or after this entry are left out. */
  limit: number;
  entry: number;
  iteration: number;
  reset: boolean;
}

/** The state of one fill of the cache. */
class Fill {
  readonly baskets: number[] = [];
  readonly ranges: LowestOfHighest;
  total = 0;
  maxReadEntry: number;
  lowestMaxEntry = 0;
  reachedEnd = false;
  skippedFirst = false;
  progress = true;
  /**
   * For each branch: the next basket, the first one of the first cluster (-1 for none), and whether any is loaded. ROOT keeps
   * these from one cluster of a fill to the next.
   */
  readonly cursor: Int32Array;
  readonly clusterFirst: Int32Array;
  readonly loaded: Uint8Array;

  constructor(
    public minEntry: number,
    branches: number,
  ) {
    this.maxReadEntry = minEntry;
    this.ranges = new LowestOfHighest(branches);
    this.cursor = new Int32Array(branches);
    this.clusterFirst = new Int32Array(branches).fill(-1);
    this.loaded = new Uint8Array(branches);
  }

  startCluster(entryMax: number): void {
    this.lowestMaxEntry = entryMax;
    this.reachedEnd = false;
    this.skippedFirst = false;
    this.progress = true;
  }
}
