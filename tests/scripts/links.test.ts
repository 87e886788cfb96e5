// Needs features: all.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

const documents = [
  ...readdirSync(root).map((name) => join(root, name)),
  ...['docs', 'bench', 'adapters'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(root, folder, name),
    ),
  ),
].filter((path) => path.endsWith('.md'));

/** The names by which GitHub links to the headings of a document. */
function headingsOf(path: string): Set<string> {
  const text = readFileSync(path, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const seen = new Map<string, number>();
  const names = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = '']) => {
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const name = plain.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
  return new Set(names);
}

test('links of documents lead to a file that is there, and to one of its headings', () => {
  const broken: string[] = [];
  let links = 0;
  for (const path of documents) {
    const text = readFileSync(path, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      links++;
      const [name = '', heading] = link.split('#');
      const target = name === '' ? path : join(dirname(path), name);
      const isThere = existsSync(target) && (heading === undefined || statSync(target).isFile());
      if (!isThere || (heading !== undefined && !headingsOf(target).has(heading)))
        broken.push(`${relative(root, path)}: ${link}`);
    }
  }
  expect(links).toBeGreaterThan(200);
  expect(broken).toEqual([]);
});
