/*
 * Functions whose last bit is the same in all browsers and versions of Node, and nearly always that of the C library, which
 * correctionlib uses. Math.log and others may be wrong by one unit in the last place, and a formula may make more of it. A value is
 * computed with about 68 bits, as the sum of a number and a small rest, and rounded at the end.
 */

export const { acos, acosh, asin, asinh, atanh, cosh, sinh, tanh } = Math;

/**
 * The result of the last function of this file that has two parts: their sum is the value. They are members of an object, because
 * variables of a module that hold doubles are allocated for each value.
 */
const part = { high: 0.5, low: 0.5 };

const SPLIT = 134217729;

/** Computes a product exactly. */
function product(a: number, b: number): void {
  const p = a * b;
  const c = SPLIT * a;
  const aHigh = c - (c - a);
  const aLow = a - aHigh;
  const d = SPLIT * b;
  const bHigh = d - (d - b);
  const bLow = b - bHigh;
  part.high = p;
  part.low = aHigh * bHigh - p + aHigh * bLow + aLow * bHigh + aLow * bLow;
}

/** A number as the sum of two doubles, for the tables. */
type Pair = readonly [high: number, low: number];

function sumOf([a, aRest]: Pair, [b, bRest]: Pair): Pair {
  const s = a + b;
  const t = s - a;
  const rest = a - (s - t) + (b - t) + aRest + bRest;
  return [s + rest, s - (s + rest) + rest];
}

function productOf([a, aRest]: Pair, [b, bRest]: Pair): Pair {
  product(a, b);
  const [p, e] = [part.high, part.low];
  const rest = e + a * bRest + aRest * b;
  return [p + rest, p - (p + rest) + rest];
}

function dividedBy([a, aRest]: Pair, by: number): Pair {
  const q = a / by;
  product(q, by);
  const rest = (a - part.high - part.low + aRest) / by;
  return [q + rest, q - (q + rest) + rest];
}

/** Returns the sum of x^n/n! for n = first, first + step, … with alternating signs if `alternates`. */
function series(x: Pair, first: number, step: number, alternates: boolean): Pair {
  let term: Pair = [1, 0];
  let sum: Pair = [0, 0];
  for (let n = 0; n < 40; n++) {
    if (n > 0) term = dividedBy(productOf(term, x), n);
    if (n < first || (n - first) % step !== 0) continue;
    const isMinus = alternates && ((n - first) / step) % 2 === 1;
    sum = sumOf(sum, isMinus ? [-term[0], -term[1]] : term);
  }
  return sum;
}

const LN2: Pair = [Math.LN2, 2.3190468138462996e-17];
/** The natural logarithm of 2: its first 33 bits, the next 53, and the rest. */
const LN2_1 = 0.6931471803691238;
const LN2_2 = 1.9082149292705877e-10;
const LN2_3 = 1.1612227229362532e-26;

/** Steps of the table of exp in a factor of 2. */
const STEPS = 128;
/** 2^(i / STEPS), as pairs. Computed when exp or pow is first called: tables take time that most selectors need not spend. */
let powers: Float64Array | undefined;

function tableOfPowers(): Float64Array {
  const table = new Float64Array(2 * STEPS);
  for (let i = 0; i < STEPS; i++)
    table.set(series(dividedBy(productOf(LN2, [i, 0]), STEPS), 0, 1, false), 2 * i);
  powers = table;
  return table;
}

/** 2^n for n from -1022 to 1023. */
const TWO = new Float64Array(2046);
for (let n = 0, value = 2 ** -1022; n < 2046; n++, value *= 2) TWO[n] = value;
const two = (n: number): number => TWO[n + 1022] as number;

/** Computes exp(x + rest) / 2^n in `high` and `low`, and returns n. x is from -745 to 710. */
function exponential(x: number, rest: number): number {
  const k = Math.round((x * STEPS) / LN2[0]);
  product(k / STEPS, LN2_2);
  const a = x - (k / STEPS) * LN2_1;
  const r = a - part.high;
  const lent = r - a;
  const tail = a - (r - lent) - (part.high + lent) - part.low + rest - (k / STEPS) * LN2_3;
  // Terms of higher order are small, so that doubles suffice for them.
  const more = tail + r * r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r / 720))));
  const s = r + more;
  const t = r - s + more;
  const i = ((k % STEPS) + STEPS) % STEPS;
  const table = powers ?? tableOfPowers();
  const power = table[2 * i] as number;
  product(power, s);
  const sum = power + part.high;
  const lost = power - sum + part.high + (part.low + (power * t + (table[2 * i + 1] as number) * (1 + s)));
  part.high = sum + lost;
  part.low = sum - part.high + lost;
  return (k - i) / STEPS;
}

/** Returns `high` + `low` times 2^n. */
function scaled(n: number): number {
  const value = part.high + part.low;
  if (n >= -1022 && n <= 1023) return value * two(n);
  return n > 0 ? value * two(n - 1) * 2 : value * two(n + 200) * two(-200);
}

export function exp(x: number): number {
  if (!(x < 709.782712893384)) return x > 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  if (x < -745.14) return 0;
  return scaled(exponential(x, 0));
}

/** Computes the logarithm of a normal positive number in `high` and `low`. */
function logarithm(x: number): void {
  const near = Math.log(x);
  const n = exponential(-near, 0);
  // Half of the power each, because 2^n may be out of range.
  const half = n >> 1;
  const y = x * two(half) * two(n - half);
  const rest = y * part.low;
  product(y, part.high);
  const more = part.high - 1 + (part.low + rest);
  part.high = near;
  part.low = more - (more * more) / 2;
}

/** Smallest number with all bits. */
const NORMAL = 2 ** -1022;

/** The last logarithms, because formulas often have the same one several times. */
const last = { x: 0.5, log: Math.log(0.5), y: 0.5, log10: Math.log10(0.5) };

export function log(x: number): number {
  if (x === last.x) return last.log;
  if (!(x >= NORMAL && x < Number.POSITIVE_INFINITY)) return Math.log(x);
  logarithm(x);
  last.x = x;
  last.log = part.high + part.low;
  return last.log;
}

const IVLN10 = Math.LOG10E;
const LOG10_2_1 = 0.30102999566361177;
const LOG10_2_2 = 3.694239077158931e-13;
const words = new DataView(new ArrayBuffer(8));

/** Returns the logarithm by the method of FreeBSD's e_log10.c, which the C library has, too: its error is up to 2 units. */
export function log10(x: number): number {
  if (x === last.y) return last.log10;
  if (!(x >= NORMAL && x < Number.POSITIVE_INFINITY)) return Math.log10(x);
  words.setFloat64(0, x);
  const upper = words.getInt32(0);
  const exponent = (upper >> 20) - 1023;
  const isBelow = exponent < 0 ? 1 : 0;
  words.setInt32(0, (upper & 0x000fffff) | ((0x3ff - isBelow) << 20));
  const y = exponent + isBelow;
  const z = y * LOG10_2_2 + IVLN10 * log(words.getFloat64(0));
  last.y = x;
  last.log10 = z + y * LOG10_2_1;
  return last.log10;
}

/** Returns std::pow. Math.pow has NaN for 1 with an exponent of NaN, and for 1 and -1 with infinite ones. */
export function pow(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)) return 1;
  const size = Math.abs(base);
  const isUsual =
    size >= NORMAL && size < Number.POSITIVE_INFINITY && Math.abs(exponent) < 1e18 && exponent !== 0;
  if (!isUsual || (base < 0 && !Number.isInteger(exponent))) return base ** exponent;
  logarithm(size);
  const rest = exponent * part.low;
  product(exponent, part.high);
  if (!(Math.abs(part.high) < 700)) return base ** exponent;
  const value = scaled(exponential(part.high, part.low + rest));
  return base < 0 && exponent % 2 !== 0 ? -value : value;
}

/** Half of pi: the first 33 bits, the next 33, the next 53. */
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;
/** Larger angles are those of Math. */
const MAX_ANGLE = 1e5;
/** Steps of the tables of sine and cosine in a radian, and their number up to pi / 4. */
const ANGLES = 64;
let circleTable: { sines: Float64Array; cosines: Float64Array } | undefined;

function tableOfCircle(): { sines: Float64Array; cosines: Float64Array } {
  const [sines, cosines] = [new Float64Array(2 * 53), new Float64Array(2 * 53)];
  for (let j = 0; j < 53; j++) {
    sines.set(series([j / ANGLES, 0], 1, 2, true), 2 * j);
    cosines.set(series([j / ANGLES, 0], 0, 2, true), 2 * j);
  }
  circleTable = { sines, cosines };
  return circleTable;
}

/** Sine and cosine of the last angle, as sums of two numbers. */
const circle = { sine: 0, sineRest: 0, cosine: 0, cosineRest: 0 };

/** Computes the sine and the cosine of an angle up to MAX_ANGLE. */
function turn(angle: number): void {
  const quarter = Math.round(angle / HALF_PI_1);
  product(quarter, HALF_PI_3);
  const a = angle - quarter * HALF_PI_1;
  const b = quarter * HALF_PI_2;
  const c = a - b;
  const cRest = a - c - b;
  const r = c - part.high;
  const moved = r - c;
  const rest = c - (r - moved) - (part.high + moved) - part.low + cRest;
  const j = Math.round(Math.abs(r) * ANGLES);
  const sign = r < 0 ? -1 : 1;
  const d = sign * r - j / ANGLES;
  const dRest = sign * rest;
  const d2 = d * d;
  const sineMore = dRest + d * d2 * (-1 / 6 + d2 * (1 / 120 - d2 / 5040));
  const cosineMore = d2 * (-1 / 2 + d2 * (1 / 24 - d2 / 720)) - d * dRest;
  const { sines, cosines } = circleTable ?? tableOfCircle();
  const s = sines[2 * j] as number;
  const sRest = sines[2 * j + 1] as number;
  const k = cosines[2 * j] as number;
  const kRest = cosines[2 * j + 1] as number;
  // sin(t + d) = sin t + cos t * d + …, cos(t + d) = cos t - sin t * d + …
  product(k, d);
  let sum = s + part.high;
  let lent = sum - s;
  let more =
    s - (sum - lent) + (part.high - lent) + (part.low + (sRest + kRest * d + k * sineMore + s * cosineMore));
  const sine = sign * (sum + more);
  const sineRest = sign * (sum - (sum + more) + more);
  product(-s, d);
  sum = k + part.high;
  lent = sum - k;
  more =
    k - (sum - lent) + (part.high - lent) + (part.low + (kRest - sRest * d - s * sineMore + k * cosineMore));
  const cosine = sum + more;
  const cosineRest = sum - cosine + more;
  const isOdd = quarter % 2 !== 0;
  const minusSine = ((quarter % 4) + 4) % 4 >= 2 ? -1 : 1;
  const minusCosine = (((quarter + 1) % 4) + 4) % 4 >= 2 ? -1 : 1;
  circle.sine = minusSine * (isOdd ? cosine : sine);
  circle.sineRest = minusSine * (isOdd ? cosineRest : sineRest);
  circle.cosine = minusCosine * (isOdd ? sine : cosine);
  circle.cosineRest = minusCosine * (isOdd ? sineRest : cosineRest);
}

export function sin(x: number): number {
  if (!(Math.abs(x) <= MAX_ANGLE) || Math.abs(x) < 1e-9) return Math.sin(x);
  turn(x);
  return circle.sine + circle.sineRest;
}

export function cos(x: number): number {
  if (!(Math.abs(x) <= MAX_ANGLE)) return Math.cos(x);
  turn(x);
  return circle.cosine + circle.cosineRest;
}

export function tan(x: number): number {
  if (!(Math.abs(x) <= MAX_ANGLE) || Math.abs(x) < 1e-9) return Math.tan(x);
  turn(x);
  const { sine, sineRest, cosine, cosineRest } = circle;
  const ratio = sine / cosine;
  product(ratio, cosine);
  return ratio + (sine - part.high - part.low + sineRest - ratio * cosineRest) / cosine;
}

const isMiddling = (x: number): boolean => Math.abs(x) > 1e-100 && Math.abs(x) < 1e100;

export function atan2(y: number, x: number): number {
  const near = Math.atan2(y, x);
  if (!isMiddling(y) || !isMiddling(x) || Math.abs(near) < 1e-9) return near;
  // The angle of the same direction turned back by the approximate one is the missing rest.
  turn(near);
  const { sine, sineRest, cosine, cosineRest } = circle;
  product(y, cosine);
  const a = part.high;
  const aRest = part.low + y * cosineRest;
  product(x, sine);
  const across = a - part.high + (aRest - part.low - x * sineRest);
  return near + across / (x * cosine + y * sine);
}

export function atan(x: number): number {
  return atan2(x, 1);
}
