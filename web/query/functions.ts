import type { BinaryOp, UnaryOp } from '../core/expr-ops';

/** How a function is made of operations. `text` is an expression of the arguments a, b, c …. */
export type FunctionSpec =
  | { args: 1; unary: UnaryOp }
  | { args: 2; binary: BinaryOp }
  | { args: number; text: string; least?: number; defaults?: number[] };

const unary = (names: Record<string, UnaryOp>): [string, FunctionSpec][] =>
  Object.entries(names).map(([name, op]) => [name, { args: 1, unary: op }]);
const binary = (names: Record<string, BinaryOp>): [string, FunctionSpec][] =>
  Object.entries(names).map(([name, op]) => [name, { args: 2, binary: op }]);
const text = (
  names: Record<string, [args: number, text: string, defaults?: number[]]>,
): [string, FunctionSpec][] =>
  Object.entries(names).map(([name, [args, body, defaults]]) => [
    name,
    { args, text: body, ...(defaults && { defaults }) },
  ]);

const PI = Math.PI;

/**
 * Functions by name. Those without a namespace follow TFormula where it has them (sqrt of a negative
 * number is that of its amount, the logarithm of what is not positive is 0), those of TMath C++.
 */
export const FUNCTIONS = new Map<string, FunctionSpec>([
  ...unary({
    abs: 'abs',
    fabs: 'abs',
    sqrt: 'rootSqrt',
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
    acosh: 'rootAcosh',
    atanh: 'rootAtanh',
    floor: 'floor',
    ceil: 'ceil',
    round: 'round',
    trunc: 'trunc',
    int: 'int',
    sign: 'sign',
    cbrt: 'cbrt',
    exp2: 'exp2',
    expm1: 'expm1',
    log1p: 'log1p',
    log2: 'log2',
    erf: 'erf',
    erfc: 'erfc',
    tgamma: 'tgamma',
    lgamma: 'lgamma',
    isnan: 'isNaN',
    'std::abs': 'abs',
    'TMath::Abs': 'abs',
    'TMath::Sqrt': 'sqrt',
    'TMath::Exp': 'exp',
    'TMath::Log': 'log',
    'TMath::Log10': 'log10',
    'TMath::Log2': 'log2',
    'TMath::Sin': 'sin',
    'TMath::Cos': 'cos',
    'TMath::Tan': 'tan',
    'TMath::SinH': 'sinh',
    'TMath::CosH': 'cosh',
    'TMath::TanH': 'tanh',
    'TMath::ATan': 'atan',
    'TMath::ASinH': 'asinh',
    'TMath::ACosH': 'rootAcosh',
    'TMath::ATanH': 'atanh',
    'TMath::Ceil': 'ceil',
    'TMath::Floor': 'floor',
    'TMath::Nint': 'nint',
    'TMath::Erf': 'erf',
    'TMath::Erfc': 'erfc',
    'TMath::Gamma': 'tgamma',
    'TMath::LnGamma': 'lgamma',
    'TMath::IsNaN': 'isNaN',
  }),
  ...binary({
    pow: 'pow',
    atan2: 'atan2',
    fmod: 'fmod',
    hypot: 'hypot',
    min: 'least',
    max: 'most',
    'TMath::Power': 'pow',
    'TMath::ATan2': 'atan2',
    'TMath::Hypot': 'hypot',
    'TMath::Min': 'least',
    'TMath::Max': 'most',
    'TMath::Sign': 'copysign',
    DeltaPhi: 'deltaPhi',
    'ROOT::VecOps::DeltaPhi': 'deltaPhi',
  }),
  ...text({
    sq: [1, 'a*a'],
    'TMath::Sq': [1, 'a*a'],
    // ROOT's ASin and ACos clip their argument.
    'TMath::ASin': [1, `a < -1 ? ${-PI / 2} : a > 1 ? ${PI / 2} : asin(a)`],
    'TMath::ACos': [1, `a < -1 ? ${PI} : a > 1 ? 0 : acos(a)`],
    'TMath::Odd': [1, 'int(a) & 1'],
    'TMath::Even': [1, '!(int(a) & 1)'],
    'TMath::Range': [3, 'c < a ? a : c > b ? b : c'],
    'TMath::Freq': [1, 'TMath::Erfc(-a/1.4142135623730951)/2'],
    'TMath::Gaus': [
      4,
      'c == 0 ? 1e30 : fabs((a-b)/c) > 39 ? 0 : TMath::Exp(-0.5*((a-b)/c)*((a-b)/c)) * (d ? 1/(2.50662827463100024*c) : 1)',
      [0, 1, 0],
    ],
    'TMath::BreitWigner': [3, `c/((a-b)*(a-b) + c*c/4)/${2 * PI}`, [0, 1]],
    'TMath::Poisson': [
      2,
      'a < 0 ? 0 : a == 0 ? TMath::Exp(-b) : TMath::Exp(a*TMath::Log(b) - TMath::LnGamma(a+1) - b)',
    ],
    'TVector2::Phi_mpi_pi': [1, 'DeltaPhi(a, 0)'],
    'TVector2::Phi_0_2pi': [1, `DeltaPhi(a, 0) < 0 ? DeltaPhi(a, 0) + ${2 * PI} : DeltaPhi(a, 0)`],
    DeltaR: [4, 'hypot(a-b, DeltaPhi(c, d))'],
    'ROOT::VecOps::DeltaR': [4, 'hypot(a-b, DeltaPhi(c, d))'],
    /** Of two massless particles: pt, eta and phi of each. */
    InvMass: [6, 'sqrt(2*a*d*(cosh(b-e) - cos(c-f)))'],
    'TMath::Pi': [0, `${PI}`],
    'TMath::TwoPi': [0, `${2 * PI}`],
    'TMath::PiOver2': [0, `${PI / 2}`],
    'TMath::PiOver4': [0, `${PI / 4}`],
    'TMath::InvPi': [0, `${1 / PI}`],
    'TMath::E': [0, `${Math.E}`],
    'TMath::Sqrt2': [0, `${Math.SQRT2}`],
    'TMath::Ln10': [0, `${Math.LN10}`],
    'TMath::LogE': [0, `${Math.LOG10E}`],
    'TMath::DegToRad': [0, `${PI / 180}`],
    'TMath::RadToDeg': [0, `${180 / PI}`],
    'TMath::C': [0, '2.99792458e8'],
  }),
]);

/** Functions of the loop over an array. */
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

/** Values that need no branch. */
export const SPECIALS = ['Entry$', 'LocalEntry$', 'Entries$', 'LocalEntries$', 'Iteration$', 'Length$', 'pi'];

/** All names that may be called, for completion and suggestions. */
export function functionNames(): string[] {
  return [...FUNCTIONS.keys(), ...AGGREGATES.keys(), 'strstr'];
}
