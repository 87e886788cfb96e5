import { FUNCTIONS } from './functions';
import { type Expr, parseExpression } from './parser';

/** Names of the coordinates in TFormula. */
export const COORDINATES = ['x', 'y', 'z', 't'];

/** Constants of TFormula, with their values in ROOT 6.40. */
export const CONSTANTS: Record<string, number> = {
  sqrt2: Math.SQRT2,
  e: Math.E,
  ln10: Math.LN10,
  loge: Math.LOG10E,
  c: 299792458,
  g: 6.6743e-11,
  h: 6.62607015e-34,
  k: 1.380649e-23,
  sigma: 5.670373e-8,
  r: 8.31446261815324,
  eg: 0.5772156649015329,
  true: 1,
  false: 0,
};

/**
 * Functions whose names in a query follow the rules of TTree::Draw for values outside their domain;
 * in a formula, which ROOT compiles as C++, the result is then NaN or an infinity.
 */
const AS_CPP: Record<string, string> = {
  sqrt: 'TMath::Sqrt(a)',
  exp: 'TMath::Exp(a)',
  log: 'TMath::Log(a)',
  log10: 'TMath::Log10(a)',
  asin: 'a < -1 || a > 1 ? TMath::Sqrt(-1) : asin(a)',
  acos: 'a < -1 || a > 1 ? TMath::Sqrt(-1) : acos(a)',
};

/** Whether the C++ type of an expression is an integer, so that a division cuts off the fraction. */
function isWhole(expr: Expr, text: string): boolean {
  switch (expr.kind) {
    case 'number':
      return !/[.eE]/.test(text.slice(expr.at, expr.end)) || /0[xX]/.test(text.slice(expr.at, expr.end));
    case 'unary':
      return expr.op === 'not' || isWhole(expr.operand, text);
    case 'binary':
      if (/^(lt|le|gt|ge|eq|ne|and|or)$/.test(expr.op)) return true;
      return expr.op !== 'pow' && isWhole(expr.left, text) && isWhole(expr.right, text);
    case 'ternary':
      return isWhole(expr.yes, text) && isWhole(expr.no, text);
    case 'call':
      if (/^(int|TMath::(Nint|CeilNint|FloorNint|Even|Odd))$/.test(expr.name)) return true;
      return /^(abs|TMath::(Abs|Max|Min))$/.test(expr.name) && expr.args.every((arg) => isWhole(arg, text));
    default:
      return false;
  }
}

const SIGNS: Record<string, string> = {
  ...{ add: '+', sub: '-', mul: '*', div: '/', mod: '%', pow: '^', and: '&&', or: '||' },
  ...{ lt: '<', le: '<=', gt: '>', ge: '>=', eq: '==', ne: '!=', bitAnd: '&', bitOr: '|' },
  ...{ shiftLeft: '<<', shiftRight: '>>' },
};

/**
 * Converts a formula, which ROOT compiles as C++, to an expression of a query. With `whole`, as in C++ and ROOT 6, a
 * division of whole numbers drops the fraction, and a division by 0 is an infinity or NaN. Without it, as before ROOT
 * 6, the fraction stays, and a division by 0 is 0. With `parameters` they stay as they are. Throws ARGUMENT with the
 * place of a mistake.
 */
export function queryText(formula: string, whole: boolean, parameters = false): string {
  const write = (expr: Expr): string => {
    switch (expr.kind) {
      case 'number':
        return String(expr.value);
      case 'string':
        return JSON.stringify(expr.value);
      case 'unary':
        return `(${expr.op === 'neg' ? '-' : '!'}${write(expr.operand)})`;
      case 'binary': {
        const [left, right] = [write(expr.left), write(expr.right)];
        // A number that is not 0 needs no division of its own.
        const isSafe = expr.right.kind === 'number' && expr.right.value !== 0;
        if (whole && expr.op === 'div' && isWhole(expr, formula)) return `trunc(${left}/${right})`;
        if (whole && expr.op === 'div' && !isSafe) return `xylem::over(${left},${right})`;
        return `(${left}${SIGNS[expr.op]}${right})`;
      }
      case 'ternary':
        return `(${write(expr.condition)} ? ${write(expr.yes)} : ${write(expr.no)})`;
      case 'call':
        return call(expr.name, expr.args.map(write));
      case 'path':
        return formula.slice(expr.at, expr.end);
      case 'bound':
        // Only the compiler creates these nodes.
        return '0';
    }
  };
  return write(parseExpression(formula, { parameters }));
}

function call(name: string, args: string[]): string {
  const plain = name.replace(/^std::/, '');
  const body = AS_CPP[plain];
  if (/^(ROOT::Math::Chebyshev\d*)$/.test(name) && !FUNCTIONS.has(name)) return chebyshev(args);
  if (body === undefined) return `${FUNCTIONS.has(name) ? name : plain}(${args.join(',')})`;
  return `(${body.replaceAll(/\ba\b/g, `(${args[0] ?? '0'})`)})`;
}

/** Returns c0 + c1 x + c2 T2(x) + …, as ROOT::Math::Chebyshev sums it. */
function chebyshev([x = '0', ...factors]: string[]): string {
  const terms = factors.map((factor, n) => `(${factor})*${n === 0 ? '1' : chebyshevTerm(n, x)}`);
  return `(${terms.join('+') || '0'})`;
}

/** Returns Tn(x) as a polynomial in powers of x. */
function chebyshevTerm(n: number, x: string): string {
  let before = [1];
  let last = [0, 1];
  for (let i = 2; i <= n; i++) {
    const next = [0, ...last.map((factor) => 2 * factor)];
    before.forEach((factor, power) => {
      next[power] = (next[power] ?? 0) - factor;
    });
    before = last;
    last = next;
  }
  const parts = last.map((factor, power) =>
    factor === 0 ? '' : power === 0 ? `${factor}` : `${factor}*(${x})^${power}`,
  );
  return `(${parts.filter((part) => part !== '').join('+')})`;
}

/** Expressions for the names of whole shapes before ROOT 6. `first` is the index of their first parameter. */
const OLD_SHAPES: Record<string, (x: string, first: number) => string> = {
  gaus: (x, n) => `[${n}]*exp(-0.5*((${x}-[${n + 1}])/[${n + 2}])*((${x}-[${n + 1}])/[${n + 2}]))`,
  gausn: (x, n) =>
    `[${n}]*exp(-0.5*((${x}-[${n + 1}])/[${n + 2}])*((${x}-[${n + 1}])/[${n + 2}]))/(sqrt(2*pi)*[${n + 2}])`,
  landau: (x, n) => `[${n}]*TMath::Landau(${x},[${n + 1}],[${n + 2}],0)`,
  landaun: (x, n) => `[${n}]*TMath::Landau(${x},[${n + 1}],[${n + 2}],1)`,
  expo: (x, n) => `exp([${n}]+[${n + 1}]*${x})`,
};

/** Maximum degree of a polynomial. A higher one is a mistake in the file. */
const MAX_DEGREE = 200;

/**
 * Replaces the names of shapes in a formula stored by ROOT 5, such as gaus, expo, pol3(2) and xygaus, by
 * their expressions.
 */
export function expandShapes(formula: string): string {
  return formula.replace(
    /(?<![\w:.])(?:pol(\d{1,3})|(xy|[xyz])?(gausn?|landaun?|expo))(?:\((\d{1,4})\))?(?![\w:(])/g,
    (found, degree?: string, axes = 'x', shape = '', start = '0') => {
      const first = Number(start);
      if (degree !== undefined) {
        if (Number(degree) > MAX_DEGREE) return found;
        const terms = Array.from({ length: Number(degree) + 1 }, (_, i) =>
          i === 0 ? `[${first}]` : `[${first + i}]*x^${i}`,
        );
        return `(${terms.join('+')})`;
      }
      const written = OLD_SHAPES[shape];
      if (written === undefined) return found;
      if (axes !== 'xy') return `(${written(axes, first)})`;
      // The second axis does not have its own height.
      const second = written('y', first + 2).replace(`[${first + 2}]*`, '');
      return shape === 'gaus' ? `(${written('x', first)}*${second})` : found;
    },
  );
}
