import { exp } from './math';

/*
 * The error function, with the rational approximations of FreeBSD's s_erf.c, which glibc and musl have, too. "Copyright (C) 1993 by
 * Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute this software is freely granted,
 * provided that this notice is preserved."
 */

const ERX = 0.8450629115104675;
const EFX = 0.1283791670955126;
const EFX8 = 1.0270333367641007;
const PP = [
  0.12837916709551256, -0.3250421072470015, -0.02848174957559851, -0.005770270296489442,
  -2.3763016656650163e-5,
];
const QQ = [
  1, 0.39791722395915535, 0.0650222499887673, 0.005081306281875766, 0.00013249473800432164,
  -3.960228278775368e-6,
];
const PA = [
  -0.0023621185607526594, 0.41485611868374833, -0.3722078760357013, 0.31834661990116175, -0.11089469428239668,
  0.035478304325618236, -0.002166375594868791,
];
const QA = [
  1, 0.10642088040084423, 0.540397917702171, 0.07182865441419627, 0.12617121980876164, 0.01363708391202905,
  0.011984499846799107,
];
const RA = [
  -0.009864944034847148, -0.6938585727071818, -10.558626225323291, -62.375332450326006, -162.39666946257347,
  -184.60509290671104, -81.2874355063066, -9.814329344169145,
];
const SA = [
  1, 19.651271667439257, 137.65775414351904, 434.56587747522923, 645.3872717332679, 429.00814002756783,
  108.63500554177944, 6.570249770319282, -0.0604244152148581,
];
const RB = [
  -0.0098649429247001, -0.799283237680523, -17.757954917754752, -160.63638485582192, -637.5664433683896,
  -1025.0951316110772, -483.5191916086514,
];
const SB = [
  1, 30.33806074348246, 325.7925129965739, 1536.729586084437, 3199.8582195085955, 2553.0504064331644,
  474.52854120695537, -22.44095244658582,
];

/**
 * Returns c0 + c1 x + c2 x² + …, summed in pairs as the C library does: the last bit depends on it, and 1 - erf(x) makes more of it.
 */
function polynomial(c: readonly number[], x: number): number {
  const x2 = x * x;
  const x4 = x2 * x2;
  let sum = (c[0] as number) + x * (c[1] as number);
  for (let i = 2; i < c.length; i += 2) {
    const power = i === 2 ? x2 : i === 4 ? x4 : i === 6 ? x4 * x2 : x4 * x4;
    sum += power * (i + 1 < c.length ? (c[i] as number) + x * (c[i + 1] as number) : (c[i] as number));
  }
  return sum;
}

const words = new DataView(new ArrayBuffer(8));

/** Returns the number without the lower half of its bits. */
function upper(x: number): number {
  words.setFloat64(0, x);
  words.setUint32(4, 0);
  return words.getFloat64(0);
}

/** Returns std::erf. */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  const size = Math.abs(x);
  const sign = x < 0 ? -1 : 1;
  if (size === Number.POSITIVE_INFINITY) return sign;
  if (size < 0.84375) {
    if (size < 3.725290298461914e-9)
      return size < 2.848094538889218e-306 ? 0.125 * (8 * x + EFX8 * x) : x + EFX * x;
    const z = x * x;
    return x + x * (polynomial(PP, z) / polynomial(QQ, z));
  }
  if (size < 1.25) {
    const s = size - 1;
    return sign * (ERX + polynomial(PA, s) / polynomial(QA, s));
  }
  if (size >= 6) return sign * (1 - 1e-300);
  const s = 1 / (size * size);
  const [above, below] = size < 2.857142857142857 ? [RA, SA] : [RB, SB];
  const z = upper(size);
  const r = exp(-z * z - 0.5625) * exp((z - size) * (z + size) + polynomial(above, s) / polynomial(below, s));
  return sign * (1 - r / size);
}
