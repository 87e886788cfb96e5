import type { Emit } from './emit';

/** How start values are found for a shape: as ROOT finds them, or by the same rule for a shape that ROOT does not have. */
export type StartRule = 'gaus' | 'expo' | 'gaus2' | 'tails' | 'breitwigner' | 'voigt';

/** A function that can be named in a model, as gaus in "gaus(0)+pol1(3)". */
export interface Shape {
  /** Names of its parameters, if the model is only this shape. */
  names: readonly string[];
  dims: 1 | 2;
  about: string;
  start?: StartRule;
  /** Whether it is linear in its parameters, so that it is solved without iterations. */
  linear?: boolean;
  /** A text of a C function: the coordinates a (and b), then the parameters in the order of the letters. */
  body?: string;
  /** Emits the value, for shapes with many parameters. */
  build?: (emit: Emit, x: number, parameters: readonly number[]) => number;
}

const GAUS = ['Constant', 'Mean', 'Sigma'];

const shapes: Record<string, Shape> = {
  gaus: {
    ...{ names: GAUS, dims: 1, start: 'gaus', about: 'a Gaussian: Constant is its height' },
    body: 'b*exp(-0.5*((a-c)/d)*((a-c)/d))',
  },
  gausn: {
    ...{ names: GAUS, dims: 1, start: 'gaus', about: 'a Gaussian: Constant is its integral' },
    body: 'b*exp(-0.5*((a-c)/d)*((a-c)/d))/(sqrt(2*pi)*d)',
  },
  expo: {
    ...{ names: ['Constant', 'Slope'], dims: 1, start: 'expo', about: 'exp(Constant + Slope x)' },
    body: 'exp(b+c*a)',
  },
  landau: {
    ...{ names: ['Constant', 'MPV', 'Sigma'], dims: 1, start: 'gaus', about: "Landau's distribution" },
    body: 'b*TMath::Landau(a,c,d,0)',
  },
  landaun: {
    ...{ names: ['Constant', 'MPV', 'Sigma'], dims: 1, start: 'gaus' },
    about: "Landau's distribution: Constant is its integral",
    body: 'b*TMath::Landau(a,c,d,1)',
  },
  breitwigner: {
    ...{ names: ['Constant', 'Mean', 'Gamma'], dims: 1, start: 'breitwigner' },
    about: 'a Breit-Wigner distribution: Constant is its integral',
    body: 'b*ROOT::Math::breitwigner_pdf(a,d,c)',
  },
  voigt: {
    ...{ names: ['Constant', 'Mean', 'Sigma', 'Gamma'], dims: 1, start: 'voigt' },
    about: "a Breit-Wigner distribution that a Gaussian smears (Voigt's profile): Constant is its integral",
    body: 'b*TMath::Voigt(a-c,d,e)',
  },
  crystalball: {
    ...{ names: [...GAUS, 'Alpha', 'N'], dims: 1, start: 'tails' },
    about: 'Crystal Ball: a Gaussian with a tail below (above, with a negative Alpha)',
    body: 'b*ROOT::Math::crystalball_function(a,e,f,d,c)',
  },
  crystalball2: {
    ...{ names: [...GAUS, 'AlphaLow', 'NLow', 'AlphaHigh', 'NHigh'], dims: 1, start: 'tails' },
    about: 'Crystal Ball with a tail on each side',
    body: 'd < 0 ? 0 : b*(a < c ? xylem::crystal((a-c)/d,fabs(e),f) : xylem::crystal((c-a)/d,fabs(g),h))',
  },
  xygaus: {
    ...{ names: ['Constant', 'MeanX', 'SigmaX', 'MeanY', 'SigmaY'], dims: 2, start: 'gaus2' },
    about: 'a Gaussian of x and y',
    body: `c*exp(-0.5*((a-d)/e)*((a-d)/e)-0.5*((b-f)/g)*((b-f)/g))`,
  },
  bigaus: {
    ...{ names: ['Constant', 'MeanX', 'SigmaX', 'MeanY', 'SigmaY', 'Rho'], dims: 2, start: 'gaus2' },
    about: 'a Gaussian of x and y with a correlation: Constant is its integral',
    body: 'c*ROOT::Math::bigaussian_pdf(a,b,e,g,h,d,f)',
  },
};

/** Returns b0 + b1 x + …, by Horner's rule. */
function polynomial(emit: Emit, x: number, parameters: readonly number[]): number {
  const [last = 0, ...rest] = [...parameters].reverse();
  return rest.reduce((sum, one) => emit.binary('add', emit.binary('mul', sum, x), one), last);
}

/** Returns c0 + c1 x + c2 T2(x) + …, by Clenshaw's rule. */
function chebyshev(emit: Emit, x: number, parameters: readonly number[]): number {
  const twice = emit.binary('mul', emit.constant(2), x);
  let [last, before] = [emit.constant(0), emit.constant(0)];
  for (const one of parameters.slice(1).reverse()) {
    const next = emit.binary('add', emit.binary('sub', emit.binary('mul', twice, last), before), one);
    [last, before] = [next, last];
  }
  const [first = 0] = parameters;
  return emit.binary('add', emit.binary('sub', emit.binary('mul', x, last), before), first);
}

const MAX_DEGREE = 9;
const MAX_CHEBYSHEV = 10;

/** Returns the shape of a name; undefined if there is none. */
export function shapeNamed(name: string): Shape | undefined {
  if (Object.hasOwn(shapes, name)) return shapes[name];
  const [, kind, digits] = /^(pol|cheb)(\d{1,2})$/.exec(name) ?? [];
  const degree = Number(digits);
  if (kind === undefined || degree > (kind === 'pol' ? MAX_DEGREE : MAX_CHEBYSHEV)) return undefined;
  const names = Array.from({ length: degree + 1 }, (_, i) => `p${i}`);
  return kind === 'pol'
    ? { names, dims: 1, about: 'a polynomial', linear: true, build: polynomial }
    : { names, dims: 1, about: 'a sum of Chebyshev polynomials of x', build: chebyshev };
}

/** Names of all shapes, with what each is. */
export function shapeList(): { name: string; about: string }[] {
  const named = Object.entries(shapes).map(([name, { about }]) => ({ name, about }));
  const series = ['pol0', 'pol1', 'pol2', 'pol3', 'cheb3'].map((name) => ({
    name,
    about: shapeNamed(name)?.about ?? '',
  }));
  return [...named, ...series];
}
