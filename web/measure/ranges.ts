import type { CoordinateRange, ValueRange } from '../core/range';
import { addSummary, type Summary } from '../core/sums/summary';
import type { RangeWish } from '../pass/goals/range';

/** Number of values from which TTree::Draw finds the range before it fills (TTree::GetEstimate). */
export const ESTIMATE = 1_000_000;

/** Number of finite values of a coordinate, their minimum and maximum. */
type Ends = Pick<Summary, 'values' | 'min' | 'max'>;

/** The values of a task. Tasks with higher numbers hold later entries. */
interface RangePart {
  number: number;
  range: ValueRange;
  /** Number of its first values whose minimum and maximum `range` contains separately. */
  divided: number;
}

/** The ranges of the values of a query. Lists have one item for each coordinate. */
export class Ranges {
  /** Number of values that passed. */
  fills = 0;
  /** Summaries of all values. */
  readonly whole: Summary[] = [];
  /** The first values, from which ROOT computes an axis. */
  readonly first: Ends[];
  readonly #outside: Outside[];

  constructor(dims: number) {
    this.first = Array.from({ length: dims }, noValues);
    this.#outside = this.first.map((ends) => new Outside(ends));
  }

  /** Whether there are more than ESTIMATE values. Then ROOT has chosen the axes, and later values extend them. */
  get isFull(): boolean {
    return this.fills > ESTIMATE;
  }

  /** Number of values up to ESTIMATE. */
  get left(): number {
    return Math.max(0, ESTIMATE - this.fills);
  }

  /**
   * Adds the next values. `known` contains the ranges of their coordinates, with separate ranges of the first `left`
   * values.
   */
  add(range: ValueRange, known: readonly CoordinateRange[]): void {
    const { left } = this;
    const fills = countOf(range);
    for (const [k, { all, first, steps }] of known.entries()) {
      const whole = this.whole[k];
      if (whole) addSummary(whole, all);
      else this.whole[k] = { ...all };
      if (left > 0) addEnds(this.first[k] as Ends, left < fills ? first : all);
      if (left < fills) for (const step of steps) this.#outside[k]?.add(step);
    }
    this.fills += fills;
  }

  /** Returns, in order, the later values that lie outside the range of all values before them. Each is returned once. */
  takeSteps(): number[][] {
    return this.#outside.map((outside) => outside.steps.splice(0));
  }
}

/** Memory that all histograms of a call share. */
export interface KeptBytes {
  /** Bytes for values that are kept until their axes are known. */
  left: number;
  /** Number of cells that other histograms may have. */
  cells: number;
}

/** The values of one tree. Its tasks are added in any order. */
export class TreeRanges {
  readonly #parts: RangePart[] = [];
  /** Parts before this number were added to the ranges. */
  #added = 0;
  #border: { number: number; first: number } | undefined;
  /** Whether all values fit into memory so far. If some do not, none is kept, and the tree is read again. */
  #keeps = true;

  constructor(
    readonly ranges: Ranges,
    readonly kept: KeptBytes,
    /** Whether only values among the first ESTIMATE of all trees may be kept. */
    readonly onlyFirst: boolean,
  ) {}

  /** Returns what to compute for a part. */
  wish(number: number): RangeWish {
    if (this.#border) return { first: this.#border.first, keep: 0 };
    // Only for the first task is it known in advance which values are the first ones.
    return { first: number === 0 ? this.ranges.left : 0, keep: this.#keeps ? ESTIMATE : 0 };
  }

  take(number: number, range: ValueRange): void {
    this.kept.left -= bytesOf(range);
    const { first: divided } = this.wish(number);
    const at = this.#parts.findIndex((part) => part.number >= number);
    const isThere = this.#parts[at]?.number === number;
    this.#parts.splice(at < 0 ? this.#parts.length : at, isThere ? 1 : 0, { number, range, divided });
    let before = this.onlyFirst ? this.ranges.fills : 0;
    for (const part of this.#parts) {
      if (before > ESTIMATE) this.#forget(part.range);
      before += countOf(part.range);
    }
    if (this.#keeps && this.kept.left >= 0) return;
    this.#keeps = false;
    this.forget();
  }

  /**
   * Adds all parts to the ranges. If the first ESTIMATE values end within a part whose values were not kept, returns
   * its number; the caller reads it again and calls `finish` again.
   */
  finish(): number | undefined {
    for (const part of this.#parts) {
      if (part.number < this.#added) continue;
      const known = coordinatesOf(part, this.ranges.left);
      if (!known) {
        this.#added = part.number;
        this.#border = { number: part.number, first: this.ranges.left };
        return part.number;
      }
      this.ranges.add(part.range, known);
    }
    return undefined;
  }

  /** The values of all parts in order; undefined if some were not kept. The caller frees their memory. */
  get values(): ValueRange[] | undefined {
    const ranges = this.#parts.map(({ range }) => range);
    return ranges.every(({ values }) => values !== undefined) ? ranges : undefined;
  }

  /** Numbers of the parts in which values passed. */
  get filled(): number[] {
    return this.#parts.filter(({ range }) => countOf(range) > 0).map(({ number }) => number);
  }

  forget(): void {
    for (const { range } of this.#parts) this.#forget(range);
  }

  #forget(range: ValueRange): void {
    this.kept.left += bytesOf(range);
    range.values = undefined;
    range.weights = undefined;
  }
}

export function countOf({ coordinates: [first] }: ValueRange): number {
  return first ? first.all.values + first.all.nans + first.all.infinities : 0;
}

/** Returns the memory of the values that a range keeps, in bytes. */
export function bytesOf({ values = [], weights }: ValueRange): number {
  return values.reduce((sum, { byteLength }) => sum + byteLength, weights?.byteLength ?? 0);
}

/**
 * Returns the ranges of the coordinates of a part, with separate ranges of its first `count` values; undefined if this
 * requires values that were not kept.
 */
function coordinatesOf({ range, divided }: RangePart, count: number): readonly CoordinateRange[] | undefined {
  if (divided === count || count >= countOf(range)) return range.coordinates;
  return range.values?.map((values, k) => {
    const first = noValues();
    for (let i = 0; i < count; i++) {
      const value = values[i] ?? Number.NaN;
      if (Number.isFinite(value)) addEnds(first, { values: 1, min: value, max: value });
    }
    const outside = new Outside(first);
    for (let i = count; i < values.length; i++) outside.add(values[i] ?? Number.NaN);
    const { all } = range.coordinates[k] as CoordinateRange;
    return { all, first, steps: Float64Array.from(outside.steps) };
  });
}

function noValues(): Ends {
  return { values: 0, min: Infinity, max: -Infinity };
}

function addEnds(ends: Ends, { values, min, max }: Ends): void {
  if (values === 0) return;
  ends.values += values;
  ends.min = Math.min(ends.min, min);
  ends.max = Math.max(ends.max, max);
}

/** Collects the values that lie outside the range of all earlier values. */
class Outside {
  readonly steps: number[] = [];
  #low = Infinity;
  #high = -Infinity;

  /** `ends` are the limits of the earlier values. They may change until the first value is added. */
  constructor(readonly ends: Readonly<Ends>) {}

  add(value: number): void {
    const low = Math.min(this.#low, this.ends.min);
    const high = Math.max(this.#high, this.ends.max);
    if (!Number.isFinite(value) || (value >= low && value <= high)) return;
    this.#low = Math.min(low, value);
    this.#high = Math.max(high, value);
    this.steps.push(value);
  }
}
