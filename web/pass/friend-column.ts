import type { BranchInfo, EntryRange } from '../api/api';
import { XylemError } from '../base/errors';
import { sameBytes } from '../base/same-bytes';
import type { DecodePlan } from '../core/tree-core';
import type { DataModel } from '../model/data-model';
import type { EntryChoice } from '../model/entry-choice';
import { planBranch } from './pass';
import { entriesOfRows, lookUp } from './query-task';
import type { QueryTaskPlan, QueryUnit } from './tasks';
import type { BranchPlan } from './types';

/** One file of a friend. */
export interface FriendPart {
  tree: DataModel;
  /** Number of its first entry in the whole friend. */
  first: number;
}

/** A friend of the tree that is evaluated. */
export interface MemberFriend {
  parts: readonly FriendPart[];
  /** friend entry = tree entry + shift, if they match by entry number. */
  shift: number;
  /**
   * If entries are looked up: the friend's entry for each chosen entry in order, -1 for none. Otherwise
   * undefined.
   */
  rows: Float64Array | undefined;
}

/** A branch that a job reads, and its plan. */
export interface JobColumn {
  branch: BranchInfo;
  plan: DecodePlan;
  /** The parts, one for each file. `shift` is what was added to the entry numbers of the file. */
  parts: { tree: DataModel; scan: BranchPlan; shift: number }[];
  units: QueryUnit[];
  /**
   * For a friend whose entries are looked up: see MemberFriend. The entries of units then count as these
   * do.
   */
  rows?: Float64Array | undefined;
}

/** Returns the part of a column to which a unit belongs. */
export function partOf(column: JobColumn, unit: QueryUnit | undefined): JobColumn['parts'][number] {
  return column.parts[unit?.part ?? 0] as JobColumn['parts'][number];
}

/** Plans reading a branch of a friend for the chosen entries of the tree. */
export async function friendColumn(
  friend: MemberFriend,
  branch: BranchInfo,
  plan: DecodePlan,
  choice: EntryChoice,
  signal: AbortSignal | undefined,
): Promise<JobColumn> {
  const { rows } = friend;
  const wanted = rows ? lookUp(rows).spans : choice.spans(choice.from, choice.to, -friend.shift);
  const parts: JobColumn['parts'] = [];
  const units: QueryUnit[] = [];
  for (const { tree, first } of friend.parts) {
    const own = within(wanted, first, first + tree.info.entries);
    if (own.length === 0) continue;
    const same = tree === friend.parts[0]?.tree;
    const there = tree.branch(same ? branch.index : branch.path);
    await tree.prepare(own, { signal }, [there]);
    const scan = planBranch(tree, there.index, own);
    if (!sameBytes(scan.plan.plan, plan.plan)) throw otherType(branch, tree);
    const shift = rows ? first : first - friend.shift;
    const part = parts.length;
    for (const unit of scan.units) units.push({ ...unit, first: unit.first + shift, part });
    parts.push({ tree, scan, shift });
  }
  return { branch, plan, parts, units, ...(rows && { rows }) };
}

/** Returns the parts of spans inside first..end, counted from `first`. */
function within(spans: Float64Array, first: number, end: number): EntryRange[] {
  const ranges: EntryRange[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const from = Math.max(spans[i] ?? 0, first);
    const to = Math.min(spans[i + 1] ?? 0, end);
    if (from < to) ranges.push([from - first, to - first]);
  }
  return ranges;
}

function otherType(branch: BranchInfo, tree: DataModel): XylemError {
  const { name } = tree.reader.source;
  return new XylemError({
    code: 'UNSUPPORTED',
    message: `${branch.path} is stored in another way in ${name} than in the files before.`,
    where: { url: name, path: branch.path },
    fix: 'Add the files one by one as friends.',
  });
}

/** Adds the columns that are looked up to tasks that were planned without them. */
export function addRows(
  tasks: readonly QueryTaskPlan[],
  columns: readonly JobColumn[],
  choice: EntryChoice,
): void {
  let start = 0;
  for (const task of tasks) {
    const plain = task.columns.values();
    const rows = columns.map((column) => column.rows?.subarray(start, start + task.chosen));
    start += task.chosen;
    task.partners = rows;
    task.columns = columns.map(({ units }, c) => {
      const own = rows[c];
      if (!own) return plain.next().value ?? [];
      return unitsOf(task, units, own, choice);
    });
  }
}

/**
 * Returns the units with the partners of a task's entries. Entries whose partner is in none of them are
 * lost.
 */
function unitsOf(
  task: QueryTaskPlan,
  units: readonly QueryUnit[],
  rows: Float64Array,
  choice: EntryChoice,
): QueryUnit[] {
  const { spans } = lookUp(rows);
  const kept: QueryUnit[] = [];
  const all = choice.spans(task.first, task.first + task.rows);
  let at = 0;
  for (let i = 0; i < spans.length; i += 2) {
    const to = spans[i + 1] ?? 0;
    let covered = spans[i] ?? 0;
    const lose = (end: number): void => {
      if (covered < end) task.lost.push(...entriesOfRows(all, task.first, rows, [covered, end]));
    };
    while ((units[at]?.first ?? to) + (units[at]?.to ?? 0) <= covered) at++;
    for (let p = at; covered < to; p++) {
      const unit = units[p];
      if (!unit || unit.first + unit.from >= to) break;
      lose(unit.first + unit.from);
      if (kept[kept.length - 1] !== unit) kept.push(unit);
      covered = unit.first + unit.to;
    }
    lose(to);
  }
  return kept;
}
