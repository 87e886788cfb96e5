import type { TreeLayout } from '../../../api/api';
import type { PerfReport } from '../../../api/reading';
import { formatCount } from '../../../base/format';
import { column, type Report, type Table } from '../../../report/report';
import type { ColumnReads } from '../../traces/work/columns-read';
import type { Used, UsesReport } from '../../traces/work/uses';
import { factsOf, usedReport } from '../../traces/work/uses-report';
import { PERF_NUMBERS, type PerfNumber } from './perf-numbers';
import { isRequestOf, type ReadOrders, readOrders } from './read-order';

/** Returns a report on one or more readings: the numbers of TTreePerfStats, and the columns that were read. */
export function readingReport(reports: readonly PerfReport[], columns?: Table<ColumnReads>): Report {
  const [first] = reports;
  return {
    title: `${first?.tree} in ${first?.file}`,
    facts: factsOf(first?.facts),
    tables: [numbersTable(reports), ordersTable(reports), ...(columns ? [columns] : [])],
  };
}

/** Returns a table of the reads that go back, and of the bytes that are read again. */
export function ordersTable(reports: readonly PerfReport[]): Table<PerfReport & Orders> {
  return {
    id: 'orders',
    columns: [
      column('by', 'Reading', 'text', ({ by }) => by),
      column('reads', 'Reads', 'count', ({ all }) => all),
      column('back', 'Going back', 'count', ({ back }) => back),
      column('again', 'Of bytes read before', 'count', ({ again }) => again),
      column('again-bytes', 'Bytes read before', 'bytes', ({ againBytes }) => againBytes),
    ],
    rows: reports.map((report) => {
      const reads = report.reads.filter(isRequestOf);
      return { ...report, all: reads.length, ...readOrders(reads) };
    }),
  };
}

type Orders = Pick<ReadOrders, 'back' | 'again' | 'againBytes'> & { all: number };

/** Returns a table with a row for each number of TTreePerfStats and a column for each reading. */
export function numbersTable(
  reports: readonly Pick<PerfReport, 'by' | 'numbers'>[],
  explained = false,
): Table<PerfNumber> {
  return {
    id: 'numbers',
    columns: [
      column('name', 'As TTreePerfStats calls it', 'text', ({ name }) => name),
      ...reports.map(({ by, numbers }, i) =>
        column<PerfNumber>(`reading${i}`, by, 'number', ({ text }) => text(numbers)),
      ),
      ...(explained ? [column<PerfNumber>('meaning', 'What it is', 'text', ({ meaning }) => meaning)] : []),
    ],
    rows: PERF_NUMBERS,
  };
}

/** The report on readings of traces; of a single one with its numbers. */
export function tracesReport(
  report: UsesReport,
  used: readonly [Used, ...Used[]],
  layout: TreeLayout,
): Report {
  const found = usedReport(report, layout);
  const { path } = layout.tree;
  if (used.length > 1) return { ...found, title: `${formatCount(used.length)} readings of ${path}` };
  const [{ report: only }] = used;
  const numbers = only.numbers.readCalls > 0 ? [numbersTable([only])] : [];
  return {
    ...found,
    title: `${only.by} read ${path} in ${only.file}`,
    tables: [...numbers, ...(found.tables ?? [])],
  };
}
