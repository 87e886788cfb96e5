import { formatCount, formatDuration } from '../base/format';
import type { SourceSpec } from '../file/api';
import { examine } from '../insight/doctor';
import { DOCTOR_RULES, type DoctorFinding, type DoctorReport } from '../insight/doctor-types';
import { commonHelp, commonOptions, parseCommand, UsageError } from './arguments';
import { type Command, type Context, progressLine, withSource } from './context';
import { printable, tableLines } from './table';
import { sourceOf } from './targets';

const help = `Usage: xylem doctor FILE [--tree TREE] [--deep] [--fail-on RULE,…] [--json]

Says how well a file is laid out for reading, from its metadata: what is wrong, what that costs, on which link
(simulated, see "xylem whatif"), and the lines that mend it. Of several files each has its report.

  --tree TREE       only this tree
  --deep            also reads the branches that look alike or constant, to be sure
  --fail-on RULE,…  exit status 1 on these findings; names from below, or bad, poor, note for all that are
                    at least so grave. May be repeated
${commonHelp}

Rules:
${Object.entries(DOCTOR_RULES)
  .map(([rule, text]) => `  ${rule.padEnd(18)} ${text}`)
  .join('\n')}

JSON: {"file", "grade": "good" | "fair" | "bad", "trees", "findings": [{"rule", "grade": "bad" | "poor" | "note",
"tree", "evidence", "numbers", "branches", "place", "costs", "remedies"}, …], "notes"}; of several files {"grade",
"files": [one such of each]}.`;

const options = {
  ...commonOptions,
  tree: { type: 'string' },
  deep: { type: 'boolean' },
  'fail-on': { type: 'string', multiple: true },
} as const;

const GRADES = ['bad', 'poor', 'note'];

export const doctor: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [1, 1]);
    const [file = ''] = positionals;
    const fails = failRules(given['fail-on'] ?? []);
    const source = await sourceOf(file, given);
    const parts = source.kind === 'chain' ? source.files : [{ source, tree: undefined }];
    const reports: DoctorReport[] = [];
    for (const part of parts) reports.push(await examineOne(part, given, context));
    if (given.json) {
      const grade = GRADES_OF_FILES.find((one) => reports.some((report) => report.grade === one));
      const several = source.kind === 'chain' ? { grade, files: reports } : reports[0];
      context.out.line(JSON.stringify(several));
    } else {
      for (const [i, report] of reports.entries()) {
        if (i > 0) context.out.line();
        tell(report, context);
      }
      if (source.kind === 'chain') tellSum(reports, context);
    }
    const failed = reports.flatMap(({ findings }) => findings).filter(fails);
    if (failed.length > 0)
      context.err.line(`failed on ${[...new Set(failed.map(({ rule }) => rule))].join(', ')}`);
    return failed.length > 0 ? 1 : 0;
  },
};

/** The gravest first. */
const GRADES_OF_FILES = ['bad', 'fair', 'good'] as const;

type Given = ReturnType<typeof parseCommand<typeof options>>['values'];

async function examineOne(
  { source, tree = undefined }: { source: SourceSpec; tree?: string | undefined },
  given: Given,
  context: Context,
): Promise<DoctorReport> {
  const only = tree ?? given.tree;
  return await withSource(source, given, context, async ({ reader, info }) => {
    const progress = progressLine(context);
    try {
      const options = { tree: only, deep: given.deep, onProgress: progress.show };
      return await examine(reader, info.id, info.name, options);
    } finally {
      await progress.wipe();
    }
  });
}

function tellSum(reports: readonly DoctorReport[], { out }: Context): void {
  const counts = GRADES_OF_FILES.map((grade) => ({
    grade,
    files: reports.filter((report) => report.grade === grade).length,
  }));
  const text = counts
    .filter(({ files }) => files > 0)
    .map(({ grade, files }) => `${formatCount(files)} ${grade}`);
  out.line();
  out.line(`${formatCount(reports.length)} files: ${text.join(', ')}`);
}

function failRules(lists: readonly string[]): (finding: DoctorFinding) => boolean {
  const names = lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter(Boolean);
  for (const name of names) {
    if (!GRADES.includes(name) && !Object.hasOwn(DOCTOR_RULES, name)) {
      throw new UsageError(`There is no rule "${name}"; "xylem doctor --help" lists them.`);
    }
  }
  return ({ rule, grade }) =>
    names.some(
      (name) => name === rule || (GRADES.includes(name) && GRADES.indexOf(grade) <= GRADES.indexOf(name)),
    );
}

function tell({ file, grade, trees, findings, notes }: DoctorReport, { out, err }: Context): void {
  for (const note of notes) err.line(`note: ${printable(note)}`);
  const trunk = trees.length === 0 ? 'no trees' : trees.join(', ');
  out.line(
    printable(
      `${file}  ${grade}: ${trunk}, ${formatCount(findings.length)} ${findings.length === 1 ? 'finding' : 'findings'}`,
    ),
  );
  for (const finding of findings) {
    out.line();
    const where = finding.tree === undefined ? '' : ` in ${finding.tree}`;
    out.line(printable(`${finding.grade.toUpperCase()} ${finding.rule}${where}`));
    out.line(printable(`  ${finding.evidence}`));
    if (finding.place) {
      const { offset, length } = finding.place;
      out.line(`  Seen best from byte ${formatCount(offset)} to ${formatCount(offset + length)}.`);
    }
    if (finding.costs.length > 0) {
      const right = (title: string) => ({ title, align: 'right' }) as const;
      const columns = [
        { title: 'Link' },
        { title: 'Reading' },
        right('Calls'),
        right('Time'),
        right('Mended'),
        right('Time'),
      ];
      const rows = finding.costs.map((cost) => [
        cost.link,
        cost.reading,
        formatCount(cost.calls),
        formatDuration(cost.ms),
        formatCount(cost.betterCalls),
        formatDuration(cost.betterMs),
      ]);
      for (const line of tableLines(columns, rows)) out.line(`  ${line}`);
    }
    for (const { for: tool, lines } of finding.remedies) {
      out.line(`  ${tool}:`);
      for (const line of lines) out.line(printable(`    ${line}`));
    }
  }
}
