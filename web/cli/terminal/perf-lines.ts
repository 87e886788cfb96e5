import { PERF_NUMBERS } from '../../insight/reads/perf-numbers';
import type { PerfReport } from '../../insight/reads/reading';
import { right, tableLines } from './table';

/** The numbers of TTreePerfStats of a reading, beside those of another one, and what else is known of the first. */
export function perfLines(report: PerfReport, compare?: PerfReport): string[] {
  const reports = compare === undefined ? [report] : [report, compare];
  const titles = ['', ...reports.map(({ by }) => right(by))];
  const rows = PERF_NUMBERS.map(({ name, text }) => [name, ...reports.map(({ numbers }) => text(numbers))]);
  return [
    `${report.tree} in ${report.file}`,
    ...tableLines(titles, rows),
    ...(report.facts ?? []).map(([name, value]) => `${name}: ${value}`),
  ];
}
