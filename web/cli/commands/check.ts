import { CHECK_RULES, type CheckReport, type Finding, type Severity } from '../../api/check-report';
import { formatBytes, formatCount } from '../../base/format';
import { reportOfFailure } from '../../engine/check';
import { parseWhole, UsageError } from '../arguments';
import { command } from '../command';
import { type Context, type FileOptions, progressLine, writeTrace } from '../context';
import { wrapped } from '../help';
import { commonOptions, fileText } from '../options';
import { sourceOf } from '../targets';

const severities = ['error', 'warning', 'note'] as const satisfies readonly Severity[];

const rulesOf = (severity: Severity): string =>
  Object.entries(CHECK_RULES)
    .filter(([, of]) => of === severity)
    .map(([rule]) => rule)
    .join(', ');

function wrap(names: string): string {
  return wrapped(names, 90).join('\n           ');
}

export const check = command({
  usage: ['FILE…'],
  about: `Reads each file to its last byte and tells what is wrong: keys against the records that they name,
streamer infos, objects, and of every tree all baskets and pages, decompressed (with their checksums),
decoded, and counted against the entries of the tree. ${fileText}`,
  options: {
    'fail-on': {
      type: 'string',
      multiple: true,
      value: 'RULE,…',
      choices: [...severities, 'never', ...Object.keys(CHECK_RULES)],
      about:
        'exit status 1 on these findings; names from below, or error, warning, note for all that are at least so ' +
        'grave, or never. Default: error',
    },
    jobs: { type: 'string', value: 'N', about: 'files that are read at once; default 4' },
    quiet: { type: 'boolean', about: 'print only files with findings' },
    ...commonOptions,
  },
  notes: `Findings:
  error    ${wrap(rulesOf('error'))}
  warning  ${wrap(rulesOf('warning'))}
  note     ${wrap(rulesOf('note'))}`,
  json: `{"files": [{"name", "size", "counts": {"keys", "objects", "classes", "trees", "branches", "baskets",
"entries", "basketBytes", "orphanedBytes"}, "findings": [{"rule", "severity", "message", "path", "offset",
"length", "code"}, …], "more"}, …], "summary": {"files", "failed", "error", "warning", "note"}}`,
  exit: '0 nothing to fail on, 1 something, 2 the command line was not understood.',
  async run(given, files, context) {
    const fails = parseFailOn(given['fail-on']);
    const jobs = parseWhole(given.jobs ?? '4', '--jobs', 1, 64);
    if (given.trace !== undefined && files.length > 1) {
      throw new UsageError('--trace is of one file; name one.');
    }
    const summary = { files: 0, failed: 0, error: 0, warning: 0, note: 0 };
    const printed = given.json ? jsonPrinter(context) : textPrinter(context, given.quiet === true);
    for await (const report of inOrder(files, jobs, (file) => checkOne(file, given, context))) {
      summary.files += 1;
      if (report.findings.some(fails)) summary.failed += 1;
      for (const { severity } of report.findings) summary[severity] += 1;
      await printed.report(report);
    }
    printed.end(summary);
    return summary.failed > 0 ? 1 : 0;
  },
});

type Summary = Record<'files' | 'failed' | Severity, number>;

/** Whether a finding makes the command fail. */
function parseFailOn(lists: readonly string[] | undefined): (finding: Finding) => boolean {
  const names = (lists ?? ['error']).flatMap((list) => list.split(',')).map((name) => name.trim());
  const rules = new Set<string>();
  for (const name of names) {
    const grade = (severities as readonly string[]).indexOf(name);
    if (grade >= 0) {
      const grave: readonly string[] = severities.slice(0, grade + 1);
      for (const [rule, severity] of Object.entries(CHECK_RULES))
        if (grave.includes(severity)) rules.add(rule);
    } else rules.add(name);
  }
  return (finding) => rules.has(finding.rule);
}

async function checkOne(target: string, given: FileOptions, context: Context): Promise<CheckReport> {
  const { source } = await sourceOf(target, given);
  const progress = progressLine(context);
  try {
    const file = await context.open(source);
    try {
      return await file.reader.check(file.info.id, { onProgress: progress.show });
    } finally {
      if (given.trace !== undefined) await writeTrace(given.trace, file);
      await file.close();
    }
  } catch (thrown) {
    return reportOfFailure(target, thrown);
  } finally {
    await progress.wipe();
  }
}

/** Runs `jobs` of the items at once and yields the results in the order of the items. */
async function* inOrder<T, R>(
  items: readonly T[],
  jobs: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  let next = 0;
  const start = (): void => {
    const item = items[next++];
    if (item === undefined) return;
    const result = work(item);
    // It is awaited later; a failure is thrown then.
    result.catch(() => {});
    running.push(result);
  };
  while (next < Math.min(jobs, items.length)) start();
  for (let first = running.shift(); first; first = running.shift()) {
    yield await first;
    start();
  }
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
    end: (summary: Summary): void => out.line(`\n], "summary": ${JSON.stringify(summary)}}`),
  };
}

function textPrinter({ out }: Context, quiet: boolean) {
  return {
    report: async (report: CheckReport): Promise<void> => {
      if (quiet && report.findings.length === 0) return;
      for (const line of reportLines(report)) out.line(line);
      await out.drain();
    },
    end: ({ files, failed, error, warning, note }: Summary): void => {
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
