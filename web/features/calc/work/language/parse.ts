import { expressionError, type Place } from '../../../../query/language/errors';
import { namedFile } from '../names';

/** A part of an expression over histograms. */
export type Node = Place &
  (
    | { kind: 'number'; value: number }
    /** A name: of a file and an object in it, a quoted text, or a word. */
    | { kind: 'name'; text: string; form: 'file' | 'quoted' | 'word' }
    | { kind: 'call'; name: string; args: Argument[] }
    | { kind: 'binary'; op: '+' | '-' | '*' | '/'; left: Node; right: Node }
    | { kind: 'negative'; operand: Node }
    | { kind: 'range'; from: Node; to: Node }
    | { kind: 'list'; values: Node[] }
  );

export interface Argument extends Place {
  /** The name before "=". */
  name?: string | undefined;
  value: Node;
}

/** Deepest nesting of brackets, and longest text. */
const MAX_DEPTH = 100;
const MAX_LENGTH = 100_000;

/** Characters that a name of a file and of an object in it has without quotes. Operators need spaces around them there. */
const NAME = /[^\s"'(),*+=[\]]+/y;
const NUMBER = /\.?\d[\d.]*(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_]\w*/y;
const SPACE = /\s*/y;

/**
 * Parses an expression over histograms, such as "(a.root:h - b.root:h) / 2". Throws ARGUMENT with the place of the mistake.
 */
export function parseCalc(text: string): Node {
  if (text.length > MAX_LENGTH)
    throw expressionError(
      text.slice(0, 100),
      { at: 0, end: 100 },
      `The expression has ${text.length} characters; at most ${MAX_LENGTH} are read.`,
    );
  const parser = new Parser(text);
  const node = parser.sum();
  parser.atEnd();
  return node;
}

class Parser {
  #at = 0;
  #depth = 0;

  constructor(private readonly text: string) {
    this.#space();
  }

  sum(): Node {
    return this.#chain(['+', '-'], () => this.#product());
  }

  atEnd(): void {
    if (this.#at >= this.text.length) return;
    const found = this.text[this.#at] ?? '';
    throw this.#wrong(
      found === ')' ? 'There is a ")" too many.' : `"${found}" is not expected here.`,
      'Operators are + - * /; names of files with other characters are quoted: "my file.root:h".',
    );
  }

  #product(): Node {
    return this.#chain(['*', '/'], () => this.#signed());
  }

  #chain<Op extends '+' | '-' | '*' | '/'>(ops: readonly Op[], next: () => Node): Node {
    let left = next();
    for (;;) {
      const op = ops.find((one) => this.text[this.#at] === one);
      if (op === undefined) return left;
      this.#take(op);
      const right = next();
      left = { kind: 'binary', op, left, right, at: left.at, end: right.end };
    }
  }

  #signed(): Node {
    const at = this.#at;
    if (this.#take('+')) return this.#nested(() => this.#signed());
    if (!this.#take('-')) return this.#primary();
    const operand = this.#nested(() => this.#signed());
    if (operand.kind === 'number') return { ...operand, value: -operand.value, at };
    return { kind: 'negative', operand, at, end: operand.end };
  }

  #primary(): Node {
    const at = this.#at;
    const first = this.text[at];
    if (first === undefined)
      throw this.#wrong('Something is missing at the end.', 'Name a histogram, as a.root:h, or a number.');
    if (first === '"' || first === "'") return this.#quoted(first);
    if (this.#take('(')) {
      const inner = this.#nested(() => this.sum());
      this.#close(')', at);
      return inner;
    }
    const name = this.#peek(NAME);
    if (name !== undefined && namedFile(name) !== undefined) {
      this.#match(NAME);
      return { kind: 'name', text: name, form: 'file', at, end: at + name.length };
    }
    const digits = this.#match(NUMBER);
    if (digits !== undefined) {
      const place = { at, end: at + digits.length };
      if (Number.isNaN(Number(digits)))
        throw expressionError(this.text, place, `"${digits}" is not a number.`);
      return { kind: 'number', value: Number(digits), ...place };
    }
    const word = this.#match(WORD);
    if (word === undefined)
      throw this.#wrong(`A histogram, a number or a function is expected here, not "${first}".`);
    const end = at + word.length;
    if (this.text[this.#at] !== '(') return { kind: 'name', text: word, form: 'word', at, end };
    return this.#call(word, at);
  }

  #call(name: string, at: number): Node {
    const open = this.#at;
    this.#take('(');
    const args: Argument[] = [];
    if (!this.#take(')')) {
      do args.push(this.#nested(() => this.#argument()));
      while (this.#take(','));
      this.#close(')', open);
    }
    return { kind: 'call', name, args, at, end: this.#last };
  }

  #argument(): Argument {
    const at = this.#at;
    const name = /^[A-Za-z_]\w*(?=\s*=)/.exec(this.text.slice(at, at + 100))?.[0];
    if (name !== undefined) {
      this.#at += name.length;
      this.#space();
      this.#take('=');
    }
    const value = this.text[this.#at] === '[' ? this.#list() : this.#ranged();
    return { name, value, at, end: value.end };
  }

  #ranged(): Node {
    const from = this.sum();
    if (!this.#take(':')) return from;
    const to = this.sum();
    return { kind: 'range', from, to, at: from.at, end: to.end };
  }

  #list(): Node {
    const at = this.#at;
    this.#take('[');
    const values: Node[] = [];
    if (!this.#take(']')) {
      do values.push(this.sum());
      while (this.#take(','));
      this.#close(']', at);
    }
    return { kind: 'list', values, at, end: this.#last };
  }

  #quoted(quote: string): Node {
    const at = this.#at;
    const end = this.text.indexOf(quote, at + 1);
    if (end < 0) throw expressionError(this.text, { at, end: at + 1 }, 'This quotation mark is not closed.');
    const text = this.text.slice(at + 1, end);
    this.#at = end + 1;
    this.#space();
    return { kind: 'name', text, form: 'quoted', at, end: end + 1 };
  }

  /** The end of the token before. */
  #last = 0;

  #peek(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.text)?.[0];
  }

  #match(pattern: RegExp): string | undefined {
    const found = this.#peek(pattern);
    if (found === undefined || found === '') return undefined;
    this.#at += found.length;
    this.#last = this.#at;
    this.#space();
    return found;
  }

  #take(character: string): boolean {
    if (this.text[this.#at] !== character) return false;
    this.#at++;
    this.#last = this.#at;
    this.#space();
    return true;
  }

  #close(character: string, open: number): void {
    if (this.#take(character)) return;
    if (this.#at < this.text.length)
      throw this.#wrong(
        `"," or "${character}" is expected here.`,
        'Operators need spaces around them beside names of files.',
      );
    throw expressionError(
      this.text,
      { at: open, end: open + 1 },
      `This bracket is not closed by "${character}".`,
    );
  }

  #space(): void {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.text)?.[0].length ?? 0;
  }

  #nested<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw this.#wrong(`More than ${MAX_DEPTH} brackets lie in each other.`);
    try {
      return parse();
    } finally {
      this.#depth--;
    }
  }

  #wrong(message: string, fix?: string) {
    return expressionError(this.text, { at: this.#at, end: this.#at + 1 }, message, fix);
  }
}
