import { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { concatColumns, copyColumn } from '../pass/columns/concat';
import { sliceColumn } from '../pass/columns/slice-column';

/** Decoded rows of one branch that have not been taken. */
export class RowBuffer {
  readonly #columns: Column[] = [];
  /** Number of rows of the first column that were taken. */
  #taken = 0;
  rows = 0;

  add(columns: readonly Column[]): void {
    for (const column of columns) {
      this.#columns.push(column);
      this.rows += column.length;
    }
  }

  /** Returns the numbers of next rows, up to `rows`, after which a column ends. */
  ends(rows: number): number[] {
    const ends: number[] = [];
    let end = -this.#taken;
    for (const { length } of this.#columns) {
      end += length;
      if (end > rows) break;
      ends.push(end);
    }
    return ends;
  }

  /**
   * Takes the next rows. If one basket or page contains all of them, they are a view of it, otherwise a copy. The last
   * rows of a basket or page that was divided are also a copy, because a view would keep all of it in memory while the
   * next cluster is read. Throws INTERNAL if fewer rows are left.
   */
  take(rows: number): Column {
    const [next] = this.#columns;
    if (next?.length === rows && this.#taken === 0) {
      this.#columns.shift();
      this.rows -= rows;
      return next;
    }
    const parts: Column[] = [];
    let left = rows;
    let isCut = false;
    while (left > 0) {
      const [first] = this.#columns;
      if (!first) throw new XylemError({ code: 'INTERNAL', message: `A branch has ${left} rows too few.` });
      const end = Math.min(first.length, this.#taken + left);
      if (end > this.#taken) parts.push(sliceColumn(first, this.#taken, end));
      left -= end - this.#taken;
      this.#taken = end;
      if (end < first.length) break;
      isCut = parts[0]?.length !== first.length;
      this.#columns.shift();
      this.#taken = 0;
    }
    this.rows -= rows;
    const [only] = parts;
    return isCut && only && parts.length === 1 ? copyColumn(only) : concatColumns(parts);
  }
}
