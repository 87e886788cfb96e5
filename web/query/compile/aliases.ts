import { XylemError } from '../../base/errors';
import { own } from '../../base/search';
import { expressionError, type Place } from '../language/errors';
import { SPECIALS } from '../language/functions';
import { changeChain } from '../language/names';
import { type Expr, type NameRules, parseExpression, type Segment, type Subscript } from '../language/parser';
import type { Source } from '../language/source';
import { substitute } from '../language/substitute';
import type { Scopes } from './scopes';

/**
 * Maximum number of alias expansions. Aliases may use other aliases, so the expansion of a short text can
 * grow without limit.
 */
const MAX_EXPANSIONS = 2000;

/**
 * Replaces the names of aliases by their expressions, unless a branch has the same name. As in
 * TTreeFormula, an index after an alias belongs to the last name of its text, and members can follow an
 * alias only if it is itself a name. Throws ARGUMENT if an alias refers to itself or cannot be parsed.
 */
export function withAliases(expr: Expr, source: Source, scopes: Scopes): Expr {
  return new Expansion(source, scopes).expand(expr, []);
}

/** Parses one expression; aliases are not replaced. */
export function parseSource({ text, from, to }: Source, names: NameRules): Expr {
  return parseExpression(text, {
    names,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  });
}

class Expansion {
  #count = 0;

  constructor(
    readonly source: Source,
    readonly scopes: Scopes,
  ) {}

  expand(expr: Expr, within: readonly string[]): Expr {
    const again = (one: Expr): Expr => this.expand(one, within);
    switch (expr.kind) {
      case 'number':
      case 'string':
      case 'bound':
        return expr;
      case 'unary':
        return { ...expr, operand: again(expr.operand) };
      case 'binary':
        return changeChain(expr, again);
      case 'ternary':
        return { ...expr, condition: again(expr.condition), yes: again(expr.yes), no: again(expr.no) };
      case 'call':
        return { ...expr, args: expr.args.map(again) };
      case 'path': {
        const segments = expr.segments.map((segment) => ({
          ...segment,
          subscripts: segment.subscripts.map((one) => one && again(one)),
          args: segment.args?.map(again),
        }));
        return this.#path({ ...expr, segments }, within);
      }
    }
  }

  #path(expr: Expr & { kind: 'path' }, within: readonly string[]): Expr {
    const { segments } = expr;
    const named = segments.filter(({ args }) => args === undefined);
    const words = named.map(({ name }) => name);
    const [first = ''] = words;
    const whole = words.join('.');
    if (named.length === 0 || (named.length === 1 && SPECIALS.includes(first))) return expr;
    const name = [whole, first].find((one) => this.#textOf(one) !== undefined);
    const text = name === undefined ? undefined : this.#textOf(name);
    if (name === undefined || text === undefined) return expr;
    if (this.scopes.resolve(words)) {
      const given = own(this.source.names, name);
      if (given === undefined || given.trim() === name) return expr;
      throw expressionError(
        this.source.text,
        expr,
        `"${name}" is a branch of the tree "${this.scopes.main.model.info.path}", and also the name of ${given}.`,
        'Give the expression another name.',
      );
    }
    if (within.includes(name) || ++this.#count > MAX_EXPANSIONS) {
      throw this.#fail(expr, `The alias "${name}" leads back to itself.`);
    }
    const parsed = substitute(this.#parse(name, text, expr), new Map(), expr);
    const body = this.expand(parsed, [...within, name]);
    const after = segments.slice(name === whole ? named.length : 1);
    const subscripts = segments
      .slice(0, segments.length - after.length)
      .flatMap((segment) => segment.subscripts);
    if (after.length > 0 || expr.collection) return this.#members(body, expr, after, subscripts, name, text);
    return subscripts.length === 0 ? body : this.#indexed(body, subscripts, expr, name, text);
  }

  /** Appends members, methods and "@" to an alias, which has to be a name itself. */
  #members(
    body: Expr,
    expr: Expr & { kind: 'path' },
    after: Segment[],
    subscripts: Subscript[],
    name: string,
    text: string,
  ): Expr {
    if (body.kind !== 'path') {
      throw this.#fail(expr, `The alias "${name}" is ${text}, which has no members.`);
    }
    const own = body.segments.map((segment, i) =>
      i < body.segments.length - 1
        ? segment
        : {
            ...segment,
            subscripts: [...segment.subscripts, ...subscripts],
            whole: segment.whole ?? expr.segments[0]?.whole,
          },
    );
    const { at, end } = expr;
    return {
      ...body,
      segments: [...own, ...after],
      collection: body.collection || expr.collection,
      at,
      end,
    };
  }

  #indexed(body: Expr, subscripts: Subscript[], place: Place, name: string, text: string): Expr {
    const into = (one: Expr): Expr => {
      switch (one.kind) {
        case 'path': {
          const segments = one.segments.map((segment, i) =>
            i < one.segments.length - 1
              ? segment
              : { ...segment, subscripts: [...segment.subscripts, ...subscripts] },
          );
          return { ...one, segments };
        }
        case 'unary':
          return { ...one, operand: into(one.operand) };
        case 'binary':
          return { ...one, right: into(one.right) };
        case 'ternary':
          return { ...one, no: into(one.no) };
        default:
          throw this.#fail(place, `The alias "${name}" is ${text}, which takes no index.`);
      }
    };
    // The index would be placed after the bracket.
    if (text.trimEnd().endsWith(')') && body.kind !== 'path') {
      throw this.#fail(place, `The alias "${name}" is ${text}, which takes no index.`);
    }
    return into(body);
  }

  #parse(name: string, text: string, place: Place): Expr {
    try {
      return parseExpression(text, { names: this.scopes });
    } catch (thrown) {
      if (!(thrown instanceof XylemError)) throw thrown;
      const message = `In the alias "${name}", ${text}: ${thrown.message}`;
      throw expressionError(this.source.text, place, message, thrown.fix, thrown.code);
    }
  }

  /** Returns the text of an alias of the tree, or of a friend whose name may be written before it. */
  #textOf(name: string): string | undefined {
    const text = own(this.source.names, name) ?? own(this.scopes.main.model.info.aliases, name);
    if (text !== undefined) return text;
    for (const { name: friend, model } of this.scopes.friends) {
      const { aliases, name: tree } = model.info;
      const bare = [friend, tree].find((prefix) => name.startsWith(`${prefix}.`));
      const found = own(aliases, name) ?? (bare && own(aliases, name.slice(bare.length + 1)));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #fail(place: Place, message: string): XylemError {
    return expressionError(this.source.text, place, message);
  }
}
