import type { SideFile } from '../../../../measure/partial-kind';
import type { Place } from '../kinds/kind';

/** Type of the values of a column of a table: doubles, signed 64-bit integers, unsigned 64-bit integers, or texts. */
export type TableColumnType = 'number' | 'whole' | 'unsigned' | 'text';

export type TableValues = Float64Array | BigInt64Array | BigUint64Array | string[];

export interface RowColumn {
  name: string;
  type: TableColumnType;
}

/** Rows in a temporary file of this run: see spool.ts. */
export interface SpooledRows {
  kind: 'spool';
  path: string;
  /** The place of the first byte, and the number of bytes. */
  at: number;
  bytes: number;
  rows: number;
}

/** Rows that are the only tree of a ROOT file beside a partial result. */
export interface SideRows extends SideFile {
  kind: 'side';
  rows: number;
}

/** Consecutive rows: in memory, column by column, or in a file. */
export type RowBlock = TableValues[] | SpooledRows | SideRows;

/** Rows of a part of the entries of a file, in their order. */
export interface RowPart extends Place {
  blocks: RowBlock[];
}

/** Returns the number of rows of a block. */
export function rowsIn(block: RowBlock): number {
  return Array.isArray(block) ? (block[0]?.length ?? 0) : block.rows;
}

/** Array type of a column. Texts are a list. */
export const ARRAYS = {
  number: Float64Array,
  whole: BigInt64Array,
  unsigned: BigUint64Array,
  text: Array,
} as const satisfies Record<TableColumnType, unknown>;
