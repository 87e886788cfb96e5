import type { BranchInfo, KeyInfo, TreeInfo } from '../../api/api';
import { globMatcher, isGlob } from '../../base/glob';
import { newestKeys } from '../../model/find-key';
import { isTree } from '../../model/key-kind';

/** Identity of a row: "file", "k12" for the key at index 12, "k12b3" for a branch of that tree. */
export type NodeId = string;

export const fileNode: NodeId = 'file';

export function keyNode(key: number): NodeId {
  return `k${key}`;
}

export function branchNode(key: number, branch: number): NodeId {
  return `k${key}b${branch}`;
}

/** The indices in a node's identity; undefined for the file itself. */
export function parseNode(id: NodeId): { key: number; branch?: number } | undefined {
  const match = /^k(\d+)(?:b(\d+))?$/.exec(id);
  if (match === null) return undefined;
  const key = Number(match[1]);
  return match[2] === undefined ? { key } : { key, branch: Number(match[2]) };
}

/** The branches of a tree, as far as they were requested. */
export type TreeState =
  | { state: 'reading' }
  | { state: 'ready'; tree: TreeInfo }
  | { state: 'failed'; message: string };

/** The keys of a file as a tree: for each directory (and -1 for the top) its keys in file order. */
export interface KeyTree {
  keys: KeyInfo[];
  children: Map<number, number[]>;
  /** True for a cycle that a later cycle of the same path supersedes. */
  superseded: boolean[];
}

interface RowBase {
  id: NodeId;
  depth: number;
  setSize: number;
  posInSet: number;
  expandable: boolean;
  expanded: boolean;
}

/** One line of the contents pane. `note` stands below a tree that is being read or failed. */
export type ContentRow =
  | (RowBase & {
      kind: 'key';
      key: KeyInfo;
      keyIndex: number;
      superseded: boolean;
      /** A tree's facts as soon as they are known. */
      tree: TreeInfo | undefined;
    })
  | (RowBase & { kind: 'branch'; branch: BranchInfo; keyIndex: number })
  | (RowBase & { kind: 'note'; text: string; failed: boolean });

export interface RowsInput {
  keyTree: KeyTree;
  trees: ReadonlyMap<number, TreeState>;
  expanded: ReadonlySet<NodeId>;
  /** Rows folded by hand while a filter unfolds everything that matches. */
  folded: ReadonlySet<NodeId>;
  filter: string;
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

/** The deepest directory listed before that the path lies in; names may themselves hold slashes. */
function parentDirectory(key: KeyInfo, directories: Map<string, number>): number {
  let end = key.path.length - key.name.length - 1;
  while (end > 0) {
    const found = directories.get(key.path.slice(0, end));
    if (found !== undefined) return found;
    end = key.path.lastIndexOf('/', end - 1);
  }
  return -1;
}

/**
 * All rows to show, from the top: the unfolded ones, or with a filter the matching ones and the rows that
 * hold them.
 */
export function contentRows(input: RowsInput): ContentRow[] {
  const terms = filterTerms(input.filter);
  const rows: ContentRow[] = [];
  const wanted = terms.length === 0 ? undefined : wantedKeys(input, terms);
  appendKeys(rows, input, terms, wanted, -1, 1);
  return rows;
}

/** One word of a filter: whether a name in small letters fits it. */
export type FilterTerm = (lower: string) => boolean;

/**
 * The words of a filter. A word fits where it is part of a name; with * or ? it is a pattern for the
 * whole path, or for the part after its last slash or dot.
 */
export function filterTerms(filter: string): FilterTerm[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word): FilterTerm => {
    if (!isGlob(word)) return (lower) => lower.includes(word);
    const fits = globMatcher(word);
    return (lower) =>
      fits(lower) || fits(lower.slice(1 + Math.max(lower.lastIndexOf('/'), lower.lastIndexOf('.'))));
  });
}

export function matches(text: string, terms: readonly FilterTerm[]): boolean {
  const lower = text.toLowerCase();
  return terms.every((fits) => fits(lower));
}

/** Number of keys and branches whose names fit the filter, in the trees that have been read. */
export function countMatches({
  keyTree,
  trees,
  filter,
}: Pick<RowsInput, 'keyTree' | 'trees' | 'filter'>): number {
  const terms = filterTerms(filter);
  if (terms.length === 0) return 0;
  let count = keyTree.keys.filter((key, i) => !keyTree.superseded[i] && matches(key.path, terms)).length;
  for (const state of trees.values()) {
    if (state.state !== 'ready') continue;
    count += state.tree.branches.filter(({ path }) => matches(path, terms)).length;
  }
  return count;
}

/** Keys that match, or hold a key or branch that does. */
function wantedKeys(input: RowsInput, terms: readonly FilterTerm[]): Set<number> {
  const { keys, children } = input.keyTree;
  const wanted = new Set<number>();
  const visit = (index: number): boolean => {
    const key = keys[index];
    if (key === undefined) return false;
    let found = matches(key.path, terms);
    for (const child of children.get(index) ?? []) if (visit(child)) found = true;
    const state = input.trees.get(index);
    if (state?.state === 'ready' && state.tree.branches.some((branch) => matches(branch.path, terms))) {
      found = true;
    }
    if (found) wanted.add(index);
    return found;
  };
  for (const index of children.get(-1) ?? []) visit(index);
  return wanted;
}

function appendKeys(
  rows: ContentRow[],
  input: RowsInput,
  terms: readonly FilterTerm[],
  wanted: Set<number> | undefined,
  parent: number,
  depth: number,
): void {
  const { keys, children, superseded } = input.keyTree;
  const all = children.get(parent) ?? [];
  const shown = wanted === undefined ? all : all.filter((index) => wanted.has(index));
  shown.forEach((index, position) => {
    const key = keys[index];
    if (key === undefined) return;
    const id = keyNode(index);
    const tree = isTree(key);
    const held = children.get(index) ?? [];
    const state = input.trees.get(index);
    const unfolds =
      wanted !== undefined &&
      !input.folded.has(id) &&
      (held.some((child) => wanted.has(child)) ||
        (state?.state === 'ready' && state.tree.branches.some((branch) => matches(branch.path, terms))));
    const expanded = wanted === undefined ? input.expanded.has(id) : unfolds;
    rows.push({
      kind: 'key',
      id,
      depth,
      setSize: shown.length,
      posInSet: position + 1,
      expandable: tree || held.length > 0,
      expanded,
      key,
      keyIndex: index,
      superseded: superseded[index] ?? false,
      tree: state?.state === 'ready' ? state.tree : undefined,
    });
    if (!expanded) return;
    if (tree) appendBranches(rows, input, terms, index, state, depth + 1);
    else appendKeys(rows, input, terms, wanted, index, depth + 1);
  });
}

function appendBranches(
  rows: ContentRow[],
  input: RowsInput,
  terms: readonly FilterTerm[],
  keyIndex: number,
  state: TreeState | undefined,
  depth: number,
): void {
  if (state?.state !== 'ready') {
    const text = state?.state === 'failed' ? state.message : 'Reading branches…';
    const failed = state?.state === 'failed';
    const id = `${keyNode(keyIndex)}n`;
    rows.push({
      kind: 'note',
      id,
      depth,
      setSize: 1,
      posInSet: 1,
      expandable: false,
      expanded: false,
      text,
      failed,
    });
    return;
  }
  const { branches } = state.tree;
  const { setSize, posInSet } = placesOf(state.tree);
  const keep = terms.length === 0 ? undefined : keptBranches(branches, terms);
  let hiddenBelow = Number.POSITIVE_INFINITY;
  branches.forEach((branch, i) => {
    if (branch.depth > hiddenBelow) return;
    hiddenBelow = Number.POSITIVE_INFINITY;
    if (keep !== undefined && keep[i] === 0) return;
    const id = branchNode(keyIndex, i);
    const expandable = (branches[i + 1]?.depth ?? 0) > branch.depth;
    const expanded = expandable && (keep === undefined ? input.expanded.has(id) : !input.folded.has(id));
    if (expandable && !expanded) hiddenBelow = branch.depth;
    rows.push({
      kind: 'branch',
      id,
      depth: depth + branch.depth,
      setSize: setSize[i] ?? 1,
      posInSet: posInSet[i] ?? 1,
      expandable,
      expanded,
      branch,
      keyIndex,
    });
  });
}

/** 1 for branches that match and for all branches above them. */
function keptBranches(branches: BranchInfo[], terms: readonly FilterTerm[]): Uint8Array {
  const keep = new Uint8Array(branches.length);
  for (let i = branches.length - 1; i >= 0; i--) {
    const branch = branches[i];
    if (branch === undefined) continue;
    if (keep[i] === 0 && matches(branch.path, terms)) keep[i] = 1;
    if (keep[i] === 1 && branch.parent >= 0) keep[branch.parent] = 1;
  }
  return keep;
}

interface Places {
  setSize: Int32Array;
  posInSet: Int32Array;
}

const placesCache = new WeakMap<TreeInfo, Places>();

/** Position of each branch among its siblings, counted from 1, and how many siblings there are. */
function placesOf(tree: TreeInfo): Places {
  const known = placesCache.get(tree);
  if (known !== undefined) return known;
  const { branches } = tree;
  // By the parent's index, which is -1 at the top.
  const counts = new Int32Array(branches.length + 1);
  const posInSet = new Int32Array(branches.length);
  branches.forEach(({ parent }, i) => {
    const position = (counts[parent + 1] ?? 0) + 1;
    counts[parent + 1] = position;
    posInSet[i] = position;
  });
  const setSize = Int32Array.from(branches, ({ parent }) => counts[parent + 1] ?? 1);
  const places = { setSize, posInSet };
  placesCache.set(tree, places);
  return places;
}

/** The row that holds `rows[index]`, or -1 for one at the top. */
export function parentRow(rows: ContentRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let i = index - 1; i >= 0; i--) if ((rows[i]?.depth ?? 0) < depth) return i;
  return -1;
}
