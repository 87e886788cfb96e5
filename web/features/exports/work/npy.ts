import { XylemError } from '../../../base/errors';
import type { Column, DType, PrimitiveArray } from '../../../core/columns';
import { NUMPY_DTYPES } from '../../../export/numpy-dtype';
import { describeColumn, notForFormat, type Table } from '../../../export/table';
import { type ZipMember, zip } from './zip';

/** Numbers of one type, `shape` of them in each row. */
interface Flat {
  dtype: DType;
  shape: number[];
}

/**
 * NPY, version 1.0 (numpy.lib.format): one column as an array of entries (and, of fixed arrays, their
 * dimensions), several as an array of records. Throws UNSUPPORTED for columns of other shapes.
 */
export async function* npy(table: Table): AsyncGenerator<Uint8Array> {
  let begun = false;
  for await (const { rows, columns } of table.parts()) {
    const flats = columns.map((column, i) => flatOf(column, table.names[i] ?? ''));
    const [only] = flats;
    if (!begun) {
      begun = true;
      if (flats.length === 1 && only)
        yield npyHeader(quote(NUMPY_DTYPES[only.dtype]), [table.rows, ...only.shape]);
      else yield npyHeader(recordType(table.names, flats), [table.rows]);
    }
    const data = columns.map(numbersOf);
    if (data.length === 1 && data[0]) yield bytesOf(data[0]);
    else yield interleave(data.map(bytesOf), rows);
  }
}

/**
 * NPZ: a ZIP archive (stored, with 64-bit sizes) of one NPY for each column. Lists of numbers become
 * two arrays, NAME_offsets (entries + 1, where each entry's numbers begin) and NAME_content. A name
 * that occurs again is numbered (NAME_2), and one with separators of paths has dots in their place.
 */
export function npz(table: Table): AsyncGenerator<Uint8Array> {
  return zip(npzMembers(table));
}

async function* npzMembers(table: Table): AsyncGenerator<ZipMember> {
  const members = new MemberNames();
  for (const [i, column] of table.names.entries()) {
    const kind = await firstKind(table, i);
    const name = members.give(column, kind === 'list' ? ['_offsets', '_content'] : ['']);
    if (kind === 'list') {
      const total = await contentLength(table, i);
      yield { name: `${name}_offsets.npy`, data: offsetsArray(table, i) };
      yield { name: `${name}_content.npy`, data: contentArray(table, i, total) };
    } else {
      const only: Table = { names: [column], rows: table.rows, parts: () => table.parts(i) };
      yield { name: `${name}.npy`, data: npy(only) };
    }
  }
}

/** Gives each array a file name of its own, which lies in no other folder wherever it is unpacked. */
class MemberNames {
  readonly #taken = new Set<string>();

  give(column: string, endings: readonly string[]): string {
    const base = fileName(column);
    let name = base;
    const isTaken = (ending: string): boolean => this.#taken.has(name + ending);
    for (let i = 2; endings.some(isTaken); i++) name = `${base}_${i}`;
    for (const ending of endings) this.#taken.add(name + ending);
    return name;
  }
}

/** At most 200 characters; numpy would take "x.npy" for the file of an array x. */
function fileName(column: string): string {
  const name = column
    .slice(0, 200)
    .replace(/[/\\]/g, '.')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no system has them in names
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '_')
    .replace(/^\.+/, '_')
    .replace(/\.npy$/, '_npy');
  return name === '' ? '_' : name;
}

async function firstKind(table: Table, column: number): Promise<Column['kind'] | undefined> {
  for await (const { columns } of table.parts(column)) return columns[0]?.kind;
  return undefined;
}

type ListColumn = Column & { kind: 'list' };

async function* lists(table: Table, index: number): AsyncGenerator<ListColumn> {
  for await (const { columns } of table.parts(index)) {
    const [column] = columns;
    if (column?.kind !== 'list') throw new XylemError({ code: 'INTERNAL', message: 'A list was expected.' });
    yield column;
  }
}

async function contentLength(table: Table, index: number): Promise<number> {
  let total = 0;
  for await (const { length, offsets } of lists(table, index)) total += offsets[length] ?? 0;
  return total;
}

async function* offsetsArray(table: Table, index: number): AsyncGenerator<Uint8Array> {
  yield npyHeader(quote('<i8'), [table.rows + 1]);
  yield bytesOf(new BigInt64Array(1));
  let base = 0n;
  for await (const { length, offsets } of lists(table, index)) {
    const wide = new BigInt64Array(length);
    for (let row = 0; row < length; row++) wide[row] = base + BigInt(offsets[row + 1] ?? 0);
    base += BigInt(offsets[length] ?? 0);
    yield bytesOf(wide);
  }
}

async function* contentArray(table: Table, index: number, total: number): AsyncGenerator<Uint8Array> {
  let begun = false;
  for await (const { child } of lists(table, index)) {
    const { dtype, shape } = flatOf(child, table.names[index] ?? '', 'NPZ');
    if (!begun) yield npyHeader(quote(NUMPY_DTYPES[dtype]), [total, ...shape]);
    begun = true;
    yield bytesOf(numbersOf(child));
  }
}

/** A column as it is in an array; in NPZ only the kind of what its lists hold is asked. */
function flatOf(column: Column, name: string, format: 'NPY' | 'NPZ' = 'NPY'): Flat {
  const shape: number[] = [];
  let inner = column;
  for (; inner.kind === 'fixed'; inner = inner.child) shape.push(inner.size);
  if (inner.kind === 'primitive') return { dtype: inner.dtype, shape };
  throw notForFormat(
    format,
    name,
    format === 'NPZ' ? `lists of ${describeColumn(inner)}` : describeColumn(inner),
    format === 'NPY' && inner.kind === 'list' && inner.child.kind === 'primitive' && shape.length === 0
      ? 'Write NPZ, which has offsets and content of lists, or Arrow or Parquet.'
      : 'Write Arrow, Parquet or JSON Lines, or leave it out.',
  );
}

function numbersOf(column: Column): PrimitiveArray {
  let count = column.length;
  let inner = column;
  for (; inner.kind === 'fixed'; inner = inner.child) count *= inner.size;
  if (inner.kind !== 'primitive')
    throw new XylemError({ code: 'INTERNAL', message: 'Numbers were expected.' });
  return inner.data.length === count ? inner.data : inner.data.subarray(0, count);
}

function bytesOf(data: PrimitiveArray): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Rows of records, without gaps: the bytes of the first column's row, then those of the next one's. */
function interleave(columns: Uint8Array[], rows: number): Uint8Array {
  const widths = columns.map((bytes) => (rows === 0 ? 0 : bytes.length / rows));
  const stride = widths.reduce((sum, width) => sum + width, 0);
  const records = new Uint8Array(stride * rows);
  let start = 0;
  for (const [i, bytes] of columns.entries()) {
    const width = widths[i] ?? 0;
    for (let row = 0; row < rows; row++) {
      for (let k = 0; k < width; k++) records[start + row * stride + k] = bytes[row * width + k] ?? 0;
    }
    start += width;
  }
  return records;
}

function recordType(names: string[], flats: Flat[]): string {
  const fields = flats.map(({ dtype, shape }, i) => {
    const dimensions = shape.length > 0 ? `, ${tuple(shape)}` : '';
    return `(${quote(names[i] ?? '')}, ${quote(NUMPY_DTYPES[dtype])}${dimensions})`;
  });
  return `[${fields.join(', ')}]`;
}

/** A text as a literal of Python. */
function quote(text: string): string {
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/[^\x20-\x7e]/gu, (c) => {
    return `\\U${(c.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
  });
  return `'${escaped}'`;
}

function tuple(numbers: number[]): string {
  return `(${numbers.join(', ')}${numbers.length === 1 ? ',' : ''})`;
}

/** The magic, the version and a dictionary, padded so that the numbers begin at a multiple of 64. */
function npyHeader(descr: string, shape: number[]): Uint8Array {
  const text = `{'descr': ${descr}, 'fortran_order': False, 'shape': ${tuple(shape)}, }`;
  // Version 1.0 counts the header's bytes in 16 bits, 2.0 in 32.
  const long = text.length + 128 > 0xffff;
  const fixed = long ? 12 : 10;
  const size = Math.ceil((fixed + text.length + 1) / 64) * 64;
  const header = new Uint8Array(size).fill(0x20);
  header.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, long ? 2 : 1, 0]);
  const view = new DataView(header.buffer);
  if (long) view.setUint32(8, size - fixed, true);
  else view.setUint16(8, size - fixed, true);
  header.set(new TextEncoder().encode(text), fixed);
  header[size - 1] = 0x0a;
  return header;
}
