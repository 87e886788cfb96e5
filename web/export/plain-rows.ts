import type { Column } from '../core/columns';
import { decodeText } from '../core/tape';
import { rowWriter } from './canonical';

/**
 * Returns the rows of a column as plain JavaScript values: numbers, bigints, booleans, strings, arrays, objects, and
 * null for a missing value. Objects whose structure varies are strings of JSON.
 */
export function plainRows(column: Column): unknown[] {
  const value = rowReader(column);
  return Array.from({ length: column.length }, (_, row) => value(row));
}

/** Returns a function that reads one row of a column as a plain value: see `plainRows`. */
export function rowReader(column: Column): (row: number) => unknown {
  switch (column.kind) {
    case 'primitive': {
      const { data } = column;
      return column.dtype === 'bool' ? (row) => data[row] !== 0 : (row) => data[row];
    }
    case 'fixed': {
      const { size, child } = column;
      return listReader(child, (row) => [row * size, (row + 1) * size]);
    }
    case 'list': {
      const { offsets, child } = column;
      return listReader(child, (row) => [offsets[row] ?? 0, offsets[row + 1] ?? 0]);
    }
    case 'string': {
      const { offsets, bytes } = column;
      return (row) => decodeText(bytes.subarray(offsets[row] ?? 0, offsets[row + 1] ?? 0));
    }
    case 'struct': {
      const members = column.children.map((child, i) => [column.names[i] ?? '', rowReader(child)] as const);
      return (row) => Object.fromEntries(members.map(([name, read]) => [name, read(row)]));
    }
    case 'optional': {
      const read = rowReader(column.child);
      const { validity } = column;
      return (row) => (validity[row] === 0 ? null : read(row));
    }
    case 'variant': {
      const children = column.children.map(rowReader);
      const { tags, offsets } = column;
      return (row) => children[tags[row] ?? 255]?.(offsets[row] ?? 0) ?? null;
    }
    case 'tape': {
      const write = rowWriter(column);
      return (row) => {
        let text = '';
        write(row, (piece) => {
          text += piece;
        });
        return text;
      };
    }
  }
}

function listReader(child: Column, bounds: (row: number) => [number, number]): (row: number) => unknown[] {
  if (child.kind === 'primitive' && child.dtype !== 'bool') {
    const { data } = child;
    return (row) => Array.from(data.subarray(...bounds(row)) as ArrayLike<unknown>);
  }
  const read = rowReader(child);
  return (row) => {
    const [from, to] = bounds(row);
    return Array.from({ length: to - from }, (_, i) => read(from + i));
  };
}
