import type { Place } from './errors';
import type { Expr } from './parser';

export type PathExpr = Expr & { kind: 'path' };

export type BinaryExpr = Expr & { kind: 'binary' };

/**
 * Returns the first value of a chain such as a+b+c, and its operations from left to right. A chain may
 * have thousands of values, too many for recursive calls.
 */
export function chainOf(expr: BinaryExpr): { first: Expr; operations: BinaryExpr[] } {
  const operations = [expr];
  let first = expr.left;
  for (; first.kind === 'binary'; first = first.left) operations.push(first);
  return { first, operations: operations.reverse() };
}

/** Returns the same chain with each of its values changed. */
export function changeChain(expr: BinaryExpr, change: (value: Expr) => Expr, place?: Place): Expr {
  const { first, operations } = chainOf(expr);
  return operations.reduce<Expr>(
    (left, one) => ({ ...one, ...place, left, right: change(one.right) }),
    change(first),
  );
}

/** Calls `use` for each name with its members in an expression. Names in indices come first. */
export function eachPath(expr: Expr | undefined, use: (path: PathExpr) => void): void {
  const visit = (node: Expr | undefined): void => eachPath(node, use);
  switch (expr?.kind) {
    case 'call':
      expr.args.forEach(visit);
      break;
    case 'unary':
      visit(expr.operand);
      break;
    case 'binary': {
      const { first, operations } = chainOf(expr);
      visit(first);
      for (const { right } of operations) visit(right);
      break;
    }
    case 'ternary':
      visit(expr.condition);
      visit(expr.yes);
      visit(expr.no);
      break;
    case 'path':
      for (const { subscripts, args } of expr.segments) [...subscripts, ...(args ?? [])].forEach(visit);
      use(expr);
  }
}
