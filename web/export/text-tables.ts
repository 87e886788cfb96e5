import { printableJson } from '../base/printable';
import type { Column } from '../core/columns';
import { decodeText } from '../core/tape';
import { type RowWriter, rowWriter } from './canonical';
import type { Table } from './table';

const encoder = new TextEncoder();
/** Characters that are gathered before they are encoded. */
const PIECE = 256 * 1024;

/** Gathers text and gives it as bytes, a piece at a time. */
class TextPieces {
  /** Grown by `+=`, which costs half of what an array of parts that are joined does. */
  #text = '';
  readonly #json: boolean;

  /** Whether it is JSON: then control characters that it may have are escaped. */
  constructor(json = false) {
    this.#json = json;
  }

  readonly put = (text: string): void => {
    this.#text += text;
  };

  get full(): boolean {
    return this.#text.length >= PIECE;
  }

  take(): Uint8Array {
    const bytes = encoder.encode(this.#json ? printableJson(this.#text) : this.#text);
    this.#text = '';
    return bytes;
  }
}

/**
 * Comma- or tab-separated values with a line of names. Texts are quoted where they must be (RFC
 * 4180); lists and objects are one cell of JSON; NaN and the infinities are nan, inf and -inf.
 */
export async function* separatedValues(table: Table, separator: ',' | '\t'): AsyncGenerator<Uint8Array> {
  const text = new TextPieces();
  text.put(`${table.names.map((name) => quoted(name, separator)).join(separator)}\n`);
  for await (const { rows, columns } of table.parts()) {
    const cells = columns.map((column) => cellWriter(column, separator));
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < cells.length; i++) {
        if (i > 0) text.put(separator);
        cells[i]?.(row, text.put);
      }
      text.put('\n');
      if (text.full) yield text.take();
    }
  }
  yield text.take();
}

/**
 * JSON Lines: one object for each entry, in the canonical form of `xylem values --json` (integers
 * exact, "nan", "inf" and "-inf" as strings).
 */
export async function* jsonLines(table: Table): AsyncGenerator<Uint8Array> {
  const text = new TextPieces(true);
  const labels = table.names.map((name, i) => `${i > 0 ? ',' : '{'}${JSON.stringify(name)}:`);
  for await (const { rows, columns } of table.parts()) {
    const writers = columns.map((column) => rowWriter(column));
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < writers.length; i++) {
        text.put(labels[i] ?? '');
        writers[i]?.(row, text.put);
      }
      text.put(writers.length > 0 ? '}\n' : '{}\n');
      if (text.full) yield text.take();
    }
  }
  yield text.take();
}

function cellWriter(column: Column, separator: string): RowWriter {
  if (column.kind === 'primitive') {
    const { data, dtype } = column;
    if (dtype === 'bool') return (row, put) => put(data[row] ? 'true' : 'false');
    return (row, put) => put(numberCell(data[row] ?? 0));
  }
  if (column.kind === 'string') {
    const { offsets, bytes } = column;
    return (row, put) =>
      put(quoted(decodeText(bytes.subarray(offsets[row] ?? 0, offsets[row + 1] ?? 0)), separator));
  }
  if (column.kind === 'optional') {
    const child = cellWriter(column.child, separator);
    const { validity } = column;
    return (row, put) => {
      if (validity[row] !== 0) child(row, put);
    };
  }
  const write = rowWriter(column);
  return (row, put) => {
    let json = '';
    write(row, (piece) => {
      json += piece;
    });
    put(quoted(json, separator));
  };
}

function numberCell(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

function quoted(text: string, separator: string): string {
  if (!text.includes(separator) && !/["\r\n]/.test(text) && text !== '') return text;
  return `"${text.replaceAll('"', '""')}"`;
}
