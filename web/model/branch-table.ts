import type { BranchInfo, BranchKind, TreeInfo } from '../api/api';
import { XylemError } from '../base/errors';
import { didYouMean, similar } from '../base/suggest';
import type { BranchTable } from '../core/tree-core';
import { documentationOf } from './documentation';

const KINDS: BranchKind[] = ['number', 'string', 'object', 'group'];

/** Returns the branches of a table of a tree of this kind. `pathOf` joins the path of a parent and a name. */
export function branchInfos(
  b: BranchTable,
  kind: TreeInfo['kind'],
  pathOf: (parent: BranchInfo, name: string) => string,
): BranchInfo[] {
  const infos: BranchInfo[] = [];
  b.names.forEach((name, index) => {
    const parent = b.parents[index] ?? -1;
    const above = infos[parent];
    const title = b.titles[index] ?? '';
    infos.push({
      index,
      parent,
      depth: b.depths[index] ?? 0,
      path: above ? pathOf(above, name) : name,
      name,
      title,
      ...documentationOf(name, title, kind),
      typeName: b.types[index] ?? '',
      kind: KINDS[b.kinds[index] ?? 2] ?? 'object',
      entries: Math.max(0, b.entries[index] ?? 0),
      baskets: b.baskets[index] ?? 0,
      totalBytes: b.totalBytes[index] ?? 0,
      storedBytes: b.storedBytes[index] ?? 0,
      ...(b.otherFiles?.[index] && { otherFile: b.otherFiles[index] }),
    });
  });
  return infos;
}

/** The first branch of each path, and the branch of each name; undefined if several branches share the name. */
interface BranchIndex {
  paths: Map<string, BranchInfo>;
  names: Map<string, BranchInfo | undefined>;
}

/** Built when a branch is first looked up by name. Ten thousand lookups may follow. */
const indices = new WeakMap<BranchInfo[], BranchIndex>();

function indexOf(branches: BranchInfo[]): BranchIndex {
  const known = indices.get(branches);
  if (known) return known;
  const index: BranchIndex = { paths: new Map(), names: new Map() };
  for (const branch of branches) {
    if (!index.paths.has(branch.path)) index.paths.set(branch.path, branch);
    index.names.set(branch.name, index.names.has(branch.name) ? undefined : branch);
  }
  indices.set(branches, index);
  return index;
}

/** See DataModel.branch. */
export function findBranch({ path, branches }: TreeInfo, which: number | string): BranchInfo {
  if (typeof which === 'number') {
    const branch = branches[which];
    if (branch) return branch;
  } else {
    const { paths, names } = indexOf(branches);
    const branch = paths.get(which) ?? names.get(which);
    if (branch) return branch;
  }
  const there = branches.map((branch) => branch.path);
  throw new XylemError({
    code: 'NOT_FOUND',
    message: `There is no branch "${which}" in the tree "${path}".`,
    where: { path },
    fix: didYouMean(similar(String(which), there)) ?? 'The list of branches shows what the tree has.',
  });
}
