import type { BranchInfo, EntryRange } from '../api/api';
import { sameBytes } from '../base/bytes';
import { unsupported } from '../base/data-errors';
import type { XylemError } from '../base/errors';
import { firstAtLeast } from '../base/search';
import type { DecodePlan } from '../core/tree-core';
import type { DataModel } from '../model/data-model';
import { type EntryChoice, spansOfEntries } from '../model/entry-choice';
import type { DecodeUnitList } from '../model/slice-list';
import { isReadable } from './failures';
import { planBranch } from './pass';
import { clipSpans } from './task-message';
import type { PassColumn, UnitsOfFile } from './types';

/** One file of a friend. */
export interface FriendPart {
  tree: DataModel;
  /** Number of its first entry in the whole friend. */
  first: number;
}

/** A friend of the tree that is read. */
export interface MemberFriend {
  parts: readonly FriendPart[];
  /** friend entry = tree entry + shift, if entries are matched by number. */
  shift: number;
  /**
   * If entries are looked up: the friend's entry for each chosen entry in order, or -1 if there is none. Otherwise
   * undefined.
   */
  rows: Float64Array | undefined;
}

/** Plans reading a branch of a friend for the chosen entries of the tree. */
export async function friendColumn(
  friend: MemberFriend,
  branch: BranchInfo,
  plan: DecodePlan,
  choice: EntryChoice,
  signal: AbortSignal | undefined,
): Promise<PassColumn> {
  const { rows } = friend;
  const wanted = rows ? lookUp(rows).spans : choice.spans(choice.from, choice.to, -friend.shift);
  const parts: UnitsOfFile[] = [];
  for (const { tree, first } of friend.parts) {
    const own = clipSpans(wanted, first, first + tree.info.entries, first);
    if (own.length === 0) continue;
    const ranges: EntryRange[] = [];
    for (let i = 0; i < own.length; i += 2) ranges.push([own[i] ?? 0, own[i + 1] ?? 0]);
    const same = tree === friend.parts[0]?.tree;
    const there = tree.branch(same ? branch.index : branch.path);
    await tree.prepare(ranges, { signal }, [there]);
    const scan = planBranch(tree, there.index, ranges, { whole: true });
    if (!sameBytes(scan.plan.plan, plan.plan)) throw otherType(branch, tree);
    parts.push({ tree, scan, shift: rows ? first : first - friend.shift });
  }
  return { branch, plan, parts, ...(rows && { rows }) };
}

function otherType(branch: BranchInfo, tree: DataModel): XylemError {
  const { name } = tree.reader.source;
  return unsupported(
    `${branch.path} is stored in another way in ${name} than in the files before.`,
    'Add the files one by one as friends.',
    { url: name, path: branch.path },
  );
}

/**
 * Returns the friend's entries that `rows` contains as spans, and for each row its position among them. -1 stays -1.
 */
export function lookUp(rows: Float64Array): { spans: Float64Array; places: Float64Array } {
  let ascending = true;
  for (let i = 1, last = rows[0] ?? -1; i < rows.length && ascending; i++) {
    const row = rows[i] ?? -1;
    ascending = row === -1 || row >= last;
    if (row !== -1) last = row;
  }
  let last = -1;
  const entries = (ascending ? rows : rows.slice().sort()).filter((row) => {
    if (row < 0 || row === last) return false;
    last = row;
    return true;
  });
  const places = new Float64Array(rows.length);
  for (let i = 0, at = 0; i < rows.length; i++) {
    const row = rows[i] ?? -1;
    if (row < 0) places[i] = -1;
    else {
      if (!ascending) at = firstAtLeast(entries, row);
      while ((entries[at] ?? row) < row) at++;
      places[i] = at;
    }
  }
  return { spans: spansOfEntries(entries), places };
}

/** Whether the ranges of a unit can be read. */
export function isSound(units: DecodeUnitList, index: number): boolean {
  return units.ranges(index).every(isReadable);
}

/**
 * Returns the units with looked-up entries in order, and the ranges of such entries that no unit contains. `lists` are
 * the lists of the column with their numbers.
 */
export function unitsWithRows(
  lists: readonly [list: number, units: UnitsOfFile][],
  rows: Float64Array,
): { units: { list: number; index: number }[]; missing: [number, number][] } {
  const { spans } = lookUp(rows);
  const units: { list: number; index: number }[] = [];
  const missing: [number, number][] = [];
  let left = spans;
  for (const [list, { scan, shift }] of lists) {
    const { first, from, to } = scan.units.numbers;
    for (let index = 0; index < scan.units.length && left.length > 0; index++) {
      if (!isSound(scan.units, index)) continue;
      const start = (first[index] ?? 0) + shift;
      const [begin, end] = [start + (from[index] ?? 0), start + (to[index] ?? 0)];
      if (clipSpans(left, begin, end).length === 0) continue;
      units.push({ list, index });
      for (const hole of pairsOf(clipSpans(left, 0, begin))) missing.push(hole);
      left = clipSpans(left, end, Number.POSITIVE_INFINITY);
    }
  }
  missing.push(...pairsOf(left));
  return { units, missing };
}

function pairsOf(spans: Float64Array): [number, number][] {
  return Array.from({ length: spans.length / 2 }, (_, i) => [spans[2 * i] ?? 0, spans[2 * i + 1] ?? 0]);
}

/** Returns the entries of spans whose row is in a range. `rows` has the row of each entry. */
export function entriesWithRows(
  spans: Float64Array,
  rows: Float64Array,
  from: number,
  to: number,
): [number, number][] {
  const found: [number, number][] = [];
  for (let i = 0, k = 0; i < spans.length; i += 2) {
    for (let entry = spans[i] ?? 0; entry < (spans[i + 1] ?? 0); entry++, k++) {
      const row = rows[k] ?? -1;
      if (row < from || row >= to) continue;
      const last = found[found.length - 1];
      if (last?.[1] === entry) last[1] = entry + 1;
      else found.push([entry, entry + 1]);
    }
  }
  return found;
}

/**
 * Returns the rows of some of the entries. `left` are spans within `spans`, and `rows` has the row of each entry of
 * `spans`.
 */
export function rowsOfEntries(spans: Float64Array, rows: Float64Array, left: Float64Array): Float64Array {
  if (left === spans) return rows;
  const kept: number[] = [];
  let before = 0;
  for (const [from, to] of pairsOf(spans)) {
    for (const [a, b] of pairsOf(clipSpans(left, from, to)))
      for (let entry = a; entry < b; entry++) kept.push(rows[before + entry - from] ?? -1);
    before += to - from;
  }
  return Float64Array.from(kept);
}
