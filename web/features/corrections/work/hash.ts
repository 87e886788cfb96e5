import type { Frame, Node } from './frame';
import { log } from './math';

/*
 * Random numbers that the inputs determine: XXH64 of the inputs (8 bytes each, seed 0) seeds PCG32 (pcg32_oneseq: XSH RR 64/32),
 * from which numbers are drawn as correctionlib does. Numbers of 64 bits are two halves, because BigInt is ten times slower.
 */

/** The result of the last operation on 64 bits. Members of an object are not allocated for each value. */
const part = { high: 0.5, low: 0.5 };

function multiply(aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const p00 = a0 * b0;
  const middle = a1 * b0 + (p00 >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  // All terms are below 2^33, so that no bit of these doubles is lost.
  const carry = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
  part.high = (carry + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) >>> 0;
  part.low = (((other & 0xffff) << 16) | (p00 & 0xffff)) >>> 0;
}

function add(aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const sum = aLow + bLow;
  part.low = sum >>> 0;
  part.high = (aHigh + bHigh + (sum > 0xffffffff ? 1 : 0)) >>> 0;
}

/** Rotates by 1 to 31 bits to the left. */
function rotate(aHigh: number, aLow: number, bits: number): void {
  part.high = ((aHigh << bits) | (aLow >>> (32 - bits))) >>> 0;
  part.low = ((aLow << bits) | (aHigh >>> (32 - bits))) >>> 0;
}

/** Constants of XXH64, as halves. */
const P1 = [0x9e3779b1, 0x85ebca87] as const;
const P2 = [0xc2b2ae3d, 0x27d4eb4f] as const;
const P3 = [0x165667b1, 0x9e3779f9] as const;
const P4 = [0x85ebca77, 0xc2b2ae63] as const;
const P5 = [0x27d4eb2f, 0x165667c5] as const;

/** Returns XXH64_round of an accumulator and 8 bytes, in `high` and `low`. */
function round(accHigh: number, accLow: number, laneHigh: number, laneLow: number): void {
  multiply(laneHigh, laneLow, P2[0], P2[1]);
  add(accHigh, accLow, part.high, part.low);
  rotate(part.high, part.low, 31);
  multiply(part.high, part.low, P1[0], P1[1]);
}

/** Computes XXH64 of whole 8 bytes (lower halves first) with seed 0, in `high` and `low`. */
export function xxh64(words: Uint32Array): void {
  let at = 0;
  let h = 0;
  let l = 0;
  if (words.length >= 8) {
    const acc = new Uint32Array(8);
    add(P1[0], P1[1], P2[0], P2[1]);
    acc.set([part.high, part.low, P2[0], P2[1], 0, 0]);
    // The seed minus the first constant.
    add(~P1[0] >>> 0, ~P1[1] >>> 0, 0, 1);
    acc.set([part.high, part.low], 6);
    for (; at + 8 <= words.length; at += 8) {
      for (let lane = 0; lane < 4; lane++) {
        const i = 2 * lane;
        round(acc[i] as number, acc[i + 1] as number, words[at + i + 1] as number, words[at + i] as number);
        acc[i] = part.high;
        acc[i + 1] = part.low;
      }
    }
    for (const [lane, bits] of [1, 7, 12, 18].entries()) {
      rotate(acc[2 * lane] as number, acc[2 * lane + 1] as number, bits);
      add(h, l, part.high, part.low);
      h = part.high;
      l = part.low;
    }
    for (let lane = 0; lane < 4; lane++) {
      round(0, 0, acc[2 * lane] as number, acc[2 * lane + 1] as number);
      multiply((h ^ part.high) >>> 0, (l ^ part.low) >>> 0, P1[0], P1[1]);
      add(part.high, part.low, P4[0], P4[1]);
      h = part.high;
      l = part.low;
    }
  } else {
    h = P5[0];
    l = P5[1];
  }
  add(h, l, 0, words.length * 4);
  h = part.high;
  l = part.low;
  for (; at < words.length; at += 2) {
    round(0, 0, words[at + 1] as number, words[at] as number);
    rotate((h ^ part.high) >>> 0, (l ^ part.low) >>> 0, 27);
    multiply(part.high, part.low, P1[0], P1[1]);
    add(part.high, part.low, P4[0], P4[1]);
    h = part.high;
    l = part.low;
  }
  // h ^= h >> 33; h *= P2; h ^= h >> 29; h *= P3; h ^= h >> 32
  multiply(h, (l ^ (h >>> 1)) >>> 0, P2[0], P2[1]);
  multiply(
    (part.high ^ (part.high >>> 29)) >>> 0,
    (part.low ^ ((part.low >>> 29) | (part.high << 3))) >>> 0,
    P3[0],
    P3[1],
  );
  part.low = (part.low ^ part.high) >>> 0;
}

/** The state of PCG32. */
const state = { high: 0.5, low: 0.5 };

function step(aHigh: number, aLow: number): void {
  multiply(aHigh, aLow, 0x5851f42d, 0x4c957f2d);
  add(part.high, part.low, 0x14057b7e, 0xf767814f);
  state.high = part.high;
  state.low = part.low;
}

/** Seeds PCG32 with `high` and `low`. */
function seed(): void {
  add(part.high, part.low, 0x14057b7e, 0xf767814f);
  step(part.high, part.low);
}

/** Returns the next 32 random bits. */
function next(): number {
  const h = state.high;
  const l = state.low;
  step(h, l);
  const turn = h >>> 27;
  const mixedHigh = h ^ (h >>> 18);
  const mixedLow = l ^ ((l >>> 18) | (h << 14));
  const shifted = ((mixedLow >>> 27) | (mixedHigh << 5)) >>> 0;
  return ((shifted >>> turn) | (shifted << (-turn & 31))) >>> 0;
}

/** Returns std::generate_canonical<double, 53> of libstdc++: from 0 to below 1. */
function canonical(): number {
  const first = next();
  const share = (first + next() * 4294967296) / 2 ** 64;
  return share < 1 ? share : 1 - 2 ** -53;
}

/** The distributions of correctionlib. */
export const DISTRIBUTIONS: Readonly<Record<string, () => number>> = {
  stdflat: canonical,
  /** std::normal_distribution of libstdc++. */
  stdnormal() {
    for (;;) {
      const x = 2 * canonical() - 1;
      const y = 2 * canonical() - 1;
      const square = x * x + y * y;
      if (square <= 1 && square !== 0) return y * Math.sqrt((-2 * log(square)) / square);
    }
  },
  normal() {
    for (;;) {
      const u = next() / 2147483648 - 1;
      const v = next() / 2147483648 - 1;
      const s = u * u + v * v;
      if (s < 1 && s !== 0) return u * Math.sqrt((-2 * log(s)) / s);
    }
  },
};

/** Returns a node that draws a number for the values of inputs. */
export function hashOf(
  { numbers, large }: Frame,
  indices: readonly number[],
  areWhole: readonly boolean[],
  draw: () => number,
): Node {
  const bytes = new DataView(new ArrayBuffer(8 * indices.length));
  const words = new Uint32Array(2 * indices.length);
  return () => {
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i] as number;
      const value = numbers[index] as number;
      const exact = large[index];
      if (exact !== undefined) bytes.setBigInt64(8 * i, exact);
      else if (areWhole[i]) {
        bytes.setInt32(8 * i, Math.floor(value / 4294967296));
        bytes.setUint32(8 * i + 4, value);
      } else bytes.setFloat64(8 * i, value);
      words[2 * i] = bytes.getUint32(8 * i + 4);
      words[2 * i + 1] = bytes.getUint32(8 * i);
    }
    xxh64(words);
    seed();
    return draw();
  };
}
