import { toXylemError } from '../../base/errors';
import { formatCount, formatDuration } from '../../base/format';
import { examine } from '../../insight/doctor/doctor';
import { diagnoseDataset, type UnreadFile } from '../../insight/doctor/doctor-dataset';
import { DOCTOR_RULES } from '../../insight/doctor/doctor-rules';
import type { DoctorFinding, DoctorRemedy, DoctorReport } from '../../insight/doctor/doctor-types';
import { verdictSentence } from '../../insight/doctor/doctor-use';
import { becomes, headline } from '../../insight/doctor/headline';
import { costsToldBefore } from '../../insight/doctor/told-costs';
import { nameOfSource } from '../../library/sources';
import { UsageError } from '../arguments';
import { command, type Given } from '../command';
import { type Context, progressLine, withSource, writeText } from '../context';
import { commonOptions, flag, type Options, valued } from '../options';
import { type NamedSource, sourceOf } from '../targets';
import { right, tableLines } from '../terminal/table';
import { type UseOfFile, useOf, useOptions } from '../uses';

const GRADES = ['bad', 'poor', 'note'];

const options = {
  tree: valued('TREE', 'only this tree'),
  deep: flag('also reads the branches that look alike or constant, to be sure'),
  branches: valued(
    'NAMES',
    'judges for a use that reads these branches; names are separated by commas, * and ? stand for characters',
    { multiple: true },
  ),
  ...useOptions,
  report: valued('OUT', 'write all as one HTML file to OUT, with sums over the files'),
  'fail-on': valued(
    'RULE,…',
    'exit status 1 on these findings; names from below, or bad, poor, note for all that are at least so grave. ' +
      'May be repeated',
    { multiple: true, choices: [...GRADES, ...Object.keys(DOCTOR_RULES)] },
  ),
  ...commonOptions,
} as const satisfies Options;

export const doctor = command({
  usage: ['FILE…'],
  about: `Says how well files are laid out for reading, from their metadata: what is wrong, what that costs, on which
link (simulated, see "xylem whatif"), and the lines that repair it. Of several files each has its report.
FILE is a path or an http(s) URL; also several: a quoted pattern ('run*.root'), a list (a.root,b.root), or a
text file of paths and URLs (@list.txt). A file may name its own tree: file.root?#tree.`,
  options,
  notes: `Rules:
${Object.entries(DOCTOR_RULES)
  .map(([rule, text]) => `  ${rule.padEnd(18)} ${text}`)
  .join('\n')}`,
  json: `{"file", "grade": "good" | "fair" | "bad", "trees", "writer", "verdicts": [{"tree", "use", "grade",
"branches", "costs"}, …], "findings": [{"rule", "grade": "bad" | "poor" | "note", "tree", "certainty": "sure" | "likely", "evidence", "numbers", "branches", "branchCount", "place", "promises": [{"what", "now", "after"}, …], "costs",
"remedies": [{"for": "ROOT" | "hadd" | "xylem", "file", "run", "keeps": "all" | "newest", "lines"}, …]}, …], "notes"}; of several files {"grade", "sums": {"files", "grades", "writers", "rules", "unread"}, "files":
[one such of each, or {"file", "error", "code", "fix"} where it cannot be read]}. A finding without remedies is only
worth knowing.`,
  exit: '1 where a finding is one to fail on, or a file cannot be read.',
  async run(given, files, context) {
    const fails = failRules(given['fail-on'] ?? []);
    const use = await useOf(given, context);
    const named: NamedSource[] = [];
    for (const file of files) named.push(await sourceOf(file, given, context.files));
    const several = named.length > 1 || named.some(({ source }) => source.kind === 'chain');
    if (several && given.trace !== undefined) throw new UsageError('--trace is of one file; name one.');
    const parts: NamedSource[] = named.flatMap((one) =>
      one.source.kind === 'chain' ? one.source.files : [one],
    );
    const reports: DoctorReport[] = [];
    const unread: UnreadFile[] = [];
    for (const part of parts) {
      try {
        reports.push(await examineOne(part, use, given, context));
      } catch (thrown) {
        const failure = toXylemError(thrown);
        if (!several || failure.code === 'ABORTED') throw failure;
        const file = nameOfSource(part.source);
        unread.push({ file, error: failure.message, code: failure.code, fix: failure.fix });
        context.err.line(`${file}: ${failure.message} [${failure.code}]`);
      }
    }
    if (given.json) {
      const grade = GRADES_OF_FILES.find((one) => reports.some((report) => report.grade === one));
      context.out.line(
        JSON.stringify(
          several
            ? { grade, sums: diagnoseDataset(reports, unread), files: [...reports, ...unread] }
            : reports[0],
        ),
      );
    } else {
      for (const [i, report] of reports.entries()) {
        if (i > 0) context.out.line();
        tell(report, context);
      }
      if (several) tellSum(reports, unread, context);
    }
    if (given.report !== undefined) {
      const { diagnosisHtml } = await import('../../insight/doctor/doctor-html');
      const title = `Layout of ${formatCount(parts.length)} ${parts.length === 1 ? 'file' : 'files'}`;
      await writeText(given.report, diagnosisHtml(diagnoseDataset(reports, unread), reports, title), context);
    }
    const failed = reports.flatMap(({ findings }) => findings).filter(fails);
    if (failed.length > 0)
      context.err.line(`failed on ${[...new Set(failed.map(({ rule }) => rule))].join(', ')}`);
    return failed.length + unread.length > 0 ? 1 : 0;
  },
});

/** The worst first. */
const GRADES_OF_FILES = ['bad', 'fair', 'good'] as const;

async function examineOne(
  { source, tree }: NamedSource,
  use: UseOfFile,
  given: Given<typeof options>,
  context: Context,
): Promise<DoctorReport> {
  const only = tree ?? given.tree;
  return await withSource({ source }, given, context, async ({ reader, info }) => {
    const progress = progressLine(context);
    try {
      const options = { tree: only, deep: given.deep, use: use(info), onProgress: progress.show };
      return await examine(reader, info, options);
    } finally {
      await progress.wipe();
    }
  });
}

function tellSum(reports: readonly DoctorReport[], unread: readonly UnreadFile[], { out }: Context): void {
  const counts = GRADES_OF_FILES.map((grade) => ({
    grade,
    files: reports.filter((report) => report.grade === grade).length,
  }));
  const text = counts
    .filter(({ files }) => files > 0)
    .map(({ grade, files }) => `${formatCount(files)} ${grade}`);
  out.line();
  if (unread.length > 0) text.push(`${formatCount(unread.length)} not read`);
  out.line(`${formatCount(reports.length + unread.length)} files: ${text.join(', ')}`);
  const { rules, writers } = diagnoseDataset(reports, unread);
  if (rules.length === 0) return;
  out.line();
  const rows = rules.map(({ rule, grade, files, savedMs, worst }) => [
    grade,
    rule,
    formatCount(files),
    savedMs > 0 ? formatDuration(savedMs) : '',
    worst.file,
  ]);
  const columns = ['Grade', 'Rule', right('Files'), right('Repair saves'), 'Worst'];
  for (const line of tableLines(columns, rows)) out.line(line);
  out.line();
  const versions = writers.map(({ writer, files, good }) => [writer, formatCount(files), formatCount(good)]);
  for (const line of tableLines(['Written by ROOT', right('Files'), right('Good')], versions)) out.line(line);
}

function failRules(lists: readonly string[]): (finding: DoctorFinding) => boolean {
  const names = lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter(Boolean);
  return ({ rule, grade }) =>
    names.some(
      (name) => name === rule || (GRADES.includes(name) && GRADES.indexOf(grade) <= GRADES.indexOf(name)),
    );
}

function tell(report: DoctorReport, { out, err }: Context): void {
  const { file, grade, trees, verdicts, findings, notes } = report;
  for (const note of notes) err.line(`note: ${note}`);
  out.line(`${file}: ${headline(report)}`);
  const trunk = trees.length === 0 ? 'no trees' : trees.join(', ');
  out.line(
    `  ${grade}: ${trunk}, ${formatCount(findings.length)} ${findings.length === 1 ? 'finding' : 'findings'}`,
  );
  const judged = new Set(verdicts.map((verdict) => verdict.tree));
  // The first line says it where nothing is at fault.
  const isSaid = judged.size === 1 && trees.length === 1 && findings.every((one) => one.grade === 'note');
  for (const tree of isSaid ? [] : judged) {
    out.line(`  ${tree}: ${verdictSentence(verdicts.filter((verdict) => verdict.tree === tree))}`);
  }
  const toldBefore = costsToldBefore(findings);
  for (const finding of findings) {
    out.line();
    const where = finding.tree === undefined ? '' : ` in ${finding.tree}`;
    out.line(`${finding.grade.toUpperCase()} ${finding.rule}${where}`);
    out.line(
      `  ${finding.evidence}${finding.certainty === 'likely' ? ' (A guess from sizes; --deep makes it sure.)' : ''}`,
    );
    if (finding.place) {
      const { offset, length } = finding.place;
      out.line(`  Seen best from byte ${formatCount(offset)} to ${formatCount(offset + length)}.`);
    }
    const told = toldBefore.get(finding);
    if (told !== undefined) out.line(`  What reading costs, now and repaired: the table of ${told}, above.`);
    else if (finding.costs.length > 0) {
      const columns = [
        'Disk or link',
        'Reading',
        right('Calls'),
        right('Time'),
        right('Repaired'),
        right('Time'),
        right('Saved in 1,000 visits'),
      ];
      const rows = finding.costs.map((cost) => [
        cost.link,
        cost.reading,
        formatCount(cost.calls),
        formatDuration(cost.ms),
        formatCount(cost.betterCalls),
        formatDuration(cost.betterMs),
        formatDuration(1000 * Math.max(0, cost.ms - cost.betterMs)),
      ]);
      for (const line of tableLines(columns, rows)) out.line(`  ${line}`);
    }
    if (finding.promises.length > 0) out.line(`  Repaired: ${finding.promises.map(becomes).join(', ')}.`);
    if (finding.remedies.length === 0) out.line('  For information only: there is nothing to repair.');
  }
  tellRemedies(findings, out);
}

/** Each remedy once, with the rules that it repairs; the lines of xylem first, because ROOT's are a long macro. */
function tellRemedies(findings: readonly DoctorFinding[], out: Context['out']): void {
  const told = new Map<string, { remedy: DoctorRemedy; rules: Set<string> }>();
  for (const { rule, remedies } of findings) {
    for (const remedy of remedies) {
      const key = remedy.lines.join('\n');
      const known = told.get(key) ?? { remedy, rules: new Set() };
      known.rules.add(rule);
      told.set(key, known);
    }
  }
  const own = [...told.values()].filter(({ remedy }) => remedy.for === 'xylem');
  for (const { remedy, rules } of new Set([...own, ...told.values()])) {
    out.line();
    const how = remedy.run === undefined ? '' : ` Save as ${remedy.file}, and run: ${remedy.run}`;
    out.line(`To repair ${[...rules].join(', ')}:${how}`);
    for (const line of remedy.lines) out.line(`  ${line}`);
  }
}
