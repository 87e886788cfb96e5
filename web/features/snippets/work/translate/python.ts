import { quotedText } from '../../../../base/literal';
import type { BinaryOp, UnaryOp } from '../../../../core/expr-ops';
import type { Column } from './columns';
import { type Helper, Helpers } from './helpers';
import { Untranslated } from './translate';
import { areTogether, type Loop, type Value } from './value';

/** A piece of Python. `level`: how tightly its operator binds, see LEVEL. */
interface Text {
  text: string;
  level: number;
  /** Whether it is True or False, and not a number. */
  isTruth: boolean;
  /** Whether it is an array, and not one number. */
  isArray: boolean;
}

/** From the loosest to the tightest, as Python binds. */
const LEVEL = { compare: 0, or: 1, and: 2, shift: 3, sum: 4, product: 5, sign: 6, power: 7, atom: 8 };

const COMPARISONS: Partial<Record<BinaryOp, string>> = {
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  eq: '==',
  ne: '!=',
};
const SUMS: Partial<Record<BinaryOp, [sign: string, level: number]>> = {
  add: ['+', LEVEL.sum],
  sub: ['-', LEVEL.sum],
  mul: ['*', LEVEL.product],
};
const UNARY: Record<Exclude<UnaryOp, 'neg' | 'not'>, string> = {
  abs: 'abs(x)',
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
  int: 'whole(x)',
  sign: 'sign(x)',
  nint: 'np.rint(x)',
  isNaN: 'np.isnan(x)',
  rootSqrt: 'np.sqrt(abs(x))',
  rootLog: 'log(x)',
  rootLog10: 'log10(x)',
  rootExp: 'exp(x)',
  rootAsin: 'asin(x)',
  rootAcos: 'acos(x)',
};
/** Adding 0 makes 0 of a zero with a minus sign, for which TMath::ATan2 has the same result. */
const BINARY: Partial<Record<BinaryOp, string>> = {
  atan2: 'np.arctan2(x, y + 0.0)',
  cAtan2: 'np.arctan2(x, y)',
  fmod: 'np.fmod(x, y)',
  hypot: 'np.hypot(x, y)',
  copysign: 'np.copysign(x, y)',
  over: 'np.divide(x, y)',
  mod: 'mod(x, y)',
  least: 'least(x, y)',
  most: 'most(x, y)',
  deltaPhi: 'delta_phi(x, y)',
  bitAnd: 'bit_and(x, y)',
  bitOr: 'bit_or(x, y)',
  shiftLeft: 'shift_left(x, y)',
  shiftRight: 'shift_right(x, y)',
};
/** Functions of ROOT that loop or have tables, as numpy has them. */
const NUMPY: Readonly<Record<string, string>> = {
  log2: 'np.log2',
  exp2: 'np.exp2',
  expm1: 'np.expm1',
  log1p: 'np.log1p',
  cbrt: 'np.cbrt',
  'TMath::Log2': 'np.log2',
  'TMath::ACosH': 'np.arccosh',
  'TMath::ATanH': 'np.arctanh',
};

/** The functions of Python that the programs need, each with those that it uses. */
const HELPERS: Readonly<Record<string, Helper>> = {
  over: {
    text: `def over(x, y):  # a division by 0 is 0 in TTree::Draw
    x, y = ak.broadcast_arrays(x, y)
    return ak.where(y == 0, 0, x / ak.where(y == 0, 1, y))`,
  },
  whole: {
    text: `def whole(x):
    if not isinstance(x, ak.Array):
        return np.trunc(x)
    return ak.where((x >= -(2.0**63)) & (x < 2.0**63), np.trunc(x), -(2.0**63))`,
  },
  mod: {
    needs: ['whole'],
    text: `def mod(x, y):  # of whole numbers, with the sign of x
    return np.fmod(whole(x), whole(y))`,
  },
  rounded: {
    text: `def rounded(x):  # halves go away from 0
    return np.trunc(x) + np.copysign(abs(x - np.trunc(x)) >= 0.5, x)`,
  },
  sign: {
    text: `def sign(x):
    return ak.where(x < 0, -1.0, 1.0)`,
  },
  log: {
    text: `def log(x):  # the logarithm of 0 and below is 0 in TTree::Draw
    return ak.where(x > 0, np.log(ak.where(x > 0, x, 1)), 0)`,
  },
  log10: {
    text: `def log10(x):  # the logarithm of 0 and below is 0 in TTree::Draw
    return ak.where(x > 0, np.log10(ak.where(x > 0, x, 1)), 0)`,
  },
  exp: {
    text: `def exp(x):  # as in TTree::Draw, which limits x to 700
    return ak.where(x < -700, 0, np.exp(np.minimum(x, 700)))`,
  },
  asin: {
    text: `def asin(x):  # 0 outside of its range, as in TTree::Draw
    return ak.where(abs(x) > 1, 0, np.arcsin(ak.where(abs(x) > 1, 0, x)))`,
  },
  acos: {
    text: `def acos(x):  # 0 outside of its range, as in TTree::Draw
    return ak.where(abs(x) > 1, 0, np.arccos(ak.where(abs(x) > 1, 0, x)))`,
  },
  least: {
    text: `def least(x, y):
    x, y = ak.broadcast_arrays(x, y)
    return ak.where(x <= y, x, y)`,
  },
  most: {
    text: `def most(x, y):
    x, y = ak.broadcast_arrays(x, y)
    return ak.where(x >= y, x, y)`,
  },
  delta_phi: {
    text: `def delta_phi(x, y):
    d = x - y
    while ak.any((d >= np.pi) & (d < 1e9)):
        d = ak.where((d >= np.pi) & (d < 1e9), d - 2 * np.pi, d)
    while ak.any((d < -np.pi) & (d > -1e9)):
        d = ak.where((d < -np.pi) & (d > -1e9), d + 2 * np.pi, d)
    return d`,
  },
  bits: {
    text: `def bits(x):
    return ak.values_astype(ak.values_astype(x, np.int64), np.uint64) if isinstance(x, ak.Array) else np.uint64(x)`,
  },
  bit_and: {
    needs: ['bits'],
    text: `def bit_and(x, y):
    return ak.values_astype(bits(x) & bits(y), np.float64)`,
  },
  bit_or: {
    needs: ['bits'],
    text: `def bit_or(x, y):
    return ak.values_astype(bits(x) | bits(y), np.float64)`,
  },
  shift_left: {
    needs: ['bits'],
    text: `def shift_left(x, y):
    return ak.values_astype(bits(x) << (bits(y) & np.uint64(63)), np.float64)`,
  },
  shift_right: {
    needs: ['bits'],
    text: `def shift_right(x, y):
    return ak.values_astype(bits(x) >> (bits(y) & np.uint64(63)), np.float64)`,
  },
  smallest: {
    text: `def smallest(lists):  # 0 for an empty list, as Min$ has it
    first = ak.fill_none(ak.firsts(lists), 0)
    return ak.where(np.isnan(first), np.nan, ak.fill_none(ak.min(lists, axis=1), 0))`,
  },
  largest: {
    text: `def largest(lists):  # 0 for an empty list, as Max$ has it
    first = ak.fill_none(ak.firsts(lists), 0)
    return ak.where(np.isnan(first), np.nan, ak.fill_none(ak.max(lists, axis=1), 0))`,
  },
  either: {
    text: `def either(condition, yes, no):
    return ak.where(*ak.broadcast_arrays(condition, yes, no))`,
  },
  chosen: {
    text: `def chosen(lists, where):
    lists, where = ak.broadcast_arrays(lists, where)
    return lists[where]`,
  },
  element: {
    text: `def element(lists, index):  # lists[index], or NaN where there is no such element
    if not isinstance(index, ak.Array):
        index = ak.Array(np.full(len(lists), index, dtype=np.float64))
    there = (index > -1) & (index < ak.num(lists))
    index = ak.mask(ak.values_astype(ak.where(there, index, 0), np.int64), there)
    if index.ndim == 1:
        return ak.fill_none(ak.firsts(lists[ak.singletons(index)]), np.nan)
    return ak.fill_none(lists[index], np.nan)`,
  },
  together: {
    text: `def together(*lists):  # TTree::Draw ends at the end of the shortest list
    shortest = ak.num(lists[0])
    for one in lists[1:]:
        shortest = ak.where(ak.num(one) < shortest, ak.num(one), shortest)
    return [one[ak.local_index(one) < shortest] for one in lists]`,
  },
};

/** Writes values as Python with awkward arrays. `rows` is the name of the array with a record for each entry. */
export class PythonWriter {
  readonly helpers = new Helpers(HELPERS);

  /** `names`: the text of the lists of the loop around all, if it is not that of `rows`. */
  constructor(
    readonly rows: string,
    readonly names: ReadonlyMap<Column, string> = new Map(),
  ) {}

  /** Returns the text of a number. */
  number(value: Value): string {
    return this.#number(this.#write(value, false)).text;
  }

  /** Returns the text of a weight: of True and False if it only selects. */
  weight(value: Value): string {
    return this.#write(value, false).text;
  }

  column(column: Column): string {
    return `${this.rows}[${quotedText(keyOf(column))}]`;
  }

  #write(value: Value, isInner: boolean): Text {
    const again = (one: Value): Text => this.#write(one, isInner);
    const number = (one: Value): Text => this.#number(again(one));
    const isArray = true;
    const atom = (text: string, isTruth = false): Text => ({ text, level: LEVEL.atom, isTruth, isArray });
    switch (value.kind) {
      case 'number':
        return numberText(value.value);
      case 'column':
        return atom((isInner ? undefined : this.names.get(value.column)) ?? this.column(value.column));
      case 'element': {
        const { list, index, isThere } = value;
        if (isThere && index.kind === 'number') return atom(`${this.column(list)}[:, ${index.value}]`);
        return atom(`${this.helpers.use('element')}(${this.column(list)}, ${number(index).text})`);
      }
      case 'unary':
        return this.#unary(value.op, again(value.of));
      case 'binary':
        return this.#binary(value.op, again(value.left), again(value.right));
      case 'select': {
        const [yes, no] = [number(value.yes), number(value.no)];
        const isMixed =
          value.loops &&
          [value.condition, value.yes, value.no].some(({ loops, kind }) => !loops && kind !== 'number');
        const name = isMixed ? this.helpers.use('either') : 'ak.where';
        return atom(`${name}(${this.#truth(again(value.condition)).text}, ${yes.text}, ${no.text})`);
      }
      case 'call': {
        if (value.body) return again(value.body);
        const name = Object.hasOwn(NUMPY, value.name) ? NUMPY[value.name] : undefined;
        if (name === undefined) throw new Untranslated(`numpy has no function ${value.said}.`);
        return atom(`${name}(${value.args.map((arg) => number(arg).text).join(', ')})`);
      }
      case 'reduce':
        return this.#reduce(value);
      case 'there': {
        if (value.index === undefined) throw new Untranslated('Alt$ of a whole list is not translated.');
        const length = `ak.num(${this.column(value.list)})`;
        if (value.index.kind === 'number') return compared(`${length} > ${value.index.value}`);
        const index = wrapped(number(value.index), LEVEL.or);
        return { ...compared(`(${index} > -1) & (${index} < ${length})`), level: LEVEL.and };
      }
      case 'beside':
        throw new Untranslated('Alt$ of a whole list is not translated.');
      case 'isText':
        return compared(
          `${this.column(value.column)} ${value.equal ? '==' : '!='} ${quotedText(value.text)}`,
        );
      case 'entry':
        return atom(`${this.rows}["Entry$"]`);
      case 'iteration': {
        const [list] = value.loop.lists;
        if (!list) return numberText(0);
        const text = again({ kind: 'column', column: list, loops: true, isTruth: false }).text;
        return atom(`ak.values_astype(ak.local_index(${text}), np.float64)`);
      }
      case 'count': {
        const [list] = value.loop.lists;
        if (!list) return numberText(1);
        return atom(`ak.num(${again({ kind: 'column', column: list, loops: true, isTruth: false }).text})`);
      }
    }
  }

  #reduce({ how, of, where, loop }: Value & { kind: 'reduce' }): Text {
    const [list] = loop.lists;
    if (!list) {
      if (how === 'length') return numberText(1);
      if (!where) return this.#write(of, true);
      const no: Value = { kind: 'number', value: 0, loops: false, isTruth: true };
      return this.#write(
        { kind: 'select', condition: where, yes: of, no, loops: false, isTruth: false },
        true,
      );
    }
    checkTogether(loop);
    const atom = (text: string): Text => ({ text, level: LEVEL.atom, isTruth: false, isArray: true });
    if (how === 'length') return atom(`ak.num(${this.column(list)})`);
    const element = this.#write(of, true);
    if (how === 'sum') return atom(`ak.sum(${element.text}, axis=1)`);
    const one = this.#number(element).text;
    const all = where
      ? `${this.helpers.use('chosen')}(${one}, ${this.#truth(this.#write(where, true)).text})`
      : one;
    return atom(`${this.helpers.use(how === 'min' ? 'smallest' : 'largest')}(${all})`);
  }

  #unary(op: UnaryOp, of: Text): Text {
    if (op === 'not') {
      if (of.isTruth) return { ...of, text: `~${wrapped(of, LEVEL.sign)}`, level: LEVEL.sign };
      return { ...of, text: `${wrapped(of, LEVEL.or)} == 0`, level: LEVEL.compare, isTruth: true };
    }
    const number = this.#number(of);
    if (op === 'neg') return { ...number, text: `-${wrapped(number, LEVEL.sign)}`, level: LEVEL.sign };
    const { isArray } = of;
    const text = this.#filled(UNARY[op], number.text, '');
    return { text, level: LEVEL.atom, isTruth: op === 'isNaN', isArray };
  }

  #binary(op: BinaryOp, left: Text, right: Text): Text {
    const isArray = left.isArray || right.isArray;
    if (op === 'and' || op === 'or') {
      const level = LEVEL[op];
      const [a, b] = [this.#truth(left), this.#truth(right)];
      const text = `${wrapped(a, level)} ${op === 'and' ? '&' : '|'} ${wrapped(b, level + 1)}`;
      return { text, level, isTruth: true, isArray };
    }
    const [a, b] = [this.#number(left), this.#number(right)];
    const comparison = COMPARISONS[op];
    if (comparison) {
      const text = `${wrapped(a, LEVEL.or)} ${comparison} ${wrapped(b, LEVEL.or)}`;
      if (isArray) return { ...compared(text), isArray };
      return { text: `np.bool_(${text})`, level: LEVEL.atom, isTruth: true, isArray };
    }
    const number = { isTruth: false, isArray };
    const sum = SUMS[op];
    if (sum) {
      const [sign, level] = sum;
      // Beside an array of doubles, True and False are 1 and 0.
      const isDouble = (one: Text): boolean => one.isArray && !one.isTruth;
      const [x, y] = [isDouble(right) ? left : a, isDouble(left) ? right : b];
      return { ...number, text: `${wrapped(x, level)} ${sign} ${wrapped(y, level + 1)}`, level };
    }
    const isConstant = !right.isArray && Number(b.text) !== 0 && Number.isFinite(Number(b.text));
    if ((op === 'div' || op === 'over') && isConstant)
      return {
        ...number,
        text: `${wrapped(a, LEVEL.product)} / ${wrapped(b, LEVEL.sign)}`,
        level: LEVEL.product,
      };
    if (op === 'div') {
      const text = `${this.helpers.use('over')}(${a.text}, ${b.text})`;
      return { ...number, text, level: LEVEL.atom };
    }
    if (op === 'pow') {
      const base = isArray ? wrapped(a, LEVEL.atom) : `np.float64(${a.text})`;
      return { ...number, text: `${base} ** ${wrapped(b, LEVEL.atom)}`, level: LEVEL.power };
    }
    const form = BINARY[op];
    if (form === undefined) throw new Untranslated(`The operation "${op}" is not translated.`);
    return { ...number, text: this.#filled(form, a.text, b.text), level: LEVEL.atom };
  }

  /** Puts texts for x and y into "name(x, y)". */
  #filled(form: string, x: string, y: string): string {
    const open = form.indexOf('(');
    const name = form.slice(0, open);
    if (Object.hasOwn(HELPERS, name)) this.helpers.use(name);
    const args = form.slice(open).replace(/\b[xy]\b/g, (letter) => (letter === 'x' ? x : y));
    return `${name}${args}`;
  }

  #number(one: Text): Text {
    if (!one.isTruth) return one;
    return { ...one, text: `1.0 * ${wrapped(one, LEVEL.sign)}`, level: LEVEL.product, isTruth: false };
  }

  #truth(one: Text): Text {
    if (one.isTruth) return one;
    const text = `${wrapped(one, LEVEL.or)} != 0`;
    if (one.isArray) return compared(text);
    return { text: `np.bool_(${text})`, level: LEVEL.atom, isTruth: true, isArray: false };
  }
}

/** The name by which uproot finds a branch: for one below others the names from the tree down. */
export function keyOf({ branch }: Column): string {
  return branch.parent >= 0 ? branch.path : branch.name;
}

/** Throws Untranslated if lists of a loop may have different lengths. */
function checkTogether({ lists }: Loop): void {
  if (areTogether(lists)) return;
  const names = lists.map(({ branch }) => branch.name).join(', ');
  throw new Untranslated(
    `Lists that may have different lengths (${names}) in one Sum$ or Length$ are not translated.`,
  );
}

function compared(text: string): Text {
  return { text, level: LEVEL.compare, isTruth: true, isArray: true };
}

function numberText(value: number): Text {
  const text = Number.isNaN(value)
    ? 'np.nan'
    : Number.isFinite(value)
      ? String(value)
      : `${value < 0 ? '-' : ''}np.inf`;
  return { text, level: value < 0 ? LEVEL.sign : LEVEL.atom, isTruth: false, isArray: false };
}

function wrapped({ text, level }: Text, least: number): string {
  return level >= least ? text : `(${text})`;
}
