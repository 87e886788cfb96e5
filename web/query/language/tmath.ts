import type { BinaryOp, UnaryOp } from '../../core/expr-ops';
import type { MathFunction } from '../../core/math-ops';
import type { FunctionSpec, FunctionSpecs } from './functions';

const PI = Math.PI;
const SQRT_2PI = '2.50662827463100024';

/** Constants of CODATA 2018, as in TMath.h of ROOT 6.40. */
const CONSTANTS: Record<string, number> = {
  Pi: PI,
  TwoPi: 2 * PI,
  PiOver2: PI / 2,
  PiOver4: PI / 4,
  InvPi: 1 / PI,
  RadToDeg: 180 / PI,
  DegToRad: PI / 180,
  Sqrt2: Math.SQRT2,
  E: Math.E,
  Ln10: Math.LN10,
  LogE: Math.LOG10E,
  C: 299792458,
  Ccgs: 29979245800,
  CUncertainty: 0,
  G: 6.6743e-11,
  Gcgs: 6.674299999999999e-8,
  GUncertainty: 1.5e-15,
  GhbarC: 6.70883e-39,
  GhbarCUncertainty: 1.5e-43,
  Gn: 9.80665,
  GnUncertainty: 0,
  H: 6.62607015e-34,
  Hcgs: 6.62607015e-27,
  HUncertainty: 0,
  Hbar: 1.054571817e-34,
  Hbarcgs: 1.054571817e-27,
  HbarUncertainty: 0,
  HC: 1.9864458571489286e-25,
  HCcgs: 1.9864458571489287e-16,
  K: 1.380649e-23,
  Kcgs: 1.380649e-16,
  KUncertainty: 0,
  Sigma: 5.670373e-8,
  SigmaUncertainty: 0,
  Na: 6.02214076e23,
  NaUncertainty: 0,
  R: 8.31446261815324,
  RUncertainty: 0,
  MWair: 28.9644,
  Rgair: 287.0579959589441,
  EulerGamma: 0.5772156649015329,
  Qe: 1.602176634e-19,
  QeUncertainty: 0,
};

const UNARY: Record<string, UnaryOp> = {
  Abs: 'abs',
  Sqrt: 'sqrt',
  Exp: 'exp',
  Log: 'log',
  Log10: 'log10',
  Sin: 'sin',
  Cos: 'cos',
  Tan: 'tan',
  SinH: 'sinh',
  CosH: 'cosh',
  TanH: 'tanh',
  ASin: 'asin',
  ACos: 'acos',
  ATan: 'atan',
  ASinH: 'asinh',
  Ceil: 'ceil',
  Floor: 'floor',
  IsNaN: 'isNaN',
};

const BINARY: Record<string, BinaryOp> = {
  Power: 'pow',
  ATan2: 'atan2',
  Hypot: 'hypot',
  Min: 'least',
  Max: 'most',
  Sign: 'copysign',
};

const MATH: Record<string, [args: number, f: MathFunction, ...defaults: number[]]> = {
  Log2: [1, 'log2'],
  ACosH: [1, 'acosh'],
  ATanH: [1, 'atanh'],
  Erf: [1, 'erf'],
  Erfc: [1, 'erfc'],
  ErfInverse: [1, 'erfInverse'],
  Freq: [1, 'freq'],
  LnGamma: [1, 'lgamma'],
  NormQuantile: [1, 'normalQuantile'],
  ChisquareQuantile: [2, 'chisquareQuantile'],
  StudentQuantile: [3, 'studentQuantile', 1],
  Beta: [2, 'beta'],
  BetaIncomplete: [3, 'incBeta'],
  BetaCf: [3, 'betaCf'],
  Factorial: [1, 'factorial'],
  Binomial: [2, 'binomial'],
  KolmogorovProb: [1, 'kolmogorov'],
  Voigt: [4, 'voigt', 4],
  LandauI: [1, 'landauI'],
  Vavilov: [3, 'vavilov'],
  VavilovI: [3, 'vavilovI'],
  BesselI: [2, 'besselI'],
  BesselI0: [1, 'besselI0'],
  BesselI1: [1, 'besselI1'],
  BesselK: [2, 'besselK'],
  BesselK0: [1, 'besselK0'],
  BesselK1: [1, 'besselK1'],
  BesselJ0: [1, 'besselJ0'],
  BesselJ1: [1, 'besselJ1'],
  BesselY0: [1, 'besselY0'],
  BesselY1: [1, 'besselY1'],
  StruveH0: [1, 'struveH0'],
  StruveH1: [1, 'struveH1'],
  StruveL0: [1, 'struveL0'],
  StruveL1: [1, 'struveL1'],
  DiLog: [1, 'dilog'],
};

/** Bodies are in C: see FunctionSpec. */
const TEXTS: Record<string, [args: number, body: string, ...defaults: number[]]> = {
  Sq: [1, 'a*a'],
  Odd: [1, 'int(a) & 1'],
  Even: [1, '!(int(a) & 1)'],
  Range: [3, 'c < a ? a : c > b ? b : c'],
  SignBit: [1, 'a < 0 || copysign(1, a) < 0'],
  AreEqualAbs: [3, 'fabs(a - b) < c || fabs(a - b) < 2.2250738585072014e-308'],
  AreEqualRel: [3, 'fabs(a - b) <= 0.5*c*(fabs(a) + fabs(b)) || fabs(a - b) < 2.2250738585072014e-308'],
  Nint: [1, 'xylem::int32(TMath::Floor(a) == a ? a : rint(a))'],
  CeilNint: [1, 'xylem::int32(ceil(a))'],
  FloorNint: [1, 'xylem::int32(floor(a))'],
  Ldexp: [2, 'xylem::scale(a, xylem::int32(b))'],
  Finite: [1, 'isfinite(a)'],
  Infinity: [0, '1/0'],
  QuietNaN: [0, '0/0'],
  SignalingNaN: [0, '0/0'],
  ErfcInverse: [1, '-0.70710678118654752440*TMath::NormQuantile(0.5*a)'],
  Gaus: [4, 'c == 0 ? 1e30 : xylem::gaus((a-b)/c) * (d ? 1/(SQRT_2PI*c) : 1)', 0, 1, 0],
  Landau: [4, 'c <= 0 ? 0 : d ? xylem::landau((a-b)/c)/c : xylem::landau((a-b)/c)', 0, 1, 0],
  BreitWigner: [3, `c/((a-b)*(a-b) + c*c/4)/${2 * PI}`, 0, 1],
  BreitWignerRelativistic: [3, 'xylem::breitWigner(a*a - b*b, b*b, b*c, TMath::Sqrt(b*b*(b*b + c*c)))', 0, 1],
  CauchyDist: [3, `1/(c*${PI}*(1 + (a-b)*(a-b)/(c*c)))`, 0, 1],
  LaplaceDist: [3, 'TMath::Exp(-fabs((a-b)/c))/(2*c)', 0, 1],
  LaplaceDistI: [3, 'a <= b ? 0.5*TMath::Exp(-fabs((a-b)/c)) : 1 - 0.5*TMath::Exp(-fabs((a-b)/c))', 0, 1],
  LogNormal: [4, 'a < c || b <= 0 || d <= 0 ? 0 : ROOT::Math::lognormal_pdf(a, TMath::Log(d), b, c)', 0, 1],
  GammaDist: [4, 'a < c || b <= 0 || d <= 0 ? 0 : ROOT::Math::gamma_pdf(a, b, d, c)', 0, 1],
  BetaDist: [3, 'a < 0 || a > 1 || b <= 0 || c <= 0 ? 0 : pow(a, b-1)*pow(1-a, c-1)/TMath::Beta(b, c)'],
  BetaDistI: [3, 'a < 0 || a > 1 || b <= 0 || c <= 0 ? 0 : TMath::BetaIncomplete(a, b, c)'],
  BinomialI: [3, 'xylem::binomialI(a, xylem::int32(b), xylem::int32(c))'],
  Poisson: [
    2,
    'b < 0 ? 0/0 : a < 0 ? 0 : a == 0 ? TMath::Exp(-b) : TMath::Exp(a*TMath::Log(b) - TMath::LnGamma(a+1) - b)',
  ],
  PoissonI: [2, 'TMath::Poisson(xylem::int32(a), b)'],
  Prob: [2, 'xylem::prob(a, xylem::int32(b))'],
  FDist: [3, 'ROOT::Math::fdistribution_pdf(a, b, c)'],
  FDistI: [3, 'ROOT::Math::fdistribution_cdf(a, b, c)'],
  Student: [
    2,
    `b < 1 ? 0 : TMath::Gamma(0.5*b + 0.5)/(TMath::Sqrt(b*${PI})*TMath::Gamma(0.5*b)*pow(1 + a*a/b, 0.5*b + 0.5))`,
  ],
  StudentI: [2, 'xylem::studentI(a, 0.5*TMath::BetaIncomplete(b/(b + a*a), b*0.5, 0.5))'],
};

/** Parts of the functions above. Each argument is evaluated once. */
const PARTS: Record<string, [args: number, body: string]> = {
  int32: [1, 'a > -2147483649 && a < 2147483648 ? trunc(a) : -2147483648'],
  /** Multiplies in two steps, because 2^b may be infinite while the result is finite. */
  scale: [2, 'a*pow(2, xylem::range(trunc(b/2)))*pow(2, xylem::range(b - trunc(b/2)))'],
  range: [1, 'a < -1074 ? -1074 : a > 1023 ? 1023 : a'],
  gaus: [1, 'fabs(a) > 39 ? 0 : TMath::Exp(-0.5*a*a)'],
  breitWigner: [4, '0.90031631615710606*c*d/TMath::Sqrt(b + d)/(a*a + c*c)'],
  binomialI: [3, 'c <= 0 ? 1 : c > b ? 0 : c == b ? pow(a, b) : TMath::BetaIncomplete(a, c, b-c+1)'],
  prob: [2, 'b <= 0 || a < 0 ? 0 : a == 0 ? 1 : ROOT::Math::chisquared_cdf_c(a, b)'],
  studentI: [2, 'a > 0 ? 1 - b : b'],
};

function specs(): [string, FunctionSpecs][] {
  const list: [string, FunctionSpec][] = [
    ...Object.entries(UNARY).map(([name, unary]): [string, FunctionSpec] => [name, { args: 1, unary }]),
    ...Object.entries(BINARY).map(([name, binary]): [string, FunctionSpec] => [name, { args: 2, binary }]),
    ...Object.entries(MATH).map(([name, [args, math, ...defaults]]): [string, FunctionSpec] => [
      name,
      { args, math, defaults },
    ]),
    ...Object.entries(TEXTS).map(([name, [args, body, ...defaults]]): [string, FunctionSpec] => [
      name,
      { args, text: body.replace('SQRT_2PI', SQRT_2PI), defaults },
    ]),
    ...Object.entries(CONSTANTS).map(([name, value]): [string, FunctionSpec] => [
      name,
      { args: 0, text: String(value) },
    ]),
  ];
  return list.map(([name, spec]) => [`TMath::${name}`, [spec]]);
}

/** The functions of TMath that take numbers. Names and defaults are those of ROOT 6.40. */
export const TMATH: [string, FunctionSpecs][] = [
  ...specs(),
  [
    'TMath::Gamma',
    [
      { args: 1, math: 'rootGamma' },
      { args: 2, math: 'incGamma' },
    ],
  ],
  ['xylem::landau', [{ args: 1, math: 'landau' }]],
  ...Object.entries(PARTS).map(([name, [args, text]]): [string, FunctionSpecs] => [
    `xylem::${name}`,
    [{ args, text }],
  ]),
];
