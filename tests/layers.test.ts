import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { featureIds, needsOf, withDependents } from '../scripts/features.mjs';

// The layers of docs/architecture.md: imports go only down this list.
const LAYERS = [
  'base',
  'report',
  'core',
  'io',
  'cache',
  'api',
  'sinks',
  'model',
  'bins',
  'pass',
  'query',
  'measure',
  'engine',
  'reads',
  'insight',
  'export',
  'library',
  'plot',
  'verbs',
  'ui',
  'element',
  'cli',
];
/** Rooms of some floors, the lowest first; '.' are the files that lie in none. Values are imported only down this list. */
const ROOMS: Record<string, readonly string[]> = {
  'web/core': ['sums', '.', 'modules'],
  'web/io': ['.', 'fetch', 'http'],
  'web/plot': ['drawing', '.', 'stored', 'layers', 'public', 'chart'],
  'web/ui': [
    ...['state', 'widgets', 'commands', 'contents', 'save', 'report', 'plot', 'table', 'query', 'panels'],
    ...['object', 'embed', '.'],
  ],
  'web/cli': ['.', 'terminal', 'commands', 'process'],
  'web/pass': ['goals', 'columns', '.'],
  'web/query': ['language', 'compile', '.', 'friends'],
  'web/features/writer/work': [
    ...[
      'file',
      'encode',
      'input',
      'ntuple',
      'regroup',
      'copy',
      'plan',
      'merge',
      'new',
      'salvage',
      'verbs',
      '.',
    ],
  ],
};
/** The thread boundary stands on all that computes; what shows or starts things may import it. */
const BELOW_WORKERS = LAYERS.indexOf('verbs');
/** `document` and `window` begin here. */
const PAGE = LAYERS.indexOf('plot');

const root = join(import.meta.dirname, '..');

/** The library's entries serve the element and the command line; the page's app stands above all. */
const ENTRIES: Record<string, number> = {
  'index.ts': LAYERS.indexOf('element'),
  index: LAYERS.indexOf('element'),
  'public.ts': LAYERS.indexOf('element'),
  public: LAYERS.indexOf('element'),
  'reader.ts': LAYERS.indexOf('element'),
  reader: LAYERS.indexOf('element'),
  'node.ts': LAYERS.indexOf('element'),
  node: LAYERS.indexOf('element'),
};

interface Place {
  /** Index in LAYERS; see `ENTRIES` for files that lie in none of their folders. */
  level: number;
  worker: boolean;
}

function placeOf(path: string): Place {
  const [top, folder = ''] = path.split('/');
  if (top === 'workers') return { level: BELOW_WORKERS, worker: true };
  if (top !== 'web') throw new Error(`${path} is not part of what ships`);
  if (folder === 'features') return partOf(path);
  const isEntry = !path.includes('/', 'web/'.length);
  const level = isEntry ? (ENTRIES[folder] ?? LAYERS.length) : LAYERS.indexOf(folder);
  if (level < 0) throw new Error(`web/${folder} is not a layer of docs/architecture.md`);
  return { level, worker: false };
}

/** The lists of what features give. They load code only when it is used, so that each floor may have them. */
const isList = (path: string): boolean => /^web\/features\/[\w-]+(\.ts)?$/.test(path);

/** The parts of a feature, and the floor that each may import from: features/ID/work and the verbs beside it, view and cli. */
function partOf(path: string): Place {
  const part = path.split('/')[3] ?? '';
  const floor = { view: 'ui', cli: 'cli' }[part] ?? 'verbs';
  return { level: LAYERS.indexOf(floor), worker: part === 'threads' };
}

/**
 * Files below the features that still import one, each until it takes the feature from a list: "web/FILE ID". The list only gets
 * shorter.
 */
const STILL: readonly string[] = [];

const featureOf = (path: string): string | undefined => /^web\/features\/(\w+)\//.exec(path)?.[1];

/** Whether the file must not name the document. The types of work of features have none: see tsconfig.core.json. */
function isPageless(path: string, { level, worker }: Place): boolean {
  return worker || level < PAGE || path.startsWith('web/verbs/');
}

function mayUseNode(path: string): boolean {
  return /^(web\/(core\/modules|io|io\/http|cache|sinks|features\/\w+\/work)\/node-|web\/node\.ts$|web\/cli\/|web\/features\/\w+\/cli\/|workers\/node-)/.test(
    path,
  );
}

/** The place of a file in the rooms of its floor; undefined where its floor has no order of rooms. */
function roomOf(path: string): { floor: string; room: number } | undefined {
  const floor = Object.keys(ROOMS).find((one) => path.startsWith(`${one}/`));
  if (floor === undefined) return undefined;
  const rooms = ROOMS[floor] ?? [];
  const [room = '', ...deeper] = path.slice(floor.length + 1).split('/');
  const index = rooms.indexOf(deeper.length > 0 || !/\.tsx?$/.test(room) ? room : '.');
  return { floor, room: index < 0 ? rooms.indexOf('.') : index };
}

interface Node {
  type: string;
  [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Calls `visit` for each node; `skip` are children that are names and not references. */
function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  const named = 'computed' in node && !node.computed;
  for (const [key, child] of Object.entries(node)) {
    if (named && (key === 'key' || (key === 'property' && !isGlobal(node.object)))) continue;
    for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) walk(one, visit);
  }
}

function isGlobal(object: unknown): boolean {
  return isNode(object) && object.type === 'Identifier' && /^(globalThis|self)$/.test(String(object.name));
}

/** Whether a declaration imports or exports no value. */
function isTypeOnly({ importKind, exportKind, specifiers }: Node): boolean {
  if (importKind === 'type' || exportKind === 'type') return true;
  const names = Array.isArray(specifiers) ? specifiers.filter(isNode) : [];
  return names.length > 0 && names.every((one) => one.importKind === 'type' || one.exportKind === 'type');
}

/** Returns the mistakes in the imports and globals of a file, by the rules of docs/architecture.md. */
function faultsOf(path: string, source: string): string[] {
  const faults: string[] = [];
  const here = placeOf(path);
  const checkImport = (specifier: string, isType: boolean, isLoaded: boolean) => {
    if (specifier.startsWith('node:')) {
      if (!mayUseNode(path)) faults.push(`imports ${specifier}`);
      return;
    }
    if (!specifier.startsWith('.')) return;
    const target = join(dirname(path), specifier);
    // Built files and package.json have no layer.
    if (!/^(web|workers)\//.test(target)) return;
    if (isList(path) || isList(target)) {
      // Programs import a few lines of features, which import nothing themselves.
      const isPublic = path === 'web/features/public.ts';
      if (isList(path) && !isLoaded && !isType && !isPublic)
        faults.push(`imports ${target} before it is used`);
      return;
    }
    const there = placeOf(target);
    const above = there.worker ? !here.worker && here.level <= BELOW_WORKERS : there.level > here.level;
    const [self, feature] = [featureOf(path), featureOf(target)];
    if (self && feature && self !== feature && !needsOf(self).includes(feature))
      faults.push(`imports ${target}, of a feature that ${self} does not declare`);
    if (above && !STILL.includes(`${path} ${feature}`)) faults.push(`imports ${target}, which is above it`);
    const [own, other] = [roomOf(path), roomOf(`${target}.ts`)];
    if (!isType && own && other && own.floor === other.floor && other.room > own.room)
      faults.push(`imports ${target}, which is in a room above it`);
  };
  walk(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path) as unknown as Node, (node) => {
    const from = node.source;
    if (isNode(from) && typeof from.value === 'string')
      checkImport(from.value, isTypeOnly(node), node.type === 'ImportExpression');
    if (
      node.type === 'Identifier' &&
      isPageless(path, here) &&
      /^(document|window)$/.test(String(node.name))
    ) {
      faults.push(`names ${String(node.name)}`);
    }
  });
  return faults;
}

const filesOf = (folder: string, names: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const files = ['web', 'workers'].flatMap((folder) => filesOf(folder, /\.tsx?$/));

test('imports go only down the layers, pages begin at plot/, node: stays in its files', () => {
  const faults = files.flatMap((path) =>
    faultsOf(path, readFileSync(join(root, path), 'utf8')).map((fault) => `${path} ${fault}`),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});

/** The files of which a file imports values when it is loaded, not later. */
function neededAtOnce(path: string): string[] {
  const found: string[] = [];
  const source = readFileSync(join(root, path), 'utf8');
  walk(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path) as unknown as Node, (node) => {
    const from = node.source;
    if (!isNode(from) || typeof from.value !== 'string' || node.type === 'ImportExpression') return;
    if (isTypeOnly(node) || node.type === 'TSImportType') return;
    const target = join(dirname(path), from.value);
    const file = files.find((one) => one === `${target}.ts` || one === `${target}.tsx`);
    if (file !== undefined) found.push(file);
  });
  return found;
}

test('no file needs itself while it is loaded', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, above: readonly string[]): void => {
    if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(' → '));
    if (done.has(path)) return;
    done.add(path);
    for (const next of neededAtOnce(path)) visit(next, [...above, path]);
  };
  for (const path of files) visit(path, []);
  expect(circles).toEqual([]);
});

/** The features that the files of a feature import, also only their types. */
function importedBy(id: string): string[] {
  const found = new Set<string>();
  for (const path of files.filter((one) => featureOf(one) === id)) {
    const source = readFileSync(join(root, path), 'utf8');
    for (const [, specifier = ''] of source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const other = featureOf(join(dirname(path), specifier));
      if (other !== undefined && other !== id) found.add(other);
    }
  }
  return [...found].sort();
}

test.each(featureIds())('%s needs what its README says, and nothing that needs it', (id) => {
  const needs = needsOf(id);
  expect(needs).toEqual(importedBy(id));
  expect(needs.filter((need) => withDependents([id]).includes(need))).toEqual([]);
});

test('the list of files that still import a feature names no other', () => {
  const old = STILL.filter((one) => {
    const [path = '', feature] = one.split(' ');
    return !readFileSync(join(root, path), 'utf8').includes(`/features/${feature}/`);
  });
  expect(old).toEqual([]);
});

describe('the rules themselves', () => {
  test.each([
    ['web/io/a.ts', "import { x } from '../model/api';"],
    ['web/io/a.ts', "import type { x } from '../cache/memory';"],
    ['web/io/a.ts', "export * from '../model/api';"],
    ['web/base/a.ts', "type T = import('../io/source').Range;"],
    ['web/query/a.ts', "const x = await import('../plot/svg');"],
    ['web/model/a.ts', "import { x } from '../../workers/rpc';"],
    ['workers/a.ts', "import { x } from '../web/ui/state/store';"],
    ['web/ui/a.tsx', "import { x } from '../cli/main'; const y = <b>document</b>;"],
    ['web/base/a.ts', "import { x } from '../index';"],
    ['web/element/a.ts', "import { x } from '../app';"],
    ['web/io/http.ts', "import { readFile } from 'node:fs';"],
    ['workers/a.ts', "import { parentPort } from 'node:worker_threads';"],
    ['web/query/a.ts', 'const x = document.title;'],
    ['web/query/a.ts', 'const x = typeof window;'],
    ['workers/a.ts', 'const x = globalThis.document;'],

    ['web/features/writer/work/file/a.ts', "import { x } from '../merge/b';"],
    ['web/features/writer/work/copy/a.ts', "export { x } from '../verbs/heal';"],
    ['web/pass/columns/a.ts', "import { type T, x } from '../pass';"],
    ['web/features/dataset/work/a.ts', "import { x } from '../../walls/work/rules';"],
    ['web/features/walls/work/a.ts', "import { x } from '../../../cli/context';"],
    ['web/model/a.ts', "import { x } from '../features/map/work/map';"],
  ])('%s: %s is a fault', (path, source) => {
    expect(faultsOf(path, source)).toHaveLength(1);
  });

  test.each([
    ['web/model/a.ts', "import { x } from '../io/reader'; import { y } from './chain'; import 'idb';"],
    ['web/ui/a.tsx', "import { x } from '../../workers/rpc'; document.title = '';"],
    ['workers/a.ts', "import { x } from '../web/measure/draw'; import { y } from './rpc';"],
    ['workers/node-decode.worker.ts', "import { parentPort } from 'node:worker_threads';"],
    ['web/io/node-file-source.ts', "import { open } from 'node:fs/promises';"],
    [
      'web/features/writer/work/file/a.ts',
      "import type { T } from '../merge/b'; import { type U } from '../verbs/heal';",
    ],
    ['web/features/writer/work/verbs/a.ts', "import { x } from '../file/sink'; import { y } from './b';"],
    [
      'web/query/a.ts',
      "// document\nconst x = { window: 1, document: 'document' }; x.document; interface I { window: 1 }",
    ],
  ])('%s: %s is none', (path, source) => {
    expect(faultsOf(path, source)).toEqual([]);
  });

  test('an unknown folder is no layer', () => {
    expect(() => faultsOf('web/utils/a.ts', '')).toThrow('not a layer');
  });
});

test('no file of what ships has more than 600 lines, and no folder more than 25 files', () => {
  const ships = [...files, ...filesOf('wasm/src', /\.[ch]$/)];
  const large = ships.filter((path) => readFileSync(join(root, path), 'utf8').split('\n').length > 601);
  expect(large).toEqual([]);
  const counts = new Map<string, number>();
  for (const path of ships) counts.set(dirname(path), 1 + (counts.get(dirname(path)) ?? 0));
  expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
});
