import type { DoctorCost, DoctorFinding, DoctorRemedy, DoctorReport, UseVerdict } from '../../../api/doctor';
import { DOCTOR_RULES, type DoctorRule } from '../../../api/doctor-rules';
import { formatCount } from '../../../base/format';
import { column, type Lines, type Report, type Table } from '../../../report/report';
import type { Term } from '../../../report/terms';
import { costColumns } from '../../whatif/work/cost-table';
import { type DatasetDiagnosis, diagnoseDataset, type RuleSum, type UnreadFile } from './doctor-dataset';
import { verdictSentence } from './doctor-use';
import { becomes, headline, VERDICTS } from './headline';

/** Returns the report on a file: a part for each finding, and the commands that repair the file. */
export function doctorReport(report: DoctorReport): Report {
  const { file, grade, verdicts, findings, notes } = report;
  return {
    title: file,
    verdict: { grade, text: headline(report) },
    text: summaryOf(report),
    terms: termsOf(report),
    tables: costTables(verdicts, findings),
    parts: findings.map(findingReport),
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

/** Returns the words in findings and costs that need an explanation. */
function termsOf({ findings, verdicts }: DoctorReport): Term[] {
  const said = findings.map(({ rule, evidence }) => `${DOCTOR_RULES[rule]} ${evidence}`).join(' ');
  const costs = findings.some((one) => one.costs.length > 0) ? verdicts.flatMap((one) => one.costs) : [];
  const read = costs.map(({ reading }) => reading).join(' ');
  return [
    ...(/\bbaskets?\b/i.test(said) ? (['Baskets'] as const) : []),
    ...(/\bpages?\b/i.test(said) ? (['Pages'] as const) : []),
    ...(/\bclusters?\b/i.test(said) ? (['Clusters'] as const) : []),
    ...(costs.length > 0 ? (['Calls'] as const) : []),
    ...(read.includes('TTreeCache') ? (['TTreeCache'] as const) : []),
    ...(read.includes('cluster pool') ? (['Cluster pool'] as const) : []),
  ];
}

function findingReport(finding: DoctorFinding): Report {
  const { rule, grade, tree, certainty, evidence, place, promises, remedies } = finding;
  const { branches = [], branchCount = branches.length } = finding;
  const guess = certainty === 'likely' ? ' (A guess from sizes; "xylem doctor --deep" makes it sure.)' : '';
  const some = branchCount > branches.length ? `${formatCount(branches.length)} of ` : '';
  return {
    title: sentence(DOCTOR_RULES[rule]),
    verdict: { grade, text: tree === undefined ? rule : `${rule} in ${tree}` },
    text: [
      `${evidence}${guess}`,
      ...(promises.length > 0 ? [`Repaired: ${promises.map(becomes).join(', ')}.`] : []),
      ...(remedies.length === 0 ? ['For information only: there is nothing to repair.'] : []),
    ],
    place: place && { ...place, branches: branches.slice(0, MAX_COLOURED) },
    tables: [
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

interface CostRow {
  tree?: string | undefined;
  /** The use that it is a cost of, and its grade, where the costs of all uses are known. */
  use?: string;
  grade?: UseVerdict['grade'];
  cost: DoctorCost;
}

/**
 * Returns the tables of costs: those that the findings are about, each once, and folded those of other uses. Findings of one
 * tree have the same costs, because they are repaired together.
 */
export function costTables(
  verdicts: readonly UseVerdict[],
  findings: readonly Pick<DoctorFinding, 'tree' | 'costs'>[],
): Table<CostRow>[] {
  const found = new Map<string, CostRow>();
  const keyOf = ({ tree, cost }: CostRow) => JSON.stringify([tree, cost]);
  for (const { tree, costs } of findings)
    for (const cost of costs) found.set(keyOf({ tree, cost }), { tree, cost });
  const others: CostRow[] = [];
  for (const { costs, ...verdict } of verdicts)
    for (const cost of costs) {
      const row = { ...verdict, cost };
      if (found.has(keyOf(row))) found.set(keyOf(row), row);
      else others.push(row);
    }
  const concerned = [...found.values()];
  const use = concerned.length > 0 ? 'What other uses cost' : 'What reading costs';
  return [
    ...(concerned.length > 0
      ? [costTable('costs', 'What reading costs, now and repaired', concerned, false)]
      : []),
    ...(others.length > 0 ? [costTable('uses', use, others, true)] : []),
  ];
}

function costTable(id: string, title: string, rows: readonly CostRow[], folded: boolean): Table<CostRow> {
  const differ = (of: (row: CostRow) => unknown) => new Set(rows.map(of)).size > 1;
  // "8 branches" stands in the title if that is what all rows read.
  const [said = ''] = /^\d+ \w+ /.exec(rows[0]?.cost.reading ?? '') ?? [];
  const isCommon = !folded && rows.every(({ cost }) => cost.reading.startsWith(said));
  const plain = ({ cost }: CostRow): DoctorCost =>
    isCommon ? { ...cost, reading: cost.reading.slice(said.length) } : cost;
  return {
    id,
    title: isCommon ? title.replace('reading', `reading ${said.trim()}`) : title,
    columns: [
      ...(folded || differ(({ tree }) => tree)
        ? [column<CostRow>('tree', 'Tree', 'text', ({ tree }) => tree)]
        : []),
      ...(folded || differ(({ use }) => use)
        ? [column<CostRow>('use', 'Use', 'text', ({ use }) => use)]
        : []),
      ...(folded ? [column<CostRow>('grade', 'Grade', 'grade', ({ grade }) => grade)] : []),
      ...costColumns<CostRow>('Repaired', plain),
    ],
    rows,
    folded,
  };
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
      ...(tool === 'ROOT' && { how: 'Write it by "xylem doctor FILE --macro repair.C".' }),
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
