import { emptySummary, type Summary } from '../../../core/sums/summary';
import { chooseAxes } from '../../../measure/axes';
import { ESTIMATE } from '../../../measure/ranges';
import type { BoardAxis } from './board';
import type { BoardColumn } from './columns';
import type { Collection } from './shapes';

type Ends = Pick<Summary, 'values' | 'min' | 'max'>;

/**
 * Returns the axes of a plot, as TTree::Draw chooses them from the same values; of texts a bin for each, in the order in which they
 * occur. `collection` is the one over whose elements the columns run.
 */
export function axesOf(columns: readonly BoardColumn[], collection: Collection | undefined): BoardAxis[] {
  const [only] = columns;
  if (only?.labels && columns.length === 1) {
    const bins = Math.max(1, only.labels.length);
    return [{ bins, low: 0, high: bins }];
  }
  const found = columns.map((column) => endsOf(column, collection));
  const axes = chooseAxes(
    columns.map(() => ({ rule: 'root' })),
    {
      fills: collection?.owners.length ?? only?.values.length ?? 0,
      whole: found.map(({ first }) => ({ ...emptySummary(), ...first })),
      first: found.map(({ first }) => first),
      later: found.map(({ later }) => later),
      integer: columns.map(({ integer }) => integer),
    },
    false,
  );
  return axes.map(({ bins, low, high }) => ({ bins, low, high }));
}

/** The ends of the first values, and the later values that lie outside all values before them. */
function endsOf(
  { values, starts }: BoardColumn,
  collection: Collection | undefined,
): { first: Ends; later: number[] } {
  const owners = collection && !starts ? collection.owners : undefined;
  const length = collection ? collection.owners.length : values.length;
  const later: number[] = [];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let count = 0;
  let first: Ends | undefined;
  for (let i = 0; i < length; i++) {
    if (i === ESTIMATE) first = { values: count, min, max };
    const value = values[owners ? (owners[i] as number) : i] as number;
    if (!Number.isFinite(value)) continue;
    count++;
    if (value >= min && value <= max) continue;
    if (first) later.push(value);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { first: first ?? { values: count, min, max }, later };
}
