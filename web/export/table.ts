import type { BranchInfo } from '../api/api';
import { unsupported } from '../base/data-errors';
import type { XylemError } from '../base/errors';
import type { Column } from '../core/columns';

/** Consecutive rows of a table that is written. */
export interface TablePart {
  rows: number;
  columns: Column[];
}

/** The table to write: the names of the columns, the number of rows, and the rows in order. */
export interface Table {
  names: string[];
  rows: number;
  /** Texts by name that Arrow and Parquet files keep beside the columns. */
  metadata?: ReadonlyMap<string, string> | undefined;
  /**
   * The parts from the first row on; of all columns, or of the one with this index. May be asked for
   * several times. There is at least one part, without rows where there are none.
   */
  parts(only?: number): AsyncIterable<TablePart>;
}

/** The names of branches; one that occurs again is told apart by its index. */
export function columnNames(branches: readonly BranchInfo[]): string[] {
  const seen = new Set<string>();
  return branches.map(({ path, index }) => {
    let name = path;
    for (let mark = `#${index}`; seen.has(name); mark = `#${mark}`) name = path + mark;
    seen.add(name);
    return name;
  });
}

/** Makes the error for a column that a format cannot hold. */
export function notForFormat(format: string, name: string, what: string, fix: string): XylemError {
  return unsupported(`${format} has no form for ${name}: it holds ${what}.`, fix, { path: name });
}

/** A short description of a column's content. */
export function describeColumn(column: Column): string {
  switch (column.kind) {
    case 'primitive':
      return 'numbers';
    case 'fixed':
      return `arrays of ${column.size}`;
    case 'list':
      return 'lists of varying length';
    case 'string':
      return 'texts';
    case 'struct':
      return column.typeName || 'structures';
    case 'optional':
      return 'values that may be missing';
    case 'variant':
      return 'values of several types';
    case 'tape':
      return 'objects of varying shape';
  }
}
