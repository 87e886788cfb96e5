import type { Model } from '../formula/model';
import { type Language, writtenFunction } from './expression';

const lambda = (args: string, body: string) => `[](${args}) { return ${body}; }`;
const helper = (name: string, args: string, body: string) => ({
  text: `auto ${name} = ${lambda(args, body)};\n`,
});

const CPP: Language = {
  name: 'C++',
  number: (value) => {
    if (Number.isNaN(value)) return 'std::nan("")';
    if (!Number.isFinite(value)) return `${value < 0 ? '-' : ''}INFINITY`;
    const text = String(value);
    return /[.e]/.test(text) ? text : `${text}.`;
  },
  coordinate: (index) => `x[${index}]`,
  parameter: (index) => `p[${index}]`,
  unary: {
    abs: 'std::abs(x)',
    sqrt: 'std::sqrt(x)',
    log: 'std::log(x)',
    log10: 'std::log10(x)',
    exp: 'std::exp(x)',
    sin: 'std::sin(x)',
    cos: 'std::cos(x)',
    tan: 'std::tan(x)',
    asin: 'std::asin(x)',
    acos: 'std::acos(x)',
    atan: 'std::atan(x)',
    sinh: 'std::sinh(x)',
    cosh: 'std::cosh(x)',
    tanh: 'std::tanh(x)',
    asinh: 'std::asinh(x)',
    floor: 'std::floor(x)',
    ceil: 'std::ceil(x)',
    round: 'std::round(x)',
    trunc: 'std::trunc(x)',
    int: 'std::trunc(x)',
    sign: 'signOf(x)',
    nint: 'std::rint(x)',
    isNaN: 'std::isnan(x)',
    rootSqrt: 'std::sqrt(std::abs(x))',
    rootLog: 'log0(x)',
    rootLog10: '(log0(x) / std::log(10.))',
    rootExp: 'limitedExp(x)',
    rootAsin: 'asin0(x)',
    rootAcos: 'acos0(x)',
  },
  binary: {
    pow: 'std::pow(x, y)',
    mod: 'std::fmod(std::trunc(x), std::trunc(y))',
    atan2: 'TMath::ATan2(x, y)',
    cAtan2: 'std::atan2(x, y)',
    fmod: 'std::fmod(x, y)',
    least: 'least(x, y)',
    most: 'most(x, y)',
    hypot: 'std::hypot(x, y)',
    copysign: 'std::copysign(x, y)',
    deltaPhi: 'std::remainder((x) - (y), 2 * M_PI)',
  },
  math: {
    log2: 'std::log2(x)',
    log1p: 'std::log1p(x)',
    expm1: 'std::expm1(x)',
    exp2: 'std::exp2(x)',
    cbrt: 'std::cbrt(x)',
    acosh: 'std::acosh(x)',
    atanh: 'std::atanh(x)',
    erf: 'std::erf(x)',
    erfc: 'std::erfc(x)',
    tgamma: 'std::tgamma(x)',
    rootGamma: 'TMath::Gamma(x)',
    lgamma: 'ROOT::Math::lgamma(x)',
    erfInverse: 'TMath::ErfInverse(x)',
    freq: 'TMath::Freq(x)',
    normalQuantile: 'TMath::NormQuantile(x)',
    normalQuantile2: 'ROOT::Math::normal_quantile(x, 1)',
    incGamma: 'ROOT::Math::inc_gamma(x, y)',
    incGammaC: 'ROOT::Math::inc_gamma_c(x, y)',
    beta: 'ROOT::Math::beta(x, y)',
    incBeta: 'ROOT::Math::inc_beta(x, y, z)',
    voigt: 'TMath::Voigt(x, y, z)',
    landau: 'ROOT::Math::landau_pdf(x)',
    landauI: 'TMath::LandauI(x)',
    besselI0: 'TMath::BesselI0(x)',
    besselI1: 'TMath::BesselI1(x)',
    besselK0: 'TMath::BesselK0(x)',
    besselK1: 'TMath::BesselK1(x)',
    besselJ0: 'TMath::BesselJ0(x)',
    besselJ1: 'TMath::BesselJ1(x)',
    besselY0: 'TMath::BesselY0(x)',
    besselY1: 'TMath::BesselY1(x)',
    struveH0: 'TMath::StruveH0(x)',
    struveH1: 'TMath::StruveH1(x)',
    struveL0: 'TMath::StruveL0(x)',
    struveL1: 'TMath::StruveL1(x)',
    dilog: 'TMath::DiLog(x)',
    sinint: 'ROOT::Math::sinint(x)',
    cosint: 'ROOT::Math::cosint(x)',
  },
  and: '&&',
  or: '||',
  not: '!',
  select: '((x) ? y : z)',
  crystal: 'ROOT::Math::crystalball_function(x, y, z, 1, 0)',
  truth: 'double(x)',
  helpers: {
    signOf: helper('signOf', 'double x', 'x < 0 ? -1. : 1.'),
    log0: helper('log0', 'double x', 'x > 0 ? std::log(x) : 0.'),
    limitedExp: helper('limitedExp', 'double x', 'x < -700 ? 0. : std::exp(x > 700 ? 700. : x)'),
    asin0: helper('asin0', 'double x', 'std::abs(x) > 1 ? 0. : std::asin(x)'),
    acos0: helper('acos0', 'double x', 'std::abs(x) > 1 ? 0. : std::acos(x)'),
    least: helper('least', 'double x, double y', 'x <= y ? x : y'),
    most: helper('most', 'double x, double y', 'x >= y ? x : y'),
  },
};

/** A lambda of coordinates and parameters, for a TF1. Throws Untranslated. */
export function cppFunction(model: Model): string {
  const { locals, result, helpers } = writtenFunction(model, CPP);
  const inner = helpers.map((text) => `   ${text}`).join('');
  const lines = locals.map(({ name, text }) => `   const double ${name} = ${text};\n`).join('');
  return `[](double *x, double *p) {\n${inner}${lines}   return double(${result});\n}`;
}
