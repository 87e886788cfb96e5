import { XylemError } from '../base/errors';
import { DTYPES, type DType } from '../core/dtypes';
import { BINARY_OP, OP, UNARY_OP } from '../core/expr-ops';
import type { NumberValue, Value } from './emitter';
import { nearest, type Place } from './errors';
import { AGGREGATES, FUNCTIONS, functionNames, SPECIALS } from './functions';
import { methodsOf } from './methods';
import { type Expr, parseExpression, type Segment } from './parser';
import { type FoundPath, PathEmitter } from './paths';
import type { Output } from './program';
import { type Names, substitute } from './substitute';

const MAX_ALIASES = 20;

/** Compiles one expression: operators, functions, methods and what names stand for. */
export class Compiler extends PathEmitter {
  #aliases = 0;

  /** An expression that must be a number. */
  number(expr: Expr, space: number): NumberValue {
    const value = this.value(expr, space);
    if (value.kind === 'const' || value.kind === 'slot') return value;
    if (value.kind === 'text') {
      throw this.fail(expr, 'A text is no number.', 'Compare it with a branch of strings: name=="text".');
    }
    throw this.fail(
      expr,
      `"${this.source.text.slice(expr.at, expr.end)}" holds strings.`,
      'Compare it with a text: name=="text".',
      'UNSUPPORTED',
    );
  }

  /** A branch as it is: strings, and integers that a double would round. */
  direct(expr: Expr, space: number): Output | undefined {
    if (expr.kind !== 'path') return undefined;
    const found = this.find(expr.segments);
    if (!found || found.method) return undefined;
    const leaf = this.leaf(found, expr);
    const dtype = DTYPES[leaf.leaf.dtype];
    const kind =
      leaf.leaf.kind === 'string'
        ? 'string'
        : dtype === 'i64'
          ? 'int64'
          : dtype === 'u64'
            ? 'uint64'
            : undefined;
    if (!kind || expr.collection) return undefined;
    const access = this.access(leaf, found.segments, expr, space, false);
    return { kind, source: access.access, space };
  }

  /** The type of the values of a branch as it is; a double for what is computed, and where one may be missing. */
  typeOf(expr: Expr): DType {
    if (expr.kind !== 'path' || expr.collection) return 'f64';
    const found = this.find(expr.segments);
    if (!found || found.method) return 'f64';
    const { leaf } = this.leaf(found, expr);
    const dtype = DTYPES[leaf.dtype] ?? 'f64';
    if (leaf.kind !== 'number' || dtype === 'f32' || dtype === 'i64' || dtype === 'u64') return dtype;
    return this.mayMiss(expr) ? 'f64' : dtype;
  }

  /** Whether a branch may have no value in an entry: one behind an index, or of a friend. */
  mayMiss(expr: Expr): boolean {
    if (expr.kind !== 'path') return false;
    const indexed = expr.segments.some(({ subscripts }) => subscripts.some((one) => one !== undefined));
    return indexed || (this.find(expr.segments)?.found.scope.mapped ?? false);
  }

  /** Whether the type says that all values are whole numbers. */
  isInteger(expr: Expr): boolean {
    if (expr.kind === 'call') return expr.name === 'Length$';
    if (expr.kind !== 'path' || expr.collection) return false;
    const found = this.find(expr.segments);
    if (!found && expr.segments.length === 1) {
      const name = expr.segments[0]?.name ?? '';
      return SPECIALS.includes(name) && name !== 'pi';
    }
    if (!found || found.method) return false;
    const dtype = DTYPES[this.leaf(found, expr).leaf.dtype];
    return dtype !== undefined && dtype !== 'f32' && dtype !== 'f64';
  }

  protected value(expr: Expr, space: number): Value {
    switch (expr.kind) {
      case 'number':
        return { kind: 'const', value: expr.value };
      case 'string':
        return { kind: 'text', value: expr.value, place: expr };
      case 'unary':
        if (expr.op === 'neg' && expr.operand.kind === 'number')
          return { kind: 'const', value: -expr.operand.value };
        return this.unary(UNARY_OP[expr.op], this.number(expr.operand, space), expr);
      case 'binary':
        return this.binary(expr, space);
      case 'ternary':
        return this.ternary(expr, space);
      case 'call':
        return this.call(expr, space);
      case 'path':
        return this.path(expr, space);
    }
  }

  protected binary(expr: Expr & { kind: 'binary' }, space: number): Value {
    const left = this.value(expr.left, space);
    const right = this.value(expr.right, space);
    const isText = (value: Value) => value.kind === 'text' || value.kind === 'string';
    if (isText(left) || isText(right)) return this.compareTexts(expr, left, right);
    return this.combine(BINARY_OP[expr.op], left as NumberValue, right as NumberValue, expr);
  }

  protected compareTexts(expr: Expr & { kind: 'binary' }, left: Value, right: Value): NumberValue {
    if (expr.op !== 'eq' && expr.op !== 'ne') {
      throw this.fail(expr, 'Strings can only be compared with "==" and "!=".');
    }
    const numeric = left.kind === 'const' || left.kind === 'slot' ? expr.left : expr.right;
    if (left.kind === 'const' || left.kind === 'slot' || right.kind === 'const' || right.kind === 'slot') {
      throw this.fail(numeric, 'A number is compared with a string.');
    }
    const swap = left.kind === 'text';
    const [one, other] = swap ? [right, left] : [left, right];
    let result: NumberValue;
    if (one.kind === 'text' && other.kind === 'text') {
      result = { kind: 'const', value: one.value === other.value ? 1 : 0 };
    } else if (one.kind === 'string' && other.kind === 'text') {
      const { at, bytes } = this.builder.text(other.value);
      result = this.emitString(OP.stringEq, one, { imm2: at, b: bytes }, expr);
    } else if (one.kind === 'string' && other.kind === 'string') {
      const space = one.space !== 0 ? one.space : other.space;
      result = this.emitString(OP.stringSame, { ...one, space }, { imm2: other.access }, expr);
    } else throw this.fail(expr, 'These strings cannot be compared.');
    return expr.op === 'eq' ? result : this.unary(UNARY_OP.not, result, expr);
  }

  protected emitString(
    op: number,
    string: Value & { kind: 'string' },
    more: { imm2: number; b?: number },
    place: Place,
  ): NumberValue {
    const slot = this.take(place);
    this.builder.emit(op, string.space, slot, { imm: string.access, ...more });
    return { kind: 'slot', slot, space: string.space };
  }

  protected ternary(expr: Expr & { kind: 'ternary' }, space: number): NumberValue {
    const values = [expr.condition, expr.yes, expr.no].map((one) => this.number(one, space));
    const together = this.together(values);
    const [a = 0, b = 0, c = 0] = together.slots;
    const slot = this.take(expr);
    this.builder.emit(OP.select, together.space, slot, { a, b, c });
    for (const used of together.slots) this.builder.release(used);
    return { kind: 'slot', slot, space: together.space };
  }

  // ---- functions

  protected call(expr: Expr & { kind: 'call' }, space: number): Value {
    const { name, args } = expr;
    if (AGGREGATES.has(name)) return this.aggregate(expr, space);
    if (name === 'strstr') return this.strstr(expr, space);
    const spec = FUNCTIONS.get(name);
    if (!spec) throw this.unknownFunction(expr);
    const most = spec.args;
    const defaults = 'text' in spec ? (spec.defaults ?? []) : [];
    if (args.length > most || args.length < most - defaults.length) {
      const count = most === 0 ? 'no arguments' : most === 1 ? 'one argument' : `${most} arguments`;
      throw this.fail(expr, `${name} takes ${count}, not ${args.length}.`);
    }
    const [first, second] = args;
    if ('unary' in spec && first) return this.unary(UNARY_OP[spec.unary], this.number(first, space), expr);
    if ('binary' in spec && first && second) {
      return this.combine(
        BINARY_OP[spec.binary],
        this.number(first, space),
        this.number(second, space),
        expr,
      );
    }
    const given: Names = new Map();
    for (let i = 0; i < most; i++) {
      const otherwise = defaults[i - most + defaults.length] ?? 0;
      given.set(
        'abcdef'[i] ?? '',
        args[i] ?? { kind: 'number', value: otherwise, at: expr.at, end: expr.end },
      );
    }
    return this.expand('text' in spec ? spec.text : '0', given, expr, space);
  }

  /** Compiles an expression that stands for another; its errors are those of the place. */
  protected expand(text: string, names: Names, place: Place, space: number): Value {
    const body = substitute(parseExpression(text), names, place);
    return this.value(body, space);
  }

  protected unknownFunction(expr: Expr & { kind: 'call' }): XylemError {
    const place = { at: expr.at, end: expr.at + expr.name.length };
    if (this.scopes.find(expr.name)) {
      return this.fail(
        place,
        `"${expr.name}" is a branch, not a function.`,
        'An index stands in brackets: a[0].',
      );
    }
    const otherwise = 'Functions are those of TFormula and many of TMath.';
    const like = nearest(expr.name, functionNames());
    return this.noSuch(place, `There is no function "${expr.name}".`, like, otherwise);
  }

  protected strstr(expr: Expr & { kind: 'call' }, space: number): NumberValue {
    const [where, what] = expr.args;
    const values = [where, what].map((arg) => arg && this.value(arg, space));
    const [string, text] = values;
    if (expr.args.length !== 2 || string?.kind !== 'string' || text?.kind !== 'text') {
      throw this.fail(expr, 'strstr takes a branch of strings and a text: strstr(name, "text").');
    }
    const { at, bytes } = this.builder.text(text.value);
    return this.emitString(OP.stringIn, string, { imm2: at, b: bytes }, expr);
  }

  protected aggregate(expr: Expr & { kind: 'call' }, space: number): NumberValue {
    const { name, args } = expr;
    const wanted = AGGREGATES.get(name) ?? 1;
    if (args.length !== wanted) {
      throw this.fail(
        expr,
        `${name} takes ${wanted === 1 ? 'one argument' : `${wanted} arguments`}, not ${args.length}.`,
      );
    }
    const [first, second] = args as [Expr, Expr | undefined];
    if (name === 'Alt$' && second) return this.alt(first, second, expr, space);
    if (name === 'At$' && second) return this.atIndex(first, second, expr, space);
    const saved = this.alternate;
    this.alternate = undefined;
    const inner = this.builder.space();
    const values = [first, ...(second ? [second] : [])].map((arg) => {
      const value = name === 'Length$' ? this.loop(arg, inner) : this.number(arg, inner);
      return this.inSpace(value, inner);
    });
    this.alternate = saved;
    const [a = 0, b = 0] = values;
    const slot = this.take(expr);
    const op = {
      Length$: OP.length,
      Sum$: OP.sum,
      Min$: OP.min,
      Max$: OP.max,
      MinIf$: OP.minIf,
      MaxIf$: OP.maxIf,
    }[name];
    this.builder.emit(op ?? OP.sum, 0, slot, { a, b, imm: inner });
    for (const used of values) this.builder.release(used);
    return { kind: 'slot', slot, space: 0 };
  }

  /** What is only counted may be strings, too. */
  protected loop(expr: Expr, space: number): NumberValue {
    const value = this.value(expr, space);
    return value.kind === 'text' || value.kind === 'string' ? { kind: 'const', value: 0 } : value;
  }

  /** Alt$(value, otherwise): the value does not take part in the loop. */
  protected alt(first: Expr, second: Expr, expr: Expr, space: number): NumberValue {
    const saved = this.alternate;
    const used: { access: number; space: number }[] = [];
    this.alternate = used;
    const value = this.number(first, space);
    this.alternate = saved;
    const otherwise = this.number(second, space);
    if (otherwise.kind === 'slot' && otherwise.space !== 0) {
      throw this.fail(
        second,
        'The second argument of Alt$ must be one value an entry.',
        undefined,
        'UNSUPPORTED',
      );
    }
    const valid = used.map(({ access, space: where }): NumberValue => {
      const slot = this.take(expr);
      this.builder.emit(OP.valid, where, slot, { imm: access });
      return { kind: 'slot', slot, space: where };
    });
    const there = valid.reduce<NumberValue>((both, one) => this.combine(BINARY_OP.and, both, one, expr), {
      kind: 'const',
      value: 1,
    });
    const together = this.together([there, value, otherwise]);
    const [a = 0, b = 0, c = 0] = together.slots;
    const slot = this.take(expr);
    this.builder.emit(OP.select, together.space, slot, { a, b, c });
    for (const one of together.slots) this.builder.release(one);
    return { kind: 'slot', slot, space: together.space };
  }

  /** At$(array, index): as array[index], where the array is a branch. */
  protected atIndex(array: Expr, index: Expr, expr: Expr, space: number): NumberValue {
    if (array.kind !== 'path' || array.collection) {
      throw this.fail(array, 'The first argument of At$ must be a branch.', undefined, 'UNSUPPORTED');
    }
    const segments = [...array.segments];
    const last = segments[segments.length - 1] as Segment;
    segments[segments.length - 1] = { ...last, subscripts: [...last.subscripts, index] };
    return this.number({ ...array, segments, at: expr.at, end: expr.end }, space);
  }

  // ---- names

  protected path(expr: Expr & { kind: 'path' }, space: number): Value {
    const { segments } = expr;
    const [first] = segments as [Segment];
    const alone = segments.length === 1 && first.subscripts.length === 0 && first.args === undefined;
    const found = this.find(segments);
    if (!found) {
      if (alone && !expr.collection) {
        const special = this.special(first, space);
        if (special) return special;
      }
      const alias = alone ? this.alias(first, space) : undefined;
      if (alias) return alias;
      throw this.unknown(segments);
    }
    if (found.method) return this.method(found, expr, space);
    if (expr.collection)
      throw this.fail(expr, '"@" stands for a collection: ask for its size, @name.size().');
    const leaf = this.leaf(found, expr);
    const access = this.access(leaf, found.segments, expr, space, false);
    if (leaf.leaf.kind === 'string') {
      return { kind: 'string', access: access.access, space: access.space, place: expr };
    }
    const slot = this.take(expr);
    this.builder.emit(OP.load, access.space, slot, { imm: access.access });
    access.done();
    return { kind: 'slot', slot, space: access.space };
  }

  protected special(segment: Segment, space: number): NumberValue | undefined {
    const emit = (op: number, where: number, imm = 0): NumberValue => {
      const slot = this.take(segment);
      this.builder.emit(op, where, slot, { imm });
      return { kind: 'slot', slot, space: where };
    };
    switch (segment.name) {
      case 'Entry$': {
        const local = emit(OP.entry, 0);
        const { first } = this.place;
        return first === 0
          ? local
          : this.combine(BINARY_OP.add, local, { kind: 'const', value: first }, segment);
      }
      case 'LocalEntry$':
        return emit(OP.entry, 0);
      case 'Entries$':
        return { kind: 'const', value: this.place.entries };
      case 'LocalEntries$':
        return { kind: 'const', value: this.scopes.main.model.info.entries };
      case 'Iteration$':
        return emit(OP.iteration, space);
      case 'Length$':
        return emit(OP.length, 0, space);
      case 'pi':
        return { kind: 'const', value: Math.PI };
      default:
        return undefined;
    }
  }

  protected alias(segment: Segment, space: number): Value | undefined {
    const { aliases } = this.scopes.main.model.info;
    const text = aliases && Object.hasOwn(aliases, segment.name) ? aliases[segment.name] : undefined;
    if (text === undefined) return undefined;
    if (this.#aliases >= MAX_ALIASES) {
      throw this.fail(segment, `The alias "${segment.name}" leads back to itself.`);
    }
    this.#aliases += 1;
    try {
      const parsed = parseExpression(text, { isPath: (name) => this.scopes.isPath(name) });
      return this.value(substitute(parsed, new Map(), segment), space);
    } catch (thrown) {
      if (!(thrown instanceof XylemError) || thrown.where?.expression === this.source.text) throw thrown;
      throw this.fail(
        segment,
        `In the alias "${segment.name}", ${text}: ${thrown.message}`,
        thrown.fix,
        thrown.code,
      );
    } finally {
      this.#aliases -= 1;
    }
  }

  /** `.size()`, and what methods.ts knows. */
  protected method(path: FoundPath, expr: Expr & { kind: 'path' }, space: number): Value {
    const method = path.method as Segment;
    if (method.name === 'size' && method.args?.length === 0) return this.size(path, expr, space);
    const typeName = this.typeAt(path, expr);
    const methods = methodsOf(typeName);
    const text = methods?.[method.name];
    if (text === undefined) {
      const names = methods ? Object.keys(methods) : ['size'];
      throw this.noSuch(
        { at: method.at, end: method.at + method.name.length },
        `${typeName || 'This'} has no method "${method.name}" here.`,
        nearest(method.name, names),
        methods ? `There are ${names.slice(0, 8).join(', ')}.` : undefined,
        'UNSUPPORTED',
      );
    }
    if (method.args && method.args.length > 0) throw this.fail(method, `${method.name} takes no arguments.`);
    const self: Expr = { ...expr, segments: path.segments };
    return this.value(substitute(parseExpression(text), new Map([['self', self]]), expr), space);
  }
}
