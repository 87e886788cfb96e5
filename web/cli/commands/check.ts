import { CHECK_RULES, type CheckReport, type Finding, type Severity } from '../../api/check-report';
import { reportOfFailure } from '../../engine/check';
import { shownAddress } from '../../io/http/shown-url';
import { parseWhole, UsageError } from '../arguments';
import { command } from '../command';
import { type Context, type FileOptions, progressLine, writeTrace } from '../context';
import { wrapped } from '../help';
import { commonOptions, FILE_TEXT, flag, valued } from '../options';
import { sourceOf } from '../targets';
import { addTotals, checkPrinter, emptyTotals, severities } from '../terminal/check-lines';
import { wholeOptions } from './many/options';

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
decoded, and counted against the entries of the tree. ${FILE_TEXT}
With --partial also a pattern or @list.txt.`,
  options: {
    'fail-on': valued(
      'RULE,…',
      'exit status 1 on these findings; names from below, or error, warning, note for all that are at least so ' +
        'grave, or never. Default: error',
      { multiple: true, choices: [...severities, 'never', ...Object.keys(CHECK_RULES)] },
    ),
    jobs: valued('N', 'files that are read at once; default 4'),
    quiet: flag('print only files with findings'),
    ...wholeOptions,
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
    if ((given.partial ?? given.resume) !== undefined) {
      if ((given['fail-on'] ?? given.trace) !== undefined)
        throw new UsageError('--fail-on and --trace do not go with partial results.');
      const { inputsOf } = await import('./many/inputs');
      const { runMany } = await import('./many/run-many');
      const inputs = await Promise.all(files.map((file) => inputsOf(file, '', given, context)));
      return await runMany('check', { depth: 'whole' }, inputs.flat(), given, context);
    }
    if (given.trace !== undefined && files.length > 1) {
      throw new UsageError('--trace is of one file; name one.');
    }
    const totals = emptyTotals();
    const printed = checkPrinter(given.json === true, given.quiet === true, context);
    for await (const report of inOrder(files, jobs, (file) => checkOne(file, given, context))) {
      addTotals(totals, report, fails);
      await printed.report(report);
    }
    printed.end(totals);
    return totals.failed > 0 ? 1 : 0;
  },
});

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
  const { source } = await sourceOf(target, given, context.files);
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
    return reportOfFailure(shownAddress(target), thrown);
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
