import type { Range } from '../io/source';
import type { DecodeUnit } from './data-model';
import type { EntryChoice } from './entry-choice';

/** Numbers of many units as arrays. A large file has hundreds of thousands of units, too many for an object each. */
export interface DecodeUnitNumbers {
  /** One number for each unit: see DecodeUnit. */
  first: Float64Array;
  from: Float64Array;
  to: Float64Array;
  rows: Float64Array;
  /** Ranges in the file. */
  offset: Float64Array;
  size: Float64Array;
  /**
   * Ends of the ranges of each unit, and of the bytes before them. Without `ends`, each unit has one range. A unit
   * with offset 0 is not in the file; `size` is then the number of its bytes.
   */
  ends?: { ranges: ArrayLike<number>; heads: ArrayLike<number> } | undefined;
}

/** The data of units other than numbers. */
interface UnitSource {
  /** "Basket" or "Cluster". */
  kind: string;
  /** Returns its number among the baskets or clusters of the branch. */
  numberOf: (index: number) => number;
  /** Returns its bytes that are not in the file. */
  headOf: (index: number) => Uint8Array;
}

/** Offset of a unit that is not in the file: see `withAbsent`. No basket or page has this offset. */
export const NOWHERE = -1;

/** The units of a branch with chosen entries, in entry order. */
export class DecodeUnitList implements Iterable<DecodeUnit> {
  constructor(
    readonly numbers: DecodeUnitNumbers,
    readonly choice: EntryChoice,
    readonly source: UnitSource,
  ) {}

  get length(): number {
    return this.numbers.first.length;
  }

  /** Returns the unit at a valid index. */
  at(index: number): DecodeUnit {
    const { numbers } = this;
    const spans = this.spansOf(index);
    return {
      name: `${this.source.kind} ${this.source.numberOf(index)}`,
      first: numbers.first[index] ?? 0,
      from: numbers.from[index] ?? 0,
      to: numbers.to[index] ?? 0,
      rows: numbers.rows[index] ?? 0,
      ...(spans && { spans }),
      ranges: this.ranges(index),
      ...(this.#isAbsent(index) && { absent: true }),
      ...(this.#hasHead(index) && { head: () => this.source.headOf(index) }),
      origin: numbers.ends ? 0 : (numbers.offset[index] ?? 0),
    };
  }

  *[Symbol.iterator](): Generator<DecodeUnit> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  /** Returns the positions of the bytes of a unit in the file. */
  ranges(index: number): Range[] {
    const { ends, offset, size } = this.numbers;
    const start = ends ? (ends.ranges[index - 1] ?? 0) : index;
    const end = ends ? (ends.ranges[index] ?? 0) : index + (offset[index] === 0 ? 0 : 1);
    const ranges: Range[] = [];
    for (let i = start; i < end; i++) ranges.push({ offset: offset[i] ?? 0, length: size[i] ?? 0 });
    return ranges;
  }

  /** Returns the chosen entries of a unit; undefined if all from `from` to `to` are chosen. */
  spansOf(index: number): (() => Float64Array) | undefined {
    const { first, from, to, rows } = this.numbers;
    const start = from[index] ?? 0;
    const end = to[index] ?? 0;
    if ((rows[index] ?? 0) === end - start) return undefined;
    const origin = first[index] ?? 0;
    // Created on demand, because the spans of all units could take much memory.
    return () => this.choice.spans(origin + start, origin + end, origin);
  }

  #isAbsent(index: number): boolean {
    const { ends, offset } = this.numbers;
    return offset[ends ? (ends.ranges[index - 1] ?? 0) : index] === NOWHERE;
  }

  #hasHead(index: number): boolean {
    const { ends, offset } = this.numbers;
    return ends ? (ends.heads[index] ?? 0) > (ends.heads[index - 1] ?? 0) : offset[index] === 0;
  }
}
