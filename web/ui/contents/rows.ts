import type { BranchInfo, KeyInfo, TreeInfo } from '../../api/api';
import { globMatcher, isGlob } from '../../base/glob';
import { collectionNames } from '../../model/collections';
import { isTree } from '../../model/keys';
import {
  branchNode,
  cyclesNode,
  groupNode,
  type KeyTree,
  keyNode,
  type NodeId,
  parseNode,
  type TreeState,
} from '../state/contents-model';
import { sharedLength } from '../widgets/name-text';

/** Data type of a dragged row. Its data is the id. */
export const ROW_TYPE = 'application/x-xylem-row';

interface RowBase {
  id: NodeId;
  depth: number;
  setSize: number;
  posInSet: number;
  expandable: boolean;
  expanded: boolean;
}

/**
 * One line of the contents pane. `note`: a message below a tree that is being read or failed. `group`: the branches
 * of a collection. `cycles`: the older cycles of the keys beside it.
 */
export type ContentRow =
  | (RowBase & {
      kind: 'key';
      key: KeyInfo;
      keyIndex: number;
      superseded: boolean;
      /** Facts about a tree, as soon as they are known. */
      tree: TreeInfo | undefined;
    })
  | (RowBase & {
      kind: 'branch';
      branch: BranchInfo;
      keyIndex: number;
      /** Number of characters at the beginning of its name that repeat the name of the branch above. */
      shared: number;
    })
  | (RowBase & { kind: 'group'; name: string; branches: number; entries: number; storedBytes: number })
  | (RowBase & { kind: 'cycles'; count: number })
  | (RowBase & { kind: 'note'; text: string; failed: boolean });

/** Whether the item of a row can be shown. */
export function isShowable(row: ContentRow): row is ContentRow & { kind: 'key' | 'branch' } {
  return row.kind === 'key' || row.kind === 'branch';
}

export interface RowsInput {
  keyTree: KeyTree;
  trees: ReadonlyMap<number, TreeState>;
  expanded: ReadonlySet<NodeId>;
  /** Rows closed by the user while a filter opens everything that matches. */
  folded: ReadonlySet<NodeId>;
  filter: string;
}

/** Returns all rows to show, from the top: the open ones; with a filter, the matching ones and their parents. */
export function contentRows(input: RowsInput): ContentRow[] {
  const terms = filterTerms(input.filter);
  const rows: ContentRow[] = [];
  const wanted = terms.length === 0 ? undefined : wantedKeys(input, terms);
  appendKeys(rows, input, terms, wanted, -1, 1);
  return rows;
}

/** One word of a filter. */
export interface FilterTerm {
  /** Whether it matches a name in lower case. */
  fits(lower: string): boolean;
  /** The word, which is also looked for in titles; undefined for a pattern. */
  word: string | undefined;
}

/**
 * Parses a filter. A word matches if it is part of a name or of its title. With * or ? it is a pattern for the whole path,
 * or for the part after its last slash or dot.
 */
export function filterTerms(filter: string): FilterTerm[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word): FilterTerm => {
    if (!isGlob(word)) return { fits: (lower) => lower.includes(word), word };
    const fits = globMatcher(word);
    const tail = (lower: string) => lower.slice(1 + Math.max(lower.lastIndexOf('/'), lower.lastIndexOf('.')));
    return { fits: (lower) => fits(lower) || fits(tail(lower)), word: undefined };
  });
}

/** Returns the words of a filter that can be marked in a name. */
export function filterWords(filter: string): string[] {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !isGlob(word));
}

/** Whether all words of a filter match a name, or its title. */
export function matches(name: string, terms: readonly FilterTerm[], title = ''): boolean {
  const lower = name.toLowerCase();
  const below = title.toLowerCase();
  return terms.every(({ fits, word }) => fits(lower) || (word !== undefined && below.includes(word)));
}

const keyMatches = ({ path, title }: KeyInfo, terms: readonly FilterTerm[]): boolean =>
  matches(path, terms, title);

const branchMatches = ({ path, documentation }: BranchInfo, terms: readonly FilterTerm[]): boolean =>
  matches(path, terms, documentation);

/** Whether the item of a row matches. */
export const rowMatches = (
  row: ContentRow & { kind: 'key' | 'branch' },
  terms: readonly FilterTerm[],
): boolean => (row.kind === 'key' ? keyMatches(row.key, terms) : branchMatches(row.branch, terms));

/** Returns the title of a row whose item matches only because of it. */
export function titleThatMatches(row: ContentRow, terms: readonly FilterTerm[]): string | undefined {
  if (terms.length === 0 || !isShowable(row) || !rowMatches(row, terms)) return undefined;
  if (row.kind === 'key') return matches(row.key.path, terms) ? undefined : row.key.title;
  return matches(row.branch.path, terms) ? undefined : row.branch.documentation;
}

/** Returns the number of keys and branches whose names or titles match the filter, in the trees that have been read. */
export function countMatches({
  keyTree,
  trees,
  filter,
}: Pick<RowsInput, 'keyTree' | 'trees' | 'filter'>): number {
  const terms = filterTerms(filter);
  if (terms.length === 0) return 0;
  let count = keyTree.keys.filter((key, i) => !keyTree.superseded[i] && keyMatches(key, terms)).length;
  for (const state of trees.values()) {
    if (state.state !== 'ready') continue;
    count += state.tree.branches.filter((branch) => branchMatches(branch, terms)).length;
  }
  return count;
}

/** Returns keys that match, or that contain a matching key or branch. */
function wantedKeys(input: RowsInput, terms: readonly FilterTerm[]): Set<number> {
  const { keys, children } = input.keyTree;
  const wanted = new Set<number>();
  const visit = (index: number): boolean => {
    const key = keys[index];
    if (key === undefined) return false;
    let found = keyMatches(key, terms);
    for (const child of children.get(index) ?? []) if (visit(child)) found = true;
    const state = input.trees.get(index);
    if (state?.state === 'ready' && state.tree.branches.some((branch) => branchMatches(branch, terms))) {
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
  const all = (children.get(parent) ?? []).filter((index) => wanted?.has(index) ?? true);
  const newest = all.filter((index) => superseded[index] !== true);
  const older = all.filter((index) => superseded[index] === true);
  // With a filter, older cycles are not listed separately.
  const folds = wanted === undefined && older.length > 0;
  const setSize = newest.length + (folds ? 1 : 0);
  const append = (index: number, position: number, size: number, depth: number) => {
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
        (state?.state === 'ready' && state.tree.branches.some((branch) => branchMatches(branch, terms))));
    const expanded = wanted === undefined ? input.expanded.has(id) : unfolds;
    rows.push({
      kind: 'key',
      id,
      depth,
      setSize: size,
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
  };
  for (const [position, index] of newest.entries()) append(index, position, setSize, depth);
  if (!folds) return;
  const id = cyclesNode(parent);
  const expanded = input.expanded.has(id);
  const place = { depth, setSize, posInSet: setSize };
  rows.push({ kind: 'cycles', id, ...place, expandable: true, expanded, count: older.length });
  if (!expanded) return;
  for (const [position, index] of older.entries()) append(index, position, older.length, depth + 1);
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
  /** Appends the branches of [from, to), which belong together. */
  const append = (from: number, to: number, depth: number, place?: { setSize: number; posInSet: number }) => {
    let hiddenBelow = Number.POSITIVE_INFINITY;
    for (let i = from; i < to; i++) {
      const branch = branches[i];
      if (branch === undefined || branch.depth > hiddenBelow) continue;
      hiddenBelow = Number.POSITIVE_INFINITY;
      if (keep !== undefined && keep[i] === 0) continue;
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
        ...(i === from ? place : undefined),
        expandable,
        expanded,
        branch,
        keyIndex,
        shared: sharedLength(branches[branch.parent]?.name ?? '', branch.name),
      });
    }
  };
  const collections = collectionsOf(state.tree);
  if (collections === undefined) {
    append(0, branches.length, depth);
    return;
  }
  const shown = collections.filter(({ tops }) => keep === undefined || tops.some(([top]) => keep[top] === 1));
  for (const [i, { name, tops, branches: count, storedBytes }] of shown.entries()) {
    const place = { setSize: shown.length, posInSet: i + 1 };
    const [only, another] = tops;
    if (only !== undefined && another === undefined) {
      append(...only, depth, place);
      continue;
    }
    const id = groupNode(keyIndex, name);
    const expanded = keep === undefined ? input.expanded.has(id) : !input.folded.has(id);
    const { entries } = state.tree;
    rows.push({
      kind: 'group',
      id,
      depth,
      ...place,
      expandable: true,
      expanded,
      name,
      branches: count,
      entries,
      storedBytes,
    });
    if (!expanded) continue;
    const held = tops.filter(([top]) => keep === undefined || keep[top] === 1);
    for (const [at, top] of held.entries())
      append(...top, depth + 1, { setSize: held.length, posInSet: at + 1 });
  }
}

/** Branches of a tree that belong together by their names. */
interface Collection {
  name: string;
  /** Ranges [from, to) of its top-level branches with all sub-branches. */
  tops: [from: number, to: number][];
  /** Number of branches, and their bytes. */
  branches: number;
  storedBytes: number;
}

/** Maximum number of top-level branches of a tree that is listed without collections. */
const MAX_FLAT = 40;
/** Maximum fraction of the branches in a collection. A larger collection contains nearly all and does not help. */
const MAX_SHARE = 0.8;

const collectionsCache = new WeakMap<TreeInfo, Collection[] | undefined>();

/**
 * Returns the collections of a tree in the order of their first branches; undefined if its branches are listed
 * individually.
 */
function collectionsOf(tree: TreeInfo): Collection[] | undefined {
  if (collectionsCache.has(tree)) return collectionsCache.get(tree);
  const { branches } = tree;
  const tops = branches.filter(({ depth }) => depth === 0).map(({ index }) => index);
  const names = tops.length > MAX_FLAT ? collectionNames(branches) : [];
  const found = new Map<string, Collection>();
  for (const [i, top] of names.length > 0 ? tops.entries() : []) {
    const name = names[top] ?? '';
    const known = found.get(name) ?? { name, tops: [], branches: 0, storedBytes: 0 };
    const end = tops[i + 1] ?? branches.length;
    known.tops.push([top, end]);
    known.branches += end - top;
    for (let at = top; at < end; at++) known.storedBytes += branches[at]?.storedBytes ?? 0;
    found.set(name, known);
  }
  const all = [...found.values()];
  const largest = Math.max(0, ...all.map((one) => one.tops.length));
  const collections = largest > 1 && largest <= MAX_SHARE * tops.length ? all : undefined;
  collectionsCache.set(tree, collections);
  return collections;
}

/**
 * Returns the parents of a row, from the top down; undefined if a tree has to be read first. All of them have to be
 * open to see the row.
 */
export function holdersOf(
  { keyTree, trees }: Pick<RowsInput, 'keyTree' | 'trees'>,
  id: NodeId,
): NodeId[] | undefined {
  const node = parseNode(id);
  if (node === undefined) return [];
  const above = holdersOfKey(keyTree, node.key);
  if (node.branch === undefined) return above;
  const state = trees.get(node.key);
  return state?.state === 'ready'
    ? [...above, keyNode(node.key), ...holdersOfBranch(node.key, state.tree, node.branch)]
    : undefined;
}

/** Returns the directories that hold a key, and the row of older cycles if the key is one of them. */
function holdersOfKey(keyTree: KeyTree, index: number): NodeId[] {
  for (const [parent, held] of keyTree.children) {
    if (!held.includes(index)) continue;
    const above = parent < 0 ? [] : [...holdersOfKey(keyTree, parent), keyNode(parent)];
    return keyTree.superseded[index] === true ? [...above, cyclesNode(parent)] : above;
  }
  return [];
}

function holdersOfBranch(keyIndex: number, tree: TreeInfo, branch: number): NodeId[] {
  const above: NodeId[] = [];
  let top = branch;
  for (let up = tree.branches[branch]?.parent ?? -1; up >= 0; up = tree.branches[up]?.parent ?? -1) {
    above.unshift(branchNode(keyIndex, up));
    top = up;
  }
  const group = collectionsOf(tree)?.find(({ tops }) => tops.some(([from]) => from === top));
  return group !== undefined && group.tops.length > 1 ? [groupNode(keyIndex, group.name), ...above] : above;
}

/** Returns 1 for branches that match and for all branches above them, otherwise 0. */
function keptBranches(branches: BranchInfo[], terms: readonly FilterTerm[]): Uint8Array {
  const keep = new Uint8Array(branches.length);
  for (let i = branches.length - 1; i >= 0; i--) {
    const branch = branches[i];
    if (branch === undefined) continue;
    if (keep[i] === 0 && branchMatches(branch, terms)) keep[i] = 1;
    if (keep[i] === 1 && branch.parent >= 0) keep[branch.parent] = 1;
  }
  return keep;
}

interface Places {
  setSize: Int32Array;
  posInSet: Int32Array;
}

const placesCache = new WeakMap<TreeInfo, Places>();

/** Returns the position of each branch among its siblings, counted from 1, and the number of siblings. */
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

/** Returns the index of the parent of `rows[index]`; -1 at the top. */
export function parentRow(rows: ContentRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let i = index - 1; i >= 0; i--) if ((rows[i]?.depth ?? 0) < depth) return i;
  return -1;
}
