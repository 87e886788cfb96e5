import { XylemError } from '../base/errors';
import type { BranchTable } from '../core/tree-core';
import type { BranchInfo, BranchKind, TreeInfo } from './api';

const KINDS: BranchKind[] = ['number', 'string', 'object', 'group'];

/** The branches of a table; `pathOf` joins a parent's path and a name. */
export function branchInfos(
  b: BranchTable,
  pathOf: (parent: BranchInfo, name: string) => string,
): BranchInfo[] {
  const infos: BranchInfo[] = [];
  b.names.forEach((name, index) => {
    const parent = b.parents[index] ?? -1;
    const above = infos[parent];
    infos.push({
      index,
      parent,
      depth: b.depths[index] ?? 0,
      path: above ? pathOf(above, name) : name,
      name,
      title: b.titles[index] ?? '',
      typeName: b.types[index] ?? '',
      kind: KINDS[b.kinds[index] ?? 2] ?? 'object',
      entries: Math.max(0, b.entries[index] ?? 0),
      baskets: b.baskets[index] ?? 0,
      totalBytes: b.totalBytes[index] ?? 0,
      storedBytes: b.storedBytes[index] ?? 0,
    });
  });
  return infos;
}

/** See DataModel.branch. */
export function findBranch({ path, branches }: TreeInfo, which: number | string): BranchInfo {
  if (typeof which === 'number') {
    const branch = branches[which];
    if (branch) return branch;
  } else {
    const exact = branches.find((branch) => branch.path === which);
    if (exact) return exact;
    const named = branches.filter((branch) => branch.name === which);
    if (named.length === 1 && named[0]) return named[0];
  }
  throw new XylemError({
    code: 'NOT_FOUND',
    message: `There is no branch "${which}" in the tree "${path}".`,
    where: { path },
    fix: suggestion(String(which), branches),
  });
}

function suggestion(which: string, branches: BranchInfo[]): string {
  const wanted = which.toLowerCase();
  const near = branches.find((branch) => branch.path.toLowerCase().includes(wanted));
  return near ? `Did you mean "${near.path}"?` : 'List the tree to see its branches.';
}
