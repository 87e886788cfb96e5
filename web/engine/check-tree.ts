import type { BranchInfo } from '../api/api';
import type { Findings } from '../api/check-report';
import { isOtherContent } from '../base/codes';
import { type ErrorRecord, toXylemError } from '../base/errors';
import type { DataModel } from '../model/data-model';
import { unitBytes } from '../model/data-model';
import { verifyGoal } from '../pass/goals/verify';
import { planUnits, runPass } from '../pass/pass';
import type { BranchPlan, Part, TaskRunner } from '../pass/types';

/** Bytes that a basket claims. */
export interface Extent {
  path: string;
  offset: number;
  length: number;
}

/** Branches are read together, in clusters, up to this many baskets. */
const BASKETS_AT_ONCE = 65_536;

/**
 * Decompresses and decodes all baskets of a tree and counts their entries. Baskets of a branch that cannot be
 * decoded are decompressed only. Returns the bytes that the baskets of a TTree claim.
 */
export async function checkTree(
  tree: DataModel,
  runner: TaskRunner,
  found: Findings,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<Extent[]> {
  const { info } = tree;
  found.counts.trees += 1;
  found.counts.entries += info.entries;
  const extents: Extent[] = [];
  const plain: BranchPlan[] = [];
  const counted = new Map<number, BranchPlan[]>();
  for (const branch of info.branches) {
    const whole = info.kind === 'TTree' || branch.depth === 0;
    if (!whole || (branch.kind === 'group' && branch.baskets === 0)) continue;
    found.counts.branches += 1;
    const plan = planOf(tree, branch, found);
    if (plan === undefined) continue;
    checkEntries(tree, plan, found);
    found.counts.baskets += plan.units.length;
    if (info.kind === 'TTree') for (const extent of extentsOf(tree, plan)) extents.push(extent);
    const { counter } = plan.plan;
    const list = counter < 0 ? plain : (counted.get(counter) ?? []);
    list.push(plan);
    if (counter >= 0) counted.set(counter, list);
  }
  checkLengths(tree, found);
  for (const plans of [...inGroups(plain), ...counted.values()])
    await decodeAll(tree, runner, plans, found, signal, onBytes);
  return extents;
}

function inGroups(plans: readonly BranchPlan[]): BranchPlan[][] {
  const groups: BranchPlan[][] = [];
  let baskets = Number.POSITIVE_INFINITY;
  for (const plan of plans) {
    if (baskets + plan.units.length > BASKETS_AT_ONCE) {
      groups.push([]);
      baskets = 0;
    }
    groups.at(-1)?.push(plan);
    baskets += plan.units.length;
  }
  return groups;
}

function planOf(tree: DataModel, branch: BranchInfo, found: Findings): BranchPlan | undefined {
  const path = `${tree.info.path}/${branch.path}`;
  try {
    return planUnits(tree, branch.index, undefined, false);
  } catch (thrown) {
    const error = toXylemError(thrown);
    if (error.code !== 'UNSUPPORTED' && error.code !== 'NO_STREAMER') {
      found.fail('tree-damaged', error.toRecord(), path);
      return undefined;
    }
    if (branch.baskets === 0 && branch.entries === 0) return undefined;
    found.add('not-decoded', error.message, { path, code: error.code });
  }
  try {
    return planUnits(tree, branch.index, undefined, true);
  } catch (thrown) {
    found.fail('tree-damaged', toXylemError(thrown).toRecord(), path);
    return undefined;
  }
}

/** The baskets of a branch follow each other without holes and hold as many entries as the branch. */
function checkEntries(tree: DataModel, { branch, units }: BranchPlan, found: Findings): void {
  const path = `${tree.info.path}/${branch.path}`;
  let next = 0;
  for (const unit of units) {
    if (unit.first + unit.from !== next) {
      const text = `${unit.name} of ${branch.path} starts at entry ${unit.first}, and the one before ends at ${next}.`;
      found.add('entries-mismatch', text, { path, offset: unit.ranges[0]?.offset });
    }
    next = unit.first + unit.to;
  }
  if (next !== branch.entries) {
    const text = `The baskets of ${branch.path} hold ${next} entries; the branch counts ${branch.entries}.`;
    found.add('entries-mismatch', text, { path });
  }
}

/** Branches of the first level are mostly as long as their tree. */
function checkLengths({ info }: DataModel, found: Findings): void {
  const uneven = info.branches.filter(
    ({ depth, kind, baskets, entries }) =>
      depth === 0 && (kind !== 'group' || baskets > 0) && entries !== info.entries,
  );
  const [first] = uneven;
  if (!first) return;
  const others = uneven.length > 1 ? `, and ${uneven.length - 1} more branches differ` : '';
  const text = `The tree has ${info.entries} entries, ${first.path} has ${first.entries}${others}.`;
  found.add('uneven-branch', text, { path: `${info.path}/${first.path}` });
}

function extentsOf(tree: DataModel, { branch, units }: BranchPlan): Extent[] {
  return Array.from(units).flatMap((unit) =>
    unit.ranges.map((range) => ({ path: `${tree.info.path}/${branch.path}, ${unit.name}`, ...range })),
  );
}

/** The baskets of a branch that cannot be decoded, and whether others can. */
interface Undecoded {
  failed: { error: ErrorRecord; entries: [from: number, to: number] }[];
  decoded: boolean;
}

/** With `raw`, the plans take the bytes of entries, because their content cannot be decoded. */
async function decodeAll(
  tree: DataModel,
  runner: TaskRunner,
  plans: BranchPlan[],
  found: Findings,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
  raw = false,
): Promise<void> {
  let before = 0;
  const undecoded = new Map<number, Undecoded>();
  try {
    const plain = (part: Part): void => {
      // The units of other parts are told with the result of the goal.
      if (part.rows === 0 && part.failures.length === part.count)
        tell(tree, plans[part.column] as BranchPlan, part, undefined, found, undecoded);
    };
    await runPass(tree, runner, plans, {
      signal,
      goals: [
        verifyGoal(tree.info.kind === 'TTree', (units, part) => {
          if (part.failures.length < part.count)
            tell(tree, plans[part.column] as BranchPlan, part, units, found, undecoded);
        }),
      ],
      onPart: plain,
      onBytes: ({ bytesDone }) => {
        onBytes(bytesDone - before);
        before = bytesDone;
      },
    });
  } catch (thrown) {
    const error = toXylemError(thrown);
    // Without counts, it is this machine that lacks memory.
    const lacks = error.code === 'BUDGET' && plans.every(({ plan }) => plan.counter < 0);
    if (error.code === 'ABORTED' || isOtherContent(error.code) || lacks) throw error;
    // Mostly the branch that holds the others' array lengths cannot be read: it has a finding of its own.
    for (const { branch } of plans) {
      undecoded.delete(branch.index);
      const text = `${branch.path} was not decoded: ${error.message}`;
      found.add('basket-damaged', text, { path: `${tree.info.path}/${branch.path}`, code: error.code });
    }
  }
  const again: BranchPlan[] = [];
  for (const [index, { failed, decoded }] of undecoded) {
    const branch = tree.branch(index);
    const path = `${tree.info.path}/${branch.path}`;
    for (const { error, entries } of failed) {
      // If other baskets of the branch can be decoded, this one is likely to be damaged.
      const { message, code } = error;
      found.add(raw ? 'not-checked' : 'not-decoded', message, { path, code, ...(decoded && { entries }) });
      if (!decoded) break;
    }
    if (raw || failed.length === 0) continue;
    try {
      again.push(planUnits(tree, index, undefined, true));
    } catch (thrown) {
      found.fail('tree-damaged', toXylemError(thrown).toRecord(), path);
    }
  }
  if (again.length > 0) await decodeAll(tree, runner, again, found, signal, () => {}, true);
}

function tell(
  tree: DataModel,
  { branch, units }: BranchPlan,
  { number, count, failures }: Part,
  unitRows: Float64Array | undefined,
  found: Findings,
  undecoded: Map<number, Undecoded>,
): void {
  const path = `${tree.info.path}/${branch.path}`;
  const bad = new Map<number, ErrorRecord>(failures.map(({ unit, error }) => [unit, error]));
  for (let slot = 0; slot < count; slot++) {
    const unit = units.at(number + slot);
    const error = bad.get(slot);
    const entries: [number, number] = [unit.first + unit.from, unit.first + unit.to];
    const [rows, seek] = unitRows?.subarray(2 * slot, 2 * slot + 2) ?? [];
    const own = undecoded.get(branch.index) ?? { failed: [], decoded: false };
    undecoded.set(branch.index, own);
    if (!error) own.decoded = true;
    if (error && (error.code === 'NO_STREAMER' || error.code === 'UNSUPPORTED')) {
      own.failed.push({ error, entries });
    } else if (error) found.fail('basket-damaged', error, path, entries);
    else {
      found.counts.basketBytes += unitBytes(unit);
      const expected = unit.to - unit.from;
      if (rows !== undefined && rows !== expected) {
        const { offset, length } = unit.ranges[0] ?? {};
        const text = `${unit.name} of ${branch.path} holds ${rows} entries; the tree counts ${expected}.`;
        found.add('entries-mismatch', text, { path, offset, length, entries });
      }
      const [place] = unit.ranges;
      if (tree.info.kind === 'TTree' && place && seek !== undefined && seek !== place.offset) {
        const text = `${unit.name} of ${branch.path} stands at byte ${place.offset}, but its own key says byte ${seek}: it may be another basket.`;
        found.add('key-mismatch', text, { path, ...place, entries });
      }
    }
  }
}

/** Extents that share bytes, each with the one before it that it overlaps. */
export function overlapsOf(extents: readonly Extent[]): (Extent & { other: string })[] {
  const sorted = [...extents].sort((a, b) => a.offset - b.offset || a.length - b.length);
  const overlaps: (Extent & { other: string })[] = [];
  let reach: Extent | undefined;
  for (const extent of sorted) {
    const end = reach === undefined ? 0 : reach.offset + reach.length;
    if (reach && extent.offset < end) {
      const length = Math.min(end, extent.offset + extent.length) - extent.offset;
      overlaps.push({ path: extent.path, offset: extent.offset, length, other: reach.path });
    }
    if (!reach || extent.offset + extent.length > end) reach = extent;
  }
  return overlaps;
}
