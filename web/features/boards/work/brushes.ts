import { argumentError } from '../../../base/errors';
import { cppText } from '../../../base/literal';

/** A range of values. Plain ranges are half-open: the lower end belongs to them, and the upper one does not. */
export interface ValueRange {
  low: number;
  high: number;
  /** Whether the lower end does not belong to the range, and whether the upper one does. */
  above?: boolean | undefined;
  upTo?: boolean | undefined;
}

/** A condition on the values of a column: a range, texts, or "is not 0", as a whole cut is a condition. */
export type Condition = { column: number } & (ValueRange | { labels: readonly string[] } | { holds: true });

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
  const text = conditions.map((one) => conditionText(one, exprs[one.column] ?? '')).join(' && ');
  return inverted ? `!(${text})` : text;
}

function conditionText(one: Condition, expr: string): string {
  const name = /^[\w.]+(\[\d+\])?$/.test(expr) ? expr : `(${expr})`;
  if ('holds' in one) return `(${name}!=0)`;
  if ('labels' in one)
    return `(${one.labels.map((label) => `${name}==${cppText(label)}`).join(' || ') || '0'})`;
  const { low, high, above, upTo } = one;
  if (low === high && !above && upTo) return `${name}==${low}`;
  const ends = [
    ...(low === Number.NEGATIVE_INFINITY ? [] : [`${name}${above ? '>' : '>='}${low}`]),
    ...(high === Number.POSITIVE_INFINITY ? [] : [`${name}${upTo ? '<=' : '<'}${high}`]),
  ];
  return ends.join(' && ') || '1';
}

/** Returns the text of a brush for entries as a whole. */
export function entryText(brush: Brush, exprs: readonly string[], isList: boolean): string {
  const text = elementText(brush, exprs);
  if (!isList) return text;
  const asks = brush.asks ?? ANY;
  return asks === 'all' ? `Sum$(!(${text}))==0` : `Sum$(${text})>=${asks.least}`;
}

/**
 * Returns the half-open range of the same numbers. An end that is infinite is no condition, so that a NaN passes it, as in the text
 * of the cut.
 */
export function halfOpen({ low, high, above, upTo }: ValueRange): [low: number, high: number] {
  return [above ? nextAbove(low) : low, upTo ? nextAbove(high) : high];
}

/** Returns the smallest double above a number. */
function nextAbove(value: number): number {
  if (!Number.isFinite(value)) return value;
  const view = new DataView(new ArrayBuffer(8));
  if (value === 0) return Number.MIN_VALUE;
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

/** A text that is equal for brushes that select the same. JSON has no infinite numbers. */
export const brushKey = ({ plot, conditions, inverted = false, asks = ANY }: Brush): string =>
  JSON.stringify([plot, conditions, inverted, asks], (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );

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
