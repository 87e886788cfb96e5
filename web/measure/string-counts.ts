import type { Frequencies, PartialNote } from '../api/api';
import type { Column } from '../core/columns';

/** Counting of different strings stops here. */
const MAX_DISTINCT = 100_000;
const TOP = 100;

/** Counts different strings, up to a limit. */
export class StringCounts {
  readonly #seen = new Map<string, number>();
  #values = 0;

  add(text: string, weight = 1): void {
    const count = this.#seen.get(text);
    this.#values += 1;
    if (count !== undefined) this.#seen.set(text, count + weight);
    else if (this.#seen.size < MAX_DISTINCT) this.#seen.set(text, weight);
  }

  result(title: string, entries: number, partial: PartialNote | undefined): Frequencies {
    const top = [...this.#seen]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, TOP)
      .map(([value, count]) => ({ value, count }));
    return {
      kind: 'frequencies',
      title,
      values: this.#values,
      distinct: this.#seen.size,
      entries,
      top,
      partial,
    };
  }
}

/** The column of strings within lists and arrays of strings; undefined for others. */
export function stringsOf(column: Column): (Column & { kind: 'string' }) | undefined {
  if (column.kind === 'string') return column;
  if (column.kind === 'struct') return column.children.map(stringsOf).find((child) => child !== undefined);
  return 'child' in column ? stringsOf(column.child) : undefined;
}
