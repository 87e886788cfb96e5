import { argumentError } from '../../../../base/errors';
import { didYouMean, nearest } from '../../../../base/suggest';
import { ofC } from '../../../../query/language/bodies';
import { expressionError, type Place } from '../../../../query/language/errors';
import { CONSTANTS, COORDINATES, queryText } from '../../../../query/language/formula-text';
import { FUNCTIONS, type FunctionSpec, functionNames } from '../../../../query/language/functions';
import { chainOf } from '../../../../query/language/names';
import { type Expr, parseExpression } from '../../../../query/language/parser';
import { Emit, MAX_CODE } from './emit';
import { type Shape, type StartRule, shapeList, shapeNamed } from './shapes';

/** A function that is fitted: its program, and what its text says about parameters. */
export interface Model {
  text: string;
  /** Names of the parameters, in the order in which ROOT's TFormula numbers them. */
  names: string[];
  /** Number of coordinates that it uses. */
  dims: number;
  code: Int32Array;
  constants: Float64Array;
  /** Whether it is one shape that is linear in its parameters. */
  linear: boolean;
  /** How start values are found; undefined if they are 0 as in ROOT, and `text` names no single shape. */
  start: StartRule | undefined;
  /** Sentences about the text, for example that two shapes share parameters. */
  notes: string[];
}

/** A shape in a text, with the place of each of its parameters. */
interface UsedShape {
  name: string;
  shape: Shape;
  coordinates: Expr[];
  parameters: Expr[];
}

const MAX_PARAMETERS = 200;
/** Maximum length of a text. Nobody writes a longer one. */
const MAX_TEXT = 20_000;

/**
 * Reads the text of a function: shapes as "gaus(0)+pol1(3)", and expressions with parameters "[0]" and "[name]".
 * Throws ARGUMENT and NOT_FOUND with the place of a mistake.
 */
export function parseModel(text: string): Model {
  if (text.trim() === '') throw argumentError('A fit needs a function.', 'Write gaus, or [0]+[1]*x.');
  if (text.length > MAX_TEXT) throw argumentError('The function is too long.');
  const written = parseExpression(text, { parameters: true });
  const alone = written.kind === 'path' && written.segments.length === 1 ? written.segments[0] : undefined;
  const single = alone && alone.subscripts.length === 0 ? shapeNamed(alone.name) : undefined;
  const expr = parseExpression(queryText(text, true, true), { parameters: true });
  const reader = new Reader(text);
  reader.collect(written);
  const names = single ? [...single.names] : reader.names();
  if (names.length === 0) {
    throw argumentError(
      `"${text}" has no parameter.`,
      'Write [0] or [name] for a number that the fit finds.',
    );
  }
  if (names.length > MAX_PARAMETERS)
    throw argumentError(`A function has at most ${MAX_PARAMETERS} parameters.`);
  const emit = new Emit();
  const compiled = reader.compile(expr, emit, single ? (_, i) => i : (name) => names.indexOf(name));
  const { code, constants } = emit.program(compiled);
  return {
    ...{ text, names, code, constants },
    dims: reader.dims,
    linear: single?.linear ?? false,
    start: single?.start,
    notes: reader.notes(),
  };
}

class Reader {
  dims = 1;
  readonly #numbered = new Set<number>();
  readonly #named = new Set<string>();
  /** Whether a shape is given parameters by name: then ROOT takes all names in the order of the text. */
  #ordered = false;
  readonly #shapes: UsedShape[] = [];

  constructor(readonly text: string) {}

  #fail(place: Place, message: string, fix?: string, like: string[] = []): Error {
    return expressionError(this.text, place, message, didYouMean(like) ?? fix, 'ARGUMENT', like);
  }

  /** Returns a shape that is named in the text, with its parameters. */
  #shape(expr: Expr): UsedShape | undefined {
    if (expr.kind === 'path') {
      const [first, second] = expr.segments;
      if (!first || second || first.subscripts.length > 0) return undefined;
      const shape = shapeNamed(first.name);
      return shape && this.#use(first.name, shape, 0, expr);
    }
    if (expr.kind !== 'call') return undefined;
    const shape = shapeNamed(expr.name);
    if (!shape) return undefined;
    const { args } = expr;
    const [first] = args;
    if (first?.kind === 'number' && args.length === 1) {
      if (Number.isInteger(first.value) && first.value < MAX_PARAMETERS)
        return this.#use(expr.name, shape, first.value, expr);
      throw this.#fail(expr, `${first.value} is not the number of a parameter.`);
    }
    const coordinates = args.slice(0, shape.dims);
    if (args.length === shape.dims) return { ...this.#use(expr.name, shape, 0, expr), coordinates };
    if (args.length !== shape.dims + shape.names.length) {
      throw this.#fail(
        expr,
        `${expr.name} takes the number of its first parameter, as in ${expr.name}(0), or ${shape.dims + shape.names.length} arguments.`,
      );
    }
    return { name: expr.name, shape, coordinates, parameters: args.slice(shape.dims) };
  }

  #use(name: string, shape: Shape, first: number, { at, end }: Place): UsedShape {
    const path = (word: string): Expr => ({
      ...{ kind: 'path', segments: [{ name: word, subscripts: [], at, end }], collection: false, at, end },
    });
    const coordinates = COORDINATES.slice(0, shape.dims).map(path);
    return { name, shape, coordinates, parameters: shape.names.map((_, i) => path(`[${first + i}]`)) };
  }

  /** Finds the parameters of an expression. */
  collect(expr: Expr): void {
    const used = this.#shape(expr);
    if (used) {
      this.#shapes.push(used);
      for (const one of used.parameters) this.#collectParameter(one);
      for (const one of used.coordinates) this.collect(one);
      this.dims = Math.max(this.dims, used.shape.dims);
      return;
    }
    switch (expr.kind) {
      case 'path':
        this.#collectName(expr, false);
        break;
      case 'call':
        this.#checkFunction(expr);
        for (const one of expr.args) this.collect(one);
        break;
      case 'unary':
        this.collect(expr.operand);
        break;
      case 'binary': {
        const { first, operations } = chainOf(expr);
        this.collect(first);
        for (const { right } of operations) this.collect(right);
        break;
      }
      case 'ternary':
        for (const one of [expr.condition, expr.yes, expr.no]) this.collect(one);
        break;
      case 'string':
        throw this.#fail(expr, 'A function of a fit has no texts.');
    }
  }

  #collectParameter(expr: Expr): void {
    if (expr.kind === 'path' && expr.segments[0]?.name.startsWith('[')) this.#collectName(expr, true);
    else this.collect(expr);
  }

  #collectName(expr: Expr & { kind: 'path' }, ordered: boolean): void {
    const word = expr.segments[0]?.name ?? '';
    const [, name] = /^\[(.+)\]$/.exec(word) ?? [];
    if (name === undefined) {
      const at = this.#coordinate(expr);
      if (at >= 0) this.dims = Math.max(this.dims, at + 1);
      else if (word !== 'pi' && constantNamed(expr) === undefined) throw this.#unknown(expr, word);
      return;
    }
    if (/^\d+$/.test(name)) {
      if (Number(name) >= MAX_PARAMETERS)
        throw this.#fail(expr, `There are at most ${MAX_PARAMETERS} parameters.`);
      this.#numbered.add(Number(name));
    } else if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) {
      throw this.#fail(expr, `"${word}" is not the name of a parameter.`, 'Write [0] or [name].');
    } else {
      this.#named.add(name);
      this.#ordered ||= ordered;
    }
  }

  /** Names of all parameters: numbers, then names in the order of their letters. */
  names(): string[] {
    const count = this.#numbered.size === 0 ? 0 : Math.max(...this.#numbered) + 1;
    const numbered = Array.from({ length: count }, (_, i) => `p${i}`);
    const number = (name: string): number => Number(/^p(\d+)$/.exec(name)?.[1] ?? Number.POSITIVE_INFINITY);
    const named = [...this.#named];
    if (!this.#ordered) named.sort((a, b) => number(a) - number(b) || (a < b ? -1 : 1));
    return [...new Set([...numbered, ...named])];
  }

  notes(): string[] {
    const first = new Map<string, string>();
    const notes: string[] = [];
    for (const { name, parameters } of this.#shapes) {
      const shared = parameters.flatMap((one) => (one.kind === 'path' ? (one.segments[0]?.name ?? []) : []));
      const other = shared.map((one) => first.get(one)).find((one) => one !== undefined);
      if (other !== undefined) {
        const both = shared.filter((one) => first.has(one)).join(', ');
        notes.push(
          `${other} and ${name} share the parameters ${both}, as in ROOT: ${name}(${this.names().length}) has its own`,
        );
      }
      for (const one of shared) if (!first.has(one)) first.set(one, name);
    }
    return notes;
  }

  #coordinate(expr: Expr & { kind: 'path' }): number {
    const [first, second] = expr.segments;
    if (!first || second || first.args) return -1;
    const [index, more] = first.subscripts;
    if (first.name === 'x' && index?.kind === 'number' && !more) return index.value < 3 ? index.value : -1;
    return first.subscripts.length === 0 ? COORDINATES.slice(0, 3).indexOf(first.name) : -1;
  }

  /** Emits the value of an expression. `parameter` returns the number of a parameter. */
  compile(
    expr: Expr,
    emit: Emit,
    parameter: (name: string, number: number) => number,
    bound: ReadonlyMap<string, number> = new Map(),
  ): number {
    const again = (one: Expr): number => this.compile(one, emit, parameter, bound);
    if (emit.count > MAX_CODE / 2) throw this.#fail(expr, 'The function is too large.');
    const used = bound.size === 0 ? this.#shape(expr) : undefined;
    if (used) {
      const { shape, coordinates, parameters } = used;
      const values = [...coordinates, ...parameters].map(again);
      if (shape.build) return shape.build(emit, values[0] ?? 0, values.slice(shape.dims));
      return this.#body(shape.body ?? '0', values, emit);
    }
    switch (expr.kind) {
      case 'number':
        return emit.constant(expr.value);
      case 'unary':
        return expr.op === 'neg' && expr.operand.kind === 'number'
          ? emit.constant(-expr.operand.value)
          : emit.unary(expr.op, again(expr.operand));
      case 'binary': {
        const { first, operations } = chainOf(expr);
        return operations.reduce(
          (left, { op, right }) => emit.binary(op === 'div' ? 'over' : op, left, again(right)),
          again(first),
        );
      }
      case 'ternary':
        return emit.select(again(expr.condition), again(expr.yes), again(expr.no));
      case 'call':
        return this.#call(expr, emit, again);
      case 'path':
        return this.#name(expr, emit, parameter, bound);
      default:
        throw this.#fail(expr, 'A function of a fit has no texts.');
    }
  }

  /** Emits a body in C, in which the letters are values. */
  #body(text: string, values: readonly number[], emit: Emit): number {
    const letters = new Map(values.map((value, i) => ['abcdefghij'[i] ?? '', value]));
    return this.compile(bodyOf(text), emit, () => 0, letters);
  }

  #checkFunction({ name, args, at }: Expr & { kind: 'call' }): void {
    const place = { at, end: at + name.length };
    if (/^ROOT::Math::Chebyshev\d*$/.test(name)) return;
    const specs = FUNCTIONS.get(name) ?? FUNCTIONS.get(name.replace(/^std::/, ''));
    if (!specs) {
      const names = [...functionNames(), ...shapeList().map((one) => one.name)];
      throw this.#fail(place, `There is no function "${name}".`, undefined, nearest(name, names));
    }
    if (!specs.some((one) => takes(one, args.length)))
      throw this.#fail(
        place,
        `${name} does not take ${args.length} ${args.length === 1 ? 'argument' : 'arguments'}.`,
      );
  }

  #unknown(place: Place, word: string): Error {
    const like = nearest(word, [...shapeList().map((one) => one.name), ...COORDINATES.slice(0, 3)]);
    const fix = `Parameters stand in brackets: [${/^\w+$/.test(word) ? word : '0'}]. Coordinates are x, y and z.`;
    return this.#fail(place, `"${word}" is neither a coordinate nor a function.`, fix, like);
  }

  #call(expr: Expr & { kind: 'call' }, emit: Emit, again: (one: Expr) => number): number {
    const { name, args } = expr;
    const spec = FUNCTIONS.get(name)?.find((one) => takes(one, args.length));
    if (!spec) throw this.#fail(expr, `${name} does not take ${args.length} arguments.`);
    const defaults = spec.defaults ?? [];
    const values = args.map(again);
    while (values.length < spec.args)
      values.push(emit.constant(defaults[values.length - spec.args + defaults.length] ?? 0));
    const [a = 0, b = 0, c = 0] = values;
    if (name === 'xylem::crystal') return emit.crystal(a, b, c);
    if ('unary' in spec) return emit.unary(spec.unary, a);
    if ('binary' in spec) return emit.binary(spec.binary, a, b);
    if ('math' in spec) return emit.call(spec.math, values);
    return this.#body(spec.text, values, emit);
  }

  #name(
    expr: Expr & { kind: 'path' },
    emit: Emit,
    parameter: (name: string, number: number) => number,
    bound: ReadonlyMap<string, number>,
  ): number {
    const word = expr.segments[0]?.name ?? '';
    const value = bound.get(word);
    if (value !== undefined) return value;
    if (word === 'pi') return emit.constant(Math.PI);
    if (bound.size === 0) {
      const [, name] = /^\[(.+)\]$/.exec(word) ?? [];
      if (name !== undefined) {
        const isNumber = /^\d+$/.test(name);
        return emit.parameter(parameter(isNumber ? `p${name}` : name, isNumber ? Number(name) : -1));
      }
      const at = this.#coordinate(expr);
      if (at >= 0) return emit.coordinate(at);
      const constant = constantNamed(expr);
      if (constant !== undefined) return emit.constant(constant);
    }
    throw this.#unknown(expr, word);
  }
}

/** Whether a variant of a function takes a number of arguments. */
function takes({ args, defaults = [] }: FunctionSpec, count: number): boolean {
  return count <= args && count >= args - defaults.length;
}

/** Returns the value of a name that TFormula gives to a constant; undefined for other names. */
function constantNamed({ segments: [first, second] }: Expr & { kind: 'path' }): number | undefined {
  if (!first || second || first.subscripts.length > 0 || first.args) return undefined;
  return Object.hasOwn(CONSTANTS, first.name) ? CONSTANTS[first.name] : undefined;
}

const bodies = new Map<string, Expr>();

function bodyOf(text: string): Expr {
  const body = bodies.get(text) ?? parseExpression(ofC(text), { isBody: true });
  bodies.set(text, body);
  return body;
}
