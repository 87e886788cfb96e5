import { XylemError } from '../base/errors';
import { DTYPES } from '../core/dtypes';
import { BINARY_OP, LEVEL, OP, SUB, UNARY_OP } from '../core/expr-ops';
import type { DataModel } from '../file/data-model';
import { type Catalog, findLeaf, type Leaf, type Level, type Named } from './catalog';
import { didYouMean, expressionError, meaning, nearest, type Place } from './errors';
import { AGGREGATES, FUNCTIONS, functionNames, SPECIALS } from './functions';
import { methodsOf } from './methods';
import { type Expr, parseExpression, type Segment } from './parser';
import { type Output, ProgramBuilder, type ProgramColumn, type Sub } from './program';

/** A part of a text that is an expression of its own. */
export interface Source {
  text: string;
  from?: number;
  to?: number;
}

/**
 * `fill`: all outputs and the weight run over the same instances. `table`: each output has its own,
 * and an entry passes when the cut is true for any of its instances.
 */
export type CompileMode = 'fill' | 'table';

/** Where a tree stands in a chain: the number of its entry 0, and how many entries there are in all. */
export interface EntryPlace {
  first: number;
  entries: number;
}

/** A program for the decode workers, and what it reads and gives. */
export interface Compiled {
  program: Uint8Array;
  columns: ProgramColumn[];
  outputs: CompiledOutput[];
  /** Columns that the cut alone needs, by their index; all where there is no cut. */
  cutColumns: number;
}

export interface CompiledOutput {
  kind: Output['kind'];
  /** Loops: 0 for one value an entry. */
  dims: number;
  /** Whether all values are whole numbers by their type, as TTreeFormula::IsInteger says. */
  integer: boolean;
}

/** Compiles expressions and a cut over a tree. Throws ARGUMENT, NOT_FOUND and UNSUPPORTED with the place. */
export function compile(
  model: DataModel,
  catalog: Catalog,
  expressions: Source[],
  cut: Source | undefined,
  mode: CompileMode,
  place: EntryPlace = { first: 0, entries: model.info.entries },
): Compiled {
  const builder = new ProgramBuilder();
  const main = builder.space();
  let cutColumns = 0;
  if (cut) {
    const compiler = new Compiler(model, catalog, builder, cut, main, place);
    const value = compiler.number(parse(cut, catalog), main);
    if (mode === 'fill') {
      builder.weight = compiler.inSpace(value, main);
      builder.weightSpace = main;
    } else {
      const slot = compiler.inSpace(value, main);
      builder.weight = compiler.slot(cut, wholePlace(cut));
      builder.emit(OP.any, 0, builder.weight, { a: slot, imm: main });
    }
    builder.cut = builder.code.length;
    cutColumns = builder.columns.length;
  }
  const outputs: CompiledOutput[] = [];
  const spaces: number[] = [];
  for (const source of expressions) {
    const space = mode === 'fill' ? main : builder.space();
    const compiler = new Compiler(model, catalog, builder, source, space, place);
    const expr = parse(source, catalog);
    const direct = mode === 'table' ? compiler.direct(expr, space) : undefined;
    const integer = compiler.isInteger(expr);
    if (direct) {
      builder.outputs.push(direct);
      outputs.push({ kind: direct.kind, dims: 0, integer });
    } else {
      const slot = compiler.inSpace(compiler.number(expr, space), space);
      builder.outputs.push({ kind: 'number', source: slot, space });
      outputs.push({ kind: 'number', dims: 0, integer });
    }
    spaces.push(space);
  }
  outputs.forEach((output, i) => {
    output.dims = builder.spaces[spaces[i] ?? 0]?.dims ?? 0;
  });
  return { program: builder.write(), columns: builder.columns, outputs, cutColumns };
}

/** Whether an expression is a branch of strings and nothing more. Throws what is wrong with it. */
export function isString(model: DataModel, catalog: Catalog, source: Source): boolean {
  const builder = new ProgramBuilder();
  const space = builder.space();
  return (
    new Compiler(model, catalog, builder, source, space).direct(parse(source, catalog), space)?.kind ===
    'string'
  );
}

function parse(source: Source, catalog: Catalog): Expr {
  return parseExpression(source.text, {
    isPath: (name) => catalog.isPath(name),
    ...(source.from !== undefined && { from: source.from }),
    ...(source.to !== undefined && { to: source.to }),
  });
}

function wholePlace(source: Source): Place {
  return { at: source.from ?? 0, end: source.to ?? source.text.length };
}

/** What an expression became: a number that is known, a slot, or a string. */
type Value =
  | { kind: 'const'; value: number }
  | { kind: 'slot'; slot: number; space: number }
  | { kind: 'text'; value: string; place: Place }
  | { kind: 'string'; access: number; space: number; place: Place };
type NumberValue = Value & { kind: 'const' | 'slot' };

const MAX_ALIASES = 20;
const MAX_CODE = 50_000;

/** What the names of an expression mean beyond branches: arguments of functions that are made of others. */
type Names = Map<string, Expr>;

class Compiler {
  /** Accesses of the first argument of Alt$ do not drive the loop; they are gathered here instead. */
  #alternate: { access: number; space: number }[] | undefined;
  #aliases = 0;

  constructor(
    readonly model: DataModel,
    readonly catalog: Catalog,
    readonly builder: ProgramBuilder,
    readonly source: Source,
    readonly main: number,
    readonly place: EntryPlace = { first: 0, entries: model.info.entries },
  ) {}

  #fail(place: Place, message: string, fix?: string, code: XylemError['code'] = 'ARGUMENT'): XylemError {
    return expressionError(this.source.text, place, message, fix, code);
  }

  /** A name that is not there, with those that are and look like it. */
  #noSuch(
    place: Place,
    message: string,
    like: string[],
    otherwise: string | undefined,
    code: XylemError['code'] = 'NOT_FOUND',
  ): XylemError {
    return expressionError(this.source.text, place, message, meaning(like) ?? otherwise, code, like);
  }

  slot(source: Source, place: Place): number {
    const slot = this.builder.take();
    if (slot < 0 || this.builder.code.length > MAX_CODE) {
      throw expressionError(source.text, place, 'The expression is too large.');
    }
    return slot;
  }

  #take(place: Place): number {
    return this.slot(this.source, place);
  }

  /** The value as a slot of the space. */
  inSpace(value: NumberValue, space: number): number {
    const place = wholePlace(this.source);
    if (value.kind === 'const') {
      const slot = this.#take(place);
      this.builder.emit(OP.const, space, slot, { imm: this.builder.constant(value.value) });
      return slot;
    }
    if (value.space === space) return value.slot;
    const slot = this.#take(place);
    this.builder.emit(OP.expand, space, slot, { a: value.slot });
    this.builder.release(value.slot);
    return slot;
  }

  /** An expression that must be a number. */
  number(expr: Expr, space: number): NumberValue {
    const value = this.#value(expr, space);
    if (value.kind === 'const' || value.kind === 'slot') return value;
    if (value.kind === 'text') {
      throw this.#fail(expr, 'A text is no number.', 'Compare it with a branch of strings: name=="text".');
    }
    throw this.#fail(
      expr,
      `"${this.source.text.slice(expr.at, expr.end)}" holds strings.`,
      'Compare it with a text: name=="text".',
      'UNSUPPORTED',
    );
  }

  /** A branch as it is: strings, and integers that a double would round. */
  direct(expr: Expr, space: number): Output | undefined {
    if (expr.kind !== 'path') return undefined;
    const found = this.#find(expr.segments);
    if (!found || found.method) return undefined;
    const leaf = this.#leaf(found, expr);
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
    const access = this.#access(leaf, found.segments, expr, space, false);
    return { kind, source: access.access, space };
  }

  /** Whether the type says that all values are whole numbers. */
  isInteger(expr: Expr): boolean {
    if (expr.kind === 'call') return expr.name === 'Length$';
    if (expr.kind !== 'path' || expr.collection) return false;
    const found = this.#find(expr.segments);
    if (!found && expr.segments.length === 1) {
      const name = expr.segments[0]?.name ?? '';
      return SPECIALS.includes(name) && name !== 'pi';
    }
    if (!found || found.method) return false;
    const dtype = DTYPES[this.#leaf(found, expr).leaf.dtype];
    return dtype !== undefined && dtype !== 'f32' && dtype !== 'f64';
  }

  #value(expr: Expr, space: number): Value {
    switch (expr.kind) {
      case 'number':
        return { kind: 'const', value: expr.value };
      case 'string':
        return { kind: 'text', value: expr.value, place: expr };
      case 'unary':
        if (expr.op === 'neg' && expr.operand.kind === 'number')
          return { kind: 'const', value: -expr.operand.value };
        return this.#unary(UNARY_OP[expr.op], this.number(expr.operand, space), expr);
      case 'binary':
        return this.#binary(expr, space);
      case 'ternary':
        return this.#ternary(expr, space);
      case 'call':
        return this.#call(expr, space);
      case 'path':
        return this.#path(expr, space);
    }
  }

  #unary(op: number, operand: NumberValue, place: Place): NumberValue {
    const space = operand.kind === 'slot' ? operand.space : 0;
    const a = this.inSpace(operand, space);
    const slot = this.#take(place);
    this.builder.emit(op, space, slot, { a });
    this.builder.release(a);
    return { kind: 'slot', slot, space };
  }

  /** Brings values to one space: that of a loop if any of them is in one. */
  #together(values: NumberValue[]): { slots: number[]; space: number } {
    let space = 0;
    for (const value of values) if (value.kind === 'slot' && value.space !== 0) space = value.space;
    return { slots: values.map((value) => this.inSpace(value, space)), space };
  }

  #combine(op: number, left: NumberValue, right: NumberValue, place: Place): NumberValue {
    const { slots, space } = this.#together([left, right]);
    const [a = 0, b = 0] = slots;
    const slot = this.#take(place);
    this.builder.emit(op, space, slot, { a, b });
    this.builder.release(a);
    this.builder.release(b);
    return { kind: 'slot', slot, space };
  }

  #binary(expr: Expr & { kind: 'binary' }, space: number): Value {
    const left = this.#value(expr.left, space);
    const right = this.#value(expr.right, space);
    const isText = (value: Value) => value.kind === 'text' || value.kind === 'string';
    if (isText(left) || isText(right)) return this.#compareTexts(expr, left, right);
    return this.#combine(BINARY_OP[expr.op], left as NumberValue, right as NumberValue, expr);
  }

  #compareTexts(expr: Expr & { kind: 'binary' }, left: Value, right: Value): NumberValue {
    if (expr.op !== 'eq' && expr.op !== 'ne') {
      throw this.#fail(expr, 'Strings can only be compared with "==" and "!=".');
    }
    const numeric = left.kind === 'const' || left.kind === 'slot' ? expr.left : expr.right;
    if (left.kind === 'const' || left.kind === 'slot' || right.kind === 'const' || right.kind === 'slot') {
      throw this.#fail(numeric, 'A number is compared with a string.');
    }
    const swap = left.kind === 'text';
    const [one, other] = swap ? [right, left] : [left, right];
    let result: NumberValue;
    if (one.kind === 'text' && other.kind === 'text') {
      result = { kind: 'const', value: one.value === other.value ? 1 : 0 };
    } else if (one.kind === 'string' && other.kind === 'text') {
      const { at, bytes } = this.builder.text(other.value);
      result = this.#emitString(OP.stringEq, one, { imm2: at, b: bytes }, expr);
    } else if (one.kind === 'string' && other.kind === 'string') {
      const space = one.space !== 0 ? one.space : other.space;
      result = this.#emitString(OP.stringSame, { ...one, space }, { imm2: other.access }, expr);
    } else throw this.#fail(expr, 'These strings cannot be compared.');
    return expr.op === 'eq' ? result : this.#unary(UNARY_OP.not, result, expr);
  }

  #emitString(
    op: number,
    string: Value & { kind: 'string' },
    more: { imm2: number; b?: number },
    place: Place,
  ): NumberValue {
    const slot = this.#take(place);
    this.builder.emit(op, string.space, slot, { imm: string.access, ...more });
    return { kind: 'slot', slot, space: string.space };
  }

  #ternary(expr: Expr & { kind: 'ternary' }, space: number): NumberValue {
    const values = [expr.condition, expr.yes, expr.no].map((one) => this.number(one, space));
    const together = this.#together(values);
    const [a = 0, b = 0, c = 0] = together.slots;
    const slot = this.#take(expr);
    this.builder.emit(OP.select, together.space, slot, { a, b, c });
    for (const used of together.slots) this.builder.release(used);
    return { kind: 'slot', slot, space: together.space };
  }

  // ---- functions

  #call(expr: Expr & { kind: 'call' }, space: number): Value {
    const { name, args } = expr;
    if (AGGREGATES.has(name)) return this.#aggregate(expr, space);
    if (name === 'strstr') return this.#strstr(expr, space);
    const spec = FUNCTIONS.get(name);
    if (!spec) throw this.#unknownFunction(expr);
    const most = spec.args;
    const defaults = 'text' in spec ? (spec.defaults ?? []) : [];
    if (args.length > most || args.length < most - defaults.length) {
      const count = most === 0 ? 'no arguments' : most === 1 ? 'one argument' : `${most} arguments`;
      throw this.#fail(expr, `${name} takes ${count}, not ${args.length}.`);
    }
    const [first, second] = args;
    if ('unary' in spec && first) return this.#unary(UNARY_OP[spec.unary], this.number(first, space), expr);
    if ('binary' in spec && first && second) {
      return this.#combine(
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
    return this.#expand('text' in spec ? spec.text : '0', given, expr, space);
  }

  /** Compiles an expression that stands for another; its errors are those of the place. */
  #expand(text: string, names: Names, place: Place, space: number): Value {
    const body = substitute(parseExpression(text), names, place);
    return this.#value(body, space);
  }

  #unknownFunction(expr: Expr & { kind: 'call' }): XylemError {
    const place = { at: expr.at, end: expr.at + expr.name.length };
    if (this.catalog.find(expr.name)) {
      return this.#fail(
        place,
        `"${expr.name}" is a branch, not a function.`,
        'An index stands in brackets: a[0].',
      );
    }
    const otherwise = 'Functions are those of TFormula and many of TMath.';
    const like = nearest(expr.name, functionNames());
    return this.#noSuch(place, `There is no function "${expr.name}".`, like, otherwise);
  }

  #strstr(expr: Expr & { kind: 'call' }, space: number): NumberValue {
    const [where, what] = expr.args;
    const values = [where, what].map((arg) => arg && this.#value(arg, space));
    const [string, text] = values;
    if (expr.args.length !== 2 || string?.kind !== 'string' || text?.kind !== 'text') {
      throw this.#fail(expr, 'strstr takes a branch of strings and a text: strstr(name, "text").');
    }
    const { at, bytes } = this.builder.text(text.value);
    return this.#emitString(OP.stringIn, string, { imm2: at, b: bytes }, expr);
  }

  #aggregate(expr: Expr & { kind: 'call' }, space: number): NumberValue {
    const { name, args } = expr;
    const wanted = AGGREGATES.get(name) ?? 1;
    if (args.length !== wanted) {
      throw this.#fail(
        expr,
        `${name} takes ${wanted === 1 ? 'one argument' : `${wanted} arguments`}, not ${args.length}.`,
      );
    }
    const [first, second] = args as [Expr, Expr | undefined];
    if (name === 'Alt$' && second) return this.#alt(first, second, expr, space);
    if (name === 'At$' && second) return this.#atIndex(first, second, expr, space);
    const saved = this.#alternate;
    this.#alternate = undefined;
    const inner = this.builder.space();
    const values = [first, ...(second ? [second] : [])].map((arg) => {
      const value = name === 'Length$' ? this.#loop(arg, inner) : this.number(arg, inner);
      return this.inSpace(value, inner);
    });
    this.#alternate = saved;
    const [a = 0, b = 0] = values;
    const slot = this.#take(expr);
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
  #loop(expr: Expr, space: number): NumberValue {
    const value = this.#value(expr, space);
    return value.kind === 'text' || value.kind === 'string' ? { kind: 'const', value: 0 } : value;
  }

  /** Alt$(value, otherwise): the value does not take part in the loop. */
  #alt(first: Expr, second: Expr, expr: Expr, space: number): NumberValue {
    const saved = this.#alternate;
    const used: { access: number; space: number }[] = [];
    this.#alternate = used;
    const value = this.number(first, space);
    this.#alternate = saved;
    const otherwise = this.number(second, space);
    if (otherwise.kind === 'slot' && otherwise.space !== 0) {
      throw this.#fail(
        second,
        'The second argument of Alt$ must be one value an entry.',
        undefined,
        'UNSUPPORTED',
      );
    }
    const valid = used.map(({ access, space: where }): NumberValue => {
      const slot = this.#take(expr);
      this.builder.emit(OP.valid, where, slot, { imm: access });
      return { kind: 'slot', slot, space: where };
    });
    const there = valid.reduce<NumberValue>((both, one) => this.#combine(BINARY_OP.and, both, one, expr), {
      kind: 'const',
      value: 1,
    });
    const together = this.#together([there, value, otherwise]);
    const [a = 0, b = 0, c = 0] = together.slots;
    const slot = this.#take(expr);
    this.builder.emit(OP.select, together.space, slot, { a, b, c });
    for (const one of together.slots) this.builder.release(one);
    return { kind: 'slot', slot, space: together.space };
  }

  /** At$(array, index): as array[index], where the array is a branch. */
  #atIndex(array: Expr, index: Expr, expr: Expr, space: number): NumberValue {
    if (array.kind !== 'path' || array.collection) {
      throw this.#fail(array, 'The first argument of At$ must be a branch.', undefined, 'UNSUPPORTED');
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
    const found = this.#find(segments);
    if (!found) {
      if (alone && !expr.collection) {
        const special = this.#special(first, space);
        if (special) return special;
      }
      const alias = alone ? this.#alias(first, space) : undefined;
      if (alias) return alias;
      throw this.#unknown(segments);
    }
    if (found.method) return this.#method(found, expr, space);
    if (expr.collection)
      throw this.#fail(expr, '"@" stands for a collection: ask for its size, @name.size().');
    const leaf = this.#leaf(found, expr);
    const access = this.#access(leaf, found.segments, expr, space, false);
    if (leaf.leaf.kind === 'string') {
      return { kind: 'string', access: access.access, space: access.space, place: expr };
    }
    const slot = this.#take(expr);
    this.builder.emit(OP.load, access.space, slot, { imm: access.access });
    access.done();
    return { kind: 'slot', slot, space: access.space };
  }

  #special(segment: Segment, space: number): NumberValue | undefined {
    const emit = (op: number, where: number, imm = 0): NumberValue => {
      const slot = this.#take(segment);
      this.builder.emit(op, where, slot, { imm });
      return { kind: 'slot', slot, space: where };
    };
    switch (segment.name) {
      case 'Entry$': {
        const local = emit(OP.entry, 0);
        const { first } = this.place;
        return first === 0
          ? local
          : this.#combine(BINARY_OP.add, local, { kind: 'const', value: first }, segment);
      }
      case 'LocalEntry$':
        return emit(OP.entry, 0);
      case 'Entries$':
        return { kind: 'const', value: this.place.entries };
      case 'LocalEntries$':
        return { kind: 'const', value: this.model.info.entries };
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

  #alias(segment: Segment, space: number): Value | undefined {
    const { aliases } = this.model.info;
    const text = aliases && Object.hasOwn(aliases, segment.name) ? aliases[segment.name] : undefined;
    if (text === undefined) return undefined;
    if (this.#aliases >= MAX_ALIASES) {
      throw this.#fail(segment, `The alias "${segment.name}" leads back to itself.`);
    }
    this.#aliases += 1;
    try {
      const parsed = parseExpression(text, { isPath: (name) => this.catalog.isPath(name) });
      return this.#value(substitute(parsed, new Map(), segment), space);
    } catch (thrown) {
      if (!(thrown instanceof XylemError) || thrown.where?.expression === this.source.text) throw thrown;
      throw this.#fail(
        segment,
        `In the alias "${segment.name}", ${text}: ${thrown.message}`,
        thrown.fix,
        thrown.code,
      );
    } finally {
      this.#aliases -= 1;
    }
  }

  /** The branch that the beginning of a path names, the longest that there is; the rest are members. */
  #find(segments: Segment[]): FoundPath | undefined {
    const last = segments[segments.length - 1] as Segment;
    const method = last.args !== undefined ? last : undefined;
    const named = method ? segments.slice(0, -1) : segments;
    if (named.some((segment) => segment.args !== undefined)) return undefined;
    for (let count = named.length; count > 0; count--) {
      const name = named
        .slice(0, count)
        .map((segment) => segment.name)
        .join('.');
      const found = this.catalog.find(name);
      if (found) {
        const members = named.slice(count).map((segment) => segment.name);
        return { found, members, segments: named, method };
      }
    }
    return undefined;
  }

  #unknown(segments: Segment[]): XylemError {
    const first = segments[0] as Segment;
    const end = Math.max(...segments.map((segment) => segment.at + segment.name.length));
    const name = segments.map((segment) => segment.name).join('.');
    const names = [...this.catalog.names(), ...SPECIALS, ...Object.keys(this.model.info.aliases ?? {})];
    // Of one name its indices are left alone.
    const place = { at: first.at, end: segments.length === 1 ? end : Math.max(end, first.end) };
    const message = `There is no branch "${name}" in the tree "${this.model.info.path}".`;
    const like = nearest(name, names);
    const otherwise = 'List the tree to see its branches.';
    if (segments.length > 1 && segments.some(({ subscripts }) => subscripts.length > 0)) {
      return this.#fail(place, message, meaning(like) ?? otherwise, 'NOT_FOUND');
    }
    return this.#noSuch(place, message, like, otherwise);
  }

  #leaf({ found, members }: FoundPath, place: Place): FoundLeaf {
    const { branch } = found;
    const column = this.#column(branch, place);
    const plan = this.builder.columns[column]?.plan;
    if (!plan) throw this.#fail(place, 'A branch was lost.', undefined, 'INTERNAL');
    const way = found.member !== undefined ? [found.member, ...members] : members;
    const result = findLeaf(plan.schema, way);
    if ('leaf' in result) return { column, leaf: result.leaf, found };
    if ('unsupported' in result) {
      throw this.#fail(
        place,
        `${branch.path} (${branch.typeName}) ${result.unsupported}.`,
        undefined,
        'UNSUPPORTED',
      );
    }
    if (result.missing === '') {
      const some = result.there.slice(0, 5).join(', ');
      throw this.#fail(
        place,
        `"${branch.path}" (${branch.typeName}) is an object.`,
        some === '' ? undefined : `Name one of its members: ${some}.`,
      );
    }
    throw this.#fail(
      place,
      `"${branch.path}" (${branch.typeName}) has no member "${result.missing}".`,
      didYouMean(result.missing, result.there) ??
        (result.there.length > 0 ? `It has ${result.there.slice(0, 8).join(', ')}.` : undefined),
      'NOT_FOUND',
    );
  }

  #column(branch: Named['branch'], place: Place): number {
    if (branch.kind === 'group') {
      const below = this.model.info.branches.filter((one) => one.parent === branch.index).slice(0, 3);
      throw this.#fail(
        place,
        `"${branch.path}" only holds other branches.`,
        below.length > 0
          ? `Name one of them, for example ${below.map((one) => one.name).join(', ')}.`
          : undefined,
      );
    }
    try {
      return this.builder.column(branch, () => this.model.plan(branch));
    } catch (thrown) {
      if (!(thrown instanceof XylemError)) throw thrown;
      throw this.#fail(place, thrown.message, thrown.fix, thrown.code);
    }
  }

  /**
   * The access of a leaf with a path's subscripts, in the order in which they stand. `stop`: it ends
   * behind the given ones, for its size. Call `done` when it was read.
   */
  #access(
    { column, leaf }: FoundLeaf,
    segments: Segment[],
    place: Place,
    space: number,
    stop: boolean,
  ): { access: number; space: number; done: () => void } {
    const given = segments.flatMap((segment) => segment.subscripts);
    const subs: Sub[] = [];
    const slots: { value: NumberValue; at: number }[] = [];
    let free = 0;
    let unknown = false;
    for (const level of leaf.levels) {
      if (level.kind === LEVEL.optional) {
        subs.push({ kind: SUB.const, value: 0 });
        continue;
      }
      if (stop && given.length === 0) {
        subs.push({ kind: SUB.stop, value: 0 });
        break;
      }
      const isGiven = given.length > 0;
      const index = given.shift();
      if (!isGiven || index === undefined) {
        if (unknown && level.kind === LEVEL.list) {
          throw this.#fail(
            place,
            'A loop over what a computed index picks is not possible.',
            undefined,
            'UNSUPPORTED',
          );
        }
        subs.push({ kind: SUB.free, value: free++ });
        continue;
      }
      const value = this.number(index, space);
      if (value.kind === 'const') subs.push(this.#constantIndex(value.value, level, index));
      else {
        slots.push({ value, at: subs.length });
        subs.push({ kind: SUB.slot, value: value.slot });
        unknown = true;
      }
    }
    if (given.length > 0) {
      const levels = leaf.levels.filter((level) => level.kind !== LEVEL.optional).length;
      throw this.#fail(
        place,
        `"${this.source.text.slice(place.at, place.end)}" has more indices than dimensions.`,
        levels === 0 ? 'It is one number an entry.' : `It has ${levels}.`,
      );
    }
    return this.#finishAccess(column, leaf, subs, slots, free, place, space);
  }

  #constantIndex(index: number, level: Level, place: Place): Sub {
    const whole = Math.trunc(index);
    if (!Number.isFinite(whole) || Math.abs(whole) > 0x7fffffff) {
      throw this.#fail(place, `${index} is no index.`);
    }
    if (level.kind === LEVEL.fixed && (whole >= level.value || whole < 0)) {
      throw this.#fail(place, `The index ${whole} is outside of the array of ${level.value}.`);
    }
    return { kind: SUB.const, value: Math.max(-1, whole) };
  }

  #finishAccess(
    column: number,
    leaf: Leaf,
    subs: Sub[],
    slots: { value: NumberValue; at: number }[],
    free: number,
    place: Place,
    space: number,
  ): { access: number; space: number; done: () => void } {
    const looped = free > 0 || slots.some(({ value }) => value.kind === 'slot' && value.space !== 0);
    const where = looped ? space : 0;
    const used: number[] = [];
    for (const { value, at } of slots) {
      const slot = this.inSpace(value, where);
      used.push(slot);
      subs[at] = { kind: SUB.slot, value: slot };
    }
    const access = this.builder.access({ leaf: this.builder.leaf(column, leaf), free, subs });
    const conditional = subs.some((sub, i) => sub.kind === SUB.const && leaf.levels[i]?.kind !== LEVEL.fixed);
    if (this.#alternate) this.#alternate.push({ access, space: where });
    else if ((free > 0 || conditional) && !this.builder.drive(space, access)) {
      throw this.#fail(place, 'Too many different arrays take part in one loop.', undefined, 'UNSUPPORTED');
    }
    return {
      access,
      space: where,
      done: () => {
        for (const slot of used) this.builder.release(slot);
      },
    };
  }

  /** `.size()`, and what methods.ts knows. */
  #method(path: FoundPath, expr: Expr & { kind: 'path' }, space: number): Value {
    const method = path.method as Segment;
    if (method.name === 'size' && method.args?.length === 0) return this.#size(path, expr, space);
    const typeName = this.#typeAt(path, expr);
    const methods = methodsOf(typeName);
    const text = methods?.[method.name];
    if (text === undefined) {
      const names = methods ? Object.keys(methods) : ['size'];
      throw this.#noSuch(
        { at: method.at, end: method.at + method.name.length },
        `${typeName || 'This'} has no method "${method.name}" here.`,
        nearest(method.name, names),
        methods ? `There are ${names.slice(0, 8).join(', ')}.` : undefined,
        'UNSUPPORTED',
      );
    }
    if (method.args && method.args.length > 0) throw this.#fail(method, `${method.name} takes no arguments.`);
    const self: Expr = { ...expr, segments: path.segments };
    return this.#value(substitute(parseExpression(text), new Map([['self', self]]), expr), space);
  }

  /** The class of the object that a path names. */
  #typeAt({ found, members }: FoundPath, place: Place): string {
    const { branch } = found;
    if (branch.kind === 'group' || members.length === 0) return branch.typeName;
    const plan = this.builder.columns[this.#column(branch, place)]?.plan;
    const result = plan && findLeaf(plan.schema, members);
    return result && 'missing' in result ? result.typeName : branch.typeName;
  }

  #size(path: FoundPath, expr: Expr & { kind: 'path' }, space: number): NumberValue {
    const leaf = this.#sizedLeaf(path, expr);
    const given = path.segments.reduce((sum, segment) => sum + segment.subscripts.length, 0);
    const levels = leaf.leaf.levels.filter((level) => level.kind !== LEVEL.optional).length;
    if (given >= levels) throw this.#fail(expr, 'Only a collection has a size.');
    const access = this.#access(leaf, path.segments, expr, space, true);
    const slot = this.#take(expr);
    this.builder.emit(OP.size, access.space, slot, { imm: access.access });
    access.done();
    return { kind: 'slot', slot, space: access.space };
  }

  /** A leaf of a collection: any, since all of them have its size. */
  #sizedLeaf(path: FoundPath, place: Place): FoundLeaf {
    const { branch } = path.found;
    // The branch of a collection that is split holds no more than its size, or nothing.
    const inside = this.model.info.branches.find(
      (one) => one.parent === branch.index && (one.kind === 'number' || one.kind === 'string'),
    );
    if (inside) return this.#leaf({ ...path, found: { branch: inside }, members: [] }, place);
    const column = this.#column(branch, place);
    const schema = this.builder.columns[column]?.plan.schema;
    const members = [...path.members];
    for (let depth = 0; schema && depth < 16; depth++) {
      const result = findLeaf(schema, members);
      if ('leaf' in result) return { column, leaf: result.leaf, found: path.found };
      if ('missing' in result && result.missing === '' && result.there[0] !== undefined)
        members.push(result.there[0]);
      else break;
    }
    return this.#leaf(path, place);
  }
}

interface FoundPath {
  found: Named;
  members: string[];
  segments: Segment[];
  method: Segment | undefined;
}

interface FoundLeaf {
  column: number;
  leaf: Leaf;
  found: Named;
}

/** Puts expressions for names; the result stands as a whole at `place`. */
function substitute(expr: Expr, names: Names, place: Place): Expr {
  const at = { at: place.at, end: place.end };
  const again = (one: Expr): Expr => substitute(one, names, place);
  switch (expr.kind) {
    case 'number':
    case 'string':
      return { ...expr, ...at };
    case 'unary':
      return { ...expr, ...at, operand: again(expr.operand) };
    case 'binary':
      return { ...expr, ...at, left: again(expr.left), right: again(expr.right) };
    case 'ternary':
      return { ...expr, ...at, condition: again(expr.condition), yes: again(expr.yes), no: again(expr.no) };
    case 'call':
      return { ...expr, ...at, args: expr.args.map(again) };
    case 'path': {
      const [first, ...rest] = expr.segments as [Segment, ...Segment[]];
      const moved = (segment: Segment): Segment => ({
        ...segment,
        ...at,
        subscripts: segment.subscripts.map((one) => one && again(one)),
        args: segment.args?.map(again),
      });
      const bound = names.get(first.name);
      if (!bound) return { ...expr, ...at, segments: expr.segments.map(moved) };
      if (rest.length === 0) return bound;
      if (bound.kind !== 'path') return { ...expr, ...at };
      return { ...bound, ...at, segments: [...bound.segments, ...rest.map(moved)] };
    }
  }
}
