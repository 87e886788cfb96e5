import type { Expr } from './parser';

export type PathExpr = Expr & { kind: 'path' };

/** Calls `use` for each name with its members that stands in an expression, those in indices first. */
export function eachPath(expr: Expr | undefined, use: (path: PathExpr) => void): void {
  const visit = (node: Expr | undefined): void => eachPath(node, use);
  switch (expr?.kind) {
    case 'call':
      expr.args.forEach(visit);
      break;
    case 'unary':
      visit(expr.operand);
      break;
    case 'binary':
      visit(expr.left);
      visit(expr.right);
      break;
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
