import type { KeyInfo, KeyKind } from '../api/api';
import { trimSlashes } from '../base/text';
import type { KeyRecord } from '../core/file-core';

/** A key of a file, with the record from its list of keys. */
export interface Key extends KeyInfo {
  record: KeyRecord;
}

export function toKey(record: KeyRecord, prefix: string): Key {
  return {
    path: prefix + record.name,
    name: record.name,
    title: record.title,
    className: record.className,
    cycle: record.cycle,
    kind: kindOfClass(record.className),
    storedBytes: record.nbytes,
    objectBytes: record.objlen,
    offset: record.seekKey,
    record,
  };
}

/** Returns a key without its record. Named members take less time than all others of an object. */
export function plainKey(key: Key): KeyInfo {
  const { path, name, title, className, cycle, kind, storedBytes, objectBytes, offset } = key;
  return { path, name, title, className, cycle, kind, storedBytes, objectBytes, offset };
}

/**
 * Returns keys that were read level by level in the order in which users expect them: the keys of each directory after
 * the directory itself.
 */
export function depthFirst(keys: Key[]): Key[] {
  const children = new Map<string, Key[]>();
  for (const key of keys) {
    const parent = key.path.slice(0, key.path.length - key.name.length).replace(/\/$/, '');
    const list = children.get(parent);
    if (list) list.push(key);
    else children.set(parent, [key]);
  }
  const result: Key[] = [];
  const visit = (path: string): void => {
    const list = children.get(path) ?? [];
    children.delete(path);
    for (const key of list) {
      result.push(key);
      if (key.kind === 'directory') visit(key.path);
    }
  };
  visit('');
  return result;
}

/**
 * Returns the kind of a class. A TChain is an object, because it contains names of files, but no branches or baskets.
 */
export function kindOfClass(className: string): KeyKind {
  if (/^TDirectory(File)?$/.test(className)) return 'directory';
  if (/^(TTree|TNtupleD?|TTreeSQL)$/.test(className)) return 'tree';
  if (/^ROOT::(Experimental::)?RNTuple$/.test(className)) return 'ntuple';
  if (/^(TH[123][CSILFDK]|TProfile([23]D)?|TH2Poly|TProfile2Poly)$/.test(className)) return 'histogram';
  if (/^(TGraph\w*|TMultiGraph|TEfficiency)$/.test(className)) return 'graph';
  return 'object';
}

/** Whether a key belongs to a TTree or an RNTuple. */
export function isTree({ kind }: Pick<KeyInfo, 'kind'>): boolean {
  return kind === 'tree' || kind === 'ntuple';
}

type KeyPlace = Pick<KeyInfo, 'path' | 'cycle'>;

/** For each list of keys, the indices of the keys at each path. */
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
