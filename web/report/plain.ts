import type { Report, Table, Unit, Value } from './report';
import { cellText, sortedRows, valueText } from './rows';

/** A column of a table as data: its values in the order of the rows, and their texts as they are shown. */
export interface PlainColumn {
  id: string;
  title: string;
  unit: Unit;
  /** null if a row has no such value. */
  values: (number | string | null)[];
  texts: string[];
}

export interface PlainTable {
  id: string;
  title?: string | undefined;
  columns: PlainColumn[];
}

/** A report as data without functions, for other programs. */
export interface PlainReport {
  title: string;
  /** A grade as a word, and a sentence with the reason. */
  verdict?: { grade: string; text?: string | undefined } | undefined;
  text: string[];
  facts: { label: string; value: number | string | null; text: string }[];
  tables: PlainTable[];
  notes: string[];
  /** Reports within this one. */
  parts: PlainReport[];
}

export function plainReport(report: Report): PlainReport {
  const { title, verdict, text = [], facts = [], tables = [], notes = [], parts = [] } = report;
  return {
    title,
    ...(verdict && { verdict: { ...verdict } }),
    text: [...text],
    facts: facts.map(({ label, value, unit }) => ({
      label,
      value: plain(value),
      text: valueText(value, unit),
    })),
    tables: tables.map(plainTable),
    notes: [...notes],
    parts: parts.map(plainReport),
  };
}

function plainTable<Row>(table: Table<Row>): PlainTable {
  const { id, title, columns } = table;
  const rows = sortedRows(table);
  return {
    id,
    ...(title !== undefined && { title }),
    columns: columns.map((column) => ({
      ...{ id: column.id, title: column.title, unit: column.unit },
      values: rows.map((row) => plain(column.value(row))),
      texts: rows.map((row) => cellText(column, row)),
    })),
  };
}

const plain = (value: Value): number | string | null => value ?? null;
