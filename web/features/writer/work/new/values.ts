import { XylemError } from '../../../../base/errors';
import type { Column, DType, PrimitiveArray } from '../../../../core/columns';
import { DTYPES, dtypeOf, makeArray } from '../../../../core/dtypes';
import type { ColumnValues } from '../../../../library/write';

/** The type of values. `size` is the length of arrays of fixed size, and undefined for lists. */
export type ValueType =
  | { kind: 'value'; element: DType | 'string' }
  | { kind: 'list'; size: number | undefined; of: ValueType }
  | { kind: 'struct'; members: [name: string, type: ValueType][] };

/**
 * Makes a column from values. Their type is the given one, or that of earlier values of the column, or else their
 * own. Throws ARGUMENT if they do not have the type.
 */
export function columnOf(
  name: string,
  values: ColumnValues,
  given: string | undefined,
  known: ValueType | undefined,
): Column {
  const type = given === undefined ? undefined : parseType(name, given);
  if (isArray(values)) {
    if (type && !sameType(type, values)) return build(name, Array.from<unknown>(values), type);
    return { kind: 'primitive', length: values.length, dtype: dtypeIn(given, values), data: values };
  }
  if (Array.isArray(values)) return build(name, values, type ?? known);
  const column = Object(values) as { column?: Column; kind?: string };
  if (column.column) return column.column;
  if (typeof column.kind === 'string') return values as Column;
  throw refused(name, 'its values are neither an array nor a column');
}

/** Returns the type of the values of a column; undefined if some may be missing or have another type. */
export function typeOf(column: Column): ValueType | undefined {
  switch (column.kind) {
    case 'primitive':
      return { kind: 'value', element: column.dtype };
    case 'string':
      return { kind: 'value', element: 'string' };
    case 'list':
    case 'fixed': {
      const of = typeOf(column.child);
      return of && { kind: 'list', size: column.kind === 'fixed' ? column.size : undefined, of };
    }
    case 'struct': {
      const types = column.children.map(typeOf);
      const members = types.map((type, i) => type && ([column.names[i] ?? '', type] as [string, ValueType]));
      return members.every((member) => member !== undefined) ? { kind: 'struct', members } : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns the type of a typed array. Bytes are booleans if the wanted type says so. */
function dtypeIn(type: string | undefined, values: PrimitiveArray): DType {
  return type === 'bool' ? 'bool' : plainDtype(values);
}

function sameType(type: ValueType, values: PrimitiveArray): boolean {
  if (type.kind !== 'value') return false;
  const { element } = type;
  return element === plainDtype(values) || (element === 'bool' && values.every((v) => v === 0 || v === 1));
}

/** Returns the type of a typed array. A Uint8Array has numbers. */
function plainDtype(values: PrimitiveArray): DType {
  return values instanceof Uint8Array ? 'u8' : dtypeOf(values);
}

function parseType(name: string, text: string): ValueType {
  const [, element = '', sizes = ''] = /^([a-z0-9]+)((?:\[\d{0,9}\])*)$/.exec(text) ?? [];
  if (element !== 'string' && !DTYPES.includes(element as DType))
    throw refused(name, `there is no type "${text}"`);
  return [...sizes.matchAll(/\[(\d*)\]/g)].reduceRight<ValueType>(
    (of, [, size]) => ({ kind: 'list', size: size ? Number(size) : undefined, of }),
    { kind: 'value', element: element as DType | 'string' },
  );
}

function build(name: string, rows: readonly unknown[], type: ValueType | undefined): Column {
  const [first] = rows;
  const isList = type ? type.kind === 'list' : isArray(first) || Array.isArray(first);
  if (isList) return listOf(name, rows, type?.kind === 'list' ? type : undefined);
  if (type ? type.kind === 'struct' : typeof first === 'object' && first !== null)
    return structOf(name, rows, type?.kind === 'struct' ? type.members : undefined);
  const element = type?.kind === 'value' ? type.element : elementOf(name, first);
  if (element === 'string') return stringsOf(name, rows);
  return numbersOf(name, rows, element);
}

function elementOf(name: string, value: unknown): DType | 'string' {
  switch (typeof value) {
    case 'number':
      return 'f64';
    case 'bigint':
      return 'i64';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    case 'undefined':
      throw refused(name, 'it has no values yet that show its type', "Give the type: types: { x: 'f32[]' }.");
    default:
      throw refused(name, `a ${value === null ? 'missing value' : typeof value} has no type`);
  }
}

function listOf(
  name: string,
  rows: readonly unknown[],
  type: (ValueType & { kind: 'list' }) | undefined,
): Column {
  const { length } = rows;
  const size = type?.size;
  const offsets = new Int32Array(length + 1);
  for (const [i, row] of rows.entries()) {
    if (!isArray(row) && !Array.isArray(row)) throw refused(name, `entry ${i} is not a list, as others are`);
    if (size !== undefined && row.length !== size)
      throw refused(name, `entry ${i} has ${row.length} values and not ${size}`);
    offsets[i + 1] = (offsets[i] ?? 0) + row.length;
  }
  const lists = rows as readonly (PrimitiveArray | unknown[])[];
  const child = childOf(name, lists, offsets[length] ?? 0, type?.of);
  if (size !== undefined) return { kind: 'fixed', length, size, child };
  return { kind: 'list', length, offsets, child };
}

/** Returns the elements of lists, one list after another. Typed arrays of one type are copied as they are. */
function childOf(
  name: string,
  lists: readonly (PrimitiveArray | unknown[])[],
  length: number,
  type: ValueType | undefined,
): Column {
  const [first] = lists;
  const dtype = first && isArray(first) ? plainDtype(first) : undefined;
  const wanted = type === undefined || (type.kind === 'value' && type.element === dtype);
  if (dtype && wanted && lists.every((list) => isArray(list) && plainDtype(list) === dtype)) {
    const data = makeArray(dtype, length);
    let at = 0;
    for (const list of lists) {
      data.set(list as never, at);
      at += list.length;
    }
    return { kind: 'primitive', length, dtype, data };
  }
  const values: unknown[] = [];
  for (const list of lists) for (const value of list) values.push(value);
  return build(name, values, type);
}

function structOf(
  name: string,
  rows: readonly unknown[],
  members: [name: string, type: ValueType][] | undefined,
): Column {
  const types = new Map(members);
  const names = members ? [...types.keys()] : Object.keys(rows[0] as object);
  if (names.length === 0) throw refused(name, 'its objects have no members');
  for (const [i, row] of rows.entries()) {
    const keys = typeof row === 'object' && row !== null ? Object.keys(row) : [];
    if (keys.length !== names.length || !names.every((key) => Object.hasOwn(row as object, key)))
      throw refused(name, `entry ${i} does not have the members ${names.join(', ')} of the first`);
  }
  const children = names.map((key) =>
    build(
      `${name}.${key}`,
      rows.map((row) => (row as Record<string, unknown>)[key]),
      types.get(key),
    ),
  );
  return { kind: 'struct', length: rows.length, typeName: '', names, children };
}

function stringsOf(name: string, rows: readonly unknown[]): Column {
  const utf8 = new TextEncoder();
  const texts = rows.map((text, i) => {
    if (typeof text !== 'string') throw refused(name, `${shown(text)} in entry ${i} is not a text`);
    return utf8.encode(text);
  });
  const offsets = new Int32Array(rows.length + 1);
  for (const [i, { length }] of texts.entries()) offsets[i + 1] = (offsets[i] ?? 0) + length;
  const bytes = new Uint8Array(offsets[rows.length] ?? 0);
  for (const [i, text] of texts.entries()) bytes.set(text, offsets[i]);
  return { kind: 'string', length: rows.length, offsets, bytes };
}

function numbersOf(name: string, rows: readonly unknown[], dtype: DType): Column {
  const data = makeArray(dtype, rows.length);
  const isWide = data instanceof BigInt64Array || data instanceof BigUint64Array;
  for (const [i, value] of rows.entries()) {
    if (!fits(value, dtype)) throw refused(name, `${shown(value)} in entry ${i} is not of type ${dtype}`);
    data[i] = isWide ? BigInt(value as number) : Number(value);
    const isExact = dtype.startsWith('f') || BigInt(data[i] ?? 0) === BigInt(value as number);
    if (!isExact) throw refused(name, `${shown(value)} in entry ${i} does not fit ${dtype}`);
  }
  return { kind: 'primitive', length: rows.length, dtype, data };
}

function fits(value: unknown, dtype: DType): boolean {
  if (dtype === 'bool') return typeof value === 'boolean' || value === 0 || value === 1;
  if (dtype.startsWith('f')) return typeof value === 'number';
  return typeof value === 'bigint' || Number.isInteger(value);
}

function isArray(values: unknown): values is PrimitiveArray {
  return ArrayBuffer.isView(values) && !(values instanceof DataView);
}

const shown = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}n` : String(JSON.stringify(value));

function refused(name: string, why: string, fix?: string): XylemError {
  return new XylemError({
    code: 'ARGUMENT',
    message: `Column "${name}" cannot be written: ${why}.`,
    where: { path: name },
    ...(fix && { fix }),
  });
}
