import type { KeyInfo } from '../api/api';
import { trimSlashes } from '../base/text';

type KeyPlace = Pick<KeyInfo, 'path' | 'cycle'>;

/** For each list of keys: the indices of the keys at each path. */
const indices = new WeakMap<readonly KeyPlace[], Map<string, number[]>>();

/** Returns "path;cycle", which identifies one record of the file. */
export function cyclePath({ path, cycle }: KeyPlace): string {
  return `${path};${cycle}`;
}

/** Returns the key of the highest cycle of each path, by path; of equal cycles the first. */
export function newestKeys<K extends KeyPlace>(keys: readonly K[]): Map<string, K> {
  const newest = new Map<string, K>();
  for (const key of keys) {
    const other = newest.get(key.path);
    if (!other || other.cycle < key.cycle) newest.set(key.path, key);
  }
  return newest;
}

/**
 * Returns the key at a path, or at "path;cycle"; without a cycle the key with the highest one. Returns undefined if
 * there is none. Slashes at both ends are ignored. A name may contain ";": as in ROOT, "a;2" is cycle 2 of "a" if
 * that exists, otherwise the key with the name "a;2". The result of `cyclePath` always finds its key.
 */
export function findKey<K extends KeyPlace>(keys: readonly K[], wanted: string): K | undefined {
  const byPath = indexOf(keys);
  const path = trimSlashes(wanted);
  const [, name = '', cycle] = /^(.*);(\d+)$/s.exec(path) ?? [];
  if (cycle !== undefined) {
    for (const i of byPath.get(name) ?? []) if (keys[i]?.cycle === Number(cycle)) return keys[i];
  }
  let best: K | undefined;
  for (const i of byPath.get(path) ?? []) {
    const key = keys[i];
    if (key && (best === undefined || key.cycle > best.cycle)) best = key;
  }
  return best;
}

function indexOf(keys: readonly KeyPlace[]): Map<string, number[]> {
  const known = indices.get(keys);
  if (known) return known;
  const index = new Map<string, number[]>();
  for (const [i, { path }] of keys.entries()) {
    const same = index.get(path);
    if (same) same.push(i);
    else index.set(path, [i]);
  }
  indices.set(keys, index);
  return index;
}
