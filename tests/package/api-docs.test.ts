import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { apiDocs } from '../../scripts/api-docs.mjs';
import { tellSize } from '../../scripts/sizes.mjs';

const root = resolve(import.meta.dirname, '../..');

/** The names and types alone, without what is said about them. */
function declarations(path: string, text: string): string {
  if (path.endsWith('.json')) return text.replace(/^\s*"description": .*\n/gm, '');
  const blocks = [...text.matchAll(/^## (.*)|^```ts\n([\s\S]*?)^```/gm)].map(
    ([, name, code]) => name ?? code,
  );
  return blocks
    .join('\n')
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ');
}

test('docs/api, custom-elements.json and the list of notebooks have the names and types of the declarations', async () => {
  const files = await apiDocs();
  expect(files.size).toBeGreaterThanOrEqual(6);
  const pages = (await readdir(join(root, 'docs/api'))).map((name) => `docs/api/${name}`);
  const others = ['custom-elements.json', 'hosts/jupyter/src/xylem/state.json'];
  expect([...pages, ...others].sort()).toEqual([...files.keys()].sort());
  for (const [path, text] of files) {
    const there = await readFile(join(root, path), 'utf8');
    const isSame = declarations(path, there) === declarations(path, text);
    expect(isSame, `${path} is out of date: run "node scripts/api-docs.mjs"`).toBe(true);
    // A changed comment alone does not fail the gate; a release writes the pages again.
    // biome-ignore lint/suspicious/noConsole: this is for who runs the tests
    if (there !== text) console.warn(`${path} has old comments: run "node scripts/api-docs.mjs"`);
  }
});

test('only what callers name is public, each by its own name', async () => {
  const files = await apiDocs();
  const library = files.get('docs/api/library.md') ?? '';
  const entry = await readFile(join(root, 'web/public.ts'), 'utf8');
  expect(entry).not.toMatch(/^export (type )?\*/m);
  const internal = [
    'BasketTask',
    'BlockRequest',
    'EncodeTask',
    'ExactSums',
    'FunctionRequest',
    'TreeLayout',
    'WalkedRecords',
  ];
  for (const name of internal)
    expect(library).not.toMatch(new RegExp(`^(## |type |interface )${name}\\b`, 'm'));
  // Members for xylem's own code are in no declaration.
  expect(library).not.toMatch(/@internal|^ +exact\?:/m);
  // Aliases say the names that they stand for, not the constant that has them.
  expect(library).not.toMatch(/keyof typeof|\[number\]/);
  const pages = [...files].filter(([path]) => path.endsWith('.md'));
  const lines = pages.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0);
  expect(lines).toBeGreaterThan(0);
  tellSize('docs/api, lines', lines);
});
