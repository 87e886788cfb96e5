import { printable } from '../base/text';
import {
  type Column,
  type Fact,
  type Lines,
  type Picture,
  placeText,
  type Report,
  type Table,
  type Verdict,
} from './report';
import { cellText, isNumeric, sortedRows, valueText } from './rows';
import { termOf } from './terms';

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#1c2b26;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}h3{font-size:1rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid #dbe3df}
td.n,th.n{text-align:right;white-space:nowrap}.bad,.error{color:#a32a1e;font-weight:600}.poor,.fair,.warning{color:#8a5a00;font-weight:600}
.note{color:#52645d}dl{display:grid;grid-template-columns:max-content auto;gap:.2rem 1rem}dd{margin:0}
pre{overflow-x:auto;background:#f4f6f3;padding:.6rem;border-radius:.4rem}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));gap:.6rem;margin-top:1rem}
figure{margin:0}figure svg{max-width:100%;height:auto;border-radius:.4rem}
@media(prefers-color-scheme:dark){body{background:#16201c;color:#e3ece7}th,td{border-color:#33443d}pre{background:#1f2b26}
.bad,.error{color:#ff9a8d}.poor,.fair,.warning{color:#e8b84d}.note{color:#a5b8af}}`;

/** Number of pictures of the page so far, by which the names in them differ. */
let drawn = 0;

const escaped = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
const graded = (grade: string): string =>
  `<span class="${escaped(grade.toLowerCase())}">${escaped(grade)}</span>`;

/** Returns reports as one HTML page without scripts, which loads nothing else. */
export function reportHtml(title: string, reports: readonly Report[]): string {
  drawn = 0;
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>
${reports.map((report) => (reports.length === 1 && report.title === title ? body(report, 2) : section(report, 2))).join('\n')}
</body></html>
`;
}

function section(report: Report, level: number): string {
  return `<section><h${level}>${escaped(report.title)}</h${level}>\n${body(report, Math.min(6, level + 1))}</section>`;
}

function body(report: Report, level: number): string {
  const {
    verdict,
    text = [],
    facts = [],
    terms = [],
    tables = [],
    pictures = [],
    parts = [],
    commands = [],
    notes = [],
    place,
  } = report;
  return [
    ...(verdict ? [verdictHtml(verdict)] : []),
    ...text.map((one) => `<p>${escaped(one)}</p>`),
    ...terms.map((term) => `<p class="note"><b>${term}</b>: ${escaped(termOf(term) ?? '')}</p>`),
    ...(facts.length > 0 ? [`<dl>${facts.map(factHtml).join('')}</dl>`] : []),
    ...(place ? [`<p class="note">${escaped(placeText(place) ?? '')}</p>`] : []),
    ...picturesHtml(pictures.filter(({ isFirst }) => isFirst)),
    ...tables.map((table) => tableHtml(table, level)),
    ...picturesHtml(pictures.filter(({ isFirst }) => !isFirst)),
    ...parts.map((part) => section(part, level)),
    ...commands.map((one) => linesHtml(one, level)),
    ...notes.map((note) => `<p class="note">${escaped(note)}</p>`),
  ].join('\n');
}

function verdictHtml({ grade, text }: Verdict): string {
  return `<p>${graded(grade)}${text === undefined ? '' : `: ${escaped(text)}`}</p>`;
}

function factHtml({ label, value, unit }: Fact): string {
  const text = valueText(value, unit);
  return text === '' ? '' : `<dt>${escaped(label)}</dt><dd>${escaped(text)}</dd>`;
}

function tableHtml<Row>(table: Table<Row>, level: number): string {
  const { title, columns, hint } = table;
  const as = columns.map(({ unit }) => (isNumeric(unit) ? ' class="n"' : ''));
  const head = columns
    .map((one, i) => `<th scope="col"${as[i]}${titleOf(one)}>${escaped(one.title)}</th>`)
    .join('');
  const rows = sortedRows(table).map((row) => {
    const cells = columns.map((one, i) => {
      const text = cellText(one, row);
      return `<td${as[i]}>${one.unit === 'grade' ? graded(text) : escaped(text)}</td>`;
    });
    const said = hint?.(row);
    const more =
      said === undefined
        ? ''
        : `\n<tr><td class="note" colspan="${columns.length}">${escaped(said)}</td></tr>`;
    return `<tr>${cells.join('')}</tr>${more}`;
  });
  const name = title === undefined ? '' : `<h${level}>${escaped(title)}</h${level}>\n`;
  return `${name}<table><tr>${head}</tr>\n${rows.join('\n')}</table>`;
}

/** Pictures beside each other. What they show is in their own titles. */
function picturesHtml(pictures: readonly Picture[]): string[] {
  if (pictures.length === 0) return [];
  const all = pictures.map(({ svg }) => `<figure>${svg(`f${drawn++}-`)}</figure>`);
  return [`<div class="pictures">${all.join('\n')}</div>`];
}

/** The explanation of a column under the pointer. */
function titleOf<Row>({ title, about = termOf(title) }: Column<Row>): string {
  return about === undefined ? '' : ` title="${escaped(about)}"`;
}

/** Lines that are more than these are folded. */
const MAX_OPEN = 10;

function linesHtml({ title, lines, file, note }: Lines, level: number): string {
  const about = [
    ...(file === undefined ? [] : [`Save the lines as ${file}.`]),
    ...(note === undefined ? [] : [note]),
  ];
  const all = `<pre>${lines.map(escaped).join('\n')}</pre>`;
  const folded = `<details><summary>The ${lines.length} lines</summary>${all}</details>`;
  const pre = lines.length === 0 ? '' : lines.length < MAX_OPEN ? all : folded;
  return `<h${level}>${escaped(title)}</h${level}>\n${about.map((one) => `<p>${escaped(one)}</p>`).join('')}${pre}`;
}
