import { own } from '../../base/search';
import { nearest } from '../../base/suggest';
import { OP } from '../../core/expr-ops';
import type { Place } from '../language/errors';
import { histogramClass } from '../language/histogram-classes';
import type { Expr, Segment } from '../language/parser';
import { STRING_METHODS, type StringMethod } from '../language/string-methods';
import { type KnownClass, type Method, vectorClass } from '../language/vector-classes';
import type { Emitter, NumberValue, Value } from './emitter';
import type { FoundPath, Paths } from './paths';

/** Returns the value of an object's member by its short name; undefined for other names. */
type Member = (name: string) => NumberValue | undefined;

/** An object whose class is known: a stored one, or the result of a method. */
interface KnownObject {
  known: KnownClass;
  typeName: string;
  member: Member;
}

/** Returns the value of a name in a body. */
export type Lookup = (name: string) => NumberValue | undefined;

/** Methods of a collection that is marked with "@". They return its size in different forms. */
const SIZES: Record<string, 'size' | 'last' | 'empty'> = {
  size: 'size',
  GetEntries: 'size',
  GetEntriesFast: 'size',
  GetLast: 'last',
  empty: 'empty',
};

/** Returns the class for a C++ type if its methods are known. */
export function knownClass(typeName: string): KnownClass | undefined {
  return vectorClass(typeName) ?? histogramClass(typeName);
}

/** Compiles arguments and the bodies of methods. */
interface Expressions {
  value(expr: Expr, space: number): Value;
  /** Compiles a body; `lookup` gives the values of its names. */
  expand(body: string, lookup: Lookup, place: Place, space: number): NumberValue;
}

/** Compiles methods of collections, strings, and objects of known classes. */
export class Methods {
  readonly emit: Emitter;

  constructor(
    readonly paths: Paths,
    readonly expressions: Expressions,
  ) {
    this.emit = paths.emit;
  }

  method(path: FoundPath, expr: Expr & { kind: 'path' }, space: number): Value {
    const { calls } = path;
    const [first] = calls as [Segment];
    const sized = calls.length === 1 && first.args?.length === 0 ? own(SIZES, first.name) : undefined;
    if (expr.collection) {
      if (sized) return this.#sizeAs(sized, path, expr, space);
      throw this.#noMethod(first, 'A collection', Object.keys(SIZES));
    }
    const known = knownClass(this.paths.typeAt(path, expr));
    if (!known) return this.#stringMethod(path, expr, space) ?? this.#otherMethod(first, path, expr, space);
    let object = this.#stored(known, path, expr, space);
    for (const call of calls.slice(0, -1)) object = this.#given(object, call, expr, space);
    return this.#lastOf(object, calls[calls.length - 1] as Segment, path, expr, space);
  }

  #otherMethod(call: Segment, path: FoundPath, expr: Expr & { kind: 'path' }, space: number): NumberValue {
    if (call.name === 'size' && call.args?.length === 0 && path.calls.length === 1)
      return this.paths.size(path, expr, space);
    const typeName = this.paths.typeAt(path, expr);
    throw this.#noMethod(call, typeName || 'This', ['size']);
  }

  #noMethod(call: Segment, what: string, names: string[]) {
    return this.emit.noSuch(
      { at: call.at, end: call.at + call.name.length },
      `${what} has no method "${call.name}" here.`,
      nearest(call.name, names),
      names.length > 1 ? `There are ${names.slice(0, 8).join(', ')}.` : undefined,
      'UNSUPPORTED',
    );
  }

  #sizeAs(
    how: 'size' | 'last' | 'empty',
    path: FoundPath,
    expr: Expr & { kind: 'path' },
    space: number,
  ): NumberValue {
    const body = { size: 'n', last: 'n - 1', empty: 'n == 0' }[how];
    if (how === 'size') return this.paths.size(path, expr, space);
    return this.expressions.expand(
      body,
      (name) => (name === 'n' ? this.paths.size(path, expr, space) : undefined),
      expr,
      space,
    );
  }

  // ---- objects

  #stored(known: KnownClass, path: FoundPath, expr: Expr & { kind: 'path' }, space: number): KnownObject {
    const member: Member = (name) => {
      const below = own(known.members, name);
      if (below === undefined) return undefined;
      const more = below.split('.').map((one): Segment => ({ name: one, subscripts: [], ...placeOf(expr) }));
      return this.paths.number({ ...expr, segments: [...path.segments, ...more] }, space);
    };
    return { known, typeName: this.paths.typeAt(path, expr), member };
  }

  /** Returns the object that a method returns. */
  #given(object: KnownObject, call: Segment, place: Place, space: number): KnownObject {
    const { known, typeName } = object;
    const method = own(known.objects, call.name);
    if (!method) throw this.#noMethod(call, typeName, Object.keys(known.objects ?? {}));
    const args = this.#argumentsOf(call, method.args ?? 0, [], place);
    const next = method.of();
    const member: Member = (name) => {
      const body = own(method.members, name);
      return body === undefined
        ? undefined
        : this.expressions.expand(body, this.#lookup(object, args, place, space), place, space);
    };
    return { known: next, typeName: `What ${call.name}() gives`, member };
  }

  /** Compiles the number at the end of a chain of methods: the result of a method, or a member. */
  #lastOf(
    object: KnownObject,
    call: Segment,
    path: FoundPath,
    expr: Expr & { kind: 'path' },
    space: number,
  ): NumberValue {
    const { known, typeName } = object;
    if (call.args === undefined) {
      const name = Object.keys(known.members).find((one) => known.members[one] === call.name);
      const value = name === undefined ? undefined : object.member(name);
      if (value) return value;
    } else {
      const array = own(known.arrays, call.name);
      const [index] = call.args;
      if (array !== undefined && index && call.args.length === 1) {
        const element: Segment = { name: array, subscripts: [index], ...placeOf(expr) };
        return this.paths.number({ ...expr, segments: [...path.segments, element] }, space);
      }
      const method = own(known.methods, call.name);
      if (method !== undefined) return this.#callMethod(object, method, call, expr, space);
    }
    if (own(known.objects, call.name) !== undefined) {
      throw this.emit.fail(
        call,
        `${call.name}() gives an object.`,
        `Call a method of it: ${call.name}().X().`,
      );
    }
    throw this.#noMethod(call, typeName, [...Object.keys(known.methods), ...Object.keys(known.arrays ?? {})]);
  }

  #callMethod(object: KnownObject, method: Method, call: Segment, place: Place, space: number): NumberValue {
    const { args, body, defaults } =
      typeof method === 'string' ? { args: 0, body: method, defaults: [] } : method;
    const given = this.#argumentsOf(call, args, defaults ?? [], place);
    return this.expressions.expand(body, this.#lookup(object, given, place, space), place, space);
  }

  #argumentsOf(call: Segment, count: number, defaults: number[], place: Place): Map<string, Expr> {
    const args = call.args ?? [];
    const least = count - defaults.length;
    if (args.length < least || args.length > count) {
      const wanted = count === 0 ? 'no arguments' : count === 1 ? 'one argument' : `${count} arguments`;
      throw this.emit.fail(call, `${call.name} takes ${wanted}, not ${args.length}.`);
    }
    const all = [...args];
    while (all.length < count) {
      all.push({ kind: 'number', value: defaults[all.length - least] ?? 0, ...placeOf(place) });
    }
    return new Map(all.map((arg, i) => ['abc'[i] ?? '', arg]));
  }

  /**
   * Looks up the names in the body of a method: its arguments, members, and other methods written without
   * brackets.
   */
  #lookup(object: KnownObject, args: ReadonlyMap<string, Expr>, place: Place, space: number): Lookup {
    return (name) => {
      const arg = args.get(name);
      if (arg) return this.paths.number(arg, space);
      const member = object.member(name);
      if (member) return member;
      const method = own(object.known.methods, name);
      if (typeof method !== 'string') return undefined;
      return this.expressions.expand(method, this.#lookup(object, new Map(), place, space), place, space);
    };
  }

  // ---- strings

  /** Whether a path ends in a string method that returns a number. All of these numbers are whole. */
  isStringMethod({ calls, members, found }: FoundPath, place: Place): boolean {
    const last = calls[calls.length - 1];
    const method = last && own(STRING_METHODS, last.name);
    if (!method || method.as === 'itself') return false;
    const path: FoundPath = { found, members, segments: [], method: undefined, calls: [] };
    return !knownClass(this.paths.typeAt(path, place)) && this.paths.leaf(path, place).leaf.kind === 'string';
  }

  /** Compiles a string method; undefined if the path has none. */
  #stringMethod(path: FoundPath, expr: Expr & { kind: 'path' }, space: number): Value | undefined {
    const [call, ...more] = path.calls as [Segment, ...Segment[]];
    if (!own(STRING_METHODS, call.name)) return undefined;
    const self = this.expressions.value({ ...expr, segments: path.segments }, space);
    if (self.kind !== 'string') return undefined;
    const method = own(STRING_METHODS, call.name) as StringMethod;
    if (method.as === 'itself') {
      if (more.length === 0) return self;
      return this.#stringMethod({ ...path, calls: more }, expr, space);
    }
    if (more.length > 0) throw this.emit.fail(more[0] as Segment, `${call.name}() gives a number.`);
    return this.#callString(self, method, call, expr);
  }

  #callString(
    self: Value & { kind: 'string' },
    method: Exclude<StringMethod, { as: 'itself' }>,
    call: Segment,
    place: Place,
  ): NumberValue {
    const length = (): NumberValue => this.emitString(OP.stringLength, self, { imm2: 0 }, place);
    const args = call.args ?? [];
    if (method.as === 'length') {
      if (args.length > 0) throw this.emit.fail(call, `${call.name} takes no arguments.`);
      return method.body
        ? this.expressions.expand(method.body, (name) => (name === 'n' ? length() : undefined), place, 0)
        : length();
    }
    const [text] = args;
    if (args.length !== 1 || text?.kind !== 'string') {
      throw this.emit.fail(call, `${call.name} takes a text: ${call.name}("text").`);
    }
    const { at, bytes } = this.emit.builder.text(text.value);
    const op = { find: OP.stringFind, findLast: OP.stringFind, compare: OP.stringOrder }[method.as];
    const c = method.as === 'findLast' ? 1 : 0;
    const found = (): NumberValue => this.emitString(op, self, { imm2: at, b: bytes, c }, place);
    if (!method.body) return found();
    const names: Record<string, () => NumberValue> = {
      f: found,
      n: length,
      t: () => ({ kind: 'const', value: bytes }),
    };
    return this.expressions.expand(method.body, (name) => own(names, name)?.(), place, 0);
  }

  emitString(
    op: number,
    string: Value & { kind: 'string' },
    more: { imm2: number; b?: number; c?: number },
    place: Place,
  ): NumberValue {
    const slot = this.emit.take(place);
    this.emit.builder.emit(op, string.space, slot, { imm: string.access, ...more });
    return { kind: 'slot', slot, space: string.space };
  }
}

function placeOf({ at, end }: Place): Place {
  return { at, end };
}
