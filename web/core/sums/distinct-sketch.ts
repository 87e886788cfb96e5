import { unsupported } from '../../base/data-errors';
import type { Schema } from '../decoder';
import type { GoalWords } from '../goals';
import { addSummary, SUMMARY_DOUBLES, type Summary, toSummary } from './summary';

/** A sketch of the values of a branch: see wasm/src/compute/distinct_sketch.h. */
export interface DistinctSketch {
  /** Moments of the numeric values. */
  summary: Summary;
  /** Number of zeros, or of empty texts. */
  zeros: number;
  /** Number of values or texts, including NaN. */
  items: number;
  /** Number of lists. */
  groups: number;
  /** Checksums of the values and of the lengths of lists, in order. */
  hash: bigint;
  lengths: bigint;
  /** Hashes of the distinct values; undefined if there are too many. */
  distinct: ReadonlySet<bigint> | undefined;
  registers: Uint8Array;
}

const DOUBLES = SUMMARY_DOUBLES + 4;
export const REGISTERS = 16_384;
export const SLOTS = 8192;
export const MAX_EXACT = 4096;
const HASHES_AT = 8 * DOUBLES;
const REGISTERS_AT = HASHES_AT + 16;
/** Size of an xy_sketch in bytes. */
export const SKETCH_BYTES = REGISTERS_AT + REGISTERS + 8 * SLOTS;
const BASE = 0x9e3779b97f4a7c15n;

/** Whether a column contains numbers or texts of one kind, possibly in lists and arrays. */
export function canSketch(schema: Schema): boolean {
  if (schema._typename === 'fixed' || schema._typename === 'list') return canSketch(schema.child);
  return schema._typename === 'primitive' || schema._typename === 'string';
}

/** Returns the members of an xy_goal that describe where the values of a column are. */
export function sketchWords(schema: Schema | undefined): Pick<GoalWords, 'lists' | 'dtype'> {
  let lists = 0;
  for (let node = schema; ; ) {
    if (node?._typename === 'primitive') return { lists, dtype: node.dtype };
    if (node?._typename === 'string') return { lists, dtype: -1 };
    if (node?._typename !== 'fixed' && node?._typename !== 'list') break;
    if (node._typename === 'list') lists += 1;
    node = node.child;
  }
  throw unsupported('The column does not hold numbers or texts of one kind.', 'Choose one of its members.');
}

/** Converts an xy_sketch. */
export function toSketch(buffer: ArrayBuffer): DistinctSketch {
  const doubles = new Float64Array(buffer, 0, DOUBLES);
  const [zeros = 0, items = 0, groups = 0, distinct = 0] = doubles.slice(SUMMARY_DOUBLES);
  const [hash = 0n, lengths = 0n] = new BigUint64Array(buffer, HASHES_AT, 2);
  const slots = new BigUint64Array(buffer, REGISTERS_AT + REGISTERS, SLOTS);
  return {
    summary: toSummary(doubles),
    zeros,
    items,
    groups,
    hash,
    lengths,
    distinct: distinct < 0 ? undefined : new Set(slots.filter((slot) => slot !== 0n)),
    registers: new Uint8Array(buffer, REGISTERS_AT, REGISTERS).slice(),
  };
}

/** Returns the sketch of two consecutive runs of values. */
export function mergeSketches(a: DistinctSketch, b: DistinctSketch): DistinctSketch {
  const distinct = a.distinct && b.distinct ? new Set([...a.distinct, ...b.distinct]) : undefined;
  const summary = { ...a.summary };
  addSummary(summary, b.summary);
  return {
    summary,
    zeros: a.zeros + b.zeros,
    items: a.items + b.items,
    groups: a.groups + b.groups,
    hash: joined(a.hash, b.hash, b.items),
    lengths: joined(a.lengths, b.lengths, b.groups),
    distinct: distinct && distinct.size <= MAX_EXACT ? distinct : undefined,
    registers: a.registers.map((rank, i) => Math.max(rank, b.registers[i] ?? 0)),
  };
}

/** Hash of a concatenation: h(ab) = h(a) * BASE^|b| + h(b), modulo 2^64. */
function joined(a: bigint, b: bigint, length: number): bigint {
  let power = 1n;
  let square = BASE;
  for (let rest = BigInt(length); rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = BigInt.asUintN(64, power * square);
    square = BigInt.asUintN(64, square * square);
  }
  return BigInt.asUintN(64, a * power + b);
}

/**
 * Returns the number of distinct values: exact up to 4,096, above that estimated by HyperLogLog (Flajolet et al. 2007),
 * whose standard error with 2^14 registers is 0.8 %.
 */
export function distinctOf({ distinct, registers }: Pick<DistinctSketch, 'distinct' | 'registers'>): {
  count: number;
  exact: boolean;
} {
  if (distinct) return { count: distinct.size, exact: true };
  const m = registers.length;
  let sum = 0;
  let empty = 0;
  for (const rank of registers) {
    sum += 2 ** -rank;
    if (rank === 0) empty++;
  }
  const raw = ((0.7213 / (1 + 1.079 / m)) * m * m) / sum;
  const count = raw <= 2.5 * m && empty > 0 ? m * Math.log(m / empty) : raw;
  return { count: Math.round(count), exact: false };
}
