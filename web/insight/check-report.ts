import type { CheckReport, Finding, Severity } from '../api/check-report';
import { formatBytes, formatCount } from '../base/format';
import { column, type Report } from '../report/report';

/** From the most to the least severe. */
export const SEVERITIES = ['error', 'warning', 'note'] as const satisfies readonly Severity[];

/** Numbers of files and findings of a check. `failed` counts the files with a finding that makes the command fail. */
export type CheckTotals = Record<'files' | 'failed' | Severity, number>;

export const emptyTotals = (): CheckTotals => ({ files: 0, failed: 0, error: 0, warning: 0, note: 0 });

/** Adds a report to `totals`, which is changed. */
export function addTotals(
  totals: CheckTotals,
  { findings }: CheckReport,
  fails: (finding: Finding) => boolean,
): void {
  totals.files += 1;
  if (findings.some(fails)) totals.failed += 1;
  for (const { severity } of findings) totals[severity] += 1;
}

/** Returns the report on the check of a file. */
export function checkReport({ name, size, counts, findings, more }: CheckReport): Report {
  const of = SEVERITIES.map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  })).filter(({ count }) => count > 0);
  const found = of.map(({ severity, count }) => counted(count, severity)).join(', ');
  const parts = [
    ...[counted(counts.keys, 'key'), counted(counts.objects, 'object'), counted(counts.trees, 'tree')],
    ...[counted(counts.entries, 'entry', 'entries'), counted(counts.baskets, 'basket')],
  ];
  const isOpen = !findings.some(({ rule }) => rule === 'not-opened');
  return {
    title: name,
    verdict: {
      grade: of[0]?.severity ?? 'good',
      text: isOpen
        ? `${found || 'No findings'}: ${formatBytes(size)}, ${parts.join(', ')}`
        : 'It cannot be opened',
    },
    text: more > 0 ? [`${formatCount(more)} more findings are not listed.`] : [],
    tables: findings.length > 0 ? [{ id: 'findings', columns: FINDINGS, rows: findings }] : [],
  };
}

const FINDINGS = [
  column<Finding>('severity', 'Severity', 'grade', ({ severity }) => severity),
  column<Finding>('rule', 'Rule', 'text', ({ rule }) => rule),
  column<Finding>('path', 'Path', 'text', ({ path }) => path),
  column<Finding>('byte', 'Byte', 'count', ({ offset }) => offset, {
    place: ({ offset, length }) => (offset === undefined ? undefined : { offset, length }),
  }),
  column<Finding>('finding', 'Finding', 'text', ({ message }) => message),
];

/** Returns the report on all files. */
export const totalsReport = ({ files, failed, error, warning, note }: CheckTotals): Report => ({
  title:
    `${formatCount(files)} files, ${formatCount(failed)} failed: ${formatCount(error)} errors, ` +
    `${formatCount(warning)} warnings, ${formatCount(note)} notes`,
});

function counted(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}
