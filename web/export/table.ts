import { XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import type { BranchInfo } from '../file/api';

/** A run of rows of a table that is written. */
export interface TablePart {
  rows: number;
  columns: Column[];
}

/** What is written: the names of the columns, how many rows there will be, and the rows in order. */
export interface Table {
  names: string[];
  rows: number;
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
    const name = seen.has(path) ? `${path}#${index}` : path;
    seen.add(name);
    return name;
  });
}

/** A column that a format has no form for. */
export function notForFormat(format: string, name: string, what: string, fix: string): XylemError {
  return new XylemError({
    code: 'UNSUPPORTED',
    message: `${format} has no form for ${name}: it holds ${what}.`,
    where: { path: name },
    fix,
  });
}

/** What a column holds, in a few words. */
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
