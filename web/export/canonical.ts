import type { PlainValue } from '../api/api';
import { numberJson } from '../base/json';
import type { Column, PrimitiveArray } from '../core/columns';
import { decodeText, readTape } from '../core/tape';

/** Writes one row of a column as canonical JSON, piece by piece. */
export type RowWriter = (row: number, put: (text: string) => void) => void;

/**
 * Returns a writer of the rows of a column as canonical JSON: floats as the shortest text of their double, 64-bit
 * integers exactly, "nan", "inf" and "-inf" as strings, pairs as lists, objects without the two members of TObject. It
 * is created once per column, so that rows need no check of its kind.
 */
export function rowWriter(column: Column): RowWriter {
  switch (column.kind) {
    case 'primitive':
      return primitiveWriter(column);
    case 'fixed': {
      const child = rowWriter(column.child);
      const { size } = column;
      return (row, put) => writeList(row * size, (row + 1) * size, child, put);
    }
    case 'list': {
      const child = rowWriter(column.child);
      const { offsets } = column;
      return (row, put) => writeList(offsets[row] ?? 0, offsets[row + 1] ?? 0, child, put);
    }
    case 'string': {
      const { offsets, bytes } = column;
      return (row, put) =>
        put(JSON.stringify(decodeText(bytes.subarray(offsets[row] ?? 0, offsets[row + 1] ?? 0))));
    }
    case 'struct':
      return structWriter(column);
    case 'optional': {
      const child = rowWriter(column.child);
      const { validity } = column;
      return (row, put) => (validity[row] === 0 ? put('null') : child(row, put));
    }
    case 'variant': {
      const children = column.children.map((c) => rowWriter(c));
      const { tags, offsets } = column;
      return (row, put) => {
        const child = children[tags[row] ?? -1];
        if (child === undefined) put('null');
        else child(offsets[row] ?? 0, put);
      };
    }
    case 'tape': {
      const { offsets, bytes } = column;
      return (row, put) =>
        writePlain(readTape(bytes.subarray(offsets[row] ?? 0, offsets[row + 1] ?? 0)), put, true);
    }
  }
}

function primitiveWriter(column: Extract<Column, { kind: 'primitive' }>): RowWriter {
  const { data } = column;
  if (column.dtype === 'bool') return (row, put) => put(data[row] ? 'true' : 'false');
  if (column.dtype === 'f32' || column.dtype === 'f64') {
    return (row, put) => put(numberJson(Number(data[row])));
  }
  return (row, put) => put(String(data[row]));
}

function structWriter(column: StructColumn): RowWriter {
  const { members, labels } = structForm(column);
  const writers = members.map((member) => rowWriter(member));
  return (row, put) => {
    writers.forEach((write, i) => {
      put(labels[i] ?? '');
      write(row, put);
    });
    put(labels[writers.length] ?? '');
  };
}

type StructColumn = Column & { kind: 'struct' };

/** Returns the members of a structure that are written, and the texts before each of them and after the last. */
export function structForm({ typeName, names, children }: StructColumn): {
  members: Column[];
  labels: string[];
} {
  const hidden = hiddenMembers(names);
  const shown = names.flatMap((name, i) => (hidden.has(name) ? [] : [i]));
  const members = shown.map((i) => children[i] as Column);
  const text = typeName === 'TObjString' ? shown.findIndex((i) => names[i] === 'fString') : -1;
  if (text >= 0) return { members: members.slice(text, text + 1), labels: ['', ''] };
  const isList = isTuple(typeName, names);
  const before = shown.map((i) => (isList ? '' : `${JSON.stringify(names[i] ?? '')}:`));
  return { members, labels: labelsOf(before, isList ? '[' : '{', isList ? ']' : '}') };
}

/** Returns the texts before each member and after the last. */
export function labelsOf(before: readonly string[], begin: string, end: string, comma = ','): string[] {
  if (before.length === 0) return [begin + end];
  return [...before.map((label, i) => (i === 0 ? begin : comma) + label), end];
}

/** Returns the members of TObject among the names. They are omitted because they are not data. */
function hiddenMembers(names: readonly string[]): ReadonlySet<string> {
  const own = ['fUniqueID', 'fBits'];
  return new Set(own.every((name) => names.includes(name)) ? own : []);
}

function isTuple(typeName: string, names: readonly string[]): boolean {
  if (/^(std::)?(pair|tuple)</.test(typeName)) return true;
  return names.length === 2 && ((names[0] === 'first' && names[1] === 'second') || isMapEntry(names));
}

function isMapEntry(names: readonly string[]): boolean {
  return names[0] === 'key' && names[1] === 'value';
}

function writeList(from: number, to: number, child: RowWriter, put: (text: string) => void): void {
  put('[');
  for (let i = from; i < to; i++) {
    if (i > from) put(',');
    child(i, put);
  }
  put(']');
}

/** Writes plain data as canonical JSON. `asValue` omits `_typename` and the two members of TObject. */
export function writePlain(value: PlainValue, put: (text: string) => void, asValue = false): void {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') put(String(value));
  else if (typeof value === 'number') put(numberJson(value));
  else if (typeof value === 'string') put(JSON.stringify(value));
  else if (Array.isArray(value)) {
    put('[');
    value.forEach((item, i) => {
      if (i > 0) put(',');
      writePlain(item, put, asValue);
    });
    put(']');
  } else if (isTypedArray(value)) writeNumbers(value, put);
  else writeMembers(value, put, asValue);
}

function base64(bytes: Uint8Array): string {
  const CHUNK = 32768;
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

function isTypedArray(value: PlainValue): value is PrimitiveArray {
  return ArrayBuffer.isView(value);
}

function writeNumbers(value: PrimitiveArray, put: (text: string) => void): void {
  put('[');
  for (let i = 0; i < value.length; i++) {
    const item = value[i] ?? 0;
    put(`${i > 0 ? ',' : ''}${numberJson(item)}`);
  }
  put(']');
}

/**
 * Returns the value that an object represents: the items of a collection, the text of a string; undefined for other
 * objects.
 */
function meaning(members: { [member: string]: PlainValue }): PlainValue | undefined {
  const { _typename, arr, fString } = members;
  if (/^T(ClonesArray|ObjArray|List|HashList)$/.test(String(_typename)) && Array.isArray(arr)) return arr;
  if (_typename === 'TObjString' && typeof fString === 'string') return fString;
  return undefined;
}

/** Members that the reader adds to an object. */
const MARKS: ReadonlySet<string> = new Set(['_typename', '$id', '$target', '$process']);

function writeMembers(
  members: { [member: string]: PlainValue },
  put: (text: string) => void,
  asValue: boolean,
): void {
  const stands = asValue ? meaning(members) : undefined;
  if (stands !== undefined) {
    writePlain(stands, put, asValue);
    return;
  }
  const hidden = asValue ? hiddenMembers(Object.keys(members)) : new Set<string>();
  let comma = '';
  put('{');
  for (const [name, member] of Object.entries(members)) {
    if (asValue && (MARKS.has(name) || hidden.has(name))) continue;
    put(`${comma}${JSON.stringify(name)}:`);
    if (name === '$bytes' && member instanceof Uint8Array) put(JSON.stringify(base64(member)));
    else writePlain(member, put, asValue);
    comma = ',';
  }
  put('}');
}
