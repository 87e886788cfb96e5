import type { Core } from '../../core/core';
import type { DirectInput } from '../../decode/decode-task';
import type { DirectReads } from '../../decode/direct';
import { makeTaskLists } from '../../decode/task-plan';
import type { QueryUnit } from './tasks';

/** The input of a task whose pieces a worker reads from a file, with the position of each piece in it. */
export interface DirectPieces {
  input: DirectInput;
  starts: number[];
  bytes: number[];
}

/** Returns the input for pieces in the order of the file, combined into few reads. */
export function directInput(
  core: Core,
  pieces: readonly QueryUnit[],
  { file, gapBytes }: DirectReads,
): DirectPieces {
  const heads = pieces.map((piece) => piece.head?.());
  const ranges = pieces.flatMap((piece) => piece.ranges);
  let headEnd = 0;
  let rangeEnd = 0;
  const ends = {
    heads: heads.map((head) => {
      headEnd += head?.length ?? 0;
      return headEnd;
    }),
    ranges: pieces.map((piece) => {
      rangeEnd += piece.ranges.length;
      return rangeEnd;
    }),
  };
  const none = new Float64Array(pieces.length);
  const numbers = {
    ...{ first: none, from: none, to: none, rows: none, ends },
    offset: Float64Array.from(ranges, ({ offset }) => offset),
    size: Float64Array.from(ranges, ({ length }) => length),
  };
  const all = Number.POSITIVE_INFINITY;
  const limits = { minBytes: all, maxBytes: all, shares: 1, maxPieces: 2 ** 32 - 1, gapBytes };
  const cut = makeTaskLists(core, [numbers], limits);
  const numbersOf = (k: number): number[] => Array.from(pieces, (_, i) => cut.pieces[4 * i + k] ?? 0);
  return {
    input: {
      file,
      size: cut.inputs[0] ?? 0,
      reads: cut.reads,
      heads: Array.from(cut.headPieces, (piece, i) => [
        cut.headPlaces[i] ?? 0,
        heads[piece] ?? new Uint8Array(0),
      ]),
    },
    starts: numbersOf(0),
    bytes: numbersOf(1),
  };
}
