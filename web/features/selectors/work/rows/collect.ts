import { bytesOfRows, type RowSpool } from './spool';
import { ARRAYS, type RowBlock, type RowColumn, type TableValues } from './types';

/** Approximate bytes of the rows that a thread collects before they go to a file. */
const BLOCK_BYTES = 1024 * 1024;
/** Characters of texts that do. */
const BLOCK_CHARACTERS = 1_000_000;
/** Rows that a table has memory for at first. */
const FIRST_ROWS = 64;
/** Values of a part of the entries that stay in memory, because their place in a file would take as much. */
const FEW_VALUES = 512;

/** Rows of a part of the entries, while they are made. With a spool, memory does not grow with their number. */
export class RowCollector {
  rows = 0;
  readonly #columns: readonly RowColumn[];
  readonly #spool: RowSpool | undefined;
  readonly #most: number;
  readonly #blocks: RowBlock[] = [];
  #values: TableValues[];
  #size = FIRST_ROWS;
  #used = 0;
  #characters = 0;

  constructor(columns: readonly RowColumn[], spool: RowSpool | undefined) {
    this.#columns = columns;
    this.#spool = spool;
    this.#most = Math.max(FIRST_ROWS, Math.floor(BLOCK_BYTES / (8 * columns.length)));
    this.#values = this.#arrays();
  }

  #arrays(): TableValues[] {
    // A list of texts grows by itself.
    return this.#columns.map(({ type }) => (type === 'text' ? [] : new ARRAYS[type](this.#size)));
  }

  /** Adds a row, whose cells have the types of the columns. Throws IO. */
  add(cells: readonly (number | bigint | string)[]): void {
    if (this.#used === this.#size) this.#grow();
    const at = this.#used;
    for (const [i, values] of this.#values.entries()) {
      const cell = cells[i];
      (values as unknown[])[at] = cell;
      if (typeof cell === 'string') this.#characters += cell.length;
    }
    this.#used += 1;
    this.rows += 1;
    if (this.#characters >= BLOCK_CHARACTERS) this.#flush();
  }

  #grow(): void {
    if (this.#size >= this.#most) {
      this.#flush();
      return;
    }
    const before = this.#values;
    this.#size = Math.min(this.#most, 2 * this.#size);
    this.#values = this.#arrays().map((values, i) => {
      const old = before[i] ?? [];
      if (Array.isArray(values)) return old;
      (values as Float64Array).set(old as Float64Array);
      return values;
    });
  }

  #flush(): void {
    if (this.#used === 0) return;
    const values = this.#values.map((list) => list.slice(0, this.#used) as TableValues);
    const few = this.#blocks.length === 0 && this.#used * this.#columns.length <= FEW_VALUES;
    this.#blocks.push(
      this.#spool && !few ? this.#spool.write(bytesOfRows(this.#columns, values), this.#used) : values,
    );
    this.#used = 0;
    this.#characters = 0;
    this.#values = this.#values.map((list) => (Array.isArray(list) ? [] : list));
  }

  /** Returns all rows in blocks. Throws IO. */
  take(): RowBlock[] {
    this.#flush();
    return this.#blocks;
  }
}
