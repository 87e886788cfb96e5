import type { BinaryOp, UnaryOp } from '../../../../core/expr-ops';
import type { Column } from './columns';

/** The instances over which an expression is evaluated: one per entry, or one per element of lists. */
export interface Loop {
  /** The lists that are run over together, up to the end of the shortest. Without any there is one instance. */
  lists: Column[];
  /** Elements without which an entry has no instance: x[2] of the text. */
  needed: { list: Column; index: number }[];
}

/** A sum, a length, or an extreme of the values of a loop of its own. */
export type Reduction = 'length' | 'sum' | 'min' | 'max';

/**
 * An expression of TTree::Draw in which all names are known, for any language. `loops`: it has a value for each
 * instance of its loop; otherwise one an entry. `isTruth`: it is 0 or 1.
 */
export type Value = { loops: boolean; isTruth: boolean } & (
  | { kind: 'number'; value: number }
  /** The value of a column. For a list that of the instance. */
  | { kind: 'column'; column: Column }
  /** An element of a list; NaN if there is none. `isThere`: no instance lacks it. */
  | { kind: 'element'; list: Column; index: Value; isThere: boolean }
  | { kind: 'unary'; op: UnaryOp; of: Value }
  | { kind: 'binary'; op: BinaryOp; left: Value; right: Value }
  | { kind: 'select'; condition: Value; yes: Value; no: Value }
  /**
   * A function of ROOT. `body`: the same by simpler ones; undefined for those that are loops and tables. `said`: the name
   * that the text has, in whose body it stands.
   */
  | { kind: 'call'; name: string; said: string; args: Value[]; body: Value | undefined }
  | { kind: 'reduce'; how: Reduction; of: Value; where: Value | undefined; loop: Loop }
  /** Whether a list has the element of an index, or of this instance. */
  | { kind: 'there'; list: Column; index: Value | undefined }
  /** The value of a list that does not drive the loop, at this instance; NaN if there is none. */
  | { kind: 'beside'; list: Column }
  | { kind: 'isText'; column: Column; text: string; equal: boolean }
  | { kind: 'entry' }
  | { kind: 'iteration'; loop: Loop }
  /** The number of instances of the loop. */
  | { kind: 'count'; loop: Loop }
);

/** An expression with others in one loop: the coordinates x first, and the weight. */
export interface Filling {
  loop: Loop;
  values: Value[];
  /** Undefined if all instances are filled with weight 1. */
  weight: Value | undefined;
  /** All columns that are read. */
  columns: Column[];
}

/** Calls `use` for a value and all values in it. */
export function eachValue(value: Value | undefined, use: (value: Value) => void): void {
  if (value === undefined) return;
  use(value);
  for (const part of partsOf(value)) eachValue(part, use);
}

function partsOf(value: Value): (Value | undefined)[] {
  switch (value.kind) {
    case 'element':
    case 'there':
      return [value.index];
    case 'unary':
      return [value.of];
    case 'binary':
      return [value.left, value.right];
    case 'select':
      return [value.condition, value.yes, value.no];
    case 'call':
      return [...value.args];
    case 'reduce':
      return [value.of, value.where];
    default:
      return [];
  }
}

/** Whether lists have the same length in each entry, as far as the tree tells. */
export function areTogether(lists: readonly Column[]): boolean {
  const [first, ...others] = lists;
  return others.every((one) => first?.length !== undefined && one.length === first.length);
}
