export const {
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atan2,
  atanh,
  cos,
  cosh,
  exp,
  log,
  log10,
  sin,
  sinh,
  tan,
  tanh,
} = Math;

/** Returns std::pow. Math.pow has NaN for 1 with an exponent of NaN, and for 1 and -1 with infinite ones. */
export function pow(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)) return 1;
  return base ** exponent;
}
