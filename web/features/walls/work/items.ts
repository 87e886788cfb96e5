import type { KeyInfo } from '../../../api/api';
import { overBudget } from '../../../base/data-errors';
import { XylemError } from '../../../base/errors';
import { isGlob, pathMatcher } from '../../../base/glob';
import { trimSlashes } from '../../../base/text';
import { findKey, newestKeys } from '../../../model/keys';
import { isPlotKey } from '../../../plot/stored/classes';
import { tileFilter } from './tile';

/**
 * Returns the keys of histograms, graphs, functions and canvases that match patterns: the highest cycle of each path,
 * in the order of the file. A pattern is one of: the path of an object; the path of a folder, for its direct contents
 * ("" is the top level of the file); a path with *, ? and [abc] in names, and ** for folders of any depth. Throws
 * NOT_FOUND for a path that does not exist, unless it may be missing.
 */
export function wallKeys<K extends KeyInfo>(
  keys: readonly K[],
  patterns: readonly string[],
  mayMiss = false,
): K[] {
  const newest = [...newestKeys(keys).values()];
  const chosen = new Set<K>();
  for (const pattern of patterns) for (const key of keysOf(newest, keys, pattern, mayMiss)) chosen.add(key);
  return newest.filter((key) => chosen.has(key));
}

/**
 * Returns the keys that match patterns in a file or in its reference, and whose name or title contains the words of a
 * filter. If both files have a path, the title of the first is used. Throws NOT_FOUND for a path that neither has.
 */
export function wallRows<K extends KeyInfo, L extends KeyInfo>(
  keys: readonly K[],
  others: readonly L[],
  patterns: readonly string[],
  filter: string,
): { own: K[]; other: L[] } {
  const isIn = (some: readonly KeyInfo[], pattern: string) => wallKeys(some, [pattern], true).length > 0;
  const onlyThere = (pattern: string) => !isIn(keys, pattern) && isIn(others, pattern);
  const all = wallKeys(
    keys,
    patterns.filter((pattern) => !onlyThere(pattern)),
  );
  const isWanted = tileFilter(filter);
  const matches = ({ path, title }: KeyInfo) => isWanted({ name: path, title });
  const own = all.filter(matches);
  const [names, wanted] = [all, own].map((some) => new Set(some.map(({ path }) => path)));
  const other = wallKeys(others, patterns, true).filter((key) =>
    names?.has(key.path) ? wanted?.has(key.path) : matches(key),
  );
  return { own, other };
}

function keysOf<K extends KeyInfo>(
  newest: readonly K[],
  keys: readonly K[],
  pattern: string,
  mayMiss: boolean,
): K[] {
  const path = trimSlashes(pattern);
  const exact = path === '' ? undefined : findKey(keys, path);
  if (exact && exact.kind !== 'directory') return [exact];
  if (exact || path === '') {
    const prefix = path === '' ? '' : `${exact?.path ?? path}/`;
    const isIn = (key: K): boolean =>
      key.path.startsWith(prefix) && !key.path.includes('/', prefix.length) && isPlotKey(key);
    return newest.filter(isIn);
  }
  if (!isGlob(path, true)) {
    if (mayMiss) return [];
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `There is no "${pattern}" in the file.`,
      where: { path },
      fix: 'Name an object, a folder, or a pattern: "dqm/**", "*_pt".',
    });
  }
  const like = pathMatcher(path);
  return newest.filter((key) => isPlotKey(key) && like(key.path));
}

/** The default limit on plots of one wall. */
export const WALL_LIMIT = 2000;

/** Throws BUDGET if there are more plots than a wall can have. */
export function checkWallSize(count: number, limit: number): void {
  if (count <= limit) return;
  throw overBudget(
    `${count} plots were chosen, and the wall may have ${limit}.`,
    'Choose fewer by a pattern, or raise the limit (--limit).',
  );
}

/** Limit on the uncompressed bytes of the objects of one picture or page. */
const MAX_OBJECT_BYTES = 1024 * 1024 * 1024;

/** Throws BUDGET if the objects would fill the memory. */
export function checkWallBytes(keys: readonly KeyInfo[]): void {
  const bytes = keys.reduce((sum, { objectBytes }) => sum + objectBytes, 0);
  if (bytes <= MAX_OBJECT_BYTES) return;
  throw overBudget(
    `The ${keys.length} objects have ${bytes} bytes, and those of a wall may have ${MAX_OBJECT_BYTES}.`,
    'Choose fewer by a pattern.',
  );
}

/** Maximum bytes of the objects that are read together. A single object may be longer. */
const BATCH_BYTES = 32 * 1024 * 1024;
const BATCH_KEYS = 1000;

/** Divides keys, in the order of the file, into parts that fit into memory. */
export function wallBatches<K extends KeyInfo>(keys: readonly K[]): K[][] {
  const batches: K[][] = [];
  let bytes = 0;
  for (const key of [...keys].sort((a, b) => a.offset - b.offset)) {
    const last = batches.at(-1);
    const own = key.objectBytes + key.storedBytes;
    if (last && last.length < BATCH_KEYS && bytes + own <= BATCH_BYTES) {
      last.push(key);
      bytes += own;
    } else {
      batches.push([key]);
      bytes = own;
    }
  }
  return batches;
}
