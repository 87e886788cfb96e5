import type { BinaryOp } from '../../../core/expr-ops';
import { eachPath } from '../../../query/language/names';
import { type Expr, parseExpression } from '../../../query/language/parser';

/** The variable of a cut, as TTree::Draw takes it, and the values at which the cut begins or ends. */
export interface CutVariable {
  expr: string;
  edges: readonly number[];
}

/** The variable of a cut, or a sentence with the reason why it has none. */
export type VariableOrWhy = CutVariable | { why: string };

const COMPARISONS: ReadonlySet<BinaryOp> = new Set(['lt', 'le', 'gt', 'ge', 'eq', 'ne']);
const SEVERAL = 'it compares several variables';
const NO_VARIABLE = 'it compares no variable with a number';

/**
 * Returns the variable of a cut: `x` of `x>30`, `abs(eta)` of `abs(eta)<2.4`, `m` of `m>80 && m<100`, and a branch that is a cut
 * by itself. A cut on several variables has none. Throws ARGUMENT for a text that is not valid.
 */
export function variableOf(cut: string): VariableOrWhy {
  const edges: number[] = [];
  const variables: string[] = [];
  const why = gather(parseExpression(cut), (expr, edge) => {
    const text = bare(cut.slice(expr.at, expr.end));
    if (!variables.includes(text)) variables.push(text);
    if (edge !== undefined && !edges.includes(edge)) edges.push(edge);
  });
  if (why !== undefined) return { why };
  const [expr, other] = variables;
  if (expr === undefined) return { why: NO_VARIABLE };
  return other === undefined ? { expr, edges: edges.sort((a, b) => a - b) } : { why: SEVERAL };
}

/** Calls `use` for each variable and the number it is compared with. Returns a reason why there is no variable. */
function gather(cut: Expr, use: (variable: Expr, edge?: number) => void): string | undefined {
  if (cut.kind === 'unary' && cut.op === 'not') return gather(cut.operand, use);
  if (cut.kind === 'path') {
    use(cut);
    return undefined;
  }
  if (cut.kind !== 'binary') return NO_VARIABLE;
  const { op, left, right } = cut;
  if (op === 'and' || op === 'or') return gather(left, use) ?? gather(right, use);
  if (!COMPARISONS.has(op)) return NO_VARIABLE;
  if (left.kind === 'string' || right.kind === 'string') return 'it compares a text';
  const [low, high] = [numberOf(left), numberOf(right)];
  if (low === undefined && high === undefined) return SEVERAL;
  if (low !== undefined && high !== undefined) return NO_VARIABLE;
  const [variable, edge] = low === undefined ? [left, high] : [right, low];
  if (!hasBranch(variable)) return NO_VARIABLE;
  use(variable, edge);
  return undefined;
}

/** Returns the value of an expression of numbers; undefined for one with names. */
function numberOf(expr: Expr): number | undefined {
  if (expr.kind === 'number') return expr.value;
  if (expr.kind === 'unary' && expr.op === 'neg') {
    const value = numberOf(expr.operand);
    return value === undefined ? undefined : -value;
  }
  if (expr.kind === 'path' && expr.segments.length === 1 && expr.segments[0]?.name === 'pi') return Math.PI;
  if (expr.kind !== 'binary') return undefined;
  const [left, right] = [numberOf(expr.left), numberOf(expr.right)];
  if (left === undefined || right === undefined) return undefined;
  switch (expr.op) {
    case 'add':
      return left + right;
    case 'sub':
      return left - right;
    case 'mul':
      return left * right;
    case 'div':
      return right === 0 ? 0 : left / right;
    default:
      return undefined;
  }
}

function hasBranch(expr: Expr): boolean {
  let has = false;
  eachPath(expr, () => {
    has = true;
  });
  return has;
}

/** Removes brackets around a whole text, and blanks. */
function bare(text: string): string {
  const inner = text.trim();
  if (!inner.startsWith('(') || !inner.endsWith(')')) return inner;
  let depth = 0;
  for (let i = 0; i < inner.length - 1; i++) {
    if (inner[i] === '(') depth++;
    if (inner[i] === ')') depth--;
    if (depth === 0) return inner;
  }
  return bare(inner.slice(1, -1));
}
