import type { Core } from '../../core/core';
import type { DirectInput } from '../../decode/decode-task';
import type { DirectReads } from '../../decode/direct';
import { makeTaskLists, packUnits } from '../../decode/task-plan';
import type { QueryUnit } from './tasks';

/** The input of a task whose units a worker reads from a file, with the position of each unit in it. */
export interface DirectUnits {
  input: DirectInput;
  starts: number[];
  bytes: number[];
}

/** Returns the input for units in the order of the file, combined into few reads. */
export function directInput(
  core: Core,
  units: readonly QueryUnit[],
  { file, gapBytes }: DirectReads,
): DirectUnits {
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
  const numbersOf = (k: number): number[] => Array.from(units, (_, i) => cut.units[4 * i + k] ?? 0);
  return {
    input: {
      file,
      size: cut.inputs[0] ?? 0,
      reads: cut.reads,
      heads: Array.from(cut.headUnits, (unit, i) => [
        cut.headPlaces[i] ?? 0,
        heads[unit] ?? new Uint8Array(0),
      ]),
    },
    starts: numbersOf(0),
    bytes: numbersOf(1),
  };
}
