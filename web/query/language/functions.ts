import type { BinaryOp, UnaryOp } from '../../core/expr-ops';
import type { MathFunction } from '../../core/math-ops';
import { ROOT_MATH } from './root-math';
import { TMATH } from './tmath';

/**
 * Implementation of a function. `defaults` are the values of its last arguments if they are left out. There are three
 * kinds, from the cheapest: an operation of the core; a text, which is an expression of the arguments a, b, c … in
 * which "/" divides as in C; a function of xylem-math.wasm, for loops and tables. That module is loaded when a query
 * calls one of its functions.
 */
export type FunctionSpec = { args: number; defaults?: number[] | undefined } & (
  | { unary: UnaryOp }
  | { binary: BinaryOp }
  | { math: MathFunction }
  | { text: string }
);

/** The variants of a function with different numbers of arguments. */
export type FunctionSpecs = readonly FunctionSpec[];

type Named<T> = Record<string, T>;

const unary = (names: Named<UnaryOp>): [string, FunctionSpecs][] =>
  Object.entries(names).map(([name, op]) => [name, [{ args: 1, unary: op }]]);
const binary = (names: Named<BinaryOp>): [string, FunctionSpecs][] =>
  Object.entries(names).map(([name, op]) => [name, [{ args: 2, binary: op }]]);
const math = (names: Named<MathFunction>): [string, FunctionSpecs][] =>
  Object.entries(names).map(([name, f]) => [name, [{ args: 1, math: f }]]);
const text = (names: Named<[args: number, body: string]>): [string, FunctionSpecs][] =>
  Object.entries(names).map(([name, [args, body]]) => [name, [{ args, text: body }]]);

/**
 * Functions by name. Those without a namespace follow TFormula if it has them (the logarithm of 0 or a
 * negative number is 0); those of TMath follow C++.
 */
export const FUNCTIONS: ReadonlyMap<string, FunctionSpecs> = new Map<string, FunctionSpecs>([
  ...unary({
    abs: 'abs',
    fabs: 'abs',
    sqrt: 'sqrt',
    exp: 'rootExp',
    log: 'rootLog',
    log10: 'rootLog10',
    sin: 'sin',
    cos: 'cos',
    tan: 'tan',
    asin: 'rootAsin',
    acos: 'rootAcos',
    atan: 'atan',
    sinh: 'sinh',
    cosh: 'cosh',
    tanh: 'tanh',
    asinh: 'asinh',
    floor: 'floor',
    ceil: 'ceil',
    round: 'round',
    trunc: 'trunc',
    rint: 'nint',
    nearbyint: 'nint',
    int: 'int',
    sign: 'sign',
    isnan: 'isNaN',
    'std::isnan': 'isNaN',
    'std::abs': 'abs',
  }),
  ...math({
    cbrt: 'cbrt',
    exp2: 'exp2',
    expm1: 'expm1',
    log1p: 'log1p',
    log2: 'log2',
    erf: 'erf',
    erfc: 'erfc',
    tgamma: 'tgamma',
    lgamma: 'lgamma',
  }),
  ...binary({
    pow: 'pow',
    atan2: 'atan2',
    fmod: 'fmod',
    hypot: 'hypot',
    copysign: 'copysign',
    'std::pow': 'pow',
    'std::atan2': 'cAtan2',
    'std::hypot': 'hypot',
    DeltaPhi: 'deltaPhi',
  }),
  ...text({
    sq: [1, 'a*a'],
    // std::min(a, b) is b < a ? b : a, TMath::Min is a <= b ? a : b. They differ for NaN.
    min: [2, 'TMath::Min(b, a)'],
    max: [2, 'TMath::Max(b, a)'],
    'std::min': [2, 'min(a, b)'],
    'std::max': [2, 'max(a, b)'],
    acosh: [1, 'a < 1 ? 0 : TMath::ACosH(a)'],
    atanh: [1, 'fabs(a) > 1 ? 0 : TMath::ATanH(a)'],
    isfinite: [1, 'a - a == 0'],
    isinf: [1, 'a == a && !(a - a == 0)'],
    'std::isfinite': [1, 'isfinite(a)'],
    'std::isinf': [1, 'isinf(a)'],
    signbit: [1, 'copysign(1, a) < 0'],
    fmin: [2, 'isnan(a) ? b : isnan(b) ? a : a < b ? a : b'],
    fmax: [2, 'isnan(a) ? b : isnan(b) ? a : a > b ? a : b'],
    fdim: [2, 'a > b ? a - b : isnan(a) || isnan(b) ? a + b : 0'],
    ldexp: [2, 'TMath::Ldexp(a, b)'],
    DeltaR: [4, 'hypot(a-b, DeltaPhi(c, d))'],
    /** Angle from the first to the second. `DeltaPhi` above has the opposite sign. */
    'ROOT::VecOps::DeltaPhi': [2, `xylem::fold(fmod(b - a, ${2 * Math.PI}))`],
    /**
     * Eta as in GenVector. Arguments: transverse length, coordinate along the axis, and the bound described in
     * vector-classes.ts.
     */
    'xylem::eta': [3, 'a > 0 ? xylem::etaOf(b/a, b, c) : b == 0 ? 0 : b > 0 ? b + 22756 : b - 22756'],
    'xylem::etaOf': [
      3,
      'fabs(a) < c ? TMath::Log(a + TMath::Sqrt(a*a + 1)) : b > 0 ? TMath::Log(2*a + 0.5/a) : -TMath::Log(-2*a)',
    ],
    /** Division as in C: dividing by 0 gives an infinity or NaN, not 0. */
    'xylem::over': [2, 'a/b'],
    'xylem::fold': [1, `a < -pi ? a + 2*pi : a > pi ? a - 2*pi : a`],
    'ROOT::VecOps::DeltaR': [4, 'hypot(a-b, DeltaPhi(c, d))'],
    /** Invariant mass of two massless particles: pt, eta and phi of each. */
    InvMass: [6, 'sqrt(abs(2*a*d*(cosh(b-e) - cos(c-f))))'],
    'TVector2::Phi_mpi_pi': [1, 'DeltaPhi(a, 0)'],
    'TVector2::Phi_0_2pi': [1, `DeltaPhi(a, 0) < 0 ? DeltaPhi(a, 0) + ${2 * Math.PI} : DeltaPhi(a, 0)`],
  }),
  ...TMATH,
  ...ROOT_MATH,
]);

/**
 * Functions that ROOT 6.40 defines differently: the square root of a negative number is the root of its absolute
 * value.
 */
export const FUNCTIONS_OF_6_40 = new Map<string, FunctionSpecs>(unary({ sqrt: 'rootSqrt' }));

/** Functions that loop over an array. */
export const AGGREGATES = new Map<string, number>([
  ['Length$', 1],
  ['Sum$', 1],
  ['Min$', 1],
  ['Max$', 1],
  ['MinIf$', 2],
  ['MaxIf$', 2],
  ['Alt$', 2],
  ['At$', 2],
]);

/** Special values that need no branch. */
export const SPECIALS = [
  'Entry$',
  'LocalEntry$',
  'Entries$',
  'LocalEntries$',
  'Iteration$',
  'Length$',
  'pi',
  'rndm',
];

/** Namespace of helper functions, which only the texts in this folder call. */
const OWN = 'xylem::';

/** Returns all names that can be called, for completion and suggestions. */
export function functionNames(): string[] {
  return [...FUNCTIONS.keys(), ...AGGREGATES.keys(), 'strstr'].filter((name) => !name.startsWith(OWN));
}
