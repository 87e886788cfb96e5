import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { XylemError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import { ioError } from '../../../../base/io-error';
import type { Context } from '../../../../cli/context';
import type { Column } from '../../../../core/columns';
import { readChunks } from '../../../../export/chunks';
import { RowBuffer } from '../../../../export/row-buffer';
import type { TablePart } from '../../../../export/table';
import { onlyTree } from '../../../../verbs/trees';
import { columnOfValues, columnsOfBytes } from '../../work/rows/spool';
import {
  ARRAYS,
  type RowBlock,
  type RowColumn,
  type SideRows,
  type SpooledRows,
  type TableValues,
} from '../../work/rows/types';

/** A table: its columns, and its rows in order, in memory or in files. */
export interface TableRows {
  columns: readonly RowColumn[];
  blocks: readonly RowBlock[];
}

/** Returns a table of columns that are in memory. */
export function tableOfColumns(columns: Readonly<Record<string, TableValues>>): TableRows {
  const all = Object.entries(columns);
  return {
    columns: all.map(([name, values]) => ({ name, type: typeOf(values) })),
    blocks: [all.map(([, one]) => one)],
  };
}

function typeOf(values: TableValues): RowColumn['type'] {
  if (Array.isArray(values)) return 'text';
  if (values instanceof Float64Array) return 'number';
  return values instanceof BigInt64Array ? 'whole' : 'unsigned';
}

/** Bytes of a group of rows: enough for a row group of Parquet, and little memory. A text counts as 64 bytes. */
const GROUP_BYTES = 16 * 1024 * 1024;
const TEXT_BYTES = 64;
/** A group ends earlier if its texts have more bytes. */
const MAX_TEXT_BYTES = 4 * GROUP_BYTES;

/** Returns how many rows are read at once. It depends on the columns only, so that equal tables give equal files. */
export function groupRows(columns: readonly RowColumn[]): number {
  const width = columns.reduce((sum, { type }) => sum + (type === 'text' ? TEXT_BYTES : 8), 0);
  return 2 ** Math.max(8, Math.floor(Math.log2(GROUP_BYTES / Math.max(1, width))));
}

/** Reads the rows of a table in order, a group at a time. */
export class RowReader {
  readonly #columns: readonly RowColumn[];
  readonly #buffers: RowBuffer[];
  readonly #next: AsyncGenerator<Column[], void, undefined>;
  #textBytes = 0;
  #isDone = false;

  constructor({ columns, blocks }: TableRows, context: Pick<Context, 'open'>) {
    this.#columns = columns;
    this.#buffers = columns.map(() => new RowBuffer());
    this.#next = columnsOf(columns, blocks, context);
  }

  /** Returns the next rows, at most `rows`; undefined at the end. Throws IO, NOT_FOUND and FILE_CHANGED. */
  async take(rows: number): Promise<TablePart | undefined> {
    while (!this.#isDone && this.#rows() < rows && this.#textBytes < MAX_TEXT_BYTES) await this.#read();
    const count = Math.min(rows, this.#rows());
    if (count === 0) return undefined;
    const columns = this.#buffers.map((buffer) => buffer.take(count));
    this.#textBytes -= columns.reduce((sum, one) => sum + (one.kind === 'string' ? one.bytes.length : 0), 0);
    return { rows: count, columns };
  }

  /** Whether there are more rows. */
  async hasMore(): Promise<boolean> {
    while (!this.#isDone && this.#rows() === 0) await this.#read();
    return this.#rows() > 0;
  }

  async #read(): Promise<void> {
    const { value } = await this.#next.next();
    if (!value) this.#isDone = true;
    for (const [i, column] of (value ?? []).entries()) {
      this.#buffers[i]?.add([column]);
      if (column.kind === 'string') this.#textBytes += column.bytes.length;
    }
  }

  #rows(): number {
    return this.#buffers[0]?.rows ?? 0;
  }

  /** Returns the columns without rows. */
  empty(): Column[] {
    return this.#columns.map(({ type }) => columnOfValues(type, type === 'text' ? [] : new ARRAYS[type](0)));
  }

  /** Closes the files that are open. */
  async close(): Promise<void> {
    await this.#next.return();
  }
}

async function* columnsOf(
  columns: readonly RowColumn[],
  blocks: readonly RowBlock[],
  context: Pick<Context, 'open'>,
): AsyncGenerator<Column[], void, undefined> {
  const files = new Map<string, FileHandle>();
  try {
    for (const block of blocks) {
      if (Array.isArray(block))
        yield block.map((values, i) => columnOfValues(columns[i]?.type ?? 'number', values));
      else if (block.kind === 'spool') yield await spooledColumns(columns, block, files);
      else yield* sideColumns(columns, block, context);
    }
  } finally {
    for (const file of files.values()) await file.close();
  }
}

async function spooledColumns(
  columns: readonly RowColumn[],
  { path, at, bytes, rows }: SpooledRows,
  files: Map<string, FileHandle>,
): Promise<Column[]> {
  const content = new Uint8Array(bytes);
  try {
    const file = files.get(path) ?? (await openFile(path));
    files.set(path, file);
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await file.read(content, done, bytes - done, at + done);
      if (bytesRead === 0) throw new Error('it has an end too early');
      done += bytesRead;
    }
  } catch (thrown) {
    throw ioError(`"${path}", which has rows of a table, cannot be read`, thrown, path);
  }
  const found = columnsOfBytes(columns, content, rows);
  if (found) return found;
  throw new XylemError({
    code: 'IO',
    message: `"${path}", which has rows of a table, was changed while it was used.`,
    where: { path },
  });
}

/** Path of a file with rows beside a partial result. */
export const sidePath = ({ folder, name }: SideRows): string => resolve(folder, name);

async function* sideColumns(
  columns: readonly RowColumn[],
  side: SideRows,
  context: Pick<Context, 'open'>,
): AsyncGenerator<Column[], void, undefined> {
  const path = sidePath(side);
  await checkHash(side);
  const open = await context.open({ kind: 'path', path });
  try {
    const tree = await onlyTree(open);
    let rows = 0;
    for await (const chunk of readChunks(open.reader, open.info.id, {
      tree,
      branches: columns.map((_, i) => i),
    })) {
      const found = chunk.columns.map(({ column }) => column);
      const isSame = columns.every(({ type }, i) => kindOf(found[i]) === type);
      if (!isSame) throw otherFile(side, 'has other columns than the result says');
      rows += chunk.rows;
      yield found;
    }
    if (rows !== side.rows)
      throw otherFile(side, `has ${formatCount(rows)} rows, not ${formatCount(side.rows)}`);
  } finally {
    await open.close();
  }
}

function kindOf(column: Column | undefined): RowColumn['type'] | undefined {
  if (column?.kind === 'string') return 'text';
  if (column?.kind !== 'primitive') return undefined;
  return ({ f64: 'number', i64: 'whole', u64: 'unsigned' } as const)[column.dtype as 'f64'];
}

/** Throws NOT_FOUND, FILE_CHANGED and IO if a file beside a partial result is not the one that was written with it. */
async function checkHash(side: SideRows): Promise<void> {
  const path = sidePath(side);
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 1024 * 1024 }))
      hash.update(bytes as Buffer);
  } catch (thrown) {
    throw noFile(side, thrown);
  }
  if (hash.digest('hex') !== side.hash) throw otherFile(side, 'is not the file that was written with it');
}

export function noFile(side: SideRows, thrown: unknown): XylemError {
  const path = sidePath(side);
  if ((thrown as NodeJS.ErrnoException | null)?.code !== 'ENOENT')
    return ioError(`"${path}", which has rows of a partial result, cannot be read`, thrown, path);
  return new XylemError({
    code: 'NOT_FOUND',
    message: `"${path}", which has rows of a partial result, is missing.`,
    where: { path },
    fix: 'Keep the folder of tables beside the partial results, or make the result again.',
  });
}

export function otherFile(side: SideRows, how: string): XylemError {
  const path = sidePath(side);
  return new XylemError({
    code: 'FILE_CHANGED',
    message: `"${path}", which has rows of a partial result, ${how}.`,
    where: { path },
    fix: 'Make the partial result again.',
  });
}
