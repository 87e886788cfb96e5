import type {
  CallOptions,
  EntrySelection,
  FileId,
  Table as Page,
  ScanRequest,
  TableValue,
  TreeExpressions,
  TreeInfo,
} from '../api/api';
import type { EngineApi } from '../api/engine-api';
import { entriesUnread, unsupported } from '../base/data-errors';
import { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { sizeOf, toArray } from '../core/dtypes';
import { chooseEntries, countOf, sliceSelection } from '../model/entry-choice';
import { parseColumns } from '../query/compile/draw-spec';
import { namedBranch } from '../query/compile/named-branch';
import { aboutOf, type Table, type TablePart } from './table';

/** Memory of the values that are requested at once, in bytes. */
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Whether a format can represent missing values of a friend: `own` for all types, `not-of-texts` for all except texts
 * (there, null would be read as an empty text), `none` for no type.
 */
export type FormOfNulls = 'own' | 'not-of-texts' | 'none';

/** Reads expressions with a cut over a tree as a table, page by page. */
export async function expressionTable(
  reader: EngineApi,
  file: FileId,
  tree: TreeInfo,
  request: Omit<ScanRequest, 'limit'> & { countRows: boolean; nulls: FormOfNulls },
  options: CallOptions,
): Promise<Table> {
  const { countRows, nulls, ...asked } = request;
  let { entries, cut } = asked;
  if (cut?.trim() === '') cut = undefined;
  if (cut !== undefined && countRows) {
    // The format begins with the number of rows, so the cut is evaluated first, alone.
    entries = await passingEntries(reader, file, asked, options);
    cut = undefined;
  }
  const choice = chooseEntries(entries, tree.entries);
  const whole: EntrySelection = entries ?? [0, tree.entries];
  const none = sliceSelection(whole, 0, 0);
  const first = await pageOf(reader, file, { ...asked, cut, entries: none }, 0, 0, options);
  const names = uniqueNames(first.columns.map(({ title }) => title));
  async function* parts(only?: number): AsyncGenerator<TablePart> {
    let types: Page['columns'] | undefined;
    let some = false;
    for (let next: number | undefined = choice.from; next !== undefined; ) {
      const rest: EntrySelection = sliceSelection(whole, next, tree.entries);
      const page: Page = await pageOf(
        reader,
        file,
        { ...asked, cut, entries: rest },
        Number.POSITIVE_INFINITY,
        next,
        options,
      );
      if (page.partial) throw entriesUnread(page.partial.errors[0]);
      types ??= page.columns;
      if (page.columns.some(({ dtype }, i) => dtype !== types?.[i]?.dtype)) throw changedType(page, types);
      const known = types;
      const columns = page.columns.map((column, i) => {
        const values = page.values[i] ?? [];
        const hasForm =
          nulls === 'own' || (nulls === 'not-of-texts' && (column.list || column.kind !== 'string'));
        // The first page determines which columns may contain null. A later file of a chain may differ.
        const mayLack = hasForm && known[i]?.lacking !== undefined;
        const at = mayLack ? -1 : values.indexOf(null);
        if (at >= 0) throw lackingFriend(column, page.entries[at] ?? 0);
        return mayLack ? optionalOf(column, values) : columnOf(column, values as Values);
      });
      if (page.entries.length > 0 || (page.next === undefined && !some)) {
        some = true;
        yield {
          rows: page.entries.length,
          columns: only === undefined ? columns : columns.slice(only, only + 1),
        };
      }
      next = page.next;
    }
  }
  return {
    names,
    about: aboutOf(parseColumns(request.columns).map((source) => namedBranch(source, tree))),
    rows: cut === undefined ? countOf(choice.spans(choice.from, choice.to)) : Number.NaN,
    parts,
  };
}

/** Returns the entries that pass a cut. Throws if some cannot be read, because the output would be incomplete. */
export async function passingEntries(
  reader: EngineApi,
  file: FileId,
  request: TreeExpressions,
  options: CallOptions,
): Promise<Float64Array> {
  const { tree, cut, entries, friends, rootVersion, seed } = request;
  const asked = { tree, expr: '>>rows', cut, entries, friends, rootVersion, seed };
  const passing = await reader.draw(file, asked, options);
  if (passing.kind !== 'entries') {
    throw new XylemError({ code: 'INTERNAL', message: 'The cut returned no entries.' });
  }
  if (passing.partial) throw entriesUnread(passing.partial.errors[0]);
  return passing.numbers;
}

async function pageOf(
  reader: EngineApi,
  file: FileId,
  request: ScanRequest,
  limit: number,
  from: number,
  { signal, onProgress }: CallOptions,
): Promise<Page> {
  return reader.scan(
    file,
    { ...request, limit, maxBytes: PAGE_BYTES },
    {
      signal,
      onProgress:
        onProgress &&
        ((progress) =>
          onProgress({ ...progress, label: 'Writing', entriesDone: from + progress.entriesDone })),
    },
  );
}

/** Returns the names of columns. A name that occurs again gets a number. */
function uniqueNames(titles: string[]): string[] {
  const seen = new Map<string, number>();
  return titles.map((title) => {
    const count = seen.get(title) ?? 0;
    seen.set(title, count + 1);
    return count === 0 ? title : `${title}#${count}`;
  });
}

type PageColumn = Page['columns'][number];
type Values = (TableValue | TableValue[])[];

/** Returns a column in which some rows are null. */
function optionalOf(column: PageColumn, values: (TableValue | TableValue[] | null)[]): Column {
  const none = column.list ? [] : column.kind === 'string' ? '' : Number.NaN;
  const validity = Uint8Array.from(values, (value) => Number(value !== null));
  const filled = values.map((value) => value ?? none);
  const child = columnOf({ ...column, missing: false }, filled);
  return { kind: 'optional', length: values.length, validity, child };
}

function columnOf(column: PageColumn, values: Values): Column {
  if (!column.list) return flatColumn(column, values as TableValue[]);
  const offsets = new Int32Array(values.length + 1);
  const flat: TableValue[] = [];
  values.forEach((list, row) => {
    for (const value of list as TableValue[]) flat.push(value);
    offsets[row + 1] = flat.length;
  });
  return {
    kind: 'list',
    length: values.length,
    offsets,
    child: flatColumn({ ...column, missing: false }, flat),
  };
}

function flatColumn({ kind, dtype, missing }: PageColumn, values: TableValue[]): Column {
  const { length } = values;
  if (kind === 'string') return textColumn(values as string[]);
  const whole = dtype === 'i64' || dtype === 'u64';
  const data = toArray(dtype, new ArrayBuffer(length * sizeOf(dtype)));
  const validity = new Uint8Array(length);
  for (let row = 0; row < length; row++) {
    const value = values[row] ?? Number.NaN;
    if (!whole) data[row] = Number(value);
    else if (typeof value === 'bigint') data[row] = value;
    else continue;
    validity[row] = 1;
  }
  const child: Column = { kind: 'primitive', length, dtype, data };
  return whole && missing ? { kind: 'optional', length, validity, child } : child;
}

function textColumn(values: string[]): Column {
  const encoder = new TextEncoder();
  const rows = values.map((text) => encoder.encode(text));
  const offsets = new Int32Array(rows.length + 1);
  rows.forEach((bytes, row) => {
    offsets[row + 1] = (offsets[row] ?? 0) + bytes.length;
  });
  const bytes = new Uint8Array(offsets[rows.length] ?? 0);
  rows.forEach((row, i) => {
    bytes.set(row, offsets[i] ?? 0);
  });
  return { kind: 'string', length: rows.length, offsets, bytes };
}

function lackingFriend({ title, lacking }: PageColumn, entry: number): XylemError {
  return unsupported(
    `${title} has no value for entry ${entry}, because ${lacking}, and this format has no form for that.`,
    'Choose entries that the friend has (--entries), or write Parquet, Arrow or JSON Lines.',
    { path: title },
  );
}

function changedType(page: Page, types: Page['columns']): XylemError {
  const which = page.columns.find(({ dtype }, i) => dtype !== types[i]?.dtype);
  return unsupported(
    `${which?.title} is of another type than in the files before.`,
    'Add 0. to it: sums are doubles.',
  );
}
