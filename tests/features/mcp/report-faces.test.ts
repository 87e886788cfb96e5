// Needs features: all.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatBytes, formatCount } from '../../../web/base/format';
import type { Call } from '../../../web/features/mcp/cli/tool';
import { verbTool } from '../../../web/features/mcp/cli/verb-tool';
import { verbs } from '../../../web/verbs/list';
import type { AnyVerb } from '../../../web/verbs/verb';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { type RangeServer, startRangeServer } from '../../servers/range-server';
import { makeCall } from './mcp-call';

const sample = resolve('public/sample.root');
const fixture = (name: string) => resolve('tests/fixtures/files', name);
const trace = (name: string) => resolve('tests/fixtures/reads', name);
const folder = mkdtempSync(join(tmpdir(), 'xylem-faces-'));
const model = {
  sites: [{ name: 'far', slots: 4, link: { latencyMs: 50, mbitPerS: 100 } }],
  datasets: [{ name: 'samples', file: sample, files: 5 }],
  uses: [{ name: 'muons', dataset: 'samples', branches: ['Muon_*'] }],
  jobs: { count: 20 },
};
const modelPath = join(folder, 'model.json');
writeFileSync(modelPath, JSON.stringify(model));

const reader = withReader();
let call: Call;
let server: RangeServer;
beforeAll(async () => {
  call = makeCall(reader);
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
  /** The arguments of the tool; missing if it does not tell this. */
  input?: Record<string, unknown>;
  /** Titles of tables that a terminal leaves out, because a page folds them. */
  folded?: string[];
  /** The lines that differ in each run. */
  differs?: RegExp;
  /** Texts that the figures of the JSON have as cells or facts. */
  figures(json: Json): string[];
}

const WIDE = fixture('page/wide.root');
const GOOD = fixture('clusters.root');
const DAMAGED = fixture('damaged/zlib_flipped.root');
const UNLISTED = fixture('ntuple_fields.root');
const [WALL, REFERENCE] = [fixture('walls/new.root'), fixture('walls/reference.root')];
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
  map: {
    verb: 'map',
    words: [sample, '--branches', 'Muon_pt'],
    input: { file: sample, branches: ['Muon_pt'] },
    figures: ({ kinds }) =>
      kinds.flatMap(({ bytes, segments }: Json) => [formatCount(bytes), formatCount(segments)]),
  },
  'map with bytes that no list names': {
    verb: 'map',
    words: [UNLISTED],
    input: { file: UNLISTED },
    figures: ({ kinds }) => kinds.map(({ bytes }: Json) => formatCount(bytes)),
  },
  'wall of stored objects': {
    verb: 'wall',
    words: [WALL, 'dqm/**', '--sort', 'entries'],
    input: { file: WALL, patterns: ['dqm/**'], sort: 'entries' },
    figures: ({ plots }) => plots.flatMap(({ name, entries }: Json) => [name, formatCount(entries)]),
  },
  'wall of branches': {
    verb: 'wall',
    words: [GOOD, 'x', 'x*2', '--tree', 't', '--cut', 'x>3'],
    input: { file: GOOD, patterns: ['x', 'x*2'], tree: 't', cut: 'x>3' },
    figures: ({ plots }) => plots.flatMap(({ name, entries }: Json) => [name, formatCount(entries)]),
  },
  'wall with a reference': {
    verb: 'wall',
    words: [WALL, '--reference', REFERENCE, '--fail-on', 'chi2<0.01,missing'],
    input: { file: WALL, reference: REFERENCE, failOn: ['chi2<0.01,missing'] },
    figures: ({ plots }) => plots.flatMap(({ name, state, why }: Json) => [name, state, ...why]),
  },
  'wall with a reference that has nothing in common': {
    verb: 'wall',
    words: [WALL, 'graph', '--reference', REFERENCE],
    input: { file: WALL, patterns: ['graph'], reference: REFERENCE },
    figures: ({ plots }) => plots.map(({ name }: Json) => name),
  },
  dataset: {
    verb: 'dataset',
    words: [`${fixture('codec_zlib.root')},${fixture('leaves.root')}`],
    input: { files: [fixture('codec_zlib.root'), fixture('leaves.root')] },
    figures: ({ bytes, trees, findings }) => [
      formatBytes(bytes),
      ...trees.flatMap((tree: Json) => [tree.path, formatCount(tree.entries), formatBytes(tree.storedBytes)]),
      ...findings.flatMap(({ rule, message, files }: Json) => [rule, message, ...files]),
    ],
  },
  fleet: {
    verb: 'fleet',
    words: [modelPath],
    input: { model },
    figures: (found) =>
      found.flatMap(({ access, jobs, origin }: Json) => [
        access,
        formatCount(jobs),
        formatCount(origin.requests),
        formatBytes(origin.bytes),
      ]),
  },
  'fleet with a sweep': {
    verb: 'fleet',
    words: [modelPath, '--sweep', 'jobs.count=10,30', '--access', 'pull'],
    input: { model, sweep: 'jobs.count=10,30', access: ['pull'] },
    figures: (found) => found.flatMap(({ value, origin }: Json) => [`${value}`, formatBytes(origin.bytes)]),
  },
  tree: {
    verb: 'tree',
    words: [sample, 'Events'],
    figures: ({ tree: { branches } }) =>
      branches.flatMap((one: Json) => [one.path, one.typeName, formatCount(one.entries)]),
  },
  summary: {
    verb: 'summary',
    words: [sample, 'Events', '--branches', 'nMuon,Muon_pt,trigger'],
    input: { file: sample, tree: 'Events', branches: ['nMuon', 'Muon_pt', 'trigger'] },
    figures: ({ branches }) =>
      branches.flatMap((one: Json) => [one.path, formatCount(one.values), formatCount(one.distinct)]),
  },
  plan: {
    verb: 'plan',
    words: [`${sample},${sample}`, 'Events', '--tasks', '3'],
    figures: ({ tasks, files, entries, bytes }) => [
      `${formatCount(tasks.length)} tasks, ${formatCount(files)} files`,
      `${formatCount(entries)} entries, ${formatBytes(bytes)}`,
      ...tasks.flatMap((task: Json) => [formatCount(task.entries), formatBytes(task.bytes)]),
    ],
  },
  'plan of files that cannot all be read': {
    verb: 'plan',
    words: [`${sample},${fixture('leaves.root')}`, 'Events'],
    figures: ({ entries, failed }) => [formatCount(entries), ...failed.map(({ file }: Json) => file)],
  },
  'perf of a saved reading': {
    verb: 'perf',
    words: [trace('perfstat.root')],
    input: { file: trace('perfstat.root') },
    figures: ({ by, tree, numbers }) => [by, tree, `${numbers.readCalls}`, `${numbers.leaves}`],
  },
  perf: {
    verb: 'perf',
    words: [sample, 'Events', '--branches', 'Muon_pt,nMuon', '--columns'],
    input: { file: sample, tree: 'Events', branches: ['Muon_pt', 'nMuon'], columns: true },
    // Times and rates differ from run to run.
    differs: / (s|MB\/s)$/,
    figures: ({ numbers, columns }) => [
      `${numbers.readCalls}`,
      ...columns.flatMap(({ path, pages, pagesRead, readBytes }: Json) => [
        path,
        `${pagesRead} of ${pages}`,
        formatBytes(readBytes),
      ]),
    ],
  },
  'perf of a trace': {
    verb: 'perf',
    words: [trace('jsroot.har'), '--file', sample],
    figures: ([{ by, numbers, columns, use }]) => [
      by,
      `${numbers.readCalls}`,
      formatBytes(use.wantedBytes),
      ...columns.flatMap(({ path, readBytes }: Json) => [path, formatBytes(readBytes)]),
    ],
  },
  probe: {
    verb: 'probe',
    words: ['SERVER'],
    figures: ({ checks, facts }) => [
      formatBytes(facts.size),
      // Times differ from run to run.
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

/** A text without the lines that differ in each run, and without the widths of its columns. */
const lasting = (text: string, differs?: RegExp): string =>
  text
    .trim()
    .split('\n')
    .map(onOneLine)
    .filter((line) => !differs?.test(line))
    .join('\n');
async function verbNamed(name: string): Promise<AnyVerb> {
  const listed = verbs[name];
  if (listed === undefined) throw new Error(`There is no verb ${name}.`);
  return listed.load();
}

test('check of several files tells those that can be read beside one that cannot, in a tool as in a terminal', async () => {
  const folderOfThree = mkdtempSync(join(folder, 'three-'));
  for (const name of ['a.root', 'c.root']) copyFileSync(fixture('leaves.root'), join(folderOfThree, name));
  writeFileSync(join(folderOfThree, 'b.root'), 'no ROOT file');
  const pattern = join(folderOfThree, '*.root');
  const printed = await run(reader, 'check', pattern, '--json');
  expect(printed.status).toBe(1);
  const tool = verbTool(await verbNamed('check'));
  const told = JSON.parse((await tool?.run({ file: pattern }, makeCall(reader)))?.text ?? '');
  expect(told).toEqual(JSON.parse(printed.out));
  expect(told.files.map(({ findings }: Json) => findings.map(({ rule }: Json) => rule))).toEqual([
    ...[[], ['not-opened'], []],
  ]);
});

test('a time that is too large for a number is "inf" in JSON, and an empty cell in the terminal', async () => {
  const words = ['whatif', sample, 'Events', '--branches', 'nMuon', '--bandwidth', '1e-320'];
  const { link, outcomes } = JSON.parse((await run(reader, ...words, '--json')).out);
  expect(link.bytesPerMs).toBeGreaterThan(0);
  expect(outcomes.map(({ ms }: Json) => ms)).toEqual(outcomes.map(() => 'inf'));
  expect((await run(reader, ...words)).out).toMatch(/^xylem .* 0 B +\d+ ms$/m);
  const tool = verbTool(await verbNamed('whatif'));
  const input = { file: sample, tree: 'Events', branches: ['nMuon'], megabitsPerSecond: 1e-320 };
  expect(JSON.parse((await tool?.run(input, makeCall(reader)))?.text ?? '').outcomes).toEqual(outcomes);
});

test.each(Object.entries(cases))('%s: terminal, HTML, JSON and tool tell the same', async (name, one) => {
  const { verb, folded = [], differs, figures, input } = one;
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
  // So is a word before its explanation.
  const paragraphs = html.replace(/<\/span>: /g, '</span></p><p>').replace(/<\/b>: /g, '</b> ');
  for (const said of parts(paragraphs, /<(?:p|p class="note"|pre)>(.*?)<\/p(?:re)?>/gs))
    expect(onOneLine(`${text.out} ${text.err}`).toLowerCase()).toContain(said.toLowerCase());

  const shown = plain(html);
  for (const figure of figures(JSON.parse(json.out))) expect(shown).toContain(onOneLine(figure));

  const tool = verbTool(await verbNamed(verb));
  expect(tool === undefined).toBe(['plan', 'probe', 'tree'].includes(verb));
  if (tool === undefined || input === undefined) return;
  const told = await tool.run(input, call);
  const isJson = told.text.startsWith('{');
  if (isJson) expect(JSON.parse(told.text)).toEqual(JSON.parse(json.out));
  else {
    // A terminal may have a picture above the report; a tool tells the notes below it.
    const notes = [...html.matchAll(/<p class="note">(.*?)<\/p>/gs)].map(([, note = '']) => plain(note));
    const [answer = '', said = ''] = lasting(told.text, differs)
      .trim()
      .split(/\n\n(?=note: )/);
    expect(lasting(text.out, differs).trim().endsWith(answer)).toBe(true);
    for (const note of notes) expect(onOneLine(said)).toContain(note);
  }
});
