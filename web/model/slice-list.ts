import type { Range } from '../io/source';
import type { WantedPiece } from './data-model';
import type { EntryChoice } from './entry-choice';

/** Pieces as lists of numbers: there may be hundreds of thousands, and objects of them are dear. */
export interface PieceNumbers {
  /** See WantedPiece; one number a piece. */
  first: Float64Array;
  from: Float64Array;
  to: Float64Array;
  rows: Float64Array;
  /** Ranges in the file. */
  offset: Float64Array;
  size: Float64Array;
  /**
   * Ends of each piece's ranges, and of its bytes before them. Without, each piece has one range; one
   * at offset 0 does not lie in the file, and `size` are the bytes that do not.
   */
  ends?: { ranges: ArrayLike<number>; heads: ArrayLike<number> } | undefined;
}

/** What of a piece is not in its numbers. */
interface PieceSource {
  /** "Basket", "Cluster". */
  kind: string;
  /** Its number among those of the branch. */
  numberOf: (index: number) => number;
  /** Its bytes that do not lie in the file. */
  headOf: (index: number) => Uint8Array;
}

/** The pieces of a branch that hold chosen entries, in entry order. */
export class PieceList implements Iterable<WantedPiece> {
  constructor(
    readonly numbers: PieceNumbers,
    readonly choice: EntryChoice,
    readonly source: PieceSource,
  ) {}

  get length(): number {
    return this.numbers.first.length;
  }

  /** `index` is that of one of them. */
  at(index: number): WantedPiece {
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
      ...(this.#hasHead(index) && { head: () => this.source.headOf(index) }),
      origin: numbers.ends ? 0 : (numbers.offset[index] ?? 0),
    };
  }

  *[Symbol.iterator](): Generator<WantedPiece> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  /** Where the bytes of a piece lie in the file. */
  ranges(index: number): Range[] {
    const { ends, offset, size } = this.numbers;
    const start = ends ? (ends.ranges[index - 1] ?? 0) : index;
    const end = ends ? (ends.ranges[index] ?? 0) : index + (offset[index] === 0 ? 0 : 1);
    const ranges: Range[] = [];
    for (let i = start; i < end; i++) ranges.push({ offset: offset[i] ?? 0, length: size[i] ?? 0 });
    return ranges;
  }

  /** Which entries of a piece are wanted, where not all from `from` to `to` are. */
  spansOf(index: number): (() => Float64Array) | undefined {
    const { first, from, to, rows } = this.numbers;
    const start = from[index] ?? 0;
    const end = to[index] ?? 0;
    if ((rows[index] ?? 0) === end - start) return undefined;
    const origin = first[index] ?? 0;
    // Made when they are needed: those of all pieces at once could be many.
    return () => this.choice.spans(origin + start, origin + end, origin);
  }

  #hasHead(index: number): boolean {
    const { ends, offset } = this.numbers;
    return ends ? (ends.heads[index] ?? 0) > (ends.heads[index - 1] ?? 0) : offset[index] === 0;
  }
}
