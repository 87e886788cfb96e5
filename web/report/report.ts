import { formatBytes, formatCount } from '../base/format';

/*
 * A report is data, made of a verb's result beside the face that shows it: the terminal, the page and a saved HTML page
 * show the same report. Results cross threads and are what --json prints; reports have functions, and stay where they
 * are made.
 */

/** How a value is written. `grade` is a word that has a colour. */
export type Unit = 'text' | 'grade' | 'bytes' | 'count' | 'ratio' | 'percent' | 'ms' | 'number';

export type Value = number | string | undefined;

/** A place to which a row or a finding leads: bytes of the file, or a branch by its index. */
export interface Place {
  offset?: number | undefined;
  length?: number | undefined;
  branch?: number | undefined;
  /** Paths of branches that the map colours. */
  branches?: readonly string[] | undefined;
}

export interface Column<Row> {
  /** Names the column in options and links: --sort=stored. */
  id: string;
  title: string;
  unit: Unit;
  /** Undefined if a row has no such value. */
  value(row: Row): Value;
  /** Whether a bar shows the value, relative to the largest one. */
  bar?: boolean;
  place?(row: Row): Place | undefined;
  /** Whether a terminal never shortens the values, as paths that are looked for. */
  whole?: boolean;
  /** How a value is written. Default: as its unit says. */
  text?(row: Row): string;
}

export interface Table<Row> {
  id: string;
  title?: string | undefined;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Id of the column that orders the rows. Default: the order as given. */
  by?: string | undefined;
  /** A sentence on a row, which is shown with it. */
  hint?(row: Row): string | undefined;
  /** Number of rows that a terminal shows; undefined is all. */
  limit?: number | undefined;
  /** How a terminal shows the others. Default: --json has all. */
  rest?: string;
  /** Whether a page folds the table, and a terminal leaves it out. */
  folded?: boolean;
}

export interface Fact {
  label: string;
  value: Value;
  /** Default: text. */
  unit?: Unit;
}

/** Lines that a user runs or saves, to repair something or to see more. */
export interface Lines {
  title: string;
  lines: readonly string[];
  /** Name of the file to save the lines as. */
  file?: string | undefined;
  note?: string | undefined;
}

/** A grade in a word, and the sentence that gives the reason. */
export interface Verdict {
  grade: string;
  text?: string | undefined;
}

export interface Report {
  title: string;
  verdict?: Verdict | undefined;
  /** Paragraphs. */
  text?: readonly string[];
  facts?: readonly Fact[];
  /** The bytes of the file in which it is seen best. */
  place?: Place | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: rows of each table have a type of their own
  tables?: readonly Table<any>[];
  /** Reports within this one: one for each finding, or for each file. */
  parts?: readonly Report[];
  commands?: readonly Lines[];
  /** Remarks on how the report was made, for example on what was not read. */
  notes?: readonly string[];
}

/** Returns a report with further remarks, after its own. */
export const withNotes = (report: Report, notes: readonly string[]): Report =>
  notes.length === 0 ? report : { ...report, notes: [...(report.notes ?? []), ...notes] };

/** Says where a place is in the file; undefined for a place without bytes. */
export const placeText = ({ offset, length = 0 }: Place): string | undefined =>
  offset === undefined ? undefined : `${formatBytes(length)} at byte ${formatCount(offset)}`;

/** A column of these values. */
export const column = <Row>(
  id: string,
  title: string,
  unit: Unit,
  value: (row: Row) => Value,
  more: Pick<Column<Row>, 'bar' | 'place' | 'text' | 'whole'> = {},
): Column<Row> => ({ id, title, unit, value, ...more });
