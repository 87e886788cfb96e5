import type { Core } from '../core/core';
import type { Place } from './build-task';
import { makeTaskLists, packUnits } from './plan';
import type { DirectInput } from './task';
import type { QueryUnit } from './tasks';

/** The reads that bring the bytes of a task's units, and where they lie in its input. */
export interface TaskLayout extends Omit<DirectInput, 'file'> {
  places: Map<QueryUnit, Place>;
}

/** Each unit has reads of its own, so that one that fails concerns one unit. */
export const UNJOINED = -1;

/** Lays out units in the order of the file; a read goes on over gaps of up to `gapBytes`. */
export function layOut(core: Core, units: readonly QueryUnit[], gapBytes: number): TaskLayout {
  const heads = units.map((unit) => unit.head?.());
  const ranges = units.flatMap((unit) => unit.ranges);
  let headEnd = 0;
  let rangeEnd = 0;
  const ends = {
    heads: heads.map((head) => {
      headEnd += head?.length ?? 0;
      return headEnd;
    }),
    ranges: units.map((unit) => {
      rangeEnd += unit.ranges.length;
      return rangeEnd;
    }),
  };
  const none = new Float64Array(units.length);
  const numbers = {
    ...{ first: none, from: none, to: none, rows: none, ends },
    offset: Float64Array.from(ranges, ({ offset }) => offset),
    size: Float64Array.from(ranges, ({ length }) => length),
  };
  const all = Number.POSITIVE_INFINITY;
  const limits = { minBytes: all, maxBytes: all, shares: 1, maxUnits: 2 ** 32 - 1, gapBytes };
  const cut = makeTaskLists(core, packUnits([numbers]), limits);
  return {
    size: cut.inputs[0] ?? 0,
    reads: cut.reads,
    heads: Array.from(cut.headUnits, (unit, i) => [cut.headPlaces[i] ?? 0, heads[unit] ?? new Uint8Array(0)]),
    places: new Map(
      units.map((unit, i) => [unit, { start: cut.units[4 * i] ?? 0, bytes: cut.units[4 * i + 1] ?? 0 }]),
    ),
  };
}
