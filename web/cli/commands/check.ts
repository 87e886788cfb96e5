import { formatBytes, formatCount } from '../base/format';
import { reportOfFailure } from '../file/check';
import { CHECK_RULES, type CheckReport, type Finding, type Severity } from '../file/check-report';
import { commonHelp, commonOptions, parseCommand, parseWhole, UsageError } from './arguments';
import { type Command, type Context, progressLine, writeTrace } from './context';
import { printable } from './table';
import { sourceOf } from './targets';

const severities = ['error', 'warning', 'note'] as const satisfies readonly Severity[];

const rulesOf = (severity: Severity): string =>
  Object.entries(CHECK_RULES)
    .filter(([, of]) => of === severity)
    .map(([rule]) => rule)
    .join(', ');

const help = `Usage: xylem check FILE… [--fail-on RULE,…] [--jobs N] [--quiet] [--json]

Reads each file to its last byte and tells what is wrong: keys against the records that they name,
streamer infos, objects, and of every tree all baskets and pages, decompressed (with their checksums),
decoded, and counted against the entries of the tree.

  --fail-on RULE,…  exit status 1 on these findings; names from below, or error, warning, note for all
                    that are at least so grave, or never. Default: error
  --jobs N          files that are read at once; default 4
  --quiet           print only files with findings
${commonHelp}

Findings:
  error    ${wrap(rulesOf('error'))}
  warning  ${wrap(rulesOf('warning'))}
  note     ${wrap(rulesOf('note'))}

JSON: {"files": [{"name", "size", "counts": {"keys", "objects", "classes", "trees", "branches", "baskets",
"entries", "basketBytes", "orphanedBytes"}, "findings": [{"rule", "severity", "message", "path", "offset",
"length", "code"}, …], "more"}, …], "summary": {"files", "failed", "error", "warning", "note"}}
Exit status: 0 nothing to fail on, 1 something, 2 the command line was not understood.`;

function wrap(names: string): string {
  return names.replace(/(.{60,78},) /g, '$1\n           ');
}

const options = {
  ...commonOptions,
  'fail-on': { type: 'string', multiple: true },
  jobs: { type: 'string' },
  quiet: { type: 'boolean' },
} as const;

type Given = ReturnType<typeof parseCommand<typeof options>>['values'];

export const check: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [1, Number.POSITIVE_INFINITY]);
    const fails = parseFailOn(given['fail-on']);
    const jobs = parseWhole(given.jobs ?? '4', '--jobs', 1, 64);
    if (given.trace !== undefined && positionals.length > 1) {
      throw new UsageError('--trace is of one file; name one.');
    }
    const summary = { files: 0, failed: 0, error: 0, warning: 0, note: 0 };
    const printed = given.json ? jsonPrinter(context) : textPrinter(context, given.quiet === true);
    for await (const report of inOrder(positionals, jobs, (file) => checkOne(file, given, context))) {
      summary.files += 1;
      if (report.findings.some(fails)) summary.failed += 1;
      for (const { severity } of report.findings) summary[severity] += 1;
      await printed.report(report);
    }
    printed.end(summary);
    return summary.failed > 0 ? 1 : 0;
  },
};

type Summary = Record<'files' | 'failed' | Severity, number>;

/** Whether a finding is one to fail on. */
function parseFailOn(lists: readonly string[] | undefined): (finding: Finding) => boolean {
  const names = (lists ?? ['error']).flatMap((list) => list.split(',')).map((name) => name.trim());
  const rules = new Set<string>();
  for (const name of names) {
    const grade = (severities as readonly string[]).indexOf(name);
    if (grade >= 0) {
      const grave: readonly string[] = severities.slice(0, grade + 1);
      for (const [rule, severity] of Object.entries(CHECK_RULES))
        if (grave.includes(severity)) rules.add(rule);
    } else if (Object.hasOwn(CHECK_RULES, name)) rules.add(name);
    else if (name !== 'never')
      throw new UsageError(`--fail-on knows no "${name}"; see the names in the help.`);
  }
  return (finding) => rules.has(finding.rule);
}

async function checkOne(target: string, given: Given, context: Context): Promise<CheckReport> {
  const source = await sourceOf(target, given);
  const reader = await context.reader();
  const progress = progressLine(context);
  try {
    const info = await reader.open(source);
    try {
      return await reader.check(info.id, { onProgress: progress.show });
    } finally {
      if (given.trace !== undefined) await writeTrace(given.trace, { reader, info });
      await reader.close(info.id);
    }
  } catch (thrown) {
    return reportOfFailure(target, thrown);
  } finally {
    await progress.wipe();
  }
}

/** Does `jobs` of the items at once and gives the results in the order of the items. */
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
    // Its turn to be awaited comes later; a failure is thrown then.
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
  const head = `${grade === undefined ? 'good' : grade}  ${printable(name)}`;
  const lines = [opened ? `${head}  ${formatBytes(size)}, ${what}` : head];
  for (const { rule, severity, message, offset, path } of findings) {
    const place = [path, offset === undefined ? undefined : `byte ${offset}`].filter(
      (part) => part !== undefined,
    );
    const where = place.length > 0 ? ` (${place.join(', ')})` : '';
    lines.push(printable(`  ${severity} ${rule}: ${message}${where}`));
  }
  if (more > 0) lines.push(`  and ${formatCount(more)} more findings`);
  return lines;
}

function count(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}
