import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { FileId, TreeInfo } from '../../../web/api/api';
import { isOf } from '../../../web/features/selectors/work/kinds/kinds';
import { selectorText } from '../../../web/features/snippets/work/selector-text';
import { run } from '../../cli/support';
import { bufferSpec, fixtureBytes, goldenNames, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { compileTypeScript } from './compile';

const folder = mkdtempSync(join(tmpdir(), 'xylem-selector-text-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const kinds = resolve(import.meta.dirname, '../../../web/features/selectors/work');
/** The types that a selector imports, as web/public.ts exports them. */
const TYPES = `
export type { ListColumn, Selector } from '${kinds}/types';
export type { SelectorHistogram } from '${kinds}/kinds/histogram';
`;
const reader = withReader(makeEngine);
let written = 0;

/** Writes a module and returns its address. */
function moduleOf(text: string): string {
  const path = join(folder, `selector${written++}.mjs`);
  writeFileSync(path, text);
  return pathToFileURL(path).href;
}

/** A selector that compares the columns with the types that the text says. */
function checkOf(text: string): string {
  const types = [...text.matchAll(/^ \* @property \{([^}]+)\} (\w+) /gm)].map(([, type = '', name = '']) => [
    name,
    type.replace("import('xylem').", ''),
  ]);
  const [, filled = ''] = /branches: \{([\s\S]*?)\n {2}\},/.exec(text) ?? [];
  const names = [...filled.matchAll(/^ {4}(\w+): "/gm)].map(([, name]) => name);
  const chosen = Object.fromEntries(types.filter(([name]) => names.includes(name)));
  return `const types = ${JSON.stringify(chosen)};
export default {
  branches: {${filled}
  },
  begin: (job) => ({ wrong: job.labels() }),
  process(columns, out) {
    for (const [name, type] of Object.entries(types)) {
      const column = columns[name];
      const of = (one) => Array.isArray(one) ? 'string[]' : one.constructor.name;
      const is = column.offsets ? 'ListColumn<' + of(column.values) + '>' : of(column);
      if (is.replace('<Float64Array>', '') !== type) out.wrong.add(name + ' is ' + is + ', not ' + type);
    }
  },
};
`;
}

interface Tally {
  ran: number;
  refused: string[];
  wrong: string[];
}

async function tryTree(where: string, file: FileId, tree: TreeInfo, tally: Tally): Promise<void> {
  let text: string;
  try {
    text = await selectorText(reader, file, tree, { language: 'js' });
  } catch (thrown) {
    tally.refused.push(`${where}: ${(thrown as { code?: string }).code}`);
    return;
  }
  const ask = (module: string) => reader.process(file, { tree: tree.path, module });
  try {
    const made = await ask(moduleOf(text));
    const { state } = await ask(moduleOf(checkOf(text)));
    const labels = isOf('labels', state.wrong) ? [...state.wrong.sums.keys()] : ['no labels'];
    if (made.partial || labels.length > 0) tally.wrong.push(`${where}: ${labels}`);
    const fills = Object.values(made.state).map((one) => (isOf('histogram', one) ? one.fills : Number.NaN));
    if (!fills.every((one) => one >= 0)) tally.wrong.push(`${where}: ${fills}`);
    tally.ran += 1;
  } catch (thrown) {
    tally.wrong.push(`${where}: ${(thrown as Error).message}`);
  }
}

async function tryFile(name: string, bytes: Uint8Array, tally: Tally): Promise<void> {
  const opened = await reader.open(bufferSpec(name, bytes)).catch(() => undefined);
  if (!opened) return;
  const keys = await reader.keys(opened.id).catch(() => []);
  for (const { path, cycle } of keys.filter(({ kind }) => kind === 'tree' || kind === 'ntuple')) {
    const tree = await reader.tree(opened.id, `${path};${cycle}`).catch(() => undefined);
    if (tree) await tryTree(`${name} ${path};${cycle}`, opened.id, tree, tally);
  }
  await reader.close(opened.id);
}

describe('the first selector of a tree runs as it is, and its columns have its types', () => {
  test('of all fixtures', { timeout: 120_000 }, async () => {
    const tally: Tally = { ran: 0, refused: [], wrong: [] };
    for (const name of goldenNames()) await tryFile(name, fixtureBytes(name), tally);
    expect(tally.wrong).toEqual([]);
    expect(tally.ran).toBeGreaterThan(30);
    // Their branches are all objects, or there are none.
    const bare = [
      'collections_member_wise t',
      'collections_split0 t',
      'empty bare',
      'leaflists t',
      'objects_split0 t',
    ];
    expect(tally.refused.sort()).toEqual(bare.map((tree) => `${tree};1: UNSUPPORTED`));
  });

  const corpus = process.env.XYLEM_CORPUS ?? '';
  test.skipIf(lacks('the files of XYLEM_CORPUS', existsSync(corpus)))(
    'of the corpus',
    { timeout: 600_000 },
    async () => {
      const tally: Tally = { ran: 0, refused: [], wrong: [] };
      const names = readdirSync(corpus, { recursive: true, encoding: 'utf8' });
      for (const name of names.filter((one) => one.endsWith('.root')))
        await tryFile(name, readFileSync(join(corpus, name)), tally);
      expect(tally.wrong).toEqual([]);
      expect(tally.ran).toBeGreaterThan(200);
      // Trees whose branches are all objects, and those without branches.
      expect(tally.refused.filter((one) => !one.endsWith(': UNSUPPORTED'))).toEqual([]);
      expect(tally.refused.length).toBeLessThan(60);
    },
  );
});

test('in TypeScript it has no errors, and Node strips its types', async () => {
  const { out, err } = await run(reader, 'types', sample, 'Events', '--selector');
  expect(err).toBe('');
  expect(out).toMatch(/Muon_pt: ListColumn;/);
  const sources = { analysis: out.replace("from 'xylem'", "from './xylem'"), xylem: TYPES };
  // The types of the package are read as sources, which import without extensions.
  const options = ['--target', 'esnext', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const { complaints, made } = compileTypeScript(sources, ...options);
  expect(complaints).toBe('');
  const path = join(folder, 'analysis.mjs');
  writeFileSync(path, made.analysis ?? '');
  const ran = await run(reader, 'process', path, sample, 'Events');
  expect([ran.err, ran.status]).toEqual(['', 0]);
  expect(ran.out).toMatch(/Muon_pt +5,012 fills/);
  // Node removes types, and writes no code for enumerations and the like.
  expect(out).not.toMatch(/^\s*(enum|namespace)\b|import [^t]/m);
});

test('a tree of objects alone is refused, and so are two forms', async () => {
  const info = { path: 'T', entries: 1, branches: [{ kind: 'object', name: 'event', path: 'event' }] };
  await expect(selectorText(reader, 0, info as TreeInfo, { language: 'ts' })).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    where: { path: 'T' },
  });
  expect((await run(reader, 'types', sample, 'Events', '--selector', '--ts')).status).toBe(2);
  expect((await run(reader, 'types', sample, '--js')).status).toBe(2);
});
