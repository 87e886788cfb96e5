import { formatCount, formatDuration } from '../../base/format';
import type { DatasetDiagnosis } from './doctor-dataset';
import { DOCTOR_RULES } from './doctor-rules';
import type { DoctorReport } from './doctor-types';
import { headline } from './headline';

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#1c2b26;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid #dbe3df}
td.n,th.n{text-align:right;white-space:nowrap}.bad{color:#a32a1e;font-weight:600}.poor{color:#8a5a00;font-weight:600}
.note{color:#52645d}pre{overflow-x:auto;background:#f4f6f3;padding:.6rem;border-radius:.4rem}
@media(prefers-color-scheme:dark){body{background:#16201c;color:#e3ece7}th,td{border-color:#33443d}pre{background:#1f2b26}
.bad{color:#ff9a8d}.poor{color:#e8b84d}.note{color:#a5b8af}}`;

type Row = (cells: readonly (string | number)[], numbers?: readonly number[]) => string;

/** The verdict on a single file, with its costs for each use. */
function aloneHtml(
  report: DoctorReport,
  row: Row,
  head: (titles: string[], numbers: number[]) => string,
): string {
  const rows = report.verdicts.flatMap(({ use, grade, costs }) =>
    costs.map(({ link, reading, calls, ms, betterCalls, betterMs }) =>
      row(
        [
          ...[use, grade, link, reading].map(escaped),
          ...[calls, formatDuration(ms), betterCalls, formatDuration(betterMs)],
        ],
        [4, 5, 6, 7],
      ),
    ),
  );
  const titles = ['Use', 'Grade', 'Disk or link', 'Reading', 'Calls', 'Time', 'Repaired', 'Time'];
  return `<p><strong>${escaped(headline(report))}</strong></p>
<h2>What reading costs</h2>
<table>${head(titles, [4, 5, 6, 7])}
${rows.join('\n')}</table>
`;
}

/** The diagnosis as a page of one file, which needs neither network nor scripts. */
export function diagnosisHtml(
  diagnosis: DatasetDiagnosis,
  reports: readonly DoctorReport[],
  title: string,
): string {
  const { files, grades, writers, rules, unread } = diagnosis;
  const row = (cells: readonly (string | number)[], numbers: readonly number[] = []): string =>
    `<tr>${cells.map((cell, i) => `<td${numbers.includes(i) ? ' class="n"' : ''}>${typeof cell === 'number' ? formatCount(cell) : cell}</td>`).join('')}</tr>`;
  const head = (titles: readonly string[], numbers: readonly number[] = []): string =>
    `<tr>${titles.map((name, i) => `<th scope="col"${numbers.includes(i) ? ' class="n"' : ''}>${name}</th>`).join('')}</tr>`;
  const ruleRows = rules.map(({ rule, grade, files: count, savedMs: saved, worst, writers: by }) =>
    row(
      [
        `<span class="${grade}">${grade}</span>`,
        `<strong>${rule}</strong><br>${escaped(DOCTOR_RULES[rule])}`,
        count,
        saved > 0 ? formatDuration(saved) : '',
        Object.entries(by)
          .map(([writer, number]) => `${escaped(writer)}: ${formatCount(number)}`)
          .join('<br>'),
        `${escaped(worst.file)}<br><span class="note">${escaped(worst.evidence)}</span>`,
      ],
      [2, 3],
    ),
  );
  const remedies = new Set(
    reports.flatMap(({ findings }) =>
      findings.flatMap((finding) =>
        finding.remedies.filter((remedy) => remedy.for === 'xylem').flatMap(({ lines }) => lines),
      ),
    ),
  );
  const alone = reports.length === 1 && unread.length === 0 ? reports[0] : undefined;
  const bad = reports.filter(({ grade }) => grade !== 'good');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(title)}</h1>
<p>${formatCount(files)} files: ${formatCount(grades.good)} good, ${formatCount(grades.fair)} fair, ${formatCount(grades.bad)} bad${unread.length > 0 ? `, ${formatCount(unread.length)} not read` : ''}.</p>
${alone === undefined ? '' : aloneHtml(alone, row, head)}<h2>Findings</h2>
<table>${head(['Grade', 'Rule', 'Files', 'Repair saves', 'Written by', 'Worst'], [2, 3])}
${ruleRows.join('\n')}</table>
<p class="note">The time is that of one reading of each file on the slowest link, simulated.</p>
<h2>Versions of ROOT that wrote the files</h2>
<table>${head(['ROOT', 'Files', 'Good'], [1, 2])}
${writers.map(({ writer, files: count, good }) => row([escaped(writer), count, good], [1, 2])).join('\n')}</table>
<h2>Files that are not good</h2>
<table>${head(['File', 'Grade', 'Rules', 'In short'])}
${bad.map((report) => row([escaped(report.file), report.grade, [...new Set(report.findings.filter((one) => one.grade !== 'note').map(({ rule }) => rule))].join(', '), escaped(headline(report))])).join('\n')}</table>
<h2>Lines that repair them without ROOT</h2>
<pre>${[...remedies].map(escaped).join('\n')}</pre>
${unread.length > 0 ? `<h2>Not read</h2><table>${head(['File', 'Reason'])}${unread.map(({ file, error }) => row([escaped(file), escaped(error)])).join('')}</table>` : ''}
</body></html>
`;
}
