import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatBytes, formatCount } from '../../web/base/format';
import { verbTool } from '../../web/cli/commands/mcp/verb-tool';
import { verbs } from '../../web/verbs/list';
import { withReader } from '../engine-reader';
import { type RangeServer, startRangeServer } from '../servers/range-server';
import { makeCall } from './mcp-call';
import { run } from './support';

const sample = resolve('public/sample.root');
const fixture = (name: string) => resolve('tests/fixtures/files', name);
const folder = mkdtempSync(join(tmpdir(), 'xylem-faces-'));

const reader = withReader();
let server: RangeServer;
beforeAll(async () => {
  server = await startRangeServer(readFileSync(sample));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The result of a verb as --json prints it: a test reads only what it names. */
// biome-ignore lint/suspicious/noExplicitAny: each verb has a result of its own
type Json = any;

interface Case {
  verb: keyof typeof verbs;
  /** Files and options; `SERVER` is the address of a file. */
  words: string[];
  /** The arguments of the tool; missing if there is no tool. */
  input?: Record<string, unknown>;
  /** Titles of tables that a terminal leaves out, because a page folds them. */
  folded?: string[];
  /** Texts that the figures of the JSON have as cells or facts. */
  figures(json: Json): string[];
}

const WIDE = fixture('page/wide.root');
const GOOD = fixture('clusters.root');
const DAMAGED = fixture('damaged/zlib_flipped.root');
const [BEFORE, AFTER] = [fixture('pairs/before.root'), fixture('pairs/after.root')];

const cases: Record<string, Case> = {
  'layout of branches': {
    verb: 'layout',
    words: [sample, 'Events', '--top', '0'],
    input: { file: sample, tree: 'Events' },
    figures: ({ entries, basketBytes, branches }) => [
      formatCount(entries),
      ...Object.values<number>(basketBytes).map(formatBytes),
      ...branches.flatMap((one: Json) => [one.path, formatBytes(one.storedBytes)]),
    ],
  },
  'layout of baskets in the record of a tree': {
    verb: 'layout',
    words: [WIDE, '--collections'],
    input: { file: WIDE },
    figures: ({ embeddedBaskets, recordBytes, collections }) => [
      `${formatCount(embeddedBaskets)} of ${formatBytes(recordBytes)}`,
      ...collections.flatMap((one: Json) => [one.name, formatBytes(one.totalBytes)]),
    ],
  },
  'layout of collections': {
    verb: 'layout',
    words: [sample, 'Events', '--collections'],
    input: { file: sample, tree: 'Events' },
    figures: ({ collections }) =>
      collections.flatMap((one: Json) => [one.name, formatBytes(one.storedBytes)]),
  },
  doctor: {
    verb: 'doctor',
    words: [GOOD],
    input: { file: GOOD },
    folded: ['What reading costs'],
    figures: ({ findings }) => findings.map((one: Json) => one.evidence),
  },
  'doctor of two files': {
    verb: 'doctor',
    words: [GOOD, sample],
    input: { file: [GOOD, sample] },
    folded: ['What reading costs', 'What reading costs'],
    figures: ({ files }) => files.map(({ file }: Json) => file),
  },
  'check of a sound file': {
    verb: 'check',
    words: [sample],
    input: { file: sample },
    figures: ({ files }) => [`${formatCount(files[0].counts.baskets)} baskets`],
  },
  'check of a damaged file': {
    verb: 'check',
    words: [DAMAGED],
    input: { file: DAMAGED },
    figures: ({ files }) =>
      files[0].findings.flatMap(({ rule, path, message }: Json) => [rule, path, message]),
  },
  'check of two files': {
    verb: 'check',
    words: [sample, DAMAGED],
    input: { file: [sample, DAMAGED] },
    figures: ({ files, summary }) => [
      ...files.map(({ name }: Json) => name),
      `${formatCount(summary.error)} errors`,
    ],
  },
  diff: {
    verb: 'diff',
    words: [BEFORE, AFTER],
    input: { a: BEFORE, b: AFTER },
    figures: ({ compared, keys }) => [
      `${formatCount(compared.branches)} branches`,
      ...keys.added,
      ...keys.removed,
    ],
  },
  whatif: {
    verb: 'whatif',
    words: [sample, 'Events', '--branches', 'Muon_pt,nMuon'],
    input: { file: sample, tree: 'Events', branches: ['Muon_pt', 'nMuon'] },
    figures: ({ outcomes }) =>
      outcomes.flatMap(({ strategy, calls, bytes }: Json) => [
        strategy,
        formatCount(calls),
        formatBytes(bytes),
      ]),
  },
  probe: {
    verb: 'probe',
    words: ['SERVER'],
    figures: ({ checks, facts }) => [
      formatBytes(facts.size),
      // Times are those of each run.
      ...checks
        .filter(({ id }: Json) => id !== 'latency')
        .flatMap(({ title, found, meaning = '' }: Json) => [title, found, meaning]),
    ],
  },
};

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The text of HTML without tags, on one line. */
const plain = (html: string): string =>
  onOneLine(
    html
      .replace(/<[^>]*>/g, ' ')
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );

/** All matches of the first group, as plain text. */
const parts = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, inner = '']) => plain(inner));

interface ShownTable {
  title: string;
  rows: string[][];
}

function tablesOf(html: string): ShownTable[] {
  return [...html.matchAll(/(?:<h\d>([^<]*)<\/h\d>\n)?<table>(.*?)<\/table>/gs)].map(
    ([, title = '', table = '']) => ({
      title: plain(title),
      rows: [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
        parts(row, /<t[hd][^>]*>(.*?)<\/t[hd]>/gs),
      ),
    }),
  );
}

/** Takes the line of a terminal away that begins with a text, or ends with it. Fails if there is none. */
function take(lines: string[], text: string): void {
  const wanted = onOneLine(text).toLowerCase();
  const at = lines.findIndex((line) => line.startsWith(wanted) || line.endsWith(wanted));
  expect(at, `the terminal has no line "${wanted}"`).toBeGreaterThanOrEqual(0);
  lines.splice(at, 1);
}

test.each(Object.entries(cases))('%s: terminal, HTML, JSON and tool tell the same', async (name, one) => {
  const { verb, folded = [], figures, input } = one;
  const words = one.words.map((word) => (word === 'SERVER' ? server.url : word));
  const out = join(folder, `${name}.html`);
  const text = await run(reader, verb, ...words, '--report', out);
  const html = readFileSync(out, 'utf8');
  const json = await run(reader, verb, ...words, '--json');
  expect(json.status).toBe(text.status);

  const lines = text.out.split('\n').map((line) => onOneLine(line).toLowerCase());
  const facts = [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)];
  for (const [, label = '', value = ''] of facts) take(lines, `${plain(label)} ${plain(value)}`);
  const tables = tablesOf(html);
  expect(
    tables.map(({ title }) => title).filter((title) => title !== '' && !lines.includes(title.toLowerCase())),
  ).toEqual(folded);
  const rows = tables.filter(({ title }) => !folded.includes(title)).flatMap((table) => table.rows);
  for (const row of rows) take(lines, row.join(' '));
  // A verdict is a grade before the title, and a sentence after it.
  const paragraphs = html.replace(/<\/span>: /g, '</span></p><p>');
  for (const said of parts(paragraphs, /<(?:p|p class="note"|pre)>(.*?)<\/p(?:re)?>/gs))
    expect(onOneLine(`${text.out} ${text.err}`).toLowerCase()).toContain(said.toLowerCase());

  const shown = plain(html);
  for (const figure of figures(JSON.parse(json.out))) expect(shown).toContain(onOneLine(figure));

  const tool = verbTool(await verbs[verb].load());
  expect(tool === undefined).toBe(input === undefined);
  if (tool === undefined || input === undefined) return;
  const told = await tool.run(input, makeCall(reader));
  const isJson = told.text.startsWith('{');
  if (isJson) expect(JSON.parse(told.text)).toEqual(JSON.parse(json.out));
  else expect(told.text.trim().startsWith(text.out.trim())).toBe(true);
});
