import { formatBytes, formatCount } from '../base/format';
import type { Term } from './terms';

/*
 * A report is data that is made from the result of a verb. The terminal, the page and a saved HTML page show the same
 * report. Results are sent between threads and printed by --json; reports contain functions, so they stay in the thread
 * that made them.
 */

/** How a value is formatted. `grade` is a word with a colour. */
export type Unit = 'text' | 'grade' | 'bytes' | 'count' | 'ratio' | 'percent' | 'ms' | 'number';

export type Value = number | string | undefined;

/** The place that a row or a finding refers to: bytes of the file, or a branch by its index. */
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
  /** Whether a bar shows the value relative to the largest one. */
  bar?: boolean;
  place?(row: Row): Place | undefined;
  /** Whether a terminal never shortens the values, for example paths that are searched for. */
  whole?: boolean;
  /** Whether a terminal gives the column the room that the others leave, and leaves it out if that is little. */
  rest?: boolean;
  /** Formats a value. Default: as its unit. */
  text?(row: Row): string;
  /** Explanation of the column under the pointer. Default: that of its title, if it is a known word. */
  about?: string;
}

export interface Table<Row> {
  id: string;
  title?: string | undefined;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Id of the column that orders the rows. Default: the order as given. */
  by?: string | undefined;
  /** Returns an explanation that is shown with a row. */
  hint?(row: Row): string | undefined;
  /** Maximum number of rows in a terminal. Default: all. */
  limit?: number | undefined;
  /** Text on how to see the other rows in a terminal. Default: --json has all. */
  rest?: string;
  /** Whether a page shows the table folded, and a terminal omits it. */
  folded?: boolean;
}

export interface Fact {
  label: string;
  value: Value;
  /** Default: text. */
  unit?: Unit;
}

/** Lines for the user to run or save, to repair something or to see more. */
export interface Lines {
  title: string;
  lines: readonly string[];
  /** Name of the file to save the lines as. */
  file?: string | undefined;
  note?: string | undefined;
  /** A sentence on how to get the lines, which a terminal prints instead of them because they are many. */
  how?: string | undefined;
}

/** A picture in a report. */
export interface Picture {
  title: string;
  /** Returns it as SVG. `id` begins the names in it, which differ between the pictures of a page. */
  svg(id: string): string;
  /** Whether it stands above the tables. */
  isFirst?: boolean;
}

/** A grade as a word, and a sentence with the reason. */
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
  /** Words in the report that need an explanation: see terms.ts. A page explains them where they are clicked. */
  terms?: readonly Term[];
  /** The bytes of the file that show it best. */
  place?: Place | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each table has its own type of rows
  tables?: readonly Table<any>[];
  /** Pictures below the tables. A saved page has them; a terminal has none. */
  pictures?: readonly Picture[];
  /** Reports within this one: one for each finding, or for each file. */
  parts?: readonly Report[];
  commands?: readonly Lines[];
  /** Remarks on how the report was made, for example what was not read. */
  notes?: readonly string[];
}

/** Returns a report with additional notes after its own. */
export const withNotes = (report: Report, notes: readonly string[]): Report =>
  notes.length === 0 ? report : { ...report, notes: [...(report.notes ?? []), ...notes] };

/** Returns a text for the position of a place in the file; undefined for a place without an offset. */
export const placeText = ({ offset, length = 0 }: Place): string | undefined =>
  offset === undefined ? undefined : `${formatBytes(length)} at byte ${formatCount(offset)}`;

/** Returns a column of values. */
export const column = <Row>(
  id: string,
  title: string,
  unit: Unit,
  value: (row: Row) => Value,
  more: Pick<Column<Row>, 'bar' | 'place' | 'text' | 'whole' | 'rest' | 'about'> = {},
): Column<Row> => ({ id, title, unit, value, ...more });
