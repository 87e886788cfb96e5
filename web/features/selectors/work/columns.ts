import type { OutputValues } from '../../../api/rows';
import { decodeText } from '../../../core/tape';
import { listsIn } from './lists';
import type { ListColumn, SelectorColumn } from './types';

type Values = Float64Array | BigInt64Array | BigUint64Array;

/** A function that gives the offsets of lists with these lengths. */
export type OffsetsOf = (counts: Int32Array) => Int32Array;

/** Returns the column of an output: lists, or one value for each entry. `name` is for messages. */
export function columnOf(
  { counts, values, strings }: OutputValues,
  lists: boolean,
  name?: string,
  offsets: OffsetsOf = offsetsOf,
): SelectorColumn {
  const plain = strings ? textsOf(strings) : values;
  if (lists) return listsAt(offsets(counts), plain, name);
  if (plain.length === counts.length && !counts.includes(0)) return plain;
  return firstOf(counts, plain);
}

/** Returns a column of lists. Entry i has `values` from `offsets[i]` to `offsets[i + 1]`. */
export function listsAt(offsets: Int32Array, values: Values | string[], name?: string): ListColumn {
  const of =
    values instanceof Float64Array
      ? listsIn(values, offsets, name)
      : (entry: number) => partOf(values, offsets[entry], offsets[entry + 1]);
  return { values, offsets, of: of as ListColumn['of'] } as ListColumn;
}

/** Returns the indices at which the lists begin, and the end of the last one. */
function offsetsOf(counts: Int32Array): Int32Array {
  const offsets = new Int32Array(counts.length + 1);
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    sum += counts[i] as number;
    offsets[i + 1] = sum;
  }
  return offsets;
}

/** Returns a function that gives columns whose lists are equally long the same offsets, as those of all members of jets are. */
export function sharedOffsets(): OffsetsOf {
  const known: { counts: Int32Array; offsets: Int32Array }[] = [];
  return (counts) => {
    const found = known.find((one) => areEqual(one.counts, counts));
    if (found) return found.offsets;
    const offsets = offsetsOf(counts);
    known.push({ counts, offsets });
    return offsets;
  };
}

function areEqual(one: Int32Array, other: Int32Array): boolean {
  const { length } = one;
  if (other.length !== length) return false;
  for (let i = 0; i < length; i++) if (one[i] !== other[i]) return false;
  return true;
}

function partOf(values: BigInt64Array | BigUint64Array | string[], from?: number, to?: number) {
  return Array.isArray(values) ? values.slice(from, to) : values.subarray(from, to);
}

/** Returns the first value of each entry; NaN, 0 or an empty text for an entry without values. */
function firstOf(counts: Int32Array, values: Values | string[]): SelectorColumn {
  const missing = Array.isArray(values) ? '' : values instanceof Float64Array ? Number.NaN : 0n;
  const first: (number | bigint | string)[] = [];
  let at = 0;
  for (const count of counts) {
    first.push(count > 0 ? (values[at] ?? missing) : missing);
    at += count;
  }
  if (Array.isArray(values)) return first as string[];
  if (values instanceof Float64Array) return Float64Array.from(first as number[]);
  return values instanceof BigInt64Array
    ? BigInt64Array.from(first as bigint[])
    : BigUint64Array.from(first as bigint[]);
}

function textsOf(strings: Uint8Array): string[] {
  const lengths = new DataView(strings.buffer, strings.byteOffset, strings.byteLength);
  const texts: string[] = [];
  for (let at = 0; at + 4 <= strings.length; ) {
    const length = lengths.getInt32(at, true);
    at += 4;
    texts.push(length < 0 ? '' : decodeText(strings.subarray(at, at + length)));
    at += Math.max(0, length);
  }
  return texts;
}
