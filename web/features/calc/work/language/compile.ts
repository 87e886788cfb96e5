import { didYouMean, nearest } from '../../../../base/suggest';
import { expressionError } from '../../../../query/language/errors';
import type { Operation, Parameter } from '../operations';
import { operationNames, operationOf } from '../operations';
import type { Range } from '../ops/project';
import type { ArgValue, Step } from '../steps';
import { type Argument, type Node, parseCalc } from './parse';

/** Operators, as operations. */
const OPERATORS = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide' } as const;

/** Names for results of earlier expressions. */
export interface Names {
  /** Steps of names that are given to expressions: "a" for `a=file.root:h`. */
  aliases: ReadonlyMap<string, number>;
  /** Whether a word that is no alias names a histogram, as in a page. Default: it is a mistake. */
  isName?(word: string): boolean;
}

/** Where an error belongs: the expression and the place of each step. */
export interface Compiled {
  steps: Step[];
  /** The expression of each step, and its place there. `of` names the expression, where there are several. */
  places: { text: string; at: number; end: number; of?: string | undefined }[];
}

/**
 * Adds the steps of an expression to those of earlier ones, and returns the index of its result. The same file and
 * name is opened once. Throws ARGUMENT and NOT_FOUND with the place of the mistake.
 */
export function compileCalc(text: string, into: Compiled, names: Names): number {
  return new Compiler(text, into, names).node(parseCalc(text));
}

class Compiler {
  readonly #text: string;
  readonly #into: Compiled;
  readonly #names: Names;

  constructor(text: string, into: Compiled, names: Names) {
    this.#text = text;
    this.#into = into;
    this.#names = names;
  }

  node(node: Node): number {
    switch (node.kind) {
      case 'number':
        return this.#step({ op: 'number', value: node.value }, node);
      case 'name':
        return this.#name(node);
      case 'negative':
        return this.#step({ op: 'multiply', of: [this.node(node.operand), this.#number(-1, node)] }, node);
      case 'binary': {
        const [constant] = [constantOf(node)];
        if (constant !== undefined && Number.isFinite(constant)) return this.#number(constant, node);
        return this.#step(
          { op: OPERATORS[node.op], of: [this.node(node.left), this.node(node.right)] },
          node,
        );
      }
      case 'call':
        return node.name === 'fill' ? this.#fill(node) : this.#call(node);
      default:
        throw this.#wrong(
          node,
          `A ${node.kind} is not a histogram.`,
          'Ranges and lists are arguments of functions: range(h, 1:5).',
        );
    }
  }

  #number(value: number, node: Node): number {
    return this.#step({ op: 'number', value }, node);
  }

  #step(step: Step, { at, end }: { at: number; end: number }): number {
    const key = JSON.stringify(step);
    const known = this.#into.steps.findIndex((one) => JSON.stringify(one) === key);
    if (known >= 0) return known;
    this.#into.steps.push(step);
    this.#into.places.push({ text: this.#text, at, end });
    return this.#into.steps.length - 1;
  }

  #name(node: Node & { kind: 'name' }): number {
    const { text, form } = node;
    const alias = form === 'word' ? this.#names.aliases.get(text) : undefined;
    if (alias !== undefined) return alias;
    if (form !== 'word' || this.#names.isName?.(text)) return this.#step({ op: 'open', name: text }, node);
    const there = [...this.#names.aliases.keys()];
    const meant = didYouMean(nearest(text, [...there, ...operationNames.map((name) => `${name}(…)`)]), '');
    throw expressionError(
      this.#text,
      node,
      `There is no histogram "${text}".`,
      meant ??
        'Name one in a file as FILE:PATH, in quotes if its name has other characters: "my file.root:h".',
      'NOT_FOUND',
    );
  }

  #call(node: Node & { kind: 'call' }): number {
    const operation = operationOf(node.name);
    if (operation === undefined) {
      const like = nearest(node.name, [...operationNames, 'fill']);
      throw expressionError(
        this.#text,
        { at: node.at, end: node.at + node.name.length },
        `There is no function "${node.name}".`,
        didYouMean(like) ?? `There are ${[...operationNames, 'fill'].join(', ')}.`,
        'NOT_FOUND',
        like,
      );
    }
    const { operands } = operation;
    const isNamed = (arg: Argument | undefined, name: string) => arg?.name === name;
    const rest = [...node.args];
    const of = operands.map((name) => {
      const at = rest.findIndex((arg) => isNamed(arg, name));
      const place = at >= 0 ? at : rest.findIndex((arg) => arg.name === undefined);
      const [arg] = place >= 0 ? rest.splice(place, 1) : [];
      if (arg === undefined)
        throw this.#wrong(
          node,
          `${node.name} needs ${operands.length === 1 ? 'a histogram' : `${operands.length} histograms: ${operands.join(', ')}`}.`,
          exampleOf(node.name, operation),
        );
      return this.node(arg.value);
    });
    return this.#step({ op: node.name, of, ...this.#arguments(node, operation, rest) }, node);
  }

  #arguments(
    node: Node & { kind: 'call' },
    operation: Operation,
    args: readonly Argument[],
  ): Record<string, ArgValue> {
    const made: Record<string, ArgValue> = {};
    const { parameters } = operation;
    for (const arg of args) {
      const { name, value } = arg;
      if (name === undefined) {
        this.#positional(node, operation, value, made);
        continue;
      }
      const parameter = parameters.find((one) => one.name === name);
      if (parameter !== undefined && parameter.kind !== 'ranges') {
        if (Object.hasOwn(made, name)) throw this.#wrong(arg, `"${name}" is said twice.`);
        made[name] = this.#valueFor(parameter, value, node.name);
        continue;
      }
      if (/^[xyz]$/.test(name) && parameters.some(({ kind }) => kind === 'ranges') && node.name !== 'gate') {
        made[name] = { ...this.#range(value, true), bins: true };
        continue;
      }
      const there = [
        ...operation.operands,
        ...parameters.map((one) => one.name).filter((one) => one !== 'ranges'),
      ];
      throw this.#wrong(
        arg,
        `${node.name} has no "${name}".`,
        didYouMean(nearest(name, there)) ?? exampleOf(node.name, operation),
      );
    }
    return made;
  }

  /** Gives a value without a name to the parameter of its kind. */
  #positional(
    node: Node & { kind: 'call' },
    operation: Operation,
    value: Node,
    made: Record<string, ArgValue>,
  ): void {
    const free = (kind: Parameter['kind']) =>
      operation.parameters.find((one) => one.kind === kind && !Object.hasOwn(made, one.name));
    const put = (kind: 'numbers' | 'axes' | 'ranges', item: number | string | Range) => {
      const parameter = operation.parameters.find((one) => one.kind === kind);
      if (parameter === undefined) throw this.#tooMany(node, operation, value);
      made[parameter.name] = [...((made[parameter.name] as (number | string | Range)[]) ?? []), item];
    };
    if (value.kind === 'range') {
      put('ranges', this.#range(value));
      return;
    }
    if (value.kind === 'list') {
      const parameter = free('list');
      if (parameter === undefined) throw this.#tooMany(node, operation, value);
      made[parameter.name] = this.#valueFor(parameter, value, node.name);
      return;
    }
    if (value.kind === 'name' && value.form !== 'file') {
      const text = value.text.toLowerCase();
      const flag = operation.parameters.find(
        (one) => one.kind === 'flag' && (one.name === text || one.words?.includes(text)),
      );
      if (flag) {
        made[flag.name] = true;
        return;
      }
      if (/^[xyz]$/.test(text) && operation.parameters.some(({ kind }) => kind === 'axes')) {
        put('axes', text);
        return;
      }
      const word = free('word');
      if (word) {
        made[word.name] = this.#valueFor(word, value, node.name);
        return;
      }
      const words = operation.parameters.flatMap((one) =>
        one.kind === 'flag' ? [one.name, ...(one.words ?? [])] : [],
      );
      if (!this.#names.aliases.has(value.text)) {
        const meant = didYouMean(nearest(text, words));
        if (meant !== undefined || words.length > 0)
          throw this.#wrong(
            value,
            `${node.name} does not take "${value.text}".`,
            meant ?? `It takes ${words.join(', ')}.`,
          );
      }
    }
    if (operation.parameters.some(({ kind }) => kind === 'numbers')) {
      put('numbers', this.#constant(value));
      return;
    }
    const parameter = free('number');
    if (parameter === undefined) throw this.#tooMany(node, operation, value);
    made[parameter.name] = this.#valueFor(parameter, value, node.name);
  }

  #valueFor(parameter: Parameter, value: Node, op: string): ArgValue {
    switch (parameter.kind) {
      case 'number': {
        const constant = constantOf(value);
        return constant ?? { step: this.node(value) };
      }
      case 'numbers':
        return [this.#constant(value)];
      case 'list':
        if (value.kind !== 'list')
          throw this.#wrong(value, `"${parameter.name}" of ${op} is a list: [0, 1, 5].`);
        return value.values.map((one) => this.#constant(one));
      case 'histogram':
        return { step: this.node(value) };
      case 'flag':
        return true;
      case 'axes':
        if (value.kind === 'name' && /^[xyz]$/i.test(value.text)) return [value.text.toLowerCase()];
        throw this.#wrong(value, `"${parameter.name}" of ${op} is x, y or z.`);
      default: {
        const text = value.kind === 'name' ? value.text : '';
        const found = parameter.words?.find((word) => word === text.toLowerCase());
        if (found !== undefined) return found;
        if (parameter.words === undefined && value.kind === 'name') return text;
        throw this.#wrong(
          value,
          `"${parameter.name}" of ${op} is not ${text === '' ? 'this' : `"${text}"`}.`,
          didYouMean(nearest(text, parameter.words ?? [])) ?? `It is ${(parameter.words ?? []).join(', ')}.`,
        );
      }
    }
  }

  #range(node: Node, isBins = false): Range {
    if (node.kind === 'range') return { from: this.#constant(node.from), to: this.#constant(node.to) };
    const one = isBins ? constantOf(node) : undefined;
    if (one !== undefined) return { from: one, to: one };
    throw this.#wrong(node, 'A range is written A:B.');
  }

  #constant(node: Node): number {
    const value = constantOf(node);
    if (value !== undefined) return value;
    throw this.#wrong(node, 'A number is expected here.');
  }

  /** fill('file.root', 'Events', 'pt>>(50,0,100)', 'cut'): the words of "xylem draw". */
  #fill(node: Node & { kind: 'call' }): number {
    const words = node.args.map(({ name, value }) => {
      if (name === undefined && value.kind === 'name' && value.form !== 'word') return value.text;
      throw this.#wrong(
        value,
        'fill takes texts in quotes.',
        `Write fill('file.root', 'Events', 'pt>>(50,0,100)', 'cut').`,
      );
    });
    if (words.length < 2 || words.length > 4)
      throw this.#wrong(
        node,
        'fill takes a file, a tree, an expression and a cut.',
        `Write fill('file.root', 'Events', 'pt>>(50,0,100)', 'cut').`,
      );
    const [file = '', ...rest] = words;
    const [tree, expr = '', cut] = rest.length === 1 ? [undefined, ...rest] : rest;
    return this.#step(
      { op: 'fill', file, ...(tree !== undefined && { tree }), expr, ...(cut !== undefined && { cut }) },
      node,
    );
  }

  #tooMany(node: Node & { kind: 'call' }, operation: Operation, value: Node) {
    return this.#wrong(value, `${node.name} does not take this.`, exampleOf(node.name, operation));
  }

  #wrong(place: { at: number; end: number }, message: string, fix?: string) {
    return expressionError(this.#text, place, message, fix);
  }
}

/** Returns the number of an expression without histograms; undefined for others. */
function constantOf(node: Node): number | undefined {
  if (node.kind === 'number') return node.value;
  if (node.kind === 'negative') {
    const value = constantOf(node.operand);
    return value === undefined ? undefined : -value;
  }
  if (node.kind !== 'binary') return undefined;
  const [left, right] = [constantOf(node.left), constantOf(node.right)];
  if (left === undefined || right === undefined) return undefined;
  return { '+': left + right, '-': left - right, '*': left * right, '/': left / right }[node.op];
}

/** Returns how an operation is written. */
export function exampleOf(
  name: string,
  { operands, example }: Pick<Operation, 'operands' | 'example'>,
): string {
  return `Write ${name}(${[...operands, ...(example === '' ? [] : [example])].join(', ')}).`;
}
