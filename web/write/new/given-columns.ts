import type { Column } from '../../core/columns';
import { type ColumnType, type ColumnValues, columnOf, typeOf, type ValueType } from './values';

/** A column of a call, under its name. */
export interface GivenColumn {
  name: string;
  column: Column;
}

/** Makes columns of the values that calls give. */
export class GivenColumns {
  readonly #types: Readonly<Record<string, ColumnType>>;
  /** The types of the first values of each column, which lists that are empty later have. */
  readonly #known = new Map<string, ValueType>();

  constructor(types: Readonly<Record<string, ColumnType>> = {}) {
    this.#types = types;
  }

  /**
   * The columns of a call, and how many rows each has. Throws ARGUMENT, made by `refused`, where there are none, or they
   * have unequal lengths.
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

  /** Later calls have the types of these columns. */
  remember(given: readonly GivenColumn[]): void {
    for (const { name, column } of given) {
      const type = typeOf(column);
      if (type) this.#known.set(name, type);
    }
  }
}
