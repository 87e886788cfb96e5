import type { BranchInfo, TreeLayout } from '../../../api/api';
import { formatBytes, formatCount } from '../../../base/format';
import { firstPage } from './doctor-codecs';
import { about, type Draft, draft, percent } from './doctor-types';

/*
 * Branches that hold few or no values of their own. Leaving them out would drop data that others may use, and
 * gains little: these findings are for information only, and have no remedy.
 */

/** Number of branches that a sentence lists. */
const LISTED = 8;

/**
 * Finds branches of a TTree that count entries without a basket, and fields of an RNTuple that count entries without
 * a page.
 */
export function missingEntries(layout: TreeLayout): Draft | undefined {
  const { tree, basketStart, firstEntry, entries } = layout;
  const isTree = tree.kind === 'TTree';
  const short: { path: string; missing: number }[] = [];
  for (const branch of tree.branches) {
    if (!isTree) {
      const missing = layout.lacking?.[branch.index] ?? 0;
      if (missing > 0) short.push({ path: branch.path, missing });
      continue;
    }
    // A branch that only contains others has no baskets, and baskets in another file are not known here.
    if ((branch.kind === 'group' && branch.baskets === 0) || branch.otherFile !== undefined) continue;
    let [end, missing] = [0, 0];
    for (let i = basketStart[branch.index] ?? 0; i < (basketStart[branch.index + 1] ?? 0); i++) {
      const first = Math.min(firstEntry[i] ?? 0, branch.entries);
      missing += Math.max(0, first - end);
      end = Math.max(end, first + (entries[i] ?? 0));
    }
    missing += Math.max(0, branch.entries - end);
    if (missing > 0) short.push({ path: branch.path, missing });
  }
  const [worst] = short.sort((a, b) => b.missing - a.missing);
  if (worst === undefined) return undefined;
  const [holder, parts] = isTree ? ['basket', 'branches'] : ['page', 'fields'];
  const also = short.length > 1 ? ` (${parts} with such a loss: ${formatCount(short.length)})` : '';
  const evidence = `No ${holder} holds ${formatCount(worst.missing)} of the entries that ${worst.path} counts${also}: values are lost. "xylem check" says which, and the other ${parts} can be read.`;
  return draft(tree.path, 'missing-entries', 'bad', evidence, {
    numbers: { branches: short.length, entries: worst.missing },
    ...about(short),
  });
}

/** Finds branches of a TTree with fewer entries than the tree, for example because they were added later. */
export function shortBranches({ tree }: TreeLayout): Draft | undefined {
  if (tree.kind !== 'TTree') return undefined;
  const short = tree.branches
    .filter((branch) => branch.kind !== 'group' && branch.entries < tree.entries)
    .sort((a, b) => a.entries - b.entries);
  const [worst] = short;
  if (worst === undefined) return undefined;
  const also = short.length > 1 ? ` (branches with fewer: ${formatCount(short.length)})` : '';
  const evidence = `${worst.path} has ${formatCount(worst.entries)} of the tree's ${formatCount(tree.entries)} entries${also}. ROOT repeats the last value for the others; xylem says that they are missing.`;
  return draft(tree.path, 'short-branches', 'note', evidence, {
    numbers: { branches: short.length, entries: worst.entries },
    ...about(short),
  });
}

export function emptyBranches({ tree, record }: TreeLayout): Draft | undefined {
  const leaves = tree.branches.filter(({ kind }) => kind !== 'group');
  const empty = leaves.filter(({ baskets, totalBytes }) => baskets === 0 || totalBytes === 0);
  const share = empty.length / Math.max(1, leaves.length);
  if (empty.length < 10 || share < 0.05) return undefined;
  const evidence = `${formatCount(empty.length)} of ${formatCount(leaves.length)} branches (${percent(share)}) have no data. Opening the tree reads their description all the same: its record has ${formatBytes(record.length)}.`;
  return draft(tree.path, 'empty-branches', 'note', evidence, {
    numbers: { branches: empty.length, share },
    ...about(empty),
  });
}

/** Returns branches that compress so well that their values can hardly differ, the best compressed first. */
export function likelyConstants({ tree }: TreeLayout): BranchInfo[] {
  return tree.branches
    .filter(
      ({ kind, totalBytes, storedBytes }) =>
        kind !== 'group' && storedBytes > 0 && totalBytes > 20_000 && totalBytes > 30 * storedBytes,
    )
    .sort((a, b) => b.totalBytes / b.storedBytes - a.totalBytes / a.storedBytes);
}

/** `sure`: branches whose values were read and are all equal. */
export function constantBranches(
  layout: TreeLayout,
  constant = likelyConstants(layout),
  sure: readonly BranchInfo[] = [],
): Draft | undefined {
  const [most] = constant;
  if (most === undefined) return undefined;
  const named = sure.slice(0, LISTED).map(({ path }) => path);
  if (sure.length > named.length) named.push('…');
  const count = sure.length === 1 ? 'one branch' : `${formatCount(sure.length)} branches`;
  const known =
    sure.length > 0 ? ` One and the same value in all entries: ${count} (${named.join(', ')}).` : '';
  const stored = constant.reduce((sum, branch) => sum + branch.storedBytes, 0);
  const evidence = `${constant.length === 1 ? 'One branch shrinks' : `${formatCount(constant.length)} branches shrink`} more than 30 times (${most.path}: ${(most.totalBytes / most.storedBytes).toFixed(0)} times): the values are the same, or nearly, in most entries.${known} They have ${formatBytes(stored)} of the tree's ${formatBytes(layout.tree.storedBytes)}: leaving them out would gain little.`;
  return draft(layout.tree.path, 'constant-branches', 'note', evidence, {
    numbers: {
      branches: constant.length,
      ...(sure.length > 0 && { sure: sure.length }),
      bytes: constant.reduce((sum, branch) => sum + branch.totalBytes, 0),
    },
    certainty: sure.length > 0 ? 'sure' : 'likely',
    ...about([...sure, ...constant.filter((branch) => !sure.includes(branch))]),
    place: firstPage(layout, sure[0] ?? most),
  });
}

/**
 * Finds branches with the same values. `sure` says that their bytes were compared; otherwise only the sizes of their
 * baskets were.
 */
export function duplicateBranches(
  layout: TreeLayout,
  same = likelyDuplicates(layout),
  sure = false,
): Draft | undefined {
  const [first] = same;
  if (first === undefined) return undefined;
  const bytes = same.reduce((sum, [one, ...others]) => sum + others.length * (one?.storedBytes ?? 0), 0);
  const groups = same.length === 1 ? 'One group' : `${formatCount(same.length)} groups`;
  const names = first.map(({ path }) => path).slice(0, 3);
  const evidence = sure
    ? `${groups} of branches with the same values in every entry: ${names.join(', ')}; ${formatBytes(bytes)} are stored twice.`
    : `${groups} of branches with baskets of exactly the same sizes: ${names.join(', ')}. Perhaps their values are the same; a deep look reads and compares them.`;
  return draft(layout.tree.path, 'duplicate-branches', sure ? 'poor' : 'note', evidence, {
    numbers: { groups: same.length, bytes },
    certainty: sure ? 'sure' : 'likely',
    ...about(same.flat()),
  });
}

/**
 * Minimum compression factor of baskets whose sizes are compared. Baskets of random values always have the same size.
 */
const TELLING_FACTOR = 1.25;

/**
 * Returns groups of branches of the same type that are probably equal: their baskets have the same entries and stored
 * bytes, and these differ from basket to basket. With `loose`, the total sizes need only be about the same.
 */
export function likelyDuplicates(layout: TreeLayout, loose = false): BranchInfo[][] {
  const { tree, basketStart, storedBytes, firstEntry } = layout;
  const groups = new Map<string, BranchInfo[]>();
  for (const branch of tree.branches) {
    const { index, typeName, baskets } = branch;
    // Small branches have equal sizes by chance, and so have values that do not vary.
    if (branch.kind === 'group' || branch.storedBytes < 4000 || branch.totalBytes > 30 * branch.storedBytes)
      continue;
    const from = basketStart[index] ?? 0;
    const to = basketStart[index + 1] ?? 0;
    if (to === from || (!loose && to - from < 2)) continue;
    if (!loose && branch.totalBytes < TELLING_FACTOR * branch.storedBytes) continue;
    const bytes = Array.from(storedBytes.subarray(from, to), (size) => size - nameBytes(branch));
    if (!loose && new Set(bytes).size < Math.min(4, bytes.length)) continue;
    const sizes = bytes.map((size, i) => `${size}@${firstEntry[from + i]}`);
    const key = loose ? branch.totalBytes - baskets * nameBytes(branch) : sizes.join();
    const group = groups.get(`${typeName} ${key}`);
    if (group) group.push(branch);
    else groups.set(`${typeName} ${key}`, [branch]);
  }
  return [...groups.values()]
    .flatMap((group) => (loose ? closeInSize(group) : [group]))
    .filter(({ length }) => length > 1);
}

/** Returns the parts of a group whose stored bytes differ by less than 1 %. */
function closeInSize(group: readonly BranchInfo[]): BranchInfo[][] {
  const parts: BranchInfo[][] = [];
  for (const branch of [...group].sort((a, b) => a.storedBytes - b.storedBytes)) {
    const last = parts.at(-1);
    const first = last?.[0];
    if (last && first && branch.storedBytes < 1.01 * first.storedBytes) last.push(branch);
    else parts.push([branch]);
  }
  return parts;
}

/** Returns the length of the branch name, which each basket's key contains. */
function nameBytes({ name }: BranchInfo): number {
  return name.length;
}
