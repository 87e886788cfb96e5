import type { DoctorCost, DoctorFinding, DoctorRemedy, DoctorReport, UseVerdict } from '../../../api/doctor';
import { DOCTOR_RULES, type DoctorRule } from '../../../api/doctor-rules';
import { formatCount } from '../../../base/format';
import { column, type Lines, type Report, type Table } from '../../../report/report';
import { costColumns, costTable } from '../../whatif/work/cost-table';
import { type DatasetDiagnosis, diagnoseDataset, type RuleSum, type UnreadFile } from './doctor-dataset';
import { verdictSentence } from './doctor-use';
import { becomes, headline, VERDICTS } from './headline';

/** Returns the report on a file: a part for each finding, and the commands that repair the file. */
export function doctorReport(report: DoctorReport): Report {
  const { file, grade, verdicts, findings, notes } = report;
  const before = costsToldBefore(findings);
  return {
    title: file,
    verdict: { grade, text: headline(report) },
    text: summaryOf(report),
    tables: [verdictTable(verdicts)],
    parts: findings.map((finding) => findingReport(finding, before.get(finding))),
    commands: remediesOf(findings),
    notes,
  };
}

/** Returns the number of findings for each tree and, unless the headline says it, what each tree is good for. */
function summaryOf({ grade, trees, verdicts, findings }: DoctorReport): string[] {
  const judged = [...new Set(verdicts.map(({ tree }) => tree))];
  const isSaid = judged.length === 1 && trees.length === 1 && findings.every((one) => one.grade === 'note');
  const where = trees.length === 0 ? '; the file has no trees' : ` in ${trees.join(', ')}`;
  return [
    `${isSaid ? `${VERDICTS[grade]}: ` : ''}${counted(findings.length, 'finding')}${where}.`,
    ...(isSaid ? [] : judged).map(
      (tree) => `${tree}: ${verdictSentence(verdicts.filter((verdict) => verdict.tree === tree))}`,
    ),
  ];
}

const counted = (n: number, one: string): string => `${formatCount(n)} ${n === 1 ? one : `${one}s`}`;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the report on a finding. `told` is the rule of an earlier finding with the same costs. */
function findingReport(finding: DoctorFinding, told: DoctorRule | undefined): Report {
  const { rule, grade, tree, certainty, evidence, place, promises, remedies, costs } = finding;
  const { branches = [], branchCount = branches.length } = finding;
  const guess = certainty === 'likely' ? ' (A guess from sizes; "xylem doctor --deep" makes it sure.)' : '';
  const some = branchCount > branches.length ? `${formatCount(branches.length)} of ` : '';
  return {
    title: sentence(DOCTOR_RULES[rule]),
    verdict: { grade, text: tree === undefined ? rule : `${rule} in ${tree}` },
    text: [
      `${evidence}${guess}`,
      ...(told ? [`The table of ${told} above has what reading costs, now and repaired.`] : []),
      ...(promises.length > 0 ? [`Repaired: ${promises.map(becomes).join(', ')}.`] : []),
      ...(remedies.length === 0 ? ['For information only: there is nothing to repair.'] : []),
    ],
    place: place && { ...place, branches: branches.slice(0, MAX_COLOURED) },
    tables: [
      ...(told === undefined && costs.length > 0 ? [costTable(costs, 'Repaired')] : []),
      ...(branches.length > 0
        ? [branchTable(branches, `Branches (${some}${formatCount(branchCount)})`)]
        : []),
    ],
  };
}

/** Maximum number of branches that the map colours. */
const MAX_COLOURED = 8;

const branchTable = (rows: readonly string[], title: string): Table<string> => ({
  id: 'branches',
  title,
  columns: [column('name', 'Branch', 'text', (path) => path)],
  rows,
  folded: true,
});

type VerdictRow = UseVerdict & { cost: DoctorCost };

const verdictTable = (verdicts: readonly UseVerdict[]): Table<VerdictRow> => ({
  id: 'uses',
  title: 'What reading costs',
  columns: [
    column('tree', 'Tree', 'text', ({ tree }) => tree),
    column('use', 'Use', 'text', ({ use }) => use),
    column('grade', 'Grade', 'grade', ({ grade }) => grade),
    ...costColumns<VerdictRow>('Repaired', ({ cost }) => cost),
  ],
  rows: verdicts.flatMap((verdict) => verdict.costs.map((cost) => ({ ...verdict, cost }))),
  folded: true,
});

/**
 * Returns for each finding the rule of the first finding with the same costs, if that was earlier. Findings of one
 * tree are repaired together, so one table is enough.
 */
export function costsToldBefore<F extends Pick<DoctorFinding, 'rule' | 'tree' | 'costs'>>(
  findings: readonly F[],
): Map<F, DoctorRule> {
  const first = new Map<string, DoctorRule>();
  const before = new Map<F, DoctorRule>();
  for (const finding of findings) {
    if (finding.costs.length === 0) continue;
    const key = JSON.stringify([finding.tree, finding.costs]);
    const rule = first.get(key);
    if (rule === undefined) first.set(key, finding.rule);
    else before.set(finding, rule);
  }
  return before;
}

/** Returns each remedy once, with the rules that it repairs. Those of xylem are first, because ROOT's are long macros. */
function remediesOf(findings: readonly DoctorFinding[]): Lines[] {
  const found = new Map<string, { remedy: DoctorRemedy; rules: Set<DoctorRule> }>();
  for (const { rule, remedies } of findings) {
    for (const remedy of remedies) {
      const key = remedy.lines.join('\n');
      const known = found.get(key) ?? { remedy, rules: new Set() };
      known.rules.add(rule);
      found.set(key, known);
    }
  }
  return [...found.values()]
    .sort((a, b) => Number(b.remedy.for === 'xylem') - Number(a.remedy.for === 'xylem'))
    .map(({ remedy: { for: tool, file, run, keeps, lines }, rules }) => ({
      title: `How to repair it with ${tool}`,
      lines,
      file,
      note: [
        `This repairs ${[...rules].join(', ')}.`,
        `It writes a new file ${keeps === 'all' ? 'and drops nothing.' : 'with the newest cycle of each tree, and drops nothing else.'}`,
        ...(run === undefined ? [] : [`Run: ${run}`]),
      ].join(' '),
    }));
}

/** The report data of several files. */
export interface DatasetReport {
  /** The worst grade of a file; undefined if none could be read. */
  grade: DoctorReport['grade'] | undefined;
  sums: DatasetDiagnosis;
  files: (DoctorReport | UnreadFile)[];
}

/** The worst first. */
const GRADES = ['bad', 'fair', 'good'] as const;

/** Adds up the reports of several files. */
export function datasetResult(
  reports: readonly DoctorReport[],
  unread: readonly UnreadFile[],
): DatasetReport {
  return {
    grade: GRADES.find((one) => reports.some(({ grade }) => grade === one)),
    sums: diagnoseDataset(reports, unread),
    files: [...reports, ...unread],
  };
}

/** Returns the report on several files: sums by rule and by writer, and a part for each file. */
export function datasetReport({ grade, sums, files }: DatasetReport): Report {
  const reports = files.filter((file) => 'findings' in file);
  const counts = GRADES.filter((one) => sums.grades[one] > 0).map(
    (one) => `${formatCount(sums.grades[one])} ${one}`,
  );
  const unread = sums.unread.length > 0 ? [`${formatCount(sums.unread.length)} not read`] : [];
  const lines = reports.flatMap(({ findings }) =>
    findings.flatMap(({ remedies }) => remedies.filter((remedy) => remedy.for === 'xylem')),
  );
  return {
    title: `Layout of ${counted(files.length, 'file')}`,
    ...(grade && { verdict: { grade } }),
    text: [`${counted(files.length, 'file')}: ${[...counts, ...unread].join(', ')}`],
    tables: sumTables(sums, reports).filter(({ rows }) => rows.length > 0),
    parts: reports.map(doctorReport),
    commands:
      lines.length === 0
        ? []
        : [
            {
              title: 'Lines that repair the files without ROOT',
              lines: [...new Set(lines.flatMap((one) => one.lines))],
            },
          ],
  };
}

function sumTables(
  { rules, writers, unread }: DatasetDiagnosis,
  reports: readonly DoctorReport[],
): NonNullable<Report['tables']> {
  const ruleOf = column<RuleSum>('rule', 'Rule', 'text', ({ rule }) => rule);
  const rulesTable: Table<RuleSum> = {
    id: 'rules',
    title: 'Findings. The time is that of one reading of each file on the slowest link, simulated.',
    columns: [
      column('grade', 'Grade', 'grade', (one) => one.grade),
      ruleOf,
      column('files', 'Files', 'count', (one) => one.files),
      column('saves', 'Repair saves', 'ms', ({ savedMs }) => (savedMs > 0 ? savedMs : undefined)),
      column('worst', 'Worst', 'text', ({ worst }) => worst.file),
    ],
    rows: rules,
  };
  const about: Table<RuleSum> = {
    id: 'about',
    title: 'What the findings are, and the worst of each',
    columns: [
      ruleOf,
      column('words', 'Finding', 'text', ({ rule }) => DOCTOR_RULES[rule]),
      column('writers', 'Written by', 'text', (one) =>
        Object.entries(one.writers)
          .map(([writer, files]) => `${writer}: ${formatCount(files)}`)
          .join(', '),
      ),
      column('evidence', 'Worst', 'text', ({ worst }) => `${worst.file}: ${worst.evidence}`),
    ],
    rows: rules,
    folded: true,
  };
  const writersTable: Table<DatasetDiagnosis['writers'][number]> = {
    id: 'writers',
    title: 'Versions of ROOT that wrote the files',
    columns: [
      column('writer', 'Written by ROOT', 'text', ({ writer }) => writer),
      column('files', 'Files', 'count', ({ files }) => files),
      column('good', 'Good', 'count', ({ good }) => good),
    ],
    rows: writers,
  };
  const bad: Table<DoctorReport> = {
    id: 'bad',
    title: 'Files that are not good',
    columns: [
      column('file', 'File', 'text', ({ file }) => file),
      column('grade', 'Grade', 'grade', ({ grade }) => grade),
      column('short', 'In short', 'text', headline),
    ],
    rows: reports.filter(({ grade }) => grade !== 'good'),
    folded: true,
  };
  const notRead: Table<UnreadFile> = {
    id: 'unread',
    title: 'Not read',
    columns: [
      column('file', 'File', 'text', ({ file }) => file),
      column('reason', 'Reason', 'text', ({ error, code }) => `${error} [${code}]`),
    ],
    rows: unread,
  };
  return [rulesTable, about, writersTable, bad, notRead];
}
