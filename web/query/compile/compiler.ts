import type { XylemError } from '../../base/errors';
import { own } from '../../base/search';
import { nearest } from '../../base/suggest';
import { DTYPES, type DType } from '../../core/dtypes';
import { BINARY_OP, type BinaryOp, OP, UNARY_OP } from '../../core/expr-ops';
import { MATH_FUNCTION, type MathFunction } from '../../core/math-ops';
import type { Place } from '../language/errors';
import { formulaWord } from '../language/formula-words';
import {
  AGGREGATES,
  FUNCTIONS,
  FUNCTIONS_OF_6_40,
  type FunctionSpec,
  functionNames,
  SPECIALS,
} from '../language/functions';
import { type BinaryExpr, chainOf, eachPath } from '../language/names';
import { type Expr, parseExpression, type Segment } from '../language/parser';
import { type Names, substitute } from '../language/substitute';
import { Emitter, type NumberValue, type Value } from './emitter';
import { isLength } from './leaf';
import { type Lookup, Methods } from './methods';
import { Paths } from './paths';
import type { Output } from './program';
import { countsAsInteger, countsAsIntegerSize } from './whole-numbers';

/** Each comparison with the one that has its sides exchanged. */
const ORDERS: Partial<Record<BinaryOp, BinaryOp>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  gt: 'lt',
  le: 'ge',
  ge: 'le',
};

/** Minimum number of arguments of a function. */
function leastArgs({ args, defaults = [] }: FunctionSpec): number {
  return args - defaults.length;
}

/** Returns the name without its namespace, in lower case. */
function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase();
}

const bodies = new Map<string, Expr>();

function bodyOf(text: string): Expr {
  const body = bodies.get(text) ?? parseExpression(text, { isBody: true });
  bodies.set(text, body);
  return body;
}

/** Compiles one expression: operators, functions, methods and names. */
export class Compiler {
  readonly emit: Emitter;
  readonly paths: Paths;
  readonly methods: Methods;
  /** Whether Iteration$ is used outside any other loop. */
  counts = false;
  readonly #bound: NumberValue[] = [];

  constructor(...context: ConstructorParameters<typeof Emitter>) {
    this.emit = new Emitter(...context);
    this.paths = new Paths(this.emit, (expr, space) => this.number(expr, space));
    this.methods = new Methods(this.paths, this);
  }

  /** Compiles an expression that has to be a number. */
  number(expr: Expr, space: number): NumberValue {
    return this.#numberOf(this.value(expr, space), expr);
  }

  #numberOf(value: Value, expr: Expr): NumberValue {
    if (value.kind === 'const' || value.kind === 'slot') return value;
    if (value.kind === 'text') {
      throw this.emit.fail(
        expr,
        'A text is not a number.',
        'Compare it with a branch of strings: name=="text".',
      );
    }
    if (value.chars) return this.methods.emitString(OP.stringCode, value, { imm2: 0 }, expr);
    throw this.emit.fail(
      expr,
      `"${this.emit.source.text.slice(expr.at, expr.end)}" holds strings.`,
      'Compare it with a text: name=="text".',
      'UNSUPPORTED',
    );
  }

  /**
   * Compiles the centre of the bin that a string has on an axis of labels: 0.5 for the first, -1 for a
   * string without a label.
   */
  binOf(expr: Expr, labels: readonly string[], space: number): NumberValue {
    const string = this.#characters(expr, space) ?? this.value(expr, space);
    if (string.kind !== 'string') throw this.emit.fail(expr, 'This holds strings in other files only.');
    const { mul, add } = BINARY_OP;
    return labels.reduce<NumberValue>(
      (sum, label, i) => {
        const { at, bytes } = this.emit.builder.text(label);
        const same = this.methods.emitString(OP.stringEq, string, { imm2: at, b: bytes }, expr);
        const middle = this.emit.combine(mul, same, { kind: 'const', value: i + 1.5 }, expr);
        return this.emit.combine(add, sum, middle, expr);
      },
      { kind: 'const', value: -1 },
    );
  }

  /**
   * Compiles a branch whose values are returned without conversion: strings, and integers that a double
   * would round. `everywhere`: each instance has to have a value.
   */
  direct(expr: Expr, space: number, everywhere = false): Output | undefined {
    if (expr.kind !== 'path') return undefined;
    const found = this.paths.find(expr.segments);
    if (!found || found.method) return undefined;
    const leaf = this.paths.characters(expr) ?? this.paths.leaf(found, expr);
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
    if (this.emit.source.plainLengths && isLength(found.found.branch)) return undefined;
    // The integer types have no value that means "missing".
    if (everywhere && kind !== 'string' && this.mayMiss(expr)) return undefined;
    const access = this.paths.access(leaf, found.segments, expr, space);
    return { kind, source: access.access, space };
  }

  /**
   * Returns the type of the values: that of the branch if the expression is a branch and nothing else; f64
   * for computed values, and if a value may be missing.
   */
  typeOf(expr: Expr): DType {
    if (expr.kind !== 'path' || expr.collection) return 'f64';
    const found = this.paths.find(expr.segments);
    if (!found || found.method) return 'f64';
    const { leaf } = this.paths.leaf(found, expr);
    const dtype = DTYPES[leaf.dtype] ?? 'f64';
    if (leaf.kind !== 'number' || dtype === 'f32' || dtype === 'i64' || dtype === 'u64') return dtype;
    return this.mayMiss(expr) ? 'f64' : dtype;
  }

  /** Whether a branch may have no value in some entries, because it has an index or belongs to a friend. */
  mayMiss(expr: Expr): boolean {
    if (expr.kind !== 'path') return false;
    const indexed = expr.segments.some(({ subscripts }) => subscripts.some((one) => one !== undefined));
    return indexed || (this.paths.find(expr.segments)?.found.scope.mapped ?? false);
  }

  /** Whether TTreeFormula::IsInteger is true: for a branch of integers and nothing else, or for a count. */
  isInteger(expr: Expr): boolean {
    const [first] = expr.kind === 'call' ? expr.args : [];
    if (expr.kind === 'call')
      return (
        expr.name === 'Length$' || (expr.name === 'Alt$' && first !== undefined && this.isInteger(first))
      );
    if (expr.kind !== 'path') return false;
    const found = this.paths.find(expr.segments);
    if (expr.collection) return found !== undefined && countsAsIntegerSize(found);
    if (!found && expr.segments.length === 1) {
      const name = expr.segments[0]?.name ?? '';
      return SPECIALS.includes(name) && name !== 'pi' && name !== 'rndm';
    }
    if (found?.method) return this.methods.isStringMethod(found, expr);
    return found !== undefined && countsAsInteger(found, this.paths.leaf(found, expr).leaf);
  }

  value(expr: Expr, space: number): Value {
    switch (expr.kind) {
      case 'number':
        return { kind: 'const', value: expr.value };
      case 'string':
        return { kind: 'text', value: expr.value, place: expr };
      case 'unary':
        if (expr.op === 'neg' && expr.operand.kind === 'number')
          return { kind: 'const', value: -expr.operand.value };
        return this.emit.unary(UNARY_OP[expr.op], this.number(expr.operand, space), expr);
      case 'binary':
        return this.#binary(expr, space);
      case 'ternary':
        return this.#ternary(expr, space);
      case 'call':
        return this.#call(expr, space);
      case 'bound': {
        const value = this.#bound[expr.id] as NumberValue;
        if (value.kind === 'slot') this.emit.builder.keep(value.slot);
        return value;
      }
      case 'path':
        return this.#path(expr, space);
    }
  }

  #binary(expr: Expr & { kind: 'binary' }, space: number): Value {
    const { first, operations } = chainOf(expr);
    const [{ op, right } = expr] = operations;
    return operations.reduce<Value>(
      (left, one) => this.#operation(one, left, this.#side(one.right, one.op, one.left, space)),
      this.#side(first, op, right, space),
    );
  }

  /** Compiles one side of an operation. It may be a text if the other side is compared with it. */
  #side(expr: Expr, op: BinaryOp, other: Expr, space: number): Value {
    const isText = own(ORDERS, op) && this.paths.characters(expr) && this.#isText(other);
    return (isText ? this.#characters(expr, space) : undefined) ?? this.value(expr, space);
  }

  #isText(expr: Expr): boolean {
    if (expr.kind !== 'path') return expr.kind === 'string';
    if (this.paths.characters(expr)) return true;
    const found = expr.collection ? undefined : this.paths.find(expr.segments);
    return found !== undefined && !found.method && this.paths.leaf(found, expr).leaf.kind === 'string';
  }

  #characters(expr: Expr, space: number): (Value & { kind: 'string' }) | undefined {
    const found = this.paths.characters(expr);
    if (!found) return undefined;
    const { access, space: where } = this.paths.access(found, found.segments, expr, space);
    return { kind: 'string', access, space: where, place: expr, chars: true };
  }

  #operation(expr: BinaryExpr, left: Value, right: Value): Value {
    const isText = (value: Value) => value.kind === 'text' || value.kind === 'string';
    if (isText(left) && isText(right) && own(ORDERS, expr.op)) return this.#compareTexts(expr, left, right);
    const op = BINARY_OP[expr.op];
    return this.emit.combine(op, this.#numberOf(left, expr.left), this.#numberOf(right, expr.right), expr);
  }

  /** Compares two strings, or a string and a text. */
  #compareTexts(expr: Expr & { kind: 'binary' }, left: Value, right: Value): NumberValue {
    if (left.kind === 'text' && right.kind === 'text') {
      const order = left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
      return this.emit.combine(
        BINARY_OP[expr.op],
        { kind: 'const', value: order },
        { kind: 'const', value: 0 },
        expr,
      );
    }
    const swap = left.kind === 'text';
    const [one, other] = swap ? [right, left] : [left, right];
    if (one.kind !== 'string') throw this.emit.fail(expr, 'These strings cannot be compared.');
    const equal = expr.op === 'eq' || expr.op === 'ne';
    let found: NumberValue;
    if (other.kind === 'string') {
      const both = { ...one, space: one.space !== 0 ? one.space : other.space };
      found = this.methods.emitString(
        equal ? OP.stringSame : OP.stringOrder,
        both,
        { imm2: other.access, c: 1 },
        expr,
      );
    } else {
      const { at, bytes } = this.emit.builder.text(other.kind === 'text' ? other.value : '');
      found = this.methods.emitString(
        equal ? OP.stringEq : OP.stringOrder,
        one,
        { imm2: at, b: bytes },
        expr,
      );
    }
    if (equal) return expr.op === 'eq' ? found : this.emit.unary(UNARY_OP.not, found, expr);
    const op = BINARY_OP[swap ? (ORDERS[expr.op] ?? expr.op) : expr.op];
    return this.emit.combine(op, found, { kind: 'const', value: 0 }, expr);
  }

  #ternary(expr: Expr & { kind: 'ternary' }, space: number): NumberValue {
    const values = [expr.condition, expr.yes, expr.no].map((one) => this.number(one, space));
    const together = this.emit.together(values);
    const [a = 0, b = 0, c = 0] = together.slots;
    const slot = this.emit.take(expr);
    this.emit.builder.emit(OP.select, together.space, slot, { a, b, c });
    for (const used of together.slots) this.emit.builder.release(used);
    return { kind: 'slot', slot, space: together.space };
  }

  // ---- functions

  #call(expr: Expr & { kind: 'call' }, space: number): Value {
    const { name, args } = expr;
    if (AGGREGATES.has(name)) return this.#aggregate(expr, space);
    if (name === 'strstr') return this.#strstr(expr, space);
    const old = this.emit.place.rootVersion === '6.40' ? FUNCTIONS_OF_6_40.get(name) : undefined;
    const specs = old ?? FUNCTIONS.get(name);
    if (!specs) throw this.#unknownFunction(expr);
    const spec = specs.find((one) => args.length <= one.args && args.length >= leastArgs(one));
    if (!spec) {
      const counts = [...new Set(specs.flatMap((one) => [leastArgs(one), one.args]))].sort((a, b) => a - b);
      const wanted = counts.map((count) => ['no', 'one'][count] ?? String(count)).join(' or ');
      const noun = wanted === 'one' ? 'argument' : 'arguments';
      throw this.emit.fail(expr, `${name} takes ${wanted} ${noun}, not ${args.length}.`);
    }
    const given = [...args];
    const defaults = spec.defaults ?? [];
    while (given.length < spec.args) {
      const value = defaults[given.length - spec.args + defaults.length] ?? 0;
      given.push({ kind: 'number', value, at: expr.at, end: expr.end });
    }
    const [first, second] = given;
    if ('unary' in spec && first)
      return this.emit.unary(UNARY_OP[spec.unary], this.number(first, space), expr);
    if ('binary' in spec && first && second) {
      const left = this.number(first, space);
      return this.emit.combine(BINARY_OP[spec.binary], left, this.number(second, space), expr);
    }
    if ('math' in spec) {
      const values = given.map((arg) => this.number(arg, space));
      return this.#callMath(spec.math, values, expr);
    }
    const lookup: Lookup = (name) => {
      const arg = name.length === 1 ? given['abcdefg'.indexOf(name)] : undefined;
      return arg && this.number(arg, space);
    };
    return this.expand('text' in spec ? spec.text : '0', lookup, expr, space);
  }

  #callMath(name: MathFunction, values: NumberValue[], place: Place): NumberValue {
    const { slots, space } = this.emit.together(values);
    const [a = 0, b = a, c = a, imm2 = a] = slots;
    const slot = this.emit.take(place);
    this.emit.builder.emit(OP.call, space, slot, { a, b, c, imm: MATH_FUNCTION[name], imm2 });
    for (const used of slots) this.emit.builder.release(used);
    return { kind: 'slot', slot, space };
  }

  /**
   * Compiles the body of a function or method; errors are reported at the place of the call. The value of
   * a name is computed once, even if the body uses it several times.
   */
  expand(text: string, lookup: Lookup, place: Place, space: number): NumberValue {
    const body = bodyOf(text);
    const given: Names = new Map();
    const used: number[] = [];
    eachPath(body, ({ segments: [first] }) => {
      if (!first || given.has(first.name)) return;
      const value = lookup(first.name);
      if (!value) return;
      if (value.kind === 'slot') used.push(value.slot);
      given.set(first.name, { kind: 'bound', id: this.#bound.push(value) - 1, at: place.at, end: place.end });
    });
    const result = this.number(substitute(body, given, place), space);
    for (const slot of used) this.emit.builder.release(slot);
    return result;
  }

  #unknownFunction(expr: Expr & { kind: 'call' }): XylemError {
    const place = { at: expr.at, end: expr.at + expr.name.length };
    if (this.emit.scopes.resolve([expr.name])) {
      return this.emit.fail(
        place,
        `"${expr.name}" is a branch, not a function.`,
        'An index stands in brackets: a[0].',
      );
    }
    const word = formulaWord(expr.name);
    if (word) return this.emit.fail(place, word.message, word.fix, 'UNSUPPORTED');
    const otherwise = 'Functions are those of TFormula, TMath and ROOT::Math.';
    const names = functionNames();
    const like = nearest(expr.name, names);
    if (like.length === 0)
      like.push(...names.filter((name) => lastWord(name) === lastWord(expr.name)).slice(0, 3));
    return this.emit.noSuch(place, `There is no function "${expr.name}".`, like, otherwise);
  }

  #strstr(expr: Expr & { kind: 'call' }, space: number): NumberValue {
    const [where, what] = expr.args;
    const values = [where, what].map(
      (arg) => arg && (this.#characters(arg, space) ?? this.value(arg, space)),
    );
    const [string, text] = values;
    if (expr.args.length !== 2 || string?.kind !== 'string' || text?.kind !== 'text') {
      throw this.emit.fail(expr, 'strstr takes a branch of strings and a text: strstr(name, "text").');
    }
    const { at, bytes } = this.emit.builder.text(text.value);
    return this.methods.emitString(OP.stringIn, string, { imm2: at, b: bytes }, expr);
  }

  #aggregate(expr: Expr & { kind: 'call' }, space: number): NumberValue {
    const { name, args } = expr;
    const wanted = AGGREGATES.get(name) ?? 1;
    if (args.length !== wanted) {
      throw this.emit.fail(
        expr,
        `${name} takes ${wanted === 1 ? 'one argument' : `${wanted} arguments`}, not ${args.length}.`,
      );
    }
    const [first, second] = args as [Expr, Expr | undefined];
    if (name === 'Alt$' && second) return this.#alt(first, second, expr, space);
    if (name === 'At$' && second) return this.#atIndex(first, second, expr, space);
    const saved = this.paths.alternate;
    this.paths.alternate = undefined;
    const inner = this.emit.builder.space();
    const size = name === 'Length$' ? this.#lengthOf(first, inner, expr) : undefined;
    if (size) {
      this.paths.alternate = saved;
      return size;
    }
    const values = [first, ...(second ? [second] : [])].map((arg) => {
      const value = name === 'Length$' ? this.#loop(arg, inner) : this.number(arg, inner);
      return this.emit.inSpace(value, inner);
    });
    this.paths.alternate = saved;
    const [a = 0, b = 0] = values;
    const slot = this.emit.take(expr);
    const op = {
      Length$: OP.length,
      Sum$: OP.sum,
      Min$: OP.min,
      Max$: OP.max,
      MinIf$: OP.minIf,
      MaxIf$: OP.maxIf,
    }[name];
    this.emit.builder.emit(op ?? OP.sum, 0, slot, { a, b, imm: inner });
    for (const used of values) this.emit.builder.release(used);
    return { kind: 'slot', slot, space: 0 };
  }

  /** Compiles Length$ of a collection of objects: the number of objects. */
  #lengthOf(arg: Expr, inner: number, place: Place): NumberValue | undefined {
    if (arg.kind !== 'path' || arg.collection) return undefined;
    const found = this.paths.find(arg.segments);
    const levels = found && !found.method ? this.paths.collectionLevels(found, arg) : 0;
    if (!found) return undefined;
    if (levels === 0) return this.paths.isObject(found, arg) ? { kind: 'const', value: 1 } : undefined;
    const size = this.paths.size(found, arg, inner, levels - 1);
    if (size.kind !== 'slot' || size.space === 0) return size;
    const slot = this.emit.take(place);
    this.emit.builder.emit(OP.sum, 0, slot, { a: size.slot, imm: inner });
    this.emit.builder.release(size.slot);
    return { kind: 'slot', slot, space: 0 };
  }

  /** Compiles the argument of a loop. If the loop only counts it, it may also be a string. */
  #loop(expr: Expr, space: number): NumberValue {
    const value = this.value(expr, space);
    return value.kind === 'text' || value.kind === 'string' ? { kind: 'const', value: 0 } : value;
  }

  /** Compiles Alt$(value, otherwise). The value does not take part in the loop. */
  #alt(first: Expr, second: Expr, expr: Expr, space: number): NumberValue {
    const saved = this.paths.alternate;
    const used: { access: number; space: number }[] = [];
    this.paths.alternate = used;
    const value = this.number(first, space);
    this.paths.alternate = saved;
    const otherwise = this.number(second, space);
    if (otherwise.kind === 'slot' && otherwise.space !== 0) {
      throw this.emit.fail(
        second,
        'The second argument of Alt$ must be one value an entry.',
        undefined,
        'UNSUPPORTED',
      );
    }
    const valid = used.map(({ access, space: where }): NumberValue => {
      const slot = this.emit.take(expr);
      this.emit.builder.emit(OP.valid, where, slot, { imm: access });
      return { kind: 'slot', slot, space: where };
    });
    const there = valid.reduce<NumberValue>(
      (both, one) => this.emit.combine(BINARY_OP.and, both, one, expr),
      {
        kind: 'const',
        value: 1,
      },
    );
    const together = this.emit.together([there, value, otherwise]);
    const [a = 0, b = 0, c = 0] = together.slots;
    const slot = this.emit.take(expr);
    this.emit.builder.emit(OP.select, together.space, slot, { a, b, c });
    for (const one of together.slots) this.emit.builder.release(one);
    return { kind: 'slot', slot, space: together.space };
  }

  /** Compiles At$(array, index) as array[index] if the array is a branch. */
  #atIndex(array: Expr, index: Expr, expr: Expr, space: number): NumberValue {
    if (array.kind !== 'path' || array.collection) {
      throw this.emit.fail(array, 'The first argument of At$ must be a branch.', undefined, 'UNSUPPORTED');
    }
    const segments = [...array.segments];
    const last = segments[segments.length - 1] as Segment;
    segments[segments.length - 1] = { ...last, subscripts: [...last.subscripts, index] };
    return this.number({ ...array, segments, at: expr.at, end: expr.end }, space);
  }

  // ---- names

  #path(expr: Expr & { kind: 'path' }, space: number): Value {
    const { segments } = expr;
    const [first] = segments as [Segment];
    const alone = segments.length === 1 && first.subscripts.length === 0 && first.args === undefined;
    const found = this.paths.find(segments);
    if (!found) {
      if (alone && !expr.collection) {
        const special = this.#special(first, space);
        if (special) return special;
      }
      throw this.paths.unknown(segments);
    }
    if (found.method) return this.methods.method(found, expr, space);
    if (expr.collection)
      throw this.emit.fail(expr, '"@" stands for a collection: ask for its size, @name.size().');
    const leaf = this.paths.leaf(found, expr);
    const access = this.paths.access(leaf, found.segments, expr, space);
    if (leaf.leaf.kind === 'string') {
      const chars = /\/C(:|$)/.test(found.found.branch.title);
      return { kind: 'string', access: access.access, space: access.space, place: expr, chars };
    }
    const slot = this.emit.take(expr);
    this.emit.builder.emit(OP.load, access.space, slot, { imm: access.access });
    access.done();
    return { kind: 'slot', slot, space: access.space };
  }

  /**
   * Compiles a random number. It depends only on the seed, the entry and the instance, so every evaluation in any
   * worker gives the same number.
   */
  #random(segment: Segment, space: number): NumberValue {
    const parts = ['Entry$', 'Iteration$'].map((name) => this.#special({ ...segment, name }, space));
    const number = (value: number): NumberValue => ({ kind: 'const', value });
    const [entry = number(0), iteration = number(0)] = parts;
    const { seed = 1 } = this.emit.place;
    const place = this.emit.builder.randoms++;
    return this.#callMath('random', [number(seed), entry, iteration, number(place)], segment);
  }

  #special(segment: Segment, space: number): NumberValue | undefined {
    const emit = (op: number, where: number, imm = 0): NumberValue => {
      const slot = this.emit.take(segment);
      this.emit.builder.emit(op, where, slot, { imm });
      return { kind: 'slot', slot, space: where };
    };
    switch (segment.name) {
      case 'Entry$': {
        this.emit.builder.placed = true;
        const local = emit(OP.entry, 0);
        const { first } = this.emit.place;
        return first === 0
          ? local
          : this.emit.combine(BINARY_OP.add, local, { kind: 'const', value: first }, segment);
      }
      case 'LocalEntry$':
        return emit(OP.entry, 0);
      case 'Entries$':
        this.emit.builder.placed = true;
        return { kind: 'const', value: this.emit.place.entries };
      case 'LocalEntries$':
        return { kind: 'const', value: this.emit.scopes.main.model.info.entries };
      case 'Iteration$':
        this.counts ||= space === this.emit.main;
        return emit(OP.iteration, space);
      case 'Length$':
        return emit(OP.length, 0, space);
      case 'pi':
        return { kind: 'const', value: Math.PI };
      case 'rndm':
        return this.#random(segment, space);
      default:
        return undefined;
    }
  }
}
