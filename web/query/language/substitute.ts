import type { Place } from './errors';
import { changeChain } from './names';
import type { Expr, Segment } from './parser';

/** Expressions for the names in the body of a function that is defined by other functions: its arguments. */
export type Names = Map<string, Expr>;

/** Replaces names by expressions. Errors in the result are reported at `place`. */
export function substitute(expr: Expr, names: Names, place: Place): Expr {
  const at = { at: place.at, end: place.end };
  const again = (one: Expr): Expr => substitute(one, names, place);
  switch (expr.kind) {
    case 'number':
    case 'string':
    case 'bound':
      return { ...expr, ...at };
    case 'unary':
      return { ...expr, ...at, operand: again(expr.operand) };
    case 'binary':
      return changeChain(expr, again, at);
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
