import type { BranchInfo, KeyInfo, TreeInfo } from '../../../../api/api';
import type { TreeLayout } from '../../../../api/layout';
import type { Selection } from '../../../../api/write';
import { unsupported } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import { globMatcher } from '../../../../base/glob';
import { itemAt } from '../../../../base/item-at';
import { notFound } from '../../../../base/suggest';
import { trimSlashes } from '../../../../base/text';
import type { TapeValue } from '../../../../core/tape';
import { chooseBranches } from '../../../../model/choose';
import { cyclePath, findKey, isTree } from '../../../../model/keys';
import { branchesOf, objectsOf } from '../encode/tree-edit';
import type { ObjectData } from '../encode/types';

/**
 * Returns the keys that are copied, in the order of the input, with their directories. Throws NOT_FOUND for a name
 * that no tree or no object has.
 */
export function selectKeys<K extends KeyInfo>(
  keys: readonly K[],
  { trees, objects }: Selection,
): readonly K[] {
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

function matching<K extends KeyInfo>(
  what: string,
  keys: readonly K[],
  patterns: readonly string[] | undefined,
): readonly K[] {
  if (patterns === undefined) return keys;
  return patterns.flatMap((pattern) => {
    const wanted = trimSlashes(pattern);
    const one = findKey(keys, wanted);
    if (one && cyclePath(one) === wanted) return [one];
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

/** The branches of a tree that are copied, and those that are copied only because others need them. */
export interface BranchSelection {
  kept: ReadonlySet<number>;
  alongside: readonly BranchInfo[];
}

/**
 * Returns the chosen branches of a tree with their sub-branches. The branches above, and those with the lengths of
 * their arrays (fLeafCount, fBranchCount), are added. Throws NOT_FOUND, and UNSUPPORTED for a tree with a table of
 * references.
 */
export function selectBranches(
  tree: TreeInfo,
  data: ObjectData,
  names: readonly string[] | undefined,
): BranchSelection | undefined {
  if (names === undefined) return undefined;
  const needs = needsOf(data);
  const kept = wantedBranches(tree, names);
  const alongside: BranchInfo[] = [];
  // Branches added here are visited, too, because a set yields elements that are added while it is iterated.
  const chosen = kept.size;
  for (const index of kept) {
    for (const one of needs[index] ?? []) kept.add(one);
  }
  for (const index of [...kept].slice(chosen)) {
    const branch = tree.branches[index];
    if (branch) alongside.push(branch);
  }
  if (kept.size === needs.length) return undefined;
  if (data.fBranchRef) throw noReferences(tree.path);
  return { kept, alongside };
}

/** Returns a note on which of `total` branches of a tree were chosen. */
export function branchesNote(path: string, { kept, alongside }: BranchSelection, total: number): string {
  const names = alongside.map((branch) => branch.path).join(', ');
  return `${path}: ${kept.size} of ${total} branches${names && `; others need ${names}`}`;
}

/** Returns the indices of the named branches and their sub-branches. Throws NOT_FOUND. */
export function wantedBranches(tree: TreeInfo, names: readonly string[]): Set<number> {
  const wanted = new Set(chooseBranches(tree, names).map(({ index }) => index));
  for (const { index, parent } of tree.branches) if (wanted.has(parent)) wanted.add(index);
  return wanted;
}

/**
 * Returns the branches of a tree without some, and without those that need them. Throws UNSUPPORTED for a tree with a
 * table of references.
 */
export function withoutBranches(
  tree: TreeInfo,
  data: ObjectData,
  lost: ReadonlySet<number>,
): BranchSelection | undefined {
  if (lost.size === 0) return undefined;
  if (data.fBranchRef) throw noReferences(tree.path);
  const needs = needsOf(data);
  const dropped = new Set(lost);
  for (let before = -1; before !== dropped.size; ) {
    before = dropped.size;
    for (const [i, needed] of needs.entries()) if (needed.some((one) => dropped.has(one))) dropped.add(i);
  }
  return { kept: new Set([...needs.keys()].filter((i) => !dropped.has(i))), alongside: [] };
}

/** Returns for each branch those that it needs: the branch above, and those with the lengths of its arrays. */
function needsOf(data: ObjectData): number[][] {
  const list = branchesOf(data);
  const indices = new Map<TapeValue, number>(list.map(({ branch }, i) => [branch, i]));
  const holders = new Map<TapeValue, number>(
    list.flatMap(({ branch }, i) => objectsOf(branch, 'fLeaves').map((leaf) => [leaf, i] as const)),
  );
  return list.map(({ branch, parent }) => {
    const needed = [
      parent && indices.get(parent),
      branch.fBranchCount && indices.get(branch.fBranchCount),
      branch.fBranchCount2 && indices.get(branch.fBranchCount2),
      ...objectsOf(branch, 'fLeaves').map(({ fLeafCount }) => fLeafCount && holders.get(fLeafCount)),
    ];
    return needed.filter((one) => typeof one === 'number');
  });
}

function noReferences(path: string): XylemError {
  return unsupported(
    `"${path}" has a table of references (TBranchRef), which names all branches: none can be left out.`,
    'Copy the tree with all branches.',
    { path },
  );
}

/** Returns the layout of a tree with only some of its branches. */
export function layoutOf(layout: TreeLayout, kept: ReadonlySet<number>): TreeLayout {
  const { tree, basketStart } = layout;
  const branches = tree.branches.filter(({ index }) => kept.has(index));
  const starts = [0];
  const baskets: number[] = [];
  for (const { index } of branches) {
    for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++) baskets.push(i);
    starts.push(baskets.length);
  }
  const some = (list: Float64Array): Float64Array =>
    Float64Array.from(baskets, (i) => itemAt(list, i, 'basket'));
  const { lacking } = layout;
  return {
    ...layout,
    tree: { ...tree, branches },
    basketStart: Uint32Array.from(starts),
    offset: some(layout.offset),
    storedBytes: some(layout.storedBytes),
    firstEntry: some(layout.firstEntry),
    entries: some(layout.entries),
    compress: Int32Array.from(branches, ({ index }) => layout.compress[index] ?? -1),
    lacking:
      lacking &&
      Float64Array.from(branches, ({ index }) => itemAt(lacking, index, 'number of lacking entries')),
  };
}
