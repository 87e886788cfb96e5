import type { BranchInfo, EntrySelection } from '../api/api';
import type { Core } from '../core/core';
import { parse } from '../core/file-core';
import type { ReadOptions } from '../io/fetch/reader';
import type { DataModel } from '../model/data-model';
import { chooseEntries, countOf, type EntryChoice, isRange, sliceSelection } from '../model/entry-choice';
import { planBranch } from './pass';
import { type ChosenUnits, growthOf, packUnits } from './plan';
import type { BranchPlan } from './types';

/** Maximum factor by which a block may grow to end with a cluster. */
const MAX_GROWTH = 4;
/** Factor by which the listed range of entries grows if a cluster continues after it. */
const LISTING_GROWTH = 8;

/** The reads of a block. */
export interface BlockPlan {
  plans: BranchPlan[];
  /** The baskets or pages that the block needs. */
  units: { packed: Float64Array; chosen: ChosenUnits };
  /** For each branch, the entry after the last one that is decoded after this block. */
  ends: Float64Array;
}

/** See xy_block_plan. */
interface UnitsOfBlock {
  isCut: boolean;
  chosen: ChosenUnits;
  ends: Float64Array;
}

/** The baskets or pages of branches with chosen entries in [from, to). */
interface Listing {
  branches: readonly BranchInfo[];
  entries: EntrySelection;
  from: number;
  to: number;
  plans: BranchPlan[];
  packed: Float64Array;
}

/** The last listing of each tree, because the next block usually has the same branches. */
const listings = new WeakMap<DataModel, Listing>();

/**
 * Plans the next block: about `maxBytes` uncompressed bytes, beginning at the smallest of `starts`, the first entries
 * that each branch needs. The block ends with a cluster if one ends soon, otherwise where most baskets end. Each basket
 * or page that begins in the block is read to its end.
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
    const { plans, packed, to } = listing;
    const { isCut, chosen, ends } = chooseUnits(tree.core, packed, starts, from, choice.to, length);
    if (to === choice.to || !isCut)
      return { plans: plans.map(withoutCounts), units: { packed, chosen }, ends };
    listing = await list(from + LISTING_GROWTH * (to - from));
  }

  /**
   * Lists the units up to `wanted`: all of them if the page lists have been read, otherwise at least those that a block
   * may need.
   */
  async function list(wanted: number): Promise<Listing> {
    const known = tree.knownEntries >= choice.to;
    const least = Math.max(wanted === choice.to ? 0 : wanted, from + MAX_GROWTH * length + 1);
    const to = known ? choice.to : Math.min(choice.to, least);
    await tree.prepare([from, to], options);
    const chosen = sliceSelection(entries, from, to);
    const plans = branches.map(({ index }) => planBranch(tree, index, chosen, { whole: true }));
    const packed = packUnits(
      plans.map(({ branch, units }) => ({ numbers: units.numbers, growth: growthOf(branch) })),
    );
    const made = { branches, entries, from, to, plans, packed };
    listings.set(tree, made);
    return made;
  }
}

/** Returns the number of entries in which the chosen ones have about `maxBytes` uncompressed bytes. */
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

/** Whether two selections choose the same entries, from the first entry of the second one on. */
function sameRest(a: EntrySelection, b: EntrySelection): boolean {
  if (isRange(a) && isRange(b)) return a[1] === b[1];
  if (a instanceof Float64Array && b instanceof Float64Array)
    return a.length === b.length && a.every((entry, i) => entry === b[i]);
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns a plan without array lengths: those are read for each block. */
function withoutCounts(plan: BranchPlan): BranchPlan {
  return plan.plan.counter < 0 ? plan : { ...plan };
}

/** Chooses the units of a block of about `length` entries that begins at `from`. No entries from `to` on are read. */
function chooseUnits(
  core: Core,
  packed: Float64Array,
  starts: Float64Array,
  from: number,
  to: number,
  length: number,
): UnitsOfBlock {
  const tape = core.withDoubles(packed, (units) =>
    core.withDoubles(starts, (entries) =>
      core.call((x, ctx) => {
        const lists = [units, packed.length, entries, starts.length] as const;
        return x.xy_plan_block(ctx, ...lists, from, to, length, MAX_GROWTH);
      }),
    ),
  );
  return parse<UnitsOfBlock>(tape);
}
