import type { Gathered } from '../../../../api/selector';
import { internal, overBudget } from '../../../../base/data-errors';
import { argumentError } from '../../../../base/errors';
import {
  countFrom,
  itemsOf,
  type Json,
  listOf,
  numberFrom,
  numberOrText,
  recordOf,
  type Wrong,
} from '../../../../measure/json';
import { RowCollector } from '../rows/collect';
import type { RowSpool } from '../rows/spool';
import {
  ARRAYS,
  type RowBlock,
  type RowColumn,
  type RowPart,
  rowsIn,
  type TableColumnType,
  type TableValues,
} from '../rows/types';
import { Made, type Place, type ResultKind } from './kind';

// Shared by the kinds that keep rows of values in the order of the entries.

/** Rows as plain data. Parts come in any order. */
export interface RowsResult<Kind extends string = string> extends Gathered {
  kind: Kind;
  columns: RowColumn[];
  parts: RowPart[];
}

const HELD: Readonly<Record<TableColumnType, string>> = {
  number: 'numbers',
  whole: 'whole numbers of 64 bits',
  unsigned: 'whole numbers from 0 to 2^64 - 1',
  text: 'texts',
};

/** Maximum number of rows in one part of the entries, if they stay in memory. */
const MAX_ROWS = 10_000_000;

/** Returns a column with this name and type; undefined if either is invalid. */
export function rowColumn(name: unknown, type: unknown): RowColumn | undefined {
  const isType = typeof type === 'string' && Object.hasOwn(ARRAYS, type);
  if (!isType || typeof name !== 'string' || name === '__proto__') return undefined;
  return { name, type: type as TableColumnType };
}

/** Rows in the thread that fills them. The class of a kind adds the method that selectors call, which calls `put`. */
export abstract class MadeRows<Kind extends string> extends Made<RowsResult<Kind>> {
  readonly #columns: readonly RowColumn[];
  readonly #rows: RowCollector;

  constructor(
    readonly kind: Kind,
    columns: readonly RowColumn[],
    readonly spool: RowSpool | undefined,
  ) {
    super();
    this.#columns = columns.map(({ name, type }) => ({ name, type }));
    this.#rows = new RowCollector(this.#columns, spool);
  }

  /** Adds a row, by the names of the columns. Throws ARGUMENT for a value of another type, BUDGET and IO; then it adds nothing. */
  protected put(values: Readonly<Record<string, unknown>>): void {
    this.checkOwn();
    if (!this.spool && this.#rows.rows >= MAX_ROWS) {
      throw overBudget(
        `A ${this.kind} has more than ${MAX_ROWS} rows in one part of the entries.`,
        'Choose fewer rows.',
      );
    }
    this.#rows.add(this.#columns.map((column) => this.#cell(column, values[column.name])));
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
    const blocks = this.#rows.take();
    return {
      kind: this.kind,
      columns: [...this.#columns],
      parts: blocks.length > 0 ? [{ ...place, blocks }] : [],
    };
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
      one.parts.length === 0 ? one : { ...one, parts: [{ ...place, blocks: blocksOf(one) }] },
    json: ({ columns, parts }) => ({
      columns,
      parts: inOrder(parts).map(({ blocks, ...place }) => ({ ...place, ...blocksJson(columns, blocks) })),
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

/** Returns the values of each column, by its name, in the order of files, trees and entries. All rows are in memory. */
export function rowsOf(one: RowsResult): Record<string, TableValues> {
  const lists = listsOf(one.columns, blocksOf(one));
  return Object.fromEntries(one.columns.map(({ name }, i) => [name, lists[i] ?? []]));
}

/** Returns the number of rows. */
export function countRows({ parts }: RowsResult): number {
  return parts.reduce((sum, { blocks }) => sum + blocks.reduce((rows, one) => rows + rowsIn(one), 0), 0);
}

/** Returns all rows in the order of files, trees and entries. */
export function blocksOf({ parts }: RowsResult): RowBlock[] {
  const sorted = inOrder(parts);
  const blocks: RowBlock[] = [];
  for (const part of sorted) for (const block of part.blocks) blocks.push(block);
  return blocks;
}

function inMemory(block: RowBlock): TableValues[] {
  if (Array.isArray(block)) return block;
  throw internal('Rows of a table are in a file, and were not read.');
}

function listsOf(columns: readonly RowColumn[], blocks: readonly RowBlock[]): TableValues[] {
  const all = blocks.map(inMemory);
  return columns.map(({ type }, i) => {
    const lists = all.map((values) => values[i] ?? []);
    if (type === 'text') return (lists as string[][]).flat();
    // Arrays of whole numbers are joined in the same way.
    const joined = new (ARRAYS[type] as typeof Float64Array)(
      lists.reduce((sum, { length }) => sum + length, 0),
    );
    let at = 0;
    for (const list of lists as Float64Array[]) {
      joined.set(list, at);
      at += list.length;
    }
    return joined;
  });
}

function inOrder(parts: readonly RowPart[]): RowPart[] {
  return [...parts].sort((a, b) => {
    const [x, y] = [JSON.stringify([a.file, a.tree]), JSON.stringify([b.file, b.tree])];
    return x < y ? -1 : x > y ? 1 : a.from - b.from;
  });
}

/** Rows in a file of their own are named, with its hash. */
function blocksJson(columns: readonly RowColumn[], blocks: readonly RowBlock[]): object {
  const [first] = blocks;
  if (blocks.length === 1 && first && !Array.isArray(first) && first.kind === 'side') {
    const { name, bytes, hash, rows } = first;
    return { side: { name, bytes, hash, rows } };
  }
  const values = listsOf(columns, blocks);
  return { values: values.map((list) => Array.from<number | bigint | string, unknown>(list, cellJson)) };
}

function cellJson(value: number | bigint | string): unknown {
  return typeof value === 'number' ? numberOrText(value) : String(value);
}

function partFrom(
  columns: readonly RowColumn[],
  { from, values, blocks, side }: Json,
  wrong: Wrong,
  { file, tree }: { file?: unknown; tree?: unknown },
): RowPart | undefined {
  if (side !== undefined) {
    if (typeof file !== 'string' || typeof tree !== 'string') return undefined;
    return { file, tree, from: countFrom(from, wrong), blocks: [sideFrom(recordOf(side) ?? {}, wrong)] };
  }
  // A worker has blocks, of which those in memory may come from foreign code.
  const all = blocks === undefined ? [values] : (itemsOf(blocks) ?? wrong('rows are missing'));
  const checked = all.map((one) => valuesOfBlock(columns, one, wrong));
  if (typeof file !== 'string' || typeof tree !== 'string') return undefined;
  const sound = checked.filter((one) => one !== undefined);
  if (sound.length < checked.length) return undefined;
  return { file, tree, from: countFrom(from, wrong), blocks: sound };
}

function sideFrom({ name, bytes, hash, rows }: Json, wrong: Wrong): RowBlock {
  if (typeof name !== 'string' || name === '' || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
    return wrong('a file with rows of a table is not named with its hash');
  return {
    ...{ kind: 'side', name, folder: '', hash },
    ...{ bytes: countFrom(bytes, wrong), rows: countFrom(rows, wrong) },
  };
}

function valuesOfBlock(
  columns: readonly RowColumn[],
  values: unknown,
  wrong: Wrong,
): TableValues[] | undefined {
  const lists = itemsOf(values);
  if (lists?.length !== columns.length) return undefined;
  const checked = columns.map(({ type }, i) => valuesFrom(type, lists[i], wrong));
  return checked.some(({ length }) => length !== checked[0]?.length) ? undefined : checked;
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
