import type { KeyInfo, TreeInfo } from '../../api/api';
import { newestKeys } from '../../model/keys';

/**
 * Identity of a row: "file", "k12" for the key at index 12, "k12b3" for a branch of that tree, "k12gMuon" for a
 * collection of its branches, "c12" for the older cycles in that directory ("c-1" at the top). The last two only
 * group other rows.
 */
export type NodeId = string;

export const FILE_NODE = 'file';

export function keyNode(key: number): NodeId {
  return `k${key}`;
}

export function branchNode(key: number, branch: number): NodeId {
  return `k${key}b${branch}`;
}

export function groupNode(key: number, name: string): NodeId {
  return `k${key}g${name}`;
}

export function cyclesNode(directory: number): NodeId {
  return `c${directory}`;
}

/**
 * Returns the indices in the identity of a row; undefined for the file itself, and for rows that only group others.
 */
export function parseNode(id: NodeId): { key: number; branch?: number } | undefined {
  const match = /^k(\d+)(?:b(\d+))?$/.exec(id);
  if (match === null) return undefined;
  const key = Number(match[1]);
  return match[2] === undefined ? { key } : { key, branch: Number(match[2]) };
}

/** The state of reading the branches of a tree. */
export type TreeState =
  | { state: 'reading' }
  | { state: 'ready'; tree: TreeInfo }
  | { state: 'failed'; message: string };

/** The keys of a file as a tree: for each directory (and -1 for the top) its keys in file order. */
export interface KeyTree {
  keys: KeyInfo[];
  children: Map<number, number[]>;
  /** Whether a later cycle of the same path exists. */
  superseded: boolean[];
}

export function buildKeyTree(keys: KeyInfo[]): KeyTree {
  const directories = new Map<string, number>();
  const children = new Map<number, number[]>();
  keys.forEach((key, index) => {
    const parent = parentDirectory(key, directories);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [index]);
    else siblings.push(index);
    if (key.kind === 'directory') directories.set(key.path, index);
  });
  const newest = newestKeys(keys);
  const superseded = keys.map((key) => key.cycle < (newest.get(key.path) ?? key).cycle);
  return { keys, children, superseded };
}

/** Returns the deepest of the directories so far that contains the path. Names may contain slashes. */
function parentDirectory(key: KeyInfo, directories: Map<string, number>): number {
  let end = key.path.length - key.name.length - 1;
  while (end > 0) {
    const found = directories.get(key.path.slice(0, end));
    if (found !== undefined) return found;
    end = key.path.lastIndexOf('/', end - 1);
  }
  return -1;
}
