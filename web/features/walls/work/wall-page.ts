import { printable } from '../../../base/text';
import { escapeXml } from '../../../plot/drawing/drawing';
import type { SvgSheet } from '../../../plot/drawing/svg-sheet';

/** Styles of the page of a wall. The page is one file that loads nothing else. */

const STYLE = `
:root { color-scheme: light dark; --ground: #f4f6f3; --paper: #fff; --ink: #1c2621; --faint: #55645c; --line: #d5dcd7;
  --good: #1f7a5c; --bad: #b3261e; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ground: #101512; --paper: #161c19; --ink: #e4eae6; --faint: #9db0a6;
  --line: #2c3732; --good: #4cc29a; --bad: #ff8a80; --warn: #e6ac4d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.4 ui-sans-serif, system-ui, sans-serif; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center;
  padding: 10px 16px; background: var(--paper); border-bottom: 1px solid var(--line); }
h1 { flex: 1 1 12em; margin: 0; font-size: 16px; overflow-wrap: anywhere; }
input, select { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line);
  border-radius: 6px; padding: 5px 8px; min-width: 0; }
#count { color: var(--faint); font-variant-numeric: tabular-nums; }
.legend { display: flex; background: #fff; border-radius: 6px; }
main { display: grid; grid-template-columns: var(--columns); gap: 12px; padding: 12px 16px; }
figure { display: flex; flex-direction: column; margin: 0; min-width: 0; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; overflow: hidden;
  content-visibility: auto; contain-intrinsic-size: auto 300px; }
figure[hidden] { display: none; }
figure[data-state="failed"], figure[data-state="error"] { border-color: var(--bad); box-shadow: inset 0 3px var(--bad); }
figure[data-state="missing"] { border-color: var(--warn); box-shadow: inset 0 3px var(--warn); }
figcaption { padding: 8px 10px 4px; }
figcaption b { display: block; overflow-wrap: anywhere; font-weight: 600; }
figcaption span { display: block; color: var(--faint); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
figcaption .why { color: var(--bad); white-space: normal; }
figcaption .note { white-space: normal; }
figure button { display: block; width: 100%; margin-top: auto; padding: 0; border: 0; background: #fff; cursor: zoom-in; }
svg { display: block; width: 100%; height: auto; }
:focus-visible { outline: 3px solid var(--good); outline-offset: -3px; }
dialog { width: min(96vw, 900px); max-height: 96vh; padding: 0; border: 1px solid var(--line); border-radius: 10px;
  background: var(--paper); color: var(--ink); }
dialog::backdrop { background: rgb(0 0 0 / .5); }
dialog form { display: flex; justify-content: space-between; gap: 8px; padding: 8px 12px; border-top: 1px solid var(--line); }
dialog form button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line);
  border-radius: 6px; padding: 5px 12px; cursor: pointer; }
@media print { header select, header input { display: none; } figure { break-inside: avoid; content-visibility: visible; } }
`;

/** Filters, sorts and enlarges plots. All plots are visible without it. */
const SCRIPT = `
const main = document.querySelector('main');
const all = [...main.children];
const dialog = document.querySelector('dialog');
const box = dialog.querySelector('div');
const filter = document.getElementById('filter');
const state = document.getElementById('state');
const sort = document.getElementById('sort');
const texts = all.map((one) => one.querySelector('figcaption').textContent.toLowerCase());
const shown = () => [...main.children].filter((one) => !one.hidden);
const refresh = () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  all.forEach((one, i) => {
    const isState = !state || state.value === '' || state.value.split(' ').includes(one.dataset.state);
    one.hidden = !isState || !words.every((word) => texts[i].includes(word));
  });
  const left = shown().length;
  document.getElementById('count').textContent = left === all.length ? left + ' plots' : left + ' of ' + all.length + ' plots';
};
const compare = new Intl.Collator('en', { numeric: true }).compare;
const nameOf = (one) => one.querySelector('b').textContent;
const by = {
  name: nameOf,
  title: (one) => (one.querySelector('.title') || one.querySelector('b')).textContent,
};
sort.addEventListener('change', () => {
  const textOf = by[sort.value];
  const sorted = [...all];
  if (sort.value === 'entries') sorted.sort((a, b) => b.dataset.entries - a.dataset.entries);
  else if (textOf) sorted.sort((a, b) => compare(textOf(a), textOf(b)));
  main.append(...sorted);
});
filter.addEventListener('input', refresh);
if (state) state.addEventListener('change', refresh);
let open;
const enlarge = (one) => {
  const large = one && one.querySelector('template');
  if (!large) return;
  open = one;
  box.replaceChildren(large.content.cloneNode(true));
  dialog.setAttribute('aria-label', nameOf(one));
  if (!dialog.open) dialog.showModal();
};
const step = (by) => {
  const list = shown().filter((one) => one.querySelector('template'));
  enlarge(list[list.indexOf(open) + by]);
};
main.addEventListener('click', (event) => enlarge(event.target.closest('button') && event.target.closest('figure')));
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close();
  const by = event.target.dataset.by;
  if (by) step(Number(by));
});
dialog.addEventListener('close', () => open && open.querySelector('button').focus());
addEventListener('keydown', (event) => {
  const isText = event.target.matches('input, select');
  if (event.key === '/' && !isText) {
    event.preventDefault();
    filter.focus();
    return;
  }
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (isText || !by) return;
  if (dialog.open) step(by);
  else {
    const buttons = shown().map((one) => one.querySelector('button')).filter(Boolean);
    const next = buttons[buttons.indexOf(document.activeElement) + by];
    if (next) next.focus();
  }
});
refresh();
`;

/** One plot of the page: its texts, the small picture, and the large one. */
export interface PageTile {
  name: string;
  title: string;
  entries: number;
  small: string;
  large?: string | undefined;
  /** Reason why there is no plot. */
  why?: string | undefined;
  /** Result of the comparison with a reference, and lines that explain it. */
  state?: string | undefined;
  notes?: readonly string[] | undefined;
}

export interface PageHead {
  title: string;
  /** Number of columns; undefined for as many as fit. */
  columns?: number | undefined;
  /** States that can be chosen in the filter, with their labels; empty without a reference. */
  states?: readonly (readonly [value: string, words: string])[] | undefined;
  /** A sentence about all plots. */
  summary?: string | undefined;
  /** An SVG that names the lines of the file and of the reference. */
  legend?: string | undefined;
}

/** Yields the page as pieces of text. `sheet` has what its pictures share. */
export async function* wallPage(
  head: PageHead,
  tiles: Iterable<PageTile>,
  sheet: Pick<SvgSheet, 'style' | 'defs'>,
): AsyncGenerator<string> {
  const { title, columns, states = [], summary, legend } = head;
  const grid =
    columns === undefined
      ? 'repeat(auto-fill, minmax(min(100%, 300px), 1fr))'
      : `repeat(${columns}, minmax(0, 1fr))`;
  const style = `${STYLE}:root { --columns: ${grid}; }\n${sheet.style()}\n`;
  const policy = `default-src 'none'; style-src '${await hashOf(style)}'; script-src '${await hashOf(SCRIPT)}'`;
  const options = states.map(
    ([value, words]) => `<option value="${escapeXml(value)}">${escapeXml(words)}</option>`,
  );
  const chooser = `<select id="state" aria-label="Result"><option value="">All results</option>${options.join('')}</select>`;
  yield `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escapeXml(printable(title))}</h1>
${summary === undefined ? '' : `<span>${escapeXml(summary)}</span>`}
${legend === undefined ? '' : `<span class="legend">${legend}</span>`}
<span id="count" role="status"></span>
<input id="filter" type="search" placeholder="Filter (/)" aria-label="Filter by name or title">
${states.length > 0 ? chooser : ''}
<select id="sort" aria-label="Sort"><option value="">As written</option><option value="name">By name</option><option value="title">By title</option><option value="entries">Most entries first</option></select>
</header>
${sheet.defs()}
<main>
`;
  for (const tile of tiles) yield tileHtml(tile);
  yield `</main>
<dialog><div></div><form method="dialog"><button type="button" data-by="-1">Previous</button><button>Close</button><button type="button" data-by="1">Next</button></form></dialog>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** Letters of a title that have space in any column. */
const LONG_TITLE = 30;

function tileHtml({ name, title, entries, small, large, why, state, notes = [] }: PageTile): string {
  const data = [
    ['entries', String(Number.isNaN(entries) ? -1 : entries)],
    ...(state === undefined ? [] : [['state', state]]),
  ].map(([key, value = '']) => ` data-${key}="${escapeXml(value)}"`);
  const shownTitle = escapeXml(printable(title));
  // Longer titles are cut.
  const whole = title.length > LONG_TITLE ? ` title="${shownTitle}"` : '';
  const lines = [
    `<b>${escapeXml(printable(name))}</b>`,
    ...(title === '' ? [] : [`<span class="title"${whole}>${shownTitle}</span>`]),
    ...notes.map((note) => `<span class="note">${escapeXml(note)}</span>`),
    ...(why === undefined ? [] : [`<span class="why">${escapeXml(why)}</span>`]),
  ];
  const picture =
    large === undefined
      ? small
      : `<button type="button" aria-label="Enlarge ${escapeXml(printable(name))}">${small}</button><template>${large}</template>`;
  return `<figure${data.join('')}><figcaption>${lines.join('')}</figcaption>${picture}</figure>\n`;
}

/** Returns the Content-Security-Policy source ('sha256-…') for an inline script or style. */
async function hashOf(text: string): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(sum)))}`;
}
