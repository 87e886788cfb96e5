import { isPartialNote } from '../../api/partial-notes';
import { formatCount } from '../../base/format';
import { printable } from '../../base/text';
import { type Lines, placeText, type Report, type Table, type Unit } from '../../report/report';
import { barsOf, cellText, isNumeric, sortedRows, valueText } from '../../report/rows';
import { termOf } from '../../report/terms';
import { right, tableLines } from './table';

/** Columns of a table that has bars, at most. */
const MAX_BAR_COLUMNS = 6;
/** Characters of the longest bar. */
const BAR = 24;

/**
 * Returns a report as lines of text. Its notes are left out, because they go to stderr. `width` is that of the
 * terminal, see `tableLines`.
 */
export function reportLines(report: Report, width?: number | undefined, isPart = false): string[] {
  const { title, verdict, text = [], facts = [], tables = [], parts = [], commands = [], place } = report;
  const { terms = [] } = report;
  const termWidth = Math.max(0, ...terms.map(({ length }) => length));
  const known = facts.map(({ label, value, unit }) => [label, valueText(value, unit)] as const);
  const shown = known.filter(([, value]) => value !== '');
  const widest = Math.max(0, ...shown.map(([label]) => label.length));
  const seen = place && placeText(place);
  const indented = (line: string): string => (isPart && line !== '' ? `  ${line}` : line);
  return [
    printable([verdict?.grade, title, verdict?.text].filter((one) => one !== undefined).join('  ')),
    ...text.map((one) => `  ${printable(one)}`),
    ...shown.map(([label, value]) => `  ${label.padEnd(widest)}  ${printable(value)}`),
    ...(seen === undefined ? [] : [`  Seen best in ${seen}.`]),
    ...terms.map((term) => `  ${term.padEnd(termWidth)}  ${termOf(term)}`),
    ...tables
      .filter(({ folded }) => folded !== true)
      .flatMap((table) => [...(isPart ? [] : ['']), ...linesOfTable(table, width).map(indented)]),
    ...parts.flatMap((part) => ['', ...reportLines(part, width, true)]),
    ...commands.flatMap((one) => ['', ...linesOfCommands(one)]),
  ];
}

/** Returns the notes of a report and of its parts. */
export const notesOf = ({ notes = [], parts = [] }: Report): string[] => [
  ...notes,
  ...parts.flatMap(notesOf),
];

/** Returns the notes of a report and of its parts as lines for stderr. */
export const noteLines = (report: Report): string[] =>
  notesOf(report).map((note) => (isPartialNote(note) ? note : `note: ${note}`));

function linesOfTable<Row>(table: Table<Row>, width: number | undefined): string[] {
  const { title, columns, hint, limit = 0, rest = '--json has all' } = table;
  const rows = sortedRows(table);
  const first = limit > 0 ? rows.slice(0, limit) : rows;
  // A wide table has no room for bars.
  const barred = columns.length > MAX_BAR_COLUMNS ? [] : columns.filter(({ bar }) => bar);
  const bars = barred.map((one) => barsOf(one, rows));
  const cells = first.map((row) => [
    ...columns.map((one) => graded(cellText(one, row), one.unit)),
    ...bars.map((barOf) => '█'.repeat(Math.round(BAR * barOf(row)))),
  ]);
  const titles = columns.map(({ title, unit, whole, rest }) =>
    isNumeric(unit) ? right(title) : whole ? { whole: title } : rest ? { rest: title } : title,
  );
  const more = rows.length - first.length;
  const hints = first.flatMap((row) => {
    const said = hint?.(row);
    return said === undefined ? [] : ['', printable(`${valueText(columns[0]?.value(row))}: ${said}`)];
  });
  return [
    ...(title === undefined ? [] : [title]),
    ...tableLines([...titles, ...bars.map(() => '')], cells, width),
    ...(more > 0 ? [`… and ${formatCount(more)} more; ${rest}.`] : []),
    ...hints,
  ];
}

/** A bad grade stands out without colours. */
const graded = (text: string, unit: Unit): string => (unit === 'grade' && text === 'bad' ? 'BAD' : text);

function linesOfCommands({ title, lines, file, note, how }: Lines): string[] {
  const said = note === undefined ? [] : [note];
  if (how !== undefined) return [[`${title}:`, ...said, how].join(' ')];
  const about = [...(file === undefined ? [] : [`Save as ${file}.`]), ...said];
  return [[`${title}:`, ...about].join(' '), ...lines.map((line) => `  ${line}`)];
}
