import { argumentError } from '../../../base/errors';
import { cppText } from '../../../base/literal';

/** A condition on the values of a column: a half-open range, or texts. */
export type Condition = { column: number } & ({ low: number; high: number } | { labels: readonly string[] });

/**
 * The entries that a condition on a list selects: those with at least `least` elements that pass, or those all of whose elements
 * pass.
 */
export type Asks = { least: number } | 'all';

/** A selection that was made in a plot. */
export interface Brush {
  name: string;
  /** The plot in which it was made, which shows also what it does not select. */
  plot?: number | undefined;
  /** One condition for each axis of the plot. All have to be true for the same element. */
  conditions: readonly Condition[];
  /** Selects the elements that do not pass. */
  inverted?: boolean | undefined;
  off?: boolean | undefined;
  /** Default: at least one element. */
  asks?: Asks | undefined;
}

export const ANY: Asks = { least: 1 };

/** Maximum number of brushes: each has a bit in a number for each entry. */
export const MAX_BRUSHES = 31;

/** Returns the text of a condition on an element, as TTree::Draw takes it. */
export function elementText({ conditions, inverted }: Brush, exprs: readonly string[]): string {
  const text = conditions
    .map((one) => {
      const expr = exprs[one.column] ?? '';
      const name = /^[\w.]+$/.test(expr) ? expr : `(${expr})`;
      if ('labels' in one)
        return `(${one.labels.map((label) => `${name}==${cppText(label)}`).join(' || ') || '0'})`;
      const ends = [
        ...(one.low === Number.NEGATIVE_INFINITY ? [] : [`${name}>=${one.low}`]),
        ...(one.high === Number.POSITIVE_INFINITY ? [] : [`${name}<${one.high}`]),
      ];
      return ends.join(' && ') || '1';
    })
    .join(' && ');
  return inverted ? `!(${text})` : text;
}

/** Returns the text of a brush for entries as a whole. */
export function entryText(brush: Brush, exprs: readonly string[], isList: boolean): string {
  const text = elementText(brush, exprs);
  if (!isList) return text;
  const asks = brush.asks ?? ANY;
  return asks === 'all' ? `Sum$(!(${text}))==0` : `Sum$(${text})>=${asks.least}`;
}

/** Throws ARGUMENT for brushes that are too many or have no sense. */
export function checkBrushes(brushes: readonly Brush[], columns: number): void {
  if (brushes.length > MAX_BRUSHES)
    throw argumentError(`A board has at most ${MAX_BRUSHES} brushes, not ${brushes.length}.`);
  for (const { name, conditions, asks = ANY } of brushes) {
    const wrong = (why: string): never => {
      throw argumentError(`The brush "${name}" ${why}.`);
    };
    if (conditions.length === 0) wrong('has no condition');
    if (asks !== 'all' && !(Number.isSafeInteger(asks.least) && asks.least >= 1))
      wrong('asks for a number of elements that is not a whole number of at least 1');
    for (const one of conditions) {
      if (!(one.column >= 0 && one.column < columns)) wrong('names a column that is not on the board');
      if ('low' in one && !(one.low <= one.high)) wrong('has a range whose ends are reversed or not numbers');
    }
  }
}
