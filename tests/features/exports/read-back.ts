import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { type Data, DataType, StructRow, tableFromIPC, Vector } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import type { FileId } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import type { Column } from '../../../web/core/columns';
import { columnNames } from '../../../web/export/table';
import { chooseBranches } from '../../../web/model/choose';
import { encodeHere } from '../../../web/pass/encode-task';
import type { Canonical } from '../../engine/fixtures';

const MAX_BYTES = 1_000_000;

const encoder = new WebAssembly.Module(
  readFileSync(join(import.meta.dirname, '../../../build/xylem-export.wasm')),
);
const run = encodeHere();
/** As a reader encodes columns, in this thread. */
export const encode: EngineApi['encode'] = (task) => run({ ...task, encoder });

/** The part of a fixture's tree that is exported. */
export interface Chosen {
  indices: number[];
  names: string[];
  columns: Column[];
  entries: [number, number];
  /** So that the tree comes in several parts. */
  chunkBytes: number;
}

/** The branches that have values; undefined where the tree itself cannot be read yet. */
export async function readable(
  reader: EngineApi,
  id: FileId,
  path: string,
  entries: number,
): Promise<Chosen | undefined> {
  const info = await reader.tree(id, path).catch(() => undefined);
  if (info === undefined) return undefined;
  const all = chooseBranches(info, undefined).filter((branch) => branch.entries === entries);
  // Those of large trees would take long here.
  const share = Math.min(1, MAX_BYTES / info.totalBytes);
  const range: [number, number] = [0, Math.ceil(entries * share) || 0];
  const request = { tree: path, branches: all.map(({ index }) => index), entries: range };
  const results = await reader.arrays(id, request);
  const good = results.flatMap(({ branch, column }) => (column ? [{ branch, column }] : []));
  return {
    indices: good.map(({ branch }) => branch.index),
    names: columnNames(good.map(({ branch }) => branch)),
    columns: good.map(({ column }) => column),
    entries: range,
    chunkBytes: Math.max(500, Math.min(MAX_BYTES, info.totalBytes) / 5),
  };
}

export function inParquet(column: Column): boolean {
  if (column.kind === 'variant') return false;
  if (column.kind === 'struct') return column.children.length > 0 && column.children.every(inParquet);
  return 'child' in column ? inParquet(column.child) : true;
}

export function isFlat(column: Column): boolean {
  return column.kind === 'fixed' ? isFlat(column.child) : column.kind === 'primitive';
}

export function inNumpy(column: Column): boolean {
  return isFlat(column) || (column.kind === 'list' && isFlat(column.child));
}

/** A table as a reader of its format gives it: plain values by column. */
export type PlainTable = Record<string, unknown[]>;

export async function concat(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return new Uint8Array(Buffer.concat(parts));
}

export function readArrow(bytes: Uint8Array): PlainTable {
  const table = tableFromIPC(bytes);
  return Object.fromEntries(
    table.schema.fields.map(({ name }, i) => {
      const column = table.getChildAt(i);
      return [name, column ? plainVector(column) : []];
    }),
  );
}

function plainVector(vector: Vector): unknown[] {
  return vector.data.flatMap((data) => plainData(data));
}

/** A union's values lie in its children; the rest Arrow's own vectors give. */
function plainData(data: Data): unknown[] {
  if (DataType.isUnion(data.type)) {
    const children = data.children.map((child) => plainData(child));
    return Array.from({ length: data.length }, (_, row) => {
      const child = children[data.typeIds[row] ?? 0];
      return child?.[data.valueOffsets[row] ?? 0] ?? null;
    });
  }
  const vector = new Vector([data]);
  return Array.from({ length: vector.length }, (_, row) => plainValue(vector.get(row)));
}

function plainValue(value: unknown): unknown {
  if (value instanceof Vector) return plainVector(value);
  if (value instanceof StructRow) {
    return Object.fromEntries([...value].map(([name, member]) => [name, plainValue(member)]));
  }
  return value;
}

export async function readParquet(bytes: Uint8Array): Promise<PlainTable> {
  const file = bytes.slice().buffer;
  const rows = await parquetReadObjects({ file });
  const table: PlainTable = {};
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      table[name] ??= [];
      table[name].push(value);
    }
  }
  return table;
}

/** Lines of quoted cells (RFC 4180); a cell without anything, not even quotes, is null. */
export function parseCsv(text: string, separator: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  for (let at = 0; at < text.length; ) {
    let cell: string | null;
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1);
      while (text[end + 1] === '"') end = text.indexOf('"', end + 2);
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      const ends = [text.indexOf(separator, at), text.indexOf('\n', at)].filter((end) => end >= 0);
      const end = Math.min(...ends, text.length);
      cell = end === at ? null : text.slice(at, end);
      at = end;
    }
    row.push(cell);
    if (text[at++] === separator) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Members of a ZIP archive, found by the directory at its end. */
export function unzip(archive: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = archive.length - 22;
  if (view.getUint32(end, true) !== 0x06054b50) throw new Error('no end of directory');
  const end64 = Number(view.getBigUint64(end - 20 + 8, true));
  const count = Number(view.getBigUint64(end64 + 32, true));
  let at = Number(view.getBigUint64(end64 + 48, true));
  const members = new Map<string, Uint8Array>();
  for (let i = 0; i < count; i++) {
    const [nameLength, extraLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
    const name = Buffer.from(archive.subarray(at + 46, at + 46 + nameLength)).toString('utf8');
    const extra = at + 46 + nameLength;
    const size = Number(view.getBigUint64(extra + 4, true));
    const offset = Number(view.getBigUint64(extra + 20, true));
    const data = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    const bytes = archive.subarray(data, data + size);
    members.set(name, view.getUint16(at + 10, true) === 0 ? bytes : inflateRawSync(bytes));
    at = extra + extraLength;
  }
  return members;
}

/** The header and the bytes of an NPY file. */
export function readNpy(bytes: Uint8Array): { descr: string; shape: number[]; data: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint16(8, true);
  const header = Buffer.from(bytes.subarray(10, 10 + length)).toString('latin1');
  const match = /^\{'descr': (.*), 'fortran_order': False, 'shape': \((.*)\), \} *\n$/.exec(header);
  if (!match || (10 + length) % 64 !== 0) throw new Error(`not a header of NPY: ${header}`);
  const shape = (match[2] ?? '').split(',').filter((part) => part.trim() !== '');
  return { descr: match[1] ?? '', shape: shape.map(Number), data: bytes.subarray(10 + length) };
}

/** Converts a value from a reader to the canonical form of the golden files. */
export function canonicalValue(value: unknown, column: Column): Canonical {
  if (value === null || value === undefined) return null;
  switch (column.kind) {
    case 'primitive':
      return canonicalNumber(value);
    case 'string':
      return String(value);
    case 'tape':
      return JSON.parse(String(value)) as Canonical;
    case 'fixed':
    case 'list':
      return Array.from(value as ArrayLike<unknown>, (item) => canonicalValue(item, column.child));
    case 'optional':
      return canonicalValue(value, column.child);
    case 'variant':
      return column.children.length === 0 ? null : canonicalAny(value);
    case 'struct':
      return canonicalStruct(value as Record<string, unknown>, column);
  }
}

function canonicalNumber(value: unknown): Canonical {
  if (typeof value === 'bigint') {
    const text = String(value);
    return /^-?\d{16,}$/.test(text) ? `integer ${text}` : Number(value);
  }
  if (typeof value !== 'number') return value as boolean;
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

function canonicalAny(value: unknown): Canonical {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return Array.from(value as ArrayLike<unknown>, canonicalAny);
  }
  return typeof value === 'string' ? value : canonicalNumber(value);
}

function canonicalStruct(value: Record<string, unknown>, column: Column & { kind: 'struct' }): Canonical {
  const { names, children, typeName } = column;
  const hidden = names.includes('fUniqueID') && names.includes('fBits') ? ['fUniqueID', 'fBits'] : [];
  const members = names.flatMap((name, i) => {
    const child = children[i];
    return child && !hidden.includes(name) ? [[name, canonicalValue(value[name], child)] as const] : [];
  });
  const text = typeName === 'TObjString' ? members.find(([name]) => name === 'fString') : undefined;
  if (text) return text[1];
  const key = names.join();
  const tuple = /^(std::)?(pair|tuple)</.test(typeName) || key === 'first,second' || key === 'key,value';
  return tuple ? members.map(([, member]) => member) : Object.fromEntries(members);
}
