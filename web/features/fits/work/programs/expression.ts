import { BINARY_OP, type BinaryOp, UNARY_OP, type UnaryOp } from '../../../../core/expr-ops';
import { MATH_FUNCTION, type MathFunction } from '../../../../core/math-ops';
import { type Helper, Helpers } from '../../../snippets/work/translate/helpers';
import { Untranslated } from '../../../snippets/work/translate/translate';
import { OP, WORDS } from '../formula/emit';
import type { Model } from '../formula/model';

/** How a language writes operations. Texts are calls in which x, y and z are operands, such as "np.sqrt(x)". */
export interface Language {
  name: string;
  number(value: number): string;
  coordinate(index: number): string;
  parameter(index: number): string;
  unary: { readonly [O in UnaryOp]?: string };
  binary: { readonly [O in BinaryOp]?: string };
  math: { readonly [F in MathFunction]?: string };
  and: string;
  or: string;
  not: string;
  select: string;
  crystal: string;
  /** The number of a truth. */
  truth: string;
  helpers: Readonly<Record<string, Helper>>;
}

/** A function in a language: values with names that are computed first, its result, and the texts of the helpers that it calls. */
export interface WrittenFunction {
  locals: { name: string; text: string }[];
  result: string;
  helpers: string[];
}

interface Piece {
  text: string;
  /** From the loosest: 0 choices and comparisons, 1 sums, 2 products, 3 signs, 4 atoms. */
  level: number;
  isTruth: boolean;
}

const COMPARED: { readonly [O in BinaryOp]?: string } = {
  ...{ lt: '<', le: '<=', gt: '>', ge: '>=', eq: '==', ne: '!=' },
};
const SUMS: { readonly [O in BinaryOp]?: readonly [sign: string, level: number] } = {
  add: ['+', 1],
  sub: ['-', 1],
  mul: ['*', 2],
  over: ['/', 2],
};

const named = (table: Readonly<Record<string, number>>): ReadonlyMap<number, string> =>
  new Map(Object.entries(table).map(([name, op]) => [op, name]));
const UNARY = named(UNARY_OP);
const BINARY = named(BINARY_OP);
const MATH = named(MATH_FUNCTION);

/** Writes the program of a function as expressions. Values that are used twice get names. Throws Untranslated. */
export function writtenFunction({ code, constants }: Model, language: Language): WrittenFunction {
  const count = code.length / WORDS;
  const uses = new Int32Array(count);
  const at = (i: number): Instruction => instructionAt(code, i, language);
  uses[count - 1] = 1;
  for (let i = count - 1; i >= 0; i--) {
    if ((uses[i] ?? 0) === 0) continue;
    for (const operand of at(i).operands) uses[operand] = (uses[operand] ?? 0) + 1;
  }
  const writer = new Writer(language, constants);
  const pieces: (Piece | undefined)[] = [];
  const locals: WrittenFunction['locals'] = [];
  for (let i = 0; i < count; i++) {
    if ((uses[i] ?? 0) === 0) continue;
    const one = at(i);
    const piece = writer.write(
      one,
      one.operands.map((k) => pieces[k] as Piece),
    );
    if ((uses[i] ?? 0) > 1 && one.operands.length > 0 && i < count - 1) {
      const name = `t${locals.length + 1}`;
      locals.push({ name, text: writer.numeric(piece).text });
      pieces[i] = { text: name, level: 4, isTruth: false };
    } else pieces[i] = piece;
    if ((pieces[i]?.text.length ?? 0) > 10_000)
      throw new Untranslated('The function is too long for a program.');
  }
  const last = pieces[count - 1] as Piece;
  return { locals, result: writer.numeric(last).text, helpers: writer.helpers.texts() };
}

interface Instruction {
  op: number;
  imm: number;
  operands: number[];
}

function instructionAt(code: Int32Array, i: number, { math }: Language): Instruction {
  const [op = 0, imm = 0, ...all] = code.subarray(i * WORDS, (i + 1) * WORDS);
  const operands =
    op === OP.select || op === OP.crystal
      ? all.slice(0, 3)
      : op === OP.call
        ? all.slice(0, argumentsOf(math[MATH.get(imm) as MathFunction]))
        : BINARY.has(op)
          ? all.slice(0, 2)
          : UNARY.has(op)
            ? all.slice(0, 1)
            : [];
  return { op, imm, operands };
}

/** Number of the operands in a form. */
const argumentsOf = (form = 'f(x)'): number => new Set(form.match(OPERAND)).size;

/** A letter that an operand replaces. */
const OPERAND = /(?<![\w.:])[xyz]\b/g;

class Writer {
  readonly helpers: Helpers;

  constructor(
    readonly language: Language,
    readonly constants: Float64Array,
  ) {
    this.helpers = new Helpers(language.helpers);
  }

  numeric(one: Piece): Piece {
    return one.isTruth ? this.#call(this.language.truth, [one.text]) : one;
  }

  write({ op, imm }: Instruction, operands: readonly Piece[]): Piece {
    const { language } = this;
    const atom = (text: string): Piece => ({ text, level: 4, isTruth: false });
    if (op === OP.constant) {
      const value = this.constants[imm] ?? 0;
      return { ...atom(language.number(value)), level: value < 0 ? 3 : 4 };
    }
    if (op === OP.coordinate) return atom(language.coordinate(imm));
    if (op === OP.parameter) return atom(language.parameter(imm));
    const texts = operands.map((one) => this.numeric(one).text);
    if (op === OP.select) {
      const [condition, yes = '', no = ''] = operands.map((one, k) =>
        k === 0 ? this.#truth(one) : this.numeric(one).text,
      );
      return this.#call(language.select, [condition ?? '', yes, no]);
    }
    if (op === OP.crystal) return this.#call(language.crystal, texts);
    if (op === OP.call) {
      const name = MATH.get(imm) as MathFunction;
      const form = language.math[name];
      if (form === undefined) throw new Untranslated(`${language.name} has no function ${name}.`);
      return this.#call(form, texts);
    }
    const [a = atom('0'), b = atom('0')] = operands;
    const unary = UNARY.get(op) as UnaryOp | undefined;
    if (unary) return this.#unary(unary, a);
    return this.#binary(BINARY.get(op) as BinaryOp, a, b);
  }

  #unary(op: UnaryOp, a: Piece): Piece {
    if (op === 'neg') {
      const number = this.numeric(a);
      return { text: `-${wrapped(number, 4)}`, level: 3, isTruth: false };
    }
    if (op === 'not') return { text: `${this.language.not}(${this.#truth(a)})`, level: 0, isTruth: true };
    return { ...this.#form(this.language.unary[op], op, [a]), isTruth: op === 'isNaN' };
  }

  #binary(op: BinaryOp, a: Piece, b: Piece): Piece {
    const { and, or } = this.language;
    if (op === 'and' || op === 'or') {
      const sign = op === 'and' ? and : or;
      return { text: `(${this.#truth(a)}) ${sign} (${this.#truth(b)})`, level: 0, isTruth: true };
    }
    const [left, right] = [this.numeric(a), this.numeric(b)];
    const compared = COMPARED[op];
    if (compared) {
      const text = `${wrapped(left, 1)} ${compared} ${wrapped(right, 1)}`;
      return { text, level: 0, isTruth: true };
    }
    const sum = SUMS[op];
    if (!sum) return this.#form(this.language.binary[op], op, [a, b]);
    const [sign, level] = sum;
    // Sums and products of the left come first in any case, so that rounding is the same.
    return { text: `${wrapped(left, level)} ${sign} ${wrapped(right, level + 1)}`, level, isTruth: false };
  }

  #truth(one: Piece): string {
    return one.isTruth ? one.text : `${wrapped(one, 1)} != 0`;
  }

  #form(form: string | undefined, op: string, operands: readonly Piece[]): Piece {
    if (form === undefined)
      throw new Untranslated(`The operation "${op}" is not written for ${this.language.name}.`);
    return this.#call(
      form,
      operands.map((one) => this.numeric(one).text),
    );
  }

  /** Puts texts for x, y and z into "name(x, y)". */
  #call(form: string, texts: readonly string[]): Piece {
    for (const name of form.split(/\W/))
      if (Object.hasOwn(this.language.helpers, name)) this.helpers.use(name);
    const text = form.replace(OPERAND, (letter) => texts['xyz'.indexOf(letter)] ?? '0');
    return { text, level: 4, isTruth: false };
  }
}

function wrapped({ text, level }: Piece, least: number): string {
  return level >= least ? text : `(${text})`;
}
