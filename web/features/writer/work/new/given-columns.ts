import type { Column } from '../../../../core/columns';
import type { ColumnType, ColumnValues } from '../../../../library/write';
import { columnOf, typeOf, type ValueType } from './values';

/** A column given in a call, with its name. */
export interface GivenColumn {
  name: string;
  column: Column;
}

/** Makes columns from the values that calls give. */
export class GivenColumns {
  readonly #types: Readonly<Record<string, ColumnType>>;
  /** Types of the first values of each column. Later empty lists get the same types. */
  readonly #known = new Map<string, ValueType>();

  constructor(types: Readonly<Record<string, ColumnType>> = {}) {
    this.#types = types;
  }

  /**
   * Returns the columns of a call and their number of rows. Throws the ARGUMENT error made by `refused` if there are
   * no columns, or their lengths differ.
   */
  take(
    columns: Readonly<Record<string, ColumnValues>>,
    refused: (why: string) => Error,
  ): { given: GivenColumn[]; rows: number } {
    const given = Object.entries(columns).map(([name, values]) => {
      const type = Object.hasOwn(this.#types, name) ? this.#types[name] : undefined;
      return { name, column: columnOf(name, values, type, this.#known.get(name)) };
    });
    const [first] = given;
    if (!first) throw refused('there are no columns');
    const rows = first.column.length;
    const other = given.find(({ column }) => column.length !== rows);
    if (other)
      throw refused(`"${first.name}" has ${rows} values and "${other.name}" has ${other.column.length}`);
    return { given, rows };
  }

  /** Requires the types of these columns for later calls. */
  remember(given: readonly GivenColumn[]): void {
    for (const { name, column } of given) {
      const type = typeOf(column);
      if (type) this.#known.set(name, type);
    }
  }
}
