import type { BinaryOp } from '../../core/expr-ops';
import { expressionError, type Place } from './errors';
import { type Token, tokenize } from './lexer';

/** A subscript: an expression; `undefined` for `[]`. */
export type Subscript = Expr | undefined;

/** A part of a name between dots: `fTracks[2]`, `Pt()`. */
export interface Segment extends Place {
  name: string;
  /** Index of the branch, if it is known and need not be looked up by its name. */
  branch?: number;
  subscripts: Subscript[];
  /** Arguments of a method or function. */
  args?: Expr[] | undefined;
  /** Whether "@" is before or after the name, so that it means the collection itself. */
  whole?: boolean | undefined;
  /** The class to which the object is cast: ((Class*)name). */
  cast?: string | undefined;
}

export type Expr = Place &
  (
    | { kind: 'number'; value: number }
    | { kind: 'string'; value: string }
    /** `collection`: the path is marked with "@", so it means the collection itself. */
    | { kind: 'path'; segments: Segment[]; collection: boolean }
    | { kind: 'call'; name: string; args: Expr[] }
    /** A value that the compiler has already computed, with its number in the compiler. */
    | { kind: 'bound'; id: number }
    | { kind: 'unary'; op: 'neg' | 'not'; operand: Expr }
    | { kind: 'binary'; op: BinaryOp; left: Expr; right: Expr }
    | { kind: 'ternary'; condition: Expr; yes: Expr; no: Expr }
  );

/**
 * Binary operators from the loosest to the tightest, as in TFormula: `%` binds less tightly than `>>`,
 * `>>` less than `<<`, and `<<` less than `*`. A sign before a term of a sum is applied last: -a<<b is
 * -(a<<b).
 */
const LEVELS: Record<string, BinaryOp>[] = [
  { '||': 'or' },
  { '&&': 'and' },
  { '|': 'bitOr' },
  { '&': 'bitAnd' },
  { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '==': 'eq', '!=': 'ne' },
  { '+': 'add', '-': 'sub' },
  { '%': 'mod' },
  { '>>': 'shiftRight' },
  { '<<': 'shiftLeft' },
  { '*': 'mul', '/': 'div' },
];
const COMPARISON = 4;
const SUM = 5;
/** Operators that group from the right: 100%7%4 is 100%(7%4), and a<<b<<c is a<<(b<<c). */
const FROM_THE_RIGHT = new Set<BinaryOp>(['mod', 'shiftLeft', 'shiftRight']);
const MAX_DEPTH = 300;
/** Words that other languages use for operators. */
const WORDS_OF_OPERATORS = new Map([
  ['and', '&&'],
  ['or', '||'],
]);

/** The rules for names of a tree that the parser needs. */
export interface NameRules {
  /** Whether a name with a slash is a branch, so that the slash is not a division. */
  isPath(name: string): boolean;
  /**
   * Returns a name at a place of a text that does not follow the rules of names; an empty text if there is
   * none.
   */
  oddWord(text: string, at: number, to: number): string;
  /** Whether a name that ends with a dot is a branch. */
  isDotted(name: string): boolean;
}

export interface ParseOptions {
  names?: NameRules;
  /** Whether the text is the body of a C function, in which a division by zero does not result in 0. */
  isBody?: boolean;
  /** Whether "[0]" and "[name]" are values: names of parameters, as in TFormula. The name has the brackets. */
  parameters?: boolean;
  /** The start of the expression in the text. */
  from?: number;
  to?: number;
}

/** Parses one expression. Throws ARGUMENT with the place of the mistake. */
export function parseExpression(text: string, options: ParseOptions = {}): Expr {
  const parser = new Parser(text, options);
  const expr = parser.expression();
  parser.expectEnd();
  return expr;
}

class Parser {
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;

  constructor(
    readonly text: string,
    readonly options: ParseOptions,
  ) {
    const { from, to, names } = options;
    this.#tokens = tokenize(text, from, to, names && ((whole, at, end) => names.oddWord(whole, at, end)));
  }

  expression(): Expr {
    return this.#deeper(() => {
      const condition = this.#binary(0);
      if (!this.#take('?')) return condition;
      const yes = this.expression();
      if (!this.#take(':')) throw this.#unexpected('":" of "condition ? value : other value"');
      const no = this.expression();
      return { kind: 'ternary', condition, yes, no, at: condition.at, end: no.end };
    });
  }

  expectEnd(): void {
    const token = this.#peek();
    if (token.kind === 'end') return;
    if (token.kind === 'sign' && token.text === ')') {
      throw expressionError(this.text, token, 'This ")" closes nothing.', 'Remove it, or open it before.');
    }
    throw this.#unexpected('an operator');
  }

  #peek(ahead = 0): Token {
    return (this.#tokens[this.#at + ahead] ?? this.#tokens[this.#tokens.length - 1]) as Token;
  }

  #sign(ahead = 0): string | undefined {
    const token = this.#peek(ahead);
    return token.kind === 'sign' ? token.text : undefined;
  }

  #take(sign: string): boolean {
    if (this.#sign() !== sign) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(wanted: string): Error {
    const token = this.#peek();
    if (token.kind === 'end') {
      return expressionError(this.text, token, `The expression ends where ${wanted} should follow.`);
    }
    const found = this.text.slice(token.at, token.end);
    const message = `"${found}" stands where ${wanted} should.`;
    const sign = WORDS_OF_OPERATORS.get(found.toLowerCase());
    if (sign === undefined) return expressionError(this.text, token, message);
    return expressionError(this.text, token, message, `Write ${sign} for "${found}".`, 'ARGUMENT', [sign]);
  }

  #deeper<T>(run: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw expressionError(
        this.text,
        this.#peek(),
        `The expression is nested too deeply: more than ${MAX_DEPTH} levels.`,
      );
    }
    const result = run();
    this.#depth -= 1;
    return result;
  }

  /**
   * Parses the operations of a level and of all tighter levels in one call, so that parentheses can be
   * nested deeply.
   */
  #binary(level: number): Expr {
    const inSum = level <= SUM;
    let left = inSum ? this.#term() : this.#unary();
    for (let own = inSum ? SUM : LEVELS.length - 1; own >= level; own--) left = this.#operations(own, left);
    return left;
  }

  #operations(level: number, first: Expr): Expr {
    const operators = LEVELS[level] ?? {};
    let left = first;
    for (let count = 0; ; count++) {
      const sign = this.#sign();
      const own = sign !== undefined && Object.hasOwn(operators, sign) ? operators[sign] : undefined;
      if (own === undefined) return left;
      const op = own === 'div' && this.options.isBody ? 'over' : own;
      const token = this.#peek();
      if (level === COMPARISON && count > 0) {
        throw expressionError(
          this.text,
          token,
          'Comparisons in a row have no clear meaning.',
          'Put parentheses, or "&&" between two comparisons: 1<x && x<2.',
        );
      }
      this.#at += 1;
      const right = FROM_THE_RIGHT.has(op)
        ? this.#deeper(() => this.#binary(level))
        : level === SUM
          ? this.#term()
          : this.#binary(level + 1);
      left = { kind: 'binary', op, left, right, at: left.at, end: right.end };
    }
  }

  /** Parses a term of a sum with its signs. */
  #term(): Expr {
    const token = this.#peek();
    const sign = this.#sign();
    if (sign !== '-' && sign !== '+') return this.#binary(SUM + 1);
    this.#at += 1;
    const operand = this.#deeper(() => this.#term());
    return sign === '+' ? operand : { kind: 'unary', op: 'neg', operand, at: token.at, end: operand.end };
  }

  #unary(): Expr {
    const token = this.#peek();
    const sign = this.#sign();
    if (sign === '-' || sign === '+') {
      this.#at += 1;
      const operand = this.#deeper(() => this.#unary());
      if (sign === '+') return operand;
      return { kind: 'unary', op: 'neg', operand, at: token.at, end: operand.end };
    }
    return this.#power();
  }

  /** Parses powers from left to right: 2^3^2 is 64. */
  #power(): Expr {
    let left = this.#not();
    while (this.#sign() === '^' || this.#sign() === '**') {
      this.#at += 1;
      const negative = this.#sign() === '-' || this.#sign() === '+';
      const right = negative ? this.#deeper(() => this.#unary()) : this.#not();
      left = { kind: 'binary', op: 'pow', left, right, at: left.at, end: right.end };
    }
    return left;
  }

  #not(): Expr {
    const token = this.#peek();
    if (!this.#take('!')) return this.#primary();
    const operand = this.#deeper(() => (this.#sign() === '-' ? this.#unary() : this.#not()));
    return { kind: 'unary', op: 'not', operand, at: token.at, end: operand.end };
  }

  #primary(): Expr {
    const token = this.#peek();
    if (token.kind === 'number') {
      this.#at += 1;
      return { kind: 'number', value: token.value, at: token.at, end: token.end };
    }
    if (token.kind === 'string') {
      this.#at += 1;
      return { kind: 'string', value: token.value, at: token.at, end: token.end };
    }
    if (this.#take('(')) {
      const cast = this.#cast();
      const inner = this.expression();
      this.#close(')', token);
      const whole = { ...inner, at: token.at, end: this.#last().end };
      return whole.kind === 'path' ? this.#afterBrackets(whole, cast) : whole;
    }
    if (token.kind === 'name' || (token.kind === 'sign' && token.text === '@')) return this.#path();
    if (this.options.parameters && this.#take('[')) return this.#parameter(token);
    throw this.#unexpected('a value');
  }

  /** Parses the name of a parameter after its bracket. */
  #parameter({ at }: Place): Expr {
    const word = this.#peek();
    if (word.kind !== 'name' && word.kind !== 'number') throw this.#unexpected('the name of a parameter');
    this.#at += 1;
    if (!this.#take(']')) throw this.#unexpected('"]"');
    const name = `[${this.text.slice(word.at, word.end)}]`;
    const { end } = this.#last();
    return { kind: 'path', segments: [{ name, subscripts: [], at, end }], collection: false, at, end };
  }

  #last(): Token {
    return this.#tokens[this.#at - 1] as Token;
  }

  #close(sign: string, open: Place): void {
    if (this.#take(sign)) return;
    if (this.#peek().kind === 'end') {
      const opened = this.text.slice(open.at, open.at + 1);
      throw expressionError(
        this.text,
        { at: open.at, end: open.at + 1 },
        `This "${opened}" is never closed.`,
      );
    }
    throw this.#unexpected(`"${sign}"`);
  }

  /** Parses a name with its members, subscripts and arguments, or a function. */
  #path(): Expr {
    const start = this.#peek().at;
    const segments: Segment[] = [this.#segment()];
    const first = segments[0] as Segment;
    const called = first.args !== undefined && !first.whole && first.subscripts.length === 0;
    if (called && this.#sign() !== '.' && this.#sign() !== '->') {
      return { kind: 'call', name: first.name, args: first.args ?? [], at: first.at, end: this.#last().end };
    }
    const collection = this.#members(segments) || first.whole === true;
    return { kind: 'path', segments, collection, at: start, end: this.#last().end };
  }

  /** Parses the members after dots and arrows. Returns whether one of them has "@". */
  #members(segments: Segment[]): boolean {
    const { names } = this.options;
    let collection = false;
    for (;;) {
      if (!this.#take('.') && !this.#take('->')) {
        if (!this.#joinSlash(segments)) return collection;
        continue;
      }
      // The name of an object may end with a dot.
      const last = segments[segments.length - 1] as Segment;
      const dotted = `${last.name}.`;
      if (this.#take('.')) last.name = dotted;
      else if (this.#peek().kind !== 'name' && this.#sign() !== '@' && names?.isDotted(dotted)) {
        last.name = dotted;
        return collection;
      }
      const segment = this.#segment();
      collection ||= segment.whole === true;
      segments.push(segment);
    }
  }

  /** Parses "(Class*)" of "((Class*)name)" after its first bracket. */
  #cast(): string | undefined {
    const name = this.#peek(1);
    const signs = [this.#sign(), this.#sign(2), this.#sign(3)].join(' ');
    if (name.kind !== 'name' || signs !== '( * )' || this.#peek(4).kind !== 'name') return undefined;
    this.#at += 4;
    return name.text;
  }

  /** Parses the rest after a name in brackets: its indices, and members of the class to which it is cast. */
  #afterBrackets(path: Expr & { kind: 'path' }, cast: string | undefined): Expr {
    const segments = [...path.segments];
    const last = { ...(segments.pop() as Segment), ...(cast !== undefined && { cast }) };
    this.#subscripts(last);
    segments.push(last);
    const collection = this.#members(segments) || path.collection;
    return { ...path, segments, collection, end: this.#last().end };
  }

  /** Joins "group/branch" to one name if the tree has such a branch. */
  #joinSlash(segments: Segment[]): boolean {
    const last = segments[segments.length - 1] as Segment;
    const name = this.#peek(1);
    const { names } = this.options;
    if (this.#sign() !== '/' || name.kind !== 'name' || !names) return false;
    if (last.args !== undefined || last.subscripts.length > 0) return false;
    const before = segments.map((segment) => segment.name).join('.');
    if (!names.isPath(`${before}/${name.text}`)) return false;
    this.#at += 1;
    const next = this.#segment();
    segments.splice(segments.length - 1, 1, { ...next, name: `${last.name}/${next.name}`, at: last.at });
    return true;
  }

  #segment(): Segment {
    const before = this.#take('@');
    const token = this.#peek();
    if (token.kind !== 'name') throw this.#unexpected('a name');
    this.#at += 1;
    const segment: Segment = { name: token.text, subscripts: [], at: token.at, end: token.end };
    if (this.#take('@') || before) segment.whole = true;
    const open = this.#peek();
    if (this.#take('(')) {
      segment.args = [];
      if (!this.#take(')')) {
        do segment.args.push(this.expression());
        while (this.#take(','));
        this.#close(')', open);
      }
    }
    this.#subscripts(segment);
    segment.end = this.#last().end;
    return segment;
  }

  #subscripts(segment: Segment): void {
    for (let bracket = this.#peek(); this.#take('['); bracket = this.#peek()) {
      if (this.#take(']')) segment.subscripts.push(undefined);
      else {
        segment.subscripts.push(this.expression());
        this.#close(']', bracket);
      }
    }
  }
}
