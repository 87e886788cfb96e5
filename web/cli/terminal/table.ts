import { printable } from '../../base/text';

/** The title of a column, whose cells stand at the left, or at the right as numbers do, or are never cut. */
export type TableColumn = string | { right: string } | { whole: string };

export const right = (title: string): TableColumn => ({ right: title });

/** Longest cell that is shown whole; the last column is never cut either. */
const WIDEST = 60;

/** Rows under their titles, each column as wide as its widest cell. Control characters are shown as dots. */
export function tableLines(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string[] {
  const isWhole = columns.map(
    (column, i) => i === columns.length - 1 || Object.hasOwn(Object(column), 'whole'),
  );
  const clean = rows.map((row) =>
    row.map((cell, i) => (isWhole[i] ? printable(cell) : cut(printable(cell)))),
  );
  const titles = columns.map((column) =>
    typeof column === 'string' ? column : 'right' in column ? column.right : column.whole,
  );
  const isRight = columns.map((column) => typeof column === 'object' && 'right' in column);
  const widths = titles.map((title, i) =>
    clean.reduce((most, row) => Math.max(most, width(row[i] ?? '')), width(title)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => {
        const space = ' '.repeat(Math.max(0, (widths[i] ?? 0) - width(cell)));
        return isRight[i] ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return [line(titles), ...clean.map(line)];
}

function width(text: string): number {
  return [...text].length;
}

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= WIDEST) return text;
  return `${characters.slice(0, WIDEST - 1).join('')}…`;
}
