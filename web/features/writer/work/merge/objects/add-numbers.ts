import { type Members, numberOf, unaddable } from '../../../../../bins/object-values';
import type { TapeValue } from '../../../../../core/tape';

/** TParameter::EStatusBits in fBits. */
const MULTIPLY = 1 << 16;
const MAXIMUM = 1 << 17;
const MINIMUM = 1 << 18;
const FIRST = 1 << 19;
const LAST = 1 << 20;
const IS_CONSTANT = 1 << 21;

/** Ranges of the integer types of a TParameter, by their C++ names. */
const RANGES: ReadonlyMap<string, readonly [bigint, bigint]> = new Map(
  (
    [
      ['char', 8, true],
      ['short', 16, true],
      ['int', 32, true],
      ['long', 64, true],
      ['Long64_t', 64, true],
      ['unsigned char', 8, false],
      ['unsigned short', 16, false],
      ['unsigned int', 32, false],
      ['unsigned long', 64, false],
      ['ULong64_t', 64, false],
    ] as const
  ).map(([name, bits, signed]) => {
    const half = 1n << BigInt(bits - 1);
    return [name, signed ? [-half, half - 1n] : [0n, 2n * half - 1n]];
  }),
);

/** Returns the type of the value of a TParameter; undefined for other classes, and for types that are not numeric. */
export function parameterType(className: string): string | undefined {
  if (className === 'TSelectorScalar') return 'Long64_t';
  const type = /^TParameter<(.+)>$/.exec(className)?.[1];
  const known = type !== undefined && (RANGES.has(type) || ['bool', 'float', 'double'].includes(type));
  return known ? type : undefined;
}

/**
 * Adds a TParameter as its Merge() does, by the mode of the first: the sum, the product, the largest or smallest
 * value, the first or the last one. For booleans, sum is "or" and product is "and". Throws UNSUPPORTED if a sum of
 * integers does not fit into its type, where ROOT would overflow.
 */
export function addParameter(into: Members, other: Members): void {
  const type = parameterType(String(into._typename));
  const bits = numberOf(into, 'fBits');
  const value = combined(type ?? '', bits, into.fVal, other.fVal);
  if (into.fVal !== other.fVal && into._typename !== 'TSelectorScalar') into.fBits = bits & ~IS_CONSTANT;
  into.fVal = value;
}

function combined(
  type: string,
  bits: number,
  own: TapeValue | undefined,
  more: TapeValue | undefined,
): TapeValue {
  const has = (bit: number) => (bits & bit) !== 0;
  if (type === 'bool') {
    const [a, b] = [Boolean(own), Boolean(more)];
    if (has(MULTIPLY) || has(MINIMUM)) return a && b;
    if (has(LAST)) return b;
    return has(FIRST) && !has(MAXIMUM) ? a : a || b;
  }
  const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';
  if (!isNumber(own) || !isNumber(more)) throw unaddable('Its value is not a number.');
  const [a, b] = [own as number | bigint, more as number | bigint];
  if (has(MAXIMUM) && !has(MULTIPLY)) return b > a ? b : a;
  if (has(MINIMUM) && !has(MULTIPLY)) return b < a ? b : a;
  if (has(LAST) && !has(MULTIPLY)) return b;
  if (has(FIRST) && !has(MULTIPLY)) return a;
  const range = RANGES.get(type);
  if (!range) {
    const value = has(MULTIPLY) ? Number(a) * Number(b) : Number(a) + Number(b);
    return type === 'float' ? Math.fround(value) : value;
  }
  const value = has(MULTIPLY) ? BigInt(a) * BigInt(b) : BigInt(a) + BigInt(b);
  const [least, most] = range;
  if (value < least || value > most)
    throw unaddable(`${a} and ${b} together do not fit into a number of the type ${type}.`);
  return typeof own === 'bigint' ? value : Number(value);
}

/** Adds a TStatistic as its Merge() does: means and variances are combined by the sums of weights. */
export function addStatistic(into: Members, other: Members): void {
  if (BigInt((other.fN as bigint | number | undefined) ?? 0) === 0n) return;
  if (BigInt((into.fN as bigint | number | undefined) ?? 0) === 0n) {
    for (const name of ['fN', 'fW', 'fW2', 'fM', 'fM2', 'fMin', 'fMax'])
      if (other[name] !== undefined && into[name] !== undefined) into[name] = other[name];
    return;
  }
  const [w, m] = [numberOf(into, 'fW'), numberOf(into, 'fM')];
  const [v, n] = [numberOf(other, 'fW'), numberOf(other, 'fM')];
  if (w === 0 || v === 0 || w + v === 0) throw unaddable('The sum of its weights is 0.');
  const apart = (v / w) * m - n;
  into.fM2 = numberOf(into, 'fM2') + numberOf(other, 'fM2') + (w / (v * (v + w))) * apart * apart;
  into.fM = m + n;
  into.fW = w + v;
  into.fW2 = numberOf(into, 'fW2') + numberOf(other, 'fW2');
  into.fN = BigInt(into.fN as bigint) + BigInt(other.fN as bigint);
  if (into.fMin !== undefined) into.fMin = Math.min(numberOf(into, 'fMin'), numberOf(other, 'fMin'));
  if (into.fMax !== undefined) into.fMax = Math.max(numberOf(into, 'fMax'), numberOf(other, 'fMax'));
}
