import type { BranchInfo, TreeInfo } from '../api/api';
import type { TreeLayout } from '../api/layout';
import { XylemError } from '../base/errors';
import { globMatcher } from '../base/glob';
import { notFound } from '../base/suggest';
import { trimSlashes } from '../base/text';
import type { TapeValue } from '../core/tape';
import { chooseBranches } from '../model/choose';
import { branchesOf, objectsOf } from './encode/tree-edit';
import type { ObjectData } from './encode/types';
import type { InputKey } from './input';

/** The part of a file that is copied. In paths, * stands for any characters and ? for one. */
export interface Selection {
  /** Paths of trees; all by default. */
  trees?: readonly string[] | undefined;
  /** Names of branches as `chooseBranches` takes them, for each tree that is copied; all by default. */
  branches?: readonly string[] | undefined;
  /** Paths of other objects; all by default. The process ids that TRefs need always stay. */
  objects?: readonly string[] | undefined;
}

const isTree = ({ kind }: InputKey): boolean => kind === 'tree' || kind === 'ntuple';

/**
 * The keys that are copied, in the order of the input, with the directories that hold them. Throws NOT_FOUND for a name
 * that is that of no tree, or of no object.
 */
export function selectKeys(keys: readonly InputKey[], { trees, objects }: Selection): readonly InputKey[] {
  if (trees === undefined && objects === undefined) return keys;
  const all = keys.filter(({ kind }) => kind !== 'directory');
  const chosen = new Set([
    ...matching('tree', all.filter(isTree), trees),
    ...matching(
      'object',
      all.filter((key) => !isTree(key)),
      objects,
    ),
    ...all.filter(({ className }) => className === 'TProcessID'),
  ]);
  const folders = new Set<string>();
  for (const { path } of chosen)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at));
  return keys.filter((key) => (key.kind === 'directory' ? folders.has(key.path) : chosen.has(key)));
}

function matching(
  what: string,
  keys: readonly InputKey[],
  patterns: readonly string[] | undefined,
): readonly InputKey[] {
  if (patterns === undefined) return keys;
  return patterns.flatMap((pattern) => {
    const wanted = trimSlashes(pattern);
    const exact = keys.filter(({ path }) => path === wanted);
    if (exact.length > 0) return exact;
    const like = globMatcher(wanted);
    const found = keys.filter(({ path }) => like(path));
    if (found.length > 0) return found;
    throw notFound(
      what,
      pattern,
      keys.map(({ path }) => path),
    );
  });
}

/** The branches of a tree that are copied, and those of them that came along because others need them. */
export interface BranchSelection {
  kept: ReadonlySet<number>;
  alongside: readonly BranchInfo[];
}

/**
 * The chosen branches of a tree with all below them; the branches above, and those that hold the lengths of their arrays
 * (fLeafCount, fBranchCount), come along. Throws NOT_FOUND, and UNSUPPORTED for a tree with a table of references.
 */
export function selectBranches(
  tree: TreeInfo,
  data: ObjectData,
  names: readonly string[] | undefined,
): BranchSelection | undefined {
  if (names === undefined) return undefined;
  const list = branchesOf(data);
  const indices = new Map<TapeValue, number>(list.map(({ branch }, i) => [branch, i]));
  const holders = new Map<TapeValue, number>(
    list.flatMap(({ branch }, i) => objectsOf(branch, 'fLeaves').map((leaf) => [leaf, i] as const)),
  );
  const kept = wantedBranches(tree, names);
  const alongside: BranchInfo[] = [];
  // Branches that are added here are visited, too: a set gives what is added while it is read.
  const chosen = kept.size;
  for (const index of kept) {
    const { branch, parent } = list[index] ?? {};
    const needed = [
      parent && indices.get(parent),
      branch?.fBranchCount && indices.get(branch.fBranchCount),
      branch?.fBranchCount2 && indices.get(branch.fBranchCount2),
      ...(branch ? objectsOf(branch, 'fLeaves') : []).map(
        ({ fLeafCount }) => fLeafCount && holders.get(fLeafCount),
      ),
    ];
    for (const one of needed) if (typeof one === 'number') kept.add(one);
  }
  for (const index of [...kept].slice(chosen)) {
    const branch = tree.branches[index];
    if (branch) alongside.push(branch);
  }
  if (kept.size === list.length) return undefined;
  if (data.fBranchRef) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `"${tree.path}" has a table of references (TBranchRef), which names all branches: none can be left out.`,
      where: { path: tree.path },
      fix: 'Copy the tree with all branches.',
    });
  }
  return { kept, alongside };
}

/** The numbers of the named branches, and of all below them. Throws NOT_FOUND. */
export function wantedBranches(tree: TreeInfo, names: readonly string[]): Set<number> {
  const wanted = new Set(chooseBranches(tree, names).map(({ index }) => index));
  for (const { index, parent } of tree.branches) if (wanted.has(parent)) wanted.add(index);
  return wanted;
}

/** The layout of a tree with some of its branches. */
export function layoutOf(layout: TreeLayout, kept: ReadonlySet<number>): TreeLayout {
  const { tree, basketStart } = layout;
  const branches = tree.branches.filter(({ index }) => kept.has(index));
  const starts = [0];
  const baskets: number[] = [];
  for (const { index } of branches) {
    for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++) baskets.push(i);
    starts.push(baskets.length);
  }
  const some = (list: Float64Array): Float64Array => Float64Array.from(baskets, (i) => list[i] ?? 0);
  return {
    ...layout,
    tree: { ...tree, branches },
    basketStart: Uint32Array.from(starts),
    offset: some(layout.offset),
    storedBytes: some(layout.storedBytes),
    firstEntry: some(layout.firstEntry),
    entries: some(layout.entries),
    compress: Int32Array.from(branches, ({ index }) => layout.compress[index] ?? -1),
  };
}
