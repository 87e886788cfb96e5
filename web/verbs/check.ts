import {
  CHECK_RULES,
  type CheckReport,
  type CheckRule,
  type Finding,
  reportOfFailure,
  type Severity,
} from '../api/check-report';
import { wrapped } from '../base/format';
import { flag, listOf, needed, oneOf, optional, TEXT, whole } from '../base/shape';
import {
  addTotals,
  type CheckTotals,
  checkReport,
  emptyTotals,
  SEVERITIES,
  totalsReport,
} from '../insight/check-report';
import { verbOfFiles } from './each';
import type { NamedFile } from './verb';
import { wholeCost } from './whole-cost';

const rulesOf = (severity: Severity): string =>
  wrapped(
    Object.entries(CHECK_RULES)
      .filter(([, of]) => of === severity)
      .map(([rule]) => rule)
      .join(', '),
    90,
  ).join('\n           ');

export const check = verbOfFiles({
  name: 'check',
  words: 'FILE…',
  about: `Reads each file to its last byte and tells what is wrong: keys against the records that they name,
streamer infos, objects, and of every tree all baskets and pages, decompressed (with their checksums),
decoded, and counted against the entries of the tree. FILE is a path or an http(s) URL; also several: a quoted
pattern ('run*.root'), a list (a.root,b.root), or a text file of paths and URLs (@list.txt).`,
  examples: [
    ['sample.root', 'whether a file is sound'],
    ['sample.root --json', 'what was found, for a program'],
  ],
  params: {
    file: needed(listOf(TEXT), 'FILE', 'Paths and addresses of ROOT files.'),
    failOn: optional(
      listOf(oneOf(...SEVERITIES, 'never', ...(Object.keys(CHECK_RULES) as CheckRule[]))),
      'RULE,…',
      'exit status 1 on these findings; names from below, or error, warning, note for all that are at least so ' +
        'grave, or never. Default: error',
    ),
    jobs: optional(whole(1, 64), 'N', 'files that are read at once; default 4'),
    quiet: flag('print only files with findings'),
  },
  notes: `Findings:
  error    ${rulesOf('error')}
  warning  ${rulesOf('warning')}
  note     ${rulesOf('note')}`,
  json: `{"files": [{"name", "size", "counts": {"keys", "objects", "classes", "trees", "branches", "baskets",
"entries", "basketBytes", "orphanedBytes"}, "findings": [{"rule", "severity", "message", "path", "offset",
"length", "code"}, …], "more"}, …], "summary": {"files", "failed", "error", "warning", "note"}}`,
  exit: '0 nothing to fail on, 1 something, 2 the command line was not understood.',
  each: {
    async *run({ file: names, failOn, jobs = 4 }, call): AsyncGenerator<CheckReport, CheckTotals> {
      const totals = emptyTotals();
      const files = (await Promise.all(names.map((name) => call.files(name, true)))).flat();
      const fails = failing(failOn);
      const checked = async ({ name, open, failed }: NamedFile): Promise<CheckReport> => {
        const report = await open(({ reader, info }) =>
          reader.check(info.id, { signal: call.signal, onProgress: call.onProgress }),
        ).catch((thrown) => reportOfFailure(name, thrown));
        if (report.findings.some(fails)) failed?.();
        return report;
      };
      for await (const report of inOrder(files, jobs, checked)) {
        addTotals(totals, report, fails);
        yield report;
      }
      return totals;
    },
    report: (report, { quiet }) => (quiet && report.findings.length === 0 ? undefined : checkReport(report)),
    sum: (totals) => (totals.files === 1 ? undefined : totalsReport(totals)),
  },
  status: ({ summary }) => (summary.failed > 0 ? 1 : 0),
  tool: {
    title: 'Is a file sound?',
    description: 'Reads the whole file: all records, baskets and checksums. Answers what is damaged.',
    without: ['failOn', 'jobs', 'quiet'],
    cost: ({ file: names }, call) => wholeCost(names, call, 'the whole file'),
  },
});

/** Tests whether a script is to fail on a finding. */
function failing(names: readonly string[] = ['error']): (finding: Finding) => boolean {
  const rank = (severity: string): number => (SEVERITIES as readonly string[]).indexOf(severity);
  return ({ rule, severity }) => names.some((name) => name === rule || rank(severity) <= rank(name));
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
