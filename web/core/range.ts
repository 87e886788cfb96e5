import type { Core } from './core';
import { SUMMARY_DOUBLES, type Summary, toSummary } from './sums/summary';

/** The range of the values of one coordinate, from which an axis is chosen. */
export interface CoordinateRange {
  /** Summary of all values. */
  all: Summary;
  /** The finite values among the first ones: their number, minimum and maximum (0 if there are none). */
  first: { values: number; min: number; max: number };
  /**
   * The finite values after the first ones that extended the range, in order. If several in a row extended it in the
   * same direction, only the last of them. Every value at which an axis would have to be extended is included.
   */
  steps: Float64Array;
}

/** The range of the values that pass the cut. */
export interface ValueRange {
  coordinates: CoordinateRange[];
  /** Number of entries of the tree that the values come from; 0 if all values of a column are used. */
  entries: number;
  /** The values of each coordinate; undefined if there were too many to keep. */
  values?: Doubles[] | undefined;
  /** The weights of these values; undefined if all are 1. */
  weights?: Doubles | undefined;
}

/** Doubles, stored as floats if no value loses precision. */
export type Doubles = Float64Array | Float32Array;

/** Number of doubles of an xy_coordinate. */
export const RANGE_DOUBLES = SUMMARY_DOUBLES + 3;

/** An xy_range in the core's memory. */
export class CoreRange {
  readonly pointer: number;

  /** The first `first` values only count with their minimum and maximum. Up to `keep` values are kept. */
  constructor(
    readonly core: Core,
    readonly dims: number,
    first: number,
    keep: number,
  ) {
    this.pointer = core.make((x) => x.xy_range_create(dims, first, keep));
  }

  /** Returns copies of its buffers: steps and values of each coordinate, and the weights; undefined for empty ones. */
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

/** Converts an xy_coordinate. */
export function toCoordinate(d: Float64Array, steps: Float64Array): CoordinateRange {
  const [values = 0, min = 0, max = 0] = d.subarray(SUMMARY_DOUBLES);
  return { all: toSummary(d), first: { values, min, max }, steps };
}

function isOne(weight: number): boolean {
  return weight === 1;
}
