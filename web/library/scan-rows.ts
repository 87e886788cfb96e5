import type { EntrySelection, Table, TableValue } from '../api/api';
import { entriesUnread } from '../base/data-errors';
import { throwIfAborted } from '../base/errors';
import { SCAN } from './options';
import type { ScanOptions, ScanRow, TreePlace } from './tree-handle';

/** Memory of the rows that are read at once. The first are fewer, so that they come soon. */
const FIRST_BYTES = 64 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/** Rows of expressions, one after another; reads on when those before were taken. */
export async function* scanRows(
  { reader, file, tree, info, friends, check }: TreePlace,
  columns: string,
  options: ScanOptions = {},
): AsyncGenerator<ScanRow, void, undefined> {
  check('scan', options, SCAN);
  const { cut, entries, rootVersion, seed, limit = Number.POSITIVE_INFINITY, by, ...call } = options;
  const { sliceSelection } = await import('../model/entry-choice');
  const whole: EntrySelection = entries ?? [0, info.entries];
  const request = { tree, columns, cut, rootVersion, seed, by, ...(friends && { friends }) };
  let rest: EntrySelection = whole;
  let maxBytes = FIRST_BYTES;
  for (let left = limit; left > 0; ) {
    const page = await reader.scan(file, { ...request, entries: rest, limit: left, maxBytes }, call);
    if (page.partial) throw entriesUnread(page.partial.errors[0]);
    const rows = page.entries.length;
    const rowOf = rowMaker(page);
    for (let row = 0; row < rows; row++) {
      yield rowOf(row);
      throwIfAborted(call.signal);
    }
    left -= rows;
    if (page.next === undefined) return;
    maxBytes = Math.min(2 * maxBytes, MAX_BYTES);
    rest = sliceSelection(whole, page.next, info.entries);
  }
}

/** Returns a function that makes one row of a table. */
function rowMaker({ columns, values }: Table): (row: number) => ScanRow {
  const names = columns.map(({ title }) => title);
  const { length } = names;
  // An assignment to this name would set the prototype of the row.
  if (names.includes('__proto__'))
    return (row) => Object.fromEntries(names.map((name, i) => [name, values[i]?.[row] ?? null]));
  return (row) => {
    const made: Record<string, TableValue | TableValue[] | null> = {};
    for (let i = 0; i < length; i++) made[names[i] as string] = values[i]?.[row] ?? null;
    return made;
  };
}
