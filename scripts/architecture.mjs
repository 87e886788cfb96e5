// npm run architecture: draws docs/pictures/architecture.svg from the imports: the floors of the reader, the features above them with
// what each needs, and the faces. Each box has its lines of TypeScript; the core those of C.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { featureIds, needsOf } from './features.mjs';
import { root, runMain } from './run.mjs';

const FACES = [
  ['web/ui', 'page'],
  ['web/element', 'element'],
  ['web/cli', 'command line'],
  ['web/library', 'library'],
  ['web/verbs', 'verbs'],
  ['web/plot', 'plot'],
];
const READER = [
  ['insight', 'reads', 'engine', 'export'],
  ['measure', 'query', 'pass', 'bins'],
  ['model', 'cache', 'io', 'sinks'],
  ['core', 'api', 'report', 'base'],
];
const WIDTH = 960;
const GAP = 8;
const BOX = 34;

/** @param {string} folder @param {RegExp} names @returns {number} */
function linesIn(folder, names = /\.(tsx?|css)$/) {
  return readdirSync(join(root, folder)).reduce((sum, name) => {
    const path = `${folder}/${name}`;
    if (statSync(join(root, path)).isDirectory()) return sum + linesIn(path, names);
    return names.test(name) ? sum + readFileSync(join(root, path), 'utf8').split('\n').length - 1 : sum;
  }, 0);
}

/** @param {number} lines */
const thousands = (lines) => lines.toLocaleString('en-GB');

/** Features by height: those that need nothing lie lowest. */
function rowsOfFeatures() {
  /** @type {Map<string, number>} */
  const heights = new Map();
  /** @param {string} id @returns {number} */
  const height = (id) => {
    const known = heights.get(id) ?? Math.max(-1, ...needsOf(id).map(height)) + 1;
    heights.set(id, known);
    return known;
  };
  /** @type {string[][]} */
  const rows = [];
  for (const id of featureIds()) {
    const at = height(id);
    rows[at] = [...(rows[at] ?? []), id];
  }
  // Each row is sorted by the places of its neighbours, so that few lines cross.
  for (let round = 0; round < 8; round++) {
    /** @type {Map<string, number>} */
    const places = new Map(rows.flatMap((row) => row.map((id, i) => [id, (i + 0.5) / row.length])));
    /** @param {string} id @param {(other: string) => boolean} isNear */
    const middle = (id, isNear) => {
      const near = [...places].filter(([other]) => isNear(other)).map(([, place]) => place);
      return near.length === 0
        ? (places.get(id) ?? 0)
        : near.reduce((sum, place) => sum + place, 0) / near.length;
    };
    for (const [at, row] of rows.entries()) {
      const of = (/** @type {string} */ id) =>
        at === 0
          ? middle(id, (other) => needsOf(other).includes(id))
          : middle(id, (other) => needsOf(id).includes(other));
      row.sort((a, b) => of(a) - of(b));
    }
  }
  return rows.reverse();
}

/**
 * @param {string} name
 * @param {string} lines
 * @param {{ x: number, y: number, width: number }} at
 * @param {string} kind
 */
const box = (name, lines, { x, y, width }, kind) =>
  `<g class="${kind}"><rect x="${x}" y="${y}" width="${width}" height="${BOX}" rx="4"/><text x="${x + width / 2}" y="${y + 14}">${name}</text><text class="lines" x="${x + width / 2}" y="${y + 27}">${lines}</text></g>`;

/** @param {readonly (readonly [name: string, lines: string])[]} names @param {number} y @param {string} kind */
function row(names, y, kind) {
  const width = (WIDTH - GAP * (names.length + 1)) / names.length;
  return names.map(([name, lines], i) => {
    const at = { x: Math.round(GAP + i * (width + GAP)), y, width: Math.round(width) };
    return { name, at, svg: box(name, lines, at, kind) };
  });
}

await runMain(async () => {
  let y = 24;
  /** @type {string[]} */
  const out = [];
  /** @param {string} text */
  const title = (text) => {
    out.push(`<text class="title" x="${GAP}" y="${y - 8}">${text}</text>`);
  };
  title('Faces, and what they share');
  out.push(
    ...row(
      FACES.map(([path = '', name = '']) => [name, thousands(linesIn(path))]),
      y,
      'face',
    ).map(({ svg }) => svg),
  );
  y += BOX + 36;
  title('Features: each can be taken out. A line leads to a feature that it needs');
  /** @type {Map<string, { x: number, y: number, width: number }>} */
  const places = new Map();
  /** @type {string[]} */
  const boxes = [];
  for (const ids of rowsOfFeatures()) {
    for (const { name, at, svg } of row(
      ids.map((id) => [id, thousands(linesIn(`web/features/${id}`))]),
      y,
      'feature',
    )) {
      places.set(name, at);
      boxes.push(svg);
    }
    y += BOX + 34;
  }
  for (const [id, from] of places)
    for (const need of needsOf(id)) {
      const to = places.get(need);
      if (to === undefined) continue;
      const [x1, y1, x2, y2] = [from.x + from.width / 2, from.y + BOX, to.x + to.width / 2, to.y];
      const bend = (y2 - y1) / 2;
      out.push(`<path d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}"/>`);
    }
  out.push(...boxes);
  title('The reader: imports go down');
  for (const floors of READER) {
    out.push(
      ...row(
        floors.map((name) => [name, thousands(linesIn(`web/${name}`))]),
        y,
        'reader',
      ).map(({ svg }) => svg),
    );
    y += BOX + GAP;
  }
  const threads = thousands(linesIn('workers'));
  const core = thousands(linesIn('wasm/src', /\.[ch]$/));
  out.push(
    ...row(
      [
        ['workers: what crosses a thread', threads],
        ['the C core', core],
      ],
      y,
      'reader',
    ).map(({ svg }) => svg),
  );
  y += BOX + GAP;
  const style = [
    'rect{fill:#eef3ef;stroke:#7b9485}.feature rect{fill:#f6efe2;stroke:#b08d4f}.face rect{fill:#e8eef7;stroke:#6f8bb5}',
    'text{font:12px system-ui,sans-serif;text-anchor:middle;fill:#1b2620}.lines{font-size:10px;fill:#55625b}',
    '.title{text-anchor:start;font-weight:600;fill:#55625b}path{fill:none;stroke:#b08d4f;stroke-opacity:.7}',
    '@media(prefers-color-scheme:dark){rect{fill:#24312a;stroke:#5d7667}.feature rect{fill:#342c1e;stroke:#a5854b}.face rect{fill:#202a38;stroke:#5f7aa5}text{fill:#e3eae5}.lines,.title{fill:#a3b0a8}}',
  ].join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img"><title>The faces, the features with what each needs, and the floors of the reader, with lines of code</title><style>${style}</style>\n${out.join('\n')}\n</svg>\n`;
  writeFileSync(join(root, 'docs/pictures/architecture.svg'), svg);
});
