/** Operations of expression programs, numbered as in wasm/src/compute/expr.h. */
export const OP = {
  const: 0,
  load: 1,
  valid: 2,
  expand: 3,
  entry: 4,
  iteration: 5,
  length: 6,
  sum: 7,
  min: 8,
  max: 9,
  minIf: 10,
  maxIf: 11,
  any: 12,
  stringEq: 13,
  stringIn: 14,
  stringSame: 15,
  size: 16,
  select: 17,
  call: 18,
  stringOrder: 19,
  stringFind: 20,
  stringLength: 21,
  stringCode: 22,
  given: 23,
} as const;

const BINARY = [
  'add',
  'sub',
  'mul',
  'div',
  'mod',
  'pow',
  'lt',
  'le',
  'gt',
  'ge',
  'eq',
  'ne',
  'and',
  'or',
  'bitAnd',
  'bitOr',
  'shiftLeft',
  'shiftRight',
  'atan2',
  'fmod',
  'least',
  'most',
  'hypot',
  'copysign',
  'deltaPhi',
  'over',
  'cAtan2',
] as const;

const UNARY = [
  'neg',
  'not',
  'abs',
  'sqrt',
  'log',
  'log10',
  'exp',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'floor',
  'ceil',
  'round',
  'trunc',
  'int',
  'sign',
  'nint',
  'isNaN',
  'rootSqrt',
  'rootLog',
  'rootLog10',
  'rootExp',
  'rootAsin',
  'rootAcos',
] as const;

export type BinaryOp = (typeof BINARY)[number];
export type UnaryOp = (typeof UNARY)[number];

export const BINARY_OP = Object.fromEntries(BINARY.map((name, i) => [name, 32 + i])) as Record<
  BinaryOp,
  number
>;
export const UNARY_OP = Object.fromEntries(UNARY.map((name, i) => [name, 64 + i])) as Record<UnaryOp, number>;

/** Subscripts of an access. */
export const SUB = { free: 0, const: 1, slot: 2, stop: 3, list: 4, pick: 5 } as const;
