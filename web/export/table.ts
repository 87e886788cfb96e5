import type { BranchInfo } from '../api/api';
import { unsupported } from '../base/data-errors';
import type { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import type { Documented } from '../model/documentation';

/** Consecutive rows of a table to be written. */
export interface TablePart {
  rows: number;
  columns: Column[];
}

/** A table to be written: names of the columns, number of rows, and the rows in order. */
export interface Table {
  names: string[];
  /** The documentation and the unit of the branch of each column. */
  about?: readonly Documented[] | undefined;
  rows: number;
  /** Texts by name that are stored in Arrow and Parquet files as metadata. */
  metadata?: ReadonlyMap<string, string> | undefined;
  /**
   * Returns the rows in parts, for all columns or for the one with index `only`. Can be called several times. There is
   * at least one part, even without rows.
   */
  parts(only?: number): AsyncIterable<TablePart>;
}

/** Returns the names of branches. A name that occurs again gets the index of the branch. */
export function columnNames(branches: readonly BranchInfo[]): string[] {
  const seen = new Set<string>();
  return branches.map(({ path, index }) => {
    let name = path;
    for (let mark = `#${index}`; seen.has(name); mark = `#${mark}`) name = path + mark;
    seen.add(name);
    return name;
  });
}

/** Returns the documentation of columns of branches; undefined stands for an expression that is not only a branch. */
export const aboutOf = (branches: readonly (BranchInfo | undefined)[]): Documented[] =>
  branches.map(({ documentation, unit } = {} as BranchInfo) => ({
    ...(documentation !== undefined && { documentation }),
    ...(unit !== undefined && { unit }),
  }));

/** Returns the UNSUPPORTED error for a column that a format cannot represent. */
export function notForFormat(format: string, name: string, what: string, fix: string): XylemError {
  return unsupported(`${format} has no form for ${name}: it holds ${what}.`, fix, { path: name });
}

/** Returns a short description of the content of a column. */
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
