import type { Node } from './frame';
import { BINARY, UNARY } from './functions';

/*
 * The formulas of correctionlib are a part of those of TFormula, with rules of their own: a minus before digits belongs to the
 * number, so -2^2 is 4; a minus elsewhere stands before a name, a call or parentheses, so "- 2" and "--x" are mistakes; numbers
 * are 1, 1., 1.5, 1e5 and 1e-5, not .5 or 1e+5.
 */

/** How deep parentheses may be. */
const MAX_LEVELS = 300;
const MAX_LENGTH = 1_000_000;

export interface FormulaInputs {
  /** Values of the inputs, of which `variables` are the indices of x, y, z and t. */
  numbers: Float64Array;
  variables: readonly number[];
  /** Values of the parameters, or those that a reference to a formula sets. */
  parameters: Float64Array;
}

/** Operators by precedence, those that bind least first. All but ^ group from the left. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['>', '<', '>=', '<='],
  ['-', '+'],
  ['/', '*'],
  ['^'],
];

const PRECEDENCE = new Map(LEVELS.flatMap((ops, level) => ops.map((op) => [op, level] as const)));
const POWER = LEVELS.length - 1;

/** Compiles a formula. `fail` throws for a mistake: its reason, and its place in the text from 0. */
export function compileFormula(
  text: string,
  { numbers, variables, parameters }: FormulaInputs,
  fail: (why: string, at?: number) => never,
): Node {
  if (text.length > MAX_LENGTH) fail(`has more than ${MAX_LENGTH} characters`);
  let at = 0;
  let depth = 0;

  const skip = (): void => {
    while (text[at] === ' ' || text[at] === '\t') at += 1;
  };
  /** Takes a text that a sticky pattern matches here. */
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return undefined;
    at += found.length;
    skip();
    return found;
  };
  const need = (sign: string): void => {
    if (text[at] !== sign) fail(`has no "${sign}" where one is expected`, at);
    at += 1;
    skip();
  };
  const inside = <T>(work: () => T): T => {
    depth += 1;
    if (depth > MAX_LEVELS) fail(`has more than ${MAX_LEVELS} levels of parentheses`, at);
    const made = work();
    depth -= 1;
    return made;
  };

  const call = (): Node | undefined => {
    const before = at;
    const name = take(/[a-z]+(?:10|2)?/y);
    const unary = name === undefined ? undefined : UNARY.get(name);
    const binary = name === undefined ? undefined : BINARY.get(name);
    if ((!unary && !binary) || text[at] !== '(') {
      at = before;
      return undefined;
    }
    need('(');
    const first = inside(() => expression(0));
    if (unary) {
      need(')');
      return unary(first);
    }
    need(',');
    const second = inside(() => expression(0));
    need(')');
    return binary?.(first, second);
  };

  const name = (): Node | undefined => {
    if (text[at] === '[') {
      need('[');
      const found = take(/[0-9]+/y) ?? fail('has no number of a parameter', at);
      const index = Number(found);
      need(']');
      if (index >= parameters.length)
        fail(`uses the parameter [${found}], and there are ${parameters.length}`, at);
      return () => parameters[index] as number;
    }
    const found = take(/x\[[0-9]+\]|[xyzt]/y);
    if (found === undefined) return undefined;
    const index = found.length > 1 ? Number(found.slice(2, -1)) : 'xyzt'.indexOf(found);
    const slot = variables[index];
    if (slot === undefined) fail(`uses the variable "${found}", and "variables" has ${variables.length}`, at);
    return () => numbers[slot as number] as number;
  };

  const atom = (): Node => {
    const literal = take(/-?[0-9]+(?:\.[0-9]*)?(?:e-?[0-9]+)?/y);
    if (literal !== undefined) {
      const value = Number(literal);
      if (!Number.isFinite(value)) fail(`has the number ${literal}, which is too large`, at);
      return constant(value);
    }
    const isNegative = text[at] === '-';
    if (isNegative) {
      at += 1;
      skip();
    }
    const here = at;
    let found = call() ?? name();
    if (!found && text[at] === '(') {
      need('(');
      found = inside(() => expression(0));
      need(')');
    }
    const value = found ?? fail(here >= text.length ? 'ends too early' : 'cannot be understood', here);
    return isNegative ? () => -value() : value;
  };

  const operator = (): string | undefined => {
    const before = at;
    const found = take(/\|\||&&|==|!=|>=|<=|[><\-+/*^]/y);
    if (found === undefined) return undefined;
    at = before;
    return found;
  };

  const expression = (least: number): Node => {
    let left = atom();
    for (;;) {
      const op = operator();
      const level = op === undefined ? -1 : (PRECEDENCE.get(op) ?? -1);
      if (op === undefined || level < least) return left;
      at += op.length;
      skip();
      const right = level === POWER ? inside(() => expression(level)) : expression(level + 1);
      left = (BINARY.get(op) as (a: Node, b: Node) => Node)(left, right);
    }
  };

  skip();
  const made = expression(0);
  if (at < text.length) fail('cannot be understood', at);
  return made;
}

function constant(value: number): Node {
  return () => value;
}
