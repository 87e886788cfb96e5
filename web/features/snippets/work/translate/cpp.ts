import { cppText } from '../../../../base/literal';
import type { BinaryOp, UnaryOp } from '../../../../core/expr-ops';
import { isIdentifier } from '../cpp-name';
import type { Column } from './columns';
import { type Helper, Helpers } from './helpers';
import { Untranslated } from './translate';
import { areTogether, type Loop, type Value } from './value';

/** A piece of C++. `level`: how tightly its operator binds, see LEVEL. */
interface Text {
  text: string;
  level: number;
  /** Its type: "double", "bool", or that of a branch. */
  type: string;
}

/** From the loosest to the tightest, as C++ binds. */
const LEVEL = { choice: 0, or: 1, and: 2, equal: 3, order: 4, sum: 5, product: 6, sign: 7, atom: 8 };

const SIGNS: Partial<Record<BinaryOp, [sign: string, level: number]>> = {
  lt: ['<', LEVEL.order],
  le: ['<=', LEVEL.order],
  gt: ['>', LEVEL.order],
  ge: ['>=', LEVEL.order],
  eq: ['==', LEVEL.equal],
  ne: ['!=', LEVEL.equal],
  add: ['+', LEVEL.sum],
  sub: ['-', LEVEL.sum],
  mul: ['*', LEVEL.product],
};
const UNARY: Record<Exclude<UnaryOp, 'neg' | 'not'>, string> = {
  abs: 'std::abs',
  sqrt: 'std::sqrt',
  log: 'std::log',
  log10: 'std::log10',
  exp: 'std::exp',
  sin: 'std::sin',
  cos: 'std::cos',
  tan: 'std::tan',
  asin: 'std::asin',
  acos: 'std::acos',
  atan: 'std::atan',
  sinh: 'std::sinh',
  cosh: 'std::cosh',
  tanh: 'std::tanh',
  asinh: 'std::asinh',
  floor: 'std::floor',
  ceil: 'std::ceil',
  round: 'std::round',
  trunc: 'std::trunc',
  int: 'whole',
  sign: 'signOf',
  nint: 'std::rint',
  isNaN: 'std::isnan',
  rootSqrt: 'rootSqrt',
  rootLog: 'log0',
  rootLog10: 'log10of',
  rootExp: 'limitedExp',
  rootAsin: 'asin0',
  rootAcos: 'acos0',
};
const BINARY: Partial<Record<BinaryOp, string>> = {
  pow: 'std::pow',
  atan2: 'TMath::ATan2',
  cAtan2: 'std::atan2',
  fmod: 'std::fmod',
  hypot: 'std::hypot',
  copysign: 'std::copysign',
  div: 'over',
  mod: 'mod',
  least: 'TMath::Min',
  most: 'TMath::Max',
  deltaPhi: 'deltaPhi',
  bitAnd: 'bitAnd',
  bitOr: 'bitOr',
  shiftLeft: 'shiftLeft',
  shiftRight: 'shiftRight',
};
const STANDARD = ['cbrt', 'exp2', 'expm1', 'log1p', 'log2', 'erf', 'erfc', 'tgamma', 'lgamma'];

const lambda = (args: string, body: string): string => `[](${args}) { return ${body}; }`;
const X = 'double x';
const XY = 'double x, double y';
const BITS = (x: string): string => `std::uint64_t(std::int64_t(${x}))`;

/** The functions that expressions need, as lambdas in front of them. */
const HELPERS: Readonly<Record<string, Helper>> = {
  // A division by 0 is 0 in TTree::Draw.
  over: { text: lambda(XY, 'y == 0 ? 0. : x / y') },
  whole: { text: lambda(X, 'double(std::int64_t(x))') },
  mod: {
    text:
      '[](double x, double y) { const auto a = std::int64_t(x), b = std::int64_t(y); ' +
      'return b == 0 ? std::nan("") : b == -1 ? 0. : double(a % b); }',
  },
  signOf: { text: lambda(X, 'x < 0 ? -1. : 1.') },
  rootSqrt: { text: lambda(X, 'std::sqrt(std::abs(x))') },
  log0: { text: lambda(X, 'x > 0 ? std::log(x) : 0.') },
  log10of: { text: lambda(X, 'x > 0 ? std::log10(x) : 0.') },
  limitedExp: { text: lambda(X, 'x < -700 ? 0. : std::exp(x > 700 ? 700. : x)') },
  asin0: { text: lambda(X, 'std::abs(x) > 1 ? 0. : std::asin(x)') },
  acos0: { text: lambda(X, 'std::abs(x) > 1 ? 0. : std::acos(x)') },
  deltaPhi: {
    text:
      '[](double x, double y) { double d = x - y; if (!(std::abs(d) < 1e9)) return std::remainder(d, 2 * M_PI); ' +
      'while (d >= M_PI) d -= 2 * M_PI; while (d < -M_PI) d += 2 * M_PI; return d; }',
  },
  bitAnd: { text: lambda(XY, `double(${BITS('x')} & ${BITS('y')})`) },
  bitOr: { text: lambda(XY, `double(${BITS('x')} | ${BITS('y')})`) },
  shiftLeft: { text: lambda(XY, `double(${BITS('x')} << (${BITS('y')} & 63))`) },
  shiftRight: { text: lambda(XY, `double(${BITS('x')} >> (${BITS('y')} & 63))`) },
  elementOf: {
    text: lambda(
      'const auto &list, double at',
      'at > -1 && at < list.size() ? double(list[std::size_t(at)]) : std::nan("")',
    ),
  },
};

/** Writes values as C++ for the texts of RDataFrame, which see the columns of an entry by their names. */
export class CppWriter {
  readonly #helpers = new Helpers(HELPERS);
  /** Lines that compute sums and extremes of an entry. */
  readonly #lines: string[] = [];
  #count = 0;

  /** `taken`: names of columns, which no variable may have. `index`: of the instance of the loop around all. */
  constructor(readonly taken: ReadonlySet<string>) {}

  /** Returns a name for a variable that no column has. */
  free(name: string): string {
    return this.taken.has(name) ? this.free(`${name}_`) : name;
  }

  /** Returns the text of a number of the type double. */
  number(value: Value, index: string): string {
    return this.#double(this.#write(value, index)).text;
  }

  /** Returns the text of a condition. */
  truth(value: Value, index: string): string {
    return this.#truth(this.#write(value, index)).text;
  }

  /** Lines that the texts so far need in front of them: functions, and sums of lists. */
  lines(): string[] {
    const names = this.#helpers.names();
    return [...names.map((name) => `auto ${this.free(name)} = ${HELPERS[name]?.text};`), ...this.#lines];
  }

  /** Returns the number of instances of a loop over lists. */
  size({ lists }: Loop): string {
    const sizes = lists.map((list) => `${nameOf(list)}.size()`);
    return areTogether(lists) ? (sizes[0] ?? '1') : `std::min<std::size_t>({${sizes.join(', ')}})`;
  }

  #write(value: Value, index: string): Text {
    const again = (one: Value): Text => this.#write(one, index);
    const number = (one: Value): string => this.#double(again(one)).text;
    const atom = (text: string, type = 'double'): Text => ({ text, level: LEVEL.atom, type });
    switch (value.kind) {
      case 'number':
        return numberText(value.value);
      case 'column': {
        const { column } = value;
        return atom(nameOf(column) + (column.isList ? `[${index}]` : ''), column.dtype);
      }
      case 'element': {
        const { list, index: at, isThere } = value;
        if (isThere && at.kind === 'number') return atom(`${nameOf(list)}[${at.value}]`, list.dtype);
        return atom(`${this.#use('elementOf')}(${nameOf(list)}, ${number(at)})`);
      }
      case 'unary':
        return this.#unary(value.op, again(value.of));
      case 'binary':
        return this.#binary(value.op, again(value.left), again(value.right));
      case 'select': {
        const condition = wrapped(this.#truth(again(value.condition)), LEVEL.or);
        const [yes, no] = [this.#double(again(value.yes)), this.#double(again(value.no))];
        const text = `${condition} ? ${wrapped(yes, LEVEL.or)} : ${wrapped(no, LEVEL.choice)}`;
        return { text, level: LEVEL.choice, type: 'double' };
      }
      case 'call': {
        const { name, said, args, body } = value;
        const texts = args.map(number).join(', ');
        if (name.startsWith('TMath::')) return atom(`double(${name}(${texts}))`);
        if (body) return again(body);
        if (!STANDARD.includes(name)) throw new Untranslated(`The function ${said} is not translated.`);
        return atom(`std::${name}(${texts})`);
      }
      case 'reduce':
        return this.#reduce(value);
      case 'there': {
        const { list, index: at } = value;
        const size = `${nameOf(list)}.size()`;
        if (at === undefined) return { text: `${index} < ${size}`, level: LEVEL.order, type: 'bool' };
        if (at.kind === 'number') return { text: `${size} > ${at.value}`, level: LEVEL.order, type: 'bool' };
        const text = wrapped(this.#double(again(at)), LEVEL.sum);
        return { text: `${text} > -1 && ${text} < ${size}`, level: LEVEL.and, type: 'bool' };
      }
      case 'beside':
        if (index === '') throw new Untranslated('Alt$ of a list alone is not translated.');
        return atom(`${nameOf(value.list)}[${index}]`, value.list.dtype);
      case 'isText': {
        const { column, text, equal } = value;
        if (column.branch.title.includes('/C'))
          throw new Untranslated(
            `"${column.branch.name}" is an array of characters, which RDataFrame does not take as a text.`,
          );
        return {
          text: `${nameOf(column)} ${equal ? '==' : '!='} ${cppText(text)}`,
          level: LEVEL.equal,
          type: 'bool',
        };
      }
      case 'entry':
        return atom('double(rdfentry_)');
      case 'iteration':
        return index === '' || value.loop.lists.length === 0 ? numberText(0) : atom(`double(${index})`);
      case 'count':
        return value.loop.lists.length === 0 ? numberText(1) : atom(`double(${this.size(value.loop)})`);
    }
  }

  #reduce({ how, of, where, loop }: Value & { kind: 'reduce' }): Text {
    const atom = (text: string): Text => ({ text, level: LEVEL.atom, type: 'double' });
    if (loop.lists.length === 0) {
      if (how === 'length') return numberText(1);
      if (!where) return this.#write(of, '');
      return {
        text: `${wrapped(this.#truth(this.#write(where, '')), LEVEL.or)} ? ${this.number(of, '')} : 0.`,
        level: LEVEL.choice,
        type: 'double',
      };
    }
    if (how === 'length') return atom(`double(${this.size(loop)})`);
    const index = this.free('j');
    const value = this.number(of, index);
    const condition = where ? `if (${this.truth(where, index)}) ` : '';
    const head = `for (std::size_t ${index} = 0; ${index} < ${this.size(loop)}; ++${index}) ${condition}`;
    const name = this.free(`${how}${this.#count++ || ''}`);
    if (how === 'sum') {
      this.#lines.push(`double ${name} = 0;`, `${head}${name} += ${value};`);
      return atom(name);
    }
    const isFound = this.free(`has_${name}`);
    const better = `${value} ${how === 'min' ? '<' : '>'} ${name}`;
    this.#lines.push(
      `double ${name} = 0;`,
      `bool ${isFound} = false;`,
      `${head}{`,
      `   if (!${isFound} || ${better}) ${name} = ${value};`,
      `   ${isFound} = true;`,
      '}',
    );
    return atom(name);
  }

  #unary(op: UnaryOp, of: Text): Text {
    if (op === 'not')
      return { text: `!${wrapped(this.#truth(of), LEVEL.sign)}`, level: LEVEL.sign, type: 'bool' };
    if (op === 'neg') {
      const text = wrapped(of.type === 'f32' ? of : this.#double(of), LEVEL.atom);
      return { text: `-${text}`, level: LEVEL.sign, type: of.type === 'f32' ? 'f32' : 'double' };
    }
    const isPlain = op === 'abs' && of.type === 'f32';
    const text = `${this.#use(UNARY[op])}(${isPlain ? of.text : this.#double(of).text})`;
    return { text, level: LEVEL.atom, type: op === 'isNaN' ? 'bool' : isPlain ? 'f32' : 'double' };
  }

  #binary(op: BinaryOp, left: Text, right: Text): Text {
    if (op === 'and' || op === 'or') {
      const level = LEVEL[op];
      const [a, b] = [this.#truth(left), this.#truth(right)];
      // Compilers warn of && within || without brackets.
      const inner = op === 'or' ? LEVEL.equal : level;
      const first = op === 'or' && a.level === LEVEL.or ? a.text : wrapped(a, inner);
      return {
        text: `${first} ${op === 'and' ? '&&' : '||'} ${wrapped(b, inner + (op === 'and' ? 1 : 0))}`,
        level,
        type: 'bool',
      };
    }
    const sign = SIGNS[op];
    if (sign) {
      const [text, level] = sign;
      const isComparison = level <= LEVEL.order;
      // Two numbers of the type float are compared as they are.
      const isSame = isComparison && left.type === 'f32' && right.type === 'f32';
      const a = isSame || right.type === 'double' ? left : this.#double(left);
      const b = isSame || a.type === 'double' ? right : this.#double(right);
      return {
        text: `${wrapped(a, level + (isComparison ? 1 : 0))} ${text} ${wrapped(b, level + 1)}`,
        level,
        type: isComparison ? 'bool' : 'double',
      };
    }
    const [a, b] = [this.#double(left), this.#double(right)];
    const isConstant =
      right.type === 'double' && Number(right.text) !== 0 && Number.isFinite(Number(right.text));
    if (op === 'over' || (op === 'div' && isConstant))
      return {
        text: `${wrapped(a, LEVEL.product)} / ${wrapped(b, LEVEL.sign)}`,
        level: LEVEL.product,
        type: 'double',
      };
    const name = BINARY[op];
    if (name === undefined) throw new Untranslated(`The operation "${op}" is not translated.`);
    return { text: `${this.#use(name)}(${a.text}, ${b.text})`, level: LEVEL.atom, type: 'double' };
  }

  #use(name: string): string {
    return Object.hasOwn(HELPERS, name) ? this.free(this.#helpers.use(name)) : name;
  }

  #double(one: Text): Text {
    return one.type === 'double' || one.type === 'f64'
      ? { ...one, type: 'double' }
      : { text: `double(${one.text})`, level: LEVEL.atom, type: 'double' };
  }

  #truth(one: Text): Text {
    if (one.type === 'bool') return one;
    return { text: `${wrapped(one, LEVEL.order)} != 0`, level: LEVEL.equal, type: 'bool' };
  }
}

/** Returns the name of a column. Throws Untranslated for names that C++ does not take, and for lists of lists. */
export function nameOf({ branch, isDeep }: Column): string {
  if (isDeep) throw new Untranslated(`"${branch.path}" is not a number or a list of numbers of its own.`);
  if (!branch.name.split('.').every(isIdentifier))
    throw new Untranslated(`"${branch.name}" is not a name of C++.`);
  return branch.name;
}

function numberText(value: number): Text {
  const text = Number.isNaN(value)
    ? 'std::nan("")'
    : Number.isFinite(value)
      ? String(value) + (Number.isInteger(value) && Math.abs(value) < 1e21 ? '.' : '')
      : `${value < 0 ? '-' : ''}HUGE_VAL`;
  return { text, level: value < 0 ? LEVEL.sign : LEVEL.atom, type: 'double' };
}

function wrapped({ text, level }: Text, least: number): string {
  return level >= least ? text : `(${text})`;
}
