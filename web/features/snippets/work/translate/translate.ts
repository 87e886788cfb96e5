import type { TreeInfo } from '../../../../api/api';
import { XylemError } from '../../../../base/errors';
import { own } from '../../../../base/search';
import { trimEndOf } from '../../../../base/text';
import type { BinaryOp } from '../../../../core/expr-ops';
import { namesOf } from '../../../../query/compile/branches-of-query';
import { parseDraw } from '../../../../query/compile/draw-spec';
import { AGGREGATES, FUNCTIONS } from '../../../../query/language/functions';
import { chainOf } from '../../../../query/language/names';
import { type Expr, parseExpression } from '../../../../query/language/parser';
import { titleOf } from '../../../../query/language/source';
import { type Column, columnOf, wholeColumn } from './columns';
import type { Filling, Loop, Reduction, Value } from './value';

/** Thrown for an expression that programs of other tools do not get. The message is a whole sentence. */
export class Untranslated extends Error {}

type Path = Expr & { kind: 'path' };
type Call = Expr & { kind: 'call' };

/** The lists of the first argument of Alt$, which do not drive the loop, with the index of each. */
type Beside = { list: Column; index: Value | undefined }[];

const REDUCTIONS: Readonly<Record<string, Reduction>> = {
  Length$: 'length',
  Sum$: 'sum',
  Min$: 'min',
  Max$: 'max',
  MinIf$: 'min',
  MaxIf$: 'max',
};
const TRUTHS = new Set(['lt', 'le', 'gt', 'ge', 'eq', 'ne', 'and', 'or']);
const NO_OBJECTS = 'Members and methods of objects are not translated.';
const NO_TEXTS = 'A branch of texts has no bins of numbers.';
const MAX_DEPTH = 200;

/** The texts of a drawing. */
export interface Drawing {
  /** The branch that is drawn, by its path. Default: the expressions are. */
  branch?: string | undefined;
  /** Expressions as TTree::Draw takes them. */
  expr: string;
  /** Empty for all values. */
  cut: string;
}

/**
 * Translates the expressions and the cut of a drawing. Throws Untranslated with the reason, and ARGUMENT for a text that
 * is not valid.
 */
export function translate(tree: TreeInfo, { branch, expr, cut }: Drawing): Filling {
  const translation = new Translation(tree);
  const loop = { lists: [], needed: [] };
  const weight = cut.trim() === '' ? undefined : translation.text(cut, loop);
  if (branch !== undefined) {
    const values = [translation.branch(branch, weight === undefined, loop)];
    return { loop, values, weight, columns: [...translation.columns.values()] };
  }
  const { expressions } = parseDraw(expr);
  const values = expressions
    .map((source) => translation.text(titleOf(source), loop))
    // The text has y before x.
    .reverse();
  return { loop, values, weight, columns: [...translation.columns.values()] };
}

/** Translates expressions over the branches of a tree. */
class Translation {
  readonly columns = new Map<number, Column>();
  #beside: Beside | undefined;
  /** The function in whose body an expression stands. */
  #called: string | undefined;
  #depth = 0;

  constructor(readonly tree: TreeInfo) {}

  text(text: string, loop: Loop): Value {
    return this.value(parseExpression(text, { names: namesOf(this.tree) }), loop, new Map());
  }

  /** All values of a branch. If it `isAlone`, it may also have lists in lists. */
  branch(path: string, isAlone: boolean, loop: Loop): Value {
    const branch = this.tree.branches.find((one) => one.path === path);
    if (!branch) throw new Untranslated(`There is no branch "${path}".`);
    const found = columnOf(this.tree, branch);
    const column = 'why' in found ? (isAlone ? wholeColumn(branch) : undefined) : found;
    if (!column || column.kind === 'string') throw new Untranslated('why' in found ? found.why : NO_TEXTS);
    this.columns.set(branch.index, column);
    if (column.isList) drive(loop, column);
    return { kind: 'column', column, loops: column.isList, isTruth: false };
  }

  /** `given`: the arguments of the function in whose body the expression stands. */
  value(expr: Expr, loop: Loop, given: ReadonlyMap<string, Value>): Value {
    if (++this.#depth > MAX_DEPTH) throw new Untranslated('The expression is nested too deeply.');
    try {
      return this.#value(expr, loop, given);
    } finally {
      this.#depth -= 1;
    }
  }

  #value(expr: Expr, loop: Loop, given: ReadonlyMap<string, Value>): Value {
    const again = (one: Expr): Value => this.value(one, loop, given);
    switch (expr.kind) {
      case 'number':
        return numberValue(expr.value);
      case 'unary': {
        const of = again(expr.operand);
        if (of.kind === 'number') return numberValue(expr.op === 'neg' ? -of.value : of.value === 0 ? 1 : 0);
        return { kind: 'unary', op: expr.op, of, loops: of.loops, isTruth: expr.op === 'not' };
      }
      case 'binary': {
        const { first, operations } = chainOf(expr);
        const [only] = operations;
        const text =
          operations.length === 1 && only ? this.#isText(only.op, only.left, only.right) : undefined;
        if (text) return text;
        return operations.reduce<Value>((left, { op, right }) => {
          const other = again(right);
          return binary(op, left, other);
        }, again(first));
      }
      case 'ternary':
        return select(again(expr.condition), again(expr.yes), again(expr.no));
      case 'call':
        return this.#call(expr, loop, given);
      case 'path':
        return this.#path(expr, loop, given);
      case 'string':
        throw new Untranslated(
          'Texts are translated only if a branch of strings is compared with one by == or !=.',
        );
      case 'bound':
        throw new Untranslated('This expression is not translated.');
    }
  }

  /** Compares a branch of one string an entry with a text. */
  #isText(op: string, left: Expr, right: Expr): Value | undefined {
    const [path, text] = left.kind === 'string' ? [right, left] : [left, right];
    if (text.kind !== 'string' || path.kind !== 'path' || (op !== 'eq' && op !== 'ne')) return undefined;
    const column = this.#column(path);
    if (column?.kind !== 'string' || path.segments.some(({ subscripts }) => subscripts.length > 0))
      return undefined;
    return { kind: 'isText', column, text: text.value, equal: op === 'eq', loops: false, isTruth: true };
  }

  // ---- functions

  #call(expr: Call, loop: Loop, given: ReadonlyMap<string, Value>): Value {
    const { name, args } = expr;
    const wanted = AGGREGATES.get(name);
    if (wanted !== undefined) {
      if (args.length !== wanted) throw new Untranslated(`${name} has the wrong number of arguments.`);
      return this.#aggregate(name, args, loop, given);
    }
    const specs = FUNCTIONS.get(name) ?? [];
    const spec = specs.find(
      (one) => args.length <= one.args && args.length >= one.args - (one.defaults?.length ?? 0),
    );
    if (!spec) throw new Untranslated(`The function ${name} is not translated.`);
    const { defaults = [] } = spec;
    const values = args.map((arg) => this.value(arg, loop, given));
    while (values.length < spec.args)
      values.push(numberValue(defaults[values.length - spec.args + defaults.length] ?? 0));
    const loops = values.some((one) => one.loops);
    const [left, right] = values;
    if ('unary' in spec && left)
      return { kind: 'unary', op: spec.unary, of: left, loops, isTruth: spec.unary === 'isNaN' };
    if ('binary' in spec && left && right) return binary(spec.binary, left, right);
    const isBody = 'text' in spec;
    const body = isBody ? parseExpression(spec.text, { isBody: true }) : undefined;
    const names = new Map(values.map((value, i) => ['abcdefg'[i] ?? '', value]));
    const around = this.#called;
    // Helpers of bodies are called by no user, so messages name the function around them.
    this.#called = around ?? name;
    const made = body && this.value(body, loop, names);
    this.#called = around;
    return {
      kind: 'call',
      name,
      said: around ?? name,
      args: values,
      body: made,
      loops,
      isTruth: made?.isTruth ?? false,
    };
  }

  #aggregate(name: string, args: readonly Expr[], loop: Loop, given: ReadonlyMap<string, Value>): Value {
    const [first, second] = args as [Expr, Expr | undefined];
    if (name === 'At$' && second) {
      if (first.kind !== 'path' || first.segments.length !== 1)
        throw new Untranslated('At$ is translated for a branch alone.');
      const [segment] = first.segments as [Path['segments'][number]];
      const subscripts = [...segment.subscripts, second];
      return this.value({ ...first, segments: [{ ...segment, subscripts }] }, loop, given);
    }
    const saved = this.#beside;
    if (name === 'Alt$' && second) {
      const beside: Beside = [];
      this.#beside = beside;
      const value = this.value(first, loop, given);
      this.#beside = saved;
      const otherwise = this.value(second, loop, given);
      if (otherwise.loops) throw new Untranslated('The second argument of Alt$ must be one value an entry.');
      return beside.reduceRight<Value>((rest, { list, index }) => {
        const loops = index === undefined || index.loops;
        return select({ kind: 'there', list, index, loops, isTruth: true }, rest, otherwise);
      }, value);
    }
    this.#beside = undefined;
    const inner: Loop = { lists: [], needed: [] };
    const [of, where] = args.map((arg) => this.value(arg, inner, given));
    this.#beside = saved;
    if (inner.needed.length > 0)
      throw new Untranslated(`An element by its number within ${name} is not translated.`);
    const how = REDUCTIONS[name];
    if (how === undefined || of === undefined) throw new Untranslated(`${name} is not translated.`);
    return { kind: 'reduce', how, of, where, loop: inner, loops: false, isTruth: false };
  }

  // ---- names

  #path(expr: Path, loop: Loop, given: ReadonlyMap<string, Value>): Value {
    const { segments } = expr;
    const [first] = segments as [Path['segments'][number]];
    const isName = segments.length === 1 && first.subscripts.length === 0 && first.args === undefined;
    const bound = isName ? given.get(first.name) : undefined;
    if (bound) return bound;
    if (expr.collection || segments.some(({ args, cast }) => (args ?? cast) !== undefined))
      throw new Untranslated(NO_OBJECTS);
    const column = this.#column(expr);
    if (!column) return this.#otherName(expr, isName, loop);
    if (column.kind === 'string')
      throw new Untranslated(
        `"${column.branch.name}" holds texts: only == and != with a text are translated.`,
      );
    const subscripts = segments.flatMap((segment) => segment.subscripts);
    const [index] = subscripts;
    if (!column.isList) {
      if (subscripts.length > 0)
        throw new Untranslated(
          `"${column.branch.name}" has one value an entry, so its index is not translated.`,
        );
      return { kind: 'column', column, loops: false, isTruth: false };
    }
    if (subscripts.length > 1) throw new Untranslated('More than one index is not translated.');
    if (index !== undefined) return this.#element(column, index, loop, given);
    if (this.#beside) {
      this.#beside.push({ list: column, index: undefined });
      return { kind: 'beside', list: column, loops: true, isTruth: false };
    }
    drive(loop, column);
    return { kind: 'column', column, loops: true, isTruth: false };
  }

  #element(list: Column, expr: Expr, loop: Loop, given: ReadonlyMap<string, Value>): Value {
    const saved = this.#beside;
    this.#beside = undefined;
    const inner: Loop = { lists: [], needed: [] };
    const index = this.value(expr, inner, given);
    this.#beside = saved;
    const one = { kind: 'element', list, loops: index.loops, isTruth: false } as const;
    if (index.kind === 'number') {
      const at = Math.trunc(index.value);
      if (at < 0 || at > 0x7fffffff) throw new Untranslated(`The index ${index.value} is not translated.`);
      const whole = numberValue(at);
      if (this.#beside) this.#beside.push({ list, index: whole });
      else if (list.size === undefined) {
        if (!loop.needed.some((other) => other.list === list && other.index === at))
          loop.needed.push({ list, index: at });
      } else if (at >= list.size)
        throw new Untranslated(`The index ${at} is outside of the array of ${list.size}.`);
      return { ...one, index: whole, isThere: !this.#beside };
    }
    // An index that is missing itself gives no element.
    const loose = withoutNeeds(index);
    if (index.loops && inner.needed.length > 0)
      throw new Untranslated('An element by its number within an index is not translated.');
    if (this.#beside) {
      if (index.loops) throw new Untranslated('Alt$ of a list of indices is not translated.');
      this.#beside.push({ list, index: loose });
    }
    for (const driver of inner.lists) drive(loop, driver);
    return { ...one, index: loose, isThere: false };
  }

  #otherName(expr: Path, isName: boolean, loop: Loop): Value {
    const name = expr.segments.map((segment) => segment.name).join('.');
    const one = { loops: false, isTruth: false };
    switch (isName ? name : '') {
      case 'Entry$':
      case 'LocalEntry$':
        return { kind: 'entry', ...one };
      case 'Entries$':
      case 'LocalEntries$':
        return numberValue(this.tree.entries);
      case 'Iteration$':
        return { kind: 'iteration', loop, loops: true, isTruth: false };
      case 'Length$':
        return { kind: 'count', loop, ...one };
      case 'pi':
        return numberValue(Math.PI);
      case 'rndm':
        throw new Untranslated('Other tools have other random numbers.');
      default: {
        const alias = own(this.tree.aliases, name);
        if (alias !== undefined && isName)
          return this.value(parseExpression(alias, { names: namesOf(this.tree) }), loop, new Map());
        throw new Untranslated(`"${name}" is not a branch of this tree with numbers or lists of them.`);
      }
    }
  }

  /** Returns the column of a name without looking at its indices; undefined if no branch has the name. */
  #column({ segments }: Path): Column | undefined {
    const [first] = segments as [Path['segments'][number]];
    const { branches } = this.tree;
    const name = segments.map((segment) => segment.name).join('.');
    const branch =
      first.branch === undefined ? namesOf(this.tree).find(name)?.branch : branches[first.branch];
    if (!branch) return undefined;
    if (namesOf(this.tree).find(name)?.member !== undefined)
      throw new Untranslated(`"${name}" is one of several leaves of a branch, which is not translated.`);
    const bare = trimEndOf(branch.name, '.');
    if (branches.some((one) => one !== branch && [one.name, one.path].includes(bare)))
      throw new Untranslated(`Several branches are called "${bare}".`);
    const found = this.columns.get(branch.index) ?? columnOf(this.tree, branch);
    if ('why' in found) throw new Untranslated(`${found.why} Such branches are not translated.`);
    this.columns.set(branch.index, found);
    return found;
  }
}

function numberValue(value: number): Value & { kind: 'number' } {
  return { kind: 'number', value, loops: false, isTruth: value === 0 || value === 1 };
}

/** The operations whose result is computed here if both sides are numbers. */
const COMPUTED: Partial<Record<BinaryOp, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => (b === 0 ? 0 : a / b),
  over: (a, b) => a / b,
  lt: (a, b) => (a < b ? 1 : 0),
  le: (a, b) => (a <= b ? 1 : 0),
  gt: (a, b) => (a > b ? 1 : 0),
  ge: (a, b) => (a >= b ? 1 : 0),
  eq: (a, b) => (a === b ? 1 : 0),
  ne: (a, b) => (a !== b ? 1 : 0),
  and: (a, b) => (a !== 0 && b !== 0 ? 1 : 0),
  or: (a, b) => (a !== 0 || b !== 0 ? 1 : 0),
};

function binary(op: BinaryOp, left: Value, right: Value): Value {
  const compute = COMPUTED[op];
  if (compute && left.kind === 'number' && right.kind === 'number')
    return numberValue(compute(left.value, right.value));
  return { kind: 'binary', op, left, right, loops: left.loops || right.loops, isTruth: TRUTHS.has(op) };
}

function select(condition: Value, yes: Value, no: Value): Value {
  // A loop over the lists of the other value stays.
  if (condition.kind === 'number') {
    const [chosen, other] = condition.value !== 0 ? [yes, no] : [no, yes];
    if (!other.loops) return chosen;
  }
  const loops = condition.loops || yes.loops || no.loops;
  return { kind: 'select', condition, yes, no, loops, isTruth: yes.isTruth && no.isTruth };
}

function drive(loop: Loop, list: Column): void {
  if (!loop.lists.includes(list)) loop.lists.push(list);
}

/** Returns the value in which an element that is missing is NaN instead of leaving out the entry. */
export function withoutNeeds(value: Value): Value {
  switch (value.kind) {
    case 'element':
      return {
        ...value,
        index: withoutNeeds(value.index),
        isThere: value.list.size !== undefined && value.isThere,
      };
    case 'unary':
      return { ...value, of: withoutNeeds(value.of) };
    case 'binary':
      return { ...value, left: withoutNeeds(value.left), right: withoutNeeds(value.right) };
    case 'select':
      return select(withoutNeeds(value.condition), withoutNeeds(value.yes), withoutNeeds(value.no));
    case 'call':
      return { ...value, args: value.args.map(withoutNeeds), body: value.body && withoutNeeds(value.body) };
    default:
      return value;
  }
}

/** Returns the reason of an error that says why there is no program. Throws all others again. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Untranslated) return thrown.message;
  if (thrown instanceof XylemError) return thrown.message;
  throw thrown;
}
