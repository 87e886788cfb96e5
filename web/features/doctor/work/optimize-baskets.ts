import type { BranchInfo, TreeLayout } from '../../../api/api';

/*
 * TTree::OptimizeBaskets(maxMemory, minComp, "d") of ROOT 6.40, on a tree that is only read: the same two passes over the
 * leaves, in the same integers of 32 bits.
 */

export interface OptimizeOptions {
  /** Bytes for the buffers of all branches. Default as in ROOT: 10,000,000. */
  memory?: number | undefined;
  /** A branch that compresses by less than this factor would no longer be compressed. Default as in ROOT: 1.1. */
  minCompression?: number | undefined;
}

export interface OptimizedBranch {
  index: number;
  /** fBasketSize as it is, and as ROOT would set it, in bytes. */
  from: number;
  to: number;
  /** Number of baskets that ROOT expects then. */
  baskets: number;
  /** Whether ROOT would no longer compress the branch. */
  uncompressed: boolean;
}

export interface OptimizedBaskets {
  memory: number;
  minCompression: number;
  /** In the order of the branches, only those whose size ROOT would set: the ones without branches below. */
  branches: OptimizedBranch[];
  /** Sums of the buffers, which ROOT prints as oldMemsize and newMemsize, in bytes. */
  memoryNow: number;
  memoryThen: number;
  /** Baskets of all branches by their sizes: oldBaskets and newBaskets. */
  basketsNow: number;
  basketsThen: number;
}

const MEMORY = 10_000_000;
const MIN_COMPRESSION = 1.1;
/** Sizes above this are replaced by the largest that a pass allows, which is at most HARD_MAX. */
const TOO_LARGE = 10_000_000;
const HARD_MAX = 2 ** 30;
const HARD_MIN = 8;
/** Bytes that TBranch::SetBasketSize adds to the length of a branch's name, for the key of a basket. */
const KEY = 100;

/**
 * Returns what ROOT would print. Undefined for an RNTuple, whose pages have no such setting, and for a tree in whose file
 * ROOT counts no bytes: OptimizeBaskets does nothing then.
 */
export function optimizeBaskets(
  layout: TreeLayout,
  { memory = MEMORY, minCompression = MIN_COMPRESSION }: OptimizeOptions = {},
): OptimizedBaskets | undefined {
  const { tree, settings, autoFlush, record } = layout;
  const share = Math.min(1, record.length / Math.max(1, record.objectBytes));
  // ROOT does not count the baskets in the tree's own record.
  const totalOf = ({ totalBytes, embeddedBytes = 0 }: BranchInfo) => totalBytes - embeddedBytes;
  const storedOf = ({ storedBytes, embeddedBytes = 0 }: BranchInfo) =>
    storedBytes - Math.round(share * embeddedBytes);
  const embedded = tree.branches.reduce((sum, { embeddedBytes = 0 }) => sum + embeddedBytes, 0);
  const treeBytes = tree.totalBytes - embedded;
  if (settings === undefined || settings.leaves === 0 || treeBytes === 0) return undefined;
  const average = treeBytes / settings.leaves;
  const sizes = layout.basketSize.slice();
  const isParent = new Uint8Array(tree.branches.length);
  for (const { parent } of tree.branches) if (parent >= 0) isParent[parent] = 1;
  const dropped = new Uint8Array(tree.branches.length);
  const leaves = tree.branches.flatMap((branch) =>
    Array.from({ length: settings.leafCount[branch.index] ?? 0 }, () => branch),
  );
  let [low, high, factor] = [512, 256_000, 1];
  let sums = { memoryNow: 0, memoryThen: 0, basketsNow: 0, basketsThen: 0 };
  for (const pass of [0, 1]) {
    sums = { memoryNow: 0, memoryThen: 0, basketsNow: 0, basketsThen: 0 };
    for (const branch of leaves) {
      const { index, entries, name } = branch;
      const total = totalOf(branch);
      const one = entries === 0 ? unsigned(average) : unsigned(1 + unsigned(total / entries));
      const old = sizes[index] ?? 0;
      sums.memoryNow += old;
      sums.basketsNow += basketsOf(total, old);
      if (isParent[index] === 1) {
        sums.basketsThen += basketsOf(total, old);
        continue;
      }
      const wanted = old * (total / average) * factor;
      let size = unsigned(wanted < 0 || wanted > high ? high : wanted);
      if (pass === 1) {
        const cluster = autoFlush > 0 ? autoFlush : entries;
        if ((settings.offsetLength[index] ?? 0) !== 0) size = unsigned(size + 8 * cluster);
        size = unsigned(size - (size % 512) + 512);
      }
      size = Math.max(size, one, low);
      if (size > TOO_LARGE) size = high;
      if (pass === 1) {
        const least = KEY + byteLength(name) + (settings.offsetLength[index] ?? 0);
        sizes[index] = Math.max(size | 0, least);
        const stored = storedOf(branch);
        const compression = stored > 0 ? total / stored : 1;
        if (compression > 1 && compression < Math.fround(minCompression)) dropped[index] = 1;
      }
      sums.memoryThen += size;
      sums.basketsThen += basketsOf(total, size);
    }
    factor = Math.min(100, memory / sums.memoryThen);
    low = low * factor > HARD_MAX ? HARD_MAX : Math.max(HARD_MIN, unsigned(low * factor));
    high = high * factor > HARD_MAX ? low : unsigned(high * factor);
  }
  const branches = leaves
    .filter((branch, i) => isParent[branch.index] !== 1 && leaves[i - 1] !== branch)
    .map((branch) => {
      const { index } = branch;
      const to = sizes[index] ?? 0;
      const baskets = basketsOf(totalOf(branch), to);
      return { index, from: layout.basketSize[index] ?? 0, to, baskets, uncompressed: dropped[index] === 1 };
    });
  return { memory, minCompression, branches, ...sums };
}

const basketsOf = (total: number, size: number): number => 1 + (size > 0 ? Math.trunc(total / size) : 0);

/** Returns a number as UInt_t holds it. */
const unsigned = (value: number): number => Math.trunc(value) % 2 ** 32;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;
