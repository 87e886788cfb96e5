import type { CheckReport, Finding, Severity } from '../../api/check-report';
import { formatBytes, formatCount } from '../../base/format';
import type { Context } from '../context';

/** The gravest first. */
export const severities = ['error', 'warning', 'note'] as const satisfies readonly Severity[];

type Totals = Record<'files' | 'failed' | Severity, number>;

export function emptyTotals(): Totals {
  return { files: 0, failed: 0, error: 0, warning: 0, note: 0 };
}

/** Counts a report. Changes `totals`. */
export function addTotals(
  totals: Totals,
  { findings }: CheckReport,
  fails: (finding: Finding) => boolean,
): void {
  totals.files += 1;
  if (findings.some(fails)) totals.failed += 1;
  for (const { severity } of findings) totals[severity] += 1;
}

/** Prints reports one by one, and the totals at the end. */
export function checkPrinter(json: boolean, quiet: boolean, context: Context) {
  return json ? jsonPrinter(context) : textPrinter(context, quiet);
}

function jsonPrinter({ out }: Context) {
  let comma = '';
  out.put('{"files": [');
  return {
    report: async (report: CheckReport): Promise<void> => {
      out.put(`${comma}\n${JSON.stringify(report)}`);
      comma = ',';
      await out.drain();
    },
    end: (summary: Totals): void => out.line(`\n], "summary": ${JSON.stringify(summary)}}`),
  };
}

function textPrinter({ out }: Context, quiet: boolean) {
  return {
    report: async (report: CheckReport): Promise<void> => {
      if (quiet && report.findings.length === 0) return;
      for (const line of reportLines(report)) out.line(line);
      await out.drain();
    },
    end: ({ files, failed, error, warning, note }: Totals): void => {
      if (files === 1) return;
      out.line(
        `${formatCount(files)} files, ${formatCount(failed)} failed: ${formatCount(error)} errors, ` +
          `${formatCount(warning)} warnings, ${formatCount(note)} notes`,
      );
    },
  };
}

function reportLines({ name, size, counts, findings, more }: CheckReport): string[] {
  const grade = severities.find((severity) => findings.some((finding) => finding.severity === severity));
  const opened = !findings.some(({ rule }) => rule === 'not-opened');
  const what = [
    count(counts.keys, 'key'),
    count(counts.objects, 'object'),
    count(counts.trees, 'tree'),
    count(counts.entries, 'entry', 'entries'),
    count(counts.baskets, 'basket'),
  ].join(', ');
  const head = `${grade === undefined ? 'good' : grade}  ${name}`;
  const lines = [opened ? `${head}  ${formatBytes(size)}, ${what}` : head];
  for (const { rule, severity, message, offset, path } of findings) {
    const place = [path, offset === undefined ? undefined : `byte ${offset}`].filter(
      (part) => part !== undefined,
    );
    const where = place.length > 0 ? ` (${place.join(', ')})` : '';
    lines.push(`  ${severity} ${rule}: ${message}${where}`);
  }
  if (more > 0) lines.push(`  and ${formatCount(more)} more findings`);
  return lines;
}

function count(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}
