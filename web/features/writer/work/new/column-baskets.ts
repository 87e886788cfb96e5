import type { Column } from '../../../../core/columns';
import type { Core } from '../../../../core/core';
import { sizeOf } from '../../../../core/dtypes';
import type { WriterExports } from '../../../../core/module';
import { type BranchForm, rowsInput } from './branch-form';

/** The entries of a branch that are not in a basket yet. Call `free` at the end. */
export class ColumnBaskets {
  readonly #core: Core<WriterExports>;
  readonly #form: BranchForm;
  #column: number;
  entries = 0;

  /** `key` is the key of its baskets, without the members that baskets add. */
  constructor(core: Core<WriterExports>, key: Uint8Array, form: BranchForm) {
    this.#core = core;
    this.#form = form;
    const { element, dimensions, levels, vector } = form;
    const width = element === 'string' ? 0 : sizeOf(element);
    const count = dimensions.reduce((product, size) => product * size, 1);
    const at = core.input(key);
    this.#column = core.make((x, ctx) =>
      x.xw_column_create(ctx, at, key.length, +vector, width, count, levels),
    );
  }

  /** Adds the entries of a column of this form. Throws BUDGET. */
  add(column: Column): void {
    const rows = rowsInput(column, this.#form);
    const at = this.#core.input(rows);
    this.#core.run((x, ctx) => x.xw_column_add(ctx, this.#column, at, rows.length));
    this.entries += column.length;
  }

  /** Size of the entries in bytes. */
  get bytes(): number {
    return this.#core.exports.xw_column_bytes(this.#column);
  }

  /** Returns the uncompressed record of a basket with the entries. The caller sets its position in the key. */
  finish(): Uint8Array<ArrayBuffer> {
    this.entries = 0;
    return this.#core.call((x, ctx) => x.xw_column_finish(ctx, this.#column));
  }

  free(): void {
    const column = this.#column;
    this.#column = 0;
    this.#core.free((x) => x.xw_column_destroy(column));
  }
}
