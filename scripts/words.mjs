// The plain English lint: reads comments, string literals and documents, and reports words and
// openings that a reader whose second language is English would have to guess.
// scripts/lint.mjs calls it; `node scripts/words.mjs` runs it alone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runMain, StepError } from './run.mjs';

/**
 * Folders that are checked, with the file names that count.
 * @type {[folder: string, wanted: RegExp][]}
 */
const places = [
  ['web', /\.(ts|tsx|css|html)$/],
  ['workers', /\.ts$/],
  ['wasm/src', /\.[ch]$/],
  ['wasm/include', /\.h$/],
  ['scripts', /\.mjs$/],
  ['bench', /\.(mjs|md)$/],
  ['hosts', /(\.(ts|mjs)|README\.md)$/],
  ['tests', /\.(ts|tsx|mjs)$/],
  ['e2e', /\.ts$/],
  ['docs', /\.md$/],
];
const singleFiles = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** The test of this lint, whose examples are full of such words. */
const examples = join('tests', 'scripts', 'words.test.ts');

/** How a comment must not start. */
const openings = /^(Of|What)\b/;

/**
 * Coined or old-fashioned words, each with the word to use.
 * @type {[word: RegExp, better: string][]}
 */
const words = [
  [/\breckon(s|ed|ing)?\b/i, 'compute, count'],
  [/\bin vain\b|\bvainly\b/i, 'without success'],
  [/\bmend(s|ed|ing)?\b/i, 'repair, fix'],
  [/\bfor ?ever\b/i, 'indefinitely, permanently'],
  [/\bdear(er|est)?\b/i, 'expensive'],
  [/\bso many\b/i, 'this many, a number'],
  [
    /(?<!\bthere )\b(is|are|as) no (number|integer|name|text|list|file|tree|page|branch|key|JSON|URL|range|size|header)\b/i,
    'is not a …',
  ],
  [/\bof (them|these|those|which|it) there (is|are)\b/i, 'there are … of them'],
  [
    /\b(lest|thus|hence|hitherto|wherein|whereof|whereby|thereof|therein|nought|naught|whence|thither|hither|ere|save for|oft|albeit|amiss|perchance|betwixt|forthwith|henceforth|heretofore|alas|beforehand)\b/i,
    'a current word',
  ],
  [/\bas yet\b/i, 'yet, so far'],
  [/\b(one|each|directly|right|immediately) behind (the |an)other\b/i, 'one after another'],
  [
    /\b(lies?|stands?|comes?|follows?|bytes|ends?|starts?|begins?|put|written|read|what is|anything|nothing|something|is|are) behind\b/i,
    'after',
  ],
  [/\b(is|are) none of\b/i, 'is not one of, or say what it is'],
  [/\b(is|are|was|were|be) put to\b/i, 'matched to, assigned to'],
  [/\bof an? \w+'s own\b/i, 'his or her …, its …'],
  [/\bneed be\b/i, 'if necessary'],
  [/\b(is|are|was|were) (not )?(to hand|at hand)\b/i, 'is available'],
  [/\bbids?\b|\bbidden\b|\bforsake|\bheed(s|ed)?\b|\bvie\b/i, 'a current word'],
];

const regexBefore = /(^|[=(,:;!&|?{}[\n+\-*%<>~^]|\breturn|\btypeof|\bcase|=>)\s*$/;

/** @typedef {{ kind: 'comment' | 'string', at: number, text: string }} Fragment */

/**
 * Finds the comments and string literals of a source in C, TypeScript, JavaScript or CSS.
 * @param {string} text
 * @param {{ quotes: boolean }} options `quotes` false: only block comments exist (CSS, HTML)
 * @returns {Fragment[]}
 */
export function fragments(text, { quotes }) {
  /** @type {Fragment[]} */
  const found = [];
  const token = quotes
    ? /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|\/(?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*\/[a-z]*/g
    : /\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [body] = match;
    if (body.startsWith('/*') || body.startsWith('//') || body.startsWith('<!--')) {
      found.push({ kind: 'comment', at: match.index, text: body });
    } else if (body.startsWith('/')) {
      // A division, not a regular expression: go on after the slash.
      if (!regexBefore.test(text.slice(Math.max(0, match.index - 20), match.index)))
        token.lastIndex = match.index + 1;
    } else found.push({ kind: 'string', at: match.index, text: body });
  }
  return found;
}

/**
 * Joins the lines of a comment and drops its marks.
 * @param {string} comment
 */
function proseOf(comment) {
  return comment
    .replace(/^(\/\*+|\/\/+|<!--)\s*(\*\s+)?/, '')
    .replace(/\s*(\*\/|-->)$/, '')
    .replace(/\s*\n\s*(\*|\/\/)?\s*/g, ' ')
    .trim();
}

/**
 * Joins `//` comments on lines that follow each other, so that only the first one has an opening.
 * @param {Fragment[]} list
 * @param {string} text
 */
function joined(list, text) {
  /** @type {Fragment[]} */
  const result = [];
  for (const one of list) {
    const last = result.at(-1);
    const between = last && text.slice(last.at + last.text.length, one.at);
    if (last?.text.startsWith('//') && one.text.startsWith('//') && /^\n[ \t]*$/.test(between ?? 'x')) {
      last.text += between + one.text;
    } else result.push({ ...one });
  }
  return result;
}

/**
 * @param {string} text
 * @param {number} at
 */
function lineOf(text, at) {
  return text.slice(0, at).split('\n').length;
}

/**
 * @param {string} name path of the file, for the report
 * @param {string} text its content
 * @returns {string[]} one line for each word or opening that is not plain
 */
export function check(name, text) {
  /** @type {string[]} */
  const found = [];
  /** @type {(at: number, what: string) => void} */
  const report = (at, what) => found.push(`${name}:${lineOf(text, at)}: ${what}`);
  /** @type {(prose: string, at: number) => void} */
  const inProse = (prose, at) => {
    for (const [word, better] of words) {
      const hit = word.exec(prose);
      if (hit) report(at, `"${hit[0]}": write ${better}`);
    }
  };
  if (name.endsWith('.md')) {
    let at = 0;
    for (const line of text.split('\n')) {
      inProse(line.replace(/`[^`]*`/g, '``'), at);
      at += line.length + 1;
    }
    return found;
  }
  for (const { kind, at, text: body } of joined(
    fragments(text, { quotes: !/\.(css|html)$/.test(name) }),
    text,
  )) {
    const prose = kind === 'comment' ? proseOf(body) : body;
    if (kind === 'comment' && openings.test(prose))
      report(at, `a comment starts with "${openings.exec(prose)?.[0]}": start with the thing or a verb`);
    inProse(prose, at);
  }
  return found;
}

/** @returns {{ status: number, output: string }} */
export function lintWords() {
  const names = [...singleFiles];
  for (const [folder, wanted] of places)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (wanted.test(name) && !/(^|\/)(node_modules|out)\//.test(name)) names.push(join(folder, name));
  const found = names
    .filter((name) => name !== examples)
    .flatMap((name) => check(name, readFileSync(join(root, name), 'utf8')));
  return { status: found.length > 0 ? 1 : 0, output: found.map((line) => `${line}\n`).join('') };
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    const { status, output } = lintWords();
    if (status !== 0) throw new StepError(output);
  });
}
