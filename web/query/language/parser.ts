import type { BinaryOp } from '../core/expr-ops';
import { expressionError, type Place } from './errors';
import { type Token, tokenize } from './lexer';

/** A subscript: an expression, or `undefined` for `[]`. */
export type Subscript = Expr | undefined;

/** A part of a name, between dots: `fTracks[2]`, `Pt()`. */
export interface Segment extends Place {
  name: string;
  subscripts: Subscript[];
  /** Arguments of a method or function. */
  args?: Expr[] | undefined;
}

export type Expr = Place &
  (
    | { kind: 'number'; value: number }
    | { kind: 'string'; value: string }
    /** `@` asks for the collection itself. */
    | { kind: 'path'; segments: Segment[]; collection: boolean }
    | { kind: 'call'; name: string; args: Expr[] }
    | { kind: 'unary'; op: 'neg' | 'not'; operand: Expr }
    | { kind: 'binary'; op: BinaryOp; left: Expr; right: Expr }
    | { kind: 'ternary'; condition: Expr; yes: Expr; no: Expr }
  );

/** Operators from the loosest to the tightest, as TFormula has them: `%` is looser than `<<`, and that than `*`. */
const LEVELS: Record<string, BinaryOp>[] = [
  { '||': 'or' },
  { '&&': 'and' },
  { '|': 'bitOr' },
  { '&': 'bitAnd' },
  { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '==': 'eq', '!=': 'ne' },
  { '+': 'add', '-': 'sub' },
  { '%': 'mod' },
  { '<<': 'shiftLeft', '>>': 'shiftRight' },
  { '*': 'mul', '/': 'div' },
];
const COMPARISON = 4;
const MAX_DEPTH = 200;

export interface ParseOptions {
  /** Whether a name with a slash in it is a branch, so that the slash is no division. */
  isPath?: (name: string) => boolean;
  /** The expression is this part of the text. */
  from?: number;
  to?: number;
}

/** The syntax tree of one expression. Throws ARGUMENT with the place of the mistake. */
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
    this.#tokens = tokenize(text, options.from, options.to);
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

  #sign(): string | undefined {
    const token = this.#peek();
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
    return expressionError(this.text, token, `"${found}" stands where ${wanted} should.`);
  }

  #deeper<T>(run: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw expressionError(this.text, this.#peek(), 'The expression is nested too deeply.');
    }
    const result = run();
    this.#depth -= 1;
    return result;
  }

  #binary(level: number): Expr {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (let count = 0; ; count++) {
      const sign = this.#sign();
      const op = sign !== undefined && Object.hasOwn(operators, sign) ? operators[sign] : undefined;
      if (op === undefined) return left;
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
      // 100%7%4 is 100%(7%4).
      const right = op === 'mod' ? this.#deeper(() => this.#binary(level)) : this.#binary(level + 1);
      left = { kind: 'binary', op, left, right, at: left.at, end: right.end };
    }
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

  /** Powers from left to right: 2^3^2 is 64. */
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
      const inner = this.expression();
      this.#close(')', token);
      return { ...inner, at: token.at, end: this.#last().end };
    }
    if (token.kind === 'name' || (token.kind === 'sign' && token.text === '@')) return this.#path();
    throw this.#unexpected('a value');
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

  /** A name with its members, subscripts and arguments; or a function. */
  #path(): Expr {
    const start = this.#peek().at;
    let collection = this.#take('@');
    const segments: Segment[] = [this.#segment()];
    const first = segments[0] as Segment;
    if (first.args !== undefined && !collection && first.subscripts.length === 0 && this.#sign() !== '.') {
      return { kind: 'call', name: first.name, args: first.args, at: first.at, end: this.#last().end };
    }
    for (;;) {
      if (this.#take('.')) {
        if (this.#take('@')) collection = true;
        segments.push(this.#segment());
      } else if (!this.#joinSlash(segments)) break;
    }
    return { kind: 'path', segments, collection, at: start, end: this.#last().end };
  }

  /** "group/branch": the slash belongs to the name where the tree has such a branch. */
  #joinSlash(segments: Segment[]): boolean {
    const last = segments[segments.length - 1] as Segment;
    const name = this.#peek(1);
    if (this.#sign() !== '/' || name.kind !== 'name' || !this.options.isPath) return false;
    if (last.args !== undefined || last.subscripts.length > 0) return false;
    const before = segments.map((segment) => segment.name).join('.');
    if (!this.options.isPath(`${before}/${name.text}`)) return false;
    this.#at += 1;
    const next = this.#segment();
    segments.splice(segments.length - 1, 1, { ...next, name: `${last.name}/${next.name}`, at: last.at });
    return true;
  }

  #segment(): Segment {
    const token = this.#peek();
    if (token.kind !== 'name') throw this.#unexpected('a name');
    this.#at += 1;
    const segment: Segment = { name: token.text, subscripts: [], at: token.at, end: token.end };
    const open = this.#peek();
    if (this.#take('(')) {
      segment.args = [];
      if (!this.#take(')')) {
        do segment.args.push(this.expression());
        while (this.#take(','));
        this.#close(')', open);
      }
    }
    for (let bracket = this.#peek(); this.#take('['); bracket = this.#peek()) {
      if (this.#take(']')) segment.subscripts.push(undefined);
      else {
        segment.subscripts.push(this.expression());
        this.#close(']', bracket);
      }
    }
    segment.end = this.#last().end;
    return segment;
  }
}
