// The features of web/features, from their folders, their READMEs and the lists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** The lists in web/features: each has an entry for each feature that it concerns. @param {string} [from] the root of a checkout */
export const listsOf = (from = root) =>
  readdirSync(join(from, 'web/features')).filter(
    (name) => /\.(ts|css)$/.test(name) && name !== 'work-part.ts',
  );

/** The folders and documents of a feature, as paths from the root. @param {string} id */
export const placesOf = (id) => [
  `web/features/${id}`,
  `tests/features/${id}`,
  `e2e/features/${id}`,
  `docs/features/${id}.md`,
  `docs/features/${id}`,
];

/** @param {string} [from] the root of a checkout */
export function featureIds(from = root) {
  return readdirSync(join(from, 'web/features'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The features that a feature says that it needs. @param {string} id @param {string} [from] */
export function needsOf(id, from = root) {
  const path = join(from, 'web/features', id, 'README.md');
  const readme = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const [, words = ''] = /^- Needs: (.*)\.$/m.exec(readme) ?? [];
  return [...words.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

/** These features and all that need them. @param {readonly string[]} ids @param {string} [from] */
export function withDependents(ids, from = root) {
  const all = featureIds(from);
  const out = new Set(ids);
  for (let before = -1; before !== out.size; ) {
    before = out.size;
    for (const id of all) if (needsOf(id, from).some((need) => out.has(need))) out.add(id);
  }
  return all.filter((id) => out.has(id));
}

/** A list without the entries of some features. @param {string} text @param {readonly string[]} ids */
export function withoutEntries(text, ids) {
  const begins = new RegExp(
    `^(export const (${ids.join('|')})\\b|(ex|im)port .*'\\./(${ids.join('|')})/|@import "\\./(${ids.join('|')})/)`,
  );
  /** @type {string[]} */
  const kept = [];
  let within = false;
  for (const line of text.split('\n')) {
    if (!within && begins.test(line)) {
      while (kept.at(-1)?.startsWith('//') || kept.at(-1)?.startsWith('/**')) kept.pop();
      within = !line.endsWith(';');
    } else if (within) within = !/^(\}.*)?;$/.test(line);
    else kept.push(line);
  }
  // The type of entries is of no use without one.
  if (/^export /m.test(text) && !kept.some((line) => line.startsWith('export '))) return 'export {};\n';
  return kept.join('\n').replace(/\n{3,}/g, '\n\n');
}
