import { printable } from '../../base/text';

/**
 * The title of a column, whose cells stand at the left, or at the right as numbers do, or are never cut. The cells of a
 * last column `rest` are cut to the width of the terminal.
 */
export type TableColumn = string | { right: string } | { whole: string } | { rest: string };

export const right = (title: string): TableColumn => ({ right: title });

/** Longest cell that is shown whole; the last column is never cut either. */
const WIDEST = 60;
/** Minimum width of a column `rest`; with less it is left out. */
const MIN_REST = 12;

/**
 * Rows under their titles, each column as wide as its widest cell. Control characters are shown as dots. `most` is the
 * number of characters of a line of the terminal; undefined if the lines do not go to one.
 */
export function tableLines(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  most = Number.POSITIVE_INFINITY,
): string[] {
  const last = columns.at(-1);
  if (typeof last === 'object' && 'rest' in last && Number.isFinite(most)) {
    const others = plainLines(
      columns.slice(0, -1),
      rows.map((row) => row.slice(0, -1)),
    );
    const room = most - 2 - others.reduce((widest, line) => Math.max(widest, width(line)), 0);
    if (room < MIN_REST) return others;
    const cutRows = rows.map((row) => [...row.slice(0, -1), cut(printable(row.at(-1) ?? ''), room)]);
    return plainLines(columns, cutRows);
  }
  return plainLines(columns, rows);
}

function plainLines(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string[] {
  const isWhole = columns.map(
    (column, i) => i === columns.length - 1 || Object.hasOwn(Object(column), 'whole'),
  );
  const clean = rows.map((row) =>
    row.map((cell, i) => (isWhole[i] ? printable(cell) : cutWithin(printable(cell)))),
  );
  const titles = columns.map((column) =>
    typeof column === 'string' ? column : (Object.values(column)[0] ?? ''),
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

function cut(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  return `${characters.slice(0, most - 1).join('')}…`;
}

/** Cuts a long text in its middle, because names of a file begin alike and differ at their ends. */
function cutWithin(text: string): string {
  const characters = [...text];
  if (characters.length <= WIDEST) return text;
  const start = Math.floor(WIDEST / 3);
  return `${characters.slice(0, start).join('')}…${characters.slice(start + 1 - WIDEST).join('')}`;
}
