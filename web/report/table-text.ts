import type { Column, Table } from './report';
import { cellText, isNumeric } from './rows';

/*
 * Tables of reports as text for other programs. Values of files may be hostile: marks of a format are escaped, and a text
 * never ends a row.
 */

/** Formats of tables as text. */
export const TABLE_FORMATS = ['markdown', 'latex', 'csv'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

// biome-ignore lint/suspicious/noExplicitAny: each table has its own type of rows
type AnyTable = Table<any>;

/** Returns tables in a format, one after the other. */
export const tablesText = (tables: readonly AnyTable[], format: TableFormat): string =>
  tables.map((table) => WRITERS[format](table)).join('\n');

const WRITERS: Record<TableFormat, (table: AnyTable) => string> = {
  markdown,
  latex,
  csv,
};

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

function markdown({ title, columns, rows }: AnyTable): string {
  const cell = (text: string): string => oneLine(text).replace(/[\\|`*_<>[\]~]/g, '\\$&');
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    ...(title === undefined ? [] : [`**${cell(title)}**`, '']),
    row(columns.map((one) => cell(one.title))),
    row(columns.map(({ unit }) => (isNumeric(unit) ? '---:' : '---'))),
    ...rows.map((one) => row(columns.map((column) => cell(cellText(column, one))))),
    '',
  ].join('\n');
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '$<$',
  '>': '$>$',
  '|': '$|$',
  '±': '$\\pm$',
  '–': '--',
  '"': '\\textquotedbl{}',
};

/** A table for the package booktabs. */
function latex({ title, columns, rows }: AnyTable): string {
  const cell = (text: string): string =>
    oneLine(text).replace(/[\\~^<>|±–"#$%&_{}]/g, (mark) => LATEX[mark] ?? `\\${mark}`);
  const row = (cells: readonly string[]): string => `  ${cells.join(' & ')} \\\\`;
  return [
    ...(title === undefined ? [] : [`% ${oneLine(title)}`]),
    `\\begin{tabular}{${columns.map(({ unit }) => (isNumeric(unit) ? 'r' : 'l')).join('')}}`,
    '  \\toprule',
    row(columns.map((one) => cell(one.title))),
    '  \\midrule',
    ...rows.map((one) => row(columns.map((column) => cell(cellText(column, one))))),
    '  \\bottomrule',
    '\\end{tabular}',
    '',
  ].join('\n');
}

/** Values as numbers where they are; a text that a spreadsheet would take as a formula is quoted with an apostrophe. */
function csv({ columns, rows }: AnyTable): string {
  const text = (value: string): string => {
    const safe = /^[=+\-@\t]/.test(value) ? `'${value}` : value;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const cell = (column: Column<unknown>, row: unknown): string => {
    const value = column.value(row);
    return typeof value === 'number' ? String(value) : text(value ?? '');
  };
  return [
    columns.map((one) => text(one.title)).join(','),
    ...rows.map((row) => columns.map((one) => cell(one, row)).join(',')),
    '',
  ].join('\n');
}
