import type { Gathered } from '../../../../api/selector';
import { overBudget } from '../../../../base/data-errors';
import { argumentError } from '../../../../base/errors';
import {
  countFrom,
  itemsOf,
  type Json,
  listOf,
  numberFrom,
  numberOrText,
  type Wrong,
} from '../../../../measure/json';
import { Made, type Place, type ResultKind } from './kind';

// Shared by the kinds that keep rows of values in the order of the entries.

/** Type of the values of a column of a table: doubles, signed 64-bit integers, unsigned 64-bit integers, or texts. */
export type TableColumnType = 'number' | 'whole' | 'unsigned' | 'text';

export type TableValues = Float64Array | BigInt64Array | BigUint64Array | string[];

export interface RowColumn {
  name: string;
  type: TableColumnType;
}

/** Rows of a part of the entries of a file, column by column. */
export interface RowPart extends Place {
  values: TableValues[];
}

/** Rows as plain data. Parts come in any order. */
export interface RowsResult<Kind extends string = string> extends Gathered {
  kind: Kind;
  columns: RowColumn[];
  parts: RowPart[];
}

/** Array type of a column. Texts are a list. */
const ARRAYS = {
  number: Float64Array,
  whole: BigInt64Array,
  unsigned: BigUint64Array,
  text: Array,
} as const satisfies Record<TableColumnType, unknown>;

const HELD: Readonly<Record<TableColumnType, string>> = {
  number: 'numbers',
  whole: 'whole numbers of 64 bits',
  unsigned: 'whole numbers from 0 to 2^64 - 1',
  text: 'texts',
};

/** Maximum number of rows in one part of the entries. */
const MAX_ROWS = 10_000_000;

/** Returns a column with this name and type; undefined if either is invalid. */
export function rowColumn(name: unknown, type: unknown): RowColumn | undefined {
  const isType = typeof type === 'string' && Object.hasOwn(ARRAYS, type);
  if (!isType || typeof name !== 'string' || name === '__proto__') return undefined;
  return { name, type: type as TableColumnType };
}

/** Rows in the thread that fills them. The class of a kind adds the method that selectors call, which calls `put`. */
export abstract class MadeRows<Kind extends string> extends Made<RowsResult<Kind>> {
  readonly #columns: (RowColumn & { values: unknown[] })[];
  #rows = 0;

  constructor(
    readonly kind: Kind,
    columns: readonly RowColumn[],
  ) {
    super();
    this.#columns = columns.map((column) => ({ ...column, values: [] }));
  }

  /** Adds a row, by the names of the columns. Throws ARGUMENT for a value of another type, and BUDGET; then it adds nothing. */
  protected put(values: Readonly<Record<string, unknown>>): void {
    this.checkOwn();
    if (this.#rows >= MAX_ROWS) {
      throw overBudget(
        `A ${this.kind} has more than ${MAX_ROWS} rows in one part of the entries.`,
        'Choose fewer rows.',
      );
    }
    const cells = this.#columns.map((column) => this.#cell(column, values[column.name]));
    for (const [i, { values: list }] of this.#columns.entries()) list.push(cells[i]);
    this.#rows += 1;
  }

  #cell({ name, type }: RowColumn, value: unknown): number | bigint | string {
    if (type === 'text' && typeof value === 'string') return value;
    if (type === 'number' && (typeof value === 'number' || typeof value === 'bigint')) return Number(value);
    if (
      (type === 'whole' || type === 'unsigned') &&
      (typeof value === 'bigint' || Number.isSafeInteger(value))
    ) {
      const whole = BigInt(value as number | bigint);
      if (isWithin(type, whole)) return whole;
    }
    throw argumentError(
      `The column "${name}" of a ${this.kind} holds ${HELD[type]}; it got ${String(value).slice(0, 40)}.`,
      type === 'whole' && typeof value === 'bigint'
        ? "Numbers from 2^63 on are those of a column that is 'unsigned'."
        : 'Give each row a value of its type for each column.',
    );
  }

  protected gathered(place: Place): RowsResult<Kind> {
    const values = this.#columns.map(({ type, values: list }) =>
      (ARRAYS[type] as typeof Array<never>).from(list as never[]),
    ) as TableValues[];
    const columns = this.#columns.map(({ name, type }) => ({ name, type }));
    return { kind: this.kind, columns, parts: this.#rows > 0 ? [{ ...place, values }] : [] };
  }
}

type RowsMembers = 'form' | 'add' | 'scaled' | 'isRows' | 'joined' | 'json' | 'from';

/** Returns the members that all kinds of rows share. `fixed` are the columns of a kind that always has the same. */
export function rowsKind<Kind extends string>(
  kind: Kind,
  fixed?: readonly RowColumn[],
): Required<Pick<ResultKind<RowsResult<Kind>>, RowsMembers>> {
  return {
    isRows: true,
    form: ({ columns }) => columns,
    add({ parts }, more) {
      parts.push(...more.parts);
    },
    scaled: (one) => ({ ...one, parts: [...one.parts] }),
    joined: (one, place) =>
      one.parts.length === 0 ? one : { ...one, parts: [{ ...place, values: listsOf(one) }] },
    json: ({ columns, parts }) => ({
      columns,
      parts: inOrder(parts).map(({ values, ...place }) => ({
        ...place,
        values: values.map((list) => Array.from<number | bigint | string, unknown>(list, cellJson)),
      })),
    }),
    from(given, wrong, source) {
      const columns = listOf(given.columns, ({ name, type }) => rowColumn(name, type));
      if (!columns) return wrong(`a ${kind} has no columns`);
      if (fixed && JSON.stringify(columns) !== JSON.stringify(fixed))
        return wrong(`a ${kind} has other columns than ${fixed.map(({ name }) => name).join(', ')}`);
      const parts = listOf(given.parts, (part) => partFrom(columns, part, wrong, source ?? part));
      return { kind, columns, parts: parts ?? wrong(`rows of a ${kind} are missing`) };
    },
  };
}

/** Returns the values of each column, by its name, in the order of files, trees and entries. */
export function rowsOf(one: RowsResult): Record<string, TableValues> {
  const lists = listsOf(one);
  return Object.fromEntries(one.columns.map(({ name }, i) => [name, lists[i] ?? []]));
}

function listsOf({ columns, parts }: RowsResult): TableValues[] {
  const sorted = inOrder(parts);
  return columns.map(({ type }, i) => {
    const lists = sorted.map(({ values }) => values[i] ?? []);
    if (type === 'text') return (lists as string[][]).flat();
    // Arrays of whole numbers are joined in the same way.
    const all = new (ARRAYS[type] as typeof Float64Array)(lists.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const list of lists as Float64Array[]) {
      all.set(list, at);
      at += list.length;
    }
    return all;
  });
}

function inOrder(parts: readonly RowPart[]): RowPart[] {
  return [...parts].sort((a, b) => {
    const [x, y] = [JSON.stringify([a.file, a.tree]), JSON.stringify([b.file, b.tree])];
    return x < y ? -1 : x > y ? 1 : a.from - b.from;
  });
}

function cellJson(value: number | bigint | string): unknown {
  return typeof value === 'number' ? numberOrText(value) : String(value);
}

function partFrom(
  columns: readonly RowColumn[],
  { from, values }: Json,
  wrong: Wrong,
  { file, tree }: { file?: unknown; tree?: unknown },
): RowPart | undefined {
  const lists = itemsOf(values);
  if (typeof file !== 'string' || typeof tree !== 'string' || lists?.length !== columns.length)
    return undefined;
  const checked = columns.map(({ type }, i) => valuesFrom(type, lists[i], wrong));
  if (checked.some(({ length }) => length !== checked[0]?.length)) return undefined;
  return { file, tree, from: countFrom(from, wrong), values: checked };
}

/** Reads an array of a worker, or a list of JSON, which has whole numbers as texts. */
function valuesFrom(type: TableColumnType, value: unknown, wrong: Wrong): TableValues {
  if (type !== 'text' && value instanceof ARRAYS[type]) return value;
  const list = itemsOf(value) ?? wrong('values of rows are missing');
  if (type === 'number')
    return Float64Array.from(list, (one) => numberFrom(one) ?? wrong('a number is missing'));
  const texts = list.map((one) => (typeof one === 'string' ? one : wrong('a value of a row is missing')));
  if (type === 'text') return texts;
  return (ARRAYS[type] as typeof BigInt64Array).from(texts, (one) => {
    const whole = /^-?\d{1,20}$/.test(one) ? BigInt(one) : undefined;
    return whole !== undefined && isWithin(type, whole) ? whole : wrong('a whole number is missing');
  });
}

/** Whether a column of whole numbers of this type can hold a number. */
function isWithin(type: 'whole' | 'unsigned', whole: bigint): boolean {
  return (type === 'whole' ? BigInt.asIntN : BigInt.asUintN)(64, whole) === whole;
}
