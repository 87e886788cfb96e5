import type { MathFunction } from '../../core/math-ops';
import { ofC } from './bodies';
import type { FunctionSpecs } from './functions';

const PI = Math.PI;
const SQRT_2PI = Math.sqrt(2 * PI);

const MATH: Record<string, [args: number, f: MathFunction]> = {
  erf: [1, 'erf'],
  erfc: [1, 'erfc'],
  tgamma: [1, 'rootGamma'],
  lgamma: [1, 'lgamma'],
  expm1: [1, 'expm1'],
  log1p: [1, 'log1p'],
  inc_gamma: [2, 'incGamma'],
  inc_gamma_c: [2, 'incGammaC'],
  beta: [2, 'beta'],
  inc_beta: [3, 'incBeta'],
  sinint: [1, 'sinint'],
  cosint: [1, 'cosint'],
};

/**
 * Densities, distributions and quantiles by the formulas of MathCore. Bodies are in C: see FunctionSpec.
 * R:: is short for ROOT::Math::.
 */
const TEXTS: Record<string, [args: number, body: string, ...defaults: number[]]> = {
  Pi: [0, `${PI}`],
  beta_pdf: [
    3,
    'a < 0 || a > 1 ? 0 : a == 0 ? xylem::end(b, c) : a == 1 ? xylem::end(c, b) : xylem::beta(a, b, c)',
  ],
  binomial_pdf: [3, 'xylem::binomial(xylem::uint(a), b, xylem::uint(c))'],
  negative_binomial_pdf: [3, 'c < 0 || b < 0 || b > 1 ? 0 : xylem::negative(xylem::uint(a), b, c)'],
  breitwigner_pdf: [3, `b/2/(${PI}*((a-c)*(a-c) + b*b/4))`, 0],
  cauchy_pdf: [3, `b/(${PI}*((a-c)*(a-c) + b*b))`, 1, 0],
  chisquared_pdf: [
    3,
    'a-c < 0 ? 0 : a == c && b == 2 ? 0.5 : exp((b/2 - 1)*log((a-c)/2) - (a-c)/2 - R::lgamma(b/2))/2',
    0,
  ],
  crystalball_function: [5, 'd < 0 ? 0 : xylem::crystal(b < 0 ? -(a-e)/d : (a-e)/d, fabs(b), c)', 0],
  crystalball_pdf: [
    5,
    'd < 0 ? 0 : c <= 1 ? 0/0 : 1/(d*xylem::crystalSum(fabs(b), c))*R::crystalball_function(a, b, c, d, e)',
    0,
  ],
  exponential_pdf: [3, 'a-c < 0 ? 0 : b*exp(-b*(a-c))', 0],
  fdistribution_pdf: [4, 'b < 0 || c < 0 ? 0/0 : a-d < 0 ? 0 : xylem::fdistribution(a-d, b, c)', 0],
  gamma_pdf: [4, 'a-d < 0 ? 0 : a-d == 0 ? (b == 1 ? 1/c : 0) : xylem::gamma((a-d)/c, b)/c', 0],
  gaussian_pdf: [3, 'R::normal_pdf(a, b, c)', 1, 0],
  bigaussian_pdf: [7, `xylem::bigaussian((a-f)/c, (b-g)/d, e)/(${2 * PI}*c*d*sqrt(1 - e*e))`, 1, 1, 0, 0, 0],
  landau_pdf: [3, 'b <= 0 ? 0 : xylem::landau((a-c)/b)/b', 1, 0],
  lognormal_pdf: [4, 'a-d <= 0 ? 0 : xylem::half((log(a-d) - b)/c)/((a-d)*fabs(c)*SQRT_2PI)', 0],
  normal_pdf: [3, 'xylem::half((a-c)/b)/(SQRT_2PI*fabs(b))', 1, 0],
  poisson_pdf: [2, 'xylem::poisson(xylem::uint(a), b)'],
  tdistribution_pdf: [
    3,
    `exp(R::lgamma((b+1)/2) - R::lgamma(b/2))/sqrt(${PI}*b)*pow(1 + (a-c)*(a-c)/b, -(b+1)/2)`,
    0,
  ],
  uniform_pdf: [4, 'a-d < c && a-d >= b ? 1/(c-b) : 0', 0],

  beta_cdf: [3, 'R::inc_beta(a, b, c)'],
  beta_cdf_c: [3, 'R::inc_beta(1-a, c, b)'],
  breitwigner_cdf: [3, `0.5 + atan(2*(a-c)/b)/${PI}`, 0],
  breitwigner_cdf_c: [3, `0.5 - atan(2*(a-c)/b)/${PI}`, 0],
  cauchy_cdf: [3, `0.5 + atan((a-c)/b)/${PI}`, 0],
  cauchy_cdf_c: [3, `0.5 - atan((a-c)/b)/${PI}`, 0],
  chisquared_cdf: [3, 'R::inc_gamma(0.5*b, 0.5*(a-c))', 0],
  chisquared_cdf_c: [3, 'R::inc_gamma_c(0.5*b, 0.5*(a-c))', 0],
  crystalball_cdf: [
    5,
    'c <= 1 ? 0/0 : b > 0 ? 1 - xylem::tail(a, b, c, d, e) : xylem::tail(a, b, c, d, e)',
    0,
  ],
  crystalball_cdf_c: [
    5,
    'c <= 1 ? 0/0 : b > 0 ? xylem::tail(a, b, c, d, e) : 1 - xylem::tail(a, b, c, d, e)',
    0,
  ],
  crystalball_integral: [
    5,
    'd == 0 || b == 0 ? 0 : d*xylem::crystalIntegral(b < 0 ? -(a-e)/d : (a-e)/d, fabs(b), c)',
    0,
  ],
  exponential_cdf: [3, 'a-c < 0 ? 0 : -R::expm1(-b*(a-c))', 0],
  exponential_cdf_c: [3, 'a-c < 0 ? 1 : exp(-b*(a-c))', 0],
  fdistribution_cdf: [4, 'b < 0 || c < 0 ? 0/0 : xylem::fcdf(b*(a-d), c, b)', 0],
  fdistribution_cdf_c: [4, 'b < 0 || c < 0 ? 0/0 : xylem::fcdfC(b*(a-d), c, b)', 0],
  gamma_cdf: [4, 'R::inc_gamma(b, (a-d)/c)', 0],
  gamma_cdf_c: [4, 'R::inc_gamma_c(b, (a-d)/c)', 0],
  landau_cdf: [3, 'xylem::landauI((a-c)/b)', 1, 0],
  landau_cdf_c: [3, '1 - xylem::landauI((a-c)/b)', 1, 0],
  lognormal_cdf: [4, 'xylem::below((log(a-d) - b)/(c*SQRT2))', 0],
  lognormal_cdf_c: [4, 'xylem::below(-(log(a-d) - b)/(c*SQRT2))', 0],
  normal_cdf: [3, 'xylem::below((a-c)/(b*SQRT2))', 1, 0],
  normal_cdf_c: [3, 'xylem::below(-(a-c)/(b*SQRT2))', 1, 0],
  gaussian_cdf: [3, 'R::normal_cdf(a, b, c)', 1, 0],
  gaussian_cdf_c: [3, 'R::normal_cdf_c(a, b, c)', 1, 0],
  tdistribution_cdf: [3, '0.5 + xylem::student(a-c, b)', 0],
  tdistribution_cdf_c: [3, '0.5 - xylem::student(a-c, b)', 0],
  uniform_cdf: [4, 'a-d < b ? 0 : a-d >= c ? 1 : (a-d-b)/(c-b)', 0],
  uniform_cdf_c: [4, 'a-d < b ? 1 : a-d >= c ? 0 : (c-(a-d))/(c-b)', 0],
  poisson_cdf: [2, 'R::inc_gamma_c(xylem::uint(a) + 1, b)'],
  poisson_cdf_c: [2, 'R::inc_gamma(xylem::uint(a) + 1, b)'],
  binomial_cdf: [
    3,
    'xylem::uint(a) >= xylem::uint(c) ? 1 : R::beta_cdf_c(b, xylem::uint(a) + 1, xylem::uint(c) - xylem::uint(a))',
  ],
  binomial_cdf_c: [
    3,
    'xylem::uint(a) >= xylem::uint(c) ? 0 : R::beta_cdf(b, xylem::uint(a) + 1, xylem::uint(c) - xylem::uint(a))',
  ],
  negative_binomial_cdf: [3, 'c < 0 || b < 0 || b > 1 ? 0 : R::beta_cdf(b, c, xylem::uint(a) + 1)'],
  negative_binomial_cdf_c: [3, 'c < 0 || b < 0 || b > 1 ? 0 : R::beta_cdf_c(b, c, xylem::uint(a) + 1)'],

  beta_quantile: [3, 'xylem::incBetaInverse(a, b, c)'],
  beta_quantile_c: [3, 'a < 0.5 ? 1 - xylem::incBetaInverse(a, c, b) : xylem::incBetaInverse(1-a, b, c)'],
  cauchy_quantile: [2, `a == 0 ? -1/0 : a == 1 ? 1/0 : a < 0.5 ? -b/tan(${PI}*a) : b*tan(${PI}*(a-0.5))`],
  cauchy_quantile_c: [2, `a == 0 ? 1/0 : a == 1 ? -1/0 : a < 0.5 ? b/tan(${PI}*a) : b*tan(${PI}*(0.5-a))`],
  breitwigner_quantile: [2, 'R::cauchy_quantile(a, b/2)'],
  breitwigner_quantile_c: [2, 'R::cauchy_quantile_c(a, b/2)'],
  chisquared_quantile: [2, '2*xylem::incGammaInverse(0.5*b, 1-a)'],
  chisquared_quantile_c: [2, '2*xylem::incGammaInverse(0.5*b, a)'],
  exponential_quantile: [2, '-R::log1p(-a)/b'],
  exponential_quantile_c: [2, '-log(a)/b'],
  fdistribution_quantile: [3, 'b == 0 ? 0 : xylem::fquantile(xylem::incBetaInverse(a, 0.5*b, 0.5*c), b, c)'],
  fdistribution_quantile_c: [
    3,
    'b == 0 ? 0 : a < 0.5 ? c/(b*xylem::incBetaInverse(a, 0.5*c, 0.5*b)) - c/b : xylem::fquantile(xylem::incBetaInverse(1-a, 0.5*b, 0.5*c), b, c)',
  ],
  gamma_quantile: [3, 'c*xylem::incGammaInverse(b, 1-a)'],
  gamma_quantile_c: [3, 'c*xylem::incGammaInverse(b, a)'],
  normal_quantile: [2, 'b*xylem::normalQuantile(a)'],
  normal_quantile_c: [2, '-b*xylem::normalQuantile(a)'],
  gaussian_quantile: [2, 'b*xylem::normalQuantile(a)'],
  gaussian_quantile_c: [2, '-b*xylem::normalQuantile(a)'],
  lognormal_quantile: [3, 'exp(c*xylem::normalQuantile(a) + b)'],
  lognormal_quantile_c: [3, 'exp(-c*xylem::normalQuantile(a) + b)'],
  uniform_quantile: [3, 'c*a + b*(1-a)'],
  uniform_quantile_c: [3, 'b*a + c*(1-a)'],
};

/** Parts of the functions above. Each argument is evaluated once. */
const PARTS: Record<string, [args: number, body: string]> = {
  /** Converts a double to an unsigned int as C++ does. */
  uint: [
    1,
    'a > -9223372036854775809 && a < 9223372036854775808 ? trunc(a) - 4294967296*floor(trunc(a)/4294967296) : 0',
  ],
  half: [1, 'exp(-a*a/2)'],
  end: [2, 'a < 1 ? 1/0 : a > 1 ? 0 : b'],
  beta: [3, 'exp(R::lgamma(b+c) - R::lgamma(b) - R::lgamma(c) + log(a)*(b-1) + R::log1p(-a)*(c-1))'],
  binomial: [
    3,
    'a > c ? 0 : exp(R::lgamma(xylem::uint(c+1)) - R::lgamma(xylem::uint(a+1)) - R::lgamma(xylem::uint(c-a+1)) + a*log(b) + (c-a)*R::log1p(-b))',
  ],
  negative: [3, 'exp(R::lgamma(a+c) - R::lgamma(a+1) - R::lgamma(c) + c*log(b) + a*R::log1p(-b))'],
  crystal: [3, 'a > -b ? exp(-0.5*a*a) : exp(-0.5*b*b)*pow(c/b/(c/b - b - a), c)'],
  crystalSum: [2, `b/a/(b-1)*exp(-a*a/2) + ${Math.sqrt(PI / 2)}*(1 + R::erf(a/SQRT2))`],
  crystalIntegral: [
    3,
    `a <= -b ? ${Math.sqrt(PI / 2)}*(1 + R::erf(b/SQRT2)) + xylem::crystalPower(c/b - b - a, b, c) : xylem::below(-a/SQRT2)*SQRT_2PI`,
  ],
  crystalPower: [3, 'exp(-0.5*b*b)*(c == 1 ? c/b*(log(a) - log(c/b)) : c/b/(c-1)*(1 - pow(b/c*a, 1-c)))'],
  tail: [5, 'R::crystalball_integral(a, b, c, d, e)/(d*xylem::crystalSum(fabs(b), c))'],
  fdistribution: [
    3,
    'exp(b/2*log(b) + c/2*log(c) + R::lgamma((b+c)/2) - R::lgamma(b/2) - R::lgamma(c/2) + (b/2 - 1)*log(a) - (b+c)/2*log(c + b*a))',
  ],
  /** The arguments are a = n x, b = m, c = n. Near 1 the opposite tail gives the exact value. */
  fcdf: [
    3,
    'a/(b+a) > 0.9 && c > 1 && b > 1 ? 1 - R::inc_beta(b/(b+a), 0.5*b, 0.5*c) : R::inc_beta(a/(b+a), 0.5*c, 0.5*b)',
  ],
  fcdfC: [
    3,
    'b/(b+a) > 0.9 && c > 1 && b > 1 ? 1 - R::inc_beta(a/(b+a), 0.5*c, 0.5*b) : R::inc_beta(b/(b+a), 0.5*b, 0.5*c)',
  ],
  fquantile: [3, 'c*a/(b*(1-a))'],
  gamma: [2, 'b == 1 ? exp(-a) : exp((b-1)*log(a) - a - R::lgamma(b))'],
  bigaussian: [3, 'exp(-(a*a - 2*c*a*b + b*b)/(2*(1 - c*c)))'],
  poisson: [2, 'a > 0 && b >= 0 ? exp(a*log(b) - R::lgamma(xylem::uint(a+1)) - b) : b >= 0 ? exp(-b) : 0/0'],
  below: [1, 'a < -1 ? 0.5*R::erfc(-a) : 0.5*(1 + R::erf(a))'],
  student: [2, '0.5*R::inc_beta(a*a/(b + a*a), 0.5, 0.5*b)*(a > 0 ? 1 : -1)'],
};

const OWN: Record<string, [args: number, f: MathFunction]> = {
  landauI: [1, 'landauI'],
  incBetaInverse: [3, 'incBetaInverse'],
  incGammaInverse: [2, 'incGammaInverse'],
  normalQuantile: [1, 'normalQuantile2'],
};

/** Replaces the abbreviations in a body. */
function whole(body: string): string {
  const long = body.replaceAll('R::', 'ROOT::Math::').replaceAll('SQRT_2PI', `${SQRT_2PI}`);
  return ofC(long.replaceAll('SQRT2', `${Math.SQRT2}`));
}

/** The functions of ROOT::Math in MathCore that take numbers. Names and defaults are those of ROOT 6.40. */
export const ROOT_MATH: [string, FunctionSpecs][] = [
  ...Object.entries(MATH).map(([name, [args, math]]): [string, FunctionSpecs] => [
    `ROOT::Math::${name}`,
    [{ args, math }],
  ]),
  ...Object.entries(TEXTS).map(([name, [args, body, ...defaults]]): [string, FunctionSpecs] => [
    `ROOT::Math::${name}`,
    [{ args, text: whole(body), defaults }],
  ]),
  ...Object.entries(OWN).map(([name, [args, math]]): [string, FunctionSpecs] => [
    `xylem::${name}`,
    [{ args, math }],
  ]),
  ...Object.entries(PARTS).map(([name, [args, body]]): [string, FunctionSpecs] => [
    `xylem::${name}`,
    [{ args, text: whole(body) }],
  ]),
];
