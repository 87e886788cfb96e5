import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

// Names, titles and links come from others and may be long: a regular expression whose time grows
// with more than their length lets them stop the page. Every expression that ships is analysed.

// The analyser without its native parts, which are not installed.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = await import('recheck');

const root = join(import.meta.dirname, '..');

// An expression takes seconds to be analysed. Those that were found to be linear are listed here; one that is new or has
// changed is analysed. XYLEM_REGEXES=new writes the list again with these; XYLEM_REGEXES=all analyses every one before.
const list = join(import.meta.dirname, 'fixtures/linear-expressions.json');
const writes = process.env.XYLEM_REGEXES;
const known = new Set<string>(writes === 'all' ? [] : JSON.parse(readFileSync(list, 'utf8')));

/** Without these the time is bounded by the expression itself. */
const REPEATS = /[*+]|\{\d+,\d*\}/;

interface Found {
  place: string;
  pattern: string;
  flags: string;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function expressionsIn(path: string): { literals: Found[]; built: string[] } {
  const text = readFileSync(join(root, path), 'utf8');
  const literals: Found[] = [];
  const built: string[] = [];
  const place = (start: number): string => `${path}:${text.slice(0, start).split('\n').length}`;
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) walk(one);
    if (Array.isArray(node) || typeof node !== 'object' || node === null) return;
    const { type, start, regex, callee } = node as {
      type?: string;
      start: number;
      regex?: { pattern: string; flags: string };
      callee?: { name?: string };
    };
    if (type === 'Literal' && regex) literals.push({ place: place(start), ...regex });
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
      built.push(place(start));
    }
    for (const member of Object.values(node)) walk(member);
  };
  walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  return { literals, built };
}

const found = ['web', 'workers'].flatMap(sources).map(expressionsIn);

test('no regular expression is built from a text', () => {
  expect(found.flatMap(({ built }) => built)).toEqual([]);
});

test('every regular expression takes linear time, whatever the text', { timeout: 600_000 }, () => {
  const verdicts = new Map<string, string>();
  const bad: string[] = [];
  for (const { place, pattern, flags } of found.flatMap(({ literals }) => literals)) {
    if (!REPEATS.test(pattern)) continue;
    // A sticky one begins at one place only.
    const text = flags.includes('y') ? `^(?:${pattern})` : pattern;
    const key = `/${text}/${flags.replace('y', '')}`;
    const verdict =
      verdicts.get(key) ?? (known.has(key) ? 'linear' : verdictOf(text, flags.replace('y', '')));
    verdicts.set(key, verdict);
    if (verdict !== 'linear') bad.push(`${place} /${pattern}/${flags} is ${verdict}`);
  }
  const analysed = [...verdicts.keys()].filter((key) => !known.has(key));
  if (analysed.length > 10)
    process.stderr.write(
      `${analysed.length} regular expressions are not in ${list}: XYLEM_REGEXES=new adds them.\n`,
    );
  // The test sees what it looks for.
  expect(verdicts.size).toBeGreaterThan(50);
  expect(verdictOf('^\\s*(\\+?)([^\\s()+]*)\\s*(?:\\(([^()]*)\\))?\\s*$', '')).toBe('polynomial');
  expect(verdictOf('(\\[[^\\]]*\\])+$', '')).toBe('polynomial');
  expect(bad).toEqual([]);
  if (writes !== undefined) writeFileSync(list, `${JSON.stringify([...verdicts.keys()].sort(), null, 2)}\n`);
});

/** "linear" where that is verified, or where fuzzing found nothing worse; else what was found, or "unknown". */
function verdictOf(pattern: string, flags: string): string {
  const found = checkSync(pattern, flags, { timeout: 60_000 });
  if (found.status === 'vulnerable') return found.complexity.type;
  return found.status === 'safe' ? 'linear' : 'unknown';
}
