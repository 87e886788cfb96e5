import type { BranchInfo, TreeInfo } from '../api/api';
import { corrupt } from '../base/data-errors';
import { argumentError, type XylemError } from '../base/errors';
import type { EntryBounds, EntryChoice } from './entry-choice';
import { DecodeUnitList, type DecodeUnitNumbers, NOWHERE } from './slice-list';

/** Chosen entries that no unit holds. */
interface Absent extends EntryBounds {
  /** Index of the unit that comes after them. */
  next: number;
}

/**
 * Adds units for chosen entries for which the branch has no basket. Such a unit cannot be read, so every reading
 * reports it like a damaged basket. `counted` is the number of entries that the branch counts. An added unit is
 * either completely before or completely after this entry.
 */
export function withAbsent(units: DecodeUnitList, choice: EntryChoice, counted: number): DecodeUnitList {
  const { first, from, to } = units.numbers;
  const absent: Absent[] = [];
  const add = (next: number, start: number, end: number): void => {
    const bounds = start < end ? choice.bounds(start, end) : undefined;
    if (bounds) absent.push({ next, ...bounds });
  };
  let end = 0;
  for (let i = 0; i <= first.length; i++) {
    const start = i < first.length ? (first[i] ?? 0) + (from[i] ?? 0) : choice.to;
    if (start > end) {
      add(i, end, Math.min(start, counted));
      add(i, Math.max(end, counted), start);
    }
    end = Math.max(end, (first[i] ?? 0) + (to[i] ?? 0));
  }
  return absent.length > 0 ? joined(units, absent) : units;
}

function joined(units: DecodeUnitList, absent: readonly Absent[]): DecodeUnitList {
  const order: (Absent | number)[] = [];
  let at = 0;
  for (const one of absent) {
    for (; at < one.next; at++) order.push(at);
    order.push(one);
  }
  for (; at < units.length; at++) order.push(at);
  const { numbers, source } = units;
  const pick = (list: ArrayLike<number>, own: (one: Absent) => number): Float64Array =>
    Float64Array.from(order, (one) => (typeof one === 'number' ? (list[one] ?? 0) : own(one)));
  const of = (index: number): number => Number(order[index]);
  return new DecodeUnitList(
    {
      first: pick(numbers.first, ({ from }) => from),
      from: pick(numbers.from, () => 0),
      to: pick(numbers.to, ({ from, to }) => to - from),
      rows: pick(numbers.rows, ({ rows }) => rows),
      ...placesOf(numbers, order),
    },
    units.choice,
    {
      kind: source.kind,
      numberOf: (index) => source.numberOf(of(index)),
      headOf: (index) => source.headOf(of(index)),
    },
  );
}

function placesOf(
  { offset, size, ends }: DecodeUnitNumbers,
  order: readonly (Absent | number)[],
): Pick<DecodeUnitNumbers, 'offset' | 'size' | 'ends'> {
  const places: number[] = [];
  const sizes: number[] = [];
  const ranges: number[] = [];
  const heads: number[] = [];
  for (const one of order) {
    const unit = typeof one === 'number' ? one : -1;
    if (unit < 0) {
      places.push(NOWHERE);
      sizes.push(0);
    }
    const start = ends ? (ends.ranges[unit - 1] ?? 0) : unit;
    const end = unit < 0 ? start : ends ? (ends.ranges[unit] ?? 0) : unit + 1;
    for (let i = start; i < end; i++) {
      places.push(offset[i] ?? 0);
      sizes.push(size[i] ?? 0);
    }
    ranges.push(places.length);
    heads.push(unit < 0 ? (heads.at(-1) ?? 0) : (ends?.heads[unit] ?? 0));
  }
  return {
    offset: Float64Array.from(places),
    size: Float64Array.from(sizes),
    ends: ends && { ranges, heads },
  };
}

/** Returns the error for entries that a branch counts but that no basket or cluster has. */
export function noBaskets(tree: TreeInfo, { path }: BranchInfo, from: number, to: number): XylemError {
  const parts = tree.kind === 'TTree' ? 'baskets' : 'clusters';
  const entries = to - from === 1 ? `entry ${from}` : `entries ${from} to ${to - 1}`;
  return corrupt(
    `The ${parts} of ${path} have fewer entries than the tree says: none holds ${entries}.`,
    { path: `${tree.path}/${path}` },
    'Leave the branch out; the file may be damaged: see what "xylem check" finds.',
  );
}

/** Returns the error for requested entries that a branch does not have, although its tree or other branches do. */
export function fewerEntries(tree: TreeInfo, { path, entries }: BranchInfo): XylemError {
  const all = entries < tree.entries ? ` of the tree's ${tree.entries}` : '';
  return argumentError(
    `${path} has only ${entries}${all} entries.`,
    'Leave it out, or ask for entries that all branches have.',
    { path: `${tree.path}/${path}` },
  );
}
