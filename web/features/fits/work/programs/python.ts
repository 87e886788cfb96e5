import type { Model } from '../formula/model';
import { type Language, writtenFunction } from './expression';

const helper = (text: string, needs: string[] = []) => ({ text, needs });

const RATIOS = (rows: readonly (readonly number[])[]): string =>
  rows.map((row) => `        [${row.join(', ')}],\n`).join('');

/** Names that a parameter must not have in the programs. */
const RESERVED = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield np special x y z p f'
  ).split(' '),
);

/** Numpy and scipy. */
const PYTHON: Omit<Language, 'parameter'> = {
  name: 'numpy',
  number: (value) =>
    Number.isNaN(value) ? 'np.nan' : Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}np.inf`,
  coordinate: (index) => 'xyz'[index] ?? 'x',
  unary: {
    abs: 'np.abs(x)',
    sqrt: 'np.sqrt(x)',
    log: 'np.log(x)',
    log10: 'np.log10(x)',
    exp: 'np.exp(x)',
    sin: 'np.sin(x)',
    cos: 'np.cos(x)',
    tan: 'np.tan(x)',
    asin: 'np.arcsin(x)',
    acos: 'np.arccos(x)',
    atan: 'np.arctan(x)',
    sinh: 'np.sinh(x)',
    cosh: 'np.cosh(x)',
    tanh: 'np.tanh(x)',
    asinh: 'np.arcsinh(x)',
    floor: 'np.floor(x)',
    ceil: 'np.ceil(x)',
    round: 'rounded(x)',
    trunc: 'np.trunc(x)',
    int: 'np.trunc(x)',
    sign: 'sign(x)',
    nint: 'np.rint(x)',
    isNaN: 'np.isnan(x)',
    rootSqrt: 'np.sqrt(np.abs(x))',
    rootLog: 'log0(x)',
    rootLog10: '(log0(x) / np.log(10))',
    rootExp: 'limited_exp(x)',
    rootAsin: 'within(np.arcsin, x)',
    rootAcos: 'within(np.arccos, x)',
  },
  binary: {
    pow: 'np.power(1.0 * (x), y)',
    mod: 'np.fmod(np.trunc(x), np.trunc(y))',
    atan2: 'np.arctan2(x, (y) + 0.0)',
    cAtan2: 'np.arctan2(x, y)',
    fmod: 'np.fmod(x, y)',
    least: 'least(x, y)',
    most: 'most(x, y)',
    hypot: 'np.hypot(x, y)',
    copysign: 'np.copysign(x, y)',
    deltaPhi: 'delta_phi(x, y)',
  },
  math: {
    log2: 'np.log2(x)',
    log1p: 'np.log1p(x)',
    expm1: 'np.expm1(x)',
    exp2: 'np.exp2(x)',
    cbrt: 'np.cbrt(x)',
    acosh: 'np.arccosh(x)',
    atanh: 'np.arctanh(x)',
    erf: 'special.erf(x)',
    erfc: 'special.erfc(x)',
    tgamma: 'special.gamma(x)',
    rootGamma: 'special.gamma(x)',
    lgamma: 'special.gammaln(x)',
    erfInverse: 'special.erfinv(x)',
    freq: 'special.ndtr(x)',
    normalQuantile: 'special.ndtri(x)',
    normalQuantile2: 'special.ndtri(x)',
    incGamma: 'special.gammainc(x, y)',
    incGammaC: 'special.gammaincc(x, y)',
    beta: 'special.beta(x, y)',
    incBeta: 'special.betainc(y, z, x)',
    voigt: 'special.voigt_profile(x, y, (z) / 2)',
    landau: 'landau(x)',
    besselI0: 'special.i0(x)',
    besselI1: 'special.i1(x)',
    besselK0: 'special.k0(x)',
    besselK1: 'special.k1(x)',
    besselJ0: 'special.j0(x)',
    besselJ1: 'special.j1(x)',
    besselY0: 'special.y0(x)',
    besselY1: 'special.y1(x)',
  },
  and: '&',
  or: '|',
  not: '~np.bool_',
  select: 'np.where(x, y, z)',
  crystal: 'crystal(x, y, z)',
  truth: '(1.0 * (x))',
  helpers: {
    rounded: helper(`def rounded(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)
`),
    sign: helper(`def sign(x):
    return np.where(x < 0, -1.0, 1.0)
`),
    log0: helper(`def log0(x):
    return np.where(x > 0, np.log(np.where(x > 0, x, 1)), 0)
`),
    limited_exp: helper(`def limited_exp(x):
    return np.where(x < -700, 0, np.exp(np.minimum(x, 700)))
`),
    within: helper(`def within(function, x):
    return np.where(np.abs(x) > 1, 0, function(np.clip(x, -1, 1)))
`),
    least: helper(`def least(x, y):
    return np.where(x <= y, x, y)
`),
    most: helper(`def most(x, y):
    return np.where(x >= y, x, y)
`),
    delta_phi: helper(`def delta_phi(x, y):
    return (x - y + np.pi) % (2 * np.pi) - np.pi
`),
    crystal: helper(`def crystal(z, alpha, n):
    """The line of Crystal Ball: a Gaussian with a tail below -alpha."""
    z = np.where(alpha < 0, -z, z)
    a = np.abs(alpha)
    tail = np.exp(-0.5 * a * a) * (n / a / np.where(z > -a, n / a, n / a - a - z)) ** n
    return np.where(z > -a, np.exp(-0.5 * z * z), tail)
`),
    landau: helper(`def landau(v):
    """Landau's distribution by the rational functions of CERNLIB's DENLAN."""
    near = [
${RATIOS([
  [0.4259894875, -0.124976255, 0.039843437, -0.006298287635, 0.001511162253],
  [1.0, -0.3388260629, 0.09594393323, -0.01608042283, 0.003778942063],
  [0.1788541609, 0.1173957403, 0.01488850518, -0.001394989411, 0.0001283617211],
  [1.0, 0.7428795082, 0.3153932961, 0.06694219548, 0.008790609714],
  [0.1788544503, 0.09359161662, 0.006325387654, 0.00006611667319, -0.000002031049101],
  [1.0, 0.6097809921, 0.2560616665, 0.04746722384, 0.006957301675],
])}    ]
    far = [
${RATIOS([
  [0.9874054407, 118.6723273, 849.279436, -743.7792444, 427.0262186],
  [1.0, 106.8615961, 337.6496214, 2016.712389, 1597.063511],
  [1.003675074, 167.5702434, 4789.711289, 21217.86767, -22324.9491],
  [1.0, 156.9424537, 3745.310488, 9834.698876, 66924.28357],
  [1.000827619, 664.9143136, 62972.92665, 475554.6998, -5743609.109],
  [1.0, 651.4101098, 56974.73333, 165917.4725, -2815759.939],
])}    ]
    polynomial = np.polynomial.polynomial.polyval
    ratio = lambda rows, i, u: polynomial(u, rows[2 * i]) / polynomial(u, rows[2 * i + 1])
    v = np.asarray(v, dtype=float)
    out = np.full(v.shape, np.nan)
    below, left = v < -5.5, (v >= -5.5) & (v < -1)
    u = np.exp(v[below] + 1)
    u = np.where(u < 1e-10, 1e-10, u)
    out[below] = np.where(u <= 1e-10, 0, 0.3989422803 * np.exp(-1 / u) / np.sqrt(u) * polynomial(u, [1, 0.04166666667, -0.01996527778, 0.02709538966]))
    u = np.exp(-v[left] - 1)
    out[left] = np.exp(-u) * np.sqrt(u) * ratio(near, 0, v[left])
    for i, (low, high) in enumerate([(-1, 1), (1, 5)]):
        here = (v >= low) & (v < high)
        out[here] = ratio(near, i + 1, v[here])
    for i, (low, high) in enumerate([(5, 12), (12, 50), (50, 300)]):
        here = (v >= low) & (v < high)
        out[here] = v[here] ** -2 * ratio(far, i, 1 / v[here])
    above = v[v >= 300]
    u = 1 / (above - above * np.log(above) / (above + 1))
    out[v >= 300] = u * u * polynomial(u, [1, -1.84556867, -4.284640743])
    return out
`),
  },
};

/** Names of parameters that are names in Python and C++, too. */
export function plainNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let plain = /^[A-Za-z_]\w*$/.test(name) ? name : `p_${name.replace(/\W/g, '')}`;
    while (RESERVED.has(plain) || /^t\d+$/.test(plain) || used.has(plain)) plain += '_';
    used.add(plain);
    return plain;
  });
}

/** A function of Python of coordinates and the list of the parameters. Throws Untranslated. */
export function pythonFunction(model: Model, name = 'f'): { text: string; helpers: string[] } {
  const names = plainNames(model.names);
  const own = new Set(['np', ...Object.keys(PYTHON.helpers)]);
  const safe = names.map((one) => (own.has(one) ? `${one}_` : one));
  const { locals, result, helpers } = writtenFunction(model, { ...PYTHON, parameter: (i) => safe[i] ?? '' });
  const text = `def ${name}(${'xyz'.slice(0, model.dims).split('').join(', ')}, p):
    ${safe.join(', ')}${safe.length === 1 ? ',' : ''} = p
${locals.map((one) => `    ${one.name} = ${one.text}\n`).join('')}    return ${result} + 0 * x
`;
  return { text, helpers };
}
