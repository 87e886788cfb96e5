import type { Place } from './errors';
import type { Expr, Segment } from './parser';

/** What the names of an expression mean beyond branches: arguments of functions that are made of others. */
export type Names = Map<string, Expr>;

/** Puts expressions for names; the result stands as a whole at `place`. */
export function substitute(expr: Expr, names: Names, place: Place): Expr {
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
