import { printable } from '../../base/printable';

export interface TableColumn {
  title: string;
  /** Numbers stand at the right. */
  align?: 'left' | 'right';
}

/** Longest cell that is shown whole; the last column is never cut. */
const WIDEST = 60;

/** Rows under their titles, each column as wide as its widest cell. Control characters are shown as dots. */
export function tableLines(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string[] {
  const last = columns.length - 1;
  const clean = rows.map((row) =>
    row.map((cell, i) => (i === last ? printable(cell) : cut(printable(cell)))),
  );
  const widths = columns.map((column, i) =>
    clean.reduce((most, row) => Math.max(most, width(row[i] ?? '')), width(column.title)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => {
        const space = ' '.repeat(Math.max(0, (widths[i] ?? 0) - width(cell)));
        return columns[i]?.align === 'right' ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...clean.map(line)];
}

function width(text: string): number {
  return [...text].length;
}

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= WIDEST) return text;
  return `${characters.slice(0, WIDEST - 1).join('')}…`;
}
