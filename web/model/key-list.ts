import type { KeyInfo } from '../api/api';
import type { KeyRecord } from '../core/file-core';
import { kindOfClass } from './key-kind';

/** A key of a file, as stored in its list. */
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

/** Sorts keys so that the keys of each directory follow it. They were read level by level. */
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
