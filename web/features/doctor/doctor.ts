import type { DoctorFinding, DoctorReport } from '../../api/doctor';
import { DOCTOR_RULES, type DoctorRule } from '../../api/doctor-rules';
import { argumentError, toXylemError } from '../../base/errors';
import { flag, listOf, needed, oneOf, optional, TEXT } from '../../base/shape';
import { BRANCHES, USE } from '../../verbs/params';
import { verb } from '../../verbs/verb';
import { examine } from './work/doctor';
import type { UnreadFile } from './work/doctor-dataset';
import { type DatasetReport, datasetReport, datasetResult, doctorReport } from './work/doctor-report';

const GRADES = ['bad', 'poor', 'note'] as const;

const RULES = Object.keys(DOCTOR_RULES) as DoctorRule[];

export const doctor = verb({
  name: 'doctor',
  words: 'FILE…',
  about: `Says how well files are laid out for reading, from their metadata: what is wrong, what that costs, on which
link (simulated, see "xylem whatif"), and the lines that repair it. Of several files each has its report.
FILE is a path or an http(s) URL; also several: a quoted pattern ('run*.root'), a list (a.root,b.root), or a
text file of paths and URLs (@list.txt). A file may name its own tree: file.root?#tree.`,
  examples: [
    ['sample.root', 'how well a file is laid out'],
    ['sample.root --report doctor.html', 'the same as a page'],
  ],
  params: {
    file: needed(listOf(TEXT), 'FILE', 'Paths and addresses of ROOT files.'),
    tree: optional(TEXT, 'TREE', 'only this tree'),
    deep: flag('also reads the branches that look alike or constant, to be sure'),
    branches: {
      ...BRANCHES,
      about:
        'judges for a use that reads these branches; names are separated by commas, * and ? stand for characters',
    },
    ...USE,
    failOn: optional(
      listOf(oneOf(...GRADES, ...RULES)),
      'RULE,…',
      'exit status 1 on these findings; names from below, or bad, poor, note for all that are at least so grave. ' +
        'May be repeated',
    ),
  },
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
  async run({ file: names, tree, deep, failOn, ...asked }, call): Promise<DoctorReport | DatasetReport> {
    const useOf = await call.useOf(asked);
    const files = (await Promise.all(names.map((name) => call.files(name)))).flat();
    const reports: DoctorReport[] = [];
    const unread: UnreadFile[] = [];
    for (const { name, open } of files) {
      try {
        const report = await open(({ reader, info, ownTree = tree }) =>
          examine(reader, info, {
            ...{ tree: ownTree, deep, use: useOf(info) },
            ...{ signal: call.signal, onProgress: call.onProgress },
          }),
        );
        reports.push(report);
      } catch (thrown) {
        const { message: error, code, fix } = toXylemError(thrown);
        if (files.length === 1 || code === 'ABORTED') throw thrown;
        unread.push({ file: name, error, code, fix });
        call.note(`${name}: ${error} [${code}]`);
      }
    }
    const failed = failures(reports, failOn);
    if (failed.length > 0) call.note(`failed on ${[...new Set(failed.map(({ rule }) => rule))].join(', ')}`);
    const [only] = reports;
    return files.length === 1 && only ? only : datasetResult(reports, unread);
  },
  report: (result) => ('sums' in result ? datasetReport(result) : doctorReport(result)),
  status(result, { failOn }) {
    if (!('sums' in result)) return failures([result], failOn).length > 0 ? 1 : 0;
    const reports = result.files.filter((file) => 'findings' in file);
    return failures(reports, failOn).length + result.sums.unread.length > 0 ? 1 : 0;
  },
  outputs: {
    macro: {
      about: 'write the program for ROOT that repairs the file to OUT (repair.C); of a single file',
      async make(result, _, { note }) {
        if ('sums' in result) throw argumentError('A program for ROOT is of one file.', 'Name one file.');
        const remedies = result.findings.flatMap((finding) => finding.remedies);
        const program = remedies.find((remedy) => remedy.for === 'ROOT');
        if (program === undefined) {
          note('there is nothing to repair, so the program is empty');
          return '';
        }
        return `${program.lines.join('\n')}\n`;
      },
    },
  },
  tool: {
    title: 'Layout of a file',
    description:
      'How well a file is laid out for reading: a grade, findings with what they cost on a disk and three links, and lines that repair it. From metadata alone.',
    without: ['deep', 'reads', 'draw', 'cut', 'selector', 'failOn'],
    text: true,
  },
});

/** The findings on which a script is to fail. */
function failures(reports: readonly DoctorReport[], names: readonly string[] = []): DoctorFinding[] {
  return reports
    .flatMap(({ findings }) => findings)
    .filter(({ rule, grade }) => names.some((name) => name === rule || rank(grade) <= rank(name)));
}

/** Place of a grade in the order of gravity; -1 for another word. */
const rank = (grade: string): number => (GRADES as readonly string[]).indexOf(grade);
