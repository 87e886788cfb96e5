import type { Core } from './core';
import { SUMMARY_DOUBLES, type Summary, toSummary } from './sums/summary';

/** The values of one coordinate, from which an axis is chosen. */
export interface CoordinateRange {
  /** All values. */
  all: Summary;
  /** The finite ones among the first values: their number, and their ends (0 without any). */
  first: { values: number; min: number; max: number };
  /**
   * The finite values after the first ones that lie outside of all before, in order; of those in one direction that
   * follow each other the last. All at which an axis would have to be extended are among them.
   */
  steps: Float64Array;
}

/** The range of values that pass. */
export interface ValueRange {
  coordinates: CoordinateRange[];
  /** Entries of the tree that they come from; 0 where all values of a column are meant. */
  entries: number;
  /** The values of each coordinate; undefined when there were too many to be kept. */
  values?: Doubles[] | undefined;
  /** The weights of these values; undefined when each counts 1. */
  weights?: Doubles | undefined;
}

/** Doubles, in half the memory where each of them is also a float. */
export type Doubles = Float64Array | Float32Array;

/** Number of doubles of an xy_coordinate. */
export const RANGE_DOUBLES = SUMMARY_DOUBLES + 3;

/** An xy_range in the core's memory. */
export class CoreRange {
  readonly pointer: number;

  /** The first `first` values count by their ends alone; up to `keep` values are kept. */
  constructor(
    readonly core: Core,
    readonly dims: number,
    first: number,
    keep: number,
  ) {
    this.pointer = core.make((x) => x.xy_range_create(dims, first, keep));
  }

  /** Copies of its buffers: steps and values of each coordinate, and the weights. Those without anything to tell are missing. */
  take(): (Doubles | undefined)[] {
    const { exports } = this.core;
    return Array.from({ length: 2 * this.dims + 1 }, (_, i) => {
      const Form = i >= this.dims && exports.xy_range_floats(this.pointer, i) ? Float32Array : Float64Array;
      const size = exports.xy_range_buffer_size(this.pointer, i);
      if (size === 0) return undefined;
      const at = exports.xy_range_buffer(this.pointer, i);
      const values = new Form(exports.memory.buffer, at, size / Form.BYTES_PER_ELEMENT);
      return i === 2 * this.dims && values.every(isOne) ? undefined : values.slice();
    });
  }

  close(): void {
    this.core.free((x) => x.xy_range_destroy(this.pointer));
  }
}

/** Reads an xy_coordinate. */
export function toCoordinate(d: Float64Array, steps: Float64Array): CoordinateRange {
  const [values = 0, min = 0, max = 0] = d.subarray(SUMMARY_DOUBLES);
  return { all: toSummary(d), first: { values, min, max }, steps };
}

function isOne(weight: number): boolean {
  return weight === 1;
}
