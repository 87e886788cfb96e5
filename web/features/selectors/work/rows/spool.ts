import type { Column } from '../../../../core/columns';
import { textsOf } from '../../../exports/work/text-columns';
import type { RowColumn, SpooledRows, TableColumnType, TableValues } from './types';

/** Writes rows to a temporary file. Throws IO. */
export interface RowSpool {
  write(bytes: Uint8Array, rows: number): SpooledRows;
}

let open: ((folder: string) => RowSpool) | undefined;

/** Sets how this thread writes rows to a folder. Without it they stay in memory. */
export function spoolRowsBy(opener: (folder: string) => RowSpool): void {
  open = opener;
}

/** Returns what writes rows to a folder; undefined if this thread cannot, or no folder is given. */
export function spoolOf(folder: string | undefined): RowSpool | undefined {
  return folder === undefined ? undefined : open?.(folder);
}

const DTYPES = { number: 'f64', whole: 'i64', unsigned: 'u64' } as const;

/** Returns the values of a column in the form in which they are written. */
export function columnOfValues(type: TableColumnType, values: TableValues): Column {
  const { length } = values;
  if (type === 'text') return { kind: 'string', length, ...textsOf(values as string[]) };
  return { kind: 'primitive', length, dtype: DTYPES[type], data: values as Float64Array };
}

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** Returns rows as bytes: column by column, texts with their offsets, each piece a multiple of 8 bytes. */
export function bytesOfRows(columns: readonly RowColumn[], values: readonly TableValues[]): Uint8Array {
  const pieces = columns.flatMap(({ type }, i): Uint8Array[] => {
    const column = columnOfValues(type, values[i] ?? []);
    if (column.kind === 'string') return [viewOf(column.offsets), column.bytes];
    return column.kind === 'primitive' ? [viewOf(column.data)] : [];
  });
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + padded(length), 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += padded(piece.length);
  }
  return all;
}

function viewOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Returns the columns of rows that `bytesOfRows` wrote. Those of numbers are views. Undefined if the bytes are not such rows.
 * `bytes` begins at the start of its buffer.
 */
export function columnsOfBytes(
  columns: readonly RowColumn[],
  { buffer, length: total }: Uint8Array,
  rows: number,
): Column[] | undefined {
  let at = 0;
  const take = (bytes: number): number | undefined => {
    const from = at;
    at += padded(bytes);
    return at <= total ? from : undefined;
  };
  const found = columns.flatMap(({ type }): Column[] => {
    if (type !== 'text') {
      const from = take(8 * rows);
      const data = from === undefined ? undefined : arrayOf(type, buffer, from, rows);
      return data ? [{ kind: 'primitive', length: rows, dtype: DTYPES[type], data }] : [];
    }
    const from = take(4 * (rows + 1));
    if (from === undefined) return [];
    const offsets = new Int32Array(buffer, from, rows + 1);
    const size = offsets[rows] ?? 0;
    const start = take(size);
    const isSound = offsets[0] === 0 && offsets.every((one, i) => i === 0 || one >= (offsets[i - 1] ?? 0));
    if (start === undefined || !isSound) return [];
    return [{ kind: 'string', length: rows, offsets, bytes: new Uint8Array(buffer, start, size) }];
  });
  return found.length === columns.length && at === total ? found : undefined;
}

function arrayOf(type: 'number' | 'whole' | 'unsigned', buffer: ArrayBufferLike, from: number, rows: number) {
  if (type === 'number') return new Float64Array(buffer as ArrayBuffer, from, rows);
  return type === 'whole'
    ? new BigInt64Array(buffer as ArrayBuffer, from, rows)
    : new BigUint64Array(buffer as ArrayBuffer, from, rows);
}
