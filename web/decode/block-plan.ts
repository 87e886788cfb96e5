import type { BranchInfo, EntrySelection } from '../api/api';
import { firstIndex } from '../base/search';
import type { ReadOptions } from '../io/reader';
import type { DataModel } from '../model/data-model';
import { chooseEntries, countOf, type EntryChoice, isRange, sliceSelection } from '../model/entry-choice';
import type { DecodeUnitList } from '../model/slice-list';
import { type BranchPlan, planBranch } from './decode-branches';

/** A block may grow to this many times its size where that lets it end with a cluster. */
const MAX_GROWTH = 4;
/** The entries that are listed at once grow by this factor when a cluster goes on after them. */
const LISTING_GROWTH = 8;

/** The reads of a block. */
export interface BlockPlan {
  /** Plans of whole baskets or pages for the branches that have to read some, and the index of each branch. */
  plans: BranchPlan[];
  which: number[];
  /** For each branch the entry after the last one that it then has. */
  ends: number[];
}

/** The baskets or pages of branches that hold the chosen entries `from` to `to`. */
interface Listing {
  branches: readonly BranchInfo[];
  entries: EntrySelection;
  from: number;
  to: number;
  plans: BranchPlan[];
}

/** The last listing of each tree, because the next block is nearly always of the same branches. */
const listings = new WeakMap<DataModel, Listing>();

/**
 * Plans the next block: about `maxBytes` uncompressed bytes from the first of `starts` on. `starts` are the first
 * entries that each branch needs. The block ends with a cluster where one ends soon, otherwise where most baskets
 * do. Each basket or page that begins in the block is planned to its end.
 */
export async function planBlock(
  tree: DataModel,
  branches: readonly BranchInfo[],
  entries: EntrySelection,
  starts: Float64Array,
  maxBytes: number,
  options: ReadOptions,
): Promise<BlockPlan> {
  const choice = chooseEntries(entries, tree.info.entries);
  const least = starts.reduce((one, other) => Math.min(one, other), choice.to);
  const from = Math.min(choice.next(least), choice.to);
  await tree.prepare([from, Math.min(from + 1, choice.to)], options);
  const length = lengthOf(tree, branches, choice, from, maxBytes);
  let listing = listings.get(tree);
  if (!listing || !covers(listing, branches, entries, from)) listing = await list(choice.to);
  for (;;) {
    const { plans, to } = listing;
    const lists = plans.map(({ units }) => units);
    const end = endOf(lists, from, choice.to, length);
    const places = lists.map(
      (units, i) => [firstFrom(units, starts[i] ?? 0), firstFrom(units, end)] as const,
    );
    // The last unit of a list may go on after the listing.
    const isCut = (units: DecodeUnitList, i: number): boolean => places[i]?.[1] === units.length;
    if (to === choice.to || !lists.some(isCut)) return planOf(listing, places, starts);
    listing = await list(from + LISTING_GROWTH * (to - from));
  }

  /** Lists what is known without reading page lists, and at least what a block may need. */
  async function list(wanted: number): Promise<Listing> {
    const known = tree.knownEntries >= choice.to;
    const least = Math.max(wanted === choice.to ? 0 : wanted, from + MAX_GROWTH * length + 1);
    const to = known ? choice.to : Math.min(choice.to, least);
    await tree.prepare([from, to], options);
    const chosen = sliceSelection(entries, from, to);
    const plans = branches.map(({ index }) => planBranch(tree, index, chosen));
    const made = { branches, entries, from, to, plans };
    listings.set(tree, made);
    return made;
  }
}

/** The number of entries that hold `maxBytes` uncompressed bytes of chosen ones. */
function lengthOf(
  tree: DataModel,
  branches: readonly BranchInfo[],
  choice: EntryChoice,
  from: number,
  maxBytes: number,
): number {
  const bytes = branches.reduce(
    (sum, branch) => sum + branch.totalBytes / Math.max(1, Math.min(branch.entries, tree.knownEntries)),
    0,
  );
  const rows = Math.max(1, Math.floor(maxBytes / Math.max(bytes, 1e-9)));
  if (choice.contiguous) return rows;
  const chosen = Math.max(1, countOf(choice.spans(from, choice.to)));
  return Math.ceil((rows * (choice.to - from)) / chosen);
}

function covers(
  listing: Listing,
  branches: readonly BranchInfo[],
  entries: EntrySelection,
  from: number,
): boolean {
  const same =
    listing.branches.length === branches.length && listing.branches.every((one, i) => one === branches[i]);
  return same && listing.from <= from && from < listing.to && sameRest(listing.entries, entries);
}

/** Whether two selections choose the same entries from where the second begins. */
function sameRest(a: EntrySelection, b: EntrySelection): boolean {
  if (isRange(a) && isRange(b)) return a[1] === b[1];
  if (a instanceof Float64Array && b instanceof Float64Array)
    return a.length === b.length && a.every((entry, i) => entry === b[i]);
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * The end of a block that begins at `from`: where all branches end a basket, else where most of them do in the
 * second half of `length` entries.
 */
function endOf(lists: readonly DecodeUnitList[], from: number, to: number, length: number): number {
  if (to - from <= length) return to;
  const least = from + Math.ceil(length / 2);
  const most = from + length;
  const votes = new Map<number, number>();
  // The only basket of a branch is read once, wherever blocks end: as in `trueClusters`, it does not count.
  const several = lists.filter((units) => units.length > 1);
  for (const { numbers } of several) {
    const { first, to: tos } = numbers;
    for (let i = firstEnding(numbers, least); i < first.length; i++) {
      const end = (first[i] ?? 0) + (tos[i] ?? 0);
      if (end > from + MAX_GROWTH * length) break;
      votes.set(end, (votes.get(end) ?? 0) + 1);
    }
  }
  let best = most;
  let count = 0;
  let cluster = Number.POSITIVE_INFINITY;
  for (const [end, own] of votes) {
    if (end > most) {
      if (own === several.length) cluster = Math.min(cluster, end);
    } else if (own > count || (own === count && end > best)) {
      count = own;
      best = end;
    }
  }
  return count < several.length && cluster < Number.POSITIVE_INFINITY ? cluster : best;
}

function planOf(
  { plans }: Listing,
  places: readonly (readonly [number, number])[],
  starts: Float64Array,
): BlockPlan {
  const block: BlockPlan = { plans: [], which: [], ends: [] };
  for (const [i, { branch, plan, units }] of plans.entries()) {
    const [from, to] = places[i] ?? [0, 0];
    if (from >= to) {
      block.ends.push(starts[i] ?? 0);
      continue;
    }
    const { first, to: ends } = units.numbers;
    block.plans.push({ branch, plan, units: units.part(from, to) });
    block.which.push(i);
    block.ends.push((first[to - 1] ?? 0) + (ends[to - 1] ?? 0));
  }
  return block;
}

/** Index of the first unit whose wanted entries begin at `entry` or later. */
function firstFrom({ numbers: { first, from } }: DecodeUnitList, entry: number): number {
  return firstIndex(first.length, (i) => (first[i] ?? 0) + (from[i] ?? 0) >= entry);
}

/** Index of the first unit whose wanted entries end at `entry` or later. */
function firstEnding({ first, to }: DecodeUnitList['numbers'], entry: number): number {
  return firstIndex(first.length, (i) => (first[i] ?? 0) + (to[i] ?? 0) >= entry);
}
