import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { apiDocs } from '../../scripts/api-docs.mjs';
import { attributes } from '../../web/element/attributes';

const root = resolve(import.meta.dirname, '../..');

test('the manifest of the element has its attributes, and the files that the build wrote are these', async () => {
  const files = await apiDocs();
  const written = (await readdir(join(root, 'build/api'))).map((name) => `build/api/${name}`);
  const others = ['custom-elements.json', 'hosts/jupyter/src/xylem/state.json'];
  expect([...written, ...others].sort()).toEqual([...files.keys()].sort());
  for (const [path, text] of files) expect(await readFile(join(root, path), 'utf8'), path).toBe(text);
  const [element] = JSON.parse(files.get('custom-elements.json') ?? '').modules[0].declarations;
  const names = (of: string) => element[of].map(({ name }: { name: string }) => name);
  expect(names('attributes').sort()).toEqual([...attributes].sort());
  expect(names('members')).toEqual(expect.arrayContaining(['open', 'save', 'reader', 'toSVG']));
  expect(names('events')).toEqual(expect.arrayContaining(['xylem-open', 'xylem-error']));
  expect(names('slots')).toEqual(['empty', 'error']);
  expect(names('cssParts')).toEqual(expect.arrayContaining(['contents', 'plot']));
});

test('only what callers name is public, each by its own name', async () => {
  const files = await apiDocs();
  const library = files.get('build/api/library.md') ?? '';
  // Only features may be taken out with all their names; each of them lists these.
  const starred = async (path: string) =>
    [...(await readFile(join(root, path), 'utf8')).matchAll(/^export (?:type )?\* from '\.\/(.*)'/gm)].map(
      ([, name]) => name,
    );
  expect(await starred('web/public.ts')).toEqual(['features/public']);
  for (const name of await starred('web/features/public.ts'))
    expect(await starred(`web/features/${name}.ts`)).toEqual([]);
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
});
